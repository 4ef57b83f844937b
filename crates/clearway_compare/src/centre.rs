//! The published planner, as a comparator: A* over cell crosses, and way points on portals.
//!
//! R. Oliva and N. Pelechano, "A Generalized Exact Arbitrary Clearance Technique for Navigation Meshes" (2013), and
//! algorithms 11 and 12 of the NEOGEN thesis. The search runs over crosses of cells whose stored width is at least the
//! diameter, so a cell may be entered twice by different portals (section 7.7). Its way points are the traditional
//! ones.
//!
//! Nothing makes its paths legal. The widths err in both directions, see [`published`](crate::published), and straight
//! ways between way points cut corners.

use crate::published::{CrossTable, centre_way_point, closest_end_way_point};
use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::{CellId, NavMesh, PortalId};
use clearway_nav::path::{NoPath, Path, PathQuery, Piece, Place};
use clearway_nav::query::Flood;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The point of a portal that a body heads for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WayPoint {
    /// The middle of the portal.
    #[default]
    Centre,
    /// The point at distance radius from the end that is closer to the body.
    ClosestEnd,
}

/// The published planner, for comparison. Its paths may come closer to walls than the radius, may miss existing ways,
/// and may lead where the body does not fit. [`Path::clearance`] reports how close they really come.
#[derive(Debug)]
pub struct CentrePlanner {
    /// The widths of all crosses.
    table: CrossTable,
    /// The kind of way points.
    way_point: WayPoint,
    /// Two nodes for each portal, left from its first and from its second cell; then one for the goal.
    nodes: Vec<Node>,
    /// The number of the current search.
    round: u32,
    /// The open list: estimates as bits of non-negative floats, and nodes.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The number of nodes expanded.
    expansions: u64,
}

/// A portal in one direction, or the goal.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Its way point, in plan coordinates.
    at: [f64; 2],
    /// The length from the start, in metres.
    length: f64,
    /// A lower bound for the whole way, in metres.
    least: f64,
    /// The node before; [`NONE`] at the start.
    parent: u32,
    /// The search that wrote the node; nodes of other searches count as unknown.
    round: u32,
}

impl CentrePlanner {
    /// Makes the planner of a mesh, with way points of this kind. It computes the table of crosses at once.
    pub fn new(mesh: &NavMesh, way_point: WayPoint) -> CentrePlanner {
        let nodes = vec![Node::default(); 2 * mesh.portal_slots() + 1];
        let table = CrossTable::of(mesh);
        CentrePlanner { table, way_point, nodes, round: 0, open: BinaryHeap::new(), expansions: 0 }
    }

