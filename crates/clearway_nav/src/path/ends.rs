//! Start and goals of a search that goes on while its mesh is edited: each is located anew before the search begins anew.

use super::PathQuery;
use crate::mesh::{CellId, NavMesh};
use crate::query::{LastingLocation, Location};
use clearway_geometry::NONE;

/// A query whose start and goals are found again on every mesh.
#[derive(Debug)]
pub(super) struct LastingQuery {
    /// The query on the mesh that was given last. An end that this mesh does not have is in no cell.
    query: PathQuery,
    /// The start, the goal and the further goals.
    ends: Vec<LastingLocation>,
}

impl LastingQuery {
    /// Keeps a query.
    pub fn new(query: PathQuery) -> LastingQuery {
        let ends = std::iter::once(query.start).chain(query.goals()).map(LastingLocation::new).collect();
        LastingQuery { query, ends }
    }

    /// The query on the mesh that was given last.
    pub fn query(&self) -> &PathQuery {
        &self.query
    }

    /// Locates start and goals on this mesh.
    pub fn follow(&mut self, mesh: &NavMesh) {
        let PathQuery { start, goal, more_goals, .. } = &mut self.query;
        for (end, lasting) in [start, goal].into_iter().chain(more_goals).zip(&mut self.ends) {
            let nowhere = Location { cell: CellId(NONE), position: end.position };
            *end = lasting.on(mesh).unwrap_or(nowhere);
        }
    }
}
