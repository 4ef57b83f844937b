//! The laws of a mesh that lies over itself in layers, in place of the laws of the plane.
//!
//! A sweep cannot separate layers. But a surface that is laid out in the plane without a fold at any vertex has no
//! folds anywhere. So it suffices that cells are convex and counter-clockwise, that portals join two sides, and that
//! the cells around each vertex fill at most one full turn.
//!
//! Heights are checked where two cells meet: they may be at most a step apart. They are also checked over the middle of
//! each cell: no other cell may lie there within the height of a body.

use super::flaw::{Flaw, FlawKind, Flaws};
use super::sides::Sides;
use crate::mesh::{CellId, Relief};
use clearway_geometry::{NONE, Vector};

/// Notes folds, and cells that meet or lie over each other at the wrong heights.
pub(super) fn check(sides: &Sides<'_>, relief: &Relief, flaws: &mut Flaws) {
    check_turns(sides, flaws);
    check_steps(sides, relief, flaws);
    check_head_room(sides, relief, flaws);
}

/// Checks the cells around each vertex. From wall to wall they fill at most a full turn; without a wall they fill
/// exactly one. They form only one such row.
fn check_turns(sides: &Sides<'_>, flaws: &mut Flaws) {
    let mut rows = vec![0u32; sides.mesh.vertex_count()];
    let mut seen = vec![false; sides.all().len()];
    // Rows with walls must start at their first wall; rows without may start anywhere.
    let walls_first = sides.all().filter(|side| sides.twin(*side) == NONE).chain(sides.all());
    for first in walls_first {
        if seen[first as usize] {
            continue;
        }
        let vertex = sides.from(first);
        rows[vertex as usize] += 1;
        let fault = match row_fault(sides, first, &mut seen) {
            None if rows[vertex as usize] > 1 => Some("the cells around it do not form one row"),
            fault => fault,
        };
        if let Some(detail) = fault {
            flaws.note(|| {
                Flaw::new(FlawKind::Fold, detail).vertex(sides.mesh, vertex).cell(sides.cell(first))
            });
        }
    }
}

/// Follows the cells around the vertex at which `first` starts, and marks their sides as seen. Returns the fault, if
/// any.
fn row_fault(sides: &Sides<'_>, first: u32, seen: &mut [bool]) -> Option<&'static str> {
    let start = sides.direction(first);
    let mut at = first;
    let mut is_full = false;
    loop {
        if is_full || seen[at as usize] {
            return Some("the cells around it fill more than a full turn");
        }
        seen[at as usize] = true;
        let last = sides.prev(at);
        let (from, to) = (sides.direction(at), sides.direction(last).reversed());
        // The row has turned past its own start.
        if at != first && is_within(from, to, start) {
            return Some("the cells around it fill more than a full turn");
        }
        is_full = start.cross(to) == 0 && start.dot(to) > 0;
        let twin = sides.twin(last);
        match twin {
            NONE => return None,
            twin if twin == first => {
                return (!is_full).then_some("the cells around it fill less than a full turn");
            }
            twin => at = twin,
        }
    }
}

/// True if a direction lies strictly inside a left turn of at most half a circle.
fn is_within(from: Vector, to: Vector, direction: Vector) -> bool {
    from.cross(direction) > 0 && (direction.cross(to) > 0 || from.cross(to) == 0)
}

/// Notes portals whose two cells are more than a step apart in height.
fn check_steps(sides: &Sides<'_>, relief: &Relief, flaws: &mut Flaws) {
    let mesh = sides.mesh;
    for portal in 0..mesh.parts.portals.len() as u32 {
        if let Some((at, [here, there])) = mesh.step_fault(portal, relief) {
            let detail = || format!("joins ground at heights {here:.3} and {there:.3}");
            let flaw = || Flaw::new(FlawKind::Height, detail()).portal(portal);
            flaws.note(|| flaw().at(mesh.parts.grid.place(at)));
        }
    }
}

/// Notes cells that lie over the middle of another cell within the height of a body.
fn check_head_room(sides: &Sides<'_>, relief: &Relief, flaws: &mut Flaws) {
    let mesh = sides.mesh;
    for cell in 0..mesh.cell_slots() as u32 {
        for (other, room) in mesh.within_head_room(cell, relief) {
            let detail = || format!("cell {} lies {room:.3} above it", CellId(other));
            let flaw = || Flaw::new(FlawKind::Height, detail()).cell(cell);
            flaws.note(|| flaw().at(mesh.parts.grid.place(mesh.middle(cell))));
        }
    }
}
