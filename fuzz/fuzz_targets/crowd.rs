//! Crowds on small plans, with models of any kind and one that wishes anything: no panic, no number that is none, nobody
//! off the mesh, no overlap.

#![no_main]

use clearway::model::{MODEL_NAMES, View, model_by_name};
use clearway::{
    Act, AgentOptions, Area, Arrival, Crowd, CrowdOptions, Goal, LocalModel, NavMesh, NearWall, Neighbour,
    Plan, Spec, Vector,
};
use clearway_fuzz::{Bytes, read_place, read_small_mesh};
use libfuzzer_sys::fuzz_target;

/// A model that wishes any velocity.
struct Wild;

impl LocalModel for Wild {
    fn spec(&self) -> Spec {
        Spec::new("wild").max_speed(5.0)
    }

    fn act(&self, me: &View, _: &[Neighbour], _: &[NearWall]) -> Act {
        Act::velocity(Vector::new(me.random(0) - 0.5, me.random(1) - 0.5) * (20.0 * me.speed.max(1.0)))
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let Some((plan, mesh)) = read_small_mesh(&mut bytes) else { return };
    let mut crowd = Crowd::new(CrowdOptions::default().seed(u64::from(bytes.byte())));
    let choice = bytes.below(2 * MODEL_NAMES.len());
    match MODEL_NAMES.get(choice).and_then(|name| model_by_name(name)) {
        Some(model) => crowd.set_model(model),
        None => crowd.set_model(Box::new(Wild)),
    }
    let corners = [0; 2].map(|_| read_place(&mut bytes, &mesh));
    let area = Area::rectangle(corners[0], corners[1]).ok().map(|area| crowd.add_goal(area));
    add_bodies(&mut bytes, &mesh, &mut crowd, area.map_or(Goal::None, Goal::Area));
    let dt = [1e-6, 0.01, 0.05, 0.1, 0.3, 1.0][bytes.below(6)];
    let allowed = f64::from(crowd.model().spec().overlap) + 1e-4;
    for step in 0..12 {
        if step == 6
            && let Some(area) = area
        {
            crowd.set_goal_open(area, bytes.below(2) == 0);
        }
        crowd.step(&mesh, dt).expect("the time step is sound");
        check(&plan, &mesh, &mut crowd, allowed);
    }
});

/// Adds bodies where they fit.
fn add_bodies(bytes: &mut Bytes<'_>, mesh: &NavMesh, crowd: &mut Crowd, area: Goal) {
    let mut placed: Vec<([f64; 2], f64)> = Vec::new();
    for _ in 0..24 {
        let radius = 0.02 + f64::from(bytes.byte()) / 256.0;
        let (from, to) = (read_place(bytes, mesh), read_place(bytes, mesh));
        let Ok(at) = mesh.locate(from) else { continue };
        let apart = |(known, other): &([f64; 2], f64)| {
            (known[0] - from[0]).hypot(known[1] - from[1]) >= radius + other + 1e-6
        };
        if mesh.clearance(at).unwrap_or(0.0) < radius || !placed.iter().all(apart) {
            continue;
        }
        placed.push((from, radius));
        let goal = match bytes.below(4) {
            0 => Goal::None,
            1 => Goal::Direction([to[0] - from[0], to[1] - from[1]]),
            2 => mesh.locate(to).map_or(Goal::None, Goal::Place),
            _ => area,
        };
        let arrival = if bytes.below(2) == 0 { Arrival::Stay } else { Arrival::Leave };
        let speed = f64::from(bytes.byte()) / 64.0;
        let body = AgentOptions::at(at).radius(radius).speed(speed).goal(goal).arrival(arrival);
        crowd.add(body.priority(bytes.byte() % 3)).expect("its numbers are sound");
    }
}

/// Checks the laws of a crowd.
fn check(plan: &Plan, mesh: &NavMesh, crowd: &mut Crowd, allowed: f64) {
    for agent in crowd.agents() {
        assert!(mesh.is_here(&agent.at), "{agent:?} is off the mesh of {plan:?}");
        assert!(agent.velocity.iter().all(|v| v.is_finite()) && agent.left >= 0.0, "{agent:?} on {plan:?}");
    }
    let measures = crowd.measure(mesh);
    assert!(measures.overlap <= allowed && measures.wall_overlap <= allowed, "{measures:?} on {plan:?}");
}
