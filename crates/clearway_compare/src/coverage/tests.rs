//! Scenes whose walkable area is known in closed form.

use super::*;
use clearway_build::surface::WalkRules;
use clearway_world::scene::Scene;

const STEP: f64 = 0.05;

fn add_face(scene: &mut Scene, corners: &[[f64; 3]]) {
    let first = scene.vertices.len() as u32;
    scene.vertices.extend(corners);
    for corner in 2..corners.len() as u32 {
        scene.triangles.push([first, first + corner - 1, first + corner]);
        scene.part_of.push(0);
    }
}

/// A rectangle whose height rises along x, facing up, or down where `up` is false.
fn add_sheet(scene: &mut Scene, x: [f64; 2], z: [f64; 2], y: [f64; 2], up: bool) {
    let mut corners = [[x[0], y[0], z[0]], [x[0], y[0], z[1]], [x[1], y[1], z[1]], [x[1], y[1], z[0]]];
    if !up {
        corners.reverse();
    }
    add_face(scene, &corners);
}

/// Bottom, top and four sides.
fn add_box(scene: &mut Scene, x: [f64; 2], z: [f64; 2], y: [f64; 2]) {
    add_sheet(scene, x, z, [y[0]; 2], false);
    add_sheet(scene, x, z, [y[1]; 2], true);
    for side in [0, 1] {
        let [low, high] = y;
        add_face(
            scene,
            &[[x[side], low, z[0]], [x[side], low, z[1]], [x[side], high, z[1]], [x[side], high, z[0]]],
        );
        add_face(
            scene,
            &[[x[0], low, z[side]], [x[1], low, z[side]], [x[1], high, z[side]], [x[0], high, z[side]]],
        );
    }
}

fn floor(x: f64, z: f64) -> Scene {
    let mut scene = Scene::default();
    add_sheet(&mut scene, [0.0, x], [0.0, z], [0.0; 2], true);
    scene
}

fn sampler_of(scene: &Scene) -> ColumnSampler {
    ColumnSampler::new(scene, &WalkRules::default())
}

fn columns_of(scene: &Scene) -> Columns {
    Columns::sample(&sampler_of(scene), STEP, 1).unwrap()
}

fn heights(sampler: &ColumnSampler, x: f64, z: f64) -> Vec<f64> {
    sampler.standable(x, z).iter().map(|stand| stand.height).collect()
}

/// Columns err along outlines only, and there to both sides alike.
fn assert_area(scene: &Scene, expected: f64) {
    let area = columns_of(scene).area(0.0);
    assert!((area / expected - 1.0).abs() < 2e-3, "{area} instead of {expected}");
}

#[test]
fn a_plane_is_walkable_from_above_only() {
    assert_area(&floor(20.0, 10.0), 200.0);
    let mut scene = Scene::default();
    add_sheet(&mut scene, [0.0, 20.0], [0.0, 10.0], [0.0; 2], false);
    assert!(columns_of(&scene).is_empty());
}

#[test]
fn a_box_takes_the_floor_under_it_and_gives_its_top() {
    let mut scene = floor(20.0, 10.0);
    add_box(&mut scene, [5.0, 9.0], [3.0, 6.0], [0.0, 1.5]);
    assert_area(&scene, 200.0);
    let sampler = sampler_of(&scene);
    assert_eq!(heights(&sampler, 7.0, 4.0), [1.5]);
    assert_eq!(heights(&sampler, 4.9, 4.0), [0.0]);
    assert_eq!(sampler.surfaces(7.0, 4.0), [0.0, 1.5]);
}

#[test]
fn a_tall_box_keeps_the_floor_inside_it() {
    let mut scene = floor(20.0, 10.0);
    add_box(&mut scene, [5.0, 9.0], [3.0, 6.0], [0.0, 4.0]);
    assert_area(&scene, 212.0);
}

#[test]
fn slopes_up_to_the_limit_are_walkable() {
    for (rise, area) in [(3.0, 80.0), (8.0, 80.0), (8.01, 0.0)] {
        let mut scene = Scene::default();
        add_sheet(&mut scene, [0.0, 8.0], [0.0, 10.0], [0.0, rise], true);
        let columns = columns_of(&scene);
        assert!((columns.area(0.0) - area).abs() < 0.2, "a rise of {rise}: {}", columns.area(0.0));
        assert_eq!(columns.area(79.0), columns.area(0.0), "one island");
    }
}

