//! Rounds of builds, peer after peer, so that a busy minute of the machine hits them all.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::clock::{Elapsed, timed};
use crate::inputs::Input;
use crate::peer::{Outcome, Peer};

/// A build shorter than this is repeated within its round, since the clock's own noise would show.
const LEAST_BATCH_MS: f64 = 60.0;
const MOST_RUNS_PER_BATCH: usize = 500;

/// What one peer did with one input.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The peer's name.
    pub peer: &'static str,
    /// Counts and the least time over all rounds, or why there are none.
    pub result: Result<(Outcome, Elapsed), String>,
}

/// Measures all peers on one input, interleaved in rounds.
pub fn measure(peers: &[&dyn Peer], input: &Input, rounds: usize) -> Vec<Measured> {
    let mut all: Vec<Measured> =
        peers.iter().map(|peer| Measured { peer: peer.name(), result: Err("no round".into()) }).collect();
    for round in 0..rounds {
        for (peer, measured) in peers.iter().zip(&mut all) {
            if round == 0 || measured.result.is_ok() {
                measured.take(batch(*peer, input));
            }
        }
    }
    all
}

impl Measured {
    /// The peer's least time, where it has one.
    pub fn cpu_ms(&self) -> Option<f64> {
        self.result.as_ref().ok().map(|(_, elapsed)| elapsed.cpu_ms)
    }

    /// The peer's portal length, where it has one; see [`Outcome::comparable_length`].
    pub fn comparable_length(&self) -> Option<f64> {
        self.result.as_ref().ok().map(|(outcome, _)| outcome.comparable_length())
    }

    fn take(&mut self, batch: Result<(Outcome, Elapsed), String>) {
        self.result = match (&self.result, batch) {
            (Ok((_, before)), Ok((outcome, now))) => Ok((outcome, before.min(now))),
            (_, batch) => batch,
        };
    }
}

/// Builds until the clock can tell, and keeps the least time.
fn batch(peer: &dyn Peer, input: &Input) -> Result<(Outcome, Elapsed), String> {
    let (mut outcome, mut least) = build_once(peer, input)?;
    let (mut spent, mut runs) = (least.cpu_ms, 1);
    while spent < LEAST_BATCH_MS && runs < MOST_RUNS_PER_BATCH {
        let elapsed;
        (outcome, elapsed) = build_once(peer, input)?;
        least = least.min(elapsed);
        spent += elapsed.cpu_ms;
        runs += 1;
    }
    Ok((outcome, least))
}

/// One build. A peer that panics loses its row, not the run.
fn build_once(peer: &dyn Peer, input: &Input) -> Result<(Outcome, Elapsed), String> {
    let attempt = || {
        let mut job = peer.prepare(input)?;
        let (done, elapsed) = timed(|| job.run());
        done?;
        Ok((job.outcome()?, elapsed))
    };
    catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|_| Err("panicked".into()))
}
