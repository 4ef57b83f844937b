//! Indicative routes: polylines of the plan with the length along them.

use clearway_geometry::Vec2;
use clearway_nav::mesh::{CellId, PortalId};
use clearway_nav::path::cells_under;
use clearway_nav::{Location, NavMesh, Path, Piece};

/// The greatest angle of a turn between two points of a route, in radians. Tangents that meet at such a turn leave the
/// circle by a thousandth of its radius.
const TURN: f64 = 0.09;

/// Places on a route this close to each other, in metres, are one.
const NEAR: f64 = 1e-6;

/// A route to follow more or less closely, in plan coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct IndicativeRoute {
    pub(crate) points: Vec<Vec2>,
    /// The length from the start to each point, in metres.
    pub(crate) along: Vec<f64>,
    /// The cell in which it starts, if that is known: in layers the plan does not tell the floor.
    pub(crate) start: Option<CellId>,
    /// The cells and portals of the path that it was made of.
    path: (Vec<CellId>, Vec<PortalId>),
    /// The cells under it, each with the metres along it up to which it lies there. Empty on plans and until it is tied.
    cells: Vec<(f64, u32)>,
}

impl IndicativeRoute {
    /// A route through points. Points that repeat the one before, or are not finite, are left out; `None` if none is
    /// left.
    pub fn new(points: &[[f64; 2]]) -> Option<IndicativeRoute> {
        let places =
            points.iter().map(|[x, y]| Vec2::new(*x, *y)).filter(|p| p.x.is_finite() && p.y.is_finite());
        let mut route = IndicativeRoute::empty(None, (Vec::new(), Vec::new()));
        places.for_each(|place| route.push(place));
        (!route.points.is_empty()).then_some(route)
    }

    /// The route along a path. Arcs become tangents outside of them, so that the route keeps the distance of the path.
    pub fn of(path: &Path) -> IndicativeRoute {
        let start = path.cells.first().copied();
        let mut route = IndicativeRoute::empty(start, (path.cells.clone(), path.portals.clone()));
        let vector = |[x, y]: [f64; 2]| Vec2::new(x, y);
        route.push(vector(path.start));
        for piece in &path.pieces {
            if let Piece::Arc { center, from, turn, .. } = *piece {
                let (spoke, count) = (vector(from) - vector(center), (turn.abs() / TURN).ceil().max(1.0));
                let half = 0.5 * turn / count;
                for i in 0..count as u32 {
                    let (sin, cos) = (half * f64::from(2 * i + 1)).sin_cos();
                    let turned = Vec2::new(spoke.x * cos - spoke.y * sin, spoke.x * sin + spoke.y * cos);
                    route.push(vector(center) + turned * (1.0 / half.cos()));
                }
            }
            route.push(vector(piece.to()));
        }
        route
    }

    fn empty(start: Option<CellId>, path: (Vec<CellId>, Vec<PortalId>)) -> IndicativeRoute {
        IndicativeRoute { points: Vec::new(), along: Vec::new(), start, path, cells: Vec::new() }
    }

    /// Its length in metres.
    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// Its goal.
    pub fn goal(&self) -> [f64; 2] {
        let goal = self.end();
        [goal.x, goal.y]
    }

    pub(crate) fn end(&self) -> Vec2 {
        self.points.last().copied().unwrap_or_default()
    }

    /// The place this many metres along it.
    pub(crate) fn at(&self, along: f64) -> Vec2 {
        let next = self.along.partition_point(|a| *a <= along);
        match (next.checked_sub(1), self.points.get(next)) {
            (None, _) => self.points.first().copied().unwrap_or_default(),
            (Some(_), None) => self.end(),
            (Some(before), Some(&to)) => {
                let share = (along - self.along[before]) / (self.along[next] - self.along[before]);
                self.points[before] + (to - self.points[before]) * share
            }
        }
    }

    /// The metres along it of its place nearest to a point, between two values.
    pub(crate) fn nearest(&self, to: Vec2, [least, most]: [f64; 2]) -> f64 {
        let mut best = (f64::INFINITY, least);
        let first = self.along.partition_point(|along| *along < least).max(1);
        for i in first..self.points.len() {
            if self.along[i - 1] > most {
                break;
            }
            let [a, b] = [self.points[i - 1], self.points[i]];
            let foot = self.along[i - 1] + to.nearest_on(a, b).distance(a);
            let foot = foot.clamp(least, most);
            let off = self.at(foot).distance(to);
            if off < best.0 {
                best = (off, foot);
            }
        }
        best.1
    }

    /// The metres along it of its first point beyond a place on it, or of its end.
    pub(crate) fn next_point(&self, along: f64) -> f64 {
        let next = self.along.partition_point(|a| *a <= along);
        self.along.get(next).copied().unwrap_or_else(|| self.length())
    }

    /// Notes the cells under it, given the one where it starts, so that floors above and below are told apart.
    pub(crate) fn tie(&mut self, mesh: &NavMesh, start: CellId) {
        self.cells.clear();
        if let Some(cells) = self.cells_of_path(mesh) {
            self.cells = cells;
            return;
        }
        let (mut cell, mut along) = (self.start.unwrap_or(start).0, 0.0);
        for pair in self.points.windows(2) {
            for (under, length) in parts(mesh, &mut cell, [pair[0], pair[1]]) {
                along += length;
                self.cells.push((along, under));
            }
        }
    }

