//! Points and the rings that plans are made of.

use std::f64::consts::TAU;

use crate::drawing::Ring;
use crate::random::Random;

pub(crate) type Point = [f64; 2];

/// The step that coordinates of the families are rounded to. Dyadic, so sums and midpoints stay exact, and
/// far below the gaps that the clean families keep, so rounding cannot make edges touch.
pub(crate) const QUANTUM: f64 = 1.0 / 1024.0;

/// Every point moved to the nearest multiple of `step`.
pub(crate) fn rounded(ring: Ring, step: f64) -> Ring {
    // Adding zero turns a negative zero into a plain one, which has the same text everywhere.
    let round = |x: f64| (x / step).round() * step + 0.0;
    ring.into_iter().map(|[x, y]| [round(x), round(y)]).collect()
}

/// Every point moved to the nearest multiple of [`QUANTUM`].
pub(crate) fn quantised(ring: Ring) -> Ring {
    rounded(ring, QUANTUM)
}

/// Every point moved to the nearest millimetre, as the double that prints in at most three decimals.
pub(crate) fn to_millimetres(ring: Ring) -> Ring {
    let round = |x: f64| (x * 1000.0).round() / 1000.0 + 0.0;
    ring.into_iter().map(|[x, y]| [round(x), round(y)]).collect()
}

/// An upright rectangle, counter-clockwise from its low corner.
pub(crate) fn rectangle(low: Point, high: Point) -> Ring {
    vec![low, [high[0], low[1]], high, [low[0], high[1]]]
}

/// A rectangle with the given half extents, turned about its centre.
pub(crate) fn turned_box(centre: Point, half: Point, angle: f64) -> Ring {
    let corners = rectangle([-half[0], -half[1]], half);
    corners.into_iter().map(|corner| add(centre, turned(corner, angle))).collect()
}

/// A regular polygon with its first corner at `angle`.
pub(crate) fn regular(centre: Point, radius: f64, sides: usize, angle: f64) -> Ring {
    let corner = |k: usize| polar(centre, radius, angle + TAU * k as f64 / sides as f64);
    (0..sides).map(corner).collect()
}

/// Angles around a circle in order, spread unevenly but never closer than 0.3 of an even share.
pub(crate) fn uneven_angles(random: &mut Random, count: usize) -> Vec<f64> {
    let share = TAU / count as f64;
    (0..count).map(|k| share * (k as f64 + random.range(-0.35, 0.35))).collect()
}

/// The ring shrunk or grown about a centre.
pub(crate) fn resized(ring: &Ring, centre: Point, factor: f64) -> Ring {
    let resize =
        |[x, y]: &Point| [centre[0] + (x - centre[0]) * factor, centre[1] + (y - centre[1]) * factor];
    ring.iter().map(resize).collect()
}

/// A wall of constant thickness along an open path, with mitred corners. The path must not turn back sharply.
pub(crate) fn thickened(path: &[Point], half_width: f64) -> Ring {
    let side = |sign: f64| {
        let corner = move |i: usize| add(path[i], scaled(mitre(path, i), sign * half_width));
        (0..path.len()).map(corner)
    };
    side(-1.0).chain(side(1.0).rev()).collect()
}

/// The vector from a path's point to the corner of its left offset at distance one.
fn mitre(path: &[Point], i: usize) -> Point {
    let normal = |from: usize| {
        let [dx, dy] = [path[from + 1][0] - path[from][0], path[from + 1][1] - path[from][1]];
        scaled([-dy, dx], 1.0 / dx.hypot(dy))
    };
    if i == 0 || i + 1 == path.len() {
        return normal(i.min(path.len() - 2));
    }
    let (before, after) = (normal(i - 1), normal(i));
    scaled(add(before, after), 1.0 / (1.0 + before[0] * after[0] + before[1] * after[1]))
}

pub(crate) fn polar(centre: Point, radius: f64, angle: f64) -> Point {
    let (sin, cos) = angle.sin_cos();
    [centre[0] + radius * cos, centre[1] + radius * sin]
}

pub(crate) fn turned([x, y]: Point, angle: f64) -> Point {
    let (sin, cos) = angle.sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

pub(crate) fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub(crate) fn scaled([x, y]: Point, factor: f64) -> Point {
    [x * factor, y * factor]
}
