//! The rims of a fabric, found by their ends and by place while it changes.
//!
//! Stitching looks at the rims many times, and changes fewer of them each time. What changed is in the log of the fabric, so
//! that a look costs as much as has changed since the last, not as much as there is.

use crate::surface::stitch::fabric::Fabric;
use clearway_base::parallel::{picked, sort, sort_by_place};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{NONE, Point};
use rayon::prelude::*;

/// A rim with its ends, the lesser first: those that run along each other follow each other once they are sorted.
pub type Ended = (Point, Point, u32);

/// Once one in so many rims has changed, they are listed anew.
const STALE: usize = 8;

/// All rims in the order of their ends.
#[derive(Debug, Default)]
pub struct RimsByEnds {
    /// As they were when they were listed, sorted; nothing before the first look.
    listed: Option<Vec<Ended>>,
    /// Half-edges that changed since, sorted.
    since: Vec<u32>,
    /// How much of the log of the fabric is in these.
    read: usize,
}

impl RimsByEnds {
    /// All rims with the ends of those that changed since the last look, sorted; at first simply all.
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

    fn list(&mut self, fabric: &Fabric) -> &[Ended] {
        let mut listed = all_ended(fabric, &picked(&fabric.rim, |rim| *rim != NONE));
        sort_by_place(&mut listed, |(from, ..)| *from);
        (self.since, self.read) = (Vec::new(), fabric.log.len());
        self.listed.insert(listed)
    }

    /// All rims with one of these pairs of ends, which are sorted.
    fn with_ends(&self, fabric: &Fabric, ends: &[(Point, Point)]) -> Vec<Ended> {
        let changed: Vec<u32> = self.since.iter().copied().filter(|e| fabric.is_rim(*e)).collect();
        let mut recent = all_ended(fabric, &changed);
        sort(&mut recent);
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

/// Those with these ends of rims that are sorted.
fn run(rims: &[Ended], ends: (Point, Point)) -> impl Iterator<Item = &Ended> {
    let first = rims.partition_point(|rim| (rim.0, rim.1) < ends);
    rims[first..].iter().take_while(move |rim| (rim.0, rim.1) == ends)
}

fn ended(fabric: &Fabric, e: u32) -> Ended {
    let (from, to) = (fabric.from(e), fabric.to(e));
    (from.min(to), from.max(to), e)
}

fn all_ended(fabric: &Fabric, rims: &[u32]) -> Vec<Ended> {
    rims.par_iter().map(|e| ended(fabric, *e)).collect()
}

/// Rims by place, as they were at some time.
pub struct RimsByPlace {
    rims: Vec<u32>,
    pub bins: BoxGrid,
    /// How long the log of the fabric was.
    listed: usize,
}

impl RimsByPlace {
    pub fn of(fabric: &Fabric, rims: Vec<u32>) -> RimsByPlace {
        let bins = BoxGrid::of(rims.iter().map(|e| extent(fabric, *e)).collect());
        RimsByPlace { rims, bins, listed: fabric.log.len() }
    }

    pub fn rims(&self) -> &[u32] {
        &self.rims
    }

    /// Rims that changed since the log of the fabric was `seen` long, and all those around that are near them, sorted; only
    /// those that `belong`.
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
        // What changed may have gone elsewhere.
        restless.retain(|e| belongs(e) && is_near(e));
        restless
    }
}

pub fn extent(fabric: &Fabric, rim: u32) -> Box2 {
    Box2::of(&[fabric.from(rim), fabric.to(rim)])
}
