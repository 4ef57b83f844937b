//! Scenarios of crowds: read, placed and run.
//!
//! A [`Scenario`] says who starts where, and where everybody wants to go. It is read from a TOML file or from a zip file
//! of JuPedSim ([`Scenario::load`]). [`Ground::load`] gets its world. [`Run`] moves the crowd: it places people, lets
//! them enter, sends them on their journeys, opens and closes exits and doors, and changes the world by events. No
//! algorithm of movement is here.

mod changing;
mod example;
mod ground;
mod law;
mod models;
mod named;
mod place;
mod porch;
mod preset;
mod random;
mod read;
mod run;
mod scenario;
mod slope;

pub use changing::Barrier;
pub use clearway_live::{Figure, TimedStep};
pub use example::{EXAMPLES, Example};
pub use ground::Ground;
pub use law::{Law, Shape};
pub use models::{names as model_names, parameters as model_parameters};
pub use preset::{speed as speed_law, speed_names, stairs as stairs_factors, stairs_names};
pub use random::{Draws, Purpose};
pub use read::MAX_SCENARIO_BYTES;
pub use run::{ExitCount, Outcome, Person, Run, Start, Verdict, people_in_words};
pub use scenario::{
    Choice, Door, DoorBar, Journey, MAX_PEOPLE, MAX_RUNS, MAX_SECONDS, MIN_WALK, Measure, ModelOptions,
    Parameter, Place, PlaceUse, Profile, RunOptions, Scenario, Source, Spot, Stage, Supply, TIME_STEPS,
    WorldSource, WrapLines, Zone,
};
