//! Removal of inessential portals, longest first (Hertel and Mehlhorn, 1983).

use super::convexity::Convexity;
use super::facets::Facets;

/// So many portals are ordered by length at a time. They lie near each other, which keeps a large plan in the
/// processor's cache; where one batch ends matters for few portals.
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
