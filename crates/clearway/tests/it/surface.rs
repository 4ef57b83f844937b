//! The surface as a whole: what is kept, what is dropped, and that nothing depends on order or threads.

use crate::generated;
use crate::generated::keeping_all;

use clearway::{MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};
use clearway_compare::{ColumnSampler, Columns};
use clearway_scenes as scenes;
use generated::scene_of;

fn mesh(scene: &Scene, rules: &WalkRules) -> NavMesh {
    let surface = WalkableSurface::extract(scene, rules).unwrap();
    MeshOptions::default().build(&surface).unwrap()
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
    let rules = keeping_all();
    assert_eq!(mesh(&first, &rules).encode(), mesh(&other, &rules).encode());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let scene = scene_of(&house());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| mesh(&scene, &keeping_all()).encode())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn areas_are_told_as_they_are_after_simplification() {
    let scene = scene_of(&scenes::cave(48, 3).soup);
    for simplify in [0.0, 0.05, 0.4] {
        let rules = keeping_all().simplify(simplify);
        let surface = WalkableSurface::extract(&scene, &rules).unwrap();
        let mesh = MeshOptions::default().build(&surface).unwrap();
        let told = surface.report().area;
        assert!((told - mesh.area()).abs() < 2e-3 * told, "{simplify}: {told} is not {}", mesh.area());
    }
}

#[test]
fn simplified_outlines_lose_little_and_add_nothing() {
    let scene = scene_of(&scenes::cave(48, 3).soup);
    let exact = mesh(&scene, &keeping_all());
    let simple = mesh(&scene, &keeping_all().simplify(0.05));
    assert!(simple.check().is_empty(), "{:?}", simple.check().first());
    assert!(simple.cell_count() < exact.cell_count());
    assert!(simple.area() <= exact.area());
    let sampler = ColumnSampler::new(&scene, &keeping_all());
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
    let kept = mesh(&scene, &keeping_all().inside(false)).area();
    let dropped = mesh(&scene, &keeping_all().inside(true)).area();
    assert!((kept - 116.0).abs() < 0.01 && (dropped - 100.0).abs() < 0.01, "{kept} {dropped}");
}

#[test]
fn seeds_keep_what_can_be_reached() {
    let scene = scene_of(&scenes::thin_wall().soup);
    assert_eq!(mesh(&scene, &keeping_all()).component_count(), 2);
    let places = &scenes::thin_wall().truth.components[0].places;
    let seeded = mesh(&scene, &keeping_all().seeds(vec![places[0]]));
    assert_eq!(seeded.component_count(), 1);
    let lost = keeping_all().seeds(vec![[0.5, 50.0, 0.5]]);
    let error = WalkableSurface::extract(&scene, &lost).unwrap_err();
    assert!(error.to_string().contains("the seed (0.5, 50, 0.5) is not on the ground"), "{error}");
}

#[test]
fn bodies_not_higher_than_two_steps_are_refused() {
    let rules = keeping_all().height(0.8).max_step(0.4);
    let error = WalkableSurface::extract(&Scene::default(), &rules).unwrap_err();
    assert!(error.to_string().contains("more than twice"), "{error}");
}

