//! What a scenario says: the world, who starts where, and where everybody wants to go.

use crate::law::Law;
use crate::random::{Draws, Purpose};
use clearway_base::error::{Error, ErrorKind};
use clearway_crowd::Area;
use clearway_live::TimedStep;
use clearway_roads::Method;
use clearway_world::{Plan, Up};
use std::path::PathBuf;

/// The largest number of people of a scenario, over all its sources. It bounds memory at about 300 MB.
pub const MAX_PEOPLE: usize = 1_000_000;

/// The largest number of runs of a scenario.
pub const MAX_RUNS: usize = 10_000;

/// The shortest and the longest time step in seconds. Below, a run takes hours; above, people would choose their way
/// less than once a second.
pub const TIME_STEPS: [f64; 2] = [0.001, 1.0];

/// The longest time in seconds that a run may take, or that anything in a scenario may be scheduled for: a week.
pub const MAX_SECONDS: f64 = 604_800.0;

/// The slowest walking speed in m/s. Slower people would never arrive.
pub const MIN_WALK: f64 = 0.05;

/// The least and the largest number of people that may come from a source in a second.
pub(crate) const RATES: [f64; 2] = [1e-6, 10_000.0];

/// A scenario: everything that a run of a crowd needs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scenario {
    /// The name of its file, for messages.
    pub file: String,
    /// The folder that file names in it are relative to.
    pub folder: PathBuf,
    /// A title for reports.
    pub title: String,
    /// The world.
    pub world: WorldSource,
    /// The course of a run.
    pub run: RunOptions,
    /// The local model.
    pub model: ModelOptions,
    /// The kinds of people.
    pub profiles: Vec<Profile>,
    /// The exits and other areas that have a name.
    pub places: Vec<Place>,
    /// The journeys.
    pub journeys: Vec<Journey>,
    /// Where people come from.
    pub sources: Vec<Source>,
    /// Areas in which people walk slower or faster.
    pub zones: Vec<Zone>,
    /// Doors that open and close.
    pub doors: Vec<Door>,
    /// What changes the world, by time.
    pub events: Vec<TimedStep>,
    /// Lines through which people come out at another line.
    pub wraps: Vec<WrapLines>,
    /// Lines and areas at which a run is measured.
    pub measures: Vec<Measure>,
    /// Remarks of the reader, for reports.
    pub notes: Vec<String>,
}

impl Scenario {
    /// Makes an empty scenario of a file.
    pub(crate) fn empty(file: impl Into<String>, folder: PathBuf) -> Scenario {
        let file = file.into();
        Scenario {
            title: file.rsplit(['/', '\\']).next().unwrap_or_default().to_string(),
            file,
            folder,
            world: WorldSource::Unnamed,
            run: RunOptions::default(),
            model: ModelOptions::default(),
            profiles: Vec::new(),
            places: Vec::new(),
            journeys: Vec::new(),
            sources: Vec::new(),
            zones: Vec::new(),
            doors: Vec::new(),
            events: Vec::new(),
            wraps: Vec::new(),
            measures: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns the least and the largest radius in metres of some people of each profile.
    pub(crate) fn radii(&self) -> [f64; 2] {
        let drawn = self.profiles.iter().enumerate().flat_map(|(index, profile)| {
            (0..16).map(move |k| profile.radius.draw(&mut Draws::new(0, index, k, Purpose::Radius)))
        });
        drawn.fold([f64::INFINITY, 0.0], |[least, most], radius| [least.min(radius), most.max(radius)])
    }

    /// Makes an error that names the file and the line.
    pub fn wrong(&self, kind: ErrorKind, line: u32, message: impl AsRef<str>) -> Error {
        wrong(&self.file, kind, line, message.as_ref())
    }
}

/// Makes an error that names a file and a line; line 0 stands for none.
pub(crate) fn wrong(file: &str, kind: ErrorKind, line: u32, message: &str) -> Error {
    let line = if line == 0 { String::new() } else { format!(":{line}") };
    Error::new(kind, format!("{file}{line}: {message}"))
}

/// Where the world of a scenario comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum WorldSource {
    /// None: the caller must give one.
    Unnamed,
    /// A plan, a scene or a mesh.
    File {
        /// The file, relative to the folder of the scenario.
        path: PathBuf,
        /// A file of links; `None` for the one beside the world, if there is one.
        links: Option<PathBuf>,
        /// The axis of a scene that points up.
        up: Up,
        /// The length of the unit of a scene or plan in metres.
        scale: f64,
        /// The line that names it.
        line: u32,
    },
    /// A plan in the scenario itself.
    Wkt {
        /// The plan as WKT.
        text: String,
        /// The line on which it stands.
        line: u32,
    },
    /// A plan that was read already.
    Plan(Plan),
}

/// The course of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunOptions {
    /// The time step in seconds.
    pub dt: f64,
    /// The seed of the behaviour: speeds, times, choices.
    pub seed: u64,
    /// The seed of the places at which people start; the other seed if it is `None`.
    pub placement_seed: Option<u64>,
    /// The simulated time in seconds after which a run ends.
    pub limit: f64,
    /// The number of runs. Each run adds one to the seeds.
    pub runs: usize,
    /// The number of recorded frames for each simulated second.
    pub fps: f64,
    /// The planner on the skeleton by which people walk; `None` for the shortest way.
    pub route: Option<Method>,
    /// The clearance in metres that the planner `ecm` prefers; `None` for the shortest path in its corridor.
    pub clearance: Option<f64>,
    /// The metres of the route that the planner `miran` may cut short; `None` for its own.
    pub sigma: Option<f64>,
    /// What a metre costs the planner `miran` on area classes of the mesh, by their names; 1 on the others.
    pub weights: Vec<(String, f64)>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            dt: 0.05,
            seed: 1,
            placement_seed: None,
            limit: 600.0,
            runs: 1,
            fps: 10.0,
            route: None,
            clearance: None,
            sigma: None,
            weights: Vec::new(),
        }
    }
}

