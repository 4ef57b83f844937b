//! What fuzzing and soaks found.

#![allow(clippy::unwrap_used)]

use clearway_base::progress::NoProgress;
use clearway_build::{MeshOptions, Quality, WalkRules, WalkableSurface};
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};
use clearway_nav::{NavMesh, PathQuery};
use clearway_scenes::{BuildingOptions, building};
use clearway_world::Scene;
use clearway_world::plan::{Plan, PlanPolygon};

fn obstacle(shape: Shape) -> Obstacle {
    Obstacle { shape, anchor: Anchor::default() }
}

fn boxed(centre: [f64; 2], size: [f64; 2], turn: f64) -> Shape {
    Shape::Box { centre, size, turn }
}

/// Rounding brought a shape onto the side of a cell that it did not touch. The cell before it was covered, the one behind
/// kept a portal to it.
#[test]
fn a_shape_that_is_rounded_onto_a_portal_takes_the_cell_behind_it() {
    let outline = vec![[0.0, 0.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]];
    let polygons = vec![PlanPolygon { outline, holes: Vec::new() }];
    let walls = vec![vec![[8.0, 4.0], [16.0, 7.0], [14.0, 11.0]]];
    let plan = Plan { polygons, walls, ..Plan::default() };
    let many = vec![
        [10.0, 10.0],
        [17.6875, 11.0],
        [15.0078125, 8.0],
        [2.8515625, 5.0],
        [7.0, 17.0],
        [7.0, 6.0],
        [9.0, 3.0],
        [5.359375, 5.015625],
    ];
    for quality in [Quality::Fast, Quality::Default, Quality::Best] {
        let mesh = MeshOptions::default().quality(quality).build(&plan).unwrap();
        let bytes = mesh.encode();
        let mut live = LiveMesh::new(mesh).unwrap();
        let mut history = Vec::new();
        let mut apply = |live: &mut LiveMesh, edit: Edit| {
            let changes = live.apply(&edit).unwrap();
            live.mesh().prepare_clearance(&mut NoProgress).unwrap();
            assert_eq!(live.mesh().check(), Vec::new(), "{quality:?}: {edit:?}");
            assert_eq!(NavMesh::decode(&live.mesh().encode()).unwrap().check(), Vec::new(), "{quality:?}");
            history.push(changes.clone());
            changes
        };
        let disc = Shape::Disc { centre: [17.0, 0.0], radius: 1560.0 / 255.0, sides: 7 };
        let first = apply(&mut live, Edit::Add(obstacle(disc))).obstacles[0];
        apply(&mut live, Edit::Remove(first));
        let size = [148.0 * 16.0 / 255.0, 11.0 * 16.0 / 255.0];
        apply(&mut live, Edit::Add(obstacle(boxed([1.0, 14.0], size, 0.0))));
        let size = [155.0 * 16.0 / 255.0, 145.0 * 16.0 / 255.0];
        let moved = apply(&mut live, Edit::Add(obstacle(boxed([13.0, 6.0], size, 6.375)))).obstacles[0];
        let corners = vec![[2.8046875, 12.0], [16.74609375, 13.02734375], [0.0, 11.0], [0.05859375, 10.0]];
        apply(&mut live, Edit::Add(obstacle(Shape::Polygon(corners))));
        apply(&mut live, Edit::Move(moved, obstacle(Shape::Polygon(many.clone()))));
        let size = [55.0 * 16.0 / 255.0, 129.0 * 16.0 / 255.0];
        apply(&mut live, Edit::Add(obstacle(boxed([15.0, 14.02734375], size, 2.675))));
        apply(&mut live, Edit::Add(obstacle(Shape::Segment([[5.0, 8.0], [3.0, 13.0]]))));
        history.iter().rev().for_each(|changes| drop(live.undo(changes).unwrap()));
        assert!(live.mesh().encode() == bytes, "{quality:?}: other bytes");
    }
}

