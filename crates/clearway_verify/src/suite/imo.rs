//! IMO MSC.1/Circ.1533, appendix 2.

use super::case;
use crate::case::{Case, Suite};
use crate::experiment::{diagram, flow, obstacles, people, rooms, stairs, streams, walk};

const S: Suite = Suite::Imo;

pub const CASES: &[Case] = &[
    case(S, "imo-1", "speed in a corridor", "corridor", walk::corridor)
        .setup("corridor of 40 by 2 m; one person at 1 m/s")
        .passes("40 s, 5 % either way")
        .by("IMO; the tolerance is ours")
        .part("imo")
        .quick(),
    case(S, "imo-2", "speed up a stair", "stairs", walk::stairs)
        .setup("stair of 10 m along its slope; one person at 1 m/s on it")
        .passes("10 s, 5 % either way")
        .by("IMO; the tolerance is ours")
        .part("imo-up")
        .quick(),
    case(S, "imo-3", "speed down a stair", "stairs", walk::stairs)
        .setup("as imo-2, downwards")
        .passes("10 s, 5 % either way")
        .by("IMO; the tolerance is ours")
        .part("imo-down")
        .quick(),
    case(S, "imo-4", "exit flow", "exit-flow", flow::exit_flow)
        .setup("room of 8 by 5 m, exit of 1 m with a capacity of 1.33 /s; 100 people")
        .passes("flow from first to last at most 1.33 /s and at least 90 % of it; all out")
        .by("IMO; the 90 % are ours. Data have 1.7 to 2.0 /s at this width, so the cap is set, not emergent")
        .part("capped"),
    case(S, "imo-4-free", "exit flow without a cap", "exit-flow", flow::exit_flow)
        .setup("as imo-4 without a capacity")
        .passes("all out; the flow is written down")
        .part("free"),
    case(S, "imo-5", "response times", "waits", people::waits)
        .setup("as rimea-5")
        .passes("each sets off within 0.5 s of its time")
        .by("IMO; the tolerance is JuPedSim's")
        .quick(),
    case(S, "imo-6", "round a corner", "corner", obstacles::corner)
        .setup("as rimea-6")
        .passes("all out within 60 s; no position outside of the walls")
        .by("IMO; 60 s is ours")
        .quick(),
    case(S, "imo-7", "assigned population", "ages", people::ages)
        .setup("as rimea-7")
        .passes("each speed within 0.03 m/s of the assigned one; KS p > 0.05; older ages are slower")
        .by("IMO; the limits are JuPedSim's"),
    case(S, "imo-8", "counter-flow", "counter-2", streams::counter_2)
        .setup("as nist-2.8")
        .passes("everybody arrives; with every seed the time rises with the opposition")
        .by("IMO")
        .quick(),
    case(S, "imo-9", "large room, four and two doors", "large-room", rooms::large_room)
        .setup("as rimea-9")
        .passes("the time about doubles: 1.6 to 2.4; all out")
        .by("IMO; the limits are JuPedSim's")
        .part("ratio"),
    case(S, "imo-10", "assigned exits", "allocation", rooms::allocation)
        .setup("as rimea-10")
        .passes("everybody leaves by the exit assigned to its cabin")
        .by("IMO")
        .quick(),
    case(S, "imo-11", "staircase", "stair-foot", stairs::foot)
        .setup("as rimea-13-3.0")
        .passes(
            "flow into the corridor exceeds that up the stair by 0.05 /s; a queue of six at its foot; all up",
        )
        .by("IMO; the numbers are ours"),
    case(S, "imo-12", "flow by density", "ring-26x2", diagram::ring_narrow)
        .setup("as rimea-4")
        .passes("less flow at 4 than at 2 persons per m²")
        .by("IMO; the densities are ours")
        .part("imo")
        .quick(),
];
