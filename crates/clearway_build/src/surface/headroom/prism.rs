//! What stands in the prism over a face: the room that a body of full height needs above it.
//!
//! A triangle with area in projection blocks where it passes through the open slab between the face and the height
//! above it; a triangle without blocks as a line where it passes through the slab between the greatest step and the
//! height. The lower limit is exactly zero, so that a ramp that dips into a floor and the floor that it covers are cut
//! along one line.
//!
//! Corners of what is blocked are made from the lines that meet there, and from nothing else: faces and obstacles
//! that share an edge get the same points on it.

use crate::surface::faces::soup::{Corner, FaceBins, Soup};
use crate::surface::headroom::clip::{FEWER_KNOTS, Knot, Line, MOST_KNOTS, Polygon, Reach, area};
use crate::surface::headroom::cover_pruning::Pile;
use crate::surface::rules::WalkRules;
use clearway_geometry::arrangement::Border;
use clearway_geometry::boxes::Box3;
use clearway_geometry::construct::{along, crossing};
use clearway_geometry::predicates::{cross_properly, orient};
use clearway_geometry::{Point, Vec2};

/// Walkable faces that lie this close over each other wherever they overlap are one floor drawn twice, in grid units.
pub(crate) const SAME_FLOOR: f64 = 8.0;

/// Floors whose mean heights differ by less, in grid units, lie at one height: what floats cannot tell.
const ONE_HEIGHT: f64 = 1e-6;

/// How far beside a face an upright triangle may stand and still count as on its edge, in grid units.
const BESIDE: f64 = 0.75;

/// Heights that matter, in grid units.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub height: f64,
    pub step: f64,
}

impl Limits {
    /// The limits of rules. Places a step apart are rounded to at most the next whole step, and places as far apart as a
    /// body is high to at least the whole height below: who may step so high may do so on the grid as well.
    pub fn of(rules: &WalkRules, unit: f64) -> Limits {
        Limits { height: (rules.height / unit).floor(), step: (rules.max_step / unit).ceil() }
    }
}

/// What the prism over one face holds.
#[derive(Clone, Debug, Default)]
pub struct Prism {
    /// Outlines of what is blocked, and barriers.
    pub borders: Vec<Border>,
    /// Whether all of the face is blocked by one thing.
    pub is_dead: bool,
    /// Walkable faces with higher numbers that overlap this one in projection, at a height that matters.
    pub overlaps: Vec<u32>,
    /// Those at other heights that may: few of them are ever asked about.
    pub may_overlap: Vec<u32>,
}

/// Where prisms are put together, one after the other: lists that have grown once need not grow again.
#[derive(Debug, Default)]
pub struct Bench {
    near: Vec<u32>,
    prism: Prism,
    pile: Pile,
}

impl Bench {
    fn clear(&mut self) {
        self.near.clear();
        self.pile.clear();
        self.prism.is_dead = false;
        self.prism.borders.clear();
        self.prism.overlaps.clear();
        self.prism.may_overlap.clear();
    }
}

/// A plane through three corners, upwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    base: Corner,
    normal: [i128; 3],
    /// The same, where it fits beside a step of less than [`NEAR`] along each axis.
    near_normal: Option<[i64; 3]>,
}

/// Normals of triangles smaller than this, times half of it, fit 64 bits three times over.
const NEAR: i64 = 1 << 20;

impl Plane {
    fn through([a, b, c]: [Corner; 3]) -> Plane {
        let [p, q] = [b, c].map(|end| {
            let to = end.at - a.at;
            [to.x, to.y, i64::from(end.height) - i64::from(a.height)].map(i128::from)
        });
        let normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        let fits = |component: &i128| component.unsigned_abs() <= 2 * (NEAR as u128).pow(2);
        let near_normal = normal.iter().all(fits).then(|| normal.map(|component| component as i64));
        Plane { base: a, normal, near_normal }
    }

