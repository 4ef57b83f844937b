//! The cheapest way of walks and links: a lazy A* over the ends of links.
//!
//! Between two ends the cost of walking is the length of the shortest path, which takes a search; the straight distance
//! is a lower bound for it. Over all ends, lower bounds of what is left to the goal are found backwards first
//! ([`Stops::bounds`], a plain Dijkstra over straight distances). The search then orders walks by their lower bounds
//! and searches for one only when no other way promises less (Lazy A*, as in Dellin and Srinivasa 2016). Ends in
//! different components are never walked between.
//!
//! The walk without links is found first: ways that promise no less are not looked at, and of equals it wins.
//!
//! Cost: O(n²) for n ends of links in one component that promise less than walking, and as many walks as needed.

use super::query::{Leg, LinkPath, LinkQuery};
use super::widest::{Narrow, bottleneck};
use crate::mesh::{LinkEnd, LinkId, NavMesh, distance};
use crate::path::{NoPath, Path, Place, SearchSpace};
use crate::query::Location;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

impl NavMesh {
    /// The way from start to goal that costs least, walking and taking links, or why there is none. Walking costs its
    /// length. Where links do not help, the answer is a single walk, and where nothing leads there, the reason is
    /// that of walking, or that the body is too large for the links that do.
    pub fn find_path_with_links(&self, query: &LinkQuery) -> Result<LinkPath, NoPath> {
        self.find_path_with_links_in(query, &mut SearchSpace::new())
    }

    /// As [`find_path_with_links`](NavMesh::find_path_with_links), in room that is used again.
    pub fn find_path_with_links_in(
        &self,
        query: &LinkQuery,
        space: &mut SearchSpace,
    ) -> Result<LinkPath, NoPath> {
        let radius = query.radius;
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NoPath::BadRadius { radius });
        }
        let start = legal(self, query, query.start, Place::Start)?;
        let goal = legal(self, query, query.goal, Place::Goal)?;
        let query = query.clone().start(start).goal(goal).snap(0.0);
        let walk = self.find_path_with(&query.walking(start, goal), space);
        if self.parts.links.is_empty() {
            return walk.map(|walk| only(walk, 1));
        }
        let most = walk.as_ref().map_or(f64::INFINITY, |walk| walk.length);
        let stops = Stops::of(self, &query);
        let bounds = stops.bounds(most);
        let mut search = Search {
            mesh: self,
            query: &query,
            space,
            most,
            cost: vec![f64::INFINITY; stops.stops.len()],
            way: vec![Way::NONE; stops.stops.len()],
            stops,
            bounds,
            open: BinaryHeap::new(),
            branches: Vec::new(),
            known: BTreeMap::new(),
            walks: Vec::new(),
            searches: 1,
        };
        match search.run() {
            true => Ok(search.answer()),
            false => {
                let searches = search.searches;
                walk.map(|walk| only(walk, searches))
                    .map_err(|reason| reason_with_links(self, &query, reason))
            }
        }
    }
}

/// Why not even links lead there: a body too large for them is told so, and how large it may be.
fn reason_with_links(mesh: &NavMesh, query: &LinkQuery, reason: NoPath) -> NoPath {
    let narrow = bottleneck(mesh, query).filter(|narrow| narrow.radius < query.radius);
    let is_wider = |narrow: &Narrow| match reason {
        NoPath::Disconnected => true,
        NoPath::TooNarrow { widest_radius, .. } => narrow.radius > widest_radius,
        _ => false,
    };
    narrow.filter(is_wider).map_or(reason, |Narrow { radius, at, link }| NoPath::TooNarrow {
        widest_radius: radius,
        at,
        link,
    })
}

/// A path without links.
fn only(walk: Path, searches: usize) -> LinkPath {
    LinkPath { searches, ..walk.into() }
}

/// The place itself, or the nearest legal one of its component within the distance that the query allows.
fn legal(mesh: &NavMesh, query: &LinkQuery, at: Location, place: Place) -> Result<Location, NoPath> {
    if !mesh.is_here(&at) {
        return Err(NoPath::OffMesh { place });
    }
    let clearance = mesh.clearance(at).unwrap_or(0.0);
    if query.radius == 0.0 || clearance >= query.radius {
        return Ok(at);
    }
    let component = |at: Location| mesh.parts.cell_component[at.cell.index()];
    let moved = mesh.nearest_clear_to(at, query.radius, query.snap);
    let moved = moved.filter(|moved| query.snap > 0.0 && component(*moved) == component(at));
    moved.ok_or(NoPath::TooClose { place, clearance })
}

/// A place where a way may change from walking to a link or back.
pub(super) struct Stop {
    pub end: LinkEnd,
    at: Vec2,
    pub component: u32,
}

/// A link taken in one direction, between two stops.
pub(super) struct Ride {
    pub link: u32,
    pub stops: [u32; 2],
    pub cost: f64,
}

