//! A mesh that was edited, with all gaps closed and everything numbered canonically.
//!
//! If closing the gaps alone gives the canonical order, that is the result; so edits that were undone in reverse order
//! leave the same bytes. Else vertices are numbered anew along the Hilbert curve, cells by their vertices, portals by
//! their first cell. Cost: linear, plus a sort.

use super::{MeshParts, NavMesh, PortalRecord, Relief, Side};
use clearway_geometry::triangulation::hilbert_order;
use clearway_geometry::{DisjointSets, NONE, Point};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl NavMesh {
    /// Returns the mesh without gaps among the numbers of cells, portals and vertices: the same mesh if it was never
    /// edited. Clearances are computed anew when asked for.
    pub fn compacted(&self) -> Cow<'_, NavMesh> {
        if !self.is_edited() {
            return Cow::Borrowed(self);
        }
        let mesh = NavMesh::unchecked(Numbering::of(self).parts());
        Cow::Owned(NavMesh { relief_index: self.relief_index.clone(), ..mesh })
    }
}

/// The new numbers of a mesh that was edited.
struct Numbering<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The points of all vertices, by their old numbers.
    all: Vec<Point>,
    /// The points of the living vertices, in their new order.
    points: Vec<Point>,
    /// The outlines of the cells by old sides, in their new order and each from its first vertex.
    outlines: Vec<Vec<Side>>,
    /// The old number of each cell.
    cells: Vec<u32>,
}

