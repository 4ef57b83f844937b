//! Builds the tangent index: what each corner sees, the lines among these, and the tangents along each line.
//!
//! Sight is decided exactly, in integers. Corners are treated in parallel, and the result does not depend on the number
//! of threads. The cost grows with the pairs of corners that see each other, times the corners beside each line.

use super::limits::Limits;
use super::liveness::sort_out;
use super::view::{GridEye, LEFT, RIGHT, View};
use super::{ANGLE_STEP, ROUNDED_ANGLE, Tangent, TangentIndex, angle_in_cone};
use crate::mesh::{CellGraph, Corner, NavMesh};
use crate::path::search::landmarks::split_vertices;
use crate::tolerances::angles::SAME_ANGLE;
use clearway_base::parallel;
use clearway_base::progress::{Progress, begin};
use clearway_base::{Error, ErrorKind, Result};
use clearway_geometry::grid::Vector;
use std::cmp::Ordering;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The most pairs of corners in sight of each other for which an index is built. A pair takes about 30 bytes in the
/// index and 80 more while it is built, so that a build stays below 1 GB. Without an index, paths are found by the search
/// that needs none; where as many corners see each other, it is as fast.
const MOST_PAIRS: usize = 1 << 23;

/// The most corners that may be compared with each other to find limits: for each corner the square of those in sight.
/// It takes about a nanosecond each.
const MOST_COMPARED: u64 = 1 << 34;

/// The corners that are treated between two questions whether to go on.
const AT_ONCE: usize = 1 << 12;

/// The corners in sight of one corner.
struct Sight {
    /// The corners to which lines lead, counter-clockwise.
    corners: Vec<u32>,
    /// The ways to them, on the grid.
    ways: Vec<Vector>,
    /// For each of them, the sides of the line along which it is seen.
    sides: Vec<u8>,
    /// The corners with their places in the list, by corner.
    by_corner: Vec<(u32, u32)>,
}

impl TangentIndex {
    /// Builds the index of a mesh. Fails if `progress` wants to stop, or if the index would be too large.
    pub fn build(mesh: &NavMesh, progress: &mut dyn Progress) -> Result<TangentIndex> {
        begin(progress, "tangents")?;
        let graph = mesh.graph();
        let count = graph.corners.len();
        if count > MOST_PAIRS {
            return Err(too_large());
        }
        let places: Vec<_> = graph.corners.iter().map(|corner| graph.start[corner.side as usize]).collect();
        let seen = see_all(mesh, progress)?;
        let sights = in_shares(count, progress, |corner| Sight::find(mesh, &seen, corner as u32))?;
        drop(seen);
        let limits = in_shares(count, progress, |corner| {
            let ways = &sights[corner].ways;
            (0..ways.len()).map(|to| Limits::find(ways, to)).collect::<Vec<_>>()
        })?;
        let lists = in_shares(count, progress, |corner| tangents_of(graph, &sights, &limits, corner as u32))?;
        let split = split_vertices(graph);
        let split = graph.corners.iter().map(|corner| split[graph.vertex[corner.side as usize] as usize]);
        Ok(sort_out(places, split.collect(), lists.into_iter().flatten().collect()))
    }
}

/// Returns the error for a mesh on which too many corners see each other.
fn too_large() -> Error {
    let text = "too many corners see each other for a path index; searches go on without it".to_string();
    Error::new(ErrorKind::TooLarge, text)
}

/// As `parallel::map`, asking `progress` in between.
fn in_shares<T: Send>(
    count: usize,
    progress: &mut dyn Progress,
    make: impl Fn(usize) -> T + Sync + Send,
) -> Result<Vec<T>> {
    parallel::map_watched(count, AT_ONCE, progress, || (), |(), number| make(number))
}

/// Returns the corners that each corner sees, sorted.
fn see_all(mesh: &NavMesh, progress: &mut dyn Progress) -> Result<Vec<Vec<Seen>>> {
    let graph = mesh.graph();
    let mut all: Vec<Vec<Seen>> = Vec::with_capacity(graph.corners.len());
    let (mut pairs, mut compared) = (0, 0);
    while all.len() < graph.corners.len() {
        clearway_base::progress::go_on(progress)?;
        let first = all.len();
        let here = AT_ONCE.min(graph.corners.len() - first);
        let mut seen = parallel::map_with(here, Default::default, |scratch, number| {
            see(mesh, scratch, (first + number) as u32)
        });
        pairs += seen.iter().map(Vec::len).sum::<usize>();
        compared += seen.iter().map(|seen| (seen.len() as u64).pow(2)).sum::<u64>();
        if pairs > 2 * MOST_PAIRS || compared > MOST_COMPARED {
            return Err(too_large());
        }
        all.append(&mut seen);
    }
    Ok(all)
}

