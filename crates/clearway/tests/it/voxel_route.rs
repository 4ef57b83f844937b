//! The voxel route against the exact one: the same ground, the same pieces, and every law of a mesh.

use crate::generated;
use crate::generated::keeping_all;

use clearway::{ErrorKind, MeshOptions, Method, NavMesh, Scene, WalkRules, WalkableSurface};
use clearway_compare::{ColumnSampler, Columns};
use clearway_scenes::{Approach, BuildingOptions, CarParkOptions, KnownScene};
use generated::scene_of;
use std::path::PathBuf;
use std::time::Instant;

const CELL: f64 = 0.1;

/// The least share that each route has of the other on large scenes: of all, and of what is two cells from borders.
const LARGE: [f64; 2] = [0.97, 0.99];

fn generated() -> Vec<KnownScene> {
    vec![
        clearway_scenes::toy(),
        clearway_scenes::building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 2 }, 1),
        clearway_scenes::car_park(CarParkOptions { levels: 2, turns: 1 }),
        clearway_scenes::stacked_floors(),
        clearway_scenes::spiral_ramp(24),
        clearway_scenes::bridge(Approach::Embankment),
        clearway_scenes::bridge(Approach::Ramp),
    ]
}

fn voxel(cell: f64) -> WalkRules {
    keeping_all().method(Method::Voxel { cell })
}

