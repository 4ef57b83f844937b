//! The way along the roads that is homotopic to a route: its retraction.
//!
//! Places of the route are retracted one after the other, so close together that an empty disc holds two that follow
//! each other, and their retractions lie on one arc or on two that meet. Where the route turns back into a side road, the
//! chain cancels that. A route along a wall gives discs of no size: there steps end at a share of its length, and
//! gaps are closed by the shortest way. Cost: one retraction for each place, at most a few thousand.

use crate::astar::Astar;
use crate::corridor::Corridor;
use crate::graph::{Spot, Stretch};
use crate::roads::{Detail, Joint, RoadQuery, Roads};
use crate::route::IndicativeRoute;
use clearway_geometry::Vec2;
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};

/// The least step along a route as a share of its length.
const LEAST_STEP: f64 = 1.0 / 4096.0;

/// A place of the route that was retracted.
#[derive(Clone, Copy)]
struct Station {
    at: Location,
    /// In grid units.
    joint: Joint,
}

/// A chain while it is laid.
struct Chain<'a> {
    roads: &'a Roads,
    mesh: &'a NavMesh,
    least: f64,
    walk: Vec<Stretch>,
}

impl Roads {
    /// The corridor homotopic to a route that lies on the mesh, such as that of an optimal path. `None` if the route leaves
    /// the mesh.
    pub fn corridor_of_route(&self, mesh: &NavMesh, route: &IndicativeRoute) -> Option<Corridor> {
        let least = (route.length() * LEAST_STEP / mesh.unit()).max(f64::MIN_POSITIVE);
        let mut chain = Chain { roads: self, mesh, least, walk: Vec::new() };
        let first = *route.points.first()?;
        let start = match route.start {
            Some(cell) => Location::in_cell(cell, [first.x, first.y]),
            // Rounding may put a place on a wall right behind it.
            None => {
                mesh.locate([first.x, first.y]).ok().or_else(|| mesh.nearest([first.x, first.y], 1e-6))?
            }
        };
        let start = chain.station(start)?;
        let mut last = start;
        for at in route.points.iter().skip(1) {
            let next = chain.beyond(last, *at)?;
            chain.connect(last, next)?;
            last = next;
        }
        let joints = [start.joint, last.joint];
        if chain.walk.is_empty() {
            let Spot { arc, t } = joints[0].spot;
            chain.walk.push(Stretch { arc, from: t, to: t });
        }
        Some(self.corridor_along(chain.walk, joints, [start.at, last.at], 0))
    }
}

impl Chain<'_> {
    fn station(&self, at: Location) -> Option<Station> {
        Some(Station { at, joint: self.roads.join(self.mesh, at)? })
    }

    /// The station at a place that a straight way leads to.
    fn beyond(&self, from: Station, to: Vec2) -> Option<Station> {
        let grid = &self.mesh.parts().grid;
        let to = [to.x, to.y];
        let reach = self.mesh.sweep(grid.units(from.at.position()), from.at.cell().0, grid.units(to), 0.0);
        let is_there = reach.fraction > 1.0 - 1e-6;
        self.station(Location::in_cell(CellId(reach.end), to)).filter(|_| is_there)
    }

    /// Lays the chain between two places of the route.
    fn connect(&mut self, from: Station, to: Station) -> Option<()> {
        let apart = from.joint.at.distance(to.joint.at);
        let is_close = apart <= from.joint.clearance.max(to.joint.clearance) || apart <= self.least;
        if is_close && self.join(from.joint.spot, to.joint.spot) {
            return Some(());
        }
        if apart <= self.least {
            let query = RoadQuery::default().detail(Detail::Raw);
            let way = self.roads.find_between([from.joint, to.joint], &query, &mut Astar::default())?;
            way.stretches.into_iter().for_each(|stretch| self.push(stretch));
            return Some(());
        }
        let [a, b] = [from, to].map(|station| self.roads.skeleton().place(station.joint.at));
        let middle = self.beyond(from, Vec2::new(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])))?;
        self.connect(from, middle)?;
        self.connect(middle, to)
    }

    /// Lays the chain between two spots on one arc, or on arcs that meet. Returns `false` for others.
    fn join(&mut self, from: Spot, to: Spot) -> bool {
        if from.arc == to.arc {
            self.push(Stretch { arc: from.arc, from: from.t, to: to.t });
            return true;
        }
        let [one, other] = [from, to].map(|spot| &self.roads.arcs[spot.arc as usize]);
        let ends = (0..4).map(|i| (i / 2, i % 2)).filter(|(i, j)| one.nodes[*i] == other.nodes[*j]);
        let cost = |&(i, j): &(usize, usize)| {
            one.part_length([from.t, i as f64]) + other.part_length([j as f64, to.t])
        };
        let Some((i, j)) = ends.min_by(|p, q| cost(p).total_cmp(&cost(q))) else { return false };
        self.push(Stretch { arc: from.arc, from: from.t, to: i as f64 });
        self.push(Stretch { arc: to.arc, from: j as f64, to: to.t });
        true
    }

    /// Appends a stretch. What only goes back over the last one shortens it.
    fn push(&mut self, stretch: Stretch) {
        if stretch.from == stretch.to {
            return;
        }
        match self.walk.last_mut().filter(|last| last.arc == stretch.arc) {
            Some(last) => {
                last.to = stretch.to;
                if last.from == last.to {
                    self.walk.pop();
                }
            }
            None => self.walk.push(stretch),
        }
    }
}
