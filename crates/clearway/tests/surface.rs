//! The surface as a whole: what is kept, what is dropped, and that nothing depends on order or threads.

#![allow(clippy::unwrap_used)]

mod generated;

use clearway::surface::{ColumnSampler, Columns};
use clearway::{MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};
use clearway_scenes as scenes;
use generated::scene_of;

fn mesh(scene: &Scene, rules: &WalkRules) -> NavMesh {
    let surface = WalkableSurface::extract(scene, rules).unwrap();
    NavMesh::build(&surface, &MeshOptions::default()).unwrap()
}

fn house() -> scenes::Soup {
    scenes::building(scenes::BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 2 }, 5).soup
}

#[test]
fn the_order_of_triangles_does_not_matter() {
    let first = scene_of(&house());
    let mut other = first.clone();
    let count = other.triangles.len();
    // A fixed shuffle: a step that shares no factor with the count visits every place.
    let shares = |step: usize| (2..=step).any(|d| step.is_multiple_of(d) && count.is_multiple_of(d));
    let step = (count / 2..).find(|step| !shares(*step)).unwrap();
    let order: Vec<usize> = (0..count).map(|i| i * step % count).collect();
    other.triangles = order.iter().map(|i| first.triangles[*i]).collect();
    other.part_of = order.iter().map(|i| first.part_of[*i]).collect();
    for triangle in other.triangles.iter_mut().step_by(2) {
        triangle.rotate_left(1);
    }
    let rules = WalkRules::default();
    assert_eq!(mesh(&first, &rules).encode(), mesh(&other, &rules).encode());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let scene = scene_of(&house());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| mesh(&scene, &WalkRules::default()).encode())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn areas_are_told_as_they_are_after_simplification() {
    let scene = scene_of(&scenes::cave(48, 3).soup);
    for simplify in [0.0, 0.05, 0.4] {
        let rules = WalkRules { simplify, ..WalkRules::default() };
        let surface = WalkableSurface::extract(&scene, &rules).unwrap();
        let mesh = NavMesh::build(&surface, &MeshOptions::default()).unwrap();
        let told = surface.report().area;
        assert!((told - mesh.area()).abs() < 2e-3 * told, "{simplify}: {told} is not {}", mesh.area());
    }
}

#[test]
fn simplified_outlines_lose_little_and_add_nothing() {
    let scene = scene_of(&scenes::cave(48, 3).soup);
    let exact = mesh(&scene, &WalkRules::default());
    let simple = mesh(&scene, &WalkRules { simplify: 0.05, ..WalkRules::default() });
    assert!(simple.check().is_empty(), "{:?}", simple.check().first());
    assert!(simple.cell_count() < exact.cell_count());
    assert!(simple.area() <= exact.area());
    let sampler = ColumnSampler::new(&scene, &WalkRules::default());
    let columns = Columns::sample(&sampler, 0.1, 7).unwrap();
    let coverage = columns.coverage(0.25, |_| true, |x, z| simple.heights_at(x, z));
    assert!(coverage.precision > 0.9999, "{}", coverage.precision);
    // Where the simple mesh is, the exact one is too.
    let both =
        columns.coverage(0.0, |[x, _, z]| simple.heights_at(x, z).len() == 1, |x, z| exact.heights_at(x, z));
    assert!(both.recall > 0.9999, "{}", both.recall);
}

#[test]
fn floors_inside_solids_are_dropped_when_asked() {
    let scene = scene_of(&scenes::box_with_floor().soup);
    let kept = mesh(&scene, &WalkRules::default()).area();
    let dropped = mesh(&scene, &WalkRules { inside: true, ..WalkRules::default() }).area();
    assert!((kept - 116.0).abs() < 0.01 && (dropped - 100.0).abs() < 0.01, "{kept} {dropped}");
}

