//! Cells exchanged for others, in place: what a live edit writes into a mesh.
//!
//! A [`Splice`] lists every cell, portal and vertex that changes, as it was before and as it is after. So its inverse
//! is the same list read backwards, and undoing restores the very same lists. Numbers of things that are gone stay
//! free until something else takes them; [`NavMesh::compacted`] closes the gaps.
//!
//! Cost: linear in what changes.

use super::{Derived, EditLog, LinkRecord, NavMesh, Patch, PortalRecord, Relief, Side, TouchedCells};
use crate::clearance::{ChangedWalls, Stale, Turned};
use clearway_geometry::{DisjointSets, NONE, Point};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A cell as a splice stores it.
#[derive(Clone, Debug, PartialEq)]
pub struct CellContent {
    /// The index of its first side; the others follow.
    pub first_side: u32,
    /// Its sides, counter-clockwise.
    pub sides: Vec<Side>,
    /// The index of its first patch of ground; the others follow.
    pub first_patch: u32,
    /// Its patches of ground; none on the mesh of a plan.
    pub patches: Vec<Patch>,
    /// The area class of its ground.
    pub area: u8,
}

/// Something with a number, as it was and as it is; `None` where it does not exist.
#[derive(Clone, Debug, PartialEq)]
pub struct Swap<T> {
    /// Its number.
    pub slot: u32,
    /// Before the splice.
    pub before: Option<T>,
    /// After the splice.
    pub after: Option<T>,
}

/// Everything that one edit changes in the lists of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Splice {
    /// Cells that come, go or change.
    pub cells: Vec<Swap<CellContent>>,
    /// Portals that come, go or change.
    pub portals: Vec<Swap<PortalRecord>>,
    /// Vertices that come or go.
    pub vertices: Vec<Swap<Point>>,
    /// Portals that become those of open doors, and those that are so no more.
    pub doors: Vec<Swap<()>>,
    /// Links that wake, sleep or end in other cells, by numbers that sleeping links keep.
    pub links: Vec<Swap<LinkRecord>>,
    /// Names of area classes that come. They stay when the splice is taken back.
    pub areas: Vec<String>,
}

impl Splice {
    /// Returns the splice that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Splice {
        fn turned<T: Clone>(swaps: &[Swap<T>]) -> Vec<Swap<T>> {
            let turn = |Swap { slot, before, after }: &Swap<T>| Swap {
                slot: *slot,
                before: after.clone(),
                after: before.clone(),
            };
            swaps.iter().map(turn).collect()
        }
        Splice {
            cells: turned(&self.cells),
            portals: turned(&self.portals),
            vertices: turned(&self.vertices),
            doors: turned(&self.doors),
            links: turned(&self.links),
            areas: Vec::new(),
        }
    }

    /// Returns the numbers of the cells that are there before, and of those that are there after.
    pub fn cell_slots(&self) -> [Vec<u32>; 2] {
        let before = self.cells.iter().filter(|swap| swap.before.is_some()).map(|swap| swap.slot);
        let after = self.cells.iter().filter(|swap| swap.after.is_some()).map(|swap| swap.slot);
        [before.collect(), after.collect()]
    }
}

/// The history of a mesh that is edited.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditState {
    /// Names the mesh and all that came of it by edits; zero for a mesh that was never made ready for edits.
    pub lineage: u64,
    /// The number of edits so far.
    pub epoch: u64,
    /// For each cell, the epoch that made it.
    pub cell_epoch: Vec<u64>,
    /// The number of cells that are no more.
    pub dead_cells: u32,
    /// The number of portals that are no more.
    pub dead_portals: u32,
    /// The number of vertices that are no more.
    pub dead_vertices: u32,
    /// The links by numbers that last; none for a link that sleeps or is no more.
    pub links: Vec<Option<LinkRecord>>,
    /// The number of area classes before the first edit.
    pub built_areas: usize,
    /// What the last edits touched.
    pub log: EditLog,
}

/// The connected pieces of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// For each cell, its piece; meaningless for a cell that is no more.
    pub of_cell: Vec<u32>,
    /// The number of pieces.
    pub count: u32,
}

/// The lineage of the next mesh that is made ready for edits. It starts at 1, so that 0 names none.
static LINEAGES: AtomicU64 = AtomicU64::new(1);

