//! The sight of each corner: the cells from which it may be visible, and the corners to which a tangent may lead.
//!
//! The thesis keeps for each polygon its potentially visible set of corners (4.3). Here it comes from light. Beams
//! start at a corner, fill the cells around it and pass on through portals, each cut by the portal's ends. Ends of
//! beams are vertices of the mesh, so every comparison is exact.
//!
//! What holds for points holds for discs. Where a disc touches a corner at the end of a straight piece, the triangle of
//! the corner and the piece is free. So the corner is seen from every point of the piece. The tangent between circles
//! on different sides sweeps over the segment between their corners; the tangent on one side runs beside it. Hence
//! pairs of corners that do not see each other have no tangent for any radius.

use super::corner::Corner;
use super::sector::Fan;
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point};
use clearway_nav::mesh::NavMesh;

/// Everything visible from a corner.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// The cells, each once.
    pub cells: Vec<u32>,
    /// The vertices of the mesh, each once; the corner's own is left out.
    pub vertices: Vec<u32>,
}

/// Light that passes outward through a side.
struct Beam {
    /// The side.
    side: usize,
    /// The right limit of the beam, a vertex.
    right: Point,
    /// The left limit of the beam, a vertex.
    left: Point,
}

/// Scratch buffers for looking around from one corner after the other.
pub(super) struct Lookout<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The sides around each vertex.
    fan: &'a Fan<'a>,
    /// For each cell, the last round in which it was seen.
    cell_seen: Vec<u32>,
    /// For each vertex, the last round in which it was seen.
    vertex_seen: Vec<u32>,
    /// The number of the current corner's round.
    round: u32,
}

impl<'a> Lookout<'a> {
    /// Makes the buffers for a mesh.
    pub fn new(mesh: &'a NavMesh, fan: &'a Fan<'a>) -> Lookout<'a> {
        let [cell_seen, vertex_seen] =
            [mesh.cell_slots(), mesh.parts().points.len()].map(|count| vec![0; count]);
        Lookout { mesh, fan, cell_seen, vertex_seen, round: 0 }
    }

    /// Returns everything that can be seen from a corner.
    pub fn look(&mut self, corner: &Corner) -> Sight {
        self.round += 1;
        self.vertex_seen[corner.vertex as usize] = self.round;
        let eye = self.mesh.parts().points[corner.vertex as usize];
        let mut sight = Sight::default();
        let mut beams = Vec::new();
        for spoke in self.fan.sector_sides(corner.side as usize) {
            let cell = self.fan.cell(spoke);
            self.see_cell(cell, &mut sight);
            for side in self.mesh.graph().sides(cell) {
                let [right, left] = self.ends(side);
                self.see_vertex(side, &mut sight);
                // Sides at the corner itself are seen edge-on; the cells beyond belong to the same sector.
                if orient(eye, right, left) > 0 {
                    beams.push(Beam { side, right, left });
                }
            }
        }
        while let Some(beam) = beams.pop() {
            self.shine(eye, &beam, &mut beams, &mut sight);
        }
        sight
    }

    /// Lets a beam into the cell beyond its side, and out again through the other sides.
    fn shine(&mut self, eye: Point, beam: &Beam, beams: &mut Vec<Beam>, sight: &mut Sight) {
        let layout = self.mesh.graph();
        let cell = layout.beyond[beam.side];
        if cell == NONE {
            return;
        }
        self.see_cell(cell, sight);
        let entry = layout.twin[beam.side] as usize;
        for side in layout.sides(cell) {
            let [right, left] = self.ends(side);
            if orient(eye, beam.right, right) >= 0 && orient(eye, beam.left, right) <= 0 {
                self.see_vertex(side, sight);
            }
            if side == entry || orient(eye, right, left) <= 0 {
                continue;
            }
            let right = if orient(eye, beam.right, right) > 0 { right } else { beam.right };
            let left = if orient(eye, beam.left, left) < 0 { left } else { beam.left };
            if orient(eye, right, left) > 0 {
                beams.push(Beam { side, right, left });
            }
        }
    }

    /// Returns both ends of a side on the grid.
    fn ends(&self, side: usize) -> [Point; 2] {
        [side, self.fan.next(side)]
            .map(|side| self.mesh.parts().points[self.mesh.graph().vertex[side] as usize])
    }

    /// Notes a cell, once per round.
    fn see_cell(&mut self, cell: u32, sight: &mut Sight) {
        if std::mem::replace(&mut self.cell_seen[cell as usize], self.round) != self.round {
            sight.cells.push(cell);
        }
    }

    /// Notes the vertex at which a side starts, once per round.
    fn see_vertex(&mut self, side: usize, sight: &mut Sight) {
        let vertex = self.mesh.graph().vertex[side];
        if std::mem::replace(&mut self.vertex_seen[vertex as usize], self.round) != self.round {
            sight.vertices.push(vertex);
        }
    }
}
