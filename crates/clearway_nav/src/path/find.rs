//! The one way to ask for a path: walks, links and costs, as the query says.

use super::{NoPath, Path, PathQuery, SearchSpace};
use crate::links::cheapest_way;
use crate::mesh::NavMesh;
use std::cell::RefCell;

thread_local! {
    /// The scratch buffer of [`NavMesh::find_path`] on this thread. It holds no answers.
    static SPACE: RefCell<SearchSpace> = RefCell::default();
}

impl NavMesh {
    /// The shortest path for a body of the given radius, or why there is none.
    ///
    /// The path takes links where they make it cheaper, and where the query gives costs it is a cheap one. Searches
    /// that follow each other on one thread allocate only for their answers.
    pub fn find_path(&self, query: &PathQuery) -> Result<Path, NoPath> {
        SPACE.with(|space| match space.try_borrow_mut() {
            Ok(mut space) => self.find_path_in(query, &mut space),
            Err(_) => self.find_path_in(query, &mut SearchSpace::new()),
        })
    }

    /// As [`find_path`](NavMesh::find_path), in a scratch buffer of the caller's.
    pub fn find_path_in(&self, query: &PathQuery, space: &mut SearchSpace) -> Result<Path, NoPath> {
        let allowed = |link| query.links.allows_link(link, 0.0);
        if self.parts.links.iter().any(allowed) {
            cheapest_way(self, query, space)
        } else {
            self.find_foot_path(query, space)
        }
    }

    /// A walk without links: the shortest, or a cheap one where the query gives costs.
    pub(crate) fn find_foot_path(&self, query: &PathQuery, space: &mut SearchSpace) -> Result<Path, NoPath> {
        match &query.costs {
            Some(costs) => self.find_cheap_walk(query, costs, space),
            None => self.find_walk(query, space),
        }
    }
}

/// A planner: answers path queries on one mesh after the other, in memory that it uses again.
pub trait Planner {
    /// A path to a goal of the query, or why there is none. What a planner does not know (links, costs, further goals),
    /// it leaves out.
    fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath>;
}

/// The optimal planner: [`NavMesh::find_path`] in a scratch buffer of its own.
#[derive(Debug, Default)]
pub struct OptimalPlanner {
    space: SearchSpace,
}

impl OptimalPlanner {
    /// A planner with an empty scratch buffer.
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
