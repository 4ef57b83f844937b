//! What the last edits touched: the cells that went and came, with their boxes.
//!
//! A computation that took long asks here whether anything that it looked at has changed. It is a function of what it
//! looked at, so if nothing of that changed, it is what the same computation on the mesh as it is now would be.

use super::{NavMesh, Splice};
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
}

/// A cell that an edit took away or brought.
#[derive(Clone, Copy, Debug)]
struct Touched {
    cell: u32,
    /// The corners of its box, in grid units.
    ends: [Point; 2],
}

/// The last edits, each with its epoch.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditLog(VecDeque<(u64, Arc<[Touched]>)>);

/// The cells of a splice, before it is written and after.
#[derive(Default)]
pub(crate) struct TouchedCells(Vec<Touched>);

impl TouchedCells {
    /// Notes the cells of a splice that the mesh has now.
    pub fn note(&mut self, mesh: &NavMesh, splice: &Splice) {
        for cell in splice.cells.iter().map(|swap| swap.slot) {
            let sides = mesh.parts.sides_of(cell);
            let corner = |side: usize| mesh.parts.points[mesh.parts.sides[side].vertex as usize];
            let Some(first) = sides.clone().next().map(corner) else { continue };
            let ends = sides.map(corner).fold([first; 2], |[low, high], at| {
                let (low, _) = bounds(&[low, at]);
                let (_, high) = bounds(&[high, at]);
                [low, high]
            });
            self.0.push(Touched { cell, ends });
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
        Edition { lineage: self.edits.lineage, epoch: self.edits.epoch }
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
