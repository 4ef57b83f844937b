//! Routes of single bodies: to places of their own, and as near as one can come to goals that cannot be reached.
//!
//! Searches run in [`Slicer`]s within a budget of expansions per step. The budget is divided among a fixed number of lanes
//! by a rule, and answers are handed out in the order of the questions, so that threads change nothing. A search that fails is not repeated at once:
//! the body is lost, walks to the reachable place nearest to its goal, and tries again after 10 s, 20 s, 40 s and so on.

use super::agent::AgentId;
use super::bodies::Bodies;
use super::body::{Body, Crossing, Leg, OwnExit, OwnRoute, Phase};
use super::event::{Event, StepReport};
use super::goal::Goal;
use super::place::height;
use super::portals::PortalTable;
use super::routes::{distance, nearest_target};
use super::way::way_left;
use super::world::World;
use crate::slicer::{FrameReport, Pace, SearchId, Slicer, SlicerOptions};
use clearway_base::parallel;
use clearway_nav::{Location, NavMesh, NoPath, Path, PathQuery};
use std::collections::BTreeMap;

/// The number of lanes in which searches run beside each other, whatever the number of threads. Each lane has one search
/// under way, which needs scratch buffers that grow with the mesh.
const LANES: usize = 4;

/// The number of expansions of a search per turn. Most searches end within one.
const SLICE: u64 = 4096;

/// The time in seconds after which a lost body tries again for the first time.
const RETRY: f32 = 10.0;

/// The number of times that the waiting time is doubled.
const MOST_DOUBLINGS: u8 = 6;

/// The distance in metres by which a start or a goal too close to a wall may be moved. Bodies that touch a wall are
/// closer than their radius class.
const SNAP: f64 = 0.5;

/// The searches of a crowd.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    /// The queues.
    lanes: [Lane; LANES],
    /// The number of searches that were ever started.
    started: u64,
    /// The number of frames.
    turns: u64,
    /// For a goal, a radius class and a component of the mesh: the reachable place nearest to the goal.
    nearest: BTreeMap<(u32, u32, u32), Option<Location>>,
    /// Identifies the mesh.
    serial: u64,
}

/// A queue of searches.
#[derive(Debug)]
struct Lane {
    /// The queue.
    slicer: Slicer,
    /// The bodies that wait for an answer, with the numbers of their searches.
    pending: BTreeMap<SearchId, (u64, AgentId)>,
    /// The expansions of the next frame.
    budget: u64,
    /// The last frame.
    frame: FrameReport,
}

impl Default for Lane {
    fn default() -> Lane {
        // The route is the cells to pass; the way within them is found step by step. So corridors do, at a tenth of the cost.
        let slicer = Slicer::new(SlicerOptions::default().under_way(1).corridors(true));
        Lane { slicer, pending: BTreeMap::new(), budget: 0, frame: FrameReport::default() }
    }
}

impl Searches {
    /// Forgets everything that belongs to another mesh.
    pub fn renew(&mut self, mesh: &NavMesh, bodies: &mut [Body]) {
        if self.serial != mesh.graph().serial {
            *self = Searches { serial: mesh.graph().serial, ..Searches::default() };
            for body in bodies.iter_mut().filter(|body| body.phase == Phase::Searching) {
                body.phase = Phase::Walking;
            }
        }
    }

    /// Forgets the places nearest to a goal, which opened or closed.
    pub fn forget_goal(&mut self, goal: u32) {
        self.nearest.retain(|(known, ..), _| *known != goal);
    }

    /// Starts a search for each of the bodies without a route, and notes which of them are lost.
    pub fn ask(
        &mut self,
        mesh: &NavMesh,
        world: &World,
        radii: &[f64],
        bodies: &mut Bodies,
        slots: &[u32],
        events: &mut Vec<Event>,
    ) {
        for &slot in slots {
            let Some(body) = bodies.at_slot_mut(slot) else { continue };
            if !matches!(body.phase, Phase::Walking | Phase::Lost) {
                continue;
            }
            let id = body.id();
            match body.goal {
                Goal::Place(goal) if body.phase == Phase::Walking => {
                    self.start(id, body, goal, radii);
                }
                Goal::Area(_) if body.phase == Phase::Walking && body.own.is_none() => {
                    self.lose(mesh, world, radii, id, body, NoPath::Disconnected, events);
                }
                // Pushed off the way to the nearest place: it waits where it is until it tries again.
                _ => body.own = None,
            }
        }
    }

