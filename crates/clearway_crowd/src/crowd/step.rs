//! The step of a crowd: a list of passes.

use super::act::{Acting, Done, Scratch};
use super::agent::{AgentId, Arrival, MIN_RADIUS};
use super::body::{Body, Phase};
use super::event::{Event, StepReport};
use super::goal::Goal;
use super::guide::{Guide, is_at_goal};
use super::own::Searches;
use super::place::place;
use super::routes::distance;
use super::way::ChainEnd;
use super::world::World;
use super::{Crowd, GoalId};
use crate::vector::Vector;
use clearway_base::error::short;
use clearway_base::{Error, ErrorKind, Result, parallel};
use clearway_nav::mesh::CellId;
use clearway_nav::{LinkId, Location, NavMesh};
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
        let parts = self.parts(dt);
        let mut report = StepReport { parts, ..StepReport::default() };
        let mut events = Vec::new();
        for _ in 0..parts {
            let planned = self.plan_part(mesh, dt / parts as f64)?;
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
        self.plan_part(mesh, dt)
    }

    /// Moves everybody as [`plan`](Crowd::plan) decided.
    pub fn advance(&mut self, mesh: &NavMesh, dt: f64) -> Result<StepReport> {
        check_dt(dt)?;
        Ok(self.advance_part(mesh, dt))
    }

    /// Returns the number of parts of a step: none is longer than the model bears, and nobody moves far in one.
    fn parts(&self, dt: f64) -> usize {
        let spec = self.model.spec();
        let fastest =
            self.bodies.iter().filter(|body| body.is_here()).map(|body| body.speed).fold(0.0, f32::max);
        let by_model = dt / f64::from(spec.max_dt.max(1e-3));
        let by_speed = dt * f64::from(fastest * spec.max_speed) / LONGEST_MOVE;
        // Rounding must not cut a step of just the longest length in two.
        (by_model.max(by_speed) - 1e-6).ceil().max(1.0) as usize
    }

    /// The passes that decide.
    fn plan_part(&mut self, mesh: &NavMesh, dt: f64) -> Result<StepReport> {
        self.events.clear();
        self.prepare(mesh, dt)?;
        let step = dt as f32;
        self.set_off(step);
        self.prepare_routes(mesh);
        let mut report = self.guide(mesh, step);
        let Some(world) = &self.world else { return Ok(report) };
        let (bodies, radii) = (&mut self.bodies, &self.radii);
        self.searches.ask(mesh, world, radii, bodies, &mut self.events);
        let budget = self.options.search_budget;
        let searched = self.searches.run(mesh, world, radii, bodies, budget, &mut self.events);
        (report.expansions, report.waiting) = (searched.expansions, searched.waiting);
        let mut tiles = Vec::new();
        self.sorted.sort(&world.ground, &self.bodies, &mut tiles);
        self.act(step);
        Ok(report)
    }

    /// The passes that move.
    fn advance_part(&mut self, mesh: &NavMesh, dt: f64) -> StepReport {
        let report = self.move_bodies(mesh, dt as f32);
        self.ride(mesh, dt as f32);
        self.arrive(mesh, dt as f32);
        self.events.sort_by_key(|event| (event.agent().slot, event.agent().generation));
        self.time += dt;
        self.steps += 1;
        report
    }

    /// Derives what belongs to the mesh, if it is another one than before or if bodies have become larger.
    pub(super) fn prepare(&mut self, mesh: &NavMesh, dt: f64) -> Result<()> {
        let spec = self.model.spec();
        let reach = f64::from(spec.range)
            .max(f64::from(self.contact_range(dt as f32)))
            .max(f64::from(spec.wall_range));
        let serial = mesh.graph().serial;
        let known = self.world.as_ref().map(|world| (world.ground.serial, world.ground.reach));
        if known.is_some_and(|(known, far)| known == serial && far >= reach) {
            self.settle(mesh);
            return Ok(());
        }
        self.searches.renew(mesh, &mut self.bodies);
        let is_other = known.is_none_or(|(known, _)| known != serial);
        // A little more, so that bodies which grow do not renew it each time.
        self.world = Some(World::new(mesh, reach * 1.1, &self.wraps, &self.zones)?);
        for body in &mut self.bodies {
            body.settled &= !is_other;
            body.forget_route();
        }
        self.settle(mesh);
        Ok(())
    }

    /// Returns the distance of centres within which bodies may touch in a step.
    fn contact_range(&self, dt: f32) -> f32 {
        2.0 * self.widest() + 2.0 * self.longest_move(dt)
    }

    /// Returns the largest radius in the crowd.
    fn widest(&self) -> f32 {
        let radii = self.bodies.iter().filter(|body| body.is_here()).map(|body| body.radius);
        radii.fold(MIN_RADIUS as f32, f32::max)
    }

    /// Returns the longest move of any body in a step.
    fn longest_move(&self, dt: f32) -> f32 {
        let speeds =
            self.bodies.iter().filter(|body| body.is_here()).map(|body| body.speed * body.pace.max(1.0));
        speeds.fold(0.0, f32::max) * self.model.spec().max_speed * dt
    }

    /// Puts bodies onto the ground of a mesh that is new to them: those in walls or off it go to the nearest place where
    /// they fit.
    fn settle(&mut self, mesh: &NavMesh) {
        let new = self.bodies.iter_mut().enumerate().filter(|(_, body)| body.is_here() && !body.settled);
        for (slot, body) in new {
            body.settled = true;
            let id = AgentId { slot: slot as u32, generation: body.generation };
            settle_body(mesh, id, body, &mut self.events);
        }
    }

    /// Lets bodies set off whose time has come, and those that were just added stand on the ground.
    fn set_off(&mut self, dt: f32) {
        for body in self.bodies.iter_mut().filter(|body| body.phase == Phase::Waiting) {
            body.wait -= dt;
            if body.wait <= 0.0 {
                body.phase = if body.goal == Goal::None { Phase::Idle } else { Phase::Walking };
            }
        }
        Searches::wait(&mut self.bodies, dt);
    }

    /// Makes the tables for the goals and radii that walk now.
    fn prepare_routes(&mut self, mesh: &NavMesh) {
        let Some(world) = &mut self.world else { return };
        let (mut classes, mut tables) = (BTreeSet::new(), BTreeSet::new());
        let mut last = (u32::MAX, u32::MAX);
        for body in self.bodies.iter().filter(|body| body.walks()) {
            let key = match body.goal {
                Goal::Area(goal) => (goal.0, body.class),
                Goal::Place(_) => (u32::MAX, body.class),
                Goal::None | Goal::Direction(_) => continue,
            };
            if key != last {
                last = key;
                classes.insert(key.1);
                if key.0 != u32::MAX {
                    tables.insert(key);
                }
            }
        }
        world.prepare_classes(mesh, &self.radii, &classes, &self.options);
        world.prepare_tables(mesh, &self.goals, &tables);
    }

    /// Decides where each body heads for.
    fn guide(&mut self, mesh: &NavMesh, dt: f32) -> StepReport {
        let Some(world) = &self.world else { return StepReport::default() };
        let guide = Guide { mesh, world, options: &self.options, zones: &self.zones, dt };
        parallel::each_with(&mut self.bodies, SHARE, || (), |(), slot, body| guide.guide(slot as u32, body));
        let routed = self.bodies.iter().filter(|body| body.is_here() && body.noted.routed).count();
        StepReport { routed, ..StepReport::default() }
    }

    /// Lets each body look, wish, and cut its wish to what touches nobody.
    fn act(&mut self, dt: f32) {
        let Some(world) = &self.world else { return };
        let acting = Acting {
            ground: &world.ground,
            sorted: &self.sorted,
            bodies: &self.bodies,
            model: &*self.model,
            spec: self.model.spec(),
            widest: self.widest(),
            longest_move: self.longest_move(dt),
            rounds_corners: self.options.rounds_corners(),
            contact: self.options.contact,
            dt,
            seed: self.options.seed,
            step: self.steps,
        };
        let mut done = vec![Done::default(); self.sorted.shown.len()];
        parallel::each_with(&mut done, SHARE, Scratch::default, |scratch, index, done| {
            *done = acting.act(scratch, index);
        });
        for (shown, done) in self.sorted.shown.iter().zip(done) {
            let body = &mut self.bodies[shown.slot as usize];
            body.displacement = done.displacement;
            body.velocity = done.displacement * (1.0 / dt);
            body.wish = done.wish;
            body.state = done.state;
            body.noted.beside_arrived = done.beside_arrived;
        }
    }

    /// Moves the bodies over the mesh.
    fn move_bodies(&mut self, mesh: &NavMesh, dt: f32) -> StepReport {
        let Some(world) = &self.world else { return StepReport::default() };
        parallel::each_with(&mut self.bodies, SHARE, || (), |(), _, body| move_body(mesh, world, body, dt));
        let moved = |body: &&Body| body.is_on_ground() && body.displacement != Vector::ZERO;
        let corrected = |body: &&Body| body.is_on_ground() && body.noted.corrected;
        StepReport {
            moved: self.bodies.iter().filter(moved).count(),
            corrected: self.bodies.iter().filter(corrected).count(),
            ..StepReport::default()
        }
    }

    /// Lets bodies board links, and land where there is room.
    fn ride(&mut self, mesh: &NavMesh, dt: f32) {
        let Some(world) = &self.world else { return };
        if world.stops.is_empty() {
            return;
        }
        for slot in 0..self.bodies.len() {
            let body = &self.bodies[slot];
            let id = AgentId { slot: slot as u32, generation: body.generation };
            match body.phase {
                Phase::Riding(stop) => {
                    let stop = world.stops[stop as usize];
                    let is_free = body.wait <= dt
                        && self.bodies.iter().enumerate().all(|(other, known)| {
                            let apart = f64::from(body.radius + known.radius);
                            other == slot || !known.is_on_ground() || distance(known.at, stop.at) >= apart
                        });
                    let body = &mut self.bodies[slot];
                    body.wait -= dt;
                    if is_free {
                        (body.at, body.cell, body.phase) = (stop.at, stop.cell, Phase::Walking);
                        body.chain.cell = clearway_geometry::NONE;
                        self.events.push(Event::Landed { id, link: LinkId(stop.link) });
                        settle_body(mesh, id, body, &mut self.events);
                    }
                }
                Phase::Walking if body.chain.cell == body.cell && body.chain.count == 0 => {
                    let ChainEnd::Ride(stop) = body.chain.end else { continue };
                    let entry = world.stops[stop as usize];
                    let near = distance(body.at, entry.at) <= f64::from(body.radius.max(0.3));
                    let speed = body.speed.max(0.1);
                    if near && entry.ride.is_finite() {
                        let body = &mut self.bodies[slot];
                        (body.phase, body.wait) = (Phase::Riding(entry.other), entry.ride as f32 / speed);
                        (body.velocity, body.displacement) = (Vector::ZERO, Vector::ZERO);
                        self.events.push(Event::Boarded { id, link: LinkId(entry.link) });
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes who has arrived, and who was pushed from its goal.
    fn arrive(&mut self, mesh: &NavMesh, dt: f32) {
        let arrived = self.bodies.iter().filter(|body| body.phase == Phase::Arrived).count();
        for slot in 0..self.bodies.len() {
            let body = &mut self.bodies[slot];
            let id = AgentId { slot: slot as u32, generation: body.generation };
            if body.phase == Phase::Arrived {
                let goal = &self.goals;
                body.left += body.displacement.length();
                if body.left > PUSHED && !is_at_goal(mesh, body, goal) {
                    body.phase = Phase::Walking;
                    body.forget_route();
                }
                continue;
            }
            if !body.walks() {
                continue;
            }
            let is_slow = body.noted.beside_arrived && body.velocity.length() < SLOW;
            body.stuck = if is_slow { body.stuck + dt } else { 0.0 };
            let near = body.left < CLOSE + 2.0 * body.radius * (arrived as f32).sqrt();
            if is_at_goal(mesh, body, &self.goals) || (body.stuck > STUCK && near) {
                let goal = match body.goal {
                    Goal::Area(goal) => Some(goal),
                    _ => None,
                };
                self.note_arrival(slot as u32, id, goal);
            }
        }
    }

    /// Lets a body stay at its goal or leave.
    fn note_arrival(&mut self, slot: u32, id: AgentId, goal: Option<GoalId>) {
        let body = &mut self.bodies[slot as usize];
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
    (body.at, body.cell) = (placed.at, placed.cell);
}

/// Puts a body onto the ground: where it is if it fits there, else to the nearest place where it fits.
fn settle_body(mesh: &NavMesh, id: AgentId, body: &mut Body, events: &mut Vec<Event>) {
    let here = body.location();
    let fits = |at: &Location| mesh.clearance(*at).is_some_and(|room| room >= f64::from(body.radius) - 1e-4);
    if mesh.is_here(&here) && fits(&here) {
        return;
    }
    let radius = f64::from(body.radius);
    // The old cell may be another place on this mesh, so the height comes from nowhere but the plan.
    let near = mesh.nearest_clear(body.at, radius, SETTLE).or_else(|| mesh.nearest(body.at, f64::INFINITY));
    let Some(near) = near else { return };
    let moved = distance(near.position(), body.at);
    (body.at, body.cell) = (near.position(), near.cell().0);
    if moved > 1e-3 || !mesh.is_here(&Location::in_cell(CellId(body.cell), body.at)) {
        events.push(Event::Moved { id, distance: moved });
    }
}

/// The distance in metres within which a place is looked for where a body fits.
const SETTLE: f64 = 10.0;
