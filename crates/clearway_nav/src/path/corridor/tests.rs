use super::*;
use crate::path::verify;
use crate::testing::MeshOptions;
use clearway_scenes::{Family, Random};
use clearway_world::plan::{Plan, PlanFormat};

fn mesh(wkt: &str) -> NavMesh {
    let plan = Plan::parse(PlanFormat::Wkt, wkt).unwrap();
    MeshOptions::default().build(&plan).unwrap()
}

fn at(mesh: &NavMesh, x: f64, y: f64) -> Location {
    mesh.locate([x, y]).unwrap()
}

/// Asks both planners: one finds a path exactly when the other does, and the laws hold. The ratio of the lengths.
fn compare(mesh: &NavMesh, planner: &mut CorridorPlanner, query: &PathQuery, what: &str) -> Option<f64> {
    let (found, best) = (planner.find_path(mesh, query), mesh.find_path(query));
    match (&found, &best) {
        (Ok(path), Ok(best)) => {
            assert_eq!(verify(mesh, path), Ok(()), "{what} {query:?}");
            assert_eq!(path.cells.len(), path.portals.len() + 1, "{what}");
            assert_eq!((path.bound, path.complete), (f64::INFINITY, true));
            assert!(path.length >= best.length * (1.0 - 1e-9), "{what} {query:?}");
            Some(if best.length > 0.0 { path.length / best.length } else { 1.0 })
        }
        (Err(found), Err(best)) => {
            assert_eq!(std::mem::discriminant(found), std::mem::discriminant(best), "{what} {query:?}");
            None
        }
        _ => panic!("{what} {query:?}: {:?} and {:?}", found.err(), best.err()),
    }
}

#[test]
fn legal_and_not_much_longer_on_generated_scenes() {
    let mut planner = CorridorPlanner::new();
    let (mut paths, mut worst) = (0, 1f64);
    for family in Family::ALL {
        for seed in 0..3 {
            let mesh = mesh(&family.draw(60, seed).to_wkt());
            let mut random = Random::new(seed);
            let [low, high] = mesh.bounds().unwrap();
            let mut place =
                || mesh.locate([random.range(low[0], high[0]), random.range(low[1], high[1])]).ok();
            for _ in 0..12 {
                let (Some(start), Some(goal)) = (place(), place()) else { continue };
                for radius in [0.0, 0.1, 0.4, 1.0, 2.0] {
                    let query = PathQuery::new(start, goal).radius(radius);
                    let what = format!("{} {seed}", family.name());
                    let ratio = compare(&mesh, &mut planner, &query, &what);
                    paths += usize::from(ratio.is_some());
                    worst = worst.max(ratio.unwrap_or(1.0));
                }
            }
        }
    }
    assert!(paths > 300, "{paths}");
    assert!(worst <= 1.5, "{worst}");
    assert!(planner.rescues() * 20 <= paths as u64, "{} of {paths}", planner.rescues());
}

#[test]
fn straight_and_around_a_corner() {
    let mesh = mesh("POLYGON ((0 4, 4 4, 4 0, 8 0, 8 8, 0 8))");
    let mut planner = CorridorPlanner::new();
    for radius in [0.0, 0.25, 0.5, 0.9] {
        let around = PathQuery::new(at(&mesh, 1.0, 5.0), at(&mesh, 5.0, 1.0)).radius(radius);
        let ratio = compare(&mesh, &mut planner, &around, "corner").unwrap();
        assert!((ratio - 1.0).abs() < 1e-9);
        let straight = PathQuery::new(at(&mesh, 1.0, 7.0), at(&mesh, 7.0, 7.0)).radius(radius);
        let path = planner.find_path(&mesh, &straight).unwrap();
        assert_eq!((path.length, path.clearance), (6.0, 1.0));
    }
    assert_eq!(planner.rescues(), 0);
}

#[test]
fn start_and_goal_in_one_place() {
    let mesh = mesh("POLYGON ((0 0, 8 0, 8 6, 0 6))");
    let here = at(&mesh, 3.0, 3.0);
    for radius in [0.0, 1.0] {
        let query = PathQuery::new(here, here).radius(radius);
        let path = CorridorPlanner::new().find_path(&mesh, &query).unwrap();
        assert_eq!((path.length, path.start, path.goal), (0.0, [3.0, 3.0], [3.0, 3.0]));
        assert_eq!(verify(&mesh, &path), Ok(()));
    }
}

