//! The stored lists of a mesh, and the one gate through which a mesh comes into being.

use super::check::{Flaws, check_convex, check_structure};
use super::{Derived, EditState, Fixtures, Flaw, FlawKind, LinkRecord, MeshPlace, NavMesh, Relief};
use crate::query::check_links;
use clearway_geometry::{Grid, Point};
use std::ops::Range;
use std::sync::Arc;

/// A side of a cell in storage; it ends where the next side of the cell starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The vertex where it starts.
    pub vertex: u32,
    /// The portal along it, or [`NONE`](clearway_geometry::NONE) for a wall.
    pub portal: u32,
}

/// A portal in storage: counter-clockwise from `vertices[0]` to `vertices[1]` as seen from `cells[0]`, the other
/// way round as seen from `cells[1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortalRecord {
    /// Its ends.
    pub vertices: [u32; 2],
    /// The cells on its two sides.
    pub cells: [u32; 2],
}

/// The stored parts of a [`NavMesh`]: plain lists that refer to each other by index.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshParts {
    /// Maps grid points to metres.
    pub grid: Grid,
    /// The vertices.
    pub points: Vec<Point>,
    /// For each cell, the index of its first side in `sides`; one more entry ends the last cell.
    pub first_side: Vec<u32>,
    /// For each cell, the number of its sides. Empty while every cell ends where the next begins, as in every mesh that
    /// was never edited. A cell without sides is no more; its number is free for another.
    pub side_count: Vec<u32>,
    /// The sides of all cells, cell after cell, counter-clockwise.
    pub sides: Vec<Side>,
    /// The region of each cell.
    pub cell_region: Vec<u32>,
    /// The connected piece of each cell.
    pub cell_component: Vec<u32>,
    /// The portals.
    pub portals: Vec<PortalRecord>,
    /// The number of regions; regions count from zero.
    pub region_count: u32,
    /// The number of connected pieces; they count from zero.
    pub component_count: u32,
    /// The ground under the cells; `None` for the mesh of a plan.
    pub relief: Option<Arc<Relief>>,
    /// Connections that are not walked.
    pub links: Vec<LinkRecord>,
    /// The portals of open doors, in order. They stay though the cells beside them might be convex together.
    pub doors: Vec<u32>,
    /// Named places, which need not lie on the mesh.
    pub places: Vec<MeshPlace>,
    /// What edits put on the mesh, if that was kept; it changes nothing about where one can walk.
    pub fixtures: Option<Arc<Fixtures>>,
}

impl MeshParts {
    /// The parts of a mesh without cells.
    pub fn empty(grid: Grid) -> MeshParts {
        MeshParts {
            grid,
            points: Vec::new(),
            first_side: vec![0],
            side_count: Vec::new(),
            sides: Vec::new(),
            cell_region: Vec::new(),
            cell_component: Vec::new(),
            portals: Vec::new(),
            region_count: 0,
            component_count: 0,
            relief: None,
            links: Vec::new(),
            doors: Vec::new(),
            places: Vec::new(),
            fixtures: None,
        }
    }

    /// Returns the range of the sides of a cell; empty for a cell that does not exist.
    #[inline]
    pub fn sides_of(&self, cell: u32) -> Range<usize> {
        let first = self.first_side.get(cell as usize).copied().unwrap_or(0);
        let end = match self.side_count.get(cell as usize) {
            Some(count) => first + count,
            None => self.first_side.get(cell as usize + 1).copied().unwrap_or(first),
        };
        first as usize..end as usize
    }
}

impl NavMesh {
    /// Makes the mesh of these parts, or returns the flaws that make it unusable. A mesh comes into being in no other
    /// way: whatever passes can be asked anything without a panic, and every search on it ends. Its cells are exactly
    /// convex. [`check`](NavMesh::check) decides whether they overlap.
    pub fn from_parts(parts: MeshParts) -> Result<NavMesh, Vec<Flaw>> {
        let mesh = NavMesh::from_parts_of_any_shape(parts)?;
        let mut flaws = Flaws::default();
        check_convex(&mesh, &mut flaws);
        if flaws.first().is_some() { Err(flaws.into_list()) } else { Ok(mesh) }
    }

    /// As [`from_parts`](NavMesh::from_parts), but cells need not be convex. Only for tests that show what broken cells
    /// do: a search on such a mesh may not end.
    #[doc(hidden)]
    pub fn from_parts_of_any_shape(parts: MeshParts) -> Result<NavMesh, Vec<Flaw>> {
        let mesh = NavMesh::unchecked(parts);
        let mut flaws = Flaws::default();
        check_structure(&mesh, &mut flaws);
        if let (Some(relief), None) = (&mesh.parts.relief, flaws.first())
            && let Some(detail) = relief.misfit(mesh.cell_slots())
        {
            flaws.note(|| Flaw::new(FlawKind::Layout, format!("the ground: {detail}")));
        }
        if flaws.first().is_none() {
            check_links(&mesh, &mut flaws);
        }
        if flaws.first().is_some() { Err(flaws.into_list()) } else { Ok(mesh) }
    }

    /// As [`from_parts`](NavMesh::from_parts), for other cells on the same ground. The index of the faces of the ground
    /// is shared with this mesh.
    pub fn with_other_cells(&self, parts: MeshParts) -> Result<NavMesh, Vec<Flaw>> {
        let mesh = NavMesh::from_parts(parts)?;
        Ok(NavMesh { relief_index: self.relief_index.clone(), ..mesh })
    }

    /// Makes the mesh of parts that the caller checks before anybody else sees it.
    pub(crate) fn unchecked(parts: MeshParts) -> NavMesh {
        NavMesh {
            parts,
            graph: Derived::default(),
            landmarks: Derived::default(),
            tangents: Derived::default(),
            index: Derived::default(),
            peaks: Derived::default(),
            relief_index: Derived::default(),
            stale: None,
            turned: None,
            components: Derived::default(),
            edits: EditState::default(),
        }
    }

    /// Returns the stored parts.
    pub fn parts(&self) -> &MeshParts {
        &self.parts
    }

    /// Returns the stored parts and drops everything that was derived from them.
    pub fn into_parts(self) -> MeshParts {
        self.parts
    }
}
