//! Puts new cells into the place of old ones: merges them with their neighbours where a portal is not needed, numbers
//! them, and writes down everything that changes.
//!
//! Invariant: portals to cells that are not touched keep their numbers and their ends.

use crate::fabric::{Beyond, Covered, Edge, Face, Label, Thin, undirected};
use crate::ground::{OldGround, joined, patches_of};
use crate::patch::{Keyed, Patched};
use crate::quick::QuickMap;
use crate::ranges::Planner;
use crate::relabel::relabelled;
use crate::rework::{Piece, Reworked, Task};
use clearway_geometry::predicates::is_convex_sector;
use clearway_geometry::{NONE, Point};
use clearway_nav::mesh::{CellContent, Patch, PortalRecord, Side, Splice, Swap};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Writes down what changes when the touched cells of a task are replaced by new ones.
pub(crate) fn seam(task: Task<'_>, reworked: Reworked) -> Patched {
    let mut seam = Seam::new(task, reworked);
    seam.find_ground();
    seam.merge_needless();
    seam.patch()
}

/// As [`seam`], for new cells that know their ground.
pub(crate) fn seam_of_cells(task: Task<'_>, reworked: Reworked) -> Patched {
    let mut seam = Seam::new(task, reworked);
    seam.merge_needless();
    seam.patch()
}

/// Writes down what changes when the cells of a task are merged with each other and with their neighbours as they are.
/// Returns none if all portals are needed.
pub(crate) fn settled(task: Task<'_>) -> Option<Patched> {
    let reworked = relabelled(&task);
    let mut seam = Seam::new(task, reworked);
    seam.merge_needless();
    (seam.pieces.len() < seam.task.faces.len()).then(|| seam.patch())
}

/// Something before and after.
type Change<T> = (Option<T>, Option<T>);

/// Portals before and after, by number.
type Portals = Vec<(u32, Change<PortalRecord>)>;

/// The cell beyond a portal of a new cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbour {
    /// A cell that is not replaced.
    Old(Face),
    /// The new cell with this index.
    New(usize),
}

/// New cells and the cells that they replace.
struct Seam<'a> {
    /// The task; its faces are the cells that are replaced, with their sides.
    task: Task<'a>,
    /// The sides of replaced cells towards others.
    border: QuickMap<Edge, Beyond>,
    /// The new cells.
    pieces: Vec<Piece>,
    /// New vertices, with their points.
    fresh: QuickMap<u32, Point>,
    /// What else the division found.
    found: Reworked,
}

