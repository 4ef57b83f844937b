//! The one module that makes new points: crossings and points on edges, rounded to the grid.
//!
//! Invariant: every new point lies on the grid, so the predicates stay exact. Cost: constant time each.

use crate::grid::Point;
use crate::predicates::orient;
use crate::vec2::Vec2;

/// The grid point nearest to where the lines a–b and c–d cross; the segments must cross properly.
///
/// Exact up to the final rounding: the parameter along a–b is a fraction of two `i64`, and coordinate times numerator
/// fits `i128`.
pub fn crossing(a: Point, b: Point, c: Point, d: Point) -> Point {
    let from = orient(c, d, a);
    let whole = from - orient(c, d, b);
    let along = b - a;
    let coordinate = |start: i32, step: i64| match step.checked_mul(4 * from) {
        // Segments that cross are mostly short: most divisions need no more than one machine word.
        Some(_) => (i64::from(start) + round_div_near(step * from, whole)) as i32,
        None => {
            let offset = round_div(i128::from(step) * i128::from(from), i128::from(whole));
            (i128::from(start) + offset) as i32
        }
    };
    Point::new(coordinate(a.x, along.x), coordinate(a.y, along.y))
}

/// The point at the fraction `t` of a–b, rounded to the grid.
pub fn along(a: Point, b: Point, t: f64) -> Point {
    let step = b - a;
    Point::new(a.x + (step.x as f64 * t).round() as i32, a.y + (step.y as f64 * t).round() as i32)
}

/// The grid point nearest to a point in grid units.
pub fn nearest(at: Vec2) -> Point {
    Point::new(at.x.round() as i32, at.y.round() as i32)
}

/// The number of equal steps between grid points that a–b consists of: one more than the grid points inside it.
pub fn lattice_steps(a: Point, b: Point) -> i64 {
    let along = b - a;
    let (mut one, mut other) = (along.x.abs(), along.y.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// The grid point on a–b after `step` of its [`lattice_steps`]; it lies on the line exactly.
pub fn lattice_point(a: Point, b: Point, step: i64) -> Point {
    let (along, count) = (b - a, lattice_steps(a, b).max(1));
    Point::new(a.x + (along.x / count * step) as i32, a.y + (along.y / count * step) as i32)
}

/// The nine grid points around the fraction `t` of a–b, nearest first. The caller takes the first that an exact test
/// accepts.
pub fn near(a: Point, b: Point, t: f64) -> [Point; 9] {
    let step = b - a;
    let (x, y) = (f64::from(a.x) + step.x as f64 * t, f64::from(a.y) + step.y as f64 * t);
    let (column, row) = (x.round() as i32, y.round() as i32);
    let mut around = [Point::default(); 9];
    for (slot, point) in around.iter_mut().enumerate() {
        *point = Point::new(column + slot as i32 % 3 - 1, row + slot as i32 / 3 - 1);
    }
    let off = |p: &Point| (f64::from(p.x) - x).powi(2) + (f64::from(p.y) - y).powi(2);
    around.sort_by(|p, q| off(p).total_cmp(&off(q)).then(p.cmp(q)));
    around
}

/// As [`round_div`], where four times the numerator and four times the denominator fit into `i64`.
fn round_div_near(numerator: i64, denominator: i64) -> i64 {
    let (n, d) = if denominator < 0 { (-numerator, -denominator) } else { (numerator, denominator) };
    if n >= 0 { (2 * n + d) / (2 * d) } else { -((-2 * n + d) / (2 * d)) }
}

/// Division rounded to the nearest integer, halves away from zero.
fn round_div(numerator: i128, denominator: i128) -> i128 {
    let (n, d) = if denominator < 0 { (-numerator, -denominator) } else { (numerator, denominator) };
    if n >= 0 { (2 * n + d) / (2 * d) } else { -((-2 * n + d) / (2 * d)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::LIMIT;

    #[test]
    fn crossings_are_rounded_to_nearest() {
        let p = Point::new;
        assert_eq!(crossing(p(0, 0), p(10, 10), p(0, 10), p(10, 0)), p(5, 5));
        assert_eq!(crossing(p(0, 0), p(3, 3), p(0, 3), p(3, 0)), p(2, 2), "1.5 rounds away from zero");
        let far = LIMIT - 2;
        assert_eq!(crossing(p(0, -3), p(far, 3), p(-far, 0), p(far, 0)), p((far + 1) / 2, 0));
        assert_eq!(crossing(p(-far, -far), p(far, far), p(-far, far), p(far, -far)), p(0, 0));
    }

    #[test]
    fn lattice_points_lie_on_the_line() {
        let p = Point::new;
        let (a, b) = (p(-LIMIT + 2, 7), p(LIMIT - 2, 7));
        assert_eq!(lattice_steps(a, b), 2 * i64::from(LIMIT - 2));
        assert_eq!(lattice_point(a, b, 5), p(-LIMIT + 7, 7));
        assert_eq!((lattice_steps(p(0, 0), p(9, 6)), lattice_point(p(0, 0), p(9, 6), 2)), (3, p(6, 4)));
        assert_eq!((lattice_steps(p(1, 1), p(8, 4)), lattice_steps(p(1, 1), p(1, 1))), (1, 0));
    }
}
