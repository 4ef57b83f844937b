//! Conflicts: whether a new site takes a Voronoi vertex away, in tiers of arithmetic.
//!
//! 1. Floats, with a forward bound on the error of the circle and the value.
//! 2. Integers where the circle has quarters of grid units as centre and radius, as most of an axis-parallel city have,
//!    or passes through three points. Corners of radius zero are decided in integers at once.
//! 3. Double-double numbers for the rest, from the original coordinates. What they cannot tell from zero is a tie.
//!
//! A tie is no conflict. The disc test of Karavelas (2004) is written in its well-conditioned form: where a disc
//! already touches an end of the new segment, only the foot of its centre matters.

use crate::circle::{Circle, corner, fine_direction, fine_frame, fine_offset, refined};
use crate::double_double::Double;
use crate::graph::Graph;
use crate::sites::Site;
use clearway_geometry::Vec2;

/// Integers in the determinants stay below 2^127 for coordinates up to this.
const EXACT_LIMIT: f64 = (1u64 << 29) as f64;

/// The value of a site for a disc: below zero if the open site enters it. For a segment the disc must also have its
/// centre between the perpendiculars through both ends.
#[inline]
pub(crate) fn intrusion(site: &Site, circle: &Circle) -> f64 {
    if site.is_point() {
        return circle.at.distance(site.a) - circle.radius;
    }
    (site.offset(circle.at).abs() - circle.radius).max(beyond_ends(site, circle.at))
}

/// Distance of the foot of `at` beyond the ends of a segment; below zero between them.
#[inline]
pub(crate) fn beyond_ends(site: &Site, at: Vec2) -> f64 {
    let t = site.reach(at);
    (-t).max(t - site.length)
}

impl Graph {
    /// The value of a site for the circle of an edge between two sites.
    #[inline]
    pub(crate) fn value_on_edge(&self, ends: [u32; 2], site: &Site, circle: &Circle) -> f64 {
        if !site.is_point() && ends.iter().any(|&id| site.ends_at(id)) {
            return beyond_ends(site, circle.at);
        }
        intrusion(site, circle)
    }

    /// The value of a site for the disc of a face in floats: below zero for a conflict.
    #[inline]
    pub(crate) fn value(&self, face: u32, site: &Site) -> f64 {
        let circle = self.discs[face as usize].circle;
        if circle.is_outer() {
            return f64::INFINITY;
        }
        if !site.is_point() {
            if circle.radius == 0.0 {
                return self.value_at_corner(face, site);
            }
            if self.touches_end(face, site) {
                return beyond_ends(site, circle.at);
            }
        }
        intrusion(site, &circle)
    }

    #[inline]
    fn touches_end(&self, face: u32, site: &Site) -> bool {
        let first = face as usize * 3;
        self.origin[first..first + 3].iter().any(|&id| site.ends_at(id))
    }

    /// True if the site takes the Voronoi vertex of a face.
    #[inline]
    pub(crate) fn in_conflict(&mut self, face: u32, site: &Site) -> bool {
        self.counters.tests += 1;
        let value = self.value(face, site);
        let bound = f64::from(self.discs[face as usize].error) + self.epsilon;
        if value.abs() > bound { value < 0.0 } else { self.in_conflict_exactly(face, site, value) }
    }

    #[cold]
    fn in_conflict_exactly(&mut self, face: u32, site: &Site, value: f64) -> bool {
        self.counters.unsure += 1;
        let sign = self.fine_or_integer_sign(face, site, value);
        self.counters.ties += u64::from(sign == 0);
        sign < 0
    }

    /// The sign of the value of a site for the disc of a face, in all tiers; zero for a tie.
    pub(crate) fn exact_sign(&self, face: u32, site: &Site) -> i32 {
        let value = self.value(face, site);
        let bound = f64::from(self.discs[face as usize].error) + self.epsilon;
        if value.abs() > bound {
            return if value < 0.0 { -1 } else { 1 };
        }
        self.fine_or_integer_sign(face, site, value)
    }

    fn fine_or_integer_sign(&self, face: u32, site: &Site, value: f64) -> i32 {
        match self.quarter_sign(face, site).or_else(|| self.integer_sign(face, site)) {
            Some(sign) => sign,
            None => self
                .fine_sign(face, site)
                .unwrap_or_else(|| if value < -self.epsilon { -1 } else { i32::from(value > self.epsilon) }),
        }
    }

