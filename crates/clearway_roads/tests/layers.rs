//! The planners on scenes in layers: every path is judged.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::path::{Planner, verify};
use clearway_nav::{Location, NavMesh, PathQuery};
use clearway_roads::{Method, RoadOptions, RoadPlanner};
use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, KnownScene, bridge, building, car_park, spiral_ramp, toy,
};
use clearway_world::Scene;

fn mesh_of(scene: KnownScene) -> (String, NavMesh) {
    let soup = scene.soup;
    let world = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = WalkableSurface::extract(&world, &WalkRules::default()).unwrap();
    (scene.name, MeshOptions::default().build(&surface).unwrap())
}

fn meshes() -> Vec<(String, NavMesh)> {
    let house = |seed| building(BuildingOptions { storeys: 3, rooms_x: 2, rooms_z: 2 }, seed);
    let scenes = [
        house(1),
        house(2),
        toy(),
        spiral_ramp(37),
        bridge(Approach::Ramp),
        car_park(CarParkOptions { levels: 3, turns: 1 }),
    ];
    scenes.into_iter().map(mesh_of).collect()
}

#[test]
fn planners_answer_in_layers() {
    for method in Method::ALL {
        let (mut paths, mut rescues) = (0, 0);
        for (name, mesh) in meshes() {
            let mut planner =
                RoadPlanner::prepared(method, RoadOptions::default().clearance(0.5), &mesh).unwrap();
            let places: Vec<Location> = mesh.random_points(11).take(40).collect();
            for (i, ends) in places.chunks(2).enumerate() {
                let radius = [0.0, 0.1, 0.3][i % 3];
                let query = PathQuery::new(ends[0], ends[1]).radius(radius);
                let (ours, best) = (planner.find_path(&mesh, &query), mesh.find_path(&query));
                assert_eq!(ours.is_ok(), best.is_ok(), "{name} {}: {ends:?} {radius}", method.name());
                let (Ok(ours), Ok(best)) = (ours, best) else { continue };
                verify(&mesh, &ours).unwrap_or_else(|e| panic!("{name} {}: {ends:?}: {e}", method.name()));
                assert!(ours.length >= best.length * (1.0 - 1e-9) - 1e-9, "{name} {}", method.name());
                paths += 1;
            }
            rescues += planner.rescues();
        }
        eprintln!("{} in layers: {paths} paths, {rescues} rescues", method.name());
        assert!(paths > 50, "{}: {paths}", method.name());
        // Miran once fell back for 3e-10 m, and where it walked along a wall without thickness.
        assert_eq!(rescues, 0, "{} of {paths}", method.name());
    }
}
