//! All ground of a mesh that is edited: free cells, which the mesh holds, and covered ones, which are held here.
//!
//! Free and covered cells share vertices. A side of a free cell that is no portal may face a covered cell, or another
//! free cell across a wall of no thickness; `facing` knows both. Invariant: the covered cells and the free ones
//! together are the ground as it was built, without overlap and without a vertex inside a side.

use crate::ground::BuiltGround;
use crate::patch::{Keyed, Patched};
use crate::quick::QuickMap;
use crate::ranges::FreeRanges;
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellContent, CellId, Patch, Swap};
use std::collections::BTreeSet;

/// A side by the vertices at which it starts and ends.
pub(crate) type Edge = (u32, u32);

/// A cell of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Face {
    /// A cell of the mesh.
    Free(u32),
    /// A covered cell.
    Covered(u32),
}

/// The kind of ground: who covers it, and its area class.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Label {
    /// The obstacles that cover it, in order; none for free ground.
    pub owners: Vec<u32>,
    /// The area class.
    pub area: u8,
}

/// A covered cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Covered {
    /// Its corners, counter-clockwise.
    pub corners: Vec<u32>,
    /// The kind of its ground.
    pub label: Label,
    /// Its patches of ground.
    pub patches: Vec<Patch>,
}

/// A wall of no thickness, or an open door: something that cells never lie across.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thin {
    /// True if the mesh was built with it.
    pub is_built: bool,
    /// True if the mesh was built with an open door here.
    pub is_kept: bool,
    /// The obstacles and closed doors that it belongs to, in order.
    pub owners: Vec<u32>,
    /// The open doors that it belongs to, in order.
    pub open: Vec<u32>,
    /// The number of a wall at which a part of a world ends; nothing of the mesh lies beyond it.
    pub rim: Option<u32>,
}

impl Thin {
    /// True if nothing keeps the wall any more.
    pub fn is_gone(&self) -> bool {
        !self.is_wall() && !self.is_kept && self.open.is_empty() && self.rim.is_none()
    }

    /// True if nobody can pass; false if all that is here are open doors.
    pub fn is_wall(&self) -> bool {
        self.is_built || !self.owners.is_empty()
    }

    /// Takes an obstacle or a door away.
    pub fn forget(&mut self, gone: Option<u32>) {
        self.owners.retain(|owner| Some(*owner) != gone);
        self.open.retain(|owner| Some(*owner) != gone);
    }

    /// Returns all obstacles and doors that it belongs to.
    pub fn everyone(&self) -> impl Iterator<Item = u32> + '_ {
        self.owners.iter().chain(&self.open).copied()
    }
}

/// The other side of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Nothing: the ground ends here.
    Nothing,
    /// This portal, and the free cell beyond it.
    Portal(u32, Face),
    /// A wall of no thickness, or the border between free and covered ground.
    Wall(Face),
}

/// Numbers that are free to be taken.
#[derive(Debug, Default)]
pub(crate) struct FreeNumbers {
    pub cells: BTreeSet<u32>,
    pub portals: BTreeSet<u32>,
    pub vertices: BTreeSet<u32>,
    pub covered: BTreeSet<u32>,
    /// Ranges of sides.
    pub sides: FreeRanges,
    /// Ranges of patches.
    pub patches: FreeRanges,
}

/// All ground that the mesh does not hold, and what is needed to find it.
#[derive(Debug, Default)]
pub(crate) struct Fabric {
    /// The covered cells.
    pub covered: Vec<Option<Covered>>,
    /// The cell at each side of a covered cell, and at each wall of a free cell that faces another cell.
    pub facing: QuickMap<Edge, Face>,
    /// The walls of no thickness, by their lower and their higher vertex.
    pub thin: QuickMap<Edge, Thin>,
    /// The vertices that edits made, each with the obstacles that have a corner there.
    pub made: QuickMap<u32, Vec<u32>>,
    /// For each vertex, the number of cells with a corner there.
    pub uses: Vec<u32>,
    /// For each obstacle, the cells that it covers.
    pub owned: Vec<BTreeSet<u32>>,
    /// For each obstacle, the walls of no thickness that belong to it.
    pub owned_thin: Vec<BTreeSet<Edge>>,
    /// Numbers that are free to be taken.
    pub free: FreeNumbers,
    /// The ground as it was built; none on the mesh of a plan.
    pub ground: Option<BuiltGround>,
    /// Where covered cells are.
    bins: Bins,
}

