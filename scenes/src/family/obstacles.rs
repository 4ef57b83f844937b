//! Obstacles standing apart in a rectangle, one to a slot.

use std::f64::consts::TAU;

use crate::drawing::{PlanDrawing, Ring};
use crate::random::Random;
use crate::shapes::{
    Point, QUANTUM, add, polar, quantised, rectangle, resized, rounded, scaled, turned, turned_box,
    uneven_angles,
};
use crate::slots::Slots;

pub(super) fn boxes(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 4.0);
    let step = if random.chance(0.3) { 1.0 } else { QUANTUM };
    let middle = 0.5 * slots.cell;
    let holes = slots.draw(|low| {
        // The margins are chosen so that rounding to whole numbers leaves both a gap and a box.
        let mut before = || random.range(0.6, middle - 0.6);
        let near = [low[0] + before(), low[1] + before()];
        let far = [low[0] + slots.cell - before(), low[1] + slots.cell - before()];
        rounded(rectangle(near, far), step)
    });
    PlanDrawing::field(slots.outline(0.0), holes)
}

pub(super) fn rotated_boxes(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 4.0);
    let holes = slots.draw(|low| {
        let half = [random.range(0.05, 0.33) * slots.cell, random.range(0.05, 0.33) * slots.cell];
        let centre = slots.centre(random, low, half[0].hypot(half[1]));
        quantised(turned_box(centre, half, random.range(0.0, TAU)))
    });
    PlanDrawing::field(slots.outline(0.0), holes)
}

pub(super) fn convex_obstacles(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 8.0);
    let holes = slots.draw(|low| {
        let half = [random.range(0.12, 0.46) * slots.cell, random.range(0.12, 0.46) * slots.cell];
        let centre = slots.centre(random, low, half[0].max(half[1]));
        let corners = 3 + random.below(11);
        quantised(on_ellipse(random, centre, half, corners))
    });
    PlanDrawing::field(slots.outline(0.0), holes)
}

/// A convex ring with corners on a turned ellipse.
fn on_ellipse(random: &mut Random, centre: Point, half: Point, corners: usize) -> Ring {
    let turn = random.range(0.0, TAU);
    let corner = |angle: f64| turned([half[0] * angle.cos(), half[1] * angle.sin()], turn);
    uneven_angles(random, corners).into_iter().map(|angle| add(centre, corner(angle))).collect()
}

pub(super) fn stars(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 15.6);
    let mut rings = vec![slots.outline(0.0)];
    for &low in &slots.corners {
        let radius = random.range(0.2, 0.47) * slots.cell;
        let centre = slots.centre(random, low, radius);
        let spokes = 5 + random.below(15);
        let angles = uneven_angles(random, spokes);
        let star: Ring =
            angles.into_iter().map(|angle| polar(centre, random.range(0.25, 1.0) * radius, angle)).collect();
        if random.chance(0.3) {
            // A star-shaped ring contains its own smaller copies.
            rings.push(quantised(resized(&star, centre, 0.5)));
        }
        rings.push(quantised(star));
    }
    PlanDrawing { rings, ..PlanDrawing::default() }
}

pub(super) fn circles(random: &mut Random, size: usize) -> PlanDrawing {
    let average = (size / 4).clamp(12, 64);
    let slots = Slots::for_size(random, size, average as f64);
    let holes = slots.draw(|low| {
        let radius = random.range(0.2, 0.46) * slots.cell;
        let centre = slots.centre(random, low, radius);
        let sides = average / 2 + random.below(average + 1);
        quantised(notched_circle(random, centre, radius, sides))
    });
    PlanDrawing::field(slots.outline(0.0), holes)
}

/// A circle of many sides, some corners of which are pressed in a little.
fn notched_circle(random: &mut Random, centre: Point, radius: f64, sides: usize) -> Ring {
    let turn = random.range(0.0, TAU);
    let notches = random.pick([0.0, 0.05, 0.2]);
    let corner = |k: usize| {
        let dent = if random.chance(notches) { random.range(0.001, 0.05) } else { 0.0 };
        polar(centre, radius * (1.0 - dent), turn + TAU * k as f64 / sides as f64)
    };
    (0..sides).map(corner).collect()
}

pub(super) fn collinear_runs(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 12.0);
    let holes = slots.draw(|low| {
        let mut offset = |options: [f64; 2]| [random.pick(options), random.pick(options)];
        let near = add(low, offset([4.0, 6.0]));
        let far = add(low, offset([27.0, 31.0]));
        let ring = match random.chance(0.2) {
            true => diamond(add(low, [17.0, 17.0]), 13.0),
            false => rectangle(near, far),
        };
        with_points_between(random, &ring, 0.08)
    });
    PlanDrawing::field(with_points_between(random, &slots.outline(0.0), 0.03), holes)
}

fn diamond([x, y]: Point, reach: f64) -> Ring {
    vec![[x + reach, y], [x, y + reach], [x - reach, y], [x, y - reach]]
}

/// The ring with some of the whole points of its sides, which must be upright, level or diagonal.
fn with_points_between(random: &mut Random, ring: &Ring, share: f64) -> Ring {
    let mut points = Vec::new();
    for (&from, &to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        points.push(from);
        let span = [to[0] - from[0], to[1] - from[1]];
        let steps = span[0].abs().max(span[1].abs());
        for k in (1..steps as usize).filter(|_| random.chance(share)) {
            points.push(add(from, scaled([span[0] / steps, span[1] / steps], k as f64)));
        }
    }
    points
}

pub(super) fn spikes(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 13.6);
    let holes = slots.draw(|low| {
        let near = [random.range(0.26, 0.4), random.range(0.26, 0.4)];
        let far = [random.range(0.6, 0.74), random.range(0.6, 0.74)];
        with_needles(random, &rectangle(slots.point(low, near), slots.point(low, far)), 0.24 * slots.cell)
    });
    // The outline stands off so that its own needles stay clear of the slots.
    let outline = with_needles(random, &slots.outline(0.25 * slots.cell), 0.24 * slots.cell);
    PlanDrawing::field(outline, holes)
}

/// The box with a needle near the middle of most sides, as far as `reach` out or in.
///
/// Needles into the box stay within 0.28 of it and between 0.3 and 0.7 of the side, so they miss each other.
fn with_needles(random: &mut Random, ring: &Ring, reach: f64) -> Ring {
    let mut points = Vec::new();
    for (i, &from) in ring.iter().enumerate() {
        points.push(from);
        let (to, opposite) = (ring[(i + 1) % 4], ring[(i + 3) % 4]);
        let along = [to[0] - from[0], to[1] - from[1]];
        let inward = [opposite[0] - from[0], opposite[1] - from[1]];
        let depth = inward[0].hypot(inward[1]);
        let length = match random.below(5) {
            0 => continue,
            1 | 2 => -random.range(0.3, 0.98) * reach / depth,
            _ => random.range(0.1, 0.98) * (reach / depth).min(0.28),
        };
        let width = random.pick([2.0 * QUANTUM, 0.02, 0.2]) / along[0].hypot(along[1]);
        let base = random.range(0.32, 0.65);
        let tip = random.range(0.32, 0.68);
        let at = |u: f64, v: f64| add(from, add(scaled(along, u), scaled(inward, v)));
        points.extend([at(base, 0.0), at(tip, length), at(base + width, 0.0)]);
    }
    quantised(points)
}
