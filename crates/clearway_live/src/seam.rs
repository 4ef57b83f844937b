//! Puts new cells into the place of old ones: merges them with their neighbours where a portal is not needed, numbers
//! them, and writes down everything that changes.
//!
//! Invariant: portals to cells that are not touched keep their numbers and their ends.

use crate::fabric::{Beyond, Covered, Edge, Face, Thin, undirected};
use crate::ground::patches_of;
use crate::patch::{Keyed, Patched};
use crate::quick::QuickMap;
use crate::rework::{Piece, Reworked, Task};
use clearway_geometry::predicates::is_convex_sector;
use clearway_geometry::{NONE, Point};
use clearway_nav::mesh::{CellContent, PortalRecord, Side, Splice, Swap, patches_under};
use std::collections::{BTreeMap, BTreeSet};

/// Writes down what changes when the touched cells of a task are replaced by new ones.
pub(crate) fn seam(task: &Task<'_>, reworked: Reworked) -> Patched {
    let mut seam = Seam::new(task, reworked);
    seam.merge_needless();
    seam.patch()
}

/// Something before and after.
type Change<T> = (Option<T>, Option<T>);

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
    task: &'a Task<'a>,
    /// The cells that are replaced, with their sides.
    faces: BTreeMap<Face, Vec<(Edge, Beyond)>>,
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
    fn new(task: &'a Task<'a>, mut found: Reworked) -> Seam<'a> {
        let mut border = QuickMap::default();
        for sides in task.faces.values() {
            border.extend(sides.iter().copied().filter(|(_, beyond)| match beyond {
                Beyond::Nothing => false,
                Beyond::Portal(_, other) | Beyond::Wall(other) => !task.faces.contains_key(other),
            }));
        }
        let pieces = std::mem::take(&mut found.pieces);
        // Walls of no thickness towards other cells stay; they must not be forgotten when such a cell is merged.
        found.thin.extend(kept_walls(task, border.keys().copied()));
        let fresh = found.vertices.iter().copied().collect();
        Seam { task, faces: task.faces.clone(), border, pieces, fresh, found }
    }

    /// Returns the point of a vertex.
    fn point(&self, vertex: u32) -> Point {
        let known = self.fresh.get(&vertex).copied();
        known.unwrap_or_else(|| self.task.mesh.parts().points[vertex as usize])
    }

    /// Merges free cells with each other and with cells beyond the border as long as some portal is not needed.
    fn merge_needless(&mut self) {
        let all = |seam: &Seam<'_>| -> QuickMap<Edge, usize> {
            let of_piece = |piece: usize| sides(&seam.pieces[piece].corners).map(move |edge| (edge, piece));
            (0..seam.pieces.len()).flat_map(of_piece).collect()
        };
        let mut at = all(self);
        let mut index = 0;
        while index < self.pieces.len() {
            if self.pieces[index].label.owners.is_empty() && self.merge_one(index, &at) {
                at = all(self);
                // A merged cell may make portals of cells before it needless.
                index = 0;
            } else {
                index += 1;
            }
        }
        self.pieces.retain(|piece| !piece.corners.is_empty());
    }

    /// Merges a cell with one neighbour, if it can.
    fn merge_one(&mut self, index: usize, at: &QuickMap<Edge, usize>) -> bool {
        let corners = self.pieces[index].corners.clone();
        let count = corners.len();
        let beyond = |place: usize| {
            let edge = (corners[place % count], corners[(place + 1) % count]);
            match (self.border.get(&edge), at.get(&(edge.1, edge.0))) {
                _ if self.found.thin.contains_key(&undirected(edge)) => None,
                (Some(Beyond::Portal(_, face)), _) => Some(Neighbour::Old(*face)),
                (None, Some(piece)) => Some(Neighbour::New(*piece)),
                _ => None,
            }
        };
        for first in 0..count {
            let Some(other) = beyond(first) else { continue };
            // A row of portals to one cell goes as a whole or stays.
            if beyond(first + count - 1) == Some(other) {
                continue;
            }
            let row = (1..count).take_while(|more| beyond(first + more) == Some(other)).count() + 1;
            let (label, theirs) = match other {
                Neighbour::Old(face) => {
                    let Task { mesh, fabric, .. } = self.task;
                    (fabric.label(mesh, face), fabric.corners(mesh, face))
                }
                Neighbour::New(piece) => {
                    (self.pieces[piece].label.clone(), self.pieces[piece].corners.clone())
                }
            };
            if label != self.pieces[index].label {
                continue;
            }
            if let Some(merged) = self.merged(&corners, first, row, &theirs) {
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
        self.faces.insert(other, sides.clone());
        self.found.thin.extend(kept_walls(self.task, sides.iter().map(|(edge, _)| *edge)));
        for (edge, beyond) in sides {
            match beyond {
                Beyond::Portal(_, face) | Beyond::Wall(face) if !self.faces.contains_key(&face) => {
                    self.border.insert(edge, beyond);
                }
                _ => {
                    self.border.remove(&(edge.1, edge.0));
                }
            }
        }
        // Sides between replaced cells are no border any more.
        let faces = &self.faces;
        self.border.retain(|_, beyond| match beyond {
            Beyond::Nothing => false,
            Beyond::Portal(_, face) | Beyond::Wall(face) => !faces.contains_key(face),
        });
    }

    /// Writes down everything that changes.
    fn patch(self) -> Patched {
        let numbers = self.numbers();
        let at: QuickMap<Edge, usize> = (0..self.pieces.len())
            .flat_map(|piece| sides(&self.pieces[piece].corners).map(move |edge| (edge, piece)))
            .collect();
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
            self.faces.keys().filter_map(move |face| match face {
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
    fn old_portals(&self) -> BTreeMap<u32, (Option<PortalRecord>, Option<PortalRecord>)> {
        let parts = self.task.mesh.parts();
        let mut portals = BTreeMap::new();
        for (edge, beyond) in self.faces.values().flatten() {
            if let Beyond::Portal(portal, _) = beyond {
                let record = parts.portals[*portal as usize];
                let after = self.border.contains_key(edge).then_some(record);
                portals.insert(*portal, (Some(record), after));
            }
        }
        portals
    }

    /// Makes the portals of new cells. Returns the number of the portal at each of their sides.
    fn new_portals(
        &self,
        numbers: &[Face],
        at: &QuickMap<Edge, usize>,
        portals: &mut BTreeMap<u32, (Option<PortalRecord>, Option<PortalRecord>)>,
    ) -> QuickMap<Edge, u32> {
        let parts = self.task.mesh.parts();
        let freed: Vec<u32> =
            portals.iter().filter(|(_, (_, after))| after.is_none()).map(|(portal, _)| *portal).collect();
        let appended = parts.portals.len() as u32..;
        let mut unused =
            freed.into_iter().chain(self.task.fabric.free.portals.iter().copied()).chain(appended);
        let mut records = QuickMap::default();
        for (piece, number) in numbers.iter().enumerate() {
            let Face::Free(cell) = *number else { continue };
            for edge in sides(&self.pieces[piece].corners) {
                let back = (edge.1, edge.0);
                if let Some(Beyond::Portal(portal, _)) = self.border.get(&edge) {
                    let record = portals.get_mut(portal).and_then(|(_, after)| after.as_mut());
                    if let Some(record) = record {
                        let face = usize::from(record.vertices[0] != edge.0);
                        record.cells[face] = cell;
                    }
                    records.insert(edge, *portal);
                    continue;
                }
                let other = at.get(&back).map(|piece| numbers[*piece]);
                let is_wall = self.is_wall(edge);
                if let (Some(Face::Free(other)), false, false) = (other, is_wall, records.contains_key(&edge))
                {
                    let portal = unused.next().unwrap_or(NONE);
                    let record = PortalRecord { vertices: [edge.0, edge.1], cells: [cell, other] };
                    portals.entry(portal).or_insert((None, None)).1 = Some(record);
                    records.insert(edge, portal);
                    records.insert(back, portal);
                }
            }
        }
        records
    }

    /// True if a wall of no thickness runs along an edge of new cells.
    fn is_wall(&self, edge: Edge) -> bool {
        self.found.thin.get(&undirected(edge)).is_some_and(Thin::is_wall)
    }

    /// Returns the portals that become those of open doors, and those that are so no more.
    fn doors(&self, portals: &BTreeMap<u32, Change<PortalRecord>>) -> Vec<Swap<()>> {
        let is_door = |record: &PortalRecord| {
            let [from, to] = record.vertices;
            self.found.thin.contains_key(&undirected((from, to)))
        };
        let swap = |(slot, (_, after)): (&u32, &Change<PortalRecord>)| {
            let before = self.task.mesh.is_door(*slot).then_some(());
            let after = after.as_ref().is_some_and(is_door).then_some(());
            (before != after).then_some(Swap { slot: *slot, before, after })
        };
        portals.iter().filter_map(swap).collect()
    }

    /// Returns the free cells as they were and as they are.
    fn cells(&self, numbers: &[Face], records: &QuickMap<Edge, u32>) -> Vec<Swap<CellContent>> {
        let mesh = self.task.mesh;
        let mut cells: BTreeMap<u32, (Option<CellContent>, Option<CellContent>)> = BTreeMap::new();
        let mut sides_free = Ranges::of(&self.task.fabric.free.sides, mesh.parts().sides.len());
        let stored = mesh.parts().relief.as_ref().map_or(0, |relief| relief.patches.len());
        let mut patches_free = Ranges::of(&self.task.fabric.free.patches, stored);
        for face in self.faces.keys() {
            if let Face::Free(cell) = face
                && let Some(content) = mesh.content(*cell)
            {
                sides_free.give(content.sides.len(), content.first_side);
                patches_free.give(content.patches.len(), content.first_patch);
                cells.entry(*cell).or_default().0 = Some(content);
            }
        }
        let ground = patches_of(mesh, self.task.fabric, self.faces.keys());
        for (piece, number) in self.pieces.iter().zip(numbers) {
            let Face::Free(cell) = *number else { continue };
            let side =
                |edge: Edge| Side { vertex: edge.0, portal: records.get(&edge).copied().unwrap_or(NONE) };
            let sides: Vec<Side> = sides(&piece.corners).map(side).collect();
            let patches = self.ground_of(&ground, piece);
            let content = CellContent {
                first_side: sides_free.take(sides.len()),
                first_patch: patches_free.take(patches.len()),
                sides,
                patches,
                area: piece.label.area,
            };
            cells.entry(cell).or_default().1 = Some(content);
        }
        cells.into_iter().map(into_swap).collect()
    }

    /// Returns the patches of ground of a new cell.
    fn ground_of(
        &self,
        ground: &[clearway_nav::mesh::Patch],
        piece: &Piece,
    ) -> Vec<clearway_nav::mesh::Patch> {
        if ground.is_empty() {
            return Vec::new();
        }
        let outline: Vec<Point> = piece.corners.iter().map(|vertex| self.point(*vertex)).collect();
        patches_under(ground, &outline)
    }

    /// Returns the covered cells as they were and as they are.
    fn covered(&self, numbers: &[Face]) -> Vec<Swap<Covered>> {
        let mut cells: BTreeMap<u32, (Option<Covered>, Option<Covered>)> = BTreeMap::new();
        for face in self.faces.keys() {
            if let Face::Covered(cell) = face {
                cells.entry(*cell).or_default().0 = self.task.fabric.covered_cell(*cell).cloned();
            }
        }
        let ground = patches_of(self.task.mesh, self.task.fabric, self.faces.keys());
        for (piece, number) in self.pieces.iter().zip(numbers) {
            if let Face::Covered(cell) = number {
                let Piece { corners, label } = piece.clone();
                let patches = self.ground_of(&ground, piece);
                cells.entry(*cell).or_default().1 = Some(Covered { corners, label, patches });
            }
        }
        cells.into_iter().map(into_swap).collect()
    }

    /// Returns the vertices that come and go.
    fn vertices(&self) -> Vec<Swap<Point>> {
        let mut change: BTreeMap<u32, i64> = BTreeMap::new();
        for ((vertex, _), _) in self.faces.values().flatten() {
            *change.entry(*vertex).or_default() -= 1;
        }
        for vertex in self.pieces.iter().flat_map(|piece| &piece.corners) {
            *change.entry(*vertex).or_default() += 1;
        }
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
        change.into_iter().filter_map(swap).collect()
    }

    /// Returns the cells at sides that face others, as they were and as they are.
    fn facing(&self, numbers: &[Face], at: &QuickMap<Edge, usize>) -> Vec<Keyed<Face>> {
        let fabric = self.task.fabric;
        let mut facing: BTreeMap<Edge, (Option<Face>, Option<Face>)> = BTreeMap::new();
        for (edge, _) in self.faces.values().flatten() {
            if let Some(known) = fabric.facing.get(edge) {
                facing.entry(*edge).or_default().0 = Some(*known);
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
                    facing.entry(edge).or_default().1 = Some(*number);
                }
            }
        }
        facing.into_iter().filter(|(_, (before, after))| before != after).map(into_keyed).collect()
    }

    /// Returns the walls of no thickness between replaced cells and between new ones.
    fn thin(&self) -> Vec<Keyed<Thin>> {
        let fabric = self.task.fabric;
        let mut thin: BTreeMap<Edge, (Option<Thin>, Option<Thin>)> = BTreeMap::new();
        for (edge, _) in self.faces.values().flatten() {
            if let Some(known) = fabric.thin.get(&undirected(*edge)) {
                thin.entry(undirected(*edge)).or_default().0 = Some(known.clone());
            }
        }
        for (edge, known) in &self.found.thin {
            thin.entry(*edge).or_default().1 = Some(known.clone());
        }
        thin.into_iter().filter(|(_, (before, after))| before != after).map(into_keyed).collect()
    }

    /// Returns the vertices that edits made, with the obstacles that have corners there.
    fn made(&self, vertices: &[Swap<Point>]) -> Vec<Keyed<Vec<u32>>> {
        let fabric = self.task.fabric;
        let mut made: BTreeMap<Edge, Change<Vec<u32>>> = BTreeMap::new();
        let old = self.faces.values().flatten().map(|((vertex, _), _)| *vertex);
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

/// Returns a change of something with a number.
fn into_swap<T>((slot, (before, after)): (u32, (Option<T>, Option<T>))) -> Swap<T> {
    Swap { slot, before, after }
}

/// Returns a change of something at an edge.
fn into_keyed<T>((key, (before, after)): (Edge, (Option<T>, Option<T>))) -> Keyed<T> {
    Keyed { key, before, after }
}

/// Ranges of a list that are free to be taken.
struct Ranges<'a> {
    /// Ranges that were free before, by their length.
    known: &'a BTreeMap<u32, BTreeSet<u32>>,
    /// Ranges that became free by this edit, by their length.
    given: BTreeMap<usize, Vec<u32>>,
    /// The number of known ranges of each length that were taken.
    taken: BTreeMap<usize, usize>,
    /// The end of the list.
    end: u32,
}

impl<'a> Ranges<'a> {
    fn of(known: &'a BTreeMap<u32, BTreeSet<u32>>, end: usize) -> Ranges<'a> {
        Ranges { known, given: BTreeMap::new(), taken: BTreeMap::new(), end: end as u32 }
    }

    /// Gives a range back.
    fn give(&mut self, length: usize, first: u32) {
        self.given.entry(length).or_default().push(first);
    }

    /// Takes a range of this length.
    fn take(&mut self, length: usize) -> u32 {
        if length == 0 {
            return 0;
        }
        if let Some(first) = self.given.get_mut(&length).and_then(Vec::pop) {
            return first;
        }
        let taken = self.taken.entry(length).or_default();
        if let Some(first) = self.known.get(&(length as u32)).and_then(|ranges| ranges.iter().nth(*taken)) {
            *taken += 1;
            return *first;
        }
        let first = self.end;
        self.end += length as u32;
        first
    }
}
