//! A* on a tangent graph, and the path as segments and arcs.
//!
//! Start and goal are linked to the circles they see (time-slicing thesis, 4.3); the estimate is the straight
//! distance to the goal, which never exceeds what remains, so the first path that no open node can beat is a
//! shortest one.

use super::corner::ANGLE_SLACK;
use super::graph::{Contact, Tangents, chain, of_chain};
use super::tangent::{Turn, from_point};
use super::walls::Stand;
use clearway_geometry::Vec2;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// Places on a chain that differ by less than this (radians) are taken in any order: a tangent of nearly no
/// length, between circles that touch, has a direction known to half the digits only.
const PROGRESS_SLACK: f64 = 1e-8;

/// A route around corners.
#[derive(Debug)]
pub(super) struct Route {
    pub bends: Vec<Bend>,
    pub expansions: u64,
}

/// A turn around a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    pub corner: u32,
    pub from: Vec2,
    pub to: Vec2,
    /// In radians, counter-clockwise when positive.
    pub angle: f64,
}

/// The shortest route between two legal places, linked to the given corners only.
pub(super) fn find_route<T: Tangents>(
    tangents: &T,
    start: (&Stand, &[u32]),
    goal: (&Stand, &[u32]),
) -> Option<Route> {
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

fn reversed_chain(of: u32) -> u32 {
    let (corner, turn) = of_chain(of);
    chain(corner, turn.reversed())
}

/// A straight piece between a place and a chain.
#[derive(Clone, Copy, Debug)]
struct Link {
    chain: u32,
    contact: Contact,
    length: f64,
}

impl Link {
    fn backwards(self) -> Link {
        Link { contact: Contact { progress: -self.contact.progress, ..self.contact }, ..self }
    }
}

/// The straight pieces from a place to the circles of the given corners.
fn links<T: Tangents>(tangents: &T, (stand, corners): (&Stand, &[u32])) -> Vec<Link> {
    let mut links = Vec::new();
    for corner in corners {
        links.extend(Turn::BOTH.iter().filter_map(|turn| link(tangents, stand, *corner, *turn)));
    }
    links
}

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

/// The link of a point that stands on the corner itself: it may leave in any direction the corner allows.
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

/// How a chain was reached.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// By a link from the start.
    Start(usize),
    /// By the straight piece of this number that leaves this chain.
    Leave(u32, usize),
}

/// The cheapest known way to a place where a straight piece leaves.
#[derive(Clone, Copy, Debug)]
struct Node {
    cost: f64,
    /// `None` when the body rolled here from the place before on the same chain.
    arrived: Option<Origin>,
}

#[derive(Clone, Copy, Debug)]
struct Best {
    cost: f64,
    chain: u32,
    origin: Origin,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    estimate: f64,
    cost: f64,
    chain: u32,
    index: usize,
}

impl Ord for Open {
    /// The smallest estimate is the greatest; ties go by chain and place.
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

struct Search<'a, T: Tangents> {
    tangents: &'a T,
    goal: Vec2,
    /// For each chain that sees the goal, where a straight piece leaves for it.
    goals: BTreeMap<u32, Link>,
    nodes: BTreeMap<(u32, usize), Node>,
    open: BinaryHeap<Open>,
    best: Option<Best>,
    expansions: u64,
}

impl<T: Tangents> Search<'_, T> {
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

    /// A straight piece joins a chain: from there the body rolls to the goal's tangent and to the next place
    /// where a straight piece leaves.
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

    fn reach(&mut self, chain: u32, index: usize, cost: f64, arrived: Option<Origin>) {
        if self.nodes.get(&(chain, index)).is_none_or(|node| cost < node.cost) {
            self.nodes.insert((chain, index), Node { cost, arrived });
            let at = self.tangents.leaves(chain)[index].contact.at;
            self.open.push(Open { estimate: cost + at.distance(self.goal), cost, chain, index });
        }
    }

    /// The bends on the way to the goal, from the last to the first and turned round.
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

    /// How the chain was joined on the way to one of its places.
    fn arrival(&self, chain: u32, index: usize) -> Option<Origin> {
        let joined = (0..=index).rev().map(|at| self.nodes.get(&(chain, at)).and_then(|node| node.arrived));
        joined.flatten().next()
    }
}
