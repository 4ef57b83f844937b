//! Edited cells divided anew together with their neighbours, so that their number comes near that of a fresh build.
//!
//! An edit divides only the ground that it touches. Many edits beside each other leave borders between them that a build
//! would not have. Tidying takes patches of neighbouring cells, divides each anew as a whole, and keeps the result if it
//! has fewer cells. Ground under obstacles stays as it is. Cost: that of an edit for each patch; cells that were tidied
//! and not edited since cost nothing.

use crate::changes::Changes;
use crate::fabric::{Beyond, Face};
use crate::live_mesh::LiveMesh;
use crate::region::with_ring;
use crate::rework::{Task, rework};
use crate::seam::seam;
use clearway_nav::mesh::CellId;
use std::collections::BTreeSet;

/// The number of cells that are divided anew together, before their neighbours join them. More come closer to a fresh
/// build; the work on a patch grows faster than its cells.
const PATCH_CELLS: usize = 96;

/// The most times that all edited cells are looked at. Each look cuts other patches; after the second hardly a cell is
/// saved.
const MOST_LOOKS: usize = 3;

impl LiveMesh {
    /// Divides the cells that edits made anew, together with their neighbours, where that makes fewer. The free ground
    /// stays the same. Like an edit it can be undone; earlier edits can be undone only after it was.
    pub fn tidy(&mut self) -> Changes {
        let before = self.state();
        let mut changes = Changes { epoch: self.epoch(), ..Changes::default() };
        let since = self.tidied();
        for look in 0..MOST_LOOKS {
            if !self.tidy_once(since, look, &mut changes) {
                break;
            }
        }
        self.note_tidied();
        changes.states = [before, self.state()];
        changes
    }

    /// Looks once at every cell that came after an epoch. Returns true if there are fewer cells now.
    fn tidy_once(&mut self, since: u64, look: usize, changes: &mut Changes) -> bool {
        let edited = |cell: &u32| self.mesh().cell_epoch(CellId(*cell)).is_some_and(|epoch| epoch > since);
        let mut cells: Vec<u32> = (0..self.mesh().cell_slots() as u32).filter(edited).collect();
        // Another order starts from other cells, and so cuts other patches.
        if look % 2 == 1 {
            cells.reverse();
        }
        let (mut seen, mut is_better) = (BTreeSet::new(), false);
        for cell in cells {
            if seen.contains(&cell) || self.mesh().cell(CellId(cell)).is_none() {
                continue;
            }
            let patch = self.patch_around(cell, since);
            seen.extend(patch.iter().filter_map(|face| match face {
                Face::Free(cell) => Some(*cell),
                Face::Covered(_) => None,
            }));
            is_better |= self.tidy_patch(patch, changes);
        }
        is_better
    }

    /// Returns a cell and edited cells around it.
    fn patch_around(&self, cell: u32, since: u64) -> BTreeSet<Face> {
        let start = Face::Free(cell);
        let (mut patch, mut row) = (BTreeSet::from([start]), vec![start]);
        let mut next = 0;
        while let Some(face) = row.get(next).copied() {
            next += 1;
            for (_, beyond) in self.fabric().sides(self.mesh(), face) {
                let Beyond::Portal(_, Face::Free(other)) = beyond else { continue };
                let is_edited = self.mesh().cell_epoch(CellId(other)).is_some_and(|epoch| epoch > since);
                if is_edited && patch.len() < PATCH_CELLS && patch.insert(Face::Free(other)) {
                    row.push(Face::Free(other));
                }
            }
        }
        patch
    }

    /// Divides a patch anew. Returns true if it has fewer cells now.
    fn tidy_patch(&mut self, patch: BTreeSet<Face>, changes: &mut Changes) -> bool {
        let mut faces = with_ring(self.mesh(), self.fabric(), &patch);
        faces.retain(|face| matches!(face, Face::Free(_)));
        let task = Task::of(self.mesh(), self.fabric(), &faces);
        // A patch that cannot be divided as a whole, as over itself in layers, stays as it is.
        let Ok(reworked) = rework(&task) else { return false };
        let Some(patch) = seam(task, reworked) else { return false };
        let count = |is_after: bool| {
            let cells = patch.splice.cells.iter();
            cells.filter(|swap| if is_after { swap.after.is_some() } else { swap.before.is_some() }).count()
        };
        count(true) < count(false) && self.write_guarded(patch, changes).is_ok()
    }
}
