//! From rings and walls as drawn to walkable triangles.
//!
//! Chains of segments are inserted into one triangulation. Where two cross, both are led through the crossing rounded
//! to the grid (iterated snap rounding, Halperin and Packer 2002). Every rerouted piece is shorter than the one it
//! replaces, so this ends. Each edge remembers which chains run along it, so the winding of every ring is known in
//! every face. The roles of the rings decide which faces are walkable. Edges that separate nothing are dissolved.
//!
//! Invariant: the result does not depend on the order in which chains are drawn. Cost: that of the triangulation,
//! plus O(1) per crossing.

mod enclose;
mod faces;
mod labels;
mod overlay;
mod pieces;
mod segments;
mod sheet;
mod walkable;

use crate::NONE;
use crate::construct::crossing;
use crate::grid::Point;
use crate::predicates::meets_pixel;
use crate::triangulation::{BOX_VERTICES, Place, Triangulation, Walk};
pub use enclose::{Enclosed, Enclosure, nearly_touching};
use faces::Faces;
use labels::Labels;
pub use overlay::Overlay;
pub use pieces::{SplitWall, split_walls};
pub use segments::{Segment, floor_of_segments};
pub use sheet::{Border, Sheet, SheetEdge, arrange_sheet};
use std::fmt;

/// The mark of an edge that nobody can walk through.
pub const WALL: u32 = 1;

/// The number of steps for resolving crossings that each segment of the input adds to [`FREE_STEPS`]. A plan that
/// needs more is refused as too tangled, so that hostile input cannot take forever.
pub const STEPS_PER_SEGMENT: u64 = 64;

/// The number of steps for resolving crossings that every plan may take, however small. Without them a small plan
/// with many crossings would be refused.
pub const FREE_STEPS: u64 = 1 << 24;

/// The maximum number of rings without roles inside each other. It bounds the work per face; deeper plans are
/// refused.
pub const MAX_NESTING: usize = 256;

/// The kind of space that a chain of segments bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The outer ring of this polygon: the space that it winds around is walkable, apart from holes.
    Outline(u32),
    /// A hole of this polygon or obstacle.
    Hole(u32),
    /// The outer ring of this obstacle: the space that it winds around is blocked, apart from its holes. Obstacles and
    /// polygons share their numbers.
    Obstacle(u32),
    /// A ring whose role follows from the number of rings around it: outline, hole, island, ...
    Nested,
    /// An open wall of no thickness.
    Wall,
}

/// A ring or an open wall on the grid.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The points in order; a ring does not repeat its first point.
    pub points: Vec<Point>,
    /// The kind of space that the chain bounds.
    pub role: Role,
}

impl Chain {
    /// The index pairs of its segments, with the closing segment of a ring.
    fn segments(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = self.points.len();
        let closing = (self.role != Role::Wall && count > 1).then_some((count.wrapping_sub(1), 0));
        (1..count).map(|i| (i - 1, i)).chain(closing)
    }
}

/// A count of events, and the first location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of events.
    pub count: u64,
    /// The point of the first event.
    pub first: Option<Point>,
}

impl Tally {
    /// Counts one more, at `place`.
    pub fn add(&mut self, place: Point) {
        self.count += 1;
        self.first.get_or_insert(place);
    }
}

/// The repairs that it took to make walkable space out of the chains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Segments that crossed and were joined in a new point.
    pub crossings: Tally,
    /// Segments that passed a vertex within half a unit and were led through it.
    pub bends: Tally,
    /// Edges that more than one chain runs along.
    pub overlaps: Tally,
    /// Edges that separate nothing (inside a union, spikes, walls outside) and were dissolved.
    pub dissolved: Tally,
}

/// Walkable triangles: the result of an arrangement.
#[derive(Clone, Debug)]
pub struct Floor {
    /// The triangulation; its only marks are [`WALL`].
    pub triangulation: Triangulation,
    /// For each triangle, true if it is walkable.
    pub free: Vec<bool>,
    /// The repairs that were made.
    pub repairs: Repairs,
}

