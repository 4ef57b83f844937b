//! Seventeen classes of hard inputs: planar graphs on small and large grids, flat strips, slivers, combs, circles.
//!
//! Each instance is built at once and audited, then half of its segments are taken out one by one and audited, then the
//! rest. `CLEARWAY_STRESS=300` runs that many instances of each class instead of a few.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_geometry::Point;
use clearway_geometry::predicates::{cross_properly, on_segment};
use clearway_scenes::Random;
use clearway_skeleton::{Diagram, Shape};

type Wall = [Point; 2];

fn instances() -> usize {
    std::env::var("CLEARWAY_STRESS").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

fn meet([a, b]: Wall, [c, d]: Wall) -> bool {
    let shared = |p: Point| p == c || p == d;
    let inside = |p: Point, q: Point, x: Point| x != p && x != q && on_segment(p, q, x);
    cross_properly(a, b, c, d)
        || inside(a, b, c)
        || inside(a, b, d)
        || inside(c, d, a)
        || inside(c, d, b)
        || shared(a) && shared(b)
}

/// The greedy triangulation of random points in a box, with a part of its edges.
fn planar(random: &mut Random, width: usize, height: usize, part: f64) -> Vec<Wall> {
    let mut points: Vec<Point> =
        (0..60).map(|_| Point::new(random.below(width) as i32, random.below(height.max(3)) as i32)).collect();
    points.sort_unstable_by_key(|p| (p.x, p.y));
    points.dedup();
    let mut pairs = Vec::new();
    for (i, &a) in points.iter().enumerate() {
        pairs.extend(points[..i].iter().map(|&b| (a.distance_squared(b), [a, b])));
    }
    pairs.sort_by_key(|(length, _)| *length);
    let mut walls: Vec<Wall> = Vec::new();
    for (_, pair) in pairs {
        let is_clear =
            points.iter().all(|&p| p == pair[0] || p == pair[1] || !on_segment(pair[0], pair[1], p));
        if is_clear && !walls.iter().any(|&wall| meet(wall, pair)) {
            walls.push(pair);
        }
    }
    walls.retain(|_| random.chance(part));
    walls
}

fn ring(points: &[Point]) -> Vec<Wall> {
    (0..points.len()).map(|i| [points[i], points[(i + 1) % points.len()]]).collect()
}

fn slivers(random: &mut Random, length: i32) -> Vec<Wall> {
    let mut walls = Vec::new();
    for i in 0..20 {
        let y = i * 20;
        let d = [0; 3].map(|_: i32| random.below(5) as i32);
        let a = Point::new(random.below(50) as i32, y + d[0]);
        let b = Point::new(length + random.below(50) as i32, y + d[1]);
        let c = Point::new(length - random.below(90) as i32 - 60, y + d[1] + 3 + d[2]);
        walls.extend(ring(&[a, b, c]));
    }
    walls
}

fn comb(random: &mut Random) -> Vec<Wall> {
    let mut points = vec![Point::new(0, 0)];
    for i in 0..30 {
        points.push(Point::new(i * 10 + 5, 1_000 + random.below(3) as i32));
        points.push(Point::new(i * 10 + 10, random.below(3) as i32));
    }
    points.extend([Point::new(300, -50), Point::new(0, -50)]);
    ring(&points)
}

fn circles(random: &mut Random) -> Vec<Wall> {
    let mut walls = Vec::new();
    for i in 0..4 {
        let radius = random.range(100.0, 10_000.0);
        let centre = [f64::from(i) * 25_000.0, random.range(0.0, 5_000.0)];
        let count = 3 + random.below(120);
        let mut points: Vec<Point> = Vec::new();
        for k in 0..count {
            let angle = k as f64 * std::f64::consts::TAU / count as f64;
            let (x, y) = (centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin());
            points.push(Point::new(x.round() as i32, y.round() as i32));
        }
        points.dedup();
        walls.extend(ring(&points));
    }
    walls
}

fn check(name: &str, make: impl Fn(&mut Random) -> Vec<Wall>) {
    let (mut wrong, mut weak, mut zips, mut removed) = (Vec::new(), 0, 0, 0);
    for seed in 0..instances() as u64 {
        let mut random = Random::new(seed + 1);
        let walls = make(&mut random);
        let mut walk = |walls: &[Wall]| -> Result<(), String> {
            let xs = || walls.iter().flatten().map(|p| p.x);
            let ys = || walls.iter().flatten().map(|p| p.y);
            let min = Point::new(xs().min().unwrap_or(0), ys().min().unwrap_or(0));
            let max = Point::new(xs().max().unwrap_or(1), ys().max().unwrap_or(1));
            let shapes: Vec<Shape> = walls.iter().map(|&wall| Shape::Segment(wall)).collect();
            let (mut diagram, mut ids) = Diagram::build(min, max, &shapes).map_err(|e| e.to_string())?;
            let judge = |diagram: &Diagram, when: &str| {
                let audit = diagram.audit();
                if audit.is_clean() {
                    Ok(())
                } else {
                    Err(format!("{when}: {audit:?} {:?}", diagram.counters()))
                }
            };
            judge(&diagram, "built")?;
            random.shuffle(&mut ids);
            let half = ids.len() / 2;
            for &id in &ids[..half] {
                diagram.remove(id).map_err(|e| e.to_string())?;
            }
            judge(&diagram, "half removed")?;
            for &id in &ids[half..] {
                diagram.remove(id).map_err(|e| e.to_string())?;
            }
            judge(&diagram, "all removed")?;
            weak += diagram.counters().weak_ears;
            zips += diagram.counters().zips;
            removed += diagram.counters().removals;
            Ok(())
        };
        if let Err(text) = walk(&walls) {
            wrong.push(format!("{name} seed {}: {text}", seed + 1));
        }
    }
    println!(
        "{name}: {} wrong of {}, {removed} removals, {weak} weak ears, {zips} zips",
        wrong.len(),
        instances()
    );
    assert!(wrong.is_empty(), "{} wrong; {}", wrong.len(), wrong[0]);
}

#[test]
fn planar_graphs_on_small_grids() {
    for part in [0.3, 1.0] {
        check(&format!("planar 12 {part}"), |random| planar(random, 12, 12, part));
        check(&format!("planar 40 {part}"), |random| planar(random, 40, 40, part));
    }
}

#[test]
fn planar_graphs_on_large_grids() {
    for part in [0.3, 1.0] {
        check(&format!("planar 1e3 {part}"), |random| planar(random, 1_000, 1_000, part));
        check(&format!("planar 1e6 {part}"), |random| planar(random, 1_000_000, 1_000_000, part));
    }
}

#[test]
fn flat_worlds() {
    check("flat 1e3", |random| planar(random, 1_000, 10, 0.5));
    check("flat 1e4", |random| planar(random, 10_000, 10, 0.5));
    check("flat 1e5", |random| planar(random, 100_000, 10, 0.5));
}

#[test]
fn strip_of_a_million_by_ten() {
    check("flat 1e6", |random| planar(random, 1_000_000, 10, 0.5));
}

#[test]
fn long_slivers() {
    for length in [1_000, 10_000, 100_000, 1_000_000] {
        check(&format!("slivers {length}"), |random| slivers(random, length));
    }
}

#[test]
fn rings_and_combs() {
    check("circles", circles);
    check("comb", comb);
}

/// Builds walls, audits them, takes them out one by one and audits what is left.
fn check_walls(walls: &[Wall]) -> Diagram {
    let shapes: Vec<Shape> = walls.iter().map(|&wall| Shape::Segment(wall)).collect();
    let xs = || walls.iter().flatten().map(|p| p.x);
    let ys = || walls.iter().flatten().map(|p| p.y);
    let min = Point::new(xs().min().unwrap(), ys().min().unwrap());
    let max = Point::new(xs().max().unwrap(), ys().max().unwrap());
    let (built, ids) = Diagram::build(min, max, &shapes).unwrap();
    assert!(built.audit().is_clean(), "{:?}", built.audit());
    let mut diagram = built.clone();
    for id in ids {
        diagram.remove(id).unwrap();
        assert!(diagram.audit().is_clean(), "{:?}", diagram.audit());
    }
    built
}

/// The polygon of issue 43 of Boost.Polygon: no vertex is placed in one of its corners there.
#[test]
fn the_polygon_on_which_boost_loses_edges() {
    let corners = [
        (0, 10_000_000),
        (700_000, 1),
        (700_000, 9_000_000),
        (9_100_000, 9_000_000),
        (9_100_000, 0),
        (10_000_000, 10_000_000),
    ];
    let corners = corners.map(|(x, y)| Point::new(x, y));
    let diagram = check_walls(&ring(&corners));
    for corner in corners {
        let is_there = diagram.vertices().any(|(_, v)| v.radius == 0.0 && v.at == corner.as_vec2());
        assert!(is_there, "no vertex in the corner {corner:?}");
    }
}

/// The six segments of issue 4 of boostvoronoi, which gives a wrong diagram of them without notice.
#[test]
fn the_six_segments_on_which_boostvoronoi_is_wrong() {
    let walls = [
        [50, 9_270, 100, 9_280],
        [100, 9_280, 4_060, 9_880],
        [220, 8_290, 250, 8_290],
        [250, 8_290, 270, 8_300],
        [2_730, 5_630, 42_700, 5_920],
        [3_240, 8_740, 5_210, 9_040],
    ];
    check_walls(&walls.map(|[a, b, c, d]| [Point::new(a, b), Point::new(c, d)]));
}
