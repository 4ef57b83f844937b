//! The crowd: bodies of any radius that walk over a mesh and do not touch each other.
//!
//! A step goes from a frozen state to the next, pass after pass ([`Crowd::step`] lists them). Each pass is a map over
//! bodies whose results are written by index, so that the number of threads changes nothing. No pass decides topology by
//! floats: a body changes its cell only by walking through portals.

mod act;
mod agent;
mod bodies;
mod body;
mod corner;
mod escape;
mod event;
mod goal;
mod ground;
mod guide;
mod keys;
mod measure;
mod modifier;
mod near;
mod options;
mod own;
mod place;
mod portals;
mod project;
mod ride;
mod room;
mod routes;
mod runs;
mod step;
mod survey;
#[cfg(test)]
mod tests;
mod way;
mod world;

pub use agent::{Activity, Agent, AgentId, AgentOptions, Arrival, MAX_RADIUS, MAX_SPEED, MIN_RADIUS};
pub use escape::Flight;
pub use event::{Event, StepReport};
pub use goal::{Area, Goal, GoalId, MAX_CORNERS, Reach};
pub use ground::Wrap;
pub use measure::Measures;
pub use modifier::{Course, Frozen, Modifier};
pub use options::{CrowdOptions, SpeedZone};
pub use portals::Shrink;
pub use way::{Outside, WayPoints};

use crate::model::{Headway, LocalModel};
use agent::{check_radius, check_speed};
use bodies::Bodies;
use body::{Body, Phase};
use clearway_base::Result;
use clearway_nav::{Location, NavMesh, Position};
use keys::GoalKeys;
use near::Sorted;
use own::Searches;
use std::collections::BTreeSet;
use world::{SharedGoal, World};

/// The number of radii that are routed exactly. Further ones are rounded up to whole centimetres.
const EXACT_CLASSES: usize = 32;

/// A crowd. It does not hold the mesh: every step gets it.
///
/// ```
/// use clearway::{AgentOptions, Area, Arrival, Crowd, MeshOptions, Plan};
///
/// let plan = Plan::from_rings([vec![[0.0, 0.0], [9.0, 0.0], [9.0, 4.0], [0.0, 4.0]]]);
/// let mesh = MeshOptions::default().build(&plan)?;
/// let mut crowd = Crowd::default();
/// let exit = crowd.add_goal(Area::rectangle([8.0, 1.0], [9.0, 3.0])?);
/// for y in [1.0, 2.0, 3.0] {
///     let at = mesh.locate([1.0, y])?;
///     crowd.add(AgentOptions::at(at).radius(0.25).goal(exit).arrival(Arrival::Leave))?;
/// }
/// while !crowd.is_empty() && crowd.time() < 20.0 {
///     crowd.step(&mesh, 0.1)?;
/// }
/// assert!(crowd.is_empty() && crowd.time() < 8.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Crowd {
    /// The options.
    options: CrowdOptions,
    /// The local model.
    model: Box<dyn LocalModel>,
    /// The modifiers, in the order in which they work.
    modifiers: Vec<Box<dyn Modifier>>,
    /// The bodies.
    bodies: Bodies,
    /// The goal areas.
    goals: Vec<SharedGoal>,
    /// Keys of other goals.
    keys: GoalKeys,
    /// The speed zones.
    zones: Vec<SpeedZone>,
    /// The joined walls.
    wraps: Vec<Wrap>,
    /// The radii for which routes are searched, in metres.
    radii: Vec<f64>,
    /// What is derived from the mesh.
    world: Option<World>,
    /// Searches for routes of single bodies.
    searches: Searches,
    /// The bodies sorted by tile, in the last step.
    sorted: Sorted,
    /// The events of the last step.
    events: Vec<Event>,
    /// The events since then, which the next step tells.
    told: Vec<Event>,
    /// The simulated time in seconds.
    time: f64,
    /// The number of steps, parts counted.
    steps: u64,
}

impl Default for Crowd {
    fn default() -> Crowd {
        Crowd::new(CrowdOptions::default())
    }
}

impl std::fmt::Debug for Crowd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let model = self.model.spec().name;
        f.debug_struct("Crowd")
            .field("model", &model)
            .field("bodies", &self.len())
            .field("time", &self.time)
            .finish()
    }
}