#[test]
fn seeds_keep_what_can_be_reached() {
    let scene = scene_of(&scenes::thin_wall().soup);
    assert_eq!(mesh(&scene, &WalkRules::default()).component_count(), 2);
    let places = &scenes::thin_wall().truth.components[0].places;
    let seeded = mesh(&scene, &WalkRules { seeds: vec![places[0]], ..WalkRules::default() });
    assert_eq!(seeded.component_count(), 1);
    let lost = WalkRules { seeds: vec![[0.5, 50.0, 0.5]], ..WalkRules::default() };
    let error = WalkableSurface::extract(&scene, &lost).unwrap_err();
    assert!(error.to_string().contains("the seed (0.5, 50, 0.5) is not on the ground"), "{error}");
}

#[test]
fn bodies_not_higher_than_two_steps_are_refused() {
    let rules = WalkRules { height: 0.8, max_step: 0.4, ..WalkRules::default() };
    let error = WalkableSurface::extract(&Scene::default(), &rules).unwrap_err();
    assert!(error.to_string().contains("more than twice"), "{error}");
}

#[test]
fn nothing_walkable_gives_an_empty_surface() {
    let surface = WalkableSurface::extract(&Scene::default(), &WalkRules::default()).unwrap();
    let mesh = NavMesh::build(&surface, &MeshOptions::default()).unwrap();
    assert_eq!((mesh.cell_count(), mesh.area()), (0, 0.0));
    assert!(mesh.check().is_empty());
}

#[test]
fn area_classes_end_cells() {
    let mut scene = scene_of(&scenes::city(1, 2).soup);
    scene.areas = vec!["ground".to_string(), "water".to_string()];
    for part in scene.parts.iter_mut().filter(|part| part.material == "Water") {
        part.area = 1;
    }
    let mesh = mesh(&scene, &WalkRules::default());
    assert!(mesh.check().is_empty(), "{:?}", mesh.check().first());
    let area = |class: u8| -> f64 {
        mesh.cells().filter(|cell| cell.area_class() == class).map(|cell| cell.area()).sum()
    };
    let truth = scenes::city(1, 2).truth;
    let water: f64 =
        truth.by_material.iter().filter(|(name, _)| name == "Water").map(|(_, area)| *area).sum();
    assert!((area(1) - water).abs() < 0.01 * water.max(1.0), "{} {water}", area(1));
    assert!(area(0) > area(1));
}

/// Ramps that begin level with the sides of one floor face and rise past a step on the way. Gluing a part of one side
/// splits the face, and gives another side a new number while it waits for its turn.
#[test]
fn a_face_is_glued_in_part_along_all_its_sides() {
    for turn in 0..12 {
        let at = |corner: usize, distance: f64, height: f64| {
            let angle = f64::from(turn) / 12.0 * 2.1 + corner as f64 * std::f64::consts::TAU / 3.0;
            [distance * angle.cos(), height, -distance * angle.sin()]
        };
        let mut vertices: Vec<[f64; 3]> = (0..3).map(|corner| at(corner, 2.0, 0.0)).collect();
        let mut triangles = vec![[0, 1, 2]];
        for corner in 0..3 {
            let first = vertices.len() as u32;
            let (low, high) = (at(corner, 2.0, 0.0), at(corner + 1, 2.0, 1.2));
            let outwards = at(corner, 1.0, 0.0)[0] + at(corner + 1, 1.0, 0.0)[0];
            let outwards = [outwards, at(corner, 1.0, 0.0)[2] + at(corner + 1, 1.0, 0.0)[2]];
            let beyond = [low[0] + 2.0 * outwards[0], 0.0, low[2] + 2.0 * outwards[1]];
            vertices.extend([low, beyond, high]);
            triangles.push([first, first + 1, first + 2]);
        }
        let scene = Scene::from_triangles(vertices, triangles, vec![0; 4], [("floor", "")]).unwrap();
        let mesh = mesh(&scene, &WalkRules::default());
        assert_eq!(mesh.component_count(), 1, "turn {turn}");
        assert!(mesh.check().is_empty(), "{:?}", mesh.check());
    }
}

