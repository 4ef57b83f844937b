//! The triangles of a scene on the grid, in an order that does not depend on how they were listed.
//!
//! Invariant: corners are distinct and sorted when they are welded; faces are sorted by kind, then by corners, each
//! once. So equal scenes give equal soups. Cost: sorting, plus one look-up in a grid of boxes per corner.

use crate::surface::faces::edge_table::EdgeTable;
use crate::surface::faces::t_joints::{Also, cut_at_joints};
use crate::surface::faces::tiles::Laying;
use crate::surface::grid_rules::GridRules;
use crate::surface::rules::WalkRules;
use crate::surface::tolerances::soup::{JOINT_UPRIGHT, THIN, WELD, WELD_UPRIGHT};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::parallel::{sort_by_number, sort_by_place};
use clearway_geometry::boxes::{Box2, Box3, BoxGrid};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::predicates::orient;
use clearway_geometry::{Grid, NONE, Point, Vec2};
use clearway_world::scene::Scene;
use rayon::prelude::*;
use std::cmp::Ordering;

/// The grid unit of scenes is 2 to this power, in metres: a quarter of a millimetre. It is fixed, so that all
/// tolerances in grid units are lengths as well; coordinates may then reach 65 km.
pub const EXPONENT: i32 = -12;

/// The role of a triangle for a walker. The order is the order of faces in the soup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It faces up and is not too steep.
    Walkable,
    /// It has area in projection, but nobody can stand on it.
    Blocking,
    /// It has hardly any area in projection: it counts as a line.
    Upright,
}

/// A corner on the grid: a point of the ground plane, and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Corner {
    /// The point of the ground plane, in grid units.
    pub at: Point,
    /// The height, in grid units.
    pub height: i32,
}

/// A triangle of the soup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Indices of corners; counter-clockwise as seen from above, unless the face is upright. The lowest index comes
    /// first.
    pub corners: [u32; 3],
    /// Its role for a walker.
    pub kind: Kind,
    /// True if it faces up.
    pub is_up: bool,
    /// True if it belongs to a steep strip so low and narrow that one steps over it.
    pub is_slight: bool,
    /// The area class of its part of the scene.
    pub area: u8,
}

impl Face {
    /// Packs the sort key into one number: kind, corners, direction. Of two faces that differ only in their area class,
    /// the higher class comes first, and stays when repeated faces are dropped.
    fn rank(&self) -> u128 {
        let corners =
            self.corners.iter().fold(self.kind as u128, |rank, corner| rank << 32 | u128::from(*corner));
        corners << 9 | u128::from(self.is_up) << 8 | u128::from(u8::MAX - self.area)
    }
}

