//! Bodies that are sites: they arrive, keep apart, leave dead ends, and repeat themselves.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_nav::NavMesh;
use clearway_roads::{Detail, RoadBody, RoadCrowd, RoadCrowdOptions, Roads};
use clearway_world::Plan;
use clearway_world::plan::PlanFormat;
use std::sync::Arc;

fn mesh_of(wkt: &str) -> NavMesh {
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, wkt).unwrap()).unwrap()
}

fn crowd_in(mesh: &NavMesh, options: RoadCrowdOptions) -> RoadCrowd {
    RoadCrowd::of(&Arc::new(Roads::build(mesh).unwrap()), options).unwrap()
}

fn run(crowd: &mut RoadCrowd, steps: usize) -> (usize, f64) {
    let mut closest = f64::INFINITY;
    for step in 0..steps {
        if crowd.bodies().iter().all(|body| body.arrived || body.goal.is_none()) {
            return (step, closest);
        }
        crowd.step();
        for (i, one) in crowd.bodies().iter().enumerate() {
            for other in &crowd.bodies()[..i] {
                let apart = (one.at[0] - other.at[0]).hypot(one.at[1] - other.at[1]);
                closest = closest.min(apart - one.radius - other.radius);
            }
        }
    }
    (steps, closest)
}

/// Figure 4.11 of the thesis: two obstacles like a U in a row, their openings towards the body.
const TWO_CUPS: &str = "POLYGON ((0 0, 90 0, 90 40, 0 40, 0 0), \
    (20 10, 40 10, 40 30, 20 30, 20 28, 38 28, 38 12, 20 12, 20 10), \
    (50 8, 70 8, 70 32, 50 32, 50 30, 68 30, 68 10, 50 10, 50 8))";

#[test]
fn a_nearly_blind_body_leaves_two_dead_ends() {
    let mesh = mesh_of(TWO_CUPS);
    let options = RoadCrowdOptions::default().max_expansions(5);
    let mut crowd = crowd_in(&mesh, options);
    crowd.add(RoadBody::new([5.0, 19.0], [85.0, 21.0], 0.4, 1.0)).unwrap();
    let (steps, _) = run(&mut crowd, 600);
    assert!(crowd.bodies()[0].arrived, "after {steps} steps at {:?}", crowd.bodies()[0].at);
    // Without the perception the body stays in the first one.
    let mut crowd = crowd_in(&mesh, options.dead_ends(false).goal_focus(false));
    crowd.add(RoadBody::new([5.0, 19.0], [85.0, 21.0], 0.4, 1.0)).unwrap();
    run(&mut crowd, 600);
    assert!(!crowd.bodies()[0].arrived);
}

#[test]
fn rows_pass_through_each_other() {
    let mut crowd = RoadCrowd::open([0.0, 0.0], [400.0, 400.0], RoadCrowdOptions::default()).unwrap();
    for i in 0..20 {
        let y = 190.0 + f64::from(i) * 1.5;
        crowd.add(RoadBody::new([100.0, y], [300.0, y], 0.4, 1.0)).unwrap();
        crowd.add(RoadBody::new([300.0, y + 0.3], [100.0, y + 0.3], 0.4, 1.0)).unwrap();
    }
    let again = crowd.clone();
    let (steps, closest) = run(&mut crowd, 1000);
    let arrived = crowd.bodies().iter().filter(|body| body.arrived).count();
    eprintln!("{arrived} of 40 arrived in {steps} steps, closest {closest}");
    assert_eq!(arrived, 40);
    assert!(closest >= -1e-6, "{closest}");
    assert!(crowd.diagram().audit().is_clean());
    let mut again = again;
    run(&mut again, 1000);
    assert_eq!(crowd.bodies(), again.bodies());
}

