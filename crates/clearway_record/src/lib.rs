//! Recorded runs of crowds: what is kept of a run, what is measured in it, and every file that tells of it.
//!
//! - [`Recorder`] takes frame after frame and measures on the way; [`Recording`] is what it leaves;
//! - [`formats`]: our own binary (`.cwt`), JuPedSim's SQLite, and text that PedPy reads;
//! - [`analysis`]: evacuation curve, flow per exit, fundamental diagram, maps of density and speed;
//! - [`Summary`]: every number of a run, as JSON;
//! - [`report`]: one page that plays the run and draws the curves;
//! - [`video`]: the run as an animated GIF or as a strip of PNG pictures.
//!
//! The crate knows no engine and no mesh. Whoever runs a crowd hands over places and events.

pub mod analysis;
mod draft;
pub mod formats;
mod geometry;
mod header;
mod measures;
mod pairs;
mod probe;
mod recorder;
mod recording;
pub mod report;
mod rings;
mod stand;
mod summary;
#[cfg(test)]
mod testing;
pub mod video;
mod walls;

pub use geometry::{Exit, Gate, Geometry, Line, Probe, Storey};
pub use header::{AgentRecord, EventKind, Header, RunEvent};
pub use measures::Measures;
pub use probe::{AreaSample, Crossing, Readings};
pub use recorder::{Place, RecordOptions, Recorder};
pub use recording::{QUANTUM, Recording, Sample};
pub use report::Report;
pub use stand::Standing;
pub use summary::{Ensemble, ExitSummary, ProfileSummary, Spread, Summary};
pub use video::VideoOptions;