/// The reason why chains cannot be arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrangeError {
    /// More crossings than the step limit allows; a segment near this point was being resolved.
    TooTangled(Point),
    /// More than [`MAX_NESTING`] rings inside each other, around this point.
    TooDeep(Point),
}

impl fmt::Display for ArrangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrangeError::TooTangled(_) => write!(
                f,
                "too many crossings (limit: {STEPS_PER_SEGMENT} steps per segment plus {FREE_STEPS})"
            ),
            ArrangeError::TooDeep(_) => write!(f, "rings nested more than {MAX_NESTING} deep"),
        }
    }
}

/// Finds the walkable triangles of `chains`.
pub fn arrange(chains: &[Chain]) -> Result<Floor, ArrangeError> {
    let points: Vec<Point> = chains.iter().flat_map(|c| c.points.iter().copied()).collect();
    let (triangulation, vertex_of) = Triangulation::of_points(&points);
    let mut builder = Builder::new(triangulation);
    builder.insert_segments(&segments_in_order(chains, &vertex_of))?;
    let free = builder.free_triangles(chains)?;
    Ok(builder.into_floor(chains, free))
}

/// As [`arrange`], but what the chains enclose is walkable too, see [`Enclosure`].
pub fn arrange_enclosed(chains: &[Chain], rules: &Enclosure) -> Result<(Floor, Enclosed), ArrangeError> {
    let points: Vec<Point> = chains.iter().flat_map(|c| c.points.iter().copied()).collect();
    let (triangulation, vertex_of) = Triangulation::of_points(&points);
    let mut builder = Builder::new(triangulation);
    builder.insert_segments(&segments_in_order(chains, &vertex_of))?;
    let mut free = builder.free_triangles(chains)?;
    let blocked = builder.blocked_triangles(chains);
    let enclosed = enclose::enclose(&mut builder.triangulation, &mut free, &blocked, rules);
    Ok((builder.into_floor(chains, free), enclosed))
}

/// A piece still to be inserted, from vertex to vertex. All chains along it move together: apart, they would be
/// rounded differently and cross each other for ever.
#[derive(Clone, Copy)]
struct Piece {
    /// The vertex at which it starts.
    from: u32,
    /// The vertex at which it ends.
    to: u32,
    /// The list of chains along it, in [`Labels`]; each knows whether it runs from `from` to `to`.
    list: u32,
}

/// All segments in order, each from its lower vertex to its higher one. Each has the index of its chain, and whether
/// the chain runs this way.
fn segments_in_order(chains: &[Chain], vertex_of: &[u32]) -> Vec<(u32, u32, u32, bool)> {
    let mut segments = Vec::with_capacity(vertex_of.len());
    let mut first = 0;
    for (index, chain) in chains.iter().enumerate() {
        for (i, j) in chain.segments() {
            let (a, b) = (vertex_of[first + i], vertex_of[first + j]);
            segments.push((a.min(b), a.max(b), index as u32, a < b));
        }
        first += chain.points.len();
    }
    segments.sort_unstable();
    segments
}

/// An arrangement in the making.
struct Builder {
    /// All points, with the pieces inserted so far as marked edges.
    triangulation: Triangulation,
    /// The chains along each marked edge.
    labels: Labels,
    /// Pieces still to be inserted, used as a stack.
    work: Vec<Piece>,
    /// The repairs so far.
    repairs: Repairs,
}

impl Builder {
    /// Starts with points and no segments.
    fn new(triangulation: Triangulation) -> Builder {
        Builder { triangulation, labels: Labels::default(), work: Vec::new(), repairs: Repairs::default() }
    }

    /// For each triangle, true if the roles of the chains make it walkable.
    fn free_triangles(&self, chains: &[Chain]) -> Result<Vec<bool>, ArrangeError> {
        let faces = Faces::of(&self.triangulation);
        let walkable = walkable::classify(chains, &self.triangulation, &self.labels, &faces)?;
        Ok(faces.of_triangle.iter().map(|face| walkable[*face as usize]).collect())
    }

