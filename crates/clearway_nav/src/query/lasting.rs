//! Locations that are found again after edits.
//!
//! An edit divides the cells that it touches anew, and gives their numbers to other cells, now or later. So the number of a
//! cell says nothing on a mesh that was edited since. The place stays, and so does the height of its ground: the cell of
//! now is the one that holds the place at that height. Floors over each other are told apart by it; the projection alone
//! never decides. A location that is asked for the first time after its cell went has the height of the ground of that
//! cell, which the log of edits keeps.
//!
//! Cost: for a location whose cell was touched, a look into the index of cells; else nothing.

use super::Location;
use super::side::fine;
use crate::mesh::{CellId, Edition, NavMesh};
use crate::tolerances::metres::FLOOR_MEANT;
use clearway_geometry::Vec2;
use std::ops::ControlFlow;

/// A location that is kept while its mesh is edited.
///
/// ```
/// # use clearway::{LastingLocation, MeshOptions, Plan};
/// # let plan = Plan::from_rings([vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]]);
/// # let mesh = MeshOptions::default().build(&plan)?;
/// let mut kept = LastingLocation::new(mesh.locate([1.0, 1.0]).unwrap());
/// assert_eq!(kept.on(&mesh), mesh.locate([1.0, 1.0]).ok());
/// # Ok::<(), clearway::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LastingLocation {
    /// The location, as it was when it was last found.
    at: Location,
    /// What is known of it; nothing before the first question.
    known: Option<Known>,
}

/// What is known of a location.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The mesh that was asked last.
    edition: Edition,
    /// The height of its ground in metres.
    height: f64,
    /// True if that mesh had the place.
    is_found: bool,
}

impl LastingLocation {
    /// Keeps a location. Ask for it on the mesh of now before the first edit, so that its floor is known.
    pub fn new(at: Location) -> LastingLocation {
        LastingLocation { at, known: None }
    }

    /// Returns the location as it was when it was last found.
    pub fn last(&self) -> Location {
        self.at
    }

    /// Returns the location on this mesh: the same place, on the same floor, in the cell that holds it now. `None` while
    /// the place is covered. In layers also if this is the first question, and the cell went more than 64 edits ago.
    pub fn on(&mut self, mesh: &NavMesh) -> Option<Location> {
        let edition = mesh.edition();
        let is_same = |known: Known| {
            let is_kin = known.edition.is_kin(edition);
            known.is_found && is_kin && mesh.is_unwritten_since(self.at.cell, known.edition)
        };
        // On a mesh of another origin the number of the cell says nothing; the place and its height do.
        let same = Some(self.at).filter(|at| self.known.is_none_or(is_same) && mesh.is_here(at));
        let height = match self.known {
            Some(known) => known.height,
            None => same.map(|at| mesh.height(at)).or_else(|| mesh.height_before(self.at))?,
        };
        let found = same.or_else(|| mesh.held_at(self.at.position, height));
        self.at = found.unwrap_or(self.at);
        self.known = Some(Known { edition, height, is_found: found.is_some() });
        found
    }
}

impl NavMesh {
    /// Returns the location of a place on the floor of this height, up to rounding. The nearest ground comes first, then a
    /// cell that holds the place exactly, then the one with the lowest id.
    fn held_at(&self, position: [f64; 2], height: f64) -> Option<Location> {
        let (spot, slack) = (self.parts.grid.units(position), self.slack());
        let half = Vec2::new(slack, slack);
        let mut best: Option<((f64, bool, u32), Location)> = None;
        let _ = self.index().touching(spot - half, spot + half, |cell| {
            let here = Location { cell: CellId(cell), position };
            let off = (self.ground_height(cell, spot) - height).abs();
            if off < FLOOR_MEANT && self.is_here(&here) {
                let is_beside = !fine(spot).is_some_and(|spot| self.holds(cell, spot));
                let rank = (off, is_beside, cell);
                if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                    best = Some((rank, here));
                }
            }
            ControlFlow::<()>::Continue(())
        });
        best.map(|(_, here)| here)
    }
}