/// Beside a floor another one rises. Where the step between them is too high, a wall of each lies side by side. The end of
/// their portal lay in line with the ends of both walls, so it was taken for a vertex that nothing needs, and the walls went
/// with it: one could walk through the step.
#[test]
fn a_step_that_grows_too_high_along_a_seam_stays_a_wall() {
    let rise = |z: f64| 0.5 * z;
    let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    let slope = [[4.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, rise(2.0), 2.0], [4.0, rise(2.0), 2.0]];
    let positions: Vec<[f64; 3]> = flat.into_iter().chain(slope).collect();
    let scene = Scene::from_mesh(&positions, &[0, 2, 1, 0, 3, 2, 4, 6, 5, 4, 7, 6]).unwrap();
    let rules = WalkRules::default();
    let mesh = MeshOptions::default().build(&WalkableSurface::extract(&scene, &rules).unwrap()).unwrap();
    let bytes = mesh.encode();
    // The seam can be stepped over up to z = 0.8.
    let is_open = |mesh: &NavMesh| {
        let [low, high] = [[3.9, 0.0, 0.97], [4.1, rise(0.97), 0.97]].map(|at| mesh.locate(at).unwrap());
        mesh.find_path(&PathQuery::new(low, high)).unwrap().length < 0.21
    };
    assert!(!is_open(&mesh));
    let mut live = LiveMesh::new(mesh).unwrap();
    let at = |shape: Shape| Obstacle { shape, anchor: Anchor { height: Some(0.1) } };
    let crate_on_seam = at(boxed([4.0, -0.5], [0.5, 0.2], 0.0));
    let first = live.apply(&Edit::Add(crate_on_seam)).unwrap().obstacles[0];
    assert_eq!(live.mesh().check(), Vec::new());
    assert!(!is_open(live.mesh()), "one can walk through the step");
    let second = live.apply(&Edit::Add(at(boxed([4.3, -0.6], [0.4, 0.4], 0.0)))).unwrap().obstacles[0];
    for id in [first, second] {
        live.apply(&Edit::Remove(id)).unwrap();
        assert_eq!(live.mesh().check(), Vec::new());
        assert!(!is_open(live.mesh()), "one can walk through the step");
    }
    assert!(live.mesh().encode() == bytes);
}

/// A polygon that crosses itself has bends without a corner of its own. The next edit took such a vertex for one that
/// nothing needs, and the bays of a star became solid.
#[test]
fn a_star_keeps_its_bays_under_later_edits() {
    let hall = vec![[0.0, 0.0], [16.0, 0.0], [16.0, 12.0], [0.0, 12.0]];
    let mesh = MeshOptions::default().build(&Plan::from_rings(vec![hall])).unwrap();
    let bytes = mesh.encode();
    let mut live = LiveMesh::new(mesh).unwrap();
    let star = vec![[8.0, 1.0], [11.0, 10.0], [3.0, 4.5], [13.0, 4.5], [5.0, 10.0]];
    let star = live.apply(&Edit::Add(obstacle(Shape::Polygon(star)))).unwrap().obstacles[0];
    let area = live.mesh().area();
    for ends in [[[6.0, 2.0], [10.0, 4.0]], [[7.0, 6.0], [9.0, 6.0]], [[3.0, 7.0], [7.0, 7.0]]] {
        live.apply(&Edit::AddDoor(ends, Anchor::default())).unwrap();
        assert_eq!(live.mesh().check(), Vec::new());
        assert!((live.mesh().area() - area).abs() < 1e-4, "{} in place of {area}", live.mesh().area());
    }
    live.apply(&Edit::Remove(star)).unwrap();
    live.apply(&Edit::Clear).unwrap();
    assert!(live.mesh().encode() == bytes);
}

/// A wall and a thin triangle across it on the upper floor. The wall moved to the ground floor, and a piece of it stayed
/// between two free cells, where nothing stood.
#[test]
fn a_wall_that_goes_leaves_nothing_under_a_thin_triangle() {
    let soup = building(BuildingOptions::default(), 1).soup;
    let scene = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    let mut live = LiveMesh::new(MeshOptions::default().build(&surface).unwrap()).unwrap();
    let on = |height: f64, shape: Shape| Obstacle { shape, anchor: Anchor { height: Some(height) } };
    let mut apply = |edit: Edit| {
        let changes = live.apply(&edit).unwrap();
        assert_eq!(live.fabric_fault(), None, "{edit:?}");
        changes
    };
    let disc = |centre: [f64; 2], radius: f64, sides: u32| Shape::Disc { centre, radius, sides };
    let first = disc([0.9466201329643781, -5.316652067558403], 0.727091768068187, 9);
    let moved = apply(Edit::Add(on(3.0, first))).obstacles[0];
    let corners = vec![
        [1.8028823203778714, -1.1218023598833855],
        [3.245753595867065, -4.039555710850768],
        [1.4049475543019938, -4.291422741613388],
        [3.04128557264916, -2.8744772539441192],
    ];
    apply(Edit::Add(on(9.0, Shape::Polygon(corners))));
    let wall = [[16.927764253247776, -2.152698253226857], [17.167728048977935, -3.765799561733288]];
    apply(Edit::Move(moved, on(9.0, Shape::Segment(wall))));
    let thin = vec![
        [17.10529313879033, -3.038990910810458],
        [13.296211476112092, -0.0013695107149085395],
        [13.835698158176214, -0.435002612069638],
    ];
    apply(Edit::Add(on(9.0, Shape::Polygon(thin))));
    let away = disc([15.766729487138289, -0.19159121014160907], 1.1527416221267828, 5);
    apply(Edit::Move(moved, on(0.0, away)));
}
