//! Joins the way that a body walked by guessing with the path found for where it was.
//!
//! The thesis, section 3.2, goes back along the guessed way, from the last point on, until an edge leads to the path,
//! and takes the last such edge of the path. Here points on both ways and straight moves between them take the role of
//! edges. Of all such joints the one with the least rest to walk is taken, so the result is never longer than going
//! back to the start.
//!
//! For one point of the trail, the farthest point of the path that it sees is the best. Along the path the rest shrinks
//! by as much as one walks, and the straight way there grows by no more. Where no straight move leads on from the body,
//! a short search may.

use super::schedule::Slicer;
use super::track::{Track, distance};
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::HeightLine;
use clearway_nav::path::{Path, PathQuery};
use clearway_nav::query::Location;

/// The number of straight moves tried for a joint. Each is a raycast; more find slightly shorter joints.
const MOST_TRIES: usize = 512;
/// The number of points of the path, nearest first, that each point of the trail tries.
const MOST_NEAR: usize = 64;
/// The number of halvings that refine the position of a joint on the path: 8 narrow it to a 256th of the gap between
/// stops.
const HALVINGS: usize = 8;
/// The largest number of expansions of a search for a way to the path. It is charged to the budget of the coming
/// frames.
const SEARCH_STEPS: u64 = 256;
/// The number of points of the path to which this search may lead.
const SEARCH_GOALS: usize = 12;

/// A way from the position of a body to the goal of a path.
#[derive(Debug)]
pub(super) struct Joined {
    /// The way.
    pub track: Track,
    /// The length of going back the whole way and then along the path, in metres; for comparison.
    pub length_by_start: f64,
}

/// Joins `trail`, the way walked from the start of the path to the present point, with the path.
pub(super) fn join(mesh: &NavMesh, slicer: &mut Slicer, trail: &[Location], path: &Path) -> Joined {
    let onward = Track::of(path);
    let search = Search { mesh, trail, path, stops: onward.stops(), onward, heights: path.heights(mesh) };
    let back: f64 = trail.windows(2).map(|ends| distance(ends[0].position(), ends[1].position())).sum();
    let first = trail.first().map_or(0.0, |first| distance(first.position(), path.start));
    let length_by_start = back + first + search.onward.length();
    let by_start = Joint { from: 0, along: 0.0, cost: length_by_start };
    let joint = search.best_joint(by_start);
    let straight = search.track(&joint);
    // A search pays only if the body itself sees nothing of use.
    let is_direct = joint.from + 1 == trail.len();
    let searched = if is_direct { None } else { search.by_search(slicer) };
    let track = searched.filter(|track| track.length() < straight.length()).unwrap_or(straight);
    Joined { track, length_by_start }
}

/// The trail and the path, prepared for trying joints.
struct Search<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The points walked through; each sees the next, the last is the present one.
    trail: &'a [Location],
    /// The path that was found.
    path: &'a Path,
    /// The path as a track.
    onward: Track,
    /// The lengths along the path at which joints are tried, in metres.
    stops: Vec<f64>,
    /// The height of the path, in a scene.
    heights: Option<HeightLine>,
}

/// A straight move from a point of the trail to the path.
#[derive(Clone, Copy, Debug)]
struct Joint {
    /// The index of the point of the trail.
    from: usize,
    /// The position on the path, in metres from its start.
    along: f64,
    /// The whole length left to walk, in metres: back, across and onward.
    cost: f64,
}

