//! Rides on lifts between two rooms that nothing else joins.

use super::*;
use clearway_build::{WalkRules, WalkableSurface};
use clearway_nav::{Link, LinkKind};
use clearway_world::Scene;

/// Two rooms of 8 m by 8 m with a lift from (7, 4) in the first to a place in the second.
fn rooms(to: [f64; 2]) -> NavMesh {
    let square = |x: f64| vec![[x, 0.0], [x + 8.0, 0.0], [x + 8.0, 8.0], [x, 8.0]];
    let mut mesh = MeshOptions::default().build(&Plan::from_rings([square(0.0), square(10.0)])).unwrap();
    let lift = Link::new("lift", LinkKind::Lift, [7.0, 0.0, -4.0], [to[0], 0.0, -to[1]]);
    mesh.add_links(&[lift], 0.5).unwrap();
    mesh
}

/// Lets 30 bodies ride to a goal, and checks that nobody overlaps. Returns the time of the last.
#[track_caller]
fn ride(mesh: &NavMesh, crowd: &mut Crowd) -> f64 {
    let goal = crowd.add_goal(Area::rectangle([15.0, 1.0], [18.0, 7.0]).unwrap());
    for k in 0..30 {
        let at = [1.0 + 0.6 * f64::from(k % 6), 1.0 + 0.6 * f64::from(k / 6)];
        let radius = if k % 3 == 0 { 0.25 } else { 0.2 };
        crowd.add(AgentOptions::at(mesh.locate(at).unwrap()).radius(radius).goal(goal)).unwrap();
    }
    let mut landed = 0;
    let is_away = |agent: Agent| !matches!(agent.activity, Activity::Arrived | Activity::Idle);
    while crowd.agents().any(is_away) {
        crowd.step(mesh, 0.1).unwrap();
        landed += crowd.events().iter().filter(|event| matches!(event, Event::Landed { .. })).count();
        let measures = crowd.measure(mesh);
        assert!(measures.overlap < 1e-4, "at {} s: {measures:?}", crowd.time());
        assert!(crowd.time() < 200.0, "{landed} landed");
    }
    assert_eq!(landed, 30);
    crowd.time()
}

/// Riders come off one after the other, as soon as the place is free.
#[test]
fn riders_land_where_there_is_room() {
    ride(&rooms([11.0, 4.0]), &mut Crowd::default());
}

/// A landing that is nearer to a wall than a radius moves riders: into nobody.
#[test]
fn riders_who_land_at_a_wall_or_in_a_corner_overlap_nobody() {
    ride(&rooms([10.05, 4.0]), &mut Crowd::default());
    ride(&rooms([10.1, 0.1]), &mut Crowd::default());
}

/// Somebody who stands on the landing holds nobody up for long.
#[test]
fn riders_step_off_beside_somebody_on_the_landing() {
    let (mesh, mut crowd) = (rooms([11.0, 4.0]), Crowd::default());
    let stander = crowd.add(AgentOptions::at(mesh.locate([11.0, 4.0]).unwrap())).unwrap();
    let time = ride(&mesh, &mut crowd);
    assert!(time < 100.0, "{time}");
    assert_eq!(crowd.agent(stander).unwrap().activity, Activity::Idle);
}

/// Somebody on the floor below the landing is in nobody's way.
#[test]
fn bodies_on_another_storey_do_not_block_a_landing() {
    let floor = |y: f64| [[0.0, y, 0.0], [10.0, y, 0.0], [10.0, y, -5.0], [0.0, y, -5.0]];
    let scene =
        Scene::from_mesh(&[floor(0.0), floor(4.0)].concat(), &[0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]).unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    let mut mesh = MeshOptions::default().build(&surface).unwrap();
    mesh.add_links(&[Link::new("lift", LinkKind::Lift, [9.0, 0.0, -2.5], [2.0, 4.0, -2.5])], 0.5).unwrap();
    let mut crowd = Crowd::default();
    let goal = crowd.add_goal(Area::rectangle([7.0, 1.0], [9.0, 4.0]).unwrap().at_height(4.0));
    crowd.add(AgentOptions::at(mesh.locate([2.0, 0.0, -2.5]).unwrap())).unwrap();
    crowd.add(AgentOptions::at(mesh.locate([8.0, 0.0, -2.5]).unwrap()).goal(goal)).unwrap();
    let mut times = Vec::new();
    while crowd.time() < 30.0 {
        crowd.step(&mesh, 0.1).unwrap();
        let rode = |event: &&Event| matches!(event, Event::Boarded { .. } | Event::Landed { .. });
        times.extend(crowd.events().iter().filter(rode).map(|_| crowd.time()));
    }
    let [boarded, landed] = times[..] else { panic!("{times:?}") };
    // The lift is 8.06 m long.
    assert!((landed - boarded - 8.06 / 1.34).abs() < 0.2, "{times:?}");
}
