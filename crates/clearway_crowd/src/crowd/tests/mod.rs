//! Tests of the crowd on small plans.

mod laws;
mod live;
mod neighbours;
mod rides;
mod ways;

use super::*;
use clearway_build::MeshOptions;
use clearway_world::plan::Plan;

/// Builds the mesh of one ring.
fn mesh_of(ring: &[[f64; 2]]) -> NavMesh {
    MeshOptions::default().build(&Plan::from_rings([ring.to_vec()])).unwrap()
}

/// Fills a box with bodies that do not overlap: a jittered lattice, or darts where there is room.
fn fill(
    crowd: &mut Crowd,
    mesh: &NavMesh,
    (low, high): ([f64; 2], [f64; 2]),
    count: usize,
    radius: f64,
    goal: Goal,
    seed: u64,
) {
    let mut placed: Vec<[f64; 2]> = crowd.agents().map(|agent| agent.at.position()).collect();
    let before = placed.len();
    let mut tries = 0;
    while placed.len() < before + count {
        let number = |stream| crate::random::random(seed, 0, tries, stream);
        let at = [0, 1].map(|axis| low[axis] + (high[axis] - low[axis]) * number(axis as u32 + 1));
        tries += 1;
        assert!(tries < 4_000_000, "no room");
        if placed.iter().all(|known| routes::distance(*known, at) >= 2.04 * radius) {
            placed.push(at);
            let at = mesh.locate(at).unwrap();
            crowd.add(AgentOptions::at(at).radius(radius).goal(goal).arrival(Arrival::Leave)).unwrap();
        }
    }
}

/// A room of 10 by 10 m with a neck 2 m long and open ground behind it.
fn door_plan(width: f64) -> NavMesh {
    let h = width / 2.0;
    mesh_of(&[
        [0.0, -5.0],
        [10.0, -5.0],
        [10.0, -h],
        [12.0, -h],
        [12.0, -3.0],
        [20.0, -3.0],
        [20.0, 3.0],
        [12.0, 3.0],
        [12.0, h],
        [10.0, h],
        [10.0, 5.0],
        [0.0, 5.0],
    ])
}

/// Lets 196 bodies leave through a door. Returns the flow over the middle 80 % and the deepest overlap.
fn door_flow(width: f64, radius: f64, dt: f64, seed: u64) -> (f64, f64, usize) {
    let mesh = door_plan(width);
    let mut crowd = Crowd::new(CrowdOptions::default().seed(seed));
    let goal = crowd.add_goal(Area::rectangle([16.0, -3.0], [20.0, 3.0]).unwrap());
    let edge = radius + 0.05;
    fill(&mut crowd, &mesh, ([edge, -5.0 + edge], [9.5, 5.0 - edge]), 196, radius, goal.into(), seed);
    let mut passed = BTreeSet::new();
    let mut times = Vec::new();
    let mut overlap = 0.0f64;
    while crowd.time() < 300.0 && !crowd.is_empty() {
        crowd.step(&mesh, dt).unwrap();
        for agent in crowd.agents().filter(|agent| agent.at.position()[0] >= 12.0) {
            if passed.insert(agent.id) {
                times.push(crowd.time());
            }
        }
        let measures = crowd.measure(&mesh);
        overlap = overlap.max(measures.overlap).max(measures.wall_overlap);
    }
    let count = times.len();
    let (begin, end) = (count / 10, count - 1 - count / 10);
    ((end - begin) as f64 / (times[end] - times[begin]), overlap, count)
}

#[test]
fn doors_flow_as_in_the_data_and_nobody_overlaps() {
    for (width, low, high) in [(0.8, 0.97, 2.2), (1.0, 1.28, 2.5), (2.0, 2.66, 4.8)] {
        let (flow, overlap, count) = door_flow(width, 0.2, 0.05, 1);
        println!("{width}: {flow} /s, overlap {overlap}, {count}");
        assert_eq!(count, 196);
        assert!(overlap < 1e-4, "{overlap}");
        assert!((low..high).contains(&flow), "{width}: {flow}");
    }
}

#[test]
fn bodies_walk_round_a_corner_and_leave() {
    let mesh = mesh_of(&[[0.0, 0.0], [12.0, 0.0], [12.0, 12.0], [10.0, 12.0], [10.0, 2.0], [0.0, 2.0]]);
    let mut crowd = Crowd::default();
    let exit = crowd.add_goal(Area::rectangle([10.0, 11.0], [12.0, 12.0]).unwrap());
    fill(&mut crowd, &mesh, ([0.25, 0.25], [6.0, 1.75]), 20, 0.2, exit.into(), 1);
    while !crowd.is_empty() && crowd.time() < 60.0 {
        crowd.step(&mesh, 0.05).unwrap();
        let measures = crowd.measure(&mesh);
        assert!(measures.overlap < 1e-4 && measures.wall_overlap < 1e-4, "{measures:?}");
    }
    assert!(crowd.is_empty(), "{} left", crowd.len());
    println!("{}", crowd.time());
}