impl NavMesh {
    /// True if the mesh was made ready for edits, so that cells may be missing among their numbers.
    pub fn is_edited(&self) -> bool {
        self.edits.lineage != 0
    }

    /// Returns a number that a mesh got when it was made ready for edits: no two such meshes share it. 0 before that.
    pub fn lineage(&self) -> u64 {
        self.edits.lineage
    }

    /// Returns the number of edits that made the mesh what it is.
    pub fn epoch(&self) -> u64 {
        self.edits.epoch
    }

    /// Returns the epoch that made a cell: zero for a cell as it was built. `None` if there is no such cell.
    pub fn cell_epoch(&self, cell: super::CellId) -> Option<u64> {
        self.cell(cell)?;
        Some(self.edits.cell_epoch.get(cell.index()).copied().unwrap_or(0))
    }

    /// True if both meshes came by edits from the same mesh, so that their cells have the same numbers.
    pub fn is_kin(&self, other: &NavMesh) -> bool {
        self.is_edited() && self.edits.lineage == other.edits.lineage
    }

    /// Makes the mesh ready for [`splice`](NavMesh::splice). Cost: linear.
    pub fn prepare_edits(&mut self) {
        if self.is_edited() {
            return;
        }
        let cells = self.cell_slots() as u32;
        let count = |cell: u32| self.parts.sides_of(cell).len() as u32;
        self.parts.side_count = (0..cells).map(count).collect();
        if let Some(relief) = &mut self.parts.relief {
            Arc::make_mut(relief).count_patches();
        }
        self.edits.lineage = LINEAGES.fetch_add(1, Ordering::Relaxed);
        self.edits.cell_epoch = vec![0; cells as usize];
        self.edits.links = self.parts.links.iter().cloned().map(Some).collect();
        self.edits.built_areas = self.area_names().len();
        // What stands is the business of the caller from now on.
        self.parts.fixtures = None;
        self.landmarks = Derived::default();
        self.tangents = Derived::default();
    }

    /// True if a splice can be written: everything it changes is as it was when the splice was made.
    pub fn fits(&self, splice: &Splice) -> bool {
        splice.cells.iter().all(|swap| self.content(swap.slot) == swap.before)
            && splice.portals.iter().all(|swap| self.portal_record(swap.slot) == swap.before)
            && splice.vertices.iter().all(|swap| {
                swap.before.is_none_or(|point| self.parts.points.get(swap.slot as usize) == Some(&point))
            })
            && splice.doors.iter().all(|swap| self.is_door(swap.slot) == swap.before.is_some())
            && splice.links.iter().all(|swap| {
                self.edits.links.get(swap.slot as usize).and_then(Option::as_ref) == swap.before.as_ref()
            })
    }

    /// Returns a cell as a splice stores it; `None` if there is no such cell.
    pub fn content(&self, cell: u32) -> Option<CellContent> {
        let range = self.parts.sides_of(cell);
        let relief = self.parts.relief.as_deref().filter(|_| !range.is_empty());
        let ground =
            relief.map(|relief| (relief.first_patch[cell as usize], relief.patches_of(cell).to_vec()));
        (!range.is_empty()).then(|| {
            let (first_patch, patches) = ground.unwrap_or_default();
            CellContent {
                first_side: range.start as u32,
                sides: self.parts.sides[range].to_vec(),
                first_patch,
                patches,
                area: self.area_class(cell),
            }
        })
    }

    /// True if a portal is that of an open door.
    pub fn is_door(&self, portal: u32) -> bool {
        self.parts.doors.binary_search(&portal).is_ok()
    }

    /// Returns a portal as it is stored; `None` if it is no more.
    pub fn portal_record(&self, portal: u32) -> Option<PortalRecord> {
        self.parts.portals.get(portal as usize).filter(|record| record.cells[0] != NONE).copied()
    }

