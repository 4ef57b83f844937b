//! The navigation mesh: exactly convex cells glued along portals.
//!
//! [`NavMesh`] holds the stored lists ([`MeshParts`]) and structures derived from them on first use. [`Cell`],
//! [`CellSide`] and [`Portal`] are views with typed ids. Coordinates are exact on an integer grid; metres appear only
//! at the interface.

mod cell_graph;
mod check;
mod compact;
mod edit_log;
mod fixtures;
mod head_room;
mod heights;
mod ids;
mod index;
mod links;
mod nearest;
mod parts;
mod patches;
mod places;
mod relief;
mod sheets;
mod splice;
mod triangles;

use crate::clearance::{PeakGraph, Stale, Turned};
use crate::path::TangentIndex;
pub use cell_graph::{CellGraph, Corner, PackedSide};
pub(crate) use cell_graph::{Derived, LANDMARKS, Landmarks};
pub use check::{Flaw, FlawKind, MAX_FLAWS};
pub(crate) use check::{Flaws, check_all, check_structure};
use clearway_geometry::{NONE, Point, Vec2};
pub(crate) use edit_log::{EditLog, Edition, TouchedCells};
pub use fixtures::{
    Fixture, FixtureRole, Fixtures, MAX_FIXTURE_NAME, MAX_FIXTURES, Shape, fixture_name_flaw,
};
pub use head_room::HEIGHT_SLACK;
pub use heights::{Terrain, simplified};
pub use ids::{CellId, ComponentId, LinkId, PortalId, RegionId, VertexId};
pub use index::CellIndex;
pub use links::{Link, LinkKind, MAX_LINK_COST, MAX_LINK_NAME, MAX_LINKS};
pub use links::{LinkEnd, LinkRecord, distance};
pub use nearest::{Footing, NearestFace, ROUNDING};
pub use parts::{MeshParts, PortalRecord, Side};
pub use patches::{filling, patches_under};
pub use places::{MAX_PLACE_NAME, MAX_PLACE_POINTS, MAX_PLACES, MeshPlace};
pub use relief::ReliefIndex;
pub use relief::{FLAT_CLASS, Patch, Relief};
pub use sheets::Sheets;
pub use splice::{CellContent, Splice, Swap};
pub(crate) use splice::{Components, EditState};
pub use triangles::Triangles;

/// A navigation mesh. It covers all walkable space, tight to the walls; it is not shrunk by any radius.
///
/// Cells are numbered from zero, and so are portals, vertices, regions and components. An id of another mesh may not
/// exist here: look-ups then return `None`.
#[derive(Clone, Debug)]
pub struct NavMesh {
    /// The stored lists; everything below follows from them.
    pub(crate) parts: MeshParts,
    /// Flat lists by side, for searches.
    pub(crate) graph: Derived<CellGraph>,
    /// Lower bounds for the lengths of paths.
    pub(crate) landmarks: Derived<Landmarks>,
    /// The tangents between corners, for searches.
    pub(crate) tangents: Derived<TangentIndex>,
    /// The boxes of the cells, for look-ups by position.
    pub(crate) index: Derived<CellIndex>,
    /// The clearance graph, which limits the radius of bodies.
    pub(crate) peaks: Derived<PeakGraph>,
    /// The boxes of the faces of the ground; made only for meshes of scenes.
    pub(crate) relief_index: Derived<ReliefIndex>,
    /// Clearances that edits made stale; none if the clearances are right or were never computed.
    pub(crate) stale: Option<Stale>,
    /// The last change, if it may be taken back, with the clearances on both sides.
    pub(crate) turned: Option<Turned>,
    /// The connected pieces of a mesh that was edited.
    pub(crate) components: Derived<Components>,
    /// The history of a mesh that is edited.
    pub(crate) edits: EditState,
}

impl PartialEq for NavMesh {
    /// Meshes are equal if their stored lists are; the rest follows from them.
    fn eq(&self, other: &NavMesh) -> bool {
        self.parts == other.parts
    }
}

