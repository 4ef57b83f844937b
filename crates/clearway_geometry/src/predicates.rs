//! Exact answers to left/right, inside-circle, cone and crossing questions.
//!
//! Invariant: grid coordinates are below 2^28 in size, differences below 2^29. So an orientation stays below 2^60 and
//! an in-circle determinant below 2^121. No filter is needed: the in-circle test multiplies `i64` minors into `i128`,
//! which is one machine multiplication each.

use crate::grid::{Point, Vector};

/// Twice the signed area of the triangle a, b, c: positive when c lies left of a→b.
#[inline]
pub fn orient(a: Point, b: Point, c: Point) -> i64 {
    (b - a).cross(c - a)
}

/// True if `d` lies strictly inside the circle through the counter-clockwise triangle a, b, c.
#[inline]
pub fn in_circle(a: Point, b: Point, c: Point, d: Point) -> bool {
    let (a, b, c) = (a - d, b - d, c - d);
    let part = |lift: Vector, minor: i64| i128::from(lift.length_squared()) * i128::from(minor);
    part(a, b.cross(c)) + part(b, c.cross(a)) + part(c, a.cross(b)) > 0
}

/// True if the sector swept counter-clockwise from direction `from` to direction `to` is at most π wide. Equal
/// directions count as a full turn.
#[inline]
pub fn is_convex_sector(from: Vector, to: Vector) -> bool {
    let cross = from.cross(to);
    cross > 0 || (cross == 0 && from.dot(to) < 0)
}

/// True if `direction` lies in the closed cone swept counter-clockwise from `right` to `left`. The cone must be
/// narrower than π, or a single ray.
#[inline]
pub fn in_cone(right: Vector, left: Vector, direction: Vector) -> bool {
    let (from_right, to_left) = (right.cross(direction), direction.cross(left));
    from_right >= 0 && to_left >= 0 && (from_right > 0 || right.dot(direction) > 0)
}

/// True if two directions are equal up to length.
#[inline]
pub fn same_direction(a: Vector, b: Vector) -> bool {
    a.cross(b) == 0 && a.dot(b) > 0
}

/// True if the open segments a–b and c–d cross in one point interior to both.
#[inline]
pub fn cross_properly(a: Point, b: Point, c: Point, d: Point) -> bool {
    let opposite = |p: i64, q: i64| (p > 0 && q < 0) || (p < 0 && q > 0);
    opposite(orient(a, b, c), orient(a, b, d)) && opposite(orient(c, d, a), orient(c, d, b))
}

/// True if `p` lies on the closed segment a–b.
#[inline]
pub fn on_segment(a: Point, b: Point, p: Point) -> bool {
    orient(a, b, p) == 0 && (p - a).dot(p - b) <= 0
}

/// True if `p` lies in a counter-clockwise triangle or on its border.
#[inline]
pub fn in_triangle([a, b, c]: [Point; 3], p: Point) -> bool {
    orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0
}

/// True if `p` lies more than `units` to the right of the line a→b. With negative `units`, points up to that far on
/// its left count as well.
#[inline]
pub fn is_right_by(a: Point, b: Point, p: Point, units: i32) -> bool {
    exceeds(-orient(a, b, p), units, (b - a).length_squared())
}

/// True if `p` lies more than `units` ahead of `a`, as seen in the direction of `b`.
#[inline]
pub fn is_ahead_by(a: Point, b: Point, p: Point, units: i32) -> bool {
    exceeds((b - a).dot(p - a), units, (b - a).length_squared())
}

/// True if a value is more than `times` times a length whose square is given. Compares squares, so it is exact.
fn exceeds(value: i64, times: i32, squared: i64) -> bool {
    let (value, times) = (i128::from(value), i128::from(times));
    let limit = times * times * i128::from(squared);
    match times >= 0 {
        true => value > 0 && value * value > limit,
        false => value >= 0 || value * value < limit,
    }
}

/// The width of a triangle across its longest side; negative if it runs clockwise, NaN without sides. For measuring
/// only.
pub fn width([a, b, c]: [Point; 3]) -> f64 {
    orient(a, b, c) as f64 / a.distance(b).max(b.distance(c)).max(c.distance(a))
}

