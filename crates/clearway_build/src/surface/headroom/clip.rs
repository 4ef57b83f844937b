//! Polygons in the making: triangles clipped by one line after the other, each corner with how far it lies above a face.

use clearway_geometry::Vec2;

/// A line that bounds a blocked polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// An edge of the obstacle.
    Obstacle(u8),
    /// An edge of the face.
    Face(u8),
    /// Where the obstacle passes through the plane of the face.
    Floor,
    /// Where it passes through the plane at full height above.
    Ceiling,
    /// A side of a column of the voxel route.
    Column,
}

/// A corner of a polygon being clipped: how far above the face, and the line that leads on from it.
#[derive(Clone, Copy, Debug)]
pub struct Knot {
    pub at: Vec2,
    pub over: f64,
    pub line: Line,
}

/// What may be clipped: corners with others between them.
pub trait Between: Copy {
    /// The corner at a fraction of the way to the next; the line that leads on from it, if not the same.
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

/// A corner of an upright triangle: how far along it, and how far above the face.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub along: f64,
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

/// A triangle has three corners, and each of five lines may add one.
pub const MOST_KNOTS: usize = 9;

/// Two lines may add three, where rounding does its worst.
pub const FEWER_KNOTS: usize = 6;

/// A convex polygon being clipped, with no more corners than `MOST`.
pub struct Polygon<const MOST: usize, K = Knot> {
    knots: [K; MOST],
    count: usize,
}

impl<const MOST: usize> Polygon<MOST> {
    /// A triangle, with how far its corners lie above the face.
    pub fn of(corners: [Vec2; 3], over: [f64; 3]) -> Polygon<MOST> {
        let knot = |i: usize| Knot { at: corners[i], over: over[i], line: Line::Obstacle(i as u8) };
        Polygon::triangle([0, 1, 2].map(knot))
    }
}

impl<const MOST: usize, K: Between> Polygon<MOST, K> {
    pub fn triangle(corners: [K; 3]) -> Polygon<MOST, K> {
        let mut knots = [corners[0]; MOST];
        (knots[1], knots[2]) = (corners[1], corners[2]);
        Polygon { knots, count: 3 }
    }

    pub fn knots(&self) -> &[K] {
        &self.knots[..self.count]
    }

    /// Keeps the part where `value` is positive; `line` bounds it there.
    pub fn clip(&mut self, line: Line, value: impl Fn(&K) -> f64) {
        let count = self.count;
        let mut values = [0.0; MOST];
        for (value_at, knot) in values.iter_mut().zip(self.knots()) {
            *value_at = value(knot);
        }
        let values = &values[..count];
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

    /// Rounding can make a polygon that is not quite convex cross a line more than twice: what is too much is left out.
    fn push(&mut self, knot: K) {
        if let Some(slot) = self.knots.get_mut(self.count) {
            *slot = knot;
            self.count += 1;
        }
    }
}

pub fn area(polygon: &[Knot]) -> f64 {
    let base = polygon[0].at;
    let pairs = polygon[1..].windows(2);
    0.5 * pairs.map(|pair| (pair[0].at - base).cross(pair[1].at - base)).sum::<f64>()
}
