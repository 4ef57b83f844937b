//! Kerbs: steep faces over which one steps from a lower floor to an upper one.
//!
//! A steep face is a kerb if the steepest line through it leads down to a floor and up to another, with no more than a
//! step between the two. The line runs over as many steep faces as it takes, whether they share edges or only nearly
//! meet, and along the creases of corners. Where it leaves them, the floor need not end: it may run on beneath, or lie
//! as far beside as a gap is wide. So it does not matter where the lower floor ends, nor how far a street climbs along
//! its kerb.
//!
//! Kerbs become walkable. What they cover, and where they meet floors, is then settled as for any floor. Cost: sorting
//! the edges of steep faces, and a few faces per line; a line ends when it has risen by more than a step.

use crate::surface::faces::edge_table::EdgeTable;
use crate::surface::faces::soup::{Corner, Face, Kind, Soup};
use crate::surface::tolerances::ROUNDING;
use crate::surface::tolerances::kerbs::{CLIMB, MOST_FACES, NEAR_CORNER, SLIDE, SUNK};
use clearway_geometry::boxes::{Box2, Box3, BoxGrid};
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{NONE, Point, Vec2};
use rayon::prelude::*;

impl Soup {
    /// Makes steep faces walkable that lead from one floor up to another, at most `step` above it. Floors up to `gap`
    /// beside the faces count. Both are in grid units.
    ///
    /// That an upper floor is needed matters: without it, precision on the dungeon falls from 99.9 % to 97 %.
    pub(crate) fn raise_low_kerbs(&mut self, step: f64, gap: f64) {
        let first = self.count_up_to(Kind::Walkable) as u32;
        let last = self.count_up_to(Kind::Blocking) as u32;
        let slope = |face: u32| Slope::of(self, face);
        let steep: Vec<Slope> = (first..last).into_par_iter().filter_map(slope).collect();
        let is_low = |number: &u32| steep[*number as usize].is_low(step);
        let low: Vec<u32> = (0..steep.len() as u32).into_par_iter().filter(is_low).collect();
        if low.is_empty() {
            return;
        }
        let bank = Bank::of(self, steep, step, gap.max(ROUNDING));
        let raised: Vec<u32> = low.into_par_iter().filter(|number| bank.is_kerb(*number)).collect();
        let raised: Vec<u32> = raised.iter().map(|number| bank.steep[*number as usize].face).collect();
        self.raise(&raised);
    }

    /// Makes these faces walkable and moves them to the walkable part of the list.
    fn raise(&mut self, raised: &[u32]) {
        if raised.is_empty() {
            return;
        }
        let mut is_raised = vec![false; self.faces.len()];
        raised.iter().for_each(|face| is_raised[*face as usize] = true);
        let mut risen = Vec::with_capacity(raised.len());
        let mut marks = is_raised.into_iter();
        self.faces.retain(|face| {
            let is_raised = marks.next() == Some(true);
            risen.extend(is_raised.then_some(Face { kind: Kind::Walkable, ..*face }));
            !is_raised
        });
        self.insert(risen);
    }

    /// Returns the corners of a face of a soup that is not settled yet.
    fn places(&self, face: u32) -> [Corner; 3] {
        self.faces[face as usize].corners.map(|corner| self.corners[corner as usize])
    }
}

/// A triangle of the soup as a plane over its projection, in grid units.
#[derive(Clone, Copy, Debug)]
struct Slope {
    /// Its number among the faces of the soup.
    face: u32,
    /// Its corners in projection, counter-clockwise.
    corners: [Vec2; 3],
    /// The height of its first corner.
    base: f64,
    /// The rise per unit of length along both axes.
    gradient: Vec2,
}

impl Slope {
    /// Makes the slope of a face; `None` if it does not look up or spans nothing.
    fn of(soup: &Soup, face: u32) -> Option<Slope> {
        soup.faces[face as usize].is_up.then(|| Slope::through(face, soup.places(face))).flatten()
    }