impl<'a> Seam<'a> {
    fn new(task: Task<'a>, mut found: Reworked) -> Seam<'a> {
        let mut border = QuickMap::default();
        border.reserve(task.faces.values().map(Vec::len).sum());
        for sides in task.faces.values() {
            border.extend(sides.iter().copied().filter(|(_, beyond)| match beyond {
                Beyond::Nothing => false,
                Beyond::Portal(_, other) | Beyond::Wall(other) => !task.faces.contains_key(other),
            }));
        }
        let pieces = std::mem::take(&mut found.pieces);
        // Walls of no thickness towards other cells stay; they must not be forgotten when such a cell is merged.
        found.thin.extend(kept_walls(&task, border.keys().copied()));
        let fresh = found.vertices.iter().copied().collect();
        Seam { task, border, pieces, fresh, found }
    }

    /// Returns the point of a vertex.
    fn point(&self, vertex: u32) -> Point {
        let known = self.fresh.get(&vertex).copied();
        known.unwrap_or_else(|| self.task.mesh.parts().points[vertex as usize])
    }

    /// Merges free cells with each other and with cells beyond the border as long as some portal is not needed.
    fn merge_needless(&mut self) {
        let mut at = self.piece_at();
        let mut index = 0;
        while index < self.pieces.len() {
            if self.pieces[index].label.owners.is_empty() && self.merge_one(index, &at) {
                // Sides that went stay in the map; no cell asks for them.
                at.extend(sides(&self.pieces[index].corners).map(|edge| (edge, index)));
                // A merged cell may make portals of cells before it needless.
                index = 0;
            } else {
                index += 1;
            }
        }
        self.pieces.retain(|piece| !piece.corners.is_empty());
    }

    /// Returns the new cell on the left of each side.
    fn piece_at(&self) -> QuickMap<Edge, usize> {
        let mut at = QuickMap::default();
        at.reserve(self.pieces.iter().map(|piece| piece.corners.len()).sum());
        for (piece, Piece { corners, .. }) in self.pieces.iter().enumerate() {
            at.extend(sides(corners).map(|edge| (edge, piece)));
        }
        at
    }

    /// Returns the cell beyond a side of a new cell, if a portal leads there that may go.
    fn beyond(&self, edge: Edge, at: &QuickMap<Edge, usize>) -> Option<Neighbour> {
        if self.found.thin.contains_key(&undirected(edge)) {
            return None;
        }
        match self.border.get(&edge) {
            Some(Beyond::Portal(_, face)) => Some(Neighbour::Old(*face)),
            Some(_) => None,
            None => at.get(&(edge.1, edge.0)).map(|piece| Neighbour::New(*piece)),
        }
    }

    /// Merges a cell with one neighbour, if it can.
    fn merge_one(&mut self, index: usize, at: &QuickMap<Edge, usize>) -> bool {
        let corners = &self.pieces[index].corners;
        let count = corners.len();
        let beyond: Vec<Option<Neighbour>> = sides(corners).map(|edge| self.beyond(edge, at)).collect();
        for first in 0..count {
            let Some(other) = beyond[first] else { continue };
            // A row of portals to one cell goes as a whole or stays.
            if beyond[(first + count - 1) % count] == Some(other) {
                continue;
            }
            let is_same = |more: &usize| beyond[(first + more) % count] == Some(other);
            let row = (1..count).take_while(is_same).count() + 1;
            if *self.label_of(other) != self.pieces[index].label {
                continue;
            }
            let merged = match other {
                Neighbour::Old(face) => {
                    let theirs = self.task.fabric.corners(self.task.mesh, face);
                    self.merged(corners, first, row, &theirs)
                }
                Neighbour::New(piece) => self.merged(corners, first, row, &self.pieces[piece].corners),
            };
            if let Some(merged) = merged {
                self.pieces[index].patches = self.joined_ground(index, other);
                self.pieces[index].corners = merged;
                match other {
                    Neighbour::Old(face) => self.take_in(face),
                    Neighbour::New(piece) => self.pieces[piece].corners.clear(),
                }
                return true;
            }
        }
        false
    }

    /// Finds the patches of ground under the new cells.
    fn find_ground(&mut self) {
        if !self.task.mesh.has_heights() {
            return;
        }
        let ground = OldGround::of(self.task.mesh, self.task.fabric, self.task.faces.keys());
        for piece in 0..self.pieces.len() {
            self.pieces[piece].patches = ground.under(&self.outline(&self.pieces[piece].corners));
        }
    }

    /// Returns the points of vertices.
    fn outline(&self, corners: &[u32]) -> Vec<Point> {
        corners.iter().map(|vertex| self.point(*vertex)).collect()
    }

    /// Returns the patches of a new cell and a neighbour together.
    fn joined_ground(&self, index: usize, other: Neighbour) -> Vec<Patch> {
        let Task { mesh, fabric, .. } = &self.task;
        if !mesh.has_heights() {
            return Vec::new();
        }
        let own = &self.pieces[index];
        let (patches, outline) = match other {
            Neighbour::Old(face) => (patches_of(mesh, fabric, face), fabric.points(mesh, face)),
            Neighbour::New(piece) => {
                (&self.pieces[piece].patches[..], self.outline(&self.pieces[piece].corners))
            }
        };
        joined(fabric, [(&own.patches, &self.outline(&own.corners)), (patches, &outline)])
    }

    /// Returns the kind of ground of a neighbour.
    fn label_of(&self, neighbour: Neighbour) -> Cow<'_, Label> {
        match neighbour {
            Neighbour::Old(face) => Cow::Owned(self.task.fabric.label(self.task.mesh, face)),
            Neighbour::New(piece) => Cow::Borrowed(&self.pieces[piece].label),
        }
    }

