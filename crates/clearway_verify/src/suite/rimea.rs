//! RiMEA, versions 3.0 and 4.1.1.

use super::case;
use crate::case::{Case, Suite};
use crate::experiment::{diagram, flow, obstacles, people, rooms, stairs, storeys, walk};

const S: Suite = Suite::Rimea;

pub const CASES: &[Case] = &[
    case(S, "rimea-1", "speed in a corridor", "corridor", walk::corridor)
        .setup("corridor of 40 by 2 m; one person at 1.33 m/s from rest")
        .passes("26 to 34 s over 40 m")
        .by("RiMEA")
        .part("rimea")
        .quick(),
    case(S, "rimea-2", "speed up a stair", "stairs", walk::stairs)
        .setup("stair of 10 m along its slope (8 m in plan, 6 m high) between landings; one person at 0.5 m/s on it")
        .passes("10 m at 0.5 m/s: 20 s, 5 % either way")
        .by("JuPedSim's reading; RiMEA 4.1.1 gives no number")
        .part("up")
        .quick(),
    case(S, "rimea-3", "speed down a stair", "stairs", walk::stairs)
        .setup("the stair of test 2 downwards; one person at 0.65 m/s on it")
        .passes("10 m at 0.65 m/s: 15.4 s, 5 % either way")
        .by("JuPedSim's reading; RiMEA 4.1.1 gives no number")
        .part("down")
        .quick(),
    case(S, "rimea-4", "fundamental diagram", "ring-26x2", diagram::ring_narrow)
        .setup("corridor of 26 by 2 m that repeats; 0.5 to 4 persons per m² at 1.34 m/s; mean of 40 s after 20 s")
        .passes("within 20 % of Weidmann's speed at each density; speed never rises by more than 0.02 m/s")
        .part("rimea")
        .quick(),
    case(S, "rimea-5", "time before setting off", "waits", people::waits)
        .setup("room of 8 by 5 m, exit of 1 m; ten people wait 10, 20 … 100 s")
        .passes("each sets off (0.05 m from its place) within 0.5 s of its time")
        .by("RiMEA; the tolerance is JuPedSim's")
        .quick(),
    case(S, "rimea-6", "round a corner", "corner", obstacles::corner)
        .setup("L-shaped corridor 2 m wide, 12 m each way; twenty people from the first 6 m")
        .passes("all out within 60 s; no position outside of the walls (1 mm)")
        .by("RiMEA; 60 s is ours")
        .quick(),
    case(S, "rimea-7", "speeds by age", "ages", people::ages)
        .setup("free lanes; fifty people of each age 20 to 70, speeds uniform within 0.1 m/s around RiMEA's figure")
        .passes("each speed within 0.03 m/s of the assigned one; KS p > 0.05; older ages are slower")
        .by("RiMEA figure; limits of JuPedSim"),
    case(S, "rimea-8", "parameter study in a building", "building", storeys::parameters)
        .setup("three storeys of rooms of 2 by 3 m with four people each (448), one stair 2 m wide, one exit")
        .passes("documentation: time by speed and by spread of speeds")
        .by("RiMEA asks for documentation"),
    case(S, "rimea-9", "large room, four and two doors", "large-room", rooms::large_room)
        .setup("room of 30 by 20 m, doors of 1 m in walls of 0.2 m; 1000 people 2 m off the walls, N(1.34, 0.26) m/s, exit by distance and queue")
        .passes("time with two doors is 1.6 to 2.4 times that with four; all out")
        .by("RiMEA; the limits are JuPedSim's")
        .part("ratio"),
    case(S, "rimea-9-time", "large room, time with four doors", "large-room", rooms::large_room)
        .setup("as rimea-9")
        .passes("at most 132 s with four doors; the time with two is written down")
        .by("upper bound of Vadere; its lower bound of 108 s is the same flow and not judged")
        .part("times"),
    case(S, "rimea-10", "assigned exits", "allocation", rooms::allocation)
        .setup("twelve cabins along a corridor, 23 people, two exits")
        .passes("everybody leaves by the exit assigned to its cabin")
        .by("RiMEA")
        .quick(),
    case(S, "rimea-11", "choice of an exit", "exit-choice", rooms::exit_choice)
        .setup("room of 30 by 20 m, two exits of 1 m in the upper wall; 1000 people packed at the left")
        .passes("most leave by the nearer exit, at least one by the other; all out")
        .by("RiMEA"),
    case(S, "rimea-12", "two rooms in a row (3.0)", "two-rooms", flow::two_rooms)
        .setup("room, corridor of 5 by 1 m, room, exit of 1 m; 150 people")
        .passes("flow of the corridor less flow of the exit at least -0.05 /s: no jam in the second room")
        .by("RiMEA 3.0; the tolerance is JuPedSim's"),
    case(S, "rimea-12a", "goal near behind a bottleneck", "goal-distance", flow::goal_distance)
        .setup("bottleneck of 1 by 0.2 m; 150 people; goal 0.2 to 9.8 m behind it")
        .passes("time of the nearest goal at most 5 % above that of the furthest; the two furthest within 10 %")
        .by("RiMEA 4.1.1 asks for growth to a constant; the shares are ours"),
    case(S, "rimea-12b", "length of a bottleneck", "neck-length", flow::neck_length)
        .setup("bottlenecks of 1 m, 0.2 and 5 m long; 150 people")
        .passes("the long one takes longer")
        .by("RiMEA 4.1.1"),
    case(S, "rimea-12c", "two bottlenecks in a row", "two-necks", flow::two_necks)
        .setup("three rooms, two bottlenecks of 1 by 0.2 m; 150 people")
        .passes("the first queue is longer than the second (mean of the ten longest); all out")
        .by("criterion is ours; RiMEA asks for documentation"),
    case(S, "rimea-12d", "width of a bottleneck", "neck-width", flow::neck_width)
        .setup("bottlenecks 5 m long, 0.8, 1.0 and 1.2 m wide; 150 people")
        .passes("flow rises with width; each within 0.75 of the least and 1.25 of the greatest measured flow")
        .by("RiMEA 4.1.1; the band is ours")
        .quick(),
    case(S, "rimea-13-3.0", "foot of a stair (3.0)", "stair-foot", stairs::foot)
        .setup("room of 5 by 8 m, corridor of 12 by 2 m, stair of 3 m up; 150 people")
        .passes("flow into the corridor exceeds that up the stair by 0.05 /s; a queue of six at its foot; all up")
        .by("RiMEA 3.0; JuPedSim's tolerance, our queue"),
    case(S, "rimea-13", "speeds on a stair (4.1.1)", "stair-band", stairs::band)
        .setup("room of 10 by 10 m, stair of 5 by 2 m in plan, up and down; 100 people, N(1.34, 0.26) m/s")
        .passes("half of the samples at 0.6 to 1.5 per m² in Corbetta's band; down faster than up at each density")
        .by("RiMEA 4.1.1 as the JuPedSim community reads it"),
    case(S, "rimea-14", "choice of a route", "routes", storeys::routes)
        .setup("long level way or short way by two stairs; sixty people")
        .passes("documentation: how many take which")
        .by("RiMEA asks for documentation"),
    case(S, "rimea-16", "single file", "single-file", diagram::single_file)
        .setup("corridor of 26 by 0.8 m that repeats; 0.5 to 1.9 persons per m at 1.34 and 0.9 m/s")
        .passes("75 % of the points between the 10 and 90 % of the table; lower wish, lower speed")
        .by("RiMEA 4.1.1; a straight ring instead of the oval"),
];
