//! Searches for corridors in slices: a caller gives each step a budget of expansions.

use super::{Asked, CorridorPlanner};
use crate::mesh::NavMesh;
use crate::path::ends::LastingQuery;
use crate::path::{NoPath, Path, PathQuery, SearchStatus};

/// A search for a corridor that runs in slices, in the scratch buffers of a [`CorridorPlanner`]. It ends with the path
/// that [`CorridorPlanner::find_path`] gives.
#[derive(Debug)]
pub struct CorridorSearch {
    /// The query to answer.
    query: LastingQuery,
    /// The search, once it has begun, and the mesh on which it did.
    asked: Option<(u64, Box<Asked>)>,
    /// The answer, once the search is over, and the mesh that it belongs to.
    answer: Option<(u64, Box<Result<Path, NoPath>>)>,
    /// The number of expansions so far.
    expansions: u64,
}

impl CorridorSearch {
    /// Returns a search that has not begun.
    pub fn new(query: PathQuery) -> CorridorSearch {
        CorridorSearch { query: LastingQuery::new(query), asked: None, answer: None, expansions: 0 }
    }

    /// Continues for at most `max_expansions` expansions. All steps of a search must be given the same planner, and no
    /// other search may use it in between. On another mesh the search starts anew, also if it was over.
    pub fn step_in(
        &mut self,
        mesh: &NavMesh,
        max_expansions: u64,
        planner: &mut CorridorPlanner,
    ) -> SearchStatus {
        let serial = mesh.graph().serial;
        self.answer = self.answer.take().filter(|(known, _)| *known == serial);
        if let Some((_, answer)) = &self.answer {
            return SearchStatus::Done((**answer).clone());
        }
        let mut asked = match self.asked.take().filter(|(known, _)| *known == serial) {
            Some((_, asked)) => asked,
            None => {
                self.query.follow(mesh);
                self.expansions = 0;
                match planner.ask(mesh, self.query.query()) {
                    Ok(asked) => Box::new(asked),
                    Err(reason) => return self.finish(serial, Err(reason)),
                }
            }
        };
        let most = self.expansions.saturating_add(max_expansions);
        let answer = planner.go_on(mesh, self.query.query(), &mut asked, most);
        self.expansions = planner.spent(&asked);
        match answer {
            Some(answer) => self.finish(serial, answer),
            None => {
                self.asked = Some((serial, asked));
                SearchStatus::Running
            }
        }
    }

    /// The number of expansions so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Keeps the answer for later steps on the same mesh.
    fn finish(&mut self, serial: u64, answer: Result<Path, NoPath>) -> SearchStatus {
        self.answer = Some((serial, Box::new(answer.clone())));
        SearchStatus::Done(answer)
    }
}

impl CorridorPlanner {
    /// Returns the number of expansions of a search so far.
    fn spent(&self, asked: &Asked) -> u64 {
        self.search.expansions + asked.rescue.as_ref().map_or(0, |rescue| rescue.expansions())
    }
}
