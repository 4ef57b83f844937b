//! Sheets: parts of a mesh whose cells do not lie over each other, so that each is a plan of its own.
//!
//! A flood through portals adds cells to a sheet. A cell waits for another sheet if its inside lies over or under a cell
//! that is in already. It also waits if the two touch in a way that no plan has: a corner inside a side, or a portal along
//! a side that does not lead through it. Every test is made in integers. Cost: linear in the cells and in the pairs of
//! cells whose boxes touch.

use super::{MeshParts, NavMesh};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::{on_segment, overlap};
use clearway_geometry::{NONE, Point};

/// The sheet of each cell.
#[derive(Clone, Debug)]
pub struct Sheets {
    /// The number of the sheet of each cell; of no use for a cell that an edit took away.
    pub of_cell: Vec<u32>,
    /// The number of sheets.
    pub count: usize,
}

impl Sheets {
    /// The sheets of a mesh. A plan is one sheet.
    pub fn of(mesh: &NavMesh) -> Sheets {
        let parts = mesh.parts();
        if !mesh.has_heights() {
            return Sheets { of_cell: vec![0; parts.cell_region.len()], count: 1 };
        }
        let mut flood = Flood::over(mesh);
        let cells = parts.cell_region.len() as u32;
        while let Some(first) = (0..cells).find(|&cell| flood.of_cell[cell as usize] == NONE) {
            flood.fill(first);
            // Pieces of the mesh that no way leads to from here may lie in the same sheet.
            for cell in (first + 1..cells).filter(|&cell| !parts.sides_of(cell).is_empty()) {
                if !flood.is_begun[flood.component_of[cell as usize] as usize] && flood.fits(cell) {
                    flood.fill(cell);
                }
            }
            flood.sheet += 1;
        }
        Sheets { of_cell: flood.of_cell, count: flood.sheet.max(1) as usize }
    }
}

/// The flood that fills one sheet after the other.
struct Flood<'a> {
    parts: &'a MeshParts,
    beyond: &'a [u32],
    /// The corners of all cells, side by side as in the mesh.
    corners: Vec<Point>,
    boxes: Vec<Box2>,
    bins: BoxGrid<Box2>,
    of_cell: Vec<u32>,
    /// The sheet that is being filled.
    sheet: u32,
    /// The connected piece of each cell.
    component_of: Vec<u32>,
    /// For each connected piece, true if a cell of it is in a sheet.
    is_begun: Vec<bool>,
}

/// Stands for the sheet of a cell that an edit took away.
const NOWHERE: u32 = NONE - 1;

impl<'a> Flood<'a> {
    fn over(mesh: &'a NavMesh) -> Flood<'a> {
        let parts = mesh.parts();
        let corners: Vec<Point> = parts.sides.iter().map(|side| parts.points[side.vertex as usize]).collect();
        // A cell that an edit took away gets some box; it is in no sheet.
        let rings = (0..mesh.cell_slots() as u32).map(|cell| match parts.sides_of(cell) {
            sides if sides.is_empty() => &corners[..1],
            sides => &corners[sides],
        });
        let boxes: Vec<Box2> = rings.map(Box2::of).collect();
        let mut of_cell = vec![NOWHERE; boxes.len()];
        let mut component_of = vec![NONE; boxes.len()];
        for cell in mesh.cells() {
            of_cell[cell.id().index()] = NONE;
            component_of[cell.id().index()] = cell.component().0;
        }
        Flood {
            parts,
            beyond: &mesh.graph().beyond,
            bins: BoxGrid::of(boxes.clone()),
            of_cell,
            sheet: 0,
            component_of,
            is_begun: vec![false; mesh.component_count()],
            corners,
            boxes,
        }
    }

    fn sides(&self, cell: u32) -> std::ops::Range<usize> {
        self.parts.sides_of(cell)
    }

    /// Puts a cell that fits into the sheet, and all that can be reached from it and fit too.
    fn fill(&mut self, first: u32) {
        let mut waiting = std::collections::VecDeque::from([first]);
        while let Some(cell) = waiting.pop_front() {
            if self.of_cell[cell as usize] != NONE || !self.fits(cell) {
                continue;
            }
            self.of_cell[cell as usize] = self.sheet;
            self.is_begun[self.component_of[cell as usize] as usize] = true;
            waiting.extend(self.beyond[self.sides(cell)].iter().filter(|&&next| next != NONE));
        }
    }

    /// True if a cell lies beside all cells of the sheet.
    fn fits(&self, cell: u32) -> bool {
        !self.bins.any_touching(&self.boxes[cell as usize], |other| {
            self.of_cell[other as usize] == self.sheet && !self.is_beside(cell, other)
        })
    }

    /// True if two cells do not overlap, and touch only at common corners, along walls of both or at their own portal.
    fn is_beside(&self, cell: u32, other: u32) -> bool {
        let (mine, theirs) = (self.sides(cell), self.sides(other));
        let (ring, beside) = (&self.corners[mine.clone()], &self.corners[theirs.clone()]);
        if overlap(ring, beside) {
            return false;
        }
        mine.enumerate().all(|(i, side)| {
            let [a, b] = [ring[i], ring[(i + 1) % ring.len()]];
            theirs.clone().enumerate().all(|(j, across)| {
                let [c, d] = [beside[j], beside[(j + 1) % beside.len()]];
                if a == d && b == c {
                    return self.parts.sides[side].portal == self.parts.sides[across].portal;
                }
                ![(a, b, c), (a, b, d), (c, d, a), (c, d, b)].into_iter().any(|(p, q, x)| is_within(p, q, x))
            })
        })
    }
}

/// True if a point lies on a segment and is none of its ends.
fn is_within(a: Point, b: Point, p: Point) -> bool {
    p != a && p != b && on_segment(a, b, p)
}
