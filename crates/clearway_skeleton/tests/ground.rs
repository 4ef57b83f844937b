//! Obstacles that cross walls and each other: the walkable ground by brute force, and changes of the mesh's walls.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_geometry::predicates::orient;
use clearway_geometry::{Grid, NONE, Point, Vec2};
use clearway_nav::mesh::{PortalRecord, Side};
use clearway_nav::{MeshParts, NavMesh};
use clearway_scenes::Random;
use clearway_skeleton::{MeshWall, Shape, ShapeId, Skeleton};

fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

/// A room in the form of an L: three rectangles of a box of 10,000 by 10,000.
fn room() -> NavMesh {
    let mut parts = MeshParts::empty(Grid::new([0.0, 0.0], -10).unwrap());
    parts.points = [(0, 0), (4, 0), (10, 0), (0, 4), (4, 4), (10, 4), (0, 10), (4, 10)]
        .map(|(x, y)| p(x * 1_000, y * 1_000))
        .to_vec();
    parts.portals = vec![
        PortalRecord { vertices: [1, 4], cells: [0, 1] },
        PortalRecord { vertices: [4, 3], cells: [0, 2] },
    ];
    let rings = [
        [(0, NONE), (1, 0), (4, 1), (3, NONE)],
        [(1, NONE), (2, NONE), (5, NONE), (4, 0)],
        [(3, 1), (4, NONE), (7, NONE), (6, NONE)],
    ];
    for ring in rings {
        parts.sides.extend(ring.map(|(vertex, portal)| Side { vertex, portal }));
        parts.first_side.push(parts.sides.len() as u32);
    }
    parts.cell_region = vec![0; 3];
    parts.region_count = 1;
    (parts.cell_component, parts.component_count) = (vec![0; 3], 1);
    NavMesh::from_parts(parts).unwrap_or_else(|flaws| panic!("{flaws:?}"))
}

/// True if a place of the room lies on the ground and in no polygon; walls must be farther away than the rounding.
fn is_free(at: Vec2, shapes: &[(ShapeId, Shape)]) -> bool {
    let in_box = |x: f64, y: f64| at.x > 0.0 && at.y > 0.0 && at.x < x && at.y < y;
    let spot = p(at.x.round() as i32, at.y.round() as i32);
    let holds = |shape: &Shape| {
        let Shape::Polygon(ring) = shape else { return false };
        let turns = [0, 1, 2].map(|i| orient(ring[i], ring[(i + 1) % 3], spot).signum());
        turns[0] == turns[1] && turns[1] == turns[2]
    };
    (in_box(10_000.0, 4_000.0) || in_box(4_000.0, 10_000.0)) && !shapes.iter().any(|(_, shape)| holds(shape))
}

fn check(skeleton: &Skeleton, shapes: &[(ShapeId, Shape)], when: &str) {
    let audit = skeleton.diagram().audit();
    assert!(audit.is_clean(), "{when}: {audit:?}");
    let wall = Some(Shape::Segment([p(4_000, 4_000), p(4_000, 10_000)]));
    let is_there = skeleton.diagram().shape_ids().any(|id| skeleton.diagram().drawn(id) == wall);
    assert!(is_there, "{when}: a wall of the mesh is gone");
    for id in skeleton.diagram().shape_ids() {
        let ([points, segments], shape) =
            (skeleton.diagram().sites_of(id).unwrap(), skeleton.diagram().drawn(id).unwrap());
        let corners = match &shape {
            Shape::Point(at) => vec![*at],
            Shape::Segment(ends) => ends.to_vec(),
            Shape::Polygon(ring) => ring.clone(),
        };
        for i in 0..corners.len() {
            let [a, b] = [corners[i], corners[(i + 1) % corners.len()]].map(Point::as_vec2);
            let near = |at: Vec2| {
                let sites = segments.iter().chain(&points);
                sites
                    .map(|&site| skeleton.diagram().site_ends(site).unwrap())
                    .any(|[c, d]| at.distance_to_segment(c, d) <= 2.0)
            };
            let is_covered = (0..=16).all(|k| near(a + (b - a) * (f64::from(k) / 16.0)));
            assert!(is_covered, "{when}: {id:?} {shape:?} is not covered: {segments:?}");
        }
    }
    for (id, vertex) in skeleton.diagram().vertices().filter(|(_, vertex)| vertex.radius > 4.0) {
        let expected = is_free(vertex.at, shapes);
        let ends = vertex.sites.map(|site| skeleton.diagram().site_ends(site));
        let nearest = skeleton.diagram().nearest(vertex.at, None);
        assert_eq!(
            skeleton.is_free(id),
            expected,
            "{when}: {vertex:?} of {ends:?}, {nearest:?} among {shapes:?}"
        );
    }
}

