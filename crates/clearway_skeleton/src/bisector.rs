//! Voronoi edges: points along a bisector, surviving middles, new vertices, and the place of a lens.
//!
//! A bisector is a line (two points, two segments, a segment and its own end) or a parabola (a point and a segment).
//! The value of a third site along it is at most quadratic in the parameter, so every question has a closed form.

use crate::circle::{Circle, circumcircle, corner, polish, roots, sure_circumcircle, tangent_circles};
use crate::conflict::intrusion;
use crate::graph::Graph;
use crate::sites::Site;
use clearway_geometry::Vec2;

/// The parabola of a point and a segment, in a frame at the foot of the point on the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parabola {
    pub foot: Vec2,
    pub along: Vec2,
    /// Points from the line to the focus.
    pub normal: Vec2,
    /// The distance of the focus from the line.
    pub height: f64,
}

impl Parabola {
    pub fn of(point: &Site, segment: &Site) -> Option<Parabola> {
        let (mut normal, mut height) = (segment.along.perp(), segment.offset(point.a));
        if height < 0.0 {
            (normal, height) = (-normal, -height);
        }
        let foot = segment.a + segment.along * segment.reach(point.a);
        (height > 0.0).then_some(Parabola { foot, along: segment.along, normal, height })
    }

    /// The circle with its centre on the parabola at coordinate `u` along the line.
    pub fn at(&self, u: f64) -> Circle {
        let high = (u * u + self.height * self.height) / (2.0 * self.height);
        Circle::new(self.foot + self.along * u + self.normal * high, high)
    }

    /// The coordinate of a point along the line.
    pub fn coordinate(&self, at: Vec2) -> f64 {
        (at - self.foot).dot(self.along)
    }

    /// The roots of `k0 + k1 u + k2 high(u)`.
    fn roots(&self, k0: f64, k1: f64, k2: f64, take: impl FnMut(f64)) {
        roots(k2 / (2.0 * self.height), k1, k0 + 0.5 * k2 * self.height, take);
    }
}

/// The bisector of two sites between two circles on it.
struct Stretch {
    parabola: Option<(Parabola, f64, f64)>,
    /// A point on the bisector's circles, if one of the sites is a point.
    point: Option<Vec2>,
    from: Circle,
    to: Circle,
}

impl Stretch {
    /// The circle at `t` between the two ends.
    fn at(&self, t: f64) -> Circle {
        if let Some((parabola, from, to)) = &self.parabola {
            return parabola.at(from + (to - from) * t);
        }
        let at = self.from.at + (self.to.at - self.from.at) * t;
        let radius = match self.point {
            Some(point) => at.distance(point),
            None => self.from.radius + (self.to.radius - self.from.radius) * t,
        };
        Circle::new(at, radius)
    }

    /// Offers each parameter where the circle touches the point `q`.
    fn touch_point(&self, q: Vec2, mut take: impl FnMut(f64)) {
        if let (Some((parabola, from, to)), Some(p)) = (&self.parabola, self.point) {
            let (way, q, p) = (p - q, q - parabola.foot, p - parabola.foot);
            let k0 = 0.5 * (q.length_squared() - p.length_squared());
            let (k1, k2) = (way.dot(parabola.along), way.dot(parabola.normal));
            parabola.roots(k0, k1, k2, |u| take((u - from) / (to - from)));
            return;
        }
        let (d, w) = (self.to.at - self.from.at, self.from.at - q);
        if let Some(p) = self.point {
            let k1 = 2.0 * (p - q).dot(d);
            if k1 != 0.0 {
                take(-(w.length_squared() - (self.from.at - p).length_squared()) / k1);
            }
            return;
        }
        let (radius, grows) = (self.from.radius, self.to.radius - self.from.radius);
        let (k2, k1) = (d.length_squared() - grows * grows, 2.0 * (w.dot(d) - radius * grows));
        roots(k2, k1, w.length_squared() - radius * radius, take);
    }