/// True if the segment a–b meets the closed unit square around `p`: the pixel of snap rounding.
#[inline]
pub fn meets_pixel(a: Point, b: Point, p: Point) -> bool {
    let between = |a: i32, b: i32, p: i32| a.min(b) <= p && p <= a.max(b);
    let along = b - a;
    let in_box = between(a.x, b.x, p.x) && between(a.y, b.y, p.y);
    in_box && 2 * along.cross(p - a).abs() <= along.x.abs() + along.y.abs()
}

/// True if a side of a convex counter-clockwise ring has all of the other ring on its outer side or on its line.
pub fn is_outside(ring: &[Point], other: &[Point]) -> bool {
    (0..ring.len()).any(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        other.iter().all(|&p| orient(a, b, p) <= 0)
    })
}

/// True if two convex counter-clockwise rings have inner points in common.
pub fn overlap(one: &[Point], other: &[Point]) -> bool {
    !is_outside(one, other) && !is_outside(other, one)
}

/// Twice the signed area of a ring; exact.
pub fn doubled_area(ring: impl ExactSizeIterator<Item = Point> + Clone) -> i128 {
    let following = ring.clone().cycle().skip(1);
    ring.zip(following)
        .map(|(p, q)| i128::from(p.x) * i128::from(q.y) - i128::from(p.y) * i128::from(q.x))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: i32 = crate::grid::LIMIT - 1;

    #[test]
    fn distances_are_compared_exactly() {
        // The line runs through (3, 4) at five units from the origin: distances are whole.
        let [a, b] = [(0, 0), (3, 4)].map(|(x, y)| Point::new(x, y));
        let right = Point::new(4, -3);
        assert!(is_right_by(a, b, right, 4) && !is_right_by(a, b, right, 5));
        let left = Point::new(-4, 3);
        assert!(is_right_by(a, b, left, -6) && !is_right_by(a, b, left, -5) && !is_right_by(a, b, left, 0));
        assert!(is_right_by(a, b, a, -1) && !is_right_by(a, b, a, 0));
        assert!(is_ahead_by(a, b, b, 4) && !is_ahead_by(a, b, b, 5) && is_ahead_by(a, b, left, -1));
        let [far, near] = [(-FAR, -FAR), (FAR, FAR)].map(|(x, y)| Point::new(x, y));
        assert!(is_right_by(far, near, Point::new(FAR, -FAR), i32::MAX / 16));
    }

    #[test]
    fn extreme_coordinates_do_not_overflow() {
        let [a, b, c, d] =
            [(-FAR, -FAR), (FAR, -FAR), (FAR, FAR), (-FAR, FAR)].map(|(x, y)| Point::new(x, y));
        assert!(orient(a, b, c) > 0);
        assert!(!in_circle(a, b, c, d), "four corners of a square are cocircular");
        assert!(in_circle(a, b, c, Point::new(-FAR, FAR - 1)));
    }

    #[test]
    fn pixels_reach_half_a_unit() {
        let (a, b) = (Point::new(0, 0), Point::new(10, 1));
        assert!(meets_pixel(a, b, Point::new(5, 0)) && meets_pixel(a, b, Point::new(5, 1)));
        assert!(!meets_pixel(a, b, Point::new(2, 1)) && !meets_pixel(a, b, Point::new(11, 1)));
    }

    #[test]
    fn cones_are_closed_and_one_sided() {
        let (east, north) = (Vector::new(3, 0), Vector::new(0, 2));
        assert!(in_cone(east, north, Vector::new(1, 1)));
        assert!(in_cone(east, north, Vector::new(5, 0)));
        assert!(in_cone(east, north, Vector::new(0, 5)));
        assert!(!in_cone(east, north, Vector::new(-1, 0)));
        assert!(!in_cone(east, north, Vector::new(0, -1)));
        assert!(in_cone(east, east, Vector::new(7, 0)) && !in_cone(east, east, Vector::new(-7, 0)));
    }

    #[test]
    fn flat_sectors_are_convex_and_full_turns_are_not() {
        let east = Vector::new(1, 0);
        assert!(is_convex_sector(east, Vector::new(-4, 0)));
        assert!(!is_convex_sector(east, east));
        assert!(!is_convex_sector(east, Vector::new(-4, -1)));
    }
}