impl Crowd {
    /// Makes a crowd without bodies, with the model [`Headway`].
    pub fn new(options: CrowdOptions) -> Crowd {
        Crowd {
            options,
            model: Box::new(Headway::default()),
            modifiers: Vec::new(),
            bodies: Bodies::default(),
            goals: Vec::new(),
            keys: GoalKeys::default(),
            zones: Vec::new(),
            wraps: Vec::new(),
            radii: Vec::new(),
            world: None,
            searches: Searches::default(),
            sorted: Sorted::default(),
            events: Vec::new(),
            told: Vec::new(),
            time: 0.0,
            steps: 0,
        }
    }

    /// Sets the local model.
    #[must_use]
    pub fn with_model(mut self, model: impl LocalModel + 'static) -> Crowd {
        self.set_model(Box::new(model));
        self
    }

    /// Sets the local model.
    pub fn set_model(&mut self, model: Box<dyn LocalModel>) {
        self.model = model;
    }

    /// Returns the local model.
    pub fn model(&self) -> &dyn LocalModel {
        &*self.model
    }

    /// Returns the options.
    pub fn options(&self) -> &CrowdOptions {
        &self.options
    }

    /// Adds a goal area.
    pub fn add_goal(&mut self, area: Area) -> GoalId {
        self.goals.push(SharedGoal { area, open: true });
        GoalId(self.goals.len() as u32 - 1)
    }

    /// Opens or closes a goal area. Nobody arrives at a closed one. Bodies on their way to it are lost until it opens: they
    /// walk near and wait. Returns false for an area of another crowd.
    pub fn set_goal_open(&mut self, goal: GoalId, open: bool) -> bool {
        let Some(shared) = self.goals.get_mut(goal.index()) else { return false };
        if shared.open == open {
            return true;
        }
        shared.open = open;
        self.searches.forget_goal(goal.0);
        if let Some(world) = &mut self.world {
            world.forget_goal(goal.0);
        }
        for body in self.bodies.list_mut().iter_mut().filter(|body| body.goal == Goal::Area(goal)) {
            body.set_goal(Goal::Area(goal), goal.0);
        }
        true
    }

    /// Adds an area in which bodies walk at another speed.
    pub fn add_zone(&mut self, zone: SpeedZone) {
        self.zones.push(zone);
        self.world = None;
    }

    /// Joins two equal pieces of wall. A piece that is no wall of the mesh is an error of the next step.
    pub fn add_wrap(&mut self, wrap: Wrap) {
        self.wraps.push(wrap);
        self.world = None;
    }

    /// Adds a body. The error names the number that is out of range.
    pub fn add(&mut self, agent: AgentOptions) -> Result<AgentId> {
        agent.check()?;
        let class = self.class_of(agent.radius);
        let key = self.keys.take(&agent.goal);
        Ok(self.bodies.add(|slot, generation| Body::new(&agent, class, key, (slot, generation))).id())
    }

    /// Removes a body. Returns false if it is not here.
    pub fn remove(&mut self, id: AgentId) -> bool {
        if self.body_mut(id).is_none() {
            return false;
        }
        self.free_slot(id.slot);
        true
    }

    /// Gives a body another goal. Returns false if the body is not here.
    pub fn set_goal(&mut self, id: AgentId, goal: impl Into<Goal>) -> bool {
        let Some(last) = self.body_mut(id).map(|body| body.goal) else { return false };
        let goal = goal.into();
        self.keys.give_back(&last);
        let key = self.keys.take(&goal);
        if let Some(body) = self.body_mut(id) {
            body.set_goal(goal, key);
        }
        true
    }

    /// Sets the speed at which a body wishes to walk, in m/s. Returns false if the body is not here.
    pub fn set_speed(&mut self, id: AgentId, speed: f64) -> Result<bool> {
        check_speed(speed)?;
        Ok(self.body_mut(id).map(|body| body.speed = speed as f32).is_some())
    }

    /// Sets the radius of a body in metres. Bodies that it overlaps then are pushed apart. Returns false if the body is
    /// not here.
    pub fn set_radius(&mut self, id: AgentId, radius: f64) -> Result<bool> {
        check_radius(radius)?;
        let class = self.class_of(radius);
        let Some(body) = self.body_mut(id) else { return Ok(false) };
        (body.radius, body.class) = (radius as f32, class);
        body.forget_route();
        Ok(true)
    }

    /// Sets the priority of a body. Returns false if the body is not here.
    pub fn set_priority(&mut self, id: AgentId, priority: u8) -> bool {
        self.body_mut(id).map(|body| body.priority = priority).is_some()
    }

