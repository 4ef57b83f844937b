//! Hostile callers of the planners: numbers that are none, bodies without size or too large, places in walls.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::mesh::CellId;
use clearway_nav::path::{Planner, verify};
use clearway_nav::{Location, NavMesh, PathQuery};
use clearway_roads::{
    Detail, IndicativeRoute, Irm, Method, Miran, MiranOptions, RoadBody, RoadCrowd, RoadCrowdOptions,
    RoadOptions, RoadPlanner, RoadQuery, Roads,
};
use clearway_scenes::stacked_floors;
use clearway_world::{Plan, PlanFormat, Scene};
use std::sync::Arc;

const BAD: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0];

fn room() -> NavMesh {
    let plan = "POLYGON((0 0, 9 0, 9 6, 0 6, 0 0), (4 2, 5 2, 5 5, 4 5, 4 2))";
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, plan).unwrap()).unwrap()
}

fn layered() -> NavMesh {
    let soup = stacked_floors().soup;
    let world = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = WalkableSurface::extract(&world, &WalkRules::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

#[test]
fn planners_take_any_radius_and_any_place() {
    for mesh in [room(), layered()] {
        let places: Vec<Location> = mesh.random_points(2).take(2).collect();
        let [from, to] = [places[0], places[1]];
        let beyond = Location::in_cell(CellId(u32::MAX), [1.0, 1.0]);
        let nowhere = Location::in_cell(from.cell(), [f64::NAN, f64::NAN]);
        let outside = Location::in_cell(from.cell(), [1e9, -1e9]);
        for method in Method::ALL {
            let mut planner = RoadPlanner::prepared(method, RoadOptions::default(), &mesh).unwrap();
            for radius in BAD.into_iter().chain([1e300, 1e9, 100.0]) {
                let path = planner.find_path(&mesh, &PathQuery::new(from, to).radius(radius));
                assert!(path.is_err(), "{} radius {radius}: {path:?}", method.name());
            }
            for ends in [[beyond, to], [from, beyond], [nowhere, to], [from, nowhere], [outside, to]] {
                let path = planner.find_path(&mesh, &PathQuery::new(ends[0], ends[1]));
                assert!(path.is_err(), "{} {ends:?}: {path:?}", method.name());
            }
            for radius in [0.0, -0.0, f64::MIN_POSITIVE, 1e-12] {
                let path = planner.find_path(&mesh, &PathQuery::new(from, to).radius(radius)).unwrap();
                assert_eq!(verify(&mesh, &path), Ok(()), "{} radius {radius}", method.name());
            }
            // From a place to itself.
            let path = planner.find_path(&mesh, &PathQuery::new(from, from).radius(0.05));
            if let Ok(path) = path {
                assert_eq!(verify(&mesh, &path), Ok(()), "{}", method.name());
            }
        }
    }
}

#[test]
fn planners_start_on_walls_and_in_corners() {
    let mesh = room();
    for method in Method::ALL {
        let mut planner = RoadPlanner::prepared(method, RoadOptions::default(), &mesh).unwrap();
        for from in [[0.0, 0.0], [0.0, 3.0], [4.0, 2.0], [4.0, 3.0], [9.0, 6.0]] {
            let [from, to] = [from, [8.0, 1.0]].map(|at| mesh.locate(at).unwrap());
            for ends in [[from, to], [to, from]] {
                let path = planner.find_path(&mesh, &PathQuery::new(ends[0], ends[1])).unwrap();
                assert_eq!(verify(&mesh, &path), Ok(()), "{} {ends:?}", method.name());
                let path = planner.find_path(&mesh, &PathQuery::new(ends[0], ends[1]).radius(0.3));
                assert!(path.is_err(), "{} {ends:?}", method.name());
            }
        }
    }
}

/// Options that no planner can follow once led to the shortest path without a word.
#[test]
fn options_that_are_none_are_refused() {
    let mesh = room();
    for bad in BAD {
        for options in [
            RoadOptions::default().clearance(bad),
            RoadOptions::default().sigma(bad),
            RoadOptions::default().step(bad),
            RoadOptions::default().weights(vec![1.0, bad]),
        ] {
            // Infinity forbids ground, and follows or cuts without a limit.
            let is_lawful = bad == f64::INFINITY && (!options.weights.is_empty() || options.sigma == bad);
            for method in Method::ALL {
                let planner = RoadPlanner::prepared(method, options.clone(), &mesh);
                assert_eq!(planner.is_ok(), is_lawful, "{} {options:?}", method.name());
            }
        }
    }
    for options in [RoadOptions::default().sigma(0.0), RoadOptions::default().step(0.0)] {
        assert!(RoadPlanner::prepared(Method::Miran, options, &mesh).is_err());
    }
}

#[test]
fn roads_and_corridors_take_any_number() {
    for mesh in [room(), layered()] {
        let roads = Roads::build(&mesh).unwrap();
        let places: Vec<Location> = mesh.random_points(2).take(2).collect();
        let ends = [places[0], places[1]];
        for detail in [Detail::Raw, Detail::Contracted] {
            for radius in BAD.into_iter().chain([1e300]) {
                let found = roads.find(&mesh, ends, &RoadQuery::default().radius(radius).detail(detail));
                assert!(found.is_err(), "{radius}");
            }
            assert!(roads.course(detail, usize::MAX).is_empty());
            let _ = roads.find(&mesh, ends, &RoadQuery::default().max_expansions(Some(0)).detail(detail));
        }
        let beyond = Location::in_cell(CellId(u32::MAX), [1.0, 1.0]);
        assert!(roads.find(&mesh, [beyond, ends[0]], &RoadQuery::default()).is_err());
        let path = roads.find(&mesh, ends, &RoadQuery::default()).unwrap();
        let corridor = roads.corridor(&mesh, ends, &path).unwrap();
        for bad in BAD {
            assert!(corridor.shrunk(bad).is_none(), "{bad}");
            assert!(corridor.path(&roads, &mesh, bad, 0.0).is_none(), "{bad}");
            let _ = corridor.path(&roads, &mesh, 0.01, bad);
            assert!(!corridor.discs(&roads, bad).is_empty());
        }
    }
}

#[test]
fn steppers_take_any_route() {
    let mesh = room();
    let roads = Roads::build(&mesh).unwrap();
    let start = mesh.locate([1.0, 1.0]).unwrap();
    assert!(IndicativeRoute::new(&[]).is_none());
    assert!(IndicativeRoute::new(&[[f64::NAN, 1.0], [f64::INFINITY, 0.0]]).is_none());
    let routes = [
        vec![[1.0, 1.0]],
        vec![[1.0, 1.0], [1.0, 1.0]],
        vec![[1.0, 1.0], [1e12, 1e12]],
        vec![[1.0, 1.0], [4.5, 3.0], [8.0, 5.0]],
        vec![[100.0, 100.0], [200.0, 100.0]],
        vec![[1.0, 1.0], [8.0, 1.0], [1.0, 1.0], [8.0, 1.0]],
    ];
    for points in routes {
        let route = IndicativeRoute::new(&points).unwrap();
        for radius in [f64::NAN, -1.0, 0.0, 0.3, 1e300] {
            for step in [f64::NAN, 0.0, 0.25, 1e300] {
                let path = Irm::new(route.clone(), radius).walk(&roads, &mesh, start, step);
                path.into_iter().for_each(|path| assert_eq!(verify(&mesh, &path), Ok(()), "{points:?}"));
                let options = MiranOptions::default().radius(radius);
                let path = Miran::new(&mesh, start, route.clone(), options)
                    .and_then(|mut miran| miran.walk(&mesh, start, step));
                path.into_iter().for_each(|path| assert_eq!(verify(&mesh, &path), Ok(()), "{points:?}"));
            }
        }
    }
}

#[test]
fn bodies_without_sound_numbers_are_refused() {
    let options = RoadCrowdOptions::default();
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        assert!(RoadCrowd::open([0.0, 0.0], [bad, 10.0], options).is_err(), "{bad}");
        assert!(RoadCrowd::open([0.0, -bad], [10.0, 10.0], options).is_err(), "{bad}");
    }
    assert!(RoadCrowd::open([10.0, 10.0], [0.0, 0.0], options).is_err());
    let mesh = layered();
    assert!(RoadCrowd::of(&Arc::new(Roads::build(&mesh).unwrap()), options).is_err());

    for options in [options, options.detail(Detail::Contracted)] {
        let roads = Arc::new(Roads::build(&room()).unwrap());
        let mut crowd = RoadCrowd::of(&roads, options).unwrap();
        for bad in BAD {
            assert!(crowd.add(RoadBody::new([1.0, 1.0], [8.0, 1.0], bad, 0.1)).is_err(), "{bad}");
            assert!(crowd.add(RoadBody::new([1.0, 1.0], [8.0, 1.0], 0.3, bad)).is_err(), "{bad}");
        }
        for at in [[f64::NAN, 1.0], [f64::INFINITY, 1.0], [1e300, 1.0], [-5.0, 1.0], [4.5, 3.0], [4.0, 3.0]] {
            assert!(crowd.add(RoadBody::new(at, [8.0, 1.0], 0.3, 0.1)).is_err(), "{at:?}");
        }
        let walker = crowd.add(RoadBody::new([1.0, 1.0], [8.0, 1.0], 0.3, 0.1)).unwrap();
        let other = crowd.add(RoadBody::obstacle([2.0, 5.0], 0.3)).unwrap();
        assert!(crowd.add(RoadBody::new([1.0, 1.0], [8.0, 1.0], 0.3, 0.1)).is_err(), "on another body");
        for at in [[1.0, 1.0], [f64::NAN, 1.0], [1e9, 1.0], [4.0, 3.0], [4.5, 3.0], [-1.0, 1.0]] {
            assert!(!crowd.place(other, at), "{at:?}");
            assert_eq!(crowd.bodies()[other].at.map(|c| c.round()), [2.0, 5.0]);
        }
        assert!(!crowd.place(usize::MAX, [1.0, 1.0]));
        crowd.set_goal(usize::MAX, None);
        assert_eq!(crowd.step_body(usize::MAX).moved, 0.0);
        for goal in
            [[f64::NAN, 1.0], [f64::INFINITY, 1.0], [1e300, 1e300], [4.5, 3.0], [-9.0, 1.0], [0.0, 0.0]]
        {
            crowd.set_goal(walker, Some(goal));
            for _ in 0..20 {
                crowd.step();
            }
            let [x, y] = crowd.bodies()[walker].at;
            assert!((0.0..=9.0).contains(&x) && (0.0..=6.0).contains(&y), "{goal:?}: {x} {y}");
        }
        assert!(crowd.diagram().audit().is_clean());
    }
}

#[test]
fn bodies_of_any_size_step_without_harm() {
    for (radius, step) in [(0.0, 0.1), (1e300, 0.1), (0.3, 1e300), (100.0, 0.5), (1e-300, 1e-300)] {
        let mut crowd = RoadCrowd::open([0.0, 0.0], [20.0, 20.0], RoadCrowdOptions::default()).unwrap();
        for i in 0..4 {
            let x = 2.0 + 4.0 * f64::from(i);
            crowd.add(RoadBody::new([x, 5.0], [20.0 - x, 15.0], radius, step)).unwrap();
        }
        for _ in 0..30 {
            crowd.step();
        }
        assert!(crowd.diagram().audit().is_clean(), "{radius} {step}");
    }
}

/// Bodies without a path walk straight towards their goal. Long steps once led them through thin walls.
#[test]
fn bodies_without_a_path_stay_on_their_side_of_a_wall() {
    let rooms = "MULTIPOLYGON(((0 0, 10 0, 10 10, 0 10, 0 0)), ((10.2 0, 20 0, 20 10, 10.2 10, 10.2 0)))";
    let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, rooms).unwrap()).unwrap();
    let roads = Arc::new(Roads::build(&mesh).unwrap());
    for negotiation in [false, true] {
        let mut crowd = RoadCrowd::of(&roads, RoadCrowdOptions::default().negotiation(negotiation)).unwrap();
        for (i, step) in [0.5, 1.0, 2.0, 5.0].into_iter().enumerate() {
            let y = 1.0 + 2.5 * i as f64;
            crowd.add(RoadBody::new([2.0, y], [18.0, y], 0.3, step)).unwrap();
        }
        for _ in 0..60 {
            crowd.step();
        }
        for body in crowd.bodies() {
            assert!(body.at[0] < 10.0 && !body.arrived, "{body:?}");
        }
    }
}
