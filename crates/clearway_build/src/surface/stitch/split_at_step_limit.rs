//! Steps that grow along an edge: the side of a ramp may be stepped onto where it is low, and nowhere else.
//!
//! Both edges are cut where the step becomes too high, so that the part between can be glued.

use crate::surface::stitch::glue::{ROUNDING, Stitcher};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{Point, construct};
use rayon::prelude::*;

/// Shorter stretches than this are not worth a cut, in grid units.
const SHORTEST: f64 = 8.0;

/// A cut stays this far on the lower side of where the step is highest, in grid units: its place is rounded.
const INSET: f64 = 0.75;

impl Stitcher<'_> {
    /// Cuts rims that run along each other where the step between them becomes too high.
    pub(crate) fn cut_where_steps_grow(&mut self) {
        let rims = self.rims();
        let ends = |e: u32| [self.fabric.from(e), self.fabric.to(e)];
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

    /// Where two rims are to be cut: which, how far along it, and where.
    pub(crate) fn cuts_between(&self, e: u32, other: u32) -> impl Iterator<Item = (u32, i64, Point)> + use<> {
        let cuts = self.ends_of_low_part(e, other).map(|at| {
            let cut = |at: Point| [e, other].map(|rim| (rim, self.ahead(rim, at), at));
            at.map(cut)
        });
        cuts.into_iter().flatten().flatten()
    }

    /// How far along a rim a place lies.
    fn ahead(&self, rim: u32, at: Point) -> i64 {
        let from = self.fabric.from(rim);
        (self.fabric.to(rim) - from).dot(at - from)
    }

    /// Where the step between two rims that run against each other on one line begins or ceases to be too high.
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

    /// Between which shares of a stretch a step that grows evenly is low enough; no share where that is an end of it, or
    /// where it is nowhere.
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