    /// Sets what happens at the goal of a body. Returns false if the body is not here.
    pub fn set_arrival(&mut self, id: AgentId, arrival: Arrival) -> bool {
        self.body_mut(id).map(|body| body.arrival = arrival).is_some()
    }

    /// Lets a body stand for this many seconds. Returns false if the body is not here, rides a link, or if the time is
    /// negative or not finite.
    pub fn set_wait(&mut self, id: AgentId, seconds: f64) -> bool {
        let sound = seconds >= 0.0 && seconds.is_finite();
        let body = self.body_mut(id).filter(|body| sound && !matches!(body.phase, Phase::Riding(_)));
        body.map(|body| (body.wait, body.phase) = (seconds as f32, Phase::Waiting)).is_some()
    }

    /// Returns a body.
    pub fn agent(&self, id: AgentId) -> Option<Agent> {
        let body = self.bodies.at_slot(id.slot)?;
        (body.is_here() && body.generation == id.generation).then(|| body.view())
    }

    /// Returns all bodies in the order of their slots.
    pub fn agents(&self) -> impl Iterator<Item = Agent> + '_ {
        self.bodies.by_slot().filter(|body| body.is_here()).map(Body::view)
    }

    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.count()
    }

    /// True if there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the simulated time in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the events of the last step.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the length of the way from a place to a goal area for a body of this radius, in metres. `None` if it
    /// cannot be reached or is closed. The first question for a goal and a radius takes as long as a search over the whole mesh.
    pub fn way_left(&mut self, mesh: &NavMesh, at: Location, radius: f64, goal: GoalId) -> Option<f64> {
        check_radius(radius).ok()?;
        if !mesh.is_here(&at) || self.goals.get(goal.index()).is_some_and(|goal| !goal.open) {
            return None;
        }
        let class = self.class_of(radius);
        // Ways depend on the mesh only. To look at all bodies for each question would take for ever in large crowds.
        if self.world.as_ref().is_none_or(|world| world.ground.serial != mesh.graph().serial) {
            self.prepare(mesh, 0.1).ok()?;
        }
        let (options, radii) = (self.options, &self.radii);
        let world = self.world.as_mut()?;
        world.prepare_classes(mesh, radii, &BTreeSet::from([class]), &options);
        world.prepare_tables(mesh, &self.goals, &BTreeSet::from([(goal.0, class)]));
        let table = world.tables.get(&(goal.0, class))?;
        let portals = world.classes.get(class as usize)?.as_ref()?;
        let left = way::way_left(&world.route_world(mesh, portals), table, at.position(), at.cell().0);
        left.is_finite().then_some(f64::from(left))
    }

    /// Puts everybody onto a mesh that is another one than before, as the next step would do first. Questions about
    /// places of bodies can be asked on that mesh from then on.
    pub fn notice(&mut self, mesh: &NavMesh) -> Result<()> {
        self.prepare(mesh, 0.1)
    }

    /// Puts a body where a game engine moved it, instead of [`advance`](Crowd::advance). Returns false if the body is
    /// not here or the place is off the mesh; then it stays.
    pub fn sync(&mut self, mesh: &NavMesh, id: AgentId, position: impl Position, velocity: [f64; 2]) -> bool {
        let Some(body) = self.body_mut(id) else { return false };
        let Ok(at) = mesh.locate_near(position, &body.location()) else { return false };
        (body.at, body.cell) = (at.position(), at.cell().0);
        body.floor = mesh.height(at) as f32;
        let velocity = crate::vector::Vector::from(velocity);
        body.velocity = if velocity.is_finite() { velocity } else { body.velocity };
        true
    }

    /// Returns a stored body.
    fn body_mut(&mut self, id: AgentId) -> Option<&mut Body> {
        let body = self.bodies.at_slot_mut(id.slot)?;
        (body.is_here() && body.generation == id.generation).then_some(body)
    }

    /// Frees the slot of a body.
    fn free_slot(&mut self, slot: u32) {
        if let Some(body) = self.bodies.free(slot) {
            self.keys.give_back(&body.goal);
        }
    }

    /// Returns the radius class of a radius: the radius itself, or rounded up where there are many.
    fn class_of(&mut self, radius: f64) -> u32 {
        let wanted = if self.radii.len() < EXACT_CLASSES || self.radii.contains(&radius) {
            radius
        } else {
            (radius * 100.0).ceil() / 100.0
        };
        let known = self.radii.iter().position(|known| *known == wanted);
        known.unwrap_or_else(|| {
            self.radii.push(wanted);
            self.radii.len() - 1
        }) as u32
    }
}
