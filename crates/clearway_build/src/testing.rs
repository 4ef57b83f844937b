//! What the unit tests share.

use crate::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::{Location, NavMesh};
use clearway_scenes::{Soup, shared_data};
use clearway_world::Scene;

/// The scene of a generator.
pub fn scene_of(soup: &Soup) -> Scene {
    let Soup { vertices, triangles, part_of, parts } = soup.clone();
    Scene::from_triangles(vertices, triangles, part_of, parts).unwrap()
}

/// A scene of the shared data, or `None` with a message.
pub fn shared(name: &str) -> Option<Scene> {
    shared_data(&format!("scenes/{name}")).map(|path| Scene::load(path).unwrap())
}

/// The mesh of a scene.
pub fn mesh_of(scene: &Scene) -> NavMesh {
    let surface = WalkableSurface::extract(scene, &WalkRules::default().islands(false)).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// The place of the mesh at a point in space.
pub fn place(mesh: &NavMesh, at: [f64; 3]) -> Location {
    let (place, off) = mesh.place_near(at, 0.5).unwrap();
    assert!(off < 0.5, "{at:?} is {off} m off the mesh");
    place
}
