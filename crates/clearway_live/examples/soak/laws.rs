//! The laws of the cells that an edit made, each by itself and beside its neighbours. All in integers; no code is shared
//! with the engine.

use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point};
use clearway_live::Changes;
use clearway_nav::NavMesh;
use std::collections::BTreeSet;

/// Returns what is wrong with the cells that an edit made and with their neighbours.
pub fn local_fault(mesh: &NavMesh, changes: &Changes) -> Option<String> {
    if let Some(fault) = portal_fault(mesh) {
        return Some(fault);
    }
    let parts = mesh.parts();
    let mut made: BTreeSet<u32> = changes.added.iter().map(|cell| cell.0).collect();
    made.retain(|cell| !parts.sides_of(*cell).is_empty());
    let mut cells = made.clone();
    // Also cells that name a new cell as their neighbour, which it may not know. A portal that is no more names none.
    let beside = parts.portals.iter().filter(|portal| portal.cells.iter().any(|cell| made.contains(cell)));
    cells.extend(beside.flat_map(|portal| portal.cells));
    for cell in &cells {
        if let Some(fault) = fault_of(mesh, *cell) {
            return Some(format!("cell {cell}: {fault}"));
        }
    }
    // Floors over each other have cells over each other.
    let is_flat = !mesh.has_heights();
    let pairs = made.iter().flat_map(|a| cells.iter().map(move |b| (*a, *b))).filter(|(a, b)| a != b);
    let mut crossing = pairs.filter(|(a, b)| is_flat && overlap(&outline(mesh, *a), &outline(mesh, *b)));
    crossing.next().map(|(a, b)| format!("cells {a} and {b} overlap"))
}

/// Returns what is wrong with the list of portals: a portal of a cell that is no more or does not know it, or an open
/// door whose portal is no more.
fn portal_fault(mesh: &NavMesh) -> Option<String> {
    let parts = mesh.parts();
    for door in &parts.doors {
        if mesh.portal_record(*door).is_none() {
            return Some(format!("the door at portal {door} has no portal"));
        }
    }
    for (number, portal) in (0u32..).zip(&parts.portals).filter(|(_, portal)| portal.cells[0] != NONE) {
        for cell in portal.cells {
            if !parts.sides[parts.sides_of(cell)].iter().any(|side| side.portal == number) {
                return Some(format!("portal {number} names cell {cell}, which does not name it"));
            }
        }
    }
    None
}

/// The corners of a cell on the grid.
fn outline(mesh: &NavMesh, cell: u32) -> Vec<Point> {
    let parts = mesh.parts();
    parts.sides[parts.sides_of(cell)].iter().map(|side| parts.points[side.vertex as usize]).collect()
}

/// Returns what is wrong with a cell by itself.
fn fault_of(mesh: &NavMesh, cell: u32) -> Option<String> {
    let parts = mesh.parts();
    let sides = &parts.sides[parts.sides_of(cell)];
    if sides.len() < 3 {
        return Some(format!("{} sides", sides.len()));
    }
    let corners = outline(mesh, cell);
    let count = corners.len();
    for i in 0..count {
        if (0..count).any(|j| orient(corners[i], corners[(i + 1) % count], corners[j]) < 0) {
            return Some(format!("not convex: {corners:?}"));
        }
    }
    for (i, side) in sides.iter().enumerate().filter(|(_, side)| side.portal != NONE) {
        let Some(portal) = parts.portals.get(side.portal as usize) else {
            return Some(format!("no portal {}", side.portal));
        };
        let ends = [side.vertex, sides[(i + 1) % count].vertex];
        let Some(place) = portal.cells.iter().position(|other| *other == cell) else {
            return Some(format!("portal {} does not know it", side.portal));
        };
        let expected = if place == 0 { portal.vertices } else { [portal.vertices[1], portal.vertices[0]] };
        let beyond = &parts.sides[parts.sides_of(portal.cells[1 - place])];
        if ends != expected || !beyond.iter().any(|other| other.portal == side.portal) {
            return Some(format!("portal {} is not mutual: {ends:?} {portal:?} {beyond:?}", side.portal));
        }
    }
    None
}

/// True if the insides of two convex outlines meet: no side of either parts them.
fn overlap(a: &[Point], b: &[Point]) -> bool {
    let parts = |one: &[Point], other: &[Point]| {
        (0..one.len()).any(|i| other.iter().all(|p| orient(one[i], one[(i + 1) % one.len()], *p) <= 0))
    };
    !parts(a, b) && !parts(b, a)
}
