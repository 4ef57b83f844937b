//! Paths over the ground of a scene: the height of each point of a path.
//!
//! A path is walked from its start through the cells under it. So it stays on its own floor where other floors lie over
//! it, or where it lies over itself.

use super::search::{Walk, off_corners};
use super::{Leg, Path, Piece};
use crate::mesh::{CellId, NavMesh, simplified};
use crate::query::{Location, in_world};
use crate::tolerances::metres::{BRIEF, FLOOR_OF_PATH, ONE_PLACE};
use crate::tolerances::shares::TOUCHED_SHARE;
use clearway_geometry::Vec2;

impl Path {
    /// Returns the path as points in space, right-handed with +Y up, that follow the ground. They are nowhere farther
    /// above or below it than `tolerance` metres; arcs are replaced by chords as in [`points`](Path::points). At a step
    /// two points lie above each other. The mesh must be the one on which the path was found.
    pub fn points_in_space(&self, mesh: &NavMesh, tolerance: f64) -> Vec<[f64; 3]> {
        if self.links.is_empty() {
            return self.walked_points(mesh, tolerance);
        }
        let points = self.legs().into_iter().flat_map(|leg| match leg {
            Leg::Walk(walk) => walk.walked_points(mesh, tolerance),
            Leg::Link(ride) => vec![ride.from, ride.to],
        });
        let mut points: Vec<[f64; 3]> = points.collect();
        points.dedup_by(|next, last| is_one_place(last, next));
        points
    }

    /// Returns the points in space of a path without links.
    fn walked_points(&self, mesh: &NavMesh, tolerance: f64) -> Vec<[f64; 3]> {
        let mut points: Vec<[f64; 3]> = Vec::new();
        let tolerance = if tolerance > 0.0 { tolerance } else { 0.0 };
        self.each_chord(mesh, tolerance, |[from, to], line| {
            for (share, height) in simplified(&line, tolerance) {
                let at = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
                let point = in_world(at, height);
                if points.last().is_none_or(|last| !is_one_place(last, &point)) {
                    points.push(point);
                }
            }
        });
        let is_near = |p: &[f64; 3], q: &[f64; 3]| (p[0] - q[0]).hypot(p[2] - q[2]) <= BRIEF;
        without_leaps(mesh, points, is_near, |point| point[1])
    }

    /// Returns the length of the path along the ground, up and down, in metres. On the mesh of a plan it is its
    /// [`length`](Path::length).
    pub fn length_on_ground(&self, mesh: &NavMesh) -> f64 {
        let Some(line) = self.heights(mesh) else { return self.length };
        line.stops.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum()
    }

    /// Returns the height of the path all along it; `None` on the mesh of a plan, where it lies at height zero.
    pub fn heights(&self, mesh: &NavMesh) -> Option<HeightLine> {
        if !mesh.has_heights() {
            return None;
        }
        if self.links.is_empty() {
            return Some(HeightLine { stops: self.walked_heights(mesh) });
        }
        let (mut stops, mut along) = (Vec::new(), 0.0);
        for leg in self.legs() {
            let (line, length) = match &leg {
                Leg::Walk(walk) => (walk.walked_heights(mesh), walk.length),
                Leg::Link(ride) => {
                    let length = self.pieces[ride.piece].length();
                    (vec![(0.0, ride.from[1]), (length, ride.to[1])], length)
                }
            };
            stops.extend(line.into_iter().map(|(part, height)| (along + part, height)));
            along += length;
        }
        Some(HeightLine { stops })
    }

    /// Returns metres along a path without links, and the heights there.
    fn walked_heights(&self, mesh: &NavMesh) -> Vec<(f64, f64)> {
        let (mut stops, mut along) = (Vec::new(), 0.0);
        self.each_chord(mesh, 0.01, |[from, to], line| {
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            stops.extend(line.iter().map(|(share, height)| (along + length * share, *height)));
            along += length;
        });
        // Chords are a bit shorter than their arcs, so the positions are stretched to the true length.
        let stretch = if along > 0.0 { self.length / along } else { 1.0 };
        stops.iter_mut().for_each(|stop: &mut (f64, f64)| stop.0 *= stretch);
        without_leaps(mesh, stops, |p, q| (p.0 - q.0).abs() <= BRIEF, |stop| stop.1)
    }

