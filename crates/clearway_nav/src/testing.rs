//! Meshes for unit tests. The build crate links the library without its tests, so that its meshes are of another type:
//! they come over as bytes.

use crate::mesh::NavMesh;
use clearway_base::Result;
use clearway_build::{Quality, World};
use clearway_scenes::Soup;
use clearway_world::Scene;

/// The options of a build whose meshes are those of this crate.
#[derive(Clone, Debug, Default)]
pub struct MeshOptions(clearway_build::MeshOptions);

impl MeshOptions {
    pub fn quality(self, quality: Quality) -> MeshOptions {
        MeshOptions(self.0.quality(quality))
    }

    pub fn grid(self, grid: impl Into<Option<f64>>) -> MeshOptions {
        MeshOptions(self.0.grid(grid))
    }

    pub fn build(&self, world: &(impl World + ?Sized)) -> Result<NavMesh> {
        let mesh = NavMesh::decode(&self.0.build(world)?.encode())?;
        // Nothing is derived yet, as after a build.
        Ok(NavMesh::from_parts(mesh.into_parts()).unwrap())
    }
}

/// The scene of a generator.
pub fn scene_of(soup: &Soup) -> Scene {
    let Soup { vertices, triangles, part_of, parts } = soup.clone();
    Scene::from_triangles(vertices, triangles, part_of, parts).unwrap()
}
