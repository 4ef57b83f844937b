//! Skeletons of scenes in layers that follow edits of their mesh, against the mesh itself.
#![cfg(feature = "live")]
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_live::{Anchor, DoorId, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::NavMesh;
use clearway_scenes::{BuildingOptions, Random, building};
use clearway_skeleton::Skeleton;
use clearway_world::Scene;

/// A building of three storeys.
fn house(seed: u64) -> NavMesh {
    let options = BuildingOptions { storeys: 3, rooms_x: 2, rooms_z: 2 };
    let soup = building(options, seed).soup;
    let scene = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// An edit beside a random place of the mesh.
fn edit_in_layers(live: &LiveMesh, random: &mut Random) -> Option<Edit> {
    let mesh = live.mesh();
    let at = mesh.random_points(random.below(1 << 30) as u64).next()?;
    let (centre, anchor) = (at.position(), Anchor { height: Some(mesh.height(at)) });
    let near = centre.map(|c| c + random.range(-2.0, 2.0));
    let known: Vec<ObstacleId> = live.obstacles().map(|(id, _)| id).collect();
    let doors: Vec<(DoorId, bool)> = live.doors().collect();
    let any = known.get(random.below(known.len().max(1))).copied();
    let shape = match random.below(3) {
        0 => Shape::Segment([centre, near]),
        1 => Shape::Disc { centre, radius: random.range(0.1, 0.8), sides: 5 },
        _ => Shape::Box { centre, size: [random.range(0.2, 2.5), 0.6], turn: random.range(0.0, 6.0) },
    };
    let obstacle = Obstacle { shape, anchor };
    Some(match (random.below(8), any) {
        (0, _) if doors.len() < 3 => Edit::AddDoor([centre, near], anchor),
        (0 | 1, _) if !doors.is_empty() => {
            let (door, is_open) = doors[random.below(doors.len())];
            Edit::Door(door, !is_open)
        }
        (2 | 3, Some(id)) => Edit::Move(id, obstacle),
        (4 | 5, Some(id)) if known.len() > 6 => Edit::Remove(id),
        _ => Edit::Add(obstacle),
    })
}

#[test]
fn a_skeleton_in_layers_follows_random_edits() {
    let (mut done, mut walls, mut compared, mut rebuilds) = (0, 0, 0, 0);
    for seed in 1..4 {
        let mut live = LiveMesh::new(house(seed)).unwrap();
        let mut skeleton = Skeleton::build(live.mesh()).unwrap();
        assert!(skeleton.is_layered());
        let mut random = Random::new(70 + seed);
        for number in 0..60 {
            let Some(edit) = edit_in_layers(&live, &mut random) else { continue };
            let Ok(changes) = live.apply(&edit) else { continue };
            let changes = if random.chance(0.2) {
                skeleton.apply_at(live.mesh(), &changes).unwrap();
                live.undo(&changes).unwrap()
            } else {
                changes
            };
            let mesh = live.mesh();
            skeleton
                .apply_at(mesh, &changes)
                .unwrap_or_else(|error| panic!("seed {seed}, edit {number}: {error}"));
            done += 1;
            walls += changes.walls_gone.len() + changes.walls_come.len();
            let audit = skeleton.audit(mesh);
            assert!(audit.is_clean(), "seed {seed}, edit {number}: {audit:?}");
            let places: Vec<_> = mesh.random_points(number).take(12).collect();
            for pair in places.chunks_exact(2) {
                let ours = skeleton.widest_between(mesh, pair[0], pair[1]).map(|way| way.radius);
                let theirs = mesh.widest_radius(pair[0], pair[1]);
                let agree = match (ours, theirs) {
                    (None, None) => true,
                    (Some(a), Some(b)) => a * (1.0 + 1e-12) >= b && a <= b * (1.0 + 2f64.powi(-22)),
                    _ => false,
                };
                assert!(agree, "seed {seed}, edit {number}: {ours:?} and {theirs:?} for {pair:?}");
                compared += 1;
            }
        }
        rebuilds += skeleton.diagram().counters().rebuilds;
    }
    println!("{done} edits with {walls} walls gone or come, {compared} widest ways, {rebuilds} rebuilds");
    assert!(done > 100 && rebuilds * 20 < done, "{done} {rebuilds}");
}

#[test]
fn edits_in_layers_that_cannot_be_followed_change_nothing() {
    let mut live = LiveMesh::new(house(1)).unwrap();
    let mut skeleton = Skeleton::build(live.mesh()).unwrap();
    let at = live.mesh().random_points(3).find(|at| live.mesh().clearance(*at).unwrap() > 0.5).unwrap();
    let shape = Shape::Box { centre: at.position(), size: [0.5, 0.3], turn: 0.3 };
    let anchor = Anchor { height: Some(live.mesh().height(at)) };
    let come = live.apply(&Edit::Add(Obstacle { shape, anchor })).unwrap();
    let with = live.mesh().clone();
    let gone = live.apply(&Edit::Remove(come.obstacles[0])).unwrap();
    let told = |result: clearway_base::Result<()>| result.unwrap_err().to_string();
    assert!(told(skeleton.apply(&come)).contains("apply_at"));
    assert!(told(skeleton.apply_at(live.mesh(), &come)).contains("cannot be followed"), "a later mesh");
    assert!(told(skeleton.apply_at(live.mesh(), &gone)).contains("not in the skeleton"), "one was missed");
    assert!(skeleton.audit(live.mesh()).is_clean());
    skeleton.apply_at(&with, &come).unwrap();
    assert!(skeleton.apply_at(&with, &come).is_err(), "followed twice");
    skeleton.apply_at(live.mesh(), &gone).unwrap();
    assert!(skeleton.audit(live.mesh()).is_clean());
    assert_eq!(skeleton.diagram().counters().rebuilds, 0);
}
