//! The cheapest way of walks and links: a lazy A* over the ends of links.
//!
//! The cost of walking between two ends is the length of the shortest path, which takes a search. The straight distance
//! is a lower bound. [`Stops::bounds`] first computes lower bounds from every end to the goal, by a backward Dijkstra
//! over straight distances. The search then orders walks by their lower bounds. It searches for a walk only when no
//! other way promises less (Lazy A*, as in Dellin and Srinivasa 2016). It never walks between ends in different
//! components.
//!
//! The walk without links is found first: ways that do not promise less are skipped, and among equals the plain walk
//! wins.
//!
//! Cost: O(n²) for n ends of links in one component that promise less than walking, and as many path searches as
//! needed.

use super::widest::{Narrow, bottleneck};
use crate::mesh::{CellId, LinkEnd, LinkId, NavMesh, distance};
use crate::path::{NoPath, Path, PathQuery, Piece, Place, Ride as PathRide, SearchSpace, legal};
use crate::query::Location;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Returns the cheapest way from the start to a goal by walking and links, or the reason why there is none. Where links
/// do not help, the answer is a single walk. Where nothing leads to the goal, the reason is the reason of walking, or
/// that the body is too large for the links.
pub(crate) fn cheapest_way(
    mesh: &NavMesh,
    query: &PathQuery,
    space: &mut SearchSpace,
) -> Result<Path, NoPath> {
    query.checked_radius()?;
    let start = legal_here(mesh, query, query.start, Place::Start)?;
    let on_foot = PathQuery { start, partial: false, ..query.clone() };
    // The plain walk sets the limit that ways with links must beat.
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

/// Returns the reason why even links do not lead to the goal. A body too large for them learns the largest radius that
/// fits.
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

/// Returns the point itself, or the nearest legal point of its component within the query's snap distance. A move
/// across a wall must not replace a link.
fn legal_here(mesh: &NavMesh, query: &PathQuery, at: Location, place: Place) -> Result<Location, NoPath> {
    let moved = legal(mesh, query, at, place)?;
    let component = |at: Location| mesh.component_of(at.cell.0);
    if component(moved) == component(at) {
        return Ok(moved);
    }
    Err(NoPath::TooClose { place, clearance: mesh.clearance(at).unwrap_or(0.0) })
}

/// A point where a way may change from walking to a link or back.
pub(super) struct Stop {
    /// The end of a link, or the start or the goal in the same form.
    pub end: LinkEnd,
    /// Its position in grid units.
    at: Vec2,
    /// The component of its cell.
    pub component: u32,
}

/// A link taken in one direction, between two stops.
pub(super) struct Ride {
    /// The id of the link.
    pub link: u32,
    /// The stops at which it starts and ends.
    pub stops: [u32; 2],
    /// Its cost in metres of walking.
    pub cost: f64,
}

/// The start, the goal, and all ends of links that the query may use.
pub(super) struct Stops {
    /// The start, the goal, then the ends of links; coinciding ends share a stop.
    pub stops: Vec<Stop>,
    /// All links that the body may take, one ride for each direction.
    pub rides: Vec<Ride>,
    /// For each component, the indices of the rides that start in it.
    pub from_component: BTreeMap<u32, Vec<u32>>,
    /// A lower bound for the cost of walking one grid unit.
    least_rate: f64,
}

/// The index of the start among the stops.
pub(super) const START: u32 = 0;
/// The index of the goal among the stops.
pub(super) const GOAL: u32 = 1;

impl Stops {
    /// Collects the stops and rides of a query. Ends of links where the body does not fit are left out.
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
                // Clearance takes a look-up of walls, which points do not need.
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

    /// Appends a stop and returns its index.
    fn add(&mut self, mesh: &NavMesh, end: LinkEnd) -> u32 {
        let component = mesh.component_of(end.cell);
        self.stops.push(Stop { end, at: mesh.parts.grid.units(end.position), component });
        self.stops.len() as u32 - 1
    }

    /// Returns a lower bound for the cost of walking from one stop to another; infinite between components.
    fn straight(&self, from: u32, to: u32) -> f64 {
        let [from, to] = [from, to].map(|stop| &self.stops[stop as usize]);
        if from.component == to.component { from.at.distance(to.at) * self.least_rate } else { f64::INFINITY }
    }

    /// Returns, for each stop, a lower bound for the cost from it to the goal; infinite where it exceeds `most`.
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
        // The flag is true for a stop reached by walking: a further walk before it would be no shorter (triangle
        // inequality).
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

/// The last step to a stop: the stop before, the walk from there, and the ride taken after the walk.
#[derive(Clone, Copy)]
struct Way {
    /// The stop before.
    before: u32,
    /// The index of the walk; `NONE` if the ride starts at the stop before.
    walk: u32,
    /// The index of the ride; `NONE` for the walk to the goal.
    ride: u32,
}

impl Way {
    /// The step of a stop that was not reached.
    const NONE: Way = Way { before: NONE, walk: NONE, ride: NONE };
}

/// An entry of the open list. The list is ordered by promised total cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// A way reaches `stop` at exactly this cost (as bits of an `f64`).
    Arrive { stop: u32, cost: u64, before: u32, walk: u32, ride: u32 },
    /// The way with index `place` of a branch has yet to be searched for.
    Try { branch: u32, place: u32 },
}

/// All ways on from a stop that was reached, each with its promised total cost; the most promising first.
struct Branch {
    /// The stop.
    stop: u32,
    /// Promised cost and ride of each way; the ride `NONE` is the walk to the goal.
    ways: Vec<(f64, u32)>,
}

/// The state of the lazy A*.
struct Search<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The query for one start and one goal.
    query: &'a PathQuery,
    /// Scratch buffers for the path searches.
    space: &'a mut SearchSpace,
    /// The cost of the best way so far: ways that cost as much or more are useless.
    most: f64,
    /// The stops and rides.
    stops: Stops,
    /// For each stop, a lower bound for the cost to the goal.
    bounds: Vec<f64>,
    /// For each stop, the exact cost to reach it; infinite before.
    cost: Vec<f64>,
    /// For each stop, the last step to it.
    way: Vec<Way>,
    /// The open list, cheapest promise first; costs are bits of non-negative floats, which sort like the floats.
    open: BinaryHeap<Reverse<(u64, Next)>>,
    /// The branches made so far, one for each stop that was reached.
    branches: Vec<Branch>,
    /// Walks that were searched for, by their stops; `None` if there is no such walk.
    known: BTreeMap<(u32, u32), Option<u32>>,
    /// The walks that were found.
    walks: Vec<Path>,
    /// The number of path searches.
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

    /// Runs the search. Returns true if a way costs less than `most`.
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

    /// Opens the ways on from a stop: rides, and the walk to the goal, which has the index [`NONE`].
    fn branch(&mut self, stop: u32) {
        let stops = &self.stops;
        let cost = self.cost[stop as usize];
        let promise = |ride: &u32| {
            let Ride { stops: [from, to], cost: fare, .. } = stops.rides[*ride as usize];
            (cost + stops.straight(stop, from) + fare + self.bounds[to as usize], *ride)
        };
        let rides = stops.from_component.get(&stops.stops[stop as usize].component);
        // From the start, the plain walk to the goal is known already.
        let goal = (stop != START).then(|| (cost + stops.straight(stop, GOAL), NONE));
        let ways = rides.into_iter().flatten().map(promise).chain(goal);
        let mut ways: Vec<(f64, u32)> = ways.filter(|(promise, _)| *promise < self.most).collect();
        ways.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        self.branches.push(Branch { stop, ways });
        self.open_way(self.branches.len() as u32 - 1, 0);
    }

    /// Puts one way of a branch on the open list. Only the next one per branch is listed, which keeps the list short.
    fn open_way(&mut self, branch: u32, place: u32) {
        if let Some((promise, _)) = self.branches[branch as usize].ways.get(place as usize) {
            self.open.push(Reverse((promise.to_bits(), Next::Try { branch, place })));
        }
    }

    /// Finds out the exact cost of a way by searching for its walk, and lists the next way of the branch.
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

    /// Returns the index of the walk between two stops: [`NONE`] if they coincide, and `None` if there is no walk.
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

    /// Returns the path to the goal, once it is reached.
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

    /// Returns the path that has not left the start.
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

    /// Appends a ride along a link.
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

/// Appends a walk that starts where the path ends.
fn append_walk(path: &mut Path, walk: &Path) {
    // The walk may start in another cell than the last one of the path, if both hold the point.
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
