//! Whether the room that a leaping body needs is free.
//!
//! A body leaves its start at the height of the higher end, flies along an arc over it, and comes down upright within
//! its radius of the lower end. What it needs is covered by upright boxes along its way; each triangle near is cut down
//! to each box, and what is left of it is in the way. Boxes cover the arc from outside, so that nothing is missed.

use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::{Point, Vec2};
use clearway_nav::mesh::NavMesh;
use clearway_world::scene::Scene;

/// Into how many boxes an arc is cut.
const PIECES: u32 = 8;

/// Triangles that reach less than this into a box only touch it, in metres.
const TOUCH: f64 = 1e-3;

/// A way through the air.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    /// Where it starts, in grid units.
    pub start: Vec2,
    /// Of length one.
    pub direction: Vec2,
    /// Its length in plan, in grid units.
    pub length: f64,
    /// The heights of its start and end, in metres.
    pub ends: [f64; 2],
    /// The radius of the body, in metres.
    pub width: f64,
    /// What rises less than this above the feet does not matter, in metres.
    pub knee: f64,
    /// The height of the body, in metres.
    pub height: f64,
    /// How high it rises above the higher end, in metres.
    pub hop: f64,
}

/// A box along a flight: along it, and in height, in metres.
#[derive(Clone, Copy, Debug)]
struct Slab {
    along: [f64; 2],
    heights: [f64; 2],
}

impl Flight {
    fn slabs(&self, unit: f64) -> Vec<Slab> {
        let length = self.length * unit;
        let [start, end] = self.ends;
        let top = start.max(end);
        let arc = |share: f64| top + 4.0 * self.hop * share * (1.0 - share);
        let pieces = if self.hop > 0.0 { PIECES } else { 1 };
        let mut slabs: Vec<Slab> = (0..pieces)
            .map(|piece| {
                let [first, last] = [piece, piece + 1].map(|p| f64::from(p) / f64::from(pieces));
                let [low, high] = [arc(first).min(arc(last)), arc(first).max(arc(last))];
                let crest = if first < 0.5 && last > 0.5 { top + self.hop } else { high };
                Slab {
                    along: [first * length, last * length],
                    heights: [low + self.knee, crest + self.height],
                }
            })
            .collect();
        for (place, ground) in [(0.0, start), (length, end)] {
            slabs.push(Slab {
                along: [place - self.width + TOUCH, place + self.width - TOUCH],
                heights: [ground + self.knee, top + self.height],
            });
        }
        slabs
    }
}

/// The triangles of a scene, found by place.
#[derive(Debug)]
pub(super) struct Obstacles {
    /// Corners: x and y of the plan in grid units, height in metres.
    triangles: Vec<[(Vec2, f64); 3]>,
    /// The lowest and the highest corner of each triangle, in metres: buildings have many storeys over a place.
    heights: Vec<[f64; 2]>,
    bins: BoxGrid,
    unit: f64,
}

impl Obstacles {
    /// The triangles of a scene on the grid of its mesh.
    pub fn of(mesh: &NavMesh, scene: &Scene) -> Obstacles {
        let corner = |vertex: u32| {
            let [x, y, z] = *scene.vertices.get(vertex as usize)?;
            let at = mesh.parts().grid.units([x, -z]);
            let fits = |c: f64| c.abs() < f64::from(LIMIT);
            (fits(at.x) && fits(at.y) && y.is_finite()).then_some((at, y))
        };
        let triangle = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(corner);
            Some([a?, b?, c?])
        };
        let triangles: Vec<_> = scene.triangles.iter().filter_map(triangle).collect();
        let extent = |corners: &[(Vec2, f64); 3]| {
            Box2::of(&corners.map(|(at, _)| Point::new(at.x.round() as i32, at.y.round() as i32)))
        };
        let bins = BoxGrid::of(triangles.iter().map(extent).collect());
        let span = |corners: &[(Vec2, f64); 3]| range_of(corners.map(|(_, height)| [height; 2]));
        let heights = triangles.iter().map(span).collect();
        Obstacles { triangles, heights, bins, unit: mesh.unit() }
    }

    /// Whether nothing is in the way of a flight.
    pub fn is_free(&self, flight: &Flight) -> bool {
        let slabs = flight.slabs(self.unit);
        let end = flight.start + flight.direction * flight.length;
        let margin = flight.width / self.unit + 2.0;
        let range = |p: f64, q: f64| {
            let fit = |c: f64| c.clamp(-f64::from(LIMIT), f64::from(LIMIT)) as i32;
            [fit(p.min(q) - margin), fit(p.max(q) + margin)]
        };
        let [left, right] = range(flight.start.x, end.x);
        let [low, high] = range(flight.start.y, end.y);
        let around = Box2 { min: Point::new(left, low), max: Point::new(right, high) };
        let [lowest, highest] = range_of(slabs.iter().map(|slab| slab.heights));
        !self.bins.any_touching(&around, |triangle| {
            let [low, high] = self.heights[triangle as usize];
            low <= highest && high >= lowest && self.hinders(triangle, flight, &slabs)
        })
    }

    /// Whether a triangle reaches into one of the boxes of a flight.
    fn hinders(&self, triangle: u32, flight: &Flight, slabs: &[Slab]) -> bool {
        // Along the flight, to its left, and in height, in metres.
        let corners = self.triangles[triangle as usize].map(|(at, height)| {
            let off = (at - flight.start) * self.unit;
            [flight.direction.dot(off), flight.direction.cross(off), height]
        });
        let side = flight.width - TOUCH;
        slabs.iter().any(|slab| {
            let ranges = [slab.along, [-side, side], [slab.heights[0] + TOUCH, slab.heights[1] - TOUCH]];
            reaches_into(&corners, &ranges)
        })
    }
}

/// The least range around ranges.
fn range_of(ranges: impl IntoIterator<Item = [f64; 2]>) -> [f64; 2] {
    let nothing = [f64::INFINITY, f64::NEG_INFINITY];
    ranges.into_iter().fold(nothing, |[low, high], range| [low.min(range[0]), high.max(range[1])])
}

/// Whether a triangle and a box have a point in common.
fn reaches_into(corners: &[[f64; 3]; 3], ranges: &[[f64; 2]; 3]) -> bool {
    let is_beside = |axis: usize| {
        let [low, high] = ranges[axis];
        corners.iter().all(|corner| corner[axis] < low) || corners.iter().all(|corner| corner[axis] > high)
    };
    if (0..3).any(is_beside) {
        return false;
    }
    let mut polygon: Vec<[f64; 3]> = corners.to_vec();
    for (axis, [low, high]) in ranges.iter().enumerate() {
        polygon = cut(&polygon, |corner| corner[axis] - low);
        polygon = cut(&polygon, |corner| high - corner[axis]);
    }
    !polygon.is_empty()
}

/// The part of a convex polygon where a linear function is not negative (Sutherland and Hodgman 1974).
fn cut(polygon: &[[f64; 3]], depth: impl Fn(&[f64; 3]) -> f64) -> Vec<[f64; 3]> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    let following = polygon.iter().skip(1).chain(polygon.first());
    for (here, next) in polygon.iter().zip(following) {
        let [inside, beyond] = [depth(here), depth(next)];
        if inside >= 0.0 {
            kept.push(*here);
        }
        if (inside >= 0.0) != (beyond >= 0.0) {
            let share = inside / (inside - beyond);
            kept.push([0, 1, 2].map(|axis| here[axis] + (next[axis] - here[axis]) * share));
        }
    }
    kept
}
