//! Sets of numbers that are joined step by step (union-find).
//!
//! The forest of Galler and Fischer with halved paths (Tarjan and van Leeuwen, 1984). Invariant: the root of a set is
//! its least number, whatever the order of the joins. Memory is four bytes each, and a join costs O(log n) amortized.

use crate::NONE;

/// Sets of the numbers below a count.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    /// For each number a lower or equal number of the same set; roots point to themselves.
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Every number in a set of its own.
    pub fn new(count: usize) -> DisjointSets {
        DisjointSets { parent: (0..count as u32).collect() }
    }

    /// The sets that these pairs join.
    pub fn joined(count: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> DisjointSets {
        let mut sets = DisjointSets::new(count);
        for (one, other) in pairs {
            sets.join(one, other);
        }
        sets
    }

    /// The least number of the set of `item`. Halves the path on the way.
    #[inline]
    pub fn root(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            self.parent[item as usize] = self.parent[self.parent[item as usize] as usize];
            item = self.parent[item as usize];
        }
        item
    }

    /// Joins the sets of two numbers.
    #[inline]
    pub fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }

    /// Returns the number of the set of each item, and the count of sets. Sets are numbered in the order of their
    /// roots.
    pub fn numbered(self) -> (Vec<u32>, u32) {
        self.numbered_where(|_| true)
    }

    /// As [`Self::numbered`], for the sets whose root `counts`. Items of other sets get [`NONE`].
    pub fn numbered_where(mut self, counts: impl Fn(u32) -> bool) -> (Vec<u32>, u32) {
        let mut number = vec![NONE; self.parent.len()];
        let mut count = 0;
        // The root is the least number, so it has its number before the rest of its set.
        for item in 0..self.parent.len() as u32 {
            let root = self.root(item);
            if root == item && counts(root) {
                number[item as usize] = count;
                count += 1;
            } else {
                number[item as usize] = number[root as usize];
            }
        }
        (number, count)
    }

    /// For each number the size of its set.
    pub fn sizes(mut self) -> Vec<u32> {
        let roots: Vec<u32> = (0..self.parent.len() as u32).map(|item| self.root(item)).collect();
        let mut sizes = vec![0; roots.len()];
        roots.iter().for_each(|root| sizes[*root as usize] += 1);
        roots.iter().map(|root| sizes[*root as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_by_their_least() {
        for pairs in [[(4, 1), (5, 3), (3, 4)], [(3, 5), (1, 3), (4, 5)]] {
            let mut sets = DisjointSets::joined(7, pairs);
            assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|item| sets.root(item)), [0, 1, 2, 1, 1, 1, 6]);
            assert_eq!(sets.clone().numbered(), (vec![0, 1, 2, 1, 1, 1, 3], 4));
            let odd = sets.clone().numbered_where(|root| root % 2 == 1);
            assert_eq!(odd, (vec![NONE, 0, NONE, 0, 0, 0, NONE], 1));
            assert_eq!(sets.sizes(), [1, 4, 1, 4, 4, 4, 1]);
        }
        assert_eq!(DisjointSets::new(0).numbered(), (Vec::new(), 0));
    }
}