    /// Returns a path to the goal of the query as the published method finds it; further goals are ignored. The mesh
    /// must be the one that the planner was made for. [`NoPath::Disconnected`] means that the method sees no way,
    /// although the body would fit.
    pub fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath> {
        let radius = query.radius;
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NoPath::BadRadius { radius });
        }
        for (at, place) in [(query.start, Place::Start), (query.goal, Place::Goal)] {
            if !mesh.is_here(&at) || self.nodes.len() != 2 * mesh.portal_slots() + 1 {
                return Err(NoPath::OffMesh { place });
            }
        }
        self.search(mesh, query).then(|| self.path(mesh, query)).ok_or_else(|| refusal(mesh, query))
    }

    /// Searches for the goal, which is the last node. Returns true if there is a way.
    fn search(&mut self, mesh: &NavMesh, query: &PathQuery) -> bool {
        self.round = self.round.wrapping_add(1).max(1);
        self.open.clear();
        self.expansions = 0;
        let goal = self.nodes.len() as u32 - 1;
        let start = Node { at: query.start.position(), parent: NONE, ..Node::default() };
        self.expand(mesh, query, query.start.cell().0, None, &start, NONE);
        while let Some(Reverse((least, number))) = self.open.pop() {
            let node = self.nodes[number as usize];
            if node.least.to_bits() != least {
                continue;
            }
            if number == goal {
                return true;
            }
            self.expansions += 1;
            let portal = number / 2;
            let cell = mesh.parts().portals[portal as usize].cells[1 - (number % 2) as usize];
            self.expand(mesh, query, cell, Some(portal), &node, number);
        }
        false
    }

    /// Goes on from a portal, or from the start, to the portals of a cell and to the goal.
    fn expand(
        &mut self,
        mesh: &NavMesh,
        query: &PathQuery,
        cell: u32,
        from: Option<u32>,
        node: &Node,
        number: u32,
    ) {
        if cell == query.goal.cell().0 {
            let goal = self.nodes.len() as u32 - 1;
            self.reach(goal, node, number, query.goal.position(), query);
        }
        for side in mesh.graph().sides(cell) {
            let to = mesh.parts().sides[side].portal;
            if to == NONE || from == Some(to) {
                continue;
            }
            let [a, b] = mesh.graph().ends(cell, side);
            let width = match from {
                Some(from) => self.table.width(CellId(cell), PortalId(from), PortalId(to)).unwrap_or(0.0),
                None => a.distance(b) * mesh.unit(),
            };
            let way_point = match self.way_point {
                WayPoint::Centre => centre_way_point(mesh, PortalId(to)),
                WayPoint::ClosestEnd => closest_end_way_point(mesh, PortalId(to), node.at, query.radius),
            };
            if let Some(at) = way_point.filter(|_| width >= 2.0 * query.radius) {
                let face = u32::from(mesh.parts().portals[to as usize].cells[0] != cell);
                self.reach(2 * to + face, node, number, at, query);
            }
        }
    }

    /// Improves a node and puts it on the open list.
    fn reach(&mut self, number: u32, from: &Node, parent: u32, at: [f64; 2], query: &PathQuery) {
        let length = from.length + distance(from.at, at);
        let least = length + distance(at, query.goal.position());
        let known = &mut self.nodes[number as usize];
        if known.round != self.round || known.least > least * (1.0 + 1e-12) {
            *known = Node { at, length, least, parent, round: self.round };
            self.open.push(Reverse((least.to_bits(), number)));
        }
    }

    /// Assembles the path to the goal, once it is reached.
    fn path(&self, mesh: &NavMesh, query: &PathQuery) -> Path {
        let goal = self.nodes.len() - 1;
        let mut numbers = vec![];
        let mut number = self.nodes[goal].parent;
        while number != NONE && numbers.len() < self.nodes.len() {
            numbers.push(number);
            number = self.nodes[number as usize].parent;
        }
        numbers.reverse();
        let mut cells = vec![query.start.cell()];
        let beyond =
            |number: &u32| mesh.parts().portals[(*number / 2) as usize].cells[1 - (*number % 2) as usize];
        cells.extend(numbers.iter().map(beyond).map(CellId));
        let stops = numbers.iter().map(|number| self.nodes[*number as usize].at);
        let stops: Vec<[f64; 2]> =
            std::iter::once(query.start.position()).chain(stops).chain([query.goal.position()]).collect();
        let legs = stops.windows(2).zip(&cells).map(|(leg, cell)| (leg[0], leg[1], cell.0));
        Path {
            start: query.start.position(),
            goal: query.goal.position(),
            clearance: clearance(mesh, legs),
            pieces: stops.windows(2).map(|leg| Piece::Segment { from: leg[0], to: leg[1] }).collect(),
            cells,
            portals: numbers.iter().map(|number| PortalId(*number / 2)).collect(),
            length: self.nodes[goal].length,
            radius: query.radius,
            cost: self.nodes[goal].length,
            bound: f64::INFINITY,
            expansions: self.expansions,
            ..Path::default()
        }
    }
}

/// Returns the reason why the method sees no way. A body that is too large for every way learns that.
fn refusal(mesh: &NavMesh, query: &PathQuery) -> NoPath {
    match mesh.bottleneck(query.start, query.goal) {
        Some(narrow) if narrow.radius < query.radius => {
            NoPath::TooNarrow { widest_radius: narrow.radius, at: narrow.at, link: None }
        }
        _ => NoPath::Disconnected,
    }
}

/// Returns the least distance in metres to walls of straight ways, each within a cell.
fn clearance(mesh: &NavMesh, legs: impl Iterator<Item = ([f64; 2], [f64; 2], u32)>) -> f64 {
    let (mut least, mut flood) = (f64::INFINITY, Flood::default());
    for (from, to, cell) in legs {
        let leg = (mesh.parts().grid.units(from), mesh.parts().grid.units(to));
        least = flood.distance(mesh.graph(), &[cell], leg, least);
    }
    least * mesh.unit()
}

/// Returns the distance of two points of the plan.
fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    Vec2::new(a[0], a[1]).distance(Vec2::new(b[0], b[1]))
}
