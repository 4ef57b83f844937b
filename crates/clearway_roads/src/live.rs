//! The roads among bodies: the Voronoi diagram of walls and bodies, as it is now.
//!
//! A body is a point site. The vertices of its cell are the centres of the empty circles that touch it, so it can walk
//! straight to each of them. Circles touch the centres of bodies: an edge beside a body is narrower by its radius.

use crate::astar::{Net, Way};
use clearway_geometry::Vec2;
use clearway_skeleton::{Diagram, EdgeId, SiteId, VertexId};

/// The distance from a body, in grid units, at which its own cell is looked for. Other sites are a unit away or more.
const BESIDE: f64 = 0.25;

/// No cell has more edges than this; a walk around one that does not close ends here.
const MOST_EDGES: usize = 100_000;

/// The cell of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// Its vertices: number, place and radius of the empty circle.
    pub vertices: Vec<(u32, Vec2, f64)>,
    /// The sites beyond its edges.
    pub neighbours: Vec<SiteId>,
}

impl Cell {
    /// Reads the cell of a site at a place. Returns `false` if it is not found.
    pub fn read(&mut self, diagram: &Diagram, site: SiteId, at: Vec2) -> bool {
        self.vertices.clear();
        self.neighbours.clear();
        let ways = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let mut first = ways.into_iter().filter_map(|(x, y)| {
            let (id, ..) = diagram.retract(at + Vec2::new(x, y) * BESIDE, Some(site))?;
            diagram.edge(id).filter(|edge| edge.sides[1] == site).map(|_| id.0)
        });
        let Some(first) = first.next() else { return false };
        let mut side = first;
        for _ in 0..MOST_EDGES {
            let face = side / 3;
            let (Some(vertex), Some(edge)) = (diagram.vertex(VertexId(face)), diagram.edge(EdgeId(side)))
            else {
                return false;
            };
            self.vertices.push((face, vertex.at, vertex.radius));
            self.neighbours.push(edge.sides[0]);
            let before = if side.is_multiple_of(3) { side + 2 } else { side - 1 };
            let Some(beyond) = diagram.edge(EdgeId(before)).map(|edge| edge.ends[1].0) else { return false };
            let leaves = |h: &u32| {
                diagram.edge(EdgeId(*h)).is_some_and(|edge| edge.sides[1] == site && edge.ends[1].0 == face)
            };
            let Some(next) = (3 * beyond..3 * beyond + 3).find(leaves) else { return false };
            side = next;
            if side == first {
                return true;
            }
        }
        false
    }
}

/// The diagram as a body sees it.
pub(crate) struct Live<'a> {
    pub diagram: &'a Diagram,
    /// The body's own site.
    pub own: SiteId,
    /// The radius of the body, in grid units.
    pub radius: f64,
    /// For each site the radius of the body there; 0 for walls.
    pub bodies: &'a [f64],
}

impl Live<'_> {
    fn body(&self, site: SiteId) -> f64 {
        self.bodies.get(site.0 as usize).copied().unwrap_or(0.0)
    }

    /// The least radius of an edge between two sites that the body can take.
    pub fn need(&self, sides: [SiteId; 2]) -> f64 {
        self.radius + self.body(sides[0]).max(self.body(sides[1]))
    }
}

impl Net for Live<'_> {
    fn place(&self, node: u32) -> Vec2 {
        self.diagram.vertex(VertexId(node)).map_or(Vec2::default(), |vertex| vertex.at)
    }

    fn ways(&self, node: u32, mut visit: impl FnMut(Way)) {
        for side in 3 * node..3 * node + 3 {
            let Some(edge) = self.diagram.edge(EdgeId(side)) else { continue };
            if edge.sides.contains(&self.own)
                || edge.width < self.need(edge.sides)
                || self.diagram.is_spur(&edge)
            {
                continue;
            }
            visit(Way { to: edge.ends[1].0, place: edge.at[1], name: side, length: edge.length() });
        }
    }
}
