//! The room a search works in: open nodes, roots, arrivals, and what is remembered for a radius.

use super::landmarks::{Potentials, Survey};
use super::radius_cache::RadiusMemory;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Room for searches. Handed to one search after the other it makes them free of allocation, and it remembers
/// what was found out about the last mesh and radius.
#[derive(Debug, Default)]
pub struct SearchSpace {
    pub(super) open: BinaryHeap<Reverse<(u64, u32)>>,
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<Root>,
    /// Nodes that the present expansion made, with the least length of a path through each.
    pub(super) fresh: Vec<(f64, Node)>,
    pub(super) arrivals: Arrivals,
    pub(super) goals: Vec<Goal>,
    /// Cells from which a goal may be seen directly, each with its place in `goal_pairs`.
    pub(super) goal_cells: Stamps,
    /// Cells and the goals near them, sorted.
    pub(super) goal_pairs: Vec<(u32, u32)>,
    /// Blocks through which the path may run.
    pub(super) blocks: Stamps,
    pub(super) memory: RadiusMemory,
    pub(super) survey: Survey,
    pub(super) potentials: Potentials,
    pub(super) rays: Vec<super::disc::Tangents>,
    pub(super) cells: Vec<u32>,
    pub(super) found: Vec<u32>,
}

impl SearchSpace {
    /// Empty room; the first searches fill it.
    pub fn new() -> SearchSpace {
        SearchSpace::default()
    }

    /// Forgets the last search, but not what is remembered for its mesh and radius.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.nodes.clear();
        self.roots.clear();
        self.fresh.clear();
        self.goals.clear();
    }
}

/// A goal in grid units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub at: Vec2,
    pub cell: u32,
}

/// Where a path last turned: the start, or a body around a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    /// The start, or the corner.
    pub at: Vec2,
    /// +1 where it turns left around the corner, -1 where it turns right, 0 at the start.
    pub turn: f64,
    /// The vertex of the corner; [`NONE`] at the start.
    pub vertex: u32,
    /// The root before; [`NONE`] at the start.
    pub parent: u32,
    /// The length of the path up to where it touches the corner.
    pub length: f64,
    /// The direction in which it arrives; of length one where the body has a radius.
    pub arrival: Vec2,
    /// The angle of the place of touch in the normal cone of the corner.
    pub angle: f64,
    /// Which of the free arcs around the corner it is on.
    pub arc: u32,
    /// The cell in which it touches the corner.
    pub cell: u32,
}

/// A set of path ends to look at: directions from a root, through a side or along an arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub root: u32,
    pub cell: u32,
    /// For a beam the side of `cell` through which it enters, for an arc of a point the side at the corner.
    pub side: u32,
    pub kind: Kind,
    /// The rightmost and leftmost direction; for an arc of a point the first of them is where it starts.
    pub right: Vec2,
    pub left: Vec2,
    /// The vertex that bounds it on either side and around which it may turn further on; [`NONE`] if there is none.
    pub right_at: u32,
    pub left_at: u32,
    /// How far the body has turned around the corner of the root before it leaves: the least angle of a beam, the
    /// present angle of an arc.
    pub turned: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Beam,
    Arc,
}

/// A stamp and a number for each of many things; forgotten all at once.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    stamps: Vec<(u32, u32)>,
    round: u32,
}

impl Stamps {
    pub fn clear(&mut self, count: usize) {
        if self.stamps.len() < count || self.round == u32::MAX {
            self.stamps.clear();
            self.stamps.resize(count, (0, 0));
            self.round = 0;
        }
        self.round += 1;
    }

    #[inline]
    pub fn set(&mut self, index: u32, value: u32) {
        self.stamps[index as usize] = (self.round, value);
    }

    #[inline]
    pub fn get(&self, index: u32) -> Option<u32> {
        let (round, value) = self.stamps[index as usize];
        (round == self.round).then_some(value)
    }
}

/// At which lengths, and where around each corner, paths have arrived so far.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    last: Stamps,
    list: Vec<Arrival>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub length: f64,
    pub angle: f64,
    pub arc: u32,
    pub turn: f64,
    pub direction: Vec2,
    next: u32,
}

impl Arrivals {
    pub fn clear(&mut self, vertices: usize) {
        self.last.clear(vertices);
        self.list.clear();
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

    pub fn note(&mut self, root: &Root) {
        let next = self.last.get(root.vertex).unwrap_or(NONE);
        self.last.set(root.vertex, self.list.len() as u32);
        let Root { length, angle, arc, turn, arrival: direction, .. } = *root;
        self.list.push(Arrival { length, angle, arc, turn, direction, next });
    }
}
