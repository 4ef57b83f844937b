//! Links put on meshes, and paths with them.

mod ends;
mod routes;

use super::*;
use crate::mesh::{FlawKind, Link, LinkKind, NavMesh};
use crate::query::Location;
use crate::testing::MeshOptions;
use clearway_build::surface::{WalkRules, WalkableSurface};
use clearway_scenes::{Soup, shared_data};
use clearway_world::plan::Plan;
use clearway_world::scene::{Scene, SceneFormat, SceneOptions};

/// The scene of a soup.
pub fn scene(soup: &Soup) -> Scene {
    Scene::parse(SceneFormat::Obj, soup.to_obj().as_bytes(), &SceneOptions::default()).unwrap()
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

/// A place near a point in space where a body of 0.4 m can stand.
pub fn roomy(mesh: &NavMesh, [x, y, z]: [f64; 3]) -> Location {
    let offsets = || (0..40).map(|step| 0.1 * f64::from(step));
    let places = offsets().flat_map(|right| offsets().map(move |back| [x + right, y, z + back]));
    let mut near = places.filter_map(|at| mesh.place_near(at, 0.5).filter(|(_, off)| *off < 0.3));
    near.find(|(place, _)| mesh.clearance(*place).unwrap() >= 0.4).unwrap().0
}

fn square(x: f64, y: f64, side: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
}

/// Two rooms of 4 m, 6 m apart.
fn rooms() -> NavMesh {
    let plan = Plan::from_rings([square(0.0, 0.0, 4.0), square(10.0, 0.0, 4.0)]);
    MeshOptions::default().build(&plan).unwrap()
}

#[test]
fn ends_snap_to_the_floor_they_are_near() {
    let mut soup = Soup::new();
    soup.part("floors", "Floor");
    soup.floor([0.0, 0.0], [10.0, 10.0], 0.0);
    soup.floor([0.0, 0.0], [10.0, 10.0], 3.0);
    let mut mesh = mesh_of(&scene(&soup));
    let lift = Link::new("lift", LinkKind::Lift, [2.0, 0.2, 5.0], [2.0, 2.8, 10.3]);
    mesh.add_links(&[lift], USUAL_SNAP).unwrap();
    let link = mesh.links().next().unwrap();
    assert_eq!((link.from, link.to), ([2.0, 0.0, 5.0], [2.0, 3.0, 10.0]));
    assert_eq!(link.cost, Some(link.length()));
    assert!(mesh.check().iter().all(|flaw| flaw.kind != FlawKind::Link));
}

#[test]
fn ends_off_the_mesh_name_the_nearest_place() {
    let mut mesh = rooms();
    let good = Link::new("a", LinkKind::Door, [1.0, 0.0, -1.0], [11.0, 0.0, -1.0]);
    let bad = Link { name: "b".to_string(), to: [11.0, 0.0, 3.0], ..good.clone() };
    let error = mesh.add_links(&[good.clone(), bad], 0.5).unwrap_err().to_string();
    assert_eq!(
        error,
        "link 1 \"b\": to: (11, -3) is not on the mesh; the nearest place is (11.000, 0.000), 3.000 m \
         away, and only 0.5 m are allowed"
    );
    assert_eq!(mesh.link_count(), 0, "all or none are added");
    let error = mesh.add_links(&[good.clone(), good.clone()], 0.5).unwrap_err().to_string();
    assert_eq!(error, "link 1 \"a\": name: link 0 has the same");
    mesh.add_links(std::slice::from_ref(&good), 0.5).unwrap();
    let error = mesh.add_links(&[good], 0.5).unwrap_err().to_string();
    assert_eq!(error, "link 1 \"a\": name: link 0 has the same");
    assert!(mesh.add_links(&[], f64::NAN).is_err());
}

#[test]
fn there_are_not_too_many_links() {
    let mut mesh = rooms();
    let link =
        |number: usize| Link::new(number.to_string(), LinkKind::Door, [1.0, 0.0, -1.0], [11.0, 0.0, -1.0]);
    let links: Vec<Link> = (0..=crate::mesh::MAX_LINKS).map(link).collect();
    let error = mesh.add_links(&links, 0.5).unwrap_err();
    assert_eq!(error.kind(), clearway_base::error::ErrorKind::TooLarge);
}

#[test]
fn links_that_lost_their_place_are_flaws() {
    let mut mesh = rooms();
    mesh.add_links(&[Link::new("a", LinkKind::Door, [1.0, 0.0, -1.0], [11.0, 0.0, -1.0])], 0.5).unwrap();
    mesh.parts.links[0].ends[1].position = [7.0, 1.0];
    let flaws = mesh.check();
    assert_eq!((flaws.len(), flaws[0].kind), (1, FlawKind::Link));
}