    /// Returns the outline of a cell and a neighbour together, without the row of portals between them; `None` if that
    /// is not convex.
    fn merged(&self, corners: &[u32], first: usize, row: usize, theirs: &[u32]) -> Option<Vec<u32>> {
        let (count, others) = (corners.len(), theirs.len());
        let own = |place: usize| corners[place % count];
        let start = theirs.iter().position(|vertex| *vertex == own(first + row))?;
        let their = |place: usize| theirs[(start + place) % others];
        if row >= count || row >= others || their(row) != own(first) {
            return None;
        }
        let is_convex = |before: u32, at: u32, after: u32| {
            let at = self.point(at);
            is_convex_sector(self.point(after) - at, self.point(before) - at)
        };
        let stays_convex = is_convex(own(first + count - 1), own(first), their(row + 1))
            && is_convex(their(others - 1), own(first + row), own(first + row + 1));
        stays_convex.then(|| {
            let mine = (first + row..=first + count).map(own);
            mine.chain((row + 1..others).map(their)).collect()
        })
    }

    /// Adds a cell to those that are replaced.
    fn take_in(&mut self, other: Face) {
        let sides = self.task.fabric.sides(self.task.mesh, other);
        self.task.faces.insert(other, sides.clone());
        self.found.thin.extend(kept_walls(&self.task, sides.iter().map(|(edge, _)| *edge)));
        for (edge, beyond) in sides {
            match beyond {
                Beyond::Portal(_, face) | Beyond::Wall(face) if !self.task.faces.contains_key(&face) => {
                    self.border.insert(edge, beyond);
                }
                _ => {
                    self.border.remove(&(edge.1, edge.0));
                }
            }
        }
        // Sides between replaced cells are no border any more.
        let faces = &self.task.faces;
        self.border.retain(|_, beyond| match beyond {
            Beyond::Nothing => false,
            Beyond::Portal(_, face) | Beyond::Wall(face) => !faces.contains_key(face),
        });
    }

    /// Writes down everything that changes.
    fn patch(self) -> Patched {
        let numbers = self.numbers();
        let at = self.piece_at();
        let mut portals = self.old_portals();
        let records = self.new_portals(&numbers, &at, &mut portals);
        let doors = self.doors(&portals);
        let splice = Splice {
            cells: self.cells(&numbers, &records),
            portals: portals
                .into_iter()
                .filter(|(_, (before, after))| before != after)
                .map(into_swap)
                .collect(),
            vertices: self.vertices(),
            doors,
            links: Vec::new(),
        };
        let covered = self.covered(&numbers);
        Patched {
            facing: self.facing(&numbers, &at),
            thin: self.thin(),
            made: self.made(&splice.vertices),
            obstacles: Vec::new(),
            links: Vec::new(),
            splice,
            covered,
        }
    }

    /// Gives every new cell a number: first those of the cells that it replaces, then free ones, then new ones.
    fn numbers(&self) -> Vec<Face> {
        let fabric = self.task.fabric;
        let old = |is_free: bool| {
            self.task.faces.keys().filter_map(move |face| match face {
                Face::Free(cell) if is_free => Some(*cell),
                Face::Covered(cell) if !is_free => Some(*cell),
                _ => None,
            })
        };
        let slots = self.task.mesh.cell_slots() as u32..;
        let mut free = old(true).chain(fabric.free.cells.iter().copied()).chain(slots);
        let slots = fabric.covered.len() as u32..;
        let mut covered = old(false).chain(fabric.free.covered.iter().copied()).chain(slots);
        let number = |piece: &Piece| match piece.label.owners.is_empty() {
            true => Face::Free(free.next().unwrap_or(NONE)),
            false => Face::Covered(covered.next().unwrap_or(NONE)),
        };
        self.pieces.iter().map(number).collect()
    }

