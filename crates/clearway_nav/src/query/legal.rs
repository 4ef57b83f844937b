//! The nearest point at which a body of a given radius can stand.
//!
//! The answer is the point itself, or it lies at distance `radius` from one wall or from two. With one wall it is the
//! foot of the point on the offset of the wall, or on the circle around its end. With two walls it is a crossing of two
//! such curves.
//!
//! Squares are searched from the nearest on. The distance to the walls changes by no more than one moves, so a square
//! whose middle is too close to a wall for its size is skipped. A square is cut in four while too many walls matter in
//! it.

use super::flood::Flood;
use super::walls::NearWall;
use super::{Location, Position};
use crate::mesh::{CellId, NavMesh};
use crate::tolerances::angles::OTHER_WALL;
use crate::tolerances::radii::{JUST_TOUCHING, LAST_BIT};
use crate::tolerances::slacks::{FARTHEST_NUDGE, NUDGE, TIGHT, TOUCHING};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Up to this many walls in a square, all pairs of curves are intersected; with more, the square is cut in four.
const FEW_WALLS: usize = 6;
/// As [`FEW_WALLS`], for small squares. There cutting rarely separates walls that meet in one point, so more pairs are
/// accepted.
const MORE_WALLS: usize = 48;
/// The search gives up after this many pairs of walls: well under a second. Searches across whole cities take a
/// hundredth of it.
const MOST_WORK: usize = 1 << 22;
/// The work of a square, counted in pairs of walls: finding its nearest wall costs about as much.
const SQUARE_WORK: usize = 32;

impl NavMesh {
    /// Returns the point nearest to `position` that is at least `radius` metres away from every wall, if there is one
    /// within `max_distance` metres. `position` itself may lie off the mesh. In a scene the search stays on the floor
    /// of the point of the mesh nearest to `position`.
    pub fn nearest_clear(&self, position: impl Position, radius: f64, max_distance: f64) -> Option<Location> {
        let sound = radius >= 0.0 && radius.is_finite() && max_distance >= 0.0;
        let spot = self.parts.grid.units(position.plan());
        if !sound || !spot.x.is_finite() || !spot.y.is_finite() {
            return None;
        }
        if radius == 0.0 {
            return self.nearest(position, max_distance);
        }
        if self.has_heights() {
            let floor = self.nearest(position, max_distance)?;
            return self.nearest_clear_on_floor(position.plan(), floor, radius, max_distance);
        }
        let own = self.locate(position).ok();
        if let Some(own) = own.filter(|own| self.clearance(*own).is_some_and(|room| room >= radius)) {
            return Some(own);
        }
        self.search_clear(spot, radius / self.unit(), max_distance / self.unit(), None)
    }

    /// As [`nearest_clear`](NavMesh::nearest_clear), for a location on the mesh; in a scene, on its floor.
    pub(crate) fn nearest_clear_to(&self, at: Location, radius: f64, max_distance: f64) -> Option<Location> {
        if self.has_heights() && radius > 0.0 && max_distance >= 0.0 {
            return self.nearest_clear_on_floor(at.position, at, radius, max_distance);
        }
        self.nearest_clear(at.position, radius, max_distance)
    }

    /// Returns the nearest clear point among the cells that can be walked to nearby. The scope doubles until something
    /// is found: cells that are reached only from farther away may lie on other floors.
    pub(crate) fn nearest_clear_on_floor(
        &self,
        position: [f64; 2],
        floor: Location,
        radius: f64,
        max_distance: f64,
    ) -> Option<Location> {
        if self.clearance(floor).is_some_and(|room| room >= radius) {
            return Some(floor);
        }
        let (spot, start) = (self.parts.grid.units(position), self.parts.grid.units(floor.position));
        let (radius, limit) = (radius / self.unit(), max_distance / self.unit());
        let size =
            self.index().whole().map_or(0.0, |whole| (whole.corners()[1] - whole.corners()[0]).length());
        // A small scope first: it holds fewer floors and fewer walls.
        let mut within = spot.distance(start) + 2.0 * radius;
        loop {
            let mut cells = Vec::new();
            let reach = within + radius;
            Flood::default()
                .cells(self.graph(), &[floor.cell.0], (start, start), reach, |cell| cells.push(cell));
            cells.sort_unstable();
            let scope = Scope { cells, height: self.height(floor) };
            let found = self.search_clear(spot, radius, within.min(limit), Some(scope));
            if found.is_some() || within >= limit || within > size {
                return found;
            }
            within *= 2.0;
        }
    }

