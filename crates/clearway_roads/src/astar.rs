//! A* over any graph of places, with a limit on expansions, the best path so far, and the perception of dead ends.
//!
//! Hart, Nilsson and Raphael 1968, with the additions of the Voronoi roadmap: a search that reaches its limit returns the
//! path to the expanded node nearest to the goal. If no node of that path has three usable edges, the body perceives a
//! dead end. Then the limit is lifted until a node nearer to the goal than the body is found on a path with a junction.
//! Ties are broken by the number of the node. Cost: O(e log n).

use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A graph to search. It shows only the edges that the body can take.
pub(crate) trait Net {
    fn place(&self, node: u32) -> Vec2;

    /// Visits the edges that leave a node.
    fn ways(&mut self, node: u32, visit: impl FnMut(Way));
}

/// An edge as seen from a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The node at the other end, and its place.
    pub to: u32,
    pub place: Vec2,
    /// The name of the edge.
    pub name: u32,
    pub length: f64,
}

/// What to search for. Costs and places are in grid units.
pub(crate) struct Task<'a> {
    /// Nodes to start from, each with its cost.
    pub starts: &'a [(u32, f64)],
    /// Nodes from which the goal is reached, each with the cost of that.
    pub goals: &'a [(u32, f64)],
    /// The place of the goal on the graph.
    pub target: Vec2,
    /// The place of the body.
    pub origin: Vec2,
    /// The greatest cost of interest: that of a way known already.
    pub most: f64,
    /// The greatest number of expansions.
    pub limit: Option<u32>,
    /// If true, perceived dead ends lift the limit.
    pub dead_ends: bool,
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    /// A path to the goal, over this node, at this cost.
    Complete { last: u32, cost: f64 },
    /// The limit was reached; the path to this node comes nearest to the goal.
    Partial { last: u32 },
    /// No node leads to the goal.
    Nothing,
}

/// Memory of searches, used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Astar {
    round: u32,
    seen: Vec<Seen>,
    open: BinaryHeap<Entry>,
    /// The node from which the goal is reached at the least cost so far, and that cost.
    goal: (u32, f64),
    /// The expanded node nearest to the goal, and its distance.
    nearest: (u32, f64),
    /// True once a dead end lifted the limit.
    is_lifted: bool,
    /// The number of expansions of the last search.
    pub expansions: u32,
    /// True if the last search perceived a dead end.
    pub dead_end: bool,
}

/// What a search knows of a node.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The round that saw it last.
    round: u32,
    /// The node before it on its way, and the edge from there.
    before: u32,
    via: u32,
    cost: f64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    estimate: f64,
    cost: f64,
    /// The distance from the target.
    rest: f64,
    node: u32,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl Ord for Entry {
    /// The greatest entry has the least estimate; of equal ones the goal, then the least node.
    fn cmp(&self, other: &Entry) -> Ordering {
        let goal_first = (self.node == NONE).cmp(&(other.node == NONE));
        other.estimate.total_cmp(&self.estimate).then(goal_first).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A node that no search has seen.
const UNSEEN: Seen = Seen { round: 0, before: NONE, via: NONE, cost: 0.0 };

impl Astar {
    /// Searches on graphs of about so many nodes.
    pub fn of(nodes: usize) -> Astar {
        Astar { seen: vec![UNSEEN; nodes], ..Astar::default() }
    }

    /// Searches a graph. The path is read by [`Astar::trace`].
    pub fn run(&mut self, net: &mut impl Net, task: &Task) -> Found {
        self.begin(net, task);
        self.go_on(net, task, u32::MAX).unwrap_or(Found::Nothing)
    }

    /// Begins a search that [`Astar::go_on`] makes in parts.
    pub fn begin(&mut self, net: &mut impl Net, task: &Task) {
        self.clear();
        (self.goal, self.nearest, self.is_lifted) = ((NONE, task.most), (NONE, f64::INFINITY), false);
        for &(node, cost) in task.starts {
            let start = Way { to: node, place: net.place(node), name: NONE, length: cost };
            self.relax(task, start, 0.0, NONE);
        }
    }

    /// Goes on with a search for so many expansions; `None` if they did not bring it to its end.
    pub fn go_on(&mut self, net: &mut impl Net, task: &Task, expansions: u32) -> Option<Found> {
        let most = self.expansions.saturating_add(expansions);
        while self.expansions < most {
            let Some(entry) = self.open.pop() else { return Some(Found::Nothing) };
            if entry.node == NONE {
                return Some(Found::Complete { last: self.goal.0, cost: self.goal.1 });
            }
            if entry.cost > self.seen[entry.node as usize].cost {
                continue;
            }
            self.expansions += 1;
            let rest = entry.rest;
            if rest < self.nearest.1 {
                self.nearest = (entry.node, rest);
            }
            for &(_, cost) in task.goals.iter().filter(|(node, _)| *node == entry.node) {
                if entry.cost + cost < self.goal.1 {
                    self.goal = (entry.node, entry.cost + cost);
                    self.open.push(Entry { estimate: self.goal.1, cost: self.goal.1, rest: 0.0, node: NONE });
                }
            }
            self.expand(net, task, entry, self.goal.1);
            if self.is_lifted
                && rest < task.origin.distance(task.target)
                && !self.is_dead_end(net, entry.node)
            {
                return Some(Found::Partial { last: entry.node });
            }
            if !self.is_lifted && task.limit.is_some_and(|limit| self.expansions >= limit) {
                if !(task.dead_ends && self.is_dead_end(net, self.nearest.0)) {
                    return Some(Found::Partial { last: self.nearest.0 });
                }
                (self.is_lifted, self.dead_end) = (true, true);
            }
        }
        None
    }

    /// The way to a node: nodes in order, each with the edge that led to it; [`NONE`] for the first.
    pub fn trace(&self, last: u32) -> Vec<(u32, u32)> {
        let mut way = Vec::new();
        let mut node = last;
        while node != NONE {
            let seen = &self.seen[node as usize];
            way.push((node, seen.via));
            node = seen.before;
        }
        way.reverse();
        way
    }

    /// The first node on the way to a node.
    pub fn first(&self, last: u32) -> u32 {
        let mut node = last;
        while self.seen[node as usize].before != NONE {
            node = self.seen[node as usize].before;
        }
        node
    }

    fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.seen.clear();
            self.round = 1;
        }
        self.open.clear();
        (self.expansions, self.dead_end) = (0, false);
    }

    fn expand(&mut self, net: &mut impl Net, task: &Task, entry: Entry, most: f64) {
        net.ways(entry.node, |way| {
            if entry.cost + way.length < most {
                self.relax(task, way, entry.cost, entry.node);
            }
        });
    }

    /// Offers a way that leaves a node reached at a cost.
    fn relax(&mut self, task: &Task, way: Way, cost: f64, before: u32) {
        let (index, cost) = (way.to as usize, cost + way.length);
        if index >= self.seen.len() {
            self.seen.resize(index + 1, UNSEEN);
        }
        let seen = &mut self.seen[index];
        if seen.round == self.round && seen.cost <= cost {
            return;
        }
        *seen = Seen { round: self.round, before, via: way.name, cost };
        let rest = way.place.distance(task.target);
        self.open.push(Entry { estimate: cost + rest, cost, rest, node: way.to });
    }

    /// True if no node on the way to a node has three usable edges.
    fn is_dead_end(&self, net: &mut impl Net, last: u32) -> bool {
        let mut node = last;
        while node != NONE {
            let mut count = 0;
            net.ways(node, |_| count += 1);
            if count >= 3 {
                return false;
            }
            node = self.seen[node as usize].before;
        }
        true
    }
}
