//! Questions to a diagram, in grid units: nearest walls, Voronoi vertices and edges, retraction.

use crate::bisector::Parabola;
use crate::circle::Circle;
use crate::conflict::cross_sign;
use crate::diagram::Diagram;
use crate::graph::Graph;
use crate::shapes::SiteId;
use clearway_geometry::{NONE, Vec2};

/// The nearest site of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The site. As a hint it makes the next question nearby quick.
    pub site: SiteId,
    /// The nearest point of it.
    pub point: Vec2,
    /// The distance.
    pub distance: f64,
}

/// Names a Voronoi vertex until the next edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// A Voronoi vertex: the centre of an empty disc that touches three sites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Its place.
    pub at: Vec2,
    /// The clearance there; zero in a corner between two walls.
    pub radius: f64,
    /// The three sites that its disc touches, counter-clockwise.
    pub sites: [SiteId; 3],
}

/// Names a Voronoi edge until the next edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// The curve of a Voronoi edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curve {
    /// A straight line.
    Line,
    /// Points `foot + along * u + normal * (u² + height²) / (2 height)` for `u` between the two values of `range`. The
    /// radius there is the last factor.
    Parabola {
        /// The foot of the focus on the wall.
        foot: Vec2,
        /// The direction of the wall.
        along: Vec2,
        /// The direction from the wall to the focus.
        normal: Vec2,
        /// The distance of the focus from the wall.
        height: f64,
        /// The parameters at both ends of the edge.
        range: [f64; 2],
    },
}

/// A Voronoi edge: the centres of empty discs that touch two sites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its vertices.
    pub ends: [VertexId; 2],
    /// The places of its vertices.
    pub at: [Vec2; 2],
    /// The radii of its vertices.
    pub radii: [f64; 2],
    /// The sites on the left and on the right, seen from the first vertex.
    pub sides: [SiteId; 2],
    /// Its curve.
    pub curve: Curve,
    /// The place of its smallest empty circle.
    pub narrowest: Vec2,
    /// The radius of its smallest empty circle.
    pub width: f64,
}

impl Edge {
    /// The place at `t` between zero and one along the edge.
    pub fn at(&self, t: f64) -> Vec2 {
        match self.curve {
            Curve::Line => self.at[0] + (self.at[1] - self.at[0]) * t,
            Curve::Parabola { foot, along, normal, height, range } => {
                let u = range[0] + (range[1] - range[0]) * t;
                Parabola { foot, along, normal, height }.at(u).at
            }
        }
    }

    /// The parameter of a place on the edge, between zero and one.
    pub fn parameter(&self, place: Vec2) -> f64 {
        let t = match self.curve {
            Curve::Line => {
                let way = self.at[1] - self.at[0];
                (place - self.at[0]).dot(way) / way.length_squared().max(f64::MIN_POSITIVE)
            }
            Curve::Parabola { foot, along, range, .. } => {
                let run = range[1] - range[0];
                if run == 0.0 { 0.0 } else { ((place - foot).dot(along) - range[0]) / run }
            }
        };
        t.clamp(0.0, 1.0)
    }

    /// Its length.
    pub fn length(&self) -> f64 {
        match self.curve {
            Curve::Line => self.at[0].distance(self.at[1]),
            Curve::Parabola { height, range, .. } => {
                // The arc length of u² / (2 h), from the apex.
                let arc = |u: f64| {
                    let (s, x) = ((u * u + height * height).sqrt(), u.abs());
                    (0.5 * (x * s / height + height * ((x + s) / height).ln())).copysign(u)
                };
                (arc(range[1]) - arc(range[0])).abs()
            }
        }
    }
}

impl Diagram {
    /// The nearest site of a place inside the world. A site found nearby before makes it quicker.
    pub fn nearest(&self, at: Vec2, near: Option<SiteId>) -> Nearest {
        let is_alive = |id: &SiteId| self.graph.spoke.get(id.0 as usize).is_some_and(|&h| h != NONE);
        let hint = near.filter(is_alive).map_or_else(|| self.hint(at), |id| id.0);
        let site = self.graph.locate(at, hint);
        let point = self.graph.site(site).nearest(at);
        Nearest { site: SiteId(site), point, distance: self.graph.site(site).distance(at) }
    }

