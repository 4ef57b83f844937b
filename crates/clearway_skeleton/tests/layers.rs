//! Skeletons of scenes in layers against the mesh's own clearance, which is computed in another way.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_geometry::Point;
use clearway_nav::{Location, NavMesh};
use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, KnownScene, bridge, building, car_park, spiral_ramp,
    stacked_floors, terrain, toy,
};
use clearway_skeleton::{Shape, Skeleton};
use clearway_world::Scene;

fn mesh_of(scene: KnownScene) -> (String, NavMesh) {
    let soup = scene.soup;
    let world = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = WalkableSurface::extract(&world, &WalkRules::default()).unwrap();
    (scene.name, MeshOptions::default().build(&surface).unwrap())
}

fn meshes() -> impl Iterator<Item = (String, NavMesh, Skeleton)> {
    let houses = (1..4).flat_map(|seed| {
        [(2, 2, 2), (3, 3, 2), (4, 1, 1)]
            .map(|(storeys, rooms_x, rooms_z)| building(BuildingOptions { storeys, rooms_x, rooms_z }, seed))
    });
    let others = [
        toy(),
        stacked_floors(),
        spiral_ramp(60),
        spiral_ramp(37),
        bridge(Approach::Ramp),
        bridge(Approach::Embankment),
        car_park(CarParkOptions { levels: 3, turns: 1 }),
        car_park(CarParkOptions { levels: 4, turns: 2 }),
    ];
    houses.chain(others).map(mesh_of).map(|(name, mesh)| {
        let skeleton = Skeleton::build(&mesh).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, mesh, skeleton)
    })
}

fn places(mesh: &NavMesh, count: usize) -> Vec<Location> {
    mesh.random_points(5).take(count).collect()
}

#[test]
fn every_disc_is_empty() {
    let mut opened = 0;
    for (name, mesh, skeleton) in meshes() {
        assert!(skeleton.is_layered(), "{name}");
        let audit = skeleton.audit(&mesh);
        assert!(audit.is_clean(), "{name}: {audit:?} {:?}", skeleton.diagram().counters());
        opened += skeleton.connection_count();
    }
    assert!(opened > 60, "{opened}");
}

#[test]
fn clearance_is_that_of_the_mesh() {
    for (name, mesh, skeleton) in meshes() {
        for at in places(&mesh, 400) {
            let (ours, theirs) = (skeleton.clearance_at(&mesh, at).unwrap(), mesh.clearance(at).unwrap());
            assert!((ours.distance - theirs).abs() <= 1e-9 * theirs.max(1e-6), "{name}: {ours:?} {theirs}");
        }
    }
}

#[test]
fn widest_radii_are_those_of_the_peak_graph() {
    // The peak graph stores radii as 32-bit floats, rounded down.
    let most = 1.0 + 2f64.powi(-22);
    for (name, mesh, skeleton) in meshes() {
        let places = places(&mesh, 40);
        for (i, &a) in places.iter().enumerate() {
            for &b in &places[..i] {
                let theirs = mesh.widest_radius(a, b);
                let ours = skeleton.widest_between(&mesh, a, b).map(|way| way.radius);
                let agree = match (ours, theirs) {
                    (None, None) => true,
                    (Some(ours), Some(theirs)) => ours * (1.0 + 1e-12) >= theirs && ours <= theirs * most,
                    _ => false,
                };
                assert!(agree, "{name}: from {a:?} to {b:?}: ours {ours:?}, the mesh's {theirs:?}");
            }
        }
    }
}

#[test]
fn retractions_lie_on_roads_of_their_floor() {
    for (name, mesh, skeleton) in meshes() {
        let floors = skeleton.floors(&mesh);
        for at in places(&mesh, 100) {
            let clearance = skeleton.clearance_at(&mesh, at).unwrap();
            let found = skeleton.retract_at(&mesh, at).unwrap();
            assert!(found.radius >= clearance.distance * (1.0 - 1e-9), "{name}");
            let there = mesh.raycast(at, found.at, 0.0).unwrap();
            assert!(there.reached(), "{name}: from {at:?} to {found:?}");
            let clear = mesh.clearance(there.at).unwrap();
            assert!((clear - found.radius).abs() < 1e-6, "{name}: {found:?} {clear}");
            let road = skeleton.road(found.edge).unwrap();
            assert!(road.ends.iter().all(|&end| floors.cell(end).is_some()), "{name}");
        }
    }
}

#[test]
fn roads_are_drawn_on_their_floor() {
    for (name, mesh, skeleton) in meshes() {
        let floors = skeleton.floors(&mesh);
        for (_, road) in skeleton.roads() {
            let line = skeleton.line(&mesh, floors.cell(road.ends[0]).unwrap(), &road);
            for at in &line {
                assert!(mesh.is_here(at), "{name}: {at:?} of {road:?}");
            }
            let end = floors.cell(road.ends[1]).unwrap();
            let heights = [line[line.len() - 1], Location::in_cell(end, line[line.len() - 1].position())];
            let [one, other] = heights.map(|at| mesh.height(at));
            assert!((one - other).abs() <= mesh.max_step().unwrap() + 1e-6, "{name}: {one} {other} {road:?}");
        }
    }
}

#[test]
fn a_point_of_the_plan_names_no_place_in_layers() {
    let (_, mesh) = mesh_of(stacked_floors());
    let mut skeleton = Skeleton::build(&mesh).unwrap();
    let at = places(&mesh, 1)[0].position();
    assert!(skeleton.clearance(at, None).is_none());
    assert!(skeleton.retract(at, None).is_none());
    assert!(skeleton.widest(at, at).is_none());
    let error = skeleton.insert(&Shape::Point(Point::new(0, 0))).unwrap_err();
    assert!(error.to_string().contains("layers"), "{error}");
}

#[test]
fn a_scene_without_layers_is_one_sheet() {
    for scene in [terrain(12, 3), spiral_ramp(13)] {
        let (name, mesh) = mesh_of(scene);
        let skeleton = Skeleton::build(&mesh).unwrap();
        assert_eq!((skeleton.sheet_count(), skeleton.connection_count()), (1, 0), "{name}");
        assert!(skeleton.audit(&mesh).is_clean(), "{name}");
        let floors = skeleton.floors(&mesh);
        assert!(skeleton.vertices().all(|(id, _)| floors.cell(id).is_some()), "{name}");
        for at in places(&mesh, 50) {
            let (ours, theirs) =
                (skeleton.clearance(at.position(), None).unwrap(), mesh.clearance(at).unwrap());
            assert!((ours.distance - theirs).abs() <= 1e-9 * (1.0 + theirs), "{name}: {ours:?} {theirs}");
        }
    }
}