    /// Returns the path as points in space, cut where it passes between cells for which `is_shown` differs. Each part
    /// says whether it runs on such cells; its points are as in [`points_in_space`](Path::points_in_space).
    pub fn stretches(
        &self,
        mesh: &NavMesh,
        tolerance: f64,
        is_shown: impl Fn(u32) -> bool,
    ) -> Vec<(bool, Vec<[f64; 3]>)> {
        let mut stretches: Vec<(bool, Vec<[f64; 3]>)> = Vec::new();
        self.each_leg(mesh, tolerance, |[from, to], cells, leg| {
            for (cell, line) in lines_over(mesh, cells, leg) {
                let shown = is_shown(cell);
                if stretches.last().is_none_or(|stretch| stretch.0 != shown) {
                    stretches.push((shown, Vec::new()));
                }
                let Some((_, points)) = stretches.last_mut() else { continue };
                points.extend(simplified(&line, tolerance).into_iter().map(|(share, height)| {
                    let at = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
                    in_world(at, height)
                }));
            }
        });
        stretches
    }

    /// Visits the chords of the path, each with the ground under it. A path of no length is one chord.
    fn each_chord(
        &self,
        mesh: &NavMesh,
        tolerance: f64,
        mut visit: impl FnMut([[f64; 2]; 2], Vec<(f64, f64)>),
    ) {
        self.each_leg(mesh, tolerance, |chord, cells, leg| {
            let lines = lines_over(mesh, cells, leg);
            visit(chord, lines.into_iter().flat_map(|(_, line)| line).collect());
        });
    }

    /// Visits the chords of the path, each with the cells that it leads through, and the straight move that is walked
    /// there.
    fn each_leg(
        &self,
        mesh: &NavMesh,
        tolerance: f64,
        mut visit: impl FnMut([[f64; 2]; 2], &[u32], [Vec2; 2]),
    ) {
        // A chord must not cut the corner that its arc turns around.
        let own = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Arc { center, from, .. } => Some((from[0] - center[0]).hypot(from[1] - center[1])),
            Piece::Segment { .. } | Piece::Link { .. } => None,
        });
        let most = own.fold(f64::INFINITY, |least, radius| least.min(0.25 * radius));
        let mut points = self.points(tolerance.min(most));
        if points.len() == 1 {
            points.push(self.start);
        }
        // Numbers of cells mean nothing on a mesh that was edited since.
        let is_first = |cell: CellId| match mesh.is_edited() {
            true => mesh.is_here(&Location { cell, position: self.start }),
            false => mesh.cell(cell).is_some(),
        };
        let first = self.cells.first().copied().filter(|cell| is_first(*cell));
        let near = || self.start_on(mesh).or_else(|| mesh.nearest(self.start, f64::INFINITY));
        let Some(CellId(cell)) = first.or_else(|| Some(near()?.cell)) else { return };
        let places: Vec<Vec2> = points.iter().map(|point| mesh.parts.grid.units(*point)).collect();
        let legs = match self.radius {
            0.0 => self.off_corners(mesh, cell, &places),
            _ => places.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
        };
        let mut walk = Walk::new(mesh, cell);
        for (number, pair) in points.windows(2).enumerate() {
            // Legs kept off a corner do not meet; the walk also passes the gap between them.
            if let Some(before) = number.checked_sub(1) {
                walk.go(legs[before][1], legs[number][0]);
            }
            let first = walk.cells.len() - 1;
            walk.go(legs[number][0], legs[number][1]);
            visit([pair[0], pair[1]], &walk.cells[first..], legs[number]);
        }
    }
}

/// True if two points are one up to rounding.
fn is_one_place(p: &[f64; 3], q: &[f64; 3]) -> bool {
    p.iter().zip(q).all(|(p, q)| (p - q).abs() <= ONE_PLACE)
}

impl Path {
    /// Returns the legs of a point through these points, a little off corners. Where the path turns right back, it does
    /// not say on which side; but only one of the two sides leads to where it ends.
    fn off_corners(&self, mesh: &NavMesh, cell: u32, places: &[Vec2]) -> Vec<[Vec2; 2]> {
        let legs = |hand: f64| off_corners(places, |_| hand);
        let left = legs(1.0);
        let turns_back = |at: &[Vec2]| {
            let [coming, going] = [at[1] - at[0], at[2] - at[1]];
            coming.cross(going) == 0.0 && coming.dot(going) < 0.0
        };
        if !places.windows(3).any(turns_back) {
            return left;
        }
        let mut walk = Walk::new(mesh, cell);
        (0..left.len()).for_each(|number| walk.pass(&left[..number], left[number]));
        let ends_right = walk.cells.last() == self.cells.last().map(|cell| &cell.0);
        if ends_right { left } else { legs(-1.0) }
    }
}

