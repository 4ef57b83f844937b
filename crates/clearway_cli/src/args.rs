//! The arguments of every command. The comments on fields are the help that `--help` prints.

mod bench;
mod build;
mod crowd;
mod distances;
mod links;
mod number;
mod path;
mod reading;
mod skeleton;
mod tile;
mod verify;

use crate::failure::{Failure, Result};
use crate::input;
pub use bench::{BenchArgs, Experiment};
pub use build::BuildArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clearway::{ColorBy, Layer, NavMesh, SketchOptions, View};
pub use crowd::{CrowdArgs, ExampleName};
pub use distances::DistancesArgs;
use number::Storeys;
pub use number::{Point, Widths};
pub use path::{PathArgs, Walker};
use reading::SceneReading;
pub use skeleton::SkeletonArgs;
use std::path::{Path, PathBuf};
pub use tile::TileArgs;
pub use verify::VerifyArgs;

const EXAMPLES: &str = "\
Examples:
  clearway demo                                   a house with stairs, from scene to picture
  clearway build level.glb -o level.nav           mesh of a scene, with a report
  clearway build office.wkt -o office.nav         mesh of a plan, with a report
  clearway draw office.nav -o office.png          picture of the mesh
  clearway path office.nav --from 1,2 --to 9,4    the way for a point; --radius 0.3 for a body
  clearway distances office.nav --to 0,4 -o far.png   how far everything is from an exit
  clearway check office.nav                       every law a mesh must obey
  clearway crowd --example room                   writes a scenario of a crowd, with comments
  clearway crowd room.toml --report room.html     runs it; a page that plays it
  clearway export office.nav office.obj           for other programs

Exit status: 0 an answer, 1 no answer or flaws, 2 an error.";

const BUILD_EXAMPLES: &str = "\
Examples:
  clearway build level.glb -o level.nav           mesh of a scene, with a report
  clearway build level.obj --up z --scale 0.01 --height 1.8 --max-step 0.3 --max-slope 40
  clearway build level.glb --ignore 'Foliage*' --area road=Asphalt --seed 0,0,5 -o level.nav
  clearway build level.glb --links doors.toml -o level.nav           links of a file; level.links.toml is found alone
  clearway build level.glb --jump-distance 2 --drop-height 3 -o level.nav
  clearway build soup.stl --method voxel --cell 0.05 -o soup.nav
  clearway build office.wkt                       a plan; only report, write nothing
  clearway build office.wkt -o office.nav
  clearway build lake.poly -o lake.nav --relax-angle-deg 5
  clearway build city.geojson --quality fast --json";

const EDIT_EXAMPLES: &str = "\
Examples:
  clearway edit office.nav edits.toml -o changed.nav
  clearway edit office.nav edits.toml --check --json
  clearway edit office.nav edits.toml --draw office.png   office-before.png and office-after.png
  clearway edit town edits.toml -o town           a folder of tiles keeps the edits as edits.json

A step of EDITS.toml:
  [[edit]]
  add = \"crate\"
  box = { centre = [3, 4], size = [1, 0.8], turn = 0.3 }";

const DRAW_EXAMPLES: &str = "\
Examples:
  clearway draw office.nav                        writes office.svg beside the mesh
  clearway draw office.nav -o office.png --width 2400
  clearway draw office.nav --labels --color component
  clearway draw level.nav --view iso -o level.png   a scene from above and aside
  clearway draw level.nav --scene level.glb       with the scene beneath, and ledges told from walls
  clearway draw level.nav --layer 1               only its second storey
  clearway draw level.nav --at 3,0,7.5 --across 4   what lies within 2 m of a place, also with --view iso
  clearway draw level.nav --view iso --height-scale 1   heights as they are, not stretched
  clearway draw office.nav --path 1,2:9,4 --path 1,2:3,8 --radius 0.3
  clearway draw level.nav --view iso --links ladder,lift --path 1,0,2:9,6,4
  clearway draw office.wkt                        builds the plan first";

const PATH_EXAMPLES: &str = "\
Examples:
  clearway path office.nav --from 1,2 --to 9,4
  clearway path level.nav --from 1,0,2 --to 9,6,4 --radius 0.4          in a scene: x, height, z
  clearway path level.nav --from 1,0,2 --to 9,6,4 --links none          only walking; --links ladder,drop
  clearway path office.nav --from 1,2 --to 9,4 --radius 0.3 --json
  clearway path office.wkt --from 1,2 --to 9,4 --radius 2 --partial     as near as a large body gets
  clearway path office.nav --from 1,2 --to 9,4 --narrow 1.2             with the doors on the way
  clearway path arena.nav --queries arena.tsv --radius 0.45             compares with column length_r0.45
  clearway path arena.map --scen arena.map.scen --planner grid --json

