//! The graph after an edit: only what the edit touched is written.
//!
//! Corners stay without gaps: the last one takes the place of one that goes. Blocks cannot be patched, because one
//! portal more or less may join or part them anywhere. So after an edit all portals count as one block, which is right
//! but prunes nothing.
//!
//! Cost: linear in the touched sides and the fans at their ends; the first patch of a graph is linear in the graph.

use super::corners::corner_at;
use super::{CellGraph, PackedSide};
use crate::mesh::{MeshParts, Splice};
use clearway_geometry::{NONE, Vec2};

impl CellGraph {
    /// Writes an edit. The graph is that of the mesh before the edit; `parts` are those after it.
    pub(crate) fn patch(&mut self, parts: &MeshParts, splice: &Splice) {
        self.make_patchable();
        let [before, after] = splice.cell_slots();
        let (mut vertices, mut fan) = (Vec::new(), Vec::new());
        for cell in &before {
            self.forget_corners(*cell, &mut fan);
        }
        for cell in &before {
            self.count_walls(*cell, false, &mut vertices);
        }
        self.lengthen(parts);
        for swap in &splice.cells {
            let range = parts.sides_of(swap.slot);
            self.ranges[swap.slot as usize] = [range.start as u32, range.end as u32];
            for side in range {
                let vertex = parts.sides[side].vertex;
                self.vertex[side] = vertex;
                self.start[side] = parts.points[vertex as usize].as_vec2();
                (self.twin[side], self.beyond[side], self.corner_seen[side]) = (NONE, NONE, NONE);
            }
        }
        for cell in &after {
            self.link(parts, *cell);
        }
        for cell in &after {
            self.count_walls(*cell, true, &mut vertices);
        }
        for vertex in vertices {
            self.solid[vertex as usize] = self.walls_at[vertex as usize] > 0;
        }
        for cell in &after {
            self.find_corners(parts, *cell, &mut fan);
            self.has_bare_vertices |= self.sides(*cell).any(|side| !self.solid[self.vertex[side] as usize]);
        }
        self.renew_serial();
    }

    /// Prepares the graph for patches: counts the walls at each vertex and puts all portals into one block.
    fn make_patchable(&mut self) {
        if self.blocks.is_single {
            return;
        }
        self.walls_at = vec![0; self.solid.len()];
        let mut vertices = Vec::new();
        for cell in 0..self.cell_slots() as u32 {
            self.count_walls(cell, true, &mut vertices);
            vertices.clear();
        }
        self.blocks = super::Blocks::single(&self.twin);
        for (packed, block) in self.packed.iter_mut().zip(&self.blocks.of_side) {
            packed.block = *block;
        }
    }

    /// Counts the walls of a cell at their ends, or takes them off the count. Notes the vertices of the cell.
    fn count_walls(&mut self, cell: u32, come: bool, vertices: &mut Vec<u32>) {
        for side in self.sides(cell) {
            vertices.push(self.vertex[side]);
            if self.beyond[side] == NONE {
                for vertex in [self.vertex[side], self.vertex[self.next(cell, side)]] {
                    let count = &mut self.walls_at[vertex as usize];
                    *count = if come { *count + 1 } else { count.saturating_sub(1) };
                }
            }
        }
    }

    /// Makes all lists as long as those of the mesh.
    fn lengthen(&mut self, parts: &MeshParts) {
        let (sides, cells, vertices) = (parts.sides.len(), parts.cell_region.len(), parts.points.len());
        self.ranges.resize(cells.max(self.ranges.len()), [0; 2]);
        self.start.resize(sides.max(self.start.len()), Vec2::new(0.0, 0.0));
        for list in [&mut self.vertex, &mut self.twin, &mut self.beyond, &mut self.corner_seen] {
            list.resize(sides.max(list.len()), NONE);
        }
        self.blocks.of_side.resize(sides.max(self.blocks.of_side.len()), NONE);
        let nothing =
            PackedSide { at: Vec2::new(0.0, 0.0), vertex: NONE, beyond: NONE, twin: NONE, block: NONE };
        self.packed.resize(sides.max(self.packed.len()), nothing);
        self.solid.resize(vertices.max(self.solid.len()), false);
        self.corner_of.resize(vertices.max(self.corner_of.len()), NONE);
        self.walls_at.resize(vertices.max(self.walls_at.len()), 0);
    }

