//! Finds what a walker just misses: gaps and steps a little beyond the rules, and floors inside solids.
//!
//! Only misses between pieces that stay apart and are large enough to be kept are worth a hint.
//!
//! Cost: one pass over the rims that stitching left over. For at most three pieces also a pass over all triangles, to
//! be sure that a floor lies inside a solid.

use crate::surface::outline::pieces::{Piece, Sorter};
use crate::surface::report::summary::Spots;
use crate::surface::stitch::glue::Stitcher;
use crate::surface::tolerances::ROUNDING;
use crate::surface::tolerances::near_misses::{HIGHER_STEPS, MOST_ASKED, WIDER_GAPS};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{DisjointSets, NONE, Point};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The rule that keeps two rims from being glued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lack {
    /// The gap between them is too wide.
    Gap,
    /// The step between them is too high.
    Step,
}

/// Two rims that were nearly glued.
struct NearMiss {
    /// The rule that kept them apart.
    lack: Lack,
    /// The rim that was examined.
    rim: u32,
    /// The half-edge that it nearly meets.
    other: u32,
    /// The middle of `rim`.
    at: Point,
    /// The width of the gap or the height of the step, in grid units.
    size: f64,
}

/// All near misses of a stitched fabric.
#[derive(Default)]
pub(crate) struct NearMisses {
    /// Gaps just wider than the rules bridge.
    pub gaps: Misses,
    /// Steps just higher than the rules allow.
    pub steps: Misses,
}

/// Near misses of one kind.
#[derive(Default)]
pub(crate) struct Misses {
    /// Their number, and the first of them.
    pub spots: Spots,
    /// The value of the rule that would join all of them, in grid units.
    pub needed: f64,
    /// The area that would be joined to larger pieces, in square metres.
    pub gain: f64,
}

impl NearMisses {
    /// Examines the rims that a stitcher left over.
    pub fn of(stitcher: &Stitcher<'_>, sorter: &Sorter<'_>) -> NearMisses {
        let mut misses = NearMisses::default();
        let pieces = Pieces::of(stitcher);
        let found = all(stitcher, sorter, &pieces);
        misses.gaps.gain = pieces.gain(&found, Lack::Gap);
        misses.steps.gain = pieces.gain(&found, Lack::Step);
        for NearMiss { lack, rim, at, size, .. } in found {
            // Rounding may have added to the size, so the needed rule is less by that.
            let (misses, needed) = match lack {
                Lack::Gap => (&mut misses.gaps, size - ROUNDING),
                Lack::Step => (&mut misses.steps, size - 1.0),
            };
            misses.spots.add(at, stitcher.fabric.chart[rim as usize / 3]);
            misses.needed = misses.needed.max(needed);
        }
        misses
    }
}

/// The connected pieces of a fabric.
struct Pieces {
    /// For each triangle the number of its piece.
    piece_of: Vec<u32>,
    /// For each piece its area in square metres.
    areas: Vec<f64>,
}

impl Pieces {
    /// Finds and measures the pieces.
    fn of(stitcher: &Stitcher<'_>) -> Pieces {
        let (piece_of, count) = stitcher.fabric.pieces();
        let unit = stitcher.soup.grid.unit();
        let place = |triangle: u32| piece_of[triangle as usize] as usize;
        let areas = stitcher.fabric.areas(count as usize, place, unit);
        Pieces { piece_of, areas }
    }

    /// The area that would be joined to larger pieces without the near misses of one kind: all area but the largest
    /// piece of each group.
    fn gain(&self, misses: &[NearMiss], lack: Lack) -> f64 {
        let wanted = misses.iter().filter(|miss| miss.lack == lack);
        let pairs =
            wanted.map(|miss| (self.piece_of[miss.rim as usize / 3], self.piece_of[miss.other as usize / 3]));
        let mut groups = DisjointSets::joined(self.areas.len(), pairs);
        let mut largest = self.areas.clone();
        let mut all = 0.0;
        for (piece, area) in (0u32..).zip(&self.areas) {
            let root = groups.root(piece) as usize;
            largest[root] = largest[root].max(*area);
            all += area;
        }
        let roots = (0..self.areas.len() as u32).filter(|piece| groups.root(*piece) == *piece);
        (all - roots.map(|root| largest[root as usize]).sum::<f64>()).max(0.0)
    }
}

