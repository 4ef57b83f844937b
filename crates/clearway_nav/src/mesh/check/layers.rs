//! The laws of a mesh that lies over itself in layers, in place of those of the plane.
//!
//! What lies over each other cannot be told apart by a sweep, but a surface that is laid out in the plane without
//! folds at every single vertex has none anywhere: cells are convex and run the right way, portals join two sides, and
//! around each vertex the cells fill no more than one full turn. Heights are looked at where two cells meet, which must
//! be no more than a step apart, and over the middle of each cell, where nobody else may walk within the height of a
//! body.

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

/// Around each vertex: cells from wall to wall fill at most a full turn, and without a wall exactly one; and there is
/// only one such row.
fn check_turns(sides: &Sides<'_>, flaws: &mut Flaws) {
    let mut rows = vec![0u32; sides.mesh.vertex_count()];
    let mut seen = vec![false; sides.all().len()];
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

/// Follows the cells around the vertex at which `first` starts.
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

/// Whether a direction lies strictly inside a turn to the left of at most half a circle.
fn is_within(from: Vector, to: Vector, direction: Vector) -> bool {
    from.cross(direction) > 0 && (direction.cross(to) > 0 || from.cross(to) == 0)
}

/// Where two cells meet, one can step from one to the other.
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

/// Over the middle of a cell nobody walks within the height of a body.
fn check_head_room(sides: &Sides<'_>, relief: &Relief, flaws: &mut Flaws) {
    let mesh = sides.mesh;
    for cell in 0..mesh.cell_count() as u32 {
        for (other, room) in mesh.within_head_room(cell, relief) {
            let detail = || format!("cell {} lies {room:.3} above it", CellId(other));
            let flaw = || Flaw::new(FlawKind::Height, detail()).cell(cell);
            flaws.note(|| flaw().at(mesh.parts.grid.place(mesh.middle(cell))));
        }
    }
}
