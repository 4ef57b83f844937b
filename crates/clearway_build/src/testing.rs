//! What the unit tests share.

use crate::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::{Location, NavMesh};
use clearway_scenes::Soup;
use clearway_world::Scene;
use std::path::PathBuf;

/// The scene of a generator.
pub fn scene_of(soup: &Soup) -> Scene {
    let Soup { vertices, triangles, part_of, parts } = soup.clone();
    Scene::from_triangles(vertices, triangles, part_of, parts).unwrap()
}

/// A scene of the shared data, or `None` with a message.
pub fn shared(name: &str) -> Option<Scene> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("CLEARWAY_DATA").map_or_else(beside, PathBuf::from);
    let path = data.join("scenes").join(name);
    if !path.is_file() {
        println!("skipped: {} is not there; set CLEARWAY_DATA to the folder of the data", path.display());
        return None;
    }
    Some(Scene::load(path).unwrap())
}

/// The mesh of a scene.
pub fn mesh_of(scene: &Scene) -> NavMesh {
    let surface = WalkableSurface::extract(scene, &WalkRules::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// The place of the mesh at a point in space.
pub fn place(mesh: &NavMesh, at: [f64; 3]) -> Location {
    let (place, off) = mesh.place_near(at, 0.5).unwrap();
    assert!(off < 0.5, "{at:?} is {off} m off the mesh");
    place
}
