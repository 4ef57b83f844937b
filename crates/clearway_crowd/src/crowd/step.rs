//! The step of a crowd: a list of passes.

use super::Crowd;
use super::act::{Acting, Scratch};
use super::agent::Arrival;
use super::body::{Body, Phase};
use super::event::{Event, StepReport};
use super::goal::Goal;
use super::guide::{Guide, is_at_goal};
use super::place::place;
use super::room::Room;
use super::routes::distance;
use super::runs::{RUN, change_runs};
use super::survey::{Glance, Survey};
use super::world::{SharedGoal, World};
use crate::vector::Vector;
use clearway_base::error::short;
use clearway_base::{Error, ErrorKind, Result, parallel};
use clearway_geometry::NONE;
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh, Position};
use std::collections::BTreeSet;

/// The longest time step in seconds. A longer one is a mistake of units.
pub const MAX_DT: f64 = 60.0;

/// The longest move of a body in one part of a step, in metres. A person who runs at 2.6 m/s takes a step of 0.1 s in
/// one part. Longer moves would have to look around more corners for bodies that they may meet.
const LONGEST_MOVE: f64 = 0.4;

/// The fewest bodies that a thread takes at once. Fewer cost more in handing out than in walking.
const SHARE: usize = 128;

/// The time in seconds for which a body must be stuck beside bodies that arrived until it has arrived, too.
const STUCK: f32 = 2.0;

/// The speed in m/s below which a body is stuck.
const SLOW: f32 = 0.15;

/// The distance in metres from the goal within which a stuck body may count as arrived.
const CLOSE: f32 = 1.5;

/// The distance in metres by which a body that arrived may be pushed from its goal before it walks back.
const PUSHED: f32 = 0.3;

impl Crowd {
    /// Moves everybody on by `dt` seconds.
    ///
    /// The passes: who sets off; routes and way points; sorting by tile; then for each body neighbours, model and
    /// contact projection; moves over the mesh; rides; arrivals. A step longer than the model bears is cut into equal
    /// parts. The error names a time step that is zero, negative or not finite.
    pub fn step(&mut self, mesh: &NavMesh, dt: f64) -> Result<StepReport> {
        check_dt(dt)?;
        if self.bodies.list().len() <= SHARE {
            return self.step_here(mesh, dt);
        }
        // All passes inside the pool: each one that enters it wakes a thread and waits for it.
        parallel::in_pool(|| self.step_here(mesh, dt))
    }

    /// Moves everybody on, on the threads where it is called.
    fn step_here(&mut self, mesh: &NavMesh, dt: f64) -> Result<StepReport> {
        let mut survey = self.survey();
        let parts = self.parts(dt, &survey);
        let mut report = StepReport { parts, ..StepReport::default() };
        let mut events = Vec::new();
        for part in 0..parts {
            if part > 0 {
                survey = self.survey();
            }
            let planned = self.plan_part(mesh, dt / parts as f64, &survey)?;
            let advanced = self.advance_part(mesh, dt / parts as f64);
            events.append(&mut self.events);
            report.moved = advanced.moved;
            report.corrected += advanced.corrected;
            report.routed += planned.routed;
            report.expansions += planned.expansions;
            report.waiting = planned.waiting;
        }
        self.events = events;
        Ok(report)
    }

    /// Decides the velocity of each body for the next `dt` seconds and moves nobody. A game engine that owns its bodies
    /// reads the velocities, moves the bodies and calls [`sync`](Crowd::sync) for each.
    pub fn plan(&mut self, mesh: &NavMesh, dt: f64) -> Result<StepReport> {
        check_dt(dt)?;
        let survey = self.survey();
        self.plan_part(mesh, dt, &survey)
    }

    /// Moves everybody as [`plan`](Crowd::plan) decided.
    pub fn advance(&mut self, mesh: &NavMesh, dt: f64) -> Result<StepReport> {
        check_dt(dt)?;
        Ok(self.advance_part(mesh, dt))
    }

