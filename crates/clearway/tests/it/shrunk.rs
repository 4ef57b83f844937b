//! Meshes shrunk by a radius: nothing of them is closer to a wall, and whoever walks on them fits.

use clearway::{MeshOptions, NavMesh, PathQuery, Plan, PlanFormat, shrunk};
use clearway_scenes::{Family, hospital_ward};

fn mesh_of(wkt: &str) -> NavMesh {
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, wkt).unwrap()).unwrap()
}

/// The other way round a point may stay on its side of a corner that was cut by two hundredths of the radius.
#[test]
fn shrunk_meshes_claim_no_place_and_no_way_that_is_not_there() {
    let plans: Vec<String> = (0..3)
        .map(|seed| hospital_ward(seed).to_wkt())
        .chain(
            [Family::Boxes, Family::RotatedBoxes, Family::Mazes].map(|family| family.draw(150, 5).to_wkt()),
        )
        .collect();
    let mut reached = 0;
    for (number, plan) in plans.iter().enumerate() {
        let mesh = mesh_of(plan);
        for radius in [0.1, 0.35] {
            let Ok(small) = shrunk(&mesh, radius, None) else { continue };
            let places: Vec<_> = small.random_points(7).take(200).collect();
            let own: Vec<_> = places.iter().map(|at| mesh.locate(at.position()).unwrap()).collect();
            for at in &own {
                assert!(mesh.clearance(*at).unwrap() >= radius, "{number}, {radius}: {at:?}");
            }
            for (pair, there) in places.windows(2).zip(own.windows(2)) {
                let is_joined = small.find_path(&PathQuery::new(pair[0], pair[1])).is_ok();
                let can_pass = mesh.can_pass(there[0], there[1], radius);
                assert!(!is_joined || can_pass, "{number}, {radius}: {pair:?}");
                assert!(is_joined || !mesh.can_pass(there[0], there[1], 1.03 * radius), "{number}: {pair:?}");
                reached += usize::from(is_joined);
            }
        }
    }
    assert!(reached > 100, "{reached}");
}

#[test]
fn floors_over_each_other_are_refused() {
    let soup = clearway_scenes::stacked_floors().soup;
    let scene =
        clearway::Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = clearway::WalkableSurface::extract(&scene, &Default::default()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    assert!(shrunk(&mesh, 0.3, None).unwrap_err().to_string().contains("storey"));
    let upper = shrunk(&mesh, 0.3, Some(mesh.storeys()[1])).unwrap();
    assert!(upper.area() > 1.0 && upper.area() < mesh.area());
    assert!(shrunk(&mesh, f64::NAN, None).is_err());
}
