//! Removes folds: places where the sheets around a vertex fill more than a full turn.
//!
//! Some folds rounding alone made. They arise where sheets are glued up to the point at which the step becomes too high.
//! Beyond it their rims go on along one line, each to an end of its own, and rounding lets them pass each other. The
//! longer rim is split at the end of the shorter one, so that they lie on each other. All other folds are opened.

use crate::surface::stitch::glue::Stitcher;
use crate::surface::tolerances::ROUNDING;
use crate::surface::tolerances::glue::{MOST_SLITS, ROUNDS};
use crate::surface::tolerances::unfold::SLIT;
use clearway_geometry::NONE;
use clearway_geometry::construct::along;
use clearway_geometry::half_edges::{next, prev};

impl Stitcher<'_> {
    /// Removes folds: rounding may leave two sheets over each other by a unit or two, and glued so. A fold that
    /// cannot be flattened is opened at its shortest edge. Edges of splinters go first, because nothing is lost
    /// behind them; then edges across gaps; then edges that were glued before gaps were bridged. `exact` holds the
    /// twins from that time.
    pub(crate) fn unfold(&mut self, exact: &[u32]) {
        let mut work: Vec<u32> = (0..self.fabric.len()).collect();
        let mut fan = Vec::new();
        let mut round = 0;
        while !work.is_empty() {
            let mut again = Vec::new();
            let mut seen = vec![false; self.fabric.len() as usize];
            let known = self.fabric.log.len();
            for e in work {
                if seen[e as usize] || self.fabric.is_gone(e / 3) {
                    continue;
                }
                self.fabric.fan(e, &mut fan);
                fan.iter().for_each(|spoke| seen[*spoke as usize] = true);
                if !self.fabric.is_folded(&fan) {
                    continue;
                }
                if round < ROUNDS && self.flatten(&fan) {
                    seen.resize(self.fabric.len() as usize, false);
                    continue;
                }
                if let Some(shortest) = self.least_loss(&fan, exact) {
                    let twin = self.fabric.twin[shortest as usize];
                    self.open(shortest, round);
                    seen.resize(self.fabric.len() as usize, false);
                    again.extend([shortest, twin, next(shortest), next(twin), fan[0]]);
                }
            }
            // A vertex that moved may fold its neighbours.
            again.extend(self.fabric.log[known..].iter().flat_map(|e| [*e, next(*e), prev(*e)]));
            work = again;
            round += 1;
        }
    }

    /// Returns the glued spoke of a fan at which least is lost when it is opened: beside a splinter, else across a gap,
    /// else the shortest.
    fn least_loss(&self, fan: &[u32], exact: &[u32]) -> Option<u32> {
        let loss = |e: &u32| {
            let twin = self.fabric.twin[*e as usize];
            let is_sound = [*e, twin].iter().all(|e| !self.is_splinter(e / 3));
            let is_exact = exact.get(*e as usize) == Some(&twin);
            (is_sound, is_exact, self.fabric.from(*e).distance_squared(self.fabric.to(*e)), *e)
        };
        fan.iter().copied().filter(|spoke| self.fabric.twin[*spoke as usize] != NONE).min_by_key(loss)
    }

    /// Opens a glued edge at which the surface folds: at its start, or after many rounds as a whole.
    fn open(&mut self, e: u32, round: usize) {
        let (at, chart) = (self.fabric.from(e), self.fabric.chart[e as usize / 3]);
        match round < MOST_SLITS {
            true => self.part_at_start(e),
            // An edge that folds again and again is not worth opening a little at a time.
            false => self.fabric.part(e),
        }
        self.parted.add(at, chart);
    }

    /// Parts an edge where it starts. The rest of a long edge stays glued: a fold of two units must not part an edge
    /// that one can walk across all along.
    fn part_at_start(&mut self, e: u32) {
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
    fn flatten(&mut self, fan: &[u32]) -> bool {
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
