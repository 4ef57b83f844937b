//! Open walls of no thickness.

use crate::drawing::PlanDrawing;
use crate::random::Random;
use crate::shapes::{Point, quantised};
use crate::slots::Slots;

/// Walls in every slot that reach into the next ones and out of the outline.
///
/// On half of the seeds all points lie on a coarse grid, which makes walls touch, overlap and end on each
/// other.
pub(super) fn thin_walls(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 5.0);
    let coarse = random.chance(0.5);
    let mut walls = Vec::new();
    for &low in &slots.corners {
        let place = |at: Point| {
            let snap = |x: f64| if coarse { (x * 8.0).round() / 8.0 } else { x };
            slots.point(low, [snap(at[0]), snap(at[1])])
        };
        for wall in slot_walls(random) {
            walls.push(quantised(wall.into_iter().map(place).collect()));
        }
    }
    let mut drawing = PlanDrawing::field(slots.outline(0.0), Vec::new());
    drawing.walls = walls;
    drawing
}

/// The walls of one slot in coordinates from 0 to 1, reaching a little further.
fn slot_walls(random: &mut Random) -> Vec<Vec<Point>> {
    let mut place = || [random.range(-0.2, 1.2), random.range(-0.2, 1.2)];
    let (a, b, c) = (place(), place(), place());
    let middle = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    match random.below(6) {
        0 => vec![vec![a, b]],
        1 => vec![vec![a, b], vec![middle, c]],
        2 => vec![vec![[0.5, 0.0], [0.5, 1.0]], vec![[0.0, 0.5], [1.0, 0.5]]],
        3 => vec![vec![a, b, c, a]],
        4 => vec![vec![a, b], vec![b, a], vec![middle, middle]],
        _ => vec![zigzag(random, a)],
    }
}

fn zigzag(random: &mut Random, start: Point) -> Vec<Point> {
    let mut wall = vec![start];
    for _ in 0..3 + random.below(5) {
        wall.push([random.range(-0.1, 1.1), random.range(-0.1, 1.1)]);
    }
    wall
}
