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

use super::widest::{Narrow, bottleneck};
use crate::mesh::{CellId, LinkEnd, LinkId, NavMesh, distance};
use crate::path::{NoPath, Path, PathQuery, Piece, Place, Ride as PathRide, SearchSpace, legal};
use crate::query::Location;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The way from start to a goal that costs least, walking and taking links, or why there is none. Where links do not
/// help, the answer is a single walk, and where nothing leads there, the reason is that of walking, or that the body is
/// too large for the links that do.
pub(crate) fn cheapest_way(
    mesh: &NavMesh,
    query: &PathQuery,
    space: &mut SearchSpace,
) -> Result<Path, NoPath> {
    query.checked_radius()?;
    let start = legal_here(mesh, query, query.start, Place::Start)?;
    let on_foot = PathQuery { start, partial: false, ..query.clone() };
    let mut best = mesh.find_foot_path(&on_foot, space);
    let mut searches = 1;
    for goal in query.goals() {
        let Ok(goal) = legal_here(mesh, query, goal, Place::Goal) else { continue };
        let most = best.as_ref().map_or(f64::INFINITY, |path| path.cost);
        let leg =
            PathQuery { start, goal, more_goals: Vec::new(), snap: 0.0, partial: false, ..query.clone() };
        let mut search = Search::new(mesh, &leg, space, most);
        if search.run() {
            best = Ok(search.answer());
        } else if let Err(reason) = best {
            best = Err(reason_with_links(mesh, &leg, reason));
        }
        searches += search.searches;
    }
    match best {
        Ok(path) => Ok(Path { searches, ..path }),
        Err(_) if query.partial => mesh.find_foot_path(query, space),
        Err(reason) => Err(reason),
    }
}

/// Why not even links lead there: a body too large for them is told so, and how large it may be.
fn reason_with_links(mesh: &NavMesh, query: &PathQuery, reason: NoPath) -> NoPath {
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

/// The place itself, or the nearest legal one of its component within the distance that the query allows: a link must
/// not be saved by moving an end across a wall.
fn legal_here(mesh: &NavMesh, query: &PathQuery, at: Location, place: Place) -> Result<Location, NoPath> {
    let moved = legal(mesh, query, at, place)?;
    let component = |at: Location| mesh.parts.cell_component[at.cell.index()];
    if component(moved) == component(at) {
        return Ok(moved);
    }
    Err(NoPath::TooClose { place, clearance: mesh.clearance(at).unwrap_or(0.0) })
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
    /// A lower bound for the cost of walking a grid unit.
    least_rate: f64,
}

pub(super) const START: u32 = 0;
pub(super) const GOAL: u32 = 1;

impl Stops {
    pub fn of(mesh: &NavMesh, query: &PathQuery) -> Stops {
        let mut stops = Stops {
            stops: Vec::new(),
            rides: Vec::new(),
            from_component: BTreeMap::new(),
            least_rate: mesh.unit() * query.costs.as_ref().map_or(1.0, |costs| costs.least()),
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
        for (link, record) in (0u32..)
            .zip(&mesh.parts.links)
            .filter(|(_, record)| query.links.allows_link(record, query.radius))
        {
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
        if from.component == to.component { from.at.distance(to.at) * self.least_rate } else { f64::INFINITY }
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
    query: &'a PathQuery,
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

impl<'a> Search<'a> {
    fn new(mesh: &'a NavMesh, query: &'a PathQuery, space: &'a mut SearchSpace, most: f64) -> Search<'a> {
        let stops = Stops::of(mesh, query);
        Search {
            mesh,
            query,
            space,
            most,
            cost: vec![f64::INFINITY; stops.stops.len()],
            way: vec![Way::NONE; stops.stops.len()],
            bounds: stops.bounds(most),
            stops,
            open: BinaryHeap::new(),
            branches: Vec::new(),
            known: BTreeMap::new(),
            walks: Vec::new(),
            searches: 0,
        }
    }

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
        let walked = self.walks.get(walk as usize).map_or(0.0, |walk| walk.cost);
        let cost = self.cost[before as usize] + walked + fare;
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
            let query = PathQuery { start, goal, ..self.query.clone() };
            let path = self.mesh.find_foot_path(&query, self.space);
            path.ok().map(|path| {
                self.walks.push(path);
                self.walks.len() as u32 - 1
            })
        };
        self.known.insert((from, to), found);
        found
    }

    /// The path to the goal, once it is reached.
    fn answer(&self) -> Path {
        let mut ways = Vec::new();
        let mut stop = GOAL;
        while stop != START {
            ways.push(self.way[stop as usize]);
            stop = self.way[stop as usize].before;
        }
        let mut path = self.at_start();
        for Way { walk, ride, .. } in ways.into_iter().rev() {
            if let Some(walk) = self.walks.get(walk as usize).filter(|walk| walk.length > 0.0) {
                append_walk(&mut path, walk);
            }
            if let Some(ride) = self.stops.rides.get(ride as usize) {
                self.append_ride(&mut path, ride);
            }
        }
        path.cost = self.cost[GOAL as usize];
        path
    }

    /// The path that goes nowhere yet.
    fn at_start(&self) -> Path {
        let start = self.query.start;
        Path {
            start: start.position,
            goal: start.position,
            cells: vec![start.cell],
            radius: self.query.radius,
            ..Path::default()
        }
    }

    fn append_ride(&self, path: &mut Path, ride: &Ride) {
        let ends = ride.stops.map(|stop| self.stops.stops[stop as usize].end);
        let [from, to] = ends.map(|end| self.mesh.end_in_space(&end));
        let (link, length) = (LinkId(ride.link), distance(from, to));
        let (piece, cell) = (path.pieces.len(), path.cells.len());
        path.pieces.push(Piece::Link { link, from: ends[0].position, to: ends[1].position, length });
        path.links.push(PathRide { link, piece, cell, from, to, cost: ride.cost });
        path.cells.push(CellId(ends[1].cell));
        path.goal = ends[1].position;
        path.length += length;
    }
}

/// Adds a walk that starts where the path ends.
fn append_walk(path: &mut Path, walk: &Path) {
    // The walk starts in the last cell of the path, or in another one that holds the place where it starts.
    path.cells.pop();
    path.cells.extend(&walk.cells);
    path.portals.extend(&walk.portals);
    path.pieces.extend(&walk.pieces);
    path.goal = walk.goal;
    path.length += walk.length;
    path.clearance = path.clearance.min(walk.clearance);
    path.bound = path.bound.max(walk.bound);
    path.expansions += walk.expansions;
}
