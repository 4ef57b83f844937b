//! Decides when a corner counts as convex: exactly, or relaxed as the NEOGEN thesis defines it (section 3.3).
//!
//! The exact test works in integers. The relaxed test compares tangents in floats; it only groups cells into regions.

use clearway_geometry::Vector;
use clearway_geometry::predicates::is_convex_sector;

/// The rule for corners: at most π wide, at most π + alpha, or exempt altogether.
#[derive(Clone, Debug, Default)]
pub struct Convexity {
    /// True if anything but exactly convex corners is allowed.
    relaxed: bool,
    /// The sine of alpha.
    sine: f64,
    /// The cosine of alpha.
    cosine: f64,
    /// For each vertex, true if its notch lies within tau of its run's chord; empty when there are none.
    exempt: Vec<bool>,
}

impl Convexity {
    /// Allows corners of at most π, exactly.
    pub fn strict() -> Convexity {
        Convexity::default()
    }

    /// Allows corners of at most π + `alpha` (below π/2), and every corner at an exempt vertex.
    pub fn relaxed(alpha: f64, exempt: Vec<bool>) -> Convexity {
        let relaxed = alpha > 0.0 || exempt.contains(&true);
        Convexity { relaxed, sine: alpha.sin(), cosine: alpha.cos(), exempt }
    }

    /// True if anything but exactly convex corners is allowed.
    pub fn is_relaxed(&self) -> bool {
        self.relaxed
    }

    /// True if the sector swept counter-clockwise from `from` to `to` at a vertex is allowed.
    #[inline]
    pub fn allows(&self, vertex: u32, from: Vector, to: Vector) -> bool {
        is_convex_sector(from, to) || (self.relaxed && self.allows_reflex(vertex, from, to))
    }

    /// True if a reflex sector is allowed: at an exempt vertex, or by at most alpha.
    fn allows_reflex(&self, vertex: u32, from: Vector, to: Vector) -> bool {
        if self.exempt.get(vertex as usize) == Some(&true) {
            return true;
        }
        // The sector exceeds π by the angle from -from to `to`; compare its tangent with alpha's.
        let (cross, dot) = (-(from.cross(to) as f64), -(from.dot(to) as f64));
        dot > 0.0 && cross * self.cosine <= dot * self.sine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_an_angle_beyond_pi() {
        let rule = Convexity::relaxed(5f64.to_radians(), Vec::new());
        let east = Vector::new(1_000_000, 0);
        let turned = |degrees: f64| {
            let angle = degrees.to_radians();
            Vector::new((angle.cos() * 1e6) as i64, (angle.sin() * 1e6) as i64)
        };
        assert!(rule.allows(0, east, turned(180.0)));
        assert!(rule.allows(0, east, turned(184.9)));
        assert!(!rule.allows(0, east, turned(185.1)));
        assert!(!rule.allows(0, east, east));
        assert!(!Convexity::strict().allows(0, east, turned(180.1)));
    }
}
