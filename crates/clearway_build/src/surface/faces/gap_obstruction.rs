//! Decides whether a wall stands in the gap between two floors, higher than a step and lower than a body.
//!
//! The height of a wall above the ground is measured in floats. The outline of its part in the way is then rounded to
//! the grid, as everything that is made. Integers decide whether the outline reaches into the passage between two rims:
//! two convex rings are apart if and only if a side of one of them separates them (separating axis theorem). Cost: the
//! product of the numbers of corners, which are few.

use crate::surface::faces::soup::Corner;
use crate::surface::headroom::clip::{Line, Polygon};
use crate::surface::tolerances::clip::FEWER_KNOTS;
use crate::surface::tolerances::gap_obstruction::{AT_END, SHORTEST};
use clearway_geometry::clip::half_plane;
use clearway_geometry::construct::{along, nearest};
use clearway_geometry::predicates::{is_ahead_by, is_right_by, orient};
use clearway_geometry::{Point, Vec2};

/// Ground that rises evenly along a line.
#[derive(Clone, Copy, Debug)]
pub struct Slope {
    /// The two ends of the line.
    pub line: [Point; 2],
    /// The heights of the ground at both ends, in grid units.
    pub heights: [f64; 2],
}

impl Slope {
    /// Returns the height of the ground at the foot of a point on the line, in grid units. The slope goes on past both
    /// ends.
    pub fn height(&self, at: Point) -> f64 {
        let along = self.line[1] - self.line[0];
        let share = along.dot(at - self.line[0]) as f64 / (along.length_squared() as f64).max(1.0);
        self.heights[0] + (self.heights[1] - self.heights[0]) * share
    }

    /// True if a ring lies beyond one end of the line, or reaches at most [`AT_END`] past it.
    pub fn ends_at(&self, ring: &[Point]) -> bool {
        let [from, to] = self.line;
        [(from, to), (to, from)]
            .into_iter()
            .any(|(end, inwards)| !ring.iter().any(|at| is_ahead_by(end, inwards, *at, AT_END)))
    }

    /// Returns the outline, on the grid, of the part of a face that lies between `low` and `high` above the ground.
    pub fn between(&self, face: &[Corner; 3], low: f64, high: f64) -> Vec<Point> {
        // Coordinates relative to a corner keep floats small, and so precise.
        let base = face[0].at.as_vec2();
        let seen = face.map(|corner| corner.at.as_vec2() - base);
        let over = face.map(|corner| f64::from(corner.height) - self.height(corner.at));
        let mut polygon = Polygon::<FEWER_KNOTS>::of(seen, over);
        polygon.clip(Line::Floor, |knot| knot.over - low);
        polygon.clip(Line::Ceiling, |knot| high - knot.over);
        let mut ring: Vec<Point> = polygon.knots().iter().map(|knot| nearest(base + knot.at)).collect();
        ring.dedup();
        ring
    }
}

/// Two lines that run against each other, measured along the first line in grid units.
#[derive(Clone, Copy, Debug)]
pub struct Facing {
    /// The two lines. The second runs the other way.
    pub lines: [[Point; 2]; 2],
    /// The positions of the second line's end and start along the first. The second line runs backwards.
    other: [f64; 2],
    /// The positions between which both lines run.
    pub shared: [f64; 2],
}

impl Facing {
    /// Projects the second line onto the first.
    pub fn of(lines: [[Point; 2]; 2]) -> Facing {
        let [[from, to], other] = lines;
        let along = to - from;
        let length = along.length();
        let [end, start] = other.map(|at| along.dot(at - from) as f64 / length);
        Facing { lines, other: [start, end], shared: [start.max(0.0), end.min(length)] }
    }

    /// Returns the distance of the second line to the right of the first, at both ends of `shared`.
    pub fn widths(&self) -> [f64; 2] {
        let [[from, to], [end, start]] = self.lines;
        let along = to - from;
        let [start, end] = [start, end].map(|at| -along.cross(at - from) as f64 / along.length());
        self.shared
            .map(|ahead| start + (end - start) * (ahead - self.other[0]) / (self.other[1] - self.other[0]))
    }

    /// Returns the stretches of both lines in which both run.
    pub fn whole(&self) -> Part {
        self.part(self.shared)
    }

    /// Returns the stretches of both lines between two positions along the first. A position close to an end of a line
    /// becomes that end.
    pub fn part(&self, [from, to]: [f64; 2]) -> Part {
        let [start, end] = self.other;
        let length = self.lines[0][0].distance(self.lines[0][1]);
        let across = |ahead: f64| (end - ahead) / (end - start);
        [
            [from, to].map(|ahead| place_on(self.lines[0], ahead / length)),
            [to, from].map(|ahead| place_on(self.lines[1], across(ahead))),
        ]
    }

    /// Returns the stretches of the first line that are free of rings between the two lines, or within `margin` of
    /// them.
    pub fn openings<'r>(&self, rings: impl Iterator<Item = &'r Vec<Point>>, margin: f64) -> Vec<[f64; 2]> {
        let [from, to] = self.lines[0].map(Point::as_vec2);
        let axis = (to - from).unit();
        let aside = self.lines[1].map(|at| axis.cross(at.as_vec2() - from));
        let [least, most] = [aside[0].min(aside[1]).min(0.0), aside[0].max(aside[1]).max(0.0)];
        // Each ring is cut down to the strip between the lines; the rest blocks its range along the first line.
        let blocked = |ring: &Vec<Point>| {
            let seen = ring.iter().map(|at| at.as_vec2() - from);
            let mut part: Vec<Vec2> = seen.map(|off| Vec2::new(axis.dot(off), axis.cross(off))).collect();
            part = clipped(&part, |place| place.y - least + margin);
            part = clipped(&part, |place| most + margin - place.y);
            let ahead = || part.iter().map(|place| place.x);
            let range = [ahead().fold(f64::INFINITY, f64::min), ahead().fold(f64::NEG_INFINITY, f64::max)];
            (!part.is_empty()).then_some([range[0] - margin, range[1] + margin])
        };
        let mut blocked: Vec<[f64; 2]> = rings.filter_map(blocked).collect();
        blocked.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
        let (mut open, mut at) = (Vec::new(), self.shared[0]);
        for [begins, ends] in blocked {
            open.push([at, begins.min(self.shared[1])]);
            at = ends.max(at);
        }
        open.push([at, self.shared[1]]);
        open.retain(|[from, to]| from < to);
        open
    }
}

