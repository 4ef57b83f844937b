//! Brute-force checks of a partition, written for clarity: every pair of cells, many points, exact integers.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, NavMesh, Plan, Quality};
use clearway_scenes::{Family, PlanDrawing, Random};

type Point = [i64; 2];

/// Twice the signed area of a triangle.
fn turn(a: Point, b: Point, c: Point) -> i128 {
    let [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]].map(i128::from);
    ux * vy - uy * vx
}

fn doubled_area(ring: &[Point]) -> i128 {
    (1..ring.len().max(2) - 1).map(|i| turn(ring[0], ring[i], ring[i + 1])).sum()
}

/// Whether a point is inside a convex counter-clockwise ring, or on its border.
fn covers(cell: &[Point], p: Point) -> bool {
    (0..cell.len()).all(|i| turn(cell[i], cell[(i + 1) % cell.len()], p) >= 0)
}

/// Whether a line along a side of one of two convex rings has the rings on different sides.
fn are_apart(p: &[Point], q: &[Point]) -> bool {
    let separates = |p: &[Point], q: &[Point]| {
        (0..p.len()).any(|i| q.iter().all(|point| turn(p[i], p[(i + 1) % p.len()], *point) <= 0))
    };
    separates(p, q) || separates(q, p)
}

/// Whether a ring winds around a point that is not on it.
fn winds_around(ring: &[Point], p: Point) -> bool {
    let mut winding = 0;
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        if (a[1] <= p[1]) != (b[1] <= p[1]) && (turn(a, b, p) > 0) == (b[1] > a[1]) {
            winding += if b[1] > a[1] { 1 } else { -1 };
        }
    }
    winding != 0
}

fn is_on(ring: &[Point], p: Point) -> bool {
    (0..ring.len()).any(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let between = |k: usize| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]);
        turn(a, b, p) == 0 && between(0) && between(1)
    })
}

/// A drawing of clean polygons with whole coordinates below `extent`.
struct IntegerPlan {
    polygons: Vec<(Vec<Point>, Vec<Vec<Point>>)>,
}

impl IntegerPlan {
    fn of(drawing: &PlanDrawing, extent: f64) -> IntegerPlan {
        let size = drawing
            .polygons
            .iter()
            .flat_map(|(outline, _)| outline)
            .flatten()
            .fold(1.0, |m: f64, c| m.max(c.abs()));
        let ring = |ring: &Vec<[f64; 2]>| -> Vec<Point> {
            let mut points: Vec<Point> =
                ring.iter().map(|p| p.map(|c| (c / size * extent).round() as i64)).collect();
            points.dedup();
            points
        };
        let polygons = drawing.polygons.iter();
        IntegerPlan { polygons: polygons.map(|(o, h)| (ring(o), h.iter().map(ring).collect())).collect() }
    }

    fn plan(&self) -> Plan {
        let ring = |ring: &Vec<Point>| ring.iter().map(|p| p.map(|c| c as f64)).collect();
        let polygon = |(outline, holes): &(Vec<Point>, Vec<Vec<Point>>)| PlanPolygon {
            outline: ring(outline),
            holes: holes.iter().map(ring).collect(),
        };
        Plan { polygons: self.polygons.iter().map(polygon).collect(), ..Default::default() }
    }

    fn doubled_area(&self) -> i128 {
        let polygon = |(outline, holes): &(Vec<Point>, Vec<Vec<Point>>)| {
            doubled_area(outline).abs() - holes.iter().map(|h| doubled_area(h).abs()).sum::<i128>()
        };
        self.polygons.iter().map(polygon).sum()
    }

    fn is_walkable(&self, p: Point) -> bool {
        self.polygons.iter().any(|(outline, holes)| {
            winds_around(outline, p) && !holes.iter().any(|hole| winds_around(hole, p))
        })
    }

    fn rings(&self) -> impl Iterator<Item = &Vec<Point>> {
        self.polygons.iter().flat_map(|(outline, holes)| std::iter::once(outline).chain(holes))
    }
}

/// The cells as whole coordinates: the grid unit is one.
fn cells(mesh: &NavMesh) -> Vec<Vec<Point>> {
    mesh.cells().map(|cell| cell.outline().map(|p| p.map(|c| c as i64)).collect()).collect()
}

fn check(drawn: &IntegerPlan, quality: Quality, seed: u64) {
    let options = MeshOptions::default().quality(quality).grid(Some(1.0));
    let mesh = options.build(&drawn.plan()).unwrap();
    let cells = cells(&mesh);
    for (i, p) in cells.iter().enumerate() {
        assert!(
            (0..p.len()).all(|k| turn(p[k], p[(k + 1) % p.len()], p[(k + 2) % p.len()]) >= 0),
            "cell {i} is not convex"
        );
        assert!(doubled_area(p) > 0);
        for (j, q) in cells.iter().enumerate().skip(i + 1) {
            assert!(are_apart(p, q), "cells {i} and {j} overlap: {p:?} {q:?}");
        }
    }
    let covered: i128 = cells.iter().map(|cell| doubled_area(cell)).sum();
    let missing = drawn.doubled_area() - covered;
    let border: f64 = drawn.rings().map(|ring| perimeter(ring)).sum();
    let most = if quality == Quality::Fast { 0 } else { (2.0 * border) as i128 };
    assert!((0..=most).contains(&missing), "{missing} of doubled area missing, at most {most}");
    check_points(drawn, &cells, quality, seed);
}

fn perimeter(ring: &[Point]) -> f64 {
    (0..ring.len())
        .map(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            ((a[0] - b[0]) as f64).hypot((a[1] - b[1]) as f64)
        })
        .sum()
}

/// Points anywhere: in a cell if and only if walkable, one unit beside new wall points aside.
fn check_points(drawn: &IntegerPlan, cells: &[Vec<Point>], quality: Quality, seed: u64) {
    let mut random = Random::new(seed);
    let extent = drawn.rings().flatten().map(|p| p[0].max(p[1])).max().unwrap_or(1);
    for _ in 0..300 {
        let p = [0, 1].map(|_| random.below(extent as usize + 1) as i64);
        if drawn.rings().any(|ring| is_on(ring, p)) {
            continue;
        }
        let covered = cells.iter().any(|cell| covers(cell, p));
        let walkable = drawn.is_walkable(p);
        assert!(!covered || walkable, "{p:?} is covered but not walkable");
        if quality == Quality::Fast {
            assert_eq!(covered, walkable, "{p:?}");
        }
    }
}

#[test]
fn small_plans_are_partitioned_exactly() {
    let clean = [
        Family::Boxes,
        Family::RotatedBoxes,
        Family::Caves,
        Family::ConvexObstacles,
        Family::Mazes,
        Family::SimplePolygons,
        Family::Combs,
        Family::Spirals,
        Family::CollinearRuns,
        Family::Circles,
    ];
    for family in clean {
        for seed in 0..3 {
            let drawn = IntegerPlan::of(&family.draw(90, seed), f64::from(1 << 20));
            for quality in [Quality::Fast, Quality::Default, Quality::Best] {
                check(&drawn, quality, seed);
            }
        }
    }
}
