//! Finds what stands in the prism over a face: the space that a body of full height needs above it.
//!
//! A triangle with area in projection blocks a convex polygon: its part in the open slab between the face and the
//! height above it. A triangle without area blocks a line: its part between the greatest step and the height. The lower
//! limit of the slab is exactly zero. So a ramp that dips into a floor, and the floor that it covers, are cut along one
//! line.
//!
//! Invariant: a corner of what is blocked is made from the two lines that meet there, and from nothing else. Faces and
//! obstacles that share an edge get the same points on it. Cost: per face, the obstacles whose boxes touch its slab.

use crate::surface::faces::soup::{Corner, FaceBins, Soup};
use crate::surface::grid_rules::Limits;
use crate::surface::headroom::clip::{Knot, Line, Polygon, Reach, area};
use crate::surface::headroom::cover_pruning::Pile;
use crate::surface::tolerances::clip::{FEWER_KNOTS, MOST_KNOTS};
use crate::surface::tolerances::prism::{BESIDE, NEAR, ONE_HEIGHT, SAME_FLOOR};
use clearway_geometry::arrangement::Border;
use clearway_geometry::boxes::Box3;
use clearway_geometry::construct::{along, crossing};
use clearway_geometry::predicates::{cross_properly, orient};
use clearway_geometry::{Point, Vec2};

/// The contents of the prism over one face.
#[derive(Clone, Debug, Default)]
pub struct Prism {
    /// The outlines of what is blocked, and barriers.
    pub borders: Vec<Border>,
    /// True if all of the face is blocked. The other fields are empty then.
    pub is_dead: bool,
    /// Walkable faces with higher indices that overlap this one in projection, at a height that matters.
    pub overlaps: Vec<u32>,
    /// Walkable faces with higher indices, at other heights, whose boxes overlap. Few of them are ever tested.
    pub may_overlap: Vec<u32>,
}

/// Scratch buffers for making prisms: lists that have grown once need not grow again.
#[derive(Debug, Default)]
pub struct Bench {
    /// The obstacles near the face.
    near: Vec<u32>,
    /// The prism in the making.
    prism: Prism,
    /// The blockers of the face, for pruning.
    pile: Pile,
}

impl Bench {
    /// Empties all buffers and keeps their memory.
    fn clear(&mut self) {
        self.near.clear();
        self.pile.clear();
        self.prism.is_dead = false;
        self.prism.borders.clear();
        self.prism.overlaps.clear();
        self.prism.may_overlap.clear();
    }
}

/// The plane through three corners. Its normal points up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// The first corner, from which everything is measured.
    base: Corner,
    /// The normal; its third component is twice the area in projection.
    normal: [i128; 3],
    /// The normal in 64 bits, if [`Plane::over`] cannot overflow with it for points within half of [`NEAR`].
    near_normal: Option<[i64; 3]>,
}

impl Plane {
    /// Computes the plane exactly, in integers.
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

    /// Returns the height of a corner above the plane, measured upright, in grid units. Integers compute it up to the
    /// final division.
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

/// All that prisms are made from.
pub struct Prisms<'a> {
    /// The faces of the scene.
    pub soup: &'a Soup,
    /// All faces of the soup in grids of boxes.
    pub faces: &'a FaceBins,
    /// The heights that matter.
    pub limits: Limits,
}

impl Prisms<'_> {
    /// Makes the prism over a face. `bench` is scratch memory.
    pub fn over(&self, number: u32, bench: &mut Bench) -> Prism {
        bench.clear();
        let Bench { near, prism, pile } = bench;
        let view = FaceView::new(self, number);
        self.find_near(&view, near, prism);
        // Obstacles with area come first: once they cover the whole face, the upright ones need no look.
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

    /// Collects the obstacles at a height that matters in `near`, and floors at other heights in `prism.may_overlap`.
    fn find_near(&self, view: &FaceView, near: &mut Vec<u32>, prism: &mut Prism) {
        let slab = view.slab();
        // Boxes that only touch are skipped: an area needs area in common to cover anything.
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

    /// True if two walkable faces overlap in projection. `number` is the lower index.
    pub fn overlap(&self, number: u32, other: u32) -> bool {
        FaceView::new(self, number).overlap(&self.soup.corners(other)).is_some()
    }
}

/// One face with everything that each obstacle is compared with.
pub(crate) struct FaceView<'a> {
    /// The faces of the scene.
    soup: &'a Soup,
    /// The heights that matter.
    pub limits: Limits,
    /// The index of the face.
    pub number: u32,
    /// Its corners.
    pub corners: [Corner; 3],
    /// Its plane.
    pub plane: Plane,
    /// The heights of its lowest and its highest corner.
    heights: (i32, i32),
    /// Its edges.
    sides: [Side; 3],
}

/// An edge of the face, relative to the face's first corner.
#[derive(Clone, Copy)]
struct Side {
    /// The start of the edge.
    start: Vec2,
    /// The normal of the edge towards the face, one unit long.
    inward: Vec2,
}

impl Side {
    /// Returns the distance of a point to the inner side of the edge.
    fn depth(&self, at: Vec2) -> f64 {
        self.inward.dot(at - self.start)
    }
}

