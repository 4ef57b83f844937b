//! Decides which search runs next, and for how long.
//!
//! The loop of the thesis, section 3.3: take the search that wants to run first, run one slice of it, and note when it
//! wants to run again. It goes on until the budget of the frame is spent. There the limit is a time and overrun by half
//! a slice on average. Here it is a number of expansions and never overrun.

use super::queue::{Queue, Waiting, due};
use super::search::{Room, Search};
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{NoPath, Path, PathQuery, PathSearch, SearchStatus};
use std::collections::BTreeMap;

/// The number of expansions that short searches beside the queue may run ahead of the budget. Coming frames pay for
/// them; a larger debt starves the queue for longer.
const MOST_DEBT: u64 = 4096;

/// The rules by which a [`Slicer`] shares its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SlicerOptions {
    /// The number of searches under way at once, at least one. Each needs scratch buffers that grow with the mesh. As
    /// many again may begin while these run, but only searches of higher priority than all under way.
    pub under_way: usize,
    /// The number of frames of waiting that weigh as much as one step of priority. With 0 the priority does not count.
    pub patience: u32,
    /// True to look for corridors, as [`CorridorPlanner`](clearway_nav::path::CorridorPlanner) does. Paths are legal then,
    /// but need not be the shortest, and cost a fraction. Nothing is guessed meanwhile.
    pub corridors: bool,
}

clearway_base::setters!(SlicerOptions { under_way: usize, patience: u32, corridors: bool });

impl Default for SlicerOptions {
    fn default() -> SlicerOptions {
        SlicerOptions { under_way: 4, patience: 16, corridors: false }
    }
}

/// The timing of a search's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The least number of frames before its first turn; 0 to run in the next frame.
    pub delay: u64,
    /// The number of frames between two turns; 0 to run whenever there is budget left.
    pub period: u64,
    /// The largest number of expansions per turn; at least one.
    pub slice: u64,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { delay: 0, period: 0, slice: 64 }
    }
}

/// The id of a search in a [`Slicer`]. Ids are not used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchId(u64);

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has not begun.
    Waiting,
    /// It has begun.
    UnderWay,
    /// Its answer waits to be taken.
    Done,
}

/// The events of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameReport {
    /// The number of the frame; the first is 1.
    pub frame: u64,
    /// The part of the budget that was spent: one for each expansion and one for each search that began.
    pub spent: u64,
    /// The searches that finished, in the order in which they finished.
    pub finished: Vec<SearchId>,
    /// The number of searches that have not begun.
    pub waiting: usize,
    /// The number of searches that have begun and are not over.
    pub under_way: usize,
}

/// Runs many searches by priority within a budget of expansions per frame.
///
/// ```
/// # use clearway::{MeshOptions, NavMesh, PathQuery, Plan};
/// # use clearway::{Pace, Slicer, SlicerOptions};
/// let plan = Plan::from_rings([vec![[0.0, 0.0], [9.0, 0.0], [9.0, 1.0], [1.0, 1.0], [1.0, 9.0], [0.0, 9.0]]]);
/// let mesh = MeshOptions::default().build(&plan)?;
/// let query = PathQuery::new(mesh.locate([0.5, 8.0])?, mesh.locate([8.0, 0.5])?);
/// let mut slicer = Slicer::new(SlicerOptions::default());
/// let search = slicer.add(query.clone(), 1, Pace::default());
/// while slicer.frame(&mesh, 2).finished.is_empty() {}
/// assert_eq!(slicer.take(search), Some(mesh.find_path(&query)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Slicer {
    /// The rules.
    options: SlicerOptions,
    /// The number of the present frame; 0 before the first.
    frame: u64,
    /// The id of the next search.
    next_id: u64,
    /// The number of turns so far. Of searches due at the same frame, the one runs whose last turn is longest ago.
    turns: u64,
    /// The searches that have not begun.
    queue: Queue,
    /// The searches that have begun.
    under_way: Vec<UnderWay>,
    /// The answers that nobody has taken.
    answers: BTreeMap<SearchId, Result<Path, NoPath>>,
    /// Scratch buffers that no search uses.
    spare: Vec<Room>,
    /// The expansions that short searches spent ahead of the budget.
    debt: u64,
    /// The serial number of the mesh of the present frame.
    serial: Option<u64>,
}