    /// How far a corner lies above the plane, measured upright, in grid units.
    pub(crate) fn over(&self, corner: Corner) -> f64 {
        let to = corner.at - self.base.at;
        let rise = i64::from(corner.height) - i64::from(self.base.height);
        let is_near = [to.x, to.y, rise].iter().all(|step| step.abs() < NEAR / 2);
        if let Some([x, y, z]) = self.near_normal.filter(|_| is_near) {
            return (x * to.x + y * to.y + z * rise) as f64 / z as f64;
        }
        let [x, y, z] = self.normal;
        (x * i128::from(to.x) + y * i128::from(to.y) + z * i128::from(rise)) as f64 / z as f64
    }
}

/// One face and what is asked of it.
pub struct Prisms<'a> {
    pub soup: &'a Soup,
    /// All faces of the soup by place.
    pub faces: &'a FaceBins,
    pub limits: Limits,
}

impl Prisms<'_> {
    /// Looks at all obstacles near a face; `bench` is where it is put together.
    pub fn over(&self, number: u32, bench: &mut Bench) -> Prism {
        bench.clear();
        let Bench { near, prism, pile } = bench;
        let view = FaceView::new(self, number);
        self.find_near(&view, near, prism);
        // What covers a face may end the search for what stands on it.
        for obstacle in near.iter().copied().filter(|obstacle| !self.soup.is_upright(*obstacle)) {
            view.cover(obstacle, prism, pile);
            prism.is_dead |= pile.thin_out(view.corners.map(|corner| corner.at), &mut prism.borders);
            if prism.is_dead {
                return Prism { is_dead: true, ..Prism::default() };
            }
        }
        for obstacle in near.iter().copied().filter(|obstacle| self.soup.is_upright(*obstacle)) {
            view.stand(obstacle, prism);
        }
        prism.clone()
    }

    /// Finds the obstacles at a height that matters, and the floors at others.
    fn find_near(&self, view: &FaceView, near: &mut Vec<u32>, prism: &mut Prism) {
        let slab = view.slab();
        // What has area only covers what its box has area in common with.
        self.faces.floors.each_touching_box(&slab.extent, |floor, room| {
            if floor == view.number || !room.extent.overlaps(&slab.extent) {
                return;
            }
            if slab.touches(room) {
                near.push(floor);
            } else if view.notes_overlap(floor) {
                prism.may_overlap.push(floor);
            }
        });
        self.faces.others.each_touching_in_space(&slab, |obstacle, room| {
            let is_near = match self.soup.is_upright(obstacle) {
                true => view.may_stand(room),
                false => room.extent.overlaps(&slab.extent),
            };
            near.extend(is_near.then_some(obstacle));
        });
    }

    /// Whether a walkable face overlaps one of a lower number in projection.
    pub fn overlap(&self, number: u32, other: u32) -> bool {
        FaceView::new(self, number).overlap(&self.soup.corners(other)).is_some()
    }
}

/// The face at hand.
pub(crate) struct FaceView<'a> {
    soup: &'a Soup,
    pub limits: Limits,
    pub number: u32,
    pub corners: [Corner; 3],
    pub plane: Plane,
    heights: (i32, i32),
    sides: [Side; 3],
}

/// An edge of the face at hand, as seen from its first corner.
#[derive(Clone, Copy)]
struct Side {
    start: Vec2,
    /// One unit long, towards the face.
    inward: Vec2,
}

impl Side {
    /// How far inside of it a place lies.
    fn depth(&self, at: Vec2) -> f64 {
        self.inward.dot(at - self.start)
    }
}

