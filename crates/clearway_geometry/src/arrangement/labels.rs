//! Which chains run along an edge: linked lists in one array, so that the usual single chain costs no
//! allocation of its own.

/// A mark that is no list yet.
pub const PLACEHOLDER: u32 = u32::MAX;

/// The lists; a mark is the place of a list's first item, counted from one.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    chain: u32,
    /// Whether the chain runs from the lower to the higher vertex number.
    ascending: bool,
    rest: u32,
}

impl Labels {
    /// The mark of the list `mark` with one more chain in front.
    pub fn extended(&mut self, mark: u32, chain: u32, ascending: bool) -> u32 {
        let rest = if mark == PLACEHOLDER { 0 } else { mark };
        self.items.push(Item { chain, ascending, rest });
        self.items.len() as u32
    }

    /// The chains of a list, each with whether it runs from the lower to the higher vertex number.
    pub fn iter(&self, mark: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let mut at = mark;
        std::iter::from_fn(move || {
            let item = self.items.get((at as usize).checked_sub(1)?)?;
            at = item.rest;
            Some((item.chain, item.ascending))
        })
    }

    /// Whether the list holds more than one chain.
    pub fn is_shared(&self, mark: u32) -> bool {
        self.iter(mark).nth(1).is_some()
    }
}