    /// Returns the portals of replaced cells: those inside go, those on the border stay for now.
    fn old_portals(&self) -> Portals {
        let parts = self.task.mesh.parts();
        let mut portals = Vec::new();
        for (edge, beyond) in self.task.faces.values().flatten() {
            if let Beyond::Portal(portal, _) = beyond {
                let record = parts.portals[*portal as usize];
                let after = self.border.contains_key(edge).then_some(record);
                portals.push((*portal, (Some(record), after)));
            }
        }
        // Portals inside were met from both sides, those on the border once.
        portals.sort_unstable_by_key(|(portal, _)| *portal);
        portals.dedup_by_key(|(portal, _)| *portal);
        portals
    }

    /// Makes the portals of new cells. Returns the number of the portal at each of their sides.
    fn new_portals(
        &self,
        numbers: &[Face],
        at: &QuickMap<Edge, usize>,
        portals: &mut Portals,
    ) -> QuickMap<Edge, u32> {
        let parts = self.task.mesh.parts();
        let known = portals.len();
        let freed: Vec<u32> =
            portals.iter().filter(|(_, (_, after))| after.is_none()).map(|(portal, _)| *portal).collect();
        let appended = parts.portals.len() as u32..;
        let mut unused =
            freed.into_iter().chain(self.task.fabric.free.portals.iter().copied()).chain(appended);
        let mut records: QuickMap<Edge, u32> = QuickMap::default();
        records.reserve(2 * at.len());
        for (piece, number) in numbers.iter().enumerate() {
            let Face::Free(cell) = *number else { continue };
            for edge in sides(&self.pieces[piece].corners) {
                if let Some(Beyond::Portal(portal, _)) = self.border.get(&edge) {
                    let found = portals[..known].binary_search_by_key(portal, |(number, _)| *number);
                    if let Some(record) = found.ok().and_then(|found| portals[found].1.1.as_mut()) {
                        let face = usize::from(record.vertices[0] != edge.0);
                        record.cells[face] = cell;
                    }
                    records.insert(edge, *portal);
                    continue;
                }
                let back = (edge.1, edge.0);
                let Some(Face::Free(other)) = at.get(&back).map(|piece| numbers[*piece]) else { continue };
                if !self.is_wall(edge) && !records.contains_key(&edge) {
                    let portal = unused.next().unwrap_or(NONE);
                    let record = PortalRecord { vertices: [edge.0, edge.1], cells: [cell, other] };
                    match portals[..known].binary_search_by_key(&portal, |(number, _)| *number) {
                        Ok(found) => portals[found].1.1 = Some(record),
                        Err(_) => portals.push((portal, (None, Some(record)))),
                    }
                    records.insert(edge, portal);
                    records.insert(back, portal);
                }
            }
        }
        portals.sort_unstable_by_key(|(portal, _)| *portal);
        records
    }

    /// True if a wall of no thickness runs along an edge of new cells.
    fn is_wall(&self, edge: Edge) -> bool {
        self.found.thin.get(&undirected(edge)).is_some_and(Thin::is_wall)
    }

    /// Returns the portals that become those of open doors, and those that are so no more.
    fn doors(&self, portals: &Portals) -> Vec<Swap<()>> {
        let is_door = |record: &PortalRecord| {
            let [from, to] = record.vertices;
            self.found.thin.contains_key(&undirected((from, to)))
        };
        let swap = |(slot, (_, after)): &(u32, Change<PortalRecord>)| {
            let before = self.task.mesh.is_door(*slot).then_some(());
            let after = after.as_ref().is_some_and(is_door).then_some(());
            (before != after).then_some(Swap { slot: *slot, before, after })
        };
        portals.iter().filter_map(swap).collect()
    }

