//! The arguments of `skeleton`.

use super::number::{Storeys, length, path_end, storeys};
use super::{ViewArg, Zoom};
use crate::failure::Result;
use clap::Args;
use clearway::NavMesh;
use clearway::answer::PathEnd;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  clearway skeleton office.nav                    counts, narrowest road, and an audit of every disc
  clearway skeleton office.nav -o roads.png       the roads over the mesh
  clearway skeleton office.nav --from 1,2 --to 9,4    the widest body that gets there, and the way by every planner
  clearway skeleton office.wkt --json             builds the plan first
  clearway skeleton level.nav --layer 1 -o up.png     only the second storey of a scene
  clearway skeleton city.nav --at 980,980 --across 120 -o part.png    only a part
  clearway skeleton level.nav --view iso -o all.png   all storeys, seen from aside

Exit status: 0 a clean audit and a way, 1 a flaw or no way, 2 an error.";

#[derive(Debug, Args)]
pub struct SkeletonArgs {
    /// The mesh, or a scene or plan, which is built with default options first
    #[arg(value_name = "MESH.nav")]
    pub input: PathBuf,
    /// A picture of the roads, .svg or .png
    #[arg(short, long, value_name = "OUT.svg|OUT.png")]
    pub output: Option<PathBuf>,
    /// The widest way begins here: X,Y on a plan, X,Y,Z in a scene with y up, or a named place such as start
    #[arg(long, value_name = "X,Y[,Z]|NAME", value_parser = path_end, allow_hyphen_values = true, requires = "to")]
    pub from: Option<PathEnd>,
    /// The widest way ends here; exit or exit:NAME means the nearest of these places
    #[arg(long, value_name = "X,Y[,Z]|NAME", value_parser = path_end, allow_hyphen_values = true, requires = "from")]
    pub to: Option<PathEnd>,
    /// Compare the ways of all planners for a body of this radius, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length, allow_hyphen_values = true)]
    pub radius: f64,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(64..=16384))]
    pub width: u32,
    /// The direction of view
    #[arg(long, value_enum, default_value_t = ViewArg::Top)]
    pub view: ViewArg,
    /// Show only this storey of a scene, counted from 0, or all, which is the default
    #[arg(long, value_name = "N|all", value_parser = storeys)]
    layer: Option<Storeys>,
    #[command(flatten)]
    pub zoom: Zoom,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl SkeletonArgs {
    /// Returns the storey that is shown; `None` for all. Fails if there is no such storey.
    pub fn storey(&self, mesh: &NavMesh) -> Result<Option<usize>> {
        self.zoom.storey(self.layer, mesh, &self.input)
    }

    /// Returns the part of the plan that is shown; fails if nothing of the mesh lies there.
    pub fn window(&self, mesh: &NavMesh) -> Result<Option<[[f64; 2]; 2]>> {
        self.zoom.window(mesh, &self.input)
    }
}
