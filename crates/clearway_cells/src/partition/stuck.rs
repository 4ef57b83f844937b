//! Remembers which ends of portals cannot move.
//!
//! Whether the end of a portal may move depends on the two cells beside it and on nothing else. Once a move was
//! refused, it need not be tried again before one of the two cells changes. Most portals are stuck most of the time,
//! so this saves most of the work of the search.

use super::facets::Facets;

/// The ways in which the end of a portal may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the next corner on the right.
    Right,
    /// To the next corner on the left.
    Left,
    /// To the point where the portal is shortest.
    Shortest,
}

/// For each side, the moves that are known to be impossible or not wanted. Sides made later have no entry and count
/// as free.
pub struct Stuck(Vec<[bool; 3]>);

impl Stuck {
    /// Nothing is known yet.
    pub fn none(facets: &Facets) -> Stuck {
        Stuck(vec![[false; 3]; facets.len() as usize])
    }

    /// True if a move of this side is known to be in vain.
    #[inline]
    pub fn has(&self, side: u32, way: Move) -> bool {
        self.0.get(side as usize).is_some_and(|known| known[way as usize])
    }

    /// Notes that a move of this side is in vain.
    #[inline]
    pub fn add(&mut self, side: u32, way: Move) {
        if let Some(known) = self.0.get_mut(side as usize) {
            known[way as usize] = true;
        }
    }

    /// Notes that the end of this side must stay, whichever way it would move.
    #[inline]
    pub fn pin(&mut self, side: u32) {
        if let Some(known) = self.0.get_mut(side as usize) {
            *known = [true; 3];
        }
    }

    /// Forgets everything about the sides of both cells beside a portal, because these cells changed.
    pub fn forget_beside(&mut self, facets: &Facets, side: u32) {
        for side in [side, facets.twin(side)].into_iter().flat_map(|first| facets.around(first)) {
            // The ends of both sides of a portal depend on either cell. A wall's twin is `NONE`, which has no
            // entry.
            for side in [side, facets.twin(side)] {
                if let Some(known) = self.0.get_mut(side as usize) {
                    *known = [false; 3];
                }
            }
        }
    }
}
