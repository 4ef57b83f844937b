//! MIRAN, the Modified Indicative Routes and Navigation method (after Jaklin, Cook and Geraerts 2013).
//!
//! The reference point is the point of the route nearest to the body, and never goes back. Candidates are points of the
//! route up to sigma metres beyond it that the body sees: waypoints, borders of areas, ends of visible stretches, and
//! the point at sigma. A candidate costs the weighted way to it and the weighted rest of the route up to sigma. The least
//! cost wins, then the farther candidate. The seeds give no formula; this one is ours, stated so that it can be compared.
//! Small sigma follows the route, a large one cuts it short as far as one sees. Cost: a sweep for each candidate.

use crate::route::{IndicativeRoute, Steering, parts};
use crate::walk::walk;
use clearway_geometry::Vec2;
use clearway_nav::{Location, NavMesh, Path};

/// The number of halvings for the end of a visible stretch: a thousandth of the distance between two candidates.
const HALVINGS: u32 = 10;

/// Costs that differ by less than this share are equal.
const SAME_COST: f64 = 1e-9;

/// A body this close to its route, in metres, stands on it. What is this far off keeps the radius up to what
/// judges of paths allow.
const ON_ROUTE: f64 = 1e-9;

/// A point less far ahead than this, in metres, is no help: the steps towards such points never end.
const LITTLE: f64 = 0.01;

/// The least way ahead of the reference point that a candidate must lie, in metres.
const AHEAD: f64 = 1e-6;

/// How closely a body follows its route, and what ground it prefers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MiranOptions {
    /// The shortcut parameter: metres along the route that may be cut short.
    pub sigma: f64,
    /// What a metre costs on each area class, by its number; 1 where there is no entry. Zero or infinite: forbidden.
    pub weights: Vec<f64>,
    /// What a metre costs in each cell, by its number, on top of that; 1 where there is no entry.
    pub cells: Vec<f64>,
    /// The radius of the body in metres.
    pub radius: f64,
}

clearway_base::setters!(MiranOptions { sigma: f64, weights: Vec<f64>, cells: Vec<f64>, radius: f64 });

impl Default for MiranOptions {
    /// A point that cuts up to 5 m short, on equal ground.
    fn default() -> MiranOptions {
        MiranOptions { sigma: 5.0, weights: Vec::new(), cells: Vec::new(), radius: 0.0 }
    }
}

impl MiranOptions {
    /// True if a metre costs the same everywhere.
    fn is_even(&self) -> bool {
        self.weights.iter().chain(&self.cells).all(|weight| *weight == 1.0)
    }

    fn weight(&self, mesh: &NavMesh, cell: u32) -> f64 {
        let of_cell = self.cells.get(cell as usize).copied().unwrap_or(1.0);
        let class = mesh.cell(clearway_nav::mesh::CellId(cell)).map_or(0, |cell| cell.area_class());
        let weight = of_cell * self.weights.get(usize::from(class)).copied().unwrap_or(1.0);
        if weight > 0.0 { weight } else { f64::INFINITY }
    }
}

/// A body that follows a route by MIRAN.
#[derive(Clone, Debug)]
pub struct Miran {
    route: IndicativeRoute,
    options: MiranOptions,
    /// Places on the route, as metres along it, where the weight changes or the route turns; with the cost up to there.
    marks: Vec<(f64, f64)>,
    reference: f64,
    attraction: f64,
}

impl Miran {
    /// A body at the start of a route. `None` if sigma is not positive or a number is not sound.
    pub fn new(
        mesh: &NavMesh,
        start: Location,
        route: IndicativeRoute,
        options: MiranOptions,
    ) -> Option<Miran> {
        let sound = options.sigma > 0.0 && options.radius >= 0.0 && options.radius.is_finite();
        let are_weights = options.weights.iter().chain(&options.cells).all(|weight| *weight >= 0.0);
        if !sound || !are_weights {
            return None;
        }
        let mut route = route;
        if mesh.has_heights() {
            route.tie(mesh, start.cell());
        }
        let mut marks = vec![(0.0, 0.0)];
        let (mut cell, mut along, mut cost) = (start.cell().0, 0.0, 0.0);
        for pair in route.points.windows(2) {
            for part in parts(mesh, &mut cell, [pair[0], pair[1]]) {
                along += part.1;
                cost += part.1 * options.weight(mesh, part.0);
                marks.push((along, cost));
            }
        }
        Some(Miran { route, options, marks, reference: 0.0, attraction: 0.0 })
    }

    /// Tells a body at a place where to head for. `None` if it sees no point of the route ahead.
    pub fn steer(&mut self, mesh: &NavMesh, at: Location) -> Option<Steering> {
        let [x, y] = at.position();
        let place = Vec2::new(x, y);
        self.reference = self.route.nearest(place, [self.reference, self.attraction.max(self.reference)]);
        let end = (self.reference + self.options.sigma).min(self.route.length());
        let along =
            if self.options.is_even() { self.farthest(mesh, at, end) } else { self.cheapest(mesh, at, end) };
        let is_far = |along: &f64| *along - self.reference > LITTLE || *along >= self.route.length();
        let along = along.filter(is_far).or_else(|| self.along_route(place))?;
        self.attraction = along;
        let is_last = along >= self.route.length();
        Some(Steering::new(place, self.route.at(along), is_last))
    }

