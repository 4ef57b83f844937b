//! Routes, way points, arrivals.

use super::*;
use clearway_nav::PathQuery;

/// Two rooms with two doors, one of them narrow.
fn rooms() -> NavMesh {
    let mut plan = Plan::from_rings([vec![[0.0, 0.0], [20.0, 0.0], [20.0, 10.0], [0.0, 10.0]]]);
    let wall = |from: f64, to: f64| vec![[10.0, from], [10.0, to]];
    plan.walls = vec![wall(0.0, 2.0), wall(2.7, 7.0), wall(9.0, 10.0)];
    MeshOptions::default().build(&plan).unwrap()
}

#[test]
fn lone_bodies_walk_about_as_far_as_the_shortest_path() {
    let mesh = rooms();
    for (from, radius) in [([1.0, 1.0], 0.2), ([1.0, 9.0], 0.2), ([9.0, 1.0], 0.5), ([5.0, 3.0], 0.3)] {
        let goal = mesh.locate([18.0, 2.0]).unwrap();
        let start = mesh.locate(from).unwrap();
        let shortest = mesh.find_path(&PathQuery::new(start, goal).radius(radius)).unwrap().length;
        let mut crowd = Crowd::default();
        let area = crowd.add_goal(Area::rectangle([17.9, 1.9], [18.1, 2.1]).unwrap());
        for goal in [Goal::Area(area), Goal::Place(goal)] {
            let id = crowd.add(AgentOptions::at(start).radius(radius).goal(goal)).unwrap();
            let (mut walked, mut last) = (0.0, start.position());
            while crowd.agent(id).unwrap().activity != Activity::Arrived {
                crowd.step(&mesh, 0.05).unwrap();
                let at = crowd.agent(id).unwrap().at.position();
                walked += routes::distance(last, at);
                last = at;
                assert!(walked < 2.0 * shortest, "{from:?}, {radius}: on the way for {walked}");
            }
            assert!(walked < 1.06 * shortest + 0.2, "{from:?}, {radius}, {goal:?}: {walked}, {shortest}");
            crowd.remove(id);
        }
    }
}

#[test]
fn ways_left_are_lengths_of_paths() {
    let mesh = rooms();
    let mut crowd = Crowd::default();
    let area = crowd.add_goal(Area::rectangle([17.95, 1.95], [18.05, 2.05]).unwrap());
    let goal = mesh.locate([18.0, 2.0]).unwrap();
    for at in mesh.random_points(3).take(60) {
        for radius in [0.1, 0.3, 0.6] {
            if mesh.clearance(at).unwrap() < radius {
                continue;
            }
            let shortest = mesh.find_path(&PathQuery::new(at, goal).radius(radius)).unwrap().length;
            let left = crowd.way_left(&mesh, at, radius, area).unwrap();
            assert!((left - shortest).abs() < 0.04 * shortest + 0.25, "{at:?}, {radius}: {left}, {shortest}");
        }
    }
}

#[test]
fn wide_bodies_take_the_wide_door() {
    let mesh = rooms();
    for (radius, low, high) in [(0.2, 2.0, 2.7), (0.6, 7.0, 9.0)] {
        let mut crowd = Crowd::default();
        let area = crowd.add_goal(Area::rectangle([16.0, 0.0], [18.0, 3.0]).unwrap());
        let start = mesh.locate([2.0, 2.0]).unwrap();
        let id = crowd.add(AgentOptions::at(start).radius(radius).goal(area)).unwrap();
        let mut crossed = None;
        while crowd.agent(id).unwrap().activity != Activity::Arrived && crowd.time() < 60.0 {
            crowd.step(&mesh, 0.05).unwrap();
            let [x, y] = crowd.agent(id).unwrap().at.position();
            crossed = crossed.or((x > 10.0).then_some(y));
        }
        assert!(crossed.is_some_and(|y| (low..high).contains(&y)), "{radius}: {crossed:?}");
        assert_eq!(crowd.agent(id).unwrap().activity, Activity::Arrived);
    }
}

#[test]
fn bodies_walk_as_near_as_they_can_to_goals_out_of_reach() {
    let mut plan = Plan::from_rings([vec![[0.0, 0.0], [20.0, 0.0], [20.0, 10.0], [0.0, 10.0]]]);
    plan.walls = vec![vec![[10.0, 0.0], [10.0, 10.0]]];
    let mesh = MeshOptions::default().build(&plan).unwrap();
    let mut crowd = Crowd::default();
    let area = crowd.add_goal(Area::rectangle([15.0, 4.0], [16.0, 6.0]).unwrap());
    let place = mesh.locate([15.0, 5.0]).unwrap();
    let goals = [Goal::Area(area), Goal::Place(place)];
    let ids: Vec<AgentId> = goals
        .iter()
        .enumerate()
        .map(|(k, goal)| {
            let at = mesh.locate([2.0, 3.0 + 3.0 * k as f64]).unwrap();
            crowd.add(AgentOptions::at(at).goal(*goal)).unwrap()
        })
        .collect();
    let mut lost = Vec::new();
    for _ in 0..400 {
        crowd.step(&mesh, 0.05).unwrap();
        let events = crowd.events().iter().filter(|event| matches!(event, Event::Lost { .. }));
        lost.extend(events.map(Event::agent));
    }
    assert_eq!(lost, ids);
    for id in ids {
        let agent = crowd.agent(id).unwrap();
        assert_eq!(agent.activity, Activity::Lost);
        assert!(agent.at.position()[0] > 9.0, "{agent:?}");
        assert!(agent.velocity[0].hypot(agent.velocity[1]) < 0.05, "{agent:?}");
    }
}

