//! The sides of all cells, linked to their cells and to their twins.

use crate::mesh::NavMesh;
use clearway_geometry::{NONE, Point, Vector};

/// The sides of a mesh whose ids are all in range, linked to their cells and twins.
pub(super) struct Sides<'a> {
    /// The mesh that owns the sides.
    pub mesh: &'a NavMesh,
    /// For each side, its cell.
    cell_of: Vec<u32>,
    /// For each side, the same portal seen from the other cell; [`NONE`] for a wall.
    twin: Vec<u32>,
}

impl<'a> Sides<'a> {
    /// Makes the sides without their twins.
    pub fn unlinked(mesh: &'a NavMesh) -> Sides<'a> {
        let mut cell_of = Vec::with_capacity(mesh.parts.sides.len());
        for (cell, ends) in mesh.parts.first_side.windows(2).enumerate() {
            cell_of.resize(ends[1] as usize, cell as u32);
        }
        Sides { mesh, cell_of, twin: vec![NONE; mesh.parts.sides.len()] }
    }

    /// Makes two sides each other's twin.
    pub fn join(&mut self, first: u32, second: u32) {
        self.twin[first as usize] = second;
        self.twin[second as usize] = first;
    }

    /// Returns all sides, cell after cell.
    pub fn all(&self) -> std::ops::Range<u32> {
        0..self.cell_of.len() as u32
    }

    /// Returns the sides of a cell.
    pub fn of_cell(&self, cell: u32) -> std::ops::Range<u32> {
        self.mesh.parts.first_side[cell as usize]..self.mesh.parts.first_side[cell as usize + 1]
    }

    /// Returns the cell that a side belongs to.
    pub fn cell(&self, side: u32) -> u32 {
        self.cell_of[side as usize]
    }

    /// Returns the same portal seen from the other cell, or [`NONE`] for a wall.
    pub fn twin(&self, side: u32) -> u32 {
        self.twin[side as usize]
    }

    /// Returns the vertex at which a side starts.
    pub fn from(&self, side: u32) -> u32 {
        self.mesh.parts.sides[side as usize].vertex
    }

    /// Returns the vertex at which a side ends.
    pub fn to(&self, side: u32) -> u32 {
        self.from(self.next(side))
    }

    /// Returns the vertices at which a side starts and ends.
    pub fn ends(&self, side: u32) -> [u32; 2] {
        [self.from(side), self.to(side)]
    }

    /// Returns the following side of the same cell.
    pub fn next(&self, side: u32) -> u32 {
        let range = self.of_cell(self.cell(side));
        if side + 1 == range.end { range.start } else { side + 1 }
    }

    /// Returns the preceding side of the same cell.
    pub fn prev(&self, side: u32) -> u32 {
        let range = self.of_cell(self.cell(side));
        if side == range.start { range.end - 1 } else { side - 1 }
    }

    /// Returns the position of a vertex on the grid.
    pub fn point(&self, vertex: u32) -> Point {
        self.mesh.parts.points[vertex as usize]
    }

    /// Returns the vector from the start of a side to its end.
    pub fn direction(&self, side: u32) -> Vector {
        self.point(self.to(side)) - self.point(self.from(side))
    }
}