impl Fabric {
    /// Finds the walls of no thickness of a mesh, and counts its corners.
    pub fn of(mesh: &NavMesh) -> Fabric {
        let mut fabric = Fabric { uses: vec![0; mesh.parts().points.len()], ..Fabric::default() };
        fabric.bins = Bins::over(&mesh.parts().points);
        fabric.ground = BuiltGround::of(mesh);
        let mut walls: Vec<(Edge, Edge, u32)> = Vec::new();
        for cell in mesh.cells() {
            for side in cell.sides() {
                fabric.uses[side.from.index()] += 1;
                if side.portal.is_none() {
                    let edge = (side.from.0, side.to.0);
                    walls.push((undirected(edge), edge, cell.id().0));
                }
            }
        }
        walls.sort_unstable();
        for pair in walls.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            for (_, edge, cell) in pair {
                fabric.facing.insert(*edge, Face::Free(*cell));
            }
            fabric.thin.insert(pair[0].0, Thin { is_built: true, ..Thin::default() });
        }
        for portal in &mesh.parts().doors {
            let [from, to] = mesh.parts().portals[*portal as usize].vertices;
            fabric.thin.insert(undirected((from, to)), Thin { is_kept: true, ..Thin::default() });
        }
        fabric
    }

    /// Returns the corners of a cell.
    pub fn corners(&self, mesh: &NavMesh, face: Face) -> Vec<u32> {
        match face {
            Face::Free(cell) => {
                mesh.cell(CellId(cell)).map(|cell| cell.corners().map(|v| v.0).collect()).unwrap_or_default()
            }
            Face::Covered(cell) => {
                self.covered_cell(cell).map(|cell| cell.corners.clone()).unwrap_or_default()
            }
        }
    }

    /// Returns a covered cell.
    pub fn covered_cell(&self, cell: u32) -> Option<&Covered> {
        self.covered.get(cell as usize)?.as_ref()
    }

    /// Returns the corners of a cell on the grid.
    pub fn points(&self, mesh: &NavMesh, face: Face) -> Vec<Point> {
        self.corners(mesh, face).iter().map(|vertex| mesh.parts().points[*vertex as usize]).collect()
    }

    /// Returns the kind of ground of a cell.
    pub fn label(&self, mesh: &NavMesh, face: Face) -> Label {
        match face {
            Face::Free(cell) => {
                let area = mesh.cell(CellId(cell)).map_or(0, |cell| cell.area_class());
                Label { owners: Vec::new(), area }
            }
            Face::Covered(cell) => self.covered_cell(cell).map(|cell| cell.label.clone()).unwrap_or_default(),
        }
    }

    /// Returns the sides of a cell, each with what is beyond it.
    pub fn sides(&self, mesh: &NavMesh, face: Face) -> Vec<(Edge, Beyond)> {
        match face {
            Face::Free(cell) => {
                let sides = &mesh.parts().sides[mesh.parts().sides_of(cell)];
                let following = sides.iter().skip(1).chain(sides.first());
                let pairs = sides.iter().zip(following);
                pairs
                    .map(|(side, next)| self.side(mesh, face, (side.vertex, next.vertex), side.portal))
                    .collect()
            }
            Face::Covered(cell) => {
                let corners = self.covered_cell(cell).map_or(&[][..], |cell| &cell.corners);
                let following = corners.iter().skip(1).chain(corners.first());
                corners
                    .iter()
                    .zip(following)
                    .map(|(from, to)| self.side(mesh, face, (*from, *to), NONE))
                    .collect()
            }
        }
    }

    /// Returns a side with what is beyond it.
    fn side(&self, mesh: &NavMesh, face: Face, edge: Edge, portal: u32) -> (Edge, Beyond) {
        if portal != NONE {
            let cells = mesh.parts().portals[portal as usize].cells;
            let other = cells[usize::from(Face::Free(cells[0]) == face)];
            return (edge, Beyond::Portal(portal, Face::Free(other)));
        }
        let facing = self.facing.get(&(edge.1, edge.0));
        (edge, facing.map_or(Beyond::Nothing, |face| Beyond::Wall(*face)))
    }

    /// Returns the cells that share a side with a cell.
    pub fn neighbours(&self, mesh: &NavMesh, face: Face) -> impl Iterator<Item = Face> {
        let other = |(_, beyond): (Edge, Beyond)| match beyond {
            Beyond::Nothing => None,
            Beyond::Portal(_, face) | Beyond::Wall(face) => Some(face),
        };
        self.sides(mesh, face).into_iter().filter_map(other)
    }

    /// Returns the covered cells whose boxes may touch a box.
    pub fn covered_near(&self, low: Vec2, high: Vec2) -> BTreeSet<u32> {
        self.bins.touching([low, high])
    }

    /// Returns the lengths of all lists, by name; those of lists of lists are sums.
    pub fn lengths(&self) -> [(&'static str, usize); 14] {
        [
            ("covered cells", self.covered.len()),
            ("facing", self.facing.len()),
            ("thin", self.thin.len()),
            ("made", self.made.len()),
            ("uses", self.uses.len()),
            ("owned", self.owned.iter().map(BTreeSet::len).sum()),
            ("owned thin", self.owned_thin.iter().map(BTreeSet::len).sum()),
            ("free cells", self.free.cells.len()),
            ("free portals", self.free.portals.len()),
            ("free vertices", self.free.vertices.len()),
            ("free covered cells", self.free.covered.len()),
            ("free sides", self.free.sides.len()),
            ("free patches", self.free.patches.len()),
            ("bins", self.bins.of_cell.len() + self.bins.cells.values().map(Vec::len).sum::<usize>()),
        ]
    }

    /// True if what a patch changes here is as it was when the patch was made, and the numbers that it takes are free.
    pub fn fits(&self, patch: &Patched) -> bool {
        let sides = |cell: &CellContent| (cell.first_side, cell.sides.len());
        let patches = |cell: &CellContent| (cell.first_patch, cell.patches.len());
        has_room(&self.free.sides, &patch.splice.cells, sides)
            && has_room(&self.free.patches, &patch.splice.cells, patches)
            && patch.splice.vertices.iter().all(|swap| {
                let is_used = self.uses.get(swap.slot as usize).is_some_and(|uses| *uses > 0);
                is_used == swap.before.is_some()
            })
            && patch.facing.iter().all(|keyed| self.facing.get(&keyed.key) == keyed.before.as_ref())
            && patch.thin.iter().all(|keyed| self.thin.get(&keyed.key) == keyed.before.as_ref())
            && patch.made.iter().all(|keyed| self.made.get(&keyed.key.0) == keyed.before.as_ref())
    }

    /// Writes a patch into everything that is held here. `points` are those of the mesh after the patch.
    pub fn write(&mut self, patch: &Patched, points: &[Point]) {
        for swap in &patch.splice.vertices {
            note(&mut self.free.vertices, swap);
            grow(&mut self.uses, swap.slot as usize, 0);
        }
        patch.splice.portals.iter().for_each(|swap| note(&mut self.free.portals, swap));
        // What goes comes first: something else may take the same range.
        for swap in &patch.splice.cells {
            note(&mut self.free.cells, swap);
            if let Some(cell) = &swap.before {
                cell.sides.iter().for_each(|side| self.uses[side.vertex as usize] -= 1);
                self.free.sides.give(cell.first_side, cell.sides.len());
                self.free.patches.give(cell.first_patch, cell.patches.len());
            }
        }
        for cell in patch.splice.cells.iter().filter_map(|swap| swap.after.as_ref()) {
            cell.sides.iter().for_each(|side| self.uses[side.vertex as usize] += 1);
            self.free.sides.take(cell.first_side, cell.sides.len());
            self.free.patches.take(cell.first_patch, cell.patches.len());
        }
        for swap in &patch.covered {
            self.swap_covered(swap, points);
        }
        for Keyed { key, after, .. } in &patch.facing {
            match after {
                Some(face) => self.facing.insert(*key, *face),
                None => self.facing.remove(key),
            };
        }
        for keyed in &patch.thin {
            self.swap_thin(keyed);
        }
        for Keyed { key, after, .. } in &patch.made {
            match after {
                Some(owners) => self.made.insert(key.0, owners.clone()),
                None => self.made.remove(&key.0),
            };
        }
    }

    /// Writes one covered cell.
    fn swap_covered(&mut self, swap: &Swap<Covered>, points: &[Point]) {
        note(&mut self.free.covered, swap);
        if let Some(cell) = &swap.before {
            cell.corners.iter().for_each(|vertex| self.uses[*vertex as usize] -= 1);
            for owner in &cell.label.owners {
                self.owned[*owner as usize].remove(&swap.slot);
            }
            self.bins.remove(swap.slot);
        }
        grow(&mut self.covered, swap.slot as usize, None);
        self.covered[swap.slot as usize] = swap.after.clone();
        if let Some(cell) = &swap.after {
            cell.corners.iter().for_each(|vertex| self.uses[*vertex as usize] += 1);
            for owner in &cell.label.owners {
                grow(&mut self.owned, *owner as usize, BTreeSet::new());
                self.owned[*owner as usize].insert(swap.slot);
            }
            let outline: Vec<Point> = cell.corners.iter().map(|vertex| points[*vertex as usize]).collect();
            self.bins.insert(swap.slot, &outline);
        }
    }

    /// Writes one wall of no thickness.
    fn swap_thin(&mut self, Keyed { key, before, after }: &Keyed<Thin>) {
        for owner in before.iter().flat_map(Thin::everyone) {
            self.owned_thin[owner as usize].remove(key);
        }
        for owner in after.iter().flat_map(Thin::everyone) {
            grow(&mut self.owned_thin, owner as usize, BTreeSet::new());
            self.owned_thin[owner as usize].insert(*key);
        }
        match after {
            Some(thin) => self.thin.insert(*key, thin.clone()),
            None => self.thin.remove(key),
        };
    }
}

