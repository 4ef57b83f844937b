//! The slicer: same answers as blocking searches, in the right order, within the budget.

use super::super::queue::Waiting;
use super::*;

fn slicer(under_way: usize, patience: u32) -> Slicer {
    Slicer::new(SlicerOptions::default().under_way(under_way).patience(patience))
}

/// Runs frames until `count` searches have finished; the order in which they did.
fn run(slicer: &mut Slicer, mesh: &NavMesh, budget: u64, count: usize) -> Vec<SearchId> {
    let mut finished = Vec::new();
    for _ in 0..10_000_000 {
        let report = slicer.frame(mesh, budget);
        assert!(report.spent <= budget);
        finished.extend(report.finished);
        if finished.len() >= count {
            return finished;
        }
    }
    panic!("{} of {count} searches finished", finished.len());
}

fn assert_same(sliced: &Result<Path, NoPath>, blocking: &Result<Path, NoPath>, name: &str) {
    match (sliced, blocking) {
        (Ok(sliced), Ok(blocking)) => {
            assert!((sliced.length - blocking.length).abs() <= 1e-9 * blocking.length, "{name}");
            assert_eq!((sliced.start, sliced.goal), (blocking.start, blocking.goal), "{name}");
        }
        (Err(sliced), Err(blocking)) => {
            assert_eq!(std::mem::discriminant(sliced), std::mem::discriminant(blocking), "{name}");
        }
        _ => panic!("{name}: {sliced:?} and {blocking:?}"),
    }
}

#[test]
fn one_after_the_other_is_exactly_blocking() {
    let mesh = scene(Family::Mazes, 300);
    let queries = queries(&mesh, 24);
    let mut space = SearchSpace::new();
    for radius in [0.0, 0.2, 0.5] {
        let queries: Vec<PathQuery> = queries.iter().filter(|q| q.radius == radius).cloned().collect();
        let blocking: Vec<_> = queries.iter().map(|query| mesh.find_path_in(query, &mut space)).collect();
        for budget in [1, 7, u64::MAX] {
            let mut slicer = slicer(1, 16);
            let add = |query: &PathQuery| slicer.add(query.clone(), 0, Pace::default());
            let ids: Vec<SearchId> = queries.iter().map(add).collect();
            assert_eq!(run(&mut slicer, &mesh, budget, ids.len()), ids, "in the order given");
            for (id, blocking) in ids.iter().zip(&blocking) {
                let sliced = slicer.take(*id).unwrap();
                assert_same(&sliced, blocking, "one after the other");
                assert_eq!(slicer.take(*id), None, "taken once");
            }
        }
    }
}

#[test]
fn many_at_once_find_what_blocking_searches_find() {
    for family in [Family::Mazes, Family::Caves, Family::ConvexObstacles, Family::ThinWalls, Family::Combs] {
        let mesh = scene(family, 250);
        let queries = queries(&mesh, 20);
        let blocking: Vec<_> = queries.iter().map(|query| mesh.find_path(query)).collect();
        for budget in [1, 7, 1000, u64::MAX] {
            let mut slicer = slicer(3, 4);
            let mut ids = Vec::new();
            for (number, query) in queries.iter().enumerate() {
                let pace = Pace { delay: number as u64 % 3, period: number as u64 % 2, slice: 5 };
                ids.push(slicer.add(query.clone(), number as u32 % 4, pace));
            }
            run(&mut slicer, &mesh, budget, ids.len());
            for (id, blocking) in ids.iter().zip(&blocking) {
                assert_same(&slicer.take(*id).unwrap(), blocking, family.name());
            }
        }
    }
}

#[test]
fn the_same_calls_give_the_same_frames() {
    let mesh = scene(Family::Caves, 300);
    let queries = queries(&mesh, 30);
    let record = || {
        let mut slicer = slicer(3, 8);
        for (number, query) in queries.iter().enumerate() {
            slicer.add(query.clone(), number as u32 % 3, Pace { slice: 10, ..Pace::default() });
        }
        (0..200).map(|_| slicer.frame(&mesh, 40)).collect::<Vec<_>>()
    };
    assert_eq!(record(), record());
}