    /// The cells of the path under it, each with the metres up to which it lies there; `None` if it does not cross all
    /// portals in their order. At a corner where floors meet, places alone would not tell the floor.
    fn cells_of_path(&self, mesh: &NavMesh) -> Option<Vec<(f64, u32)>> {
        let (cells, portals) = &self.path;
        if portals.len() + 1 != cells.len() {
            return None;
        }
        let mut found = Vec::with_capacity(cells.len());
        let mut piece = 1;
        for (portal, cell) in portals.iter().zip(cells) {
            let ends = mesh.portal(*portal)?.vertices.map(|vertex| mesh.position(vertex));
            let portal = [ends[0]?, ends[1]?].map(|[x, y]| Vec2::new(x, y));
            let least = found.last().map_or(0.0, |(end, _)| *end);
            let (crossed, share) = (piece..self.points.len())
                .find_map(|i| Some((i, crossing([self.points[i - 1], self.points[i]], portal)?)))?;
            let [from, to] = [crossed - 1, crossed].map(|i| self.along[i]);
            piece = crossed;
            found.push(((from + (to - from) * share).max(least), cell.0));
        }
        found.push((self.length(), cells.last()?.0));
        Some(found)
    }

    /// True if the cells under it are known.
    pub(crate) fn is_tied(&self) -> bool {
        !self.cells.is_empty()
    }

    /// True if a location right at a place of the route lies on its floor: in its cell there, or in one beside that.
    pub(crate) fn is_on_floor(&self, mesh: &NavMesh, along: f64, at: Location) -> bool {
        let (graph, here) = (mesh.graph(), at.cell().0);
        let first = self.cells.partition_point(|(end, _)| *end < along - NEAR);
        let mut begin = first.checked_sub(1).map_or(0.0, |before| self.cells[before].0);
        for &(end, cell) in &self.cells[first..] {
            if begin > along + NEAR {
                return false;
            }
            if cell == here || graph.sides(here).any(|side| graph.beyond[side] == cell) {
                return true;
            }
            begin = end;
        }
        !self.is_tied()
    }

    /// The last place of the route on the border of a disc for which a test holds, as metres along it.
    pub(crate) fn last_in(
        &self,
        center: Vec2,
        radius: f64,
        mut test: impl FnMut(f64) -> bool,
    ) -> Option<f64> {
        (1..self.points.len()).rev().find_map(|i| {
            let [a, b] = [self.points[i - 1], self.points[i]];
            let (way, off) = (b - a, a - center);
            let (q, p) = (way.length_squared(), off.dot(way));
            let root = p * p - q * (off.length_squared() - radius * radius);
            let t = (root.max(0.0).sqrt() - p) / q;
            let along = self.along[i - 1] + t * q.sqrt();
            (root >= 0.0 && (0.0..=1.0).contains(&t) && test(along)).then_some(along)
        })
    }

    fn push(&mut self, place: Vec2) {
        let before = self.points.last().copied();
        if before != Some(place) {
            let along = self.length() + before.map_or(0.0, |before| before.distance(place));
            self.points.push(place);
            self.along.push(along);
        }
    }
}

/// What a stepper tells a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// The place to head for, in plan coordinates.
    pub attraction: [f64; 2],
    /// The direction to walk in, of length one; zero at the attraction point.
    pub direction: [f64; 2],
    /// True if the attraction point is the goal of the route.
    pub is_last: bool,
}

impl Steering {
    pub(crate) fn new(at: Vec2, to: Vec2, is_last: bool) -> Steering {
        let way = to - at;
        let length = way.length();
        let unit = if length > 0.0 { way * (1.0 / length) } else { Vec2::default() };
        Steering { attraction: [to.x, to.y], direction: [unit.x, unit.y], is_last }
    }

    /// The velocity of a body with a preferred speed in metres per second.
    pub fn velocity(&self, speed: f64) -> [f64; 2] {
        self.direction.map(|c| c * speed)
    }
}

/// The share of a straight way at which it meets a portal, ends included.
fn crossing([from, to]: [Vec2; 2], [a, b]: [Vec2; 2]) -> Option<f64> {
    let (way, side) = (to - from, b - a);
    let slope = way.cross(side);
    let slack = NEAR / way.length().max(NEAR);
    if slope == 0.0 {
        // Along the portal the way may change cells anywhere.
        return (from.distance_to_segment(a, b) <= NEAR).then_some(0.0);
    }
    let share = (a - from).cross(side) / slope;
    let at = from + way * share.clamp(0.0, 1.0);
    let is_met = (-slack..=1.0 + slack).contains(&share) && at.distance_to_segment(a, b) <= NEAR;
    is_met.then_some(share.clamp(0.0, 1.0))
}

/// The cells under a straight way and the metres in each. `cell` holds its start, then its end.
pub(crate) fn parts(mesh: &NavMesh, cell: &mut u32, [from, to]: [Vec2; 2]) -> Vec<(u32, f64)> {
    let length = from.distance(to);
    let piece = Piece::Segment { from: [from.x, from.y], to: [to.x, to.y] };
    let (cells, portals) = cells_under(mesh, *cell, &[piece]);
    let mut parts = Vec::with_capacity(cells.len());
    let mut done = 0.0;
    for (number, under) in cells.iter().enumerate() {
        let share = portals.get(number).and_then(|portal| {
            let ends = mesh.portal(*portal)?.vertices.map(|vertex| mesh.position(vertex));
            let [a, b] = [ends[0]?, ends[1]?].map(|[x, y]| Vec2::new(x, y));
            let slope = (to - from).cross(b - a);
            (slope != 0.0).then(|| (a - from).cross(b - a) / slope)
        });
        let is_final = number + 1 == cells.len();
        let share = if is_final { 1.0 } else { share.unwrap_or(done).clamp(done, 1.0) };
        parts.push((under.0, (share - done) * length));
        done = share;
    }
    *cell = cells.last().map_or(*cell, |cell| cell.0);
    parts
}