/// All near misses between pieces that are large enough, in the order of rims. Rims of the largest piece are not
/// examined: the rims that nearly meet it are.
fn all(stitcher: &Stitcher<'_>, sorter: &Sorter<'_>, Pieces { piece_of, areas }: &Pieces) -> Vec<NearMiss> {
    let fabric = &stitcher.fabric;
    let piece = |e: u32| piece_of[e as usize / 3] as usize;
    let largest = (0..areas.len()).max_by(|p, q| areas[*p].total_cmp(&areas[*q]).then(q.cmp(p)));
    let mut rims = stitcher.rims();
    let is_large = |e: &u32| areas[piece(*e)] >= sorter.rules.min_area;
    rims.retain(is_large);
    let asking: Vec<u32> = rims.iter().copied().filter(|e| Some(piece(*e)) != largest).collect();
    if asking.is_empty() {
        return Vec::new();
    }
    let (bins, mut risers) = rayon::join(
        || BoxGrid::of(rims.iter().map(|e| Box2::of(&[fabric.from(*e), fabric.to(*e)])).collect()),
        || risers(stitcher, sorter, &rims),
    );
    let reach = (WIDER_GAPS * stitcher.gap).max(ROUNDING).ceil() as i32;
    let near = |rim: &u32| {
        let at = clearway_geometry::construct::along(fabric.from(*rim), fabric.to(*rim), 0.5);
        let mut found = Vec::new();
        bins.each_touching(&Box2 { min: at, max: at }.grown(reach), |place| {
            let other = rims[place as usize];
            let lack = if piece(*rim) == piece(other) { None } else { lack(stitcher, *rim, other, at) };
            found.extend(lack.map(|(lack, size)| NearMiss { lack, rim: *rim, other, at, size }));
        });
        found
    };
    let mut found: Vec<NearMiss> = asking.par_iter().flat_map_iter(near).collect();
    risers.retain(|miss| is_large(&miss.other) && piece(miss.rim) != piece(miss.other));
    found.append(&mut risers);
    // Two rims may find each other; the pair counts once.
    let mut known = BTreeSet::new();
    found.retain(|miss| known.insert((miss.lack, miss.rim.min(miss.other), miss.rim.max(miss.other))));
    found
}

/// Finds rims on top of risers that are just too high. Each comes with the edge at the foot, where the riser ends the
/// floor.
fn risers(stitcher: &Stitcher<'_>, sorter: &Sorter<'_>, rims: &[u32]) -> Vec<NearMiss> {
    let fabric = &stitcher.fabric;
    let ends = |e: u32| [fabric.from(e), fabric.to(e)];
    let is_foot = |e: &u32| fabric.twin[*e as usize] == NONE && fabric.rim[*e as usize] == NONE;
    let feet: Vec<u32> = (0..fabric.len()).filter(is_foot).collect();
    let bins = BoxGrid::of(feet.iter().map(|e| Box2::of(&ends(*e))).collect());
    let over_foot = |rim: &u32| {
        let [from, to] = ends(*rim);
        let at = clearway_geometry::construct::along(from, to, 0.5);
        let mut found = None;
        bins.each_touching(&Box2 { min: at, max: at }.grown(ROUNDING as i32), |place| {
            let other = feet[place as usize];
            let [start, end] = ends(other);
            let along = end - start;
            let is_beside = (along.cross(at - start) as f64).abs() <= ROUNDING * along.length();
            if found.is_some() || !is_beside || along.dot(to - from) >= 0 {
                return;
            }
            let low = sorter.height_near(fabric.chart[other as usize / 3], at.as_vec2(), 4);
            let rise = stitcher.height(*rim, at) - low;
            if rise > stitcher.step + 1.0 && rise <= HIGHER_STEPS * stitcher.step {
                found = Some(NearMiss { lack: Lack::Step, rim: *rim, other, at, size: rise });
            }
        });
        found
    };
    rims.par_iter().filter_map(over_foot).collect()
}

/// The rule that keeps a rim from being glued to another beside its middle, and the width or height. `None` if
/// nothing or too much is missing.
fn lack(stitcher: &Stitcher<'_>, e: u32, other: u32, middle: Point) -> Option<(Lack, f64)> {
    let fabric = &stitcher.fabric;
    let (from, to) = (fabric.from(other), fabric.to(other));
    let along = to - from;
    let ahead = along.dot(middle - from);
    let runs_against = along.dot(fabric.to(e) - fabric.from(e)) < 0;
    if !runs_against || ahead < 0 || ahead > along.dot(along) {
        return None;
    }
    let aside = along.cross(middle - from) as f64 / along.length();
    let is_beside = aside.abs() <= ROUNDING;
    let is_wide = -aside > stitcher.gap && -aside <= WIDER_GAPS * stitcher.gap;
    if !(is_beside || is_wide) || !stitcher.faces(e, other) {
        return None;
    }
    let rises = stitcher.rises(e, other).map(f64::abs);
    let step = stitcher.step;
    if is_beside {
        // Rounding may add one unit.
        let is_step = rises.iter().all(|rise| *rise > step + 1.0 && *rise <= HIGHER_STEPS * step);
        return is_step.then_some((Lack::Step, rises[0].max(rises[1])));
    }
    // Beyond a cut there is no head-room: a wider gap would not help.
    let is_cut = [e, other].iter().any(|e| fabric.is_cut[*e as usize]);
    let is_level = rises.iter().all(|rise| *rise <= step);
    let foot = || clearway_geometry::construct::along(from, to, ahead as f64 / along.dot(along) as f64);
    (is_level && !is_cut && stitcher.is_open_across(e, middle, foot())).then_some((Lack::Gap, -aside))
}

/// The pieces that lie inside closed solids, largest first. Of the pieces that seem to, only the `MOST_ASKED` largest
/// are tested.
pub(crate) fn inside(sorter: &Sorter<'_>, pieces: &[Piece]) -> Vec<Piece> {
    let kept = pieces.par_iter().filter(|piece| piece.dropped.is_none());
    let mut asked: Vec<Piece> = kept.filter(|piece| sorter.seems_inside(piece)).copied().collect();
    asked.sort_by(|p, q| q.area.total_cmp(&p.area));
    asked.truncate(MOST_ASKED);
    asked.into_par_iter().filter(|piece| sorter.is_inside(piece)).collect()
}
