//! The scratch buffer of a search: open nodes, roots, arrivals, and the memory for a radius.
//!
//! All of it is kept from search to search. Lists are emptied, and tables by vertex or cell are invalidated by a round
//! number ([`Stamps`]). So a search costs nothing for the parts of the mesh that it does not touch.

use super::landmarks::{Potentials, Survey};
use super::radius_cache::RadiusMemory;
use super::tangents::Scratch;
use crate::mesh::NavMesh;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of radii that are remembered beside the last one. Each takes about 40 bytes per cell and corner.
const EARLIER_RADII: usize = 3;

/// A scratch buffer for searches. Handed to one search after the other, it makes them free of allocation. It also
/// remembers what earlier searches found out about the last mesh and radius.
#[derive(Debug, Default)]
pub struct SearchSpace {
    /// Open nodes by the bits of their least length, which sort as the lengths do because none is negative.
    pub(super) open: BinaryHeap<Reverse<(u64, u32)>>,
    /// All nodes that were queued.
    pub(super) nodes: Vec<Node>,
    /// All roots; the start is the first.
    pub(super) roots: Vec<Root>,
    /// The nodes that the present expansion made, with the least length of a path through each.
    pub(super) fresh: Vec<(f64, Node)>,
    /// The arrivals at corners so far.
    pub(super) arrivals: Arrivals,
    /// The goals of the search.
    pub(super) goals: Vec<Goal>,
    /// Cells from which a goal may be seen directly, each with the index of its first entry in `goal_pairs`.
    pub(super) goal_cells: Stamps,
    /// Cells and the goals near them, sorted.
    pub(super) goal_pairs: Vec<(u32, u32)>,
    /// The blocks through which the path may run.
    pub(super) blocks: Stamps,
    /// Free arcs, near corners and blockers for the last mesh and radius.
    pub(super) memory: RadiusMemory,
    /// The same for the meshes and radii before, the last one last.
    earlier: Vec<RadiusMemory>,
    /// Distances to all vertices, for surveys.
    pub(super) survey: Survey,
    /// Lower bounds by landmarks.
    pub(super) potentials: Potentials,
    /// The search among tangents.
    pub(super) tangents: Scratch,
    /// The tangents past the vertices of the cell at hand.
    pub(super) rays: Vec<super::disc::Tangents>,
    /// Cells that hold a place.
    pub(super) cells: Vec<u32>,
    /// Cells that a flood found.
    pub(super) found: Vec<u32>,
    /// Cells that were entered, on a mesh that is edited.
    pub(super) entered: Stamps,
}

impl SearchSpace {
    /// Returns an empty buffer; the first searches fill it.
    pub fn new() -> SearchSpace {
        SearchSpace::default()
    }

    /// Takes up the memory for a mesh and a radius. A few radii are remembered, so that bodies of several sizes may
    /// take turns.
    pub(super) fn recall(&mut self, mesh: &NavMesh, radius: f64) {
        if self.memory.is_for(mesh, radius) {
            return;
        }
        let known = self.earlier.iter().position(|memory| memory.is_for(mesh, radius));
        let next = match known {
            Some(known) => self.earlier.remove(known),
            None if self.earlier.len() >= EARLIER_RADII => self.earlier.remove(0),
            None => RadiusMemory::default(),
        };
        self.earlier.push(std::mem::replace(&mut self.memory, next));
        self.memory.prepare(mesh, radius);
    }

    /// Forgets the last search, but not the memory for its mesh and radius.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.nodes.clear();
        self.roots.clear();
        self.fresh.clear();
        self.goals.clear();
    }
}

/// A goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::path) struct Goal {
    /// Its place in grid units.
    pub at: Vec2,
    /// The cell that holds it.
    pub cell: u32,
}

/// The point where a path last turned: the start, or a corner that the body turns around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    /// The start, or the corner.
    pub at: Vec2,
    /// +1 if the path turns left around the corner, -1 if it turns right, 0 at the start.
    pub turn: f64,
    /// The vertex of the corner; [`NONE`] at the start.
    pub vertex: u32,
    /// The root before; [`NONE`] at the start.
    pub parent: u32,
    /// The length of the path up to where it touches the corner, in grid units.
    pub length: f64,
    /// The direction in which it arrives. It has length one if the body has a radius.
    pub arrival: Vec2,
    /// The angle of the place of touch in the normal cone of the corner, in radians.
    pub angle: f64,
    /// The index of the free arc around the corner that it is on.
    pub arc: u32,
    /// The cell in which it touches the corner.
    pub cell: u32,
}

