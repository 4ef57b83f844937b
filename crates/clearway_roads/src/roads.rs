//! The roads of a mesh: the medial axis of its walkable ground as a graph, and the search on it.
//!
//! Voronoi vertices are nodes and Voronoi edges are roads; a road costs its length and exists for bodies up to the radius
//! of its smallest empty circle. A place joins the roads at its retraction. No empty circle with its centre on the roads
//! holds the place deeper: the depth `r(c) - |c - p|` is at most the clearance of `p`, since clearance changes by
//! no more than the distance, and the retraction reaches it.

use crate::arc::Arc;
use crate::astar::{Astar, Found, Task};
use crate::graph::{Graph, Passable, Spot, Stretch, reversed};
use clearway_base::error::Result;
use clearway_geometry::{Grid, NONE, Vec2};
use clearway_nav::mesh::CellId;
use clearway_nav::path::NoPath;
use clearway_nav::{Location, NavMesh};
use clearway_skeleton::{EdgeId, Skeleton};

/// The share by which a road may be narrower than the body. Voronoi vertices are rounded, and passages that just fit
/// must not be refused.
const NEARLY_WIDE: f64 = 1e-9;

/// The graph on which to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Every Voronoi edge is a road, as in the thesis.
    Raw,
    /// Edges of no length are merged and chains are joined. Paths cost the same, and searches expand less.
    #[default]
    Contracted,
}

/// A search for a road path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RoadQuery {
    /// The radius of the body in metres.
    pub radius: f64,
    /// The greatest number of expansions; without one the search ends at the goal.
    pub max_expansions: Option<u32>,
    /// If true, a perceived dead end lifts the limit.
    pub dead_ends: bool,
    /// The graph to search on.
    pub detail: Detail,
}

clearway_base::setters!(RoadQuery {
    radius: f64,
    max_expansions: Option<u32>,
    dead_ends: bool,
    detail: Detail
});

impl Default for RoadQuery {
    /// A point without a limit, on the contracted graph.
    fn default() -> RoadQuery {
        RoadQuery { radius: 0.0, max_expansions: None, dead_ends: true, detail: Detail::Contracted }
    }
}

/// A way along the roads. Start and goal lie beside it, each in the empty circle at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadPath {
    pub(crate) stretches: Vec<Stretch>,
    /// Its length in metres: along the roads, and straight to start and goal.
    pub cost: f64,
    /// False if the limit was reached: the way ends at the place nearest to the goal that was found.
    pub complete: bool,
    /// The number of expansions.
    pub expansions: u32,
    /// True if a dead end was perceived.
    pub dead_end: bool,
}

/// A node of the roads, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadNode {
    /// Its place in plan coordinates.
    pub at: [f64; 2],
}

/// A road, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadEdge {
    /// The nodes at its ends.
    pub ends: [u32; 2],
    /// Its length.
    pub length: f64,
    /// The radius of its smallest empty circle.
    pub width: f64,
}

/// The roads of a mesh.
#[derive(Clone, Debug)]
pub struct Roads {
    skeleton: Skeleton,
    pub(crate) grid: Grid,
    pub(crate) arcs: Vec<Arc>,
    arc_of: Vec<u32>,
    raw: Graph,
    contracted: Graph,
}

/// A place beside the roads: where it joins them, in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// The place itself.
    pub at: Vec2,
    /// A place right beside it that is off the walls; the place itself unless it touches a wall.
    pub off_wall: Vec2,
    /// The nearest point of a wall there, and its distance.
    pub foot: Vec2,
    pub clearance: f64,
    pub spot: Spot,
    /// The place on the road.
    pub on_road: Vec2,
}

impl Roads {
    /// Builds the skeleton of a mesh and its roads. Scenes may lie in layers.
    pub fn build(mesh: &NavMesh) -> Result<Roads> {
        Ok(Roads::of(Skeleton::build(mesh)?, mesh.parts().grid))
    }

