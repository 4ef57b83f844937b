//! `clearway path`: finds one path, or answers a file of queries.

mod batch;
mod comparison;
mod single;

use crate::args::PathArgs;
use crate::failure::{Failure, Result};
use crate::{input, queries};
use clearway::NavMesh;
use clearway::answer::{Manner, check_kind};

/// Runs the command. Returns false if there is no path.
pub fn run(args: &PathArgs) -> Result<bool> {
    let file = match (&args.queries, &args.scen) {
        (Some(path), _) => Some(queries::read_table(path, args.walker.radius)?),
        (None, Some(path)) => Some(queries::read_scenario(path)?),
        (None, None) => None,
    };
    let mesh = input::load_or_build_mesh(&args.input)?;
    if mesh.has_heights() && file.is_some() {
        let message = "files of queries are for plans; the mesh of a scene is asked with --from and --to";
        return Err(Failure::new(message).in_file(&args.input));
    }
    match (file, args.from, args.to) {
        (Some(file), ..) => batch::run(args, &mesh, &file),
        (None, Some(from), Some(to)) => {
            check_kind(&mesh, from)?;
            check_kind(&mesh, to)?;
            single::run(args, &mesh, [from, to])
        }
        // The argument parser rules this out.
        _ => Ok(false),
    }
}

/// Returns how paths are to be found.
fn manner(args: &PathArgs, mesh: &NavMesh) -> Result<Manner> {
    let snap = args.walker.snap(mesh)?;
    Ok(Manner { snap, suboptimality: args.suboptimality, partial: args.partial })
}
