//! Walls close into loops, and Euler's formula holds in every connected piece.
//!
//! A wall is followed by the wall that one meets first when turning around its end through the cells there.
//! That map is one-to-one, so walls form loops, also where borders touch in a vertex or a wall has no thickness.
//! Each wall starts one free sector, so a piece whose border is cut open at touching vertices has as many
//! border vertices as walls, and Euler's formula for a sphere with one disc taken out for each loop reads
//! cells = portals − inner vertices + 2 − loops.

use super::flaw::{Flaw, FlawKind, Flaws};
use super::groups::Pieces;
use super::sides::Sides;
use clearway_geometry::NONE;

/// What a connected piece is made of.
#[derive(Clone, Copy, Default)]
struct Tally {
    cells: i64,
    portals: i64,
    inner_vertices: i64,
    loops: i64,
    first_cell: Option<u32>,
}

/// Notes pieces whose parts do not add up.
pub(super) fn check(sides: &Sides<'_>, pieces: &Pieces, flaws: &mut Flaws) {
    for tally in tallies(sides, pieces) {
        let expected = tally.portals - tally.inner_vertices + 2 - tally.loops;
        // Every handle of a surface in layers, such as a bridge that leads over another, takes two cells away.
        let has_handles =
            sides.mesh.parts.relief.is_some() && expected > tally.cells && (expected - tally.cells) % 2 == 0;
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

/// One wall of each border loop.
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

/// The wall that follows along the border. It ends: the sides passed on the way around a vertex are all
/// different, because stepping through a portal and on is one-to-one and never leads back to the start.
fn following_wall(sides: &Sides<'_>, wall: u32) -> u32 {
    let mut at = sides.next(wall);
    while sides.twin(at) != NONE {
        at = sides.next(sides.twin(at));
    }
    at
}

/// For each vertex that no wall touches, one side that starts there.
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
