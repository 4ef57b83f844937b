//! The search itself: takes nodes in the order of the least length that a path through them can have.
//!
//! It is an A* over beams and arcs. Estimates never exceed the true rest. Arrivals that another path beats everywhere
//! are dropped. So the first goal whose length no open node can beat is the shortest. Each expansion costs as much as
//! the cell has sides; the queue adds O(log n).

use super::scratch::{Goal, Kind, Node, Root, SearchSpace};
use crate::mesh::{CellGraph, NavMesh};
use crate::tolerances::lengths::SAME_LENGTH;
use clearway_geometry::Vec2;
use std::cmp::Reverse;

/// The search ends after this many expansions, and [`EXPANSIONS_PER_SIDE`] more for each side of the mesh. No search on
/// a sound mesh comes near the sum. On a mesh with flaws, whose cells overlap or are not convex, a ray may run in
/// circles.
const MOST_EXPANSIONS: u64 = 1 << 20;
/// The expansions per side that are added to [`MOST_EXPANSIONS`]. Large meshes need more expansions than small ones.
const EXPANSIONS_PER_SIDE: u64 = 1 << 12;

/// The state that carries over from one slice of a search to the next, beside the scratch buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The radius of the body, in grid units.
    pub radius: f64,
    /// Lengths that differ by less count as equal; in grid units.
    pub slack: f64,
    /// The factor of estimates; 1 for the shortest path. Larger factors find longer paths sooner.
    pub weight: f64,
    /// Only paths shorter than this are of interest; in grid units.
    pub limit: f64,
    /// The shortest way to a goal so far.
    pub best: Option<Found>,
    /// The number of expansions so far.
    pub expansions: u64,
    /// True if distances to all vertices are wanted in place of a path.
    pub is_survey: bool,
    /// True if every leg is checked against all walls before a path may use it.
    pub checks_legs: bool,
    /// True if the cells that are entered are noted, so that the search may go on after an edit.
    pub tracks: bool,
}

/// A way to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Its length in grid units.
    pub length: f64,
    /// The root at which it turns last.
    pub root: u32,
    /// The direction in which it leaves the root.
    pub direction: Vec2,
    /// The goal, as an index into the goals of the search.
    pub goal: u32,
}

impl State {
    /// Returns the state before the first slice.
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
            tracks: false,
        }
    }
}

/// A search at work on one slice. Its methods stand in several files: `point` for points, `disc`, `arc`, `beam_gap` and
/// `corner_touch` for discs, `landmarks` for lower bounds.
pub(super) struct Engine<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// Its flat lists by side.
    pub layout: &'a CellGraph,
    /// The scratch buffer.
    pub space: &'a mut SearchSpace,
    /// The state that outlives the slice.
    pub state: &'a mut State,
    /// A copy of the radius in the state, for hot loops.
    pub radius: f64,
    /// A copy of the slack in the state, for hot loops.
    pub slack: f64,
}