#[test]
fn nothing_walkable_gives_an_empty_surface() {
    let surface = WalkableSurface::extract(&Scene::default(), &keeping_all()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
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
    let mesh = mesh(&scene, &keeping_all());
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
        let mesh = mesh(&scene, &keeping_all());
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
    let exact = mesh(&scene, &keeping_all());
    let simple = mesh(&scene, &keeping_all().simplify(0.05));
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
        let mesh = mesh(&scene, &keeping_all().simplify(simplify).gap(0.0));
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
    let mesh = mesh(&floor_with(&walls), &keeping_all().simplify(0.05).gap(0.0));
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
        let mesh = mesh(&scene, &keeping_all());
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
    mesh(&scene, &keeping_all())
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
        let rules = keeping_all().max_step(max_step);
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
    mesh(&scene, &keeping_all().min_area(0.0))
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

/// Treads that meet on the axis of a spiral: after a turn a fan would fold there, and only there it comes apart.
#[test]
fn spiral_stairs_around_a_point_stay_whole() {
    let tread = |i: u32| {
        let [start, end] = [i, i + 1].map(|i| std::f64::consts::TAU * f64::from(i) / 16.0);
        let height = 0.19 * f64::from(i);
        let rim = |angle: f64| [1.5 * angle.cos(), height, 1.5 * angle.sin()];
        [[0.0, height, 0.0], rim(end), rim(start)]
    };
    for treads in [16, 17, 48] {
        let mesh = mesh_of(&(0..treads).map(tread).collect::<Vec<_>>());
        assert_eq!((mesh.component_count(), mesh.check()), (1, Vec::new()), "{treads} treads");
    }
}

/// The seam of a step that grows is glued where it is low, though what lies beneath the floor folds in its corner.
#[test]
fn low_parts_of_growing_steps_join_beside_hidden_triangles() {
    let corner = [0.223, 0.0, 0.463];
    let mesh = mesh_of(&[
        [corner, [-2.799, -1.02, 0.522], [-0.666, 0.0, 3.352]],
        [corner, [-0.691, 0.553, 3.066], [2.166, -0.46, 2.421]],
        [corner, [-0.853, 0.15, 1.61], [0.195, -0.235, 2.035]],
    ]);
    assert_eq!((mesh.component_count(), mesh.check()), (1, Vec::new()));
}

/// The cut where a step becomes too high is rounded: whatever the limit, the low part of the seam holds.
#[test]
fn low_parts_of_growing_steps_join_whatever_the_limit() {
    let corner = [0.223, 0.0, 0.463];
    let triangles = [
        [corner, [-2.799, -1.02, 0.522], [-0.666, 0.0, 3.352]],
        [corner, [-0.691, 0.553, 3.066], [2.166, -0.46, 2.421]],
    ];
    for millimetres in (200..600).step_by(4) {
        let max_step = f64::from(millimetres) / 1000.0;
        let rules = keeping_all().max_step(max_step);
        assert_eq!(parts(&triangles, &rules), 1, "steps of {max_step} m");
    }
}

/// Two triangles of one floor whose shared side is drawn twice, and a wall across it: corners move along the wall.
#[test]
fn gaping_seams_are_bridged_on_both_sides_of_walls() {
    let wall = [[2.0, 0.0, 1.5], [3.0, 0.0, 1.7], [3.0, 1.5, 1.7]];
    for millimetres in 1..29 {
        let gap = f64::from(millimetres) / 1000.0;
        let [off_x, off_z] = [gap * 4.0 / 52f64.sqrt(), -gap * 6.0 / 52f64.sqrt()];
        let floor = [
            [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [6.0, 0.0, 4.0]],
            [[off_x, 0.0, off_z], [6.0 + off_x, 0.0, 4.0 + off_z], [6.0, 0.0, 0.0]],
        ];
        let whole = [&floor[..], &[wall]].concat();
        assert_eq!(parts(&whole, &keeping_all()), 1, "sides {millimetres} mm apart");
    }
}

/// Treads, and a ramp through their noses: of a tread a splinter a grid unit wide is left, and keeps nothing apart.
#[test]
fn splinters_do_not_keep_treads_apart() {
    let noses = [
        [[-14.5585, 6.3929, -12.4612], [-22.8505, 6.3937, -17.2038]],
        [[-14.4449, 6.5929, -12.6516], [-22.5553, 6.5937, -17.6985]],
        [[-14.3225, 6.7929, -12.8402], [-22.2372, 6.7937, -18.1887]],
    ];
    let tread = |i: usize| {
        let [a, b] = noses[i];
        let [mut c, mut d] = noses[i + 1];
        (c[1], d[1]) = (a[1], b[1]);
        [[a, c, d], [a, d, b]]
    };
    let ramp = [[-23.3865, 5.9937, -16.18], [-14.7647, 5.9929, -12.0673], [-22.2372, 6.7937, -18.1887]];
    let side = [[-14.7647, 5.9929, -12.0673], [-14.3225, 6.7929, -12.8402], [-22.2372, 6.7937, -18.1887]];
    let whole: Vec<_> = [tread(0), tread(1)].concat().into_iter().chain([ramp, side]).collect();
    for gap in [0.0, 0.0005, 0.001, 0.03] {
        assert_eq!(parts(&whole, &keeping_all().gap(gap)), 1, "gap {gap}");
    }
}

/// A neck of seven centimetres between two floors is no gap.
#[test]
fn wide_gaps_do_not_close_narrow_passages() {
    let neck = [1.0, 1.07];
    let floors = [
        [[0.0, 0.0, 0.0], [neck[0], 0.0, 1.0], [neck[1], 0.0, 1.0]],
        [[0.0, 0.0, 0.0], [neck[1], 0.0, 1.0], [3.0, 0.0, 0.0]],
        [[0.0, 0.0, 3.0], [neck[1], 0.0, 1.0], [neck[0], 0.0, 1.0]],
        [[0.0, 0.0, 3.0], [3.0, 0.0, 3.0], [neck[1], 0.0, 1.0]],
    ];
    for gap in [0.03, 0.06, 0.15, 0.3] {
        assert_eq!(parts(&floors, &keeping_all().gap(gap)), 1, "gap {gap}");
    }
}

/// Of sheets half a millimetre to a millimetre apart one stays, however they are listed: they do not give way in a circle.
#[test]
fn one_of_three_sheets_that_nearly_coincide_stays() {
    for apart in [0.0, 0.0003, 0.0005, 0.0007, 0.0009, 0.001] {
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
            // Numbers of faces follow their places: each sheet begins a little farther on.
            let sheet = |(place, level): (usize, i32)| {
                let (x, y) = (0.01 * place as f64, apart * f64::from(level));
                let [a, b, c, d] = [[x, y, 0.0], [x, y, 2.0], [2.0, y, 2.0], [2.0, y, 0.0]];
                [[a, b, c], [a, c, d]]
            };
            let sheets: Vec<_> = order.into_iter().enumerate().flat_map(sheet).collect();
            let area = mesh_of(&sheets).area();
            assert!((3.97..4.01).contains(&area), "{apart} m apart, {order:?}: {area} m²");
        }
    }
}

/// Vertices that no triangle uses draw nothing to them.
#[test]
fn unused_vertices_move_nothing() {
    let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [2.0, 0.0, 2.0], [-0.002, 0.0, -0.002]];
    let build = |vertices: Vec<[f64; 3]>| {
        let scene = Scene::from_triangles(vertices, vec![[0, 1, 2]], vec![0], [("all", "")]).unwrap();
        mesh(&scene, &keeping_all()).encode()
    };
    assert_eq!(build(corners[..3].to_vec()), build(corners));
}

