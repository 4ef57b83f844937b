//! Small measurements between segments: nearest points, and the place that is as close as can be to two walls.
//!
//! All of them cost O(1); boxes rule out most pairs before.

use super::Wall;
use crate::tolerances::shares::SETTLED;
use clearway_geometry::Vec2;

/// A segment with the box around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    /// Its start.
    pub from: Vec2,
    /// Its end.
    pub to: Vec2,
    /// The lower corner of the box.
    min: Vec2,
    /// The upper corner of the box.
    max: Vec2,
}

impl Bar {
    /// Returns the segment between two points.
    pub fn new(from: Vec2, to: Vec2) -> Bar {
        let min = Vec2::new(from.x.min(to.x), from.y.min(to.y));
        let max = Vec2::new(from.x.max(to.x), from.y.max(to.y));
        Bar { from, to, min, max }
    }

    /// True if the boxes are at least `distance` apart, so that the segments are as well.
    #[inline]
    pub fn is_clear_of(&self, other: &Bar, distance: f64) -> bool {
        let x = (self.min.x - other.max.x).max(other.min.x - self.max.x).max(0.0);
        let y = (self.min.y - other.max.y).max(other.min.y - self.max.y).max(0.0);
        x * x + y * y >= distance * distance
    }

    /// Returns the nearest points of both segments: first of this one, then of the other.
    pub fn nearest(&self, other: &Bar) -> (Vec2, Vec2) {
        let (along, across) = (self.to - self.from, other.to - other.from);
        let sides = [other.from, other.to].map(|p| along.cross(p - self.from));
        let others = [self.from, self.to].map(|p| across.cross(p - other.from));
        if sides[0] * sides[1] < 0.0 && others[0] * others[1] < 0.0 {
            let meeting = self.from + along * (others[0] / (others[0] - others[1]));
            return (meeting, meeting);
        }
        // Segments that do not cross are nearest at an end of one of them.
        let pairs = [
            (self.from, self.from.nearest_on(other.from, other.to)),
            (self.to, self.to.nearest_on(other.from, other.to)),
            (other.from.nearest_on(self.from, self.to), other.from),
            (other.to.nearest_on(self.from, self.to), other.to),
        ];
        let mut best = pairs[0];
        for pair in pairs {
            if (pair.0 - pair.1).length_squared() < (best.0 - best.1).length_squared() {
                best = pair;
            }
        }
        best
    }

    /// The distance to a point.
    pub fn distance_to(&self, p: Vec2) -> f64 {
        p.distance_to_segment(self.from, self.to)
    }
}

impl From<&Wall> for Bar {
    fn from(wall: &Wall) -> Bar {
        Bar::new(wall.from, wall.to)
    }
}

/// Finds the place on `edge` where the greater of the distances to `o` and `q` is least. Returns that distance and the
/// place; `None` if the distance is not below `limit`.
///
/// Both distances are convex along the edge. So the place is where one of them is least, or in between where they are
/// equal.
pub(super) fn narrowest_on(edge: &Bar, o: &Bar, q: &Bar, limit: f64) -> Option<(f64, Vec2)> {
    let (at_o, near_o) = edge.nearest(o);
    let to_o = at_o.distance(near_o);
    if to_o >= limit {
        return None;
    }
    let from_o = q.distance_to(at_o);
    if from_o <= to_o {
        return Some((to_o, at_o));
    }
    let (at_q, near_q) = edge.nearest(q);
    let to_q = at_q.distance(near_q);
    if to_q >= limit {
        return None;
    }
    let from_q = o.distance_to(at_q);
    if from_q <= to_q {
        return Some((to_q, at_q));
    }
    // Distances change no faster than the place moves, which gives a lower bound.
    if 0.5 * (from_o + from_q - at_o.distance(at_q)) >= limit {
        return None;
    }
    let place = equal_between(at_o, at_q, |p| o.distance_to(p) - q.distance_to(p));
    Some((o.distance_to(place).max(q.distance_to(place)), place))
}

/// Returns the place between `low` and `high` where `excess` is zero. `excess` must grow from below zero to above it.
/// The method is false position with the Illinois rule, which is fast and cannot leave the bracket.
fn equal_between(low: Vec2, high: Vec2, excess: impl Fn(Vec2) -> f64) -> Vec2 {
    let place = |t: f64| low + (high - low) * t;
    let (mut a, mut b) = (0.0, 1.0);
    let (mut below, mut above) = (excess(low), excess(high));
    let negligible = SETTLED * (above - below);
    let mut last = 0;
    for _ in 0..60 {
        let t = (a * above - b * below) / (above - below);
        let value = excess(place(t));
        if t.is_nan() {
            break;
        }
        if value.abs() <= negligible {
            return place(t);
        }
        if value < 0.0 {
            (a, below) = (t, value);
            above *= if last < 0 { 0.5 } else { 1.0 };
            last = -1;
        } else {
            (b, above) = (t, value);
            below *= if last > 0 { 0.5 } else { 1.0 };
            last = 1;
        }
    }
    place(0.5 * (a + b))
}