impl<'a> Engine<'a> {
    /// Takes up a search for one slice.
    pub fn new(mesh: &'a NavMesh, space: &'a mut SearchSpace, state: &'a mut State) -> Engine<'a> {
        let (radius, slack) = (state.radius, state.slack);
        Engine { mesh, layout: mesh.graph(), space, state, radius, slack }
    }

    /// Prepares the scratch buffer and looks around from the start. Returns `false` if no goal can be reached by any
    /// body.
    pub fn begin(&mut self, start: Vec2, cell: u32, goals: impl Iterator<Item = Goal>) -> bool {
        self.space.clear();
        self.space.goals.extend(goals);
        self.space.arrivals.clear(self.layout.corner_of.len());
        self.space.recall(self.mesh, self.radius);
        self.space.goal_cells.clear(self.layout.cell_slots());
        self.space.blocks.clear(self.layout.blocks.len());
        self.space.potentials.is_on = false;
        if self.state.tracks {
            self.space.entered.clear(self.layout.cell_slots());
        }
        if !self.state.is_survey {
            if !self.mark_blocks(cell) {
                return false;
            }
            self.mark_goal_cells();
            self.prepare_potentials();
        }
        self.space.roots.push(Root::start(start, cell));
        let mut cells = std::mem::take(&mut self.space.cells);
        // A start on a side or a vertex belongs to several cells.
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

    /// Marks the blocks that lead from the start to the goals, and removes goals that cannot be reached. Returns
    /// `false` if no goal is left.
    fn mark_blocks(&mut self, cell: u32) -> bool {
        let SearchSpace { goals, blocks, .. } = &mut *self.space;
        // Blocks form a tree, so that the blocks between two cells are the only ones a simple way needs.
        goals.retain(|goal| self.layout.blocks.between(cell, goal.cell, |block| blocks.set(block, 0)));
        !goals.is_empty()
    }

    /// Marks the cells from which a straight line may lead to a goal. These are the cells that hold it, or come within
    /// the radius of it.
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
        // Backwards, so that the first pair of each cell is the one that stays.
        for (place, (cell, _)) in pairs.iter().enumerate().rev() {
            self.space.goal_cells.set(*cell, place as u32);
        }
        self.space.goal_pairs = pairs;
        self.space.cells = cells;
    }

    /// Returns the range of `goal_pairs` with the goals near a cell.
    #[inline]
    pub fn goals_near(&self, cell: u32) -> Option<std::ops::Range<usize>> {
        let first = self.space.goal_cells.get(cell)? as usize;
        let count = self.space.goal_pairs[first..].iter().take_while(|pair| pair.0 == cell).count();
        Some(first..first + count)
    }

    /// Continues for at most `budget` expansions. Returns true once the search is over.
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
            // A node that comes next anyway is expanded at once, without the queue.
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

    /// True if there were more expansions than on any sound mesh.
    pub(super) fn runs_in_circles(&self) -> bool {
        self.state.expansions > MOST_EXPANSIONS + EXPANSIONS_PER_SIDE * self.layout.start.len() as u64
    }

    /// Returns the only node that the last expansion made, if it comes next anyway. It need not wait in the queue.
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

    /// Expands a node, for a point or for a disc.
    pub(super) fn expand(&mut self, node: &Node) {
        if self.state.tracks {
            self.space.entered.set(node.cell, 0);
        }
        match (node.kind, self.radius > 0.0) {
            (Kind::Beam, false) => self.expand_beam_point(node),
            (Kind::Arc, false) => self.expand_arc_point(node),
            (Kind::Beam, true) => self.expand_beam_disc(node),
            (Kind::Arc, true) => self.expand_arc_disc(node),
        }
    }

    /// Moves the nodes that the last expansion made into the queue.
    pub(super) fn queue_fresh(&mut self) {
        let SearchSpace { fresh, nodes, open, .. } = &mut *self.space;
        for (least, node) in fresh.drain(..) {
            open.push(Reverse((least.to_bits(), nodes.len() as u32)));
            nodes.push(node);
        }
    }

    /// Adds a node. A path through it has walked `length`, and has at least `rest` to go.
    #[inline]
    pub fn push(&mut self, length: f64, rest: f64, node: Node) {
        let least = length + rest * self.state.weight;
        // NaN, which a mesh with flaws may cause, fails the comparison and is dropped as well.
        let limit = self.state.best.map_or(self.state.limit, |best| best.length);
        if least >= 0.0 && least < limit {
            self.space.fresh.push((least, node));
        }
    }

    /// Keeps a way to a goal if it is the shortest so far.
    pub fn found(&mut self, found: Found) {
        if found.length < self.state.best.map_or(self.state.limit, |best| best.length) {
            self.state.best = Some(found);
        }
    }

    /// True if a path between start and goals can lead through this side.
    ///
    /// A point never leaves the blocks between them. A disc may have to. Where the places for it on a bridge fall
    /// apart, it swings through the pocket beyond to get from one to the other. In a block that hangs on a cell, it may
    /// get around a narrow spot of the cell. Bridges with one interval are safe: straight along them is shorter than
    /// through and back.
    #[inline]
    pub fn allows(&self, side: usize) -> bool {
        let block = self.layout.packed[side].block;
        self.state.is_survey || self.space.blocks.get(block).is_some() || self.allows_aside(side, block)
    }

    /// True if a disc may have to leave the marked blocks through this side.
    fn allows_aside(&self, side: usize, block: u32) -> bool {
        self.radius > 0.0
            && (!self.layout.blocks.is_bridge[block as usize]
                || self.space.memory.splits(self.mesh.parts.sides[side].portal))
    }

    /// Returns the distance to the nearest goal as the crow flies; 0 in a survey, which has no goal.
    #[inline]
    pub fn distance_to_goal(&self, at: Vec2) -> f64 {
        let distances = self.space.goals.iter().map(|goal| goal.at.distance(at));
        if self.state.is_survey { 0.0 } else { distances.fold(f64::INFINITY, f64::min) }
    }
}
