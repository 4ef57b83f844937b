//! The walls of a mesh in a grid of buckets, and the tests for straight moves: a disc must not touch a wall, and a
//! point must not cross one.
//!
//! The buckets know one floor only: a mesh whose floors lie above each other must be asked floor by floor.

use super::face::{keeps_face, lies_along};
use super::sector::{Fan, Sector, Spot, cross, is_between};
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};
use clearway_nav::mesh::NavMesh;
use std::ops::Range;

/// The rounding of points, in grid units: a coordinate below 2^28 is a float with steps of at most 2^-25.
const ROUNDING: f64 = 2.5e-7;

/// Returns the distance by which a body of this radius may seem to intrude into a wall through rounding, in grid units.
pub(super) fn slack(radius: f64) -> f64 {
    2.5e-10 * radius + ROUNDING
}

/// A wall; free space lies on its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// Its start, in grid units.
    pub from: Vec2,
    /// Its end, in grid units.
    pub to: Vec2,
    /// The vertices at its ends.
    pub vertices: [u32; 2],
}

/// An end of a straight piece, and the wall that it touches, which matters to points only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// Its position in grid units.
    pub at: Vec2,
    /// The wall or vertex that it touches.
    pub hold: Hold,
}

/// The wall that a point touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hold {
    /// No wall.
    Open,
    /// The inside of a wall: every direction to the left of it is free.
    Wall { from: Vec2, to: Vec2 },
    /// The end of walls, in this free sector.
    Vertex { vertex: u32, sector: Sector },
}

impl Stand {
    /// True if a point may leave in this direction.
    fn allows(&self, direction: Spot) -> bool {
        match self.hold {
            Hold::Open => true,
            // The point itself is rounded, so it may lie a little behind its wall.
            Hold::Wall { from, to } => (to - from).unit().cross(direction.as_vec2()) >= -4.0 * ROUNDING,
            Hold::Vertex { sector, .. } => sector.holds(direction),
        }
    }

    /// True if the point touches a wall, from either face.
    fn stands_on(&self, wall: &Wall) -> bool {
        match self.hold {
            Hold::Open => false,
            Hold::Wall { from, to } => {
                (wall.from == from && wall.to == to) || (wall.from == to && wall.to == from)
            }
            Hold::Vertex { vertex, .. } => wall.vertices.contains(&vertex),
        }
    }

    /// True if the point stands at a vertex.
    fn stands_at(&self, vertex: u32) -> bool {
        matches!(self.hold, Hold::Vertex { vertex: held, .. } if held == vertex)
    }
}

/// All walls of a mesh.
#[derive(Debug)]
pub(super) struct Walls {
    /// The walls.
    pub list: Vec<Wall>,
    /// For each vertex, the index of its first free sector; one more entry ends the last vertex.
    first_sector: Vec<u32>,
    /// The free sectors of all vertices.
    sectors: Vec<Sector>,
    /// The index of the walls.
    buckets: Buckets,
}

impl Walls {
    /// Collects the walls of a mesh and the free sectors at their ends.
    pub fn of(mesh: &NavMesh, fan: &Fan<'_>) -> Walls {
        let layout = mesh.graph();
        let sides: Vec<usize> = (0..layout.twin.len()).filter(|side| layout.twin[*side] == NONE).collect();
        let wall = |side: &usize| {
            let [from, to] = fan.ends(*side);
            Wall { from, to, vertices: [layout.vertex[*side], layout.vertex[fan.next(*side)]] }
        };
        let list: Vec<Wall> = sides.iter().map(wall).collect();
        let mut sectors: Vec<(u32, Sector)> =
            sides.iter().map(|side| (layout.vertex[*side], fan.sector(*side))).collect();
        sectors.sort_by_key(|(vertex, _)| *vertex);
        let starts = |vertex: u32| sectors.partition_point(|(other, _)| *other < vertex) as u32;
        Walls {
            first_sector: (0..=mesh.parts().points.len() as u32).map(starts).collect(),
            sectors: sectors.iter().map(|(_, sector)| *sector).collect(),
            buckets: Buckets::of(&list),
            list,
        }
    }

    /// True if a body of this radius, in grid units, may move straight from `a` to `b`.
    pub fn are_clear(&self, a: &Stand, b: &Stand, radius: f64) -> bool {
        if radius > 0.0 {
            let least = radius - slack(radius);
            return !self
                .any_near((a.at, b.at), radius, |w| segment_distance(a.at, b.at, w.from, w.to) < least);
        }
        self.is_open_to_points(a, b)
    }

    /// True if a point may move straight from `a` to `b`: it may touch walls, but not cross them.
    fn is_open_to_points(&self, a: &Stand, b: &Stand) -> bool {
        let ends = [Spot::of(a.at), Spot::of(b.at)];
        if ends[0] == ends[1] {
            return true;
        }
        let direction = ends[0].to(ends[1]);
        if !a.allows(direction) || !b.allows(direction.reversed()) {
            return false;
        }
        let mut runs_along = false;
        let is_stopped = self.any_near((a.at, b.at), 1.0, |wall| {
            runs_along |= lies_along(wall, ends);
            self.stops_point(wall, (a, b), ends)
        });
        !is_stopped && (!runs_along || keeps_face(self, (a, b), ends))
    }

