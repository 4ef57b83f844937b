//! The arguments of `build`: how the world is read, what counts as walkable, how the mesh is built.

use super::links::LinkRules;
use super::number::{self, Point3};
use super::reading::{SCALE, SceneReading};
use crate::failure::{Failure, Result};
use clap::{Args, ValueEnum};
use clearway::{
    MeshOptions, Method, PlanOptions, PlanRole, Quality, SceneChoice, SceneOptions, Selection, WalkRules,
};
use std::path::PathBuf;

/// The default side of voxel columns, in metres. Smaller columns are more exact and slower.
const USUAL_CELL: f64 = 0.1;

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The scene: .glb, .gltf, .obj, .stl or .ply; or the plan: .dxf, .yaml (ROS map), .geojson, .json, .wkt, .poly, .dat
    /// or .map
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Where to save the mesh; without it nothing is saved
    #[arg(short, long, value_name = "OUT.nav")]
    pub output: Option<PathBuf>,
    /// How much time to spend on reducing the number of cells
    #[arg(long, value_enum, default_value_t = QualityArg::Default)]
    pub quality: QualityArg,
    #[command(flatten)]
    pub plan: PlanRules,
    #[command(flatten)]
    pub scene: SceneRules,
    #[command(flatten)]
    pub links: LinkRules,
    /// Store the path index as well, so that searches are fast from the first one on; the file grows
    #[arg(long)]
    pub index: bool,
    /// How many threads to use; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl BuildArgs {
    /// Returns the options for reading a plan.
    pub fn plan_reading(&self) -> PlanOptions {
        PlanOptions::default()
            .scale(self.scene.read.scale())
            .roles(self.plan.role.clone())
            .gap(self.scene.gap.unwrap_or(0.0))
            .opening(self.plan.opening)
            .keep_degrees_out(self.plan.project == Some(Project::Off))
            .level(self.plan.level.clone())
            .simplify(self.scene.simplify)
    }

    /// Returns the options of the build.
    pub fn options(&self) -> MeshOptions {
        MeshOptions::default()
            .quality(self.quality.into())
            .relax_angle(self.plan.relax_angle_deg.unwrap_or(0.0).to_radians())
            .relax_depth(self.plan.relax_depth.unwrap_or(0.0))
            .grid(self.plan.grid)
    }
}

/// Options for plans only.
#[derive(Debug, Args)]
#[command(next_help_heading = "Plans only")]
pub struct PlanRules {
    /// Corners up to 180 degrees plus this do not split a region, 0 by default; cells stay exactly convex
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    relax_angle_deg: Option<f64>,
    /// Dents up to this deep, in metres, do not split a region, 0 by default; cells stay exactly convex
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    relax_depth: Option<f64>,
    /// The grid unit in metres, rounded down to a power of two; chosen from the extent by default
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    grid: Option<f64>,
    /// Set the role of parts, by the name of their layer or group: floor, obstacle, wall, door, exit, start, waypoint, stairs
    /// or ignore; * stands for any characters; may be given again
    #[arg(long, value_name = "ROLE=PATTERN", value_parser = role)]
    role: Vec<(PlanRole, String)>,
    /// Close openings of the outer walls up to this width, in metres, where a plan has walls but no floor; 3 by default
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    opening: Option<f64>,
    /// Project coordinates in degrees to metres, or refuse them
    #[arg(long, value_enum)]
    project: Option<Project>,
    /// Build only this level of a plan with levels
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    level: Option<String>,
}

impl PlanRules {
    /// Returns the first option that was given.
    pub fn given(&self) -> Option<&'static str> {
        first_given(&[
            ("--relax-angle-deg", self.relax_angle_deg.is_some()),
            ("--relax-depth", self.relax_depth.is_some()),
            ("--grid", self.grid.is_some()),
            ("--role", !self.role.is_empty()),
            ("--opening", self.opening.is_some()),
            ("--project", self.project.is_some()),
            ("--level", self.level.is_some()),
        ])
    }
}

/// Options for scenes only: how they are read, and what counts as walkable.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Scenes only")]
pub struct SceneRules {
    #[command(flatten)]
    read: SceneReading,
    /// Which scene of a glTF file to read, by name or by number from 0
    #[arg(long, value_name = "NAME|N")]
    scene: Option<String>,
    /// Set the area class of parts, by name or material; may be given again
    #[arg(long, value_name = "NAME=PATTERN", value_parser = area_class)]
    area: Vec<(String, String)>,
    /// The head-room that a body needs, in metres; 2 by default
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    height: Option<f64>,
    /// The highest step up or down, in metres; 0.4 by default
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_step: Option<f64>,
    /// The steepest slope; 45 degrees by default
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    max_slope: Option<f64>,
    /// Gaps up to this width between floors are bridged, in metres; 0.03 by default, and 0 for plans, which have it too
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    gap: Option<f64>,
    /// Keep only what can be reached from here; may be given again
    #[arg(long, value_name = "X,Y,Z", value_parser = number::point3, allow_hyphen_values = true)]
    seed: Vec<Point3>,
    /// Drop connected pieces smaller than this, in square metres; 0.25 by default
    #[arg(long, value_name = "M2", allow_negative_numbers = true)]
    min_area: Option<f64>,
    /// Keep or drop floors inside closed solids; dropped by default
    #[arg(long, value_enum)]
    inside: Option<Fate>,
    /// Keep or drop small pieces that cannot be reached, such as table tops; dropped by default, kept if jumps or drops
    /// are looked for
    #[arg(long, value_enum)]
    islands: Option<Fate>,
    /// Simplify outlines by up to this distance, in metres; 0 by default, and one cell for ROS maps, which have it too
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    simplify: Option<f64>,
    /// How the walkable surface is found; exact by default
    #[arg(long, value_enum)]
    method: Option<MethodArg>,
    /// The side of the columns of --method voxel, in metres; 0.1 by default
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    cell: Option<f64>,
    /// Compare the mesh with vertical columns this far apart, in metres; takes longer than the build
    #[arg(long, value_name = "METRES", value_parser = number::side, allow_hyphen_values = true)]
    pub coverage: Option<f64>,
}

