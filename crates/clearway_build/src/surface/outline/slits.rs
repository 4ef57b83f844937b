//! Closes slits: passages between walls so narrow that they are not worth a cell.
//!
//! Objects that touch in the scene are a grid unit apart here and there after rounding. The passage between them
//! closes, and with simplification every passage narrower than the tolerance.
//!
//! Invariant: every point that is removed lies within that width of a wall, or in a small region that only slits lead
//! to. A slit that is the only way between larger regions stays. Cost: linear in the triangles, apart from sets of
//! regions.

use crate::surface::tolerances::slits::MOUTH;
use clearway_geometry::{DisjointSets, NONE, Triangulation, vec2::segment_distance};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The sizes below which free space is not worth a cell, in grid units.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    /// Slits narrower than this close.
    pub width: f64,
    /// Regions smaller than this, in square units, that only a slit leads to go with the slit.
    pub area: f64,
}

/// Removes slits, and small regions that are reached through nothing else, from the triangles to `keep`. Slits
/// between larger regions that are not joined otherwise stay.
///
/// Regions are what is left without the slits. The shores of a slit are the regions that it touches. A slit with a
/// single shore, after small regions were pruned, leads nowhere and goes.
pub fn close(triangulation: &Triangulation, least: Least, keep: &mut [bool]) {
    let slits = Slits { triangulation, width: least.width };
    let found = slits.find(keep);
    if found.is_empty() {
        return;
    }
    let mut is_wide = keep.to_vec();
    found.iter().flatten().for_each(|t| is_wide[*t as usize] = false);
    let place_of = slits.places(&is_wide);
    let shores = |slit: &Vec<u32>| -> BTreeSet<u32> {
        let sides = slit.iter().flat_map(|t| 3 * t..3 * t + 3);
        sides.filter_map(|e| slits.beyond(e, &is_wide)).map(|t| place_of[t as usize]).collect()
    };
    let mut shores: Vec<BTreeSet<u32>> = found.iter().map(shores).collect();
    let gone = pruned(&mut shores, &slits.small_places(&place_of, least.area));
    for t in found.iter().zip(&shores).filter(|(_, shores)| shores.len() == 1).flat_map(|(slit, _)| slit) {
        keep[*t as usize] = false;
    }
    for (t, place) in place_of.iter().enumerate() {
        keep[t] &= *place == NONE || !gone.contains(place);
    }
}

/// Removes small regions that slits join to exactly one other region, one after the other. Returns the removed
/// regions. Takes them out of `shores`, the regions at each slit.
fn pruned(shores: &mut [BTreeSet<u32>], small: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut slits_at: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (slit, shores) in shores.iter().enumerate() {
        shores.iter().for_each(|place| slits_at.entry(*place).or_default().push(slit));
    }
    let mut gone = BTreeSet::new();
    let mut work: Vec<u32> = slits_at.keys().copied().filter(|place| small.contains(place)).collect();
    while let Some(place) = work.pop() {
        let slits = &slits_at[&place];
        let around: BTreeSet<u32> = slits.iter().flat_map(|slit| &shores[*slit]).copied().collect();
        // The region itself and one neighbour: nothing leads through the region from one place to another.
        if gone.contains(&place) || around.len() != 2 {
            continue;
        }
        gone.insert(place);
        slits.iter().for_each(|slit| _ = shores[*slit].remove(&place));
        work.extend(around.into_iter().filter(|other| *other != place && small.contains(other)));
    }
    gone
}

/// Searches a triangulation for slits.
struct Slits<'a> {
    /// The walkable triangles.
    triangulation: &'a Triangulation,
    /// The width up to which a passage is a slit, in grid units.
    width: f64,
}

