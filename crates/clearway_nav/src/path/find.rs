//! The one entry to path finding: walks, links and costs, as the query says.

use super::{NoPath, Path, PathQuery, SearchSpace};
use crate::links::cheapest_way;
use crate::mesh::NavMesh;
use std::cell::RefCell;

thread_local! {
    /// The scratch buffers of this thread, for [`NavMesh::find_path`] and for distance fields. They hold no answers.
    static SPACE: RefCell<SearchSpace> = RefCell::default();
}

/// Does something with the scratch buffers of this thread, or with new ones if these are in use.
pub(super) fn with_space<R>(work: impl FnOnce(&mut SearchSpace) -> R) -> R {
    SPACE.with(|space| match space.try_borrow_mut() {
        Ok(mut space) => work(&mut space),
        Err(_) => work(&mut SearchSpace::new()),
    })
}

impl NavMesh {
    /// Returns the shortest path for a body of the query's radius, or the reason why there is none.
    ///
    /// The path takes links where they make it cheaper. If the query gives costs, the path is cheap rather than
    /// shortest. Consecutive searches on one thread allocate only for their answers.
    pub fn find_path(&self, query: &PathQuery) -> Result<Path, NoPath> {
        with_space(|space| self.find_path_in(query, space))
    }

    /// As [`find_path`](NavMesh::find_path), with scratch buffers of the caller.
    pub fn find_path_in(&self, query: &PathQuery, space: &mut SearchSpace) -> Result<Path, NoPath> {
        let allowed = |link| query.links.allows_link(link, 0.0);
        if self.parts.links.iter().any(allowed) {
            cheapest_way(self, query, space)
        } else {
            self.find_foot_path(query, space)
        }
    }

    /// Returns a walk without links: the shortest, or a cheap one if the query gives costs.
    pub(crate) fn find_foot_path(&self, query: &PathQuery, space: &mut SearchSpace) -> Result<Path, NoPath> {
        match &query.costs {
            Some(costs) => self.find_cheap_walk(query, costs, space),
            None => self.find_walk(query, space),
        }
    }
}

/// A planner: answers path queries on one mesh after the other and reuses its memory.
pub trait Planner {
    /// Returns a path to a goal of the query, or the reason why there is none. A planner ignores the parts of a query
    /// that it does not know (links, costs, further goals).
    fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath>;
}

/// The optimal planner: [`NavMesh::find_path`] with scratch buffers of its own.
#[derive(Debug, Default)]
pub struct OptimalPlanner {
    /// The scratch buffers.
    space: SearchSpace,
}

impl OptimalPlanner {
    /// Makes a planner with empty scratch buffers.
    pub fn new() -> OptimalPlanner {
        OptimalPlanner::default()
    }
}

impl Planner for OptimalPlanner {
    fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath> {
        mesh.find_path_in(query, &mut self.space)
    }
}

impl Planner for super::CorridorPlanner {
    fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath> {
        super::CorridorPlanner::find_path(self, mesh, query)
    }
}
