//! The widest way between two places, and where it is narrowest.
//!
//! A maximum spanning forest over the roads, weighted by their smallest empty circles (Kruskal). Each tree hangs smaller
//! trees under larger ones, so a question climbs O(log n) steps. A place joins it by its retraction: on the way there
//! the clearance does not fall, so nothing wider is lost.

use crate::query::{Edge, EdgeId, VertexId};
use crate::skeleton::Skeleton;
use clearway_geometry::{NONE, Vec2};

/// The widest way between two places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WidestWay {
    /// The largest radius of a disc that can go, in metres.
    pub radius: f64,
    /// The place where it just fits, in plan coordinates.
    pub at: [f64; 2],
    /// The road on which that place lies; `None` if it is the start or the goal.
    pub road: Option<EdgeId>,
}

/// A narrow place: its radius, where it is and the road on which it lies, in grid units.
#[derive(Clone, Copy)]
pub(crate) struct Narrow {
    radius: f64,
    at: Vec2,
    road: Option<EdgeId>,
}

/// For each vertex, the one above it in its tree and the width of the road that joined the two trees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    above: Vec<u32>,
    width: Vec<f64>,
    via: Vec<u32>,
}

impl Forest {
    pub fn of(skeleton: &Skeleton) -> Forest {
        let count = skeleton.diagram().graph.discs.len();
        let mut roads: Vec<(f64, EdgeId, [VertexId; 2])> =
            skeleton.roads().map(|(id, edge)| (edge.width, id, edge.ends)).collect();
        roads.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut forest = Forest {
            above: vec![NONE; count],
            width: vec![f64::NEG_INFINITY; count],
            via: vec![NONE; count],
        };
        let mut sizes = vec![1u32; count];
        for (width, id, ends) in roads {
            let [a, b] = ends.map(|end| forest.root(end.0));
            if a != b {
                let (lower, upper) = if sizes[a as usize] < sizes[b as usize] { (a, b) } else { (b, a) };
                sizes[upper as usize] += sizes[lower as usize];
                forest.above[lower as usize] = upper;
                forest.width[lower as usize] = width;
                forest.via[lower as usize] = id.0;
            }
        }
        forest
    }

    fn root(&self, mut vertex: u32) -> u32 {
        while self.above[vertex as usize] != NONE {
            vertex = self.above[vertex as usize];
        }
        vertex
    }

    /// The least width between two vertices and the road that has it; `None` if they are not joined.
    fn between(&self, mut a: u32, mut b: u32) -> Option<(f64, u32)> {
        let mut least = (f64::INFINITY, NONE);
        while a != b {
            // The tree that was hung up earlier, over a wider road, is climbed first.
            if self.width[a as usize] < self.width[b as usize] {
                std::mem::swap(&mut a, &mut b);
            }
            if self.above[a as usize] == NONE {
                return None;
            }
            if self.width[a as usize] < least.0 {
                least = (self.width[a as usize], self.via[a as usize]);
            }
            a = self.above[a as usize];
        }
        Some(least)
    }
}

/// A place joined to the roads: its clearance, the road of its retraction and the place on it.
pub(crate) struct Joined {
    clearance: f64,
    spot: Vec2,
    edge: Edge,
    id: EdgeId,
    /// The parameter along the edge.
    t: f64,
    radius: f64,
}

impl Skeleton {
    /// The largest radius of a disc that can move from one place to another, and where it just fits. `None` if there is
    /// no way, or a place is off the walkable ground or on a wall, and in layers.
    pub fn widest(&self, from: [f64; 2], to: [f64; 2]) -> Option<WidestWay> {
        let [a, b] = [self.joined(from)?, self.joined(to)?];
        self.widest_joined(&a, &b)
    }

    /// The widest way between two places that are joined to the roads.
    pub(crate) fn widest_joined(&self, a: &Joined, b: &Joined) -> Option<WidestWay> {
        let mut best: Option<Narrow> = None;
        let mut offer = |found: Narrow| {
            if best.is_none_or(|best| found.radius > best.radius) {
                best = Some(found);
            }
        };
        let same = a.id == b.id || EdgeId(self.diagram().graph.twin[a.id.0 as usize]) == b.id;
        if same {
            let t = if a.id == b.id { b.t } else { 1.0 - b.t };
            offer(least([part(a, [a.t, t], [a.radius, b.radius]), a.start(), b.start()]));
        }
        for i in 0..2 {
            for j in 0..2 {
                let ends = (a.edge.ends[i], b.edge.ends[j]);
                let Some((width, via)) = self.forest().between(ends.0.0, ends.1.0) else { continue };
                let at = self.road(EdgeId(via)).map_or(a.spot, |edge| edge.narrowest);
                let narrow = Narrow { radius: width, at, road: Some(EdgeId(via)) };
                offer(least([narrow, a.to_end(i), b.to_end(j), a.start(), b.start()]));
            }
        }
        best.map(|Narrow { radius, at, road }| WidestWay {
            radius: radius * self.unit(),
            at: self.place(at),
            road,
        })
    }

    fn joined(&self, at: [f64; 2]) -> Option<Joined> {
        if self.is_layered() {
            return None;
        }
        let spot = self.units(at);
        let clearance = self.diagram().nearest(spot, None);
        let axis = self.diagram().retract(spot, Some(clearance.site))?;
        self.joined_by(spot, clearance.distance, axis)
    }

    /// Joins a place to the roads, given its clearance and its retraction.
    pub(crate) fn joined_by(
        &self,
        spot: Vec2,
        clearance: f64,
        (id, place, radius): (EdgeId, Vec2, f64),
    ) -> Option<Joined> {
        let edge = self.road(id)?;
        let t = edge.parameter(place);
        Some(Joined { clearance, spot, edge, id, t, radius })
    }
}

impl Joined {
    fn start(&self) -> Narrow {
        Narrow { radius: self.clearance, at: self.spot, road: None }
    }

    /// The narrowest place between the retraction and an end of its edge.
    fn to_end(&self, end: usize) -> Narrow {
        part(self, [self.t, end as f64], [self.radius, self.edge.radii[end]])
    }
}

/// The narrowest place on a part of the edge of a retraction.
fn part(joined: &Joined, [from, to]: [f64; 2], radii: [f64; 2]) -> Narrow {
    let edge = &joined.edge;
    let t = edge.parameter(edge.narrowest);
    let (radius, at) = if t >= from.min(to) && t <= from.max(to) {
        (edge.width.min(radii[0]).min(radii[1]), edge.narrowest)
    } else if radii[0] <= radii[1] {
        (radii[0], edge.at(from))
    } else {
        (radii[1], edge.at(to))
    };
    Narrow { radius, at, road: Some(joined.id) }
}

/// The narrowest of some places.
fn least<const N: usize>(places: [Narrow; N]) -> Narrow {
    let start = Narrow { radius: f64::INFINITY, at: Vec2::default(), road: None };
    places.into_iter().fold(start, |least, place| if place.radius < least.radius { place } else { least })
}
