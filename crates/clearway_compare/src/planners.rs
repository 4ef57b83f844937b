//! Implements [`Planner`] for the comparators, so that all can be asked in one way.

use crate::{CentrePlanner, GridPlanner, VisibilityPlanner};
use clearway_nav::NavMesh;
use clearway_nav::path::{NoPath, Path, PathQuery, Planner};

impl Planner for CentrePlanner {
    fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath> {
        CentrePlanner::find_path(self, mesh, query)
    }
}

impl Planner for VisibilityPlanner {
    fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath> {
        VisibilityPlanner::find_path(self, mesh, query.start, query.goal, query.radius)
    }
}

/// The raster was made from one mesh, so the mesh argument is ignored.
impl Planner for GridPlanner<'_> {
    fn find_path(&mut self, _: &NavMesh, query: &PathQuery) -> Result<Path, NoPath> {
        GridPlanner::find_path(self, query)
    }
}