impl<'a> FaceView<'a> {
    pub fn new(prisms: &Prisms<'a>, number: u32) -> FaceView<'a> {
        let corners = prisms.soup.corners(number);
        let side = |i: usize| {
            let [start, end] = [i, (i + 1) % 3].map(|i| seen_from(corners[0].at, corners[i].at));
            Side { start, inward: (end - start).unit().perp() }
        };
        FaceView {
            sides: [0, 1, 2].map(side),
            soup: prisms.soup,
            limits: prisms.limits,
            number,
            corners,
            plane: Plane::through(corners),
            heights: prisms.soup.heights(number),
        }
    }

    /// Whether an obstacle lies at a height that matters at all.
    pub fn is_in_slab(&self, obstacle: u32) -> bool {
        let (low, high) = self.soup.heights(obstacle);
        f64::from(high) >= f64::from(self.heights.0) - SAME_FLOOR
            && f64::from(low) < f64::from(self.heights.1) + self.limits.height
    }

    /// The room over the face, and as far below it as the same floor may lie.
    fn slab(&self) -> Box3 {
        let low = self.heights.0 - SAME_FLOOR as i32;
        let high = (f64::from(self.heights.1) + self.limits.height).ceil() as i32 - 1;
        Box3 { extent: self.soup.extent(self.number), low, high }
    }

    /// Whether an upright obstacle can rise above the greatest step. Over a level face its own height tells most often.
    fn may_stand(&self, obstacle: &Box3) -> bool {
        let is_level = self.heights.0 == self.heights.1;
        !is_level || f64::from(obstacle.high) > f64::from(self.heights.1) + self.limits.step - 1.0
    }

    /// Whether it is to be noted if an obstacle overlaps the face: floors at any height may, and the first of two tells.
    fn notes_overlap(&self, obstacle: u32) -> bool {
        self.soup.is_walkable(obstacle) && obstacle > self.number
    }

    /// What a triangle covers of the face, if it is worth mention.
    fn overlap(&self, corners: &[Corner; 3]) -> Option<Polygon<MOST_KNOTS>> {
        if self.is_apart(corners) {
            return None;
        }
        let over = corners.map(|corner| self.plane.over(corner));
        let mut polygon = Polygon::<MOST_KNOTS>::of(corners.map(|corner| self.relative(corner.at)), over);
        for (edge, side) in (0..).zip(&self.sides) {
            polygon.clip(Line::Face(edge), |knot| side.depth(knot.at));
            if polygon.knots().len() < 3 {
                return None;
            }
        }
        (area(polygon.knots()) >= 0.5).then_some(polygon)
    }

    /// Lets a triangle with area in projection block what it covers.
    fn cover(&self, obstacle: u32, prism: &mut Prism, pile: &mut Pile) {
        let is_floor = self.soup.is_walkable(obstacle);
        let corners = self.soup.corners(obstacle);
        let Some(mut polygon) = self.overlap(&corners) else { return };
        if self.notes_overlap(obstacle) {
            prism.overlaps.push(obstacle);
        }
        let is_low = polygon.knots().iter().all(|knot| knot.over <= SAME_FLOOR);
        let is_slight = self.soup.faces[obstacle as usize].is_slight && !is_floor;
        if is_slight && polygon.knots().iter().all(|knot| knot.over <= self.limits.step) {
            return;
        }
        let is_same = is_low && polygon.knots().iter().all(|knot| knot.over >= -SAME_FLOOR);
        if is_low && !self.soup.faces[obstacle as usize].is_up {
            // The underside of what stands on a floor is no obstacle, even where it is drawn a little above, or dips
            // into the floor elsewhere.
            return;
        }
        if is_same {
            if !is_floor || self.lies_on(obstacle, polygon.knots()) {
                return;
            }
        } else {
            polygon.clip(Line::Floor, |knot| knot.over);
            polygon.clip(Line::Ceiling, |knot| self.limits.height - knot.over);
            if polygon.knots().len() < 3 {
                return;
            }
        }
        self.block(polygon.knots(), &corners, prism, pile);
    }

    /// Of one floor drawn twice the upper one stays, so that of a pile of them one does; of two at one height the one that
    /// comes first. No more than that counts as one height: of three sheets each would give way to another.
    fn lies_on(&self, other: u32, overlap: &[Knot]) -> bool {
        let mean = mean_over(overlap);
        mean < -ONE_HEIGHT || (mean <= ONE_HEIGHT && other > self.number)
    }

    /// Whether an edge of one of the two triangles separates them in projection; they may touch.
    pub fn is_apart(&self, obstacle: &[Corner; 3]) -> bool {
        let separates = |one: &[Corner; 3], other: &[Corner; 3]| {
            (0..3).any(|i| {
                let [start, end] = [i, (i + 1) % 3].map(|i| one[i].at);
                other.iter().all(|corner| orient(start, end, corner.at) <= 0)
            })
        };
        separates(&self.corners, obstacle) || separates(obstacle, &self.corners)
    }

    pub fn relative(&self, at: Point) -> Vec2 {
        seen_from(self.corners[0].at, at)
    }

    fn absolute(&self, at: Vec2) -> Point {
        let base = self.corners[0].at;
        Point::new(base.x + at.x.round() as i32, base.y + at.y.round() as i32)
    }

    /// Adds the outline of a blocked polygon.
    fn block(&self, polygon: &[Knot], obstacle: &[Corner; 3], prism: &mut Prism, pile: &mut Pile) {
        let count = polygon.len();
        if polygon.iter().all(|knot| matches!(knot.line, Line::Face(_))) {
            prism.is_dead = true;
            return;
        }
        let corner = |i: usize| {
            let before = polygon[(i + count - 1) % count].line;
            self.corner(before, polygon[i].line, polygon[i].at, obstacle)
        };
        let (mut ring, mut length) = ([Point::default(); MOST_KNOTS], 0);
        let mut on_sides = 0u16;
        for (knot, place) in polygon.iter().zip((0..count).map(corner)) {
            if length == 0 || ring[length - 1] != place {
                ring[length] = place;
                length += 1;
            }
            // Of knots in one place the last tells where the line leads on.
            let bit = 1 << (length - 1);
            on_sides = if matches!(knot.line, Line::Face(_)) { on_sides | bit } else { on_sides & !bit };
        }
        while length > 1 && ring[0] == ring[length - 1] {
            length -= 1;
        }
        let ring = &ring[..length];
        let doubled_area = || ring[1..].windows(2).map(|side| orient(ring[0], side[0], side[1])).sum::<i64>();
        let doubled_area = if length < 3 { 0 } else { doubled_area() };
        if doubled_area <= 0 {
            return;
        }
        prism.borders.reserve(length);
        for (i, from) in ring.iter().enumerate() {
            let to = ring[(i + 1) % ring.len()];
            prism.borders.push(Border {
                from: *from,
                to,
                face: self.number,
                cover: 0,
                block: 1,
                is_barrier: false,
            });
        }
        pile.add(&prism.borders, length, on_sides, doubled_area as f64);
    }

    /// The grid point where two lines meet, made from the lines alone.
    fn corner(&self, before: Line, after: Line, near: Vec2, obstacle: &[Corner; 3]) -> Point {
        match (before, after) {
            (Line::Obstacle(i), Line::Obstacle(j)) => shared(obstacle, i, j).at,
            (Line::Face(i), Line::Face(j)) => shared(&self.corners, i, j).at,
            (Line::Obstacle(i), Line::Face(j)) | (Line::Face(j), Line::Obstacle(i)) => {
                crossing_of(edge(&self.corners, j), edge(obstacle, i)).unwrap_or_else(|| self.absolute(near))
            }
            (Line::Obstacle(i), line) | (line, Line::Obstacle(i)) => {
                let lift = if line == Line::Ceiling { self.limits.height } else { 0.0 };
                pierce(edge(obstacle, i), &self.plane, lift).unwrap_or_else(|| self.absolute(near))
            }
            (Line::Face(i), line) | (line, Line::Face(i)) => {
                let lift = if line == Line::Ceiling { -self.limits.height } else { 0.0 };
                let plane = Plane::through(*obstacle);
                pierce(edge(&self.corners, i), &plane, lift).unwrap_or_else(|| self.absolute(near))
            }
            _ => self.absolute(near),
        }
    }

    /// Lets an upright triangle stand on the face as a barrier.
    fn stand(&self, obstacle: u32, prism: &mut Prism) {
        let corners = self.soup.corners(obstacle);
        let places = corners.map(|corner| self.relative(corner.at));
        if self.sides.iter().any(|side| places.iter().all(|at| side.depth(*at) + BESIDE < 0.0)) {
            return;
        }
        let over = corners.map(|corner| self.plane.over(corner));
        if over.iter().all(|over| *over <= self.limits.step)
            || over.iter().all(|over| *over >= self.limits.height)
        {
            return;
        }
        let longest = (0..3).max_by_key(|i| corners[*i].at.distance_squared(corners[(i + 1) % 3].at));
        let [start, end] = edge(&corners, longest.unwrap_or(0)).map(|corner| corner.at);
        let (from, to) = (self.relative(start), self.relative(end));
        let (length, direction) = ((to - from).length(), (to - from).unit());
        let reach = |i: usize| Reach { along: direction.dot(places[i] - from), over: over[i] };
        let mut polygon = Polygon::<FEWER_KNOTS, Reach>::triangle([0, 1, 2].map(reach));
        polygon.clip(Line::Floor, |knot| knot.over - self.limits.step);
        polygon.clip(Line::Ceiling, |knot| self.limits.height - knot.over);
        let places = || polygon.knots().iter().map(|knot| knot.along);
        if polygon.knots().is_empty() {
            return;
        }
        let mut low = places().fold(f64::INFINITY, f64::min).max(0.0);
        let mut high = places().fold(f64::NEG_INFINITY, f64::max).min(length);
        let mut ends = [None, None];
        for (i, side) in self.sides.iter().enumerate() {
            let [at_low, at_high] = [low, high].map(|s| side.depth(from + direction * s) + BESIDE);
            if at_low < 0.0 && at_high < 0.0 {
                return;
            }
            let cut = low + (high - low) * at_low / (at_low - at_high);
            if at_low < 0.0 {
                (low, ends[0]) = (cut, Some(i));
            } else if at_high < 0.0 {
                (high, ends[1]) = (cut, Some(i));
            }
        }
        if high - low <= 0.5 {
            return;
        }
        let place = |side: Option<usize>, s: f64| {
            let wall = [Corner { at: start, height: 0 }, Corner { at: end, height: 0 }];
            let meeting = side.and_then(|i| crossing_of(edge(&self.corners, i), wall));
            meeting.unwrap_or_else(|| match () {
                () if s <= 0.0 => start,
                () if s >= length => end,
                () => self.absolute(from + direction * s),
            })
        };
        let [from, to] = [place(ends[0], low), place(ends[1], high)];
        if from != to {
            let (from, to) = (from.min(to), from.max(to));
            prism.borders.push(Border { from, to, face: self.number, cover: 0, block: 0, is_barrier: true });
        }
    }
}

/// How far above the face a polygon lies on average; the same whichever way its corners were found.
fn mean_over(polygon: &[Knot]) -> f64 {
    let base = &polygon[0];
    let (mut whole, mut sum) = (0.0, 0.0);
    for pair in polygon[1..].windows(2) {
        let area = (pair[0].at - base.at).cross(pair[1].at - base.at);
        whole += area;
        sum += area * (base.over + pair[0].over + pair[1].over) / 3.0;
    }
    sum / whole
}

fn seen_from(base: Point, at: Point) -> Vec2 {
    let off = at - base;
    Vec2::new(off.x as f64, off.y as f64)
}

/// An edge of a triangle, the same for both triangles that share it.
fn edge(corners: &[Corner; 3], i: impl Into<usize>) -> [Corner; 2] {
    let i = i.into();
    let (a, b) = (corners[i], corners[(i + 1) % 3]);
    if a <= b { [a, b] } else { [b, a] }
}

/// The corner that two edges of a triangle share.
fn shared(corners: &[Corner; 3], i: u8, j: u8) -> Corner {
    let [i, j] = [i, j].map(usize::from);
    if (i + 1) % 3 == j { corners[j] } else { corners[i] }
}

/// Where two edges cross in projection; the same whichever is named first.
fn crossing_of(one: [Corner; 2], other: [Corner; 2]) -> Option<Point> {
    let (one, other) = (one.map(|corner| corner.at), other.map(|corner| corner.at));
    let [p, q] = if one <= other { [one, other] } else { [other, one] };
    if cross_properly(p[0], p[1], q[0], q[1]) {
        return Some(crossing(p[0], p[1], q[0], q[1]));
    }
    // They touch: an end of one lies on the other.
    let on = |a: [Point; 2], p: Point| clearway_geometry::predicates::on_segment(a[0], a[1], p);
    p.into_iter().find(|end| on(q, *end)).or_else(|| q.into_iter().find(|end| on(p, *end)))
}

/// Where an edge passes through a plane lifted by `lift`.
fn pierce([a, b]: [Corner; 2], plane: &Plane, lift: f64) -> Option<Point> {
    let [low, high] = [a, b].map(|corner| plane.over(corner) - lift);
    let t = low / (low - high);
    (0.0..=1.0).contains(&t).then(|| along(a.at, b.at, t))
}
