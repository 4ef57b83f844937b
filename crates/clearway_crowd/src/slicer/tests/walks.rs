//! Walkers: always legal, never circling, arriving, and no farther than by way of the start.

use super::super::track::distance;
use super::*;

const GUESSES: [Guess; 4] = [Guess::Wait, Guess::Direction, Guess::FollowOldPath, Guess::BestSoFar];

fn options(guess: Guess, radius: f64) -> WalkerOptions {
    WalkerOptions::default().radius(radius).speed(0.4).guess(guess)
}

/// Walks until every walker has arrived or is lost; checks each place on the way.
fn walk(mesh: &NavMesh, slicer: &mut Slicer, walkers: &mut [Walker], budget: u64, name: &str) {
    let radius = walkers[0].options().radius;
    for _ in 0..20_000 {
        slicer.frame(mesh, budget);
        let mut is_over = true;
        for walker in &mut *walkers {
            let before = walker.at().position();
            let stride = walker.step(mesh, slicer);
            is_over &= matches!(stride, Stride::Arrived | Stride::Lost(_));
            let room = mesh.clearance(walker.at());
            assert!(room.is_some_and(|room| room >= radius - 1e-9), "{name}: {room:?}, radius {radius}");
            let moved = distance(before, walker.at().position());
            assert!(moved <= 0.4 + 1e-3, "{name}: moved {moved} in a frame");
        }
        if is_over {
            return;
        }
    }
    panic!("{name}: somebody never came");
}

/// Pairs of places between which a body of the radius finds a path, and its length.
fn trips(mesh: &NavMesh, radius: f64, count: usize) -> Vec<(Location, Location, f64)> {
    let all = places(mesh, radius, 11, 40 * count);
    let trip = |pair: &[Location]| {
        let [from, to] = *pair else { return None };
        let path = mesh.find_path(&PathQuery::new(from, to).radius(radius)).ok()?;
        Some((from, to, path.length))
    };
    all.chunks(2).filter_map(trip).take(count).collect()
}

#[test]
fn walkers_stay_legal_and_arrive() {
    let families =
        [Family::Mazes, Family::Boxes, Family::Caves, Family::Combs, Family::Spirals, Family::Circles];
    for family in families {
        let mesh = scene(family, 200);
        for (guess, radius) in GUESSES.into_iter().flat_map(|guess| [(guess, 0.0), (guess, 0.3)]) {
            let name = format!("{}, {guess:?}, radius {radius}", family.name());
            let mut slicer = Slicer::new(SlicerOptions::default());
            let trips = trips(&mesh, radius, 6);
            let start = |trip: &(Location, Location, f64)| Walker::new(trip.0, options(guess, radius));
            let mut walkers: Vec<Walker> = trips.iter().map(start).collect();
            for (walker, trip) in walkers.iter_mut().zip(&trips) {
                walker.set_goal(&mut slicer, trip.1);
            }
            walk(&mesh, &mut slicer, &mut walkers, 6, &name);
            for (walker, (_, to, shortest)) in walkers.iter().zip(&trips) {
                check_report(walker.report(), guess, *shortest, &name);
                assert!(distance(walker.at().position(), to.position()) < 1e-3 * (1.0 + radius), "{name}");
            }
        }
    }
}

fn check_report(report: &WalkReport, guess: Guess, shortest: f64, name: &str) {
    assert!(report.arrived.is_some() && report.restarts == 0, "{name}: {report:?}");
    assert!(report.walked >= shortest * (1.0 - 1e-3) - 1e-3, "{name}: {report:?}, {shortest}");
    if report.answered.is_some() {
        assert!(report.joined <= report.by_start * (1.0 + 1e-12) + 1e-9, "{name}: {report:?}");
        assert!((report.walked - report.guessed - report.joined).abs() < 1e-6, "{name}: {report:?}");
    }
    let is_waiting = matches!(guess, Guess::Wait | Guess::FollowOldPath);
    if is_waiting {
        // Without an old path both stand until the path comes.
        assert!(report.guessed == 0.0 && report.first_move == report.answered, "{name}: {report:?}");
        assert!((report.walked - shortest).abs() < 1e-6 * (1.0 + shortest), "{name}: {report:?}, {shortest}");
    } else {
        assert_eq!(report.first_move, Some(1), "{name}");
    }
}