Exit status: 0 a path, 1 none, with the reason, 2 an error. A file of queries is an answer, with or without paths.";

const INFO_EXAMPLES: &str = "\
Examples:
  clearway info office.nav                        counts, areas, storeys, links
  clearway info office.nav --narrow 0.9           every door and gap narrower than 0.9 m
  clearway info office.nav --narrow 0.6:0.9       leaves out cracks narrower than 0.6 m";

const EXPORT_EXAMPLES: &str = "\
Examples:
  clearway export level.nav level.glb             the ground with area classes as materials and links as nodes
  clearway export level.nav level.tres --radius 0.4   for Godot, shrunk for a body
  clearway export level.nav level.bin --radius 0.4    for Detour, as RecastDemo saves it
  clearway export level.nav upper.bin --radius 0.4 --layer 1
  clearway export office.nav office.geojson";

const VERIFY_EXAMPLES: &str = "\
Examples:
  clearway verify --quick                         a choice of tests, in about a minute
  clearway verify -o verification.md --html verification.html
  clearway verify --suite nist --radius 0.2
  clearway verify --test rimea-9 --json
  clearway verify --model all --full --json       every model, with and without the contact projection

Exit status: 0 no test failed, 1 a test failed, 2 an error.";

/// The default width of what `--at` shows, in metres: about a room.
const USUAL_ACROSS: f64 = 10.0;

/// Turns scenes and floor plans into navigation meshes of few, large, exactly convex cells.
#[derive(Debug, Parser)]
#[command(name = "clearway", version, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build the mesh of a scene or a plan and report on it
    #[command(after_help = BUILD_EXAMPLES)]
    Build(Box<BuildArgs>),
    /// Check every law of a mesh and list the flaws
    Check(MeshArgs),
    /// Report the contents of a mesh
    #[command(after_help = INFO_EXAMPLES)]
    Info(InfoArgs),
    /// Draw a mesh, or a scene or plan with its mesh
    #[command(after_help = DRAW_EXAMPLES)]
    Draw(DrawArgs),
    /// Find the way of a body across a mesh, or answer a file of queries
    #[command(after_help = PATH_EXAMPLES)]
    Path(PathArgs),
    /// Measure how far every place is from the nearest exit, and draw a heat map
    #[command(after_help = distances::EXAMPLES)]
    Distances(DistancesArgs),
    /// Run a scenario of a crowd, and write its trajectories and its report
    #[command(after_help = crowd::EXAMPLES)]
    Crowd(CrowdArgs),
    /// Find the roads of greatest clearance, and the widest way between two places
    #[command(after_help = skeleton::EXAMPLES)]
    Skeleton(SkeletonArgs),
    /// Change a mesh: add, remove and move obstacles
    #[command(after_help = EDIT_EXAMPLES)]
    Edit(EditArgs),
    /// Cut a large world into tiles, and walk across them with only those around the body loaded
    #[command(after_help = tile::EXAMPLES)]
    Tile(TileArgs),
    /// Write a mesh for other programs
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArgs),
    /// Run the verification suites of the evacuation field on crowds
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
    /// Run the experiments of papers beside their published figures
    #[command(after_help = bench::EXAMPLES)]
    Bench(BenchArgs),
    /// Generate a world, build its mesh and draw it
    Demo(DemoArgs),
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
pub struct InfoArgs {
    /// The mesh
    #[arg(value_name = "MESH.nav")]
    pub mesh: PathBuf,
    /// List every place narrower than this many metres; 0.6:1 lists those at least 0.6 m and less than 1 m wide
    #[arg(long, value_name = "METRES|FROM:METRES", value_parser = number::widths, allow_hyphen_values = true)]
    pub narrow: Option<Widths>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct DrawArgs {
    /// The mesh, or a scene or plan, which is built with default options first
    #[arg(value_name = "MESH.nav")]
    pub input: PathBuf,
    /// The picture, .svg or .png; beside the input with .svg by default
    #[arg(short, long, value_name = "OUT.svg|OUT.png")]
    pub output: Option<PathBuf>,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(64..=16384))]
    width: u32,
    /// What the colours show
    #[arg(long, value_enum, default_value_t = ColorArg::Region)]
    color: ColorArg,
    /// The direction of view
    #[arg(long, value_enum, default_value_t = ViewArg::Top)]
    view: ViewArg,
    /// The factor by which heights are stretched in --view iso; by default, storeys do not hide each other
    #[arg(long, value_name = "FACTOR", value_parser = number::height_scale, allow_hyphen_values = true)]
    height_scale: Option<f64>,
    /// Show only this storey of a scene, counted from 0; paths on others are faint. With all, storeys are drawn over
    /// each other; by default those that cover each other are drawn beside each other
    #[arg(long, value_name = "N|all", value_parser = number::storeys)]
    layer: Option<Storeys>,
    #[command(flatten)]
    pub zoom: Zoom,
    /// The scene from which the mesh was built: it is drawn faintly beneath, and tells walls from ledges; the input
    /// itself by default, if that is a scene
    #[arg(long, value_name = "FILE")]
    pub scene: Option<PathBuf>,
    /// Write the numbers of the cells into them
    #[arg(long)]
    labels: bool,
    /// Mark vertices with dots
    #[arg(long)]
    vertices: bool,
    /// Let y grow downwards, as in grid maps
    #[arg(long)]
    no_flip: bool,
    /// Draw the path from one point to another, X,Y:X,Y on a plan and X,Y,Z:X,Y,Z in a scene; may be given again
    #[arg(long = "path", value_name = "P:P", value_parser = number::ends, allow_hyphen_values = true)]
    pub paths: Vec<[Point; 2]>,
    #[command(flatten)]
    pub walker: Walker,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten, next_help_heading = "How --scene is read: as build read it")]
    pub reading: SceneReading,
}

