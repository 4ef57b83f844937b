//! Edits on scenes: floors over each other, stairs, covered ground.

#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_base::progress::NoProgress;
use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::NavMesh;
use clearway_scenes::{BuildingOptions, Random, Soup, building, spiral_ramp};
use clearway_world::{Scene, Selection};

fn mesh_of(soup: &Soup) -> NavMesh {
    let Soup { vertices, triangles, part_of, parts } = soup.clone();
    let scene = Scene::from_triangles(vertices, triangles, part_of, parts).unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

#[test]
fn random_edits_on_floors_and_stairs_keep_all_laws() {
    let (mut done, mut refused) = (0, 0);
    for seed in 0..6 {
        let mesh = mesh_of(&building(BuildingOptions::default(), seed).soup);
        let bytes = mesh.encode();
        let mut live = LiveMesh::new(mesh).unwrap();
        let mut random = Random::new(seed);
        let mut standing: Vec<ObstacleId> = Vec::new();
        let mut history = Vec::new();
        for number in 0..40 {
            let edit = if standing.len() > 6 || (!standing.is_empty() && random.chance(0.3)) {
                Edit::Remove(standing.swap_remove(random.below(standing.len())))
            } else {
                let at = live.mesh().random_point(1000 * seed + number).unwrap();
                let height = Some(live.mesh().height(at));
                let size = [random.range(0.2, 2.5), random.range(0.2, 1.5)];
                let shape = Shape::Box { centre: at.position(), size, turn: random.range(0.0, 3.0) };
                Edit::Add(Obstacle { shape, anchor: Anchor { height } })
            };
            match live.apply(&edit) {
                Ok(changes) => {
                    standing.extend(&changes.obstacles);
                    history.push(changes);
                    done += 1;
                }
                Err(error) => {
                    refused += 1;
                    assert!(
                        ["rim", "folded"].iter().any(|word| error.to_string().contains(word)),
                        "seed {seed}, edit {number}: {error}"
                    );
                    continue;
                }
            }
            live.mesh().prepare_clearance(&mut NoProgress).unwrap();
            let flaws = live.mesh().check();
            assert!(flaws.is_empty(), "seed {seed}, edit {number}: {:?}", &flaws[..flaws.len().min(3)]);
        }
        history.iter().rev().for_each(|changes| drop(live.undo(changes).unwrap()));
        assert!(live.mesh().encode() == bytes, "seed {seed}: other bytes");
    }
    println!("{done} edits, {refused} refused");
    assert!(done > 20 * refused, "{done} done, {refused} refused");
}

/// A crate on the stairs and a wall across a room, both removed again in either order: the bytes from before. Once the
/// removal left cells numbered otherwise.
#[test]
fn a_crate_on_the_stairs_and_a_wall_leave_the_same_bytes_when_they_go() {
    let mesh = mesh_of(&building(BuildingOptions::default(), 1).soup);
    let bytes = mesh.encode();
    let shapes = [
        (Shape::Box { centre: [2.5, -1.0], size: [0.5, 0.5], turn: 0.3 }, 0.9),
        (Shape::Segment([[7.8, -0.1], [7.8, -4.9]]), 0.0),
    ];
    for order in [[0, 1], [1, 0]] {
        let mut live = LiveMesh::new(mesh.clone()).unwrap();
        let add = |(shape, height): &(Shape, f64)| {
            Edit::Add(Obstacle { shape: shape.clone(), anchor: Anchor { height: Some(*height) } })
        };
        let ids = shapes.iter().map(add).map(|edit| live.apply(&edit).unwrap().obstacles[0]);
        let ids: Vec<ObstacleId> = ids.collect();
        assert_eq!(live.mesh().check(), Vec::new());
        for number in order {
            live.apply(&Edit::Remove(ids[number])).unwrap();
            assert_eq!(live.mesh().check(), Vec::new());
        }
        assert!(live.mesh().encode() == bytes, "{order:?}");
    }
}

/// A spiral that winds over itself two and a half times. An obstacle stands on one of its turns; one that would come
/// back under itself, or reach another turn, is refused.
#[test]
fn obstacles_on_a_spiral_stand_on_one_turn_or_are_refused() {
    let mesh = mesh_of(&spiral_ramp(60).soup);
    let bytes = mesh.encode();
    let (mut done, mut refused) = (0, 0);
    for seed in 0..60 {
        let mut live = LiveMesh::new(mesh.clone()).unwrap();
        let mut random = Random::new(seed);
        let at = live.mesh().random_point(seed).unwrap();
        let size = if seed % 2 == 0 { [0.4, 0.3] } else { [random.range(1.0, 9.0), random.range(0.5, 9.0)] };
        let shape = Shape::Box { centre: at.position(), size, turn: random.range(0.0, 3.0) };
        let obstacle = Obstacle { shape, anchor: Anchor { height: Some(live.mesh().height(at)) } };
        match live.apply(&Edit::Add(obstacle)) {
            Ok(changes) => {
                done += 1;
                assert_eq!(live.mesh().check(), Vec::new(), "seed {seed}");
                // A shape covers its area once, not once on each turn.
                let covered = mesh.area() - live.mesh().area();
                assert!(covered < size[0] * size[1] + 1e-3, "seed {seed}: {covered} m2");
                live.apply(&Edit::Remove(changes.obstacles[0])).unwrap();
            }
            Err(error) => {
                refused += 1;
                assert!(["rim", "folded"].iter().any(|word| error.to_string().contains(word)), "{error}");
            }
        }
        assert!(live.mesh().encode() == bytes, "seed {seed}");
    }
    println!("{done} stand, {refused} refused");
    assert!(done > 30, "{done} stand, {refused} refused");
}

/// Ground gets another class, also where obstacles stand on it, and gets it back.
#[test]
fn area_classes_change_on_free_and_covered_ground() {
    let mut soup = Soup::new();
    soup.part("lawn", "Grass").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    soup.part("path", "Gravel").floor([10.0, 0.0], [20.0, 10.0], 0.0);
    let Soup { vertices, triangles, part_of, parts } = soup;
    let mut scene = Scene::from_triangles(vertices, triangles, part_of, parts).unwrap();
    scene
        .select(&Selection { areas: vec![("gravel".into(), "path".into())], ..Selection::default() })
        .unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    let gravel = |live: &LiveMesh| {
        let cells = live.mesh().cells().filter(|cell| cell.area_class() == 1);
        cells.map(|cell| cell.area()).sum::<f64>()
    };
    let square = |x: f64, y: f64, size: f64| {
        let shape = Shape::Box { centre: [x, y], size: [size, size], turn: 0.0 };
        Obstacle { shape, anchor: Anchor { height: Some(0.0) } }
    };
    let mut live = LiveMesh::new(mesh).unwrap();
    let bytes = live.mesh().encode();
    let is_about = |live: &LiveMesh, area: f64| (gravel(live) - area).abs() < 0.01;
    assert!(is_about(&live, 100.0), "{}", gravel(&live));
    let mut history = Vec::new();
    let stone = live.apply(&Edit::Add(square(5.0, -5.0, 2.0))).unwrap();
    let id = stone.obstacles[0];
    history.push(stone);
    // Gravel under a half of the stone, and across the border of both classes.
    for (edit, area) in [
        (Edit::Area(square(6.0, -5.0, 2.0), 1), 102.0),
        (Edit::Remove(id), 104.0),
        (Edit::Area(square(10.0, -2.0, 2.0), 1), 106.0),
        (Edit::Area(square(10.0, -2.0, 2.0), 1), 106.0),
        (Edit::Area(square(10.0, -5.0, 40.0), 0), 0.0),
    ] {
        history.push(live.apply(&edit).unwrap_or_else(|error| panic!("{edit:?}: {error}")));
        assert_eq!(live.mesh().check(), Vec::new(), "{edit:?}");
        assert!(is_about(&live, area), "{edit:?}: {} of {area} m2", gravel(&live));
    }
    let before = live.mesh().encode();
    let wall = Obstacle { shape: Shape::Segment([[1.0, -1.0], [2.0, -1.0]]), ..square(0.0, 0.0, 1.0) };
    for edit in [Edit::Area(square(5.0, -5.0, 1.0), 2), Edit::Area(wall, 1)] {
        assert!(live.apply(&edit).is_err(), "{edit:?}");
        assert!(live.mesh().encode() == before, "{edit:?}");
    }
    history.iter().rev().for_each(|changes| drop(live.undo(changes).unwrap()));
    assert!(live.mesh().encode() == bytes);
}

/// The heights of all ground at some places, lowest first. Ground that meets at a place counts once for each cell.
fn heights(mesh: &NavMesh, places: &[[f64; 2]]) -> Vec<Vec<f64>> {
    let at = |place: &[f64; 2]| {
        let at = mesh.parts().grid.units(*place);
        let cells = mesh.cells_holding(at).into_iter();
        let mut heights: Vec<f64> = cells.map(|cell| mesh.ground_height(cell, at)).collect();
        heights.sort_by(f64::total_cmp);
        heights
    };
    places.iter().map(at).collect()
}

/// Large boxes over stairs and openings of floors: removals are never refused, and the ground under the cells stays that of
/// the build. Once merged cells took the heights of other floors, covered ground was then joined across floors, and in
/// the end it could not be uncovered; patches of ground piled up.
#[test]
fn large_boxes_on_storeys_keep_heights_and_can_be_removed() {
    let (mut done, mut refused) = (0, 0);
    for seed in 0..4 {
        let mesh = mesh_of(&building(BuildingOptions::default(), seed).soup);
        let bytes = mesh.encode();
        let places: Vec<[f64; 2]> = mesh.random_points(seed).take(400).map(|at| at.position()).collect();
        let built = heights(&mesh, &places);
        let patches = mesh.parts().relief.as_ref().unwrap().patches.len();
        let mut live = LiveMesh::new(mesh).unwrap();
        let mut random = Random::new(100 + seed);
        let mut standing: Vec<ObstacleId> = Vec::new();
        for number in 0..250 {
            if standing.len() > 12 || (!standing.is_empty() && random.chance(0.4)) {
                let id = standing.swap_remove(random.below(standing.len()));
                let removed = live.apply(&Edit::Remove(id));
                assert!(removed.is_ok(), "seed {seed}, edit {number}: {:?}", removed.err());
            } else if let Some(at) = live.mesh().random_point(1000 * seed + number) {
                let anchor = Anchor { height: Some(live.mesh().height(at)) };
                let size = [random.range(0.5, 7.5), random.range(0.5, 7.5)];
                let shape = Shape::Box { centre: at.position(), size, turn: random.range(0.0, 3.0) };
                match live.apply(&Edit::Add(Obstacle { shape, anchor })) {
                    Ok(changes) => standing.extend(&changes.obstacles),
                    Err(_) => refused += 1,
                }
                done += 1;
            }
            if number % 10 == 9 {
                let flaws = live.mesh().check();
                assert!(flaws.is_empty(), "seed {seed}, edit {number}: {:?}", &flaws[..flaws.len().min(3)]);
                for ((now, built), place) in heights(live.mesh(), &places).iter().zip(&built).zip(&places) {
                    // Each height that is left is one of those from before, and none comes twice.
                    let mut left = built.clone();
                    let mut is_known = |height: &f64| {
                        let found = left.iter().position(|known| (known - height).abs() < 0.02);
                        found.map(|found| left.remove(found)).is_some()
                    };
                    assert!(
                        now.iter().all(&mut is_known),
                        "seed {seed}, edit {number}: {now:?} not in {built:?} at {place:?}"
                    );
                }
            }
        }
        let now = live.mesh().parts().relief.as_ref().unwrap().patches.len();
        assert!(now < 4 * patches, "seed {seed}: {patches} patches became {now}");
        standing.drain(..).for_each(|id| drop(live.apply(&Edit::Remove(id)).unwrap()));
        assert!(live.mesh().encode() == bytes, "seed {seed}: other bytes");
    }
    println!("{done} boxes, {refused} refused");
}
