//! Plans of others, opened as a new user would: no option, and a body finds its way.

use clearway::{MeshOptions, PathQuery, Plan};
use clearway_scenes::shared_data;

/// Builds a plan of the data folder and walks from one place to another; skipped where the file is not there.
fn walk(name: &str, area: [f64; 2], ends: [[f64; 2]; 2]) -> Option<Plan> {
    let path = shared_data(&format!("first-try/{name}"))?;
    let plan = Plan::load(path).unwrap();
    let mesh = MeshOptions::default().build(&plan).unwrap();
    assert!(mesh.check().is_empty(), "{name}");
    assert!(mesh.area() > area[0] && mesh.area() < area[1], "{name}: {}", mesh.area());
    let [from, to] = ends.map(|[x, y]| mesh.locate([x, y]).unwrap());
    let path = mesh.find_path(&PathQuery::new(from, to).radius(0.2));
    assert!(path.is_ok(), "{name}: {:?}", path.err());
    Some(plan)
}

#[test]
fn drawings_of_jupedsim_open_at_once() {
    let places = |plan: Option<Plan>| plan.map(|plan| plan.places.len());
    let office = walk("ISO-Office.dxf", [120.0, 220.0], [[-8.0, 7.0], [-2.6, 9.7]]);
    assert!(places(office).is_none_or(|count| count == 14));
    let gallery = walk("Gallery.dxf", [600.0, 800.0], [[-14.0, 5.0], [22.5, 5.0]]);
    assert!(places(gallery).is_none_or(|count| count == 9));
}

#[test]
fn a_map_of_ros_opens_at_once() {
    let plan = walk("turtlebot3_map.yaml", [5.0, 60.0], [[-1.5, -0.5], [1.5, 0.5]]);
    let corners = plan.map(|plan| plan.point_count());
    assert!(corners.is_none_or(|corners| corners < 1000), "{corners:?}");
}
