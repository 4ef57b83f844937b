//! The velocity of a disc that is nearest to a wish within half-planes; if there is none, the one that violates the
//! soft half-planes least.
//!
//! The linear programs of ORCA (van den Berg, Guy, Lin and Manocha 2011, section 5), written for half-planes with outer
//! normals: the line on which two half-planes are violated equally has the difference of their normals as its normal.
//! Cost: quadratic in the number of half-planes at worst, cubic if they have nothing in common; no allocation.

use crate::half_planes::HalfPlane;
use crate::vector::Vector;

/// The largest number of half-planes.
pub(super) const MOST_PLANES: usize = 18;

/// A violation below this, in m/s, is rounding.
const ROUNDING: f32 = 1e-5;

/// Lines whose directions differ by less than this sine are parallel.
const PARALLEL: f32 = 1e-5;

/// What a program looks for.
#[derive(Clone, Copy)]
enum Aim {
    /// The velocity nearest to this one.
    Near(Vector),
    /// The velocity farthest in this unit direction.
    Far(Vector),
}

/// Returns the best velocity of at most `most` m/s. The first `hard` half-planes hold if all of them can; of the rest,
/// the greatest violation is least. At most [`MOST_PLANES`] count.
pub(super) fn best_velocity(planes: &[HalfPlane], hard: usize, most: f32, wish: Vector) -> Vector {
    let planes = &planes[..planes.len().min(MOST_PLANES)];
    match program(planes, most, Aim::Near(wish)) {
        Ok(best) => best,
        Err((failed, best)) => least_violation(planes, hard, failed, most, best),
    }
}

/// Returns the best velocity within all half-planes, or the number of the first that does not fit and the best before.
fn program(planes: &[HalfPlane], most: f32, aim: Aim) -> Result<Vector, (usize, Vector)> {
    let mut best = match aim {
        Aim::Near(wish) => wish.at_most(most),
        Aim::Far(direction) => direction * most,
    };
    for (count, plane) in planes.iter().enumerate() {
        if plane.normal.dot(best) > plane.limit + ROUNDING {
            match on_line(plane, &planes[..count], most, aim) {
                Some(found) => best = found,
                None => return Err((count, best)),
            }
        }
    }
    Ok(best)
}

/// Returns the best velocity on the border of a half-plane, within others and the disc; `None` if there is none.
#[inline]
fn on_line(plane: &HalfPlane, others: &[HalfPlane], most: f32, aim: Aim) -> Option<Vector> {
    let square = most * most - plane.limit * plane.limit;
    if square < 0.0 {
        return None;
    }
    let (foot, along) = (plane.normal * plane.limit, plane.normal.left());
    let reach = square.sqrt();
    let (mut low, mut high) = (-reach, reach);
    for other in others {
        let slope = other.normal.dot(along);
        let room = other.limit - other.normal.dot(foot);
        if slope.abs() <= PARALLEL {
            if room < -ROUNDING {
                return None;
            }
            continue;
        }
        let end = room / slope;
        if slope > 0.0 {
            high = high.min(end);
        } else {
            low = low.max(end);
        }
        if low > high {
            return None;
        }
    }
    let best = match aim {
        Aim::Near(wish) => along.dot(wish).max(low).min(high),
        Aim::Far(direction) if direction.dot(along) > 0.0 => high,
        Aim::Far(_) => low,
    };
    Some(foot + along * best)
}

