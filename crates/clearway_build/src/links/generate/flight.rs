//! Decides whether the space that a leaping body needs is free.
//!
//! A body leaves its start at the height of the higher end and flies along an arc over it. It comes down upright within
//! its radius of the lower end. Upright boxes along the way cover the space that it needs. Each triangle nearby is
//! clipped to each box; if anything is left, it is in the way.
//!
//! Invariant: the boxes cover the arc from outside, so that no obstacle is missed, however thin. Cost: boxes times
//! triangles near the way.

use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::clip::half_plane;
use clearway_geometry::grid::LIMIT;
use clearway_geometry::{Point, Vec2};
use clearway_nav::mesh::NavMesh;
use clearway_world::scene::Scene;

/// The number of boxes that cover an arc. More boxes follow the arc more closely and cost more tests; fewer find
/// obstacles beside it that are not in the way.
const PIECES: u32 = 8;

/// Triangles that reach less than this into a box, in metres, only touch it. Without it, a wall that a body just
/// touches would be in the way.
const TOUCH: f64 = 1e-3;

/// A way through the air.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    /// The start, in grid units.
    pub start: Vec2,
    /// The direction in plan, one unit long.
    pub direction: Vec2,
    /// The length in plan, in grid units.
    pub length: f64,
    /// The heights of the start and the end, in metres.
    pub ends: [f64; 2],
    /// The radius of the body, in metres.
    pub width: f64,
    /// Obstacles that rise less than this above the feet do not matter, in metres.
    pub knee: f64,
    /// The height of the body, in metres.
    pub height: f64,
    /// The rise of the arc above the higher end, in metres.
    pub hop: f64,
}

/// A box along a flight, as wide as the body.
#[derive(Clone, Copy, Debug)]
struct Slab {
    /// Its range along the flight, in metres.
    along: [f64; 2],
    /// Its range of heights, in metres.
    heights: [f64; 2],
}

impl Flight {
    /// Returns the boxes that cover the flight: pieces of the arc, and one around the body at each end.
    fn slabs(&self, unit: f64) -> Vec<Slab> {
        let length = self.length * unit;
        let [start, end] = self.ends;
        let top = start.max(end);
        // A parabola that starts and ends at the higher end.
        let arc = |share: f64| top + 4.0 * self.hop * share * (1.0 - share);
        let pieces = if self.hop > 0.0 { PIECES } else { 1 };
        let mut slabs: Vec<Slab> = (0..pieces)
            .map(|piece| {
                let [first, last] = [piece, piece + 1].map(|p| f64::from(p) / f64::from(pieces));
                let [low, high] = [arc(first).min(arc(last)), arc(first).max(arc(last))];
                // With an odd number of pieces the top of the arc lies inside one of them, above both its ends.
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

/// The triangles of a scene, in a grid of boxes.
#[derive(Debug)]
pub(super) struct Obstacles {
    /// The corners: x and y of the plan in grid units, height in metres.
    triangles: Vec<[(Vec2, f64); 3]>,
    /// The lowest and the highest corner of each triangle, in metres. Buildings have many storeys over a point, and
    /// heights rule out most of them.
    heights: Vec<[f64; 2]>,
    /// The boxes around all triangles in projection.
    bins: BoxGrid,
    /// The grid unit, in metres.
    unit: f64,
}

impl Obstacles {
    /// Puts the triangles of a scene on the grid of its mesh. Triangles outside the grid are left out.
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

    /// True if no triangle is in the way of a flight.
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

    /// True if a triangle reaches into one of the boxes of a flight.
    fn hinders(&self, triangle: u32, flight: &Flight, slabs: &[Slab]) -> bool {
        // Coordinates along the flight, to its left, and in height, all in metres.
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

/// Returns the least range that holds all ranges.
fn range_of(ranges: impl IntoIterator<Item = [f64; 2]>) -> [f64; 2] {
    let nothing = [f64::INFINITY, f64::NEG_INFINITY];
    ranges.into_iter().fold(nothing, |[low, high], range| [low.min(range[0]), high.max(range[1])])
}

/// True if a triangle and a box have a point in common.
fn reaches_into(corners: &[[f64; 3]; 3], ranges: &[[f64; 2]; 3]) -> bool {
    let is_beside = |axis: usize| {
        let [low, high] = ranges[axis];
        corners.iter().all(|corner| corner[axis] < low) || corners.iter().all(|corner| corner[axis] > high)
    };
    if (0..3).any(is_beside) {
        return false;
    }
    let mut polygon: Vec<[f64; 3]> = corners.to_vec();
    let between = |p: &[f64; 3], q: &[f64; 3], share: f64| [0, 1, 2].map(|i| p[i] + (q[i] - p[i]) * share);
    for (axis, [low, high]) in ranges.iter().enumerate() {
        polygon = half_plane(&polygon, |corner| corner[axis] - low, between);
        polygon = half_plane(&polygon, |corner| high - corner[axis], between);
    }
    !polygon.is_empty()
}
