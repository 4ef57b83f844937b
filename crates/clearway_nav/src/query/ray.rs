//! Straight moves of a point or a disc until a wall stops them.
//!
//! A point walks through every portal that its segment touches, decided exactly. Each cell covers one piece of the
//! segment. Pieces of cells on both sides of a touched portal share a point, so together they cover the segment from
//! its start without a gap. The walk ends where the last piece ends. Vertices on the segment and portals along it need
//! no special care, and no cell is entered twice.
//!
//! A disc is stopped by the first wall to which its centre would come closer than the radius. All walls within the
//! radius of the segment are found by walking. Cost: linear in the sides of the cells that are entered.

use super::flood::Flood;
use super::side::{fine, side_of};
use super::walls::{NearWall, Wall};
use super::{Location, Position, in_world};
use crate::mesh::{CellId, NavMesh};
use crate::tolerances::slacks::{ON_WALL, STOPPED_BESIDE, TOUCHING};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::vec2::segment_distance;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;

/// The result of a straight move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RayHit {
    /// The location where the point or the centre of the disc stopped: the target, or where it touches the wall.
    pub at: Location,
    /// The length of the move in metres.
    pub distance: f64,
    /// The length of the move as a share of the whole way: 1 at the target.
    pub fraction: f64,
    /// The wall that stopped it; `None` when it reached the target.
    pub contact: Option<Contact>,
}

impl RayHit {
    /// True if nothing was in the way.
    pub fn reached(&self) -> bool {
        self.contact.is_none()
    }
}

/// The contact at which a move was stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Contact {
    /// The wall; its distance is measured from where the centre stopped.
    pub wall: Wall,
    /// The point of the wall that was touched, in plan coordinates.
    pub point: [f64; 2],
    /// The unit vector away from the wall at that point.
    pub normal: [f64; 2],
}

impl Contact {
    /// Returns the point of the wall that was touched, in the world: x, y, z with y up in a scene. The mesh must be the
    /// one on which it was found.
    pub fn point_in_space(&self, mesh: &NavMesh) -> [f64; 3] {
        mesh.place_on(self.wall.cell, self.point)
    }

    /// Returns the unit vector away from the wall in the world; it is level.
    pub fn normal_in_space(&self) -> [f64; 3] {
        in_world(self.normal, 0.0)
    }
}

/// A straight move in grid units.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The share of the way that is free.
    pub fraction: f64,
    /// The cells that the centre ran through.
    pub cells: Vec<u32>,
    /// The cell in which the move ended.
    pub end: u32,
    /// The wall that stopped it; `None` when it reached the goal.
    pub wall: Option<NearWall>,
}

impl NavMesh {
    /// Moves a disc straight from a location towards `to` until it touches a wall; with radius 0, a point. Touching is
    /// allowed: a point may run along a wall or through the tip of one, and a disc may graze it.
    ///
    /// A disc that starts closer to a wall than its radius may move along it or away from it. A move that brings it
    /// closer stops at once.
    ///
    /// The move stays on the ground: the height of a target in space does not matter.
    ///
    /// Returns `None` for a location of another mesh, a target that is not finite, or a radius that is negative or not
    /// finite.
    pub fn raycast(&self, from: Location, to: impl Position, radius: f64) -> Option<RayHit> {
        let to = to.plan();
        let (start, goal) = (self.parts.grid.units(from.position), self.parts.grid.units(to));
        let sound = radius >= 0.0 && radius.is_finite() && goal.x.is_finite() && goal.y.is_finite();
        if !sound || !self.is_here(&from) {
            return None;
        }
        let reach = self.sweep(start, from.cell.0, goal, radius / self.unit());
        let stop = start + (goal - start) * reach.fraction;
        let at = match reach.wall {
            None => Location { cell: CellId(reach.end), position: to },
            Some(_) => self.settle_in(&reach, stop).unwrap_or(from),
        };
        let contact = reach.wall.map(|wall| self.contact(wall, self.parts.grid.units(at.position)));
        let distance = self.parts.grid.units(at.position).distance(start) * self.unit();
        Some(RayHit { at, distance, fraction: reach.fraction, contact })
    }

