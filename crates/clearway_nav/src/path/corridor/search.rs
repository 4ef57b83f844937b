//! A* over portals: which cells a path runs through, not how.
//!
//! A node is a side through which a cell is left; for a disc a side and one of the intervals of places on it where the
//! disc fits, told by their first peak. Each node keeps one place: where the shortest way from the place before to the
//! goal meets the interval. That beats middles of portals, as Detour takes them, at no cost. Which intervals of a cell
//! are joined is read off the peak graph, so that a disc passes exactly where it fits, also where it must
//! leave a cell through the portal by which it came or enter a cell twice (section 7.7 of the NEOGEN thesis).

use super::exits::{DiscExit, Exits, PointExit};
use crate::mesh::CellGraph;
use crate::tolerances::shares::SAME_ESTIMATE;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A place to go to, and the peak of its cell that it is joined to; [`NONE`] if there is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub at: Vec2,
    pub cell: u32,
    pub peak: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    at: Vec2,
    length: f64,
    least: f64,
    parent: u32,
    side: u32,
    round: u32,
}

/// Room for searches, used again and again.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub points: Exits<PointExit>,
    pub discs: Exits<DiscExit>,
    nodes: Vec<Node>,
    round: u32,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The best node that the present expansion made: it often comes next anyway.
    next: Option<(u64, u32)>,
    /// Blocks on the way, by round.
    blocks: Vec<u32>,
    pub goals: Vec<End>,
    /// For each exit of a cell the first one it is joined to.
    joined: Vec<u32>,
    pub expansions: u64,
    /// The sides of the corridor, from the start to the goal.
    pub corridor: Vec<u32>,
}

impl Search {
    /// Makes room for as many nodes, and forgets the last search.
    fn begin(&mut self, layout: &CellGraph, nodes: usize) {
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
    }

    /// Finds a corridor for a point; the number of the goal it leads to.
    pub fn find_for_point(&mut self, layout: &CellGraph, start: End) -> Option<usize> {
        self.points.prepare_points(layout);
        let first_goal = layout.start.len() as u32;
        self.begin(layout, layout.start.len() + self.goals.len());
        self.mark_blocks(layout, start.cell);
        self.expand_point(first_goal, start.cell, NONE, Node { at: start.at, ..Node::default() }, NONE);
        while let Some(number) = self.pop() {
            if number >= first_goal {
                return Some(self.trace(number, first_goal));
            }
            let node = self.nodes[number as usize];
            let (cell, came) = (layout.beyond[number as usize], layout.twin[number as usize]);
            self.expand_point(first_goal, cell, came, node, number);
        }
        None
    }

    /// Finds a corridor for a disc; the number of the goal it leads to.
    pub fn find_for_disc(
        &mut self,
        layout: &CellGraph,
        peaks: usize,
        start: End,
        radius: f64,
    ) -> Option<usize> {
        let first_goal = 2 * peaks as u32;
        self.begin(layout, 2 * peaks + self.goals.len());
        self.mark_blocks(layout, start.cell);
        let node = Node { at: start.at, ..Node::default() };
        self.expand_disc(first_goal, start, node, NONE, radius);
        while let Some(number) = self.pop() {
            if number >= first_goal {
                return Some(self.trace(number, first_goal));
            }
            let node = self.nodes[number as usize];
            let entered = End { at: node.at, cell: layout.beyond[node.side as usize], peak: number / 2 };
            self.expand_disc(first_goal, entered, node, number, radius);
        }
        None
    }

    /// Marks the blocks between the start and the goals: a shortest path of a point leaves them for nothing.
    fn mark_blocks(&mut self, layout: &CellGraph, cell: u32) {
        let Search { goals, blocks, round, .. } = self;
        goals.retain(|goal| layout.blocks.between(cell, goal.cell, |block| blocks[block as usize] = *round));
    }

