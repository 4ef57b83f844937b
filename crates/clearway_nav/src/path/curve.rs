//! The shape of a path: segments, arcs and links, one after the other. Each walked piece starts in the direction in
//! which the last one ended.

use crate::mesh::{CellId, LinkId, PortalId};
use crate::tolerances::radii::FINEST_CHORD;
use clearway_geometry::Vec2;
use std::f64::consts::TAU;
use std::ops::Range;

/// One piece of a path, in plan coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", tag = "kind"))]
pub enum Piece {
    /// A straight piece.
    Segment {
        /// Its start.
        from: [f64; 2],
        /// Its end.
        to: [f64; 2],
    },
    /// A turn around a corner of a wall, with the radius of the body.
    Arc {
        /// The corner.
        center: [f64; 2],
        /// Its start.
        from: [f64; 2],
        /// Its end.
        to: [f64; 2],
        /// The angle in radians; counter-clockwise when positive.
        turn: f64,
    },
    /// A link, which is not walked.
    Link {
        /// The id of the link.
        link: LinkId,
        /// Its entry.
        from: [f64; 2],
        /// Its exit.
        to: [f64; 2],
        /// Its length in space, in metres.
        length: f64,
    },
}

impl Piece {
    /// Returns its length in metres.
    pub fn length(&self) -> f64 {
        match *self {
            Piece::Segment { from, to } => vector(from).distance(vector(to)),
            Piece::Arc { center, from, turn, .. } => vector(center).distance(vector(from)) * turn.abs(),
            Piece::Link { length, .. } => length,
        }
    }

    /// Returns its start.
    pub fn from(&self) -> [f64; 2] {
        match *self {
            Piece::Segment { from, .. } | Piece::Arc { from, .. } | Piece::Link { from, .. } => from,
        }
    }

    /// Returns its end.
    pub fn to(&self) -> [f64; 2] {
        match *self {
            Piece::Segment { to, .. } | Piece::Arc { to, .. } | Piece::Link { to, .. } => to,
        }
    }

    /// Returns the point on it this many metres from its start.
    pub fn place_at(&self, along: f64) -> [f64; 2] {
        let place = self.vector_at(along);
        [place.x, place.y]
    }

    /// Returns the point on it this many metres from its start, as a vector.
    pub(crate) fn vector_at(&self, along: f64) -> Vec2 {
        let length = self.length();
        match *self {
            _ if along >= length => vector(self.to()),
            Piece::Segment { from, to } | Piece::Link { from, to, .. } => {
                vector(from) + (vector(to) - vector(from)) * (along / length)
            }
            Piece::Arc { center, from, turn, .. } => {
                let spoke = vector(from) - vector(center);
                let (sin, cos) = (turn * (along / length)).sin_cos();
                vector(center) + spoke * cos + spoke.perp() * sin
            }
        }
    }

    /// Returns what is left of it after its first `along` metres.
    #[must_use]
    pub fn rest(&self, along: f64) -> Piece {
        let part = (along / self.length()).clamp(0.0, 1.0);
        let start = self.place_at(along);
        match *self {
            _ if part == 0.0 => *self,
            Piece::Segment { to, .. } => Piece::Segment { from: start, to },
            Piece::Link { link, to, length, .. } => {
                Piece::Link { link, from: start, to, length: length * (1.0 - part) }
            }
            Piece::Arc { center, to, turn, .. } => {
                Piece::Arc { center, from: start, to, turn: turn * (1.0 - part) }
            }
        }
    }

    /// Returns the distance along it, not below `least`, at which it is nearest to a point.
    pub fn nearest_to(&self, at: Vec2, least: f64) -> f64 {
        let length = self.length();
        let along = match *self {
            Piece::Segment { from, to } if length > 0.0 => {
                (at - vector(from)).dot(vector(to) - vector(from)) / length
            }
            Piece::Segment { .. } | Piece::Link { .. } => 0.0,
            Piece::Arc { center, from, turn, .. } => {
                let spoke = vector(from) - vector(center);
                let angle = spoke.angle_to(at - vector(center)) * turn.signum();
                let ahead = if angle < 0.0 { angle + TAU } else { angle };
                // Beyond the arc, the end that is nearer around the circle counts.
                let is_beyond = ahead > turn.abs();
                let back_is_nearer = TAU - ahead < ahead - turn.abs();
                if is_beyond && back_is_nearer { 0.0 } else { ahead * spoke.length() }
            }
        };
        along.max(least).min(length)
    }
}

/// Returns a point as a vector.
fn vector([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x, y)
}

/// A path for a body of a given radius.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Path {
    /// Its start in plan coordinates: the start of the query, or the legal point that it was moved to.
    pub start: [f64; 2],
    /// Its end in plan coordinates.
    pub goal: [f64; 2],
    /// Segments, arcs and links from start to goal.
    pub pieces: Vec<Piece>,
    /// The cells it runs through, in order.
    pub cells: Vec<CellId>,
    /// The portals between them, in order; a link leads from cell to cell without one.
    pub portals: Vec<PortalId>,
    /// The links it takes, in order.
    pub links: Vec<Ride>,
    /// Its length in metres: walks in plan, links in space.
    pub length: f64,
    /// Its cost in metres of walking: its length, or the length weighed by the costs of the query, and the costs of its
    /// links.
    pub cost: f64,
    /// The radius of the body in metres.
    pub radius: f64,
    /// The distance to the nearest wall along the path, in metres; infinite if no wall is near.
    pub clearance: f64,
    /// The factor by which it may be longer than the shortest path; infinite if unknown.
    pub bound: f64,
    /// True if it reaches the goal; a partial path ends at the reachable point nearest to the goal.
    pub complete: bool,
    /// The number of expansions of all searches.
    pub expansions: u64,
    /// The number of walks that were searched for: 1 without links.
    pub searches: usize,
}

