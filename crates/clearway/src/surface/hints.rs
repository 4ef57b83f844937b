//! What a walker just misses: gaps and steps a little beyond the rules, and floors inside solids.
//!
//! Only what lies between pieces that stay apart, and are large enough to be kept, is worth a hint.
//!
//! Cost: one look at the rims that stitching left over; what lies inside is tried on a few pieces only.

use super::bins::{Bins, Extent};
use super::pieces::{Piece, Sorter};
use super::report::Spots;
use super::rules::WalkRules;
use super::stitch::{ROUNDING, Stitcher};
use clearway_geometry::Point;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Gaps up to this many times as wide as those that are bridged are told.
const WIDER: f64 = 2.0;
/// Steps up to this many times as high as the greatest one are told.
const HIGHER: f64 = 1.5;
/// Insides are looked for in so many pieces,
const MOST_PIECES: usize = 2;
/// and with so many triangles in all.
const MOST_TRIANGLES: usize = 250_000;

/// What two rims miss to be glued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lack {
    Gap,
    Step,
}

/// Two rims that are nearly glued, and where.
struct NearMiss {
    lack: Lack,
    rims: [u32; 2],
    at: Point,
}

/// What stitching just missed, told on the charts of a fabric.
#[derive(Default)]
pub(super) struct NearMisses {
    pub gaps: Spots,
    pub steps: Spots,
}

impl NearMisses {
    /// Looks at what a stitcher left over.
    pub fn of(stitcher: &Stitcher<'_>, rules: &WalkRules) -> NearMisses {
        let found = all(stitcher);
        let mut misses = NearMisses::default();
        if found.is_empty() {
            return misses;
        }
        let fabric = &stitcher.fabric;
        let (piece_of, count) = fabric.pieces();
        let unit = stitcher.soup.grid.unit();
        let areas = fabric.areas(count as usize, |triangle| piece_of[triangle as usize] as usize, unit);
        for miss in found {
            let [one, other] = miss.rims.map(|e| piece_of[e as usize / 3]);
            if one != other && [one, other].iter().all(|piece| areas[*piece as usize] >= rules.min_area) {
                let spots = if miss.lack == Lack::Gap { &mut misses.gaps } else { &mut misses.steps };
                spots.add(miss.at, fabric.chart[miss.rims[0] as usize / 3]);
            }
        }
        misses
    }
}

/// All near misses, each once, in the order of rims.
fn all(stitcher: &Stitcher<'_>) -> Vec<NearMiss> {
    let fabric = &stitcher.fabric;
    let rims = stitcher.rims();
    let boxes = rims.iter().map(|e| Extent::of(&[fabric.from(*e), fabric.to(*e)])).collect();
    let bins = Bins::of(boxes);
    let reach = (WIDER * stitcher.gap).max(ROUNDING).ceil() as i32;
    let near = |e: &u32| {
        let at = clearway_geometry::construct::along(fabric.from(*e), fabric.to(*e), 0.5);
        let mut found = Vec::new();
        bins.each_touching(&Extent { min: at, max: at }.grown(reach), |place| {
            let other = rims[place as usize];
            let lack = lack(stitcher, *e, other, at);
            found.extend(lack.map(|lack| NearMiss { lack, rims: [*e, other], at }));
        });
        found
    };
    let mut found: Vec<NearMiss> = rims.par_iter().flat_map_iter(near).collect();
    let mut known = BTreeSet::new();
    found.retain(|miss| {
        known.insert((miss.lack, miss.rims.iter().min().copied(), miss.rims.iter().max().copied()))
    });
    found
}

/// What a rim lacks to be glued to another beside its middle, if it is little.
fn lack(stitcher: &Stitcher<'_>, e: u32, other: u32, middle: Point) -> Option<Lack> {
    let fabric = &stitcher.fabric;
    let (from, to) = (fabric.from(other), fabric.to(other));
    let along = to - from;
    let ahead = along.dot(middle - from);
    let runs_against = along.dot(fabric.to(e) - fabric.from(e)) < 0;
    if e == other || !runs_against || ahead < 0 || ahead > along.dot(along) {
        return None;
    }
    let aside = along.cross(middle - from) as f64 / along.length();
    let is_beside = aside.abs() <= ROUNDING;
    let is_wide = -aside > stitcher.gap && -aside <= WIDER * stitcher.gap;
    if !(is_beside || is_wide) || !stitcher.faces(e, other) {
        return None;
    }
    let rises = stitcher.rises(e, other).map(f64::abs);
    let step = stitcher.step;
    if is_beside {
        // A unit more is what rounding may add.
        let is_step = rises.iter().all(|rise| *rise > step + 1.0 && *rise <= HIGHER * step);
        return is_step.then_some(Lack::Step);
    }
    let is_cut = [e, other].iter().any(|e| fabric.is_cut[*e as usize]);
    let is_level = rises.iter().all(|rise| *rise <= step);
    let foot = || clearway_geometry::construct::along(from, to, ahead as f64 / along.dot(along) as f64);
    (is_level && !is_cut && stitcher.is_open_across(e, middle, foot())).then_some(Lack::Gap)
}

/// Large pieces that lie inside closed solids, not all of them: how many were found, and a place on the first.
pub(super) fn inside(sorter: &Sorter<'_>, pieces: &[Piece]) -> (u64, Option<[f64; 3]>) {
    let mut kept: Vec<&Piece> = pieces.iter().filter(|piece| piece.dropped.is_none()).collect();
    kept.retain(|piece| sorter.is_under_a_top(piece));
    kept.sort_by(|p, q| q.area.total_cmp(&p.area));
    kept.truncate(MOST_PIECES.min(MOST_TRIANGLES / sorter.soup.faces.len().max(1)));
    kept.retain(|piece| sorter.is_inside(piece));
    (kept.len() as u64, kept.first().map(|piece| piece.place))
}
