//! Bodies of a crowd: what is asked of them when they are added, and what can be read of them.

use super::goal::Goal;
use clearway_base::{Error, ErrorKind, Result};
use clearway_nav::Location;

/// The largest radius of a body in metres. A lorry fits; every body near a larger one would search too far.
pub const MAX_RADIUS: f64 = 20.0;

/// The smallest radius of a body in metres. Bodies below it are points, between which contact is not defined.
pub const MIN_RADIUS: f64 = 0.01;

/// The greatest speed of a body in m/s: a car in a town. Steps are cut so that no body passes another unseen.
pub const MAX_SPEED: f64 = 30.0;

/// The number of a body in its crowd. It is never given to another body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    /// The place in the lists of the crowd.
    pub(crate) slot: u32,
    /// The number of bodies that had this place before.
    pub(crate) generation: u32,
}

impl AgentId {
    /// Returns the id as one number.
    pub fn number(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }
}

/// What happens to a body at its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Arrival {
    /// It stays and makes room for others.
    #[default]
    Stay,
    /// It leaves the crowd.
    Leave,
}

/// A body to add to a crowd.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AgentOptions {
    /// Its place.
    pub at: Location,
    /// Its radius in metres.
    pub radius: f64,
    /// The speed in m/s at which it walks where nothing is in the way.
    pub speed: f64,
    /// Its goal.
    pub goal: Goal,
    /// What happens at its goal.
    pub arrival: Arrival,
    /// Its priority: bodies of lower priority make room for it.
    pub priority: u8,
    /// The time in seconds for which it stands before it sets off.
    pub wait: f64,
    /// A number of the caller's, for instance the index of its source.
    pub tag: u32,
}

clearway_base::setters!(AgentOptions {
    radius: f64,
    speed: f64,
    arrival: Arrival,
    priority: u8,
    wait: f64,
    tag: u32
});

impl AgentOptions {
    /// Makes a body of radius 0.2 m that walks at 1.34 m/s, the mean of Weidmann (1993), and has no goal yet.
    pub fn at(at: Location) -> AgentOptions {
        AgentOptions {
            at,
            radius: 0.2,
            speed: 1.34,
            goal: Goal::None,
            arrival: Arrival::Stay,
            priority: 0,
            wait: 0.0,
            tag: 0,
        }
    }

    /// Sets the field `goal`.
    #[must_use]
    pub fn goal(mut self, goal: impl Into<Goal>) -> AgentOptions {
        self.goal = goal.into();
        self
    }

    /// Checks every number.
    pub(crate) fn check(&self) -> Result<()> {
        check_radius(self.radius)?;
        check_speed(self.speed)?;
        if !(self.wait >= 0.0 && self.wait.is_finite()) {
            return Err(out_of_range("wait", self.wait, "must be finite and not negative"));
        }
        if !self.at.position().iter().all(|c| c.is_finite()) {
            return Err(Error::new(ErrorKind::OutOfRange, "the place of the body is not finite"));
        }
        Ok(())
    }
}

/// Checks the radius of a body.
pub(crate) fn check_radius(radius: f64) -> Result<()> {
    if (MIN_RADIUS..=MAX_RADIUS).contains(&radius) {
        return Ok(());
    }
    Err(out_of_range("radius", radius, &format!("must lie between {MIN_RADIUS} and {MAX_RADIUS} m")))
}

/// Checks the speed of a body.
pub(crate) fn check_speed(speed: f64) -> Result<()> {
    if (0.0..=MAX_SPEED).contains(&speed) {
        return Ok(());
    }
    Err(out_of_range("speed", speed, &format!("must lie between 0 and {MAX_SPEED} m/s")))
}

/// Makes an error that names a field, its value and its limit.
fn out_of_range(field: &str, value: f64, limit: &str) -> Error {
    let value = clearway_base::error::short(value);
    Error::new(ErrorKind::OutOfRange, format!("{field} {value} {limit}"))
}

/// What a body is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It waits for its time to set off.
    Waiting,
    /// It walks to its goal.
    Walking,
    /// It walks while the way to its goal is still searched.
    Searching,
    /// It rides a link.
    Riding,
    /// It stands at its goal.
    Arrived,
    /// It has no goal.
    Idle,
    /// Its goal cannot be reached: it walks as near as it can and waits there.
    Lost,
}

/// A body as it can be read between steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Its number.
    pub id: AgentId,
    /// Its place.
    pub at: Location,
    /// Its velocity in m/s, in plan coordinates.
    pub velocity: [f64; 2],
    /// The unit direction of its way; zero for a body that stands.
    pub head: [f64; 2],
    /// Its radius in metres.
    pub radius: f64,
    /// The speed in m/s at which it walks where nothing is in the way.
    pub speed: f64,
    /// The length of the rest of its way, in metres; zero without a goal.
    pub left: f64,
    /// What it is doing.
    pub activity: Activity,
    /// Its goal.
    pub goal: Goal,
    /// The number that the caller gave it.
    pub tag: u32,
}