    /// Searches in grid units, on the whole mesh or within a scope.
    fn search_clear(&self, spot: Vec2, radius: f64, within: f64, scope: Option<Scope>) -> Option<Location> {
        let mut search = Search { mesh: self, spot, radius, within, best: None, work: 0, scope };
        search.run();
        search.best
    }

    /// Returns a location for a point that is legal up to rounding. It nudges the point away from walls until its
    /// distance to them really is at least `radius` grid units. `find` maps a point to its location.
    pub(crate) fn stand(
        &self,
        mut place: Vec2,
        radius: f64,
        find: impl Fn(Vec2) -> Option<Location>,
    ) -> Option<Location> {
        for nudge in 0..10 {
            let found = find(place)?;
            let spot = self.parts.grid.units(found.position);
            let wall = self.nearest_wall(spot, found.cell.0);
            if wall.is_none_or(|wall| wall.distance >= radius) {
                return Some(found);
            }
            let margin = radius * LAST_BIT + self.slack() * NUDGE * f64::from(nudge);
            place = spot + self.nudge(spot, found.cell.0, radius + margin);
        }
        None
    }

    /// Returns the least move that brings a point to distance `radius` from the wall that is too near, and from the
    /// wall that it would run into.
    fn nudge(&self, spot: Vec2, cell: u32, radius: f64) -> Vec2 {
        let reach = radius + TIGHT * self.slack();
        let mut tight = Vec::new();
        Flood::default().walls(self.graph(), &[cell], (spot, spot), reach, |cell, side, distance| {
            let normal = self.normal(&NearWall { cell, side, distance }, spot);
            tight.push((radius - distance, normal));
            reach
        });
        let Some((short, away)) = tight.iter().copied().max_by(|p, q| p.0.total_cmp(&q.0)) else {
            return Vec2::default();
        };
        let facing = |wall: &&(f64, Vec2)| wall.1.dot(away);
        let other = tight.iter().min_by(|p, q| facing(p).total_cmp(&facing(q)));
        let both = other.map(|(other_short, other)| {
            let across = away.cross(*other);
            (other.perp() * -short + away.perp() * *other_short) * (1.0 / across)
        });
        // Between walls that face each other there is no such move; beside a single wall it is not needed.
        let small = |both: &Vec2| both.length() <= FARTHEST_NUDGE * (short + self.slack());
        both.filter(|both| other.is_some_and(|other| facing(&other) < OTHER_WALL) && small(both))
            .unwrap_or(away * short)
    }
}

/// A branch-and-bound search in grid units.
struct Search<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The point that is asked about.
    spot: Vec2,
    /// The least distance to walls.
    radius: f64,
    /// The distance of the best point so far; at first the limit.
    within: f64,
    /// The best location so far.
    best: Option<Location>,
    /// The work done so far, in pairs of walls.
    work: usize,
    /// The cells that count; `None` for all.
    scope: Option<Scope>,
}

/// The cells of one floor around a point.
struct Scope {
    /// The cells, sorted.
    cells: Vec<u32>,
    /// The height of the ground at that point, in metres.
    height: f64,
}