    /// The candidate of least cost that a body sees.
    fn cheapest(&self, mesh: &NavMesh, at: Location, end: f64) -> Option<f64> {
        let [x, y] = at.position();
        let rest = self.cost_up_to(end);
        let mut best: Option<(f64, f64)> = None;
        for along in self.candidates(mesh, at, end) {
            let way = [Vec2::new(x, y), self.route.at(along)];
            let straight: f64 = parts(mesh, &mut at.cell().0.clone(), way)
                .into_iter()
                .filter(|(_, length)| *length > AHEAD)
                .map(|(cell, length)| length * self.options.weight(mesh, cell))
                .sum();
            let cost = straight + (rest - self.cost_up_to(along));
            // Where all is forbidden, the way along the route has to do.
            let cost = if cost.is_nan() { f64::INFINITY } else { cost };
            if best.is_none_or(|(least, _)| cost <= least * (1.0 + SAME_COST)) {
                best = Some((cost, along));
            }
        }
        best.map(|(_, along)| along)
    }

    /// The last candidate that a body sees. On even ground no other costs less, since a straight way is the shortest.
    fn farthest(&self, mesh: &NavMesh, at: Location, end: f64) -> Option<f64> {
        let first = self.reference + AHEAD;
        let places = self.places(first, end);
        let mut hidden = None;
        for &along in places.iter().rev() {
            if self.sees(mesh, at, along) {
                return Some(hidden.map_or(along, |hidden| self.border(mesh, at, [along, hidden])));
            }
            hidden = Some(along);
        }
        let border = self.border(mesh, at, [self.reference, hidden?]);
        (border > first).then_some(border)
    }

    /// The way on for a body that sees nothing of its route: to the point that it headed for, which it saw, and from
    /// there along the route, which keeps the radius itself.
    fn along_route(&self, place: Vec2) -> Option<f64> {
        if place.distance(self.route.at(self.attraction)) > ON_ROUTE {
            return (self.attraction > 0.0).then_some(self.attraction);
        }
        let here = self.attraction.max(self.reference);
        Some(self.route.next_point(here + ON_ROUTE))
    }

    /// Walks the whole route in steps of a length in metres. `None` if the body does not arrive.
    pub fn walk(&mut self, mesh: &NavMesh, start: Location, step: f64) -> Option<Path> {
        self.walk_as(self.options.radius, mesh, start, step)
    }

    /// The same as the path of a body of another radius.
    pub(crate) fn walk_as(
        &mut self,
        radius: f64,
        mesh: &NavMesh,
        start: Location,
        step: f64,
    ) -> Option<Path> {
        let route = (self.route.goal(), self.route.length());
        walk(mesh, start, route, (step, radius), |at| self.steer(mesh, at))
    }

    /// The candidates that a body sees, in order along the route.
    fn candidates(&self, mesh: &NavMesh, at: Location, end: f64) -> Vec<f64> {
        let first = self.reference + AHEAD;
        let mut before = (self.reference, true);
        let mut seen = Vec::new();
        for along in self.places(first, end) {
            let is_seen = self.sees(mesh, at, along);
            if is_seen != before.1 {
                let ends = if before.1 { [before.0, along] } else { [along, before.0] };
                let border = self.border(mesh, at, ends);
                seen.extend((border > first).then_some(border));
            }
            seen.extend(is_seen.then_some(along));
            before = (along, is_seen);
        }
        seen
    }

    /// The marks between two places on the route, and the second place.
    fn places(&self, first: f64, end: f64) -> Vec<f64> {
        let next = self.marks.partition_point(|mark| mark.0 <= first);
        let inside = self.marks[next..].iter().map(|mark| mark.0).take_while(|along| *along < end);
        inside.chain([end]).collect()
    }

    fn sees(&self, mesh: &NavMesh, at: Location, along: f64) -> bool {
        let to = self.route.at(along);
        let hit = mesh.raycast(at, [to.x, to.y], self.options.radius).filter(|hit| hit.reached());
        hit.is_some_and(|hit| self.route.is_on_floor(mesh, along, hit.at))
    }

    /// The end of the visible stretch between a place on the route that is seen and one that is not.
    fn border(&self, mesh: &NavMesh, at: Location, [mut seen, mut hidden]: [f64; 2]) -> f64 {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (seen + hidden);
            if self.sees(mesh, at, middle) { seen = middle } else { hidden = middle }
        }
        seen
    }

    /// The cost of the route up to a place on it.
    fn cost_up_to(&self, along: f64) -> f64 {
        let next = self.marks.partition_point(|mark| mark.0 <= along);
        match (self.marks.get(next.saturating_sub(1)), self.marks.get(next)) {
            (Some(before), Some(after)) if after.0 > before.0 => {
                before.1 + (after.1 - before.1) * (along - before.0) / (after.0 - before.0)
            }
            (Some(before), _) => before.1,
            (None, _) => 0.0,
        }
    }
}