/// One side of a cell: from `from` counter-clockwise to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSide {
    /// The vertex at which the side starts.
    pub from: VertexId,
    /// The vertex at which it ends.
    pub to: VertexId,
    /// The portal along it, or `None` for a wall.
    pub portal: Option<PortalId>,
}

/// A portal between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portal {
    /// Its ends, counter-clockwise as seen from `cells[0]`.
    pub vertices: [VertexId; 2],
    /// The cells on its two sides.
    pub cells: [CellId; 2],
}

impl From<&PortalRecord> for Portal {
    fn from(record: &PortalRecord) -> Portal {
        Portal { vertices: record.vertices.map(VertexId), cells: record.cells.map(CellId) }
    }
}

/// A cell as a read-only view.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The mesh that owns the cell.
    mesh: &'a NavMesh,
    /// The id of the cell; always in range.
    id: CellId,
}

impl NavMesh {
    /// Returns the number of cells.
    pub fn cell_count(&self) -> usize {
        self.parts.cell_region.len() - self.edits.dead_cells as usize
    }

    /// Returns a number that is greater than the index of every cell. It equals the number of cells unless edits left
    /// gaps; lists by cell need this length.
    pub fn cell_slots(&self) -> usize {
        self.parts.cell_region.len()
    }

    /// Returns a number that is greater than the index of every portal; lists by portal need this length.
    pub fn portal_slots(&self) -> usize {
        self.parts.portals.len()
    }

    /// Returns the number of portals.
    pub fn portal_count(&self) -> usize {
        self.parts.portals.len() - self.edits.dead_portals as usize
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.parts.points.len() - self.edits.dead_vertices as usize
    }

    /// Returns the number of regions. It equals the number of cells unless the mesh was built with relaxation.
    pub fn region_count(&self) -> usize {
        // A mesh with regions of several cells is never edited.
        if self.is_edited() { self.cell_count() } else { self.parts.region_count as usize }
    }

    /// Returns the number of connected pieces.
    pub fn component_count(&self) -> usize {
        if self.is_edited() { self.components().count as usize } else { self.parts.component_count as usize }
    }

    /// Returns the number of sides of cells that are walls.
    pub fn wall_count(&self) -> usize {
        self.cells().flat_map(|cell| cell.records()).filter(|side| side.portal == NONE).count()
    }

    /// Returns the size of a grid unit in metres.
    pub fn unit(&self) -> f64 {
        self.parts.grid.unit()
    }

    /// Returns all cells in the order of their ids.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell<'_>> {
        let living = (0..self.cell_slots() as u32).filter_map(|id| self.cell(CellId(id)));
        Counted { items: living, left: self.cell_count() }
    }

    /// Returns the cell with this id.
    pub fn cell(&self, id: CellId) -> Option<Cell<'_>> {
        (!self.parts.sides_of(id.0).is_empty()).then_some(Cell { mesh: self, id })
    }

    /// Returns all portals in the order of their ids.
    pub fn portals(&self) -> impl ExactSizeIterator<Item = Portal> + '_ {
        let living = self.parts.portals.iter().filter(|record| record.cells[0] != NONE).map(Portal::from);
        Counted { items: living, left: self.portal_count() }
    }

    /// Returns the portal with this id.
    pub fn portal(&self, id: PortalId) -> Option<Portal> {
        self.parts.portals.get(id.index()).filter(|record| record.cells[0] != NONE).map(Portal::from)
    }

    /// Returns the position of a vertex in plan coordinates.
    pub fn position(&self, vertex: VertexId) -> Option<[f64; 2]> {
        self.parts.points.get(vertex.index()).map(|point| self.parts.grid.world(*point))
    }

    /// Returns the least box around the mesh, in plan coordinates; `None` for a mesh without cells.
    pub fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        if self.parts.points.is_empty() {
            return None;
        }
        let (min, max) = clearway_geometry::triangulation::bounds(&self.parts.points);
        Some([self.parts.grid.world(min), self.parts.grid.world(max)])
    }

    /// Returns the walkable area in square metres, in projection.
    pub fn area(&self) -> f64 {
        let doubled: i128 = self.cells().map(|cell| cell.doubled_area()).sum();
        doubled as f64 * 0.5 * self.unit() * self.unit()
    }

    /// Returns the sum of the lengths of all portals in metres.
    pub fn portal_length(&self) -> f64 {
        let [from, to] = [0, 1].map(|end| move |portal: &PortalRecord| portal.vertices[end] as usize);
        let units: f64 = self
            .parts
            .portals
            .iter()
            .map(|p| self.parts.points[from(p)].distance(self.parts.points[to(p)]))
            .sum();
        units * self.unit()
    }
}

