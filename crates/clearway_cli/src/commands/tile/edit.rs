//! Changes a world in tiles step by step. The tiles under the steps are loaded, so that each is checked on its ground.

use crate::args::EditArgs;
use crate::commands::edit::{Answer, Told, drawn, script};
use crate::failure::{Failure, Result};
use crate::output;
use clearway::live::{EditScript, LeftOut, ScriptRun};
use clearway::tiles::{EDITS_NAME, TileId, TiledMesh};
use std::path::PathBuf;
use std::time::Instant;

/// The distance around a step in which tiles are loaded, in metres: the ends of links move so far.
const REACH: f64 = 0.5;

/// Runs the command. Returns false if a law is broken after some step.
pub fn run(args: &EditArgs) -> Result<bool> {
    let picture = args.draw.as_ref().map(|path| output::extension_of(path, &["svg", "png"])).transpose()?;
    check_output(args)?;
    let script = script(args)?;
    let mut tiles = TiledMesh::open(&args.mesh)?;
    load_under(&mut tiles, &script)?;
    let draw = |tiles: &TiledMesh, when: &str| match (&args.draw, picture) {
        (Some(path), Some(extension)) => drawn(&*tiles.mesh()?, path, when, extension).map(Some),
        _ => Ok(None),
    };
    let mut pictures = vec![draw(&tiles, "before")?];
    let mut answer = Answer { input: args.mesh.display().to_string(), ..Answer::default() };
    let mut run = ScriptRun::default();
    for step in &script.steps {
        let begun = Instant::now();
        let changes = tiles.edit(|live| run.apply(live, step));
        let changes = changes.map_err(|error| Failure::from(error.in_file(&args.edits)))?;
        let microseconds = begun.elapsed().as_secs_f64() * 1e6;
        let mesh = tiles.mesh()?;
        let flaws = if args.check { mesh.check().len() } else { 0 };
        answer.steps.push(Told::of(step, &changes, &mesh, microseconds, flaws));
    }
    pictures.push(draw(&tiles, "after")?);
    let files: Vec<(PathBuf, &[u8])> =
        pictures.iter().flatten().map(|(path, bytes)| (path.clone(), bytes.as_slice())).collect();
    output::write_files(&files)?;
    answer.outputs = files.iter().map(|(path, _)| path.display().to_string()).collect();
    if args.output.is_some() {
        tiles.save_edits()?;
        // Where nothing stands there is no file.
        if tiles.edit_count() > 0 {
            answer.outputs.push(folder_of(args).join(EDITS_NAME).display().to_string());
        }
    }
    answer.cells = tiles.mesh()?.cell_count();
    answer.tiles = Some(tiles.loaded().len());
    let told = |thing: &LeftOut| format!("{}: {}", thing.what, thing.reason);
    answer.left_out = tiles.standing()?.into_iter().flat_map(|live| live.left_out()).map(told).collect();
    answer.print(args.json)
}

/// Refuses an output that is not the folder of the tiles.
fn check_output(args: &EditArgs) -> Result<()> {
    if args.plain {
        return Err(Failure::new("--plain is for a mesh, not for a folder of tiles").in_file(&args.mesh));
    }
    let Some(output) = &args.output else { return Ok(()) };
    let folder = folder_of(args);
    let [tiles, given] = [&folder, output].map(|path| path.canonicalize().ok());
    if tiles.is_none() || tiles != given {
        let message = format!("edits are stored beside the tiles; name {} as the output", folder.display());
        return Err(Failure::new(message).in_file(output));
    }
    Ok(())
}

/// Returns the folder of the tiles, which may be named by its index.
fn folder_of(args: &EditArgs) -> PathBuf {
    match args.mesh.parent() {
        Some(folder) if !args.mesh.is_dir() && folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) if !args.mesh.is_dir() => folder.to_path_buf(),
        _ => args.mesh.clone(),
    }
}

/// Loads the tiles under the steps.
fn load_under(tiles: &mut TiledMesh, script: &EditScript) -> Result<()> {
    let boxes = script.steps.iter().filter_map(|step| step.bounds());
    let under = boxes.flat_map(|[low, high]| tiles.touching(low.map(|c| c - REACH), high.map(|c| c + REACH)));
    let mut under: Vec<TileId> = under.collect();
    under.sort_unstable();
    under.dedup();
    Ok(under.into_iter().try_for_each(|tile| tiles.load(tile).map(|_| ()))?)
}
