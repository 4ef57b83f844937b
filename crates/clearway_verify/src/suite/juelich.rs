//! The tests of the Jülich group.

use super::case;
use crate::case::{Case, Suite};
use crate::experiment::{engine, flow, obstacles, people, walk};

const S: Suite = Suite::Juelich;

pub const CASES: &[Case] = &[
    case(S, "juelich-V1", "free walk", "turned", walk::turned)
        .setup("corridor of 12 by 4 m; one person at 1 m/s over 10 m")
        .passes("9.5 to 10.5 s")
        .by("Jülich")
        .part("straight")
        .quick(),
    case(S, "juelich-V2", "turned corridor", "turned", walk::turned)
        .setup("the same turned by 45 degrees")
        .passes("times equal within 0.1 s")
        .by("Jülich")
        .part("turned")
        .quick(),
    case(S, "juelich-V3", "door in a niche", "niche", obstacles::niche)
        .setup("room of 9 by 5 m, door of 1 m; five people from random places")
        .passes("all pass the door")
        .by("Jülich")
        .quick(),
    case(S, "juelich-V4", "passing a stander", "stander", obstacles::stander)
        .setup("corridor 4 m wide; a stander, a walker 0.2 m off the line through it")
        .passes("the walker passes and stays out of the box that bodies of this radius allow, 0.3 m at most")
        .by("Jülich has 0.3 m")
        .quick(),
    case(S, "juelich-V5", "blocked by a stander", "blocked", obstacles::blocked)
        .setup("corridor 0.8 m wide; a stander, a walker 0.1 m off the line through it")
        .passes("the walker stops before the stander (below 0.02 m/s after 20 s), without overlap")
        .by("Jülich; the speed is ours")
        .quick(),
    case(S, "juelich-V6", "sub-goals in a row", "sub-goals", walk::sub_goals)
        .setup("corridor; one person at 1 m/s past five sub-goals over 10 m")
        .passes("9.9 to 10.1 s")
        .by("Jülich")
        .quick(),
    case(S, "juelich-V8", "triangular obstacles", "triangles", obstacles::triangles)
        .setup("corridor of 10 by 4 m with two triangles; two people")
        .passes("both out")
        .by("Jülich")
        .quick(),
    case(S, "juelich-V9", "number of threads", "threads", engine::threads)
        .setup("200 people before a door of 1 m, 10 s, on 1, 2 and 4 threads")
        .passes("every position equal to the bit")
        .by("Jülich; to the bit is ours")
        .quick(),
    case(S, "juelich-V11", "cells of the space", "cells", engine::cells)
        .setup("corridor of 12 by 4 m as it is, and cut into many cells by dents of 1 mm; one person")
        .passes("times equal within one time step")
        .by("Jülich has 0.001 s; our step is 0.05 s")
        .quick(),
    case(S, "juelich-V12", "nobody through walls", "hidden", obstacles::hidden)
        .setup(
            "two corridors 1 m wide, a wall of 2 cm between them; a walker, eleven standers behind the wall",
        )
        .passes("sideways motion at most 0.005 m in all; the same positions as without the standers")
        .by("Jülich; equal positions are ours")
        .quick(),
    case(S, "juelich-V13", "flow by width of a door", "doors", flow::doors)
        .setup(
            "room of 10 by 10 m with 196 people, neck 2 m long, 0.8 to 2.5 m wide; flow of the middle 80 %",
        )
        .passes(
            "each within 0.75 of the least and 1.25 of the greatest measured flow; wider is faster; all out",
        )
        .by("the band is ours around published data")
        .part("band")
        .quick(),
    case(S, "juelich-V14", "even random places", "places", people::places)
        .setup("2000 random places of the mesh in 100 by 100 m, 10 bins per axis, fifty runs")
        .passes("mean p of the chi-square test at least 0.1")
        .by("Jülich")
        .quick(),
];