impl<'a> Cell<'a> {
    /// Returns the id of the cell.
    pub fn id(&self) -> CellId {
        self.id
    }

    /// Returns the region that the cell belongs to.
    pub fn region(&self) -> RegionId {
        RegionId(self.mesh.parts.cell_region[self.id.index()])
    }

    /// Returns the connected piece that the cell belongs to.
    pub fn component(&self) -> ComponentId {
        ComponentId(self.mesh.component_of(self.id.0))
    }

    /// Returns the sides, counter-clockwise.
    pub fn sides(&self) -> impl ExactSizeIterator<Item = CellSide> + Clone + use<'a> {
        let sides = self.records();
        (0..sides.len()).map(move |i| CellSide {
            from: VertexId(sides[i].vertex),
            to: VertexId(sides[(i + 1) % sides.len()].vertex),
            portal: (sides[i].portal != NONE).then_some(PortalId(sides[i].portal)),
        })
    }

    /// Returns the corners, counter-clockwise.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = VertexId> + Clone + use<'a> {
        self.records().iter().map(|side| VertexId(side.vertex))
    }

    /// Returns the corners in plan coordinates, counter-clockwise.
    pub fn outline(&self) -> impl ExactSizeIterator<Item = [f64; 2]> + Clone + use<'a> {
        let mesh = self.mesh;
        self.points().map(move |point| mesh.parts.grid.world(point))
    }

    /// Returns the area class of the ground under the cell, an index into [`NavMesh::area_names`]; 0 where
    /// the mesh has no classes.
    pub fn area_class(&self) -> u8 {
        self.mesh.area_class(self.id.0)
    }

    /// Returns the area in square metres, in projection.
    pub fn area(&self) -> f64 {
        self.doubled_area() as f64 * 0.5 * self.mesh.unit() * self.mesh.unit()
    }

    /// Returns twice the area in square grid units, exactly.
    pub(crate) fn doubled_area(&self) -> i128 {
        clearway_geometry::predicates::doubled_area(self.points())
    }

    /// Returns the corners on the grid, counter-clockwise.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Point> + DoubleEndedIterator + Clone + use<'a> {
        let mesh = self.mesh;
        self.records().iter().map(move |side| mesh.parts.points[side.vertex as usize])
    }

    /// Returns both ends of each side, in grid units; the last side comes first.
    pub(crate) fn lines(&self) -> impl Iterator<Item = [Vec2; 2]> + Clone + use<'a> {
        let points = self.points().map(Point::as_vec2);
        let last = points.clone().next_back().unwrap_or_default();
        points.scan(last, |from, to| Some([std::mem::replace(from, to), to]))
    }

    /// Returns the sides as stored, counter-clockwise.
    pub fn records(&self) -> &'a [Side] {
        &self.mesh.parts.sides[self.mesh.parts.sides_of(self.id.0)]
    }
}

/// An iterator that knows how many items are left.
struct Counted<I> {
    /// The items.
    items: I,
    /// The number of items still to come.
    left: usize,
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next()?;
        self.left = self.left.saturating_sub(1);
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<I: Iterator> ExactSizeIterator for Counted<I> {}
