//! The walls that are in sight of a corner.
//!
//! A body that touches a corner is a convex disc with the corner on its border. Suppose that a wall is in the disc. The
//! straight line from the corner to it lies in the disc, and the first wall on that line is in sight. So only walls in
//! sight need be examined. Where floors lie over each other, no others may be: what is near but not in sight can be
//! above or below. The cost grows with the sides of the cells in sight within reach.

use crate::mesh::{CellGraph, Corner};
use clearway_geometry::{NONE, Vec2};

/// The most cells that are visited around a vertex. No vertex of a sound mesh has as many; on a broken one the loop
/// ends here.
const MOST_CELLS_AROUND: usize = 1 << 12;

/// A part of the view from a corner: through a side into a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// The cell that it looks into.
    cell: u32,
    /// The side of the cell by which it looks in.
    side: u32,
    /// The direction that bounds it on the right.
    right: Vec2,
    /// The direction that bounds it on the left.
    left: Vec2,
}

/// Visits the parts of walls that are in sight of a corner and closer to it than `reach`, relative to the corner. It
/// also visits the ends of walls on the border of the view, as parts without length. The walls that meet in the corner
/// are left out. `open` is a scratch buffer.
pub(super) fn walls_in_sight(
    layout: &CellGraph,
    corner: &Corner,
    reach: f64,
    open: &mut Vec<Outlook>,
    mut visit: impl FnMut([Vec2; 2]),
) {
    let center = layout.start[corner.side as usize];
    let mut pass = |cell: u32, side: usize, outlook: Option<Outlook>, open: &mut Vec<Outlook>| {
        let ends = layout.ends(cell, side).map(|end| end - center);
        let Some(seen) = outlook.map_or(Some(ends), |outlook| outlook.clip(ends)) else { return };
        if Vec2::default().distance_to_segment(seen[0], seen[1]) >= reach {
            return;
        }
        if layout.beyond[side] == NONE {
            return visit(seen);
        }
        // An end of a wall beside the portal counts although the wall itself may be out of sight.
        for (place, corner) in [side, layout.next(cell, side)].into_iter().enumerate() {
            if seen[place] == ends[place] && layout.solid[layout.vertex[corner] as usize] {
                visit([ends[place]; 2]);
            }
        }
        if seen[0].cross(seen[1]) > 0.0 {
            let [right, left] = seen;
            open.push(Outlook { cell: layout.beyond[side], side: layout.twin[side], right, left });
        }
    };
    open.clear();
    let (mut cell, mut leaving) = (corner.cell, corner.side as usize);
    for _ in 0..MOST_CELLS_AROUND {
        let arriving = layout.before(cell, leaving);
        let mut side = layout.next(cell, leaving);
        while side != arriving {
            pass(cell, side, None, open);
            side = layout.next(cell, side);
        }
        if layout.beyond[arriving] == NONE {
            break;
        }
        (cell, leaving) = (layout.beyond[arriving], layout.twin[arriving] as usize);
    }
    while let Some(outlook) = open.pop() {
        let mut side = outlook.side as usize;
        // All sides but the one by which it looks in.
        for _ in 1..layout.sides(outlook.cell).len() {
            side = layout.next(outlook.cell, side);
            pass(outlook.cell, side, Some(outlook), open);
        }
    }
}

impl Outlook {
    /// Returns the part of a side that is in sight.
    fn clip(&self, [start, end]: [Vec2; 2]) -> Option<[Vec2; 2]> {
        let is_seen = start.cross(end) > 0.0 && self.right.cross(end) > 0.0 && start.cross(self.left) > 0.0;
        let meet = |direction: Vec2| {
            let along = end - start;
            direction * (start.cross(along) / direction.cross(along))
        };
        is_seen.then(|| {
            let is_cut = [start.cross(self.right) > 0.0, self.left.cross(end) > 0.0];
            [if is_cut[0] { meet(self.right) } else { start }, if is_cut[1] { meet(self.left) } else { end }]
        })
    }
}