    /// Makes the slope through three corners; `None` if they span nothing in projection.
    fn through(face: u32, places: [Corner; 3]) -> Option<Slope> {
        let corners = places.map(|corner| corner.at.as_vec2());
        let [p, q] = [corners[1] - corners[0], corners[2] - corners[0]];
        let [rise_p, rise_q] = [1, 2].map(|i: usize| f64::from(places[i].height - places[0].height));
        let doubled = p.cross(q);
        // The gradient g solves g·p = rise_p and g·q = rise_q.
        let gradient = Vec2::new(rise_p * q.y - rise_q * p.y, rise_q * p.x - rise_p * q.x) * (1.0 / doubled);
        (doubled > 0.0).then_some(Slope { face, corners, base: f64::from(places[0].height), gradient })
    }

    /// Returns the height of the plane over a point.
    fn height(&self, at: Vec2) -> f64 {
        self.base + self.gradient.dot(at - self.corners[0])
    }

    /// Returns the middle of the triangle.
    fn middle(&self) -> Vec2 {
        (self.corners[0] + self.corners[1] + self.corners[2]) * (1.0 / 3.0)
    }

    /// Follows the steepest line from a point of the triangle, upwards or downwards. Returns the side through which it
    /// leaves, and the point.
    fn leave(&self, at: Vec2, is_up: bool) -> (usize, Vec2) {
        let along = if is_up { self.gradient } else { self.gradient * -1.0 };
        let reach = |i: usize| {
            let (from, to) = (self.corners[i], self.corners[(i + 1) % 3]);
            let outward = (to - from).perp() * -1.0;
            let speed = outward.dot(along);
            let time = if speed > 0.0 { outward.dot(from - at).max(0.0) / speed } else { f64::INFINITY };
            (i, time)
        };
        let nearest = |one: (usize, f64), other: (usize, f64)| if other.1 < one.1 { other } else { one };
        let (side, time) = [1, 2].map(reach).into_iter().fold(reach(0), nearest);
        (side, if time.is_finite() { at + along * time } else { at })
    }

    /// True if the triangle may be part of a kerb: the steepest line through its middle rises no more than a step, and
    /// the triangle climbs little along its length. What climbs more is the side of a hill.
    fn is_low(&self, step: f64) -> bool {
        let [low, high] = [false, true].map(|is_up| self.height(self.leave(self.middle(), is_up).1));
        let heights = self.corners.map(|corner| self.height(corner));
        let rise = heights.into_iter().fold(f64::NEG_INFINITY, f64::max)
            - heights.into_iter().fold(f64::INFINITY, f64::min);
        let length = |i: usize| self.corners[i].distance(self.corners[(i + 1) % 3]);
        let longest = length(0).max(length(1)).max(length(2));
        high - low <= step && (rise <= step || rise - (high - low) <= CLIMB * longest)
    }

    /// Returns the point of the triangle that lies nearest to `at`.
    fn nearest(&self, at: Vec2) -> Vec2 {
        if beyond_triangle(self.corners, at) <= 0.0 {
            return at;
        }
        let on = |i: usize| at.nearest_on(self.corners[i], self.corners[(i + 1) % 3]);
        let nearer = |one: Vec2, other: Vec2| if at.distance(other) < at.distance(one) { other } else { one };
        [1, 2].map(on).into_iter().fold(on(0), nearer)
    }
}

/// The end of a line over steep faces.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The point at which it left the last face.
    at: Vec2,
    /// The height there, in grid units.
    height: f64,
}

/// All steep faces that look up, and the floors that they may lead to.
struct Bank<'a> {
    /// All faces.
    soup: &'a Soup,
    /// The steep faces that look up.
    steep: Vec<Slope>,
    /// The steep face beyond each side of each of them, or [`NONE`].
    beyond: Vec<[u32; 3]>,
    /// The boxes of floors, then those of steep faces.
    bins: BoxGrid<Box3>,
    /// The number of floors.
    floors: u32,
    /// The greatest step, in grid units.
    step: f64,
    /// The distance up to which a floor lies beside a face, in grid units.
    gap: f64,
}