fn mesh_of(scene: &Scene, rules: &WalkRules) -> NavMesh {
    let surface = WalkableSurface::extract(scene, rules).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// Areas of components of at least a square metre, in descending order.
fn large_components(mesh: &NavMesh) -> Vec<f64> {
    let mut areas = vec![0.0; mesh.component_count()];
    for cell in mesh.cells() {
        areas[cell.component().index()] += cell.area();
    }
    areas.retain(|area| *area >= 1.0);
    areas.sort_by(|p, q| q.total_cmp(p));
    areas
}

/// How much of one mesh the other has, at places of the truth: all of it, and what is two cells from its borders.
fn recall(columns: &Columns, of: &NavMesh, within: &NavMesh, cell: f64) -> [f64; 2] {
    let step = keeping_all().max_step;
    let has = |x: f64, y: f64, z: f64| of.heights_at(x, z).iter().any(|height| (height - y).abs() <= step);
    let is_inside = |[x, y, z]: [f64; 3]| {
        let around = (0..8).map(|i| (f64::from(i) * std::f64::consts::FRAC_PI_4).sin_cos());
        around.into_iter().all(|(sin, cos)| has(x + 2.0 * cell * cos, y, z + 2.0 * cell * sin))
    };
    let heights = |x: f64, z: f64| within.heights_at(x, z);
    [
        columns.coverage(0.0, |[x, y, z]| has(x, y, z), heights).recall,
        columns.coverage(0.0, |[x, y, z]| has(x, y, z) && is_inside([x, y, z]), heights).recall,
    ]
}

struct Comparison {
    exact: NavMesh,
    voxel: NavMesh,
    forth: [f64; 2],
    back: [f64; 2],
}

fn compare(name: &str, scene: &Scene, cell: f64, sampling: f64) -> Comparison {
    let start = Instant::now();
    let exact = mesh_of(scene, &keeping_all());
    let exact_time = start.elapsed();
    let start = Instant::now();
    let voxel = mesh_of(scene, &voxel(cell));
    let voxel_time = start.elapsed();
    let sampler = ColumnSampler::new(scene, &keeping_all());
    let columns = Columns::sample(&sampler, sampling, 7).unwrap();
    let forth = recall(&columns, &exact, &voxel, cell);
    let back = recall(&columns, &voxel, &exact, cell);
    eprintln!(
        "{name:24} voxel has {:.4} ({:.4} inside) of exact, exact has {:.4} ({:.4} inside) of voxel; area {:.2} {:.2}; \
         components {:?} {:?}; cells {} {}; {exact_time:.2?} {voxel_time:.2?}",
        forth[0],
        forth[1],
        back[0],
        back[1],
        exact.area(),
        voxel.area(),
        large_components(&exact).len(),
        large_components(&voxel).len(),
        exact.cell_count(),
        voxel.cell_count()
    );
    Comparison { exact, voxel, forth, back }
}

#[test]
fn voxels_find_what_the_exact_route_finds() {
    let mut wrong = Vec::new();
    for known in generated() {
        let found = compare(&known.name, &scene_of(&known.soup), CELL, 0.1);
        let flaws = found.voxel.check();
        let counts = [&found.exact, &found.voxel].map(|mesh| large_components(mesh).len());
        let is_same = [found.forth, found.back].iter().all(|[all, inside]| *all >= 0.97 && *inside >= 0.99);
        if !flaws.is_empty() || !is_same || counts[0] != counts[1] {
            let sizes = [&found.exact, &found.voxel].map(large_components);
            wrong.push(format!("{}: {sizes:?} {:?}", known.name, flaws.first()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn traps_keep_their_pieces() {
    let mut wrong = Vec::new();
    for known in clearway_scenes::traps() {
        let found = compare(&known.name, &scene_of(&known.soup), CELL, 0.05);
        let sizes = [&found.exact, &found.voxel].map(large_components);
        if sizes[0].len() != sizes[1].len() || !found.voxel.check().is_empty() {
            wrong.push(format!("{}: {sizes:?}", known.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn threads_do_not_matter() {
    let scene = scene_of(&clearway_scenes::toy().soup);
    let bytes = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| mesh_of(&scene, &voxel(CELL)).encode())
    });
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn cells_of_any_size_give_a_mesh_or_an_error() {
    let scene = scene_of(&clearway_scenes::toy().soup);
    for cell in [0.02, 0.5, 2.0, 5.0] {
        let mesh = mesh_of(&scene, &voxel(cell));
        eprintln!("cell {cell}: {} m2, {} components", mesh.area(), mesh.component_count());
        assert!(mesh.check().is_empty(), "cell {cell}: {:?}", mesh.check().first());
    }
    for cell in [0.0, 0.009, 5.1, f64::NAN, -1.0] {
        let error = WalkableSurface::extract(&scene, &voxel(cell)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Options);
        assert!(error.to_string().contains("cell"), "{error}");
    }
}

fn plain(side: f64) -> Scene {
    let corners = vec![[0.0; 3], [0.0, 0.0, side], [side, 0.0, side], [side, 0.0, 0.0]];
    Scene::from_triangles(corners, vec![[0, 1, 2], [0, 2, 3]], vec![0, 0], [("", "")]).unwrap()
}

#[test]
fn too_many_columns_are_refused_with_the_limit() {
    for (side, cell) in [(1000.0, 0.02), (30_000.0, 0.01)] {
        let error = WalkableSurface::extract(&plain(side), &voxel(cell)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert!(error.to_string().contains("columns"), "{error}");
    }
}

#[test]
fn nothing_walkable_is_nothing() {
    let mut scene = plain(3.0);
    scene.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    let surface = WalkableSurface::extract(&scene, &voxel(CELL)).unwrap();
    assert_eq!(MeshOptions::default().build(&surface).map_or(0, |mesh| mesh.cell_count()), 0);
}

/// All generated scenes but the traps, which have a test of their own, and those that were compared finely.
fn large_scenes() -> Vec<KnownScene> {
    vec![
        clearway_scenes::building(BuildingOptions::default(), 1),
        clearway_scenes::car_park(CarParkOptions::default()),
        clearway_scenes::city(1, 1),
        clearway_scenes::cave(64, 1),
        clearway_scenes::terrain(64, 1),
    ]
}

#[test]
fn routes_agree_on_large_generated_scenes() {
    let mut wrong = Vec::new();
    for known in large_scenes() {
        let found = compare(&known.name, &scene_of(&known.soup), CELL, 0.25);
        if [found.forth, found.back].iter().any(|[all, inside]| *all < LARGE[0] || *inside < LARGE[1]) {
            wrong.push((known.name, found.forth, found.back));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every published scene, more or less finely by its size: the cell, how far columns are apart, and the least share that
/// each route has of the other, of all and of what is two cells from borders.
const PUBLISHED: [(&str, f64, f64, [f64; 2]); 9] = [
    ("nav_test.obj", 0.1, 0.25, [0.97, 0.99]),
    ("dungeon.obj", 0.1, 0.25, [0.97, 0.99]),
    ("undulating.obj", 0.1, 0.5, [0.97, 0.99]),
    ("godot_nav_level.obj", 0.1, 0.1, [0.97, 0.99]),
    ("freedoom2_map15.obj", 0.2, 0.5, [0.97, 0.99]),
    ("freedoom2_map28.obj", 0.2, 0.5, [0.97, 0.99]),
    ("navcat_proto-level.glb", 0.2, 0.5, [0.97, 0.99]),
    ("zdm2.obj", 0.2, 0.5, [0.97, 0.99]),
    ("hospital3.obj", 0.2, 0.5, [0.97, 0.99]),
];

#[test]
fn routes_agree_on_published_scenes() {
    let Some(folder) = std::env::var_os("CLEARWAY_DATA").map(PathBuf::from) else {
        eprintln!("skipped: CLEARWAY_DATA is not set");
        return;
    };
    let mut wrong = Vec::new();
    for (file, cell, sampling, least) in PUBLISHED {
        let path = folder.join("scenes").join(file);
        if !path.is_file() {
            eprintln!("skipped: {} is not there", path.display());
            continue;
        }
        let found = compare(file, &Scene::load(&path).unwrap(), cell, sampling);
        let flaws = [&found.exact, &found.voxel].map(|mesh| mesh.check().len());
        eprintln!("{file}: flaws {flaws:?}");
        let differs =
            [found.forth, found.back].iter().any(|[all, inside]| *all < least[0] || *inside < least[1]);
        if differs || flaws != [0, 0] {
            wrong.push((file, flaws, found.forth, found.back));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A platform that is bridged to another one over a gap covered the floor a metre below in the gap.
#[test]
fn nothing_is_left_beneath_bridges() {
    let Some(folder) = std::env::var_os("CLEARWAY_DATA").map(PathBuf::from) else {
        eprintln!("skipped: CLEARWAY_DATA is not set");
        return;
    };
    let scene = Scene::load(folder.join("scenes/navcat_proto-level.glb")).unwrap();
    let mesh = mesh_of(&scene, &keeping_all().max_step(0.9));
    assert!(mesh.check().is_empty(), "{:?}", mesh.check());
}
