//! The Indicative Route Method (Karamouzas, Geraerts and Overmars 2009).
//!
//! Each step retracts the body onto the medial axis and takes the empty disc there, shrunk by the radius. The attraction
//! point is the goal if the disc holds it, else the last point of the route on the disc's border. Both body and
//! attraction point lie in the disc, so the way between them is free. A route that touches a wall leaves the disc at the
//! body itself. Then the body makes a detour over the retraction of a point farther on that it sees.
//! Routes that cross themselves are cut short: a fault of the method. Cost: one retraction and the points of the route.

use crate::roads::Roads;
use crate::route::{IndicativeRoute, Steering};
use crate::walk::walk;
use clearway_geometry::Vec2;
use clearway_nav::{Location, NavMesh, Path};

/// An attraction point nearer than this share of the disc is no help: the steps towards such points never end.
const TOO_NEAR: f64 = 0.01;

/// A body this close to its route, in metres, stands on it. What is this far off keeps the radius up to what
/// judges of paths allow.
const ON_ROUTE: f64 = 1e-9;

/// The number of points ahead that are tried for a detour, each half as far as the one before.
const TRIES: i32 = 24;

/// A body that follows a route by the Indicative Route Method.
#[derive(Clone, Debug)]
pub struct Irm {
    route: IndicativeRoute,
    radius: f64,
    /// The length along the route up to which the body was attracted.
    progress: f64,
    detour: Option<Vec2>,
}

impl Irm {
    /// A body of a radius in metres at the start of a route.
    pub fn new(route: IndicativeRoute, radius: f64) -> Irm {
        Irm { route, radius, progress: 0.0, detour: None }
    }

    /// Tells a body at a place where to head for. `None` if no point of the route attracts it.
    pub fn steer(&mut self, roads: &Roads, mesh: &NavMesh, at: Location) -> Option<Steering> {
        let [x, y] = at.position();
        let place = Vec2::new(x, y);
        let joint = roads.join(mesh, at)?;
        let plan = |units: Vec2| {
            let [x, y] = roads.skeleton().place(units);
            Vec2::new(x, y)
        };
        let center = plan(joint.on_road);
        let arc = &roads.arcs[joint.spot.arc as usize];
        let reach = (arc.radius(joint.spot.t) * mesh.unit() - self.radius).max(0.0);
        let goal = self.route.end();
        if roads.skeleton().is_layered() && !self.route.is_tied() {
            self.route.tie(mesh, at.cell());
        }
        let route = &self.route;
        // In layers a place of the plan may lie on another floor.
        let is_here = |along: f64| {
            let to = route.at(along);
            let hit = || mesh.raycast(at, [to.x, to.y], 0.0).filter(|hit| hit.reached());
            !route.is_tied() || hit().is_some_and(|hit| route.is_on_floor(mesh, along, hit.at))
        };
        if goal.distance(center) <= reach && is_here(route.length()) {
            return Some(Steering::new(place, goal, true));
        }
        let attraction = route.last_in(center, reach, is_here);
        self.detour = self.detour.filter(|detour| detour.distance(place) > ON_ROUTE);
        if let Some(detour) = self.detour {
            return Some(Steering::new(place, detour, false));
        }
        let attraction = attraction.filter(|along| *along >= self.progress - reach);
        if let Some(along) = attraction {
            self.progress = self.progress.max(along);
            let to = self.route.at(along);
            if to.distance(place) > TOO_NEAR * reach {
                return Some(Steering::new(place, to, false));
            }
        }
        self.detour = self.along_route(place).or_else(|| self.detour_from(roads, mesh, at));
        self.detour.map(|detour| Steering::new(place, detour, false))
    }

    /// Walks the whole route in steps of a length in metres. `None` if the body does not arrive.
    pub fn walk(&mut self, roads: &Roads, mesh: &NavMesh, start: Location, step: f64) -> Option<Path> {
        let (radius, route) = (self.radius, (self.route.goal(), self.route.length()));
        walk(mesh, start, route, (step, radius), |at| self.steer(roads, mesh, at))
    }

    /// The next point of the route, for a body that stands on it: the route itself keeps the radius.
    fn along_route(&mut self, place: Vec2) -> Option<Vec2> {
        let here = self.route.nearest(place, [0.0, self.route.length()]);
        if self.route.at(here).distance(place) > ON_ROUTE {
            return None;
        }
        self.progress = self.route.next_point(here + ON_ROUTE);
        Some(self.route.at(self.progress))
    }

    /// The retraction of a point of the route ahead that the body sees.
    fn detour_from(&self, roads: &Roads, mesh: &NavMesh, at: Location) -> Option<Vec2> {
        let rest = self.route.length() - self.progress;
        (0..TRIES).find_map(|halvings| {
            let ahead = self.route.at(self.progress + rest.min(8.0) * 0.5f64.powi(halvings));
            let ahead = [ahead.x, ahead.y];
            let on_road = if roads.skeleton().is_layered() {
                let seen = mesh.raycast(at, ahead, 0.0).filter(|hit| hit.reached())?;
                roads.join(mesh, seen.at)?.on_road
            } else {
                roads.join_off_wall(roads.skeleton().units(ahead))?.1
            };
            let target = roads.skeleton().place(on_road);
            let is_seen = mesh.raycast(at, target, self.radius).is_some_and(|hit| hit.reached());
            is_seen.then(|| Vec2::new(target[0], target[1]))
        })
    }
}