/// A stretch of one line, and the stretch of another that faces it.
pub type Part = [[Point; 2]; 2];

/// Returns the point at a share of a line, or an end that is closer than [`SHORTEST`].
fn place_on([from, to]: [Point; 2], share: f64) -> Point {
    let length = from.distance(to);
    match share * length {
        ahead if ahead <= SHORTEST => from,
        ahead if length - ahead <= SHORTEST => to,
        _ => along(from, to, share),
    }
}

/// The convex area between some corners, grown by `reach` grid units; shrunk if `reach` is negative.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// The corners of the area, in any order.
    pub corners: &'a [Point],
    /// The distance beside the area that still counts, in grid units.
    pub reach: i32,
}

impl Passage<'_> {
    /// True if a convex ring reaches into the passage. The ring may be a line.
    pub fn meets(&self, ring: &[Point]) -> bool {
        !ring.is_empty() && !self.parts(self.corners, ring) && !self.parts(ring, self.corners)
    }

    /// True if a side of the first ring separates it from the other.
    fn parts(&self, one: &[Point], other: &[Point]) -> bool {
        // Corners may repeat or come in either direction: all pairs are tried, and the first test keeps the hull's
        // sides.
        let sides = one.iter().flat_map(|from| one.iter().map(move |to| (*from, *to)));
        sides.filter(|(from, to)| from != to).any(|(from, to)| {
            one.iter().all(|at| orient(from, to, *at) >= 0)
                && other.iter().all(|at| is_right_by(from, to, *at, self.reach))
        })
    }
}

/// Returns the part of a convex polygon where `inside` is not negative. It is empty unless `inside` is positive
/// somewhere.
fn clipped(polygon: &[Vec2], inside: impl Fn(&Vec2) -> f64) -> Vec<Vec2> {
    if !polygon.iter().any(|place| inside(place) > 0.0) {
        return Vec::new();
    }
    half_plane(polygon, inside, |from, to, share| *from + (*to - *from) * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points<const N: usize>(at: [(i32, i32); N]) -> [Point; N] {
        at.map(|(x, y)| Point::new(x, y))
    }

    /// A gap of 20 units between two lines 100 units long.
    fn gap() -> Facing {
        Facing::of([points([(0, 0), (0, 100)]), points([(20, 100), (20, 0)])])
    }

    #[test]
    fn rings_reach_into_passages_up_to_the_margin() {
        let corners = gap().whole();
        let meets = |ring: &[Point], reach| Passage { corners: corners.as_flattened(), reach }.meets(ring);
        let beside = points([(-1, 10), (-1, 90)]);
        assert!(meets(&beside, 1) && !meets(&beside, 0));
        let inside = points([(18, 10), (18, 90)]);
        assert!(meets(&inside, 0) && meets(&inside, -1) && !meets(&inside, -3));
        assert!(meets(&points([(-50, 50), (70, 50)]), -2), "a line right through it");
        assert!(meets(&points([(-99, -99), (199, -99), (50, 299)]), -2), "all around it");
        assert!(!meets(&points([(-30, 50), (-10, 160)]), 1));
        assert!(!meets(&[], 1));
    }

    #[test]
    fn openings_are_what_rings_leave() {
        let walls = [points([(5, -5), (5, 30)]).to_vec(), points([(10, 60), (10, 70)]).to_vec()];
        assert_eq!(gap().openings(walls.iter(), 0.0), [[30.0, 60.0], [70.0, 100.0]]);
        assert_eq!(gap().openings(walls.iter(), 2.0), [[32.0, 58.0], [72.0, 100.0]]);
        assert_eq!(gap().widths(), [20.0, 20.0]);
        let part = gap().part([30.0, 60.0]);
        assert_eq!(part, [points([(0, 30), (0, 60)]), points([(20, 60), (20, 30)])]);
    }

    #[test]
    fn walls_end_rims_if_they_hardly_reach_past_their_ends() {
        let rim = Slope { line: points([(0, 0), (0, 100)]), heights: [0.0; 2] };
        assert!(rim.ends_at(&points([(0, -50), (0, 2)])) && !rim.ends_at(&points([(0, -50), (0, 3)])));
        assert!(rim.ends_at(&points([(5, 98), (5, 200)])) && !rim.ends_at(&points([(5, 97), (5, 200)])));
    }

    #[test]
    fn only_what_is_between_the_heights_stands_in_the_way() {
        let ground = Slope { line: points([(0, 0), (100, 0)]), heights: [0.0, 50.0] };
        let corner = |x: i32, height: i32| Corner { at: Point::new(x, 0), height };
        // It rises with the ground, so that half of it is too low.
        let wall = [corner(0, 0), corner(100, 50), corner(100, 70)];
        assert_eq!(ground.between(&wall, 10.0, 90.0), points([(100, 0), (50, 0)]));
        assert!(ground.between(&wall, 30.0, 90.0).is_empty());
    }
}
