//! Places, rays, slides and walls on small plans: nothing panics, and what is answered lies on the mesh and keeps its
//! distance.

#![no_main]

use clearway::{Location, NavMesh, Plan};
use clearway_fuzz::{Bytes, read_place, read_small_mesh};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let Some((plan, mesh)) = read_small_mesh(&mut bytes) else { return };
    for _ in 0..4 {
        let [from, to] = [0; 2].map(|_| read_place(&mut bytes, &mesh));
        let radius = [0.0, 0.1, 0.5, 1.0, 2.0, 1e-9][bytes.below(6)];
        check(&plan, &mesh, from, to, radius);
    }
});

fn check(plan: &Plan, mesh: &NavMesh, from: [f64; 2], to: [f64; 2], radius: f64) {
    let case = || format!("{from:?} to {to:?}, radius {radius}, on {plan:?}");
    let near = 4.0 * mesh.unit();
    if let Some(clear) = mesh.nearest_clear(from, radius, 100.0) {
        let clearance = mesh.clearance(clear);
        assert!(clearance.is_some_and(|clearance| clearance >= radius - near), "{clearance:?}: {}", case());
    }
    let start = match mesh.locate(from) {
        Ok(start) => start,
        Err(off) => {
            let nearest = mesh.nearest(from, 1e9);
            assert_eq!(nearest.is_some(), off.nearest.is_some(), "{}", case());
            return;
        }
    };
    let clearance = mesh.clearance(start).unwrap_or(0.0);
    let walls = mesh.walls_near(start, radius + 1.0);
    assert!(walls.windows(2).all(|pair| pair[0].distance <= pair[1].distance), "{}", case());
    assert!(walls.iter().all(|wall| wall.distance >= clearance - near), "{clearance}: {walls:?}: {}", case());
    let moved = mesh.move_along(start, to, radius);
    check_stays(mesh, &moved, clearance.min(radius) - near, &case);
    let hit = mesh.raycast(start, to, radius);
    assert!(hit.is_some(), "{}", case());
    if let Some(hit) = hit.filter(|hit| hit.reached()) {
        let end = hit.at.position();
        assert!((end[0] - to[0]).hypot(end[1] - to[1]) <= near, "{end:?}: {}", case());
    }
}

/// A place is on the mesh and as far from all walls as it must be.
fn check_stays(mesh: &NavMesh, place: &Location, least: f64, case: &dyn Fn() -> String) {
    let clearance = mesh.clearance(*place);
    assert!(clearance.is_some_and(|clearance| clearance >= least), "{place:?} {clearance:?}: {}", case());
}