impl Search<'_> {
    /// True if a cell counts in this search.
    fn is_in_scope(&self, cell: u32) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.cells.binary_search(&cell).is_ok())
    }

    /// Returns the cell that holds a point; within a scope, the one nearest in height to the start.
    fn holder(&self, spot: Vec2) -> Option<u32> {
        let spot = super::side::fine(spot)?;
        let Some(scope) = &self.scope else { return self.mesh.cell_holding(spot) };
        let mut best: Option<(f64, u32)> = None;
        self.mesh.each_holding(spot, |cell| {
            let off = (self.mesh.ground_height(cell, spot) - scope.height).abs();
            if self.is_in_scope(cell) && best.is_none_or(|best| off < best.0) {
                best = Some((off, cell));
            }
        });
        best.map(|(_, cell)| cell)
    }

    /// Returns the distance from a point to the nearest wall in a straight line, across walls and gaps.
    fn distance_to_walls(&self, spot: Vec2) -> f64 {
        let layout = self.mesh.graph();
        let mut best = f64::INFINITY;
        self.mesh.index().nearest(spot, f64::INFINITY, |cell, within| {
            if !self.is_in_scope(cell) {
                return within;
            }
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] == NONE) {
                let [from, to] = layout.ends(cell, side);
                best = best.min(spot.distance_to_segment(from, to));
            }
            best * best
        });
        best
    }

    /// Returns the walls within `reach` of a point in a straight line; `None` if there are more than `most`.
    fn walls_around(&self, spot: Vec2, reach: f64, most: usize) -> Option<Vec<[Vec2; 2]>> {
        let (layout, half) = (self.mesh.graph(), Vec2::new(reach, reach));
        let mut found = Vec::new();
        let flow = self.mesh.index().touching(spot - half, spot + half, |cell| {
            let sides =
                layout.sides(cell).filter(|side| layout.beyond[*side] == NONE && self.is_in_scope(cell));
            for side in sides {
                let [from, to] = layout.ends(cell, side);
                if spot.distance_to_segment(from, to) <= reach {
                    found.push([from, to]);
                }
            }
            if found.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        flow.is_continue().then_some(found)
    }

    /// Searches squares from the nearest on, until none can hold a nearer point.
    fn run(&mut self) {
        let Some(whole) = self.mesh.index().whole().map(|whole| whole.corners()) else { return };
        let (middle, extent) = ((whole[0] + whole[1]) * 0.5, whole[1] - whole[0]);
        let mut open = BinaryHeap::new();
        open.push(Square::new(middle, 0.5 * extent.x.max(extent.y), self.spot));
        while let Some(square) = open.pop() {
            if square.distance > self.within || self.work > MOST_WORK {
                return;
            }
            self.work += SQUARE_WORK;
            self.search(&square, &mut open);
        }
    }

    /// Searches one square, or cuts it in four.
    fn search(&mut self, square: &Square, open: &mut BinaryHeap<Square>) {
        let (middle, reach) = (square.middle, square.half * std::f64::consts::SQRT_2);
        let room = self.distance_to_walls(middle);
        // Nothing in the square can be clear, or nothing in it is on the mesh.
        if room + reach < self.radius {
            return;
        }
        let is_inside = || self.holder(middle).is_some();
        if room > reach && !is_inside() {
            return;
        }
        if room >= self.radius && is_inside() && middle.distance(self.spot) < self.within {
            self.try_place(middle);
        }
        let most = match reach {
            ..=1.0 => usize::MAX,
            reach if reach <= self.radius / 64.0 => MORE_WALLS,
            _ => FEW_WALLS,
        };
        match self.walls_around(middle, self.radius + reach, most) {
            Some(walls) => self.try_walls(nearest_few(walls, middle)),
            None => open.extend(square.quarters(self.spot)),
        }
    }

    /// Tries all points that these walls define, the nearest first.
    fn try_walls(&mut self, walls: Vec<[Vec2; 2]>) {
        self.work += walls.len() * walls.len();
        let slack = self.mesh.slack() * TOUCHING;
        let mut places = places_at(&walls, self.spot, self.radius);
        places.retain(|place| place.distance(self.spot) <= self.within);
        places.sort_unstable_by(|p, q| p.distance(self.spot).total_cmp(&q.distance(self.spot)));
        for place in places {
            let clear = |wall: &[Vec2; 2]| place.distance_to_segment(wall[0], wall[1]) >= self.radius - slack;
            if walls.iter().all(clear) && self.try_place(place) {
                return;
            }
        }
    }

    /// Takes a point if it is legal up to rounding and near enough. Returns true if it was taken.
    fn try_place(&mut self, place: Vec2) -> bool {
        let mesh = self.mesh;
        let find = |place: Vec2| {
            let position = mesh.parts.grid.place(place);
            let cell = self.holder(mesh.parts.grid.units(position))?;
            Some(Location { cell: CellId(cell), position })
        };
        let Some(found) = mesh.stand(place, self.radius, find) else { return false };
        let distance = mesh.parts.grid.units(found.position).distance(self.spot);
        let accepted = distance <= self.within;
        if accepted {
            (self.within, self.best) = (distance, Some(found));
        }
        accepted
    }
}

/// Keeps at most [`MORE_WALLS`] walls, the nearest ones: in a square of a grid unit more of them touch one circle.
fn nearest_few(mut walls: Vec<[Vec2; 2]>, middle: Vec2) -> Vec<[Vec2; 2]> {
    if walls.len() > MORE_WALLS {
        let distance = |wall: &[Vec2; 2]| middle.distance_to_segment(wall[0], wall[1]);
        walls.sort_by(|p, q| distance(p).total_cmp(&distance(q)));
        walls.truncate(MORE_WALLS);
    }
    walls
}

/// A square and its distance from the point. The order is reversed for the heap: the greatest square is the nearest.
struct Square {
    /// The distance from the point; zero if it lies inside.
    distance: f64,
    /// The middle of the square.
    middle: Vec2,
    /// Half the length of a side.
    half: f64,
}

impl Square {
    /// Makes a square and measures its distance from `spot`.
    fn new(middle: Vec2, half: f64, spot: Vec2) -> Square {
        let off = |at: f64, middle: f64| ((at - middle).abs() - half).max(0.0);
        let distance = off(spot.x, middle.x).hypot(off(spot.y, middle.y));
        Square { distance, middle, half }
    }

    /// Cuts the square in four.
    fn quarters(&self, spot: Vec2) -> [Square; 4] {
        let half = 0.5 * self.half;
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
        corners.map(|(x, y)| Square::new(self.middle + Vec2::new(x, y), half, spot))
    }

    /// Returns the sort key; the middle decides among equally near squares, so that results are deterministic.
    fn key(&self) -> [f64; 3] {
        [self.distance, self.middle.x, self.middle.y]
    }
}

impl PartialEq for Square {
    fn eq(&self, other: &Square) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Square {}

impl Ord for Square {
    fn cmp(&self, other: &Square) -> Ordering {
        let [p, q] = [self, other].map(Square::key);
        let by = |i: usize| q[i].total_cmp(&p[i]);
        by(0).then(by(1)).then(by(2))
    }
}

impl PartialOrd for Square {
    fn partial_cmp(&self, other: &Square) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A curve at distance `radius` from a wall.
#[derive(Clone, Copy)]
enum Curve {
    /// The offset line beside the wall.
    Line([Vec2; 2]),
    /// The circle around an end of the wall, by its centre.
    Circle(Vec2),
}

/// Returns the points nearest to `spot` at distance `radius` from one wall, and all points at this distance from two.
fn places_at(walls: &[[Vec2; 2]], spot: Vec2, radius: f64) -> Vec<Vec2> {
    let mut curves = Vec::new();
    let mut places = Vec::new();
    for [from, to] in walls {
        let offset = (*to - *from).perp().unit() * radius;
        let line = [*from + offset, *to + offset];
        places.push(spot.nearest_on(line[0], line[1]));
        curves.push(Curve::Line(line));
    }
    let mut ends: Vec<Vec2> = walls.iter().flatten().copied().collect();
    ends.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    ends.dedup();
    for end in ends {
        let away = spot - end;
        let direction = if away.length() > 0.0 { away.unit() } else { Vec2::new(1.0, 0.0) };
        places.push(end + direction * radius);
        curves.push(Curve::Circle(end));
    }
    for (i, first) in curves.iter().enumerate() {
        for second in &curves[i + 1..] {
            places.extend(meetings(*first, *second, radius).into_iter().flatten());
        }
    }
    places
}

/// Returns the crossings of two curves. Lines count as infinite: points beyond their ends are too close to a wall, or
/// fine.
fn meetings(first: Curve, second: Curve, radius: f64) -> [Option<Vec2>; 2] {
    match (first, second) {
        (Curve::Line([a, b]), Curve::Line([c, d])) => {
            let (along, other) = (b - a, d - c);
            let t = (c - a).cross(other) / along.cross(other);
            [t.is_finite().then_some(a + along * t), None]
        }
        (Curve::Line(line), Curve::Circle(center)) | (Curve::Circle(center), Curve::Line(line)) => {
            let along = (line[1] - line[0]).unit();
            let foot = line[0] + along * (center - line[0]).dot(along);
            both_ways(foot, along, radius, foot.distance(center))
        }
        (Curve::Circle(p), Curve::Circle(q)) => {
            both_ways((p + q) * 0.5, (q - p).perp().unit(), radius, 0.5 * p.distance(q))
        }
    }
}

/// Returns the two points on the line through `foot` at distance `radius` from a centre that is `off` away from the
/// foot.
fn both_ways(foot: Vec2, along: Vec2, radius: f64, off: f64) -> [Option<Vec2>; 2] {
    let squared = (radius - off) * (radius + off);
    // Curves that only touch must not be lost to rounding.
    let touches = squared >= -JUST_TOUCHING * radius * radius;
    let way = squared.max(0.0).sqrt();
    [way, -way].map(|way| touches.then_some(foot + along * way))
}
