//! Doors: walls while closed, portals while open, and cells that come back as they were.

#![allow(clippy::unwrap_used)]

use clearway_base::progress::NoProgress;
use clearway_build::MeshOptions;
use clearway_live::{Anchor, DoorId, Edit, LiveMesh, Obstacle, Shape};
use clearway_nav::{NavMesh, PathQuery};
use clearway_scenes::Random;
use clearway_world::plan::{Plan, PlanPolygon};

/// A room of 10 m by 6 m that a wall parts, with a gap of 2 m.
fn rooms() -> Plan {
    let outline = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]];
    let walls = vec![vec![[5.0, 0.0], [5.0, 2.0]], vec![[5.0, 4.0], [5.0, 6.0]]];
    Plan { polygons: vec![PlanPolygon { outline, holes: Vec::new() }], walls, ..Plan::default() }
}

fn live() -> LiveMesh {
    LiveMesh::new(MeshOptions::default().build(&rooms()).unwrap()).unwrap()
}

fn no_flaws(live: &LiveMesh, what: &str) {
    live.mesh().prepare_clearance(&mut NoProgress).unwrap();
    assert_eq!(live.mesh().check(), Vec::new(), "{what}");
    let stored = NavMesh::decode(&live.mesh().encode()).unwrap();
    assert_eq!(stored.check(), Vec::new(), "{what}, stored");
}

fn length(live: &LiveMesh) -> Option<f64> {
    let ends = [[1.0, 3.0], [9.0, 3.0]].map(|place| live.mesh().locate(place).unwrap());
    live.mesh().find_path(&PathQuery::new(ends[0], ends[1])).ok().map(|path| path.length)
}

#[test]
fn a_closed_door_is_a_wall_and_an_open_one_is_none() {
    let mut live = live();
    let bytes = live.mesh().encode();
    let door = live.apply(&Edit::AddDoor([[5.0, 2.0], [5.0, 4.0]], Anchor::default())).unwrap().doors[0];
    no_flaws(&live, "open");
    assert_eq!((live.is_open(door), length(&live)), (Some(true), Some(8.0)));
    let open = live.mesh().encode();
    for _ in 0..3 {
        live.apply(&Edit::Door(door, false)).unwrap();
        no_flaws(&live, "closed");
        assert_eq!((live.mesh().component_count(), length(&live)), (2, None));
        live.apply(&Edit::Door(door, true)).unwrap();
        no_flaws(&live, "open again");
        assert_eq!(length(&live), Some(8.0));
        assert!(live.mesh().encode() == open);
    }
    live.apply(&Edit::Door(door, false)).unwrap();
    live.apply(&Edit::RemoveDoor(door)).unwrap();
    no_flaws(&live, "gone");
    assert_eq!(length(&live), Some(8.0));
    assert!(live.apply(&Edit::Door(door, true)).unwrap_err().to_string().contains("no door"));
    // A door that is open when it goes leaves the same bytes as before it came.
    let mut live = LiveMesh::new(NavMesh::decode(&bytes).unwrap()).unwrap();
    let door = live.apply(&Edit::AddDoor([[5.0, 2.0], [5.0, 4.0]], Anchor::default())).unwrap().doors[0];
    live.apply(&Edit::RemoveDoor(door)).unwrap();
    assert!(live.mesh().encode() == bytes);
}

