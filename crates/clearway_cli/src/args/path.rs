//! The arguments of `path`, and those that it shares with `draw`.

use super::links::{known_links, link_choice};
use super::number::{factor, length, path_end, side, weight};
use crate::failure::{Failure, Result};
use crate::planner::{PlannerName, PlannerOptions};
use clap::Args;
use clearway::answer::PathEnd;
use clearway::links::SnapRules;
use clearway::{LinkUse, NavMesh};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct PathArgs {
    /// The mesh, or a scene or plan, which is built with default options first; or a folder of tiles
    #[arg(value_name = "MESH.nav|DIR")]
    pub input: PathBuf,
    /// Where the body starts: X,Y on a plan, X,Y,Z in a scene with y up, or a place that the plan names (start:NAME)
    #[arg(long, value_name = "X,Y[,Z]|NAME", value_parser = path_end, allow_hyphen_values = true, requires = "to",
          required_unless_present_any = ["queries", "scen"], conflicts_with_all = ["queries", "scen"])]
    pub from: Option<PathEnd>,
    /// Where the body goes; exit or exit:NAME means the nearest of these places
    #[arg(long, value_name = "X,Y[,Z]|NAME", value_parser = path_end, allow_hyphen_values = true, requires = "from")]
    pub to: Option<PathEnd>,
    #[command(flatten)]
    pub walker: Walker,
    /// Accept a path up to this many times as long as the shortest, for a faster search
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor, allow_hyphen_values = true)]
    pub suboptimality: f64,
    /// Where the goal cannot be reached, lead to the place nearest to it
    #[arg(long)]
    pub partial: bool,
    /// Answer every query of a table with columns sx, sy, gx, gy, in a scene sx, sy, sz, gx, gy, gz; compare with its
    /// column length_rRADIUS
    #[arg(long, value_name = "FILE.tsv", conflicts_with = "scen")]
    pub queries: Option<PathBuf>,
    /// Answer every query of a MovingAI scenario, between the centres of its tiles
    #[arg(long, value_name = "FILE.scen")]
    pub scen: Option<PathBuf>,
    /// List the places narrower than this many metres through which the path leads
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true, requires = "from")]
    pub narrow: Option<f64>,
    /// For a folder of tiles: load only tiles within this many metres of the start; by default the tiles the path needs
    #[arg(long, value_name = "METRES", value_parser = length, allow_hyphen_values = true, requires = "from")]
    pub around: Option<f64>,
    /// How many threads answer the queries of a file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// The largest distance between printed points and the exact arcs, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.01, value_parser = length, allow_hyphen_values = true)]
    pub tolerance: f64,
    /// Print one JSON object; for a file of queries, one JSON array
    #[arg(long)]
    pub json: bool,
}

/// The body and the planner of a query.
#[derive(Debug, Args)]
pub struct Walker {
    /// The radius of the body in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length, allow_hyphen_values = true)]
    pub radius: f64,
    /// How far start and goal may be moved, in metres, heights counted: onto the mesh, away from walls, and to pieces that
    /// a way joins
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length, allow_hyphen_values = true)]
    snap: f64,
    /// Which planner finds the path
    #[arg(long, value_enum, default_value_t = PlannerName::default())]
    pub planner: PlannerName,
    /// The side of the cells of the grid planner in metres; chosen from the extent by default, 1 for --scen
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    cell_size: Option<f64>,
    /// The clearance in metres that --planner ecm prefers; where walls are nearer, its path runs in the middle
    #[arg(long, value_name = "METRES", value_parser = length, allow_hyphen_values = true)]
    clearance: Option<f64>,
    /// How many metres of the route --planner miran may cut short; 5 by default
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    sigma: Option<f64>,
    /// The cost of a metre on an area class for --planner miran, 1 by default; may be given again
    #[arg(long = "weight", value_name = "AREA=COST", value_parser = weight)]
    weights: Vec<(String, f64)>,
    /// Which kinds of links may be used: all, which is the default, none, or a list such as ladder,drop
    #[arg(long, value_name = "KINDS", value_parser = link_choice)]
    links: Option<LinkUse>,
}

impl Walker {
    /// Returns the options of the planner; fails if it is asked for links that it does not support.
    pub fn options(&self) -> Result<PlannerOptions> {
        let is_asked = self.links.as_ref().is_some_and(|links| *links != LinkUse::None);
        if is_asked && self.planner != PlannerName::Optimal {
            let name = self.planner.name();
            return Err(Failure::new(format!(
                "--links: only the optimal planner takes links, {name} does not"
            )));
        }
        for (option, is_given, planner) in [
            ("--cell-size", self.cell_size.is_some(), PlannerName::Grid),
            ("--clearance", self.clearance.is_some(), PlannerName::Ecm),
            ("--sigma", self.sigma.is_some(), PlannerName::Miran),
            ("--weight", !self.weights.is_empty(), PlannerName::Miran),
        ] {
            if is_given && self.planner != planner {
                let (user, name) = (planner.name(), self.planner.name());
                return Err(Failure::new(format!(
                    "{option}: only --planner {user} uses it, and the planner is {name}"
                )));
            }
        }
        Ok(PlannerOptions {
            cell_size: self.cell_size,
            clearance: self.clearance.unwrap_or(0.0),
            sigma: self.sigma,
            weights: self.weights.clone(),
        })
    }

    /// Returns the body, the links that the planner takes, and the distance by which ends may be moved.
    pub fn snap(&self, mesh: &NavMesh) -> Result<SnapRules> {
        let takes_links = self.planner == PlannerName::Optimal;
        let links = if takes_links { self.link_use(mesh)? } else { LinkUse::None };
        Ok(SnapRules::default().distance(self.snap).radius(self.radius).links(links))
    }

    /// Returns the distance by which ends may be moved, in metres.
    pub fn snap_distance(&self) -> f64 {
        self.snap
    }

    /// Returns the links that may be taken.
    pub fn link_use(&self, mesh: &NavMesh) -> Result<LinkUse> {
        known_links(self.links.as_ref().unwrap_or(&LinkUse::All), mesh)
    }
}