    /// Offers each parameter where the centre lies on the perpendicular to `q` through `end`.
    fn cross_perpendicular(&self, q: &Site, end: Vec2, mut take: impl FnMut(f64)) {
        if let Some((parabola, from, to)) = &self.parabola {
            let k0 = (parabola.foot - end).dot(q.along);
            let (k1, k2) = (parabola.along.dot(q.along), parabola.normal.dot(q.along));
            parabola.roots(k0, k1, k2, |u| take((u - from) / (to - from)));
            return;
        }
        let k1 = (self.to.at - self.from.at).dot(q.along);
        if k1 != 0.0 {
            take(-(self.from.at - end).dot(q.along) / k1);
        }
    }

    /// Offers each parameter where the circle touches the line of `q`.
    fn touch_line(&self, q: &Site, mut take: impl FnMut(f64)) {
        let normal = q.along.perp();
        if let Some((parabola, from, to)) = &self.parabola {
            let k0 = (parabola.foot - q.a).dot(normal);
            let (k1, k2) = (parabola.along.dot(normal), parabola.normal.dot(normal));
            // 1 - cos is written sin² / (1 + cos), which does not cancel.
            let less = if k2 > 0.0 { -k1 * k1 / (1.0 + k2) } else { k2 - 1.0 };
            let more = if k2 < 0.0 { k1 * k1 / (1.0 - k2) } else { k2 + 1.0 };
            parabola.roots(k0, k1, less, |u| take((u - from) / (to - from)));
            parabola.roots(k0, k1, more, |u| take((u - from) / (to - from)));
            return;
        }
        let d = self.to.at - self.from.at;
        let (k0, k1) = ((self.from.at - q.a).dot(normal), d.dot(normal));
        if let Some(p) = self.point {
            let (o, run) = (self.from.at - p, d.dot(q.along));
            roots(run * run, 2.0 * (o.dot(d) - k0 * k1), o.length_squared() - k0 * k0, take);
            return;
        }
        let (radius, grows) = (self.from.radius, self.to.radius - self.from.radius);
        if k1 != grows {
            take((radius - k0) / (k1 - grows));
        }
        if k1 != -grows {
            take(-(radius + k0) / (k1 + grows));
        }
    }
}

impl Graph {
    /// The parabola between two sites, if their bisector is one.
    pub(crate) fn parabola(&self, a: u32, b: u32) -> Option<Parabola> {
        let (one, other) = (self.site(a), self.site(b));
        match (one.is_point(), other.is_point()) {
            (true, false) if !other.ends_at(a) => Parabola::of(one, other),
            (false, true) if !one.ends_at(b) => Parabola::of(other, one),
            _ => None,
        }
    }

    fn stretch(&self, a: u32, b: u32, from: Circle, to: Circle) -> Stretch {
        let (one, other) = (self.site(a), self.site(b));
        let point = if one.is_point() { Some(one.a) } else { other.is_point().then_some(other.a) };
        let parabola =
            self.parabola(a, b).map(|curve| (curve, curve.coordinate(from.at), curve.coordinate(to.at)));
        Stretch { parabola, point, from, to }
    }

    /// The circle at `t` along the edge of two sites between two of its circles.
    pub(crate) fn circle_on_edge(&self, a: u32, b: u32, from: Circle, to: Circle, t: f64) -> Circle {
        self.stretch(a, b, from, to).at(t)
    }

    /// Offers each centre on the edge of a half-edge that lies on the line through `at` along a unit vector.
    pub(crate) fn crossings(&self, h: u32, at: Vec2, along: Vec2, mut take: impl FnMut(Vec2)) {
        let ends = [self.circle(h), self.circle(self.twin[h as usize])];
        if ends.iter().any(Circle::is_outer) {
            return;
        }
        let stretch = self.stretch(self.from(h), self.to(h), ends[0], ends[1]);
        let line = Site { along: along.perp(), ..Site::point(at) };
        stretch.cross_perpendicular(&line, at, |t| {
            // Lines through a vertex must not slip between two edges.
            if (-1e-9..=1.0 + 1e-9).contains(&t) {
                take(stretch.at(t).at);
            }
        });
    }

