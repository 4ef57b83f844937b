//! Questions compared with brute force, on random scenes and on damaged meshes.

mod damaged;
mod moves;

use super::*;
use crate::mesh::{CellId, NavMesh};
use crate::testing::MeshOptions;
use clearway_build::Quality;
use clearway_geometry::{NONE, Vec2};
use clearway_scenes::{Family, PlanDrawing};
use clearway_world::plan::{Plan, PlanPolygon};

pub(super) fn plan_of(drawing: PlanDrawing) -> Plan {
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, ..Plan::default() }
}

pub(super) fn build(plan: &Plan) -> NavMesh {
    MeshOptions::default().quality(Quality::Fast).build(plan).unwrap()
}

/// A room of 10 by 8 with a thin wall that begins and ends inside it, and a pillar.
pub(super) fn room() -> NavMesh {
    let mut plan = Plan::from_rings([
        vec![[0.0, 0.0], [10.0, 0.0], [10.0, 8.0], [0.0, 8.0]],
        vec![[7.0, 3.0], [8.0, 3.0], [8.0, 4.0], [7.0, 4.0]],
    ]);
    plan.walls = vec![vec![[4.0, 2.0], [4.0, 6.0]]];
    build(&plan)
}

pub(super) fn empty() -> NavMesh {
    NavMesh::unchecked(crate::mesh::MeshParts::empty(room().parts.grid))
}

/// Meshes of every family, one of them turned and far from the origin.
pub(crate) fn scenes(size: usize) -> Vec<(String, NavMesh)> {
    let mut scenes = vec![("room".to_string(), room())];
    for (seed, family) in Family::ALL.into_iter().enumerate() {
        let drawing = family.draw(size, seed as u64);
        let turned = drawing.scaled(1.7, 0.3, [500_000.0, -4_000_000.0]);
        scenes.push((family.name().to_string(), build(&plan_of(drawing))));
        scenes.push((format!("{}, turned", family.name()), build(&plan_of(turned))));
    }
    scenes
}

/// Numbers in [0, 1), the same on every run.
pub(super) fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A random point in the box around a mesh and a bit beyond.
pub(super) fn anywhere(mesh: &NavMesh, number: &mut impl FnMut() -> f64) -> [f64; 2] {
    let [low, high] = mesh.bounds().unwrap();
    [0, 1].map(|axis| low[axis] + (high[axis] - low[axis]) * (number() * 1.2 - 0.1))
}

/// All walls, in grid units.
pub(super) fn walls(mesh: &NavMesh) -> Vec<[Vec2; 2]> {
    let layout = mesh.graph();
    let of_cell = |cell: u32| layout.sides(cell).map(move |side| (cell, side));
    let sides = (0..mesh.cell_count() as u32).flat_map(of_cell);
    sides
        .filter(|(_, side)| layout.beyond[*side] == NONE)
        .map(|(cell, side)| layout.ends(cell, side))
        .collect()
}

/// The distance to the nearest of all walls, in metres.
pub(super) fn wall_distance(mesh: &NavMesh, walls: &[[Vec2; 2]], position: [f64; 2]) -> f64 {
    let spot = mesh.parts.grid.units(position);
    let distances = walls.iter().map(|[from, to]| spot.distance_to_segment(*from, *to));
    distances.fold(f64::INFINITY, f64::min) * mesh.unit()
}

fn cells_holding(mesh: &NavMesh, position: [f64; 2]) -> Vec<u32> {
    let Some(spot) = side::fine(mesh.parts.grid.units(position)) else { return Vec::new() };
    (0..mesh.cell_count() as u32).filter(|cell| mesh.holds(*cell, spot)).collect()
}

#[test]
fn places_are_located_as_by_brute_force() {
    for (name, mesh) in scenes(120) {
        let mut number = numbers(3);
        let walls = walls(&mesh);
        let mut hint = mesh.nearest(anywhere(&mesh, &mut number), f64::INFINITY).unwrap();
        for _ in 0..400 {
            let position = anywhere(&mesh, &mut number);
            let all = cells_holding(&mesh, position);
            match mesh.locate(position) {
                Ok(found) => {
                    assert_eq!((found.cell().0, found.position()), (all[0], position), "{name}");
                    let near = mesh.locate_near(position, &hint).unwrap();
                    assert!(all.contains(&near.cell().0) && mesh.is_here(&near), "{name}");
                    let clearance = mesh.clearance(found).unwrap();
                    let expected = wall_distance(&mesh, &walls, position);
                    assert!(
                        (clearance - expected).abs() <= 1e-12 * expected,
                        "{name}: {clearance} {expected}"
                    );
                    hint = near;
                }
                Err(off) => {
                    assert!(all.is_empty(), "{name}");
                    assert_eq!(mesh.locate_near(position, &hint), Err(off));
                    let expected = wall_distance(&mesh, &walls, position);
                    let nearest = off.nearest.unwrap();
                    assert!(mesh.is_here(&nearest), "{name}");
                    assert!(mesh.locate(nearest.position()).is_ok(), "{name}");
                    let allowed = 1e-9 * expected + 8.0 * mesh.slack() * mesh.unit();
                    assert!(
                        (off.distance - expected).abs() <= allowed,
                        "{name}: {} {expected}",
                        off.distance
                    );
                    assert_eq!(mesh.nearest(position, off.distance), Some(nearest));
                    assert_eq!(mesh.nearest(position, off.distance * 0.999), None);
                }
            }
        }
    }
}

