//! Edits on scenes: floors over each other, stairs, covered ground.

#![allow(clippy::unwrap_used)]

use clearway_base::progress::NoProgress;
use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::NavMesh;
use clearway_scenes::{BuildingOptions, Random, Soup, building};
use clearway_world::Scene;

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