    /// The circle inside an edge that survives a site in conflict with both ends, if there is one.
    pub(crate) fn surviving_middle(&self, a: u32, b: u32, ends: [Circle; 2], q: &Site) -> Option<Circle> {
        let (one, other) = (self.site(a), self.site(b));
        match (one.is_point(), other.is_point()) {
            (false, false) => None,
            (true, true) => self.middle_of_points([a, b], ends, q),
            (true, false) => self.middle_of_parabola([a, b], ends, q),
            (false, true) => self.middle_of_parabola([b, a], ends, q),
        }
    }

    fn middle_of_points(&self, ids: [u32; 2], ends: [Circle; 2], q: &Site) -> Option<Circle> {
        if q.is_point() || ids.iter().any(|&id| q.ends_at(id)) {
            return None;
        }
        let [a, b] = ids.map(|id| self.site(id).a);
        let d = ends[1].at - ends[0].at;
        let length = d.length();
        if length == 0.0 {
            return None;
        }
        let (way, middle, half) = (d * (1.0 / length), (a + b) * 0.5, 0.5 * a.distance(b));
        let side = 1f64.copysign(q.offset(a));
        let run = way.dot(q.along).abs();
        if run == 0.0 {
            return None;
        }
        let t = side * q.along.cross(way) * half / run;
        let s = t - (ends[0].at - middle).dot(way);
        if s <= 0.0 || s >= length {
            return None;
        }
        let circle = Circle::new(middle + way * t, (t * t + half * half).sqrt());
        (self.value_on_edge(ids, q, &circle) > -self.epsilon).then_some(circle)
    }

    /// The same for an edge of a point and a segment, in this order.
    fn middle_of_parabola(&self, ids: [u32; 2], ends: [Circle; 2], q: &Site) -> Option<Circle> {
        let (point, segment) = (self.site(ids[0]), self.site(ids[1]));
        if segment.ends_at(ids[0]) {
            let passes = (ends[0].at - point.a).dot(ends[1].at - point.a) < 0.0;
            return (passes && !q.ends_at(ids[0])).then_some(Circle::new(point.a, 0.0));
        }
        let curve = Parabola::of(point, segment)?;
        let [u, v] = ends.map(|end| curve.coordinate(end.at));
        let mut best: Option<(f64, Circle)> = None;
        for u in extrema(&curve, point.a, q).into_iter().flatten().filter(|&x| x > u.min(v) && x < u.max(v)) {
            let circle = curve.at(u);
            let value = self.value_on_edge(ids, q, &circle);
            if value > -self.epsilon && best.is_none_or(|(most, _)| value > most) {
                best = Some((value, circle));
            }
        }
        best.map(|(_, circle)| circle)
    }

    /// The place of a new point inside an edge, where its value is least: none if both ends of the edge see it first.
    pub(crate) fn lens_place(&self, a: u32, b: u32, ends: [Circle; 2], q: Vec2) -> Option<(f64, Circle)> {
        let (one, other) = (self.site(a), self.site(b));
        let stretch = self.stretch(a, b, ends[0], ends[1]);
        let t = if let Some((curve, from, to)) = &stretch.parabola {
            let way = stretch.point? - q;
            let rise = way.dot(curve.normal);
            if rise <= 0.0 {
                return None;
            }
            (-way.dot(curve.along) * curve.height / rise - from) / (to - from)
        } else if !one.is_point() && !other.is_point() {
            let (d, w) = (ends[1].at - ends[0].at, ends[0].at - q);
            let grows = ends[1].radius - ends[0].radius;
            -(w.dot(d) - ends[0].radius * grows) / (d.length_squared() - grows * grows)
        } else {
            return None;
        };
        if !(t > 0.0 && t < 1.0) {
            return None;
        }
        let circle = stretch.at(t);
        Some((circle.at.distance(q) - circle.radius, circle))
    }

