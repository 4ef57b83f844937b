//! From answers and times to the figures of a row.

use serde::Serialize;

use super::maps::{Known, Map};
use super::measure::{Track, median, quantile};
use super::peer::Answer;

/// How far a length may be off, as a share of it.
const TOLERANCE_OF_A_POINT: f64 = 1e-6;
const TOLERANCE_OF_A_DISC: f64 = 1e-4;

/// One planner on one map at one radius. Fields are empty where there is no such figure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PathRow {
    /// The map.
    pub map: String,
    /// The planner.
    pub peer: String,
    /// The radius.
    pub radius: f64,
    /// How many queries were asked.
    pub queries: usize,
    /// Paths found.
    pub found: usize,
    /// Queries without a path.
    pub no_path: usize,
    /// Queries whose start or goal is closer to a wall than the radius.
    pub too_close: usize,
    /// Queries with a known answer.
    pub known: usize,
    /// Answers that differ from the known one: another verdict, or another length.
    pub mismatches: usize,
    /// Mismatches whose path is shorter than the shortest, so not a path at all.
    pub shorter: usize,
    /// Length over the shortest, less one: the mean.
    pub mean_excess: Option<f64>,
    /// And the worst.
    pub worst_excess: Option<f64>,
    /// Steps of the search, where the planner counts them: the median over paths found.
    pub expansions: Option<f64>,
    /// Microseconds over paths found: the median.
    pub median_us: Option<f64>,
    /// And what 99 of 100 stay below.
    pub p99_us: Option<f64>,
    /// Microseconds over queries without a path: the median.
    pub refused_us: Option<f64>,
    /// Median over that of the base on the same queries.
    pub median_ratio: Option<f64>,
    /// The same for the 99th of 100.
    pub p99_ratio: Option<f64>,
    /// Bytes of the structure.
    pub memory: Option<usize>,
    /// Why there are no figures.
    pub note: Option<String>,
}

impl PathRow {
    /// The figures of a track; ratios to the base where there is one.
    pub fn new(map: &Map, track: &Track, base: Option<&Track>) -> PathRow {
        let mut row = PathRow {
            map: map.name.clone(),
            peer: track.peer.into(),
            radius: track.radius,
            queries: track.answers.len(),
            memory: track.memory,
            note: track.note.clone(),
            ..PathRow::default()
        };
        if row.note.is_none() {
            row.count_verdicts(map, track);
            row.time(track, base);
        }
        row
    }

    fn count_verdicts(&mut self, map: &Map, track: &Track) {
        let mut excesses = Vec::new();
        for (index, answer) in track.answers.iter().enumerate() {
            match answer {
                Answer::Path { .. } => self.found += 1,
                Answer::NoPath => self.no_path += 1,
                Answer::TooClose => self.too_close += 1,
            }
            let known = map.known(index, track.radius);
            self.known += usize::from(known != Known::Nothing);
            let verdict = compare(*answer, known, tolerance(track.radius));
            self.mismatches += usize::from(verdict != Verdict::Same);
            self.shorter += usize::from(verdict == Verdict::Shorter);
            excesses.extend(excess(*answer, known));
        }
        let mean = excesses.iter().sum::<f64>() / excesses.len() as f64;
        self.mean_excess = Some(mean).filter(|mean| mean.is_finite());
        self.worst_excess = excesses.into_iter().max_by(f64::total_cmp);
    }

    fn time(&mut self, track: &Track, base: Option<&Track>) {
        let is_path: Vec<bool> = track.answers.iter().map(|answer| answer.length().is_some()).collect();
        let times = |track: &Track, wanted: bool| -> Vec<f64> {
            let chosen = track.micros.iter().zip(&is_path).filter(|(_, is_path)| **is_path == wanted);
            chosen.map(|(micros, _)| *micros).collect()
        };
        let own = times(track, true);
        self.median_us = median(own.iter().copied());
        self.p99_us = quantile(own, 0.99);
        self.refused_us = median(times(track, false));
        self.expansions = median(track.answers.iter().filter_map(steps));
        let Some(base) = base.filter(|base| base.note.is_none()) else { return };
        let theirs = times(base, true);
        let over = |own: Option<f64>, theirs: Option<f64>| Some(own? / theirs?);
        self.median_ratio = over(self.median_us, median(theirs.iter().copied()));
        self.p99_ratio = over(self.p99_us, quantile(theirs, 0.99));
    }
}

fn steps(answer: &Answer) -> Option<f64> {
    match answer {
        Answer::Path { expansions, .. } => expansions.map(|count| count as f64),
        Answer::NoPath | Answer::TooClose => None,
    }
}

fn tolerance(radius: f64) -> f64 {
    if radius == 0.0 { TOLERANCE_OF_A_POINT } else { TOLERANCE_OF_A_DISC }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Same,
    Shorter,
    Longer,
    Different,
}

fn compare(answer: Answer, known: Known, tolerance: f64) -> Verdict {
    match (known, answer) {
        (Known::Nothing, _) | (Known::NoPath, Answer::NoPath) | (Known::TooClose, Answer::TooClose) => {
            Verdict::Same
        }
        (Known::Length(shortest), Answer::Path { length, .. }) => {
            let slack = tolerance * shortest.max(1.0);
            match length - shortest {
                off if off > slack => Verdict::Longer,
                off if off < -slack => Verdict::Shorter,
                _ => Verdict::Same,
            }
        }
        _ => Verdict::Different,
    }
}

fn excess(answer: Answer, known: Known) -> Option<f64> {
    match known {
        Known::Length(shortest) if shortest > 0.0 => Some(answer.length()? / shortest - 1.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_compare_by_share_and_verdicts_exactly() {
        let path = |length| Answer::Path { length, expansions: None };
        let verdict = |answer, known| compare(answer, known, 1e-6);
        assert_eq!(verdict(path(100.00005), Known::Length(100.0)), Verdict::Same);
        assert_eq!(verdict(path(100.001), Known::Length(100.0)), Verdict::Longer);
        assert_eq!(verdict(path(99.999), Known::Length(100.0)), Verdict::Shorter);
        assert_eq!(verdict(Answer::NoPath, Known::Length(1.0)), Verdict::Different);
        assert_eq!(verdict(Answer::NoPath, Known::TooClose), Verdict::Different);
        assert_eq!(verdict(path(1.0), Known::Nothing), Verdict::Same);
    }
}
