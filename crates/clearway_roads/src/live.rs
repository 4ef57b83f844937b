//! The roads among bodies: the Voronoi diagram of walls and bodies, as it is now.
//!
//! A body is a point site. The vertices of its cell are the centres of the empty circles that touch it, so it can walk
//! straight to each of them. Circles touch the centres of bodies: an edge beside a body is narrower by its radius.

use crate::astar::{Net, Way};
use crate::lanes::{Lane, Lanes};
use clearway_geometry::Vec2;
use clearway_skeleton::{Diagram, SiteId, VertexId};

/// The cell of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// Its vertices: number, place and radius of the empty circle.
    pub vertices: Vec<(u32, Vec2, f64)>,
    /// The sites beyond its edges.
    pub neighbours: Vec<SiteId>,
}

impl Cell {
    /// Reads the cell of a site. Returns `false` if it leaves the frame.
    pub fn read(&mut self, diagram: &Diagram, site: SiteId) -> bool {
        self.vertices.clear();
        self.neighbours.clear();
        for id in diagram.cell(site) {
            let face = id.0 / 3;
            let (Some(vertex), Some(beyond)) = (diagram.vertex(VertexId(face)), diagram.left_of(id)) else {
                return false;
            };
            self.vertices.push((face, vertex.at, vertex.radius));
            self.neighbours.push(beyond);
        }
        !self.vertices.is_empty()
    }
}

/// The diagram as a body sees it.
pub(crate) struct Live<'a> {
    pub diagram: &'a Diagram,
    pub lanes: &'a mut Lanes,
    /// The body's own site.
    pub own: SiteId,
    /// The radius of the body, in grid units.
    pub radius: f64,
    /// For each site the radius of the body there; 0 for walls.
    pub bodies: &'a [f64],
    /// The radius of the largest body.
    pub largest: f64,
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

    #[inline]
    fn ways(&mut self, node: u32, mut visit: impl FnMut(Way)) {
        for side in 3 * node..3 * node + 3 {
            let Some((to, &Lane { sides, place, length, width, .. })) = self.lanes.get(self.diagram, side)
            else {
                continue;
            };
            // Most roads are too wide for any body to matter, or too narrow anyway.
            let is_wide =
                width >= self.radius + self.largest || (width >= self.radius && width >= self.need(sides));
            if is_wide && !sides.contains(&self.own) {
                visit(Way { to, place, name: side, length });
            }
        }
    }
}
