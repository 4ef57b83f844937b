//! The crowd of the demo: everybody leaves the house, and a page shows how.

use super::DemoFile;
use super::house::storeys;
use crate::args::DemoArgs;
use crate::commands::crowd::progress::Progress;
use crate::commands::crowd::record::Tape;
use crate::failure::{Failure, Result};
use clearway::NavMesh;
use clearway_record::Report;
use clearway_scenario::{Example, Ground, Run, Scenario};
use std::path::PathBuf;

/// What came of the crowd.
pub struct People {
    /// A description of what happened.
    pub tale: String,
    /// The scenario and the page.
    pub files: Vec<DemoFile>,
}

/// Returns the time limit of a run in seconds. Everybody leaves by one flight of stairs, which takes one person a second
/// at the worst; the rest is the way and time to spare.
fn limit(people: usize) -> usize {
    900.max(300 + 2 * people)
}

/// Lets people leave the house by its front door.
pub fn leave(mesh: &NavMesh, name: &str, args: &DemoArgs) -> Result<People> {
    let people = usize::from(args.people);
    let example =
        Example::named("building").ok_or_else(|| Failure::new("the scenario of the house is missing"))?;
    let text = example
        .text
        .replace("three storeys", &storeys(args.storeys))
        .replace("count = 200", &format!("count = {people}"))
        .replace("limit = 900", &format!("limit = {}", limit(people)))
        .replace(example.world.unwrap_or_default(), &format!("{name}.obj"))
        .replace("building.toml", &format!("{name}_crowd.toml"))
        .replace("building.nav", &format!("{name}.nav"));
    let file = format!("{name}_crowd.toml");
    let scenario = Scenario::parse(&file, PathBuf::new(), &text)?;
    let ground = Ground::of_mesh(mesh.clone());
    let mut run = Run::new(&scenario, &ground, 0)?;
    let mut tape = Tape::start(&run, &text, true)?;
    let mut progress = Progress::start(0, 1);
    let mut outcome = run.finish(|run| {
        progress.show(run);
        tape.take(run)?;
        Ok(true)
    })?;
    drop(progress);
    let recording = tape.finish(&mut outcome);
    let page = Report::new(&recording).to_html();
    let tale = format!(
        "Then {arrived} of {people} people left it by its front door, within {time:.0} s and without touching each other.\n",
        arrived = outcome.arrived,
        time = outcome.time,
    );
    let files = vec![
        DemoFile::new(file, "the people in it", text),
        DemoFile::new(format!("{name}_crowd.html"), "how they left: open it in a browser", page),
    ];
    Ok(People { tale, files })
}
