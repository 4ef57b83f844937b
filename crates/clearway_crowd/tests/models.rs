//! Every model that comes with clearway, in the engine, on small plans.

#![allow(clippy::unwrap_used)]

use clearway_build::MeshOptions;
use clearway_crowd::{
    Activity, AgentOptions, Area, Arrival, Crowd, CrowdOptions, Goal, MODEL_NAMES, model_by_name,
};
use clearway_nav::NavMesh;
use clearway_world::plan::Plan;

/// Builds the mesh of one ring.
fn mesh_of(ring: &[[f64; 2]]) -> NavMesh {
    MeshOptions::default().build(&Plan::from_rings([ring.to_vec()])).unwrap()
}

/// A room of 5 by 5 m with a door of 1.4 m and open ground behind it.
fn room() -> NavMesh {
    mesh_of(&[
        [0.0, 0.0],
        [5.0, 0.0],
        [5.0, 1.8],
        [5.5, 1.8],
        [5.5, 0.0],
        [10.0, 0.0],
        [10.0, 5.0],
        [5.5, 5.0],
        [5.5, 3.2],
        [5.0, 3.2],
        [5.0, 5.0],
        [0.0, 5.0],
    ])
}

/// Makes a crowd with a model.
fn crowd_with(name: &str) -> Crowd {
    let mut crowd = Crowd::new(CrowdOptions::default().seed(1));
    crowd.set_model(model_by_name(name).unwrap());
    crowd
}

/// Steps a crowd and returns the deepest overlap on the way, beyond what the model declares.
fn run(crowd: &mut Crowd, mesh: &NavMesh, seconds: f64) -> f64 {
    let allowed = f64::from(crowd.model().spec().overlap);
    let (end, mut deepest) = (crowd.time() + seconds, 0.0f64);
    while crowd.time() < end && !crowd.is_empty() {
        crowd.step(mesh, 0.1).unwrap();
        let measures = crowd.measure(mesh);
        deepest = deepest.max(measures.overlap.max(measures.wall_overlap) - allowed);
    }
    deepest
}

/// Returns the places of all bodies.
fn places(crowd: &Crowd) -> Vec<[f64; 2]> {
    crowd.agents().map(|agent| agent.at.position()).collect()
}

/// Returns the sum of the distances between two lists of places.
fn moved(before: &[[f64; 2]], after: &[[f64; 2]]) -> f64 {
    before.iter().zip(after).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).sum()
}

#[test]
fn everybody_leaves_a_room() {
    let mesh = room();
    for name in MODEL_NAMES {
        let mut crowd = crowd_with(name);
        let exit = crowd.add_goal(Area::rectangle([9.0, 0.5], [9.8, 4.5]).unwrap());
        for place in 0..20 {
            let at = [0.6 + 0.8 * f64::from(place % 5), 0.7 + 1.1 * f64::from(place / 5)];
            let agent = AgentOptions::at(mesh.locate(at).unwrap()).radius(0.15).goal(exit);
            crowd.add(agent.arrival(Arrival::Leave)).unwrap();
        }
        let deepest = run(&mut crowd, &mesh, 90.0);
        assert!(deepest < 1e-4, "{name}: overlap {deepest}");
        assert!(crowd.is_empty(), "{name}: {} of 20 stay", crowd.len());
    }
}

#[test]
fn two_who_meet_in_a_corridor_pass() {
    let mesh = mesh_of(&[[0.0, 0.0], [12.0, 0.0], [12.0, 2.0], [0.0, 2.0]]);
    for name in MODEL_NAMES {
        let mut crowd = crowd_with(name);
        for (from, to) in [([1.0, 1.0], [11.0, 1.0]), ([11.0, 1.05], [1.0, 1.05])] {
            let to = mesh.locate(to).unwrap();
            crowd.add(AgentOptions::at(mesh.locate(from).unwrap()).goal(to).arrival(Arrival::Leave)).unwrap();
        }
        let deepest = run(&mut crowd, &mesh, 25.0);
        assert!(deepest < 1e-4, "{name}: overlap {deepest}");
        assert!(crowd.is_empty(), "{name}: {:?}", places(&crowd));
    }
}

#[test]
fn standing_bodies_let_a_walker_pass() {
    // Nobody of 0.2 m passes one who stands in the middle of 1.1 m. In less, collision-free speed gives up, as published.
    // The power law repels both bodies from the walls and drives the standing one ahead of itself: it is left out.
    let mesh = mesh_of(&[[0.0, 0.0], [12.0, 0.0], [12.0, 1.1], [0.0, 1.1]]);
    for name in MODEL_NAMES.into_iter().filter(|name| *name != "power_law") {
        let mut crowd = crowd_with(name);
        crowd.add(AgentOptions::at(mesh.locate([6.0, 0.56]).unwrap()).goal(Goal::None)).unwrap();
        let to = mesh.locate([11.0, 0.55]).unwrap();
        let walker = AgentOptions::at(mesh.locate([1.0, 0.55]).unwrap()).goal(to).arrival(Arrival::Leave);
        let walker = crowd.add(walker).unwrap();
        run(&mut crowd, &mesh, 40.0);
        assert!(crowd.agent(walker).is_none(), "{name}: {:?}", places(&crowd));
        // Nobody wants to pass any more: it rests.
        let before = places(&crowd);
        run(&mut crowd, &mesh, 5.0);
        let moved = moved(&before, &places(&crowd));
        assert!(moved < 0.01, "{name}: a standing body moves by {moved} m");
    }
}

#[test]
fn nobody_jitters_at_a_goal() {
    let mesh = room();
    for name in MODEL_NAMES {
        let mut crowd = crowd_with(name);
        for k in 0..4 {
            let (from, to) = ([1.0 + 0.8 * f64::from(k), 1.0], [7.0 + 0.5 * f64::from(k), 4.0]);
            let to = mesh.locate(to).unwrap();
            crowd.add(AgentOptions::at(mesh.locate(from).unwrap()).goal(to).arrival(Arrival::Stay)).unwrap();
        }
        run(&mut crowd, &mesh, 40.0);
        let arrived = crowd.agents().filter(|agent| agent.activity == Activity::Arrived).count();
        assert_eq!(arrived, 4, "{name}: {:?}", places(&crowd));
        let (mut walked, mut last) = (0.0, places(&crowd));
        for _ in 0..100 {
            run(&mut crowd, &mesh, 0.05);
            let now = places(&crowd);
            walked += moved(&last, &now);
            last = now;
        }
        assert!(walked < 0.1, "{name}: four who arrived walk {walked} m in ten seconds");
    }
}