/// Returns the velocity whose greatest violation of the soft half-planes is least.
fn least_violation(planes: &[HalfPlane], hard: usize, failed: usize, most: f32, before: Vector) -> Vector {
    let (mut best, mut worst) = (before, 0.0);
    let hard = hard.min(planes.len());
    let mut equal = [HalfPlane::default(); MOST_PLANES];
    equal[..hard].copy_from_slice(&planes[..hard]);
    for (number, plane) in planes.iter().enumerate().skip(failed) {
        if plane.normal.dot(best) - plane.limit <= worst {
            continue;
        }
        let mut count = hard.min(number);
        for other in &planes[count..number] {
            // Where this half-plane is violated more than the other one.
            let across = other.normal - plane.normal;
            let length = across.length();
            if length > PARALLEL {
                equal[count] = HalfPlane {
                    normal: across * (1.0 / length),
                    limit: (other.limit - plane.limit) * (1.0 / length),
                };
                count += 1;
            }
        }
        // It has a solution by construction. If rounding hides it, the best before stays.
        if let Ok(found) = program(&equal[..count], most, Aim::Far(-plane.normal)) {
            best = found;
        }
        worst = plane.normal.dot(best) - plane.limit;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    /// Makes up to eight half-planes, a wish and a speed; `depth` lowers the limits until nothing is left.
    fn case(number: u64, depth: f32) -> (Vec<HalfPlane>, Vector, f32) {
        let value = |stream| random(5, 0, number, stream) as f32;
        let count = 1 + (value(0) * 8.0) as u32;
        let planes = (0..count)
            .map(|k| {
                let (sin, cos) = (value(10 + k) * std::f32::consts::TAU).sin_cos();
                HalfPlane { normal: Vector::new(cos, sin), limit: value(30 + k) - depth }
            })
            .collect();
        (planes, Vector::new(3.0 * value(1) - 1.5, 3.0 * value(2) - 1.5), 0.5 + value(3))
    }

    /// Velocities of the disc, 5000 of them.
    fn samples(most: f32) -> impl Iterator<Item = Vector> {
        (0..=100).flat_map(move |k| {
            (0..50 * usize::from(k > 0) + 1).map(move |turn| {
                let (sin, cos) = (turn as f32 / 50.0 * std::f32::consts::TAU).sin_cos();
                Vector::new(cos, sin) * (most * k as f32 / 100.0)
            })
        })
    }

    fn violation(planes: &[HalfPlane], velocity: Vector) -> f32 {
        let beyond = |plane: &HalfPlane| plane.normal.dot(velocity) - plane.limit;
        planes.iter().map(beyond).fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn no_sample_is_nearer_to_the_wish() {
        for number in 0..400 {
            let (planes, wish, most) = case(number, 0.0);
            let found = best_velocity(&planes, 0, most, wish);
            assert!(found.length() <= most + 1e-4, "case {number}");
            assert!(violation(&planes, found) <= 1e-4, "case {number}: rest is possible");
            for sample in samples(most).filter(|sample| violation(&planes, *sample) <= 0.0) {
                assert!(
                    (found - wish).length() <= (sample - wish).length() + 1e-4,
                    "case {number}: {sample:?}"
                );
            }
        }
    }

    #[test]
    fn no_sample_violates_less_where_nothing_fits() {
        let mut empty = 0;
        for number in 0..400 {
            let (planes, wish, most) = case(number, 0.7);
            let found = best_velocity(&planes, 0, most, wish);
            let least = samples(most).map(|sample| violation(&planes, sample)).fold(f32::INFINITY, f32::min);
            empty += u32::from(least > 0.0);
            let ours = violation(&planes, found).max(0.0);
            assert!(ours <= least.max(0.0) + 1e-3, "case {number}: {ours} and {least}");
        }
        assert!(empty > 50, "only {empty} cases without a common velocity");
    }

    #[test]
    fn hard_half_planes_hold_where_soft_ones_cannot() {
        let wall = HalfPlane { normal: Vector::new(1.0, 0.0), limit: 0.0 };
        let push = HalfPlane { normal: Vector::new(-1.0, 0.0), limit: -0.5 };
        let found = best_velocity(&[wall, push], 1, 1.0, Vector::new(1.0, 0.0));
        assert!(found.x.abs() < 1e-4, "{found:?}");
        let between = best_velocity(&[wall, push], 0, 1.0, Vector::new(1.0, 0.0));
        assert!((between.x - 0.25).abs() < 1e-4, "{between:?}");
    }
}
