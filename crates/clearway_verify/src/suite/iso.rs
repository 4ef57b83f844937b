//! ISO 20414:2020, tests 1 to 13.

use super::case;
use crate::case::{Case, Suite};
use crate::experiment::{diagram, flow, obstacles, people, rooms, stairs, streams, walk};

const S: Suite = Suite::Iso;

pub const CASES: &[Case] = &[
    case(S, "iso-1", "laws of times before setting off", "laws", people::laws)
        .setup("as nist-1.1 with uniform, normal and lognormal times; sixty people each")
        .passes("p of two samples above 0.05")
        .by("ISO 20414")
        .part("iso"),
    case(S, "iso-2", "speed in a corridor", "corridor", walk::corridor)
        .setup("as nist-2.1")
        .passes("0.95 to 1.05 m/s")
        .by("ISO 20414")
        .part("speed")
        .quick(),
    case(S, "iso-3", "speed on a stair", "stairs", walk::stairs)
        .setup("stair of 10 m along its slope; one person at 1 m/s, half of it on the stair, up and down")
        .passes("0.45 to 0.55 m/s")
        .by("ISO 20414")
        .part("half")
        .quick(),
    case(S, "iso-4", "round a corner", "corner", obstacles::corner)
        .setup("as rimea-6")
        .passes("all out within 60 s; no position outside of the walls")
        .by("ISO 20414; 60 s is ours")
        .quick(),
    case(S, "iso-5", "assigned speeds", "demographics", people::demographics)
        .setup("as nist-2.4")
        .passes("mean and deviation within 0.05 m/s; median p above 0.05")
        .by("ISO 20414"),
    case(S, "iso-6", "counter-flow", "counter-2", streams::counter_2)
        .setup("as nist-2.8")
        .passes("everybody arrives; with every seed the time rises with the opposition")
        .by("ISO 20414")
        .quick(),
    case(S, "iso-7", "overtaking a slow person", "disability", streams::disability)
        .setup("as nist-2.10")
        .passes("it takes longer than with 25 equal people, with every seed; all out")
        .by("ISO 20414; the corridor is ours"),
    case(S, "iso-8", "assigned exits", "allocation", rooms::allocation)
        .setup("as rimea-10")
        .passes("everybody leaves by the exit assigned to its cabin")
        .by("ISO 20414")
        .quick(),
    case(S, "iso-9", "an exit closes", "closing-exit", rooms::closing_exit)
        .setup("as nist-4.1")
        .passes("the person leaves by exit 2")
        .by("ISO 20414")
        .quick(),
    case(S, "iso-10", "congestion", "congestion", stairs::congestion)
        .setup("as nist-5.1")
        .passes("peak density is higher at the corridor's mouth and at the stair's foot than between; all up")
        .by("ISO 20414"),
    case(S, "iso-11", "greatest flow", "exit-flow", flow::exit_flow)
        .setup("as nist-5.2")
        .passes("flow from first to last at most 1.33 /s and at least 90 % of it; all out")
        .by("ISO 20414: a set cap is enforced; the 90 % are ours")
        .part("capped"),
    case(S, "iso-12", "stair flow by width", "stair-width", stairs::width)
        .setup("room of 10 by 8 m, stair of 6 m with landings, 1.0 to 1.8 m wide; 100 people at 1 m/s, half on the stair")
        .passes("flow grows with width: positive slope, and the widest exceeds the narrowest; all up")
        .by("ISO 20414"),
    case(S, "iso-13", "assigned speed in a corridor", "assigned", diagram::assigned)
        .setup("corridor of 40 by 3 m that repeats; 60, 120, 240 people at 1 m/s")
        .passes("mean speed at most 1.05 m/s; it does not rise with the number of people (0.02 m/s)")
        .by("ISO 20414; the slack is ours"),
];
