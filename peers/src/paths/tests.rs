//! Planners on a plan whose shortest paths are known by hand.

use clearway::{Plan, PlanFormat};

use super::all_planners;
use super::maps::{Map, Query};
use super::peer::{Answer, Planner};

/// A room of 10 by 10 with a square pillar in its middle.
fn pillar() -> Map {
    let text = "POLYGON ((0 0, 10 0, 10 10, 0 10), (4 4, 6 4, 6 6, 4 6))";
    let plan = Plan::parse(PlanFormat::Wkt, text).unwrap();
    let queries = vec![Query { start: [2.0, 5.0], goal: [8.0, 5.0], known: Vec::new() }];
    let mut map = Map::of("pillar", plan).unwrap();
    map.queries = queries;
    map
}

fn length(planner: &mut dyn Planner, start: [f64; 2], goal: [f64; 2]) -> f64 {
    planner.find(start, goal);
    let Answer::Path { length, .. } = planner.answer() else { panic!("no path from {start:?} to {goal:?}") };
    length
}

#[test]
fn every_planner_walks_around_a_pillar() {
    let map = pillar();
    for peer in all_planners() {
        // Polyanya's own mesh comes with the maps.
        let Ok(mut planner) = peer.prepare(&map, 0.0) else { continue };
        let around = length(planner.as_mut(), [2.0, 5.0], [8.0, 5.0]);
        assert!((around - (2.0 + 2.0 * 5f64.sqrt())).abs() < 1e-5, "{}: {around}", peer.name());
        let corner = length(planner.as_mut(), [5.0, 2.0], [8.0, 5.0]);
        assert!((corner - 18f64.sqrt()).abs() < 1e-5, "{}: {corner}", peer.name());
    }
}