    /// Writes a splice into the lists. The caller answers for it that the result is a mesh, and that
    /// [`prepare_edits`](NavMesh::prepare_edits) came first. `epoch` is that of the result.
    pub fn splice(&mut self, splice: &Splice, epoch: u64) {
        let [before, after] = splice.cell_slots();
        let known = self.peaks.take();
        self.turned = Turned::by(splice, known.clone(), self.turned.take());
        let mut stale = known.map(Stale::of).or_else(|| self.stale.take());
        let walls = stale.as_ref().map(|_| ChangedWalls::of(splice));
        if let (Some(stale), Some(walls)) = (&mut stale, &walls) {
            stale.note_cells(splice.cells.iter().filter_map(|swap| Some((swap.slot, swap.before.as_ref()?))));
            stale.note_reach(self, &before, &walls.gone(self));
        }
        let mut touched = TouchedCells::default();
        touched.note(self, splice, true);
        self.write_splice(splice, epoch);
        touched.note(self, splice, false);
        self.edits.log.add(epoch, touched);
        self.landmarks = Derived::default();
        self.tangents = Derived::default();
        self.components = Derived::default();
        if let Some(graph) = self.graph.get_mut() {
            graph.patch(&self.parts, splice);
        }
        if let Some(mut index) = self.index.take() {
            Arc::make_mut(&mut index).patch(self, splice.cells.iter().map(|swap| swap.slot));
            self.index = Derived::from(index);
        }
        if let (Some(stale), Some(walls)) = (&mut stale, &walls) {
            stale.note_cells(splice.cells.iter().filter_map(|swap| Some((swap.slot, swap.after.as_ref()?))));
            stale.note_reach(self, &after, &walls.come(self));
        }
        match self.turned.as_ref().and_then(|turned| turned.known(self.parts.portals.len())) {
            Some(known) => (self.peaks, self.stale) = (Derived::from(known), None),
            None => self.stale = stale,
        }
    }

    /// Writes a splice into the stored lists alone.
    fn write_splice(&mut self, splice: &Splice, epoch: u64) {
        self.edits.epoch = epoch;
        for Swap { slot, before, after } in &splice.vertices {
            let slot = *slot as usize;
            self.edits.dead_vertices += u32::from(before.is_some());
            self.edits.dead_vertices -= u32::from(after.is_some() && slot < self.parts.points.len());
            if let Some(point) = after {
                self.edits.dead_vertices += grow(&mut self.parts.points, slot, *point);
                self.parts.points[slot] = *point;
            }
        }
        for Swap { slot, before, after } in &splice.portals {
            let slot = *slot as usize;
            self.edits.dead_portals += u32::from(before.is_some() && after.is_none());
            self.edits.dead_portals -=
                u32::from(before.is_none() && after.is_some() && slot < self.parts.portals.len());
            self.edits.dead_portals += grow(&mut self.parts.portals, slot, NO_PORTAL);
            self.parts.portals[slot] = after.unwrap_or(NO_PORTAL);
        }
        for Swap { slot, after, .. } in &splice.doors {
            match (self.parts.doors.binary_search(slot), after) {
                (Ok(place), None) => drop(self.parts.doors.remove(place)),
                (Err(place), Some(())) => self.parts.doors.insert(place, *slot),
                _ => {}
            }
        }
        for Swap { slot, after, .. } in &splice.links {
            grow(&mut self.edits.links, *slot as usize, None);
            self.edits.links[*slot as usize].clone_from(after);
        }
        if !splice.links.is_empty() {
            self.parts.links = self.edits.links.iter().flatten().cloned().collect();
        }
        if !splice.areas.is_empty() {
            let slots = self.cell_slots();
            let relief = self.parts.relief.get_or_insert_with(|| {
                let mut flat = Relief::flat(slots);
                flat.count_patches();
                Arc::new(flat)
            });
            Arc::make_mut(relief).areas.extend(splice.areas.iter().cloned());
        }
        for swap in &splice.cells {
            self.swap_cell(swap, epoch);
        }
        self.move_dead_vertices(splice);
    }

    /// Writes one cell.
    fn swap_cell(&mut self, Swap { slot, before, after }: &Swap<CellContent>, epoch: u64) {
        let place = *slot as usize;
        self.edits.dead_cells += u32::from(before.is_some() && after.is_none());
        self.edits.dead_cells -= u32::from(before.is_none() && after.is_some() && place < self.cell_slots());
        let parts = &mut self.parts;
        self.edits.dead_cells += grow(&mut parts.cell_region, place, *slot);
        grow(&mut parts.cell_component, place, 0);
        // One more entry ends the last cell of a mesh without gaps.
        parts.first_side.truncate(parts.side_count.len());
        grow(&mut parts.first_side, place, 0);
        grow(&mut parts.side_count, place, 0);
        grow(&mut self.edits.cell_epoch, place, 0);
        parts.cell_region[place] = *slot;
        parts.first_side[place] = after.as_ref().map_or(0, |cell| cell.first_side);
        parts.side_count[place] = after.as_ref().map_or(0, |cell| cell.sides.len() as u32);
        self.edits.cell_epoch[place] = epoch;
        if let Some(cell) = after {
            let first = cell.first_side as usize;
            grow(&mut parts.sides, first + cell.sides.len() - 1, Side { vertex: 0, portal: NONE });
            parts.sides[first..first + cell.sides.len()].copy_from_slice(&cell.sides);
        }
        if let Some(relief) = &mut parts.relief {
            Arc::make_mut(relief).swap_cell(place, after.as_ref());
        }
    }

