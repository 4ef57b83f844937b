//! Scenes of the generators, which depend on nothing and so make soups; what the tests of scenes share.

use clearway::{Scene, WalkRules};
use clearway_scenes::Soup;

pub fn scene_of(soup: &Soup) -> Scene {
    let Soup { vertices, triangles, part_of, parts } = soup.clone();
    Scene::from_triangles(vertices, triangles, part_of, parts).unwrap()
}

/// The default rules, but every piece is kept: for tests that look at the geometry of small pieces.
pub fn keeping_all() -> WalkRules {
    WalkRules::default().inside(false).islands(false)
}