/// Heights beside a steep splinter are those of its corners at most, not where its plane leads.
#[test]
fn heights_beside_steep_splinters_stay_within_the_scene() {
    let floor = |x: [f64; 2], y: f64| {
        let [a, b, c, d] = [[x[0], y, 0.0], [x[0], y, 2.0], [x[1], y, 2.0], [x[1], y, 0.0]];
        [[a, b, c], [a, c, d]]
    };
    // A bevelled kerb, two millimetres deep and 0.3 m high.
    let [a, b, c, d] = [[2.0, 0.0, 0.0], [2.0, 0.0, 2.0], [2.002, 0.3, 2.0], [2.002, 0.3, 0.0]];
    let whole = [floor([0.0, 2.0], 0.0), [[a, b, c], [a, c, d]], floor([2.002, 4.0], 0.3)].concat();
    let mesh = mesh_of(&whole);
    assert_eq!((mesh.component_count(), mesh.check()), (1, Vec::new()));
    for i in 0..400 {
        let place = [f64::from(i) * 0.01, 0.2, 1.0];
        let height = mesh.height(mesh.locate(place).unwrap());
        assert!((-1e-3..=0.301).contains(&height), "{height} m at {place:?}");
    }
}

/// Steps just as high as allowed, and lintels just as low: rounding to the grid makes some of them higher and lower.
#[test]
fn limits_hold_where_they_are_met_exactly() {
    let quad = |[x, far_x]: [f64; 2], y: f64| {
        let [a, b, c, d] = [[x, y, 0.0], [x, y, 2.0], [far_x, y, 2.0], [far_x, y, 0.0]];
        [[a, b, c], [a, c, d]]
    };
    for max_step in [0.1, 0.15, 0.17, 0.18, 0.2, 0.3, 0.35, 0.4, 0.6] {
        let rules = keeping_all().max_step(max_step);
        let step = |i: u32| quad([0.5 * f64::from(i), 0.5 * f64::from(i + 1)], max_step * f64::from(i));
        assert_eq!(parts(&(0..12).flat_map(step).collect::<Vec<_>>(), &rules), 1, "steps of {max_step} m");
    }
    for height in [1.7, 1.8, 1.9, 2.0] {
        for floor in [0.0, 0.1, 0.3, 0.77] {
            let rules = keeping_all().height(height);
            let [ground, lintel] =
                [([0.0, 9.0], floor), ([4.0, 5.0], floor + height)].map(|(x, y)| quad(x, y));
            let lintel = lintel.map(|[a, b, c]| [a, c, b]);
            assert_eq!(parts(&[ground, lintel].concat(), &rules), 1, "{height} m over {floor} m");
        }
    }
}

