//! What is known not to move.
//!
//! Whether the end of a portal may move depends on the two cells beside it and on nothing else. Where it may not, asking
//! again tells nothing new before one of the two changes: most portals are stuck most of the time.

use super::facets::Facets;

/// How the end of a portal may move: to the next corner on the left or on the right, or to where the portal is shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Right,
    Left,
    Shortest,
}

/// The moves that are known to be impossible, or not wanted, for each side.
pub struct Stuck(Vec<[bool; 3]>);

impl Stuck {
    /// Nothing is known yet.
    pub fn none(facets: &Facets) -> Stuck {
        Stuck(vec![[false; 3]; facets.len() as usize])
    }

    #[inline]
    pub fn has(&self, side: u32, way: Move) -> bool {
        self.0.get(side as usize).is_some_and(|known| known[way as usize])
    }

    #[inline]
    pub fn add(&mut self, side: u32, way: Move) {
        if let Some(known) = self.0.get_mut(side as usize) {
            known[way as usize] = true;
        }
    }

    /// A side whose end must stay, whichever way it would move.
    #[inline]
    pub fn pin(&mut self, side: u32) {
        if let Some(known) = self.0.get_mut(side as usize) {
            *known = [true; 3];
        }
    }

    /// The cells on both sides of a portal changed.
    pub fn forget_beside(&mut self, facets: &Facets, side: u32) {
        for side in [side, facets.twin(side)].into_iter().flat_map(|first| facets.around(first)) {
            for side in [side, facets.twin(side)] {
                if let Some(known) = self.0.get_mut(side as usize) {
                    *known = [false; 3];
                }
            }
        }
    }
}
