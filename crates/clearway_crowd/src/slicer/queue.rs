//! The queue of searches that wait for their first turn. Each holds its query and nothing else, so that thousands may
//! wait.
//!
//! A search of priority `p` that has waited since frame `f` is due at `f - p * patience`; the search that is due first
//! runs first. All age at the same rate, so the order of two searches never changes while they wait. A search is
//! overtaken only by searches that come at most `patience` frames per step of priority after it: none starves. Cost:
//! logarithmic per operation.

use super::schedule::{Pace, SearchId};
use clearway_nav::path::PathQuery;
use std::collections::{BTreeMap, BTreeSet};

/// A search that has not begun.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The question.
    pub query: PathQuery,
    /// Its priority; higher runs first.
    pub priority: u32,
    /// Its delay, period and slice.
    pub pace: Pace,
    /// The first frame in which it may run.
    pub since: u64,
}

/// All searches that have not begun.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The searches by id.
    searches: BTreeMap<SearchId, Waiting>,
    /// Searches whose first frame has not come, by that frame.
    later: BTreeSet<(u64, SearchId)>,
    /// Searches that may run, by priority, and within a priority by the frame since which they wait.
    ready: BTreeMap<u32, BTreeSet<(u64, SearchId)>>,
}

/// Returns the frame at which a search is due; it may be negative.
pub(super) fn due(since: u64, priority: u32, patience: u32) -> i128 {
    i128::from(since) - i128::from(priority) * i128::from(patience)
}

impl Queue {
    /// Returns the number of searches.
    pub fn len(&self) -> usize {
        self.searches.len()
    }

    /// True if a search waits here.
    pub fn holds(&self, id: SearchId) -> bool {
        self.searches.contains_key(&id)
    }

    /// Adds a search.
    pub fn add(&mut self, id: SearchId, waiting: Waiting) {
        self.later.insert((waiting.since, id));
        self.searches.insert(id, waiting);
    }

    /// Makes the searches ready whose first frame has come.
    pub fn wake(&mut self, frame: u64) {
        while let Some((since, id)) = self.later.first().copied().filter(|(since, _)| *since <= frame) {
            self.later.pop_first();
            if let Some(waiting) = self.searches.get(&id) {
                self.ready.entry(waiting.priority).or_default().insert((since, id));
            }
        }
    }

    /// Returns the search that is due first, and when it is due.
    pub fn first(&self, patience: u32) -> Option<(i128, SearchId)> {
        // Within a priority the oldest is due first, so only the heads compete.
        let heads = self.ready.iter().filter_map(|(priority, level)| Some((*priority, *level.first()?)));
        heads.map(|(priority, (since, id))| (due(since, priority, patience), id)).min()
    }

    /// Returns the search of the highest priority that waits longest, if this priority is above `floor`.
    pub fn most_urgent(&self, floor: u32, patience: u32) -> Option<(i128, SearchId)> {
        let (priority, level) = self.ready.last_key_value()?;
        let (since, id) = level.first().filter(|_| *priority > floor)?;
        Some((due(*since, *priority, patience), *id))
    }

    /// Removes a search and returns it.
    pub fn remove(&mut self, id: SearchId) -> Option<Waiting> {
        let waiting = self.searches.remove(&id)?;
        let entry = (waiting.since, id);
        self.later.remove(&entry);
        if let Some(level) = self.ready.get_mut(&waiting.priority) {
            level.remove(&entry);
            if level.is_empty() {
                self.ready.remove(&waiting.priority);
            }
        }
        Some(waiting)
    }
}
