//! When a corner counts as convex: exactly, or relaxed as the NEOGEN thesis defines it (section 3.3).

use clearway_geometry::Vector;
use clearway_geometry::predicates::is_convex_sector;

/// Decides about corners: at most π wide, or at most π + alpha, or exempt altogether.
#[derive(Clone, Debug, Default)]
pub struct Convexity {
    relaxed: bool,
    sine: f64,
    cosine: f64,
    /// Vertices whose notch lies within tau of its run's chord; empty when there are none.
    exempt: Vec<bool>,
}

impl Convexity {
    /// Corners of at most π, exactly.
    pub fn strict() -> Convexity {
        Convexity::default()
    }

    /// Corners of at most π + `alpha` (below π/2), and every corner at an exempt vertex.
    pub fn relaxed(alpha: f64, exempt: Vec<bool>) -> Convexity {
        let relaxed = alpha > 0.0 || exempt.contains(&true);
        Convexity { relaxed, sine: alpha.sin(), cosine: alpha.cos(), exempt }
    }

    /// Whether anything but exactly convex corners is allowed.
    pub fn is_relaxed(&self) -> bool {
        self.relaxed
    }

    /// Whether the sector swept counter-clockwise from `from` to `to` at a vertex is allowed.
    #[inline]
    pub fn allows(&self, vertex: u32, from: Vector, to: Vector) -> bool {
        is_convex_sector(from, to) || (self.relaxed && self.allows_reflex(vertex, from, to))
    }

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