    /// Runs the searches of a step and hands out their answers.
    pub fn run(
        &mut self,
        mesh: &NavMesh,
        world: &World,
        radii: &[f64],
        bodies: &mut Bodies,
        budget: u64,
        events: &mut Vec<Event>,
    ) -> StepReport {
        self.share(budget);
        parallel::each_with(
            &mut self.lanes,
            1,
            || (),
            |(), _, lane| {
                lane.frame = if lane.pending.is_empty() {
                    FrameReport::default()
                } else {
                    lane.slicer.frame(mesh, lane.budget)
                };
            },
        );
        for (id, answer) in self.answers() {
            let Some(body) = bodies.at_slot_mut(id.slot) else { continue };
            if body.generation != id.generation || !matches!(body.phase, Phase::Searching | Phase::Lost) {
                continue;
            }
            match answer {
                Ok(path) => self.accept(world, body, &path),
                Err(reason) if body.phase == Phase::Searching => {
                    self.lose(mesh, world, radii, id, body, reason, events);
                }
                Err(_) => {}
            }
        }
        let expansions = self.lanes.iter().map(|lane| lane.frame.spent).sum();
        let waiting = self.lanes.iter().map(|lane| lane.frame.waiting).sum();
        StepReport { expansions, waiting, ..StepReport::default() }
    }

    /// Divides a budget among the lanes that have something to do. The lane that gets the rest changes, so that none
    /// starves on a small budget.
    fn share(&mut self, budget: u64) {
        let busy = self.lanes.iter().filter(|lane| !lane.pending.is_empty()).count() as u64;
        let busy = busy.max(1);
        self.turns += 1;
        for (place, lane) in (0..).zip(self.lanes.iter_mut().filter(|lane| !lane.pending.is_empty())) {
            let gets_rest = (place + self.turns) % busy < budget % busy;
            lane.budget = budget / busy + u64::from(gets_rest);
        }
    }

    /// Takes the answers of the last frame, in the order in which the searches were started.
    fn answers(&mut self) -> Vec<(AgentId, Result<Path, NoPath>)> {
        let mut answers = Vec::new();
        for lane in &mut self.lanes {
            for search in std::mem::take(&mut lane.frame.finished) {
                let (answer, asked) = (lane.slicer.take(search), lane.pending.remove(&search));
                answers.extend(asked.zip(answer).map(|((number, id), answer)| (number, id, answer)));
            }
        }
        answers.sort_by_key(|(number, ..)| *number);
        answers.into_iter().map(|(_, id, answer)| (id, answer)).collect()
    }

    /// Gives a body the route that was found.
    fn accept(&mut self, world: &World, body: &mut Body, path: &Path) {
        let Some(Some(portals)) = world.classes.get(body.class as usize) else { return };
        body.own = Some(Box::new(OwnRoute::along(path, world, portals)));
        body.chain.cell = clearway_geometry::NONE;
        body.refresh = 0.0;
        if body.phase == Phase::Searching {
            body.phase = Phase::Walking;
            body.failures = 0;
        }
    }

    /// Starts the search of a body.
    fn start(&mut self, id: AgentId, body: &mut Body, goal: Location, radii: &[f64]) {
        let radius = radii.get(body.class as usize).copied().unwrap_or(0.0);
        let query = PathQuery::new(body.location(), goal).radius(radius).snap(SNAP);
        let pace = Pace { slice: SLICE, ..Pace::default() };
        // The lane with the fewest searches; of several the first.
        if let Some(lane) = self.lanes.iter_mut().min_by_key(|lane| lane.pending.len()) {
            let search = lane.slicer.add(query, u32::from(body.priority), pace);
            lane.pending.insert(search, (self.started, id));
            self.started += 1;
        }
        body.own = None;
        if body.phase == Phase::Walking {
            body.phase = Phase::Searching;
        }
    }

    /// Makes a body lost: it heads for the reachable place nearest to its goal.
    #[allow(clippy::too_many_arguments, reason = "the parts of a crowd, borrowed apart")]
    fn lose(
        &mut self,
        mesh: &NavMesh,
        world: &World,
        radii: &[f64],
        id: AgentId,
        body: &mut Body,
        reason: NoPath,
        events: &mut Vec<Event>,
    ) {
        if body.failures == 0 {
            events.push(Event::Lost { id, reason });
        }
        body.phase = Phase::Lost;
        body.retry = RETRY * f32::from(1u8 << body.failures.min(MOST_DOUBLINGS));
        body.failures = body.failures.saturating_add(1);
        if leads_near(mesh, world, body) {
            return body.forget_route();
        }
        let radius = radii.get(body.class as usize).copied().unwrap_or(0.0);
        let component = mesh.cell(body.location().cell()).map_or(0, |cell| cell.component().0);
        let goal = match body.goal {
            Goal::Place(goal) => Some(goal),
            Goal::Area(goal) => {
                world.tables.get(&(goal.0, body.class)).and_then(|table| nearest_target(&table.goal))
            }
            Goal::None | Goal::Direction(_) => None,
        };
        let nearest = || goal.and_then(|goal| mesh.nearest_reachable(body.location(), goal, radius));
        let key = (body.goal_key, body.class, component);
        let nearest = *self.nearest.entry(key).or_insert_with(nearest);
        if let Some(nearest) = nearest {
            self.start(id, body, nearest, radii);
        }
    }
}