/// Random doors, toggles and obstacles across them, against the same world with the closed doors as walls.
#[test]
fn random_doors_keep_all_laws_and_match_a_fresh_build() {
    for seed in 0..12 {
        let mut random = Random::new(300 + seed);
        let mut live = live();
        let mut states = vec![live.mesh().encode()];
        let mut doors: Vec<(DoorId, [[f64; 2]; 2], bool)> = Vec::new();
        let mut boxes = Vec::new();
        let mut history = Vec::new();
        for number in 0..30 {
            let at = |random: &mut Random| [random.range(-0.5, 10.5), random.range(-0.5, 6.5)];
            let kind = if doors.is_empty() { 0 } else { random.below(6) };
            let place = random.below(doors.len().max(1));
            let edit = match kind {
                0 => Edit::AddDoor([at(&mut random), at(&mut random)], Anchor::default()),
                1..=3 => Edit::Door(doors[place].0, !doors[place].2),
                4 if boxes.len() < 4 => {
                    let shape = Shape::Box {
                        centre: at(&mut random),
                        size: [1.0, 0.6],
                        turn: random.range(0.0, 3.0),
                    };
                    Edit::Add(Obstacle { shape, anchor: Anchor::default() })
                }
                _ => Edit::RemoveDoor(doors[place].0),
            };
            let Ok(changes) = live.apply(&edit) else { continue };
            match &edit {
                Edit::AddDoor(ends, _) => doors.push((changes.doors[0], *ends, true)),
                Edit::Door(_, open) => doors[place].2 = *open,
                Edit::Add(obstacle) => boxes.push(obstacle.shape.clone()),
                _ => drop(doors.swap_remove(place)),
            }
            no_flaws(&live, &format!("seed {seed}, edit {number}: {edit:?}"));
            let mut plan = rooms();
            plan.walls.extend(doors.iter().filter(|door| !door.2).map(|door| door.1.to_vec()));
            let holes = boxes.iter().filter_map(|shape| match shape {
                Shape::Box { centre: [x, y], size: [w, d], turn } => {
                    let (s, c) = turn.sin_cos();
                    let corner = |[u, v]: [f64; 2]| [x + u * w * c - v * d * s, y + u * w * s + v * d * c];
                    Some([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(corner).to_vec())
                }
                _ => None,
            });
            plan.polygons[0].holes.extend(holes);
            let fresh = MeshOptions::default().grid(live.mesh().unit()).build(&plan).unwrap();
            assert_eq!(live.mesh().component_count(), fresh.component_count(), "seed {seed}, edit {number}");
            assert!((live.mesh().area() - fresh.area()).abs() < 1e-3, "seed {seed}, edit {number}: area");
            history.push(changes);
            states.push(live.mesh().encode());
        }
        states.pop();
        for changes in history.iter().rev() {
            live.undo(changes).unwrap();
            assert!(Some(live.mesh().encode()) == states.pop(), "seed {seed}: other bytes");
        }
    }
}

fn add(centre: [f64; 2]) -> Edit {
    let shape = Shape::Box { centre, size: [0.5, 0.5], turn: 0.3 };
    Edit::Add(Obstacle { shape, anchor: Anchor::default() })
}

#[test]
fn obstacles_that_come_and_go_leave_the_same_bytes() {
    let mut live = live();
    let bytes = live.mesh().encode();
    let one = live.apply(&add([2.0, 3.0])).unwrap().obstacles[0];
    let other = live.apply(&add([2.5, 3.5])).unwrap().obstacles[0];
    live.apply(&Edit::Remove(other)).unwrap();
    live.apply(&Edit::Remove(one)).unwrap();
    assert!(live.mesh().encode() == bytes);
}

/// An edit was taken back though a later one, elsewhere, had taken the places of its sides: lists were overwritten.
#[test]
fn taking_back_out_of_order_never_overwrites_other_cells() {
    let blocks: Vec<Vec<[f64; 2]>> = (0..36)
        .map(|i| [f64::from(i % 6) * 5.0 + 2.0, f64::from(i / 6) * 5.0 + 2.0])
        .map(|[x, y]| vec![[x, y], [x + 2.0, y], [x + 2.0, y + 1.5], [x, y + 2.0]])
        .collect();
    let outline = vec![[0.0, 0.0], [31.0, 0.0], [31.0, 31.0], [0.0, 31.0]];
    let plan = Plan { polygons: vec![PlanPolygon { outline, holes: blocks }], ..Plan::default() };
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let mut live = LiveMesh::new(MeshOptions::default().build(&plan).unwrap()).unwrap();
        let mut history = Vec::new();
        for number in 0..40 {
            if history.len() > 3 && random.chance(0.5) {
                let changes: clearway_live::Changes = history.swap_remove(random.below(history.len()));
                drop(live.undo(&changes));
            } else {
                let edit = add([random.range(0.0, 31.0), random.range(0.0, 31.0)]);
                history.extend(live.apply(&edit).ok());
            }
            assert_eq!(live.mesh().check(), Vec::new(), "seed {seed}, step {number}");
        }
    }
}