#[test]
fn closed_goals_keep_everybody_until_they_open() {
    let mesh = rooms();
    let mut crowd = Crowd::default();
    let area = crowd.add_goal(Area::rectangle([6.0, 4.0], [7.0, 6.0]).unwrap());
    let at = mesh.locate([2.0, 5.0]).unwrap();
    crowd.add(AgentOptions::at(at).goal(area).arrival(Arrival::Leave)).unwrap();
    assert!(crowd.set_goal_open(area, false));
    for _ in 0..200 {
        crowd.step(&mesh, 0.05).unwrap();
    }
    assert_eq!(crowd.len(), 1);
    // It walked near, and waits.
    let agent = crowd.agents().next().unwrap();
    let [x, _] = agent.at.position();
    assert!(agent.activity == Activity::Lost && (5.5..7.0).contains(&x), "{agent:?}");
    assert_eq!(crowd.way_left(&mesh, agent.at, agent.radius, area), None);
    assert!(crowd.set_goal_open(area, true));
    for _ in 0..200 {
        crowd.step(&mesh, 0.05).unwrap();
    }
    assert!(crowd.is_empty());
}

#[test]
fn many_bodies_settle_around_one_place() {
    let mesh = rooms();
    let mut crowd = Crowd::default();
    let place = mesh.locate([5.0, 5.0]).unwrap();
    fill(&mut crowd, &mesh, ([1.0, 1.0], [9.0, 9.0]), 40, 0.2, place.into(), 3);
    let ids: Vec<AgentId> = crowd.agents().map(|agent| agent.id).collect();
    for id in &ids {
        crowd.set_arrival(*id, Arrival::Stay);
    }
    for _ in 0..800 {
        crowd.step(&mesh, 0.05).unwrap();
    }
    let arrived = crowd.agents().filter(|agent| agent.activity == Activity::Arrived).count();
    assert!(arrived >= 38, "{arrived}");
    let fastest = crowd.agents().map(|a| a.velocity[0].hypot(a.velocity[1])).fold(0.0, f64::max);
    assert!(fastest < 0.1, "{fastest}");
}

#[test]
fn waiting_bodies_set_off_in_time() {
    let mesh = rooms();
    let mut crowd = Crowd::default();
    let area = crowd.add_goal(Area::rectangle([8.0, 4.0], [9.0, 6.0]).unwrap());
    let at = mesh.locate([2.0, 5.0]).unwrap();
    let id = crowd.add(AgentOptions::at(at).goal(area).wait(3.0)).unwrap();
    while crowd.agent(id).unwrap().at == at {
        crowd.step(&mesh, 0.05).unwrap();
    }
    assert!((crowd.time() - 3.0).abs() < 0.11, "{}", crowd.time());
}

#[test]
fn zones_slow_bodies_down() {
    let mesh = mesh_of(&[[0.0, 0.0], [30.0, 0.0], [30.0, 2.0], [0.0, 2.0]]);
    let mut crowd = Crowd::default();
    let area = crowd.add_goal(Area::rectangle([29.0, 0.0], [30.0, 2.0]).unwrap());
    crowd.add_zone(SpeedZone::new(Area::rectangle([10.0, 0.0], [20.0, 2.0]).unwrap(), 0.5).unwrap());
    let at = mesh.locate([1.0, 1.0]).unwrap();
    let id = crowd.add(AgentOptions::at(at).speed(1.0).goal(area)).unwrap();
    let (mut entered, mut left) = (0.0, 0.0);
    while crowd.agent(id).unwrap().activity != Activity::Arrived {
        crowd.step(&mesh, 0.05).unwrap();
        let x = crowd.agent(id).unwrap().at.position()[0];
        entered = if x < 10.0 { crowd.time() } else { entered };
        left = if x < 20.0 { crowd.time() } else { left };
    }
    assert!((left - entered - 20.0).abs() < 0.5, "{}", left - entered);
}

#[test]
fn everybody_is_located_anew_on_another_mesh() {
    let open = rooms();
    let mut plan = Plan::from_rings([vec![[0.0, 0.0], [20.0, 0.0], [20.0, 10.0], [0.0, 10.0]]]);
    plan.walls = vec![vec![[10.0, 0.0], [10.0, 10.0]]];
    let shut = MeshOptions::default().build(&plan).unwrap();
    let mut crowd = Crowd::default();
    let area = crowd.add_goal(Area::rectangle([18.0, 0.0], [20.0, 10.0]).unwrap());
    fill(&mut crowd, &open, ([1.0, 1.0], [9.0, 9.0]), 30, 0.2, area.into(), 1);
    for _ in 0..200 {
        crowd.step(&shut, 0.05).unwrap();
    }
    assert_eq!(crowd.len(), 30);
    assert!(crowd.agents().all(|agent| agent.at.position()[0] < 10.0));
    for _ in 0..1500 {
        crowd.step(&open, 0.05).unwrap();
    }
    assert!(crowd.is_empty(), "{} left", crowd.len());
}

/// The budget is divided among lanes: none may starve.
#[test]
fn searches_end_on_the_smallest_budget() {
    let mesh = rooms();
    let mut crowd = Crowd::new(CrowdOptions::default().search_budget(1));
    for k in 0..6 {
        let (at, goal) = ([1.0, 1.0 + f64::from(k)], [18.0, 2.0 + f64::from(k)]);
        let options = AgentOptions::at(mesh.locate(at).unwrap()).goal(mesh.locate(goal).unwrap());
        crowd.add(options).unwrap();
    }
    let mut most = 0;
    while crowd.agents().any(|agent| agent.activity != Activity::Arrived) {
        most = most.max(crowd.step(&mesh, 0.1).unwrap().expansions);
        assert!(crowd.time() < 120.0, "{:?}", crowd.agents().collect::<Vec<_>>());
    }
    assert_eq!(most, 1);
}