impl DrawArgs {
    /// Returns the storey that is shown; `None` for all. Fails if there is no such storey.
    pub fn storey(&self, mesh: &NavMesh) -> Result<Option<usize>> {
        self.zoom.storey(self.layer, mesh, &self.input)
    }

    /// Returns the options for the picture of a mesh.
    pub fn options(&self, mesh: &NavMesh) -> Result<SketchOptions> {
        let (name, storey) = (input::file_name(&self.input), self.storey(mesh)?);
        let title = storey.map_or(name.clone(), |storey| format!("{name}: storey {storey}"));
        if self.height_scale.is_some() && matches!(self.view, ViewArg::Top) {
            return Err(Failure::new(
                "--height-scale is for --view iso only; from above heights are not seen",
            ));
        }
        Ok(SketchOptions::default()
            .color_by(self.color.into())
            .width(self.width)
            .flip_y(!self.no_flip)
            .labels(self.labels)
            .vertices(self.vertices)
            .title(Some(title))
            .view(self.view.into())
            .layer(storey.map(Layer::Storey))
            .links(self.walker.link_use(mesh)?)
            .window(self.zoom.window(mesh, &self.input)?)
            .height_scale(self.height_scale)
            .panels(self.layer != Some(Storeys::All)))
    }
}

/// The part of a mesh that a picture shows.
#[derive(Debug, Args)]
pub struct Zoom {
    /// Zoom in to what lies around this point, X,Y on a plan and X,Y,Z in a scene, on its storey
    #[arg(long, value_name = "P", value_parser = number::point, allow_hyphen_values = true)]
    pub at: Option<Point>,
    /// The width of what --at shows, in metres; 10 by default
    #[arg(long, value_name = "METRES", value_parser = number::across, allow_hyphen_values = true, requires = "at")]
    across: Option<f64>,
}

impl Zoom {
    /// Returns the part of the plan that is shown; fails if nothing of the mesh lies there.
    fn window(&self, mesh: &NavMesh, input: &Path) -> Result<Option<[[f64; 2]; 2]>> {
        let Some(at) = self.at else { return Ok(None) };
        let [x, y] = match at {
            Point::Plan(at) => at,
            // A plan's y is -z.
            Point::Space([x, _, z]) => [x, -z],
        };
        let across = self.across.unwrap_or(USUAL_ACROSS);
        let window = [-0.5, 0.5].map(|half| [x + half * across, y + half * across]);
        let [least, most] = mesh.bounds().unwrap_or_default();
        let misses = |axis: usize| window[1][axis] < least[axis] || window[0][axis] > most[axis];
        if misses(0) || misses(1) {
            let message = format!("--at {at}: nothing of the mesh lies within {} m of it", 0.5 * across);
            return Err(Failure::new(message).in_file(input));
        }
        Ok(Some(window))
    }

    /// Returns the storey that is shown: the one asked for, or the storey of the point to zoom in to; `None` for all.
    /// Fails if there is no such storey.
    fn storey(&self, layer: Option<Storeys>, mesh: &NavMesh, input: &Path) -> Result<Option<usize>> {
        match (layer, self.at) {
            (None, Some(Point::Space(at))) if mesh.storeys().len() > 1 => Ok(Some(mesh.storey_at(at))),
            (layer, _) => storey_of(layer, mesh, input),
        }
    }
}

