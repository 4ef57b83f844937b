//! Bad input: a defined result or a clear error, and the mesh unchanged on an error.

#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_base::error::ErrorKind;
use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};
use clearway_nav::PathQuery;
use clearway_scenes::Random;
use clearway_world::plan::Plan;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

fn room() -> LiveMesh {
    let plan = Plan::from_rings([vec![[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]]]);
    LiveMesh::new(MeshOptions::default().build(&plan).unwrap()).unwrap()
}

fn add(shape: Shape) -> Edit {
    Edit::Add(Obstacle { shape, anchor: Anchor::default() })
}

fn square(x: f64, y: f64, side: f64) -> Shape {
    Shape::Polygon(vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]])
}

#[test]
fn bad_shapes_are_refused_and_change_nothing() {
    let mut live = room();
    let bytes = live.mesh().encode();
    let nan = f64::NAN;
    for (shape, kind) in [
        (Shape::Polygon(vec![]), ErrorKind::Empty),
        (Shape::Polygon(vec![[1.0, 1.0]]), ErrorKind::Empty),
        (Shape::Polygon(vec![[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]), ErrorKind::Empty),
        (Shape::Segment([[1.0, 1.0], [1.0, 1.0]]), ErrorKind::Empty),
        (square(20.0, 20.0, 1.0), ErrorKind::Empty),
        (Shape::Polygon(vec![[nan, 1.0], [2.0, 1.0], [2.0, 2.0]]), ErrorKind::OutOfRange),
        (square(1e12, 0.0, 1.0), ErrorKind::OutOfRange),
        (Shape::Polygon(vec![[1.0, 1.0]; Shape::MAX_CORNERS + 1]), ErrorKind::TooLarge),
        (Shape::Disc { centre: [1.0, 1.0], radius: -1.0, sides: 8 }, ErrorKind::Options),
        (Shape::Disc { centre: [1.0, 1.0], radius: 1.0, sides: 2 }, ErrorKind::Options),
        (Shape::Box { centre: [1.0, 1.0], size: [0.0, 1.0], turn: 0.0 }, ErrorKind::Options),
    ] {
        let error = live.apply(&add(shape.clone())).unwrap_err();
        assert_eq!(error.kind(), kind, "{shape:?}: {error}");
        assert_eq!(live.mesh().encode(), bytes);
    }
}

#[test]
fn shapes_that_cross_touch_nest_and_repeat_have_a_defined_result() {
    let mut live = room();
    let bow_tie = Shape::Polygon(vec![[6.0, 1.0], [8.0, 3.0], [8.0, 1.0], [6.0, 3.0]]);
    let shapes = [
        square(1.0, 1.0, 2.0),
        square(1.0, 1.0, 2.0),
        square(1.5, 1.5, 0.5),
        square(3.0, 1.0, 1.0),
        square(2.0, 2.0, 2.0),
        square(-1.0, 3.0, 2.0),
        bow_tie,
        Shape::Segment([[0.0, 5.0], [10.0, 5.0]]),
        Shape::Segment([[5.0, 0.0], [5.0, 6.0]]),
        Shape::Disc { centre: [10.0, 6.0], radius: 0.5, sides: 12 },
    ];
    let bytes = live.mesh().encode();
    let mut done = Vec::new();
    for shape in shapes {
        done.push(live.apply(&add(shape.clone())).unwrap());
        assert_eq!(live.mesh().check(), Vec::new(), "{shape:?}");
    }
    // A square of 2 m, the same again and one inside it cover 4 m2 once; see the drawing above for the rest.
    let covered = 4.0 + 1.0 + (4.0 - 1.0 - 0.0) + 2.0 + 2.0;
    assert!((60.0 - live.mesh().area() - covered).abs() < 0.5, "{}", live.mesh().area());
    for changes in done.iter().rev() {
        live.undo(changes).unwrap();
    }
    assert_eq!(live.mesh().encode(), bytes);
}

#[test]
fn an_obstacle_that_fills_everything_leaves_no_cell() {
    let mut live = room();
    let bytes = live.mesh().encode();
    let changes = live.apply(&add(square(-5.0, -5.0, 30.0))).unwrap();
    assert_eq!((live.mesh().cell_count(), live.mesh().check()), (0, Vec::new()));
    assert!(live.mesh().locate([5.0, 3.0]).is_err());
    live.undo(&changes).unwrap();
    assert_eq!(live.mesh().encode(), bytes);
}

#[test]
fn stale_ids_stay_unknown() {
    let mut live = room();
    let first = live.apply(&add(square(1.0, 1.0, 1.0))).unwrap().obstacles[0];
    live.apply(&Edit::Remove(first)).unwrap();
    let second = live.apply(&add(square(4.0, 1.0, 1.0))).unwrap().obstacles[0];
    assert_ne!(first, second);
    assert_eq!(live.apply(&Edit::Remove(first)).unwrap_err().kind(), ErrorKind::Options);
    assert!(live.obstacle(first).is_none() && live.obstacle(second).is_some());
}

#[test]
fn a_batch_is_made_whole_or_not_at_all() {
    let mut live = room();
    let bytes = live.mesh().encode();
    let bad = Edit::Batch(vec![
        add(square(1.0, 1.0, 1.0)),
        add(square(4.0, 1.0, 1.0)),
        add(Shape::Polygon(vec![])),
    ]);
    let error = live.apply(&bad).unwrap_err();
    assert!(error.to_string().starts_with("edit 3 of the batch"), "{error}");
    assert_eq!((live.mesh().encode(), live.obstacles().count()), (bytes.clone(), 0));
    let good = Edit::Batch(vec![add(square(1.0, 1.0, 1.0)), add(square(4.0, 1.0, 1.0))]);
    let changes = live.apply(&good).unwrap();
    assert_eq!(changes.obstacles.len(), 2);
    live.undo(&changes).unwrap();
    assert_eq!(live.mesh().encode(), bytes);
}

#[test]
fn a_reader_verifies_paths_on_its_snapshots_during_edits() {
    let mut live = room();
    let shared = Mutex::new(Arc::clone(live.mesh()));
    let is_done = AtomicBool::new(false);
    let edits = 2000;
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut verified = 0u32;
            while !is_done.load(Ordering::Relaxed) || verified < 20 {
                let mesh = Arc::clone(&shared.lock().unwrap());
                let ends: Vec<_> = mesh.random_points(u64::from(verified)).take(2).collect();
                if let Ok(path) = mesh.find_path(&PathQuery::new(ends[0], ends[1])) {
                    clearway_nav::path::verify(&mesh, &path).unwrap();
                }
                verified += 1;
            }
            verified
        });
        let mut random = Random::new(5);
        let mut id = None;
        for number in 0..edits {
            let centre = [random.range(1.0, 9.0), random.range(1.0, 5.0)];
            let shape = Shape::Box { centre, size: [1.0, 0.7], turn: random.range(0.0, 3.0) };
            let obstacle = Obstacle { shape, anchor: Anchor::default() };
            let edit = id.map_or(Edit::Add(obstacle.clone()), |id| Edit::Move(id, obstacle));
            let changes = live.apply(&edit).unwrap();
            id = id.or(changes.obstacles.first().copied());
            if number % 3 == 0 {
                *shared.lock().unwrap() = Arc::clone(live.mesh());
            }
        }
        is_done.store(true, Ordering::Relaxed);
        println!("{} paths verified during {edits} edits", reader.join().unwrap());
    });
    assert_eq!(live.mesh().check(), Vec::new());
}

