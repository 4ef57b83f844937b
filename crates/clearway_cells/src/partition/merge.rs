//! Removes inessential portals, longest first (Hertel and Mehlhorn, 1983).
//!
//! In a polygon without holes the result has at most four times the least number of cells. Cost: a sort by length per
//! batch, then constant time per portal.

use super::convexity::Convexity;
use super::facets::Facets;

/// The number of portals that are ordered by length at a time. Portals of a batch lie near each other, so a large
/// plan stays in the processor's cache: this halved the stage on a plan of a million vertices. Only few portals near
/// the end of a batch are affected.
const BATCH: usize = 1 << 15;

/// Removes every loose portal whose two corners stay allowed without it, the longest first.
pub fn merge_cells(facets: &mut Facets, rule: &Convexity) {
    let mut order: Vec<(i64, u32)> = facets
        .portals()
        .filter(|side| facets.is_loose(*side))
        .map(|side| (-facets.length_squared(side), side))
        .collect();
    for batch in order.chunks_mut(BATCH) {
        batch.sort_unstable();
        for (_, side) in batch {
            facets.remove_if_needless(*side, rule);
        }
    }
}

/// As [`merge_cells`], and removes rows of portals between the same two cells, which bend where a T-junction was.
pub fn merge_cells_and_rows(facets: &mut Facets, rule: &Convexity) {
    merge_cells(facets, rule);
    let portals: Vec<u32> = facets.portals().flat_map(|side| [side, facets.twin(side)]).collect();
    let mut any = false;
    for side in portals {
        any |= facets.remove_row_if_needless(side, rule);
    }
    if any {
        merge_cells(facets, rule);
    }
}
