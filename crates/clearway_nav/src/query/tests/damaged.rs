//! Meshes that were decoded from damaged files: every question is answered, whatever the answer.

use super::{anywhere, build, numbers, plan_of, room};
use crate::mesh::{CellId, MeshParts, NavMesh};
use crate::path::PathQuery;
use crate::query::Location;
use clearway_geometry::{Grid, Point};
use clearway_scenes::Family;

/// Asks everything at random places, on the mesh and off it.
fn ask_all(mesh: &NavMesh, seed: u64) {
    let mut number = numbers(seed);
    let [low, high] = mesh.bounds().unwrap();
    let size = (high[0] - low[0]).max(high[1] - low[1]);
    let mut around = Vec::new();
    for round in 0..20 {
        let (at, to) = (anywhere(mesh, &mut number), anywhere(mesh, &mut number));
        let cell = CellId((number() * mesh.cell_count() as f64) as u32);
        let made_up = Location { cell, position: at };
        let radius = size * 0.1 * number();
        let found = mesh.locate_near(at, &made_up).or(mesh.locate(at)).ok();
        let _ = mesh.nearest_clear(at, radius, size * 0.2 * number());
        for place in
            [found, mesh.nearest(at, size), Some(made_up), mesh.random_point(round)].into_iter().flatten()
        {
            let _ = (mesh.clearance(place), mesh.walls_near(place, radius));
            for radius in [0.0, radius] {
                let _ = mesh.raycast(place, to, radius);
                let _ = mesh.move_along(place, to, radius);
            }
            mesh.cells_at(mesh.parts.grid.units(place.position), place.cell.0, &mut around);
            assert_eq!(around.first(), Some(&place.cell.0));
        }
    }
}

/// Searches for paths of points and discs at random places.
fn ask_paths(mesh: &NavMesh) {
    let places: Vec<Location> = mesh.random_points(4).take(6).collect();
    for ends in places.chunks_exact(2) {
        for radius in [0.0, 0.2, 0.5] {
            let query = PathQuery::new(ends[0], ends[1]).radius(radius).snap(1.0);
            let _ = (mesh.find_path(&query), mesh.find_path(&query.clone().partial(true)));
        }
    }
}

/// The mesh as it comes back from its bytes, whatever the shapes of its cells.
fn decoded(mesh: &NavMesh) -> NavMesh {
    NavMesh::decode_any_shape(&mesh.encode()).unwrap()
}

#[test]
fn meshes_with_moved_vertices_answer() {
    for (seed, family) in Family::ALL.into_iter().enumerate() {
        let sound = build(&plan_of(family.draw(40, 3)));
        let mut number = numbers(seed as u64);
        for share in [0.02, 0.3, 1.0] {
            let mut mesh = decoded(&sound);
            let low = mesh.parts.points.iter().map(|p| p.x.min(p.y)).min().unwrap();
            let high = mesh.parts.points.iter().map(|p| p.x.max(p.y)).max().unwrap();
            let mut coordinate = || low + (number() * f64::from(high - low)) as i32;
            let damage: Vec<Point> =
                mesh.parts.points.iter().map(|_| Point::new(coordinate(), coordinate())).collect();
            for (point, other) in mesh.parts.points.iter_mut().zip(damage) {
                if f64::from(other.x - low) <= share * f64::from(high - low) {
                    *point = other;
                }
            }
            ask_all(&decoded(&mesh), seed as u64);
        }
    }
}

#[test]
fn flat_and_inverted_meshes_answer() {
    let damage: [fn(&mut Point); 4] = [
        |p| p.y = 0,
        |p| p.x = -p.x,
        |p| *p = Point::new(5, 5),
        |p| *p = Point::new((p.x % 7) << 25, (p.y % 5) << 25),
    ];
    for (seed, damage) in damage.into_iter().enumerate() {
        let mut mesh = room();
        mesh.parts.points.iter_mut().for_each(damage);
        ask_all(&decoded(&mesh), seed as u64);
    }
}

/// Searches on cells that are not convex may not end, so the gate refuses them. It names the cell and the vertex.
#[test]
fn two_vertices_that_were_swapped_are_refused() {
    let sound = build(&plan_of(Family::Boxes.draw(40, 3)));
    let mut number = numbers(1);
    let (mut refused, mut named) = (0, 0);
    for _ in 0..200 {
        let [a, b] = [0; 2].map(|_| (number() * sound.vertex_count() as f64) as usize);
        let mut parts = sound.parts.clone();
        parts.points.swap(a, b);
        let damaged = NavMesh::unchecked(parts.clone());
        match NavMesh::from_parts(parts) {
            Ok(mesh) => ask_paths(&mesh),
            Err(flaws) => {
                refused += 1;
                named += usize::from(flaws.iter().any(|flaw| flaw.vertex.is_some()));
                assert!(flaws[0].cell.is_some() && flaws[0].at.is_some(), "{}", flaws[0]);
                let told = NavMesh::decode(&damaged.encode()).unwrap_err().to_string();
                assert!(told.contains(&flaws[0].to_string()), "{told}");
            }
        }
    }
    assert!(refused > 190 && named > 100, "{refused}, {named}");
}

/// Vertices that moved a little leave some meshes convex. Those pass, and every search on them ends.
#[test]
fn searches_on_meshes_that_pass_end() {
    let mut passed = 0;
    for (seed, family) in Family::ALL.into_iter().enumerate() {
        let sound = build(&plan_of(family.draw(30, 5)));
        let mut number = numbers(seed as u64);
        for _ in 0..40 {
            let mut parts = sound.parts.clone();
            let vertex = (number() * parts.points.len() as f64) as usize;
            let step = (1.0 / sound.unit() * number()) as i32;
            parts.points[vertex].x += step;
            let Ok(mesh) = NavMesh::from_parts(parts) else { continue };
            passed += 1;
            ask_paths(&mesh);
        }
    }
    assert!(passed > 100, "{passed}");
}

#[test]
fn grids_of_any_kind_answer() {
    for (origin, exponent) in [
        ([1e300, -1e300], -60),
        ([f64::MAX, f64::MAX], 60),
        ([1e15, 0.0], -26),
        ([5e-324, 1.0], -60),
        ([0.0; 2], 60),
    ] {
        let parts = MeshParts { grid: Grid::new(origin, exponent).unwrap(), ..room().into_parts() };
        let mesh = NavMesh::from_parts(parts).unwrap();
        ask_all(&decoded(&mesh), 9);
    }
}