impl Root {
    /// Returns the root of a search that starts at a place in a cell.
    pub fn start(at: Vec2, cell: u32) -> Root {
        Root {
            at,
            turn: 0.0,
            vertex: NONE,
            parent: NONE,
            length: 0.0,
            arrival: Vec2::new(1.0, 0.0),
            angle: 0.0,
            arc: 0,
            cell,
        }
    }
}

/// A set of path ends to expand: directions from a root, through a side or along an arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The root, by its index.
    pub root: u32,
    /// The cell that the beam enters, or in which the arc lies.
    pub cell: u32,
    /// For a beam the side of `cell` through which it enters; for an arc of a point the side at the corner.
    pub side: u32,
    /// A beam or an arc.
    pub kind: Kind,
    /// The rightmost direction. For an arc of a point, `right` and `left` both are the direction in which it starts.
    /// For an arc of a disc, `right` is the normal at the place of touch.
    pub right: Vec2,
    /// The leftmost direction.
    pub left: Vec2,
    /// The vertex that bounds it on the right and around which it may turn further on; [`NONE`] if there is none.
    pub right_at: u32,
    /// The same on the left. An arc of a disc counts here the steps in which it did not get on.
    pub left_at: u32,
    /// The angle by which the body has turned around the corner of the root before it leaves, in radians: the least one
    /// of a beam, the present one of an arc.
    pub turned: f64,
}

/// The two kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rays from a root that pass through a side.
    Beam,
    /// A turn around the corner of the root.
    Arc,
}

/// A number for each of many indices. All of them are forgotten at once, in constant time.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    /// For each index the round in which it was set, and its number.
    stamps: Vec<(u32, u32)>,
    /// The present round. Entries of earlier rounds do not count.
    round: u32,
}

impl Stamps {
    /// Forgets all numbers and makes indices below `count` valid.
    pub fn clear(&mut self, count: usize) {
        // The round must not wrap around: old entries would count again.
        if self.stamps.len() < count || self.round == u32::MAX {
            self.stamps.clear();
            self.stamps.resize(count, (0, 0));
            self.round = 0;
        }
        self.round += 1;
    }

    /// Makes indices below `count` valid and forgets nothing.
    pub fn grow(&mut self, count: usize) {
        self.stamps.resize(count.max(self.stamps.len()), (0, 0));
    }

    /// True if the number of an index was set; false for an index that is not valid.
    pub fn has(&self, index: u32) -> bool {
        self.stamps.get(index as usize).is_some_and(|(round, _)| *round == self.round && *round > 0)
    }

    /// Sets the number of an index.
    #[inline]
    pub fn set(&mut self, index: u32, value: u32) {
        self.stamps[index as usize] = (self.round, value);
    }

    /// Returns the number of an index, if it was set since the last `clear`.
    #[inline]
    pub fn get(&self, index: u32) -> Option<u32> {
        let (round, value) = self.stamps[index as usize];
        (round == self.round).then_some(value)
    }
}

/// The paths that have arrived at each corner so far, as linked lists by vertex.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    /// The index of the latest arrival at each vertex.
    last: Stamps,
    /// All arrivals.
    list: Vec<Arrival>,
}

/// A path that arrived at a corner; see [`Root`] for the fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// The length of the path in grid units.
    pub length: f64,
    /// The angle of the place of touch in the normal cone, in radians.
    pub angle: f64,
    /// The index of the free arc.
    pub arc: u32,
    /// The sense of the turn.
    pub turn: f64,
    /// The direction in which it arrived.
    pub direction: Vec2,
    /// The arrival before it at this vertex; [`NONE`] for the first.
    next: u32,
}

impl Arrivals {
    /// Forgets all arrivals.
    pub fn clear(&mut self, vertices: usize) {
        self.last.clear(vertices);
        self.list.clear();
    }

    /// Makes vertices below a number valid.
    pub fn grow(&mut self, vertices: usize) {
        self.last.grow(vertices);
    }

    /// The arrivals at a vertex, the latest first.
    #[inline]
    pub fn at(&self, vertex: u32) -> impl Iterator<Item = &Arrival> {
        let mut next = self.last.get(vertex).unwrap_or(NONE);
        std::iter::from_fn(move || {
            let arrival = self.list.get(next as usize)?;
            next = arrival.next;
            Some(arrival)
        })
    }

    /// Adds the arrival of a root.
    pub fn note(&mut self, root: &Root) {
        let next = self.last.get(root.vertex).unwrap_or(NONE);
        self.last.set(root.vertex, self.list.len() as u32);
        let Root { length, angle, arc, turn, arrival: direction, .. } = *root;
        self.list.push(Arrival { length, angle, arc, turn, direction, next });
    }
}