    /// The ends of a site: one point twice, or both ends of a segment. `None` for a site that is gone.
    pub fn site_ends(&self, site: SiteId) -> Option<[Vec2; 2]> {
        let is_alive = self.graph.spoke.get(site.0 as usize).is_some_and(|&h| h != NONE);
        is_alive.then(|| [self.graph.site(site.0).a, self.graph.site(site.0).b])
    }

    /// The edges around the cell of a site, counter-clockwise. The site lies on the right of each; its neighbour on the
    /// left. Empty for a site that is gone.
    pub fn cell(&self, site: SiteId) -> impl Iterator<Item = EdgeId> + '_ {
        let is_known = (site.0 as usize) < self.graph.sites.len();
        is_known.then(|| self.graph.spokes(site.0).map(EdgeId)).into_iter().flatten()
    }

    /// All Voronoi vertices inside the frame.
    pub fn vertices(&self) -> impl Iterator<Item = (VertexId, Vertex)> + '_ {
        let faces = 0..self.graph.discs.len() as u32;
        faces.filter_map(|face| self.vertex(VertexId(face)).map(|vertex| (VertexId(face), vertex)))
    }

    /// One more than the greatest number of a vertex. Numbers of vertices that are gone are given again.
    pub fn vertex_slots(&self) -> usize {
        self.graph.discs.len()
    }

    /// A Voronoi vertex; `None` for one that is gone or lies outside of the frame.
    pub fn vertex(&self, id: VertexId) -> Option<Vertex> {
        self.is_inside(id.0).then(|| {
            let circle = self.graph.discs[id.0 as usize].circle;
            let sites = self.graph.triple(id.0).map(|(site, _)| SiteId(site));
            Vertex { at: circle.at, radius: circle.radius, sites }
        })
    }

    /// True for a living face whose centre lies inside the frame.
    pub(crate) fn is_inside(&self, face: u32) -> bool {
        let Some(circle) = self.graph.discs.get(face as usize).map(|disc| disc.circle) else { return false };
        let [min, max] = self.frame();
        self.graph.is_face(face)
            && circle.at.x >= min.x
            && circle.at.y >= min.y
            && circle.at.x <= max.x
            && circle.at.y <= max.y
    }

    /// All Voronoi edges inside the frame, each once, as they run between two vertices. Edges of no length are among
    /// them, and the edges between a wall and its own end.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, Edge)> + '_ {
        let sides = 0..self.graph.origin.len() as u32;
        sides.filter_map(|h| {
            let is_first = self.graph.is_face(h / 3) && h < self.graph.twin[h as usize];
            if is_first { self.edge(EdgeId(h)).map(|edge| (EdgeId(h), edge)) } else { None }
        })
    }

    /// A Voronoi edge; `None` for one that is gone or leaves the frame. Each edge has two ids, one for each direction.
    pub fn edge(&self, id: EdgeId) -> Option<Edge> {
        let h = id.0;
        if !self.is_inside(h / 3) || !self.is_inside(self.graph.twin[h as usize] / 3) {
            return None;
        }
        Some(self.graph.edge(h))
    }

    /// True if an edge is no part of the medial axis: it joins a segment and its own end, or two segments that run
    /// straight on, so that its places have a single nearest point.
    pub fn is_spur(&self, edge: &Edge) -> bool {
        let sides = edge.sides.map(|site| Some((site.0, self.graph.sites.get(site.0 as usize)?)));
        // Sites of another diagram have no edge here.
        let [Some((a, one)), Some((b, other))] = sides else { return false };
        let runs_on = |end: u32| {
            end != NONE && other.ends_at(end) && cross_sign(one.away_from(end), other.away_from(end)) == 0
        };
        one.ends_at(b) || other.ends_at(a) || one.ends.into_iter().any(runs_on)
    }

    /// Moves a place away from its nearest point until a second site is as near: onto the medial axis. Returns the edge
    /// that it meets and the disc there. `None` where the place lies on a site, or outside of the world.
    pub fn retract(&self, at: Vec2, near: Option<SiteId>) -> Option<(EdgeId, Vec2, f64)> {
        let nearest = self.nearest(at, near);
        let way = at - nearest.point;
        let length = way.length();
        if length == 0.0 || !length.is_finite() {
            return None;
        }
        let site = nearest.site.0;
        self.graph.retract(site, self.graph.spokes(site), nearest.point, way * (1.0 / length))
    }
}

