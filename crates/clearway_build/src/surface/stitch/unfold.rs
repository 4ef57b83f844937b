//! Folds that rounding alone made: the sheets around a vertex make a full turn and a hair more.
//!
//! So they do where they are glued up to a place at which the step becomes too high: beyond it their rims go on along one
//! line, each to an end of its own, and rounding lets them pass each other. The longer rim is led over the end of the
//! shorter one, so that they lie on each other.

use crate::surface::stitch::glue::{ROUNDING, Stitcher};
use clearway_geometry::NONE;
use clearway_geometry::construct::along;
use clearway_geometry::half_edges::{next, prev};

/// How far from a fold an edge comes apart, in grid units: two millimetres.
const SLIT: f64 = 8.0;

impl Stitcher<'_> {
    /// Takes an edge apart where it starts; the rest of a long one stays glued, so that a fold of two units does not part
    /// what one can walk across all along.
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

    /// Lays the first and the last rim of a fan on each other if they pass each other by no more than rounding moves;
    /// whether anything moved.
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
