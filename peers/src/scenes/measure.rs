//! Rounds of builds, builder after builder, so that a busy minute of the machine hits them all.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::builder::{Builder, Run};
use super::world::World;

/// A build shorter than this is repeated within its round, since the clock's own noise would show.
const LEAST_BATCH_MS: f64 = 60.0;
const MOST_RUNS_PER_BATCH: usize = 20;

/// A build longer than this runs in the first round only.
const LONG_MS: f64 = 4000.0;

/// What one builder did with one scene.
pub struct Measured {
    /// The builder's name.
    pub builder: &'static str,
    /// The last build with the least times over all rounds, or why there is none.
    pub result: Result<Run, String>,
}

/// Measures all builders on one scene, interleaved in rounds.
pub fn measure(builders: &[&dyn Builder], world: &World, rounds: usize) -> Vec<Measured> {
    let first = |builder: &&dyn Builder| Measured { builder: builder.name(), result: batch(*builder, world) };
    let mut all: Vec<Measured> = builders.iter().map(first).collect();
    for _ in 1..rounds {
        for (builder, measured) in builders.iter().zip(&mut all) {
            if let Ok(run) = &mut measured.result
                && run.full_time.cpu_ms < LONG_MS
                && let Ok(again) = batch(*builder, world)
            {
                run.keep_least(again);
            }
        }
    }
    all
}

impl Run {
    fn keep_least(&mut self, again: Run) {
        *self = Run {
            cells_time: self.cells_time.min(again.cells_time),
            full_time: self.full_time.min(again.full_time),
            built: again.built,
        };
    }
}

/// Builds until the clock can tell, and keeps the least times.
fn batch(builder: &dyn Builder, world: &World) -> Result<Run, String> {
    let mut least = build_once(builder, world)?;
    let (mut spent, mut runs) = (least.full_time.cpu_ms, 1);
    while spent < LEAST_BATCH_MS && runs < MOST_RUNS_PER_BATCH {
        let run = build_once(builder, world)?;
        spent += run.full_time.cpu_ms;
        least.keep_least(run);
        runs += 1;
    }
    Ok(least)
}

/// One build. A builder that panics loses its row, not the run.
fn build_once(builder: &dyn Builder, world: &World) -> Result<Run, String> {
    catch_unwind(AssertUnwindSafe(|| builder.build(world))).unwrap_or_else(|_| Err("panicked".into()))
}
