//! The nearest place where a body of a given radius can stand.
//!
//! The nearest legal place is the point itself, or lies at distance `radius` from one wall (at the foot of the
//! point on the offset of the wall or on the circle around its end) or from two (where two such curves meet).
//! Squares are searched from the nearest on; a square is left out when no place in it can be legal, since the
//! distance to the walls changes by no more than one moves, and cut in four while many walls matter in it.

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

/// With so few walls in a square the curves are met pair by pair.
const FEW_WALLS: usize = 6;
/// In small squares, where cutting rarely separates walls that meet in one place, also with so many.
const MORE_WALLS: usize = 48;
/// The search gives up after so many pairs of walls, a square counting as [`SQUARE_WORK`] pairs: well under a
/// second. Searches across whole cities take a hundredth of it.
const MOST_WORK: usize = 1 << 22;
const SQUARE_WORK: usize = 32;

impl NavMesh {
    /// The place nearest to a point that has a distance of `radius` metres or more to every wall, if there is one
    /// within `max_distance` metres of the point. The point itself may lie off the mesh. In a scene it is sought on the
    /// floor of the place nearest to the point.
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

    /// As [`nearest_clear`](NavMesh::nearest_clear), for a place on the mesh: in a scene, on its floor.
    pub(crate) fn nearest_clear_to(&self, at: Location, radius: f64, max_distance: f64) -> Option<Location> {
        if self.has_heights() && radius > 0.0 && max_distance >= 0.0 {
            return self.nearest_clear_on_floor(at.position, at, radius, max_distance);
        }
        self.nearest_clear(at.position, radius, max_distance)
    }

    /// The nearest clear place among those that can be walked to near a place. What can be reached only from farther
    /// away may lie on other floors: it counts only if nothing is found nearer.
    fn nearest_clear_on_floor(
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

    /// Searches in grid units, on all of the mesh or within a scope.
    fn search_clear(&self, spot: Vec2, radius: f64, within: f64, scope: Option<Scope>) -> Option<Location> {
        let mut search = Search { mesh: self, spot, radius, within, best: None, work: 0, scope };
        search.run();
        search.best
    }

    /// A location at a place that is legal up to rounding: nudged away from walls until its distance to them really
    /// is `radius` grid units or more. `find` tells which location belongs to a place.
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

    /// The least move that brings a place to distance `radius` from the wall that is too near, and from another
    /// one that it would otherwise run into.
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
        // Between walls that face each other there is no such move, beside a single one no need of it.
        let small = |both: &Vec2| both.length() <= FARTHEST_NUDGE * (short + self.slack());
        both.filter(|both| other.is_some_and(|other| facing(&other) < OTHER_WALL) && small(both))
            .unwrap_or(away * short)
    }
}

/// A search in grid units: the best place so far, and how far away it is.
struct Search<'a> {
    mesh: &'a NavMesh,
    spot: Vec2,
    radius: f64,
    within: f64,
    best: Option<Location>,
    work: usize,
    scope: Option<Scope>,
}

/// The cells of one floor around a place, sorted, and the height of the ground there in metres.
struct Scope {
    cells: Vec<u32>,
    height: f64,
}

impl Search<'_> {
    fn is_in_scope(&self, cell: u32) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.cells.binary_search(&cell).is_ok())
    }

    /// The cell that holds a place; in a scope the one nearest in height to where it began.
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

    /// The distance from a place to the nearest wall, as the crow flies.
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

    /// The walls within `reach` of a place, as the crow flies; `None` when there are more than `most`.
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

    /// Tries all places that these walls define, the nearest first.
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

    /// Takes a place if it is legal, up to rounding, and near enough.
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

/// Not more walls than can be met pair by pair: in a square of a grid unit that many touch one circle.
fn nearest_few(mut walls: Vec<[Vec2; 2]>, middle: Vec2) -> Vec<[Vec2; 2]> {
    if walls.len() > MORE_WALLS {
        let distance = |wall: &[Vec2; 2]| middle.distance_to_segment(wall[0], wall[1]);
        walls.sort_by(|p, q| distance(p).total_cmp(&distance(q)));
        walls.truncate(MORE_WALLS);
    }
    walls
}

/// A square, and how far it is from the point. The greatest square is the nearest.
struct Square {
    distance: f64,
    middle: Vec2,
    half: f64,
}

impl Square {
    fn new(middle: Vec2, half: f64, spot: Vec2) -> Square {
        let off = |at: f64, middle: f64| ((at - middle).abs() - half).max(0.0);
        let distance = off(spot.x, middle.x).hypot(off(spot.y, middle.y));
        Square { distance, middle, half }
    }

    fn quarters(&self, spot: Vec2) -> [Square; 4] {
        let half = 0.5 * self.half;
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
        corners.map(|(x, y)| Square::new(self.middle + Vec2::new(x, y), half, spot))
    }

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

/// A curve at distance `radius` from a wall: beside it, or around its end.
#[derive(Clone, Copy)]
enum Curve {
    Line([Vec2; 2]),
    Circle(Vec2),
}

/// The places at distance `radius` from one wall and nearest to `spot`, and those at that distance from two.
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

/// Where two curves meet. Lines go on beyond their ends: places there are too close to a wall, or fine.
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

/// The two places on the line through `foot` at distance `radius` from a center that is `off` away from the foot.
fn both_ways(foot: Vec2, along: Vec2, radius: f64, off: f64) -> [Option<Vec2>; 2] {
    let squared = (radius - off) * (radius + off);
    // Curves that only touch must not be lost to rounding.
    let touches = squared >= -JUST_TOUCHING * radius * radius;
    let way = squared.max(0.0).sqrt();
    [way, -way].map(|way| touches.then_some(foot + along * way))
}