#[test]
fn storeys_need_the_height_of_a_body_between_them() {
    for (storey, walkable) in [(3.0, 300.0), (2.0, 300.0), (1.99, 200.0)] {
        let mut scene = floor(20.0, 10.0);
        add_sheet(&mut scene, [5.0, 15.0], [0.0, 10.0], [storey; 2], true);
        assert_area(&scene, walkable);
    }
    let mut scene = floor(20.0, 10.0);
    add_sheet(&mut scene, [5.0, 15.0], [0.0, 10.0], [3.0; 2], true);
    assert_eq!(heights(&sampler_of(&scene), 6.0, 5.0), [0.0, 3.0]);
    // Each storey is an island of its own.
    assert_area(&scene, 300.0);
    assert!((columns_of(&scene).area(150.0) - 200.0).abs() < 0.5);
}

#[test]
fn a_falling_ceiling_takes_the_floor_where_it_is_low() {
    // From 4 m down to 0 over 20 m: 2 m and more of head-room over the first half.
    for ceiling_up in [false, true] {
        let mut scene = floor(20.0, 10.0);
        add_sheet(&mut scene, [0.0, 20.0], [0.0, 10.0], [4.0, 0.0], ceiling_up);
        assert_area(&scene, if ceiling_up { 300.0 } else { 100.0 });
    }
}

#[test]
fn faces_within_a_millimetre_are_one() {
    let mut scene = floor(20.0, 10.0);
    add_sheet(&mut scene, [0.0, 20.0], [0.0, 10.0], [0.0005; 2], true);
    add_sheet(&mut scene, [0.0, 20.0], [0.0, 10.0], [0.0; 2], false);
    assert_area(&scene, 200.0);
    add_sheet(&mut scene, [0.0, 20.0], [0.0, 10.0], [0.0025; 2], false);
    assert!(columns_of(&scene).is_empty(), "a sheet further above takes the head-room");
}

#[test]
fn broken_triangles_and_empty_scenes_are_no_trouble() {
    let mut scene = floor(20.0, 10.0);
    scene.vertices.push([f64::NAN, 0.0, 0.0]);
    scene.triangles.extend([[0, 1, 4], [0, 1, 99], [0, 0, 1]]);
    assert_area(&scene, 200.0);
    assert!(columns_of(&Scene::default()).is_empty());
    assert!(Columns::sample(&sampler_of(&scene), 0.0, 1).is_err());
    assert!(Columns::sample(&sampler_of(&scene), 1e-6, 1).is_err());
}

#[test]
fn columns_through_shared_edges_and_corners_hit() {
    let mut scene = Scene::default();
    for tile in 0..100 {
        let [x, z] = [f64::from(tile % 10), f64::from(tile / 10)];
        add_sheet(&mut scene, [x / 7.0, (x + 1.0) / 7.0], [z / 7.0, (z + 1.0) / 7.0], [0.0; 2], true);
    }
    let sampler = sampler_of(&scene);
    for place in 0..=1000 {
        let along = f64::from(place) / 700.0;
        assert_eq!(heights(&sampler, along, along), [0.0], "on the diagonals at {along}");
        assert_eq!(heights(&sampler, 3.0 / 7.0, along), [0.0], "on an edge at {along}");
    }
}

#[test]
fn coverage_of_half_a_floor_and_of_a_floor_too_wide() {
    let columns = columns_of(&floor(20.0, 10.0));
    let everywhere = |_: [f64; 3]| true;
    let half = |x: f64, _: f64| if (0.0..10.0).contains(&x) { vec![0.1] } else { Vec::new() };
    let coverage = columns.coverage(0.0, everywhere, half);
    assert!((coverage.recall - 0.5).abs() < 2e-3, "{}", coverage.recall);
    // The mesh fills the margin of half a metre on both sides of 10 m.
    assert!((coverage.precision - 10.0 / 11.0).abs() < 1e-3, "{}", coverage.precision);
    assert!((coverage.mean_height_error - 0.1).abs() < 1e-12);
    assert_eq!((coverage.missing.len(), coverage.extra.len()), (100, 100));
    assert!(coverage.missing.iter().all(|place| place[0] >= 10.0 && place[1] == 0.0));

    let left = columns.coverage(0.0, |place| place[0] < 5.0, half);
    assert_eq!((left.recall, left.precision), (1.0, coverage.precision));
    let too_high = columns.coverage(0.0, everywhere, |_, _| vec![0.5]);
    assert_eq!((too_high.recall, too_high.precision), (0.0, 0.0));
}