    /// For each triangle, true if it lies in an obstacle.
    fn blocked_triangles(&self, chains: &[Chain]) -> Vec<bool> {
        let faces = Faces::of(&self.triangulation);
        let blocked = walkable::blocked(chains, &self.triangulation, &self.labels, &faces);
        faces.of_triangle.iter().map(|face| blocked[*face as usize]).collect()
    }

    /// Inserts segments. They must be in the order of their vertices, which makes the result independent of the order
    /// in which they were drawn.
    fn insert_segments(&mut self, segments: &[(u32, u32, u32, bool)]) -> Result<(), ArrangeError> {
        let mut budget = FREE_STEPS + STEPS_PER_SEGMENT * segments.len() as u64;
        for same in segments.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            let (from, to, ..) = same[0];
            let list = same.iter().fold(0, |list, segment| self.labels.extended(list, segment.2, segment.3));
            self.work.push(Piece { from, to, list });
            while let Some(piece) = self.work.pop() {
                if budget == 0 {
                    return Err(ArrangeError::TooTangled(self.triangulation.point(piece.from)));
                }
                budget -= 1;
                self.insert_piece(piece);
            }
        }
        Ok(())
    }

    /// Inserts the part of a piece that goes straight. The rest, and every edge that it disturbs, becomes work.
    fn insert_piece(&mut self, piece: Piece) {
        let Piece { from, to, list } = piece;
        if from == to {
            return;
        }
        let (reached, joined) = match self.triangulation.walk(from, to) {
            Walk::Joined(edge) => (to, Some(edge)),
            Walk::Through(v) => (v, self.triangulation.edges().find(from, v)),
            Walk::Crosses(crossed, end) => {
                if let Some(via) = self.near_vertex(from, to, &crossed) {
                    return self.bend(piece, via);
                }
                // Any mark keeps the new edge in place until its label is written below.
                self.triangulation.force(from, end, crossed, labels::PLACEHOLDER);
                (end, self.triangulation.edges().find(from, end))
            }
            Walk::Blocked(mut crossed, edge) => {
                crossed.push(edge);
                return match self.near_vertex(from, to, &crossed) {
                    Some(via) => self.bend(piece, via),
                    None => self.resolve_crossing(piece, edge),
                };
            }
        };
        if let Some(edge) = joined {
            let list = self.labels.directed(list, from < reached);
            let mark = self.labels.joined(list, self.triangulation.edges().mark(edge));
            self.triangulation.set_mark(edge, mark);
        }
        if reached != to {
            self.work.push(Piece { from: reached, ..piece });
        }
    }

    /// The first vertex along the way whose pixel the segment meets, among the ends of the edges that it crosses.
    /// Leading the segment through it keeps nearly equal segments from zigzagging across each other.
    fn near_vertex(&self, from: u32, to: u32, crossed: &[u32]) -> Option<u32> {
        let edges = self.triangulation.edges();
        let (a, b) = (self.triangulation.point(from), self.triangulation.point(to));
        // Consecutive edges share an end, which is tested once.
        let mut before = [NONE; 2];
        let ends = crossed.iter().flat_map(|e| {
            let ends = [edges.origin(*e), edges.target(*e)];
            let known = std::mem::replace(&mut before, ends);
            ends.into_iter().filter(move |v| !known.contains(v))
        });
        ends.filter(|v| *v >= BOX_VERTICES && meets_pixel(a, b, self.triangulation.point(*v)))
            .min_by_key(|v| (self.triangulation.point(*v).distance_squared(a), *v))
    }

    /// Leads a piece through a vertex beside it. Both halves are shorter, so this ends.
    fn bend(&mut self, piece: Piece, via: u32) {
        self.repairs.bends.add(self.triangulation.point(via));
        self.work.push(Piece { from: via, ..piece });
        self.work.push(Piece { to: via, ..piece });
    }

    /// Leads `piece` and the constraint `edge` that it crosses through one grid point.
    fn resolve_crossing(&mut self, piece: Piece, edge: u32) {
        let edges = self.triangulation.edges();
        let (c, d) = (edges.origin(edge), edges.target(edge));
        let [pa, pb, pc, pd] = [piece.from, piece.to, c, d].map(|v| self.triangulation.point(v));
        let meeting = crossing(pa, pb, pc, pd);
        self.repairs.crossings.add(meeting);
        let known = [(pa, piece.from), (pb, piece.to), (pc, c), (pd, d)];
        let via = match known.iter().find(|(point, _)| *point == meeting) {
            Some((_, v)) => *v,
            None => self.insert_point(meeting),
        };
        if via != c && via != d {
            // The constraint may be gone or split by now if the new point fell on it or flipped around it.
            if let Some(edge) = self.triangulation.edges().find(c, d) {
                self.reroute(edge, via);
            }
        }
        if via == piece.from || via == piece.to {
            self.work.push(piece);
        } else {
            self.work.push(Piece { from: via, ..piece });
            self.work.push(Piece { to: via, ..piece });
        }
    }

    /// Takes the chains off `edge`, and queues them to be led through `via` instead.
    fn reroute(&mut self, edge: u32, via: u32) {
        let edges = self.triangulation.edges();
        let (c, d, mark) = (edges.origin(edge), edges.target(edge), edges.mark(edge));
        self.lead_through(c, d, mark, via);
        self.triangulation.release(edge);
    }

    /// Inserts a point. Chains that run exactly through it are led through its vertex.
    fn insert_point(&mut self, point: Point) -> u32 {
        let Place::Edge(edge) = self.triangulation.locate(point) else {
            return self.triangulation.insert(point);
        };
        let edges = self.triangulation.edges();
        let (c, d, mark) = (edges.origin(edge), edges.target(edge), edges.mark(edge));
        self.triangulation.set_mark(edge, 0);
        let v = self.triangulation.split_edge(edge, point);
        self.lead_through(c, d, mark, v);
        v
    }

    /// Queues the chains of the edge c–d to be led through `via`.
    fn lead_through(&mut self, c: u32, d: u32, mark: u32, via: u32) {
        if mark != 0 {
            let list = self.labels.directed(mark, c < d);
            self.work.push(Piece { from: via, to: d, list });
            self.work.push(Piece { from: c, to: via, list });
        }
    }

    /// Turns labels into walls where they separate something. Rebuilds the triangulation if vertices without walls
    /// remain.
    fn into_floor(mut self, chains: &[Chain], free: Vec<bool>) -> Floor {
        let mut on_wall = vec![false; self.triangulation.points().len()];
        for e in 0..self.triangulation.edges().len() {
            let edges = self.triangulation.edges();
            let twin = edges.twin(e);
            if edges.mark(e) == 0 || twin == NONE || e > twin {
                continue;
            }
            let (left, right) = (free[e as usize / 3], free[twin as usize / 3]);
            let (a, b, mark) = (edges.origin(e), edges.target(e), edges.mark(e));
            let place = self.triangulation.point(a);
            if self.labels.is_shared(mark) {
                self.repairs.overlaps.add(place);
            }
            // A wall of no thickness counts only inside walkable space; outside it separates nothing.
            let thin = self.labels.iter(mark).any(|(chain, _)| chains[chain as usize].role == Role::Wall);
            if left != right || (thin && left) {
                on_wall[a as usize] = true;
                on_wall[b as usize] = true;
                self.triangulation.set_mark(e, WALL);
            } else {
                self.repairs.dissolved.add(place);
                self.triangulation.set_mark(e, 0);
            }
        }
        let left_over = self.triangulation.vertices().any(|v| !on_wall[v as usize]);
        let floor = Floor { triangulation: self.triangulation, free, repairs: self.repairs };
        if left_over || floor.repairs.dissolved.count > 0 { segments::walls_alone(floor) } else { floor }
    }
}

#[cfg(test)]
mod tests;