/// One polygon of a thousand corners that crosses itself everywhere covers what the columns under it tell.
#[test]
fn polygons_that_cross_themselves_cover_what_they_cover() {
    let mut state = 7u32;
    let mut below = |limit: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        limit * f64::from(state >> 8) / f64::from(1 << 24)
    };
    let corners: Vec<[f64; 3]> = (0..1000).map(|_| [below(20.0), 0.0, below(20.0)]).collect();
    let fan = (1..999u32).flat_map(|i| [[0, i, i + 1], [0, i + 1, i]]).collect::<Vec<[u32; 3]>>();
    let part_of = vec![0; fan.len()];
    let scene = Scene::from_triangles(corners, fan, part_of, [("all", "")]).unwrap();
    let mesh = mesh(&scene, &keeping_all());
    assert!(mesh.check().is_empty());
    let sampler = ColumnSampler::new(&scene, &keeping_all());
    let columns = Columns::sample(&sampler, 0.1, 7).unwrap();
    let coverage = columns.coverage(0.0, |_| true, |x, z| mesh.heights_at(x, z));
    assert!(coverage.recall > 0.9999 && coverage.precision > 0.9999, "{coverage:?}");
}

/// Doorways were looked for between all sides of a polygon that crosses itself: 600 corners took 2 s, 2000 more than 100 s.
#[test]
fn no_doorways_are_looked_for_in_tangles() {
    let mut state = 7u32;
    let mut below = |limit: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        limit * f64::from(state >> 8) / f64::from(1 << 24)
    };
    let mut told = |count: u32| {
        let corners: Vec<[f64; 3]> = (0..count).map(|_| [below(100.0), 0.0, below(100.0)]).collect();
        let triangles: Vec<[u32; 3]> = (1..count - 1).map(|i| [i - 1, i, i + 1]).collect();
        let part_of = vec![0; triangles.len()];
        let scene = Scene::from_triangles(corners, triangles, part_of, [("all", "")]).unwrap();
        let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
        let found = surface.report().repaired.iter().find(|repair| repair.kind == "tangled");
        found.map_or(0, |repair| repair.count)
    };
    assert_eq!(told(60), 0, "what crosses a little is looked at");
    let tangled = told(1500);
    assert!(tangled > 500, "what crosses everything is not: {tangled} sides");
}

/// In how many pieces one can walk on triangles.
fn parts(triangles: &[[[f64; 3]; 3]], rules: &WalkRules) -> usize {
    let numbers = (0..triangles.len() as u32).map(|number| [0, 1, 2].map(|i| 3 * number + i)).collect();
    let part_of = vec![0; triangles.len()];
    let scene = Scene::from_triangles(triangles.concat(), numbers, part_of, [("all", "")]).unwrap();
    mesh(&scene, rules).component_count()
}
