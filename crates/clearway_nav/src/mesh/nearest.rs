//! The height of the ground at a point that the faces may just miss.
//!
//! Points are rounded and moved together, so a point of a chart may lie beside all of its faces. Then the plane of the
//! nearest face counts. Where a chart touches itself at another height, two faces are equally near: the height there is
//! torn.

/// Distance in grid units below which two points are the same point. Rounding moves a point by up to half a unit along
/// each axis, and two points may move towards each other or apart.
pub const ROUNDING: f64 = 2.0;
use clearway_geometry::Vec2;
use clearway_geometry::vec2::beyond_triangle;

/// The nearest of the faces offered so far; the first of equals.
#[derive(Clone, Copy, Debug)]
pub struct NearestFace {
    /// The point whose height is asked for, in grid units.
    at: Vec2,
    /// The distance from `at` to the nearest face so far; at most zero if a face holds it.
    beyond: f64,
    /// The height of the nearest face at `at`, in grid units.
    height: Option<f64>,
    /// The lowest and the highest height among the faces within [`ROUNDING`] of `at`.
    between: [f64; 2],
}

/// Heights in grid units that differ by more than this belong to faces that do not meet. It is several times
/// [`ROUNDING`], because a steep face turns a shift in the plane into a larger one in height.
const TORN: f64 = 8.0 * ROUNDING;

impl NearestFace {
    /// Starts a search for the face nearest to `at`.
    pub fn to(at: Vec2) -> NearestFace {
        let between = [f64::INFINITY, f64::NEG_INFINITY];
        NearestFace { at, beyond: f64::INFINITY, height: None, between }
    }

    /// Offers one more face: its corners in the plane, counter-clockwise, and a function for the height of its plane at
    /// a point.
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

    /// Returns the height of the nearest face at the point; `None` without faces.
    pub fn height(&self) -> Option<f64> {
        self.height
    }

    /// True if faces at different heights are equally near.
    pub fn is_torn(&self) -> bool {
        self.between[1] - self.between[0] > TORN
    }
}

/// The heights between which a body stands on a floor, in metres: its position may lie up to its own height above the
/// ground and a step below it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Footing {
    /// The height of a body: the greatest distance above the ground.
    pub above: f64,
    /// The height of a step: the greatest distance below the ground.
    pub below: f64,
}

impl Footing {
    /// Tolerance of both limits in metres: a millimetre covers rounding to the grid.
    const SLACK: f64 = 1e-3;

    /// Returns the sort key of a floor that lies `rise` metres above a body: floors that it can stand on first, then
    /// the nearer before the farther.
    pub fn rank(&self, rise: f64) -> (bool, f64) {
        let stands = rise >= -self.above - Self::SLACK && rise <= self.below + Self::SLACK;
        (!stands, rise.abs())
    }
}