/// The start, the goal, and all ends of links that the query may use.
pub(super) struct Stops {
    pub stops: Vec<Stop>,
    pub rides: Vec<Ride>,
    /// For each component, the rides that start in it.
    pub from_component: BTreeMap<u32, Vec<u32>>,
    unit: f64,
}

pub(super) const START: u32 = 0;
pub(super) const GOAL: u32 = 1;

impl Stops {
    pub fn of(mesh: &NavMesh, query: &LinkQuery) -> Stops {
        let mut stops = Stops {
            stops: Vec::new(),
            rides: Vec::new(),
            from_component: BTreeMap::new(),
            unit: mesh.unit(),
        };
        for place in [query.start, query.goal] {
            stops.add(mesh, LinkEnd { cell: place.cell.0, position: place.position });
        }
        let mut numbers: BTreeMap<(u32, [u64; 2]), Option<u32>> = BTreeMap::new();
        let mut number = |stops: &mut Stops, end: &LinkEnd| {
            *numbers.entry((end.cell, end.position.map(f64::to_bits))).or_insert_with(|| {
                let clearance = || mesh.clearance(end.location()).unwrap_or(0.0);
                (query.radius == 0.0 || clearance() >= query.radius).then(|| stops.add(mesh, *end))
            })
        };
        for (link, record) in (0u32..).zip(&mesh.parts.links).filter(|(_, record)| query.allows(record)) {
            let [Some(from), Some(to)] = [0, 1].map(|i| number(&mut stops, &record.ends[i])) else {
                continue;
            };
            stops.rides.push(Ride { link, stops: [from, to], cost: record.cost });
            if record.both_ways {
                stops.rides.push(Ride { link, stops: [to, from], cost: record.cost });
            }
        }
        for (number, ride) in (0u32..).zip(&stops.rides) {
            let component = stops.stops[ride.stops[0] as usize].component;
            stops.from_component.entry(component).or_default().push(number);
        }
        stops
    }

    fn add(&mut self, mesh: &NavMesh, end: LinkEnd) -> u32 {
        let component = mesh.parts.cell_component[end.cell as usize];
        self.stops.push(Stop { end, at: mesh.parts.grid.units(end.position), component });
        self.stops.len() as u32 - 1
    }

    /// A lower bound for walking from one stop to another.
    fn straight(&self, from: u32, to: u32) -> f64 {
        let [from, to] = [from, to].map(|stop| &self.stops[stop as usize]);
        if from.component == to.component { from.at.distance(to.at) * self.unit } else { f64::INFINITY }
    }

    /// For each stop a lower bound for what the way from it to the goal costs; infinite where that is more than `most`.
    fn bounds(&self, most: f64) -> Vec<f64> {
        let count = self.stops.len();
        let mut in_component: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (number, stop) in (0u32..).zip(&self.stops) {
            in_component.entry(stop.component).or_default().push(number);
        }
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (number, ride) in (0u32..).zip(&self.rides) {
            into[ride.stops[1] as usize].push(number);
        }
        let mut least = vec![f64::INFINITY; count];
        let mut is_final = vec![false; count];
        least[GOAL as usize] = 0.0;
        // Whether the stop was reached by walking: then a further walk before it would be no shorter.
        let mut open = BinaryHeap::from([Reverse((0u64, GOAL, false))]);
        while let Some(Reverse((bits, stop, walked))) = open.pop() {
            let cost = f64::from_bits(bits);
            if is_final[stop as usize] {
                continue;
            }
            is_final[stop as usize] = true;
            let mut reach = |before: u32, cost: f64, walked: bool| {
                if cost < least[before as usize] && cost <= most {
                    least[before as usize] = cost;
                    open.push(Reverse((cost.to_bits(), before, walked)));
                }
            };
            for ride in &into[stop as usize] {
                let ride = &self.rides[*ride as usize];
                reach(ride.stops[0], cost + ride.cost, false);
            }
            let near = in_component.get(&self.stops[stop as usize].component).filter(|_| !walked);
            for before in near.into_iter().flatten() {
                reach(*before, cost + self.straight(*before, stop), true);
            }
        }
        least
    }
}

/// How a stop was reached: from which one, walking which walk, by which ride.
#[derive(Clone, Copy)]
struct Way {
    before: u32,
    walk: u32,
    ride: u32,
}

impl Way {
    const NONE: Way = Way { before: NONE, walk: NONE, ride: NONE };
}

/// What to do next, in the order of what it promises.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// The stop is reached at the cost given in bits.
    Arrive { stop: u32, cost: u64, before: u32, walk: u32, ride: u32 },
    /// The next of the ways from a stop is to be looked at.
    Try { branch: u32, place: u32 },
}

/// All ways on from a stop that was reached, with what each promises; the most promising first.
struct Branch {
    stop: u32,
    ways: Vec<(f64, u32)>,
}

