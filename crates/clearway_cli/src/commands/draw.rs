//! `clearway draw`: a picture of a mesh.

use crate::args::DrawArgs;
use crate::failure::Result;
use crate::question::{Manner, Question, Refusal};
use crate::report::size_text;
use crate::{input, output, png, question};
use clearway::{LinkPath, NavMesh, Sketch};
use serde_json::json;
use std::path::PathBuf;

pub fn run(args: &DrawArgs) -> Result<bool> {
    let path = target(args);
    let extension = output::extension_of(&path, &["svg", "png"])?;
    let mesh = input::load_or_build_mesh(&args.input)?;
    args.at.map_or(Ok(()), |at| question::check_kind(&mesh, at))?;
    let options = args.options(&mesh)?;
    let mut notes = Vec::new();
    let paths = match find_paths(args, &mesh, &mut notes)? {
        Ok(paths) => paths,
        Err(refusal) => return no_picture(args, &refusal, &notes),
    };
    let svg = Sketch::with_link_paths(&mesh, &paths, &options);
    let bytes = if extension == "png" {
        png::of_svg(&svg).map_err(|failure| failure.in_file(&path))?
    } else {
        svg.into_bytes()
    };
    output::write_file(&path, &bytes)?;
    if args.json {
        let (input, output) = (args.input.display().to_string(), path.display().to_string());
        let bytes = bytes.len();
        output::print_json(&json!({ "input": input, "output": output, "bytes": bytes, "notes": notes }))?;
    } else {
        let (size, notes) = (size_text(bytes.len()), question::note_lines(&notes));
        output::print(&format!("drew {} ({size})\n{notes}", path.display()))?;
    }
    Ok(true)
}

/// The paths to draw, or why one of them does not exist; and what one should know about their ends.
fn find_paths(
    args: &DrawArgs,
    mesh: &NavMesh,
    notes: &mut Vec<String>,
) -> Result<std::result::Result<Vec<LinkPath>, Refusal>> {
    if args.paths.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let mut finder = args.walker.planner.finder(mesh, &args.walker.options(mesh)?)?;
    let manner = Manner::shortest(args.walker.snap(mesh)?);
    args.paths.iter().flatten().try_for_each(|point| question::check_kind(mesh, *point))?;
    let paths = args.paths.iter().map(|&[from, to]| {
        let answer = Question { from, to, manner: &manner }.ask(mesh, &mut finder);
        notes.extend(answer.notes);
        answer.outcome
    });
    Ok(paths.collect())
}

/// No answer: the reason is told, and nothing is written.
fn no_picture(args: &DrawArgs, refusal: &Refusal, notes: &[String]) -> Result<bool> {
    if args.json {
        output::print_json(&refusal.json())?;
    } else {
        output::print(&format!("no path: {refusal}\n{}", question::note_lines(notes)))?;
    }
    Ok(false)
}

fn target(args: &DrawArgs) -> PathBuf {
    args.output.clone().unwrap_or_else(|| args.input.with_extension("svg"))
}
