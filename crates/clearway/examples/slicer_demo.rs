//! A thousand bodies get goals in the same frame, and their searches share a small budget per frame.
//!
//! Prints what slicing costs beside blocking searches, and for each kind of guess when bodies first move, how far
//! they walk beyond the shortest path, and how good the joins are. All but the times is the same on every run.

use clearway::{
    Guess, Location, MeshOptions, NavMesh, Pace, PathQuery, Plan, SearchSpace, Slicer, SlicerOptions, Stride,
    Walker, WalkerOptions,
};
use clearway_scenes::Family;
use std::time::Instant;

const BODIES: usize = 1000;
const BUDGET: u64 = 1000;
const RADIUS: f64 = 0.4;
const SPEED: f64 = 0.5;
const GUESSES: [Guess; 4] = [Guess::Wait, Guess::Direction, Guess::FollowOldPath, Guess::BestSoFar];

/// From where, by way of which first goal, to which goal.
struct Trip {
    start: Location,
    first: Location,
    goal: Location,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let drawing = Family::Mazes.draw(2000, 2);
    let plan = Plan::from_rings(drawing.polygons.into_iter().flat_map(|(outline, holes)| {
        let mut rings = vec![outline];
        rings.extend(holes);
        rings
    }));
    let mesh = MeshOptions::default().build(&plan)?;
    let trips = trips(&mesh);
    println!(
        "{} cells, {BODIES} searches, radius {RADIUS} m, speed {SPEED} m and budget {BUDGET} steps per frame\n",
        mesh.cell_count()
    );
    compare_with_blocking(&mesh, &trips);
    println!("\nfrom rest to a far goal");
    print_head();
    for guess in GUESSES {
        walk(&mesh, &trips, guess, false);
    }
    println!("\non the way to a goal when it moves by a few metres");
    print_head();
    for guess in GUESSES {
        walk(&mesh, &trips, guess, true);
    }
    Ok(())
}

/// Random trips whose last two places are near each other.
fn trips(mesh: &NavMesh) -> Vec<Trip> {
    let fits = |at: &Location| mesh.clearance(*at).is_some_and(|room| room >= RADIUS);
    let places: Vec<Location> = mesh.random_points(1).filter(fits).take(2 * BODIES).collect();
    let trip = |pair: &[Location]| {
        let [start, goal] = [pair[0], pair[1]];
        let [x, y] = goal.position();
        let first = mesh.nearest_clear([x + 3.0, y - 4.0], RADIUS, 20.0).unwrap_or(start);
        Trip { start, first, goal }
    };
    places.chunks_exact(2).map(trip).collect()
}

fn query(trip: &Trip) -> PathQuery {
    PathQuery::new(trip.start, trip.goal).radius(RADIUS).snap(1e-3 * RADIUS)
}

fn compare_with_blocking(mesh: &NavMesh, trips: &[Trip]) {
    let mut space = SearchSpace::new();
    // What is remembered for the radius is made first, for both.
    for trip in trips {
        let _ = mesh.find_path_in(&query(trip), &mut space);
    }
    let clock = Instant::now();
    let answers: Vec<_> = trips.iter().map(|trip| mesh.find_path_in(&query(trip), &mut space)).collect();
    let blocking = clock.elapsed().as_secs_f64();
    let expansions: u64 = answers.iter().flatten().map(|path| path.expansions).sum();
    println!("blocking  {expansions:>9} expansions              {:>7.1} ms", blocking * 1e3);
    for (under_way, slice) in [(1, 64), (4, 64), (4, 8)] {
        let mut slicer = Slicer::new(SlicerOptions::default().under_way(under_way));
        let pace = Pace { slice, ..Pace::default() };
        // Once to warm up, as above.
        for trip in trips {
            slicer.add(query(trip), 0, pace);
        }
        slicer.frame(mesh, u64::MAX);
        let ids: Vec<_> = trips.iter().map(|trip| slicer.add(query(trip), 0, pace)).collect();
        let clock = Instant::now();
        let (mut frames, mut slowest, mut finished) = (0u64, 0.0f64, 0);
        while finished < ids.len() {
            let frame = Instant::now();
            finished += slicer.frame(mesh, BUDGET).finished.len();
            slowest = slowest.max(frame.elapsed().as_secs_f64());
            frames += 1;
        }
        let sliced = clock.elapsed().as_secs_f64();
        let paths: Vec<_> = ids.iter().filter_map(|id| slicer.take(*id)).collect();
        let expansions: u64 = paths.iter().flatten().map(|path| path.expansions).sum();
        let worst = paths.iter().zip(&answers).map(|pair| difference(pair.0, pair.1)).fold(0.0, f64::max);
        println!(
            "sliced    {expansions:>9} expansions {frames:>6} frames {:>7.1} ms ({:+.1} %), slowest frame {:.2} ms; \
             {under_way} at once, slices of {slice}; lengths differ by {worst:.0e} at most",
            sliced * 1e3,
            (sliced / blocking - 1.0) * 100.0,
            slowest * 1e3,
        );
    }
}