struct Search<'a> {
    mesh: &'a NavMesh,
    query: &'a LinkQuery,
    space: &'a mut SearchSpace,
    /// Ways that cost this much or more are of no use.
    most: f64,
    stops: Stops,
    bounds: Vec<f64>,
    cost: Vec<f64>,
    way: Vec<Way>,
    open: BinaryHeap<Reverse<(u64, Next)>>,
    branches: Vec<Branch>,
    /// Walks between stops that were searched for; `None` where there is none.
    known: BTreeMap<(u32, u32), Option<u32>>,
    walks: Vec<Path>,
    searches: usize,
}

impl Search<'_> {
    /// Whether there is a way that costs less than walking all of it.
    fn run(&mut self) -> bool {
        self.cost[START as usize] = 0.0;
        self.branch(START);
        while let Some(Reverse((_, next))) = self.open.pop() {
            match next {
                Next::Try { branch, place } => self.look(branch, place),
                Next::Arrive { stop, cost, before, walk, ride } => {
                    let known = &mut self.cost[stop as usize];
                    if *known < f64::INFINITY {
                        continue;
                    }
                    *known = f64::from_bits(cost);
                    self.way[stop as usize] = Way { before, walk, ride };
                    if stop == GOAL {
                        return true;
                    }
                    self.branch(stop);
                }
            }
        }
        false
    }

    /// Opens the ways on from a stop: rides, and the walk to the goal, which has the number [`NONE`].
    fn branch(&mut self, stop: u32) {
        let stops = &self.stops;
        let cost = self.cost[stop as usize];
        let promise = |ride: &u32| {
            let Ride { stops: [from, to], cost: fare, .. } = stops.rides[*ride as usize];
            (cost + stops.straight(stop, from) + fare + self.bounds[to as usize], *ride)
        };
        let rides = stops.from_component.get(&stops.stops[stop as usize].component);
        let goal = (stop != START).then(|| (cost + stops.straight(stop, GOAL), NONE));
        let ways = rides.into_iter().flatten().map(promise).chain(goal);
        let mut ways: Vec<(f64, u32)> = ways.filter(|(promise, _)| *promise < self.most).collect();
        ways.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        self.branches.push(Branch { stop, ways });
        self.open_way(self.branches.len() as u32 - 1, 0);
    }

    fn open_way(&mut self, branch: u32, place: u32) {
        if let Some((promise, _)) = self.branches[branch as usize].ways.get(place as usize) {
            self.open.push(Reverse((promise.to_bits(), Next::Try { branch, place })));
        }
    }

    /// Finds out what a way really costs.
    fn look(&mut self, branch: u32, place: u32) {
        self.open_way(branch, place + 1);
        let Branch { stop: before, ways } = &self.branches[branch as usize];
        let (before, ride) = (*before, ways[place as usize].1);
        let (from, to, fare) = match self.stops.rides.get(ride as usize) {
            Some(ride) => (ride.stops[0], ride.stops[1], ride.cost),
            None => (GOAL, GOAL, 0.0),
        };
        if self.cost[to as usize] < f64::INFINITY {
            return;
        }
        let Some(walk) = self.walk(before, from) else { return };
        let length = self.walks.get(walk as usize).map_or(0.0, |walk| walk.length);
        let cost = self.cost[before as usize] + length + fare;
        let promise = cost + self.bounds[to as usize];
        if promise < self.most {
            let next = Next::Arrive { stop: to, cost: cost.to_bits(), before, walk, ride };
            self.open.push(Reverse((promise.to_bits(), next)));
        }
    }

    /// The walk between two stops: its number, [`NONE`] where they are one, and nothing where there is no walk.
    fn walk(&mut self, from: u32, to: u32) -> Option<u32> {
        if let Some(known) = self.known.get(&(from, to)) {
            return *known;
        }
        let [start, goal] = [from, to].map(|stop| self.stops.stops[stop as usize].end.location());
        let found = if start == goal {
            Some(NONE)
        } else {
            self.searches += 1;
            let path = self.mesh.find_path_with(&self.query.walking(start, goal), self.space);
            path.ok().map(|path| {
                self.walks.push(path);
                self.walks.len() as u32 - 1
            })
        };
        self.known.insert((from, to), found);
        found
    }

    /// The way to the goal, once it is reached.
    fn answer(&self) -> LinkPath {
        let mut legs = Vec::new();
        let mut length = 0.0;
        let mut stop = GOAL;
        while stop != START {
            let Way { before, walk, ride } = self.way[stop as usize];
            if let Some(ride) = self.stops.rides.get(ride as usize) {
                let [from, to] =
                    ride.stops.map(|stop| self.mesh.end_in_space(&self.stops.stops[stop as usize].end));
                length += distance(from, to);
                legs.push(Leg::Link { link: LinkId(ride.link), from, to, cost: ride.cost });
            }
            if let Some(walk) = self.walks.get(walk as usize).filter(|walk| walk.length > 0.0) {
                length += walk.length;
                legs.push(Leg::Walk(walk.clone()));
            }
            stop = before;
        }
        legs.reverse();
        LinkPath { legs, cost: self.cost[GOAL as usize], length, searches: self.searches }
    }
}
