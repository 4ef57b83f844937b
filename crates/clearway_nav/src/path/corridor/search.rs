//! A* over portals: finds the cells that a path runs through, not the path.
//!
//! A node is a side through which a cell is left. For a disc it is a side and one of the intervals on it where the disc
//! fits, named by the interval's first peak. Each node keeps one point: where the shortest way from the point before to
//! the goal meets the interval. This beats the middles of portals that Detour uses, at no cost.
//!
//! The peak graph says which intervals of a cell are connected, so a disc passes exactly where it fits. This holds also
//! where it must leave a cell through the portal by which it came, or enter a cell twice (section 7.7 of the NEOGEN
//! thesis).

use super::exits::{DiscExit, Exits, PointExit};
use crate::mesh::{CellGraph, NavMesh};
use crate::path::search::Potentials;
use crate::tolerances::shares::SAME_ESTIMATE;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Start or goal of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Its position in grid units.
    pub at: Vec2,
    /// Its cell.
    pub cell: u32,
    /// The peak of its cell that it is connected to; [`NONE`] if there is none.
    pub peak: u32,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub(super) enum Progress {
    /// There is more to expand.
    Running,
    /// The goal with this index is reached.
    Reached(usize),
    /// No way leads to a goal.
    Exhausted,
}

/// A node of the search: one side, one interval of a side, or one goal.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The point where the way crosses it.
    at: Vec2,
    /// The length of the way from the start, in grid units.
    length: f64,
    /// A lower bound for the whole way: `length` and the least distance to a goal.
    least: f64,
    /// The node before; [`NONE`] at the start.
    parent: u32,
    /// The side through which the cell is left.
    side: u32,
    /// The search that wrote the node; nodes of other searches count as unknown.
    round: u32,
}

/// Scratch buffers for searches, reused.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The portals of all cells.
    pub points: Exits<PointExit>,
    /// The peaks of all cells.
    pub discs: Exits<DiscExit>,
    /// The nodes: for a point one per side, for a disc two per peak; then the goals.
    nodes: Vec<Node>,
    /// The number of the current search.
    round: u32,
    /// The open list: lower bounds as bits of non-negative floats, and nodes.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The best node of the present expansion. It is often the next one to expand, which saves a push and a pop.
    next: Option<(u64, u32)>,
    /// For each block, the last search in which it lay between start and goals.
    blocks: Vec<u32>,
    /// The goals of this search.
    pub goals: Vec<End>,
    /// Lower bounds for the distance to the only goal, if the mesh was prepared.
    potentials: Potentials,
    /// For each exit of a cell, the first exit of its group: exits of one group are connected for this radius.
    joined: Vec<u32>,
    /// The number of nodes expanded.
    pub expansions: u64,
    /// The number of the first goal among the nodes.
    first_goal: u32,
    /// The radius of the disc in grid units; `None` for a point.
    radius: Option<f64>,
    /// The sides of the corridor, from the start to the goal.
    pub corridor: Vec<u32>,
}

impl Search {
    /// Prepares the buffers for this many nodes and forgets the last search.
    fn begin(&mut self, mesh: &NavMesh, nodes: usize) {
        let layout = mesh.graph();
        if self.round == u32::MAX {
            self.nodes.fill(Node::default());
            self.blocks.fill(0);
            self.round = 0;
        }
        self.round += 1;
        if self.nodes.len() < nodes {
            self.nodes.resize(nodes, Node::default());
        }
        if self.blocks.len() < layout.blocks.len() {
            self.blocks.resize(layout.blocks.len(), 0);
        }
        self.open.clear();
        self.next = None;
        self.expansions = 0;
        self.corridor.clear();
        self.potentials.is_on = false;
        if let [goal] = self.goals[..] {
            self.potentials.prepare(mesh, goal.at, goal.cell);
        }
    }

    /// Begins a search for a point.
    pub fn begin_for_point(&mut self, mesh: &NavMesh, start: End) {
        let layout = mesh.graph();
        self.points.prepare_points(layout);
        (self.first_goal, self.radius) = (layout.start.len() as u32, None);
        self.begin(mesh, layout.start.len() + self.goals.len());
        self.mark_blocks(layout, start.cell);
        self.expand_point(mesh, start.cell, NONE, Node { at: start.at, ..Node::default() }, NONE);
    }

    /// Begins a search for a disc.
    pub fn begin_for_disc(&mut self, mesh: &NavMesh, start: End, radius: f64) {
        let peaks = mesh.peak_graph().peaks.len();
        (self.first_goal, self.radius) = (2 * peaks as u32, Some(radius));
        self.begin(mesh, 2 * peaks + self.goals.len());
        self.mark_blocks(mesh.graph(), start.cell);
        self.expand_disc(mesh, start, Node { at: start.at, ..Node::default() }, NONE, radius);
    }

