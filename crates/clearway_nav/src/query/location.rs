//! Places on a mesh, and the answer for places that are not on it.

use crate::mesh::CellId;

/// A place on a mesh: a point and a cell that holds it. Only the mesh makes locations, so that a location on an
/// upper floor stays there. On another mesh it is stale: questions then answer as for a place off that mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Location {
    pub(crate) cell: CellId,
    pub(crate) position: [f64; 2],
}

impl Location {
    /// A place that the caller knows to lie in a cell, in plan coordinates. Where it does not, questions answer as for a
    /// place off the mesh.
    pub fn in_cell(cell: CellId, position: [f64; 2]) -> Location {
        Location { cell, position }
    }

    /// The cell that holds the place; one of them where it lies on a portal.
    pub fn cell(&self) -> CellId {
        self.cell
    }

    /// Where it is, in plan coordinates.
    pub fn position(&self) -> [f64; 2] {
        self.position
    }
}

/// The answer for a point that is not on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OffMesh {
    /// The nearest place on the mesh; `None` for a mesh without cells and for points that are not finite.
    pub nearest: Option<Location>,
    /// How far away it is, in metres.
    pub distance: f64,
}

impl std::fmt::Display for OffMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.nearest {
            Some(Location { position: [x, y], .. }) => {
                write!(f, "not on the mesh; the nearest place is {x:?},{y:?}, {} m away", self.distance)
            }
            None => write!(f, "not on the mesh, and no place of the mesh is near"),
        }
    }
}

impl std::error::Error for OffMesh {}