/// A corner in sight, and the sides of the line along which it is seen.
type Seen = (u32, u8);

/// Returns the corners that a corner sees, sorted.
fn see(mesh: &NavMesh, (view, cells): &mut (View<Vector>, Vec<u32>), number: u32) -> Vec<Seen> {
    let graph = mesh.graph();
    let corner = &graph.corners[number as usize];
    cells.clear();
    graph.fan(corner, |cell, _| cells.push(cell));
    let at = mesh.parts.points[graph.vertex[corner.side as usize] as usize];
    view.look(graph, &GridEye { at, points: &mesh.parts.points }, cells, |_, _| ());
    let others = view.seen.iter().filter(|other| **other != number);
    let mut seen: Vec<Seen> = others.map(|other| (*other, view.sides_of(*other))).collect();
    seen.sort_unstable();
    seen
}

impl Sight {
    /// Finds the corners to which lines lead from a corner: those that see it as well, unless a third one stands on the
    /// line. A path then touches the third corner: the free space beside the line makes an angle of at least half a turn
    /// there, which is the one that the corner bounds. So the third corner sees both. Corners in one direction that do
    /// not see each other stand on different floors, along the edge between these.
    fn find(mesh: &NavMesh, seen: &[Vec<Seen>], number: u32) -> Sight {
        let graph = mesh.graph();
        let corner = &graph.corners[number as usize];
        let point = |corner: u32| {
            mesh.parts.points[graph.vertex[graph.corners[corner as usize].side as usize] as usize]
        };
        let at = point(number);
        let wall =
            mesh.parts.points[graph.vertex[graph.next(corner.cell, corner.side as usize)] as usize] - at;
        let sees = |from: u32, to: u32| seen[from as usize].binary_search_by_key(&to, |seen| seen.0).is_ok();
        let in_sight = seen[number as usize].iter().filter(|other| sees(other.0, number));
        let mut lines: Vec<(Vector, u32, u8)> = in_sight
            .map(|(other, sides)| (point(*other) - at, *other, *sides))
            .filter(|(way, ..)| way.length_squared() > 0)
            .collect();
        lines.sort_unstable_by(|a, b| {
            let longer = a.0.length_squared().cmp(&b.0.length_squared());
            around(wall, a.0, b.0).then(longer).then(a.1.cmp(&b.1))
        });
        let mut kept: Vec<(Vector, u32, u8)> = Vec::with_capacity(lines.len());
        for (way, other, sides) in lines {
            let in_line = kept.iter().rev().take_while(|before| around(wall, before.0, way).is_eq());
            if !in_line.clone().any(|(_, between, _)| sees(*between, other) && sees(other, *between)) {
                kept.push((way, other, sides));
            }
        }
        let mut sight = Sight {
            by_corner: kept.iter().zip(0..).map(|((_, other, _), place)| (*other, place)).collect(),
            corners: kept.iter().map(|line| line.1).collect(),
            ways: kept.iter().map(|line| line.0).collect(),
            sides: kept.iter().map(|line| line.2).collect(),
        };
        sight.by_corner.sort_unstable();
        sight
    }

    /// Returns the place of a corner in the list.
    fn place_of(&self, corner: u32) -> Option<usize> {
        let found = self.by_corner.binary_search_by_key(&corner, |entry| entry.0).ok()?;
        Some(self.by_corner[found].1 as usize)
    }
}

/// Compares two ways by their angle from `first`, counter-clockwise over the full turn.
fn around(first: Vector, a: Vector, b: Vector) -> Ordering {
    let is_behind = |way: Vector| {
        let cross = first.cross(way);
        cross < 0 || (cross == 0 && first.dot(way) < 0)
    };
    is_behind(a).cmp(&is_behind(b)).then_with(|| 0.cmp(&a.cross(b)))
}

/// Returns the tangents that leave a corner, those to the left and those to the right.
fn tangents_of(
    graph: &CellGraph,
    sights: &[Sight],
    limits: &[Vec<Limits>],
    number: u32,
) -> [Vec<Tangent>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    let (sight, corner) = (&sights[number as usize], &graph.corners[number as usize]);
    for (place, (other, way)) in sight.corners.iter().zip(&sight.ways).enumerate() {
        let Some(back) = sights[*other as usize].place_of(number) else { continue };
        let line = Line::new([corner, &graph.corners[*other as usize]], *way);
        let room = sight.sides[place];
        let limits = [&limits[number as usize][place], &limits[*other as usize][back]];
        for (hand, list) in lists.iter_mut().enumerate() {
            for other_hand in 0..2 {
                if let Some(widest) = line.widest(limits, room, [hand, other_hand]) {
                    let end = 2 * other + other_hand as u32;
                    list.push(line.tangent(end, widest, [hand, other_hand]));
                }
            }
        }
    }
    // The order of files: around the corner it would depend on more than the tangents.
    for list in &mut lists {
        list.sort_unstable_by_key(Tangent::end);
    }
    lists
}

