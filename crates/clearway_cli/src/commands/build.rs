//! `clearway build`: the mesh of a plan, and a report.

use crate::args::BuildArgs;
use crate::clock::{StageClock, ms};
use crate::failure::{Failure, Result};
use crate::report::{BuildAnswer, size_text};
use crate::{hints, input, output};
use clearway::{ErrorKind, NavMesh, Plan};
use std::path::Path;
use std::time::Instant;

pub fn run(args: &BuildArgs) -> Result<bool> {
    if let Some(path) = &args.output {
        output::extension_of(path, &["nav"])?;
    }
    limit_threads(args.threads)?;
    let (mesh, mut answer) = build(args)?;
    if mesh.cell_count() == 0 {
        return nothing_walkable(args, &mut answer);
    }
    let bytes = mesh.encode();
    answer.bytes = bytes.len();
    if let Some(path) = &args.output {
        output::write_file(path, &bytes)?;
    }
    if args.json {
        output::print_json(&answer)?;
    } else {
        output::print(&(answer.text() + &saved_text(args, bytes.len())))?;
    }
    Ok(true)
}

/// No answer: the report tells why, and nothing is written.
fn nothing_walkable(args: &BuildArgs, answer: &mut BuildAnswer) -> Result<bool> {
    answer.output = None;
    if args.json {
        output::print_json(answer)?;
    } else {
        output::print(&answer.text())?;
    }
    output::complain(&format!(
        "clearway: {}: nothing is walkable, so there is no mesh\n",
        args.input.display()
    ));
    Ok(false)
}

fn limit_threads(threads: Option<u16>) -> Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
    pool.build_global().map_err(|error| Failure::new(format!("--threads {threads}: {error}")))
}

fn build(args: &BuildArgs) -> Result<(NavMesh, BuildAnswer)> {
    let options = args.rules.options();
    options.validate()?;
    let started = Instant::now();
    let plan = Plan::load(&args.input)?;
    let read_ms = ms(started.elapsed());
    let mut clock = StageClock::start();
    let started = Instant::now();
    let built = NavMesh::build_with_report(&plan, &options, &mut clock);
    let build_ms = ms(started.elapsed());
    let stages = clock.finish();
    let (mesh, report) = built.map_err(|error| match error.kind() {
        ErrorKind::Options => error,
        _ => error.in_file(&args.input),
    })?;
    let input = args.input.display().to_string();
    let output = args.output.as_ref().map(|path| path.display().to_string());
    Ok((mesh, BuildAnswer { input, output, bytes: 0, read_ms, build_ms, stages, report }))
}

fn saved_text(args: &BuildArgs, bytes: usize) -> String {
    if let Some(path) = &args.output {
        return format!("saved {} ({})\n", path.display(), size_text(bytes));
    }
    // In the current folder: the plan's own may not be ours to write to.
    let mesh = Path::new(&input::file_name(&args.input)).with_extension("nav");
    format!("not saved; to save it add: -o {}\n", hints::path(&mesh))
}