/// A floor of three metres by three with upright prisms on it, each given by its outline.
fn floor_with(outlines: &[Vec<[f64; 2]>]) -> Scene {
    let mut vertices = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 3.0], [3.0, 0.0, 3.0], [3.0, 0.0, 0.0]];
    let mut triangles = vec![[0, 1, 2], [0, 2, 3]];
    for outline in outlines {
        let (first, count) = (vertices.len() as u32, outline.len() as u32);
        vertices.extend([0.0, 1.5].iter().flat_map(|y| outline.iter().map(move |[x, z]| [*x, *y, *z])));
        for i in 0..count {
            let [a, b] = [first + i, first + (i + 1) % count];
            triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
        }
        triangles.extend((2..count).map(|i| [first + count, first + count + i, first + count + i - 1]));
    }
    let part_of = vec![0; triangles.len()];
    Scene::from_triangles(vertices, triangles, part_of, [("floor", "")]).unwrap()
}

#[test]
fn pointed_balusters_are_squared_off_within_the_tolerance() {
    let baluster = |k: u32| {
        let x = 0.5 + 0.25 * f64::from(k);
        let side = |s: f64, z: f64| [x + s, z];
        vec![
            side(-0.03, 1.0),
            side(0.0, 0.97),
            side(0.03, 1.0),
            side(0.03, 1.6),
            side(0.0, 1.63),
            side(-0.03, 1.6),
        ]
    };
    let scene = floor_with(&(0..10).map(baluster).collect::<Vec<_>>());
    let exact = mesh(&scene, &WalkRules::default());
    let simple = mesh(&scene, &WalkRules { simplify: 0.05, ..WalkRules::default() });
    assert!(simple.check().is_empty(), "{:?}", simple.check().first());
    assert!(simple.cell_count() <= 24 && exact.cell_count() > 24, "{} cells", simple.cell_count());
    // Each of twenty ends loses two corners of three by three centimetres in half.
    let lost = exact.area() - simple.area();
    assert!((0.0..20.0 * 0.001).contains(&lost), "{lost}");
}

#[test]
fn slits_narrower_than_the_tolerance_close() {
    let boxed = |x: f64| vec![[x, 1.0], [x + 0.5, 1.0], [x + 0.5, 2.0], [x, 2.0]];
    let scene = floor_with(&[boxed(0.9), boxed(1.43)]);
    let area = |simplify: f64| {
        let mesh = mesh(&scene, &WalkRules { simplify, gap: 0.0, ..WalkRules::default() });
        assert!(mesh.check().is_empty(), "{:?}", mesh.check().first());
        mesh.area()
    };
    // Bodies also stand on the two boxes.
    assert!((area(0.0) - 9.0).abs() < 1e-3, "{}", area(0.0));
    assert!((area(0.02) - 9.0).abs() < 1e-3, "{}", area(0.02));
    assert!((area(0.05) - 8.97).abs() < 1e-3, "{}", area(0.05));
}

/// A slit is the only way into a room: it stays, however narrow, and the room with it.
#[test]
fn slits_that_lead_somewhere_stay() {
    let wall = |x: f64, z: f64, w: f64, d: f64| vec![[x, z], [x + w, z], [x + w, z + d], [x, z + d]];
    let walls = [
        wall(1.0, 1.0, 1.5, 0.1),
        wall(1.0, 2.0, 1.5, 0.1),
        wall(1.0, 1.1, 0.1, 0.9),
        wall(2.4, 1.1, 0.1, 0.4),
        wall(2.4, 1.52, 0.1, 0.48),
    ];
    let mesh = mesh(&floor_with(&walls), &WalkRules { simplify: 0.05, gap: 0.0, ..WalkRules::default() });
    let component = |place: [f64; 3]| mesh.cell(mesh.locate(place).unwrap().cell()).unwrap().component();
    assert_eq!(component([1.5, 0.0, 1.5]), component([0.5, 0.0, 0.5]));
}