type Answer = Result<clearway::Path, clearway::NoPath>;

/// How much two answers differ in length, relatively.
fn difference(one: &Answer, other: &Answer) -> f64 {
    match (one, other) {
        (Ok(one), Ok(other)) => (one.length - other.length).abs() / other.length.max(1.0),
        (Err(_), Err(_)) => 0.0,
        _ => f64::INFINITY,
    }
}

fn print_head() {
    println!(
        "{:<14} {:>6} {:>11} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>6}",
        "guess",
        "bodies",
        "first move",
        "path at",
        "arrives",
        "shortest",
        "walked",
        "joined",
        "by start",
        "optimum",
        "ms"
    );
    println!(
        "{:<14} {:>6} {:>11} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>6}",
        "", "", "frame", "frame", "frame", "m", "m", "m", "m", "m", ""
    );
}

/// Lets all bodies walk, and prints means over those that arrive.
fn walk(mesh: &NavMesh, trips: &[Trip], guess: Guess, is_under_way: bool) {
    let options = WalkerOptions::default().radius(RADIUS).speed(SPEED).guess(guess);
    let mut slicer = Slicer::new(SlicerOptions::default());
    let mut walkers: Vec<Walker> = trips.iter().map(|trip| Walker::new(trip.start, options)).collect();
    if is_under_way {
        for (walker, trip) in walkers.iter_mut().zip(trips) {
            walker.set_goal(&mut slicer, trip.first);
        }
        slicer.frame(mesh, u64::MAX);
        for _ in 0..30 {
            for walker in &mut walkers {
                walker.step(mesh, &mut slicer);
            }
        }
    }
    let shortest: Vec<f64> =
        walkers.iter().zip(trips).map(|(walker, trip)| length(mesh, walker.at(), trip.goal)).collect();
    for (walker, trip) in walkers.iter_mut().zip(trips) {
        walker.set_goal(&mut slicer, trip.goal);
    }
    let mut optimum = vec![f64::NAN; walkers.len()];
    let clock = Instant::now();
    let mut aside = 0.0;
    loop {
        slicer.frame(mesh, BUDGET);
        let mut is_over = true;
        for (number, walker) in walkers.iter_mut().enumerate() {
            let (before, had_path) = (walker.at(), walker.report().answered.is_some());
            let stride = walker.step(mesh, &mut slicer);
            is_over &= matches!(stride, Stride::Arrived | Stride::Lost(_));
            if !had_path && walker.report().answered.is_some() {
                // For the table only: the shortest way from where the path reached it.
                let measuring = Instant::now();
                optimum[number] = length(mesh, before, trips[number].goal);
                aside += measuring.elapsed().as_secs_f64();
            }
        }
        if is_over {
            break;
        }
    }
    print_means(&walkers, &shortest, &optimum, (clock.elapsed().as_secs_f64() - aside) * 1e3);
}

fn length(mesh: &NavMesh, from: Location, to: Location) -> f64 {
    let query = PathQuery::new(from, to).radius(RADIUS).snap(1e-3 * RADIUS);
    mesh.find_path(&query).map_or(f64::NAN, |path| path.length)
}

fn print_means(walkers: &[Walker], shortest: &[f64], optimum: &[f64], time: f64) {
    let came: Vec<usize> =
        (0..walkers.len()).filter(|number| walkers[*number].report().arrived.is_some()).collect();
    let joined: Vec<usize> = came.iter().copied().filter(|number| optimum[*number].is_finite()).collect();
    let mean = |over: &[usize], value: &dyn Fn(usize) -> f64| {
        over.iter().map(|n| value(*n)).sum::<f64>() / over.len() as f64
    };
    let report = |number: usize| walkers[number].report();
    let frame = |frame: Option<u64>| frame.unwrap_or(0) as f64;
    println!(
        "{:<14} {:>6} {:>11.1} {:>8.1} {:>9.1} {:>9.2} {:>9.2} {:>9.2} {:>9.2} {:>8.2} {:>6.0}",
        format!("{:?}", walkers[0].options().guess),
        came.len(),
        mean(&came, &|n| frame(report(n).first_move)),
        mean(&joined, &|n| frame(report(n).answered)),
        mean(&came, &|n| frame(report(n).arrived)),
        mean(&came, &|n| shortest[n]),
        mean(&came, &|n| report(n).walked),
        mean(&joined, &|n| report(n).joined),
        mean(&joined, &|n| report(n).by_start),
        mean(&joined, &|n| optimum[n]),
        time,
    );
}
