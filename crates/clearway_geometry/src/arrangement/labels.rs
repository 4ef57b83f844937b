//! The chains that run along each edge, as linked lists in one array.
//!
//! The usual single chain costs no allocation of its own. Invariant: lists never change, so edges and pieces of work
//! share them.

/// A mark that is no list yet: it only keeps an edge from being flipped.
pub const PLACEHOLDER: u32 = u32::MAX;

/// The lists. A mark is the index of a list's first item, counted from one; zero is the empty list.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The items of all lists.
    items: Vec<Item>,
}

/// One chain of a list.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// The index of the chain.
    chain: u32,
    /// True if the chain runs forwards: on an edge, from the lower to the higher vertex number.
    forwards: bool,
    /// The mark of the rest of the list, or zero.
    rest: u32,
}

impl Labels {
    /// The list `mark` with one more chain in front.
    pub fn extended(&mut self, mark: u32, chain: u32, forwards: bool) -> u32 {
        let rest = if mark == PLACEHOLDER { 0 } else { mark };
        self.items.push(Item { chain, forwards, rest });
        self.items.len() as u32
    }

    /// Returns the same list if `same` is true, else a list with every chain running the other way.
    pub fn directed(&mut self, mark: u32, same: bool) -> u32 {
        if same {
            return mark;
        }
        self.copied(mark, 0, true)
    }

    /// The chains of both lists.
    pub fn joined(&mut self, mark: u32, other: u32) -> u32 {
        if other == 0 || other == PLACEHOLDER {
            return mark;
        }
        self.copied(mark, other, false)
    }

    /// A list in front of another one. If `turned` is true, its chains run the other way.
    fn copied(&mut self, mark: u32, rest: u32, turned: bool) -> u32 {
        // Most lists have one chain, which needs no temporary list.
        if let Some(Item { chain, forwards, rest: 0 }) =
            self.items.get((mark as usize).wrapping_sub(1)).copied()
        {
            return self.extended(rest, chain, forwards != turned);
        }
        let items: Vec<(u32, bool)> = self.iter(mark).collect();
        items
            .into_iter()
            .rev()
            .fold(rest, |list, (chain, forwards)| self.extended(list, chain, forwards != turned))
    }

    /// The chains of a list; each comes with true if it runs forwards.
    pub fn iter(&self, mark: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let mut at = mark;
        std::iter::from_fn(move || {
            let item = self.items.get((at as usize).checked_sub(1)?)?;
            at = item.rest;
            Some((item.chain, item.forwards))
        })
    }

    /// True if the list holds more than one chain.
    pub fn is_shared(&self, mark: u32) -> bool {
        self.iter(mark).nth(1).is_some()
    }
}