    /// Returns the number of parts of a step: none is longer than the model bears, and nobody moves far in one.
    fn parts(&self, dt: f64, survey: &Survey) -> usize {
        let spec = self.model.spec();
        let by_model = dt / f64::from(spec.max_dt.max(1e-3));
        let by_speed = dt * f64::from(survey.fastest * spec.max_speed) / LONGEST_MOVE;
        // Rounding must not cut a step of just the longest length in two.
        (by_model.max(by_speed) - 1e-6).ceil().max(1.0) as usize
    }

    /// The passes that decide.
    fn plan_part(&mut self, mesh: &NavMesh, dt: f64, survey: &Survey) -> Result<StepReport> {
        self.events.clear();
        self.prepare_for(mesh, dt, survey)?;
        self.events.append(&mut self.told);
        let step = dt as f32;
        self.set_off(mesh, step);
        self.guide(mesh, step);
        self.modify(step);
        let Some(world) = &self.world else { return Ok(StepReport::default()) };
        let Glance { survey, routed, asking } = self.sorted.sort(&world.ground, &mut self.bodies);
        let (bodies, radii) = (&mut self.bodies, &self.radii);
        self.searches.ask(mesh, world, radii, bodies, &asking, &mut self.events);
        let budget = self.options.search_budget;
        let searched = self.searches.run(mesh, world, radii, bodies, budget, &mut self.events);
        self.act(step, &survey);
        Ok(StepReport { routed, ..searched })
    }

    /// The passes that move.
    fn advance_part(&mut self, mesh: &NavMesh, dt: f64) -> StepReport {
        let (report, arrived) = self.move_bodies(mesh, dt as f32);
        self.ride(mesh, dt as f32);
        self.arrive(mesh, dt as f32, arrived);
        self.events.sort_by_key(|event| (event.agent().slot, event.agent().generation));
        self.time += dt;
        self.steps += 1;
        report
    }