/// Drops points that leap to another floor and come back at once. Where the rim of a floor lies over the side of a
/// ramp, up to rounding, the ground of the ramp is meant.
fn without_leaps<T>(
    mesh: &NavMesh,
    points: Vec<T>,
    is_near: impl Fn(&T, &T) -> bool,
    height: impl Fn(&T) -> f64,
) -> Vec<T> {
    let step = mesh.max_step().unwrap_or(0.0) + BRIEF;
    let mut kept: Vec<T> = Vec::with_capacity(points.len());
    for point in points {
        let mut before = kept.iter().rev().take_while(|other| is_near(other, &point));
        let leapt = before.position(|other| (height(other) - height(&point)).abs() <= step);
        kept.truncate(kept.len() - leapt.unwrap_or(0));
        kept.push(point);
    }
    kept
}

/// A cell, and the shares of a straight move on it with the heights of the ground there.
type CellLine = (u32, Vec<(f64, f64)>);

/// Returns the ground under a straight move that leads through `cells` in this order: shares of the move and heights,
/// for each cell that it does not only touch.
fn lines_over(mesh: &NavMesh, cells: &[u32], [from, to]: [Vec2; 2]) -> Vec<CellLine> {
    let (mut lines, mut done): (Vec<CellLine>, f64) = (Vec::new(), 0.0);
    let last = cells.last().copied().unwrap_or(0);
    let level =
        |shares: [f64; 2]| (last, shares.map(|share| (share, mesh.ground_height(last, from))).to_vec());
    if from == to {
        return vec![level([0.0, 1.0])];
    }
    for (place, cell) in cells.iter().enumerate() {
        let is_last = place + 1 == cells.len();
        let leave = if is_last { 1.0 } else { inside(mesh, *cell, [from, to]).map_or(done, |leg| leg[1]) };
        if leave - done > TOUCHED_SHARE {
            let (start, length) = (done, leave - done);
            let [a, b] = [done, leave].map(|share| from + (to - from) * share);
            let leg = mesh.ground_line(*cell, [a, b]);
            let line = leg.into_iter().map(|(share, height)| (start + length * share, height));
            lines.push((*cell, line.collect()));
            done = leave;
        }
    }
    let end = lines.last_mut().and_then(|(_, line)| line.last().copied().map(|end| (line, end)));
    match end {
        // Rounding may leave the end of the move uncovered.
        Some((line, (share, height))) if share < 1.0 => line.push((1.0, height)),
        None => lines = vec![level([0.0, 1.0])],
        _ => {}
    }
    lines
}

/// Returns the first and the last share of a line that lie in a cell.
fn inside(mesh: &NavMesh, cell: u32, [from, to]: [Vec2; 2]) -> Option<[f64; 2]> {
    let layout = mesh.graph();
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
    (leave >= enter).then_some([enter, leave.max(0.0)])
}

/// The height of a path all along it.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightLine {
    /// Metres along the path and heights in metres, in order.
    stops: Vec<(f64, f64)>,
}

impl HeightLine {
    /// Returns the height after this many metres.
    pub fn at(&self, along: f64) -> f64 {
        let next = self.stops.partition_point(|stop| stop.0 < along);
        let after = self.stops.get(next).or(self.stops.last()).copied().unwrap_or_default();
        let before = next.checked_sub(1).and_then(|last| self.stops.get(last)).copied().unwrap_or(after);
        let part = (along - before.0) / (after.0 - before.0);
        if part.is_finite() { before.1 + (after.1 - before.1) * part.clamp(0.0, 1.0) } else { after.1 }
    }

    /// True if a height belongs to the floor on which the path lies after this many metres.
    pub fn is_floor(&self, along: f64, height: f64) -> bool {
        (self.at(along) - height).abs() <= FLOOR_OF_PATH
    }

    /// Returns the location of a point of the path after `along` metres.
    pub fn locate(&self, mesh: &NavMesh, place: [f64; 2], along: f64) -> Option<Location> {
        mesh.locate_at(place, self.at(along))
    }
}