    /// Moves a disc (radius in grid units; 0 for a point) from a point in a cell straight towards a goal.
    pub fn sweep(&self, start: Vec2, cell: u32, goal: Vec2, radius: f64) -> Reach {
        let reach = self.walk(start, cell, goal);
        if radius <= 0.0 {
            return reach;
        }
        let (layout, slack) = (self.graph(), TOUCHING * self.slack());
        let end = start + (goal - start) * reach.fraction;
        let mut first: Option<(f64, NearWall)> = None;
        Flood::default().walls(layout, &reach.cells, (start, end), radius, |cell, side, _| {
            let ends = layout.ends(cell, side);
            let part = entry([start, end], ends, radius, slack);
            let is_first = |part: &f64| first.is_none_or(|(known, wall)| (*part, side) < (known, wall.side));
            if let Some(part) = part.filter(is_first) {
                let distance = (start + (end - start) * part).distance_to_segment(ends[0], ends[1]);
                first = Some((part, NearWall { cell, side, distance }));
            }
            radius
        });
        match first {
            Some((part, wall)) => Reach { fraction: part * reach.fraction, wall: Some(wall), ..reach },
            None => reach,
        }
    }

    /// Moves a point from `start` in a cell straight towards a goal.
    pub(crate) fn walk(&self, start: Vec2, cell: u32, goal: Vec2) -> Reach {
        let part = part_on_grid(start, goal);
        let mut reach = Reach { fraction: 0.0, cells: Vec::new(), end: cell, wall: None };
        let (Some(a), Some(b)) = (fine(start), fine(start + (goal - start) * part)) else {
            return Reach { cells: vec![cell], ..reach };
        };
        let layout = self.graph();
        let (mut seeds, mut holder, mut last) = (Vec::new(), NONE, None);
        self.cells_at(a, cell, &mut seeds);
        let touches = |ends: [Vec2; 2]| touch([a, b], ends);
        Flood::default().cells_along(layout, &seeds, [a, b], touches, |cell| {
            reach.cells.push(cell);
            if self.holds(cell, b) {
                // The lowest cell, so that the answer does not depend on the order of the flood.
                holder = holder.min(cell);
            }
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] == NONE) {
                let ends = layout.ends(cell, side);
                if side_of(ends[0], ends[1], b) == Ordering::Less && touches(ends) {
                    last = later(last, (crossing([a, b], ends), cell, side));
                }
            }
        });
        if holder != NONE && part == 1.0 {
            return Reach { fraction: 1.0, end: holder, ..reach };
        }
        if let Some((fraction, cell, side)) = last {
            (reach.fraction, reach.end) = (part * fraction, cell);
            reach.wall = Some(NearWall { cell, side, distance: 0.0 });
        }
        reach
    }

    /// Returns the location where a move stopped: in one of its cells or right beside them, as near as rounding allows.
    pub(crate) fn settle_in(&self, reach: &Reach, stop: Vec2) -> Option<Location> {
        let position = self.parts.grid.place(stop);
        let spot = fine(self.parts.grid.units(position))?;
        let holder = |cells: &[u32]| {
            let cell = cells.iter().copied().filter(|cell| self.holds(*cell, spot)).min()?;
            Some(Location { cell: CellId(cell), position })
        };
        if let Some(location) = holder(&reach.cells) {
            return Some(location);
        }
        let apart = |cell: &u32| self.index().span(*cell).distance_squared(spot).sqrt();
        let near = || reach.cells.iter().copied().filter(|cell| apart(cell) <= STOPPED_BESIDE * self.slack());
        let mut around = Vec::new();
        // The cells around a point are the same seen from each of them, so a few seeds suffice.
        let beside = near().take(4).find_map(|cell| {
            self.cells_at(spot, cell, &mut around);
            holder(&around)
        });
        let off = |location: &Location| self.parts.grid.units(location.position).distance(stop);
        let settled = || near().filter_map(|cell| self.settle(cell, stop));
        beside
            .or_else(|| settled().min_by(|p, q| off(p).total_cmp(&off(q)).then(p.cell.cmp(&q.cell))))
            .or_else(|| self.settle(reach.end, stop))
    }

    /// Describes the contact of a disc with its centre at `center` and a wall.
    fn contact(&self, wall: NearWall, center: Vec2) -> Contact {
        let [from, to] = self.graph().ends(wall.cell, wall.side);
        let point = center.nearest_on(from, to);
        let normal = self.normal(&wall, center);
        Contact { wall: self.wall(wall), point: self.parts.grid.place(point), normal: [normal.x, normal.y] }
    }

    /// Returns the unit direction from a wall to a point, or the inward normal of the wall if the point lies on it.
    pub(crate) fn normal(&self, wall: &NearWall, center: Vec2) -> Vec2 {
        let [from, to] = self.graph().ends(wall.cell, wall.side);
        let away = center - center.nearest_on(from, to);
        if away.length() > ON_WALL * self.slack() { away.unit() } else { (to - from).perp().unit() }
    }
}

