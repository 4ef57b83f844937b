//! Turns arcs, ellipses and splines into points.
//!
//! Chords stay within a tolerance of their curve. Cost: the number of points, which is bounded for each curve.

use crate::plan::chords::{Chords, MOST_CHORDS};
use std::f64::consts::{PI, TAU};

/// The least number of chords of a whole turn: a small pillar still looks round.
const LEAST_CHORDS: f64 = 12.0;

/// The least number of chords for each piece of a spline: a wave within a piece is not missed.
const CHORDS_PER_SPAN: usize = 8;

/// The points of a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Drawn {
    /// The points.
    pub(super) points: Vec<[f64; 2]>,
    /// The greatest distance between curve and chord where the limit of chords exceeds the tolerance; else 0.
    pub(super) off: f64,
}

/// An arc of an ellipse: its points are the centre, plus the cosine times one axis, plus the sine times the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arc {
    /// The centre.
    pub(super) centre: [f64; 2],
    /// The axis at angle 0.
    pub(super) axis: [f64; 2],
    /// The axis at a quarter turn.
    pub(super) other: [f64; 2],
    /// The angle at which it starts, in radians.
    pub(super) start: f64,
    /// The angle that it covers, at most a whole turn; negative if it runs clockwise.
    pub(super) sweep: f64,
}

impl Arc {
    /// An arc of a circle, counter-clockwise from one angle to another, in radians.
    pub(super) fn of_circle(centre: [f64; 2], radius: f64, start: f64, end: f64) -> Arc {
        Arc { centre, axis: [radius, 0.0], other: [0.0, radius], start, sweep: turn(start, end) }
    }

    /// True if it is a whole turn.
    pub(super) fn is_closed(&self) -> bool {
        self.sweep.abs() >= TAU - 1e-9
    }

    /// The point at an angle.
    fn at(&self, angle: f64) -> [f64; 2] {
        let (sin, cos) = angle.sin_cos();
        [0, 1].map(|k| self.centre[k] + cos * self.axis[k] + sin * self.other[k])
    }

    /// Its points, both ends included; a whole turn ends exactly where it starts.
    pub(super) fn points(&self, tolerance: f64) -> Drawn {
        let radius = self.axis[0].hypot(self.axis[1]).max(self.other[0].hypot(self.other[1]));
        let Chords { count, off } = Chords::of_arc(radius, self.sweep.abs(), tolerance, LEAST_CHORDS);
        let angles = (0..=count).map(|k| self.start + self.sweep * k as f64 / count as f64);
        let mut points: Vec<[f64; 2]> = angles.map(|angle| self.at(angle)).collect();
        if self.is_closed()
            && let [first, .., last] = points.as_mut_slice()
        {
            *last = *first;
        }
        Drawn { points, off: off.unwrap_or(0.0) }
    }

    /// Its ends and the points where it runs along an axis: the box around them is the box around the arc.
    pub(super) fn extremes(&self) -> Vec<[f64; 2]> {
        let flat = [0, 1].map(|k| self.other[k].atan2(self.axis[k]));
        let low = self.start.min(self.start + self.sweep);
        let on_arc = |angle: f64| {
            let ahead = (angle - low).rem_euclid(TAU);
            (ahead <= self.sweep.abs()).then_some(low + ahead)
        };
        let turns = flat.into_iter().flat_map(|angle| [angle, angle + PI]).filter_map(on_arc);
        turns.chain([self.start, self.start + self.sweep]).map(|angle| self.at(angle)).collect()
    }
}

/// The angle from one direction counter-clockwise to another, above 0 and at most a whole turn.
pub(super) fn turn(start: f64, end: f64) -> f64 {
    let sweep = (end - start).rem_euclid(TAU);
    if sweep < 1e-12 || !sweep.is_finite() { TAU } else { sweep }
}

/// The points of an arc between two points of a polyline, without the first. The bulge is the tangent of a quarter of
/// the angle; positive bulges turn left.
pub(super) fn bulge_points(from: [f64; 2], to: [f64; 2], bulge: f64, tolerance: f64) -> Drawn {
    let chord = [to[0] - from[0], to[1] - from[1]];
    let length = chord[0].hypot(chord[1]);
    if bulge.abs() < 1e-9 || length == 0.0 || !bulge.is_finite() {
        return Drawn { points: vec![to], off: 0.0 };
    }
    let sweep = 4.0 * bulge.atan();
    let radius = length / (2.0 * (sweep / 2.0).sin().abs());
    // From the middle of the chord to the centre, to the left for arcs of less than half a turn that turn left.
    let rise = length / 2.0 * (1.0 - bulge * bulge) / (2.0 * bulge);
    let normal = [-chord[1] / length, chord[0] / length];
    let centre = [0, 1].map(|k| from[k] + chord[k] / 2.0 + rise * normal[k]);
    let start = (from[1] - centre[1]).atan2(from[0] - centre[0]);
    let arc = Arc { centre, axis: [radius, 0.0], other: [0.0, radius], start, sweep };
    let mut drawn = arc.points(tolerance);
    drawn.points.remove(0);
    if let Some(last) = drawn.points.last_mut() {
        *last = to;
    }
    drawn
}