impl Graph {
    fn edge(&self, h: u32) -> Edge {
        let twin = self.twin[h as usize];
        // The edge runs from the face of h to that of its twin; seen so, the origin of h lies on the right.
        let (right, left) = (self.from(h), self.to(h));
        let circles = [self.circle(h), self.circle(twin)];
        let curve = match self.parabola(right, left) {
            Some(Parabola { foot, along, normal, height }) => {
                let range = circles.map(|circle| (circle.at - foot).dot(along));
                Curve::Parabola { foot, along, normal, height, range }
            }
            None => Curve::Line,
        };
        let least = self.narrowest(right, left, circles);
        Edge {
            ends: [VertexId(h / 3), VertexId(twin / 3)],
            at: circles.map(|circle| circle.at),
            radii: circles.map(|circle| circle.radius),
            sides: [SiteId(left), SiteId(right)],
            curve,
            narrowest: least.at,
            width: least.radius,
        }
    }

    /// The smallest circle on the edge of two sites.
    fn narrowest(&self, a: u32, b: u32, ends: [Circle; 2]) -> Circle {
        let (one, other) = (self.site(a), self.site(b));
        let least = if ends[0].radius <= ends[1].radius { ends[0] } else { ends[1] };
        let apex = match (one.is_point(), other.is_point()) {
            (true, true) => Circle::new((one.a + other.a) * 0.5, 0.5 * one.a.distance(other.a)),
            (false, false) => return least,
            _ if one.ends_at(b) || other.ends_at(a) => {
                let end = if one.is_point() { one.a } else { other.a };
                Circle::new(end, 0.0)
            }
            _ => match self.parabola(a, b) {
                Some(curve) => curve.at(0.0),
                None => return least,
            },
        };
        let way = ends[1].at - ends[0].at;
        let is_between = match self.parabola(a, b) {
            Some(curve) => curve.coordinate(ends[0].at) * curve.coordinate(ends[1].at) < 0.0,
            None => way.dot(apex.at - ends[0].at) > 0.0 && way.dot(apex.at - ends[1].at) < 0.0,
        };
        if is_between && apex.radius < least.radius { apex } else { least }
    }

    /// The first of some edges of a cell on the ray that leaves its site at `foot`, and the disc there.
    pub(crate) fn retract(
        &self,
        site: u32,
        spokes: impl Iterator<Item = u32>,
        foot: Vec2,
        way: Vec2,
    ) -> Option<(EdgeId, Vec2, f64)> {
        let mut best: Option<(f64, u32)> = None;
        for h in spokes {
            let other = self.site(self.to(h));
            if self.site(site).ends_at(self.to(h)) || other.ends_at(site) {
                continue;
            }
            // The disc of radius t around foot + way * t touches the other site.
            let t = if other.is_point() {
                let d = other.a - foot;
                let across = d.dot(way);
                if across <= 0.0 { continue } else { d.length_squared() / (2.0 * across) }
            } else {
                let (offset, rise) = (other.offset(foot), other.along.cross(way));
                let closing = if offset >= 0.0 { 1.0 - rise } else { 1.0 + rise };
                if closing <= 0.0 || offset == 0.0 { continue } else { offset.abs() / closing }
            };
            if best.is_none_or(|(least, _)| t < least) && self.covers(h, foot + way * t) {
                best = Some((t, h));
            }
        }
        best.map(|(t, h)| (EdgeId(h), foot + way * t, t))
    }

    /// True if a place lies on an edge, up to rounding. Two lines have two bisectors, so the curve counts too.
    fn covers(&self, h: u32, at: Vec2) -> bool {
        let ends = [self.circle(h), self.circle(self.twin[h as usize])];
        // Far along a flat parabola roundings grow; a thousandth of a grid unit is below all that a wall can tell.
        let slack = 1e3 * self.epsilon;
        if let Some(curve) = self.parabola(self.from(h), self.to(h)) {
            let [u, v] = ends.map(|end| curve.coordinate(end.at));
            let here = curve.coordinate(at);
            let is_between = here >= u.min(v) - slack && here <= u.max(v) + slack;
            return is_between && (at - curve.at(here).at).dot(curve.normal) <= 1e3 * slack;
        }
        let way = ends[1].at - ends[0].at;
        let length = way.length();
        if length <= slack {
            return at.distance(ends[0].at) <= slack;
        }
        let (along, across) = ((at - ends[0].at).dot(way) / length, (at - ends[0].at).cross(way) / length);
        along >= -slack && along <= length + slack && across.abs() <= 1e3 * slack
    }
}
