//! Straight moves of a point or a disc until a wall stops them.
//!
//! A point walks through every portal that its segment touches, decided exactly. Each cell covers one piece of
//! the segment, and pieces of cells on both sides of a touched portal share a point, so that together they cover
//! the segment from its start without a gap: the walk ends where the last of them ends. Vertices on the segment
//! and portals along it need no care, and no cell is entered twice.
//!
//! A disc is stopped by the first wall to which its center would come closer than the radius. All walls within
//! the radius of the segment are found by walking.

use super::flood::Flood;
use super::side::{fine, side_of};
use super::walls::{NearWall, Wall};
use super::{Location, Position};
use crate::mesh::{CellId, NavMesh};
use crate::tolerances::slacks::{ON_WALL, STOPPED_BESIDE, TOUCHING};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::vec2::segment_distance;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;

/// How far a straight move came.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RayHit {
    /// Where the point or the center of the disc stopped: at the target, or where it touches the wall.
    pub at: Location,
    /// How far it came, in metres.
    pub distance: f64,
    /// How far it came, as a part of the whole way: 1 at the target.
    pub fraction: f64,
    /// What stopped it; `None` when it reached the target.
    pub contact: Option<Contact>,
}

impl RayHit {
    /// Whether nothing was in the way.
    pub fn reached(&self) -> bool {
        self.contact.is_none()
    }
}

/// Where a move was stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Contact {
    /// The wall; its distance is that from where the center stopped.
    pub wall: Wall,
    /// The point of the wall that was touched, in plan coordinates.
    pub point: [f64; 2],
    /// The direction away from the wall there, of length one.
    pub normal: [f64; 2],
}

/// A straight move in grid units: which part of the way was free, the cells that the center ran through, the one
/// it ended in, and the wall that stopped it.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The share of the way that is free.
    pub fraction: f64,
    /// The cells on the way.
    pub cells: Vec<u32>,
    /// The last cell.
    pub end: u32,
    /// The wall that stopped it.
    pub wall: Option<NearWall>,
}

impl NavMesh {
    /// Moves a disc straight from a place towards `to` until it touches a wall; with radius 0, a point. Touching is
    /// allowed: a point may run along a wall or through the tip of one, a disc may graze it.
    ///
    /// A disc that is closer to a wall than its radius from the start may move along it or away from it; a move
    /// that brings it closer stops at once.
    ///
    /// It stays on the ground: the height of a target in space does not matter.
    ///
    /// `None` for a location that is not one of this mesh, a target that is not finite, or a radius that is negative
    /// or not finite.
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

    /// Moves a disc (radius in grid units; 0 for a point) from a place in a cell straight towards a goal.
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

    /// Moves a point from a place in a cell straight towards a goal.
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

    /// The location where a move stopped: in one of its cells or right beside them, as near as rounding allows.
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
        // The cells around a place are the same from each of them: a few do.
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

    fn contact(&self, wall: NearWall, center: Vec2) -> Contact {
        let [from, to] = self.graph().ends(wall.cell, wall.side);
        let point = center.nearest_on(from, to);
        let normal = self.normal(&wall, center);
        Contact { wall: self.wall(wall), point: self.parts.grid.place(point), normal: [normal.x, normal.y] }
    }

    /// The direction from a wall to a place, or the inward direction of the wall where the place lies on it.
    pub(crate) fn normal(&self, wall: &NearWall, center: Vec2) -> Vec2 {
        let [from, to] = self.graph().ends(wall.cell, wall.side);
        let away = center - center.nearest_on(from, to);
        if away.length() > ON_WALL * self.slack() { away.unit() } else { (to - from).perp().unit() }
    }
}

/// Of two stops the one farther along; of equal ones that with the lower side.
fn later(known: Option<(f64, u32, usize)>, stop: (f64, u32, usize)) -> Option<(f64, u32, usize)> {
    match known {
        Some(known) if (known.0, stop.2) >= (stop.0, known.2) => Some(known),
        _ => Some(stop),
    }
}

/// Which part of a segment lies on the grid: 1 unless the goal is far outside.
fn part_on_grid(start: Vec2, goal: Vec2) -> f64 {
    let part = |from: f64, to: f64| {
        // Beyond all vertices.
        let most = f64::from(LIMIT) - 0.5;
        if to.abs() <= most { 1.0 } else { ((most.copysign(to) - from) / (to - from)).clamp(0.0, 1.0) }
    };
    part(start.x, goal.x).min(part(start.y, goal.y))
}

/// Whether two closed segments of the fine grid touch, exactly.
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

/// Which part of the way from `a` to `b` lies before the line through `c` and `d`.
fn crossing([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> f64 {
    let part = (c - a).cross(d - c) / (b - a).cross(d - c);
    if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
}

/// Which part of the way from `a` to `b` a disc can go until it is closer to a wall than its radius; `None` when
/// it can go all the way.
fn entry([a, b]: [Vec2; 2], [c, d]: [Vec2; 2], radius: f64, slack: f64) -> Option<f64> {
    let before = a.distance_to_segment(c, d);
    // The distance to a segment has no second minimum along a line: what moves away at first never comes back.
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

/// Where a ray comes as near as `radius` to a corner.
fn circle_entry(a: Vec2, way: Vec2, corner: Vec2, radius: f64) -> Option<f64> {
    let (offset, squared) = (corner - a, way.length_squared());
    let (ahead, aside) = (offset.dot(way), offset.cross(way) / squared.sqrt());
    let depth = (radius - aside) * (radius + aside);
    (depth >= 0.0 && ahead > 0.0).then(|| (ahead - (depth * squared).sqrt()) / squared)
}

/// Where a ray comes as near as `radius` to a wall beside it, between its ends.
fn line_entry(a: Vec2, way: Vec2, [c, d]: [Vec2; 2], radius: f64, slack: f64) -> Option<f64> {
    let along = d - c;
    let normal = along.perp().unit();
    let (height, climb) = (normal.dot(a - c), normal.dot(way));
    let part = (radius.copysign(height) - height) / climb;
    let reach = (a + way * part - c).dot(along);
    // A disc that touches at the start may by rounding seem to have touched a moment ago.
    let ahead = part >= 0.0 || part * climb.abs() >= -slack;
    (ahead && reach >= 0.0 && reach <= along.length_squared()).then_some(part)
}
