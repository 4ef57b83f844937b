//! Stretches of a list that nothing uses, so that what comes takes the place of what went.
//!
//! Stretches beside each other are joined, and the shortest one that suffices is taken; so lists stay about as long as
//! the most that was ever in them. Cost: logarithmic.

use std::collections::{BTreeMap, BTreeSet};

/// Free stretches of a list.
#[derive(Debug, Default)]
pub(crate) struct FreeRanges {
    /// The end of each stretch by its start.
    ends: BTreeMap<u32, u32>,
    /// The stretches by length, each with its start.
    by_length: BTreeSet<(u32, u32)>,
}

impl FreeRanges {
    /// Returns the number of stretches.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Gives a range back.
    pub fn give(&mut self, first: u32, length: usize) {
        if length == 0 {
            return;
        }
        let (mut start, mut end) = (first, first + length as u32);
        if let Some((before, _)) = self.stretch_before(first).filter(|(_, end)| *end == first) {
            self.forget(before);
            start = before;
        }
        if let Some(after) = self.forget(end) {
            end = after;
        }
        self.note(start, end);
    }

    /// Takes a range. Nothing happens if it is not free, as at the end of the list.
    pub fn take(&mut self, first: u32, length: usize) {
        let last = first + length as u32;
        let Some((start, end)) = self.stretch_before(first + 1).filter(|(_, end)| *end >= last) else {
            return;
        };
        if length > 0 {
            self.forget(start);
            self.note(start, first);
            self.note(last, end);
        }
    }

    /// Returns the end of the free stretch that holds a place.
    pub fn end_at(&self, place: u32) -> Option<u32> {
        self.stretch_before(place + 1).map(|(_, end)| end).filter(|end| *end > place)
    }

    /// Returns the last stretch that starts before a place.
    fn stretch_before(&self, place: u32) -> Option<(u32, u32)> {
        self.ends.range(..place).next_back().map(|(start, end)| (*start, *end))
    }

    /// Adds a stretch, unless it is empty.
    fn note(&mut self, start: u32, end: u32) {
        if start < end {
            self.ends.insert(start, end);
            self.by_length.insert((end - start, start));
        }
    }

    /// Takes a whole stretch out. Returns its end.
    fn forget(&mut self, start: u32) -> Option<u32> {
        let end = self.ends.remove(&start)?;
        self.by_length.remove(&(end - start, start));
        Some(end)
    }
}

/// Ranges for what an edit brings: first in the place of what it takes away, then in free stretches, then at the end.
pub(crate) struct Planner<'a> {
    /// The stretches that were free before.
    known: &'a FreeRanges,
    /// The stretches that became free by this edit, and those of `known` of which it took a part.
    own: FreeRanges,
    /// The starts of the known stretches of which a part was taken.
    opened: Vec<u32>,
    /// The end of the list.
    end: u32,
}

impl<'a> Planner<'a> {
    /// Plans for a list of this length.
    pub fn of(known: &'a FreeRanges, end: usize) -> Planner<'a> {
        Planner { known, own: FreeRanges::default(), opened: Vec::new(), end: end as u32 }
    }

    /// Gives a range back.
    pub fn give(&mut self, first: u32, length: usize) {
        self.own.give(first, length);
    }

    /// Takes a range of this length.
    pub fn take(&mut self, length: usize) -> u32 {
        if length == 0 {
            return 0;
        }
        let least = (length as u32, 0);
        if self.own.by_length.range(least..).next().is_none() {
            let opened = &self.opened;
            let known = self.known.by_length.range(least..).find(|(_, start)| !opened.contains(start));
            match known {
                Some((whole, start)) => {
                    self.opened.push(*start);
                    self.own.give(*start, *whole as usize);
                }
                None => {
                    self.end += length as u32;
                    return self.end - length as u32;
                }
            }
        }
        let first = self.own.by_length.range(least..).next().map_or(0, |(_, start)| *start);
        self.own.take(first, length);
        first
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Random ranges are taken and given back: no two overlap, and in the end all is free in one stretch.
    #[test]
    fn ranges_never_overlap_and_join_again() {
        let mut free = FreeRanges::default();
        let (mut taken, mut list, mut seed): (Vec<(u32, usize)>, Vec<bool>, u64) =
            (Vec::new(), Vec::new(), 1);
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..20_000 {
            if taken.len() > 30 || (!taken.is_empty() && next(2) == 0) {
                let (first, length) = taken.swap_remove(next(taken.len() as u64) as usize);
                list[first as usize..first as usize + length].fill(false);
                free.give(first, length);
            } else {
                let length = 1 + next(12) as usize;
                let first = Planner::of(&free, list.len()).take(length);
                free.take(first, length);
                list.resize(list.len().max(first as usize + length), false);
                assert!(list[first as usize..first as usize + length].iter().all(|is_taken| !is_taken));
                list[first as usize..first as usize + length].fill(true);
                taken.push((first, length));
            }
            let holds = |place: usize| free.end_at(place as u32).is_some();
            assert!(list.iter().enumerate().all(|(place, is_taken)| holds(place) != *is_taken));
        }
        taken.into_iter().for_each(|(first, length)| free.give(first, length));
        assert_eq!((free.len(), free.end_at(0)), (1, Some(list.len() as u32)));
        assert!(list.len() < 600, "{}", list.len());
    }
}
