//! Vectors of floats, for measuring: lengths, directions, distances. They never decide topology by themselves.

use std::ops::{Add, Mul, Neg, Sub};

/// A point or vector in grid units, not rounded to the grid.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Vec2 {
    /// First coordinate.
    pub x: f64,
    /// Second coordinate.
    pub y: f64,
}

impl Vec2 {
    /// The vector (x, y).
    #[inline]
    pub const fn new(x: f64, y: f64) -> Vec2 {
        Vec2 { x, y }
    }

    /// Scalar product.
    #[inline]
    pub fn dot(self, other: Vec2) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Twice the signed area spanned with `other`: positive when `other` points to the left.
    #[inline]
    pub fn cross(self, other: Vec2) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The vector turned left by a right angle.
    #[inline]
    #[must_use]
    pub fn perp(self) -> Vec2 {
        Vec2::new(-self.y, self.x)
    }

    /// Squared length.
    #[inline]
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// Length.
    #[inline]
    pub fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// Distance to `other`.
    #[inline]
    pub fn distance(self, other: Vec2) -> f64 {
        (self - other).length()
    }

    /// The vector of length one in the same direction; not finite for the zero vector.
    #[inline]
    #[must_use]
    pub fn unit(self) -> Vec2 {
        self * (1.0 / self.length())
    }

    /// The angle from `self` to `other`, counter-clockwise, in (-π, π].
    #[inline]
    pub fn angle_to(self, other: Vec2) -> f64 {
        self.cross(other).atan2(self.dot(other))
    }

    /// The point of the segment from `a` to `b` that lies nearest to `self`.
    #[inline]
    #[must_use]
    pub fn nearest_on(self, a: Vec2, b: Vec2) -> Vec2 {
        let along = b - a;
        let length_squared = along.length_squared();
        let t = if length_squared > 0.0 { (self - a).dot(along) / length_squared } else { 0.0 };
        if t <= 0.0 {
            a
        } else if t >= 1.0 {
            b
        } else {
            a + along * t
        }
    }

    /// Distance to the segment from `a` to `b`.
    #[inline]
    pub fn distance_to_segment(self, a: Vec2, b: Vec2) -> f64 {
        let (along, offset) = (b - a, self - a);
        let (reach, length_squared) = (offset.dot(along), along.length_squared());
        if reach <= 0.0 {
            offset.length()
        } else if reach >= length_squared {
            self.distance(b)
        } else {
            // More exact than the distance to the nearest point, which is rounded at the size of coordinates.
            along.cross(offset).abs() / length_squared.sqrt()
        }
    }
}

/// Distance between the segments from `a` to `b` and from `c` to `d`; zero where they cross.
pub fn segment_distance(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> f64 {
    let (along, other) = (b - a, d - c);
    let crosses =
        along.cross(c - a) * along.cross(d - a) < 0.0 && other.cross(a - c) * other.cross(b - c) < 0.0;
    if crosses {
        return 0.0;
    }
    let ends = [a, b].map(|p| p.distance_to_segment(c, d));
    let others = [c, d].map(|p| p.distance_to_segment(a, b));
    ends[0].min(ends[1]).min(others[0]).min(others[1])
}

/// The greatest distance of a point beyond the lines along the sides of a counter-clockwise triangle; zero inside.
/// Beyond a corner this is less than the distance to the triangle.
#[inline]
pub fn beyond_triangle(corners: [Vec2; 3], at: Vec2) -> f64 {
    let mut most = 0.0;
    for (from, to) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (corners[i], corners[j])) {
        let along = to - from;
        let inside = along.cross(at - from);
        // Most points lie inside most sides: then no length is needed.
        if inside < 0.0 {
            most = f64::max(most, -inside / along.length());
        }
    }
    most
}

impl Add for Vec2 {
    type Output = Vec2;
    #[inline]
    fn add(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    #[inline]
    fn sub(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Vec2 {
    type Output = Vec2;
    #[inline]
    fn mul(self, factor: f64) -> Vec2 {
        Vec2::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Vec2 {
    type Output = Vec2;
    #[inline]
    fn neg(self) -> Vec2 {
        Vec2::new(-self.x, -self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_between_segments() {
        let v = Vec2::new;
        assert_eq!(segment_distance(v(0.0, 0.0), v(4.0, 0.0), v(1.0, -1.0), v(1.0, 1.0)), 0.0);
        assert_eq!(segment_distance(v(0.0, 0.0), v(4.0, 0.0), v(7.0, 4.0), v(9.0, 9.0)), 5.0);
        assert_eq!(segment_distance(v(0.0, 0.0), v(4.0, 0.0), v(1.0, 2.0), v(3.0, 2.0)), 2.0);
        assert_eq!(segment_distance(v(1.0, 1.0), v(1.0, 1.0), v(1.0, 3.0), v(1.0, 3.0)), 2.0);
    }

    #[test]
    fn triangles_hold_what_lies_beyond_none_of_their_sides() {
        let v = Vec2::new;
        let corners = [v(0.0, 0.0), v(4.0, 0.0), v(0.0, 3.0)];
        for (at, beyond) in [((1.0, 1.0), 0.0), ((4.0, 0.0), 0.0), ((1.0, -2.0), 2.0), ((4.0, 3.0), 2.4)] {
            assert_eq!(beyond_triangle(corners, v(at.0, at.1)), beyond);
        }
    }

    #[test]
    fn nearest_points_stay_on_the_segment() {
        let (a, b) = (Vec2::new(0.0, 0.0), Vec2::new(4.0, 0.0));
        assert_eq!(Vec2::new(-3.0, 1.0).nearest_on(a, b), a);
        assert_eq!(Vec2::new(9.0, 1.0).nearest_on(a, b), b);
        assert_eq!(Vec2::new(1.5, 1.0).nearest_on(a, b), Vec2::new(1.5, 0.0));
    }
}
