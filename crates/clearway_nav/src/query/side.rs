//! Decides exactly on which side of a line a point lies, so that neighbouring cells always agree.
//!
//! Points are rounded once to a grid 2^23 times as fine as the grid of the mesh. There every difference of two points
//! is exact in floats, and a product of two differences fits `i128`. A float filter answers nearly always.

use crate::tolerances::floats::CROSS_ERROR;
use clearway_geometry::Vec2;
use clearway_geometry::grid::LIMIT;
use std::cmp::Ordering;

/// The number of steps of the fine grid per grid unit. A coordinate below 2^28 units then takes 51 bits and a
/// difference 52, so both are exact in the 53 bits of an `f64`.
const STEPS: f64 = (1 << 23) as f64;
/// A number whose neighbouring floats are one fine step apart, as all between 2^29 and 2^30 are. Adding it and
/// subtracting it again rounds to the fine grid.
const ROUNDER: f64 = (3 << 28) as f64;

/// Rounds a point to the fine grid; `None` outside the grid of the mesh and for a coordinate that is not a number.
#[inline]
pub(crate) fn fine(spot: Vec2) -> Option<Vec2> {
    let limit = f64::from(LIMIT);
    let inside = spot.x.abs() <= limit && spot.y.abs() <= limit;
    let round = |c: f64| (c + ROUNDER) - ROUNDER;
    inside.then(|| Vec2::new(round(spot.x), round(spot.y)))
}

/// Decides where `p` lies as seen along a→b: `Greater` on the left, `Less` on the right, `Equal` on the line. Exact;
/// all three points must lie on the fine grid, as the vertices of a mesh do.
#[inline]
pub(crate) fn side_of(a: Vec2, b: Vec2, p: Vec2) -> Ordering {
    let (along, offset) = (b - a, p - a);
    let (first, second) = (along.x * offset.y, along.y * offset.x);
    let (cross, sizes) = (first - second, first.abs() + second.abs());
    if cross > sizes * CROSS_ERROR {
        Ordering::Greater
    } else if cross < -sizes * CROSS_ERROR {
        Ordering::Less
    } else if sizes == 0.0 {
        Ordering::Equal
    } else {
        exact_side(along, offset)
    }
}

/// Decides the side in integers, for the few cases that floats leave open.
#[cold]
fn exact_side(along: Vec2, offset: Vec2) -> Ordering {
    let steps = |c: f64| i128::from((c * STEPS) as i64);
    (steps(along.x) * steps(offset.y)).cmp(&(steps(along.y) * steps(offset.x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_rounded_to_the_fine_grid() {
        let far = f64::from(LIMIT);
        for (given, rounded) in
            [(0.3, (0.3 * STEPS).round() / STEPS), (-7.25, -7.25), (far, far), (-far, -far), (1e-9, 0.0)]
        {
            assert_eq!(fine(Vec2::new(given, 1.0)), Some(Vec2::new(rounded, 1.0)));
        }
        for outside in [f64::NAN, f64::INFINITY, far * 1.0001, -1e300] {
            assert_eq!(fine(Vec2::new(0.0, outside)), None);
        }
    }

    #[test]
    fn the_last_step_decides() {
        let far = f64::from(LIMIT - 1);
        let (a, b) = (Vec2::new(-far, -far), Vec2::new(far, far - 1.0));
        let middle = Vec2::new(0.0, -0.5);
        let step = Vec2::new(0.0, 1.0 / STEPS);
        assert_eq!(side_of(a, b, middle), Ordering::Equal);
        assert_eq!(side_of(a, b, middle + step), Ordering::Greater);
        assert_eq!(side_of(a, b, middle - step), Ordering::Less);
        assert_eq!(side_of(b, a, middle - step), Ordering::Greater);
    }
}
