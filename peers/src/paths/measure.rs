//! Rounds of queries, planner after planner in short blocks, so that a busy moment of the machine hits them all.
//!
//! Every query keeps its least time over all rounds. A block is long enough that a planner's data is in the cache
//! for most of it, and short enough that planners see the same machine.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::args::PathArgs;
use super::maps::Map;
use super::peer::{Answer, PathPeer, Planner};
use crate::clock::Stopwatch;

const BLOCK: usize = 64;

/// One planner on one map at one radius.
pub struct Track {
    /// The planner's name.
    pub peer: &'static str,
    /// The radius it was asked for.
    pub radius: f64,
    /// What it found, query by query.
    pub answers: Vec<Answer>,
    /// The least time of each query in microseconds.
    pub micros: Vec<f64>,
    /// The bytes of the structure it searched, where known.
    pub memory: Option<usize>,
    /// Why there are no figures.
    pub note: Option<String>,
    planner: Option<Box<dyn Planner>>,
}

/// Measures every planner at every radius that is asked for.
pub fn measure(peers: &[Box<dyn PathPeer>], map: &Map, args: &PathArgs) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for peer in peers.iter().filter(|peer| args.wants_peer(peer.name())) {
        let radii = peer.radii().iter().filter(|radius| args.wants_radius(**radius));
        tracks.extend(radii.map(|radius| Track::start(peer.as_ref(), map, *radius)));
    }
    for round in 0..args.rounds {
        for first in (0..map.queries.len()).step_by(BLOCK) {
            let last = (first + BLOCK).min(map.queries.len());
            tracks.iter_mut().for_each(|track| track.run(map, first..last, round == 0));
        }
    }
    tracks
}

impl Track {
    fn start(peer: &dyn PathPeer, map: &Map, radius: f64) -> Track {
        let prepared = catch_unwind(AssertUnwindSafe(|| peer.prepare(map, radius)));
        let prepared = prepared.unwrap_or_else(|_| Err("panicked".into()));
        let note = prepared.as_ref().err().cloned();
        let planner = prepared.ok();
        Track {
            peer: peer.name(),
            radius,
            answers: Vec::new(),
            micros: Vec::new(),
            memory: planner.as_ref().and_then(|planner| planner.memory()),
            note,
            planner,
        }
    }

    /// Runs a block of queries. A planner that panics loses its row, not the run.
    fn run(&mut self, map: &Map, block: std::ops::Range<usize>, is_first_round: bool) {
        let Some(planner) = &mut self.planner else { return };
        let (answers, micros) = (&mut self.answers, &mut self.micros);
        let attempt = || {
            for index in block {
                let (answer, elapsed) = ask(planner.as_mut(), map, index);
                if is_first_round {
                    answers.push(answer);
                    micros.push(elapsed);
                } else {
                    micros[index] = micros[index].min(elapsed);
                }
            }
        };
        if catch_unwind(AssertUnwindSafe(attempt)).is_err() {
            self.note = Some("panicked".into());
            self.planner = None;
        }
    }
}

fn ask(planner: &mut dyn Planner, map: &Map, index: usize) -> (Answer, f64) {
    let query = &map.queries[index];
    let watch = Stopwatch::start();
    planner.find(query.start, query.goal);
    let elapsed = watch.micros();
    (planner.answer(), elapsed)
}

/// The value below which this share of the values lies; `None` where there are none.
pub fn quantile(values: impl IntoIterator<Item = f64>, share: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied()
}

/// The middle value.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_list() {
        let values = || (1..=200).rev().map(f64::from);
        assert_eq!((median(values()), quantile(values(), 0.99)), (Some(100.0), Some(198.0)));
        assert_eq!((median([7.0]), median([])), (Some(7.0), None));
    }
}