/// Three sheets two millimetres apart each, as a decal on a rug on a floor: the first and the last are not the same
/// floor, but each is with the one between.
#[test]
fn piles_of_thin_sheets_keep_their_top() {
    let sheet =
        |low: f64, high: f64, y: f64| [[low, y, low], [low, y, high], [high, y, high], [high, y, low]];
    for step in [0.0012, 0.0016, 0.002] {
        let faces = [sheet(0.0, 10.0, 0.0), sheet(3.0, 7.0, step), sheet(3.0, 7.0, 2.0 * step)];
        let triangles =
            (0..3).flat_map(|face| [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|corner| 4 * face + corner)));
        let scene =
            Scene::from_triangles(faces.concat(), triangles.collect(), vec![0; 6], [("all", "")]).unwrap();
        let mesh = mesh(&scene, &WalkRules::default());
        assert!((mesh.area() - 100.0).abs() < 0.01, "{step}: {}", mesh.area());
        assert_eq!(mesh.component_count(), 1);
    }
}

/// A floor and beside it a ramp that rises along their common edge, from and to these heights, as far as `end`.
fn beside_a_ramp(heights: [f64; 2], end: f64) -> NavMesh {
    let corners = vec![
        [0.0, 0.0, -4.0],
        [0.0, 0.0, 0.0],
        [end, 0.0, 0.0],
        [end, 0.0, -4.0],
        [0.0, heights[0], 0.0],
        [0.0, heights[0], 4.0],
        [5.0, heights[1], 4.0],
        [5.0, heights[1], 0.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let scene = Scene::from_triangles(corners, triangles, vec![0; 4], [("ramp", "")]).unwrap();
    mesh(&scene, &WalkRules::default())
}

/// One steps onto the side of a ramp where it is low, wherever its ends and those of the floor lie.
#[test]
fn sides_of_ramps_are_joined_where_they_are_low() {
    for (heights, end) in [([0.1, 1.3], 5.0), ([0.1, 1.3], 8.0), ([-1.3, 1.3], 5.0), ([1.3, -1.3], 8.0)] {
        let mesh = beside_a_ramp(heights, end);
        assert_eq!((mesh.component_count(), mesh.check()), (1, Vec::new()), "{heights:?} {end}");
        let ends = mesh.portals().map(|portal| portal.vertices.map(|vertex| mesh.position(vertex).unwrap()));
        let across = ends.filter(|[from, to]| from[1] == 0.0 && to[1] == 0.0);
        // As wide as the step allows: 0.4 m above or below the floor.
        let rise = (heights[1] - heights[0]) / 5.0;
        let reach = [-0.4, 0.4].map(|limit| ((limit - heights[0]) / rise).clamp(0.0, 5.0));
        let width: f64 = across.map(|[from, to]| (to[0] - from[0]).abs()).sum();
        assert!((width - (reach[1] - reach[0]).abs()).abs() < 0.01, "{heights:?} {end}: {width}");
    }
}

/// Two floors with a riser between them that is a little too high for the rules.
#[test]
fn risers_just_too_high_are_told() {
    let corners = vec![
        [0.0, 0.0, -4.0],
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [4.0, 0.0, -4.0],
        [0.0, 0.5, 0.0],
        [0.0, 0.5, 4.0],
        [4.0, 0.5, 4.0],
        [4.0, 0.5, 0.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], [1, 2, 4], [2, 7, 4]];
    let scene = Scene::from_triangles(corners, triangles, vec![0; 6], [("steps", "")]).unwrap();
    for (max_step, is_told) in [(0.2, false), (0.4, true), (0.5, false)] {
        let rules = WalkRules { max_step, ..WalkRules::default() };
        let surface = WalkableSurface::extract(&scene, &rules).unwrap();
        let told: Vec<&str> = surface.report().warnings.iter().map(|warning| warning.kind).collect();
        assert_eq!(told.contains(&"step"), is_told, "{max_step}: {told:?}");
    }
}

/// The mesh of triangles that each have corners of their own, with every piece of it.
fn mesh_of(triangles: &[[[f64; 3]; 3]]) -> NavMesh {
    let count = triangles.len() as u32;
    let numbers = (0..count).map(|number| [0, 1, 2].map(|i| 3 * number + i)).collect();
    let part_of = vec![0; triangles.len()];
    let scene = Scene::from_triangles(triangles.concat(), numbers, part_of, [("all", "")]).unwrap();
    mesh(&scene, &WalkRules { min_area: 0.0, ..WalkRules::default() })
}

/// The slope rises along its side past a step above the floor. Rounding lets the side and the cut in the floor below it
/// pass each other beyond the place where one can no longer step across: the floor and the slope folded there, and came
/// apart.
#[test]
fn slopes_through_floors_stay_joined_where_their_sides_are_low() {
    let floor = [
        [[0.0, 0.0, 0.0], [0.0, 0.0, 6.0], [6.0, 0.0, 6.0]],
        [[0.0, 0.0, 0.0], [6.0, 0.0, 6.0], [6.0, 0.0, 0.0]],
    ];
    let deck = [[1.5, 0.6, 2.5], [4.0, 0.6, 4.5], [4.0, 0.6, 2.5]];
    let slope = [[1.5, 0.0, 2.5], [4.0, 2.4, 5.5], [4.0, 0.0, 2.5]];
    let on_one_corner = mesh_of(&[floor[0], floor[1], deck, slope]);
    assert_eq!((on_one_corner.component_count(), on_one_corner.check()), (1, Vec::new()));
    let between_decks = mesh_of(&[
        [[2.0, 0.9, 4.0], [4.0, 0.9, 7.0], [4.0, 0.9, 4.0]],
        [[0.0, 0.3, 4.0], [2.5, 1.2, 5.0], [2.5, 1.2, 4.0]],
        [[0.5, 0.3, 2.5], [0.5, 0.3, 5.5], [2.5, 0.3, 5.5]],
    ]);
    assert_eq!((between_decks.component_count(), between_decks.check()), (1, Vec::new()));
}

/// Floods of columns join these, whatever their step: they share a corner seen from above, and nothing else.
#[test]
fn slopes_and_floors_that_touch_in_a_point_stay_apart() {
    let two_slopes = mesh_of(&[
        [[0.0, 0.0, 0.0], [0.0, 0.0, 6.0], [6.0, 0.0, 6.0]],
        [[0.0, 0.0, 0.0], [6.0, 0.0, 6.0], [6.0, 0.0, 0.0]],
        [[1.0, 0.3, 0.5], [4.0, 0.3, 3.5], [4.0, 0.3, 0.5]],
        [[0.0, 0.6, 2.0], [3.0, 1.2, 3.0], [3.0, 0.6, 2.0]],
        [[0.5, 0.6, 3.0], [4.0, 1.2, 4.0], [4.0, 1.2, 3.0]],
    ]);
    assert_eq!((two_slopes.component_count(), two_slopes.check()), (2, Vec::new()));
    let ramp_and_kerb = mesh_of(&[
        [[0.0, 0.0, 0.0], [6.0, 0.0, 6.0], [6.0, 0.0, 0.0]],
        [[1.0, 0.2, 2.5], [2.5, 0.2, 5.5], [2.5, 0.2, 2.5]],
        [[4.0, 1.2, 3.0], [4.0, 1.2, 4.5], [6.5, 0.3, 4.5]],
        [[4.0, 1.2, 3.0], [6.5, 0.3, 4.5], [6.5, 0.3, 3.0]],
        [[3.0, 0.0, 2.5], [6.5, 0.0, 3.0], [6.5, 0.0, 2.5]],
    ]);
    assert_eq!((ramp_and_kerb.component_count(), ramp_and_kerb.check()), (4, Vec::new()));
}