/// True if the shared ways lead a body to its goal although it is closed.
fn leads_near(mesh: &NavMesh, world: &World, body: &Body) -> bool {
    let Goal::Area(goal) = body.goal else { return false };
    let table = world.tables.get(&(goal.0, body.class)).filter(|table| table.is_closed);
    let portals = world.classes.get(body.class as usize).and_then(Option::as_ref);
    table.zip(portals).is_some_and(|(table, portals)| {
        way_left(&world.route_world(mesh, portals), table, body.at, body.cell).is_finite()
    })
}

impl OwnRoute {
    /// Makes the route along a path.
    fn along(path: &Path, world: &World, portals: &PortalTable) -> OwnRoute {
        let points = path.points(0.05);
        let mut walked = vec![0.0];
        for pair in points.windows(2) {
            walked.push(walked.last().copied().unwrap_or(0.0) + distance(pair[0], pair[1]));
        }
        let whole = walked.last().copied().unwrap_or(0.0);
        let cells = &path.cells;
        let mut exits = Vec::with_capacity(cells.len().saturating_sub(1));
        let (mut from, mut portal) = (0, path.portals.iter());
        for place in 1..cells.len() {
            if let Some(ride) = path.links.iter().find(|ride| ride.cell == place) {
                let entry = clearway_nav::query::Position::plan(ride.from);
                let of_link = |stop: usize| world.stops[stop].link == ride.link.0;
                let far = |stop: &usize| distance(world.stops[*stop].at, entry);
                let stops = (0..world.stops.len()).filter(|stop| of_link(*stop));
                let Some(stop) = stops.min_by(|p, q| far(p).total_cmp(&far(q))) else { break };
                let at = world.stops[stop].at;
                let reached = |index: &usize| distance(points[*index], at) < 1e-6;
                from = (from..points.len()).find(reached).unwrap_or(from);
                let rest = (whole - walked[from]) as f32;
                exits.push(OwnExit::Ride { stop: stop as u32, rest });
                continue;
            }
            let Some(portal) = portal.next() else { break };
            let Some(side) = world.ground.side_into(cells[place - 1].0, portal.0) else { break };
            let is_beyond = |index: &usize| height(&world.ground, side, points[*index]) < 0.0;
            let next = (from + 1..points.len()).find(is_beyond).unwrap_or(points.len() - 1);
            let before = next.saturating_sub(1);
            let (start, end) =
                (height(&world.ground, side, points[before]), height(&world.ground, side, points[next]));
            let share = if start > end { (start / (start - end)).clamp(0.0, 1.0) } else { 0.0 };
            let crossing =
                [0, 1].map(|axis| points[before][axis] + share * (points[next][axis] - points[before][axis]));
            let rest = whole - walked[before] - share * (walked[next] - walked[before]);
            let (origin, _) = world.ground.sides[side as usize].track();
            let along = distance(origin, crossing) as f32;
            let Some(span) = nearest_span(portals, portal.0, along) else { break };
            let crossing = Crossing { place: along, rest: rest as f32 };
            exits.push(OwnExit::Side { side, span, crossing });
            from = before;
        }
        let (last, rest) =
            cells.split_last().map_or((clearway_geometry::NONE, &[][..]), |(c, rest)| (c.0, rest));
        let exits = exits.into_iter().chain(std::iter::repeat(OwnExit::End));
        let legs = rest.iter().zip(exits).map(|(cell, exit)| Leg { cell: cell.0, exit }).collect();
        OwnRoute { legs, goal: path.goal, last }
    }
}

/// Returns the free part of a portal nearest to a place along it.
fn nearest_span(portals: &PortalTable, portal: u32, along: f32) -> Option<u32> {
    let far = |span: &u32| {
        let span = &portals.spans[*span as usize];
        (span.low - along).max(along - span.high).max(0.0)
    };
    portals.spans_of(portal).min_by(|p, q| far(p).total_cmp(&far(q)))
}
