//! Clips triangles by one line after the other (Sutherland and Hodgman 1974).
//!
//! Each corner knows how far it lies above a face, and the line that leads on from it. So corners can later be made
//! from the two lines that meet there. Polygons live on the stack: their size is bounded by the number of clips.

use clearway_geometry::Vec2;

/// A line that bounds a blocked polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// This edge of the obstacle.
    Obstacle(u8),
    /// This edge of the face.
    Face(u8),
    /// The line where the obstacle passes through the plane of the face, or through another lower limit.
    Floor,
    /// The line where it passes through the plane at full height above.
    Ceiling,
    /// A side of a column of the voxel route.
    Column,
}

/// A corner of a polygon that is being clipped.
#[derive(Clone, Copy, Debug)]
pub struct Knot {
    /// The point, relative to a base point, in grid units.
    pub at: Vec2,
    /// The height above the face, in grid units.
    pub over: f64,
    /// The line that leads on from the corner.
    pub line: Line,
}

/// A corner that can be clipped: corners between two others can be made.
pub trait Between: Copy {
    /// Makes the corner at the fraction `t` of the way to `next`. `line` leads on from it; without one, the line of
    /// `self` does.
    fn between(&self, next: &Self, t: f64, line: Option<Line>) -> Self;
}

impl Between for Knot {
    #[inline]
    fn between(&self, next: &Knot, t: f64, line: Option<Line>) -> Knot {
        Knot {
            at: self.at + (next.at - self.at) * t,
            over: self.over + (next.over - self.over) * t,
            line: line.unwrap_or(self.line),
        }
    }
}

/// A corner of an upright triangle, seen in its own plane.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The position along the line that the triangle is in projection, in grid units.
    pub along: f64,
    /// The height above the face, in grid units.
    pub over: f64,
}

impl Between for Reach {
    #[inline]
    fn between(&self, next: &Reach, t: f64, _: Option<Line>) -> Reach {
        Reach {
            along: self.along + (next.along - self.along) * t,
            over: self.over + (next.over - self.over) * t,
        }
    }
}

/// A convex polygon that is being clipped, with at most `MOST` corners.
pub struct Polygon<const MOST: usize, K = Knot> {
    /// The corners, counter-clockwise; only the first `count` are in use.
    knots: [K; MOST],
    /// The number of corners in use.
    count: usize,
}

impl<const MOST: usize> Polygon<MOST> {
    /// Makes a triangle. `over` holds the heights of its corners above the face.
    pub fn of(corners: [Vec2; 3], over: [f64; 3]) -> Polygon<MOST> {
        let knot = |i: usize| Knot { at: corners[i], over: over[i], line: Line::Obstacle(i as u8) };
        Polygon::triangle([0, 1, 2].map(knot))
    }
}

impl<const MOST: usize, K: Between> Polygon<MOST, K> {
    /// Makes a triangle of three corners.
    pub fn triangle(corners: [K; 3]) -> Polygon<MOST, K> {
        let mut knots = [corners[0]; MOST];
        (knots[1], knots[2]) = (corners[1], corners[2]);
        Polygon { knots, count: 3 }
    }

    /// Returns the corners in use.
    pub fn knots(&self) -> &[K] {
        &self.knots[..self.count]
    }

    /// Keeps the part where `value` is positive; `line` bounds it there. `value` must be linear.
    pub fn clip(&mut self, line: Line, value: impl Fn(&K) -> f64) {
        let count = self.count;
        let mut values = [0.0; MOST];
        for (value_at, knot) in values.iter_mut().zip(self.knots()) {
            *value_at = value(knot);
        }
        let values = &values[..count];
        // Most polygons lie wholly on the right side: nothing is copied then.
        if values.iter().all(|value| *value >= 0.0) && values.iter().any(|value| *value > 0.0) {
            return;
        }
        let knots = self.knots;
        self.count = 0;
        for i in 0..count {
            let j = if i + 1 == count { 0 } else { i + 1 };
            let (here, there) = (values[i], values[j]);
            let between = |line: Option<Line>| knots[i].between(&knots[j], here / (here - there), line);
            if here > 0.0 {
                self.push(knots[i]);
            }
            match (here > 0.0, there > 0.0) {
                (true, false) => self.push(between(Some(line))),
                (false, true) => self.push(between(None)),
                _ => {}
            }
        }
    }

    /// Adds a corner. Rounding can make a polygon that is not quite convex, which crosses a line more than twice;
    /// corners beyond the capacity are dropped.
    fn push(&mut self, knot: K) {
        if let Some(slot) = self.knots.get_mut(self.count) {
            *slot = knot;
            self.count += 1;
        }
    }
}

/// Returns the area of a polygon in square grid units; negative if it runs clockwise.
pub fn area(polygon: &[Knot]) -> f64 {
    let base = polygon[0].at;
    let pairs = polygon[1..].windows(2);
    0.5 * pairs.map(|pair| (pair[0].at - base).cross(pair[1].at - base)).sum::<f64>()
}
