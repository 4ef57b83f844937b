//! The arguments of every command. The comments on fields are the help that `--help` prints.

mod path;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clearway::{ColorBy, MeshOptions, Quality, SketchOptions};
pub use path::{PathArgs, Walker};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  clearway demo                                   a hospital ward, from plan to picture
  clearway build office.wkt -o office.nav         mesh of a plan, with a report
  clearway draw office.nav -o office.png          picture of the mesh
  clearway path office.nav --from 1,2 --to 9,4    the way for a point; --radius 0.3 for a body
  clearway check office.nav                       every law a mesh must obey
  clearway export office.nav office.obj           for other programs

Exit status: 0 an answer, 1 no answer or flaws, 2 an error.";

const BUILD_EXAMPLES: &str = "\
Examples:
  clearway build office.wkt                       only report, write nothing
  clearway build office.wkt -o office.nav
  clearway build lake.poly -o lake.nav --relax-angle-deg 5
  clearway build city.geojson --quality fast --json";

const DRAW_EXAMPLES: &str = "\
Examples:
  clearway draw office.nav                        writes office.svg beside the mesh
  clearway draw office.nav -o office.png --width 2400
  clearway draw office.nav --labels --color component
  clearway draw office.nav --path 1,2:9,4 --path 1,2:3,8 --radius 0.3
  clearway draw office.wkt                        builds the plan first";

const PATH_EXAMPLES: &str = "\
Examples:
  clearway path office.nav --from 1,2 --to 9,4
  clearway path office.nav --from 1,2 --to 9,4 --radius 0.3 --json
  clearway path office.wkt --from 1,2 --to 9,4 --radius 2 --partial     as near as a large body gets
  clearway path arena.nav --queries arena.tsv --radius 0.45             compares with column length_r0.45
  clearway path arena.map --scen arena.map.scen --planner grid --json

Exit status: 0 a path, 1 none, with the reason, 2 an error. A file of queries is an answer, with or without paths.";

/// Turns floor plans into navigation meshes of few, large, exactly convex cells.
#[derive(Debug, Parser)]
#[command(name = "clearway", version, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build the mesh of a plan and report on it
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildArgs),
    /// Check every law of a mesh and list the flaws
    Check(MeshArgs),
    /// Tell what is in a mesh
    Info(MeshArgs),
    /// Draw a mesh, or a plan with the mesh it gets
    #[command(after_help = DRAW_EXAMPLES)]
    Draw(DrawArgs),
    /// Find the way of a body across a mesh, or answer a file of queries
    #[command(after_help = PATH_EXAMPLES)]
    Path(PathArgs),
    /// Write a mesh for other programs
    Export(ExportArgs),
    /// Make a world, build its mesh and draw it
    Demo(DemoArgs),
}

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The plan: .wkt, .geojson, .json, .poly, .dat or .map
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Where to save the mesh; without it nothing is saved
    #[arg(short, long, value_name = "OUT.nav")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
    /// How many threads to use; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How the mesh is built.
#[derive(Debug, Args)]
pub struct Rules {
    /// How much effort goes into few cells
    #[arg(long, value_enum, default_value_t = QualityArg::Default)]
    quality: QualityArg,
    /// Corners up to 180 degrees plus this do not split a region; cells stay exactly convex
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    relax_angle_deg: f64,
    /// Dents up to this deep, in metres, do not split a region; cells stay exactly convex
    #[arg(long, value_name = "METRES", default_value_t = 0.0, allow_negative_numbers = true)]
    relax_depth: f64,
    /// The grid unit in metres, rounded down to a power of two; chosen from the extent by default
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    grid: Option<f64>,
}

impl Rules {
    pub fn options(&self) -> MeshOptions {
        MeshOptions {
            quality: self.quality.into(),
            relax_angle: self.relax_angle_deg.to_radians(),
            relax_depth: self.relax_depth,
            grid: self.grid,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum QualityArg {
    /// As fast as can be
    Fast,
    /// Few cells with short portals
    Default,
    /// Fewest cells
    Best,
}

impl From<QualityArg> for Quality {
    fn from(quality: QualityArg) -> Quality {
        match quality {
            QualityArg::Fast => Quality::Fast,
            QualityArg::Default => Quality::Default,
            QualityArg::Best => Quality::Best,
        }
    }
}

#[derive(Debug, Args)]
pub struct MeshArgs {
    /// The mesh
    #[arg(value_name = "MESH.nav")]
    pub mesh: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct DrawArgs {
    /// The mesh, or a plan, which is built with default options first
    #[arg(value_name = "MESH.nav")]
    pub input: PathBuf,
    /// The picture, .svg or .png; beside the input with .svg by default
    #[arg(short, long, value_name = "OUT.svg|OUT.png")]
    pub output: Option<PathBuf>,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(64..=16384))]
    width: u32,
    /// What shares a colour
    #[arg(long, value_enum, default_value_t = ColorArg::Region)]
    color: ColorArg,
    /// Write the numbers of the cells into them
    #[arg(long)]
    labels: bool,
    /// Mark vertices with dots
    #[arg(long)]
    vertices: bool,
    /// Let y grow downwards, as in grid maps
    #[arg(long)]
    no_flip: bool,
    /// Draw the path from one point to another; may be given again
    #[arg(long = "path", value_name = "X,Y:X,Y", value_parser = path::ends, allow_hyphen_values = true)]
    pub paths: Vec<[path::Point; 2]>,
    #[command(flatten)]
    pub walker: Walker,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl DrawArgs {
    pub fn options(&self, title: String) -> SketchOptions {
        SketchOptions {
            color_by: self.color.into(),
            width: self.width,
            flip_y: !self.no_flip,
            labels: self.labels,
            vertices: self.vertices,
            title: Some(title),
            ..SketchOptions::default()
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColorArg {
    Cell,
    Region,
    Component,
}

impl From<ColorArg> for ColorBy {
    fn from(color: ColorArg) -> ColorBy {
        match color {
            ColorArg::Cell => ColorBy::Cell,
            ColorArg::Region => ColorBy::Region,
            ColorArg::Component => ColorBy::Component,
        }
    }
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The mesh
    #[arg(value_name = "MESH.nav")]
    pub mesh: PathBuf,
    /// The file to write: Wavefront .obj (+Y up), .geojson or .wkt (plan coordinates)
    #[arg(value_name = "OUT.obj|OUT.geojson|OUT.wkt")]
    pub output: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The folder for the files
    #[arg(long, value_name = "DIR", default_value = "demo")]
    pub out: PathBuf,
    /// Another seed makes another world
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What to make
    #[arg(long, value_enum, default_value_t = World::Ward)]
    pub world: World,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum World {
    /// A hospital ward with rooms and furniture
    Ward,
    /// A market place with stalls
    Market,
    /// Two rooms where a large body must cross the same corridor twice
    TurnBack,
    /// Two rooms with a narrow short way and a wide long way between them
    TwoWays,
}