impl SceneRules {
    /// Returns the first option that was given and that plans do not have.
    pub fn given(&self) -> Option<&'static str> {
        let option = self.read.given().filter(|option| *option != SCALE);
        option.or_else(|| self.given_beside_reading())
    }

    /// Returns the first of the options that only builds have.
    fn given_beside_reading(&self) -> Option<&'static str> {
        first_given(&[
            ("--scene", self.scene.is_some()),
            ("--area", !self.area.is_empty()),
            ("--height", self.height.is_some()),
            ("--max-step", self.max_step.is_some()),
            ("--max-slope", self.max_slope.is_some()),
            ("--seed", !self.seed.is_empty()),
            ("--min-area", self.min_area.is_some()),
            ("--inside", self.inside.is_some()),
            ("--islands", self.islands.is_some()),
            ("--method", self.method.is_some()),
            ("--cell", self.cell.is_some()),
            ("--coverage", self.coverage.is_some()),
        ])
    }

    /// Returns the options for reading the scene.
    pub fn reading(&self) -> SceneOptions {
        self.read.options().scene(self.scene.as_deref().map(SceneChoice::from))
    }

    /// True if a warning of this kind can be heeded: a hint that another axis may point up helps only if that axis was
    /// not chosen.
    pub fn can_heed(&self, warning: &str) -> bool {
        let is_z = self.read.is_z_up();
        match warning {
            "up_z" => !is_z,
            "up_y" => is_z,
            _ => true,
        }
    }

    /// True if the unit is to be taken from what the scene shows.
    pub fn guesses_scale(&self) -> bool {
        self.read.guesses_scale()
    }

    /// True if islands stay because leaps may lead to them, and nothing else was asked for.
    pub fn keeps_islands_for_leaps(&self) -> bool {
        self.islands.is_none()
    }

    /// Returns the parts to leave out and the area classes.
    pub fn selection(&self) -> Selection {
        Selection { areas: self.area.clone(), ..self.read.selection() }
    }

    /// Returns the rules of what counts as walkable; fails if rules contradict each other.
    pub fn walking(&self) -> Result<WalkRules> {
        let default = WalkRules::default();
        let rules = WalkRules::default()
            .height(self.height.unwrap_or(default.height))
            .max_step(self.max_step.unwrap_or(default.max_step))
            .max_slope(self.max_slope.map_or(default.max_slope, f64::to_radians))
            .gap(self.gap.unwrap_or(default.gap))
            .seeds(self.seed.clone())
            .ways(Vec::new())
            .min_area(self.min_area.unwrap_or(default.min_area))
            .inside(self.inside.map_or(default.inside, |inside| inside == Fate::Drop))
            .islands(self.islands.map_or(default.islands, |islands| islands == Fate::Drop))
            .simplify(self.simplify.unwrap_or(default.simplify))
            .method(self.method()?);
        rules.validate()?;
        Ok(rules)
    }

    /// Returns the method by which the surface is found.
    fn method(&self) -> Result<Method> {
        match (self.method.unwrap_or(MethodArg::Exact), self.cell) {
            (MethodArg::Exact, None) => Ok(Method::Exact),
            (MethodArg::Exact, Some(cell)) => Err(Failure::new(format!(
                "--cell {cell} is for --method voxel only; exact surfaces have no cell"
            ))),
            (MethodArg::Voxel, cell) => Ok(Method::Voxel { cell: cell.unwrap_or(USUAL_CELL) }),
        }
    }
}

/// Returns the name of the first option that was given.
pub fn first_given(options: &[(&'static str, bool)]) -> Option<&'static str> {
    options.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
}

/// Reads `ROLE=PATTERN`.
fn role(text: &str) -> std::result::Result<(PlanRole, String), String> {
    let names = || PlanRole::names().collect::<Vec<_>>().join(", ");
    match text.split_once('=') {
        Some((name, pattern)) if !pattern.is_empty() => match PlanRole::from_name(name) {
            Some(role) => Ok((role, pattern.to_string())),
            None => Err(format!("there is no role {name}; there are {}", names())),
        },
        _ => Err("expected a role and a pattern with = between them, as in obstacle=Furniture*".into()),
    }
}

/// Reads `NAME=PATTERN`.
fn area_class(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, pattern)) if !name.is_empty() && !pattern.is_empty() => {
            Ok((name.to_string(), pattern.to_string()))
        }
        _ => Err("expected a name and a pattern with = between them, as in grass=Lawn*".into()),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum QualityArg {
    /// The fastest build, with more cells
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// Compute every line from the triangles that meet there; use voxels where triangles are too tangled
    Exact,
    /// Sample the scene in vertical columns: slower and coarser, for triangles that the exact method cannot resolve
    Voxel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Project {
    /// Project degrees to a plane that touches the ground in the middle of the plan
    Auto,
    /// Refuse degrees
    Off,
}

/// What happens to pieces of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fate {
    Keep,
    Drop,
}
