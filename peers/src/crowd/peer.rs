//! A crowd engine beside ours.

use super::scene::Scene;
use crate::clock::timed;

/// The time step of engines that choose none, in seconds.
pub const DT: f64 = 0.1;

/// A crowd engine.
pub trait CrowdPeer {
    /// Its name in tables.
    fn name(&self) -> String;

    /// Puts the bodies of a scene into it. This is not timed. An error says why the engine sits this scene out.
    fn prepare(&self, scene: &Scene) -> Result<Box<dyn Run>, String>;

    /// The number of rounds, where fewer than usual do.
    fn rounds(&self, asked: usize) -> usize {
        asked
    }
}

/// A crowd that walks.
pub trait Run {
    /// The time step in seconds.
    fn dt(&self) -> f64;

    /// The seconds to walk before the clock starts.
    fn warm_up(&self) -> f64 {
        0.5
    }

    /// The seconds to walk while the clock runs.
    fn measured(&self) -> f64 {
        1.0
    }

    /// Takes one step.
    fn step(&mut self) -> Result<(), String>;

    /// The number of bodies.
    fn bodies(&self) -> usize;

    /// Takes steps, and returns their processor time in microseconds. Peers in another process override it.
    fn steps(&mut self, count: usize) -> Result<f64, String> {
        let (done, elapsed) = timed(|| (0..count).try_for_each(|_| self.step()));
        done.map(|()| elapsed.cpu_ms * 1e3)
    }
}