/// A search that takes many expansions.
fn long_query(mesh: &NavMesh) -> PathQuery {
    let effort = |query: &PathQuery| mesh.find_path(query).map_or(0, |path| path.expansions);
    queries(mesh, 60).into_iter().max_by_key(effort).unwrap()
}

#[test]
fn higher_priorities_run_first() {
    let mesh = scene(Family::Mazes, 600);
    let query = long_query(&mesh);
    let mut slicer = slicer(2, 16);
    let mut ids: Vec<SearchId> =
        (0..4).map(|priority| slicer.add(query.clone(), priority, Pace::default())).collect();
    ids.reverse();
    assert_eq!(run(&mut slicer, &mesh, 20, 4), ids);
}

#[test]
fn a_newcomer_of_higher_priority_overtakes_without_throwing_work_away() {
    let mesh = scene(Family::Mazes, 600);
    let query = long_query(&mesh);
    let effort = mesh.find_path(&query).unwrap().expansions;
    assert!(effort > 60, "{effort}");
    let mut slicer = slicer(1, 1000);
    let first = slicer.add(query.clone(), 0, Pace::default());
    let begun = slicer.frame(&mesh, 20);
    let second = slicer.add(query, 5, Pace::default());
    assert_eq!(slicer.frame(&mesh, 1).under_way, 2, "it begins beside the other");
    let mut spent = begun.spent + 1;
    let mut order = Vec::new();
    while order.len() < 2 {
        let report = slicer.frame(&mesh, 20);
        spent += report.spent;
        order.extend(report.finished);
    }
    assert_eq!(order, [second, first]);
    let paths = [first, second].map(|id| slicer.take(id).unwrap().unwrap());
    assert_eq!(spent, 2 + paths[0].expansions + paths[1].expansions, "nothing was searched twice");
}

#[test]
fn few_are_under_way_however_many_wait() {
    let mesh = scene(Family::Mazes, 300);
    let queries = queries(&mesh, 40);
    let mut slicer = slicer(3, 2);
    for frame in 0..400u32 {
        let query = queries[frame as usize % queries.len()].clone();
        slicer.add(query, frame * 7 % 11, Pace { slice: 3, ..Pace::default() });
        assert!(slicer.frame(&mesh, 5).under_way <= 6);
    }
}

#[test]
fn those_that_wait_long_come_before_newcomers_of_higher_priority() {
    let mesh = scene(Family::Mazes, 300);
    let query = long_query(&mesh);
    let finished_at = |patience: u32| {
        let mut slicer = slicer(1, patience);
        let old = slicer.add(query.clone(), 0, Pace::default());
        (0..2000u64).find(|_| {
            // More work of higher priority than the budget allows, in each frame.
            for _ in 0..4 {
                slicer.add(query.clone(), 1, Pace::default());
            }
            slicer.frame(&mesh, 100).finished.contains(&old)
        })
    };
    assert!(finished_at(10).is_some());
    assert_eq!(finished_at(100_000), None, "without ageing it starves");
}

#[test]
fn nothing_runs_without_a_budget() {
    let mesh = scene(Family::Boxes, 100);
    let mut slicer = slicer(2, 8);
    assert_eq!(slicer.frame(&mesh, 100).spent, 0, "nothing to do");
    let id = slicer.add(queries(&mesh, 1).remove(0), 0, Pace::default());
    for frame in 2..50 {
        let report = slicer.frame(&mesh, 0);
        let expected = FrameReport { frame, waiting: 1, ..FrameReport::default() };
        assert_eq!(report, expected);
    }
    assert_eq!((slicer.stage(id), slicer.take(id)), (Some(Stage::Waiting), None));
}

