//! A* on a tangent graph; the result is a list of bends.
//!
//! Start and goal are linked to the circles that they see (time-slicing thesis, 4.3). The estimate is the straight
//! distance to the goal, which never exceeds the rest of the way. So the first path that no open node can beat is a
//! shortest one.

use super::corner::ANGLE_SLACK;
use super::graph::{Contact, Tangents, chain, of_chain};
use super::tangent::{Turn, from_point};
use super::walls::Stand;
use clearway_geometry::Vec2;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// Tolerance in radians for the order of contacts on a chain. A tangent of nearly no length, between circles that
/// touch, has a direction known to half the digits only.
const PROGRESS_SLACK: f64 = 1e-8;

/// A route around corners.
#[derive(Debug)]
pub(super) struct Route {
    /// The turns, in order.
    pub bends: Vec<Bend>,
    /// The number of nodes expanded.
    pub expansions: u64,
}

/// A turn around a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    /// The corner.
    pub corner: u32,
    /// The point where the arc starts, in grid units.
    pub from: Vec2,
    /// The point where the arc ends, in grid units.
    pub to: Vec2,
    /// The angle in radians, counter-clockwise when positive.
    pub angle: f64,
}

/// Returns the shortest route between two legal points, each linked to the given corners only.
pub(super) fn find_route<T: Tangents>(
    tangents: &T,
    start: (&Stand, &[u32]),
    goal: (&Stand, &[u32]),
) -> Option<Route> {
    // A straight way needs no graph.
    if tangents.obstacles().walls.are_clear(start.0, goal.0, tangents.radius()) {
        return Some(Route { bends: Vec::new(), expansions: 0 });
    }
    let goals = links(tangents, goal).into_iter().map(|link| (reversed_chain(link.chain), link.backwards()));
    let starts = links(tangents, start);
    let mut search = Search {
        tangents,
        goal: goal.0.at,
        goals: goals.collect(),
        nodes: BTreeMap::new(),
        open: BinaryHeap::new(),
        best: None,
        expansions: 0,
    };
    for (index, link) in starts.iter().enumerate() {
        search.arrive(link.chain, link.contact, link.length, Origin::Start(index));
    }
    search.run();
    search.best.as_ref().map(|best| search.trace(best, &starts))
}

/// Returns the chain of the same corner with the other turning direction.
fn reversed_chain(of: u32) -> u32 {
    let (corner, turn) = of_chain(of);
    chain(corner, turn.reversed())
}

/// A straight piece between a point and a chain.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The chain.
    chain: u32,
    /// The contact at which it joins the chain.
    contact: Contact,
    /// Its length in grid units.
    length: f64,
}

impl Link {
    /// Returns the contact for walking from the chain to the point.
    fn backwards(self) -> Link {
        Link { contact: Contact { progress: -self.contact.progress, ..self.contact }, ..self }
    }
}

/// Returns the straight pieces from a point to the circles of the given corners.
fn links<T: Tangents>(tangents: &T, (stand, corners): (&Stand, &[u32])) -> Vec<Link> {
    let mut links = Vec::new();
    for corner in corners {
        links.extend(Turn::BOTH.iter().filter_map(|turn| link(tangents, stand, *corner, *turn)));
    }
    links
}

/// Returns the straight piece from a point to a circle, if it is taut and clear.
fn link<T: Tangents>(tangents: &T, stand: &Stand, corner: u32, turn: Turn) -> Option<Link> {
    let (obstacles, radius) = (tangents.obstacles(), tangents.radius());
    let record = &obstacles.corners[corner as usize];
    if stand.at == record.at && radius <= 0.0 {
        return standing_on(tangents, stand, corner, turn);
    }
    let direction = from_point(stand.at, record.at, turn, radius)?;
    if !record.is_taut(direction, ANGLE_SLACK) {
        return None;
    }
    let contact = tangents.contact(corner, turn, direction)?;
    let end = record.contact(direction, radius);
    let is_clear = obstacles.walls.are_clear(stand, &end, radius);
    is_clear.then(|| Link { chain: chain(corner, turn), contact, length: stand.at.distance(contact.at) })
}

/// Returns the link of a point that stands on the corner itself: it may leave in any direction that the corner allows.
fn standing_on<T: Tangents>(tangents: &T, stand: &Stand, corner: u32, turn: Turn) -> Option<Link> {
    let record = &tangents.obstacles().corners[corner as usize];
    if !record.is_held_by(stand) {
        return None;
    }
    let arc = tangents.free_arcs(corner).first()?;
    let progress = if turn == Turn::Left { arc.from } else { -arc.to } - 2.0 * ANGLE_SLACK;
    let contact = Contact { arc: 0, progress, at: record.at };
    Some(Link { chain: chain(corner, turn), contact, length: 0.0 })
}

/// The way in which a chain was reached.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// By the link from the start with this index.
    Start(usize),
    /// By the straight piece with this index that leaves this chain.
    Leave(u32, usize),
}

/// The cheapest known way to a contact at which a straight piece leaves.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The length of the way, in grid units.
    cost: f64,
    /// The way in which the chain was joined; `None` if the body rolled here from the contact before.
    arrived: Option<Origin>,
}

