//! Searches in slices: a caller gives each step a budget of expansions.

use super::{NoPath, Path, PathQuery, Run, SearchSpace};
use crate::mesh::NavMesh;
use crate::path::ends::LastingQuery;

/// The progress of a sliced search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchStatus {
    /// The search needs further steps.
    Running,
    /// The search is over.
    Done(Result<Path, NoPath>),
}

/// A search that runs in slices. It does not hold the mesh, which is passed to each step. Before it has begun, it holds
/// nothing but its query; once it is over, nothing but its answer.
#[derive(Debug)]
pub struct PathSearch {
    /// The query to answer.
    query: LastingQuery,
    /// True once a path was to be improved: from then on the shortest one is looked for.
    is_improving: bool,
    /// The search, once it has begun.
    run: Option<Box<Run>>,
    /// A scratch buffer of its own, unless the caller gives one.
    space: Option<Box<SearchSpace>>,
    /// The answer, once the search is over, and the serial number of the mesh that it belongs to.
    answer: Option<(u64, Box<Result<Path, NoPath>>)>,
    /// The number of expansions so far.
    expansions: u64,
    /// The number of times that it started anew because the mesh changed.
    restarts: u64,
}

impl PathSearch {
    /// Returns a search that has not begun.
    pub fn new(query: PathQuery) -> PathSearch {
        PathSearch {
            query: LastingQuery::new(query),
            is_improving: false,
            run: None,
            space: None,
            answer: None,
            expansions: 0,
            restarts: 0,
        }
    }

    /// The query to answer. Its start and goals are in the cells that hold them on the mesh that was given last.
    pub fn query(&self) -> &PathQuery {
        self.query.query()
    }

    /// Continues for at most `max_expansions` steps, in a scratch buffer of its own. All steps of a search must be
    /// given the same mesh; with another one it starts anew, also if it was over. After edits of a live mesh it goes on if
    /// they changed nothing that it has looked at; the answer is that of a search begun on the mesh as it is now. Start and
    /// goals stay where they are, in the cells that hold them now.
    pub fn step(&mut self, mesh: &NavMesh, max_expansions: u64) -> SearchStatus {
        self.forget_other_mesh(mesh);
        if let Some((_, answer)) = &self.answer {
            // The scratch buffer may be in use to improve it.
            return SearchStatus::Done((**answer).clone());
        }
        let mut space = self.space.take().unwrap_or_default();
        let status = self.step_in(mesh, max_expansions, &mut space);
        if status == SearchStatus::Running {
            self.space = Some(space);
        }
        status
    }

    /// As [`step`](PathSearch::step), in a scratch buffer of the caller's. All steps must be given the same buffer, and
    /// no other search may use it in between.
    pub fn step_in(&mut self, mesh: &NavMesh, max_expansions: u64, space: &mut SearchSpace) -> SearchStatus {
        self.forget_other_mesh(mesh);
        if let Some((_, answer)) = &self.answer {
            return SearchStatus::Done((**answer).clone());
        }
        let mut run = match self.run_on(mesh, space) {
            Some(run) => run,
            None => match self.begun(mesh) {
                Ok(run) => run,
                Err(reason) => return self.finish(mesh, Err(reason)),
            },
        };
        let answer = run.step(mesh, space, max_expansions);
        self.expansions = run.state.expansions;
        match answer {
            // The reason why there is no way may be another one now.
            Some(Err(_)) if run.has_gone_on => {
                self.restarts += 1;
                SearchStatus::Running
            }
            Some(answer) => self.finish(mesh, answer),
            None => {
                self.run = Some(run);
                SearchStatus::Running
            }
        }
    }

    /// Returns the search under way if it can go on with this mesh.
    fn run_on(&mut self, mesh: &NavMesh, space: &mut SearchSpace) -> Option<Box<Run>> {
        let mut run = self.run.take()?;
        if run.serial == mesh.graph().serial {
            return Some(run);
        }
        self.query.follow(mesh);
        if run.goes_on(mesh, self.query.query(), space) {
            return Some(run);
        }
        self.restarts += 1;
        None
    }

    /// Begins a search on this mesh.
    fn begun(&mut self, mesh: &NavMesh) -> Result<Box<Run>, NoPath> {
        self.query.follow(mesh);
        let query = self.query.query();
        let run = match self.is_improving {
            true => Run::new(mesh, &query.clone().suboptimality(1.0)),
            false => Run::new(mesh, query),
        };
        run.map(Box::new)
    }

    /// Forgets the answer if it belongs to another mesh, and what was to improve it.
    fn forget_other_mesh(&mut self, mesh: &NavMesh) {
        if self.answer.as_ref().is_some_and(|(serial, _)| *serial != mesh.graph().serial) {
            (self.answer, self.run) = (None, None);
            self.restarts += 1;
        }
    }

    /// Continues after an answer that may be longer than the shortest path (`suboptimality` above 1), for at most
    /// `max_expansions` steps. Returns `Running` until it is known whether there is a shorter path, then the shortest
    /// one. In between, [`step`](PathSearch::step) still returns the first answer. It works in a scratch buffer of its
    /// own. With another mesh, or after an edit, the first answer is forgotten, and the shortest path is searched anew.
    pub fn improve(&mut self, mesh: &NavMesh, max_expansions: u64) -> SearchStatus {
        self.is_improving |= self.answer.is_some();
        self.forget_other_mesh(mesh);
        let known = match self.answer.as_ref().map(|(_, answer)| &**answer) {
            Some(Ok(known)) if known.bound > 1.0 => known.clone(),
            _ => return self.step(mesh, max_expansions),
        };
        let mut run = match self.run.take() {
            Some(run) => run,
            None => match self.begun(mesh) {
                Ok(run) => Box::new((*run).shorter_than(known.length / mesh.unit())),
                Err(reason) => return self.finish(mesh, Err(reason)),
            },
        };
        let mut space = self.space.take().unwrap_or_default();
        match run.step(mesh, &mut space, max_expansions) {
            Some(Ok(shorter)) => self.finish(mesh, Ok(shorter)),
            // No path is shorter than the known one, which therefore is the shortest.
            Some(Err(_)) => self.finish(mesh, Ok(Path { bound: 1.0, ..known })),
            None => {
                (self.run, self.space) = (Some(run), Some(space));
                SearchStatus::Running
            }
        }
    }

    /// Keeps the answer for later steps on the same mesh.
    fn finish(&mut self, mesh: &NavMesh, answer: Result<Path, NoPath>) -> SearchStatus {
        self.answer = Some((mesh.graph().serial, Box::new(answer.clone())));
        SearchStatus::Done(answer)
    }

    /// The number of expansions so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The number of times that it started anew because the mesh changed.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Returns the corners of the most promising way so far, from the start on, in plan coordinates. A body can follow
    /// it while the search still runs. Empty as long as nothing is known.
    pub fn best_guess(&self, mesh: &NavMesh) -> Vec<[f64; 2]> {
        self.space.as_ref().map_or(Vec::new(), |space| self.best_guess_in(mesh, space))
    }

    /// As [`best_guess`](PathSearch::best_guess), for a search that runs in a scratch buffer of the caller's.
    pub fn best_guess_in(&self, mesh: &NavMesh, space: &SearchSpace) -> Vec<[f64; 2]> {
        let run = self.run.as_ref().filter(|run| run.serial == mesh.graph().serial);
        run.map_or(Vec::new(), |run| run.guess(mesh, space))
    }
}