    fn of(skeleton: Skeleton, grid: Grid) -> Roads {
        let mut number: Vec<u32> = Vec::new();
        let (mut places, mut arcs, mut arc_of) = (Vec::new(), Vec::new(), Vec::new());
        // Nodes are numbered by their walls, so that equal ways are chosen alike after any order of edits.
        for node in skeleton.network().nodes {
            let vertex = node.vertex.0 as usize;
            number.resize(number.len().max(vertex + 1), NONE);
            number[vertex] = places.len() as u32;
            places.push(node.at);
        }
        for (id, edge) in skeleton.roads() {
            let mut nodes = [NONE; 2];
            for (end, node) in nodes.iter_mut().enumerate() {
                let vertex = edge.ends[end].0 as usize;
                number.resize(number.len().max(vertex + 1), NONE);
                if number[vertex] == NONE {
                    number[vertex] = places.len() as u32;
                    places.push(edge.at[end]);
                }
                *node = number[vertex];
            }
            let sites = edge.sides.map(|site| skeleton.diagram().site_ends(site).unwrap_or_default());
            arc_of.resize(arc_of.len().max(id.0 as usize + 1), NONE);
            arc_of[id.0 as usize] = arcs.len() as u32;
            let narrowest = edge.parameter(edge.narrowest);
            arcs.push(Arc { edge, nodes, length: edge.length(), sites, narrowest });
        }
        let contracted = Graph::contracted(&places, &arcs);
        Roads { raw: Graph::raw(places, &arcs), contracted, skeleton, grid, arcs, arc_of }
    }