impl<'a> Bank<'a> {
    /// Finds the neighbours of all steep faces, and sorts them and all floors into bins.
    fn of(soup: &'a Soup, steep: Vec<Slope>, step: f64, gap: f64) -> Bank<'a> {
        let corners = |number: usize| soup.faces[steep[number].face as usize].corners;
        let edges = EdgeTable::of((0..steep.len()).map(|number| (number as u32, corners(number))));
        let mut beyond = vec![[NONE; 3]; steep.len()];
        for pair in edges.edges().flat_map(|edge| edge.windows(2)) {
            for [one, other] in [[&pair[0], &pair[1]], [&pair[1], &pair[0]]] {
                if one.is_ahead != other.is_ahead {
                    beyond[one.triangle as usize][usize::from(one.turn)] = other.triangle;
                }
            }
        }
        let floors = soup.count_up_to(Kind::Walkable) as u32;
        let faces = (0..floors).chain(steep.iter().map(|slope| slope.face));
        let boxes =
            faces.map(|face| Box3::around(soup.places(face).map(|corner| (corner.at, corner.height))));
        let bins = BoxGrid::in_layers(&boxes.collect::<Vec<Box3>>(), 0, MOST_ENTRIES);
        Bank { soup, steep, beyond, bins, floors, step, gap }
    }

    /// True if one can step over a steep face, from a floor up to another. Near its corners the face may not be higher
    /// than a step either.
    fn is_kerb(&self, number: u32) -> bool {
        let slope = &self.steep[number as usize];
        let middle = slope.middle();
        let near = |corner: Vec2| corner + (middle - corner) * NEAR_CORNER;
        self.leads(number, middle)
            && slope.corners.into_iter().all(|corner| self.is_low_at(number, near(corner)))
    }

    /// True if the steepest line through a point leads from a floor up to another. The upper end comes first: most steep
    /// faces that are no kerbs have no floor there.
    fn leads(&self, number: u32, at: Vec2) -> bool {
        let Some(head) = self.follow(number, at, true) else { return false };
        let mut has_floor = false;
        let near = [head.height - self.step, head.height + self.step];
        self.each_floor(head.at, near, |height| has_floor |= (height - head.height).abs() <= self.step);
        if !has_floor {
            return false;
        }
        let Some(foot) = self.follow(number, at, false) else { return false };
        let rise = head.height - foot.height;
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        // A face as narrow as a gap has both floors at both ends: heights tell them apart. A foot may be sunk into the
        // ground, so that the lower floor may lie higher than the foot. Floors more than a step from the head, or from
        // the highest lower floor, decide nothing: without others the face is no kerb either.
        let sunk = foot.height + SUNK * rise;
        self.each_floor(foot.at, [head.height - self.step, sunk], |height| {
            if height <= sunk {
                low = low.max(height);
            }
        });
        let half = foot.height + 0.5 * rise;
        self.each_floor(head.at, [half, sunk + self.step], |height| {
            if height >= half {
                high = high.min(height);
            }
        });
        high > low + ROUNDING && high.max(head.height) - low <= self.step
    }

    /// True if the steepest line through a point does not rise by more than a step.
    fn is_low_at(&self, number: u32, at: Vec2) -> bool {
        self.ends(number, at).is_some_and(|[foot, head]| head.height - foot.height <= self.step)
    }

    /// Returns the lower and the upper end of the steepest line through a point; `None` if it rises too far.
    fn ends(&self, number: u32, at: Vec2) -> Option<[End; 2]> {
        Some([self.follow(number, at, false)?, self.follow(number, at, true)?])
    }

    /// Follows the steepest line from a point until it leaves the steep faces; `None` if it rises or falls by more than
    /// a step, or crosses too many faces.
    fn follow(&self, mut number: u32, mut at: Vec2, is_up: bool) -> Option<End> {
        let start = self.steep[number as usize].height(at);
        for _ in 0..MOST_FACES {
            let slope = &self.steep[number as usize];
            let (side, exit) = slope.leave(at, is_up);
            let mut end = End { at: exit, height: slope.height(exit) };
            if (end.height - start).abs() > self.step {
                return None;
            }
            number = self.beyond[number as usize][side];
            if number != NONE && self.turns_back(number, slope, side, is_up) {
                end = self.slide(slope, side, end, is_up);
                number = NONE;
            }
            if number == NONE {
                match self.next_beside(&end, is_up) {
                    Some(next) => number = next,
                    None => return Some(end),
                }
                end.at = self.steep[number as usize].nearest(end.at);
            }
            at = end.at;
        }
        None
    }

    /// True if the steepest line beyond a side leads back over it: the side is a crease.
    fn turns_back(&self, next: u32, slope: &Slope, side: usize, is_up: bool) -> bool {
        let outward = (slope.corners[(side + 1) % 3] - slope.corners[side]).perp() * -1.0;
        let onward = outward.dot(self.steep[next as usize].gradient);
        if is_up { onward <= 0.0 } else { onward >= 0.0 }
    }

    /// Goes on along a crease to its upper or lower end. A crease that is longer than it could be between two floors
    /// ends nowhere.
    fn slide(&self, slope: &Slope, side: usize, end: End, is_up: bool) -> End {
        let ends = [slope.corners[side], slope.corners[(side + 1) % 3]].map(|at| (slope.height(at), at));
        let is_first = (ends[0].0 > ends[1].0) == is_up;
        let (height, at) = ends[usize::from(!is_first)];
        if at.distance(end.at) > SLIDE * self.step { end } else { End { at, height } }
    }

    /// Calls `visit` with the height of each floor at a point, or as near as a gap is wide. Floors that lie wholly beyond
    /// these heights may be left out.
    fn each_floor(&self, at: Vec2, heights: [f64; 2], mut visit: impl FnMut(f64)) {
        self.bins.each_touching_in_space(&self.around(at, heights), |place, _| {
            if place < self.floors
                && let Some((slope, nearest)) = self.beside(place, at)
            {
                visit(slope.height(nearest));
            }
        });
    }

    /// Returns a face as a slope, and its point nearest to another point; `None` if that is more than a gap away.
    fn beside(&self, place: u32, at: Vec2) -> Option<(Slope, Vec2)> {
        let steep = place.checked_sub(self.floors).map(|number| &self.steep[number as usize]);
        let corners = match steep {
            Some(slope) => slope.corners,
            None => self.soup.places(place).map(|corner| corner.at.as_vec2()),
        };
        // Most faces whose boxes are near lie farther away than a gap; that is soon known.
        if beyond_triangle(corners, at) > self.gap {
            return None;
        }
        let slope = match steep {
            Some(slope) => *slope,
            None => Slope::of(self.soup, place)?,
        };
        let nearest = slope.nearest(at);
        (nearest.distance(at) <= self.gap).then_some((slope, nearest))
    }

    /// Returns the steep face that goes on where a line ended without a floor, above or below a step at most: the next
    /// one in height.
    fn next_beside(&self, end: &End, is_up: bool) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        let mut has_floor = false;
        let sign = if is_up { 1.0 } else { -1.0 };
        let heights = [end.height, end.height + sign * self.step];
        self.bins.each_touching_in_space(&self.around(end.at, heights), |place, _| {
            if has_floor {
                return;
            }
            let Some((slope, nearest)) = self.beside(place, end.at) else { return };
            let rise = sign * (slope.height(nearest) - end.height);
            if !(-ROUNDING..=self.step).contains(&rise) {
                return;
            }
            match place.checked_sub(self.floors) {
                None => has_floor = true,
                // Only a face on which the line goes on from here is of use.
                Some(number) if sign * (self.top(&slope, nearest, is_up) - end.height) > ROUNDING => {
                    if best.is_none_or(|best| (rise, number) < best) {
                        best = Some((rise, number));
                    }
                }
                Some(_) => {}
            }
        });
        best.filter(|_| !has_floor).map(|(_, number)| number)
    }

    /// Returns the height at which the steepest line from a point leaves a face.
    fn top(&self, slope: &Slope, at: Vec2, is_up: bool) -> f64 {
        slope.height(slope.leave(at, is_up).1)
    }

    /// Returns the box around a point that reaches as far as a gap is wide, and between two heights.
    fn around(&self, at: Vec2, [one, other]: [f64; 2]) -> Box3 {
        let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
        let extent = Box2 { min: spot, max: spot }.grown(self.gap.ceil() as i32 + 1);
        // Heights of points on faces are rounded.
        let [low, high] =
            [one.min(other) - ROUNDING, one.max(other) + ROUNDING].map(|height| height.round() as i32);
        Box3 { extent, low: low - 1, high: high + 1 }
    }
}

/// The greatest number of bins that a face lies in on average.
const MOST_ENTRIES: i64 = 12;
