//! Indexes of the rims of a fabric, by end points and by location, that follow its changes.
//!
//! Stitching examines the rims many times, and changes fewer of them each time. The log of the fabric lists every
//! change. So an update costs as much as has changed since the last one, not as much as there is.
//!
//! Invariant: an index never returns a half-edge that is no rim any more, although its lists may be out of date.

use crate::surface::stitch::fabric::Fabric;
use clearway_base::parallel::{picked, sort, sort_by_place};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{NONE, Point};
use rayon::prelude::*;

/// A rim with its two end points, the lesser first. Rims that run along each other are neighbours once sorted.
pub type Ended = (Point, Point, u32);

/// The index is rebuilt once more than one in this many rims has changed. Smaller values rebuild too late: every
/// look-up then searches a long list of changes.
const STALE: usize = 8;

/// All rims in the order of their end points.
#[derive(Debug, Default)]
pub struct RimsByEnds {
    /// The rims as they were when they were listed, sorted; `None` before the first call.
    listed: Option<Vec<Ended>>,
    /// Half-edges that changed since the list was made, sorted.
    since: Vec<u32>,
    /// The length of the log of the fabric up to which `listed` and `since` are complete.
    read: usize,
}

impl RimsByEnds {
    /// Returns the rims that share both end points with a rim changed since the last call, sorted by end points. The
    /// first call returns all rims.
    pub fn changed(&mut self, fabric: &Fabric) -> Vec<Ended> {
        let Some(listed) = &self.listed else {
            return self.list(fabric).to_vec();
        };
        let mut fresh = fabric.log[self.read..].to_vec();
        fresh.retain(|e| fabric.is_rim(*e));
        self.since.extend(&fabric.log[self.read..]);
        self.read = fabric.log.len();
        sort(&mut self.since);
        self.since.dedup();
        if self.since.len() > listed.len() / STALE {
            self.list(fabric);
        }
        let mut ends: Vec<(Point, Point)> =
            fresh.iter().map(|e| ended(fabric, *e)).map(|(from, to, _)| (from, to)).collect();
        sort(&mut ends);
        ends.dedup();
        self.with_ends(fabric, &ends)
    }

    /// Lists all rims anew, and forgets the changes.
    fn list(&mut self, fabric: &Fabric) -> &[Ended] {
        let mut listed = all_ended(fabric, &picked(&fabric.rim, |rim| *rim != NONE));
        sort_by_place(&mut listed, |(from, ..)| *from);
        (self.since, self.read) = (Vec::new(), fabric.log.len());
        self.listed.insert(listed)
    }

    /// All rims with one of these pairs of end points. `ends` must be sorted.
    fn with_ends(&self, fabric: &Fabric, ends: &[(Point, Point)]) -> Vec<Ended> {
        let changed: Vec<u32> = self.since.iter().copied().filter(|e| fabric.is_rim(*e)).collect();
        let mut recent = all_ended(fabric, &changed);
        sort(&mut recent);
        // A listed rim counts only if it has not changed; a changed one is found in `recent` with its new end points.
        let is_as_listed = |rim: &&Ended| fabric.is_rim(rim.2) && self.since.binary_search(&rim.2).is_err();
        let mut found = Vec::new();
        for ends in ends {
            let first = found.len();
            found.extend(self.listed.iter().flat_map(|listed| run(listed, *ends)).filter(is_as_listed));
            found.extend(run(&recent, *ends));
            found[first..].sort_unstable();
        }
        found
    }
}

/// The run of sorted `rims` with the end points `ends`.
fn run(rims: &[Ended], ends: (Point, Point)) -> impl Iterator<Item = &Ended> {
    let first = rims.partition_point(|rim| (rim.0, rim.1) < ends);
    rims[first..].iter().take_while(move |rim| (rim.0, rim.1) == ends)
}

/// A rim with its end points in order.
fn ended(fabric: &Fabric, e: u32) -> Ended {
    let (from, to) = (fabric.from(e), fabric.to(e));
    (from.min(to), from.max(to), e)
}

/// Rims with their end points in order.
fn all_ended(fabric: &Fabric, rims: &[u32]) -> Vec<Ended> {
    rims.par_iter().map(|e| ended(fabric, *e)).collect()
}

/// Rims by location, as they were at some time.
pub struct RimsByPlace {
    /// The rims, in the order of the boxes in `bins`.
    rims: Vec<u32>,
    /// The bounding boxes of the rims; the index of a box is the index of its rim.
    pub bins: BoxGrid,
    /// The length of the log of the fabric when the index was made.
    listed: usize,
}

impl RimsByPlace {
    /// Indexes the given rims.
    pub fn of(fabric: &Fabric, rims: Vec<u32>) -> RimsByPlace {
        let bins = BoxGrid::of(rims.iter().map(|e| extent(fabric, *e)).collect());
        RimsByPlace { rims, bins, listed: fabric.log.len() }
    }

    /// The rims, in the order of the boxes.
    pub fn rims(&self) -> &[u32] {
        &self.rims
    }

    /// Returns rims that changed since the log of the fabric had the length `seen`, and all rims within `reach` of
    /// them, sorted. Only rims for which `belongs` is true count.
    pub fn restless(
        &self,
        fabric: &Fabric,
        seen: usize,
        reach: f64,
        belongs: impl Fn(&u32) -> bool + Sync,
    ) -> Vec<u32> {
        let touched = |from: usize| {
            let mut touched = fabric.log[from..].to_vec();
            sort(&mut touched);
            touched.dedup();
            touched.into_par_iter().filter(&belongs).collect::<Vec<u32>>()
        };
        let (mut restless, other) = (touched(seen), touched(self.listed));
        let near: Vec<Box2> =
            restless.iter().map(|e| extent(fabric, *e).grown(reach.ceil() as i32)).collect();
        for place in &near {
            self.bins.each_touching(place, |number| restless.push(self.rims[number as usize]));
        }
        let places = BoxGrid::of(near);
        let is_near = |e: &u32| places.touches_any(&extent(fabric, *e));
        restless.extend(other.into_iter().filter(is_near));
        sort(&mut restless);
        restless.dedup();
        // A rim of the index may have moved away since.
        restless.retain(|e| belongs(e) && is_near(e));
        restless
    }
}

/// The bounding box of a rim.
pub fn extent(fabric: &Fabric, rim: u32) -> Box2 {
    Box2::of(&[fabric.from(rim), fabric.to(rim)])
}