/// The local model of a scenario.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelOptions {
    /// Its name.
    pub name: String,
    /// The line that names it.
    pub line: u32,
    /// Parameters that differ from those of the model.
    pub parameters: Vec<Parameter>,
}

impl Default for ModelOptions {
    fn default() -> ModelOptions {
        ModelOptions { name: "headway".to_string(), line: 0, parameters: Vec::new() }
    }
}

/// A parameter of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// The line that sets it.
    pub line: u32,
}

/// A kind of people.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// The law of radii in metres.
    pub radius: Law,
    /// The law of walking speeds in m/s.
    pub speed: Law,
    /// The priority: people of lower priority make room.
    pub priority: u8,
    /// The law of the time in seconds before somebody sets off, where the source gives none.
    pub premovement: Law,
}

impl Profile {
    /// Makes the profile of people of radius 0.2 m with Weidmann's speeds.
    pub(crate) fn usual() -> Profile {
        let speed = Law::normal(1.34, 0.26).between(0.5, 2.2);
        Profile {
            name: "adult".to_string(),
            radius: Law::constant(0.2),
            speed,
            priority: 0,
            premovement: Law::constant(0.0),
        }
    }
}

/// An area with a name: an exit, or a place on the way.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Place {
    /// Its name.
    pub name: String,
    /// The line on which it begins.
    pub line: u32,
    /// The area.
    pub area: Area,
    /// What it is for.
    pub use_: PlaceUse,
    /// The times in seconds between which it is closed.
    pub closed: Vec<[f64; 2]>,
    /// The number of people that leave through it in a second where it is crowded. People who choose an exit count on
    /// it. It is 0 for an exit of the plan until its width is known.
    pub capacity: f64,
    /// The largest number of people that may leave through it in a second; any number if it is `None`.
    pub throughput: Option<f64>,
    /// The name that the plan gives it, until [`Scenario::settle`] takes its area from there.
    pub on_plan: Option<String>,
    /// The ends of the line that it is; `None` for an area.
    pub gate: Option<[[f64; 2]; 2]>,
}

/// The use of a named area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceUse {
    /// Whoever arrives leaves the crowd.
    Exit,
    /// Whoever arrives goes on, or stays.
    Stop,
}

/// A journey: the areas that somebody visits, in order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Journey {
    /// Its name.
    pub name: String,
    /// Its stages.
    pub stages: Vec<Stage>,
}

