//! Turns finished cells into the mesh as it is stored.
//!
//! Invariant: numbers are canonical, so that equal cells give equal bytes. Cost: linear in the sides, plus a sort of
//! the cells.

use crate::partition::facets::Facets;
use clearway_geometry::{DisjointSets, Grid, NONE};
use clearway_nav::mesh::{MeshParts, PortalRecord, Side};

/// Numbers vertices, cells and portals canonically and fills the lists of a mesh. Vertices keep their order along the
/// Hilbert curve. Each cell starts at its lowest vertex. Cells are ordered by their vertices, portals by their first
/// cell.
///
/// `joins_region` returns true for a portal side if the cells on both sides belong to one region.
pub fn assemble(
    facets: &Facets,
    numbered: &Numbered,
    grid: Grid,
    joins_region: impl Fn(u32) -> bool,
) -> MeshParts {
    let used = facets.points().iter().zip(&numbered.vertex_of).filter(|(_, number)| **number != NONE);
    let mut mesh = MeshParts {
        points: used.map(|(point, _)| *point).collect(),
        portals: numbered.portals.iter().map(|side| numbered.portal(facets, *side)).collect(),
        sides: Vec::with_capacity(facets.len() as usize),
        ..MeshParts::empty(grid)
    };
    add_sides(&mut mesh, facets, numbered);
    let cells = &numbered.cells;
    let sides = || cells.iter().flat_map(|first| facets.around(*first));
    let portals = || sides().filter(|side| facets.twin(*side) != NONE);
    let pair = |side: u32| [side, facets.twin(side)].map(|side| numbered.cell_of[side as usize]).into();
    let inner = portals().filter(|side| joins_region(*side)).map(pair);
    (mesh.cell_region, mesh.region_count) = DisjointSets::joined(cells.len(), inner).numbered();
    let all = portals().map(pair);
    (mesh.cell_component, mesh.component_count) = DisjointSets::joined(cells.len(), all).numbered();
    mesh
}

/// Adds the sides of all cells.
fn add_sides(mesh: &mut MeshParts, facets: &Facets, numbered: &Numbered) {
    let mut portal_of = vec![NONE; facets.len() as usize];
    for (number, side) in (0u32..).zip(numbered.portals.iter().copied()) {
        (portal_of[side as usize], portal_of[facets.twin(side) as usize]) = (number, number);
    }
    let record = |side: u32| Side {
        vertex: numbered.vertex_of[facets.origin(side) as usize],
        portal: portal_of[side as usize],
    };
    for first in &numbered.cells {
        mesh.sides.extend(facets.around(*first).map(record));
        mesh.first_side.push(mesh.sides.len() as u32);
    }
}

/// The numbers that vertices, cells and portals have in the mesh.
pub struct Numbered {
    /// For each vertex its number, or [`NONE`] if no cell uses it.
    pub vertex_of: Vec<u32>,
    /// One side of each cell, in the order of cells.
    cells: Vec<u32>,
    /// One side of each portal, in the order of portals.
    portals: Vec<u32>,
    /// For each side the number of its cell, or [`NONE`] if the side is dead.
    pub cell_of: Vec<u32>,
}

impl Numbered {
    /// Numbers all living vertices, cells and portals.
    pub fn of(facets: &Facets) -> Numbered {
        let vertex_of = used_vertices(facets);
        let cells = ordered_cells(facets, &vertex_of);
        let mut is_known = vec![false; facets.len() as usize];
        let mut portals = Vec::new();
        for side in cells.iter().flat_map(|first| facets.around(*first)) {
            let twin = facets.twin(side);
            // A portal is numbered at the first of its two sides.
            if twin != NONE && !is_known[twin as usize] {
                is_known[side as usize] = true;
                portals.push(side);
            }
        }
        let cell_of = facets.cell_of_sides(&cells);
        Numbered { vertex_of, cells, portals, cell_of }
    }

    /// Returns the portal at a side, as it is stored.
    fn portal(&self, facets: &Facets, side: u32) -> PortalRecord {
        let sides = [side, facets.twin(side)];
        PortalRecord {
            vertices: sides.map(|side| self.vertex_of[facets.origin(side) as usize]),
            cells: sides.map(|side| self.cell_of[side as usize]),
        }
    }

    /// Removes cells and turns portals into walls, both given by their numbers.
    pub fn take_away(&self, facets: &mut Facets, cells: &[u32], portals: &[u32]) {
        let cells: Vec<u32> = cells.iter().map(|cell| self.cells[*cell as usize]).collect();
        let portals: Vec<u32> = portals.iter().map(|portal| self.portals[*portal as usize]).collect();
        facets.take_away(&cells, &portals);
    }
}

/// The new number of each vertex that some cell uses; [`NONE`] for the others.
fn used_vertices(facets: &Facets) -> Vec<u32> {
    let mut number = vec![NONE; facets.points().len()];
    // Zero only marks the vertex as used; the numbers follow in a second pass.
    for side in facets.sides() {
        number[facets.origin(side) as usize] = 0;
    }
    let used = number.iter_mut().filter(|number| **number == 0);
    for (count, number) in used.enumerate() {
        *number = count as u32;
    }
    number
}

/// The side at the lowest vertex of each cell, cells ordered by their vertices.
fn ordered_cells(facets: &Facets, vertex_of: &[u32]) -> Vec<u32> {
    let vertex = |side: u32| vertex_of[facets.origin(side) as usize];
    let lowest = |first: u32| facets.around(first).min_by_key(|side| vertex(*side)).unwrap_or(first);
    let mut cells: Vec<u32> = facets.cells().into_iter().map(lowest).collect();
    cells.sort_by(|p, q| facets.around(*p).map(vertex).cmp(facets.around(*q).map(vertex)));
    cells
}
