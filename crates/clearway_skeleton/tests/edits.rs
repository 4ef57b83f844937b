//! Edits of a diagram: bad input changes nothing, random edits leave only empty discs, replays are equal.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_geometry::Point;
use clearway_geometry::predicates::{cross_properly, on_segment};
use clearway_scenes::Random;
use clearway_skeleton::{Diagram, Shape, ShapeId};

fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

fn world() -> Diagram {
    Diagram::new(p(0, 0), p(10_000, 10_000)).unwrap()
}

fn vertices(diagram: &Diagram) -> Vec<[u64; 3]> {
    let mut all: Vec<[u64; 3]> =
        diagram.vertices().map(|(_, v)| [v.at.x, v.at.y, v.radius].map(f64::to_bits)).collect();
    all.sort_unstable();
    all
}

#[test]
fn bad_shapes_are_refused_and_change_nothing() {
    let mut diagram = world();
    let wall = diagram.insert(&Shape::Segment([p(1_000, 1_000), p(9_000, 1_000)])).unwrap();
    let block =
        diagram.insert(&Shape::Polygon(vec![p(4_000, 4_000), p(6_000, 4_000), p(5_000, 6_000)])).unwrap();
    let before = vertices(&diagram);
    let cases = [
        (Shape::Segment([p(5_000, 500), p(5_000, 1_500)]), "crosses the wall"),
        (Shape::Segment([p(5_000, 500), p(5_000, 9_000)]), "crosses wall and block"),
        (Shape::Point(p(5_000, 1_000)), "lies on the wall"),
        (Shape::Segment([p(5_000, 1_000), p(5_000, 2_000)]), "starts on the wall"),
        (Shape::Segment([p(500, 1_000), p(9_500, 1_000)]), "overlaps the wall"),
        (Shape::Segment([p(2_000, 2_000), p(2_000, 2_000)]), "has no length"),
        (Shape::Point(p(10_001, 0)), "outside"),
        (Shape::Polygon(vec![p(1, 1), p(2, 2)]), "too few corners"),
        (Shape::Polygon(vec![p(100, 100), p(200, 200), p(200, 100), p(100, 200)]), "crosses itself"),
        (Shape::Polygon(vec![p(3_000, 3_000), p(7_000, 3_000), p(5_000, 4_500)]), "meets the block"),
    ];
    for (shape, why) in cases {
        assert!(diagram.insert(&shape).is_err(), "{why}");
        assert!(diagram.replace(wall, &shape).is_err() || why.contains("wall"), "{why}");
        diagram.replace(wall, &Shape::Segment([p(1_000, 1_000), p(9_000, 1_000)])).unwrap();
        let audit = diagram.audit();
        assert!(audit.is_clean(), "{why}: {audit:?}");
        assert_eq!(vertices(&diagram).len(), before.len(), "{why}");
    }
    diagram.remove(block).unwrap();
    assert!(diagram.remove(block).is_err(), "removed twice");
    assert!(diagram.replace(block, &Shape::Point(p(1, 1))).is_err(), "a stale id");
    let again = diagram.insert(&Shape::Point(p(5_000, 5_000))).unwrap();
    assert_ne!(again, block);
    assert!(diagram.remove(block).is_err(), "a stale id after its place is used again");
    assert_eq!(diagram.shape_count(), 2);
}

#[test]
fn shapes_share_corners_and_walls() {
    let mut diagram = world();
    let left =
        diagram.insert(&Shape::Polygon(vec![p(1_000, 1_000), p(2_000, 1_000), p(2_000, 2_000)])).unwrap();
    let right =
        diagram.insert(&Shape::Polygon(vec![p(2_000, 1_000), p(2_000, 2_000), p(3_000, 1_500)])).unwrap();
    let point = diagram.insert(&Shape::Point(p(2_000, 2_000))).unwrap();
    for id in [left, point, right] {
        assert!(diagram.audit().is_clean());
        diagram.remove(id).unwrap();
    }
    assert!(diagram.audit().is_clean());
    assert_eq!(vertices(&diagram), vertices(&world()));
}

/// The walls of a shape; a point counts as a wall of no length.
fn walls(shape: &Shape) -> Vec<[Point; 2]> {
    match shape {
        Shape::Point(at) => vec![[*at, *at]],
        Shape::Segment(ends) => vec![*ends],
        Shape::Polygon(ring) => (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).collect(),
    }
}