impl<'a> Numbering<'a> {
    /// Numbers vertices and cells.
    fn of(mesh: &'a NavMesh) -> Numbering<'a> {
        let cells: Vec<u32> = mesh.cells().map(|cell| cell.id().0).collect();
        let mut outlines: Vec<Vec<Side>> = mesh.cells().map(|cell| cell.records().to_vec()).collect();
        let mut all = mesh.parts.points.clone();
        if mesh.has_heights() {
            part_vertices(&mut outlines, &mut all);
        }
        let parted = outlines.clone();
        let mut is_used = vec![false; all.len()];
        outlines.iter().flatten().for_each(|side| is_used[side.vertex as usize] = true);
        let used: Vec<u32> = (0..is_used.len() as u32).filter(|vertex| is_used[*vertex as usize]).collect();
        let mut numbering = Numbering { mesh, all, points: Vec::new(), outlines, cells };
        numbering.number_vertices(&used);
        if !numbering.is_canonical() {
            let places: Vec<Point> = used.iter().map(|vertex| numbering.all[*vertex as usize]).collect();
            // The order along the curve; of vertices at one place, the older one comes first.
            let order: Vec<u32> = hilbert_order(&places).collect();
            numbering.outlines = parted;
            numbering.number_vertices(&order.iter().map(|place| used[*place as usize]).collect::<Vec<u32>>());
            numbering.sort_cells();
        }
        numbering
    }

    /// Gives vertices the numbers of this order.
    fn number_vertices(&mut self, order: &[u32]) {
        let mut number = vec![NONE; self.all.len()];
        for (new, old) in (0u32..).zip(order) {
            number[*old as usize] = new;
        }
        self.points = order.iter().map(|vertex| self.all[*vertex as usize]).collect();
        for side in self.outlines.iter_mut().flatten() {
            side.vertex = number[side.vertex as usize];
        }
    }

    /// True if each cell starts at its lowest vertex and cells are ordered by their vertices.
    fn is_canonical(&self) -> bool {
        let vertices = |outline: &'_ [Side]| outline.iter().map(|side| side.vertex).collect::<Vec<u32>>();
        let starts_low = |outline: &Vec<Side>| {
            outline.iter().map(|side| side.vertex).min() == outline.first().map(|side| side.vertex)
        };
        self.outlines.iter().all(starts_low)
            && self.outlines.windows(2).all(|pair| vertices(&pair[0]) <= vertices(&pair[1]))
    }

    /// Starts each cell at its lowest vertex, and orders cells by their vertices.
    fn sort_cells(&mut self) {
        for outline in &mut self.outlines {
            let lowest = (0..outline.len()).min_by_key(|place| outline[*place].vertex).unwrap_or(0);
            outline.rotate_left(lowest);
        }
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        let key = |cell: &usize| self.outlines[*cell].iter().map(|side| side.vertex).collect::<Vec<u32>>();
        order.sort_by_cached_key(key);
        self.cells = order.iter().map(|cell| self.cells[*cell]).collect();
        self.outlines = order.iter().map(|cell| std::mem::take(&mut self.outlines[*cell])).collect();
    }

    /// Fills the lists of the mesh.
    fn parts(self) -> MeshParts {
        let old = &self.mesh.parts;
        let count = self.cells.len();
        let mut cell_of = vec![NONE; self.mesh.cell_slots()];
        for (new, old) in (0u32..).zip(&self.cells) {
            cell_of[*old as usize] = new;
        }
        let mut parts = MeshParts { points: self.points, ..MeshParts::empty(old.grid) };
        let mut portal_of = vec![NONE; old.portals.len()];
        for (cell, outline) in (0u32..).zip(&self.outlines) {
            for (place, side) in outline.iter().enumerate() {
                let to = outline[(place + 1) % outline.len()].vertex;
                let portal = number_portal(&mut parts.portals, &mut portal_of, cell, *side, to);
                parts.sides.push(Side { vertex: side.vertex, portal });
            }
            parts.first_side.push(parts.sides.len() as u32);
        }
        parts.cell_region = (0..count as u32).collect();
        parts.region_count = count as u32;
        let pairs = parts.portals.iter().map(|record| record.cells.into());
        (parts.cell_component, parts.component_count) = DisjointSets::joined(count, pairs).numbered();
        parts.relief = old.relief.as_ref().map(|relief| {
            let mut relief = relief.of_cells(&self.cells);
            relief.forget_areas(self.mesh.edits.built_areas);
            Arc::new(relief)
        });
        parts.relief = parts.relief.filter(|relief| !relief.is_plain());
        parts.doors = old.doors.iter().map(|portal| portal_of[*portal as usize]).collect();
        parts.doors.sort_unstable();
        parts.links = old.links.clone();
        parts.places = old.places.clone();
        for end in parts.links.iter_mut().flat_map(|link| &mut link.ends) {
            end.cell = cell_of[end.cell as usize];
        }
        parts
    }
}

/// Gives each row of connected cells around a vertex a vertex of its own, as meshes of scenes need it. The first row
/// keeps the old one.
fn part_vertices(outlines: &mut [Vec<Side>], points: &mut Vec<Point>) {
    let firsts: Vec<usize> = outlines
        .iter()
        .scan(0, |first, outline| Some(std::mem::replace(first, *first + outline.len())))
        .collect();
    let count = firsts.last().zip(outlines.last()).map_or(0, |(first, last)| first + last.len());
    // Corners are joined across portals: the one at the start of a side with the one at the end of its twin.
    let mut waiting: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (outline, first) in outlines.iter().zip(&firsts) {
        for (place, side) in outline.iter().enumerate().filter(|(_, side)| side.portal != NONE) {
            let ends = [first + place, first + (place + 1) % outline.len()];
            match waiting.remove(&side.portal) {
                Some([from, to]) => {
                    pairs.extend([(ends[0] as u32, to as u32), (ends[1] as u32, from as u32)])
                }
                None => {
                    waiting.insert(side.portal, ends);
                }
            }
        }
    }
    let (row_of, _) = DisjointSets::joined(count, pairs).numbered();
    let mut vertex_of: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut is_taken: BTreeSet<u32> = BTreeSet::new();
    for (side, row) in outlines.iter_mut().flatten().zip(row_of) {
        side.vertex = *vertex_of.entry((side.vertex, row)).or_insert_with(|| {
            if is_taken.insert(side.vertex) {
                return side.vertex;
            }
            points.push(points[side.vertex as usize]);
            points.len() as u32 - 1
        });
    }
}

/// Returns the new number of the portal of a side, and completes its record.
fn number_portal(portals: &mut Vec<PortalRecord>, number: &mut [u32], cell: u32, side: Side, to: u32) -> u32 {
    let Some(known) = number.get_mut(side.portal as usize) else { return NONE };
    if *known == NONE {
        *known = portals.len() as u32;
        portals.push(PortalRecord { vertices: [side.vertex, to], cells: [cell; 2] });
    } else if let Some(portal) = portals.get_mut(*known as usize) {
        portal.cells[1] = cell;
    }
    *known
}

impl Relief {
    /// Returns the same ground under these of its cells, in this order.
    fn of_cells(&self, cells: &[u32]) -> Relief {
        let mut relief = Relief {
            first_patch: vec![0],
            patch_count: Vec::new(),
            patches: Vec::new(),
            area_of: cells.iter().map(|cell| self.area_of[*cell as usize]).collect(),
            ..self.clone()
        };
        for cell in cells {
            relief.patches.extend(self.patches_of(*cell));
            relief.first_patch.push(relief.patches.len() as u32);
        }
        relief
    }

    /// Forgets the last area classes that no cell has, but none of the first `built` ones.
    fn forget_areas(&mut self, built: usize) {
        let used = self.area_of.iter().map(|class| usize::from(*class) + 1).max().unwrap_or(0);
        self.areas.truncate(used.max(built).max(1));
    }
}