#[test]
fn questions_without_an_answer() {
    let mesh = mesh("MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4)), ((6 0, 8 0, 8 4, 6 4)))");
    let mut planner = CorridorPlanner::new();
    let (here, there) = (at(&mesh, 1.0, 1.0), at(&mesh, 7.0, 2.0));
    for radius in [0.0, 0.5] {
        let query = PathQuery::new(here, there).radius(radius);
        assert_eq!(planner.find_path(&mesh, &query), Err(NoPath::Disconnected));
    }
    for radius in [f64::NAN, -1.0, f64::INFINITY] {
        let query = PathQuery::new(here, here).radius(radius);
        assert!(matches!(planner.find_path(&mesh, &query), Err(NoPath::BadRadius { .. })));
    }
    let stale = Location { cell: CellId(99), position: [1.0, 1.0] };
    let moved = Location { position: [3.0, 30.0], ..here };
    for radius in [0.0, 0.5] {
        for (wrong, place) in [(stale, Place::Goal), (moved, Place::Goal)] {
            let query = PathQuery::new(here, wrong).radius(radius);
            assert_eq!(planner.find_path(&mesh, &query), Err(NoPath::OffMesh { place }));
        }
        let query = PathQuery::new(stale, here).radius(radius);
        assert_eq!(planner.find_path(&mesh, &query), Err(NoPath::OffMesh { place: Place::Start }));
    }
    let query = PathQuery::new(here, here).radius(1.5);
    let too_close = NoPath::TooClose { place: Place::Start, clearance: 1.0 };
    assert_eq!(planner.find_path(&mesh, &query), Err(too_close));
}

#[test]
fn one_planner_serves_several_meshes_and_radii() {
    let meshes = [
        mesh("POLYGON ((0 0, 9 0, 9 9, 0 9), (3 3, 6 3, 6 6, 3 6))"),
        mesh("POLYGON ((0 4, 4 4, 4 0, 8 0, 8 8, 0 8))"),
    ];
    let mut planner = CorridorPlanner::new();
    for _ in 0..3 {
        for mesh in &meshes {
            for radius in [0.0, 0.5, 1.2] {
                let query = PathQuery::new(at(mesh, 1.5, 6.5), at(mesh, 6.5, 1.5)).radius(radius);
                let [first, again] = [(), ()].map(|()| planner.find_path(mesh, &query));
                assert_eq!(first, again);
                assert_eq!(first, CorridorPlanner::new().find_path(mesh, &query));
                compare(mesh, &mut planner, &query, "several");
            }
        }
    }
}

#[test]
fn the_nearest_of_several_goals() {
    let mesh = mesh("POLYGON ((0 0, 9 0, 9 9, 0 9), (3 3, 6 3, 6 6, 3 6))");
    let near = at(&mesh, 1.5, 4.0);
    let query = PathQuery::new(at(&mesh, 1.5, 1.5), at(&mesh, 7.5, 7.5)).more_goals(vec![near]).radius(0.5);
    assert_eq!(CorridorPlanner::new().find_path(&mesh, &query).unwrap().goal, [1.5, 4.0]);
}

#[test]
fn slices_of_any_size_lead_to_the_same_path() {
    let (mut planner, mut sliced) = (CorridorPlanner::new(), CorridorPlanner::new());
    let (mut paths, mut slices) = (0, 0);
    for (family, seed) in Family::ALL.into_iter().flat_map(|family| (0..2).map(move |seed| (family, seed))) {
        let mesh = mesh(&family.draw(60, seed).to_wkt());
        let places: Vec<Location> = mesh.random_points(seed).take(16).collect();
        for (ends, radius) in places.chunks(2).flat_map(|ends| [0.0, 0.3, 1.5].map(|radius| (ends, radius))) {
            let query = PathQuery::new(ends[0], ends[1]).radius(radius);
            let whole = planner.find_path(&mesh, &query);
            let mut search = CorridorSearch::new(query);
            let answer = loop {
                slices += 1;
                let before = search.expansions();
                let status = search.step_in(&mesh, 3, &mut sliced);
                assert!(search.expansions() <= before + 3, "a slice of {}", search.expansions() - before);
                if let SearchStatus::Done(answer) = status {
                    break answer;
                }
            };
            paths += usize::from(whole.is_ok());
            assert_eq!(answer, whole, "{} {seed}", family.name());
        }
    }
    assert!(paths > 60 && slices > 2 * paths, "{paths} paths, {slices} slices");
}

/// A goal, or a peg behind a gate, seemed to come before a peg of the gate that stands farther ahead on the wrong side.
#[test]
fn a_goal_behind_a_gate_is_not_before_its_peg() {
    let peg = |x: f64, y: f64, vertex: u32| Some(Peg { at: Vec2::new(x, y), radius: 1.0, vertex });
    let gate = |left: Option<Peg>, right: Option<Peg>, cell: u32| Gate { left, right, cell };
    let gates = vec![gate(peg(380.0, 2_000.0, 0), peg(-150.0, 2_040.0, 1), 0)];
    let mut funnel = Funnel { gates, ..Funnel::default() };
    assert!(funnel.pull(Vec2::new(3_100.0, 2_560.0), Vec2::new(480.0, 1_720.0)));
    let turned: Vec<u32> = funnel.turns.iter().map(|turn| turn.peg.vertex).collect();
    assert_eq!(turned, [NONE, 0, NONE]);
    // The same with a peg of the second gate.
    funnel.gates = vec![
        gate(peg(725.0, 0.0, 0), peg(725.0, 466.0, 1), 0),
        gate(peg(459.0, 1_202.0, 2), peg(725.0, 1_690.0, 3), 1),
    ];
    assert!(funnel.pull(Vec2::new(1_100.0, 1_600.0), Vec2::new(459.0, 1_900.0)));
    assert_eq!(funnel.turns[1].peg.vertex, 1);
}