    /// Returns the free cells as they were and as they are.
    fn cells(&self, numbers: &[Face], records: &QuickMap<Edge, u32>) -> Vec<Swap<CellContent>> {
        let mesh = self.task.mesh;
        let mut cells: Vec<(u32, Change<CellContent>)> = Vec::new();
        let mut free_sides = Planner::of(&self.task.fabric.free.sides, mesh.parts().sides.len());
        let stored = mesh.parts().relief.as_ref().map_or(0, |relief| relief.patches.len());
        let mut free_patches = Planner::of(&self.task.fabric.free.patches, stored);
        for face in self.task.faces.keys() {
            if let Face::Free(cell) = face
                && let Some(content) = mesh.content(*cell)
            {
                free_sides.give(content.first_side, content.sides.len());
                free_patches.give(content.first_patch, content.patches.len());
                cells.push((*cell, (Some(content), None)));
            }
        }
        for (piece, number) in self.pieces.iter().zip(numbers) {
            let Face::Free(cell) = *number else { continue };
            let side =
                |edge: Edge| Side { vertex: edge.0, portal: records.get(&edge).copied().unwrap_or(NONE) };
            let sides: Vec<Side> = sides(&piece.corners).map(side).collect();
            let patches = piece.patches.clone();
            let content = CellContent {
                first_side: free_sides.take(sides.len()),
                first_patch: free_patches.take(patches.len()),
                sides,
                patches,
                area: piece.label.area,
            };
            cells.push((cell, (None, Some(content))));
        }
        gathered(cells).map(into_swap).collect()
    }

    /// Returns the covered cells as they were and as they are.
    fn covered(&self, numbers: &[Face]) -> Vec<Swap<Covered>> {
        let mut cells: Vec<(u32, Change<Covered>)> = Vec::new();
        for face in self.task.faces.keys() {
            if let Face::Covered(cell) = face {
                cells.push((*cell, (self.task.fabric.covered_cell(*cell).cloned(), None)));
            }
        }
        for (piece, number) in self.pieces.iter().zip(numbers) {
            if let Face::Covered(cell) = number {
                let Piece { corners, label, patches } = piece.clone();
                cells.push((*cell, (None, Some(Covered { corners, label, patches }))));
            }
        }
        gathered(cells).map(into_swap).collect()
    }

    /// Returns the vertices that come and go.
    fn vertices(&self) -> Vec<Swap<Point>> {
        let gone = self.task.corners().map(|vertex| (vertex, -1));
        let come = self.pieces.iter().flat_map(|piece| &piece.corners).map(|vertex| (*vertex, 1));
        let mut corners: Vec<(u32, i64)> = gone.chain(come).collect();
        corners.sort_unstable();
        let changes = corners.chunk_by(|a, b| a.0 == b.0);
        let changes = changes.map(|same| (same[0].0, same.iter().map(|(_, change)| change).sum::<i64>()));
        let is_fresh = |vertex: u32| self.fresh.contains_key(&vertex);
        let uses = |vertex: u32| match is_fresh(vertex) {
            true => 0,
            false => self.task.fabric.uses.get(vertex as usize).copied().unwrap_or(0),
        };
        let swap = |(vertex, change): (u32, i64)| {
            let is_left = i64::from(uses(vertex)) + change > 0;
            (is_fresh(vertex) || !is_left).then(|| Swap {
                slot: vertex,
                before: (!is_fresh(vertex)).then(|| self.point(vertex)),
                after: is_left.then(|| self.point(vertex)),
            })
        };
        changes.filter_map(swap).collect()
    }

    /// Returns the cells at sides that face others, as they were and as they are.
    fn facing(&self, numbers: &[Face], at: &QuickMap<Edge, usize>) -> Vec<Keyed<Face>> {
        let fabric = self.task.fabric;
        let mut facing: Vec<(Edge, Change<Face>)> = Vec::new();
        for (edge, _) in self.task.faces.values().flatten() {
            if let Some(known) = fabric.facing.get(edge) {
                facing.push((*edge, (Some(*known), None)));
            }
        }
        for (piece, number) in self.pieces.iter().zip(numbers) {
            for edge in sides(&piece.corners) {
                let other = at.get(&(edge.1, edge.0)).map(|piece| numbers[*piece]);
                let is_thin = self.is_wall(edge);
                let faces_new = match other {
                    Some(Face::Free(_)) => is_thin || matches!(number, Face::Covered(_)),
                    Some(Face::Covered(_)) => true,
                    None => false,
                };
                if faces_new || matches!(self.border.get(&edge), Some(Beyond::Wall(_))) {
                    facing.push((edge, (None, Some(*number))));
                }
            }
        }
        gathered(facing).filter(|(_, (before, after))| before != after).map(into_keyed).collect()
    }