/// A search that has begun.
#[derive(Debug)]
struct UnderWay {
    /// Its id.
    id: SearchId,
    /// Its state.
    search: Search,
    /// Its scratch buffers.
    room: Room,
    /// Its priority.
    priority: u32,
    /// Its timing.
    pace: Pace,
    /// The next frame in which it wants to run.
    next_run: u64,
    /// The frame at which it is due, and the number of its last turn.
    rank: (i128, u64),
    /// True after its first turn.
    had_turn: bool,
}

impl Slicer {
    /// Makes a slicer without searches, before its first frame.
    pub fn new(options: SlicerOptions) -> Slicer {
        Slicer { options, ..Slicer::default() }
    }

    /// Adds a search; higher priorities run first. Until it begins it holds nothing but its query.
    pub fn add(&mut self, query: PathQuery, priority: u32, pace: Pace) -> SearchId {
        let id = SearchId(self.next_id);
        self.next_id += 1;
        let since = self.frame.saturating_add(1).saturating_add(pace.delay);
        self.queue.add(id, Waiting { query, priority, pace, since });
        id
    }

    /// Drops a search at any stage. Returns true if it was there.
    pub fn cancel(&mut self, id: SearchId) -> bool {
        if let Some(place) = self.under_way.iter().position(|slot| slot.id == id) {
            let slot = self.under_way.swap_remove(place);
            self.spare.push(slot.room);
            return true;
        }
        self.queue.remove(id).is_some() || self.answers.remove(&id).is_some()
    }

    /// Runs searches for at most `budget` steps in all: one for each expansion, and one for each search that begins.
    /// With a budget of 0, a frame passes in which nothing runs. Searches under way start anew on another mesh, and after
    /// edits that changed what they looked at. Starts and goals stay where they are.
    pub fn frame(&mut self, mesh: &NavMesh, budget: u64) -> FrameReport {
        self.frame += 1;
        self.serial = Some(mesh.graph().serial);
        self.queue.wake(self.frame);
        let paid = self.debt.min(budget);
        self.debt -= paid;
        let mut report = FrameReport { frame: self.frame, spent: paid, ..FrameReport::default() };
        while report.spent < budget {
            let Some(place) = self.next() else { break };
            self.turn(mesh, place, budget, &mut report);
        }
        report.waiting = self.queue.len();
        report.under_way = self.under_way.len();
        report
    }

    /// Returns the answer of a search that is over. It can be taken once. It belongs to the mesh of the frame in which the
    /// search ended: after an edit, ask [`Path::is_valid`].
    pub fn take(&mut self, id: SearchId) -> Option<Result<Path, NoPath>> {
        self.answers.remove(&id)
    }

    /// True if this is the mesh of the present frame.
    pub(super) fn ran_on(&self, mesh: &NavMesh) -> bool {
        self.serial == Some(mesh.graph().serial)
    }

    /// Returns the progress of a search; `None` if it was cancelled or its answer was taken.
    pub fn stage(&self, id: SearchId) -> Option<Stage> {
        if self.queue.holds(id) {
            Some(Stage::Waiting)
        } else if self.answers.contains_key(&id) {
            Some(Stage::Done)
        } else {
            self.under_way.iter().any(|slot| slot.id == id).then_some(Stage::UnderWay)
        }
    }

    /// Returns the corners of the most promising way of a search under way, from its start on, in plan coordinates.
    /// Empty as long as nothing is known.
    pub fn best_guess(&self, mesh: &NavMesh, id: SearchId) -> Vec<[f64; 2]> {
        let slot = self.under_way.iter().find(|slot| slot.id == id);
        slot.map_or(Vec::new(), |slot| slot.search.best_guess(mesh, &slot.room))
    }