/// `CLEARWAY_EDITS=20000` tries that many edits for each seed.
#[test]
fn obstacles_may_cross_walls_and_each_other() {
    let rounds = std::env::var("CLEARWAY_EDITS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    for seed in 1..6 {
        let mut skeleton = Skeleton::build(&room()).unwrap();
        let before = skeleton.vertices().count();
        let mut random = Random::new(seed);
        let mut alive: Vec<(ShapeId, Shape)> = Vec::new();
        for round in 0..rounds {
            let size = [300, 1_500, 6_000][random.below(3)];
            let centre = p(random.below(10_000) as i32, random.below(10_000) as i32);
            let mut corner = || {
                let [dx, dy] = [0; 2].map(|_: i32| random.below(size) as i32 - size as i32 / 2);
                p((centre.x + dx).clamp(0, 10_000), (centre.y + dy).clamp(0, 10_000))
            };
            let shape = match round % 4 {
                0 => Shape::Point(corner()),
                1 => Shape::Segment([corner(), corner()]),
                _ => Shape::Polygon(vec![corner(), corner(), corner()]),
            };
            let when = format!("seed {seed} round {round}");
            if alive.len() > 12 || (!alive.is_empty() && random.chance(0.4)) {
                let place = random.below(alive.len());
                if random.chance(0.5) {
                    if skeleton.replace(alive[place].0, &shape).is_ok() {
                        alive[place].1 = shape;
                    }
                } else {
                    skeleton.remove(alive.swap_remove(place).0).unwrap();
                }
            } else if let Ok(id) = skeleton.insert(&shape) {
                alive.push((id, shape));
            }
            check(&skeleton, &alive, &when);
        }
        for (id, _) in alive.drain(..) {
            skeleton.remove(id).unwrap();
        }
        check(&skeleton, &[], "the end");
        assert_eq!(skeleton.vertices().count(), before, "seed {seed}");
    }
}

#[test]
fn an_obstacle_around_others_hides_them() {
    let mut skeleton = Skeleton::build(&room()).unwrap();
    let square = |x: i32, size: i32| {
        Shape::Polygon(vec![p(x, x), p(x + size, x), p(x + size, x + size), p(x, x + size)])
    };
    let free = |skeleton: &Skeleton| skeleton.vertices().count();
    let count = free(&skeleton);
    let inner = skeleton.insert(&square(1_900, 200)).unwrap();
    let with_inner = free(&skeleton);
    let outer = skeleton.insert(&square(1_000, 2_000)).unwrap();
    skeleton.remove(inner).unwrap();
    let with_outer = free(&skeleton);
    let inner = skeleton.insert(&square(1_900, 200)).unwrap();
    assert_eq!(free(&skeleton), with_outer, "what lies inside another is not seen");
    skeleton.remove(outer).unwrap();
    assert_eq!(free(&skeleton), with_inner);
    skeleton.remove(inner).unwrap();
    assert_eq!(free(&skeleton), count);
    let bow_tie = Shape::Polygon(vec![p(100, 100), p(900, 900), p(900, 100), p(100, 900)]);
    assert!(skeleton.insert(&bow_tie).unwrap_err().to_string().contains("itself"));
    assert_eq!(free(&skeleton), count);
}

#[test]
fn changes_of_the_mesh_are_followed() {
    let mesh = room();
    let mut skeleton = Skeleton::build(&mesh).unwrap();
    let free = |skeleton: &Skeleton| skeleton.vertices().count();
    let count = free(&skeleton);
    let ring = [p(1_000, 1_000), p(1_000, 2_000), p(2_000, 2_000), p(2_000, 1_000)];
    let pillar: Vec<MeshWall> = (0..4).map(|i| [ring[i], ring[(i + 1) % 4]]).collect();
    skeleton.apply_walls(&[], &pillar).unwrap();
    assert!(skeleton.diagram().audit().is_clean());
    let clearance = |skeleton: &Skeleton| skeleton.clearance(skeleton.place(Vec2::new(800.0, 1_500.0)), None);
    assert_eq!(clearance(&skeleton).unwrap().distance, 200.0 * skeleton.unit());
    let is_free = |skeleton: &Skeleton, x: f64, y: f64| {
        skeleton.retract(skeleton.place(Vec2::new(x, y)), None).is_some()
    };
    assert!(!is_free(&skeleton, 1_500.0, 1_400.0) && is_free(&skeleton, 500.0, 1_500.0));
    let missing = [p(5, 5), p(6, 6)];
    assert!(skeleton.apply_walls(&[pillar[0], missing], &[]).is_err(), "a wall that is not there");
    assert!(skeleton.apply_walls(&[], &[pillar[0]]).is_err(), "a wall that is there already");
    assert!(skeleton.apply_walls(&[], &[[p(0, 0), p(20_000, 0)]]).is_err(), "outside");
    assert_eq!(clearance(&skeleton).unwrap().distance, 200.0 * skeleton.unit());
    assert!(skeleton.tie(&mesh).is_ok());
    skeleton.apply_walls(&pillar, &[]).unwrap();
    assert!(skeleton.diagram().audit().is_clean());
    assert_eq!(free(&skeleton), count);
    assert!(skeleton.floors(&mesh).cell(skeleton.vertices().next().unwrap().0).is_some());
}