/// Returns the storey that `--layer` asks for; `None` for all. Fails if there is no such storey.
fn storey_of(layer: Option<Storeys>, mesh: &NavMesh, input: &Path) -> Result<Option<usize>> {
    let count = mesh.storeys().len();
    match layer {
        Some(Storeys::One(layer)) if layer >= count => {
            let message = format!("there is no layer {layer}; the mesh has {count}, counted from 0");
            Err(Failure::new(message).in_file(input))
        }
        Some(Storeys::One(layer)) => Ok(Some(layer)),
        _ => Ok(None),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColorArg {
    Cell,
    Region,
    Component,
    /// Area classes of scenes
    Area,
}

impl From<ColorArg> for ColorBy {
    fn from(color: ColorArg) -> ColorBy {
        match color {
            ColorArg::Cell => ColorBy::Cell,
            ColorArg::Region => ColorBy::Region,
            ColorArg::Component => ColorBy::Component,
            ColorArg::Area => ColorBy::Area,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ViewArg {
    /// From above
    Top,
    /// From above at an angle, with heights
    Iso,
}

impl From<ViewArg> for View {
    fn from(view: ViewArg) -> View {
        match view {
            ViewArg::Top => View::Top,
            ViewArg::Iso => View::Iso,
        }
    }
}

#[derive(Debug, Args)]
pub struct EditArgs {
    /// The mesh, or a folder of tiles
    #[arg(value_name = "MESH.nav|DIR")]
    pub mesh: PathBuf,
    /// The edits, a list of steps in TOML
    #[arg(value_name = "EDITS.toml")]
    pub edits: PathBuf,
    /// The mesh to write, with what stands on it by name: it can be edited on. For a folder of tiles, the folder itself
    #[arg(short, long, value_name = "OUT.nav|DIR")]
    pub output: Option<PathBuf>,
    /// Write the mesh alone: what stands on it stays for good, and the file is smaller
    #[arg(long, requires = "output")]
    pub plain: bool,
    /// Pictures before the first step and after the last: FILE-before and FILE-after, as .svg or .png
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    pub draw: Option<PathBuf>,
    /// Check all laws after every step
    #[arg(long)]
    pub check: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The mesh
    #[arg(value_name = "MESH.nav")]
    pub mesh: PathBuf,
    /// The file to write: .glb or Wavefront .obj (+Y up, on the ground), .geojson or .wkt (plan coordinates: x and -z), a
    /// Godot resource .tres, or a tile set of Detour .bin
    #[arg(value_name = "OUT.glb|OUT.obj|OUT.geojson|OUT.wkt|OUT.tres|OUT.bin")]
    pub output: PathBuf,
    /// Shrink the mesh for a body of this radius, in metres: paths in .tres and .bin are those of a point
    #[arg(long, value_name = "METRES", value_parser = number::length, allow_hyphen_values = true)]
    pub radius: Option<f64>,
    /// Write only this storey of a scene, counted from 0; with --radius only
    #[arg(long, value_name = "N|all", value_parser = number::storeys, requires = "radius")]
    layer: Option<Storeys>,
    /// One polygon for each cell even where its ground bends, with heights at its corners only; .obj only
    #[arg(long)]
    pub cells: bool,
    /// Write true heights everywhere; the default for .obj
    #[arg(long, hide = true, conflicts_with = "cells")]
    pub ground: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl ExportArgs {
    /// Returns the heights of the storey that is written; `None` for all. Fails if there is no such storey.
    pub fn heights(&self, mesh: &NavMesh) -> Result<Option<[f64; 2]>> {
        Ok(storey_of(self.layer, mesh, &self.mesh)?.and_then(|storey| mesh.storeys().get(storey).copied()))
    }
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The folder for the files
    #[arg(short, long, alias = "out", value_name = "DIR", default_value = "demo")]
    pub output: PathBuf,
    /// The seed of the generated world
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The kind of world
    #[arg(long, value_enum, default_value_t = World::Building)]
    pub world: World,
    /// The number of storeys of the house
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub storeys: u8,
    /// The number of people who leave the house; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub people: u16,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum World {
    /// A house with stairs and furniture, as a scene
    Building,
    /// A hospital ward with rooms and furniture
    Ward,
    /// A market place with stalls
    Market,
    /// Two rooms where a large body must cross the same corridor twice
    TurnBack,
    /// Two rooms with a narrow short way and a wide long way between them
    TwoWays,
}