    /// Runs a search of at most `most` expansions that does not wait for its turn. Returns its path, or `None` if none
    /// was found. The next frames pay for it; while they owe too much, the answer is `None`.
    pub(super) fn short_search(&mut self, mesh: &NavMesh, query: PathQuery, most: u64) -> Option<Path> {
        if self.debt > MOST_DEBT {
            return None;
        }
        let mut room = self.room(query.radius);
        let mut search = PathSearch::new(query);
        let status = search.step_in(mesh, most, &mut room.space);
        self.debt += 1 + search.expansions();
        self.spare.push(room);
        match status {
            SearchStatus::Done(Ok(path)) => Some(path),
            _ => None,
        }
    }

    /// Returns the index of the search that runs next. Begins a waiting search if that is due first.
    fn next(&mut self) -> Option<usize> {
        let ready = self.under_way.iter().enumerate().filter(|(_, slot)| slot.next_run <= self.frame);
        let running = ready.min_by_key(|(_, slot)| slot.rank).map(|(place, slot)| (slot.rank.0, place));
        match (running, self.next_to_begin()) {
            (Some((due, place)), Some((other, _))) if due <= other => Some(place),
            (_, Some((_, id))) => self.begin(id),
            (running, None) => running.map(|(_, place)| place),
        }
    }

    /// Returns the waiting search that is due first among those that may begin, and when it is due.
    fn next_to_begin(&self) -> Option<(i128, SearchId)> {
        let (count, patience) = (self.under_way.len(), self.options.patience);
        let most = self.options.under_way.max(1);
        if count < most {
            return self.queue.first(patience);
        }
        let highest = self.under_way.iter().map(|slot| slot.priority).max()?;
        // Extra searches may begin only for a higher priority than all under way.
        self.queue.most_urgent(highest, patience).filter(|_| count < 2 * most)
    }

    /// Begins a search. Returns its index among those under way.
    fn begin(&mut self, id: SearchId) -> Option<usize> {
        let Waiting { query, priority, pace, since } = self.queue.remove(id)?;
        let room = self.room(query.radius);
        let rank = (due(since, priority, self.options.patience), self.turns);
        let search = Search::new(query, self.options.corridors);
        self.under_way.push(UnderWay {
            id,
            search,
            room,
            priority,
            pace,
            next_run: since,
            rank,
            had_turn: false,
        });
        Some(self.under_way.len() - 1)
    }

    /// Takes scratch buffers, preferably ones that were used for the same radius.
    fn room(&mut self, radius: f64) -> Room {
        let same = self.spare.iter().position(|room| room.radius == radius);
        let room = same.map(|place| self.spare.swap_remove(place)).or_else(|| self.spare.pop());
        room.unwrap_or_default().for_radius(radius)
    }

    /// Runs one slice of a search.
    fn turn(&mut self, mesh: &NavMesh, place: usize, budget: u64, report: &mut FrameReport) {
        let Some(slot) = self.under_way.get_mut(place) else { return };
        report.spent += u64::from(!slot.had_turn);
        slot.had_turn = true;
        let steps = slot.pace.slice.max(1).min(budget - report.spent);
        let before = slot.search.expansions();
        let status = slot.search.step(mesh, steps, &mut slot.room);
        let after = slot.search.expansions();
        // On another mesh the search started anew, so its count restarted.
        report.spent += after.checked_sub(before).unwrap_or(after).min(steps);
        self.turns += 1;
        slot.next_run = self.frame.saturating_add(slot.pace.period);
        // A turn counts as a frame of waiting: long searches let others by, but never rank behind a newcomer.
        let as_new = due(slot.next_run, slot.priority, self.options.patience);
        slot.rank = (as_new.min(slot.rank.0 + 1), self.turns);
        if let SearchStatus::Done(answer) = status {
            let slot = self.under_way.swap_remove(place);
            self.spare.push(slot.room);
            self.answers.insert(slot.id, answer);
            report.finished.push(slot.id);
        }
    }
}
