//! Many paths at once, on all cores.

use super::{NoPath, Path, PathQuery, SearchSpace};
use crate::mesh::NavMesh;
use clearway_base::parallel;

impl NavMesh {
    /// Returns the answer to each query, in the order of the queries, as [`find_path`](NavMesh::find_path) gives it.
    /// All cores share the queries; the answers do not depend on the number of cores.
    pub fn find_paths(&self, queries: &[PathQuery]) -> Vec<Result<Path, NoPath>> {
        let answer = |space: &mut SearchSpace, number: usize| self.find_path_in(&queries[number], space);
        parallel::map_with(queries.len(), SearchSpace::new, answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::field::tests::{places, scenes, stale};

    #[test]
    fn batches_answer_as_single_searches_do() {
        for (name, mesh) in scenes(30) {
            let size = 0.004 * mesh.area().sqrt();
            let pair = |(number, pair): (usize, &[crate::Location])| {
                PathQuery::new(pair[0], pair[1]).radius(size * (number % 3) as f64)
            };
            let mut queries: Vec<PathQuery> = places(&mesh, 41, 80).chunks(2).enumerate().map(pair).collect();
            queries.push(PathQuery::new(stale()[0], stale()[1]));
            queries.push(queries[0].clone().radius(f64::NAN));
            let single: Vec<_> = queries.iter().map(|query| mesh.find_path(query)).collect();
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let answers = pool.install(|| mesh.find_paths(&queries));
                let same = |(a, b): (&Result<Path, NoPath>, &Result<Path, NoPath>)| match (a, b) {
                    (Ok(a), Ok(b)) => a == b,
                    (a, b) => format!("{a:?}") == format!("{b:?}"),
                };
                let differs = single.iter().zip(&answers).position(|pair| !same(pair));
                assert_eq!(
                    differs,
                    None,
                    "{name}: {threads} threads {:?}",
                    differs.map(|d| (&single[d], &answers[d]))
                );
            }
            assert!(mesh.find_paths(&[]).is_empty());
        }
    }
}