#[test]
fn new_goals_on_the_way_are_reached() {
    for guess in GUESSES {
        let mesh = scene(Family::Mazes, 300);
        let mut slicer = Slicer::new(SlicerOptions::default());
        let radius = 0.3;
        let trips = trips(&mesh, radius, 8);
        let mut walkers: Vec<Walker> =
            trips.iter().map(|trip| Walker::new(trip.0, options(guess, radius))).collect();
        for round in 0..4 {
            for (number, walker) in walkers.iter_mut().enumerate() {
                walker.set_goal(&mut slicer, trips[(number + round) % trips.len()].1);
            }
            for _ in 0..25 {
                slicer.frame(&mesh, 15);
                for walker in &mut walkers {
                    walker.step(&mesh, &mut slicer);
                }
            }
        }
        walk(&mesh, &mut slicer, &mut walkers, 15, &format!("{guess:?}"));
        for walker in &walkers {
            assert!(walker.report().arrived.is_some(), "{guess:?}: {:?}", walker.report());
        }
    }
}

#[test]
fn old_paths_are_followed_until_the_new_one_comes() {
    let mesh = scene(Family::Mazes, 300);
    let mut slicer = Slicer::new(SlicerOptions::default());
    let (from, to, length) = trips(&mesh, 0.3, 12).into_iter().max_by(|p, q| p.2.total_cmp(&q.2)).unwrap();
    assert!(length > 10.0);
    let mut walker = Walker::new(from, options(Guess::FollowOldPath, 0.3));
    walker.set_goal(&mut slicer, to);
    slicer.frame(&mesh, u64::MAX);
    for _ in 0..5 {
        assert_eq!(walker.step(&mesh, &mut slicer), Stride::Walking);
    }
    walker.set_goal(&mut slicer, from);
    for frame in 1..8 {
        slicer.frame(&mesh, 0);
        assert_eq!(walker.step(&mesh, &mut slicer), Stride::Guessing);
        assert!((walker.report().walked - 0.4 * f64::from(frame)).abs() < 1e-9);
    }
    walk(&mesh, &mut slicer, &mut [walker], u64::MAX, "back");
}

#[test]
fn guesses_alone_lead_out_of_dead_ends() {
    let mut arrived = 0;
    for family in [Family::Combs, Family::Spirals, Family::Mazes] {
        for seed in 0..4 {
            let mesh = build(family.draw(120, seed));
            for (from, to, _) in trips(&mesh, 0.1, 4) {
                let mut slicer = Slicer::new(SlicerOptions::default());
                let mut walker = Walker::new(from, options(Guess::Direction, 0.1));
                walker.set_goal(&mut slicer, to);
                // No budget: the search never comes to the rescue.
                let came = (0..30_000).any(|_| {
                    slicer.frame(&mesh, 0);
                    walker.step(&mesh, &mut slicer) == Stride::Arrived
                });
                let uses = walker.most_uses();
                assert!(came, "{} {seed}: never came, {:?}, uses {uses}", family.name(), walker.report());
                assert!(uses <= 2 * mesh.portal_count() as u32 + 2, "{} {seed}: {uses}", family.name());
                arrived += 1;
            }
        }
    }
    assert!(arrived >= 40, "{arrived}");
}

#[test]
fn who_has_no_path_says_so() {
    let ring = |x: f64| vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]];
    let plan = Plan::from_rings([ring(0.0), ring(10.0)]);
    let mesh = MeshOptions::default().build(&plan).unwrap();
    let [a, b] = [[2.0, 2.0], [12.0, 2.0]].map(|place| mesh.locate(place).unwrap());
    let mut slicer = Slicer::new(SlicerOptions::default());
    let mut walker = Walker::new(a, options(Guess::Direction, 0.3));
    assert_eq!(walker.step(&mesh, &mut slicer), Stride::Resting);
    walker.set_goal(&mut slicer, b);
    slicer.frame(&mesh, 10);
    assert_eq!(walker.step(&mesh, &mut slicer), Stride::Lost(NoPath::Disconnected));
    walker.stop(&mut slicer);
    assert_eq!(walker.step(&mesh, &mut slicer), Stride::Resting);
    walker.set_goal(&mut slicer, a);
    slicer.frame(&mesh, 10);
    assert_eq!(walker.step(&mesh, &mut slicer), Stride::Arrived);
}

#[test]
fn on_another_mesh_nothing_moves_and_nothing_breaks() {
    let (mesh, other) = (scene(Family::Mazes, 300), scene(Family::Boxes, 8));
    let [low, high] = other.bounds().unwrap();
    let is_outside = |at: &Location| (0..2).any(|i| at.position()[i] > high[i] || at.position()[i] < low[i]);
    let far = mesh.random_points(5).find(is_outside).unwrap();
    for guess in GUESSES {
        let mut slicer = Slicer::new(SlicerOptions::default());
        let mut walker = Walker::new(far, options(guess, 0.0));
        walker.set_goal(&mut slicer, far);
        for _ in 0..3 {
            walker.step(&other, &mut slicer);
        }
        slicer.frame(&other, 100);
        let stride = walker.step(&other, &mut slicer);
        assert!(matches!(stride, Stride::Arrived | Stride::Lost(NoPath::OffMesh { .. })), "{stride:?}");
        assert_eq!(walker.at(), far);
    }
}