impl<'a> FaceView<'a> {
    /// Prepares a face.
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

    /// True if an obstacle reaches into the heights that matter for the face.
    pub fn is_in_slab(&self, obstacle: u32) -> bool {
        let (low, high) = self.soup.heights(obstacle);
        f64::from(high) >= f64::from(self.heights.0) - SAME_FLOOR
            && f64::from(low) < f64::from(self.heights.1) + self.limits.height
    }

    /// Returns the box over the face. It starts below the face by [`SAME_FLOOR`], where the same floor may be drawn
    /// again.
    fn slab(&self) -> Box3 {
        let low = self.heights.0 - SAME_FLOOR as i32;
        let high = (f64::from(self.heights.1) + self.limits.height).ceil() as i32 - 1;
        Box3 { extent: self.soup.extent(self.number), low, high }
    }

    /// True if an upright obstacle may rise above the greatest step. Over a level face its box decides most often.
    fn may_stand(&self, obstacle: &Box3) -> bool {
        let is_level = self.heights.0 == self.heights.1;
        !is_level || f64::from(obstacle.high) > f64::from(self.heights.1) + self.limits.step - 1.0
    }

    /// True if the overlap must be recorded: the other face is walkable and has the higher index. So each pair is
    /// recorded once.
    fn notes_overlap(&self, obstacle: u32) -> bool {
        self.soup.is_walkable(obstacle) && obstacle > self.number
    }

    /// Returns the part of a triangle over the face, at any height; `None` if its area is below half a square unit.
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

    /// Blocks the part of the face that a triangle with area in projection covers.
    fn cover(&self, obstacle: u32, prism: &mut Prism, pile: &mut Pile) {
        let is_floor = self.soup.is_walkable(obstacle);
        let corners = self.soup.corners(obstacle);
        let Some(mut polygon) = self.overlap(&corners) else { return };
        if self.notes_overlap(obstacle) {
            prism.overlaps.push(obstacle);
        }
        let is_low = polygon.knots().iter().all(|knot| knot.over <= SAME_FLOOR);
        let is_slight = self.soup.faces[obstacle as usize].is_slight && !is_floor;
        // A low, narrow riser is stepped over. A floor is never skipped here.
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

    /// True if the face stays and `other` gives way, where both are one floor drawn twice.
    ///
    /// The upper one stays, so that one floor of a pile does. Of two at one height the first one stays. Only
    /// [`ONE_HEIGHT`] counts as one height: otherwise each of three sheets would give way to another.
    fn lies_on(&self, other: u32, overlap: &[Knot]) -> bool {
        let mean = mean_over(overlap);
        mean < -ONE_HEIGHT || (mean <= ONE_HEIGHT && other > self.number)
    }

    /// True if an edge of one of the two triangles separates them in projection. They may touch.
    pub fn is_apart(&self, obstacle: &[Corner; 3]) -> bool {
        let separates = |one: &[Corner; 3], other: &[Corner; 3]| {
            (0..3).any(|i| {
                let [start, end] = [i, (i + 1) % 3].map(|i| one[i].at);
                other.iter().all(|corner| orient(start, end, corner.at) <= 0)
            })
        };
        separates(&self.corners, obstacle) || separates(obstacle, &self.corners)
    }

    /// Returns a point relative to the first corner of the face. Small numbers keep floats precise.
    pub fn relative(&self, at: Point) -> Vec2 {
        seen_from(self.corners[0].at, at)
    }

    /// Rounds a point relative to the first corner to the grid.
    fn absolute(&self, at: Vec2) -> Point {
        let base = self.corners[0].at;
        Point::new(base.x + at.x.round() as i32, base.y + at.y.round() as i32)
    }

    /// Adds the outline of a blocked polygon, or marks the face as dead if it is covered wholly.
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
            // Of several knots at one grid point, the line that leads on from the last one counts.
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

    /// Makes the grid point where two lines meet from the lines alone. `near` serves only if they do not quite meet.
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

    /// Lets an upright triangle stand on the face as a barrier: a line, clipped to the face and to the heights that
    /// matter.
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
        // The longest side in projection is the line; the third corner lies within rounding of it.
        let longest = (0..3).max_by_key(|i| corners[*i].at.distance_squared(corners[(i + 1) % 3].at));
        let ends = edge(&corners, longest.unwrap_or(0)).map(|corner| corner.at);
        let [from, to] = ends.map(|end| self.relative(end));
        let foot = Foot { ends, from, length: (to - from).length(), direction: (to - from).unit() };
        let stretch = self.in_the_way(&foot, places, over).and_then(|stretch| self.on_face(&foot, stretch));
        let [from, to] = match stretch {
            // Less than half a unit vanishes on the grid.
            Some([low, high]) if high.at - low.at > 0.5 => [low, high].map(|end| self.place_of(&foot, end)),
            _ => return,
        };
        if from != to {
            let (from, to) = (from.min(to), from.max(to));
            prism.borders.push(Border { from, to, face: self.number, cover: 0, block: 0, is_barrier: true });
        }
    }

