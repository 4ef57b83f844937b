//! Straight walls with doors and windows, as boxes that touch.

use super::super::soup::Point3;
use super::HALF;

/// A gap in a wall, from a sill to a lintel.
pub(super) struct Opening {
    from: f64,
    to: f64,
    sill: f64,
}

/// The underside of lintels above the floor.
const LINTEL: f64 = 2.1;

impl Opening {
    pub(super) fn door(middle: f64) -> Opening {
        Opening { from: middle - 0.45, to: middle + 0.45, sill: 0.0 }
    }

    pub(super) fn window(middle: f64) -> Opening {
        Opening { from: middle - 0.7, to: middle + 0.7, sill: 0.9 }
    }
}

/// A straight wall with openings, in their order along it.
pub(super) struct Run {
    pub along_x: bool,
    /// The wall's middle line.
    pub middle: f64,
    /// From where to where it runs.
    pub span: [f64; 2],
    pub openings: Vec<Opening>,
}

impl Run {
    /// Low and high corners of the wall's boxes, on a floor and under a ceiling that is `clear` above it.
    pub(super) fn boxes(&self, floor: f64, clear: f64) -> Vec<(Point3, Point3)> {
        let mut boxes = Vec::new();
        let mut at = self.span[0];
        for opening in &self.openings {
            boxes.push(self.solid(at, opening.from, floor, floor + clear));
            if opening.sill > 0.0 {
                boxes.push(self.solid(opening.from, opening.to, floor, floor + opening.sill));
            }
            boxes.push(self.solid(opening.from, opening.to, floor + LINTEL, floor + clear));
            at = opening.to;
        }
        boxes.push(self.solid(at, self.span[1], floor, floor + clear));
        boxes
    }

    fn solid(&self, from: f64, to: f64, bottom: f64, top: f64) -> (Point3, Point3) {
        let (low, high) = (self.middle - HALF, self.middle + HALF);
        match self.along_x {
            true => ([from, bottom, low], [to, top, high]),
            false => ([low, bottom, from], [high, top, to]),
        }
    }
}