    /// Looks at all bodies.
    fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        let bodies = self.bodies.list();
        let surveys = parallel::map(bodies.len().div_ceil(RUN), |run| {
            let mut survey = Survey::default();
            bodies[run * RUN..].iter().take(RUN).for_each(|body| survey.add(body));
            survey
        });
        surveys.iter().for_each(|part| survey.join(part));
        survey
    }

    /// Derives what belongs to the mesh, for a question between steps.
    pub(super) fn prepare(&mut self, mesh: &NavMesh, dt: f64) -> Result<()> {
        self.prepare_for(mesh, dt, &self.survey())
    }

    /// Derives what belongs to the mesh, if it is another one than before or if bodies have become larger.
    fn prepare_for(&mut self, mesh: &NavMesh, dt: f64, survey: &Survey) -> Result<()> {
        let spec = self.model.spec();
        // Within this distance of centres bodies may touch in a step.
        let contact = 2.0 * survey.widest() + 2.0 * survey.longest_move(&spec, dt as f32);
        let reach = f64::from(spec.range).max(f64::from(contact)).max(f64::from(spec.wall_range));
        let serial = mesh.graph().serial;
        let known = self.world.as_ref().map(|world| (world.ground.serial, world.ground.reach));
        if known.is_some_and(|(known, far)| known == serial && far >= reach) {
            if survey.is_unsettled {
                self.settle(mesh);
            }
            return Ok(());
        }
        self.searches.renew(mesh, self.bodies.list_mut());
        let is_other = known.is_none_or(|(known, _)| known != serial);
        // A little more, so that bodies which grow do not renew it each time.
        self.world = Some(World::new(mesh, reach * 1.1, &self.wraps, &self.zones)?);
        for body in self.bodies.list_mut() {
            body.settled &= !is_other;
            body.forget_route();
            if is_other {
                // A way may have opened: who was lost asks again at once.
                (body.retry, body.failures) = (0.0, 0);
            }
        }
        self.settle(mesh);
        Ok(())
    }

    /// Puts bodies onto the ground of a mesh that is new to them. Those in walls or off it go, one after the other, to the
    /// nearest place where they fit, or beside it where others stand.
    fn settle(&mut self, mesh: &NavMesh) {
        let Some(world) = &self.world else { return };
        let mut misplaced = Vec::new();
        let new = self.bodies.list_mut().iter_mut().filter(|body| body.is_here() && !body.settled);
        for body in new {
            body.settled = true;
            find_floor(mesh, body);
            let (at, radius) = (body.location(), f64::from(body.radius));
            if fits(mesh, at, radius) || world.ground.only_wraps_near(mesh, at, radius - TOUCH) {
                body.floor = mesh.height(body.location()) as f32;
            } else {
                misplaced.push(body.slot);
            }
        }
        if misplaced.is_empty() {
            return;
        }
        misplaced.sort_unstable();
        let mut room = Room::new(mesh);
        let is_misplaced = |body: &Body| misplaced.binary_search(&body.slot).is_ok();
        for body in self.bodies.list() {
            if body.is_on_ground() && !is_misplaced(body) {
                room.add(body);
            }
        }
        for slot in misplaced {
            let Some(body) = self.bodies.at_slot_mut(slot) else { continue };
            self.told.extend(settle_body(mesh, body, &room));
            if body.is_on_ground() {
                room.add(body);
            }
        }
    }

    /// Lets bodies set off whose time has come, and makes the tables for the goals and radii that walk now.
    fn set_off(&mut self, mesh: &NavMesh, dt: f32) {
        let Some(world) = &mut self.world else { return };
        // For each goal, then for places of bodies' own, and each class: true if somebody walks there.
        let (goals, classes) = (self.goals.len(), self.radii.len());
        let runs = change_runs(self.bodies.list_mut(), |_, bodies| {
            let (mut walked, mut foreign) = (vec![false; (goals + 1) * classes], BTreeSet::new());
            for body in bodies {
                body.set_off(dt);
                let row = match body.goal {
                    Goal::Area(goal) if goal.index() < goals => goal.index(),
                    // An area of another crowd leads nowhere.
                    Goal::Area(goal) if body.walks() => {
                        foreign.insert((goal.0, body.class));
                        goals
                    }
                    Goal::Place(_) => goals,
                    _ => continue,
                };
                walked[row * classes + body.class as usize] |= body.walks();
            }
            (walked, foreign)
        });
        let (mut needed, mut tables) = (BTreeSet::new(), BTreeSet::new());
        for (_, foreign) in &runs {
            tables.extend(foreign);
        }
        let is_walked = |place: &usize| runs.iter().any(|(walked, _)| walked[*place]);
        for place in (0..(goals + 1) * classes).filter(is_walked) {
            let (goal, class) = (place / classes, (place % classes) as u32);
            needed.insert(class);
            if goal < goals {
                tables.insert((goal as u32, class));
            }
        }
        world.prepare_classes(mesh, &self.radii, &needed, &self.options);
        world.prepare_tables(mesh, &self.goals, &tables);
    }

    /// Decides where each body heads for.
    fn guide(&mut self, mesh: &NavMesh, dt: f32) {
        let Some(world) = &self.world else { return };
        let guide = Guide { mesh, world, options: &self.options, zones: &self.zones, dt };
        parallel::each_with(self.bodies.list_mut(), SHARE, || (), |(), _, body| guide.guide(body));
    }

    /// Lets each body look, wish, and cut its wish to what touches nobody.
    fn act(&mut self, dt: f32, survey: &Survey) {
        let Some(world) = &self.world else { return };
        let spec = self.model.spec();
        let acting = Acting {
            ground: &world.ground,
            sorted: &self.sorted,
            model: &*self.model,
            spec,
            widest: survey.widest(),
            highest: survey.highest,
            longest_move: survey.longest_move(&spec, dt),
            rounds_corners: self.options.rounds_corners(),
            contact: self.options.contact,
            dt,
            seed: self.options.seed,
            step: self.steps,
        };
        let places = &self.sorted.places;
        parallel::each_with(self.bodies.list_mut(), SHARE, Scratch::default, |scratch, here, body| {
            if places[here] != NONE {
                acting.act(scratch, places[here] as usize, body);
            }
        });
    }

    /// Moves the bodies over the mesh. Returns also the number of bodies that have arrived.
    fn move_bodies(&mut self, mesh: &NavMesh, dt: f32) -> (StepReport, usize) {
        let (mut report, mut arrived) = (StepReport::default(), 0);
        let Some(world) = &self.world else { return (report, arrived) };
        let runs = change_runs(self.bodies.list_mut(), |_, bodies| {
            let (mut moved, mut corrected, mut arrived) = (0, 0, 0);
            for body in bodies {
                move_body(mesh, world, body, dt);
                if body.is_on_ground() {
                    moved += usize::from(body.displacement != Vector::ZERO);
                    corrected += usize::from(body.noted.corrected);
                    arrived += usize::from(body.phase == Phase::Arrived);
                }
            }
            (moved, corrected, arrived)
        });
        for (moved, corrected, here) in runs {
            (report.moved, report.corrected) = (report.moved + moved, report.corrected + corrected);
            arrived += here;
        }
        (report, arrived)
    }

    /// Notes who has arrived, and who was pushed from its goal. So many had arrived before.
    fn arrive(&mut self, mesh: &NavMesh, dt: f32, arrived: usize) {
        let goals = &self.goals;
        let crowd = 2.0 * (arrived as f32).sqrt();
        let runs = change_runs(self.bodies.list_mut(), |_, bodies| {
            let arriving = bodies
                .iter_mut()
                .filter_map(|body| arrives(mesh, goals, body, dt, crowd).then_some(body.slot));
            arriving.collect()
        });
        let mut arriving: Vec<u32> = runs.into_iter().flat_map(|run: Vec<u32>| run).collect();
        arriving.sort_unstable();
        for slot in arriving {
            self.note_arrival(slot);
        }
    }

    /// Lets a body stay at its goal or leave.
    fn note_arrival(&mut self, slot: u32) {
        let Some(body) = self.bodies.at_slot_mut(slot) else { return };
        let id = body.id();
        let goal = match body.goal {
            Goal::Area(goal) => Some(goal),
            _ => None,
        };
        if body.arrival == Arrival::Leave {
            self.events.push(Event::Left { id, goal });
            self.free_slot(slot);
        } else {
            body.phase = Phase::Arrived;
            body.forget_route();
            (body.head, body.target, body.left) = (Vector::ZERO, Vector::ZERO, 0.0);
            self.events.push(Event::Arrived { id, goal });
        }
    }
}

