//! Locations on a mesh, and the answer for points that are not on it.

use crate::mesh::CellId;

/// A point on a mesh together with a cell that holds it. Only the mesh makes locations, so that a location on an upper
/// floor stays there. On another mesh it is stale: queries then answer as for a point off that mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Location {
    /// The cell that holds the point.
    pub(crate) cell: CellId,
    /// The point in plan coordinates.
    pub(crate) position: [f64; 2],
}

impl Location {
    /// Makes a location from a cell and a point in plan coordinates that the caller knows to lie in it. If it does not,
    /// queries answer as for a point off the mesh.
    pub fn in_cell(cell: CellId, position: [f64; 2]) -> Location {
        Location { cell, position }
    }

    /// Returns the cell that holds the point; one of them where it lies on a portal.
    pub fn cell(&self) -> CellId {
        self.cell
    }

    /// Returns the point in plan coordinates.
    pub fn position(&self) -> [f64; 2] {
        self.position
    }
}

/// The answer for a point that is not on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OffMesh {
    /// The nearest point of the mesh; `None` for a mesh without cells and for points that are not finite.
    pub nearest: Option<Location>,
    /// The distance to the nearest point, in metres; infinite without one.
    pub distance: f64,
    /// The nearest place in the world, x, y (up), z, on the mesh of a scene; `None` on a plan.
    pub point: Option<[f64; 3]>,
}

impl std::fmt::Display for OffMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.nearest {
            Some(Location { position: [x, y], .. }) => {
                write!(f, "not on the mesh; the nearest place is ")?;
                match self.point {
                    Some([x, y, z]) => write!(f, "{x:?},{y:?},{z:?}")?,
                    None => write!(f, "{x:?},{y:?}")?,
                }
                write!(f, ", {} m away", self.distance)
            }
            None => write!(f, "not on the mesh, and no place of the mesh is near"),
        }
    }
}

impl std::error::Error for OffMesh {}
