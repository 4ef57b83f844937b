//! The Explicit Corridor Map: the medial axis as a graph of chains, each with its nearest points left and right.
//!
//! After Geraerts (2010) and van Toll et al. (2011). A node is a Voronoi vertex where the number of roads is not two. An
//! edge is a chain of roads between two nodes. Its events are the vertices on the way, with the nearest points of the
//! walls on both sides; between two events neither side changes its site. Cost: linear in the roads.

use crate::query::{EdgeId, VertexId};
use crate::skeleton::Skeleton;

/// A place on the medial axis with its nearest points on both sides, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The place, in plan coordinates.
    pub at: [f64; 2],
    /// The clearance there.
    pub radius: f64,
    /// The nearest point of the walls on the left.
    pub left: [f64; 2],
    /// The nearest point of the walls on the right.
    pub right: [f64; 2],
}

/// A chain of roads between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct EcmEdge {
    /// The nodes at its ends; the same twice for a ring.
    pub ends: [VertexId; 2],
    /// Its roads, in order, each in the direction of the chain.
    pub roads: Vec<EdgeId>,
    /// Its length in metres.
    pub length: f64,
    /// The radius of its smallest empty circle, in metres.
    pub width: f64,
}

/// The Explicit Corridor Map of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Ecm {
    /// The nodes: vertices with one or with at least three roads, and one vertex of each ring.
    pub nodes: Vec<VertexId>,
    /// The edges.
    pub edges: Vec<EcmEdge>,
}

impl Skeleton {
    /// The Explicit Corridor Map of the walkable ground.
    pub fn ecm(&self) -> Ecm {
        let mut is_done = vec![false; self.diagram().graph.origin.len()];
        let mut ecm = Ecm { nodes: Vec::new(), edges: Vec::new() };
        let vertices: Vec<VertexId> = self.vertices().map(|(id, _)| id).collect();
        // Rings without a node come last, from their first vertex.
        for takes_rings in [false, true] {
            for &node in &vertices {
                let roads = self.roads_at(node);
                let is_node = if takes_rings { roads.len() == 2 } else { !matches!(roads.len(), 0 | 2) };
                if !is_node || takes_rings && roads.iter().any(|road| is_done[road.0 as usize]) {
                    continue;
                }
                ecm.nodes.push(node);
                for road in roads {
                    if !is_done[road.0 as usize] {
                        ecm.edges.push(self.chain(node, road, &mut is_done));
                    }
                }
            }
        }
        ecm
    }

    /// The events along some roads that follow each other, two for each road: where a side changes its site, its nearest
    /// point jumps from one event to the next at the same place.
    pub fn events<'a>(&'a self, roads: &'a [EdgeId]) -> impl Iterator<Item = Event> + 'a {
        roads.iter().filter_map(|&road| self.road(road)).flat_map(|edge| {
            [0, 1].map(|end| {
                let touch = |side: usize| self.diagram().graph.site(edge.sides[side].0).nearest(edge.at[end]);
                Event {
                    at: self.place(edge.at[end]),
                    radius: edge.radii[end] * self.unit(),
                    left: self.place(touch(0)),
                    right: self.place(touch(1)),
                }
            })
        })
    }

    /// The roads that leave a vertex.
    pub fn roads_at(&self, vertex: VertexId) -> Vec<EdgeId> {
        self.edges_at(vertex).into_iter().filter(|&edge| self.road(edge).is_some()).collect()
    }

    /// The chain that leaves a node along a road, up to the next node.
    fn chain(&self, node: VertexId, first: EdgeId, is_done: &mut [bool]) -> EcmEdge {
        let mut edge = EcmEdge { ends: [node; 2], roads: Vec::new(), length: 0.0, width: f64::INFINITY };
        let mut road = first;
        loop {
            let twin = self.diagram().graph.twin[road.0 as usize];
            (is_done[road.0 as usize], is_done[twin as usize]) = (true, true);
            if let Some(found) = self.road(road) {
                edge.length += found.length() * self.unit();
                edge.width = edge.width.min(found.width * self.unit());
            }
            edge.roads.push(road);
            let end = VertexId(twin / 3);
            edge.ends[1] = end;
            let onward = self.roads_at(end);
            let next = onward.iter().find(|next| next.0 != twin && !is_done[next.0 as usize]);
            match next {
                Some(&next) if onward.len() == 2 && end != node => road = next,
                _ => return edge,
            }
        }
    }
}