/// Returns the stop that is farther along; of equal stops, the one with the lower side.
fn later(known: Option<(f64, u32, usize)>, stop: (f64, u32, usize)) -> Option<(f64, u32, usize)> {
    match known {
        Some(known) if (known.0, stop.2) >= (stop.0, known.2) => Some(known),
        _ => Some(stop),
    }
}

/// Returns the share of a segment that lies on the grid: 1 unless the goal is far outside.
fn part_on_grid(start: Vec2, goal: Vec2) -> f64 {
    let part = |from: f64, to: f64| {
        // This bound lies beyond all vertices.
        let most = f64::from(LIMIT) - 0.5;
        if to.abs() <= most { 1.0 } else { ((most.copysign(to) - from) / (to - from)).clamp(0.0, 1.0) }
    };
    part(start.x, goal.x).min(part(start.y, goal.y))
}

/// True if two closed segments of the fine grid touch; exact.
fn touch([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let (ends, others) = ([side_of(a, b, c), side_of(a, b, d)], [side_of(c, d, a), side_of(c, d, b)]);
    let apart = |sides: [Ordering; 2]| sides[0] == sides[1] && sides[0] != Ordering::Equal;
    if apart(ends) || apart(others) {
        return false;
    }
    let overlap = |a: f64, b: f64, c: f64, d: f64| a.min(b) <= c.max(d) && c.min(d) <= a.max(b);
    let in_line = ends.iter().chain(&others).all(|side| *side == Ordering::Equal);
    !in_line || (overlap(a.x, b.x, c.x, d.x) && overlap(a.y, b.y, c.y, d.y))
}

/// Returns the share of the way from `a` to `b` that lies before the line through `c` and `d`.
fn crossing([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> f64 {
    let part = (c - a).cross(d - c) / (b - a).cross(d - c);
    if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
}

/// Returns the share of the way from `a` to `b` that a disc can go before it is closer to the wall `c` to `d` than its
/// radius. `None` if it can go all the way.
fn entry([a, b]: [Vec2; 2], [c, d]: [Vec2; 2], radius: f64, slack: f64) -> Option<f64> {
    let before = a.distance_to_segment(c, d);
    // The distance to a segment along a line has only one minimum: a disc that first moves away never comes back.
    if segment_distance(a, b, c, d) >= before.min(radius) - slack {
        return None;
    }
    if before <= radius {
        return Some(0.0);
    }
    let corners = [c, d].into_iter().filter_map(|corner| circle_entry(a, b - a, corner, radius));
    let parts = corners.chain(line_entry(a, b - a, [c, d], radius, slack));
    let first = parts.fold(f64::INFINITY, f64::min);
    (first <= 1.0).then_some(first.max(0.0))
}

/// Returns the share of the way at which a ray comes within `radius` of a corner.
fn circle_entry(a: Vec2, way: Vec2, corner: Vec2, radius: f64) -> Option<f64> {
    let (offset, squared) = (corner - a, way.length_squared());
    let (ahead, aside) = (offset.dot(way), offset.cross(way) / squared.sqrt());
    let depth = (radius - aside) * (radius + aside);
    (depth >= 0.0 && ahead > 0.0).then(|| (ahead - (depth * squared).sqrt()) / squared)
}

/// Returns the share of the way at which a ray comes within `radius` of a wall, between the ends of the wall.
fn line_entry(a: Vec2, way: Vec2, [c, d]: [Vec2; 2], radius: f64, slack: f64) -> Option<f64> {
    let along = d - c;
    let normal = along.perp().unit();
    let (height, climb) = (normal.dot(a - c), normal.dot(way));
    let part = (radius.copysign(height) - height) / climb;
    let reach = (a + way * part - c).dot(along);
    // By rounding, a disc that touches at the start may seem to have touched a moment ago.
    let ahead = part >= 0.0 || part * climb.abs() >= -slack;
    (ahead && reach >= 0.0 && reach <= along.length_squared()).then_some(part)
}