    /// A corner face has radius zero. A segment at that corner takes it if it lies strictly inside the sector.
    fn value_at_corner(&self, face: u32, site: &Site) -> f64 {
        let sites = self.triple(face);
        let Some(i) = corner(sites) else { return intrusion(site, &self.discs[face as usize].circle) };
        let point = sites[i].0;
        if !site.ends_at(point) {
            return f64::INFINITY;
        }
        let (one, other) = (sites[(i + 1) % 3].1, sites[(i + 2) % 3].1);
        if inside_sector(point, one, other, site) { f64::NEG_INFINITY } else { f64::INFINITY }
    }

    /// The sign of the value in integers, for a circle whose centre and radius are quarters; `None` for others.
    fn quarter_sign(&self, face: u32, site: &Site) -> Option<i32> {
        let quarters =
            Quarters::of(&self.discs[face as usize].circle, f64::from(self.discs[face as usize].error))?;
        if !self.triple(face).iter().all(|(_, s)| quarters.touches(s)) {
            return None;
        }
        if site.is_point() {
            return Some(quarters.point_sign(site.a));
        }
        let beyond = quarters.beyond_sign(site);
        Some(if self.touches_end(face, site) { beyond } else { beyond.max(quarters.line_sign(site)) })
    }

    /// The sign of the value in integers, for a face of three points; `None` for others.
    fn integer_sign(&self, face: u32, site: &Site) -> Option<i32> {
        let sites = self.triple(face);
        let fits = |p: Vec2| p.x.abs() < EXACT_LIMIT && p.y.abs() < EXACT_LIMIT;
        if !sites.iter().all(|(_, s)| s.is_point() && fits(s.a)) || !fits(site.a) || !fits(site.b) {
            return None;
        }
        let [a, b, c] = sites.map(|(_, s)| s.a);
        if site.is_point() {
            return Some(in_circle_sign(a, b, c, site.a));
        }
        if !self.touches_end(face, site) {
            return None;
        }
        let low = foot_sign([a, b, c], site.a, site.b - site.a);
        let high = foot_sign([a, b, c], site.b, site.a - site.b);
        // The value is the greater of minus the two coordinates.
        Some((-low).max(-high))
    }

    /// The sign of the value in double-double numbers; `None` if the circle cannot be made finer.
    fn fine_sign(&self, face: u32, site: &Site) -> Option<i32> {
        let near = self.discs[face as usize].circle;
        let circle = refined(self.triple(face), &near, self.grain)?;
        let moved = Vec2::new(circle.x.high, circle.y.high).distance(near.at);
        if moved > 16.0 * (f64::from(self.discs[face as usize].error) + self.epsilon) {
            return None;
        }
        let d = fine_offset(&circle, site.a);
        let value = if site.is_point() {
            (d[0] * d[0] + d[1] * d[1]).root() - circle.radius
        } else {
            let (along, length) = fine_direction(site);
            let [reach, offset] = fine_frame(along, d);
            let beyond = (Double::of(0.0) - reach).max(reach - length);
            if self.touches_end(face, site) { beyond } else { beyond.max(offset.abs() - circle.radius) }
        };
        let bound = 4.0 * circle.error;
        Some(if value.high < -bound { -1 } else { i32::from(value.high > bound) })
    }
}

/// A circle whose centre and radius are whole numbers of quarters of grid units.
struct Quarters {
    x: i64,
    y: i64,
    radius: i64,
}

impl Quarters {
    /// Coordinates up to this keep all products below 2^127.
    const LIMIT: f64 = (1u64 << 27) as f64;

    /// The only such circle within the error, if there is one.
    fn of(circle: &Circle, error: f64) -> Option<Quarters> {
        let fits = circle.at.x.abs().max(circle.at.y.abs()).max(circle.radius) < Quarters::LIMIT;
        let whole = |value: f64| {
            // The next whole number, as `round` gives it, without a call.
            let near = (4.0 * value + 0.5f64.copysign(value)) as i64;
            ((4.0 * value - near as f64).abs() <= 0.01).then_some(near)
        };
        // Two quarters are 0.25 apart.
        if !fits || error.is_nan() || error >= 0.01 {
            return None;
        }
        Some(Quarters { x: whole(circle.at.x)?, y: whole(circle.at.y)?, radius: whole(circle.radius)? })
    }

