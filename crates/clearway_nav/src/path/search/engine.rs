//! The search itself: nodes in the order of the least length a path through them can have.
//!
//! A* over beams and arcs. The estimates never exceed the true rest, and arrivals that another path beats
//! everywhere are dropped, so that the first goal whose length no open node can beat is the shortest.

use super::scratch::{Goal, Kind, Node, Root, SearchSpace};
use crate::mesh::{CellGraph, NavMesh};
use crate::tolerances::lengths::SAME_LENGTH;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;

/// No search on a sound mesh comes near this many expansions. On a mesh with flaws, whose cells overlap or are not convex,
/// a ray may run in circles: then the search ends here.
const MOST_EXPANSIONS: u64 = 1 << 20;
/// See [`MOST_EXPANSIONS`].
const EXPANSIONS_PER_SIDE: u64 = 1 << 12;

/// What carries over from one slice of a search to the next, beside the room it works in.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// In grid units.
    pub radius: f64,
    /// Lengths that differ by less count as equal; in grid units.
    pub slack: f64,
    /// Estimates are multiplied by this; 1 for the shortest path.
    pub weight: f64,
    /// Only paths shorter than this are of interest; in grid units.
    pub limit: f64,
    pub best: Option<Found>,
    pub expansions: u64,
    /// Whether distances to all vertices are wanted in place of a path.
    pub is_survey: bool,
    /// Whether every leg is checked against all walls before a path may use it.
    pub checks_legs: bool,
}

/// A way to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub length: f64,
    pub root: u32,
    /// The direction in which it leaves the root.
    pub direction: Vec2,
    pub goal: u32,
}

impl State {
    pub fn new(layout: &CellGraph, radius: f64, weight: f64) -> State {
        State {
            radius,
            slack: SAME_LENGTH * layout.extent,
            weight,
            limit: f64::INFINITY,
            best: None,
            expansions: 0,
            is_survey: false,
            checks_legs: false,
        }
    }
}

pub(super) struct Engine<'a> {
    pub mesh: &'a NavMesh,
    pub layout: &'a CellGraph,
    pub space: &'a mut SearchSpace,
    pub state: &'a mut State,
    pub radius: f64,
    pub slack: f64,
}