#[test]
fn corners_and_sides_belong_to_all_cells_around() {
    for (name, mesh) in scenes(60) {
        let layout = mesh.graph();
        let mut around = Vec::new();
        for cell in 0..mesh.cell_count() as u32 {
            for side in layout.sides(cell) {
                let [from, to] = layout.ends(cell, side);
                let corner = mesh.locate(mesh.parts.grid.place(from)).unwrap();
                assert!(corner.cell().0 <= cell && mesh.is_here(&corner), "{name}");
                // Somewhere on the side, rounded to whichever side: some cell holds it or it is off a wall.
                let on_side = mesh.parts.grid.place(from + (to - from) * 0.371);
                let found = mesh.locate(on_side);
                let beyond = layout.beyond[side];
                if beyond != NONE {
                    assert!(found.is_ok(), "{name}: fell through the side {side} of cell {cell}");
                    mesh.cells_at(mesh.parts.grid.units(on_side), cell, &mut around);
                    assert_eq!((around[0], around.contains(&beyond)), (cell, true), "{name}");
                } else {
                    assert!(
                        found.map_or_else(|off| off.distance, |_| 0.0) <= 8.0 * mesh.slack() * mesh.unit()
                    );
                }
            }
        }
    }
}

#[test]
fn cells_around_a_place_are_found_through_portals_only() {
    let mesh = room();
    let mut around = Vec::new();
    // In the middle of the thin wall: the cells on its other face are not reached.
    let spot = mesh.parts.grid.units([4.0, 4.0]);
    for cell in cells_holding(&mesh, [4.0, 4.0]) {
        mesh.cells_at(spot, cell, &mut around);
        let left = |cell: u32| mesh.cell(CellId(cell)).unwrap().outline().all(|[x, _]| x <= 4.0);
        assert!(around.iter().all(|other| left(*other) == left(cell)), "{around:?}");
    }
    // At its end all cells around are.
    let all = cells_holding(&mesh, [4.0, 6.0]);
    for cell in &all {
        mesh.cells_at(mesh.parts.grid.units([4.0, 6.0]), *cell, &mut around);
        around.sort_unstable();
        assert_eq!(around, all);
    }
}

#[test]
fn walls_near_a_place_come_nearest_first() {
    let mesh = room();
    let at = mesh.locate([3.0, 4.0]).unwrap();
    let near = mesh.walls_near(at, 3.5);
    assert_eq!(mesh.clearance(at), Some(1.0));
    assert_eq!((near[0].distance, near[0].from[0], near[0].to[0]), (1.0, 4.0, 4.0));
    assert!(near.iter().any(|wall| wall.distance == 3.0 && wall.from[0] == 0.0 && wall.to[0] == 0.0));
    assert!(near.windows(2).all(|pair| pair[0].distance <= pair[1].distance));
    assert!(mesh.walls_near(at, 0.5).is_empty() && mesh.walls_near(at, f64::NAN).is_empty());
    let all = mesh.walls_near(at, f64::INFINITY);
    assert_eq!(all.len(), mesh.wall_count());
}

#[test]
fn points_that_make_no_sense_are_off_the_mesh() {
    let mesh = room();
    let here = mesh.locate([1.0, 1.0]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let off = mesh.locate([1.0, bad]).unwrap_err();
        assert_eq!((off.nearest, off.distance), (None, f64::INFINITY));
        assert_eq!(mesh.locate_near([bad, bad], &here), Err(off));
        assert_eq!(mesh.nearest([bad, 0.0], 1e300), None);
    }
    for huge in [1e9, 1e30, 1e200, 1e300] {
        let off = mesh.locate([huge, 4.0]).unwrap_err();
        let nearest = off.nearest.unwrap();
        assert_eq!((nearest.position()[0], off.distance), (10.0, huge - 10.0));
        assert!(mesh.is_here(&nearest));
    }
    assert_eq!(mesh.nearest([-3.0, 4.0], f64::NAN), None);
}