/// Obstacles and doors that touch each other and go in any order leave the mesh as it was built.
#[test]
fn a_world_without_obstacles_has_the_bytes_of_its_build() {
    for seed in 0..40 {
        let mut random = Random::new(900 + seed);
        let mut live = live();
        let bytes = live.mesh().encode();
        let mut removals = Vec::new();
        let mut history = Vec::new();
        for _ in 0..random.below(8) + 2 {
            let at = |random: &mut Random| [random.range(0.0, 10.0), random.range(0.0, 6.0)];
            if random.chance(0.3) {
                let ends = [at(&mut random), at(&mut random)];
                let changes = live.apply(&Edit::AddDoor(ends, Anchor::default())).unwrap();
                removals.push(Edit::RemoveDoor(changes.doors[0]));
                history.push(changes);
            } else {
                let Ok(changes) = live.apply(&add(at(&mut random))) else { continue };
                removals.push(Edit::Remove(changes.obstacles[0]));
                history.push(changes);
            }
        }
        while !removals.is_empty() {
            let removal = removals.swap_remove(random.below(removals.len()));
            history.push(live.apply(&removal).unwrap());
            no_flaws(&live, &format!("seed {seed}"));
        }
        assert!(live.mesh().encode() == bytes, "seed {seed}: other bytes");
        history.iter().rev().for_each(|changes| drop(live.undo(changes).unwrap()));
        assert!(live.mesh().encode() == bytes, "seed {seed}: other bytes after undoing");
        live.apply(&add([2.0, 3.0])).unwrap();
        no_flaws(&live, &format!("seed {seed}, and one more"));
    }
}

#[test]
fn toggling_a_door_is_quick() {
    let mut live = live();
    live.mesh().prepare_clearance(&mut NoProgress).unwrap();
    let door = live.apply(&Edit::AddDoor([[5.0, 2.0], [5.0, 4.0]], Anchor::default())).unwrap().doors[0];
    let mut times = Vec::new();
    for number in 0..200 {
        let begun = std::time::Instant::now();
        live.apply(&Edit::Door(door, number % 2 == 1)).unwrap();
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    println!("toggle: median {:?}, worst {:?}", times[100], times[199]);
    assert!(times[100].as_millis() < 5);
}

/// A door that turns while an obstacle covers it changes no cell. The cells from before must not come back as they were
/// then: once a door that was closed meanwhile got its portal back, and the portal outlived its cell.
#[test]
fn a_door_that_turns_under_an_obstacle_stays_as_it_turned() {
    let crate_over_door = || {
        let shape = Shape::Box { centre: [5.0, 3.0], size: [1.0, 3.0], turn: 0.0 };
        Edit::Add(Obstacle { shape, anchor: Anchor::default() })
    };
    for closes in [true, false] {
        let mut live = live();
        let door = live.apply(&Edit::AddDoor([[5.0, 2.0], [5.0, 4.0]], Anchor::default())).unwrap().doors[0];
        if !closes {
            live.apply(&Edit::Door(door, false)).unwrap();
        }
        let comes = live.apply(&crate_over_door()).unwrap();
        let turns = live.apply(&Edit::Door(door, !closes)).unwrap();
        assert!(live.undo(&comes).is_err(), "the door turned later");
        live.apply(&Edit::Remove(comes.obstacles[0])).unwrap();
        assert_eq!(live.fabric_fault(), None, "closes: {closes}");
        assert_eq!(length(&live).is_none(), closes);
        no_flaws(&live, "the crate is gone");
        assert!(live.undo(&turns).is_err(), "the crate went later");
        live.apply(&Edit::Door(door, closes)).unwrap();
        live.apply(&Edit::Door(door, !closes)).unwrap();
        assert_eq!(live.fabric_fault(), None, "closes: {closes}, turned again");
        no_flaws(&live, "turned again");
    }
}