    /// The next node to expand; those that were reached better since are skipped.
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if let Some((least, number)) = self.next.take() {
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

    fn expand_point(&mut self, first_goal: u32, cell: u32, came: u32, node: Node, number: u32) {
        self.reach_goals(first_goal, cell, &node, number, |_| true);
        for place in self.points.of(cell) {
            let exit = self.points.list[place];
            if exit.side == came || self.blocks[exit.block as usize] != self.round {
                continue;
            }
            let along = exit.ends[1] - exit.ends[0];
            self.reach(exit.side, &node, number, exit.side, (exit.ends[0], along, [0.0, 1.0]));
        }
    }

    fn expand_disc(&mut self, first_goal: u32, entered: End, node: Node, number: u32, radius: f64) {
        let range = self.discs.of(entered.cell);
        let own = self.join(range.clone(), entered.peak, radius);
        let first = range.start;
        self.reach_goals(first_goal, entered.cell, &node, number, |peak| {
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
                self.reach_interval([from, place - 1], &node, number, radius);
            }
        }
    }

    /// Finds out which exits of a cell are joined, and which of them the given peak belongs to. Goals in the cell are
    /// told by the same numbers.
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
    fn reach_interval(&mut self, [from, to]: [usize; 2], node: &Node, number: u32, radius: f64) {
        let (one, other) = (self.discs.list[from], self.discs.list[to]);
        let number_of = 2 * one.peak.min(other.peak) + one.face;
        let is_whole = one.dip < 0.0 && self.discs.list.get(to + 1).is_none_or(|next| next.dip < 0.0);
        // A bridge that leads away is of use only where it joins intervals of its own portal.
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
            // The disc around a peak is free of walls: that much of the interval is known without looking.
            [
                (one.along - one.height + radius).max(0.0),
                (other.along + other.height - radius).min(one.length),
            ]
        };
        let scale = 1.0 / one.length;
        let along = one.way.ends[1] - one.way.ends[0];
        let interval = interval.map(|place| place * scale);
        self.reach(number_of, node, number, one.way.side, (one.way.ends[0], along, interval));
    }

    /// Reaches a node, if that is better than what is known of it.
    #[inline]
    fn reach(
        &mut self,
        number: u32,
        from: &Node,
        parent: u32,
        side: u32,
        (start, along, [low, high]): (Vec2, Vec2, [f64; 2]),
    ) {
        let Some(goal) = self.goals.first().map(|goal| goal.at) else { return };
        let share = best_share(from.at, goal, start, along).max(low).min(high);
        let at = start + along * share;
        let length = from.length + from.at.distance(at);
        let rest = self.goals.iter().map(|goal| goal.at.distance(at)).fold(f64::INFINITY, f64::min);
        let least = length + rest;
        self.offer(number, Node { at, length, least, parent, side, round: self.round });
    }

    #[inline]
    fn offer(&mut self, number: u32, node: Node) {
        let known = &mut self.nodes[number as usize];
        // Estimates never fall along a way but by rounding, which must not turn parents into a circle.
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

    /// Reaches the goals in a cell that `is_joined`, by the number of their group of exits, lets through.
    fn reach_goals(
        &mut self,
        first: u32,
        cell: u32,
        node: &Node,
        parent: u32,
        is_joined: impl Fn(u32) -> bool,
    ) {
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
                self.offer(first + index as u32, reached);
            }
        }
    }

    fn place_of(&self, cell: u32, peak: u32) -> Option<usize> {
        self.discs.list[self.discs.of(cell)].iter().position(|exit| exit.peak == peak)
    }

    /// Lists the sides that lead to a goal; the number of the goal.
    fn trace(&mut self, goal: u32, first_goal: u32) -> usize {
        let mut number = self.nodes[goal as usize].parent;
        // Places depend on the way, so that nodes may be reached again; a chain of them is never longer than this.
        while number != NONE && self.corridor.len() <= self.nodes.len() {
            let node = self.nodes[number as usize];
            self.corridor.push(node.side);
            number = node.parent;
        }
        self.corridor.reverse();
        (goal - first_goal) as usize
    }
}

/// Where on a portal the way from `from` over it to `goal` is shortest, as a share: where the straight line crosses
/// it, or its reflection where both lie on one side.
#[inline]
fn best_share(from: Vec2, goal: Vec2, start: Vec2, along: Vec2) -> f64 {
    let (near, far) = (from - start, goal - start);
    let (near_height, far_height) = (along.cross(near).abs(), along.cross(far).abs());
    let sum = near_height + far_height;
    let (near_foot, far_foot) = (near.dot(along), far.dot(along));
    let foot = if sum > 0.0 { (near_foot * far_height + far_foot * near_height) / sum } else { near_foot };
    foot / along.length_squared()
}
