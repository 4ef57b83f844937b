//! How a long build tells where it is, and how it is told to stop.

use crate::error::{Error, ErrorKind, Result};

/// Receives the stages of a build, which may run on another thread. The library keeps no clock; whoever implements this may.
pub trait Progress: Send {
    /// A stage begins. Returning `false` cancels the build.
    fn stage(&mut self, name: &'static str) -> bool;

    /// The build goes on within a stage. It asks often, so that it can be stopped soon; returning `false` cancels it.
    fn tick(&mut self) -> bool {
        true
    }
}

/// Nobody is watching.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn stage(&mut self, _name: &'static str) -> bool {
        true
    }
}

/// Announces a stage; fails when the watcher wants to stop.
pub fn begin(progress: &mut dyn Progress, name: &'static str) -> Result<()> {
    if progress.stage(name) { Ok(()) } else { Err(cancelled()) }
}

/// Asks within a stage whether to go on; fails when the watcher wants to stop.
pub fn go_on(progress: &mut dyn Progress) -> Result<()> {
    if progress.tick() { Ok(()) } else { Err(cancelled()) }
}

fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "build cancelled")
}
