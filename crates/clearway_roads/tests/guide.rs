//! Crowds that walk by each planner arrive and never overlap.
#![cfg(feature = "crowd")]
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_crowd::{Activity, AgentOptions, Area, Crowd, Goal};
use clearway_nav::NavMesh;
use clearway_roads::{Method, RoadGuide, RoadOptions};
use clearway_world::Plan;
use clearway_world::plan::PlanFormat;
use std::sync::Arc;

fn mesh() -> Arc<NavMesh> {
    let plan = "POLYGON ((0 0, 40 0, 40 20, 0 20, 0 0), (10 3, 14 3, 14 17, 10 17, 10 3), \
        (20 0.5, 24 0.5, 24 9, 20 9, 20 0.5), (20 11, 24 11, 24 19.5, 20 19.5, 20 11))";
    Arc::new(MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, plan).unwrap()).unwrap())
}

/// The greatest overlap of two bodies in metres.
fn overlap(crowd: &Crowd) -> f64 {
    let agents: Vec<_> = crowd.agents().collect();
    let mut most = 0.0f64;
    for (i, one) in agents.iter().enumerate() {
        for other in &agents[..i] {
            let [a, b] = [one.at.position(), other.at.position()];
            most = most.max(one.radius + other.radius - (a[0] - b[0]).hypot(a[1] - b[1]));
        }
    }
    most
}

fn walk(method: Method) -> Vec<[f64; 2]> {
    let (mesh, mut crowd) = (mesh(), Crowd::default());
    let area = Area::rectangle([36.0, 2.0], [39.5, 18.0]).unwrap();
    let goal = crowd.add_goal(area.clone());
    let options = RoadOptions::default().clearance(0.8);
    let guide = RoadGuide::new(method, options, Arc::clone(&mesh)).unwrap();
    guide.set_area(goal, area);
    crowd.add_modifier(guide);
    let ids: Vec<_> = (0..40)
        .map(|i| {
            let at = mesh.locate([1.0 + f64::from(i % 5), 6.0 + f64::from(i / 5)]).unwrap();
            crowd.add(AgentOptions::at(at).radius(0.25).goal(Goal::Area(goal))).unwrap()
        })
        .collect();
    let mut trail = Vec::new();
    for _ in 0..1500 {
        crowd.step(&mesh, 0.1).unwrap();
        assert!(overlap(&crowd) <= 1e-3, "{}: {}", method.name(), overlap(&crowd));
        trail.extend(crowd.agent(ids[0]).map(|agent| agent.at.position()));
        if crowd.agents().all(|agent| agent.activity == Activity::Arrived) {
            break;
        }
    }
    for (number, id) in ids.iter().enumerate() {
        let agent = crowd.agent(*id).unwrap();
        assert_eq!(agent.activity, Activity::Arrived, "{}: body {number}: {agent:?}", method.name());
    }
    trail
}

#[test]
fn crowds_arrive_by_every_planner() {
    let trails = Method::ALL.map(walk);
    // The planners lead along different ways.
    assert!((0..4).all(|i| (0..i).all(|j| trails[i] != trails[j])));
    assert_eq!(trails[0], walk(Method::Roadmap));
}

/// Bodies of `irm` head for one point behind a door, and jammed there in an older engine.
#[test]
fn nobody_stays_before_a_crowded_door() {
    for half in [0.27, 0.35, 0.6] {
        let [low, high] = [4.0 - half, 4.0 + half];
        let plan = format!(
            "POLYGON ((0 0, 10 0, 10 {low}, 10.4 {low}, 10.4 2, 14 2, 14 6, 10.4 6, 10.4 {high}, 10 {high}, 10 8, 0 8, 0 0))"
        );
        let plan = Plan::parse(PlanFormat::Wkt, &plan).unwrap();
        let mesh = Arc::new(MeshOptions::default().build(&plan).unwrap());
        Method::ALL.into_iter().for_each(|method| leave(&mesh, method));
    }
}

fn leave(mesh: &Arc<NavMesh>, method: Method) {
    let mut crowd = Crowd::default();
    let area = Area::rectangle([13.0, 2.0], [14.0, 6.0]).unwrap();
    let goal = crowd.add_goal(area.clone());
    let guide = RoadGuide::new(method, RoadOptions::default(), Arc::clone(mesh)).unwrap();
    guide.set_area(goal, area);
    crowd.add_modifier(guide);
    for i in 0..20 {
        let at = mesh.locate([6.0 + 0.7 * f64::from(i % 5), 2.5 + 0.7 * f64::from(i / 5)]).unwrap();
        crowd.add(AgentOptions::at(at).radius(0.2).goal(Goal::Area(goal))).unwrap();
    }
    for _ in 0..300 {
        crowd.step(mesh, 0.1).unwrap();
    }
    let inside = crowd.agents().filter(|agent| agent.at.position()[0] < 10.4).count();
    assert_eq!(inside, 0, "{}", method.name());
}
