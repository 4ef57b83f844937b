//! Fixed plans on which the size of a body decides about the way.

use crate::drawing::PlanDrawing;
use crate::shapes::rectangle;

// All lengths are in metres.

/// Two rooms below a corridor, and a hall above it that leads around a pillar.
///
/// Doors open from each room into the corridor and, right across it, into the hall. A body of a radius up to
/// 0.625 walks from (2.5, 1.5) to (9.5, 1.5) along the corridor. A larger one, up to 1.375, does not fit into it:
/// it crosses the corridor into the hall, goes around the pillar, and crosses the corridor once more. The doors are
/// gaps in walls of no thickness, so the whole corridor is one cell, which such a path visits twice: after figure
/// 7.23 of the NEOGEN thesis, on which a search that visits each cell once finds nothing.
pub fn turn_back() -> PlanDrawing {
    let pillar = rectangle([5.0, 5.25], [7.0, 7.25]);
    let mut drawing = PlanDrawing::field(rectangle([0.0, 0.0], [12.0, 10.0]), vec![pillar]);
    let between_rooms = vec![[6.0, 0.0], [6.0, 4.0]];
    let below = [[0.0, 1.0], [4.0, 8.0], [11.0, 12.0]];
    // The pillar stands on the wall above the corridor.
    let above = [[0.0, 1.0], [4.0, 5.0], [7.0, 8.0], [11.0, 12.0]];
    let line = |y: f64| move |[from, to]: [f64; 2]| vec![[from, y], [to, y]];
    drawing.walls = vec![between_rooms];
    drawing.walls.extend(below.map(line(4.0)));
    drawing.walls.extend(above.map(line(5.25)));
    drawing
}

/// Two rooms with a narrow short way and a wide long way between them.
///
/// The straight corridor is 1 m wide, for bodies of a radius up to 0.5. The other leads around a block and is 4 m
/// wide, for bodies of a radius up to 2. Places to try: from (5, 5) to (25, 5).
pub fn two_ways() -> PlanDrawing {
    let outline = vec![
        [0.0, 0.0],
        [10.0, 0.0],
        [10.0, 4.5],
        [20.0, 4.5],
        [20.0, 0.0],
        [30.0, 0.0],
        [30.0, 10.0],
        [27.0, 10.0],
        [27.0, 20.0],
        [3.0, 20.0],
        [3.0, 10.0],
        [0.0, 10.0],
    ];
    let block = vec![
        [10.0, 5.5],
        [20.0, 5.5],
        [20.0, 10.0],
        [23.0, 10.0],
        [23.0, 16.0],
        [7.0, 16.0],
        [7.0, 10.0],
        [10.0, 10.0],
    ];
    PlanDrawing::field(outline, vec![block])
}
