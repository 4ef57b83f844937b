//! Patches of ground under cells that were cut or put together.

use super::Patch;
use clearway_geometry::Point;
use clearway_geometry::predicates::{orient, overlap};

/// Returns the patches of a convex cell so that they fill it: a single patch stands for its whole cell.
pub fn filling(own: &[Patch], cell: &[Point]) -> Vec<Patch> {
    let [only] = own else { return own.to_vec() };
    let fan = cell.windows(2).skip(1).map(|pair| [cell[0], pair[0], pair[1]]);
    let fan = fan.filter(|[a, b, c]| orient(*a, *b, *c) > 0);
    fan.map(|corners| Patch { chart: only.chart, corners }).collect()
}

/// Returns the patches that lie under a convex cell, in order. If all are of one chart, the first stands for all. A cell
/// so thin that it holds no part of a patch takes the first of all.
pub fn patches_under(patches: &[Patch], cell: &[Point]) -> Vec<Patch> {
    let is_under = |patch: &&Patch| overlap(&patch.corners, cell);
    let mut under: Vec<Patch> = patches.iter().filter(is_under).copied().collect();
    if under.is_empty() {
        under.extend(patches.first());
    }
    under.sort_unstable_by_key(|patch| (patch.chart, patch.corners.map(|p| (p.x, p.y))));
    under.dedup();
    if under.iter().all(|patch| patch.chart == under[0].chart) {
        under.truncate(1);
    }
    under
}
