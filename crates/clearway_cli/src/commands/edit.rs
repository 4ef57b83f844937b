//! `clearway edit`: changes a mesh, or a world in tiles, step by step.

use crate::args::EditArgs;
use crate::failure::{Failure, Result};
use crate::report::Table;
use crate::{input, output, png};
use clearway::live::{Changes, EditScript, LiveMesh, ScriptRun, Step};
use clearway::{NavMesh, Sketch, SketchOptions};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The greatest size of a file of edits, in bytes.
const MAX_BYTES: u64 = 1 << 28;

/// Runs the command. Returns false if a law is broken after some step.
pub fn run(args: &EditArgs) -> Result<bool> {
    if input::is_tiled(&args.mesh) {
        return super::tile::edit::run(args);
    }
    args.output.as_ref().map(|path| output::extension_of(path, &["nav"])).transpose()?;
    let picture = args.draw.as_ref().map(|path| output::extension_of(path, &["svg", "png"])).transpose()?;
    let mesh = input::load_mesh(&args.mesh)?;
    let in_edits = |error: clearway::Error| Failure::from(error.in_file(&args.edits));
    let script = script(args)?;
    let mut live = LiveMesh::new(mesh).map_err(|error| Failure::from(error.in_file(&args.mesh)))?;
    let mut pictures = Vec::new();
    if let (Some(path), Some(extension)) = (&args.draw, picture) {
        pictures.push(drawn(live.mesh(), path, "before", extension)?);
    }
    let mut answer = Answer { input: args.mesh.display().to_string(), ..Answer::default() };
    let mut run = ScriptRun::default();
    for step in &script.steps {
        let begun = Instant::now();
        let changes = run.apply(&mut live, step).map_err(in_edits)?;
        let microseconds = begun.elapsed().as_secs_f64() * 1e6;
        let flaws = if args.check { live.mesh().check().len() } else { 0 };
        answer.steps.push(Told::of(step, &changes, live.mesh(), microseconds, flaws));
    }
    if let (Some(path), Some(extension)) = (&args.draw, picture) {
        pictures.push(drawn(live.mesh(), path, "after", extension)?);
    }
    let bytes = match (&args.output, args.plain) {
        (None, _) => Vec::new(),
        (Some(_), true) => live.mesh().encode(),
        (Some(_), false) => stored(&live)?,
    };
    let mut files: Vec<(PathBuf, &[u8])> =
        pictures.iter().map(|(path, bytes)| (path.clone(), bytes.as_slice())).collect();
    files.extend(args.output.iter().map(|path| (path.clone(), bytes.as_slice())));
    output::write_files(&files)?;
    answer.outputs = files.iter().map(|(path, _)| path.display().to_string()).collect();
    answer.cells = live.mesh().cell_count();
    answer.print(args.json)
}

/// Reads the steps.
pub fn script(args: &EditArgs) -> Result<EditScript> {
    let script = EditScript::parse(&input::read_text(&args.edits, MAX_BYTES)?);
    script.map_err(|error| Failure::from(error.in_file(&args.edits)))
}

/// Returns the bytes of a mesh with what stands on it.
fn stored(live: &LiveMesh) -> Result<Vec<u8>> {
    let stored =
        live.stored().map_err(|error| Failure::new(format!("{error}; --plain writes the mesh alone")))?;
    Ok(stored.encode())
}

/// Draws a mesh. Returns the name of the picture and its bytes.
pub fn drawn(mesh: &NavMesh, path: &Path, when: &str, extension: &str) -> Result<(PathBuf, Vec<u8>)> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let path = path.with_file_name(format!("{stem}-{when}.{extension}"));
    let svg = Sketch::of(&mesh.compacted(), &SketchOptions::default());
    let bytes = match extension {
        "png" => png::of_svg(&svg).map_err(|failure| failure.in_file(&path))?,
        _ => svg.into_bytes(),
    };
    Ok((path, bytes))
}

/// The answer.
#[derive(Debug, Default, Serialize)]
pub struct Answer {
    /// The mesh, or the folder of tiles.
    pub input: String,
    /// The files that were written.
    pub outputs: Vec<String>,
    /// The number of cells at the end.
    pub cells: usize,
    /// The number of tiles under the steps, for a world in tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<usize>,
    /// Things of a world in tiles that cannot be put on these tiles, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The steps.
    pub steps: Vec<Told>,
}

/// A step that was made.
#[derive(Debug, Serialize)]
pub struct Told {
    /// Its line in the file.
    line: usize,
    /// The step in words.
    step: String,
    /// The number of cells that it took away.
    removed: usize,
    /// The number of cells that it added.
    added: usize,
    /// The number of walls that went and came.
    walls: [usize; 2],
    /// The walkable area afterwards, in square metres.
    area: f64,
    /// The time that it took, in microseconds.
    microseconds: f64,
    /// The number of flaws afterwards; 0 if nobody looked.
    flaws: usize,
}

impl Told {
    pub fn of(step: &Step, changes: &Changes, mesh: &NavMesh, microseconds: f64, flaws: usize) -> Told {
        Told {
            line: step.line,
            step: step.words(),
            removed: changes.removed.len(),
            added: changes.added.len(),
            walls: [changes.walls_gone.len(), changes.walls_come.len()],
            area: mesh.area(),
            microseconds,
            flaws,
        }
    }
}

impl Answer {
    /// Prints the answer. Returns false if a law is broken after some step.
    pub fn print(&self, as_json: bool) -> Result<bool> {
        if as_json {
            output::print_json(self)?;
        } else {
            output::print(&self.text())?;
        }
        Ok(self.steps.iter().all(|step| step.flaws == 0))
    }

    /// Returns the answer in words.
    fn text(&self) -> String {
        let mut table = Table::default();
        for step in &self.steps {
            let flaws = if step.flaws == 0 { String::new() } else { format!(", {} FLAWS", step.flaws) };
            let what = format!("{} cells for {}", step.added, step.removed);
            let rest = format!("{:.0} us, {:.3} m2{flaws}", step.microseconds, step.area);
            table.row(&step.step, what, rest);
        }
        let written: String = self.outputs.iter().map(|path| format!("wrote {path}\n")).collect();
        let left_out: String = self.left_out.iter().map(|thing| format!("left out: {thing}\n")).collect();
        let tiles = self.tiles.map_or_else(String::new, |tiles| format!(" on {tiles} tiles"));
        format!("{}{} cells{tiles}\n{left_out}{written}", table.text(), self.cells)
    }
}
