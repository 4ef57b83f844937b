//! A market square: buildings with alleys between them around a place with stalls, a fountain, trees and a
//! café.

mod square;

use crate::drawing::{PlanDrawing, Ring};
use crate::random::Random;
use crate::shapes::{Point, rectangle, regular, to_millimetres, turned_box};
use square::Square;

// All lengths are in metres.
const SIZE: Point = [90.0, 70.0];
/// The street behind the buildings.
const STREET: f64 = 4.0;
/// The buildings, from the street to the square.
const DEPTH: f64 = 12.0;
/// The distance from the edge of the plan to the square.
const EDGE: f64 = STREET + DEPTH;

/// A market square of 90 m by 70 m, in metres: one polygon, with everything that stands on it as holes.
///
/// Barriers of the café's terrace are walls of no thickness.
pub fn market(seed: u64) -> PlanDrawing {
    let mut random = Random::new(seed);
    let random = &mut random;
    let mut square = Square::new([EDGE, EDGE], [SIZE[0] - EDGE, SIZE[1] - EDGE]);
    let mut buildings = Vec::new();
    let arcade = random.below(2);
    for (k, row) in rows(random).into_iter().enumerate() {
        row.build(random, &mut buildings, &mut square, k == arcade);
    }
    square.furnish(random);
    let (things, barriers) = square.into_lines();
    let holes = buildings.into_iter().chain(things).map(to_millimetres).collect();
    let mut drawing = PlanDrawing::field(rectangle([0.0, 0.0], SIZE), holes);
    drawing.walls = barriers.into_iter().map(to_millimetres).collect();
    drawing
}

/// The buildings on one side of the square, from the street inwards.
struct Row {
    /// The end of the row's back.
    origin: Point,
    /// The direction of the row, and the one from its back to its front.
    along: Point,
    inward: Point,
    length: f64,
    blocks: usize,
}

/// The rows on the four sides: the long ones take the corners, the short ones leave an alley at each end.
fn rows(random: &mut Random) -> [Row; 4] {
    let [width, height] = SIZE;
    let mut gap = || random.range(2.2, 4.0);
    let (west, east) = (EDGE + gap(), EDGE + gap());
    let long = |origin: Point, up: f64| Row {
        origin,
        along: [1.0, 0.0],
        inward: [0.0, up],
        length: width - 2.0 * STREET,
        blocks: 3,
    };
    let short = |origin: Point, right: f64, start: f64| Row {
        origin: [origin[0], origin[1] + start],
        along: [0.0, 1.0],
        inward: [right, 0.0],
        length: height - start - EDGE - 3.0,
        blocks: 2,
    };
    [
        long([STREET, STREET], 1.0),
        long([STREET, height - STREET], -1.0),
        short([STREET, 0.0], 1.0, west),
        short([width - STREET, 0.0], -1.0, east),
    ]
}

/// One end of a block, which an alley runs along: where it meets the back and how far the front is shifted.
#[derive(Clone, Copy)]
struct End {
    at: f64,
    skew: f64,
}

impl Row {
    /// Adds the row's blocks, bollards at the mouths of the alleys between them, and columns before an
    /// arcade.
    fn build(&self, random: &mut Random, buildings: &mut Vec<Ring>, square: &mut Square, arcade: bool) {
        let mut start = End { at: 0.0, skew: 0.0 };
        for k in 1..=self.blocks {
            let even = self.length * k as f64 / self.blocks as f64;
            let last = k == self.blocks;
            let end = match last {
                true => End { at: self.length, skew: 0.0 },
                false => End { at: even + random.range(-4.0, 2.0), skew: random.range(-2.5, 2.5) },
            };
            buildings.push(self.block(random, start, end));
            if arcade {
                self.columns(square, start, end);
            }
            let alley = random.range(2.0, 4.0);
            start = End { at: end.at + alley, skew: end.skew };
            if !last {
                let mouth = end.at + end.skew;
                for share in [0.25, 0.75] {
                    square.add(regular(self.point(mouth + share * alley, DEPTH + 0.4), 0.15, 6, 0.0));
                }
            }
        }
    }

    /// Columns in front of a block, where it faces the square.
    fn columns(&self, square: &mut Square, start: End, end: End) {
        let from = (start.at + start.skew).max(DEPTH) + 1.0;
        let to = (end.at + end.skew).min(self.length - DEPTH) - 1.0;
        let gaps = ((to - from) / 2.8).round().max(1.0);
        for k in 0..=gaps as usize {
            let at = self.point(from + (to - from) * k as f64 / gaps, DEPTH + 1.4);
            square.add(turned_box(at, [0.2, 0.2], 0.0));
        }
    }

    /// Two to four houses wall to wall, each with its own front and back line.
    fn block(&self, random: &mut Random, start: End, end: End) -> Ring {
        let houses = 2 + random.below(3);
        let (mut back, mut front) = (Vec::new(), Vec::new());
        let mut side = start;
        for k in 1..=houses {
            let share = (k as f64 + if k == houses { 0.0 } else { random.range(-0.2, 0.2) }) / houses as f64;
            let next = End {
                at: start.at + (end.at - start.at) * share,
                skew: start.skew + (end.skew - start.skew) * share,
            };
            let (near, far) = (random.range(0.0, 1.4), DEPTH - random.range(0.0, 1.2));
            back.extend([self.point(side.at, near), self.point(next.at, near)]);
            front.extend([self.point(side.at + side.skew, far), self.point(next.at + next.skew, far)]);
            side = next;
        }
        let mut ring = to_millimetres(back.into_iter().chain(front.into_iter().rev()).collect());
        // Neighbours whose lines differ by less than a millimetre have one.
        ring.dedup();
        ring
    }

    fn point(&self, along: f64, inward: f64) -> Point {
        [0, 1].map(|axis| self.origin[axis] + self.along[axis] * along + self.inward[axis] * inward)
    }
}
