//! The border of walkable space as loops of corners, and the notches on it.
//!
//! A corner is a free sector between two walls that follow each other around a vertex. Touching holes, pinched rings
//! and thin walls give a vertex several corners. Working with corners instead of vertices keeps them apart.
//!
//! Cost: linear in the edges of the floor.

use super::convexity::Convexity;
use clearway_geometry::arrangement::{Floor, WALL};
use clearway_geometry::half_edges::next;
use clearway_geometry::predicates::is_convex_sector;
use clearway_geometry::{DisjointSets, NONE, Vector};

/// A free sector at a vertex: counter-clockwise from the wall that leaves it to the wall that reaches it.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// The vertex.
    pub vertex: u32,
    /// The direction in which the border goes on.
    pub onward: Vector,
    /// The direction back along the border.
    pub back: Vector,
}

impl Corner {
    /// True if the corner is wider than π.
    pub fn is_reflex(&self) -> bool {
        !is_convex_sector(self.onward, self.back)
    }
}

/// All border loops, with walkable space on their left.
pub struct Boundary {
    /// The corners of each loop, in order along the loop.
    pub loops: Vec<Vec<Corner>>,
    /// For each loop the number of the connected piece of walkable space that it bounds. Touching in a point does not
    /// connect.
    pub pieces: Vec<u32>,
}

impl Boundary {
    /// Traces the border of walkable space.
    pub fn of(floor: &Floor) -> Boundary {
        let edges = floor.triangulation.edges();
        let piece_of = connected_pieces(floor);
        let is_border = |e: u32| edges.mark(e) == WALL && floor.free[e as usize / 3];
        let mut seen = vec![false; edges.len() as usize];
        let mut boundary = Boundary { loops: Vec::new(), pieces: Vec::new() };
        for first in (0..edges.len()).filter(|e| is_border(*e)) {
            let corners = trace(floor, first, &mut seen);
            if !corners.is_empty() {
                boundary.loops.push(corners);
                boundary.pieces.push(piece_of[first as usize / 3]);
            }
        }
        boundary
    }

    /// The number of connected pieces.
    pub fn components(&self) -> usize {
        self.pieces.iter().max().map_or(0, |last| *last as usize + 1)
    }

    /// The number of loops beyond the first of each component.
    pub fn holes(&self) -> usize {
        self.loops.len() - self.components()
    }

    /// The number of corners that the rule does not allow to stay.
    pub fn notches(&self, rule: &Convexity) -> usize {
        self.loops.iter().map(|corners| count_notches(corners, rule)).sum()
    }

    /// The least number of pieces of any partition that the rule allows. A component with r notches and h holes needs
    /// at least ⌈r/2⌉ + 1 − h, because one cut settles at most two notches.
    pub fn lower_bound(&self, rule: &Convexity) -> usize {
        let mut notches = vec![0usize; self.components()];
        let mut loops = vec![0usize; self.components()];
        for (corners, piece) in self.loops.iter().zip(&self.pieces) {
            notches[*piece as usize] += count_notches(corners, rule);
            loops[*piece as usize] += 1;
        }
        // A component with l loops has l − 1 holes: ⌈r/2⌉ + 1 − (l − 1).
        let bound =
            |(notches, loops): (&usize, usize)| (notches.div_ceil(2) + 2).saturating_sub(loops).max(1);
        notches.iter().zip(loops).map(bound).sum()
    }
}

/// The number of notches of one loop.
fn count_notches(corners: &[Corner], rule: &Convexity) -> usize {
    corners.iter().filter(|c| !rule.allows(c.vertex, c.onward, c.back)).count()
}

/// The corners of the loop through border edge `first`; empty if the loop was seen before.
fn trace(floor: &Floor, first: u32, seen: &mut [bool]) -> Vec<Corner> {
    let mut corners = Vec::new();
    let mut at = first;
    while !seen[at as usize] {
        seen[at as usize] = true;
        let onward = following_wall(floor, at);
        corners.push(Corner {
            vertex: floor.triangulation.edges().origin(onward),
            onward: floor.triangulation.direction(onward),
            back: floor.triangulation.direction(at).reversed(),
        });
        at = onward;
    }
    corners
}

/// The wall that follows wall `e` along the border, turning through the free sector at its end.
fn following_wall(floor: &Floor, e: u32) -> u32 {
    let edges = floor.triangulation.edges();
    let mut at = next(e);
    while edges.mark(at) != WALL {
        at = next(edges.twin(at));
    }
    at
}

/// For each walkable triangle the number of its connected piece.
fn connected_pieces(floor: &Floor) -> Vec<u32> {
    let edges = floor.triangulation.edges();
    let is_free = |t: u32| floor.free[t as usize];
    let inner = (0..3 * floor.free.len() as u32)
        .filter(|e| is_free(e / 3) && edges.twin(*e) != NONE && edges.mark(*e) != WALL);
    let pairs = inner.map(|e| (e / 3, edges.twin(e) / 3));
    DisjointSets::joined(floor.free.len(), pairs).numbered_where(is_free).0
}
