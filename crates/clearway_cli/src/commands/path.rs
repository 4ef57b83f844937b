//! `clearway path`: one path, or the answers to a file of queries.

mod batch;
mod comparison;
mod single;

use crate::args::PathArgs;
use crate::failure::Result;
use crate::question::Manner;
use crate::{input, queries};

pub fn run(args: &PathArgs) -> Result<bool> {
    let file = match (&args.queries, &args.scen) {
        (Some(path), _) => Some(queries::read_table(path, args.walker.radius)?),
        (None, Some(path)) => Some(queries::read_scenario(path)?),
        (None, None) => None,
    };
    let mesh = input::load_or_build_mesh(&args.input)?;
    match (file, args.from, args.to) {
        (Some(file), ..) => batch::run(args, &mesh, &file),
        (None, Some(from), Some(to)) => single::run(args, &mesh, [from, to]),
        // The argument parser lets nobody come here.
        _ => Ok(false),
    }
}

fn manner(args: &PathArgs) -> Manner {
    Manner {
        radius: args.walker.radius,
        snap: args.snap,
        suboptimality: args.suboptimality,
        partial: args.partial,
    }
}
