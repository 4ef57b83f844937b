//! Measures mesh builders on 3D scenes beside each other, in one run on one machine: the subcommand `scenes`.
//!
//! Reading order: `builder` (what a builder is), `world`, the builders themselves, `measure`, `table`.

mod args;
mod builder;
mod measure;
mod ours;
#[cfg(feature = "recast")]
mod recast;
mod table;
mod world;

use std::path::Path;

use args::SceneArgs;
use builder::Builder;
use table::{SceneReport, SceneRow};
use world::World;
#[cfg(feature = "recast")]
pub use world::soup_of;

use crate::memory;
#[cfg(feature = "recast")]
use crate::recast_mesh;

/// The builder that the first ratio is to, and that of the second.
const BASES: [&str; 2] = ["recast-0.3", "recast-0.1"];

/// Runs the subcommand with the words after its name.
pub fn run(words: impl IntoIterator<Item = String>) -> Result<(), String> {
    let args = SceneArgs::parse(words)?;
    let folder = world::folder(args.data.as_deref())?;
    let builders = all_builders();
    let builders: Vec<&dyn Builder> =
        builders.iter().map(Box::as_ref).filter(|builder| args.wants_builder(builder.name())).collect();
    if builders.is_empty() {
        return Err("no such builder".into());
    }
    if args.child { child(&folder, &args, builders[0]) } else { measure_all(&folder, &args, &builders) }
}

fn all_builders() -> Vec<Box<dyn Builder>> {
    let mut builders: Vec<Box<dyn Builder>> = Vec::new();
    #[cfg(feature = "recast")]
    builders.extend(
        [recast_mesh::Recast::coarse(), recast_mesh::Recast::fine()].map(|recast| Box::new(recast) as _),
    );
    builders.push(Box::new(ours::Ours));
    builders
}

fn measure_all(folder: &Path, args: &SceneArgs, builders: &[&dyn Builder]) -> Result<(), String> {
    let mut report = SceneReport { rounds: args.rounds, ..SceneReport::default() };
    for name in world::NAMES.into_iter().filter(|name| args.wants_scene(name)) {
        match World::load(folder, name) {
            Ok(world) => report.rows.extend(measure_one(&world, args, builders)?),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    if report.rows.is_empty() {
        return Err(format!("no such scene; the scenes are {}", world::NAMES.join(", ")));
    }
    print!("{}", report.markdown());
    crate::write_json(args.json.as_deref(), || report.json())
}

/// The rows of one scene: times first, then coverage, then memory.
fn measure_one(world: &World, args: &SceneArgs, builders: &[&dyn Builder]) -> Result<Vec<SceneRow>, String> {
    eprintln!("{}: {} triangles", world.name, world.scene.triangles.len());
    let measured = measure::measure(builders, world, args.rounds);
    let truth = world.truth()?;
    let mut rows: Vec<SceneRow> = measured.into_iter().map(|one| SceneRow::new(world, &truth, one)).collect();
    table::add_ratios(&mut rows, BASES);
    if args.memory {
        for row in rows.iter_mut().filter(|row| row.cpu_ms.is_some()) {
            row.add_peak(peak_in_child(args, &row.builder, &world.name));
        }
    }
    Ok(rows)
}

fn peak_in_child(args: &SceneArgs, builder: &str, scene: &str) -> Result<memory::Peak, String> {
    let mut words = vec![crate::SCENES, memory::CHILD_FLAG, "--only", builder, "--scene", scene];
    let data = args.data.as_deref().map(|data| data.to_string_lossy());
    if let Some(data) = &data {
        words.extend(["--data", data]);
    }
    memory::peak_in_child(&words)
}

/// The child process: one builder, one scene.
fn child(folder: &Path, args: &SceneArgs, builder: &dyn Builder) -> Result<(), String> {
    let world = World::load(folder, args.scenes.first().ok_or("no scene")?)?;
    memory::print_peak(|| builder.build(&world).map(drop))
}
