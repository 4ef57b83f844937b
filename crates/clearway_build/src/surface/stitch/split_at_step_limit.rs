//! Splits rims where the step between them exceeds the limit: the side of a ramp may be stepped onto where it is low
//! only.
//!
//! Both rims are cut where the step becomes too high, so that the low part between the cuts can be glued.
//!
//! Invariant: a glued edge is a legal step all along, up to rounding. Cost: each sloped rim is compared with the rims
//! that touch its box.

use crate::surface::stitch::glue::{ROUNDING, Stitcher};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{Point, construct};
use rayon::prelude::*;

/// The shortest stretch that is worth a cut, in grid units (2 mm). Shorter ones would only leave splinters.
const SHORTEST: f64 = 8.0;

/// The distance of a cut from the point where the step reaches the limit, in grid units, towards the lower side. The
/// point is rounded by up to half a unit along both axes, about 0.7 in all, and must not end up on the higher side.
const INSET: f64 = 0.75;

impl Stitcher<'_> {
    /// Cuts rims that run along each other where the step between them becomes too high, and glues the low parts.
    pub(crate) fn cut_where_steps_grow(&mut self) {
        let rims = self.rims();
        let ends = |e: u32| [self.fabric.from(e), self.fabric.to(e)];
        // Between two level rims the step is the same all along.
        let is_sloped = |e: &u32| {
            let [low, high] = ends(*e).map(|at| self.height(*e, at));
            (low - high).abs() > ROUNDING
        };
        let sloped: Vec<u32> = rims.par_iter().copied().filter(is_sloped).collect();
        if sloped.is_empty() {
            return;
        }
        let bins = BoxGrid::of(rims.iter().map(|e| Box2::of(&ends(*e))).collect());
        let cuts = |e: &u32| {
            let mut cuts = Vec::new();
            bins.each_touching(&Box2::of(&ends(*e)).grown(ROUNDING as i32), |place| {
                cuts.extend(self.cuts_between(*e, rims[place as usize]));
            });
            cuts
        };
        let cuts: Vec<(u32, i64, Point)> = sloped.par_iter().flat_map_iter(cuts).collect();
        if self.apply_splits(cuts) {
            self.glue();
        }
    }

    /// The cuts that two rims need: the rim, the distance along it (scaled by its length), and the point.
    pub(crate) fn cuts_between(&self, e: u32, other: u32) -> impl Iterator<Item = (u32, i64, Point)> + use<> {
        let cuts = self.ends_of_low_part(e, other).map(|at| {
            let cut = |at: Point| [e, other].map(|rim| (rim, self.ahead(rim, at), at));
            at.map(cut)
        });
        cuts.into_iter().flatten().flatten()
    }

    /// The distance of a point along a rim, scaled by the length of the rim: an integer to sort by.
    fn ahead(&self, rim: u32, at: Point) -> i64 {
        let from = self.fabric.from(rim);
        (self.fabric.to(rim) - from).dot(at - from)
    }

    /// The points where the step between two rims becomes too high or low enough again. The rims must run against
    /// each other on one line; otherwise both ends are `None`.
    fn ends_of_low_part(&self, e: u32, other: u32) -> [Option<Point>; 2] {
        let (from, to) = (self.fabric.from(e), self.fabric.to(e));
        let along = to - from;
        let length = along.length();
        let [c, d] = [self.fabric.to(other), self.fabric.from(other)];
        let is_beside = |at: Point| (along.cross(at - from) as f64).abs() <= ROUNDING * length;
        let share = |at: Point| along.dot(at - from) as f64 / (length * length);
        let (low, high) = (share(c).max(0.0), share(d).min(1.0));
        if e == other || !is_beside(c) || !is_beside(d) || (high - low) * length < SHORTEST {
            return [None; 2];
        }
        let rise = |share: f64| {
            let at = from.as_vec2() + (to.as_vec2() - from.as_vec2()) * share;
            self.height_beside(other, at) - self.height_beside(e, at)
        };
        let [start, end] =
            self.low_part([rise(low), rise(high)]).map(|part| part.map(|t| low + (high - low) * t));
        let (first, last) = (start.unwrap_or(low), end.unwrap_or(high));
        if (last - first) * length < SHORTEST {
            return [None; 2];
        }
        let place = |share: f64| Some(construct::along(from, to, share));
        [start.and_then(|t| place(t + INSET / length)), end.and_then(|t| place(t - INSET / length))]
    }

    /// The shares of a stretch between which an evenly growing step is low enough. `None` stands for an end of the
    /// stretch; both are `None` as well if no part needs a cut.
    fn low_part(&self, [first, last]: [f64; 2]) -> [Option<f64>; 2] {
        let crossing = |limit: f64| Some((limit - first) / (last - first)).filter(|t| *t > 0.0 && *t < 1.0);
        let mut at: Vec<f64> = [self.step, -self.step].into_iter().filter_map(crossing).collect();
        at.sort_by(f64::total_cmp);
        match at[..] {
            [only] if first.abs() <= self.step => [None, Some(only)],
            [only] => [Some(only), None],
            [start, end] => [Some(start), Some(end)],
            _ => [None; 2],
        }
    }
}
