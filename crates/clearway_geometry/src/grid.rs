//! The integer grid: points, vectors and the map between world coordinates and grid units.
//!
//! Invariant: coordinates stay below [`LIMIT`] in size, and the map to the world is exact.

use crate::vec2::Vec2;
use std::cmp::Ordering;
use std::ops::Sub;

/// The bound of grid coordinates: they stay strictly inside ±`LIMIT` (2^28). So an orientation fits `i64` and an
/// in-circle determinant fits `i128`.
pub const LIMIT: i32 = 1 << 28;

/// A point on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Point {
    /// First coordinate in grid units.
    pub x: i32,
    /// Second coordinate in grid units.
    pub y: i32,
}

/// The difference of two grid points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Vector {
    /// First component in grid units.
    pub x: i64,
    /// Second component in grid units.
    pub y: i64,
}

impl Point {
    /// The point (x, y).
    #[inline]
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// A number that orders points as [`Ord`] does. Above its lowest 32 bits it is the first coordinate.
    #[inline]
    pub fn rank(self) -> i64 {
        i64::from(self.x) << 32 | (i64::from(self.y) + (1 << 31))
    }

    /// Squared distance to `other`; exact.
    #[inline]
    pub fn distance_squared(self, other: Point) -> i64 {
        (self - other).length_squared()
    }

    /// The point as a vector, for measuring.
    #[inline]
    pub fn as_vec2(self) -> Vec2 {
        Vec2::new(f64::from(self.x), f64::from(self.y))
    }

    /// Distance to `other`, for measuring only.
    #[inline]
    pub fn distance(self, other: Point) -> f64 {
        (self.distance_squared(other) as f64).sqrt()
    }
}

