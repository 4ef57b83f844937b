//! Removes folds that rounding alone made: the sheets around a vertex fill a little more than a full turn.
//!
//! Such a fold arises where sheets are glued up to the point at which the step becomes too high. Beyond it their rims
//! go on along one line, each to an end of its own, and rounding lets them pass each other. The longer rim is split
//! at the end of the shorter one, so that they lie on each other.

use crate::surface::stitch::glue::{ROUNDING, Stitcher};
use clearway_geometry::NONE;
use clearway_geometry::construct::along;
use clearway_geometry::half_edges::{next, prev};

/// The length by which an edge is opened at a fold, in grid units (2 mm). A longer slit parts more of an edge that
/// one could walk across; a shorter one may not clear the fold.
const SLIT: f64 = 8.0;

impl Stitcher<'_> {
    /// Parts an edge where it starts. The rest of a long edge stays glued: a fold of two units must not part an edge
    /// that one can walk across all along.
    pub(crate) fn part_at_start(&mut self, e: u32) {
        let twin = self.fabric.twin[e as usize];
        let (from, to) = (self.fabric.from(e), self.fabric.to(e));
        self.fabric.part(e);
        let length = from.distance(to);
        if twin == NONE || length < 4.0 * SLIT {
            return;
        }
        let at = along(from, to, SLIT / length);
        if let Some(rest) = self.fabric.split(e, at)
            && self.fabric.split(twin, at).is_some()
        {
            self.fabric.glue(rest, twin);
        }
    }

    /// Lays the first and the last rim of a fan on each other, if they pass each other by no more than rounding.
    /// Returns true if anything moved.
    pub(crate) fn flatten(&mut self, fan: &[u32]) -> bool {
        let &[first, .., last] = fan else { return false };
        let last = prev(last);
        let (at, ahead, behind) = (self.fabric.from(first), self.fabric.to(first), self.fabric.from(last));
        if self.fabric.twin[first as usize] != NONE || ahead == behind {
            return false;
        }
        if ahead.distance(behind) <= ROUNDING {
            return self.fabric.move_vertex(next(first), behind) || self.fabric.move_vertex(last, ahead);
        }
        let is_first_longer = at.distance_squared(ahead) > at.distance_squared(behind);
        let (longer, far, near) =
            if is_first_longer { (first, ahead, behind) } else { (last, behind, ahead) };
        let aside = near.as_vec2().distance_to_segment(at.as_vec2(), far.as_vec2());
        aside <= ROUNDING && self.fabric.split(longer, near).is_some()
    }
}
