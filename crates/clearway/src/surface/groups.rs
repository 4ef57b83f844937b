//! Which things belong together: sets that are joined until nothing more joins them.

/// Sets of numbers; the root of each is its least.
pub struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    /// Every number on its own.
    pub fn new(count: usize) -> Groups {
        Groups { parent: (0..count as u32).collect() }
    }

    /// The least number of the set.
    pub fn root(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            self.parent[item as usize] = self.parent[self.parent[item as usize] as usize];
            item = self.parent[item as usize];
        }
        item
    }

    /// Makes two sets one.
    pub fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}
