//! Plans that contain, on purpose, what real drawings contain by accident.

use std::f64::consts::TAU;

use crate::drawing::{PlanDrawing, Ring};
use crate::random::Random;
use crate::shapes::{Point, add, polar, quantised, rectangle, regular, resized};
use crate::slots::Slots;

/// Shapes on a grid of eighths that reach to the sides and corners of their slots, where they touch.
pub(super) fn touching_holes(random: &mut Random, size: usize) -> PlanDrawing {
    const SHAPES: [&[[u8; 2]]; 8] = [
        &[[0, 0], [8, 0], [8, 8], [0, 8]],
        &[[0, 0], [8, 0], [8, 3], [0, 3]],
        &[[2, 0], [6, 0], [6, 8], [2, 8]],
        &[[4, 0], [8, 4], [4, 8], [0, 4]],
        &[[0, 0], [8, 4], [0, 8]],
        &[[0, 0], [8, 0], [4, 6]],
        &[[8, 8], [2, 8], [8, 1]],
        &[[0, 2], [5, 0], [8, 6], [3, 8]],
    ];
    let slots = Slots::for_size(random, size, 3.625);
    let point = |low: Point, [x, y]: [u8; 2]| slots.point(low, [f64::from(x) / 8.0, f64::from(y) / 8.0]);
    let holes = slots.draw(|low| random.pick(SHAPES).iter().map(|&at| point(low, at)).collect());
    PlanDrawing::field(slots.outline(0.0), holes)
}

pub(super) fn overlapping_rings(random: &mut Random, size: usize) -> PlanDrawing {
    let as_holes = random.chance(0.5);
    let slots = Slots::for_size(random, size, if as_holes { 6.0 } else { 9.0 });
    let mut rings = slots.draw(|low| {
        let radius = random.range(0.4, 0.9) * slots.cell;
        let sides = 4 + random.below(5);
        quantised(regular(slots.centre(random, low, 0.1 * slots.cell), radius, sides, random.range(0.0, TAU)))
    });
    random.shuffle(&mut rings);
    if as_holes {
        return PlanDrawing::field(slots.outline(0.0), rings);
    }
    let polygon = |ring: Ring| {
        let hole = random.chance(0.5).then(|| quantised(resized(&ring, ring[0], random.range(0.3, 0.7))));
        (ring, hole.into_iter().collect())
    };
    PlanDrawing { polygons: rings.into_iter().map(polygon).collect(), ..PlanDrawing::default() }
}

pub(super) fn self_intersecting(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 5.75);
    let rings = slots.draw(|low| {
        let centre = slots.point(low, [0.5, 0.5]);
        let radius = random.range(0.3, 0.55) * slots.cell;
        quantised(match random.below(4) {
            0 => bow_tie(random, centre, radius),
            1 => pentagram(centre, radius, random.range(0.0, TAU)),
            2 => tangle(random, centre, radius),
            _ => box_with_tail(centre, radius),
        })
    });
    match random.chance(0.5) {
        true => PlanDrawing::field(slots.outline(0.0), rings),
        false => PlanDrawing {
            polygons: rings.into_iter().map(|ring| (ring, Vec::new())).collect(),
            ..PlanDrawing::default()
        },
    }
}

fn bow_tie(random: &mut Random, centre: Point, radius: f64) -> Ring {
    let mut ring = regular(centre, radius, 4, random.range(0.0, TAU));
    ring.swap(0, 1);
    ring
}

fn pentagram(centre: Point, radius: f64, angle: f64) -> Ring {
    (0..5).map(|k| polar(centre, radius, angle + 2.0 * TAU * f64::from(k) / 5.0)).collect()
}

fn tangle(random: &mut Random, centre: Point, radius: f64) -> Ring {
    let corners = 5 + random.below(5);
    (0..corners)
        .map(|_| add(centre, [random.range(-radius, radius), random.range(-radius, radius)]))
        .collect()
}

/// A box whose ring runs out along a line and back on the same line.
fn box_with_tail([x, y]: Point, radius: f64) -> Ring {
    let half = 0.5 * radius;
    let mut ring = rectangle([x - half, y - half], [x + half, y + half]);
    ring.splice(2..2, [[x + half, y], [x + 2.0 * radius, y], [x + half, y]]);
    ring
}

pub(super) fn duplicate_rings(random: &mut Random, size: usize) -> PlanDrawing {
    // Sometimes the whole polygon is there twice, too.
    let copies = random.pick([1, 1, 2]);
    let slots = Slots::for_size(random, size / copies, 9.0);
    let mut holes = Vec::new();
    for &low in &slots.corners {
        let ring =
            quantised(regular(slots.point(low, [0.5, 0.5]), random.range(0.1, 0.4) * slots.cell, 4, 0.3));
        holes.push(copied_oddly(random, &ring));
        holes.push(ring);
    }
    random.shuffle(&mut holes);
    let polygon = (slots.outline(0.0), holes);
    PlanDrawing { polygons: vec![polygon; copies], ..PlanDrawing::default() }
}

/// The ring again, drawn in another way.
fn copied_oddly(random: &mut Random, ring: &Ring) -> Ring {
    let mut copy = ring.clone();
    match random.below(6) {
        0 => {}
        1 => copy.reverse(),
        2 => copy.rotate_left(1),
        3 => copy = copy.into_iter().flat_map(|point| [point, point]).collect(),
        4 => copy.push(ring[0]),
        _ => copy = vec![ring[0], ring[2], ring[0]],
    }
    copy
}

/// Thin triangles, bars and gaps of widths from a quarter down to a millionth of a unit.
///
/// Coordinates stay exact sums of powers of two rather than multiples of the usual quantum.
pub(super) fn slivers(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 5.0);
    let mut holes = Vec::new();
    for &low in &slots.corners {
        let width = (2.0f64).powi(-random.whole(2, 20));
        let [near, far] = [add(low, [3.0, 5.0]), add(low, [17.0, 14.0])];
        match random.below(4) {
            0 => holes.push(vec![near, far, [far[0], far[1] + width]]),
            1 => holes.push(rectangle(near, [far[0], near[1] + width])),
            2 => {
                let middle = near[0] + random.whole(2, 9) as f64;
                holes.push(rectangle(near, [middle, far[1]]));
                holes.push(rectangle([middle + width, near[1]], far));
            }
            _ => {
                let dent = if random.chance(0.5) { width } else { -width };
                let mut ring = rectangle(near, far);
                ring.insert(1, [near[0] + 7.0, near[1] + dent]);
                holes.push(ring);
            }
        }
    }
    PlanDrawing::field(slots.outline(0.0), holes)
}
