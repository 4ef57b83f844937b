//! Searches that wait for their first turn. Each holds its query and nothing else, so that thousands may wait.
//!
//! A search of priority `p` that has waited since frame `f` is due at `f - p * patience`; whoever is due first runs
//! first. All age at the same rate, so the order of two searches never changes while they wait, and a search is
//! overtaken only by those that come at most `patience` frames per step of priority after it: none starves.

use super::schedule::{Pace, SearchId};
use clearway_nav::path::PathQuery;
use std::collections::{BTreeMap, BTreeSet};

/// A search that has not begun.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub query: PathQuery,
    pub priority: u32,
    pub pace: Pace,
    /// The frame from which on it may run.
    pub since: u64,
}

/// All that have not begun.
#[derive(Debug, Default)]
pub(super) struct Queue {
    searches: BTreeMap<SearchId, Waiting>,
    /// Those whose frame has not come, by that frame.
    later: BTreeSet<(u64, SearchId)>,
    /// Those that may run, by priority, and there by how long they wait.
    ready: BTreeMap<u32, BTreeSet<(u64, SearchId)>>,
}

/// When a search is due, in frames.
pub(super) fn due(since: u64, priority: u32, patience: u32) -> i128 {
    i128::from(since) - i128::from(priority) * i128::from(patience)
}

impl Queue {
    pub fn len(&self) -> usize {
        self.searches.len()
    }

    pub fn holds(&self, id: SearchId) -> bool {
        self.searches.contains_key(&id)
    }

    pub fn add(&mut self, id: SearchId, waiting: Waiting) {
        self.later.insert((waiting.since, id));
        self.searches.insert(id, waiting);
    }

    /// Lets those run whose frame has come.
    pub fn wake(&mut self, frame: u64) {
        while let Some((since, id)) = self.later.first().copied().filter(|(since, _)| *since <= frame) {
            self.later.pop_first();
            if let Some(waiting) = self.searches.get(&id) {
                self.ready.entry(waiting.priority).or_default().insert((since, id));
            }
        }
    }

    /// The one that is due first, and when.
    pub fn first(&self, patience: u32) -> Option<(i128, SearchId)> {
        let heads = self.ready.iter().filter_map(|(priority, level)| Some((*priority, *level.first()?)));
        heads.map(|(priority, (since, id))| (due(since, priority, patience), id)).min()
    }

    /// Of those of the highest priority the one that waits longest, if that priority is above `floor`.
    pub fn most_urgent(&self, floor: u32, patience: u32) -> Option<(i128, SearchId)> {
        let (priority, level) = self.ready.last_key_value()?;
        let (since, id) = level.first().filter(|_| *priority > floor)?;
        Some((due(*since, *priority, patience), *id))
    }

    /// Takes one out.
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
