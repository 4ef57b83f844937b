//! `clearway path`: finds one path, or answers a file of queries.

mod batch;
mod comparison;
mod single;
mod tiled;

use crate::args::{PathArgs, Point};
use crate::failure::{Failure, Result};
use crate::input;
use crate::planner::PlannerName;
use crate::queries::{self, Queries};
use clearway::NavMesh;
use clearway::answer::{Manner, PathEnd, check_kind};
use std::path::Path;
pub use tiled::check_ends;

/// Runs the command. Returns false if there is no path.
pub fn run(args: &PathArgs) -> Result<bool> {
    let file = match (&args.queries, &args.scen) {
        (Some(path), _) => Some(queries::read_table(path, args.walker.radius)?),
        (None, Some(path)) => Some(queries::read_scenario(path)?),
        (None, None) => None,
    };
    check_manner(args)?;
    if input::is_tiled(&args.input) {
        return tiled::run(args);
    }
    if args.around.is_some() {
        return Err(Failure::new("--around is for folders of tiles").in_file(&args.input));
    }
    let mesh = input::load_or_build_mesh(&args.input)?;
    if let Some(file) = &file {
        check_queries(args, &mesh, file)?;
    }
    match (file, &args.from, &args.to) {
        (Some(file), ..) => batch::run(args, &mesh, &file),
        (None, Some(from), Some(to)) => {
            single::run(args, &mesh, points(&args.input, &mesh, [from, to], args.walker.radius)?)
        }
        // The argument parser rules this out.
        _ => Ok(false),
    }
}

/// Returns the points that `--from` and `--to` stand for. Fails for points of another kind than those of the mesh, and for
/// names that it does not know.
pub fn points(input: &Path, mesh: &NavMesh, [from, to]: [&PathEnd; 2], radius: f64) -> Result<[Point; 2]> {
    for end in [from, to] {
        if let PathEnd::At(point) = end {
            check_kind(mesh, *point)?;
        }
    }
    let named = |option: &str, message: String| Failure::new(format!("{option}: {message}")).in_file(input);
    let from = from.start(mesh).map_err(|message| named("--from", message))?;
    let to = to.goal(mesh, from, radius).map_err(|message| named("--to", message))?;
    Ok([from, to])
}

/// Fails unless a file of queries has points as the mesh takes them.
fn check_queries(args: &PathArgs, mesh: &NavMesh, file: &Queries) -> Result<()> {
    let message = match (mesh.has_heights(), file.is_in_space) {
        (true, false) if args.scen.is_some() => "scenarios of tiles are for plans; --queries takes scenes",
        (true, false) => "the mesh is that of a scene: the table needs columns sz and gz as well, with y up",
        (false, true) => {
            "the mesh is that of a plan: points have no third coordinate, but there is a column sz or gz"
        }
        _ => return Ok(()),
    };
    let table = args.queries.as_ref().or(args.scen.as_ref()).unwrap_or(&args.input);
    Err(Failure::new(message).in_file(table))
}

/// Fails for wishes that the planner would pass over.
fn check_manner(args: &PathArgs) -> Result<()> {
    use PlannerName::{Ecm, Irm, Miran, Roadmap};
    let planner = args.walker.planner;
    let wishes = [("--partial", args.partial), ("--suboptimality", args.suboptimality != 1.0)];
    match wishes.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) if matches!(planner, Roadmap | Ecm | Irm | Miran) => {
            Err(Failure::new(format!("{option}: the planner {} does not take it", planner.name())))
        }
        _ => Ok(()),
    }
}

/// Returns how paths are to be found.
fn manner(args: &PathArgs, mesh: &NavMesh) -> Result<Manner> {
    let snap = args.walker.snap(mesh)?;
    Ok(Manner { snap, suboptimality: args.suboptimality, partial: args.partial, advise: args.from.is_some() })
}