/// Returns an edge with its lower vertex first.
pub(crate) fn undirected((a, b): Edge) -> Edge {
    (a.min(b), a.max(b))
}

/// Notes that a number was taken or given back.
fn note<T>(free: &mut BTreeSet<u32>, swap: &Swap<T>) {
    match swap.after {
        Some(_) => free.remove(&swap.slot),
        None => free.insert(swap.slot),
    };
}

/// True if the ranges that cells take are free or given back by the same cells.
fn has_room(
    free: &FreeRanges,
    cells: &[Swap<CellContent>],
    range: impl Fn(&CellContent) -> (u32, usize),
) -> bool {
    let mut given = FreeRanges::default();
    for cell in cells.iter().filter_map(|swap| swap.before.as_ref()) {
        let (first, length) = range(cell);
        given.give(first, length);
    }
    cells.iter().filter_map(|swap| swap.after.as_ref()).all(|cell| {
        let (first, length) = range(cell);
        let (mut place, end) = (first, first + length as u32);
        while place < end {
            let Some(next) = given.end_at(place).or_else(|| free.end_at(place)) else { return false };
            place = next;
        }
        true
    })
}

/// Makes a list long enough for an index.
pub(crate) fn grow<T: Clone>(list: &mut Vec<T>, index: usize, filling: T) {
    if list.len() <= index {
        list.resize(index + 1, filling);
    }
}

