//! What the last edits touched: the cells that went and came, with their boxes, and in layers the ground of those that went.
//!
//! A computation that took long asks here whether anything that it looked at has changed. It is a function of what it
//! looked at, so if nothing of that changed, it is what the same computation on the mesh as it is now would be. A place whose
//! cell went asks here for the height of its ground, which tells its floor.

use super::{CellId, NavMesh, Patch, Splice};
use crate::query::Location;
use clearway_geometry::triangulation::bounds;
use clearway_geometry::{Point, Vec2};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The number of edits that are remembered. Whoever has seen fewer edits ago may go on; a longer list costs memory and
/// time when the mesh is copied.
const MOST_EDITS: usize = 64;

/// A mesh between two edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edition {
    /// The mesh that was made ready for edits; zero for one that was not.
    lineage: u64,
    /// The number of edits since.
    epoch: u64,
    /// The serial number of its cell graph, which tells meshes apart that were not made ready for edits.
    serial: u64,
}

impl Edition {
    /// True if both are states of one mesh.
    pub fn is_kin(self, other: Edition) -> bool {
        self.lineage == other.lineage && (self.lineage != 0 || self.serial == other.serial)
    }
}

/// A cell that an edit took away or brought.
#[derive(Clone, Debug)]
struct Touched {
    cell: u32,
    /// The corners of its box, in grid units.
    ends: [Point; 2],
    /// The cell as it was, for one that went; only in layers.
    before: Option<Box<Before>>,
}

/// A cell that an edit took away.
#[derive(Clone, Debug)]
struct Before {
    /// Its corners, counter-clockwise.
    corners: Vec<Point>,
    /// Its patches of ground.
    patches: Vec<Patch>,
}

impl Before {
    /// True if a place in grid units lies in the cell, up to `slack`.
    fn holds(&self, spot: Vec2, slack: f64) -> bool {
        let following = self.corners.iter().skip(1).chain(self.corners.first());
        let mut sides = self.corners.iter().zip(following).map(|(from, to)| [from, to].map(|p| p.as_vec2()));
        sides.all(|[from, to]| (to - from).cross(spot - from) >= -slack * (to - from).length())
    }
}

/// The last edits, each with its epoch.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditLog(VecDeque<(u64, Arc<[Touched]>)>);

/// The cells of a splice, before it is written and after.
#[derive(Default)]
pub(crate) struct TouchedCells(Vec<Touched>);

impl TouchedCells {
    /// Notes the cells of a splice that the mesh has now. Those that the splice `takes` away are noted with their ground.
    pub fn note(&mut self, mesh: &NavMesh, splice: &Splice, takes: bool) {
        for swap in &splice.cells {
            let sides = mesh.parts.sides_of(swap.slot);
            if sides.is_empty() {
                continue;
            }
            let corner = |side: usize| mesh.parts.points[mesh.parts.sides[side].vertex as usize];
            let corners: Vec<Point> = sides.map(corner).collect();
            let (low, high) = bounds(&corners);
            let old = swap.before.as_ref().filter(|_| takes && mesh.has_heights());
            let before = old.map(|old| Box::new(Before { corners, patches: old.patches.clone() }));
            self.0.push(Touched { cell: swap.slot, ends: [low, high], before });
        }
    }
}

impl EditLog {
    /// Adds an edit, and forgets the oldest if there are many.
    pub fn add(&mut self, epoch: u64, touched: TouchedCells) {
        if self.0.len() == MOST_EDITS {
            self.0.pop_front();
        }
        self.0.push_back((epoch, touched.0.into()));
    }
}

impl NavMesh {
    /// Returns the mesh and the number of edits that it has seen.
    pub(crate) fn edition(&self) -> Edition {
        Edition { lineage: self.edits.lineage, epoch: self.edits.epoch, serial: self.graph().serial }
    }

    /// True if no edit since wrote a cell with this number. The mesh that is asked must be no older.
    pub(crate) fn is_unwritten_since(&self, cell: CellId, since: Edition) -> bool {
        self.edits.cell_epoch.get(cell.index()).is_none_or(|epoch| *epoch <= since.epoch)
    }

    /// Returns the height in metres of the ground of a location whose cell went: of the last cell with this number that an
    /// edit took away and that held the place. On a plan it is zero. `None` if no edit did so, or it is forgotten.
    pub(crate) fn height_before(&self, at: Location) -> Option<f64> {
        let (spot, slack) = (self.parts.grid.units(at.position), self.slack());
        if !self.has_heights() {
            let was_touched = self.edits.cell_epoch.get(at.cell.index()).is_some_and(|epoch| *epoch > 0);
            return was_touched.then_some(0.0);
        }
        let edits = self.edits.log.0.iter().rev();
        let touched = edits.flat_map(|(_, touched)| touched.iter().rev());
        let mut before = touched
            .filter(|touched| touched.cell == at.cell.0)
            .filter_map(|touched| touched.before.as_deref());
        let before = before.find(|before| before.holds(spot, slack))?;
        Some(self.height_on_patches(&before.patches, spot))
    }

    /// True if no edit since touched a cell that was entered, or came nearer to one than `reach` grid units in
    /// projection. False if that is not known any more.
    pub(crate) fn is_untouched_since(
        &self,
        since: Edition,
        reach: f64,
        is_entered: impl Fn(u32) -> bool,
    ) -> bool {
        if since.lineage == 0 || since.lineage != self.edits.lineage || since.epoch > self.edits.epoch {
            return false;
        }
        let later = || self.edits.log.0.iter().filter(|(epoch, _)| *epoch > since.epoch);
        // Edits that are forgotten leave a gap.
        if later().count() as u64 != self.edits.epoch - since.epoch {
            return false;
        }
        let reach = Vec2::new(reach, reach);
        let is_clear = |touched: &Touched| {
            let [low, high] = touched.ends.map(Point::as_vec2);
            let near = self.index().touching(low - reach, high + reach, |cell| match is_entered(cell) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
            !is_entered(touched.cell) && near.is_continue()
        };
        later().flat_map(|(_, touched)| touched.iter()).all(is_clear)
    }
}
