//! Walls near a place, gathered by walking through portals and never by looking across floors.
//!
//! Whatever lies within `reach` of a segment is found by entering every cell that can be reached through portals
//! within `reach` of it. A wall found around a corner is harmless: the straight line to it leaves the mesh
//! through a nearer wall, which is found as well.

use crate::mesh::Layout;
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};

/// Room for floods, used again and again without allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flood {
    /// The number of the last flood that entered each cell.
    entered: Vec<u32>,
    round: u32,
    open: Vec<u32>,
}

impl Flood {
    /// Visits the walls within `reach` of the segment from `a` to `b`, which lies in `cells` (all that it runs
    /// through, or the one that holds the point `a = b`). `visit` gets the cell, the side and its distance, and
    /// returns the reach from there on, which may shrink. The order of visits depends on the mesh only.
    pub fn walls(
        &mut self,
        layout: &Layout,
        cells: &[u32],
        (a, b): (Vec2, Vec2),
        mut reach: f64,
        mut visit: impl FnMut(u32, usize, f64) -> f64,
    ) {
        self.start(layout, cells);
        while let Some(cell) = self.open.pop() {
            for side in layout.sides(cell) {
                let [from, to] = layout.ends(cell, side);
                let distance = segment_distance(a, b, from, to);
                if distance > reach {
                    continue;
                }
                match layout.beyond[side] {
                    NONE => reach = visit(cell, side, distance),
                    next => self.enter(next),
                }
            }
        }
    }

    /// Visits the cells within `reach` of the segment, the given ones first.
    pub fn cells(
        &mut self,
        layout: &Layout,
        cells: &[u32],
        (a, b): (Vec2, Vec2),
        reach: f64,
        mut visit: impl FnMut(u32),
    ) {
        self.start(layout, cells);
        while let Some(cell) = self.open.pop() {
            visit(cell);
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] != NONE) {
                let [from, to] = layout.ends(cell, side);
                if segment_distance(a, b, from, to) <= reach {
                    self.enter(layout.beyond[side]);
                }
            }
        }
    }

    fn start(&mut self, layout: &Layout, cells: &[u32]) {
        if self.entered.len() < layout.cell_count() || self.round == u32::MAX {
            self.entered.clear();
            self.entered.resize(layout.cell_count(), 0);
            self.round = 0;
        }
        self.round += 1;
        self.open.clear();
        for cell in cells {
            self.enter(*cell);
        }
    }

    fn enter(&mut self, cell: u32) {
        let entered = &mut self.entered[cell as usize];
        if *entered != self.round {
            *entered = self.round;
            self.open.push(cell);
        }
    }
}
