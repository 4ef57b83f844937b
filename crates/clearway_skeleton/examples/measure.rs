//! Measures builds and moves of the diagram: `cargo run --release -p clearway_skeleton --example measure [blocks per
//! side]`. Times are CPU time of this machine; compare them in one run only.
#![allow(clippy::unwrap_used)]

use clearway_geometry::{Point, Vec2};
use clearway_scenes::Random;
use clearway_skeleton::{Diagram, Shape};
use std::time::Instant;

/// Square blocks of 15 m in streets of 5 m, in millimetres, turned a little if asked.
fn city(side: i32, is_turned: bool) -> Vec<Shape> {
    let turn = |x: i32, y: i32| {
        let (x, y) = (f64::from(x), f64::from(y));
        let (cos, sin) = if is_turned { (0.955_336_489, 0.295_520_207) } else { (1.0, 0.0) };
        Point::new((x * cos - y * sin).round() as i32, (x * sin + y * cos).round() as i32)
    };
    let mut shapes = Vec::new();
    for (i, j) in (0..side * side).map(|k| (k / side, k % side)) {
        let (x, y) = (i * 20_000, j * 20_000);
        let corners = [(0, 0), (15_000, 0), (15_000, 15_000), (0, 15_000)];
        shapes.push(Shape::Polygon(corners.map(|(a, b)| turn(x + a, y + b)).to_vec()));
    }
    shapes
}

fn quantiles(name: &str, mut micros: Vec<f64>) {
    micros.sort_by(f64::total_cmp);
    let at = |q: f64| micros[((micros.len() - 1) as f64 * q) as usize];
    println!("  {name}: median {:.1}, p99 {:.1}, most {:.1} us", at(0.5), at(0.99), at(1.0));
}

fn measure(side: i32, is_turned: bool) {
    let shapes = city(side, is_turned);
    let reach = side * 25_000;
    let start = Instant::now();
    let (mut diagram, ids) =
        Diagram::build(Point::new(-reach, -5_000), Point::new(reach, reach + 5_000), &shapes).unwrap();
    let segments = shapes.len() * 4;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{segments} segments, turned {is_turned}: build {:.1} ms, {:.2} us each",
        seconds * 1e3,
        seconds * 1e6 / segments as f64
    );
    println!("  {:?}", diagram.counters());
    let mut random = Random::new(3);
    let mut times = Vec::new();
    for _ in 0..2_000 {
        let k = random.below(ids.len());
        let Shape::Polygon(corners) = &shapes[k] else { continue };
        let (dx, dy) = (random.below(4_001) as i32 - 2_000, random.below(4_001) as i32 - 2_000);
        let moved = Shape::Polygon(corners.iter().map(|p| Point::new(p.x + dx, p.y + dy)).collect());
        let start = Instant::now();
        diagram.replace(ids[k], &moved).unwrap();
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    quantiles("moved block", times);
    agents(&mut diagram, side, &mut random);
    println!("  {:?}", diagram.audit());
}

/// Points that walk in the first street.
fn agents(diagram: &mut Diagram, side: i32, random: &mut Random) {
    let length = (side * 20_000 - 10_000) as usize;
    let mut places: Vec<Point> = Vec::new();
    let mut ids = Vec::new();
    while ids.len() < 200 {
        let at = Point::new(17_000 + random.below(1_000) as i32, random.below(length) as i32);
        if let Ok(id) = diagram.insert(&Shape::Point(at)) {
            ids.push(id);
            places.push(at);
        }
    }
    let mut times = Vec::new();
    for step in 0..20_000 {
        let k = step % ids.len();
        let at = Point::new(places[k].x + random.below(201) as i32 - 100, places[k].y + 140);
        if at.y >= length as i32 || (at.x - 17_500).abs() > 1_400 {
            continue;
        }
        let start = Instant::now();
        if diagram.replace(ids[k], &Shape::Point(at)).is_ok() {
            places[k] = at;
        }
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    quantiles("moved point", times);
    let start = Instant::now();
    let mut near = None;
    let mut sum = 0.0;
    for i in 0..100_000 {
        let nearest = diagram.nearest(Vec2::new(17_500.0, f64::from(i) * length as f64 / 1e5), near);
        (near, sum) = (Some(nearest.site), sum + nearest.distance);
    }
    println!("  nearest wall: {:.0} ns (sum {sum:.0})", start.elapsed().as_secs_f64() * 1e4);
}

fn main() {
    let side = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(98);
    for is_turned in [false, true] {
        measure(side, is_turned);
    }
}
