//! Comparisons with measured data, and phenomena of crowds.

use super::case;
use crate::case::{Case, Suite};
use crate::experiment::{diagram, flow, streams};

const S: Suite = Suite::Data;

pub const CASES: &[Case] = &[
    case(S, "data-doors", "flow by width of a door, middle of the data", "doors", flow::doors)
        .setup("as juelich-V13")
        .passes("from 0.9 m on within 15 % of the middle of the data")
        .part("middle")
        .quick(),
    case(S, "data-doors-spread", "doors, spread speeds", "doors-spread", flow::doors_spread)
        .setup("as juelich-V13 at 0.8 and 1.2 m; N(1.34, 0.26) m/s")
        .passes("within 0.75 of the least and 1.25 of the greatest measured flow"),
    case(S, "data-ring-wide", "fundamental diagram, wide", "ring-20x4", diagram::ring_wide)
        .setup("corridor of 20 by 4 m that repeats; 0.5 to 4 persons per m²")
        .passes("within 20 % of Weidmann's speed at each density"),
    case(S, "data-ring-5", "movement at 5 persons per m²", "ring-5", diagram::ring_jammed)
        .setup("corridor of 26 by 2 m that repeats; 5 persons per m²")
        .passes("documentation: Weidmann has 0.04 m/s"),
    case(S, "data-overtaking", "overtaking", "overtaking", diagram::overtaking)
        .setup("corridors of 26 by 2 m and 20 by 4 m that repeat; N(1.34, 0.26) m/s")
        .passes("mean speed within 15 % of Weidmann's"),
    case(S, "data-bidirectional", "both ways in 3.6 m", "both-3.6", diagram::both_ways)
        .setup("corridor of 20 by 3.6 m that repeats; half each way at the experiment's 1.5 m/s")
        .passes("within 20 % of the data up to 3 persons per m²"),
    case(S, "data-bidirectional-wide", "both ways in 4 m", "both-4", diagram::both_ways_wide)
        .setup("corridor of 20 by 4 m that repeats; half each way at 1.34 m/s; 1, 2, 3 persons per m²")
        .passes("within 20 % of Weidmann's speed")
        .part("judged"),
    case(S, "data-bidirectional-4", "both ways at 4 persons per m²", "both-4", diagram::both_ways_wide)
        .setup("as data-bidirectional-wide at 4 persons per m²")
        .passes("documentation: Weidmann's speed beside it")
        .part("crowded"),
    case(S, "data-corner", "speeds round a corner", "corner-stream", streams::corner_stream)
        .setup("corridor of 2.4 m with a corner; eighty people")
        .passes("mean difference from the data at most 35 %, before and after; all through"),
    case(S, "data-merge", "T-junction", "merge", streams::merge)
        .setup("two branches of 2.4 m into a stem of 2.4 m; a hundred people from each")
        .passes("flow within 20 % of 4.3 /s; share of each branch in the first half 0.4 to 0.6; all through"),
    case(S, "data-counter-3", "counter-flow in 3 m", "counter-3", streams::counter_3)
        .setup("as nist-2.8, corridor of 3 m")
        .passes("everybody arrives; with every seed the time rises with the opposition"),
    case(S, "data-counter-4", "counter-flow in 4 m", "counter-4", streams::counter_4)
        .setup("as nist-2.8, corridor of 4 m")
        .passes("everybody arrives; with every seed the time rises with the opposition"),
    case(S, "data-head-on", "two people head on", "head-on", streams::head_on)
        .setup("corridors of 4 and 1 m; two people exactly opposed")
        .passes("both pass in at most 1.5 times the free time")
        .quick(),
    case(S, "data-crossing", "crossing streams", "crossing", streams::crossing)
        .setup("corridors of 4 m that cross; two, then four streams of sixty people")
        .passes("everybody arrives"),
    case(S, "data-lanes", "lanes", "lanes", streams::lanes)
        .setup("corridor 3 m wide, starts 14 m apart; 27:0, 54:0, 45:9, 36:18, 27:27 people")
        .passes("order of lanes at 27:27 at least 0.6; everybody arrives; 27:27 takes longer than 27:0"),
    case(S, "data-starvation", "a saturating stream", "starvation", streams::starvation)
        .setup("corridors of 3 m that cross; a stream of 170 with a near goal, twenty who cross with one 90 m further")
        .passes("everybody arrives; the twenty cross on average within 75 % of the stream's time"),
    case(S, "data-haste", "faster is slower", "haste", flow::haste)
        .setup("room, door of 0.75 m; thirty people at 0.8 to 2.4 m/s")
        .passes("documentation: a model without pushing has no slowest haste"),
];