    /// The skeleton under the roads.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The nodes of a graph, by number.
    pub fn nodes(&self, detail: Detail) -> impl ExactSizeIterator<Item = RoadNode> + '_ {
        self.graph(detail).places.iter().map(|at| RoadNode { at: self.skeleton.place(*at) })
    }

    /// The roads of a graph.
    pub fn edges(&self, detail: Detail) -> impl ExactSizeIterator<Item = RoadEdge> + '_ {
        let unit = self.skeleton.unit();
        self.graph(detail).roads.iter().map(move |road| RoadEdge {
            ends: road.ends,
            length: road.length * unit,
            width: road.width * unit,
        })
    }

    /// The points along a road, in plan coordinates: its course for pictures.
    pub fn course(&self, detail: Detail, road: usize) -> Vec<[f64; 2]> {
        let graph = self.graph(detail);
        if road >= graph.roads.len() {
            return Vec::new();
        }
        self.stations(&graph.walk(2 * road as u32), 0.25)
            .into_iter()
            .map(|at| self.skeleton.place(at))
            .collect()
    }

    /// Finds the cheapest way between two places on the roads that a body can take. A place that touches a wall, or
    /// whose road is closed to the body, has none.
    pub fn find(
        &self,
        mesh: &NavMesh,
        [start, goal]: [Location; 2],
        query: &RoadQuery,
    ) -> std::result::Result<RoadPath, NoPath> {
        if !(0.0..f64::INFINITY).contains(&query.radius) {
            return Err(NoPath::BadRadius { radius: query.radius });
        }
        let joints = [self.join(mesh, start), self.join(mesh, goal)];
        let [Some(start), Some(goal)] = joints else { return Err(NoPath::Disconnected) };
        self.find_between([start, goal], query, &mut Astar::default()).ok_or(NoPath::Disconnected)
    }

    pub(crate) fn find_between(
        &self,
        [start, goal]: [Joint; 2],
        query: &RoadQuery,
        search: &mut Astar,
    ) -> Option<RoadPath> {
        let graph = self.graph(query.detail);
        // An arc of no length is no road of the contracted graph.
        if [start, goal].iter().any(|joint| graph.road_of[joint.spot.arc as usize] == NONE) {
            return self.find_between([start, goal], &RoadQuery { detail: Detail::Raw, ..*query }, search);
        }
        let radius = query.radius / self.skeleton.unit() * (1.0 - NEARLY_WIDE);
        let [starts, goals] = [start.spot, goal.spot].map(|spot| self.exits(graph, spot, radius));
        let direct = self.direct(graph, [start.spot, goal.spot], radius);
        let most = direct.as_ref().map_or(f64::INFINITY, |(_, cost)| *cost);
        let pairs = |exits: &[(usize, u32, f64)]| exits.iter().map(|e| (e.1, e.2)).collect::<Vec<_>>();
        let task = Task {
            starts: &pairs(&starts),
            goals: &pairs(&goals),
            target: goal.on_road,
            origin: start.on_road,
            most,
            limit: query.max_expansions,
            dead_ends: query.dead_ends,
        };
        let found = search.run(&mut Passable { graph, radius }, &task);
        let (mut stretches, cost, complete) = match (found, direct) {
            (Found::Complete { last, cost }, _) => {
                (self.trace(graph, search, last, start.spot, &starts), cost, Some(last))
            }
            (_, Some((walk, cost))) => (walk, cost, Some(NONE)),
            (Found::Partial { last }, None) => {
                let walk = self.trace(graph, search, last, start.spot, &starts);
                let cost = walk.iter().map(|s| self.arcs[s.arc as usize].part_length([s.from, s.to])).sum();
                (walk, cost, None)
            }
            (Found::Nothing, None) => return None,
        };
        if let Some(last) = complete.filter(|last| *last != NONE) {
            let exit = goals.iter().filter(|exit| exit.1 == last).min_by(|a, b| a.2.total_cmp(&b.2))?;
            stretches.extend(reversed(graph.leave(goal.spot, exit.0)));
        }
        let mut beside = start.at.distance(start.on_road);
        if complete.is_some() {
            beside += goal.at.distance(goal.on_road);
        }
        Some(RoadPath {
            stretches,
            cost: (cost + beside) * self.skeleton.unit(),
            complete: complete.is_some(),
            expansions: search.expansions,
            dead_end: search.dead_end,
        })
    }

    /// The ends of a spot's road that a body can reach along it: the end, its node, and the cost.
    pub(crate) fn exits(&self, graph: &Graph, spot: Spot, radius: f64) -> Vec<(usize, u32, f64)> {
        let road = &graph.roads[graph.road_of[spot.arc as usize] as usize];
        let exit = |end: usize| {
            let (cost, least) = self.measure(&graph.leave(spot, end));
            (least >= radius).then_some((end, road.ends[end], cost))
        };
        (0..2).filter_map(exit).collect()
    }

    pub(crate) fn direct(
        &self,
        graph: &Graph,
        [from, to]: [Spot; 2],
        radius: f64,
    ) -> Option<(Vec<Stretch>, f64)> {
        let [one, other] = [from, to].map(|spot| graph.road_of[spot.arc as usize]);
        if one != other {
            return None;
        }
        let walk = graph.between(from, to);
        let (cost, least) = self.measure(&walk);
        (least >= radius).then_some((walk, cost))
    }

    fn measure(&self, walk: &[Stretch]) -> (f64, f64) {
        walk.iter().fold((0.0, f64::INFINITY), |(length, least), s| {
            let arc = &self.arcs[s.arc as usize];
            (length + arc.part_length([s.from, s.to]), f64::min(least, arc.least([s.from, s.to])))
        })
    }

    fn trace(
        &self,
        graph: &Graph,
        search: &Astar,
        last: u32,
        start: Spot,
        starts: &[(usize, u32, f64)],
    ) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        for (node, via) in search.trace(last) {
            if via == NONE {
                let exit = starts.iter().filter(|exit| exit.1 == node).min_by(|a, b| a.2.total_cmp(&b.2));
                stretches.extend(exit.map_or_else(Vec::new, |exit| graph.leave(start, exit.0)));
            } else {
                stretches.extend(graph.walk(via));
            }
        }
        stretches
    }

    /// Joins a place to the roads; `None` if that fails even right beside it.
    pub(crate) fn join(&self, mesh: &NavMesh, at: Location) -> Option<Joint> {
        let place = self.skeleton.units(at.position());
        let outline = mesh.cell(at.cell())?;
        let count = outline.corners().len() as f64;
        let middle = outline.points().fold(Vec2::default(), |sum, p| sum + p.as_vec2()) * (1.0 / count);
        // A place on a wall has no direction away from it: the middle of its cell gives one.
        [0.0, 1e-6, 1e-4, 1e-2, 0.3].into_iter().find_map(|share| {
            let off_wall = place + (middle - place) * share;
            let (spot, on_road, foot) = self.join_in(mesh, at.cell(), off_wall)?;
            let clearance = off_wall.distance(foot);
            Some(Joint { at: place, off_wall, foot, clearance, spot, on_road })
        })
    }

    /// Joins a place in a cell to the roads: the spot, its place, and the nearest point of a wall.
    fn join_in(&self, mesh: &NavMesh, cell: CellId, at: Vec2) -> Option<(Spot, Vec2, Vec2)> {
        let skeleton = &self.skeleton;
        if !skeleton.is_layered() {
            let (spot, on_road) = self.join_off_wall(at)?;
            return Some((spot, on_road, skeleton.diagram().nearest(at, None).point));
        }
        let at = Location::in_cell(cell, skeleton.place(at));
        let retraction = skeleton.retract_at(mesh, at)?;
        let foot = skeleton.units(skeleton.clearance_at(mesh, at)?.point);
        let (spot, on_road) = self.on_arc(retraction.edge, skeleton.units(retraction.at))?;
        Some((spot, on_road, foot))
    }

    /// Joins a place of the plan to the roads. In layers it is not known which floor is meant.
    pub(crate) fn join_off_wall(&self, at: Vec2) -> Option<(Spot, Vec2)> {
        let (id, place, _) = self.skeleton.diagram().retract(at, None)?;
        self.on_arc(id, place)
    }

    fn on_arc(&self, id: EdgeId, place: Vec2) -> Option<(Spot, Vec2)> {
        let arc = self.arc_of(id)?;
        let t = self.arcs[arc as usize].edge.parameter(place);
        let spot = Spot { arc, t };
        Some((spot, self.arcs[arc as usize].place(t)))
    }

    /// The arc of an edge in either direction.
    fn arc_of(&self, id: EdgeId) -> Option<u32> {
        let known = |id: EdgeId| self.arc_of.get(id.0 as usize).copied().filter(|arc| *arc != NONE);
        if let Some(arc) = known(id) {
            return Some(arc);
        }
        let edge = self.skeleton.road(id)?;
        self.skeleton.edges_at(edge.ends[1]).into_iter().find_map(|other| {
            let twin = self.skeleton.road(other)?;
            let is_twin =
                twin.ends == [edge.ends[1], edge.ends[0]] && twin.sides == [edge.sides[1], edge.sides[0]];
            is_twin.then(|| known(other)).flatten()
        })
    }

    pub(crate) fn graph(&self, detail: Detail) -> &Graph {
        match detail {
            Detail::Raw => &self.raw,
            Detail::Contracted => &self.contracted,
        }
    }

    /// The stations of a walk along stretches, the first included; see [`Arc::walk`] for the step.
    pub(crate) fn stations(&self, walk: &[Stretch], step: f64) -> Vec<Vec2> {
        let first = walk.first().map(|s| self.arcs[s.arc as usize].place(s.from));
        let mut stations: Vec<Vec2> = first.into_iter().collect();
        for s in walk {
            self.arcs[s.arc as usize].walk([s.from, s.to], step, &mut stations);
        }
        stations
    }
}