/// Checks a time step.
fn check_dt(dt: f64) -> Result<()> {
    if dt > 0.0 && dt <= MAX_DT {
        return Ok(());
    }
    let message = format!("the time step {} must be greater than 0 and at most {MAX_DT} s", short(dt));
    Err(Error::new(ErrorKind::OutOfRange, message))
}

/// True if a body arrives now: it is at its goal, or stuck near it beside those who have arrived. They take up as much
/// room as `crowd` radii. A body that was pushed from its goal walks back.
fn arrives(mesh: &NavMesh, goals: &[SharedGoal], body: &mut Body, dt: f32, crowd: f32) -> bool {
    if body.phase == Phase::Arrived {
        body.left += body.displacement.length();
        if body.left > PUSHED && !is_at_goal(mesh, body, goals) {
            body.phase = Phase::Walking;
            body.forget_route();
        }
        return false;
    }
    if !body.walks() {
        return false;
    }
    let is_slow = body.noted.beside_arrived && body.velocity.length() < SLOW;
    body.stuck = if is_slow { body.stuck + dt } else { 0.0 };
    let near = body.left < CLOSE + body.radius * crowd;
    is_at_goal(mesh, body, goals) || (body.stuck > STUCK && near)
}

/// Moves a body as planned.
fn move_body(mesh: &NavMesh, world: &World, body: &mut Body, dt: f32) {
    body.noted.corrected = false;
    if !body.is_on_ground() || body.displacement == Vector::ZERO {
        return;
    }
    let mut to = [body.at[0] + f64::from(body.displacement.x), body.at[1] + f64::from(body.displacement.y)];
    // A move longer than the radius may lead to walls that were not in sight. Shorter moves keep off their ends, and the
    // ends hide them.
    if body.displacement.length() > 0.75 * body.radius {
        let hit = mesh.raycast(body.location(), to, f64::from(body.radius));
        to = hit.map_or(body.at, |hit| hit.at.position());
        body.velocity = Vector::between(body.at, to) * (1.0 / dt);
    }
    let placed = place(mesh, &world.ground, (body.at, body.cell), to, f64::from(body.radius));
    if placed.corrected {
        body.velocity = Vector::between(body.at, placed.at) * (1.0 / dt);
        body.noted.corrected = true;
    }
    if mesh.has_heights() && (placed.cell != body.cell || world.is_sloped(placed.cell)) {
        body.floor = mesh.height(Location::in_cell(CellId(placed.cell), placed.at)) as f32;
    }
    (body.at, body.cell) = (placed.at, placed.cell);
}