#[test]
fn bodies_go_around_moving_obstacles() {
    let mesh = mesh_of("POLYGON ((0 0, 60 0, 60 20, 0 20, 0 0))");
    let mut crowd = crowd_in(&mesh, RoadCrowdOptions::default());
    crowd.add(RoadBody::new([5.0, 10.0], [55.0, 10.0], 0.5, 0.5)).unwrap();
    let obstacle = crowd.add(RoadBody::obstacle([30.0, 10.0], 2.0)).unwrap();
    for step in 0..400 {
        crowd.place(obstacle, [30.0 - 0.02 * f64::from(step), 10.0]);
        crowd.step_body(0);
        let [body, other] = [crowd.bodies()[0], crowd.bodies()[1]];
        let apart = (body.at[0] - other.at[0]).hypot(body.at[1] - other.at[1]);
        assert!(apart >= 2.4, "{apart} at step {step}");
    }
    assert!(crowd.bodies()[0].arrived, "{:?}", crowd.bodies()[0]);
    assert!(crowd.add(RoadBody::new([-5.0, 0.0], [1.0, 1.0], 0.5, 0.5)).is_err());
    assert!(crowd.add(RoadBody::new([5.0, f64::NAN], [1.0, 1.0], 0.5, 0.5)).is_err());
    assert!(crowd.add(RoadBody::new([5.0, 0.0], [1.0, 1.0], 0.5, 0.5)).is_err());
}

#[test]
fn bodies_follow_the_roads_of_the_walls_through_streets() {
    let blocks = (0..16).map(|i| {
        let [x, y] = [5 + 20 * (i % 4), 5 + 20 * (i / 4)];
        let [right, top] = [x + 15, y + 15];
        format!(", ({x} {y}, {right} {y}, {right} {top}, {x} {top}, {x} {y})")
    });
    let mesh = mesh_of(&format!("POLYGON ((0 0, 85 0, 85 85, 0 85, 0 0){})", blocks.collect::<String>()));
    for detail in [Detail::Raw, Detail::Contracted] {
        let mut crowd = crowd_in(&mesh, RoadCrowdOptions::default().detail(detail));
        for i in 0..4 {
            let y = 2.5 + 20.0 * f64::from(i);
            crowd.add(RoadBody::new([2.6, y], [82.4, 82.5 - y], 0.4, 1.0)).unwrap();
            crowd.add(RoadBody::new([82.6, y + 0.4], [2.5, 82.5 - y], 0.4, 1.0)).unwrap();
        }
        let (steps, closest) = run(&mut crowd, 400);
        let arrived = crowd.bodies().iter().filter(|body| body.arrived).count();
        assert_eq!(arrived, 8, "{detail:?} after {steps} steps");
        assert!(closest >= -1e-6, "{detail:?}: {closest}");
    }
}

/// Bodies pen a goal in, and stand about inside the pen too. A search from the walker alone visited the whole world, again
/// and again.
#[test]
fn a_goal_in_a_pen_costs_no_search_of_the_world() {
    let mut crowd = RoadCrowd::open([0.0, 0.0], [200.0, 200.0], RoadCrowdOptions::default()).unwrap();
    let mut add = |x: f64, y: f64| crowd.add(RoadBody::obstacle([x, y], 0.4)).map(|_| ());
    let from_middle = |x: f64, y: f64| (x - 100.0).hypot(y - 100.0);
    for i in 0..2_500 {
        let (x, y) = (2.0 + 4.0 * f64::from(i % 50), 2.1 + 4.0 * f64::from(i / 50));
        if from_middle(x, y) > 12.0 {
            add(x, y).unwrap();
        }
    }
    for i in 0..64 {
        let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 64.0).sin_cos();
        add(100.0 + 8.0 * cos, 100.0 + 8.0 * sin).unwrap();
    }
    for i in 0..49 {
        let (x, y) = (94.6 + 1.8 * f64::from(i % 7), 94.6 + 1.8 * f64::from(i / 7));
        if from_middle(x, y) < 6.8 {
            add(x, y).unwrap();
        }
    }
    let walker = crowd.add(RoadBody::new([4.0, 4.0], [100.9, 100.9], 0.4, 0.5)).unwrap();
    let mut most = 0;
    for _ in 0..100 {
        most = most.max(crowd.step_body(walker).expansions);
    }
    assert!(crowd.diagram().vertices().count() > 4_000);
    assert!((65..1_500).contains(&most), "{most} expansions");
}
