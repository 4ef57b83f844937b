//! The point of an intersection of half-planes that is nearest to a wish.
//!
//! The half-planes are added one after the other. If the best point so far violates the next one, the new best point
//! lies on its line, where the others leave an interval (Seidel 1991, as in ORCA). Cost: quadratic in the number of
//! half-planes that are violated on the way.

use crate::vector::Vector;

/// The set of vectors x with `normal · x <= limit`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct HalfPlane {
    /// The unit vector out of the half-plane.
    pub normal: Vector,
    /// The greatest length along the normal.
    pub limit: f32,
}

/// A violation below this, in metres or m/s, is rounding.
const ROUNDING: f32 = 1e-7;

/// Lines whose directions differ by less than this sine are parallel.
const PARALLEL: f32 = 1e-6;

/// Returns the vector nearest to `wish` in all half-planes. If they have no vector in common, it returns one that
/// violates them little.
pub fn nearest(planes: &[HalfPlane], wish: Vector) -> Vector {
    nearest_common(planes, wish).unwrap_or_else(|| between(planes))
}

/// Returns the vector nearest to `wish` in all half-planes; `None` if they have no vector in common.
pub fn nearest_common(planes: &[HalfPlane], wish: Vector) -> Option<Vector> {
    let mut best = wish;
    for (count, plane) in planes.iter().enumerate() {
        if plane.normal.dot(best) <= plane.limit + ROUNDING {
            continue;
        }
        best = nearest_on_line(plane, &planes[..count], wish)?;
    }
    Some(best)
}

/// Returns the vector nearest to `wish` on the border of a half-plane and within others; `None` if there is none.
fn nearest_on_line(plane: &HalfPlane, others: &[HalfPlane], wish: Vector) -> Option<Vector> {
    let (foot, along) = (plane.normal * plane.limit, plane.normal.left());
    let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
    for other in others {
        let slope = other.normal.dot(along);
        let room = other.limit - other.normal.dot(foot);
        if slope.abs() < PARALLEL {
            if room < -ROUNDING {
                return None;
            }
        } else if slope > 0.0 {
            high = high.min(room / slope);
        } else {
            low = low.max(room / slope);
        }
    }
    if low > high + ROUNDING {
        return None;
    }
    Some(foot + along * along.dot(wish).max(low).min(high.max(low)))
}

/// The number of rounds in which half-planes without a common vector are balanced. More hardly change the result.
const ROUNDS: usize = 8;

/// Returns a vector between half-planes that have none in common: from rest, each pulls by half of its violation.
fn between(planes: &[HalfPlane]) -> Vector {
    let mut best = Vector::ZERO;
    for _ in 0..ROUNDS {
        for plane in planes {
            let beyond = plane.normal.dot(best) - plane.limit;
            if beyond > 0.0 {
                best -= plane.normal * (0.5 * beyond);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    /// Takes the best of all places that can be the nearest: the wish, its feet on the borders, and crossings.
    fn by_trying_all(planes: &[HalfPlane], wish: Vector) -> Option<Vector> {
        let mut places = vec![wish];
        for (count, plane) in planes.iter().enumerate() {
            places.push(wish - plane.normal * (plane.normal.dot(wish) - plane.limit));
            for other in &planes[..count] {
                let cross = plane.normal.cross(other.normal);
                if cross.abs() > 1e-4 {
                    let mixed = other.normal * plane.limit - plane.normal * other.limit;
                    places.push(mixed.left() * (-1.0 / cross));
                }
            }
        }
        let fits = |place: &Vector| planes.iter().all(|plane| plane.normal.dot(*place) <= plane.limit + 1e-5);
        let far = |place: &Vector| (*place - wish).length();
        places.into_iter().filter(fits).min_by(|p, q| far(p).total_cmp(&far(q)))
    }

    #[test]
    fn the_nearest_vector_is_that_of_brute_force() {
        for case in 0..5000u64 {
            let number = |stream| random(7, 0, case, stream) as f32;
            let count = 1 + (number(0) * 8.0) as u32;
            let planes: Vec<HalfPlane> = (0..count)
                .map(|k| {
                    let (sin, cos) = (number(10 + k) * std::f32::consts::TAU).sin_cos();
                    HalfPlane { normal: Vector::new(cos, sin), limit: number(30 + k) * 0.2 }
                })
                .collect();
            let wish = Vector::new(number(1) - 0.5, number(2) - 0.5);
            let found = nearest(&planes, wish);
            let expected = by_trying_all(&planes, wish).unwrap();
            let (found, expected) = ((found - wish).length(), (expected - wish).length());
            assert!((found - expected).abs() < 1e-4, "case {case}: {found} and {expected}");
        }
    }

    #[test]
    fn half_planes_without_a_common_vector_are_balanced() {
        let planes =
            [Vector::new(1.0, 0.0), Vector::new(-1.0, 0.0)].map(|normal| HalfPlane { normal, limit: -0.01 });
        let between = nearest(&planes, Vector::new(1.0, 1.0));
        assert!(between.length() < 0.02, "{between:?}");
    }
}