    /// Links the sides of a new cell with those beyond its portals.
    fn link(&mut self, parts: &MeshParts, cell: u32) {
        for side in self.sides(cell) {
            let portal = parts.sides[side].portal;
            if let Some(record) = parts.portals.get(portal as usize) {
                let other = record.cells[usize::from(record.cells[0] == cell)];
                let twin = self.sides(other).find(|twin| parts.sides[*twin].portal == portal);
                if let Some(twin) = twin {
                    (self.twin[side], self.beyond[side]) = (twin as u32, other);
                    (self.twin[twin], self.beyond[twin]) = (side as u32, cell);
                    self.blocks.of_side[twin] = 0;
                    self.packed[twin] = self.pack(twin);
                }
            }
            self.blocks.of_side[side] = if self.twin[side] == NONE { NONE } else { 0 };
            self.packed[side] = self.pack(side);
        }
    }

    /// Forgets the corners that a cell sees. `fan` is a scratch buffer.
    fn forget_corners(&mut self, cell: u32, fan: &mut Vec<usize>) {
        for side in self.sides(cell) {
            let vertex = self.vertex[side] as usize;
            let number = self.corner_of[vertex];
            let Some(corner) = self.corners.get(number as usize).copied() else { continue };
            if self.leaving_wall(cell, side).is_none_or(|(_, wall)| wall as u32 != corner.side) {
                continue;
            }
            self.corner_of[vertex] = NONE;
            self.note_seen(number as usize, NONE, fan);
            self.corners.swap_remove(number as usize);
            if let Some(moved) = self.corners.get(number as usize).copied() {
                self.corner_of[self.vertex[moved.side as usize] as usize] = number;
                self.note_seen(number as usize, number, fan);
            }
        }
    }

    /// Finds the corners that a new cell sees. `fan` is a scratch buffer.
    fn find_corners(&mut self, parts: &MeshParts, cell: u32, fan: &mut Vec<usize>) {
        for side in self.sides(cell) {
            let Some((home, wall)) = self.leaving_wall(cell, side) else { continue };
            // A vertex has one corner. Where new cells fill more than a full turn there might be two; such cells are
            // taken back, and then the corner that was there must still be.
            if self.corner_of[self.vertex[side] as usize] != NONE {
                continue;
            }
            if let Some(corner) = corner_at(&parts.points, self, home, wall) {
                let number = self.corners.len() as u32;
                self.corner_of[self.vertex[side] as usize] = number;
                self.corners.push(corner);
                self.note_seen(number as usize, number, fan);
            }
        }
    }

    /// Notes at all sides that see a corner which corner that is.
    fn note_seen(&mut self, corner: usize, number: u32, fan: &mut Vec<usize>) {
        let corner = self.corners[corner];
        fan.clear();
        self.fan(&corner, |_, side| fan.push(side));
        for side in fan {
            self.corner_seen[*side] = number;
        }
    }

    /// Turns clockwise around the start of a side, up to the wall that leaves it. `None` if no wall ends there.
    fn leaving_wall(&self, mut cell: u32, mut side: usize) -> Option<(u32, usize)> {
        let first = side;
        loop {
            if self.beyond[side] == NONE {
                return Some((cell, side));
            }
            let twin = self.twin[side] as usize;
            cell = self.beyond[side];
            side = self.next(cell, twin);
            if side == first {
                return None;
            }
        }
    }

    /// Returns what differs from a graph of the same mesh that was made anew; `None` if nothing does.
    pub(crate) fn difference(&self, right: &CellGraph) -> Option<String> {
        let differs =
            |what: &str, cell: u32| Some(format!("the {what} of cell {cell} differ from those made anew"));
        for cell in 0..right.cell_slots() as u32 {
            if self.ranges.get(cell as usize) != right.ranges.get(cell as usize) {
                return differs("sides", cell);
            }
            for side in right.sides(cell) {
                let links = |graph: &CellGraph| (graph.vertex[side], graph.twin[side], graph.beyond[side]);
                if links(self) != links(right) || self.start[side] != right.start[side] {
                    return differs("links", cell);
                }
                let vertex = right.vertex[side] as usize;
                if self.solid[vertex] != right.solid[vertex] {
                    return differs("solid vertices", cell);
                }
                let corner = |graph: &CellGraph, number: u32| {
                    let corner = graph.corners.get(number as usize);
                    corner.map(|corner| (corner.side, corner.cell, corner.span.to_bits()))
                };
                let corners = |graph: &CellGraph| {
                    [graph.corner_of[vertex], graph.corner_seen[side]].map(|number| corner(graph, number))
                };
                if corners(self) != corners(right) {
                    return differs("corners", cell);
                }
                let packed = self.packed[side];
                if (packed.vertex, packed.twin, packed.beyond) != links(right)
                    || packed.at != right.start[side]
                {
                    return differs("packed sides", cell);
                }
            }
        }
        (self.corners.len() != right.corners.len()).then(|| "the number of corners differs".to_string())
    }
}
