//! Meshes after random edits, stored and taken up again: plans and furnished storeys.

#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_live::{Anchor, DoorId, Edit, LiveMesh, Named, Obstacle, Shape};
use clearway_nav::{Link, LinkKind, NavMesh};
use clearway_scenes::{BuildingOptions, Random, Soup, building};
use clearway_world::{Plan, Scene};

fn hall() -> NavMesh {
    let rings = [
        vec![[0.0, 0.0], [30.0, 0.0], [30.0, 20.0], [0.0, 20.0]],
        vec![[9.0, 4.0], [9.0, 15.0], [10.0, 15.0], [10.0, 4.0]],
        vec![[20.0, 2.0], [18.0, 9.0], [22.0, 11.0]],
    ];
    MeshOptions::default().build(&Plan::from_rings(rings)).unwrap()
}

fn storeys(seed: u64) -> NavMesh {
    let Soup { vertices, triangles, part_of, parts } = building(BuildingOptions::default(), seed).soup;
    let scene = Scene::from_triangles(vertices, triangles, part_of, parts).unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// Makes random edits. Those that are refused change nothing.
fn edit(live: &mut LiveMesh, random: &mut Random, number: u64) {
    let Some(at) = live.mesh().random_point(random.below(1 << 30) as u64) else { return };
    let (position, anchor) = (at.position(), Anchor { height: Some(live.mesh().height(at)) });
    let size = [random.range(0.2, 2.5), random.range(0.2, 1.5)];
    let end = [position[0] + size[0], position[1] - size[1]];
    let shape = match random.below(3) {
        0 => Shape::Segment([position, end]),
        1 => Shape::Disc { centre: position, radius: 0.5 * size[0], sides: 12 },
        _ => Shape::Box { centre: position, size, turn: random.range(0.0, 3.0) },
    };
    let obstacle = Obstacle { shape: shape.clone(), anchor };
    let names: Vec<Named> = live.all_named().map(|(_, named)| named).collect();
    let named = names.get(random.below(names.len().max(1))).copied();
    let door = live.doors().nth(random.below(4)).map(|(door, _): (DoorId, bool)| door);
    let change = match (random.below(10), named, door) {
        (0 | 1, Some(Named::Obstacle(id)), _) => Edit::Remove(id),
        (2, Some(Named::Obstacle(id)), _) => Edit::Move(id, obstacle),
        (3, ..) => Edit::Named(format!("door {number}"), Box::new(Edit::AddDoor([position, end], anchor))),
        (4, _, Some(door)) => Edit::Door(door, random.chance(0.4)),
        (5, ..) => {
            let class = live.area_class(["mud", "ice"][random.below(2)]).unwrap();
            Edit::Area(obstacle, class)
        }
        (6, ..) => {
            let other = live.mesh().random_point(random.below(1 << 30) as u64).unwrap();
            let [from, to] = [at, other].map(|at| live.mesh().place(at));
            Edit::AddLink(Link::new(format!("link {number}"), LinkKind::Jump, from, to))
        }
        (7, ..) => Edit::Add(obstacle),
        _ => Edit::Named(format!("crate {number}"), Box::new(Edit::Add(obstacle))),
    };
    let _ = live.apply(&change);
}

/// Stores a mesh and takes it up again. Returns false if layers refuse to make the edits anew.
fn survives(live: &LiveMesh, built: &[u8]) -> bool {
    let stored = match live.stored() {
        Ok(stored) => stored,
        Err(error) => {
            assert!(live.mesh().has_heights(), "{error}");
            return false;
        }
    };
    assert_eq!(stored.check(), Vec::new());
    let bytes = stored.encode();
    let mut again = LiveMesh::new(NavMesh::decode(&bytes).unwrap()).unwrap();
    let names = |live: &LiveMesh| live.all_named().map(|(name, _)| name.to_string()).collect::<Vec<String>>();
    assert_eq!(names(&again), names(live));
    let links = |live: &LiveMesh| live.links().map(|(name, _)| name.to_string()).collect::<Vec<String>>();
    assert_eq!(links(&again), links(live));
    let doors = |live: &LiveMesh| live.doors().filter(|(_, is_open)| *is_open).count();
    assert_eq!((doors(&again), again.doors().count()), (doors(live), live.doors().count()));
    // Where obstacles cross, another order of the edits rounds the crossings otherwise.
    let off = (again.mesh().area() - live.mesh().area()).abs();
    assert!(off < 1e-4 * live.mesh().area(), "{off} m2");
    assert!(again.stored().unwrap().encode() == bytes, "other bytes");
    again.apply(&Edit::Clear).unwrap();
    let links: Vec<String> = again.links().map(|(name, _)| name.to_string()).collect();
    links.into_iter().for_each(|name| drop(again.apply(&Edit::RemoveLink(name)).unwrap()));
    assert!(again.stored().unwrap().encode() == built, "other bytes than before all edits");
    assert!(again.mesh().encode() == built, "other bytes in place than before all edits");
    true
}

/// Returns how many of the meshes on the way survive, and how many do not.
fn run(mesh: NavMesh, seed: u64, edits: u64) -> [usize; 2] {
    let built = mesh.encode();
    let mut live = LiveMesh::new(mesh).unwrap();
    let mut random = Random::new(seed);
    let mut counts = [0; 2];
    for number in 0..edits {
        edit(&mut live, &mut random, number);
        if number % 8 == 7 {
            counts[usize::from(!survives(&live, &built))] += 1;
        }
    }
    counts
}

#[test]
fn plans_come_back_after_any_edits() {
    for seed in 0..8 {
        assert_eq!(run(hall(), seed, 40), [5, 0], "seed {seed}");
    }
}

#[test]
fn storeys_come_back_after_most_edits() {
    let counts: Vec<[usize; 2]> = (0..4).map(|seed| run(storeys(seed), seed, 24)).collect();
    let [kept, lost] = [0, 1].map(|index| counts.iter().map(|counts| counts[index]).sum::<usize>());
    println!("{kept} of {} stored", kept + lost);
    assert!(kept >= 8 * lost, "{counts:?}");
}
