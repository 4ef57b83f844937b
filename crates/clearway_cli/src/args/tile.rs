//! The arguments of `tile`.

use super::number::{Point, ends, length, side};
use clap::Args;
use std::path::PathBuf;

/// The usual side of a tile, in metres.
const USUAL_SIZE: f64 = 256.0;

pub const EXAMPLES: &str = "\
Examples:
  clearway tile town.glb --size 256 -o town       a folder with tiles.json and one file per tile
  clearway tile town.nav -o town --draw town.svg  with a picture of the tiles
  clearway tile town                              tells which tiles there are
  clearway tile town --walk 10,0,10:1900,0,1900 --around 300 --draw walk.svg
  clearway path town --from 10,0,10 --to 1900,0,1900   loads the tiles that the way needs

Exit status: 0 an answer, 1 a walk that did not arrive, 2 an error.";

#[derive(Debug, Args)]
pub struct TileArgs {
    /// The plan, scene or mesh to cut; or a folder of tiles
    #[arg(value_name = "WORLD|DIR")]
    pub input: PathBuf,
    /// The side of a tile in metres; 256 by default
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    size: Option<f64>,
    /// The folder to write the tiles into; created if missing; tiles in it are replaced
    #[arg(short, long, value_name = "DIR", conflicts_with = "walk")]
    pub output: Option<PathBuf>,
    /// Walk from one point to another across a folder of tiles; only tiles around the body are loaded
    #[arg(long, value_name = "X,Y[,Z]:X,Y[,Z]", value_parser = ends, allow_hyphen_values = true, conflicts_with = "size")]
    pub walk: Option<[Point; 2]>,
    /// Load tiles within this many metres of the body; unload those beyond one and a half times this distance
    #[arg(long, value_name = "METRES", default_value_t = 300.0, value_parser = side, allow_hyphen_values = true)]
    pub around: f64,
    /// How far the body walks before tiles are loaded and unloaded again, in metres
    #[arg(long, value_name = "METRES", default_value_t = 20.0, value_parser = side, allow_hyphen_values = true)]
    pub step: f64,
    /// The radius of the body that walks, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.3, value_parser = length, allow_hyphen_values = true)]
    pub radius: f64,
    /// Write a picture of the tiles; with --walk, of the path and the memory used along it
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    pub draw: Option<PathBuf>,
    /// How many threads to use; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl TileArgs {
    /// Returns the side of a tile, in metres.
    pub fn size(&self) -> f64 {
        self.size.unwrap_or(USUAL_SIZE)
    }

    /// Returns the first option that makes sense only where a world is cut.
    pub fn cutting(&self) -> Option<&'static str> {
        super::build::first_given(&[("--size", self.size.is_some()), ("--output", self.output.is_some())])
    }
}
