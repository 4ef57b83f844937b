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
use clearway_geometry::{NONE, Vec2, Vector};

/// How much heights may differ from what they must be: places on walls lie beside their faces by a few grid units, and a
/// face may be as steep as allowed.
const HEIGHT_SLACK: f64 = 0.01;

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
    for (number, portal) in mesh.portals.iter().enumerate() {
        let ends = portal.vertices.map(|vertex| sides.point(vertex).as_vec2());
        for t in [0.05, 0.5, 0.95] {
            let at = ends[0] + (ends[1] - ends[0]) * t;
            let [here, there] = portal.cells.map(|cell| mesh.ground_height(cell, at));
            if (here - there).abs() > relief.max_step + HEIGHT_SLACK {
                let detail = || format!("joins ground at heights {here:.3} and {there:.3}");
                let flaw = || Flaw::new(FlawKind::Height, detail()).portal(number as u32);
                flaws.note(|| flaw().at(mesh.grid.place(at)));
                break;
            }
        }
    }
}

/// Over the middle of a cell nobody walks within the height of a body.
fn check_head_room(sides: &Sides<'_>, relief: &Relief, flaws: &mut Flaws) {
    let mesh = sides.mesh;
    for cell in mesh.cells() {
        let corners: Vec<Vec2> = cell.points().map(clearway_geometry::Point::as_vec2).collect();
        let middle =
            corners.iter().fold(Vec2::new(0.0, 0.0), |sum, at| sum + *at) * (1.0 / corners.len() as f64);
        let height = mesh.ground_height(cell.id().0, middle);
        for other in mesh.cells_holding(middle).into_iter().filter(|other| *other != cell.id().0) {
            let room = mesh.ground_height(other, middle) - height;
            if room >= 0.0 && room < relief.body_height - HEIGHT_SLACK {
                let detail = || format!("cell {} lies {room:.3} above it", CellId(other));
                let flaw = || Flaw::new(FlawKind::Height, detail()).cell(cell.id().0);
                flaws.note(|| flaw().at(mesh.grid.place(middle)));
            }
        }
    }
}