/// Ordered by the first coordinate, then by the second.
impl Ord for Point {
    #[inline]
    fn cmp(&self, other: &Point) -> Ordering {
        // Sorting compares points more than anything else: as one number each, without a branch.
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Point {
    #[inline]
    fn partial_cmp(&self, other: &Point) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Sub for Point {
    type Output = Vector;
    #[inline]
    fn sub(self, other: Point) -> Vector {
        Vector { x: i64::from(self.x) - i64::from(other.x), y: i64::from(self.y) - i64::from(other.y) }
    }
}

impl Vector {
    /// The vector (x, y).
    #[inline]
    pub const fn new(x: i64, y: i64) -> Vector {
        Vector { x, y }
    }

    /// Twice the signed area spanned with `other`: positive when `other` points to the left.
    #[inline]
    pub fn cross(self, other: Vector) -> i64 {
        self.x * other.y - self.y * other.x
    }

    /// Scalar product.
    #[inline]
    pub fn dot(self, other: Vector) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// Squared length; exact.
    #[inline]
    pub fn length_squared(self) -> i64 {
        self.dot(self)
    }

    /// Length, for measuring only.
    #[inline]
    pub fn length(self) -> f64 {
        (self.length_squared() as f64).sqrt()
    }

    /// The opposite vector.
    #[inline]
    #[must_use]
    pub fn reversed(self) -> Vector {
        Vector { x: -self.x, y: -self.y }
    }
}

/// The position of grid units in the world: `world = origin + units * 2^exponent`, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The world coordinates of grid point (0, 0).
    origin: [f64; 2],
    /// The unit is `2^exponent`.
    exponent: i32,
}

impl Grid {
    /// The range of exponents that are accepted: 2^±60 keeps every product of coordinates finite and normal.
    pub const EXPONENTS: std::ops::RangeInclusive<i32> = -60..=60;

    /// A grid with the unit `2^exponent` around `origin`. `None` if the exponent is out of range or the origin not
    /// finite.
    pub fn new(origin: [f64; 2], exponent: i32) -> Option<Grid> {
        let sane = Self::EXPONENTS.contains(&exponent) && origin.iter().all(|c| c.is_finite());
        sane.then_some(Grid { origin, exponent })
    }

    /// The finest grid on which a world box spans less than 2^26 units. A finer one (up to 2^28) is taken if that
    /// makes every coordinate exact; `is_exact` decides that for a grid.
    pub fn fitting(min: [f64; 2], max: [f64; 2], is_exact: impl Fn(Grid) -> bool) -> Option<Grid> {
        let extent = (max[0] - min[0]).max(max[1] - min[1]);
        let exponent = exponent_for(extent, 26);
        let fallback = Self::centred(min, max, exponent)?;
        if is_exact(fallback) {
            return Some(fallback);
        }
        let finer = (1..=2).filter_map(|step| Self::centred(min, max, exponent - step));
        Some(finer.into_iter().find(|grid| is_exact(*grid)).unwrap_or(fallback))
    }

    /// The grid with unit `2^exponent` for a world box. The origin is the world's own where that fits, and a round
    /// number near the box where the box lies far out.
    pub fn centred(min: [f64; 2], max: [f64; 2], exponent: i32) -> Option<Grid> {
        let unit = power_of_two(exponent);
        let reach = f64::from(LIMIT) * unit * 0.499;
        let round = f64::from(LIMIT) * unit * 0.125;
        let origin = [0, 1].map(|axis| {
            let far = min[axis].abs().max(max[axis].abs()) > reach;
            let middle = 0.5 * (min[axis] + max[axis]);
            if far { (middle / round).round() * round } else { 0.0 }
        });
        Grid::new(origin, exponent)
    }

    /// World coordinates of grid point (0, 0).
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// The unit is `2^exponent`.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The unit in world lengths.
    pub fn unit(&self) -> f64 {
        power_of_two(self.exponent)
    }

    /// The nearest grid point, or `None` if it would leave the grid.
    pub fn snap(&self, world: [f64; 2]) -> Option<Point> {
        let unit = self.unit();
        let limit = f64::from(LIMIT - 2);
        let [x, y] = [0, 1].map(|axis| ((world[axis] - self.origin[axis]) / unit).round());
        // This comparison is false for NaN as well.
        let inside = x.abs() <= limit && y.abs() <= limit;
        inside.then(|| Point::new(x as i32, y as i32))
    }

    /// World coordinates in grid units, not rounded to the grid.
    #[inline]
    pub fn units(&self, world: [f64; 2]) -> Vec2 {
        let per_unit = power_of_two(-self.exponent);
        Vec2::new((world[0] - self.origin[0]) * per_unit, (world[1] - self.origin[1]) * per_unit)
    }

    /// The world coordinates of a point in grid units.
    #[inline]
    pub fn place(&self, units: Vec2) -> [f64; 2] {
        let unit = self.unit();
        [self.origin[0] + units.x * unit, self.origin[1] + units.y * unit]
    }

    /// The world coordinates of a grid point.
    #[inline]
    pub fn world(&self, point: Point) -> [f64; 2] {
        let unit = self.unit();
        [self.origin[0] + f64::from(point.x) * unit, self.origin[1] + f64::from(point.y) * unit]
    }
}

/// `2^exponent`, exact for every exponent a grid may have.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + i64::from(exponent)) as u64) << 52)
}

/// The least exponent `e` with `extent < 2^(bits + e)`.
fn exponent_for(extent: f64, bits: i32) -> i32 {
    let (low, high) = (*Grid::EXPONENTS.start(), *Grid::EXPONENTS.end());
    (low + 2..=high).find(|e| extent < power_of_two(*e) * f64::from(1 << bits)).unwrap_or(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_square_gets_a_fine_unit() {
        let grid = Grid::fitting([0.0, 0.0], [0.99, 0.5], |_| true).unwrap();
        assert_eq!(grid.exponent(), -26);
        assert_eq!(grid.origin(), [0.0, 0.0]);
    }

    #[test]
    fn coordinates_that_need_it_get_a_finer_unit() {
        let size = f64::from(1u32 << 26);
        let exact = |grid: Grid| grid.unit() <= 0.5;
        let grid = Grid::fitting([0.0, 0.0], [size - 0.5, 1.0], exact).unwrap();
        assert_eq!(grid.unit(), 0.5);
    }

    #[test]
    fn far_away_plans_are_centred_and_exact() {
        let (min, max) = ([500_000.0, 4_000_000.0], [501_000.0, 4_000_500.25]);
        let grid = Grid::fitting(min, max, |_| true).unwrap();
        assert!(grid.unit() < 1e-4);
        for corner in [min, max] {
            let snapped = grid.snap(corner).unwrap();
            assert_eq!(grid.world(snapped), corner);
        }
    }

    #[test]
    fn snapping_refuses_what_does_not_fit() {
        let grid = Grid::new([0.0, 0.0], 0).unwrap();
        assert_eq!(grid.snap([f64::NAN, 0.0]), None);
        assert_eq!(grid.snap([f64::INFINITY, 0.0]), None);
        assert_eq!(grid.snap([f64::from(LIMIT), 0.0]), None);
        assert_eq!(grid.snap([1.4, -1.6]), Some(Point::new(1, -2)));
    }

    #[test]
    fn powers_of_two_are_exact() {
        for exponent in Grid::EXPONENTS {
            assert_eq!(power_of_two(exponent), 2f64.powi(exponent));
        }
    }
}