/// A mesh runs over a kerb without a floor beneath. The same face as a wall's batter, with floor on one side, is extra.
#[test]
fn kerbs_are_neither_floor_nor_extra() {
    let mut scene = floor(5.0, 10.0);
    add_sheet(&mut scene, [5.0, 5.3], [0.0, 10.0], [0.0, 0.35], true);
    let everywhere = |_: [f64; 3]| true;
    let over = |x: f64, z: f64| match (0.0..=10.0).contains(&z) {
        true if (0.0..5.0).contains(&x) => vec![0.0],
        true if (5.0..5.3).contains(&x) => vec![(x - 5.0) / 0.3 * 0.35],
        true if (5.3..10.0).contains(&x) => vec![0.35],
        _ => Vec::new(),
    };
    let alone = columns_of(&scene).coverage(0.0, everywhere, over);
    assert_eq!(alone.kerb_samples, 0, "no floor above");
    // Columns end half a metre beside the face, and nothing but the floor counts.
    assert!((alone.precision - 5.0 / 5.8).abs() < 0.01, "{}", alone.precision);
    add_sheet(&mut scene, [5.3, 10.0], [0.0, 10.0], [0.35; 2], true);
    let kerb = columns_of(&scene).coverage(0.0, everywhere, over);
    assert_eq!((kerb.recall, kerb.precision), (1.0, 1.0));
    assert!((kerb.kerb_samples as f64 * STEP * STEP - 3.0).abs() < 0.2, "{}", kerb.kerb_samples);
    let flat = columns_of(&scene)
        .coverage(0.0, everywhere, |x, _| if (5.0..5.3).contains(&x) { vec![0.0] } else { Vec::new() });
    assert!(flat.precision < 0.05, "a mesh that passes under the kerb is wrong: {}", flat.precision);
}

#[test]
fn small_islands_need_not_be_covered_but_may() {
    let mut scene = floor(20.0, 10.0);
    add_box(&mut scene, [5.0, 5.4], [3.0, 3.5], [0.0, 1.0]);
    let columns = columns_of(&scene);
    let everywhere = |_: [f64; 3]| true;
    let floor_only = |x: f64, z: f64| sampler_of(&floor(20.0, 10.0)).surfaces(x, z);
    let all = columns.coverage(0.0, everywhere, floor_only);
    assert!((all.recall - 0.999).abs() < 2e-4 && (all.precision - 0.999).abs() < 2e-4, "{all:?}");
    let large = columns.coverage(0.25, everywhere, floor_only);
    assert_eq!((large.recall, large.precision), (1.0, all.precision));
    assert!(all.samples > large.samples);
    let truth = sampler_of(&scene);
    let same = columns.coverage(0.25, everywhere, |x, z| heights(&truth, x, z));
    assert_eq!((same.recall, same.precision, same.mean_height_error), (1.0, 1.0, 0.0));
}

#[test]
fn samples_do_not_depend_on_threads() {
    let mut scene = floor(20.0, 10.0);
    add_box(&mut scene, [5.1, 9.3], [3.2, 6.7], [0.0, 1.5]);
    let in_pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| columns_of(&scene).coverage(0.0, |_| true, |x, _| vec![0.01 * x]))
    };
    assert_eq!(in_pool(1), in_pool(7));
}

#[test]
fn meshes_off_by_rounding_cover_floors_without_steps() {
    let rules = WalkRules::default().max_step(0.0).max_slope(0.0);
    let columns = Columns::sample(&ColumnSampler::new(&floor(20.0, 10.0), &rules), STEP, 1).unwrap();
    let rounded = columns.coverage(
        150.0,
        |_| true,
        |x, z| sampler_of(&floor(20.0, 10.0)).surfaces(x, z).iter().map(|height| height + 0.002).collect(),
    );
    assert_eq!((rounded.recall, rounded.precision), (1.0, 1.0), "{rounded:?}");
    assert!(rounded.samples > 0);
    let apart = columns.coverage(0.0, |_| true, |_, _| vec![0.1]);
    assert_eq!(apart.recall, 0.0, "that is another floor");
}

#[test]
fn too_many_columns_are_refused_before_any_work() {
    let scene = floor(20.0, 10.0);
    assert!(Columns::check_step(&scene, 0.01).is_ok());
    let errors = [
        Columns::check_step(&scene, 0.001).unwrap_err(),
        Columns::sample(&sampler_of(&scene), 0.001, 1).unwrap_err(),
    ];
    for error in errors {
        assert!(
            error.to_string().contains("20020 x 10020 columns, more than the limit of 33554432"),
            "{error}"
        );
    }
}
