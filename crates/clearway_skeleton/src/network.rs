//! The Voronoi graph without edges of no length, which is the same for any order of edits.
//!
//! Where four and more sites touch one disc, the diagram has several vertices at one place, and the order of insertion
//! chooses the edges of no length between them. Here they are one node. Two vertices are one if the disc of the first touches
//! the site behind the edge between them, decided in the tiers of `conflict`. Nodes and edges are numbered by their sites on the
//! grid, so numbers do not tell the order either. Places agree up to the rounding of a circle. Cost: a sort.

use crate::diagram::Diagram;
use crate::graph::{Graph, before};
use crate::query::{Edge, EdgeId, VertexId};
use crate::shapes::SiteId;
use crate::skeleton::Skeleton;
use clearway_geometry::{DisjointSets, NONE, Vec2};

/// The Voronoi graph with one node for each place.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Network {
    /// The nodes, in the order of their sites.
    pub nodes: Vec<NetworkNode>,
    /// The edges that have a length, in the order of their nodes.
    pub edges: Vec<NetworkEdge>,
}

/// The centre of an empty disc that touches three or more sites, in grid units.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkNode {
    /// Its place.
    pub at: Vec2,
    /// The clearance there.
    pub radius: f64,
    /// The sites that its disc touches, by their coordinates. Ends of segments among them are left out.
    pub sites: Vec<SiteId>,
    /// One of its Voronoi vertices.
    pub vertex: VertexId,
}

/// An edge between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkEdge {
    /// Its nodes, the lower number first.
    pub ends: [u32; 2],
    /// The Voronoi edge.
    pub edge: EdgeId,
    /// The radius of its smallest empty circle, in grid units.
    pub width: f64,
}

/// The ends of a site on the grid, the lesser first.
type Place = [i64; 4];

/// Steps in a grid unit: coordinates are compared in whole steps. A step is far above their rounding, and far below the
/// distance of two nodes between the same walls.
const NODES_APART: f64 = 64.0;

impl Diagram {
    /// The Voronoi graph inside the frame without edges of no length and without spurs between a wall and its own end.
    /// Any order of edits that gives the same walls gives the same network.
    pub fn network(&self) -> Network {
        self.network_of(self.edges().filter(|(_, edge)| !self.is_spur(edge)).collect())
    }

    /// True for an edge of no length: both of its vertices are the centre of one disc. False for one that is gone.
    pub fn is_tie(&self, id: EdgeId) -> bool {
        self.edge(id).is_some() && self.graph.is_tie(id.0)
    }

    fn network_of(&self, edges: Vec<(EdgeId, Edge)>) -> Network {
        let mut sets = DisjointSets::new(self.graph.discs.len());
        let mut is_used = vec![false; self.graph.discs.len()];
        let mut long = Vec::with_capacity(edges.len());
        for (id, edge) in edges {
            edge.ends.iter().for_each(|end| is_used[end.0 as usize] = true);
            if self.graph.is_tie(id.0) {
                sets.join(edge.ends[0].0, edge.ends[1].0);
            } else {
                long.push((id, edge));
            }
        }
        let (set_of, count) = sets.numbered();
        let (nodes, number) = self.nodes(&set_of, count as usize, &is_used);
        let mut edges: Vec<(NetworkEdge, [Place; 2])> = Vec::with_capacity(long.len());
        for (id, edge) in long {
            let mut ends = edge.ends.map(|end| number[set_of[end.0 as usize] as usize]);
            let mut sides = edge.sides.map(|site| self.graph.place_of(site.0));
            ends.sort_unstable();
            sides.sort_unstable();
            edges.push((NetworkEdge { ends, edge: id, width: edge.width }, sides));
        }
        edges.sort_by(|(a, p), (b, q)| a.ends.cmp(&b.ends).then(p.cmp(q)).then(a.width.total_cmp(&b.width)));
        Network { nodes, edges: edges.into_iter().map(|(edge, _)| edge).collect() }
    }

    /// The nodes in order, and the number of each set of vertices.
    fn nodes(&self, set_of: &[u32], count: usize, is_used: &[bool]) -> (Vec<NetworkNode>, Vec<u32>) {
        let mut sites: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut vertex = vec![NONE; count];
        for (face, &set) in set_of.iter().enumerate().filter(|(face, _)| is_used[*face]) {
            sites[set as usize].extend_from_slice(&self.graph.origin[3 * face..3 * face + 3]);
            vertex[set as usize] = vertex[set as usize].min(face as u32);
        }
        let mut nodes: Vec<(Vec<(Place, u32)>, u32)> = Vec::new();
        for (set, group) in sites.into_iter().enumerate().filter(|(_, group)| !group.is_empty()) {
            let is_end = |id: u32| group.iter().any(|&other| self.graph.site(other).ends_at(id));
            let kept = group.iter().copied().filter(|&id| !is_end(id));
            let mut key: Vec<(Place, u32)> = kept.map(|id| (self.graph.place_of(id), id)).collect();
            key.sort_unstable();
            key.dedup();
            nodes.push((key, set as u32));
        }
        // Two nodes between the same sites may have one coordinate, up to its rounding. Then the other tells.
        let at = |set: u32| {
            let at = self.graph.discs[vertex[set as usize] as usize].circle.at;
            [at.x, at.y].map(|part| (part * NODES_APART).round() as i64)
        };
        nodes.sort_by(|(a, s), (b, t)| {
            let places = a.iter().map(|(place, _)| place).cmp(b.iter().map(|(place, _)| place));
            places.then_with(|| at(*s).cmp(&at(*t)))
        });
        let mut number = vec![NONE; count];
        let made = nodes.into_iter().enumerate().map(|(i, (key, set))| {
            number[set as usize] = i as u32;
            let circle = self.graph.discs[vertex[set as usize] as usize].circle;
            NetworkNode {
                at: circle.at,
                radius: circle.radius,
                sites: key.into_iter().map(|(_, id)| SiteId(id)).collect(),
                vertex: VertexId(vertex[set as usize]),
            }
        });
        (made.collect(), number)
    }
}

impl Skeleton {
    /// The roads without edges of no length: the same for any order of edits, as [`Diagram::network`].
    pub fn network(&self) -> Network {
        self.diagram().network_of(self.roads().collect())
    }
}

impl Graph {
    /// True if the disc on one side of an edge touches the site behind the other, so that both discs are one.
    pub(crate) fn is_tie(&self, h: u32) -> bool {
        let twin = self.twin[h as usize];
        let (one, other) = (self.circle(h), self.circle(twin));
        if one.is_outer() || other.is_outer() {
            return false;
        }
        let error = |side: u32| f64::from(self.discs[(side / 3) as usize].error);
        let reach = 16.0 * (error(h) + error(twin) + self.epsilon);
        one.at.distance(other.at) <= reach && self.exact_sign(h / 3, self.site(self.from(before(twin)))) == 0
    }

    fn place_of(&self, id: u32) -> Place {
        let site = self.site(id);
        let [a, b] = [site.a, site.b].map(|at| [at.x as i64, at.y as i64]);
        let [p, q] = [a.min(b), a.max(b)];
        [p[0], p[1], q[0], q[1]]
    }
}
