//! The mesh as flat arrays of triangles with heights, as engines, numpy and web pages use it.

use super::heights::Terrain;
use super::{Cell, NavMesh};
use crate::query::in_world;
use clearway_geometry::{Point, Vec2};

/// Tolerance in metres within which the ground of a cell counts as one plane: no eye sees a millimetre. A larger value
/// makes fewer triangles.
const EVEN: f64 = 1e-3;

/// Least area of a face in square grid units; smaller faces are lines and are left out.
const LEAST_SHOWN: f64 = 0.25;

/// A mesh as triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// The corners: x, y (up), z in a scene; x, 0, -y for a plan.
    pub vertices: Vec<[f64; 3]>,
    /// Three corners of each triangle, as indices of `vertices`, counter-clockwise from above.
    pub triangles: Vec<[u32; 3]>,
    /// The cell of each triangle.
    pub cell_of: Vec<u32>,
}

impl NavMesh {
    /// Returns the ground of all cells as triangles with true heights. Cells share no vertices, because the ground may
    /// step from one cell to the next.
    ///
    /// ```
    /// # use clearway::{MeshOptions, Plan};
    /// let plan = Plan::from_rings([vec![[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]]]);
    /// let flat = MeshOptions::default().build(&plan)?.triangles();
    /// assert_eq!((flat.vertices.len(), flat.triangles.len(), flat.cell_of[1]), (4, 2, 0));
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn triangles(&self) -> Triangles {
        let mut flat = Triangles::default();
        for cell in self.cells() {
            for corners in self.ground_faces(&cell) {
                let first = flat.vertices.len() as u32;
                flat.vertices.extend(corners.iter().map(|(at, height)| self.in_world(*at, *height)));
                // Faces are convex, so a fan from the first corner triangulates them.
                for next in 1..corners.len().saturating_sub(1) as u32 {
                    flat.triangles.push([first, first + next, first + next + 1]);
                    flat.cell_of.push(cell.id().0);
                }
            }
        }
        flat
    }

    /// Returns the faces of the ground of a cell, corners and heights in grid units. An even cell is one face;
    /// otherwise the faces of the scene are clipped to the cell.
    pub fn ground_faces(&self, cell: &Cell<'_>) -> Vec<Vec<(Vec2, f64)>> {
        let pieces = self.terrain(cell.id().0, None);
        let outline = cell.points().map(Point::as_vec2);
        let Some(largest) = pieces.iter().max_by(|p, q| p.area().total_cmp(&q.area())) else {
            let height = |at: Vec2| self.ground_height(cell.id().0, at) / self.unit();
            return vec![outline.map(|at| (at, height(at))).collect()];
        };
        let is_on =
            |(at, height): &(Vec2, f64)| (largest.height_at(*at) - height).abs() * self.unit() <= EVEN;
        if pieces.iter().flat_map(|piece| &piece.corners).all(is_on) {
            return vec![outline.map(|at| (at, largest.height_at(at))).collect()];
        }
        let shown = |piece: &Terrain| piece.area() > LEAST_SHOWN;
        pieces.into_iter().filter(shown).map(|piece| piece.corners).collect()
    }

    /// Returns the point of the world for a point and a height in grid units.
    pub fn in_world(&self, at: Vec2, height: f64) -> [f64; 3] {
        in_world(self.parts.grid.place(at), height * self.unit())
    }
}