    /// Goes on until `most` nodes have been expanded in all.
    pub fn run(&mut self, mesh: &NavMesh, most: u64) -> Progress {
        let layout = mesh.graph();
        while self.expansions < most {
            let Some(number) = self.pop() else { return Progress::Exhausted };
            if number >= self.first_goal {
                return Progress::Reached(self.trace(number));
            }
            let node = self.nodes[number as usize];
            if let Some(radius) = self.radius {
                let entered = End { at: node.at, cell: layout.beyond[node.side as usize], peak: number / 2 };
                self.expand_disc(mesh, entered, node, number, radius);
            } else {
                let (cell, came) = (layout.beyond[number as usize], layout.twin[number as usize]);
                self.expand_point(mesh, cell, came, node, number);
            }
        }
        Progress::Running
    }

    /// Marks the blocks between the start and the goals: a shortest path of a point never leaves them.
    fn mark_blocks(&mut self, layout: &CellGraph, cell: u32) {
        let Search { goals, blocks, round, .. } = self;
        goals.retain(|goal| layout.blocks.between(cell, goal.cell, |block| blocks[block as usize] = *round));
    }

    /// Returns the next node to expand; entries of nodes that were improved since are skipped.
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if let Some((least, number)) = self.next.take() {
            // If the best new node beats the whole list, it needs no place in the list.
            let waits = self.open.peek().is_some_and(|Reverse(other)| *other < (least, number));
            if !waits {
                self.expansions += 1;
                return Some(number);
            }
            self.open.push(Reverse((least, number)));
        }
        while let Some(Reverse((least, number))) = self.open.pop() {
            if self.nodes[number as usize].least.to_bits() == least {
                self.expansions += 1;
                return Some(number);
            }
        }
        None
    }

    /// Reaches the goals in a cell, and its other portals in marked blocks.
    fn expand_point(&mut self, mesh: &NavMesh, cell: u32, came: u32, node: Node, number: u32) {
        self.reach_goals(cell, &node, number, |_| true);
        for place in self.points.of(cell) {
            let exit = self.points.list[place];
            if exit.side == came || self.blocks[exit.block as usize] != self.round {
                continue;
            }
            self.reach(mesh, exit.side, &node, number, &exit, [0.0, 1.0]);
        }
    }

    /// Reaches the goals in a cell, and the intervals of its portals that are connected to where the disc entered.
    fn expand_disc(&mut self, mesh: &NavMesh, entered: End, node: Node, number: u32, radius: f64) {
        let range = self.discs.of(entered.cell);
        let own = self.join(range.clone(), entered.peak, radius);
        let first = range.start;
        self.reach_goals(entered.cell, &node, number, |peak| {
            (own.is_none() && peak == NONE) || (peak != NONE && own == Some(peak))
        });
        let mut place = range.start;
        while place < range.end {
            let from = place;
            place += 1;
            while place < range.end && self.discs.list[place].dip >= radius {
                place += 1;
            }
            if own == Some(self.joined[from - first]) && self.discs.list[from].height >= radius {
                self.reach_interval(mesh, [from, place - 1], &node, number, radius);
            }
        }
    }

    /// Groups the exits of a cell that are connected for this radius. Returns the group of the given peak. Goals in the
    /// cell are matched by the same groups.
    fn join(&mut self, range: std::ops::Range<usize>, peak: u32, radius: f64) -> Option<u32> {
        let mut own = None;
        self.joined.clear();
        for (place, exit) in self.discs.list[range].iter().enumerate() {
            let up = self.joined.get(exit.up as usize).copied().filter(|_| exit.width >= radius);
            self.joined.push(up.unwrap_or(place as u32));
            if exit.peak == peak {
                own = self.joined.last().copied();
            }
        }
        own
    }

    /// Reaches an interval: a run of exits on one portal.
    fn reach_interval(
        &mut self,
        mesh: &NavMesh,
        [from, to]: [usize; 2],
        node: &Node,
        number: u32,
        radius: f64,
    ) {
        let (one, other) = (self.discs.list[from], self.discs.list[to]);
        let number_of = 2 * one.peak.min(other.peak) + one.face;
        let is_whole = one.dip < 0.0 && self.discs.list.get(to + 1).is_none_or(|next| next.dip < 0.0);
        // A bridge that leads away is useful only where it connects intervals of its own portal.
        let leads_there = self.blocks[one.way.block as usize] == self.round;
        if number_of / 2 == number / 2 && number != NONE {
            return;
        }
        if !leads_there && is_whole && one.is_bridge {
            return;
        }
        let interval = if one.critical >= radius {
            let ends = one.solid.map(|solid| if solid { radius } else { 0.0 });
            [ends[0], one.length - ends[1]]
        } else {
            // The disc around a peak is free of walls, so this much of the interval is known without looking.
            [
                (one.along - one.height + radius).max(0.0),
                (other.along + other.height - radius).min(one.length),
            ]
        };
        let scale = 1.0 / one.length;
        self.reach(mesh, number_of, node, number, &one.way, interval.map(|place| place * scale));
    }

    /// Reaches a node at the best point of an interval, if that improves it.
    #[inline]
    fn reach(
        &mut self,
        mesh: &NavMesh,
        number: u32,
        from: &Node,
        parent: u32,
        exit: &PointExit,
        [low, high]: [f64; 2],
    ) {
        let Some(goal) = self.goals.first().map(|goal| goal.at) else { return };
        let along = exit.ends[1] - exit.ends[0];
        let share = best_share(from.at, goal, exit.ends[0], along).max(low).min(high);
        let at = exit.ends[0] + along * share;
        let length = from.length + from.at.distance(at);
        let rest = self.goals.iter().map(|goal| goal.at.distance(at)).fold(f64::INFINITY, f64::min);
        let least = length + rest.max(self.rest_by_landmarks(mesh, exit, at));
        self.offer(number, Node { at, length, least, parent, side: exit.side, round: self.round });
    }

    /// Returns the lower bound that landmarks give for the rest of the way from a place on a portal; 0 without them.
    #[inline]
    fn rest_by_landmarks(&mut self, mesh: &NavMesh, exit: &PointExit, at: Vec2) -> f64 {
        if !self.potentials.is_on {
            return 0.0;
        }
        let [one, other] = [0, 1].map(|end| {
            let rest = self.potentials.rest(mesh.landmarks.get(), exit.vertices[end]);
            rest - exit.ends[end].distance(at)
        });
        one.max(other)
    }

    /// Improves a node and puts it on the open list.
    #[inline]
    fn offer(&mut self, number: u32, node: Node) {
        let known = &mut self.nodes[number as usize];
        // Estimates fall along a way only by rounding. Without the margin, parents could form a circle.
        if known.round == self.round && known.least <= node.least * (1.0 + SAME_ESTIMATE) {
            return;
        }
        *known = node;
        let entry = (node.least.to_bits(), number);
        match &mut self.next {
            Some(next) => {
                let later = (*next).max(entry);
                *next = (*next).min(entry);
                self.open.push(Reverse(later));
            }
            None => self.next = Some(entry),
        }
    }

    /// Reaches the goals in a cell whose group of exits `is_joined` accepts.
    fn reach_goals(&mut self, cell: u32, node: &Node, parent: u32, is_joined: impl Fn(u32) -> bool) {
        for index in 0..self.goals.len() {
            let goal = self.goals[index];
            if goal.cell != cell {
                continue;
            }
            let place = if goal.peak == NONE { None } else { self.place_of(cell, goal.peak) };
            let group = place.and_then(|place| self.joined.get(place).copied()).unwrap_or(NONE);
            if is_joined(group) {
                let length = node.length + node.at.distance(goal.at);
                let reached =
                    Node { at: goal.at, length, least: length, parent, side: NONE, round: self.round };
                self.offer(self.first_goal + index as u32, reached);
            }
        }
    }

    /// Returns the index of a peak among the exits of a cell.
    fn place_of(&self, cell: u32, peak: u32) -> Option<usize> {
        self.discs.list[self.discs.of(cell)].iter().position(|exit| exit.peak == peak)
    }

    /// Lists the sides that lead to a goal. Returns the index of the goal.
    fn trace(&mut self, goal: u32) -> usize {
        let mut number = self.nodes[goal as usize].parent;
        // Points depend on the way, so nodes may be reached again; the limit keeps a damaged chain from going on
        // forever.
        while number != NONE && self.corridor.len() <= self.nodes.len() {
            let node = self.nodes[number as usize];
            self.corridor.push(node.side);
            number = node.parent;
        }
        self.corridor.reverse();
        (goal - self.first_goal) as usize
    }
}

/// Returns the share of a portal at which the way from `from` over it to `goal` is shortest. It is where the straight
/// line crosses the portal; if both lie on one side, the goal is mirrored.
#[inline]
fn best_share(from: Vec2, goal: Vec2, start: Vec2, along: Vec2) -> f64 {
    let (near, far) = (from - start, goal - start);
    let (near_height, far_height) = (along.cross(near).abs(), along.cross(far).abs());
    let sum = near_height + far_height;
    let (near_foot, far_foot) = (near.dot(along), far.dot(along));
    let foot = if sum > 0.0 { (near_foot * far_height + far_foot * near_height) / sum } else { near_foot };
    foot / along.length_squared()
}
