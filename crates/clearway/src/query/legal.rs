//! The nearest place where a body of a given radius can stand.
//!
//! The nearest legal place is the point itself, or lies at distance `radius` from one wall (at the foot of the
//! point on the offset of the wall or on the circle around its end) or from two (where two such curves meet).
//! Squares are searched from the nearest on; a square is left out when no place in it can be legal, since the
//! distance to the walls changes by no more than one moves, and cut in four while many walls matter in it.

use super::Location;
use crate::mesh::{CellId, NavMesh};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// With so few walls the curves are met pair by pair.
const FEW_WALLS: usize = 6;
/// The search gives up after so many squares. Searches across whole cities need a few thousand.
const MOST_SQUARES: usize = 1 << 17;

impl NavMesh {
    /// The place nearest to a point that has a distance of `radius` metres or more to every wall, if there is one
    /// within `max_distance` metres of the point. The point itself may lie off the mesh.
    pub fn nearest_clear(&self, position: [f64; 2], radius: f64, max_distance: f64) -> Option<Location> {
        let sound = radius >= 0.0 && radius.is_finite() && max_distance >= 0.0;
        let (spot, unit) = (self.grid.units(position), self.unit());
        if !sound || !spot.x.is_finite() || !spot.y.is_finite() {
            return None;
        }
        if radius == 0.0 {
            return self.nearest(position, max_distance);
        }
        let own = self.locate(position).ok();
        if let Some(own) = own.filter(|own| self.clearance(*own).is_some_and(|room| room >= radius)) {
            return Some(own);
        }
        let limit = max_distance / unit;
        let mut search = Search { mesh: self, spot, radius: radius / unit, within: limit, best: None };
        search.run();
        search.best
    }

    /// The distance from a place to the nearest wall, as the crow flies.
    fn distance_to_walls(&self, spot: Vec2) -> f64 {
        let layout = self.layout();
        let mut best = f64::INFINITY;
        self.index().nearest(spot, f64::INFINITY, |cell, _| {
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
        let (layout, half) = (self.layout(), Vec2::new(reach, reach));
        let mut found = Vec::new();
        let flow = self.index().touching(spot - half, spot + half, |cell| {
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] == NONE) {
                let [from, to] = layout.ends(cell, side);
                if spot.distance_to_segment(from, to) <= reach {
                    found.push([from, to]);
                }
            }
            if found.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        flow.is_continue().then_some(found)
    }
}

/// A search in grid units: the best place so far, and how far away it is.
struct Search<'a> {
    mesh: &'a NavMesh,
    spot: Vec2,
    radius: f64,
    within: f64,
    best: Option<Location>,
}

impl Search<'_> {
    fn run(&mut self) {
        let Some(whole) = self.mesh.index().whole().map(|whole| whole.corners()) else { return };
        let (middle, extent) = ((whole[0] + whole[1]) * 0.5, whole[1] - whole[0]);
        let mut open = BinaryHeap::new();
        open.push(Square::new(middle, 0.5 * extent.x.max(extent.y), self.spot));
        for _ in 0..MOST_SQUARES {
            match open.pop() {
                Some(square) if square.distance <= self.within => self.search(&square, &mut open),
                _ => return,
            }
        }
    }

    /// Searches one square, or cuts it in four.
    fn search(&mut self, square: &Square, open: &mut BinaryHeap<Square>) {
        let (middle, reach) = (square.middle, square.half * std::f64::consts::SQRT_2);
        let room = self.mesh.distance_to_walls(middle);
        if room + reach < self.radius {
            return;
        }
        let is_inside =
            || super::side::fine(middle).is_some_and(|spot| self.mesh.cell_holding(spot).is_some());
        if room > reach && !is_inside() {
            return;
        }
        let is_small = reach <= (self.radius / 64.0).max(1.0);
        let most = if is_small { usize::MAX } else { FEW_WALLS };
        match self.mesh.walls_around(middle, self.radius + reach, most) {
            Some(walls) => self.try_walls(&walls),
            None => open.extend(square.quarters(self.spot)),
        }
    }

    /// Tries all places that these walls define, the nearest first.
    fn try_walls(&mut self, walls: &[[Vec2; 2]]) {
        let slack = self.mesh.slack() * 4.0;
        let mut places = places_at(walls, self.spot, self.radius);
        places.retain(|place| place.distance(self.spot) <= self.within);
        places.sort_unstable_by(|p, q| p.distance(self.spot).total_cmp(&q.distance(self.spot)));
        for place in places {
            let clear = |wall: &[Vec2; 2]| place.distance_to_segment(wall[0], wall[1]) >= self.radius - slack;
            if walls.iter().all(clear) && self.try_place(place) {
                return;
            }
        }
    }

    /// Takes a place if it is legal once rounded, or after a nudge away from the wall that it is too close to.
    fn try_place(&mut self, mut place: Vec2) -> bool {
        let mesh = self.mesh;
        for _ in 0..8 {
            let position = mesh.grid.place(place);
            let rounded = mesh.grid.units(position);
            let Some(cell) = super::side::fine(rounded).and_then(|spot| mesh.cell_holding(spot)) else {
                return false;
            };
            let wall = mesh.nearest_wall(rounded, cell);
            let Some(wall) = wall.filter(|wall| wall.distance < self.radius) else {
                let distance = rounded.distance(self.spot);
                let accepted = distance <= self.within;
                if accepted {
                    (self.within, self.best) = (distance, Some(Location { cell: CellId(cell), position }));
                }
                return accepted;
            };
            let [from, to] = mesh.layout().ends(wall.cell, wall.side);
            let away = (rounded - rounded.nearest_on(from, to)).unit();
            place =
                rounded + away * ((self.radius - wall.distance) + self.radius * 1e-15 + mesh.slack() * 0.125);
        }
        false
    }
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
    let touches = squared >= -1e-9 * radius * radius;
    let way = squared.max(0.0).sqrt();
    [way, -way].map(|way| touches.then_some(foot + along * way))
}
