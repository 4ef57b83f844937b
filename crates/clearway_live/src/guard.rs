//! The laws of layers at new cells: cells around a vertex fill at most a full turn, and heights fit.
//!
//! In the plane the way cells are made keeps all laws. In layers ground may meet in projection and lie apart in height,
//! so new cells are looked at before anybody else sees them. Cost: linear in the new cells and their fans.

use clearway_geometry::{NONE, Point, Vector};
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellGraph, CellId};

/// Returns what is wrong with new cells of a mesh in layers; `None` if nothing is.
pub(crate) fn fault_at(mesh: &NavMesh, cells: &[CellId]) -> Option<&'static str> {
    let relief = mesh.layers()?;
    let graph = mesh.graph();
    for cell in cells.iter().filter(|cell| mesh.cell(**cell).is_some()) {
        for side in graph.sides(cell.0) {
            if !fits_in_a_turn(mesh, graph, cell.0, side) {
                return Some("the cells around a vertex would fill more than a full turn");
            }
            let portal = mesh.parts().sides[side].portal;
            if portal != NONE && mesh.step_fault(portal, relief).is_some() {
                return Some("cells that are more than a step apart in height would be joined");
            }
        }
        if mesh.within_head_room(cell.0, relief).next().is_some() {
            return Some("a cell would lie within the head-room of another");
        }
    }
    None
}

/// True if the cells around the start of a side fill at most a full turn.
fn fits_in_a_turn(mesh: &NavMesh, graph: &CellGraph, cell: u32, side: usize) -> bool {
    let point = |side: usize| -> Point { mesh.parts().points[graph.vertex[side] as usize] };
    let (mut home, mut first) = (cell, side);
    // Back to the wall that begins the row, or once around.
    while graph.beyond[first] != NONE {
        let (next, twin) = (graph.beyond[first], graph.twin[first] as usize);
        (home, first) = (next, graph.next(next, twin));
        if first == side {
            break;
        }
    }
    let onward = |cell: u32, side: usize| -> Vector { point(graph.next(cell, side)) - point(side) };
    let back = |cell: u32, side: usize| -> Vector { point(graph.before(cell, side)) - point(side) };
    let start = onward(home, first);
    let (mut cell, mut at) = (home, first);
    loop {
        let (from, to) = (onward(cell, at), back(cell, at));
        let is_inside =
            from.cross(start) > 0 && (start.cross(to) > 0 || (from.cross(to) == 0 && from.dot(to) < 0));
        if at != first && is_inside {
            return false;
        }
        let before = graph.before(cell, at);
        if graph.beyond[before] == NONE {
            return true;
        }
        (cell, at) = (graph.beyond[before], graph.twin[before] as usize);
        if at == first {
            return true;
        }
        // A row that came back to its start goes no further.
        if start.cross(to) == 0 && start.dot(to) > 0 {
            return false;
        }
    }
}