    /// The new vertex on the edge of `a` and `b` with the site `q`, between a circle that stays and one that goes.
    /// Returns it with a bound on its error.
    pub(crate) fn new_vertex(&self, ids: [u32; 3], stays: &Circle, goes: &Circle) -> (Circle, f64) {
        let sites = self.sites_of(ids);
        if let Some(i) = corner(sites) {
            return (Circle::new(sites[i].1.a, 0.0), 0.0);
        }
        if sites.iter().all(|(_, site)| site.is_point()) {
            let points = sites.map(|(_, site)| site.a);
            if let Some(sure) = sure_circumcircle(points, self.grain) {
                return sure;
            }
            let mut circle = circumcircle(points[0], points[1], points[2]);
            let error = polish(sites, &mut circle, self.grain, 0.5);
            return (circle, error.unwrap_or(f64::INFINITY));
        }
        if stays.is_outer() {
            return self.any_tangent(ids);
        }
        let [a, b, id] = ids;
        let (stretch, q) = (self.stretch(a, b, *stays, *goes), self.site(id));
        // The wanted root is the last one before the circle that goes.
        let mut last = -1.0f64;
        let take = |t: f64| {
            if (0.0..=1.0).contains(&t) && t > last {
                last = t;
            }
        };
        if q.is_point() {
            stretch.touch_point(q.a, take);
        } else if q.ends_at(a) || q.ends_at(b) {
            let end = if q.ends[0] == a || q.ends[0] == b { q.a } else { q.b };
            stretch.cross_perpendicular(q, end, take);
        } else {
            stretch.touch_line(q, take);
        }
        if last >= 0.0 {
            let mut circle = stretch.at(last);
            if let Some(error) = polish(sites, &mut circle, self.grain, 0.5)
                && intrusion(q, &circle).abs() <= 32.0 * self.epsilon + 1e-11 * circle.radius
            {
                return (circle, error);
            }
        }
        self.bracketed(ids, &stretch)
    }

    /// The same by bisection, where rounding has moved the root outside of the edge.
    #[cold]
    fn bracketed(&self, ids: [u32; 3], stretch: &Stretch) -> (Circle, f64) {
        let (ends, q) = ([ids[0], ids[1]], self.site(ids[2]));
        if self.value_on_edge(ends, q, &stretch.from) <= 0.0 {
            return (stretch.from, self.epsilon);
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..64 {
            let t = 0.5 * (low + high);
            if self.value_on_edge(ends, q, &stretch.at(t)) > 0.0 { low = t } else { high = t }
        }
        let found = stretch.at(0.5 * (low + high));
        let mut circle = found;
        match polish(self.sites_of(ids), &mut circle, self.grain, 0.5) {
            Some(error) if circle.at.distance(found.at) <= 1e6 * self.epsilon => (circle, error),
            _ => (found, 64.0 * self.epsilon),
        }
    }

    /// Any circle of three sites, for edges on the border of the first triangle.
    fn any_tangent(&self, ids: [u32; 3]) -> (Circle, f64) {
        let mut found = Circle::OUTER;
        tangent_circles(self.sites_of(ids), |circle| {
            if circle.radius.is_finite() {
                found = circle;
            }
        });
        (found, self.epsilon)
    }
}

/// The coordinates along a parabola where the value of a site can be greatest.
fn extrema(curve: &Parabola, focus: Vec2, q: &Site) -> [Option<f64>; 2] {
    let finite = |u: f64| u.is_finite().then_some(u);
    if q.is_point() {
        let way = focus - q.a;
        let rise = way.dot(curve.normal);
        return [if rise < 0.0 { finite(-way.dot(curve.along) * curve.height / rise) } else { None }, None];
    }
    let normal = q.along.perp() * 1f64.copysign(q.offset(focus));
    let (k1, k2) = (normal.dot(curve.along), normal.dot(curve.normal));
    let rest = if k2 > 0.0 { k1 * k1 / (1.0 + k2) } else { 1.0 - k2 };
    let touch = if rest > 0.0 { finite(k1 * curve.height / rest) } else { None };
    let slab = finite(-q.along.dot(curve.along) * curve.height / q.along.dot(curve.normal));
    [touch, slab]
}
