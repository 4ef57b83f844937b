use crate::mesh::{MeshOptions, NavMesh, Quality};
use crate::path::PathQuery;
use crate::plan::{Plan, PlanFormat};
use clearway_geometry::Point;

const ROOMS: &str = "POLYGON ((0 0, 20 0, 20 14, 0 14), (2 2, 6 2, 6 5, 2 5), (9 1, 11 1, 11 9, 9 9), \
                     (13 4, 18 4, 18 6, 13 6), (3 8, 7 8, 7 12, 3 12), (12 10, 16 9, 15 12))";

/// Cells of a mesh with moved points overlap and are not convex. Searches answer, whatever they answer, and end.
#[test]
fn searches_on_flawed_meshes_end() {
    let plan = Plan::parse(PlanFormat::Wkt, ROOMS).unwrap();
    let sound =
        NavMesh::build(&plan, &MeshOptions { quality: Quality::Fast, ..MeshOptions::default() }).unwrap();
    let mut state = 1u64;
    let mut number = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut asked = 0;
    for round in 0..60 {
        let mut mesh = NavMesh::decode(&sound.encode()).unwrap();
        for _ in 0..1 + round % 7 {
            let (from, to) = (number(mesh.points.len()), number(mesh.points.len()));
            let Point { x, y } = mesh.points[from];
            mesh.points[to] = Point::new(x + number(1 << 20) as i32, y - number(1 << 20) as i32);
        }
        if round % 2 == 0 {
            mesh.prepare_paths();
        }
        let places: Vec<_> = mesh.random_points(round as u64).take(4).collect();
        for (start, goal) in places.iter().flat_map(|start| places.iter().map(move |goal| (*start, *goal))) {
            for radius in [0.0, 0.2, 1.0] {
                let _ = mesh.find_path(&PathQuery { radius, ..PathQuery::new(start, goal) });
                asked += 1;
            }
        }
    }
    assert!(asked > 1000, "{asked}");
}