    /// Returns the walls of no thickness between replaced cells and between new ones.
    fn thin(&self) -> Vec<Keyed<Thin>> {
        let fabric = self.task.fabric;
        let mut thin: Vec<(Edge, Change<Thin>)> = Vec::new();
        for (edge, _) in self.task.faces.values().flatten() {
            if let Some(known) = fabric.thin.get(&undirected(*edge)) {
                thin.push((undirected(*edge), (Some(known.clone()), None)));
            }
        }
        for (edge, known) in &self.found.thin {
            thin.push((*edge, (None, Some(known.clone()))));
        }
        gathered(thin).filter(|(_, (before, after))| before != after).map(into_keyed).collect()
    }

    /// Returns the vertices that edits made, with the obstacles that have corners there.
    fn made(&self, vertices: &[Swap<Point>]) -> Vec<Keyed<Vec<u32>>> {
        let fabric = self.task.fabric;
        let mut made: BTreeMap<Edge, Change<Vec<u32>>> = BTreeMap::new();
        let old = self.task.faces.values().flatten().map(|((vertex, _), _)| *vertex);
        let new = self.found.pinned.iter().map(|(vertex, _)| *vertex);
        for vertex in old.chain(new) {
            if let Some(owners) = fabric.made.get(&vertex).filter(|_| !self.fresh.contains_key(&vertex)) {
                let kept = owners.iter().filter(|owner| Some(**owner) != self.task.gone).copied().collect();
                made.insert((vertex, vertex), (Some(owners.clone()), Some(kept)));
            }
        }
        for vertex in self.fresh.keys() {
            made.insert((*vertex, *vertex), (None, Some(Vec::new())));
        }
        for (vertex, owner) in &self.found.pinned {
            if let Some((_, Some(owners))) = made.get_mut(&(*vertex, *vertex))
                && !owners.contains(owner)
            {
                owners.push(*owner);
                owners.sort_unstable();
            }
        }
        for swap in vertices.iter().filter(|swap| swap.after.is_none()) {
            if let Some((_, after)) = made.get_mut(&(swap.slot, swap.slot)) {
                *after = None;
            }
        }
        made.into_iter().filter(|(_, (before, after))| before != after).map(into_keyed).collect()
    }
}

/// Returns the walls of no thickness along some sides.
fn kept_walls<'a>(
    task: &'a Task<'_>,
    edges: impl Iterator<Item = Edge> + 'a,
) -> impl Iterator<Item = (Edge, Thin)> + 'a {
    edges.filter_map(|edge| Some((undirected(edge), task.fabric.thin.get(&undirected(edge))?.clone())))
}

/// Returns the sides of an outline.
fn sides(corners: &[u32]) -> impl Iterator<Item = Edge> + '_ {
    let following = corners.iter().skip(1).chain(corners.first());
    corners.iter().copied().zip(following.copied())
}

/// Gathers the changes of each thing, in order.
fn gathered<K: Ord + Copy, T>(mut changes: Vec<(K, Change<T>)>) -> impl Iterator<Item = (K, Change<T>)> {
    changes.sort_by_key(|(key, _)| *key);
    changes.dedup_by(|(key, after), (known, before)| {
        let is_same = key == known;
        if is_same {
            before.0 = before.0.take().or(after.0.take());
            before.1 = before.1.take().or(after.1.take());
        }
        is_same
    });
    changes.into_iter()
}

/// Returns a change of something with a number.
fn into_swap<T>((slot, (before, after)): (u32, (Option<T>, Option<T>))) -> Swap<T> {
    Swap { slot, before, after }
}

/// Returns a change of something at an edge.
fn into_keyed<T>((key, (before, after)): (Edge, (Option<T>, Option<T>))) -> Keyed<T> {
    Keyed { key, before, after }
}
