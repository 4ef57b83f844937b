//! NIST Technical Note 1822, without groups, hazards and lifts.

use super::case;
use crate::case::{Case, Suite};
use crate::experiment::{flow, obstacles, people, rooms, stairs, streams, walk};

const S: Suite = Suite::Nist;

pub const CASES: &[Case] = &[
    case(S, "nist-1.1", "laws of times before setting off", "laws", people::laws)
        .setup("room of 8 by 5 m; ten people with uniform, gamma, lognormal and Weibull times; twenty runs each")
        .passes("median p of the Kolmogorov-Smirnov test above 0.05")
        .by("NIST names the laws; the limit is ours")
        .part("nist"),
    case(S, "nist-2.1", "speed in a corridor", "corridor", walk::corridor)
        .setup("corridor of 40 by 2 m with run-in; one person at 1 m/s")
        .passes("0.95 to 1.05 m/s")
        .by("NIST asks for 1 m/s; the tolerance is the JuPedSim community's")
        .part("speed")
        .quick(),
    case(S, "nist-2.2", "speed on stairs", "stairs", walk::stairs)
        .setup("stair of 100 m along its slope, 2 m wide; one person at 1 m/s, up and down")
        .passes("0.95 to 1.05 m/s")
        .by("NIST asks for 1 m/s; the tolerance is the JuPedSim community's")
        .part("long"),
    case(S, "nist-2.3", "round a corner", "corner", obstacles::corner)
        .setup("as rimea-6")
        .passes("all out within 60 s; no position outside of the walls")
        .by("NIST; 60 s is ours")
        .quick(),
    case(S, "nist-2.4", "assigned speeds", "demographics", people::demographics)
        .setup("free lanes; 100 people, N(1.2, 0.2) m/s")
        .passes("mean and deviation within 0.05 m/s; median p above 0.05")
        .by("NIST; the limits are the JuPedSim community's"),
    case(S, "nist-2.8", "counter-flow", "counter-2", streams::counter_2)
        .setup("two rooms of 10 by 10 m, corridor of 10 by 2 m; 100 people against 0, 10, 50, 100")
        .passes("everybody arrives; with every seed the time of the hundred rises with the opposition")
        .by("NIST")
        .quick(),
    case(S, "nist-2.10", "a slow and large person", "disability", streams::disability)
        .setup("corridor of 24 by 3 m; 24 people at 1.25 m/s, among them one at 0.8 m/s with radius 0.4 m")
        .passes("it takes longer than with 25 equal people, with every seed; all out")
        .by("NIST; the corridor is ours"),
    case(S, "nist-3.1", "assigned exits", "allocation", rooms::allocation)
        .setup("as rimea-10")
        .passes("everybody leaves by the exit assigned to its cabin")
        .by("NIST")
        .quick(),
    case(S, "nist-3.3", "preferred exits", "preference", rooms::preference)
        .setup("room of 10 by 12 m, exits in both upper corners; ten people, twenty runs; preference 50:50, then 20:80")
        .passes("shares within 0.1 of the preference; all out")
        .by("NIST asks for the preference; the tolerance is ours. Preferences are weights of a draw, not a group"),
    case(S, "nist-4.1", "an exit closes", "closing-exit", rooms::closing_exit)
        .setup("the room of nist-3.3; one person walks to exit 1, which closes after 1 s")
        .passes("the person leaves by exit 2")
        .by("NIST")
        .quick(),
    case(S, "nist-5.1", "congestion", "congestion", stairs::congestion)
        .setup("room of 8 by 5 m, corridor of 2 by 9 m, stair; 100 people at 1.34 m/s, half of it on the stair")
        .passes("peak density is higher at the corridor's mouth and at the stair's foot than between; all up")
        .by("NIST"),
    case(S, "nist-5.2", "greatest flow", "exit-flow", flow::exit_flow)
        .setup("room of 8 by 5 m, exit of 1 m with a capacity of 1.33 /s; 100 people")
        .passes("flow from first to last at most 1.33 /s and at least 90 % of it; all out")
        .by("NIST: a set cap is enforced; the 90 % are ours")
        .part("capped"),
];