    /// True if a wall stops a point that moves from `a` to `b`. Either the wall is crossed, or it starts at a vertex
    /// where the point would pass from one free sector into another, as between obstacles that touch.
    fn stops_point(&self, wall: &Wall, (a, b): (&Stand, &Stand), [from, to]: [Spot; 2]) -> bool {
        let [start, end] = [Spot::of(wall.from), Spot::of(wall.to)];
        let vertex = wall.vertices[0];
        let is_passed = is_between(from, to, start) && !a.stands_at(vertex) && !b.stands_at(vertex);
        if is_passed && !self.lets_pass(vertex, from.to(to)) {
            return true;
        }
        !a.stands_on(wall) && !b.stands_on(wall) && cross(from, to, start, end)
    }

    /// True if one free sector of a vertex holds both a direction and its opposite.
    fn lets_pass(&self, vertex: u32, direction: Spot) -> bool {
        let back = direction.reversed();
        self.sectors_at(vertex).iter().any(|sector| sector.holds(direction) && sector.holds(back))
    }

    /// Returns the free sectors of a vertex.
    pub fn sectors_at(&self, vertex: u32) -> &[Sector] {
        let [first, last] = [0, 1].map(|i| self.first_sector[vertex as usize + i] as usize);
        &self.sectors[first..last]
    }

    /// Returns the distance from a point to the nearest wall, in grid units.
    pub fn clearance(&self, at: Vec2) -> f64 {
        self.list.iter().map(|w| at.distance_to_segment(w.from, w.to)).fold(f64::INFINITY, f64::min)
    }

    /// Returns the width of the buckets in grid units: about the distance between walls.
    pub fn spacing(&self) -> f64 {
        self.buckets.size
    }

    /// True if `test` holds for any wall within `reach` of a segment. Walls farther away may be tested as well, and a
    /// wall more than once.
    pub fn any_near(&self, (a, b): (Vec2, Vec2), reach: f64, mut test: impl FnMut(&Wall) -> bool) -> bool {
        // Boxes are no shorter than they are wide; otherwise they would overlap many times over.
        let steps = (a.distance(b) / self.buckets.size.max(reach)).ceil().max(1.0);
        let mut from = a;
        for step in 1..=steps as u32 {
            let to = a + (b - a) * (f64::from(step) / steps);
            if self.buckets.around(from, to, reach).any(|wall| test(&self.list[wall as usize])) {
                return true;
            }
            from = to;
        }
        false
    }
}

/// The walls by square buckets, row after row.
#[derive(Debug)]
struct Buckets {
    /// The lower left corner, in grid units.
    origin: Vec2,
    /// The width of a bucket, in grid units.
    size: f64,
    /// The number of columns.
    columns: usize,
    /// The number of rows.
    rows: usize,
    /// For each bucket, the index of its first wall; one more entry ends the last bucket.
    first: Vec<u32>,
    /// The walls of all buckets, bucket after bucket.
    walls: Vec<u32>,
}

impl Buckets {
    /// Makes about as many buckets as walls.
    fn of(walls: &[Wall]) -> Buckets {
        let (mut low, mut high) = (Vec2::new(0.0, 0.0), Vec2::new(1.0, 1.0));
        if let Some(first) = walls.first() {
            (low, high) = (first.from, first.from);
        }
        for wall in walls {
            low = Vec2::new(low.x.min(wall.from.x), low.y.min(wall.from.y));
            high = Vec2::new(high.x.max(wall.from.x), high.y.max(wall.from.y));
        }
        let extent = high - low;
        let size = (extent.x.max(1.0) * extent.y.max(1.0) / walls.len().max(1) as f64).sqrt();
        let size = size.max(extent.x.max(extent.y) / 1024.0).max(1.0);
        let count = |length: f64| (length / size) as usize + 1;
        let (columns, rows) = (count(extent.x), count(extent.y));
        let mut buckets = Buckets { origin: low, size, columns, rows, first: Vec::new(), walls: Vec::new() };
        buckets.fill(walls);
        buckets
    }

    /// Sorts the walls into the buckets that they cross.
    fn fill(&mut self, walls: &[Wall]) {
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for (number, wall) in walls.iter().enumerate() {
            for bucket in self.range(wall.from, wall.to, 0.0) {
                let [column, row] = [bucket % self.columns, bucket / self.columns].map(|i| i as f64 + 0.5);
                let middle = self.origin + Vec2::new(column, row) * self.size;
                // A wall through a bucket comes closer to its middle than its corners are.
                if middle.distance_to_segment(wall.from, wall.to) <= 0.71 * self.size {
                    entries.push((bucket as u32, number as u32));
                }
            }
        }
        entries.sort_unstable();
        let count = (self.columns * self.rows) as u32;
        let start = |bucket: u32| entries.partition_point(|(other, _)| *other < bucket) as u32;
        self.first = (0..=count).map(start).collect();
        self.walls = entries.iter().map(|(_, wall)| *wall).collect();
    }

    /// Returns the walls in the buckets of the box around a segment, widened by `reach`.
    fn around(&self, a: Vec2, b: Vec2, reach: f64) -> impl Iterator<Item = u32> + '_ {
        self.range(a, b, reach).flat_map(move |bucket| {
            let [first, last] = [0, 1].map(|i| self.first[bucket + i] as usize);
            self.walls[first..last].iter().copied()
        })
    }

    /// Returns the buckets of the box around a segment, widened by `reach`.
    fn range(&self, a: Vec2, b: Vec2, reach: f64) -> impl Iterator<Item = usize> + use<> {
        let span = |from: f64, to: f64, origin: f64, count: usize| -> Range<usize> {
            let index = |c: f64| ((c - origin) / self.size).clamp(0.0, count as f64 - 1.0) as usize;
            index(from.min(to) - reach)..index(from.max(to) + reach) + 1
        };
        let columns = span(a.x, b.x, self.origin.x, self.columns);
        let width = self.columns;
        span(a.y, b.y, self.origin.y, self.rows)
            .flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}
