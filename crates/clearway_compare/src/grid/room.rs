//! Distances to walls around a point and along a line, in grid units.

use clearway_geometry::{NONE, Vec2, vec2::segment_distance};
use clearway_nav::mesh::{CellGraph, NavMesh};
use clearway_nav::query::Flood;

/// Distances below this count as touching, in grid units: it covers rounding.
const TOUCH: f64 = 1e-3;

/// Returns the distance to walls that a body needs. Even a point may not touch them here, because a line that touches a
/// wall measures the same as a line that crosses it.
pub fn needed(radius: f64) -> f64 {
    radius.max(TOUCH)
}

/// The walls of a mesh, with buffers for finding them.
#[derive(Clone, Debug)]
pub struct Room<'m> {
    /// The mesh.
    layout: &'m CellGraph,
    /// Scratch buffers.
    flood: Flood,
}

impl<'m> Room<'m> {
    /// Makes the buffers for a mesh.
    pub fn of(mesh: &'m NavMesh) -> Room<'m> {
        Room { layout: mesh.graph(), flood: Flood::default() }
    }

    /// Returns the distance to the nearest wall, at most `reach`.
    pub fn clearance(&mut self, cell: u32, at: Vec2, reach: f64) -> f64 {
        self.line_clearance(cell, at, at, reach)
    }

    /// Returns the distance of a line from the nearest wall, at most `reach`; zero if it leaves the mesh.
    pub fn line_clearance(&mut self, cell: u32, a: Vec2, b: Vec2, reach: f64) -> f64 {
        self.flood.distance(self.layout, &[cell], (a, b), reach)
    }

    /// True if a body can step straight from one centre to another.
    pub fn step_is_legal(&mut self, cell: u32, a: Vec2, b: Vec2, radius: f64) -> bool {
        let needed = needed(radius);
        self.line_clearance(cell, a, b, needed) >= needed
    }

    /// True if a body can walk straight from any legal point to a centre.
    pub fn link_is_legal(&mut self, from: (u32, Vec2), to: (u32, Vec2), radius: f64) -> bool {
        let ((cell, a), (owner, b)) = (from, to);
        if radius >= TOUCH {
            return self.step_is_legal(cell, a, b, radius);
        }
        // A point may stand at a wall. So its line is measured from a little further on, and must not cross.
        self.chain(cell, owner, a, b).is_some() && self.step_is_legal(cell, a + (b - a) * 1e-6, b, radius)
    }

    /// Returns the cells along a line, first to last, and the sides through which each but the last is left.
    pub fn chain(&self, first: u32, last: u32, a: Vec2, b: Vec2) -> Option<(Vec<u32>, Vec<usize>)> {
        let layout = self.layout;
        // Breadth first; lines are short, so scanning the list is faster than any index.
        let mut entered: Vec<(u32, usize, usize)> = vec![(first, 0, 0)];
        let mut next = 0;
        while let Some(&(cell, ..)) = entered.get(next) {
            if cell == last {
                return Some(unwound(&entered, next));
            }
            for side in layout.sides(cell) {
                let beyond = layout.beyond[side];
                let [from, to] = layout.ends(cell, side);
                let is_new = beyond != NONE && entered.iter().all(|(cell, ..)| *cell != beyond);
                if is_new && segment_distance(a, b, from, to) <= TOUCH {
                    entered.push((beyond, next, side));
                }
            }
            next += 1;
        }
        None
    }
}

/// Returns the cells and sides from the first entry to `last`, by following the parents back.
fn unwound(entered: &[(u32, usize, usize)], last: usize) -> (Vec<u32>, Vec<usize>) {
    let (mut cells, mut sides) = (vec![entered[last].0], Vec::new());
    let mut at = last;
    while at != 0 {
        let (_, previous, side) = entered[at];
        sides.push(side);
        cells.push(entered[previous].0);
        at = previous;
    }
    cells.reverse();
    sides.reverse();
    (cells, sides)
}