    /// Returns the stretch of a wall's foot over which the wall reaches into the heights that matter. `places` and
    /// `over` belong to the corners of the wall.
    fn in_the_way(&self, foot: &Foot, places: [Vec2; 3], over: [f64; 3]) -> Option<[f64; 2]> {
        let reach = |i: usize| Reach { along: foot.direction.dot(places[i] - foot.from), over: over[i] };
        let mut polygon = Polygon::<FEWER_KNOTS, Reach>::triangle([0, 1, 2].map(reach));
        polygon.clip(Line::Floor, |knot| knot.over - self.limits.step);
        polygon.clip(Line::Ceiling, |knot| self.limits.height - knot.over);
        let along = || polygon.knots().iter().map(|knot| knot.along);
        let low = along().fold(f64::INFINITY, f64::min).max(0.0);
        let high = along().fold(f64::NEG_INFINITY, f64::max).min(foot.length);
        (!polygon.knots().is_empty()).then_some([low, high])
    }

    /// Clips a stretch of a wall's foot to the face; `None` if it lies beside the face.
    fn on_face(&self, foot: &Foot, [mut low, mut high]: [f64; 2]) -> Option<[FootEnd; 2]> {
        let mut sides = [None, None];
        for (i, side) in self.sides.iter().enumerate() {
            let [at_low, at_high] = [low, high].map(|s| side.depth(foot.from + foot.direction * s) + BESIDE);
            if at_low < 0.0 && at_high < 0.0 {
                return None;
            }
            let cut = low + (high - low) * at_low / (at_low - at_high);
            if at_low < 0.0 {
                (low, sides[0]) = (cut, Some(i));
            } else if at_high < 0.0 {
                (high, sides[1]) = (cut, Some(i));
            }
        }
        Some([FootEnd { at: low, side: sides[0] }, FootEnd { at: high, side: sides[1] }])
    }

    /// Returns the grid point at which a wall's foot ends on the face.
    fn place_of(&self, foot: &Foot, FootEnd { at, side }: FootEnd) -> Point {
        let wall = foot.ends.map(|at| Corner { at, height: 0 });
        let meeting = side.and_then(|i| crossing_of(edge(&self.corners, i), wall));
        meeting.unwrap_or_else(|| match () {
            () if at <= 0.0 => foot.ends[0],
            () if at >= foot.length => foot.ends[1],
            () => self.absolute(foot.from + foot.direction * at),
        })
    }
}

/// The line on which an upright triangle stands.
struct Foot {
    /// Its two ends on the grid.
    ends: [Point; 2],
    /// Its start, relative to the face.
    from: Vec2,
    /// Its length, in grid units.
    length: f64,
    /// Its direction, one unit long.
    direction: Vec2,
}

/// An end of the stretch of a [`Foot`] that lies on a face.
#[derive(Clone, Copy)]
struct FootEnd {
    /// The distance from the start of the foot, in grid units.
    at: f64,
    /// The side of the face that cuts the foot there, if one does.
    side: Option<usize>,
}

/// Returns the mean height of a polygon above the face, weighted by area. It does not depend on how corners were found.
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

/// Returns a point relative to a base point.
fn seen_from(base: Point, at: Point) -> Vec2 {
    let off = at - base;
    Vec2::new(off.x as f64, off.y as f64)
}

/// Returns an edge of a triangle, its lower corner first: the same for both triangles that share it.
fn edge(corners: &[Corner; 3], i: impl Into<usize>) -> [Corner; 2] {
    let i = i.into();
    let (a, b) = (corners[i], corners[(i + 1) % 3]);
    if a <= b { [a, b] } else { [b, a] }
}

/// Returns the corner that two edges of a triangle share.
fn shared(corners: &[Corner; 3], i: u8, j: u8) -> Corner {
    let [i, j] = [i, j].map(usize::from);
    if (i + 1) % 3 == j { corners[j] } else { corners[i] }
}

/// Returns the point where two edges cross in projection, the same whichever is named first.
fn crossing_of(one: [Corner; 2], other: [Corner; 2]) -> Option<Point> {
    let (one, other) = (one.map(|corner| corner.at), other.map(|corner| corner.at));
    let [p, q] = if one <= other { [one, other] } else { [other, one] };
    if cross_properly(p[0], p[1], q[0], q[1]) {
        return Some(crossing(p[0], p[1], q[0], q[1]));
    }
    // They may still touch: an end of one lies on the other.
    let on = |a: [Point; 2], p: Point| clearway_geometry::predicates::on_segment(a[0], a[1], p);
    p.into_iter().find(|end| on(q, *end)).or_else(|| q.into_iter().find(|end| on(p, *end)))
}

/// Returns the point where an edge passes through a plane lifted by `lift`; `None` if it does not.
fn pierce([a, b]: [Corner; 2], plane: &Plane, lift: f64) -> Option<Point> {
    let [low, high] = [a, b].map(|corner| plane.over(corner) - lift);
    let t = low / (low - high);
    (0.0..=1.0).contains(&t).then(|| along(a.at, b.at, t))
}
