//! Common tangents of two circles of equal radius, and of a point and a circle.

use clearway_geometry::Vec2;

/// The direction in which a path turns around a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Counter-clockwise, with the corner on the left.
    Left,
    /// Clockwise, with the corner on the right.
    Right,
}

impl Turn {
    /// Both directions.
    pub const BOTH: [Turn; 2] = [Turn::Left, Turn::Right];

    /// Returns 1 for a left turn, -1 for a right turn.
    pub fn sign(self) -> f64 {
        match self {
            Turn::Left => 1.0,
            Turn::Right => -1.0,
        }
    }

    /// Returns the turn of the path walked backwards.
    pub fn reversed(self) -> Turn {
        match self {
            Turn::Left => Turn::Right,
            Turn::Right => Turn::Left,
        }
    }
}

/// Returns the directions from the corners `a` and `b` to the contacts of the straight piece that leaves the circle
/// around `a` and joins the one around `b`. `None` if the circles overlap so that there is no such tangent.
pub(super) fn between_corners(a: Vec2, b: Vec2, turns: [Turn; 2], radius: f64) -> Option<[Vec2; 2]> {
    let [leave, join] = turns.map(Turn::sign);
    let direction = direction(b - a, (join - leave) * radius)?;
    Some([direction.perp() * -leave, direction.perp() * -join])
}

/// Returns the direction from `corner` to the contact of the straight piece from `point` that joins its circle.
pub(super) fn from_point(point: Vec2, corner: Vec2, turn: Turn, radius: f64) -> Option<Vec2> {
    let direction = direction(corner - point, turn.sign() * radius)?;
    Some(direction.perp() * -turn.sign())
}

/// Returns the direction of a line from the origin for which `to` lies `offset` to the left: `to` turned by
/// -asin(offset / |to|), without trigonometry.
fn direction(to: Vec2, offset: f64) -> Option<Vec2> {
    let distance = to.length();
    // The tolerance is the rounding of points: circles that touch have a tangent of length zero.
    if distance <= 0.0 || distance < offset.abs() - super::walls::slack(offset.abs()) {
        return None;
    }
    let sine = (offset / distance).clamp(-1.0, 1.0);
    let along = ((distance - offset.abs()) * (distance + offset.abs())).max(0.0).sqrt();
    let cosine = along / distance;
    let unit = to * (1.0 / distance);
    Some(Vec2::new(unit.x * cosine + unit.y * sine, unit.y * cosine - unit.x * sine))
}