impl Search<'_> {
    /// Returns the best joint, trying the trail from its last point backwards.
    fn best_joint(&self, mut best: Joint) -> Joint {
        let (mut back, mut tries) = (0.0, MOST_TRIES);
        for (from, place) in self.trail.iter().enumerate().rev() {
            if let Some(next) = self.trail.get(from + 1) {
                back += distance(place.position(), next.position());
            }
            if let Some(joint) = self.farthest(from, back, best.cost, &mut tries) {
                best = self.refined(joint, back);
            }
        }
        best
    }

    /// Returns the joint with the farthest point of the path that a point of the trail sees, if it costs less than
    /// `limit`.
    fn farthest(&self, from: usize, back: f64, limit: f64, tries: &mut usize) -> Option<Joint> {
        for along in self.near_stops(self.trail.get(from)?.position()) {
            let joint = self.joint(from, back, along)?;
            // Earlier points of the path only cost more.
            if joint.cost >= limit || *tries == 0 {
                return None;
            }
            *tries -= 1;
            if self.is_free(&joint) {
                return Some(joint);
            }
        }
        None
    }

    /// Returns the stops nearest to a point, the farthest along the path first.
    fn near_stops(&self, place: [f64; 2]) -> Vec<f64> {
        let off = |along: f64| distance(self.place(along), place);
        let mut near: Vec<(f64, f64)> = self.stops.iter().map(|along| (off(*along), *along)).collect();
        let order = |p: &(f64, f64), q: &(f64, f64)| p.0.total_cmp(&q.0).then(q.1.total_cmp(&p.1));
        if near.len() > MOST_NEAR {
            near.select_nth_unstable_by(MOST_NEAR, order);
            near.truncate(MOST_NEAR);
        }
        near.sort_unstable_by(|p, q| q.1.total_cmp(&p.1));
        near.into_iter().map(|(_, along)| along).collect()
    }

    /// Moves a joint on along the path towards the next stop, which is not seen, by bisection.
    fn refined(&self, mut joint: Joint, back: f64) -> Joint {
        let next = self.stops.partition_point(|stop| *stop <= joint.along);
        let Some(mut hidden) = self.stops.get(next).copied() else { return joint };
        for _ in 0..HALVINGS {
            let middle = 0.5 * (joint.along + hidden);
            match self.joint(joint.from, back, middle).filter(|joint| self.is_free(joint)) {
                Some(farther) => joint = farther,
                None => hidden = middle,
            }
        }
        joint
    }

    /// Makes a joint and computes its cost; `back` is the length back along the trail.
    fn joint(&self, from: usize, back: f64, along: f64) -> Option<Joint> {
        let (place, onto) = (self.trail.get(from)?.position(), self.place(along));
        let cost = back + distance(place, onto) + self.onward.length() - along;
        Some(Joint { from, along, cost })
    }

    /// True if the body can make the straight move and arrives on the floor of the path.
    fn is_free(&self, joint: &Joint) -> bool {
        let Some(from) = self.trail.get(joint.from) else { return false };
        let hit = self.mesh.raycast(*from, self.place(joint.along), self.path.radius);
        let is_floor = |at: Location| {
            self.heights.as_ref().is_none_or(|heights| heights.is_floor(joint.along, self.mesh.height(at)))
        };
        hit.is_some_and(|hit| hit.reached() && is_floor(hit.at))
    }

    /// Returns the point of the path after `along` metres.
    fn place(&self, along: f64) -> [f64; 2] {
        self.onward.place(along).unwrap_or(self.path.start)
    }

    /// Returns the location of a point of the path, on its floor.
    fn location(&self, along: f64) -> Option<Location> {
        let place = self.place(along);
        match &self.heights {
            Some(heights) => heights.locate(self.mesh, place, along),
            None => self.mesh.locate(place).ok(),
        }
    }

    /// Returns the track back along the trail, over to the path, and along it.
    fn track(&self, joint: &Joint) -> Track {
        let back = self.trail.iter().skip(joint.from).rev().map(|place| place.position());
        let places: Vec<[f64; 2]> = back.chain([self.place(joint.along)]).collect();
        let mut track = Track::through(&places);
        track.extend(&self.onward, joint.along);
        track
    }

    /// Returns the track that a short search finds to some point of the path, and along the path.
    fn by_search(&self, slicer: &mut Slicer) -> Option<Track> {
        let every = self.stops.len().div_ceil(SEARCH_GOALS);
        let alongs: Vec<f64> = self.stops.iter().copied().step_by(every.max(1)).collect();
        let mut goals = alongs.iter().filter_map(|along| self.location(*along));
        let mut query = PathQuery::new(*self.trail.last()?, goals.next()?);
        query.more_goals = goals.collect();
        query.radius = self.path.radius;
        query.snap = 1e-3 * query.radius;
        let way = slicer.short_search(self.mesh, query, SEARCH_STEPS)?;
        let off = |along: f64| distance(self.place(along), way.goal);
        let along = alongs.iter().copied().min_by(|p, q| off(*p).total_cmp(&off(*q)))?;
        let mut track = Track::of(&way);
        track.extend(&self.onward, along);
        Some(track)
    }
}