/// A stage of a journey.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stage {
    /// The areas, one of which is chosen, as indices of [`Scenario::places`].
    pub targets: Vec<usize>,
    /// The way of choosing among several areas.
    pub choice: Choice,
    /// The law of the time in seconds that is spent there.
    pub wait: Option<Law>,
}

/// The way of choosing among several areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Choice {
    /// The one to which the way is shortest.
    #[default]
    Nearest,
    /// The one that is reached first: the way and the queue before it count. The choice is made anew every 2 s.
    Congestion,
}

/// Where people come from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Source {
    /// Its name.
    pub name: String,
    /// The line on which it begins.
    pub line: u32,
    /// The area in which they start; all of the mesh from which a goal can be reached if it is `None`.
    pub area: Option<Area>,
    /// Who starts when.
    pub supply: Supply,
    /// The profiles, each with its weight.
    pub profiles: Vec<(f64, usize)>,
    /// The journeys, each with its weight. Without any, people walk in `direction`, or stand.
    pub journeys: Vec<(f64, usize)>,
    /// The direction in which they walk for ever, in plan coordinates.
    pub direction: Option<[f64; 2]>,
    /// The law of the time in seconds before somebody sets off; that of the profile if it is `None`.
    pub premovement: Option<Law>,
}

/// Who starts when.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Supply {
    /// A number of people at one time.
    Count {
        /// The number.
        count: usize,
        /// The time in seconds.
        start: f64,
    },
    /// People one after another.
    Rate {
        /// The number of people in a second.
        rate: f64,
        /// The time in seconds of the first.
        start: f64,
        /// The time in seconds after which nobody comes.
        end: f64,
        /// True if the times between them are random (exponential); false if they are equal.
        random: bool,
    },
    /// One person at each of these times, in seconds.
    Times(Vec<f64>),
    /// One person at each of these points, at the start.
    Points(Vec<Spot>),
}

impl Supply {
    /// Returns the largest number of people that can come.
    pub fn most(&self) -> usize {
        match self {
            Supply::Count { count, .. } => *count,
            Supply::Rate { rate, start, end, .. } => {
                ((rate * (end - start)).max(0.0).ceil() as usize).saturating_add(1)
            }
            Supply::Times(times) => times.len(),
            Supply::Points(spots) => spots.len(),
        }
    }
}

/// A point of the plan, with a height where floors lie over each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The point in plan coordinates.
    pub at: [f64; 2],
    /// The height in metres.
    pub height: Option<f64>,
}

/// An area in which people walk slower or faster.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Zone {
    /// Its name, which may be empty.
    pub name: String,
    /// The line on which it begins.
    pub line: u32,
    /// The area.
    pub area: Area,
    /// The factor of the walking speed on level ground.
    pub level: f64,
    /// The factor of the walking speed uphill.
    pub up: f64,
    /// The factor of the walking speed downhill.
    pub down: f64,
}

/// A door that opens and closes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Door {
    /// Its name.
    pub name: String,
    /// The line on which it begins.
    pub line: u32,
    /// What is shut while it is closed.
    pub bar: DoorBar,
    /// The height of its floor in metres, if it was given; on a plan it does not matter.
    pub height: Option<f64>,
    /// The times in seconds between which it is closed.
    pub closed: Vec<[f64; 2]>,
}

/// What is shut while a door is closed.
#[derive(Clone, Debug, PartialEq)]
pub enum DoorBar {
    /// A line across the ground: it is a wall then.
    Line([[f64; 2]; 2]),
    /// The link of this name, in any world: nobody sets off on it then.
    Link(String),
}

/// Two equal lines on the boundary: whoever walks through the first comes out of the second.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WrapLines {
    /// The ends of the first.
    pub from: [[f64; 2]; 2],
    /// The ends of the second, in the same order.
    pub to: [[f64; 2]; 2],
    /// The line of the file on which it begins.
    pub line: u32,
}

/// A line or an area at which a run is measured. Nobody who walks minds it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// The line of the file on which it begins.
    pub line: u32,
    /// Two ends of a line, or three or more corners of an area.
    pub points: Vec<[f64; 2]>,
    /// The height in metres at which it counts; every floor if it is `None`.
    pub height: Option<f64>,
}
