//! Scenes of the generators, which depend on nothing and so make soups; what the tests of scenes share.

use clearway::Scene;
use clearway_scenes::Soup;

pub fn scene_of(soup: &Soup) -> Scene {
    let Soup { vertices, triangles, part_of, parts } = soup.clone();
    Scene::from_triangles(vertices, triangles, part_of, parts).unwrap()
}
