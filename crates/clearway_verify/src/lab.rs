//! The conditions of a test: model, radius, contact projection, seeds.

use clearway_base::{Result, parallel};

/// The amount of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// One seed, few densities: for a check at every change.
    Quick,
    /// What the tables of the documentation show.
    Usual,
}

/// The conditions under which a test runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lab {
    /// The name of the local model.
    pub model: &'static str,
    /// The radius of bodies in metres.
    pub radius: f64,
    /// True if the contact projection keeps bodies apart.
    pub contact: bool,
    /// The number of seeds for flows and streams.
    pub seeds: u64,
    /// The amount of work.
    pub effort: Effort,
}

impl Lab {
    /// Returns the seeds.
    pub fn seeds(&self) -> Vec<u64> {
        (1..=self.seeds.max(1)).collect()
    }

    /// True if work is to be saved.
    pub fn is_quick(&self) -> bool {
        self.effort == Effort::Quick
    }

    /// Runs something for each item, on several threads, and returns the results in order.
    pub fn sweep<I: Sync, T: Send>(
        &self,
        items: &[I],
        run: impl Fn(&I) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        parallel::map(items.len(), |index| run(&items[index])).into_iter().collect()
    }

    /// Runs something for each item and each seed. Returns for each item the results of its seeds.
    pub fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        run: impl Fn(&I, u64) -> Result<T> + Sync,
    ) -> Result<Vec<Vec<T>>> {
        let seeds = self.seeds();
        let work: Vec<(usize, u64)> =
            (0..items.len()).flat_map(|item| seeds.iter().map(move |seed| (item, *seed))).collect();
        let mut done = self.sweep(&work, |(item, seed)| run(&items[*item], *seed))?.into_iter();
        Ok((0..items.len()).map(|_| done.by_ref().take(seeds.len()).collect()).collect())
    }
}
