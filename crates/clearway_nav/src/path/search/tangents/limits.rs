//! How wide a body may be that walks along a tangent.
//!
//! A body of radius r that walks along a tangent sweeps a strip of width 2r, whose one border touches the corner where
//! it starts. If both corners lie on the same side of the body, the strip widens to the other side, and a corner at the
//! height h above it blocks from r = h/2 on. If they lie on different sides, the borders turn around the corners as r
//! grows. Then a corner p blocks from the radius on at which the border through the first corner a meets it; and only if
//! that is before the strip ends at b. Both ends of the strip are perpendicular to it, so that p blocks if the angle
//! between a and b at p is not acute.
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
    /// The angle from which on the corner that limits `turning` is out of the way again, in radians.
    pub back: [f32; 2],
}

impl Limits {
    /// Nothing is in the way.
    const NONE: Limits =
        Limits { beside: [f32::INFINITY; 2], turning: [f32::INFINITY; 2], back: [f32::INFINITY; 2] };

    /// A corner stands on the line, but no tangents lead over it: the limits are not known.
    pub const UNKNOWN: Limits = Limits { beside: [0.0; 2], turning: [0.0; 2], back: [0.0; 2] };

    /// Finds the limits for the corner at the index `to`, among all corners in view of the first corner. They are
    /// given by their ways from it, counter-clockwise.
    pub fn find(ways: &[Vector], to: usize) -> Limits {
        let mut limits = Limits::NONE;
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
                if height <= 0 || ahead <= 0 {
                    break;
                }
                if ahead < line.length_squared() {
                    lowest = lowest.min(height);
                }
                if limits.turning[side] == f32::INFINITY && way.length_squared() <= ahead {
                    limits.turning[side] = rounded_down(height as f64 / (2.0 * way.length()));
                    limits.back[side] = way_back(line, way) as f32;
                }
            }
            if lowest < i64::MAX {
                limits.beside[side] = rounded_down(lowest as f64 / (2.0 * line.length()));
            }
        }
        limits
    }
}

/// Returns the angle between line and tangent from which on a blocker is out of the way again, in radians.
///
/// As the tangent turns, the blocker first drops out of the strip over its end. Then it lies within the body that
/// touches the corner there, up to the angle at which that body has turned past it.
fn way_back(line: Vector, blocker: Vector) -> f64 {
    let from_end = Vector::new(blocker.x - line.x, blocker.y - line.y);
    let (length, distance) = (line.length(), from_end.length());
    let cos = (line.dot(from_end) as f64 / (length * distance)).clamp(-1.0, 1.0);
    let angle = cos.acos();
    let leaves_strip = angle - std::f64::consts::FRAC_PI_2;
    let leaves_body = 0.5 * (angle + (2.0 * distance / length + cos).clamp(-1.0, 1.0).acos());
    leaves_strip.max(leaves_body)
}

/// Returns the greatest `f32` that is not greater.
pub(super) fn rounded_down(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }
}