/// A line between two corners.
pub(super) struct Line {
    /// Its length in grid units.
    length: f64,
    /// For both corners, the angles in their cones of a point that passes them along the line, turning left and right.
    angles: [[f64; 2]; 2],
    /// The angles of both cones.
    spans: [f64; 2],
    /// For both corners, true if it is the end of a wall without thickness that lies along the line.
    is_along_wall: [bool; 2],
}

impl Line {
    /// Measures the line from one corner to another.
    pub fn new(corners: [&Corner; 2], way: Vector) -> Line {
        let direction = clearway_geometry::Vec2::new(way.x as f64, way.y as f64).unit();
        let angles = corners.map(|corner| {
            let left = angle_in_cone(corner, -direction.perp());
            // The normal of a turn to the right points the other way.
            let right = if left > 0.5 * corner.span { left - PI } else { left + PI };
            [left, right]
        });
        debug_assert!(angles.iter().flatten().all(|angle| angle.abs() <= TAU));
        // The normal of a wall that leaves the corner along the line is perpendicular to it.
        let is_along = |corner: &Corner, way: clearway_geometry::Vec2| {
            corner.span >= PI
                && corner.first.cross(way.perp()).abs() < SAME_ANGLE
                && corner.first.dot(way.perp()) > 0.0
        };
        let is_along_wall = [is_along(corners[0], direction), is_along(corners[1], -direction)];
        Line { length: way.length(), angles, spans: corners.map(|corner| corner.span), is_along_wall }
    }

    /// Returns the tangent along the line with these hands.
    pub fn tangent(&self, end: u32, widest: f32, [hand, other]: [usize; 2]) -> Tangent {
        let angles = [self.angles[0][hand], self.angles[1][other]];
        let [leaves, arrives] = angles.map(|angle| (angle / ANGLE_STEP).round() as i16);
        Tangent { end, widest, leaves, arrives }
    }

    /// Returns the widest radius for the tangent along the line with these hands; `None` if no body turns around both
    /// corners so. `room` are the sides of the line along which its end is seen.
    fn widest(&self, limits: [&Limits; 2], room: u8, [hand, other]: [usize; 2]) -> Option<f32> {
        let least = self.least_turn([hand, other])?;
        let room = [room & LEFT != 0, room & RIGHT != 0];
        if hand == other {
            // A body that turns left has the corners on its left, so that its strip widens to the right.
            let side = 1 - hand;
            return room[side].then(|| limits[0].beside[side].min(limits[1].beside[1 - side]));
        }
        if room != [true; 2] {
            // Something touches the line. A point passes, unless it would pass the end of a wall on the wrong side.
            let side = usize::from(room[1]);
            let fits = |end: usize, hand: usize| !self.is_along_wall[end] || hand == 1 - side;
            return (fits(0, hand) && fits(1, other) && least <= ROUNDED_ANGLE).then_some(0.0);
        }
        let widest = limits[0].turning[hand].min(limits[1].turning[hand]);
        let widest = widest.min(super::limits::rounded_down(0.5 * self.length));
        let reached = (2.0 * f64::from(widest) / self.length).min(1.0).asin();
        (reached >= least - ROUNDED_ANGLE).then_some(widest)
    }

    /// Returns the least angle by which the tangent turns away from the line so that it touches both corners within
    /// their cones. It turns to the hand of the first corner, and only if the hands differ.
    fn least_turn(&self, hands: [usize; 2]) -> Option<f64> {
        let sign = if hands[0] == 0 { 1.0 } else { -1.0 };
        let (mut least, mut most) = (0.0f64, if hands[0] == hands[1] { 0.0 } else { FRAC_PI_2 });
        for ((angles, hand), span) in self.angles.iter().zip(hands).zip(self.spans) {
            let angle = angles[hand];
            // The turns at which the angle enters and leaves the cone.
            let ends = if sign > 0.0 { [-angle, span - angle] } else { [angle - span, angle] };
            least = least.max(ends[0] - SAME_ANGLE);
            most = most.min(ends[1] + SAME_ANGLE);
        }
        (least <= most).then_some(least)
    }
}
