//! A path: segments and arcs, one after the other, each starting in the direction in which the last one ended.

use crate::mesh::{CellId, PortalId};
use clearway_geometry::Vec2;
use std::f64::consts::TAU;

/// One piece of a path, in plan coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", tag = "kind"))]
pub enum Piece {
    /// A straight piece.
    Segment {
        /// Where it starts.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
    },
    /// A turn around a corner of a wall, at the distance of the radius.
    Arc {
        /// The corner.
        center: [f64; 2],
        /// Where it starts.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
        /// How far it turns, in radians; counter-clockwise when positive.
        turn: f64,
    },
}

impl Piece {
    /// Its length in metres.
    pub fn length(&self) -> f64 {
        match *self {
            Piece::Segment { from, to } => vector(from).distance(vector(to)),
            Piece::Arc { center, from, turn, .. } => vector(center).distance(vector(from)) * turn.abs(),
        }
    }

    /// The point on it this many metres from its start.
    pub fn place_at(&self, along: f64) -> [f64; 2] {
        let place = self.vector_at(along);
        [place.x, place.y]
    }

    pub(crate) fn vector_at(&self, along: f64) -> Vec2 {
        let length = self.length();
        match *self {
            Piece::Segment { to, .. } | Piece::Arc { to, .. } if along >= length => vector(to),
            Piece::Segment { from, to } => vector(from) + (vector(to) - vector(from)) * (along / length),
            Piece::Arc { center, from, turn, .. } => {
                let spoke = vector(from) - vector(center);
                let (sin, cos) = (turn * (along / length)).sin_cos();
                vector(center) + spoke * cos + spoke.perp() * sin
            }
        }
    }

    /// The distance along it, not below `least`, at which it is nearest to a point.
    pub fn nearest_to(&self, at: Vec2, least: f64) -> f64 {
        let length = self.length();
        let along = match *self {
            Piece::Segment { from, to } if length > 0.0 => {
                (at - vector(from)).dot(vector(to) - vector(from)) / length
            }
            Piece::Segment { .. } => 0.0,
            Piece::Arc { center, from, turn, .. } => {
                let spoke = vector(from) - vector(center);
                let angle = spoke.angle_to(at - vector(center)) * turn.signum();
                let ahead = if angle < 0.0 { angle + TAU } else { angle };
                // Beyond the arc, whichever end is nearer around the circle.
                let is_beyond = ahead > turn.abs();
                let back_is_nearer = TAU - ahead < ahead - turn.abs();
                if is_beyond && back_is_nearer { 0.0 } else { ahead * spoke.length() }
            }
        };
        along.max(least).min(length)
    }
}

fn vector([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x, y)
}

/// A path for a body of a given radius.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Path {
    /// Where it starts, in plan coordinates: the start of the query, or the legal place it was moved to.
    pub start: [f64; 2],
    /// Where it ends.
    pub goal: [f64; 2],
    /// Segments and arcs from start to goal.
    pub pieces: Vec<Piece>,
    /// The cells it runs through, in order.
    pub cells: Vec<CellId>,
    /// The portals between them, in order.
    pub portals: Vec<PortalId>,
    /// Its length in metres.
    pub length: f64,
    /// The radius of the body.
    pub radius: f64,
    /// The distance to the nearest wall along the path, in metres; infinite where no wall is near.
    pub clearance: f64,
    /// It is at most this many times as long as the shortest path.
    pub bound: f64,
    /// Whether it reaches the goal; a partial path ends at the reachable place nearest to it.
    pub complete: bool,
    /// How many steps the search took.
    pub expansions: u64,
}

impl Path {
    /// The path as points, arcs replaced by chords at most `tolerance` metres away from them. Chords lie on the
    /// wall's side of an arc: the points themselves keep the full distance.
    pub fn points(&self, tolerance: f64) -> Vec<[f64; 2]> {
        let mut points = vec![self.start];
        for piece in &self.pieces {
            match *piece {
                Piece::Segment { to, .. } => push_distinct(&mut points, to),
                Piece::Arc { center, from, to, turn } => {
                    let radius = (from[0] - center[0]).hypot(from[1] - center[1]);
                    let steps = chords(radius, turn, tolerance);
                    for step in 1..steps {
                        let (sin, cos) = (turn * f64::from(step) / f64::from(steps)).sin_cos();
                        let [x, y] = [from[0] - center[0], from[1] - center[1]];
                        let point = [center[0] + x * cos - y * sin, center[1] + x * sin + y * cos];
                        push_distinct(&mut points, point);
                    }
                    push_distinct(&mut points, to);
                }
            }
        }
        points
    }
}

/// Into how many chords an arc is cut so that none is further than `tolerance` from it; at most 1024.
fn chords(radius: f64, turn: f64, tolerance: f64) -> u32 {
    let widest = 2.0 * (1.0 - (tolerance / radius).clamp(1e-6, 1.0)).acos();
    let steps = (turn.abs() / widest).ceil();
    if steps.is_finite() { (steps as u32).clamp(1, 1024) } else { 1 }
}

fn push_distinct(points: &mut Vec<[f64; 2]>, point: [f64; 2]) {
    if points.last() != Some(&point) {
        points.push(point);
    }
}
