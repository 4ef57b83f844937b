//! What is known about a run beside the places of its bodies: how it was made, its bodies, its events.

use crate::geometry::Geometry;
use serde::Serialize;

/// How a run was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Header {
    /// The number of frames that are kept for each simulated second.
    pub fps: f64,
    /// The seed of the run.
    pub seed: u64,
    /// The name of the local model.
    pub model: String,
    /// The name of the scenario.
    pub scenario: String,
    /// The text of the scenario, as it was written.
    pub scenario_text: String,
    /// Settings worth showing, as names and values.
    pub settings: Vec<(String, String)>,
    /// What the run warned of.
    pub warnings: Vec<String>,
    /// Planned events that happened: doors that closed, walls that fell.
    pub remarks: Vec<String>,
    /// The space.
    pub geometry: Geometry,
}

clearway_base::setters!(Header {
    fps: f64,
    seed: u64,
    model: String,
    scenario: String,
    scenario_text: String,
    settings: Vec<(String, String)>,
    warnings: Vec<String>,
    remarks: Vec<String>,
    geometry: Geometry
});

impl Header {
    /// Makes the header of a run at 10 frames a second.
    pub fn new(scenario: impl Into<String>, geometry: Geometry) -> Header {
        Header { fps: 10.0, scenario: scenario.into(), geometry, ..Header::default() }
    }
}

/// A body of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AgentRecord {
    /// The number that the engine gave it.
    pub id: u64,
    /// Its radius in metres.
    pub radius: f64,
    /// The speed in m/s at which it walks where nothing is in the way.
    pub speed: f64,
    /// The number of its source.
    pub tag: u32,
    /// The name of its profile.
    pub profile: String,
    /// The length in metres, in the plan, of the shortest way from where it came in to the goal that it reached, if
    /// that is known.
    pub way: Option<f64>,
    /// The time in seconds at which it came in.
    pub entered: f64,
}

clearway_base::setters!(AgentRecord {
    radius: f64,
    speed: f64,
    tag: u32,
    profile: String,
    way: Option<f64>,
    entered: f64
});

impl AgentRecord {
    /// Makes a body of radius 0.2 m that walks at 1.34 m/s.
    pub fn new(id: u64) -> AgentRecord {
        AgentRecord { id, radius: 0.2, speed: 1.34, tag: 0, profile: String::new(), way: None, entered: 0.0 }
    }
}

/// What happened to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum EventKind {
    /// It set off.
    Started = 0,
    /// It came to its goal and stays there.
    Arrived = 1,
    /// It came to its goal and left.
    Left = 2,
    /// Its goal cannot be reached from now on.
    Lost = 3,
    /// It began to ride a link.
    Boarded = 4,
    /// It came off a link.
    Landed = 5,
    /// It was moved back onto the mesh.
    Moved = 6,
    /// It has a goal again that can be reached.
    Found = 7,
}

impl EventKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [EventKind; 8] = [
        EventKind::Started,
        EventKind::Arrived,
        EventKind::Left,
        EventKind::Lost,
        EventKind::Boarded,
        EventKind::Landed,
        EventKind::Moved,
        EventKind::Found,
    ];

    /// Returns true if the body reached its goal.
    pub fn is_arrival(self) -> bool {
        matches!(self, EventKind::Arrived | EventKind::Left)
    }
}

/// Something that happened to a body at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunEvent {
    /// The simulated time in seconds.
    pub time: f64,
    /// The place of the body in the list of bodies.
    pub agent: u32,
    /// What happened.
    pub kind: EventKind,
    /// The number of the exit, for arrivals at one.
    pub exit: Option<u32>,
}

impl RunEvent {
    /// Makes an event without an exit.
    pub fn new(time: f64, agent: u32, kind: EventKind) -> RunEvent {
        RunEvent { time, agent, kind, exit: None }
    }

    /// Names the exit at which it happened.
    #[must_use]
    pub fn exit(mut self, exit: impl Into<Option<u32>>) -> RunEvent {
        self.exit = exit.into();
        self
    }
}
