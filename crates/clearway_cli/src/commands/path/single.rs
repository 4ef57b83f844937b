//! One path, for people and for programs.

use crate::args::{PathArgs, Point};
use crate::clock::timed;
use crate::failure::Result;
use crate::output;
use crate::report::NarrowAnswer;
use clearway::NavMesh;
use clearway::answer::{PathReport, Question, SearchFacts, note_lines, refusal_json};
use serde::Serialize;

/// A path as programs read it.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    report: PathReport,
    /// The narrow places on the way, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    narrow: Option<Vec<NarrowAnswer>>,
}

/// Finds the path and prints it, or the reason why there is none.
pub fn run(args: &PathArgs, mesh: &NavMesh, [from, to]: [Point; 2]) -> Result<bool> {
    let manner = super::manner(args, mesh)?;
    let question = Question { from, to, manner: &manner };
    let mut planner = args.walker.planner.planner(mesh, &args.walker.options()?)?;
    // The first search on a mesh finds out what all later ones use: the second one is timed.
    question.ask(mesh, |query| planner.find_path(mesh, query));
    let mut micros = 0.0;
    let answer = question.ask(mesh, |query| timed(&mut micros, || planner.find_path(mesh, query)));
    let name = args.walker.planner.name();
    let facts = SearchFacts {
        title: args.input.display().to_string(),
        planner: name,
        micros,
        tolerance: args.tolerance,
    };
    let narrow = match (args.narrow, &answer.outcome) {
        (Some(width), Ok(path)) => Some(NarrowAnswer::along(mesh, path, width)?),
        _ => None,
    };
    match (PathReport::of(mesh, &answer, args.walker.radius, &facts), &answer.outcome) {
        (Some(report), _) if args.json => output::print_json(&Told { report, narrow })?,
        (Some(report), _) => {
            let listed = narrow.as_ref().zip(args.narrow);
            let listed = listed.map(|(list, width)| NarrowAnswer::way_text(list, width));
            output::print(&(report.text() + &listed.unwrap_or_default()))?;
        }
        (None, Err(refusal)) if args.json => {
            output::print_json(&refusal_json(&question, refusal, name, &answer.notes))?;
        }
        (None, Err(refusal)) => {
            output::print(&format!("no path: {refusal}\n{}", note_lines(&answer.notes)))?;
        }
        (None, Ok(_)) => {}
    }
    Ok(answer.outcome.is_ok())
}