/// A B-spline, with weights or without.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spline {
    /// The degree.
    pub(super) degree: usize,
    /// The knots.
    pub(super) knots: Vec<f64>,
    /// The control points.
    pub(super) control: Vec<[f64; 2]>,
    /// The weights of the control points; empty if all are equal.
    pub(super) weights: Vec<f64>,
    /// The points that it passes through, where control points are missing.
    pub(super) fit: Vec<[f64; 2]>,
}

impl Spline {
    /// Why it cannot be drawn as a curve; `None` if it can, or if it has nothing but points to pass through.
    pub(super) fn fault(&self) -> Option<String> {
        let (count, knots) = (self.control.len(), self.knots.len());
        if self.is_sound() || count == 0 && self.fit.len() >= 2 {
            return None;
        }
        Some(format!("{knots} knots do not fit {count} control points of degree {}", self.degree))
    }

    /// True if degree, knots and control points fit each other.
    fn is_sound(&self) -> bool {
        let (count, degree) = (self.control.len(), self.degree);
        (1..=16).contains(&degree)
            && count > degree
            && self.knots.len() == count + degree + 1
            && self.knots.windows(2).all(|pair| pair[0] <= pair[1])
    }

    /// Its points. A damaged spline is drawn through its points.
    pub(super) fn points(&self, tolerance: f64) -> Drawn {
        if !self.is_sound() {
            let points = if self.fit.len() >= 2 { self.fit.clone() } else { self.control.clone() };
            return Drawn { points, off: 0.0 };
        }
        let mut drawn = Drawn::default();
        let spans: Vec<usize> = (self.degree..self.control.len())
            .filter(|span| self.knots[*span] < self.knots[*span + 1])
            .collect();
        let most = (MOST_CHORDS / spans.len().max(1)).max(CHORDS_PER_SPAN);
        for span in &spans {
            let (count, off) = self.chords(*span, tolerance, most);
            drawn.points.extend((0..count).map(|k| self.at_share(*span, k as f64 / count as f64)));
            drawn.off = drawn.off.max(off);
        }
        drawn.points.extend(spans.last().map(|span| self.at_share(*span, 1.0)));
        drawn
    }

    /// The number of chords of a span, doubled until the middles of all lie within the tolerance or the limit is met;
    /// and their distance from the curve, if it exceeds the tolerance.
    fn chords(&self, span: usize, tolerance: f64, most: usize) -> (usize, f64) {
        let mut count = CHORDS_PER_SPAN;
        loop {
            let share = |k: usize| self.at_share(span, k as f64 / (2 * count) as f64);
            let off = (0..count)
                .map(|k| apart(share(2 * k + 1), share(2 * k), share(2 * k + 2)))
                .fold(0.0, f64::max);
            if off <= tolerance || off.is_nan() {
                return (count, 0.0);
            }
            if 2 * count > most {
                return (count, off);
            }
            count *= 2;
        }
    }

    /// The point at a share of a span.
    fn at_share(&self, span: usize, share: f64) -> [f64; 2] {
        let [from, to] = [self.knots[span], self.knots[span + 1]];
        self.at(span, if share < 1.0 { from + share * (to - from) } else { to })
    }

    /// The point at a parameter within a span of knots, by de Boor's algorithm in homogeneous coordinates.
    fn at(&self, span: usize, t: f64) -> [f64; 2] {
        let weight = |k: usize| self.weights.get(k).copied().filter(|weight| *weight > 0.0).unwrap_or(1.0);
        let mut d: Vec<[f64; 3]> = (span - self.degree..=span)
            .map(|k| [self.control[k][0] * weight(k), self.control[k][1] * weight(k), weight(k)])
            .collect();
        for round in 1..=self.degree {
            for j in (round..=self.degree).rev() {
                let low = self.knots[span + j - self.degree];
                let high = self.knots[span + 1 + j - round];
                let share = if high > low { (t - low) / (high - low) } else { 0.0 };
                d[j] = [0, 1, 2].map(|k| (1.0 - share) * d[j - 1][k] + share * d[j][k]);
            }
        }
        let [x, y, w] = d[self.degree];
        [x / w, y / w]
    }
}

