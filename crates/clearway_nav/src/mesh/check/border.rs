//! Walls close into loops, and Euler's formula holds in every connected piece.
//!
//! A wall is followed by the wall that one meets first when turning around its end through the cells there. This map is
//! one-to-one, so walls form loops. It holds also where borders touch in a vertex or a wall has no thickness.
//!
//! Each wall starts one free sector. So a piece whose border is cut open at touching vertices has as many border
//! vertices as walls. Euler's formula for a sphere with one disc removed per loop then reads: cells = portals − inner
//! vertices + 2 − loops. Cost: linear in the number of sides.

use super::flaw::{Flaw, FlawKind, Flaws};
use super::groups::Pieces;
use super::sides::Sides;
use clearway_geometry::NONE;

/// The counts of one connected piece that enter Euler's formula.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// The number of cells.
    cells: i64,
    /// The number of portals.
    portals: i64,
    /// The number of vertices that no wall touches.
    inner_vertices: i64,
    /// The number of loops of walls.
    loops: i64,
    /// The cell with the lowest number, named in the report.
    first_cell: Option<u32>,
}

/// Notes pieces whose counts break Euler's formula.
pub(super) fn check(sides: &Sides<'_>, pieces: &Pieces, flaws: &mut Flaws) {
    for tally in tallies(sides, pieces) {
        let expected = tally.portals - tally.inner_vertices + 2 - tally.loops;
        // A surface in layers may have handles, such as a bridge that leads over another. Each handle takes two cells
        // away.
        let has_handles =
            sides.mesh.has_heights() && expected > tally.cells && (expected - tally.cells) % 2 == 0;
        let is_right = expected == tally.cells || has_handles;
        let Some(cell) = tally.first_cell.filter(|_| !is_right) else { continue };
        let detail = || {
            let Tally { cells, portals, inner_vertices, loops, .. } = tally;
            format!(
                "its piece has {cells} cells, but {portals} portals, {inner_vertices} inner vertices and {loops} \
                 border loops call for {expected}"
            )
        };
        let at = sides.mesh.parts.grid.world(sides.point(sides.from(sides.of_cell(cell).start)));
        flaws.note(|| Flaw::new(FlawKind::Euler, detail()).cell(cell).at(at));
    }
}

/// Counts the parts of every connected piece.
fn tallies(sides: &Sides<'_>, pieces: &Pieces) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); pieces.count as usize];
    for (cell, piece) in pieces.of_cell.iter().enumerate() {
        let tally = &mut tallies[*piece as usize];
        tally.cells += 1;
        tally.first_cell.get_or_insert(cell as u32);
    }
    let piece = |side: u32| pieces.of_cell[sides.cell(side) as usize] as usize;
    for record in &sides.mesh.parts.portals {
        tallies[pieces.of_cell[record.cells[0] as usize] as usize].portals += 1;
    }
    for first in border_loops(sides) {
        tallies[piece(first)].loops += 1;
    }
    for side in one_side_of_inner_vertices(sides) {
        tallies[piece(side)].inner_vertices += 1;
    }
    tallies
}

/// Returns one wall of each border loop.
fn border_loops(sides: &Sides<'_>) -> Vec<u32> {
    let mut seen = vec![false; sides.all().len()];
    let mut firsts = Vec::new();
    for first in sides.all().filter(|side| sides.twin(*side) == NONE) {
        if seen[first as usize] {
            continue;
        }
        firsts.push(first);
        let mut at = first;
        while !seen[at as usize] {
            seen[at as usize] = true;
            at = following_wall(sides, at);
        }
    }
    firsts
}

/// Returns the wall that follows along the border. The walk ends: stepping through a portal and on is one-to-one and
/// never leads back to the start, so all sides passed are different.
fn following_wall(sides: &Sides<'_>, wall: u32) -> u32 {
    let mut at = sides.next(wall);
    while sides.twin(at) != NONE {
        at = sides.next(sides.twin(at));
    }
    at
}

/// Returns one side that starts at each vertex that no wall touches.
fn one_side_of_inner_vertices(sides: &Sides<'_>) -> impl Iterator<Item = u32> {
    let mut side_at = vec![NONE; sides.mesh.vertex_count()];
    for side in sides.all() {
        side_at[sides.from(side) as usize] = side;
    }
    for wall in sides.all().filter(|side| sides.twin(*side) == NONE) {
        for vertex in sides.ends(wall) {
            side_at[vertex as usize] = NONE;
        }
    }
    side_at.into_iter().filter(|side| *side != NONE)
}
