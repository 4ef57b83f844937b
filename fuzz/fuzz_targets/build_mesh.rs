//! Rings and walls of every kind on whole coordinates: the mesh has no flaws, survives encoding, and covers the
//! walkable space.

#![no_main]

use clearway::plan::Plan;
use clearway::{MeshOptions, NavMesh, Quality};
use clearway_fuzz::{Bytes, check_mesh, doubled_area_and_wall_length, read_options, read_plan};
use clearway_geometry::arrangement::{Chain, Role, arrange};
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let options = read_options(&mut bytes);
    let plan = read_plan(&mut bytes);
    match options.build(&plan) {
        Ok(mesh) => {
            check_mesh(&mesh, &(&options, &plan));
            check_area(&mesh, &plan, &options);
        }
        Err(error) => assert!(plan.is_empty(), "{error}\nof {plan:?}"),
    }
});

/// Without new points the mesh covers the walkable space exactly. New points on walls are rounded towards the
/// inside, so that the mesh may lose less than a unit along its walls.
fn check_area(mesh: &NavMesh, plan: &Plan, options: &MeshOptions) {
    let (covered, wall_length) = doubled_area_and_wall_length(mesh);
    let walkable = doubled_free_area(plan);
    let lost = walkable - covered;
    let allowed = match options.quality {
        Quality::Fast => 0.0,
        _ => 4.0 * wall_length + 16.0,
    };
    let is_fine = lost >= 0 && lost as f64 <= allowed;
    assert!(is_fine, "covers {covered} of {walkable} (doubled)\nof {options:?} {plan:?}");
}

/// Twice the walkable area, from the arrangement alone.
fn doubled_free_area(plan: &Plan) -> i128 {
    let Ok(floor) = arrange(&chains(plan)) else { return 0 };
    let edges = floor.triangulation.edges();
    let corner = |e: u32| floor.triangulation.point(edges.origin(e));
    let free = (0..edges.triangle_count()).filter(|t| floor.free[*t as usize]);
    free.map(|t| i128::from(orient(corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)))).sum()
}

/// The chains of a plan on whole coordinates, without those that span nothing.
fn chains(plan: &Plan) -> Vec<Chain> {
    let mut chains = Vec::new();
    let mut add = |ring: &[[f64; 2]], role: Role| {
        let mut points: Vec<Point> = ring.iter().map(|[x, y]| Point::new(*x as i32, *y as i32)).collect();
        points.dedup();
        while role != Role::Wall && points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let spans = |rest: &[Point]| rest.iter().any(|p| orient(points[0], points[1], *p) != 0);
        if points.len() >= 2 && (role == Role::Wall || spans(&points[2..])) {
            chains.push(Chain { points, role });
        }
    };
    for (number, polygon) in (0..NONE).zip(&plan.polygons) {
        add(&polygon.outline, Role::Outline(number));
        polygon.holes.iter().for_each(|hole| add(hole, Role::Hole(number)));
    }
    plan.rings.iter().for_each(|ring| add(ring, Role::Nested));
    plan.walls.iter().for_each(|wall| add(wall, Role::Wall));
    chains
}
