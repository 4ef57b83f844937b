//! `clearway tile`: cuts a world into tiles, tells which there are, and walks across them.

mod cut;
pub mod edit;
mod picture;
mod walk;

use super::build::limit_threads;
use crate::args::TileArgs;
use crate::failure::{Failure, Result};
use crate::report::Table;
use crate::{input, output, png};
use clearway::answer::{measure, size_text};
use clearway::tiles::{TileIndex, TiledMesh};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Runs the command. Returns false if a walk did not arrive.
pub fn run(args: &TileArgs) -> Result<bool> {
    limit_threads(args.threads)?;
    args.draw.as_ref().map(|path| output::extension_of(path, &["svg", "png"])).transpose()?;
    args.draw.iter().try_for_each(|path| output::keep_input(&args.input, path))?;
    let is_tiled = input::is_tiled(&args.input);
    if let Some(ends) = args.walk {
        if !is_tiled {
            let message = "--walk needs a folder of tiles; cut the world with -o DIR first";
            return Err(Failure::new(message).in_file(&args.input));
        }
        return walk::run(args, ends);
    }
    match args.cutting().filter(|_| is_tiled) {
        Some(option) => {
            let message = format!("is cut into tiles already; {option} needs the world");
            Err(Failure::new(message).in_file(&args.input))
        }
        None if is_tiled => told(args).map(|()| true),
        None => cut::run(args).map(|()| true),
    }
}

/// Tells which tiles there are, and draws them.
fn told(args: &TileArgs) -> Result<()> {
    let mut tiles = TiledMesh::open(&args.input)?;
    if let Some(path) = &args.draw {
        let svg = picture::of_tiles(&mut tiles)?;
        output::write_file(path, &picture_bytes(path, svg)?)?;
    }
    Summary::of(args, tiles.index(), tiles.edit_count(), args.draw.as_ref()).print(args.json)
}

/// Returns a picture as the bytes of its file.
fn picture_bytes(path: &Path, svg: String) -> Result<Vec<u8>> {
    match output::extension_of(path, &["svg", "png"])? {
        "png" => png::of_svg(&svg).map_err(|failure| failure.in_file(path)),
        _ => Ok(svg.into_bytes()),
    }
}

/// A world in tiles, as programs read it.
#[derive(Debug, Serialize)]
struct Summary {
    /// The world or the folder.
    input: String,
    /// The files that were written, but for tiles.
    outputs: Vec<String>,
    /// The side of a tile, in metres.
    size: f64,
    /// The number of tiles.
    tiles: usize,
    /// The number of pieces of cells in all tiles.
    cells: usize,
    /// The size of all tiles, in bytes.
    bytes: u64,
    /// The size of the largest tile, in bytes.
    largest: u64,
    /// The number of things that edits put into the world.
    edits: usize,
    /// The farthest that a tile sticks out of its rectangle, in metres.
    overhang: f64,
}

impl Summary {
    fn of<'a>(
        args: &TileArgs,
        index: &TileIndex,
        edits: usize,
        outputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Summary {
        let outputs = outputs.into_iter().map(|path| path.display().to_string()).collect();
        let over = index.tiles.iter().flat_map(|tile| {
            let ([low, high], [from, to]) = (tile.rectangle, tile.extent);
            [low[0] - from[0], low[1] - from[1], to[0] - high[0], to[1] - high[1]]
        });
        Summary {
            input: args.input.display().to_string(),
            outputs,
            size: index.size,
            tiles: index.tiles.len(),
            cells: index.tiles.iter().map(|tile| tile.cells).sum(),
            bytes: index.tiles.iter().map(|tile| tile.bytes).sum(),
            largest: index.tiles.iter().map(|tile| tile.bytes).max().unwrap_or(0),
            edits,
            overhang: over.fold(0.0, f64::max),
        }
    }

    fn print(&self, as_json: bool) -> Result<()> {
        if as_json {
            return output::print_json(self);
        }
        let mut table = Table::default();
        table.row("tiles", self.tiles, format!("of {} m", measure(self.size)));
        table.row("pieces of cells", self.cells, "");
        let largest = format!("the largest tile {}", size_text(self.largest as usize));
        table.row("size", size_text(self.bytes as usize), largest);
        table.row("overhang", format!("{} m", measure(self.overhang)), "the farthest out of a rectangle");
        if self.edits > 0 {
            table.row("edits", self.edits, "things that edits put there");
        }
        let written: String = self.outputs.iter().map(|path| format!("wrote {path}\n")).collect();
        output::print(&format!("{}{written}", table.text()))
    }
}