/// A room with three pillars, so that there are portals and inner vertices.
fn pillars() -> LiveMesh {
    let mut rings = vec![vec![[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [0.0, 8.0]]];
    for [x, y] in [[2.0, 2.0], [6.0, 5.0], [9.0, 1.5]] {
        rings.push(vec![[x, y], [x + 0.3, y + 1.1], [x + 1.3, y + 1.0], [x + 1.0, y]]);
    }
    LiveMesh::new(MeshOptions::default().build(&Plan::from_rings(rings)).unwrap()).unwrap()
}

/// Makes an edit, looks at all laws, takes the obstacle away, and expects the bytes from before.
fn comes_and_goes(live: &mut LiveMesh, shape: Shape) {
    let bytes = live.mesh().encode();
    let id =
        live.apply(&add(shape.clone())).unwrap_or_else(|error| panic!("{shape:?}: {error}")).obstacles[0];
    assert_eq!(live.mesh().check(), Vec::new(), "{shape:?}");
    live.apply(&Edit::Remove(id)).unwrap();
    assert_eq!(live.mesh().check(), Vec::new(), "{shape:?} gone");
    assert!(live.mesh().encode() == bytes, "{shape:?}: other bytes");
}

#[test]
fn obstacles_along_portals_and_at_vertices_come_and_go() {
    let mut live = pillars();
    let portals: Vec<[[f64; 2]; 2]> = live
        .mesh()
        .portals()
        .map(|portal| portal.vertices.map(|vertex| live.mesh().position(vertex).unwrap()))
        .collect();
    assert!(portals.len() > 4);
    for [a, b] in portals {
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        let at = |along: f64, aside: f64| [a[0] + dx * along - dy * aside, a[1] + dy * along + dx * aside];
        // The whole portal, a part of it, more than it, and boxes that lie along it or end at its vertices.
        comes_and_goes(&mut live, Shape::Segment([a, b]));
        comes_and_goes(&mut live, Shape::Segment([b, at(0.5, 0.0)]));
        comes_and_goes(&mut live, Shape::Segment([at(-0.5, 0.0), at(1.5, 0.0)]));
        comes_and_goes(&mut live, Shape::Segment([at(0.5, 0.2), b]));
        comes_and_goes(&mut live, Shape::Polygon(vec![a, b, at(1.0, 0.3), at(0.0, 0.3)]));
        comes_and_goes(&mut live, Shape::Polygon(vec![at(0.2, 0.0), at(0.8, 0.0), at(0.5, -0.3)]));
        comes_and_goes(&mut live, Shape::Polygon(vec![a, at(0.5, 0.4), b, at(0.5, -0.4)]));
    }
    // Along a wall, as long as it, and with a corner on it.
    comes_and_goes(&mut live, Shape::Segment([[0.0, 0.0], [12.0, 0.0]]));
    comes_and_goes(&mut live, square(0.0, 0.0, 1.0));
    comes_and_goes(&mut live, Shape::Polygon(vec![[5.0, 0.0], [6.0, 1.0], [4.0, 1.0]]));
    // The same as a pillar, and around it.
    comes_and_goes(&mut live, Shape::Polygon(vec![[2.0, 2.0], [2.3, 3.1], [3.3, 3.0], [3.0, 2.0]]));
    comes_and_goes(&mut live, square(1.5, 1.5, 2.5));
}

#[test]
fn an_obstacle_that_closes_the_last_way_parts_the_room() {
    let mut live = room();
    let id = live.apply(&add(Shape::Box { centre: [5.0, 3.0], size: [0.5, 6.0], turn: 0.0 })).unwrap();
    assert_eq!((live.mesh().component_count(), live.mesh().check()), (2, Vec::new()));
    let ends = [[1.0, 3.0], [9.0, 3.0]].map(|place| live.mesh().locate(place).unwrap());
    for radius in [0.0, 0.3] {
        let refused = live.mesh().find_path(&PathQuery::new(ends[0], ends[1]).radius(radius)).unwrap_err();
        assert_eq!(refused, clearway_nav::NoPath::Disconnected, "radius {radius}");
    }
    live.apply(&Edit::Remove(id.obstacles[0])).unwrap();
    assert_eq!(live.mesh().component_count(), 1);
}

#[test]
fn ids_of_what_went_stay_unknown_to_every_edit() {
    let mut live = room();
    let gone = live.apply(&add(square(1.0, 1.0, 1.0))).unwrap().obstacles[0];
    live.apply(&Edit::Remove(gone)).unwrap();
    let door = live.apply(&Edit::AddDoor([[5.0, 0.0], [5.0, 6.0]], Anchor::default())).unwrap().doors[0];
    live.apply(&Edit::RemoveDoor(door)).unwrap();
    // Another obstacle takes the number of both.
    let here = live.apply(&add(square(4.0, 1.0, 1.0))).unwrap().obstacles[0];
    assert_eq!(here.to_string(), gone.to_string());
    let bytes = live.mesh().encode();
    let obstacle = Obstacle { shape: square(7.0, 1.0, 1.0), anchor: Anchor::default() };
    for edit in [
        Edit::Remove(gone),
        Edit::Move(gone, obstacle),
        Edit::Door(door, false),
        Edit::RemoveDoor(door),
        Edit::RemoveLink("nothing".to_string()),
        Edit::Area(Obstacle { shape: square(1.0, 1.0, 1.0), anchor: Anchor::default() }, 1),
        Edit::Batch(vec![add(square(7.0, 3.0, 1.0)), Edit::Remove(gone)]),
    ] {
        assert_eq!(live.apply(&edit).unwrap_err().kind(), ErrorKind::Options, "{edit:?}");
        assert!(live.mesh().encode() == bytes, "{edit:?}");
    }
    assert_eq!(live.obstacles().count(), 1);
}

#[test]
fn relaxed_meshes_are_refused() {
    let rings = vec![
        vec![[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [5.0, 5.8], [0.0, 6.0]],
        vec![[4.0, 2.0], [4.0, 3.0], [5.0, 3.2], [6.0, 3.0], [6.0, 2.0]],
    ];
    let mesh = MeshOptions::default().relax_angle(0.5).build(&Plan::from_rings(rings)).unwrap();
    assert!(mesh.region_count() < mesh.cell_count());
    assert_eq!(LiveMesh::new(mesh).unwrap_err().kind(), ErrorKind::Unsupported);
}
