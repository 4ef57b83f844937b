//! Compares our answers with those that a file gives.

use super::batch::Outcome;
use crate::queries::{Given, Query};
use crate::report::Table;
use std::fmt::Write;

/// The relative difference up to which two lengths are close. Answers beyond it are listed first.
const CLOSE: f64 = 1e-4;
/// The relative difference up to which two lengths are very close.
const VERY_CLOSE: f64 = 1e-6;
/// The number of differences that are listed.
const LISTED: usize = 5;

/// The number of answers that agree, and a list of those that do not.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The number of queries with a given answer.
    known: usize,
    /// The number of close answers.
    close: usize,
    /// The number of very close answers.
    very_close: usize,
    /// Lines for answers that are not close.
    far_lines: Vec<String>,
    /// Lines for answers that are close but not very close.
    close_lines: Vec<String>,
}

impl Comparison {
    /// Compares all answers.
    pub fn of(queries: &[Query], outcomes: &[Outcome]) -> Comparison {
        let mut comparison = Comparison::default();
        for (query, outcome) in queries.iter().zip(outcomes) {
            comparison.add(query, outcome);
        }
        comparison
    }

    /// Adds rows for the counts.
    pub fn rows(&self, table: &mut Table) {
        for (count, limit) in [(self.very_close, VERY_CLOSE), (self.close, CLOSE)] {
            table.row("agree", count, format!("of {} within {limit:e} of the given length", self.known));
        }
    }

    /// Returns lines for the first few answers that differ.
    pub fn differing(&self) -> String {
        let lines = self.far_lines.iter().chain(&self.close_lines).take(LISTED);
        let mut text: String = lines.cloned().collect();
        let others = (self.known - self.very_close).saturating_sub(LISTED);
        if others > 0 {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "  and {others} more");
        }
        text
    }

    /// Compares one answer.
    fn add(&mut self, query: &Query, outcome: &Outcome) {
        let Some(difference) = difference(query.given, outcome) else { return };
        self.known += 1;
        self.close += usize::from(difference <= CLOSE);
        self.very_close += usize::from(difference <= VERY_CLOSE);
        let lines = if difference > CLOSE { &mut self.far_lines } else { &mut self.close_lines };
        if difference > VERY_CLOSE && lines.len() < LISTED {
            lines.push(line(query, outcome));
        }
    }
}

/// Returns the relative difference: infinite if only one has a path, `None` if nothing is given.
fn difference(given: Given, outcome: &Outcome) -> Option<f64> {
    let agrees = |agrees: bool| Some(if agrees { 0.0 } else { f64::INFINITY });
    match (given, outcome.length) {
        (Given::Unknown, _) => None,
        (Given::Length(given), Some(length)) if given == length => Some(0.0),
        (Given::Length(given), Some(length)) => Some((length - given).abs() / given.max(length)),
        (Given::NoPath, None) => agrees(!outcome.is_too_close),
        (Given::TooClose, None) => agrees(outcome.is_too_close),
        _ => agrees(false),
    }
}

/// Returns the line for a difference.
fn line(query: &Query, outcome: &Outcome) -> String {
    let given = match query.given {
        Given::Length(length) => format!("{length}"),
        Given::NoPath => "no path".to_string(),
        Given::TooClose => "too close to a wall".to_string(),
        Given::Unknown => "nothing".to_string(),
    };
    let reason = outcome.reason.as_deref().unwrap_or("unknown");
    let found = outcome.length.map_or(format!("no path ({reason})"), |length| format!("{length}"));
    let Query { line, from, to, .. } = query;
    format!("  line {line}, {from} to {to}: given {given}, found {found}\n")
}
