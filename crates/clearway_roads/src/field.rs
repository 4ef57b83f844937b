//! Costs from every node of the contracted roads to a goal, for bodies that walk there step by step.
//!
//! Dijkstra 1959 from the goal, once. Each step then compares the two ends of the body's own road. Cost: O(n log n) once.

use crate::astar::Net;
use crate::graph::{Passable, Spot};
use crate::live::Cell;
use crate::roads::{Detail, Roads};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The costs to one goal, for one radius, in grid units.
#[derive(Clone, Debug)]
pub(crate) struct RoadField {
    costs: Vec<f64>,
    goal: Spot,
    on_road: Vec2,
}

impl RoadField {
    /// Computes the costs to a goal in plan coordinates for a radius in metres. `None` if the goal joins no road.
    pub fn of(roads: &Roads, goal: [f64; 2], radius: f64) -> Option<RoadField> {
        let (spot, on_road) = roads.join_off_wall(roads.skeleton().units(goal))?;
        let graph = roads.graph(Detail::Contracted);
        if graph.road_of[spot.arc as usize] == NONE {
            return None;
        }
        let radius = radius / roads.skeleton().unit();
        let mut costs = vec![f64::INFINITY; graph.places.len()];
        // Costs are not negative, so their bits sort like the floats.
        let mut open = BinaryHeap::new();
        for (_, node, cost) in roads.exits(graph, spot, radius) {
            open.push(Reverse((cost.to_bits(), node)));
        }
        while let Some(Reverse((bits, node))) = open.pop() {
            let cost = f64::from_bits(bits);
            if cost >= costs[node as usize] {
                continue;
            }
            costs[node as usize] = cost;
            Passable { graph, radius }.ways(node, |way| {
                if cost + way.length < costs[way.to as usize] {
                    open.push(Reverse(((cost + way.length).to_bits(), way.to)));
                }
            });
        }
        Some(RoadField { costs, goal: spot, on_road })
    }

    /// The vertex of a body's cell to head for, and how far beyond it is free. `None` if no road leads to the goal.
    pub fn target(&self, roads: &Roads, at: Vec2, radius: f64, cell: &Cell) -> Option<(Vec2, f64)> {
        let (spot, _) = roads.join_off_wall(at)?;
        let ahead = self.ahead(roads, spot, radius)?;
        let fits = cell.vertices.iter().filter(|vertex| vertex.2 >= radius);
        let best = fits.min_by(|p, q| p.1.distance(ahead).total_cmp(&q.1.distance(ahead)))?;
        Some((best.1, (best.2 - radius).max(0.0)))
    }

    /// The next place on the way to the goal: its own place on the road, or an end of the body's road.
    fn ahead(&self, roads: &Roads, spot: Spot, radius: f64) -> Option<Vec2> {
        let graph = roads.graph(Detail::Contracted);
        if graph.road_of[spot.arc as usize] == NONE {
            return Some(self.on_road);
        }
        let cost = |exit: &(usize, u32, f64)| exit.2 + self.costs[exit.1 as usize];
        let exits = roads.exits(graph, spot, radius);
        let best = exits.iter().min_by(|p, q| cost(p).total_cmp(&cost(q)));
        let direct = roads.direct(graph, [spot, self.goal], radius).map(|(_, cost)| cost);
        if direct.is_some_and(|direct| best.is_none_or(|best| direct <= cost(best))) {
            return Some(self.on_road);
        }
        let best = best.filter(|best| cost(best).is_finite())?;
        // A body whose own empty circle holds the node looks beyond it: it can see the road after.
        let is_near = best.2 <= roads.arcs[spot.arc as usize].radius(spot.t);
        Some(if is_near { self.beyond(roads, best.1, radius) } else { graph.places[best.1 as usize] })
    }

    /// The node after a node on the way to the goal.
    fn beyond(&self, roads: &Roads, node: u32, radius: f64) -> Vec2 {
        let graph = roads.graph(Detail::Contracted);
        let mut best = (f64::INFINITY, self.on_road);
        Passable { graph, radius }.ways(node, |way| {
            let cost = way.length + self.costs[way.to as usize];
            if cost < best.0 {
                best = (cost, way.place);
            }
        });
        if best.0 <= self.costs[node as usize] * (1.0 + 1e-12) { best.1 } else { self.on_road }
    }
}
