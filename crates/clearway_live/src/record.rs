//! Writes down everything that changes when new cells take the place of old ones, each thing as it was and as it is.
//!
//! Invariant: portals to cells that are not touched keep their numbers and their ends. Cost: that of sorting what changes.

use crate::fabric::{Beyond, Covered, Edge, Face, Thin, undirected};
use crate::patch::{Keyed, Patched};
use crate::quick::QuickMap;
use crate::ranges::Planner;
use crate::rework::Piece;
use crate::seam::{Seam, sides};
use clearway_geometry::{NONE, Point};
use clearway_nav::mesh::{CellContent, PortalRecord, Side, Splice, Swap};
use std::collections::BTreeMap;

/// Something before and after.
type Change<T> = (Option<T>, Option<T>);

/// Portals before and after, by number.
type Portals = Vec<(u32, Change<PortalRecord>)>;

impl Seam<'_> {
    /// Writes down everything that changes. Returns none if two new cells would have the same side: floors meet there that
    /// are not joined.
    pub fn patch(self) -> Option<Patched> {
        let numbers = self.numbers();
        let at = self.piece_at();
        if at.len() < self.pieces.iter().map(|piece| piece.corners.len()).sum() {
            return None;
        }
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
            ..Splice::default()
        };
        let covered = self.covered(&numbers);
        Some(Patched {
            facing: self.facing(&numbers, &at),
            thin: self.thin(),
            made: self.made(&splice.vertices),
            splice,
            covered,
            ..Patched::default()
        })
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

    /// Returns the walls of no thickness between replaced cells and between new ones. Those that stay are noted as well:
    /// a door that turns under an obstacle changes no cell, and a patch that brings its portal back must not fit then.
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
        gathered(thin).map(into_keyed).collect()
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
