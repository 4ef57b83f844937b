//! Paths over the ground of a scene: how high each place of a path lies.
//!
//! A path is walked from its start through the cells under it, so that it stays on its own floor where others lie over
//! it, or it over itself.

use super::{Path, Piece};
use crate::mesh::{NavMesh, simplified};
use crate::query::Location;
use clearway_geometry::Vec2;

/// Ground that is farther above or below belongs to another floor, in metres.
const SAME_FLOOR: f64 = 1.0;

impl Path {
    /// The path as points in space, right-handed with +Y up, that follow the ground: nowhere farther above or below it
    /// than `tolerance` metres, and arcs replaced by chords as in [`points`](Path::points). At a step two points lie
    /// above each other. The mesh must be the one on which the path was found.
    pub fn points_in_space(&self, mesh: &NavMesh, tolerance: f64) -> Vec<[f64; 3]> {
        let mut points: Vec<[f64; 3]> = Vec::new();
        let tolerance = if tolerance > 0.0 { tolerance } else { 0.0 };
        self.each_chord(mesh, tolerance, |[from, to], line| {
            for (share, height) in simplified(&line, tolerance) {
                let [x, y] = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
                // `0 - y` has no negative zero.
                let point = [x, height, 0.0 - y];
                if points.last() != Some(&point) {
                    points.push(point);
                }
            }
        });
        points
    }

    /// How high the path lies all along it; `None` on the mesh of a plan, where it lies at height zero.
    pub(crate) fn heights(&self, mesh: &NavMesh) -> Option<HeightLine> {
        if !mesh.has_heights() {
            return None;
        }
        let (mut stops, mut along) = (Vec::new(), 0.0);
        self.each_chord(mesh, 0.01, |[from, to], line| {
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            stops.extend(line.iter().map(|(share, height)| (along + length * share, *height)));
            along += length;
        });
        // Chords are a bit shorter than their arcs.
        let stretch = if along > 0.0 { self.length / along } else { 1.0 };
        stops.iter_mut().for_each(|stop| stop.0 *= stretch);
        Some(HeightLine { stops })
    }

    /// Visits the chords of the path, each with the ground under it. A path that is a single place is one chord.
    fn each_chord(
        &self,
        mesh: &NavMesh,
        tolerance: f64,
        mut visit: impl FnMut([[f64; 2]; 2], Vec<(f64, f64)>),
    ) {
        // A chord must not cut the corner that its arc turns around.
        let own = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Arc { center, from, .. } => Some((from[0] - center[0]).hypot(from[1] - center[1])),
            Piece::Segment { .. } => None,
        });
        let most = own.fold(f64::INFINITY, |least, radius| least.min(0.25 * radius));
        let mut points = self.points(tolerance.min(most));
        if points.len() == 1 {
            points.push(self.start);
        }
        let mut cell = match self.cells.first() {
            Some(cell) if mesh.cell(*cell).is_some() => cell.0,
            _ => match mesh.nearest(self.start, f64::INFINITY) {
                Some(near) => near.cell.0,
                None => return,
            },
        };
        let mut under: Vec<Vec2> = points.iter().map(|point| mesh.grid.units(*point)).collect();
        if self.radius == 0.0 {
            keep_off_corners(&mut under);
        }
        for (pair, under) in points.windows(2).zip(under.windows(2)) {
            let (line, last) = line_under(mesh, cell, [under[0], under[1]]);
            cell = last;
            visit([pair[0], pair[1]], line);
        }
    }
}

/// Moves each corner of the path of a point by a grid unit to the outside of its turn. A point runs right along walls,
/// and floors that lie over each other may have one in common: a little off it, only one of them is under the path.
fn keep_off_corners(points: &mut [Vec2]) {
    let corners: Vec<Vec2> =
        points.windows(3).map(|three| three[1] + outwards([three[0], three[1], three[2]])).collect();
    if let Some([_, inner @ .., _]) = points.get_mut(..) {
        inner.copy_from_slice(&corners);
    }
}

/// One unit to the outside of a turn; nothing where there is none.
fn outwards([before, at, after]: [Vec2; 3]) -> Vec2 {
    let [coming, going] = [(at - before).unit(), (after - at).unit()];
    let side = coming.cross(going);
    if side == 0.0 && coming.dot(going) >= 0.0 {
        return Vec2::default();
    }
    let aside = (coming + going).perp() * if side > 0.0 { -1.0 } else { 1.0 };
    (aside + coming - going).unit()
}

/// The ground under a straight move that starts in a cell, and the cell in which it ends.
fn line_under(mesh: &NavMesh, cell: u32, [from, to]: [Vec2; 2]) -> (Vec<(f64, f64)>, u32) {
    if !mesh.has_heights() || from == to {
        let height = mesh.ground_height(cell, from);
        return (vec![(0.0, height), (1.0, height)], cell);
    }
    let reach = mesh.walk(from, cell, to);
    let mut legs: Vec<(f64, f64, u32)> =
        reach.cells.iter().filter_map(|cell| inside(mesh, *cell, [from, to])).collect();
    legs.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    let (mut line, mut done) = (Vec::new(), 0.0);
    for (_, leave, cell) in legs {
        // Cells that the line only touches add nothing.
        if leave - done > 1e-9 {
            let (start, length) = (done, leave - done);
            let [a, b] = [done, leave].map(|share| from + (to - from) * share);
            let leg = mesh.ground_line(cell, [a, b]);
            line.extend(leg.into_iter().map(|(share, height)| (start + length * share, height)));
            done = leave;
        }
    }
    match line.last().copied() {
        // What rounding left over.
        Some((share, height)) if share < 1.0 => line.push((1.0, height)),
        None => line.extend([0.0, 1.0].map(|share| (share, mesh.ground_height(cell, from)))),
        _ => {}
    }
    (line, reach.end)
}

/// Which part of a line lies in a cell, from share to share.
fn inside(mesh: &NavMesh, cell: u32, [from, to]: [Vec2; 2]) -> Option<(f64, f64, u32)> {
    let layout = mesh.layout();
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for side in layout.sides(cell) {
        let [a, b] = layout.ends(cell, side);
        let [before, after] = [from, to].map(|at| (b - a).cross(at - a));
        let cut = before / (before - after);
        if before < after && before < 0.0 {
            enter = enter.max(cut);
        } else if after < before && after < 0.0 {
            leave = leave.min(cut);
        }
    }
    (leave >= enter).then_some((enter, leave.max(0.0), cell))
}

/// How high a path lies all along it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeightLine {
    /// Metres along the path, and heights in metres; in order.
    stops: Vec<(f64, f64)>,
}

impl HeightLine {
    /// The height after this many metres.
    pub fn at(&self, along: f64) -> f64 {
        let next = self.stops.partition_point(|stop| stop.0 < along);
        let after = self.stops.get(next).or(self.stops.last()).copied().unwrap_or_default();
        let before = next.checked_sub(1).and_then(|last| self.stops.get(last)).copied().unwrap_or(after);
        let part = (along - before.0) / (after.0 - before.0);
        if part.is_finite() { before.1 + (after.1 - before.1) * part.clamp(0.0, 1.0) } else { after.1 }
    }

    /// Whether a height is that of the floor on which the path lies after this many metres.
    pub fn is_floor(&self, along: f64, height: f64) -> bool {
        (self.at(along) - height).abs() <= SAME_FLOOR
    }

    /// The location of a place of the path.
    pub fn locate(&self, mesh: &NavMesh, [x, y]: [f64; 2], along: f64) -> Option<Location> {
        mesh.locate([x, self.at(along), 0.0 - y]).ok()
    }
}
