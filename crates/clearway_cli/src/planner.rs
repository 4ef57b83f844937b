//! The planners that the command offers. A new one takes a name here and one arm in [`PlannerName::planner`].

use crate::failure::Result;
use clap::ValueEnum;
use clearway::{CorridorPlanner, NavMesh, OptimalPlanner, Planner};
use clearway_compare::{CentrePlanner, GridOptions, GridPlanner, VisibilityPlanner, WayPoint};

/// A planner by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlannerName {
    /// The shortest path, by a search of the mesh itself
    #[default]
    Optimal,
    /// A path through the first corridor that A* over portals finds, pulled tight; fast, not always the shortest
    Corridor,
    /// The shortest path, by corners that see one another; slow to prepare, for plans of up to 6000 corners
    Visibility,
    /// Portal centres by the published clearance, for comparison; it may come too close to walls
    Centre,
    /// A* on a raster of the mesh, for comparison
    Grid,
}

/// The number of queries from which on it pays to build the path index first.
const MANY_QUERIES: usize = 256;

/// The options that some planners need.
#[derive(Clone, Debug, Default)]
pub struct PlannerOptions {
    /// The side of the cells of a raster, in metres.
    pub cell_size: Option<f64>,
}

/// A planner for a mesh. Each thread has its own.
pub type AnyPlanner<'m> = Box<dyn Planner + 'm>;

impl PlannerName {
    /// Returns the name on the command line and in answers.
    pub fn name(self) -> &'static str {
        match self {
            PlannerName::Optimal => "optimal",
            PlannerName::Corridor => "corridor",
            PlannerName::Visibility => "visibility",
            PlannerName::Centre => "centre",
            PlannerName::Grid => "grid",
        }
    }

    /// Prepares the mesh for many queries, if that pays.
    pub fn prepare(self, mesh: &NavMesh, queries: usize) {
        if self == PlannerName::Optimal && queries >= MANY_QUERIES {
            mesh.prepare_paths();
        }
    }

    /// Makes the planner for a mesh.
    pub fn planner<'m>(self, mesh: &'m NavMesh, options: &PlannerOptions) -> Result<AnyPlanner<'m>> {
        Ok(match self {
            PlannerName::Optimal => Box::new(OptimalPlanner::new()),
            PlannerName::Corridor => Box::new(CorridorPlanner::new()),
            PlannerName::Centre => Box::new(CentrePlanner::new(mesh, WayPoint::Centre)),
            PlannerName::Visibility => Box::new(VisibilityPlanner::new(mesh)?),
            PlannerName::Grid => {
                Box::new(GridPlanner::new(mesh, &GridOptions::default().cell_size(options.cell_size))?)
            }
        })
    }
}