/// Boxes of covered cells in square bins.
#[derive(Debug, Default)]
struct Bins {
    /// The power of two of grid units that a bin is wide.
    shift: u32,
    /// The cells in each bin that is not empty.
    cells: QuickMap<(i32, i32), Vec<u32>>,
    /// The bins of each cell: the first and the last.
    of_cell: QuickMap<u32, [(i32, i32); 2]>,
}

impl Bins {
    /// The number of bins along the longer side of the mesh, as a power of two. More bins cost more per large obstacle;
    /// fewer hold more obstacles each.
    const BITS: u32 = 7;

    /// Bins for the extent of these points.
    fn over(points: &[Point]) -> Bins {
        let (min, max) = match points {
            [] => return Bins { shift: 16, ..Bins::default() },
            points => clearway_geometry::triangulation::bounds(points),
        };
        let extent = (max - min).x.max((max - min).y).max(1);
        Bins { shift: (64 - extent.leading_zeros()).saturating_sub(Bins::BITS), ..Bins::default() }
    }

    /// The bin of a point.
    fn bin(&self, x: f64, y: f64) -> (i32, i32) {
        ((x.floor() as i32) >> self.shift, (y.floor() as i32) >> self.shift)
    }

    /// Puts a cell into the bins that its box touches.
    fn insert(&mut self, cell: u32, outline: &[Point]) {
        let (min, max) = clearway_geometry::triangulation::bounds(outline);
        let ends = [min, max].map(|p| self.bin(f64::from(p.x), f64::from(p.y)));
        for bin in bins_between(ends) {
            self.cells.entry(bin).or_default().push(cell);
        }
        self.of_cell.insert(cell, ends);
    }

    /// Takes a cell out.
    fn remove(&mut self, cell: u32) {
        for bin in self.of_cell.remove(&cell).into_iter().flat_map(bins_between) {
            if let Some(cells) = self.cells.get_mut(&bin) {
                cells.retain(|other| *other != cell);
                if cells.is_empty() {
                    self.cells.remove(&bin);
                }
            }
        }
    }

    /// Returns the cells in the bins that a box touches.
    fn touching(&self, [low, high]: [Vec2; 2]) -> BTreeSet<u32> {
        let ends = [low, high].map(|p| self.bin(p.x, p.y));
        bins_between(ends).filter_map(|bin| self.cells.get(&bin)).flatten().copied().collect()
    }
}

/// Returns all bins from the first to the last.
fn bins_between([low, high]: [(i32, i32); 2]) -> impl Iterator<Item = (i32, i32)> {
    (low.0..=high.0).flat_map(move |x| (low.1..=high.1).map(move |y| (x, y)))
}
