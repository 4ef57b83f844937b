//! Neighbours beside a brute-force oracle: exact segments between centres against all walls.

use super::*;
use crate::crowd::near::{Enough, Ranges, Sight};
use crate::crowd::routes::distance;

/// A room of 16 by 16 m with thin walls and boxes at random.
fn cluttered(seed: u64) -> NavMesh {
    let number = |step, stream| crate::random::random(seed, 3, step, stream);
    let mut plan = Plan::from_rings([vec![[0.0, 0.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]]]);
    plan.walls = (0..10)
        .map(|k| {
            let from = [16.0 * number(k, 0), 16.0 * number(k, 1)];
            vec![from, [from[0] + 6.0 * number(k, 2) - 3.0, from[1] + 6.0 * number(k, 3) - 3.0]]
        })
        .collect();
    MeshOptions::default().build(&plan).unwrap()
}

#[test]
fn bodies_in_sight_are_those_of_brute_force() {
    let mut seen = 0;
    for seed in 0..12 {
        let mesh = cluttered(seed);
        let mut crowd = Crowd::default();
        for at in mesh.random_points(seed).take(300) {
            crowd.add(AgentOptions::at(at).radius(0.01)).unwrap();
        }
        crowd.prepare(&mesh, 0.1).unwrap();
        let world = crowd.world.as_ref().unwrap();
        let mut sorted = Sorted::default();
        sorted.sort(&world.ground, &mut crowd.bodies);
        let mut sight = Sight::default();
        for index in 0..sorted.at.len() {
            sight.look(
                &world.ground,
                &sorted,
                (index, crowd.bodies.list()[sorted.sources[index] as usize].cell),
                Ranges::around(2.5, 1.2),
                Enough::ALL,
            );
            let mut found: Vec<usize> = sight.bodies.iter().map(|body| body.index as usize).collect();
            found.sort_unstable();
            let here = Location::in_cell(
                clearway_nav::mesh::CellId(crowd.bodies.list()[sorted.sources[index] as usize].cell),
                sorted.at[index],
            );
            let expected: Vec<usize> = (0..sorted.at.len())
                .filter(|other| {
                    *other != index && routes::distance(sorted.at[*other], sorted.at[index]) <= 2.5
                })
                .filter(|other| mesh.raycast(here, sorted.at[*other], 0.0).unwrap().reached())
                .collect();
            assert_eq!(found, expected, "seed {seed}, body {index}");
            seen += found.len();
            let nearest = sight.walls.iter().map(|wall| f64::from(wall.distance)).fold(1.2, f64::min);
            let clearance = mesh.clearance(here).unwrap().min(1.2);
            assert!((nearest - clearance).abs() < 1e-4, "seed {seed}, body {index}: {nearest}, {clearance}");
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn bodies_are_seen_across_a_wrap() {
    let mesh = mesh_of(&[[0.0, 0.0], [10.0, 0.0], [10.0, 2.0], [0.0, 2.0]]);
    let mut crowd = Crowd::default();
    crowd.add_wrap(Wrap { from: [[10.0, 0.0], [10.0, 2.0]], to: [[0.0, 0.0], [0.0, 2.0]] });
    let head = Goal::Direction([1.0, 0.0]);
    let back = crowd.add(AgentOptions::at(mesh.locate([9.8, 1.0]).unwrap()).goal(head)).unwrap();
    let front = crowd.add(AgentOptions::at(mesh.locate([0.3, 1.0]).unwrap()).goal(head).speed(0.5)).unwrap();
    for _ in 0..200 {
        crowd.step(&mesh, 0.05).unwrap();
        let [x, y] = [back, front].map(|id| crowd.agent(id).unwrap().at.position()[0]);
        let ahead = (y - x).rem_euclid(10.0);
        let beside = [back, front].map(|id| crowd.agent(id).unwrap().at.position()[1]);
        assert!(ahead.min(10.0 - ahead).hypot(beside[1] - beside[0]) >= 0.4 - 1e-4, "{ahead}");
    }
    assert!(crowd.agent(back).unwrap().velocity[0] > 0.4);
}

/// A wrap was a wall for newcomers: those in front of it were moved away, onto others.
#[test]
fn newcomers_beside_a_wrap_stay_where_they_are() {
    let mesh = mesh_of(&[[0.0, 0.0], [10.0, 0.0], [10.0, 2.0], [0.0, 2.0]]);
    let wrap = Wrap { from: [[10.0, 0.0], [10.0, 2.0]], to: [[0.0, 0.0], [0.0, 2.0]] };
    let starts = [[9.95, 1.0], [9.5, 1.0], [0.5, 1.0], [0.01, 0.5], [9.99, 1.6], [5.0, 1.0]];
    for (wraps, moved) in [(vec![wrap], 0), (Vec::new(), 3)] {
        let mut crowd = Crowd::default();
        wraps.into_iter().for_each(|wrap| crowd.add_wrap(wrap));
        let add = |at: &[f64; 2]| crowd.add(AgentOptions::at(mesh.locate(*at).unwrap())).unwrap();
        let ids: Vec<_> = starts.iter().map(add).collect();
        crowd.step(&mesh, 0.05).unwrap();
        let places = ids.iter().map(|id| crowd.agent(*id).unwrap().at.position());
        let far = places.zip(starts).filter(|(at, start)| distance(*at, *start) > 1e-3).count();
        assert_eq!(far, moved);
    }
}

#[test]
fn wraps_that_are_no_walls_are_errors() {
    let mesh = mesh_of(&[[0.0, 0.0], [10.0, 0.0], [10.0, 2.0], [0.0, 2.0]]);
    for to in [[[0.0, 0.0], [0.0, 1.0]], [[5.0, 0.0], [5.0, 2.0]], [[f64::NAN, 0.0], [0.0, 2.0]]] {
        let mut crowd = Crowd::default();
        crowd.add_wrap(Wrap { from: [[10.0, 0.0], [10.0, 2.0]], to });
        let error = crowd.step(&mesh, 0.1).unwrap_err();
        assert!(error.to_string().starts_with("wrap 0"), "{error}");
    }
}

/// A narrow look saves time only: the nearest bodies and the walls are those of a look in the whole range.
#[test]
fn a_narrow_look_finds_the_same_nearest() {
    let (mut sight, mut all, mut fewer) = (Sight::default(), Sight::default(), 0);
    for seed in 0..4 {
        let mesh = cluttered(seed);
        let mut crowd = Crowd::default();
        for at in mesh.random_points(seed).take(900) {
            crowd.add(AgentOptions::at(at).radius(0.01)).unwrap();
        }
        crowd.prepare(&mesh, 0.1).unwrap();
        let world = crowd.world.as_ref().unwrap();
        let mut sorted = Sorted::default();
        sorted.sort(&world.ground, &mut crowd.bodies);
        for index in 0..sorted.at.len() {
            let (place, ranges) =
                ((index, crowd.bodies.list()[sorted.sources[index] as usize].cell), Ranges::around(2.5, 1.2));
            sight.look(&world.ground, &sorted, place, ranges, Enough { bodies: 10, least: 0.5 });
            all.look(&world.ground, &sorted, place, ranges, Enough::ALL);
            fewer += usize::from(sight.bodies.len() < all.bodies.len());
            let nearest = |sight: &mut Sight| -> Vec<u32> {
                sight.order();
                let bodies = sight.keys.iter().map(|key| sight.bodies[(key & 0xffff_ffff) as usize].index);
                bodies.take(10).collect()
            };
            assert_eq!(nearest(&mut sight), nearest(&mut all), "seed {seed}, body {index}");
            assert_eq!(sight.walls, all.walls, "seed {seed}, body {index}");
        }
    }
    assert!(fewer > 500, "only {fewer} looks were narrow");
}
