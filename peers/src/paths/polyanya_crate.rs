//! Crate `polyanya`: on the merged mesh that its file format comes with, and on our cells.

use std::path::Path;

use clearway::NavMesh;
use clearway::mesh::VertexId;
use glam::Vec2;
use polyanya::{Mesh, PolyanyaFile, Polygon, Vertex};

use super::maps::Map;
use super::peer::{Answer, PathPeer, PlacePeer, Planner, Point};
use crate::heap;

/// The note of a planner that needs the mesh that comes with a map, where none does.
pub const NO_OWN_MESH: &str = "no mesh of its own";

/// The crate on one of two meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolyanyaCrate {
    /// The merged mesh of the planner's own authors.
    Home,
    /// Our cells: what our mesh does for the same search.
    OurCells,
}

impl PolyanyaCrate {
    /// The planner that ratios are to.
    pub const HOME: &str = "polyanya";

    /// The mesh it searches.
    pub fn mesh(self, map: &Map) -> Result<Mesh, String> {
        match self {
            PolyanyaCrate::Home => home_mesh(map.home_mesh.as_deref().ok_or(NO_OWN_MESH)?),
            PolyanyaCrate::OurCells => mesh_of_cells(&map.mesh),
        }
    }

    /// The same mesh for questions about places.
    pub fn places(self, map: &Map) -> Result<PolyanyaPlaces, String> {
        Ok(PolyanyaPlaces { name: self.name(), mesh: self.mesh(map)? })
    }
}

impl PathPeer for PolyanyaCrate {
    fn name(&self) -> &'static str {
        match self {
            PolyanyaCrate::Home => PolyanyaCrate::HOME,
            PolyanyaCrate::OurCells => "polyanya-our-cells",
        }
    }

    fn prepare(&self, map: &Map, _radius: f64) -> Result<Box<dyn Planner>, String> {
        let (mesh, memory) = heap::grown_by(|| self.mesh(map));
        Ok(Box::new(PolyanyaPlanner { mesh: mesh?, memory, from: [0.0; 2], found: None }))
    }
}

struct PolyanyaPlanner {
    mesh: Mesh,
    memory: Option<usize>,
    from: Point,
    found: Option<polyanya::Path>,
}

impl Planner for PolyanyaPlanner {
    fn find(&mut self, start: Point, goal: Point) {
        self.from = start;
        self.found = self.mesh.path(single(start), single(goal));
    }

    /// The crate sums its length in single precision; its corners are exact on these maps.
    fn answer(&mut self) -> Answer {
        let Some(path) = self.found.take() else { return Answer::NoPath };
        let corners = path.path.iter().map(|corner| corner.as_dvec2().to_array());
        Answer::along(std::iter::once(self.from).chain(corners), None)
    }

    fn memory(&self) -> Option<usize> {
        self.memory
    }
}

/// The crate's answer to where a point is.
pub struct PolyanyaPlaces {
    name: &'static str,
    mesh: Mesh,
}

impl PlacePeer for PolyanyaPlaces {
    fn name(&self) -> &'static str {
        self.name
    }

    fn locate(&mut self, point: Point) -> bool {
        self.mesh.point_in_mesh(single(point))
    }
}

fn single(point: Point) -> Vec2 {
    Vec2::from(point.map(|value| value as f32))
}

fn home_mesh(path: &Path) -> Result<Mesh, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Mesh::try_from(PolyanyaFile::from_bytes(&bytes)).map_err(|error| error.to_string())
}

/// Our cells in the crate's form: every vertex knows the cells around it, and whether a wall is there.
fn mesh_of_cells(mesh: &NavMesh) -> Result<Mesh, String> {
    let mut around = vec![Vec::new(); mesh.vertex_count()];
    let mut polygons = Vec::with_capacity(mesh.cell_count());
    for (index, cell) in mesh.cells().enumerate() {
        for side in cell.sides() {
            around[side.from.index()].push(index as u32);
        }
        let doors = cell.sides().filter(|side| side.portal.is_some()).count();
        polygons.push(Polygon::new(cell.corners().map(|vertex| vertex.index() as u32).collect(), doors == 1));
    }
    for side in mesh.cells().flat_map(|cell| cell.sides()).filter(|side| side.portal.is_none()) {
        around[side.from.index()].push(u32::MAX);
    }
    let vertices = around.into_iter().enumerate().map(|(index, around)| {
        let position = mesh.position(VertexId(index as u32)).unwrap_or_default();
        Vertex::new(single(position), around)
    });
    Mesh::new(vertices.collect(), polygons).map_err(|error| error.to_string())
}