impl Default for Path {
    /// Makes a path that stays at the origin of the plan.
    fn default() -> Path {
        Path {
            start: [0.0; 2],
            goal: [0.0; 2],
            pieces: Vec::new(),
            cells: Vec::new(),
            portals: Vec::new(),
            links: Vec::new(),
            length: 0.0,
            cost: 0.0,
            radius: 0.0,
            clearance: f64::INFINITY,
            bound: 1.0,
            complete: true,
            expansions: 0,
            searches: 1,
        }
    }
}

/// A link that a path takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ride {
    /// The id of the link.
    pub link: LinkId,
    /// Its index in [`Path::pieces`].
    pub piece: usize,
    /// The index in [`Path::cells`] of the cell that it leads to.
    pub cell: usize,
    /// Its entry in world coordinates.
    pub from: [f64; 3],
    /// Its exit in world coordinates.
    pub to: [f64; 3],
    /// Its cost in metres of walking.
    pub cost: f64,
}

/// A part of a path: a walk, or a link.
#[derive(Clone, Debug, PartialEq)]
pub enum Leg {
    /// A walk, as a path without links.
    Walk(Path),
    /// A ride along a link.
    Link(Ride),
}

impl Path {
    /// Returns the walks and links of the path, in order. A path without links is one walk. Walks of no length before,
    /// between and after links are left out.
    pub fn legs(&self) -> Vec<Leg> {
        let mut legs = Vec::with_capacity(2 * self.links.len() + 1);
        let (mut piece, mut cell) = (0, 0);
        for (number, ride) in self.links.iter().enumerate() {
            legs.extend(self.walk(number, piece..ride.piece, cell..ride.cell));
            legs.push(Leg::Link(*ride));
            (piece, cell) = (ride.piece + 1, ride.cell);
        }
        legs.extend(self.walk(self.links.len(), piece..self.pieces.len(), cell..self.cells.len()));
        legs
    }

    /// Returns the walks of the path, in order, as paths without links.
    pub fn walks(&self) -> Vec<Path> {
        let walk = |leg| match leg {
            Leg::Walk(walk) => Some(walk),
            Leg::Link(_) => None,
        };
        self.legs().into_iter().filter_map(walk).collect()
    }

    /// Returns a walk of no length at a point of the cell with this index.
    pub fn without_pieces(&self, at: [f64; 2], cell: usize) -> Path {
        let cells = self.cells.get(cell).copied().into_iter().collect();
        let Path { radius, clearance, bound, complete, .. } = *self;
        Path { start: at, goal: at, cells, radius, clearance, bound, complete, ..Path::default() }
    }

    /// Returns the walk over some pieces and cells; `number` links come before it.
    fn walk(&self, number: usize, pieces: Range<usize>, cells: Range<usize>) -> Option<Leg> {
        if self.links.is_empty() {
            return Some(Leg::Walk(self.clone()));
        }
        let walked = self.pieces.get(pieces)?;
        let length: f64 = walked.iter().map(Piece::length).sum();
        let (first, last) = (walked.first()?, walked.last()?);
        // A link leads to the next cell without a portal, so each link before shifts the portals by one.
        let portals = cells.start - number..(cells.end - number).saturating_sub(1);
        Some(Leg::Walk(Path {
            start: first.from(),
            goal: last.to(),
            pieces: walked.to_vec(),
            cells: self.cells.get(cells)?.to_vec(),
            portals: self.portals.get(portals)?.to_vec(),
            links: Vec::new(),
            length,
            cost: length,
            ..self.clone()
        }))
    }

    /// Returns the path as points, with arcs replaced by chords at most `tolerance` metres away from them. Chords lie
    /// on the wall's side of an arc; the points themselves keep the full distance.
    pub fn points(&self, tolerance: f64) -> Vec<[f64; 2]> {
        let mut points = vec![self.start];
        for piece in &self.pieces {
            match *piece {
                Piece::Segment { to, .. } | Piece::Link { to, .. } => push_distinct(&mut points, to),
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

/// Returns the number of chords of an arc so that none is farther than `tolerance` from it; at most 1024.
fn chords(radius: f64, turn: f64, tolerance: f64) -> u32 {
    let widest = 2.0 * (1.0 - (tolerance / radius).clamp(FINEST_CHORD, 1.0)).acos();
    let steps = (turn.abs() / widest).ceil();
    if steps.is_finite() { (steps as u32).clamp(1, 1024) } else { 1 }
}

/// Appends a point unless it repeats the last one.
fn push_distinct(points: &mut Vec<[f64; 2]>, point: [f64; 2]) {
    if points.last() != Some(&point) {
        points.push(point);
    }
}
