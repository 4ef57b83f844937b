//! The height of the ground over a place, where faces may not reach quite as far as the place.
//!
//! Points are rounded and moved together, so that a place of a chart may lie beside all of its faces; then the plane of
//! the nearest one counts.

use clearway_geometry::Vec2;
use clearway_geometry::vec2::beyond_triangle;

/// The nearest of the faces offered so far; the first of equals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestFace {
    at: Vec2,
    beyond: f64,
    height: Option<f64>,
}

impl NearestFace {
    /// No face so far.
    pub fn to(at: Vec2) -> NearestFace {
        NearestFace { at, beyond: f64::INFINITY, height: None }
    }

    /// Looks at one more face: its corners in the plane, counter-clockwise, and the height of its plane at a place.
    pub fn offer(&mut self, corners: [Vec2; 3], height_at: impl FnOnce(Vec2) -> f64) {
        let beyond = beyond_triangle(corners, self.at);
        if beyond < self.beyond {
            self.beyond = beyond;
            self.height = Some(height_at(self.at));
        }
    }

    /// The height of the nearest face at the place; `None` without faces.
    pub fn height(&self) -> Option<f64> {
        self.height
    }
}
