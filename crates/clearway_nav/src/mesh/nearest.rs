//! The height of the ground over a place, where faces may not reach quite as far as the place.
//!
//! Points are rounded and moved together, so that a place of a chart may lie beside all of its faces; then the plane of
//! the nearest one counts. Along a line where the chart touches itself at another height, two faces are as near.

/// Points closer together than this, in grid units, are one place: rounding moves a point by up to half a unit along each
/// axis, and two points may move towards each other or apart.
pub const ROUNDING: f64 = 2.0;
use clearway_geometry::Vec2;
use clearway_geometry::vec2::beyond_triangle;

/// The nearest of the faces offered so far; the first of equals.
#[derive(Clone, Copy, Debug)]
pub struct NearestFace {
    at: Vec2,
    beyond: f64,
    height: Option<f64>,
    /// Between which heights the faces lie that are as near as rounding can tell.
    between: [f64; 2],
}

/// Heights that differ by more than this, in grid units, are not those of faces that meet.
const TORN: f64 = 8.0 * ROUNDING;

impl NearestFace {
    /// No face so far.
    pub fn to(at: Vec2) -> NearestFace {
        let between = [f64::INFINITY, f64::NEG_INFINITY];
        NearestFace { at, beyond: f64::INFINITY, height: None, between }
    }

    /// Looks at one more face: its corners in the plane, counter-clockwise, and the height of its plane at a place.
    pub fn offer(&mut self, corners: [Vec2; 3], height_at: impl FnOnce(Vec2) -> f64) {
        let beyond = beyond_triangle(corners, self.at);
        if beyond >= self.beyond && beyond > ROUNDING {
            return;
        }
        let height = height_at(self.at);
        if beyond < self.beyond {
            (self.beyond, self.height) = (beyond, Some(height));
        }
        if beyond <= ROUNDING {
            self.between = [self.between[0].min(height), self.between[1].max(height)];
        }
    }

    /// The height of the nearest face at the place; `None` without faces.
    pub fn height(&self) -> Option<f64> {
        self.height
    }

    /// Whether faces at different heights are as near as each other.
    pub fn is_torn(&self) -> bool {
        self.between[1] - self.between[0] > TORN
    }
}

/// Who stands on a floor is at most so far above and below its ground, in metres: the height of a body, and a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Footing {
    /// The height of a body.
    pub above: f64,
    /// The height of a step.
    pub below: f64,
}

impl Footing {
    /// Heights that differ by less are the same, in metres.
    const SLACK: f64 = 1e-3;

    /// How badly ground that lies this much higher than a place serves who is there: floors to stand on go before all
    /// others, then the nearer before the farther.
    pub fn rank(&self, rise: f64) -> (bool, f64) {
        let stands = rise >= -self.above - Self::SLACK && rise <= self.below + Self::SLACK;
        (!stands, rise.abs())
    }
}
