//! Meshes that were decoded from damaged files: every question is answered, whatever the answer.

use super::{anywhere, build, numbers, plan_of, room};
use crate::mesh::MeshParts;
use crate::mesh::{CellId, NavMesh};
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

/// The mesh as it comes back from its bytes.
fn decoded(mesh: &NavMesh) -> NavMesh {
    NavMesh::decode(&mesh.encode()).unwrap()
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
