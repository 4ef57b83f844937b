//! Turns arcs, ellipses and splines into points.
//!
//! Chords stay within a tolerance of their curve. Cost: the number of points, which is bounded for each curve.

use std::f64::consts::{PI, TAU};

/// The greatest number of chords of one curve. It bounds the points of circles that are larger than the plan.
const MOST_CHORDS: usize = 512;

/// The least number of chords of a whole turn: a small pillar still looks round.
const LEAST_CHORDS: f64 = 12.0;

/// The number of chords for each piece of a spline.
const CHORDS_PER_SPAN: usize = 8;

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

    /// Its points, both ends included; a whole turn ends where it starts.
    pub(super) fn points(&self, tolerance: f64) -> Vec<[f64; 2]> {
        let radius = self.axis[0].hypot(self.axis[1]).max(self.other[0].hypot(self.other[1]));
        let count = chords(radius, self.sweep.abs(), tolerance);
        (0..=count).map(|k| self.at(self.start + self.sweep * k as f64 / count as f64)).collect()
    }
}

/// The angle from one direction counter-clockwise to another, above 0 and at most a whole turn.
pub(super) fn turn(start: f64, end: f64) -> f64 {
    let sweep = (end - start).rem_euclid(TAU);
    if sweep < 1e-12 || !sweep.is_finite() { TAU } else { sweep }
}

/// The number of chords for an angle of a circle.
fn chords(radius: f64, sweep: f64, tolerance: f64) -> usize {
    let ratio = (1.0 - tolerance / radius.max(tolerance)).clamp(-1.0, 1.0);
    let step = (2.0 * ratio.acos()).clamp(TAU / MOST_CHORDS as f64, TAU / LEAST_CHORDS);
    ((sweep / step).ceil() as usize).clamp(1, MOST_CHORDS)
}

/// The points of an arc between two points of a polyline, without the first. The bulge is the tangent of a quarter of
/// the angle; positive bulges turn left.
pub(super) fn bulge_points(from: [f64; 2], to: [f64; 2], bulge: f64, tolerance: f64) -> Vec<[f64; 2]> {
    let chord = [to[0] - from[0], to[1] - from[1]];
    let length = chord[0].hypot(chord[1]);
    if bulge.abs() < 1e-9 || length == 0.0 || !bulge.is_finite() {
        return vec![to];
    }
    let sweep = 4.0 * bulge.atan();
    let radius = length / (2.0 * (sweep / 2.0).sin().abs());
    // From the middle of the chord to the centre, to the left for arcs of less than half a turn that turn left.
    let rise = length / 2.0 * (1.0 - bulge * bulge) / (2.0 * bulge);
    let normal = [-chord[1] / length, chord[0] / length];
    let centre = [0, 1].map(|k| from[k] + chord[k] / 2.0 + rise * normal[k]);
    let start = (from[1] - centre[1]).atan2(from[0] - centre[0]);
    let arc = Arc { centre, axis: [radius, 0.0], other: [0.0, radius], start, sweep };
    let mut points = arc.points(tolerance);
    points.remove(0);
    if let Some(last) = points.last_mut() {
        *last = to;
    }
    points
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
    /// Its points. A damaged spline is drawn through its points.
    pub(super) fn points(&self) -> Vec<[f64; 2]> {
        let (count, degree) = (self.control.len(), self.degree);
        let is_sound = (1..=16).contains(&degree)
            && count > degree
            && self.knots.len() == count + degree + 1
            && self.knots.windows(2).all(|pair| pair[0] <= pair[1]);
        if !is_sound {
            return if self.fit.len() >= 2 { self.fit.clone() } else { self.control.clone() };
        }
        let mut points = Vec::new();
        for span in degree..count {
            let [from, to] = [self.knots[span], self.knots[span + 1]];
            if from < to {
                let steps = (0..CHORDS_PER_SPAN).map(|k| k as f64 / CHORDS_PER_SPAN as f64);
                points.extend(steps.map(|share| self.at(span, from + share * (to - from))));
            }
        }
        let last = (degree..count).rev().find(|span| self.knots[*span] < self.knots[*span + 1]);
        points.extend(last.map(|span| self.at(span, self.knots[span + 1])));
        points
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
        let points = arc.points(0.01);
        for pair in points.windows(2) {
            let middle = [0, 1].map(|k| f64::midpoint(pair[0][k], pair[1][k]));
            let off = 5.0 - (middle[0] - 1.0).hypot(middle[1] - 2.0);
            assert!((0.0..=0.01).contains(&off), "{off}");
        }
    }

    #[test]
    fn a_bulge_of_one_is_half_a_turn_to_the_left() {
        let points = bulge_points([0.0, 0.0], [2.0, 0.0], 1.0, 0.001);
        let lowest = points.iter().map(|point| point[1]).fold(0.0, f64::min);
        assert!((lowest + 1.0).abs() < 0.01, "{lowest}");
        assert_eq!(points.last(), Some(&[2.0, 0.0]));
        let points = bulge_points([0.0, 0.0], [2.0, 0.0], -0.2, 0.001);
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
        let points = spline.points();
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
        assert!(spline.points().iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 1e-12));
    }
}