/// The distance of a point from a segment.
fn apart(point: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let share =
        if square > 0.0 { (along[0] * to[0] + along[1] * to[1]) / square } else { 0.0 }.clamp(0.0, 1.0);
    (to[0] - share * along[0]).hypot(to[1] - share * along[1])
}

/// Degrees as radians.
pub(super) fn radians(degrees: f64) -> f64 {
    degrees / 180.0 * PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_stay_within_their_tolerance() {
        let arc = Arc::of_circle([1.0, 2.0], 5.0, 0.3, 4.0);
        let points = arc.points(0.01).points;
        for pair in points.windows(2) {
            let middle = [0, 1].map(|k| f64::midpoint(pair[0][k], pair[1][k]));
            let off = 5.0 - (middle[0] - 1.0).hypot(middle[1] - 2.0);
            assert!((0.0..=0.01).contains(&off), "{off}");
        }
    }

    #[test]
    fn a_bulge_of_one_is_half_a_turn_to_the_left() {
        let points = bulge_points([0.0, 0.0], [2.0, 0.0], 1.0, 0.001).points;
        let lowest = points.iter().map(|point| point[1]).fold(0.0, f64::min);
        assert!((lowest + 1.0).abs() < 0.01, "{lowest}");
        assert_eq!(points.last(), Some(&[2.0, 0.0]));
        let points = bulge_points([0.0, 0.0], [2.0, 0.0], -0.2, 0.001).points;
        let highest = points.iter().map(|point| point[1]).fold(0.0, f64::max);
        assert!((highest - 0.2).abs() < 0.01, "{highest}");
    }

    #[test]
    fn a_spline_of_degree_one_is_its_polygon() {
        let spline = Spline {
            degree: 1,
            knots: vec![0.0, 0.0, 1.0, 2.0, 2.0],
            control: vec![[0.0, 0.0], [1.0, 1.0], [3.0, 1.0]],
            ..Spline::default()
        };
        let points = spline.points(0.01).points;
        assert_eq!(points.first(), Some(&[0.0, 0.0]));
        assert!(points.contains(&[1.0, 1.0]));
        assert_eq!(points.last(), Some(&[3.0, 1.0]));
    }

    #[test]
    fn a_rational_spline_draws_a_quarter_circle() {
        let half = 0.5_f64.sqrt();
        let spline = Spline {
            degree: 2,
            knots: vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
            control: vec![[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            weights: vec![1.0, half, 1.0],
            fit: vec![],
        };
        assert!(spline.points(0.01).points.iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 1e-12));
    }

    /// Splines of wide bends get more chords than short ones.
    #[test]
    fn splines_stay_within_their_tolerance() {
        let half = 0.5_f64.sqrt();
        let quarter = |radius: f64| Spline {
            degree: 2,
            knots: vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
            control: vec![[radius, 0.0], [radius, radius], [0.0, radius]],
            weights: vec![1.0, half, 1.0],
            fit: vec![],
        };
        for radius in [1.0, 1000.0] {
            let drawn = quarter(radius).points(0.01);
            assert_eq!((drawn.off, drawn.points.len() > 20), (0.0, radius > 1.0));
            for pair in drawn.points.windows(2) {
                let middle = [0, 1].map(|k| f64::midpoint(pair[0][k], pair[1][k]));
                assert!(radius - middle[0].hypot(middle[1]) <= 0.01, "{middle:?}");
            }
        }
        assert!(quarter(1e9).points(0.01).off > 0.01);
    }

    #[test]
    fn whole_turns_close_exactly_and_extremes_bound_arcs() {
        for radius in [0.1, 3e8, 5e8] {
            let points = Arc::of_circle([7.0, 9.0], radius, 0.3, 0.3).points(0.01).points;
            assert_eq!(points.first(), points.last());
        }
        let of = |arc: Arc, axis: usize| {
            let values = arc.extremes().into_iter().map(move |point| point[axis]);
            [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)]
        };
        let circle = Arc::of_circle([1.0, 2.0], 5.0, 0.3, 0.3);
        assert_eq!(
            [of(circle, 0), of(circle, 1)].map(|ends| ends.map(f64::round)),
            [[-4.0, 6.0], [-3.0, 7.0]]
        );
        let half = Arc { start: PI, sweep: -PI, ..circle };
        assert_eq!([of(half, 0), of(half, 1)].map(|ends| ends.map(f64::round)), [[-4.0, 6.0], [2.0, 7.0]]);
    }
}
