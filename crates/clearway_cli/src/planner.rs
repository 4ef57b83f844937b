//! The planners that the command offers. A new one takes a name here and one arm in [`Planner::finder`].

use crate::failure::Result;
use clap::ValueEnum;
use clearway::path::{
    CentrePlanner, CorridorPlanner, GridOptions, GridPlanner, SearchSpace, VisibilityPlanner, WayPoint,
};
use clearway::{NavMesh, NoPath, Path, PathQuery};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Planner {
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

/// From so many queries on it pays to find landmarks first.
const MANY_QUERIES: usize = 64;

/// What some planners want to know before they start.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlannerOptions {
    /// The side of the cells of a raster, in metres.
    pub cell_size: Option<f64>,
}

/// Answers one query after the other, in memory that it uses again.
pub type Finder<'m> = Box<dyn FnMut(&PathQuery) -> std::result::Result<Path, NoPath> + Send + 'm>;

impl Planner {
    /// The name in the command line and in answers.
    pub fn name(self) -> &'static str {
        match self {
            Planner::Optimal => "optimal",
            Planner::Corridor => "corridor",
            Planner::Visibility => "visibility",
            Planner::Centre => "centre",
            Planner::Grid => "grid",
        }
    }

    /// Makes the mesh ready for many queries, where that pays.
    pub fn prepare(self, mesh: &NavMesh, queries: usize) {
        if self == Planner::Optimal && queries >= MANY_QUERIES {
            mesh.prepare_paths();
        }
    }

    /// The planner at work on a mesh. Threads get one each.
    pub fn finder<'m>(self, mesh: &'m NavMesh, options: &PlannerOptions) -> Result<Finder<'m>> {
        Ok(match self {
            Planner::Optimal => {
                let mut space = SearchSpace::new();
                Box::new(move |query| mesh.find_path_with(query, &mut space))
            }
            Planner::Corridor => {
                let mut planner = CorridorPlanner::new();
                Box::new(move |query| planner.find_path(mesh, query))
            }
            Planner::Centre => {
                let mut planner = CentrePlanner::new(mesh, WayPoint::Centre);
                Box::new(move |query| planner.find_path(mesh, query))
            }
            Planner::Visibility => {
                let planner = VisibilityPlanner::new(mesh)?;
                Box::new(move |query| planner.find_path(mesh, query.start, query.goal, query.radius))
            }
            Planner::Grid => {
                let options = GridOptions { cell_size: options.cell_size, ..GridOptions::default() };
                let mut planner = GridPlanner::new(mesh, &options)?;
                Box::new(move |query| planner.find_path(query))
            }
        })
    }
}