impl<'a> Engine<'a> {
    pub fn new(mesh: &'a NavMesh, space: &'a mut SearchSpace, state: &'a mut State) -> Engine<'a> {
        let (radius, slack) = (state.radius, state.slack);
        Engine { mesh, layout: mesh.graph(), space, state, radius, slack }
    }

    /// Makes everything ready and looks around from the start. `false` if no goal can be reached by any body.
    pub fn begin(&mut self, start: Vec2, cell: u32, goals: impl Iterator<Item = Goal>) -> bool {
        self.space.clear();
        self.space.goals.extend(goals);
        self.space.arrivals.clear(self.layout.corner_of.len());
        self.space.memory.prepare(self.mesh, self.radius);
        self.space.goal_cells.clear(self.layout.cell_count());
        self.space.blocks.clear(self.layout.blocks.len());
        self.space.potentials.is_on = false;
        if !self.state.is_survey {
            if !self.mark_blocks(cell) {
                return false;
            }
            self.mark_goal_cells();
            self.prepare_potentials();
        }
        self.space.roots.push(Root {
            at: start,
            turn: 0.0,
            vertex: NONE,
            parent: NONE,
            length: 0.0,
            arrival: Vec2::new(1.0, 0.0),
            angle: 0.0,
            arc: 0,
            cell,
        });
        let mut cells = std::mem::take(&mut self.space.cells);
        self.mesh.cells_at(start, cell, &mut cells);
        for cell in cells.iter().copied() {
            if self.radius > 0.0 {
                self.start_disc(0, cell);
            } else {
                self.start_point(0, cell);
            }
        }
        self.space.cells = cells;
        self.queue_fresh();
        true
    }

    /// Marks the blocks that lead from the start to the goals; `false` if there is a goal that none leads to, and
    /// no other. Goals that cannot be reached are left out.
    fn mark_blocks(&mut self, cell: u32) -> bool {
        let SearchSpace { goals, blocks, .. } = &mut *self.space;
        goals.retain(|goal| self.layout.blocks.between(cell, goal.cell, |block| blocks.set(block, 0)));
        !goals.is_empty()
    }

    /// Marks the cells from which a straight line may lead to a goal: those that hold it, or come within the radius
    /// of it.
    fn mark_goal_cells(&mut self) {
        let mut pairs = std::mem::take(&mut self.space.goal_pairs);
        pairs.clear();
        let mut cells = std::mem::take(&mut self.space.cells);
        for (number, goal) in self.space.goals.iter().enumerate() {
            self.mesh.cells_at(goal.at, goal.cell, &mut cells);
            if self.radius > 0.0 {
                let reach = self.space.memory.reach_of_goals();
                let flood = &mut self.space.memory.flood;
                let near = (goal.at, goal.at);
                let holding = cells.len();
                let mut found = std::mem::take(&mut self.space.found);
                found.clear();
                flood.cells(self.layout, &cells[..holding], near, reach, |cell| found.push(cell));
                std::mem::swap(&mut cells, &mut found);
                self.space.found = found;
            }
            pairs.extend(cells.iter().map(|cell| (*cell, number as u32)));
        }
        pairs.sort_unstable();
        for (place, (cell, _)) in pairs.iter().enumerate().rev() {
            self.space.goal_cells.set(*cell, place as u32);
        }
        self.space.goal_pairs = pairs;
        self.space.cells = cells;
    }

    /// The goals near a cell, by number.
    #[inline]
    pub fn goals_near(&self, cell: u32) -> Option<std::ops::Range<usize>> {
        let first = self.space.goal_cells.get(cell)? as usize;
        let count = self.space.goal_pairs[first..].iter().take_while(|pair| pair.0 == cell).count();
        Some(first..first + count)
    }

    /// Goes on for at most `budget` expansions; whether the search is over.
    pub fn run(&mut self, mut budget: u64) -> bool {
        while let Some(Reverse((least, number))) = self.space.open.peek().copied() {
            if self.state.best.is_some_and(|best| f64::from_bits(least) >= best.length) {
                return true;
            }
            if budget == 0 {
                return false;
            }
            if self.runs_in_circles() {
                return true;
            }
            self.space.open.pop();
            let mut node = self.space.nodes[number as usize];
            loop {
                budget -= 1;
                self.state.expansions += 1;
                self.expand(&node);
                match if budget > 0 { self.only_fresh() } else { None } {
                    Some(next) => node = next,
                    None => break,
                }
            }
            self.queue_fresh();
        }
        true
    }

    /// Whether there were more expansions than on any sound mesh.
    pub(super) fn runs_in_circles(&self) -> bool {
        self.state.expansions > MOST_EXPANSIONS + EXPANSIONS_PER_SIDE * self.layout.start.len() as u64
    }

    /// The only node that the last expansion made, if it comes next anyway: it need not wait in the queue.
    fn only_fresh(&mut self) -> Option<Node> {
        let [(least, node)] = self.space.fresh[..] else { return None };
        let waits = |Reverse((other, _)): &Reverse<(u64, u32)>| *other <= least.to_bits();
        if self.space.open.peek().is_some_and(waits)
            || self.state.best.is_some_and(|best| least >= best.length)
        {
            return None;
        }
        self.space.fresh.clear();
        Some(node)
    }

    pub(super) fn expand(&mut self, node: &Node) {
        match (node.kind, self.radius > 0.0) {
            (Kind::Beam, false) => self.expand_beam_point(node),
            (Kind::Arc, false) => self.expand_arc_point(node),
            (Kind::Beam, true) => self.expand_beam_disc(node),
            (Kind::Arc, true) => self.expand_arc_disc(node),
        }
    }

    pub(super) fn queue_fresh(&mut self) {
        let SearchSpace { fresh, nodes, open, .. } = &mut *self.space;
        for (least, node) in fresh.drain(..) {
            open.push(Reverse((least.to_bits(), nodes.len() as u32)));
            nodes.push(node);
        }
    }

    /// Adds a node: `length` is behind it, at least `rest` lies before it.
    #[inline]
    pub fn push(&mut self, length: f64, rest: f64, node: Node) {
        let least = length + rest * self.state.weight;
        // NaN, from a mesh that is no mesh, is dropped as well.
        let limit = self.state.best.map_or(self.state.limit, |best| best.length);
        if least >= 0.0 && least < limit {
            self.space.fresh.push((least, node));
        }
    }

    /// Takes note of a way to a goal.
    pub fn found(&mut self, found: Found) {
        if found.length < self.state.best.map_or(self.state.limit, |best| best.length) {
            self.state.best = Some(found);
        }
    }

    /// Whether a path between start and goals can lead through this side.
    ///
    /// A point never leaves the blocks between them. A disc may have to: where the places for it on a bridge fall
    /// apart, it swings through the pocket beyond to get from one to the other; and in a block that hangs on a cell it
    /// may get around what is too narrow in the cell. Bridges with one interval are safe: straight along them is
    /// shorter than through and back.
    #[inline]
    pub fn allows(&self, side: usize) -> bool {
        let block = self.layout.packed[side].block;
        self.state.is_survey || self.space.blocks.get(block).is_some() || self.allows_aside(side, block)
    }

    fn allows_aside(&self, side: usize, block: u32) -> bool {
        self.radius > 0.0
            && (!self.layout.blocks.is_bridge[block as usize]
                || self.space.memory.splits(self.mesh.parts.sides[side].portal))
    }

    /// The distance to the nearest goal as the crow flies.
    #[inline]
    pub fn distance_to_goal(&self, at: Vec2) -> f64 {
        let distances = self.space.goals.iter().map(|goal| goal.at.distance(at));
        if self.state.is_survey { 0.0 } else { distances.fold(f64::INFINITY, f64::min) }
    }
}