    /// Gives vertices that are no more the place of a living one, so that they do not widen the bounds of the mesh.
    fn move_dead_vertices(&mut self, splice: &Splice) {
        let living = splice.cells.iter().find_map(|swap| swap.after.as_ref());
        let living = living.and_then(|cell| cell.sides.first()).map(|side| side.vertex);
        let Some(point) = living.and_then(|vertex| self.parts.points.get(vertex as usize)).copied() else {
            return;
        };
        for swap in splice.vertices.iter().filter(|swap| swap.after.is_none()) {
            self.parts.points[swap.slot as usize] = point;
        }
    }

    /// Returns the connected pieces of a mesh that was edited, found on first use. Cost: nearly linear.
    pub(crate) fn components(&self) -> &Components {
        self.components.get_or_make(|| {
            let records = self.parts.portals.iter().filter(|record| record.cells[0] != NONE);
            let pairs = DisjointSets::joined(self.cell_slots(), records.map(|record| record.cells.into()));
            let is_living = |cell: u32| !self.parts.sides_of(cell).is_empty();
            let (of_cell, count) = pairs.numbered_where(is_living);
            Components { of_cell, count }
        })
    }

    /// Returns the connected piece that a cell belongs to.
    pub fn component_of(&self, cell: u32) -> u32 {
        if self.is_edited() {
            self.components().of_cell[cell as usize]
        } else {
            self.parts.cell_component[cell as usize]
        }
    }

    /// True if two cells are known to lie in different pieces. It never looks for the pieces: right after an edit
    /// nothing is known.
    pub(crate) fn are_known_apart(&self, a: u32, b: u32) -> bool {
        let known = if self.is_edited() {
            self.components.get().map(|components| components.of_cell.as_slice())
        } else {
            Some(self.parts.cell_component.as_slice())
        };
        known.is_some_and(|of_cell| of_cell.get(a as usize) != of_cell.get(b as usize))
    }
}

/// A portal that is no more.
const NO_PORTAL: PortalRecord = PortalRecord { vertices: [0; 2], cells: [NONE; 2] };

/// Makes a list long enough for an index. Returns the number of gaps in front of it that this left.
fn grow<T: Clone>(list: &mut Vec<T>, index: usize, filling: T) -> u32 {
    let gaps = index.saturating_sub(list.len()) as u32;
    if list.len() <= index {
        list.resize(index + 1, filling);
    }
    gaps
}

impl Relief {
    /// Counts the patches of every cell, so that cells need not follow each other.
    fn count_patches(&mut self) {
        let cells = self.area_of.len() as u32;
        self.patch_count = (0..cells).map(|cell| self.patches_of(cell).len() as u32).collect();
        self.first_patch.truncate(self.patch_count.len());
    }

    /// Writes the ground of one cell.
    fn swap_cell(&mut self, place: usize, after: Option<&CellContent>) {
        grow(&mut self.area_of, place, 0);
        grow(&mut self.first_patch, place, 0);
        grow(&mut self.patch_count, place, 0);
        self.area_of[place] = after.map_or(0, |cell| cell.area);
        self.first_patch[place] = after.map_or(0, |cell| cell.first_patch);
        self.patch_count[place] = after.map_or(0, |cell| cell.patches.len() as u32);
        if let Some((cell, filling)) = after.and_then(|cell| Some((cell, *cell.patches.first()?))) {
            let first = cell.first_patch as usize;
            grow(&mut self.patches, first + cell.patches.len() - 1, filling);
            self.patches[first..first + cell.patches.len()].copy_from_slice(&cell.patches);
        }
    }
}
