//! How wide a body may be that walks along a tangent.
//!
//! A body of radius r that walks along a tangent sweeps a strip of width 2r, whose one border touches the corner where
//! it starts. If both corners lie on the same side of the body, the strip widens to the other side, and a corner at the
//! height h above it blocks from r = h/2 on.
//!
//! If they lie on different sides, the borders turn around the corners a and b as r grows, up to half their distance.
//! A corner p blocks from the radius on at which the border through a meets it, provided that this is before the strip
//! ends at b. The ends of the strip are perpendicular to it, so that p blocks if and only if it lies in the circle over
//! the diameter ab. From then on it blocks for every larger radius. It may drop out of the strip over the end at b. But
//! then it lies in the body that touches b there, and stays in it. Let t be the turn of the tangent and s the angle of p
//! at b, both measured from the line. Then p is in that body as long as |ab| sin t sin(s - t) > |pb|. The left side first
//! grows and then falls. It is greater than |pb| when p drops out, and also at the end, where the body fills the circle.
//! So it is in between. One radius says it all.
//!
//! Only corners that both ends see can block first, and walls alone never do. Suppose that a wall reaches into the strip
//! before any corner does. Then it comes in over one of the ends, which are diameters of the body that touches a corner
//! there. So the wall is in the way of that body, and its place is not on a free arc. By the same argument a corner that
//! one of the ends does not see comes too late. All of this also holds where floors lie over each other, because a
//! corner sees in each direction only one of them.

use clearway_geometry::grid::Vector;

/// The limits of the tangents from one corner to another, by corners on the left and on the right of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The widest radius of a strip that widens to this side, in grid units.
    pub beside: [f32; 2],
    /// The widest radius of a strip whose border on this side turns around the first corner.
    pub turning: [f32; 2],
}

impl Limits {
    /// Finds the limits for the corner at the index `to`, among all corners in view of the first corner. They are
    /// given by their ways from it, counter-clockwise.
    pub fn find(ways: &[Vector], to: usize) -> Limits {
        let mut limits = Limits { beside: [f32::INFINITY; 2], turning: [f32::INFINITY; 2] };
        let line = ways[to];
        for side in 0..2 {
            let sign = if side == 0 { 1 } else { -1 };
            let mut lowest = i64::MAX;
            let mut place = to;
            for _ in 1..ways.len() {
                place = match side {
                    0 if place + 1 == ways.len() => 0,
                    0 => place + 1,
                    _ if place == 0 => ways.len() - 1,
                    _ => place - 1,
                };
                let way = ways[place];
                let (height, ahead) = (sign * line.cross(way), line.dot(way));
                // Corners at a right angle or behind are never beside the strip.
                if height < 0 || ahead <= 0 {
                    break;
                }
                // A corner on the line stands on another floor: others that see both ends have no line past them.
                if height == 0 {
                    continue;
                }
                if ahead < line.length_squared() {
                    lowest = lowest.min(height);
                }
                if limits.turning[side] == f32::INFINITY && way.length_squared() <= ahead {
                    limits.turning[side] = rounded_down(height as f64 / (2.0 * way.length()));
                }
            }
            if lowest < i64::MAX {
                limits.beside[side] = rounded_down(lowest as f64 / (2.0 * line.length()));
            }
        }
        limits
    }
}

/// Returns the greatest `f32` that is not greater.
pub(super) fn rounded_down(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_geometry::Vec2;
    use clearway_scenes::Random;

    /// True if p is in the way of a body that walks from a at the origin, on its left, to b, on its right.
    fn blocks(b: Vec2, p: Vec2, radius: f64) -> bool {
        let ray = crate::path::search::tangent::ray(b, -2.0 * radius);
        let contacts = [-ray.direction.perp() * radius, b + ray.direction.perp() * radius];
        p.distance_to_segment(contacts[0], contacts[1]) < radius * (1.0 - 1e-9)
    }

    /// A corner that blocks a tangent from a radius on blocks it for all larger ones. A corner that does not block the
    /// strip blocks at most the bodies at its ends.
    #[test]
    fn blockers_of_crossing_tangents_never_get_out_of_the_way() {
        let mut random = Random::new(1);
        let (mut inside, mut outside) = (0, 0);
        for _ in 0..20_000 {
            let b = Vector::new(1 + random.below(2000) as i64, 0);
            let p = Vector::new(random.below(b.x as usize + 1) as i64, 1 + random.below(1500) as i64);
            let limits = Limits::find(&[b, p], 0);
            let widest = f64::from(limits.turning[0]);
            let [b, p] = [b, p].map(|way| Vec2::new(way.x as f64, way.y as f64));
            for step in 1..40 {
                let radius = 0.5 * b.x * f64::from(step) / 40.0;
                if (radius - widest).abs() < 1e-6 * widest {
                    continue;
                }
                if widest.is_finite() {
                    assert_eq!(blocks(b, p, radius), radius > widest, "b {b:?}, p {p:?}, radius {radius}");
                    inside += 1;
                } else {
                    let ray = crate::path::search::tangent::ray(b, -2.0 * radius);
                    let along = [p, p - b].map(|way| way.dot(ray.direction));
                    let is_beside = along[0] > 0.0 && along[1] < 0.0;
                    assert!(!(is_beside && blocks(b, p, radius)), "b {b:?}, p {p:?}, radius {radius}");
                    outside += 1;
                }
            }
        }
        assert!(inside > 10_000 && outside > 10_000, "{inside} and {outside}");
    }
}
