//! Moves bodies over the mesh: from cell to cell, through wraps, never through a wall.

use super::ground::Ground;
use clearway_geometry::NONE;
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};

/// The distance in metres from a side within which a place is decided exactly, not by floats.
const GUARD: f64 = 1e-7;

/// The largest number of cells that a body crosses in one move.
const MOST_CELLS: usize = 64;

/// The end of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    /// The position in plan coordinates.
    pub at: [f64; 2],
    /// The cell.
    pub cell: u32,
    /// True if the body could not go where it was to go.
    pub corrected: bool,
}

/// Moves a body straight to a place. A wall in the way stops it; then it slides.
pub(crate) fn place(
    mesh: &NavMesh,
    ground: &Ground,
    (from, cell): ([f64; 2], u32),
    to: [f64; 2],
    radius: f64,
) -> Placed {
    let near = ground.near_sides(ground.tile(cell, from));
    let is_inside = |side: &u32| height(ground, *side, to) >= GUARD;
    if near.iter().all(is_inside) {
        return Placed { at: to, cell, corrected: false };
    }
    walk(mesh, ground, (from, cell), to).unwrap_or_else(|| slide(mesh, (from, cell), to, radius))
}

/// Walks straight from cell to cell. `None` if a wall is in the way, or if rounding leaves no cell.
fn walk(mesh: &NavMesh, ground: &Ground, (from, cell): ([f64; 2], u32), to: [f64; 2]) -> Option<Placed> {
    let (mut from, mut to, mut cell, mut entry) = (from, to, cell, NONE);
    for _ in 0..MOST_CELLS {
        let Some((share, side)) = exit(ground, cell, entry, from, to) else {
            let here = Location::in_cell(CellId(cell), to);
            return mesh.is_here(&here).then_some(Placed { at: to, cell, corrected: false });
        };
        let side = &ground.sides[side as usize];
        if side.beyond == NONE {
            return None;
        }
        from = [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]) + side.shift[axis]);
        to = [0, 1].map(|axis| to[axis] + side.shift[axis]);
        (cell, entry) = (side.beyond, side.twin);
    }
    None
}

/// Returns the side through which a segment leaves a cell, and the share of the segment before it. `None` if it ends in
/// the cell. Of several sides on one line, the one that holds the crossing is taken.
fn exit(ground: &Ground, cell: u32, entry: u32, from: [f64; 2], to: [f64; 2]) -> Option<(f64, u32)> {
    let mut best: Option<(f64, f64, u32)> = None;
    for side in ground.sides_of(cell).map(|side| side as u32).filter(|side| *side != entry) {
        let end = height(ground, side, to);
        if end >= 0.0 {
            continue;
        }
        let start = height(ground, side, from).max(0.0);
        let share = start / (start - end);
        let at = [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
        let miss = beside(ground, side, at);
        let is_better = |(known, other, _): (f64, f64, u32)| {
            let is_tie = (share - known).abs() <= SAME_SHARE;
            if is_tie { miss < other } else { share < known }
        };
        if best.is_none_or(is_better) {
            best = Some((share, miss, side));
        }
    }
    best.map(|(share, _, side)| (share, side))
}

/// Two shares of a move that differ by less are one crossing: the sides lie on one line, or meet there.
const SAME_SHARE: f64 = 1e-9;

/// Returns the distance in metres by which a place on the line of a side lies beyond its ends; 0 between them.
fn beside(ground: &Ground, side: u32, at: [f64; 2]) -> f64 {
    let side = &ground.sides[side as usize];
    let along = [side.to[0] - side.from[0], side.to[1] - side.from[1]];
    let length = along[0].hypot(along[1]).max(f64::MIN_POSITIVE);
    let part = (along[0] * (at[0] - side.from[0]) + along[1] * (at[1] - side.from[1])) / length;
    (-part).max(part - length).max(0.0)
}

/// Returns the distance of a place from the line of a side; positive inside of the cell.
#[inline]
pub(crate) fn height(ground: &Ground, side: u32, at: [f64; 2]) -> f64 {
    let side = &ground.sides[side as usize];
    let along = [side.to[0] - side.from[0], side.to[1] - side.from[1]];
    let cross = along[0] * (at[1] - side.from[1]) - along[1] * (at[0] - side.from[0]);
    cross / (along[0] * along[0] + along[1] * along[1]).sqrt().max(f64::MIN_POSITIVE)
}

/// Moves a body with the exact queries of the mesh.
fn slide(mesh: &NavMesh, (from, cell): ([f64; 2], u32), to: [f64; 2], radius: f64) -> Placed {
    let here = Location::in_cell(CellId(cell), from);
    let moved = mesh.move_along(here, to, radius);
    let missed = [moved.position()[0] - to[0], moved.position()[1] - to[1]];
    let is_far = missed[0].abs().max(missed[1].abs()) > 1e-4;
    Placed { at: moved.position(), cell: moved.cell().0, corrected: is_far }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_build::MeshOptions;
    use clearway_world::Plan;

    /// Two corridors leave a room through one line. A body goes into the one before which it stands.
    #[test]
    fn of_portals_on_one_line_the_crossed_one_counts() {
        let ring =
            [[0.0, 0.0], [9.0, 0.0], [9.0, 1.9], [4.0, 1.9], [4.0, 2.1], [9.0, 2.1], [9.0, 4.0], [0.0, 4.0]];
        let mesh = MeshOptions::default().build(&Plan::from_rings([ring.to_vec()])).unwrap();
        let ground = Ground::new(&mesh, 2.5, &[]).unwrap();
        for y in [0.5, 1.5, 2.5, 3.5] {
            let from = mesh.locate([3.95, y]).unwrap();
            let to = [4.3, y + 0.1];
            let placed = walk(&mesh, &ground, (from.position(), from.cell().0), to).unwrap();
            assert_eq!((placed.at, placed.cell), (to, mesh.locate(to).unwrap().cell().0));
        }
    }
}
