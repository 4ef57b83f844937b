//! Edits of a diagram: bad input changes nothing, random edits leave only empty discs, replays are equal.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_geometry::predicates::{cross_properly, on_segment};
use clearway_geometry::{Point, Vec2};
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
        (Shape::Segment([p(2_000, 2_000), p(2_000, 2_000)]), "has no length"),
        (Shape::Point(p(10_001, 0)), "outside"),
        (Shape::Polygon(vec![p(1, 1), p(2, 2)]), "too few corners"),
    ];
    for (shape, why) in cases {
        assert!(diagram.insert(&shape).is_err(), "{why}");
        assert!(diagram.replace(wall, &shape).is_err(), "{why}");
        assert!(diagram.audit().is_clean(), "{why}");
        assert_eq!(vertices(&diagram), before, "{why}");
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
fn shapes_that_meet_are_split_and_become_whole_again() {
    let mut diagram = world();
    let wall = diagram.insert(&Shape::Segment([p(1_000, 1_000), p(9_000, 1_001)])).unwrap();
    let block =
        diagram.insert(&Shape::Polygon(vec![p(4_000, 4_000), p(6_000, 4_000), p(5_000, 6_000)])).unwrap();
    let before = vertices(&diagram);
    let pieces = |diagram: &Diagram, id: ShapeId| diagram.sites_of(id).unwrap()[1].len();
    let cases = [
        (Shape::Segment([p(5_000, 500), p(5_000, 1_500)]), 2, 3, "crosses the wall"),
        (Shape::Segment([p(5_000, 500), p(5_000, 9_000)]), 2, 4, "crosses wall and block"),
        (Shape::Point(p(9_000, 1_001)), 1, 3, "lies on an end"),
        (Shape::Segment([p(9_000, 1_001), p(9_000, 2_000)]), 1, 3, "starts at an end"),
        (Shape::Segment([p(500, 999), p(9_500, 1_001)]), 1, 3, "nearly overlaps the wall"),
        (Shape::Segment([p(1_000, 1_000), p(9_000, 1_001)]), 1, 3, "is the wall again"),
        (Shape::Polygon(vec![p(100, 100), p(200, 200), p(200, 100), p(100, 200)]), 1, 3, "crosses itself"),
        (Shape::Polygon(vec![p(3_000, 3_000), p(7_000, 3_000), p(5_000, 4_500)]), 1, 5, "meets the block"),
        (Shape::Polygon(vec![p(0, 0), p(10_000, 0), p(10_000, 10_000), p(0, 10_000)]), 1, 3, "holds all"),
    ];
    for (shape, of_wall, of_block, why) in cases {
        let id = diagram.insert(&shape).unwrap_or_else(|error| panic!("{why}: {error}"));
        let audit = diagram.audit();
        assert!(audit.is_clean(), "{why}: {audit:?}");
        assert!(pieces(&diagram, wall) >= of_wall, "{why}: {}", pieces(&diagram, wall));
        assert!(pieces(&diagram, block) >= of_block, "{why}: {}", pieces(&diagram, block));
        assert_eq!(diagram.drawn(id), Some(shape), "{why}");
        diagram.remove(id).unwrap();
        assert_eq!([pieces(&diagram, wall), pieces(&diagram, block)], [1, 3], "{why}");
        let audit = diagram.audit();
        assert!(audit.is_clean(), "{why}: {audit:?}");
        assert_eq!(vertices(&diagram).len(), before.len(), "{why}");
    }
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

/// The distance of a place from drawn walls, by brute force.
fn distance(at: Vec2, walls: &[[Point; 2]]) -> f64 {
    let each = walls.iter().map(|[a, b]| at.distance_to_segment(a.as_vec2(), b.as_vec2()));
    each.fold(f64::INFINITY, f64::min)
}

/// Checks by brute force that no two sites meet, that each shape's pieces lie along what was drawn, and clearances.
fn verify(diagram: &Diagram, alive: &[(ShapeId, Shape)], random: &mut Random, when: &str) {
    let ends = |site| diagram.site_ends(site).unwrap().map(|at| p(at.x as i32, at.y as i32));
    let mut all: Vec<[Point; 2]> = Vec::new();
    for (id, shape) in alive {
        let [points, segments] = diagram.sites_of(*id).unwrap();
        let own: Vec<[Point; 2]> = segments.into_iter().chain(points).map(ends).collect();
        for [a, b] in walls(shape) {
            for step in 0..=8 {
                let at = a.as_vec2() + (b.as_vec2() - a.as_vec2()) * (f64::from(step) / 8.0);
                assert!(distance(at, &own) <= 2.0, "{when}: {shape:?} is not covered at {at:?}");
            }
        }
        for [a, b] in &own {
            assert!(distance(a.as_vec2(), &walls(shape)) <= 2.0, "{when}: {a:?} is off {shape:?}");
            assert!(distance(b.as_vec2(), &walls(shape)) <= 2.0, "{when}: {b:?} is off {shape:?}");
        }
        all.extend(own);
    }
    all.sort_unstable();
    all.dedup();
    for (i, &one) in all.iter().enumerate() {
        assert!(!all[..i].iter().any(|&other| meet(one, other)), "{when}: {one:?} meets another site");
    }
    let drawn: Vec<[Point; 2]> = alive.iter().flat_map(|(_, shape)| walls(shape)).collect();
    for _ in 0..20 {
        let at = Vec2::new(random.range(0.0, 10_000.0), random.range(0.0, 10_000.0));
        let found = diagram.nearest(at, None).distance;
        let expected = distance(at, &drawn);
        // The frame lies an eighth of the world outside.
        assert!(found > 1_250.0 || (found - expected).abs() <= 2.0, "{when}: {found} {expected}");
    }
}

/// Puts in, moves and takes out random points, walls and triangles, most of which meet others.
fn churn(
    diagram: &mut Diagram,
    seed: u64,
    rounds: usize,
    mut look: impl FnMut(usize, &Diagram, &[(ShapeId, Shape)]),
) {
    let mut random = Random::new(seed);
    let mut alive: Vec<(ShapeId, Shape)> = Vec::new();
    for round in 0..rounds {
        let size = if random.chance(0.1) { 4_000 } else { 600 };
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
        let has_length = matches!(shape, Shape::Point(_)) || walls(&shape).iter().all(|[a, b]| a != b);
        let when = format!("seed {seed} round {round}");
        if alive.len() > 40 || (!alive.is_empty() && random.chance(0.3)) {
            let place = random.below(alive.len());
            if random.chance(0.5) {
                let moved = diagram.replace(alive[place].0, &shape);
                assert_eq!(moved.is_ok(), has_length, "{when}: {shape:?} {moved:?}");
                if has_length {
                    alive[place].1 = shape;
                }
            } else {
                let (id, _) = alive.swap_remove(place);
                diagram.remove(id).unwrap_or_else(|error| panic!("{when}: {error}"));
            }
        } else {
            let found = diagram.insert(&shape);
            assert_eq!(found.is_ok(), has_length, "{when}: {shape:?} {found:?}");
            alive.extend(found.map(|id| (id, shape)));
        }
        look(round, diagram, &alive);
    }
    for (id, _) in alive {
        diagram.remove(id).unwrap();
    }
    assert_eq!(vertices(diagram), vertices(&world()), "seed {seed}: the empty world is not the same");
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
    let rounds = std::env::var("CLEARWAY_EDITS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    for seed in 1..9 {
        let mut diagram = world();
        let mut random = Random::new(seed + 100);
        churn(&mut diagram, seed, rounds, |round, diagram, alive| {
            if round % 10 == 0 {
                let when = format!("seed {seed} round {round}");
                let audit = diagram.audit();
                assert!(audit.is_clean(), "{when}: {audit:?} {:?}", diagram.counters());
                verify(diagram, alive, &mut random, &when);
            }
        });
        println!("seed {seed}: {:?}", diagram.counters());
    }
}

#[test]
fn a_build_splits_like_edits() {
    for seed in 1..9 {
        let (mut shapes, mut random) = (Vec::new(), Random::new(seed));
        churn(&mut world(), seed, 200, |round, _, alive| {
            if round == 199 {
                shapes = alive.iter().map(|(_, shape)| shape.clone()).collect();
            }
        });
        let (mut built, ids) = Diagram::build(p(0, 0), p(10_000, 10_000), &shapes).unwrap();
        assert!(built.audit().is_clean(), "seed {seed}");
        let alive: Vec<(ShapeId, Shape)> = ids.iter().copied().zip(shapes.iter().cloned()).collect();
        verify(&built, &alive, &mut random, &format!("seed {seed}"));
        let mut grown = world();
        for shape in &shapes {
            grown.insert(shape).unwrap();
        }
        assert_eq!(vertices(&built).len(), vertices(&grown).len(), "seed {seed}");
        ids.into_iter().for_each(|id| built.remove(id).unwrap());
        assert_eq!(vertices(&built), vertices(&world()));
    }
}

#[test]
fn a_replay_is_equal_to_the_bit() {
    let replay = || {
        let mut seen = Vec::new();
        let mut diagram = world();
        churn(&mut diagram, 77, 1_000, |_, diagram, _| seen.push(vertices(diagram)));
        (seen, diagram.counters())
    };
    assert_eq!(replay(), replay());
}

/// The cell of a point between two walls that run straight on is a line, where the search for a place got stuck.
#[test]
fn a_place_is_found_straight_ahead_of_a_point_in_a_wall() {
    let mut diagram = world();
    for wall in [[p(0, 0), p(0, 4_000)], [p(0, 4_000), p(0, 10_000)], [p(10_000, 4_000), p(4_000, 4_000)]] {
        diagram.insert(&Shape::Segment(wall)).unwrap();
    }
    let corner = diagram.nearest(Vec2::new(0.0, 4_000.0), None).site;
    assert_eq!(diagram.nearest(Vec2::new(4_000.0, 4_000.0), Some(corner)).distance, 0.0);
    diagram.insert(&Shape::Segment([p(4_000, 4_000), p(4_000, 10_000)])).unwrap();
    assert!(diagram.audit().is_clean());
}