/// True if two walls meet elsewhere than at shared ends, by brute force.
fn meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let inside = |p: Point, q: Point, x: Point| x != p && x != q && on_segment(p, q, x);
    cross_properly(a, b, c, d) || inside(a, b, c) || inside(a, b, d) || inside(c, d, a) || inside(c, d, b)
}

/// True if a shape must be accepted beside others.
fn fits(shape: &Shape, others: &[(ShapeId, Shape)]) -> bool {
    let own = walls(shape);
    let has_length = matches!(shape, Shape::Point(_)) || own.iter().all(|[a, b]| a != b);
    let crosses_itself = own.iter().any(|&one| own.iter().any(|&other| meet(one, other)));
    let crosses = |other: &Shape| walls(other).iter().any(|&wall| own.iter().any(|&one| meet(one, wall)));
    has_length && !crosses_itself && !others.iter().any(|(_, other)| crosses(other))
}

/// Puts in, moves and takes out random points, walls and triangles, most of which meet others and are refused.
fn churn(diagram: &mut Diagram, seed: u64, rounds: usize, mut look: impl FnMut(usize, &Diagram)) -> usize {
    let mut random = Random::new(seed);
    let mut alive: Vec<(ShapeId, Shape)> = Vec::new();
    let mut edits = 0;
    for round in 0..rounds {
        let size = if random.chance(0.3) { 4_000 } else { 600 };
        let centre = p(random.below(10_000) as i32, random.below(10_000) as i32);
        let mut corner = || {
            let [dx, dy] = [0; 2].map(|_: i32| random.below(size) as i32 - size as i32 / 2);
            p((centre.x + dx).clamp(0, 10_000), (centre.y + dy).clamp(0, 10_000))
        };
        let shape = match round % 3 {
            0 => Shape::Point(corner()),
            1 => Shape::Segment([corner(), corner()]),
            _ => Shape::Polygon(vec![corner(), corner(), corner()]),
        };
        let done = if alive.len() > 40 || (!alive.is_empty() && random.chance(0.3)) {
            let (id, _) = alive.swap_remove(random.below(alive.len()));
            let is_moved = random.chance(0.5) && diagram.replace(id, &shape).is_ok();
            if is_moved {
                assert!(fits(&shape, &alive), "seed {seed} round {round}: {shape:?}");
                alive.push((id, shape));
            }
            is_moved || diagram.remove(id).is_ok()
        } else {
            let found = diagram.insert(&shape);
            assert_eq!(found.is_ok(), fits(&shape, &alive), "seed {seed} round {round}: {shape:?} {found:?}");
            let is_in = found.is_ok();
            alive.extend(found.map(|id| (id, shape)));
            is_in
        };
        edits += usize::from(done);
        look(round, diagram);
    }
    edits
}

/// A wall that ends at the corner was nearer than the corner itself by rounding.
#[test]
fn a_corner_is_found_behind_the_wall_that_ends_there() {
    for wall in [[p(754, 9_630), p(0, 10_000)], [p(0, 10_000), p(754, 9_630)]] {
        let mut diagram = world();
        diagram.insert(&Shape::Segment(wall)).unwrap();
        diagram.insert(&Shape::Polygon(vec![p(1_734, 8_643), p(1_906, 9_482), p(0, 10_000)])).unwrap();
        assert!(diagram.audit().is_clean());
    }
}

/// `CLEARWAY_EDITS=200000` tries that many edits for each seed.
#[test]
fn random_edits_leave_only_empty_discs() {
    let rounds = std::env::var("CLEARWAY_EDITS").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    for seed in 1..9 {
        let mut diagram = world();
        let edits = churn(&mut diagram, seed, rounds, |round, diagram| {
            if round % 10 == 0 {
                let audit = diagram.audit();
                assert!(audit.is_clean(), "seed {seed} round {round}: {audit:?} {:?}", diagram.counters());
            }
        });
        println!("seed {seed}: {edits} edits, {:?}", diagram.counters());
        assert!(edits * 3 > rounds, "{edits}");
    }
}

#[test]
fn a_replay_is_equal_to_the_bit() {
    let (mut one, mut other) = (world(), world());
    churn(&mut one, 77, 3_000, |_, _| ());
    churn(&mut other, 77, 3_000, |_, _| ());
    assert_eq!(vertices(&one), vertices(&other));
    assert_eq!(one.counters(), other.counters());
}