impl Slits<'_> {
    /// All slits, each as a list of its triangles.
    fn find(&self, keep: &[bool]) -> Vec<Vec<u32>> {
        let count = keep.len() as u32;
        let is_thin = |t: u32| keep[t as usize] && self.is_thin(t, keep);
        let is_thin: Vec<bool> = (0..count).into_par_iter().map(is_thin).collect();
        let mut seen = vec![false; keep.len()];
        let mut found = Vec::new();
        for first in (0..count).filter(|t| is_thin[*t as usize]) {
            if !seen[first as usize] {
                let slit = self.around(first, &is_thin, &mut seen);
                found.extend(Some(slit).filter(|slit| self.is_narrow(slit, &is_thin, keep)));
            }
        }
        found
    }

    /// For each triangle the root of its connected region, or [`NONE`] if it is in no region.
    fn places(&self, is_wide: &[bool]) -> Vec<u32> {
        let mut groups = DisjointSets::new(is_wide.len());
        for t in (0..is_wide.len() as u32).filter(|t| is_wide[*t as usize]) {
            (3 * t..3 * t + 3).filter_map(|e| self.beyond(e, is_wide)).for_each(|next| groups.join(t, next));
        }
        (0..).zip(is_wide).map(|(t, is_wide)| if *is_wide { groups.root(t) } else { NONE }).collect()
    }

    /// The regions with less than an area.
    fn small_places(&self, place_of: &[u32], area: f64) -> BTreeSet<u32> {
        let mut doubled = vec![0i64; place_of.len()];
        for (t, place) in (0u32..).zip(place_of).filter(|(_, place)| **place != NONE) {
            let [one, other] = [3 * t, 3 * t + 1].map(|e| self.triangulation.direction(e));
            doubled[*place as usize] += one.cross(other);
        }
        let is_small = |doubled: i64| doubled > 0 && (doubled as f64) < 2.0 * area;
        (0..).zip(doubled).filter(|(_, doubled)| is_small(*doubled)).map(|(place, _)| place).collect()
    }

    /// The triangle beyond an edge, if one is kept there.
    fn beyond(&self, e: u32, keep: &[bool]) -> Option<u32> {
        let twin = self.triangulation.edges().twin(e);
        (twin != NONE && keep[twin as usize / 3]).then_some(twin / 3)
    }

    /// The length of a half-edge in grid units.
    fn length(&self, e: u32) -> f64 {
        self.triangulation.direction(e).length()
    }

    /// True if a triangle is low over a wall, or small all around.
    ///
    /// Low means that its third corner lies within the width of a side with no floor beyond.
    fn is_thin(&self, t: u32, keep: &[bool]) -> bool {
        let edges = self.triangulation.edges();
        let place = |vertex: u32| self.triangulation.point(vertex).as_vec2();
        let is_low = |e: u32| {
            let [from, to, apex] = [edges.origin(e), edges.target(e), edges.apex(e)].map(place);
            self.beyond(e, keep).is_none() && segment_distance(apex, apex, from, to) <= self.width
        };
        (3 * t..3 * t + 3).any(is_low) || (3 * t..3 * t + 3).all(|e| self.length(e) <= self.width)
    }

    /// All thin triangles connected to one. Marks them as seen.
    fn around(&self, first: u32, is_thin: &[bool], seen: &mut [bool]) -> Vec<u32> {
        let mut slit = vec![first];
        seen[first as usize] = true;
        let mut done = 0;
        while let Some(t) = slit.get(done).copied() {
            for e in 3 * t..3 * t + 3 {
                if let Some(next) = self.beyond(e, is_thin).filter(|next| !seen[*next as usize]) {
                    seen[next as usize] = true;
                    slit.push(next);
                }
            }
            done += 1;
        }
        slit
    }

    /// True if a slit opens only along short edges. A slit beside a seam between area classes stays.
    fn is_narrow(&self, slit: &[u32], is_thin: &[bool], keep: &[bool]) -> bool {
        let edges = self.triangulation.edges();
        slit.iter().flat_map(|t| 3 * t..3 * t + 3).all(|e| match self.beyond(e, keep) {
            None => true,
            Some(_) if edges.mark(e) != 0 => false,
            Some(next) => is_thin[next as usize] || self.length(e) <= MOUTH * self.width,
        })
    }
}