#[test]
fn searches_are_cancelled_at_every_stage() {
    let mesh = scene(Family::Mazes, 300);
    let query = long_query(&mesh);
    let mut slicer = slicer(1, 8);
    let ids: Vec<SearchId> = (0..3).map(|_| slicer.add(query.clone(), 0, Pace::default())).collect();
    slicer.frame(&mesh, 3);
    assert_eq!(slicer.stage(ids[0]), Some(Stage::UnderWay));
    assert!(slicer.cancel(ids[0]) && !slicer.cancel(ids[0]));
    assert_eq!(slicer.stage(ids[1]), Some(Stage::Waiting));
    assert!(slicer.cancel(ids[1]) && !slicer.cancel(ids[1]));
    assert_eq!(run(&mut slicer, &mesh, 50, 1), [ids[2]]);
    assert_eq!(slicer.stage(ids[2]), Some(Stage::Done));
    assert!(slicer.cancel(ids[2]) && !slicer.cancel(ids[2]));
    let expected = FrameReport { waiting: 0, under_way: 0, spent: 0, ..slicer.frame(&mesh, 50) };
    assert!(expected.finished.is_empty());
    let again = slicer.add(query.clone(), 0, Pace::default());
    run(&mut slicer, &mesh, 9, 1);
    assert_same(&slicer.take(again).unwrap(), &mesh.find_path(&query), "after cancelled ones");
}

#[test]
fn delays_and_periods_are_kept() {
    let mesh = scene(Family::Mazes, 600);
    let query = long_query(&mesh);
    let mut slicer = slicer(1, 8);
    slicer.add(query, 0, Pace { delay: 4, period: 3, slice: 2 });
    let spent: Vec<u64> = (0..11).map(|_| slicer.frame(&mesh, 100).spent).collect();
    assert_eq!(spent, [0, 0, 0, 0, 3, 0, 0, 2, 0, 0, 2]);
}

#[test]
fn stale_places_and_other_meshes_are_answered() {
    let (mesh, other) = (scene(Family::Mazes, 600), scene(Family::Boxes, 40));
    let query = long_query(&mesh);
    let mut slicer = slicer(2, 8);
    let far = queries(&mesh, 200).into_iter().find(|query| mesh_lacks(&other, query)).unwrap();
    let stale = slicer.add(far, 0, Pace::default());
    run(&mut slicer, &other, 10, 1);
    assert!(matches!(slicer.take(stale), Some(Err(NoPath::OffMesh { .. }))));
    let moved = slicer.add(query.clone(), 0, Pace::default());
    slicer.frame(&mesh, 10);
    let copy = NavMesh::decode(&mesh.encode()).unwrap();
    run(&mut slicer, &copy, 10, 1);
    assert_same(&slicer.take(moved).unwrap(), &mesh.find_path(&query), "on an equal mesh");
}

fn mesh_lacks(mesh: &NavMesh, query: &PathQuery) -> bool {
    !mesh.is_here(&query.start)
}

#[test]
fn why_there_is_no_path_is_told() {
    let ring = |x: f64| vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]];
    let plan = Plan::from_rings([ring(0.0), ring(10.0)]);
    let mesh = MeshOptions::default().build(&plan).unwrap();
    let [a, b] = [[2.0, 2.0], [12.0, 2.0]].map(|place| mesh.locate(place).unwrap());
    let mut slicer = Slicer::new(SlicerOptions::default());
    let apart = slicer.add(PathQuery::new(a, b), 0, Pace::default());
    let wide = slicer.add(PathQuery::new(a, a).radius(3.0), 0, Pace::default());
    let bad = slicer.add(PathQuery::new(a, a).radius(f64::NAN), 0, Pace::default());
    assert_eq!(run(&mut slicer, &mesh, 1, 3).len(), 3);
    assert_eq!(slicer.take(apart), Some(Err(NoPath::Disconnected)));
    assert!(matches!(slicer.take(wide), Some(Err(NoPath::TooClose { .. }))));
    assert!(matches!(slicer.take(bad), Some(Err(NoPath::BadRadius { .. }))));
}

#[test]
fn waiting_searches_are_small() {
    // The search itself, its name twice in ordered sets, and as much again for half-filled nodes of these.
    let sets = 2 * size_of::<(u64, SearchId)>();
    let each = 2 * (size_of::<SearchId>() + size_of::<Waiting>() + sets);
    assert!(each <= 512, "{each} bytes");
    let mesh = scene(Family::Mazes, 600);
    let query = long_query(&mesh);
    let mut slicer = slicer(4, 8);
    for _ in 0..10_000 {
        slicer.add(query.clone(), 0, Pace::default());
    }
    let report = slicer.frame(&mesh, 50);
    assert!(report.under_way <= 4 && report.waiting + report.under_way + report.finished.len() == 10_000);
}