/// The best way to the goal so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    /// Its length in grid units.
    cost: f64,
    /// The chain from which it leaves for the goal.
    chain: u32,
    /// The way in which that chain was reached.
    origin: Origin,
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The estimated length of the whole way.
    estimate: f64,
    /// The length of the way so far.
    cost: f64,
    /// The chain.
    chain: u32,
    /// The index of the straight piece on the chain.
    index: usize,
}

impl Ord for Open {
    /// Reversed for the heap: the smallest estimate is the greatest; ties go by chain and index.
    fn cmp(&self, other: &Open) -> Ordering {
        let by_estimate = other.estimate.total_cmp(&self.estimate);
        by_estimate.then(other.chain.cmp(&self.chain)).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// The state of the search.
struct Search<'a, T: Tangents> {
    /// The tangent graph.
    tangents: &'a T,
    /// The goal, in grid units.
    goal: Vec2,
    /// For each chain that sees the goal, the straight piece that leaves for it.
    goals: BTreeMap<u32, Link>,
    /// The nodes, by chain and index.
    nodes: BTreeMap<(u32, usize), Node>,
    /// The open list.
    open: BinaryHeap<Open>,
    /// The best way so far.
    best: Option<Best>,
    /// The number of nodes expanded.
    expansions: u64,
}

impl<T: Tangents> Search<'_, T> {
    /// Expands nodes until none can beat the best way.
    fn run(&mut self) {
        while let Some(open) = self.open.pop() {
            if self.best.is_some_and(|best| open.estimate >= best.cost) {
                break;
            }
            let is_stale = self.nodes.get(&(open.chain, open.index)).is_none_or(|node| node.cost < open.cost);
            if !is_stale {
                self.expand(open);
            }
        }
    }

    /// Rolls on to the next contact of the chain, and takes the straight piece that leaves here.
    fn expand(&mut self, Open { chain, index, cost, .. }: Open) {
        self.expansions += 1;
        let leaves = self.tangents.leaves(chain);
        let here = leaves[index];
        if let Some(next) = leaves.get(index + 1).filter(|next| next.contact.arc == here.contact.arc) {
            let rolled = self.tangents.radius() * (next.contact.progress - here.contact.progress);
            self.reach(chain, index + 1, cost + rolled, None);
        }
        self.arrive(here.chain, here.joins, cost + here.length, Origin::Leave(chain, index));
    }

    /// Joins a chain at a contact. From there the body rolls to the goal's tangent, and to the next contact at which a
    /// straight piece leaves.
    fn arrive(&mut self, chain: u32, contact: Contact, cost: f64, origin: Origin) {
        let radius = self.tangents.radius();
        let earliest = contact.progress - PROGRESS_SLACK;
        let roll = |to: &Contact| radius * (to.progress - contact.progress).max(0.0);
        if let Some(link) = self.goals.get(&chain)
            && link.contact.arc == contact.arc
            && link.contact.progress >= earliest
        {
            let cost = cost + roll(&link.contact) + link.length;
            if self.best.is_none_or(|best| cost < best.cost) {
                self.best = Some(Best { cost, chain, origin });
            }
        }
        let leaves = self.tangents.leaves(chain);
        let index = leaves
            .partition_point(|leave| (leave.contact.arc, leave.contact.progress) < (contact.arc, earliest));
        if let Some(leave) = leaves.get(index).filter(|leave| leave.contact.arc == contact.arc) {
            self.reach(chain, index, cost + roll(&leave.contact), Some(origin));
        }
    }

    /// Improves a node and puts it on the open list.
    fn reach(&mut self, chain: u32, index: usize, cost: f64, arrived: Option<Origin>) {
        if self.nodes.get(&(chain, index)).is_none_or(|node| cost < node.cost) {
            self.nodes.insert((chain, index), Node { cost, arrived });
            let at = self.tangents.leaves(chain)[index].contact.at;
            self.open.push(Open { estimate: cost + at.distance(self.goal), cost, chain, index });
        }
    }

    /// Returns the bends on the way to the goal, traced back from the goal.
    fn trace(&self, best: &Best, starts: &[Link]) -> Route {
        let mut bends = Vec::new();
        let mut next = self.goals.get(&best.chain).map(|link| link.contact);
        let (mut chain, mut origin) = (best.chain, best.origin);
        while let Some(leaves) = next {
            let joined = match origin {
                Origin::Start(index) => starts[index].contact,
                Origin::Leave(chain, index) => self.tangents.leaves(chain)[index].joins,
            };
            let (corner, turn) = of_chain(chain);
            let angle = (leaves.progress - joined.progress) * turn.sign();
            bends.push(Bend { corner, from: joined.at, to: leaves.at, angle });
            next = None;
            if let Origin::Leave(before, index) = origin {
                next = Some(self.tangents.leaves(before)[index].contact);
                chain = before;
                origin = self.arrival(before, index).unwrap_or(origin);
            }
        }
        bends.reverse();
        Route { bends, expansions: self.expansions }
    }

    /// Returns the way in which a chain was joined on the way to one of its contacts.
    fn arrival(&self, chain: u32, index: usize) -> Option<Origin> {
        let joined = (0..=index).rev().map(|at| self.nodes.get(&(chain, at)).and_then(|node| node.arrived));
        joined.flatten().next()
    }
}
