//! Many paths at once, on all cores.

use super::{NoPath, Path, PathQuery, SearchSpace};
use crate::mesh::NavMesh;
use rayon::prelude::*;

impl NavMesh {
    /// The answer to each query, in the order of the queries, as [`find_path`](NavMesh::find_path) gives it. Queries
    /// are shared among all cores, and answers do not depend on how many there are.
    pub fn find_paths(&self, queries: &[PathQuery]) -> Vec<Result<Path, NoPath>> {
        let answer = |space: &mut SearchSpace, query: &PathQuery| self.find_path_with(query, space);
        queries.par_iter().map_init(SearchSpace::new, answer).collect()
    }
}