#[test]
fn stale_locations_and_empty_meshes_are_harmless() {
    let (mesh, other) = (room(), build(&Plan::from_rings([vec![[0.0, 0.0], [90.0, 0.0], [0.0, 90.0]]])));
    let far = other.locate([30.0, 30.0]).unwrap();
    let stale = Location { cell: CellId(NONE), position: [1.0, 1.0] };
    let nowhere = Location { cell: CellId(0), position: [f64::NAN, 1.0] };
    for location in [far, stale, nowhere] {
        assert!(!mesh.is_here(&location));
        assert_eq!(mesh.clearance(location), None);
        assert_eq!(mesh.walls_near(location, 9.0), []);
        assert!(mesh.locate_near([1.0, 1.0], &location).is_ok());
    }
    let empty = empty();
    let off = empty.locate([1.0, 1.0]).unwrap_err();
    assert_eq!((off.nearest, off.distance), (None, f64::INFINITY));
    assert_eq!(empty.nearest([1.0, 1.0], 9.0), None);
    assert_eq!(empty.clearance(far), None);
}

/// The nearest legal place among many: a fine raster around the point.
fn sampled_clear(mesh: &NavMesh, walls: &[[Vec2; 2]], at: [f64; 2], radius: f64, within: f64) -> f64 {
    let steps = 60;
    let mut best = f64::INFINITY;
    for row in -steps..=steps {
        for column in -steps..=steps {
            let [x, y] = [column, row].map(|c| f64::from(c) / f64::from(steps) * within);
            let (place, distance) = ([at[0] + x, at[1] + y], x.hypot(y));
            if distance < best.min(within)
                && wall_distance(mesh, walls, place) >= radius
                && mesh.locate(place).is_ok()
            {
                best = distance;
            }
        }
    }
    best
}

#[test]
fn nearest_clear_places_are_legal_and_no_sample_is_nearer() {
    let mut found = 0;
    for (name, mesh) in scenes(40) {
        let (mut number, walls) = (numbers(5), walls(&mesh));
        let [low, high] = mesh.bounds().unwrap();
        let size = (high[0] - low[0]).max(high[1] - low[1]);
        for _ in 0..12 {
            let at = anywhere(&mesh, &mut number);
            let (radius, within) = (size * (0.002 + 0.08 * number() * number()), size * 0.3 * number());
            let sampled = sampled_clear(&mesh, &walls, at, radius, within);
            match mesh.nearest_clear(at, radius, within) {
                Some(place) => {
                    let [x, y] = place.position();
                    let distance = (x - at[0]).hypot(y - at[1]);
                    assert!(mesh.clearance(place).unwrap() >= radius && mesh.is_here(&place), "{name}");
                    assert!(distance <= within * (1.0 + 1e-9), "{name}");
                    assert!(distance <= sampled * (1.0 + 1e-9), "{name}: {distance}, sampled {sampled}");
                    found += 1;
                }
                None => assert_eq!(sampled, f64::INFINITY, "{name}: {at:?} {radius} {within}"),
            }
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn nearest_clear_places_are_exact() {
    let mesh = room();
    let near = |at: [f64; 2], radius: f64| mesh.nearest_clear(at, radius, 99.0).unwrap().position();
    let close = |p: [f64; 2], q: [f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]) < 1e-6;
    assert_eq!(near([2.0, 4.0], 1.5), [2.0, 4.0]);
    assert!(close(near([0.1, 4.0], 1.5), [1.5, 4.0]));
    assert!(close(near([-7.0, -7.0], 0.5), [0.5, 0.5]));
    assert!(close(near([4.0, 6.5], 1.0), [4.0, 7.0]), "between the end of the thin wall and the room's wall");
    assert_eq!(mesh.nearest_clear([4.0, 6.5], 1.0, 0.4), None);
    assert_eq!(mesh.nearest_clear([2.0, 4.0], 5.0, f64::INFINITY), None);
    for (radius, within) in [(f64::NAN, 1.0), (-1.0, 1.0), (1.0, f64::NAN), (f64::INFINITY, 1.0), (1.0, -1.0)]
    {
        assert_eq!(mesh.nearest_clear([2.0, 4.0], radius, within), None);
    }
    assert_eq!(empty().nearest_clear([2.0, 4.0], 1.0, 9.0), None);
}

/// In a round room thousands of walls are equally far from the middle.
#[test]
fn round_rooms_have_a_clear_middle() {
    let count = 3000;
    let corner = |i: u32| (f64::from(i) / f64::from(count) * std::f64::consts::TAU).sin_cos();
    let mesh =
        build(&Plan::from_rings([(0..count).map(|i| [10.0 * corner(i).1, 10.0 * corner(i).0]).collect()]));
    let inner = 10.0 * (std::f64::consts::PI / f64::from(count)).cos();
    for part in [0.1, 0.9, 0.999, 0.999_999, 0.999_999_999] {
        let radius = inner * part;
        if let Some(place) = mesh.nearest_clear([20.0, 3.0], radius, 99.0) {
            assert!(mesh.clearance(place).unwrap() >= radius);
            let [x, y] = place.position();
            assert!((x.hypot(y) - (inner - radius)).abs() <= 1e-5, "{part}: {place:?}");
        } else {
            assert!(part > 0.999_999, "{part}");
        }
    }
    assert_eq!(mesh.nearest_clear([20.0, 3.0], 10.0, 99.0), None);
}