    /// The centre less a grid point.
    fn offset(&self, p: Vec2) -> (i64, i64) {
        (self.x - 4 * p.x as i64, self.y - 4 * p.y as i64)
    }

    /// The sign of the distance of a point less the radius.
    fn point_sign(&self, p: Vec2) -> i32 {
        let (x, y) = self.offset(p);
        let square = |value: i64| i128::from(value) * i128::from(value);
        (square(x) + square(y) - square(self.radius)).signum() as i32
    }

    /// The sign of the distance of a line less the radius.
    fn line_sign(&self, site: &Site) -> i32 {
        let ((x, y), d) = (self.offset(site.a), site.b - site.a);
        let (dx, dy) = (d.x as i64, d.y as i64);
        if dx == 0 || dy == 0 {
            let across = if dx == 0 { x.abs() } else { y.abs() };
            return (across - self.radius).signum() as i32;
        }
        let cross = i128::from(dx) * i128::from(y) - i128::from(dy) * i128::from(x);
        let length = i128::from(dx) * i128::from(dx) + i128::from(dy) * i128::from(dy);
        (cross * cross - i128::from(self.radius) * i128::from(self.radius) * length).signum() as i32
    }

    /// The sign of the distance of the centre's foot beyond the ends of a segment.
    fn beyond_sign(&self, site: &Site) -> i32 {
        let d = integers(site.b - site.a);
        let along = |p: Vec2| {
            let (x, y) = self.offset(p);
            (i128::from(x) * d.0 + i128::from(y) * d.1).signum() as i32
        };
        (-along(site.a)).max(along(site.b))
    }

    /// True if the circle touches a site exactly.
    fn touches(&self, site: &Site) -> bool {
        if site.is_point() { self.point_sign(site.a) == 0 } else { self.line_sign(site) == 0 }
    }
}

/// True if the segment leaves their common end strictly inside the sector from `one` counter-clockwise to `other`.
/// Exact: products of differences of grid points are computed in integers.
pub(crate) fn inside_sector(point: u32, one: &Site, other: &Site, site: &Site) -> bool {
    let [d, e, q] = [one, other, site].map(|s| s.away_from(point));
    let (first, second) = (cross_sign(d, q), cross_sign(q, e));
    if cross_sign(d, e) > 0 { first > 0 && second > 0 } else { first > 0 || second > 0 }
}

/// The sign of a cross product of differences of grid points. The grid keeps them below 2^30.
pub(crate) fn cross_sign(a: Vec2, b: Vec2) -> i32 {
    let [ax, ay, bx, by] = [a.x, a.y, b.x, b.y].map(|number| number as i64);
    (ax * by - ay * bx).signum() as i32
}

/// A difference of grid points in integers.
fn integers(v: Vec2) -> (i128, i128) {
    (i128::from(v.x as i64), i128::from(v.y as i64))
}

/// Minus one if `d` lies inside of the circle through three points, one if outside, zero on it.
fn in_circle_sign(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> i32 {
    let row = |p: Vec2| integers(p - d);
    let ((ax, ay), (bx, by), (cx, cy)) = (row(a), row(b), row(c));
    let (aa, bb, cc) = (ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy);
    let det = aa * (bx * cy - by * cx) - bb * (ax * cy - ay * cx) + cc * (ax * by - ay * bx);
    -(det.signum() as i32) * cross_sign(b - a, c - a)
}

/// The sign of `(centre - from) · along` for the centre of the circle through three points.
fn foot_sign([a, b, c]: [Vec2; 3], from: Vec2, along: Vec2) -> i32 {
    let ((px, py), (qx, qy)) = (integers(b - a), integers(c - a));
    let ((ox, oy), (dx, dy)) = (integers(a - from), integers(along));
    let (pp, qq, det) = (px * px + py * py, qx * qx + qy * qy, 2 * (px * qy - py * qx));
    let (x, y) = (qy * pp - py * qq + ox * det, px * qq - qx * pp + oy * det);
    ((x * dx + y * dy).signum() * det.signum()) as i32
}