/// Finds the cell of a body whose cell is no more, or is another one now, without moving the body.
fn find_floor(mesh: &NavMesh, body: &mut Body) {
    let height = mesh.height(body.location());
    let is_floor =
        !mesh.has_heights() || body.floor.is_nan() || (height - f64::from(body.floor)).abs() < STOREY;
    if is_floor && mesh.is_here(&body.location()) {
        return;
    }
    let found = match body.place_in_space(mesh) {
        Some(place) => mesh.locate(place),
        None => mesh.locate(body.at),
    };
    if let Ok(found) = found {
        body.cell = found.cell().0;
    }
}

/// Puts a body onto the ground at the nearest place where it fits, or beside it where others stand. If there is no room
/// far and wide, bodies overlap and are pushed apart.
fn settle_body(mesh: &NavMesh, body: &mut Body, room: &Room<'_>) -> Option<Event> {
    let (id, radius) = (body.id(), f64::from(body.radius));
    // The old cell may be another place on this mesh, so the height comes from the body, or else from the plan.
    let (clear, nearest) = match body.place_in_space(mesh) {
        Some(place) => (mesh.nearest_clear(place, radius, SETTLE), mesh.nearest(place, f64::INFINITY)),
        None => (mesh.nearest_clear(body.at, radius, SETTLE), mesh.nearest(body.at, f64::INFINITY)),
    };
    let Some(near) = clear.or(nearest) else { return Some(Event::Swallowed { id }) };
    let free = if body.is_on_ground() {
        let in_sight = room.free_place(near, radius, SETTLE);
        in_sight.or_else(|| room.free_place_anywhere(near, radius, SETTLE))
    } else {
        Some(near)
    };
    let has_room = clear.is_some() && free.is_some();
    let place = free.unwrap_or(near);
    let moved = distance(place.position(), body.at);
    (body.at, body.cell) = (place.position(), place.cell().0);
    body.floor = mesh.height(place) as f32;
    if !has_room {
        return Some(Event::Swallowed { id });
    }
    (moved > 1e-3).then_some(Event::Moved { id, distance: moved })
}

/// True if a body fits at a place, with wraps as walls.
fn fits(mesh: &NavMesh, at: Location, radius: f64) -> bool {
    mesh.is_here(&at) && mesh.clearance(at).is_some_and(|room| room >= radius - TOUCH)
}

/// Returns a place if a body fits there, else the nearest one to a position where it fits.
pub(super) fn clear_place(
    mesh: &NavMesh,
    here: Location,
    position: impl Position,
    radius: f64,
) -> Option<Location> {
    if fits(mesh, here, radius) { Some(here) } else { mesh.nearest_clear(position, radius, SETTLE) }
}

/// The depth in metres by which a body that touches a wall may reach into it: what rounding leaves.
pub(super) const TOUCH: f64 = 1e-4;

/// The difference of heights in metres from which a body is not on the floor where it was.
const STOREY: f64 = 1.0;

/// The distance in metres within which a place is looked for where a body fits.
pub(super) const SETTLE: f64 = 10.0;
