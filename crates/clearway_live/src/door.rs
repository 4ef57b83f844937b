//! Doors: segments that are always between cells, portals while open and walls while closed.
//!
//! A door is inserted once, as an obstacle of no thickness is. From then on no cell lies across it. Opening and closing
//! divides nothing anew: sides of the cells beside it become portals or walls. Cost of a change: linear in the sides of
//! those cells.

use crate::edit::DoorId;
use crate::fabric::{Edge, Fabric, Face, Thin};
use crate::live_mesh::LiveMesh;
use crate::patch::{Keyed, Patched, Standing};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::NONE;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellContent, PortalRecord, Swap};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

impl LiveMesh {
    /// Returns true for a door that is open; `None` if the door was removed.
    pub fn is_open(&self, id: DoorId) -> Option<bool> {
        self.standing(id.0).and_then(|standing| standing.door)
    }

    /// Returns all doors in the order of their numbers, each with true if it is open.
    pub fn doors(&self) -> impl Iterator<Item = (DoorId, bool)> {
        self.all_standing().filter_map(|(id, standing)| Some((DoorId(id), standing.door?)))
    }

    /// Fails if there is no such door.
    pub(crate) fn known_door(&self, id: DoorId) -> Result<&Standing> {
        let unknown = || Error::new(ErrorKind::Options, format!("there is no door {id}; it was removed"));
        self.standing(id.0).filter(|standing| standing.door.is_some()).ok_or_else(unknown)
    }

    /// Returns what opening or closing a door changes; `None` if it is so already.
    pub(crate) fn toggled(&self, id: DoorId, open: bool) -> Result<Option<Patched>> {
        let before = self.known_door(id)?.clone();
        if before.door == Some(open) {
            return Ok(None);
        }
        let mut patch = toggled(self.mesh(), self.fabric(), id.0.index, open);
        let after = Standing { door: Some(open), ..before.clone() };
        patch.obstacles.push(Swap { slot: id.0.index, before: Some(before), after: Some(after) });
        Ok(Some(patch))
    }
}

/// Returns what opening or closing a door changes in the mesh and beside it.
fn toggled(mesh: &NavMesh, fabric: &Fabric, door: u32, open: bool) -> Patched {
    let mut patch = Patched::default();
    let mut cells: BTreeMap<u32, CellContent> = BTreeMap::new();
    let mut unused = fabric.free.portals.iter().copied().chain(mesh.parts().portals.len() as u32..);
    for edge in fabric.owned_thin.get(door as usize).into_iter().flatten() {
        let Some(before) = fabric.thin.get(edge) else { continue };
        let after = switched(before, door, open);
        let is_changed = before.is_wall() != after.is_wall();
        patch.thin.push(Keyed { key: *edge, before: Some(before.clone()), after: Some(after) });
        let back = (edge.1, edge.0);
        let sides = is_changed.then(|| [free_cell_at(mesh, fabric, *edge), free_cell_at(mesh, fabric, back)]);
        let Some([Some(left), Some(right)]) = sides else {
            // Who stands there decides; once that changes, the turn cannot be taken back alone.
            let face = |key: Edge| fabric.facing.get(&key).copied();
            patch.facing.extend([*edge, back].map(|key| Keyed { key, before: face(key), after: face(key) }));
            continue;
        };
        let portal = match open {
            true => unused.next().unwrap_or(NONE),
            false => portal_at(mesh, left, *edge),
        };
        let record = PortalRecord { vertices: [edge.0, edge.1], cells: [left, right] };
        let known = mesh.parts().portals.get(portal as usize).copied().filter(|_| !open);
        patch.splice.portals.push(Swap { slot: portal, before: known, after: open.then_some(record) });
        let door = |is_there: bool| is_there.then_some(());
        patch.splice.doors.push(Swap { slot: portal, before: door(!open), after: door(open) });
        for (edge, cell) in [(*edge, left), (back, right)] {
            let face = |is_there: bool| is_there.then_some(Face::Free(cell));
            patch.facing.push(Keyed { key: edge, before: face(open), after: face(!open) });
            let Some(known) = mesh.content(cell) else { continue };
            let content = cells.entry(cell).or_insert(known);
            set_portal(content, edge, if open { portal } else { NONE });
        }
    }
    let swap =
        |(slot, after): (u32, CellContent)| Swap { slot, before: mesh.content(slot), after: Some(after) };
    patch.splice.cells = cells.into_iter().map(swap).collect();
    patch.splice.portals.sort_unstable_by_key(|swap| swap.slot);
    patch
}

/// Returns a wall with one door opened or closed.
fn switched(thin: &Thin, door: u32, open: bool) -> Thin {
    let mut thin = thin.clone();
    let (from, to) =
        if open { (&mut thin.owners, &mut thin.open) } else { (&mut thin.open, &mut thin.owners) };
    from.retain(|owner| *owner != door);
    to.push(door);
    to.sort_unstable();
    to.dedup();
    thin
}

/// Returns the free cell on the left of an edge.
pub(crate) fn free_cell_at(mesh: &NavMesh, fabric: &Fabric, edge: Edge) -> Option<u32> {
    match fabric.facing.get(&edge) {
        Some(Face::Free(cell)) => return Some(*cell),
        Some(Face::Covered(_)) => return None,
        None => {}
    }
    let [a, b] = [edge.0, edge.1].map(|vertex| mesh.parts().points[vertex as usize].as_vec2());
    let middle = (a + b) * 0.5;
    let mut found = None;
    let _ = mesh.index().touching(middle, middle, |cell| {
        match place_of(&mesh.parts().sides[mesh.parts().sides_of(cell)], edge) {
            Some(_) => {
                found = Some(cell);
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    });
    found
}

/// Returns the place of a side among the sides of its cell.
fn place_of(sides: &[clearway_nav::mesh::Side], edge: Edge) -> Option<usize> {
    let following = sides.iter().skip(1).chain(sides.first());
    sides.iter().zip(following).position(|(side, next)| (side.vertex, next.vertex) == edge)
}

/// Returns the portal along an edge of a cell.
fn portal_at(mesh: &NavMesh, cell: u32, edge: Edge) -> u32 {
    let sides = &mesh.parts().sides[mesh.parts().sides_of(cell)];
    place_of(sides, edge).map_or(NONE, |place| sides[place].portal)
}

/// Gives a side of a cell this portal.
fn set_portal(content: &mut CellContent, edge: Edge, portal: u32) {
    if let Some(place) = place_of(&content.sides, edge) {
        content.sides[place].portal = portal;
    }
}
