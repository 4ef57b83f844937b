//! Answers a file of queries: as a table for people, as an array for programs.

use super::comparison::Comparison;
use crate::args::PathArgs;
use crate::clock::timed;
use crate::failure::{Failure, Result};
use crate::output;
use crate::queries::{Given, Queries, Query};
use crate::report::{Table, measure};
use clearway::NavMesh;
use clearway::answer::{Answer, Question, Refusal};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// Answers all queries and prints the outcomes.
pub fn run(args: &PathArgs, mesh: &NavMesh, file: &Queries) -> Result<bool> {
    args.walker.planner.prepare(mesh, file.list.len());
    let outcomes = answer_all(args, mesh, &file.list)?;
    if args.json {
        output::print_json(&outcomes)?;
    } else {
        output::print(&text(args, file, &outcomes))?;
    }
    Ok(true)
}

/// The outcome of one query. Queries count from zero.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The index of the query.
    pub index: usize,
    /// The length of the path in metres, if there is one.
    pub length: Option<f64>,
    /// The cost in metres of walking, if the path takes links.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    /// The names of the links that it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<String>,
    /// The expansions of the walks of the path; unknown if there is no path.
    expansions: Option<u64>,
    /// The duration of the search in microseconds.
    micros: f64,
    /// True if the goal is reached.
    complete: bool,
    /// The reason why there is no path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The length that the file gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<f64>,
    /// True if an end is too close to a wall.
    #[serde(skip)]
    pub is_too_close: bool,
}

/// Answers all queries. Every thread has a planner of its own and answers consecutive queries.
fn answer_all(args: &PathArgs, mesh: &NavMesh, queries: &[Query]) -> Result<Vec<Outcome>> {
    let threads = usize::from(args.threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::new(format!("--threads {threads}: {error}")))?;
    // One run of queries per thread: making a planner may cost more than many queries.
    let share = queries.len().div_ceil(threads).max(1);
    let indexed: Vec<(usize, &Query)> = queries.iter().enumerate().collect();
    let shares: Result<Vec<Vec<Outcome>>> =
        pool.install(|| indexed.par_chunks(share).map(|share| answer_share(args, mesh, share)).collect());
    Ok(shares?.concat())
}

/// Answers consecutive queries with one planner.
fn answer_share(args: &PathArgs, mesh: &NavMesh, queries: &[(usize, &Query)]) -> Result<Vec<Outcome>> {
    let mut options = args.walker.options()?;
    // The cells of a scenario are the tiles of its map.
    if args.scen.is_some() && options.cell_size.is_none() {
        options.cell_size = Some(1.0);
    }
    let mut planner = args.walker.planner.planner(mesh, &options)?;
    let manner = super::manner(args, mesh)?;
    let mut answer = |&(index, query): &(usize, &Query)| {
        let question = Question { from: query.from, to: query.to, manner: &manner };
        let mut micros = 0.0;
        let answer = question.ask(mesh, |query| timed(&mut micros, || planner.find_path(mesh, query)));
        Outcome::of(mesh, index, query, answer, micros)
    };
    Ok(queries.iter().map(&mut answer).collect())
}

impl Outcome {
    fn of(mesh: &NavMesh, index: usize, query: &Query, answer: Answer, micros: f64) -> Outcome {
        let given = if let Given::Length(length) = query.given { Some(length) } else { None };
        let path = answer.outcome.as_ref().ok();
        let link = |id| mesh.link(id).map(|link| link.name).unwrap_or_default();
        let links: Vec<String> =
            path.into_iter().flat_map(|path| &path.links).map(|ride| link(ride.link)).collect();
        let refusal = answer.outcome.as_ref().err();
        Outcome {
            index,
            length: path.map(|path| path.length),
            cost: path.filter(|_| !links.is_empty()).map(|path| path.cost),
            links,
            expansions: path.map(|path| path.expansions),
            micros,
            complete: path.is_some_and(|path| path.complete),
            reason: refusal.map(Refusal::word),
            given,
            is_too_close: refusal.is_some_and(Refusal::is_too_close),
        }
    }
}

/// Returns the summary for people.
fn text(args: &PathArgs, file: &Queries, outcomes: &[Outcome]) -> String {
    let mut table = Table::default();
    table.row("queries", outcomes.len(), "");
    let missing = outcomes.iter().filter(|outcome| outcome.length.is_none()).count();
    table.row("no path", missing, reasons(outcomes));
    let partial = outcomes.iter().filter(|outcome| outcome.length.is_some() && !outcome.complete).count();
    if partial > 0 {
        table.row("partial", partial, "end before the goal");
    }
    let linked = outcomes.iter().filter(|outcome| !outcome.links.is_empty()).count();
    if linked > 0 {
        table.row("with links", linked, "");
    }
    times(&mut table, outcomes);
    let mut expansions: Vec<f64> =
        outcomes.iter().filter_map(|outcome| outcome.expansions).map(|count| count as f64).collect();
    if let Some(median) = quantile(&mut expansions, 0.5) {
        table.row("expansions", measure(median), "median");
    }
    ratios(&mut table, outcomes);
    let mut differing = String::new();
    if file.is_comparable {
        let comparison = Comparison::of(&file.list, outcomes);
        comparison.rows(&mut table);
        differing = comparison.differing();
    }
    let name = args.queries.as_ref().or(args.scen.as_ref()).map(|path| path.display().to_string());
    let (radius, planner) = (args.walker.radius, args.walker.planner.name());
    let name = name.unwrap_or_default();
    format!("{name} on {}, radius {radius} m, {planner}\n{}{differing}", args.input.display(), table.text())
}

/// Returns the number of queries without a path, for each reason.
fn reasons(outcomes: &[Outcome]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in outcomes.iter().filter_map(|outcome| outcome.reason.as_deref()) {
        *counts.entry(reason).or_default() += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    counts.join(", ")
}

/// Adds rows for the times of the searches.
fn times(table: &mut Table, outcomes: &[Outcome]) {
    let mut micros: Vec<f64> = outcomes.iter().map(|outcome| outcome.micros).collect();
    let total: f64 = micros.iter().sum();
    table.row("total", measure(total), "\u{b5}s");
    for (name, share) in [("median", 0.5), ("p99", 0.99)] {
        if let Some(time) = quantile(&mut micros, share) {
            table.row(name, measure(time), "\u{b5}s");
        }
    }
}

/// Adds rows for the ratios between found and given lengths.
fn ratios(table: &mut Table, outcomes: &[Outcome]) {
    let ratio = |outcome: &Outcome| match (outcome.length, outcome.given) {
        (Some(length), Some(given)) if given > 0.0 => Some(length / given),
        _ => None,
    };
    let ratios: Vec<f64> = outcomes.iter().filter_map(ratio).collect();
    if ratios.is_empty() {
        return;
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let largest = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    table.row(
        "over given",
        format!("{mean:.6}"),
        format!("mean length over the given one, {}", ratios.len()),
    );
    table.row("", format!("{largest:.6}"), "largest");
    table.row("", format!("{least:.6}"), "least");
}

/// Returns the least value with at least this share of all values at or below it.
fn quantile(values: &mut [f64], share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (share * values.len() as f64).ceil() as usize;
    values.get(rank.max(1) - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_list() {
        let mut values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(quantile(&mut values, 0.5), Some(50.0));
        assert_eq!(quantile(&mut values, 0.99), Some(99.0));
        assert_eq!(quantile(&mut [7.0], 0.5), Some(7.0));
        assert_eq!(quantile(&mut [], 0.5), None);
    }
}