impl Ord for Face {
    fn cmp(&self, other: &Face) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Face {
    fn partial_cmp(&self, other: &Face) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// All faces of a soup in grids of boxes: walkable ones, and the others.
#[derive(Debug)]
pub struct FaceBins {
    /// The walkable faces. One layer serves, since they are mostly asked for at any height.
    pub floors: BoxGrid<Box3>,
    /// All other faces, in layers by height.
    pub others: BoxGrid<Box3>,
}

impl FaceBins {
    /// The most bins that a face lies in on average. Many faces are large, and large boxes look them up: finer bins
    /// would list the same face again and again.
    const MOST_ENTRIES: i64 = 4;

    /// Sorts all faces of a settled soup into bins.
    pub fn of(soup: &Soup) -> FaceBins {
        let room = |face: u32| soup.room(face);
        let rooms: Vec<Box3> = (0..soup.faces.len() as u32).into_par_iter().map(room).collect();
        let (floors, others) = rooms.split_at(soup.walkable() as usize);
        let (floors, others) = rayon::join(
            || BoxGrid::with_entries(floors, 0, Self::MOST_ENTRIES),
            || BoxGrid::in_layers(others, soup.walkable(), Self::MOST_ENTRIES),
        );
        FaceBins { floors, others }
    }

    /// Calls `visit` once for each face whose box touches this one, at any height.
    pub fn each_touching(&self, extent: &Box2, mut visit: impl FnMut(u32)) {
        self.floors.each_touching(extent, &mut visit);
        self.others.each_touching(extent, &mut visit);
    }
}

/// All triangles that span something, sorted and each once.
#[derive(Debug)]
pub struct Soup {
    /// The grid of scenes.
    pub grid: Grid,
    /// The rules of the walker in units of the grid.
    pub rules: GridRules,
    /// All corners; faces name them by index.
    pub corners: Vec<Corner>,
    /// All faces, sorted by kind: walkable, blocking, upright.
    pub faces: Vec<Face>,
    /// The weld distance along each axis, in grid units; 0 where no gap is bridged.
    pub near: i32,
    /// The corners of each face. They are copied here once, because look-ups by index are slow.
    places: Vec<[Corner; 3]>,
    /// The heights of the lowest and the highest corner of each face: often these alone decide.
    heights: Vec<(i32, i32)>,
    /// The number of walkable faces, which come first.
    walkable: u32,
    /// The index of the first upright face; upright faces come last.
    first_upright: u32,
    /// The number of walkable triangles before faces were cut and thresholds laid.
    pub gentle: usize,
    /// The number of triangles that vanished on the grid.
    pub vanished: usize,
    /// The number of triangles that repeated others.
    pub repeated: usize,
    /// The longest distance by which rounding moved a vertex, in metres.
    pub moved: f64,
    /// The moves of tile corners; `None` if none was moved.
    pub laid_together: Option<LaidTogether>,
    /// One corner of each floor that was laid into a doorway.
    pub thresholds: Vec<Corner>,
    /// The start of each side in a tangle. No doorway was looked for beside these sides, because too many others cross
    /// them.
    pub tangled: Vec<Corner>,
}

/// The moves of tile corners, for the report.
#[derive(Clone, Copy, Debug)]
pub struct LaidTogether {
    /// The number of corners that were moved.
    pub count: u64,
    /// The position of the first of them before its move.
    pub first: Corner,
    /// The longest move, in grid units.
    pub farthest: f64,
}

impl Soup {
    /// Rounds a scene to the grid and mends its faces.
    pub fn of(scene: &Scene, rules: &WalkRules) -> Result<Soup> {
        let grid = Grid::new([0.0; 2], EXPONENT)
            .ok_or_else(|| Error::new(ErrorKind::OutOfRange, "the grid of scenes is out of range"))?;
        let snapped = snap_all(&grid, &scene.vertices)?;
        let grid_rules = GridRules::of(rules, grid.unit());
        let near = grid_rules.gap.min(WELD) as i32;
        let (moved, (corners, number_of)) = rayon::join(
            || farthest_move(&grid, &scene.vertices, &snapped),
            || numbered(&snapped, &used(scene), near),
        );
        check_numbers(scene)?;
        let faces = faces_of(scene, &corners, &number_of, rules.least_upright());
        let vanished = scene.triangles.len() - faces.len();
        let mut soup =
            Soup { faces, vanished, moved, ..Soup::without_faces(grid, grid_rules, near, corners) };
        soup.sort();
        // Without bridged gaps the input is taken as drawn: nothing is welded, moved or laid.
        if near > 0 {
            soup.lay_tiles();
            soup.lay_thresholds(grid_rules.widest_gap, grid_rules.limits);
        } else {
            soup.gentle = soup.count_up_to(Kind::Walkable);
        }
        let step = grid_rules.limits.step;
        soup.raise_low_kerbs(step, grid_rules.gap);
        soup.mark_slight_strips(step as i64, grid_rules.gap);
        soup.settle();
        Ok(soup)
    }

    /// Makes a soup of corners only.
    fn without_faces(grid: Grid, rules: GridRules, near: i32, corners: Vec<Corner>) -> Soup {
        Soup {
            grid,
            rules,
            corners,
            faces: Vec::new(),
            places: Vec::new(),
            heights: Vec::new(),
            walkable: 0,
            first_upright: 0,
            near,
            gentle: 0,
            vanished: 0,
            repeated: 0,
            moved: 0.0,
            laid_together: None,
            thresholds: Vec::new(),
            tangled: Vec::new(),
        }
    }

    /// Moves tiles that nearly meet together, then cuts faces at corners of others that lie on or beside their sides.
    fn lay_tiles(&mut self) {
        let laying = Laying::within(self.rules.gap, self.rules.limits);
        let mut edges = self.edges_up_to(Kind::Blocking);
        let mut open = laying.open_sides(self, &edges);
        if let Some(goals) = laying.meeting_places(self, &open) {
            self.move_floors(&goals);
            self.sort();
            // The moves changed which sides are free.
            edges = self.edges_up_to(Kind::Blocking);
            open = laying.open_sides(self, &edges);
        }
        self.gentle = self.count_up_to(Kind::Walkable);
        self.cut(&edges, Also::Tiles(&laying, &open));
    }

    /// Moves corners of walkable faces to their `goals`. All other faces stay, so that no wall moves along.
    ///
    /// A moved corner therefore becomes two: the old one for other faces, and one at its goal for floors.
    fn move_floors(&mut self, goals: &[Point]) {
        let moved = || (0usize..).zip(&self.corners).zip(goals).filter(|((_, from), to)| from.at != **to);
        self.laid_together = moved().next().map(|((_, first), _)| LaidTogether {
            count: moved().count() as u64,
            first: *first,
            farthest: moved().map(|((_, from), to)| from.at.distance(*to)).fold(0.0, f64::max),
        });
        let (mut corners, mut as_floor) = (self.corners.clone(), (0..self.corners.len()).collect::<Vec<_>>());
        for ((number, corner), goal) in moved() {
            as_floor[number] = corners.len();
            corners.push(Corner { at: *goal, ..*corner });
        }
        let places = corners.iter().map(|corner| corner.at).collect();
        let (corners, number) = joined(&corners, places, self.near);
        // A face that looks down was turned when it was made. It is turned back first, so that it is not taken for one
        // that looks up.
        let renumbered = |old: &Face| {
            let is_floor = old.kind == Kind::Walkable;
            let place = |corner: u32| if is_floor { as_floor[corner as usize] } else { corner as usize };
            let [a, b, c] = old.corners.map(|corner| number[place(corner)]);
            let numbers = if old.is_up { [a, b, c] } else { [a, c, b] };
            face(numbers, numbers.map(|number| corners[number as usize].at), is_floor, old.area)
        };
        let before = self.faces.len();
        self.faces = self.faces.iter().filter_map(renumbered).collect();
        self.vanished += before - self.faces.len();
        self.corners = corners;
    }

    /// Copies corners and heights per face and counts the kinds. It runs last, when faces do not change any more.
    fn settle(&mut self) {
        let place = |face: &Face| face.corners.map(|corner| self.corners[corner as usize]);
        self.places = self.faces.par_iter().map(place).collect();
        self.heights = self.places.par_iter().map(heights).collect();
        let count = |last: Kind| self.count_up_to(last) as u32;
        (self.walkable, self.first_upright) = (count(Kind::Walkable), count(Kind::Blocking));
    }

    /// Returns the number of faces of all kinds up to `last`. They come first in a sorted soup.
    pub(crate) fn count_up_to(&self, last: Kind) -> usize {
        self.faces.partition_point(|face| face.kind <= last)
    }

    /// Makes the table of the edges of all faces of kinds up to `last`. Faces are sorted.
    pub(crate) fn edges_up_to(&self, last: Kind) -> EdgeTable {
        let faces = &self.faces[..self.count_up_to(last)];
        EdgeTable::of((0..faces.len()).map(|face| (face as u32, faces[face].corners)))
    }

    /// Sorts all faces and drops repeated ones.
    pub(crate) fn sort(&mut self) {
        sort_faces(&mut self.faces, self.corners.len());
        self.leave_out_repeated();
    }

    /// Cuts faces at corners of others that lie on their sides. `edges` are those of all faces but upright ones.
    pub(crate) fn cut(&mut self, edges: &EdgeTable, also: Also<'_>) {
        let parts = cut_at_joints(self, edges, self.near, JOINT_UPRIGHT * self.near, also);
        self.insert(parts);
        self.leave_out_repeated();
    }

    /// Drops faces that repeat the one before them, and counts them.
    fn leave_out_repeated(&mut self) {
        let before = self.faces.len();
        self.faces.dedup_by_key(|face| (face.kind, face.corners, face.is_up));
        self.repeated += before - self.faces.len();
    }

    /// Merges a few faces into the sorted list. That costs less than sorting all again.
    pub(crate) fn insert(&mut self, mut few: Vec<Face>) {
        if few.is_empty() {
            return;
        }
        few.sort_unstable();
        let mut faces = Vec::with_capacity(self.faces.len() + few.len());
        let mut rest = self.faces.as_slice();
        for face in few {
            let (before, after) = rest.split_at(rest.partition_point(|other| *other < face));
            faces.extend_from_slice(before);
            faces.push(face);
            rest = after;
        }
        faces.extend_from_slice(rest);
        self.faces = faces;
    }

    /// Returns the corners of a face.
    pub fn corners(&self, face: u32) -> [Corner; 3] {
        self.places[face as usize]
    }

    /// Returns the box around a face in projection.
    pub fn extent(&self, face: u32) -> Box2 {
        Box2::of(&self.corners(face).map(|corner| corner.at))
    }

    /// Returns the box around a face in space.
    pub fn room(&self, face: u32) -> Box3 {
        let (low, high) = self.heights(face);
        Box3 { extent: self.extent(face), low, high }
    }

    /// Returns the heights of the lowest and the highest corner of a face.
    pub fn heights(&self, face: u32) -> (i32, i32) {
        self.heights[face as usize]
    }

    /// Returns the number of walkable faces; they come first.
    pub fn walkable(&self) -> u32 {
        self.walkable
    }

    /// True if a face can be walked on.
    pub fn is_walkable(&self, face: u32) -> bool {
        face < self.walkable
    }

    /// True if a face counts as a line in projection.
    pub fn is_upright(&self, face: u32) -> bool {
        face >= self.first_upright
    }

    /// Returns the height of a walkable face over a point, in grid units.
    ///
    /// Beside the face the height stays between those of its corners, since the planes of steep splinters lead
    /// anywhere.
    pub fn height_at(&self, face: u32, at: Vec2) -> f64 {
        let [a, b, c] = self.corners(face);
        let [p, q] = [b.at - a.at, c.at - a.at];
        let [rise_p, rise_q] = [b, c].map(|corner| f64::from(corner.height) - f64::from(a.height));
        let off = at - a.at.as_vec2();
        let doubled = p.cross(q) as f64;
        // Cramer's rule gives the share of each edge in the way from the first corner.
        let along_p = (off.x * q.y as f64 - off.y * q.x as f64) / doubled;
        let along_q = (p.x as f64 * off.y - p.y as f64 * off.x) / doubled;
        let (low, high) = self.heights(face);
        (f64::from(a.height) + along_p * rise_p + along_q * rise_q).clamp(f64::from(low), f64::from(high))
    }
}

/// Sorts faces. Kind and first corner make a number that settles most comparisons.
fn sort_faces(faces: &mut [Face], corners: usize) {
    sort_by_number(faces, |face| face.kind as usize * corners + face.corners[0] as usize);
}

/// Makes the faces of all triangles that span something. `number_of` holds the corner of each vertex.
fn faces_of(scene: &Scene, corners: &[Corner], number_of: &[u32], steepest: f64) -> Vec<Face> {
    let made = |(place, triangle): (usize, &[u32; 3])| {
        let part = scene.part_of.get(place).and_then(|part| scene.parts.get(*part as usize));
        let world = triangle.map(|vertex| scene.vertices[vertex as usize]);
        let numbers = triangle.map(|vertex| number_of[vertex as usize]);
        let places = numbers.map(|number| corners[number as usize].at);
        face(numbers, places, is_gentle(world, steepest), part.map_or(0, |part| part.area))
    };
    scene.triangles.par_iter().enumerate().filter_map(made).collect()
}

/// Makes a face of three corners; `None` if it spans nothing. `is_gentle` says that its plane, as drawn, is not too
/// steep.
pub(crate) fn face(numbers: [u32; 3], [p, q, r]: [Point; 3], is_gentle: bool, area: u8) -> Option<Face> {
    let [a, b, c] = numbers;
    if a == b || b == c || c == a {
        return None;
    }
    let doubled = orient(p, q, r);
    let kind = if doubled > 0 && is_gentle {
        Kind::Walkable
    } else {
        let sides = [(p, q), (q, r), (r, p)].map(|(from, to)| from.distance_squared(to));
        let longest = (sides[0].max(sides[1]).max(sides[2]) as f64).sqrt();
        if longest == 0.0 {
            return None;
        }
        if doubled.abs() as f64 <= THIN * longest { Kind::Upright } else { Kind::Blocking }
    };
    let corners = if doubled < 0 { [a, c, b] } else { [a, b, c] };
    // The lowest index comes first, so that the three ways to list one triangle become one.
    let first = (0..3).min_by_key(|i| corners[*i]).unwrap_or(0);
    let corners = [0, 1, 2].map(|i| corners[(first + i) % 3]);
    Some(Face { corners, kind, is_up: doubled >= 0, is_slight: false, area })
}

/// Returns the lowest and the highest of three heights.
pub(crate) fn heights(corners: &[Corner; 3]) -> (i32, i32) {
    let [a, b, c] = corners.map(|corner| corner.height);
    (a.min(b).min(c), a.max(b).max(c))
}

/// Marks the vertices that triangles use. Others must not attract corners when these are welded.
fn used(scene: &Scene) -> Vec<bool> {
    let mut used = vec![false; scene.vertices.len()];
    for vertex in scene.triangles.iter().flatten() {
        if let Some(is_used) = used.get_mut(*vertex as usize) {
            *is_used = true;
        }
    }
    used
}

/// Welds the used vertices. Returns the corners, and for each vertex the index of its corner ([`NONE`] if unused).
fn numbered(snapped: &[Corner], used: &[bool], near: i32) -> (Vec<Corner>, Vec<u32>) {
    let vertices = snapped.iter().zip(0u32..).zip(used).filter(|(_, is_used)| **is_used);
    let mut order: Vec<(Corner, u32)> = vertices.map(|((corner, vertex), _)| (*corner, vertex)).collect();
    sort_by_place(&mut order, |(corner, _)| corner.at);
    let mut place_of = vec![0u32; snapped.len()];
    let mut places: Vec<Corner> = Vec::with_capacity(snapped.len());
    for (corner, vertex) in order {
        if places.last() != Some(&corner) {
            places.push(corner);
        }
        place_of[vertex as usize] = places.len() as u32 - 1;
    }
    let (corners, number) = weld(&places, near);
    (corners, place_of.into_iter().map(|place| number.get(place as usize).copied().unwrap_or(NONE)).collect())
}

/// Makes one corner of corners that nearly meet. Returns the corners, and the new index of each old one.
///
/// Corners that nearly meet in projection get one point whatever their heights. So a wall drawn of separate triangles,
/// each a little too deep, stands on one line.
fn weld(corners: &[Corner], near: i32) -> (Vec<Corner>, Vec<u32>) {
    joined(corners, weld_places(corners, near), near)
}

/// Moves corners to new points and makes those at about one height one. Returns the corners, and the new index of each.
fn joined(corners: &[Corner], place_of: Vec<Point>, near: i32) -> (Vec<Corner>, Vec<u32>) {
    let mut order: Vec<(Point, i32, u32)> = (0u32..)
        .zip(corners)
        .zip(place_of)
        .map(|((number, corner), at)| (at, corner.height, number))
        .collect();
    sort_by_place(&mut order, |(at, ..)| *at);
    let mut number = vec![NONE; corners.len()];
    let mut kept: Vec<Corner> = Vec::with_capacity(corners.len());
    for (at, height, corner) in order {
        let is_near = |last: &Corner| last.at == at && height - last.height <= near.min(WELD_UPRIGHT);
        if !kept.last().is_some_and(is_near) {
            kept.push(Corner { at, height });
        }
        number[corner as usize] = kept.len() as u32 - 1;
    }
    (kept, number)
}

/// Returns the point of each corner after welding in projection. `corners` must be sorted.
///
/// The first point takes in all points near it that were not taken yet. So no point moves by more than `near` along an
/// axis, and chains of close points do not collapse into one.
fn weld_places(corners: &[Corner], near: i32) -> Vec<Point> {
    let mut at: Vec<Point> = corners.iter().map(|corner| corner.at).collect();
    if near == 0 {
        return at;
    }
    let mut places = at.clone();
    places.dedup();
    let bins = BoxGrid::of(places.iter().map(|place| Box2 { min: *place, max: *place }).collect());
    let mut leader = vec![NONE; places.len()];
    for (number, place) in (0u32..).zip(&places) {
        if leader[number as usize] == NONE {
            leader[number as usize] = number;
            bins.each_touching(&Box2 { min: *place, max: *place }.grown(near), |other| {
                if other > number && leader[other as usize] == NONE {
                    leader[other as usize] = number;
                }
            });
        }
    }
    // Points and corners are in the same order, so that one pass finds the point of each corner.
    let mut number = 0;
    for corner in &mut at {
        number += usize::from(places[number] != *corner);
        *corner = places[leader[number] as usize];
    }
    at
}

/// Rounds all vertices to the grid. The error names the first that does not fit.
fn snap_all(grid: &Grid, vertices: &[[f64; 3]]) -> Result<Vec<Corner>> {
    let snapped: Vec<Option<Corner>> = vertices.par_iter().map(|vertex| snap(grid, *vertex)).collect();
    let mut corners = Vec::with_capacity(snapped.len());
    corners.extend(snapped.iter().map_while(|corner| *corner));
    if let Some([x, y, z]) = vertices.get(corners.len()) {
        let (number, limit) = (corners.len(), f64::from(LIMIT) * grid.unit());
        let message = format!("vertex {number} at ({x}, {y}, {z}) lies outside the limit of {limit} m");
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    Ok(corners)
}

/// Rounds one vertex; `None` if it does not fit the grid.
fn snap(grid: &Grid, [x, y, z]: [f64; 3]) -> Option<Corner> {
    // Seen from above, x runs to the right and -z up the page: right-handed with y towards the eye.
    let at = grid.snap([x, -z])?;
    let height = (y / grid.unit()).round();
    (height.abs() < f64::from(LIMIT - 2)).then_some(Corner { at, height: height as i32 })
}

/// Returns the longest distance between a vertex and its corner before welding, in metres.
fn farthest_move(grid: &Grid, vertices: &[[f64; 3]], snapped: &[Corner]) -> f64 {
    let farther = |farthest: f64, ([x, y, z], corner): (&[f64; 3], &Corner)| {
        let [there_x, there_z] = grid.world(corner.at);
        let off = [x - there_x, z + there_z, y - f64::from(corner.height) * grid.unit()];
        // Squares rule out most vertices cheaply. Only distances are exact to the last bit.
        if off.iter().map(|off| off * off).sum::<f64>() < 0.999 * farthest * farthest {
            return farthest;
        }
        farthest.max(off[0].hypot(off[1]).hypot(off[2]))
    };
    vertices.par_iter().zip(snapped).fold(|| 0.0, farther).reduce(|| 0.0, f64::max)
}

/// Fails if a triangle names a vertex that does not exist.
fn check_numbers(scene: &Scene) -> Result<()> {
    let count = scene.vertices.len();
    let is_wrong = |triangle: &[u32; 3]| triangle.iter().any(|vertex| *vertex as usize >= count);
    scene.triangles.iter().position(is_wrong).map_or(Ok(()), |place| {
        let triangle = scene.triangles[place];
        let message = format!("triangle {place} names vertices {triangle:?}, but there are only {count}");
        Err(Error::new(ErrorKind::OutOfRange, message))
    })
}

/// True if the plane of a triangle, as drawn, is no steeper than allowed. The drawn corners decide, because rounding to
/// the grid may tilt small triangles.
fn is_gentle([a, b, c]: [[f64; 3]; 3], steepest: f64) -> bool {
    let [p, q] = [b, c].map(|end| [end[0] - a[0], end[1] - a[1], end[2] - a[2]]);
    let normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
    normal[1].abs() >= length * steepest
}
