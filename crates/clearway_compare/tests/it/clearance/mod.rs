//! Clearance against a brute-force oracle, beside the published method.

mod compared;
mod oracle;

use clearway_build::MeshOptions;
use clearway_build::Quality;
use clearway_compare::published::{self, CrossTable};
use clearway_geometry::{Grid, NONE, Point, Vec2};
use clearway_nav::mesh::{CellId, MeshParts, NavMesh, PortalId, PortalRecord, Side};
use clearway_nav::query::Location;
use clearway_scenes::{Family, PlanDrawing, Random};
use clearway_world::plan::{Plan, PlanPolygon};
use oracle::Oracle;

fn plan_of(drawing: PlanDrawing) -> Plan {
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, ..Plan::default() }
}

fn built(drawing: PlanDrawing, quality: Quality) -> NavMesh {
    MeshOptions::default().quality(quality).build(&plan_of(drawing)).unwrap()
}

fn location(mesh: &NavMesh, cell: u32, at: Vec2) -> Location {
    Location::in_cell(CellId(cell), mesh.parts().grid.place(at))
}

/// Places on a mesh: all peaks, and points within cells.
fn places(mesh: &NavMesh, count: usize, seed: u64) -> Vec<(u32, Vec2)> {
    let mut random = Random::new(seed);
    let mut unit = || random.below(1 << 20) as f64 / f64::from(1 << 20);
    let graph = mesh.peak_graph();
    let mut places = Vec::new();
    for portal in 0..mesh.parts().portals.len() as u32 {
        for peak in graph.peaks_of(portal) {
            let cell = mesh.parts().portals[portal as usize].cells[peak % 2];
            places.push((cell, graph.position(mesh, portal, peak as u32)));
        }
    }
    while places.len() > count {
        places.swap_remove((unit() * places.len() as f64) as usize);
    }
    let layout = mesh.graph();
    for _ in 0..count {
        let cell = (unit() * layout.cell_slots() as f64) as u32;
        let corners = &layout.start[layout.sides(cell)];
        let weights: Vec<f64> = corners.iter().map(|_| unit().powi(3)).collect();
        let sum: f64 = weights.iter().sum();
        let at = corners.iter().zip(&weights).fold(Vec2::default(), |at, (c, w)| at + *c * (w / sum));
        places.push((cell, at));
    }
    places
}

/// Compares all pairs of some places with the oracle; returns how many there were.
fn compare(name: &str, mesh: &NavMesh, step: f64, count: usize, seed: u64) -> usize {
    let oracle = Oracle::new(mesh, step / mesh.unit());
    let places = places(mesh, count, seed);
    let climbs: Vec<_> = places.iter().map(|place| oracle.climb(place.1)).collect();
    let mut compared = 0;
    for (index, (cell, at)) in places.iter().enumerate() {
        let truth = oracle.widest(index, &climbs);
        for ((other, goal), most) in places.iter().zip(truth).skip(index + 1) {
            let ends = [location(mesh, *cell, *at), location(mesh, *other, *goal)];
            let ours = mesh.widest_radius(ends[0], ends[1]);
            assert_eq!(ours, mesh.widest_radius(ends[1], ends[0]), "{name}: not symmetric {ends:?}");
            let ours = ours.unwrap_or(0.0) / mesh.unit();
            let least = (most * most - 0.26 * oracle.step * oracle.step).max(0.0).sqrt();
            // Below a few steps discs slip through the walls of the oracle.
            if most < 2.0 * oracle.step {
                assert!(ours < 2.1 * oracle.step, "{name}: {ours} but at most {most}, {ends:?}");
                continue;
            }
            compared += 1;
            let slack = 2.0 + 1e-6 * most;
            assert!(
                ours >= least - slack && ours <= most + slack,
                "{name}: {} where {} to {} is right, {ends:?}",
                ours * mesh.unit(),
                least * mesh.unit(),
                most * mesh.unit()
            );
        }
    }
    compared
}

#[test]
fn widest_radii_equal_those_of_an_oracle() {
    let mut compared = 0;
    for family in Family::ALL {
        for (seed, quality) in [(0, Quality::Fast), (1, Quality::Default), (2, Quality::Best)] {
            let mesh = built(family.draw(40, seed), quality);
            if mesh.cell_count() == 0 {
                continue;
            }
            let name = format!("{} {seed}", family.name());
            compared += compare(&name, &mesh, 0.05, 20, seed);
        }
    }
    println!("{compared} pairs compared");
    assert!(compared > 10_000, "{compared}");
}

/// A mesh of cells as drawn, in grid units of `unit` metres: sides that two cells share are portals.
fn drawn(exponent: i32, cells: &[&[[f64; 2]]]) -> NavMesh {
    let grid = Grid::new([0.0, 0.0], exponent).unwrap();
    let cells: Vec<Vec<Point>> =
        cells.iter().map(|cell| cell.iter().map(|p| grid.snap(*p).unwrap()).collect()).collect();
    let mut points: Vec<Point> = cells.iter().flatten().copied().collect();
    points.sort_unstable();
    points.dedup();
    let vertex = |p: Point| points.binary_search(&p).unwrap() as u32;
    let side = |cell: &[Point], i: usize| [vertex(cell[i]), vertex(cell[(i + 1) % cell.len()])];
    let mut parts = MeshParts {
        cell_region: (0..cells.len() as u32).collect(),
        cell_component: vec![0; cells.len()],
        region_count: cells.len() as u32,
        component_count: 1,
        ..MeshParts::empty(grid)
    };
    for (index, cell) in cells.iter().enumerate() {
        for i in 0..cell.len() {
            let [from, to] = side(cell, i);
            let beyond = |other: &Vec<Point>| (0..other.len()).any(|j| side(other, j) == [to, from]);
            let known = parts.portals.iter().position(|p| p.vertices == [to, from]);
            let portal = match (known, cells.iter().position(beyond)) {
                (Some(known), _) => known as u32,
                (None, Some(beyond)) => {
                    let record = PortalRecord { vertices: [from, to], cells: [index as u32, beyond as u32] };
                    parts.portals.push(record);
                    parts.portals.len() as u32 - 1
                }
                (None, None) => NONE,
            };
            parts.sides.push(Side { vertex: from, portal });
        }
        parts.first_side.push(parts.sides.len() as u32);
    }
    parts.points = points;
    NavMesh::from_parts(parts).unwrap()
}

/// The portal between two cells.
fn between(mesh: &NavMesh, a: u32, b: u32) -> PortalId {
    let index = mesh.parts().portals.iter().position(|p| p.cells == [a, b] || p.cells == [b, a]).unwrap();
    PortalId(index as u32)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-5
}

/// A spike behind a third portal, opposite the inside of a wall: the published cross sees only its distance to
/// the ends of that wall.
#[test]
fn d1_a_spike_behind_a_third_portal_counts() {
    let mesh = drawn(
        -12,
        &[
            &[[-9.0, 0.0], [9.0, 0.0], [20.0, 2.9], [-20.0, 2.9]],
            &[[-9.0, 0.0], [-20.0, 2.9], [-30.0, -9.0]],
            &[[9.0, 0.0], [30.0, -9.0], [20.0, 2.9]],
            &[[-20.0, 2.9], [20.0, 2.9], [0.0, 3.0]],
            &[[20.0, 2.9], [20.0, 30.0], [2.0, 30.0], [0.0, 3.0]],
            &[[-20.0, 2.9], [0.0, 3.0], [-2.0, 30.0], [-20.0, 30.0]],
        ],
    );
    let (left, right) = (between(&mesh, 0, 1), between(&mesh, 0, 2));
    let published = CrossTable::of(&mesh).width(CellId(0), left, right).unwrap();
    assert!((published - 9.487).abs() < 1e-3, "{published}");
    let ours = mesh.cross_radius(CellId(0), left, right).unwrap();
    assert!(close(ours, 1.5), "{ours}");
    let ends = [(1, [-19.0, -2.0]), (2, [19.0, -2.0])];
    let [a, b] = ends.map(|(cell, position)| Location::in_cell(CellId(cell), position));
    let narrow = mesh.bottleneck(a, b).unwrap();
    let [x, y] = narrow.at.position();
    assert!(close(narrow.radius, 1.5) && close(x, 0.0) && close(y, 1.5), "{narrow:?}");
    assert!(mesh.can_pass(a, b, 1.499) && !mesh.can_pass(a, b, 1.501));
}

/// Two corners on both sides of the portal between two triangles: the published values of the two crosses are
/// both far too wide, because each looks at its own cell only.
#[test]
fn d2_crosses_of_two_cells_do_not_compose() {
    let (a, b, u, z) = ([0.0, 10.0], [0.0, 0.0], [-1.0, 6.5], [1.0, 3.5]);
    let mesh = drawn(-12, &[&[b, a, u], &[b, z, a], &[b, u, [-9.0, 3.0]], &[a, z, [9.0, 7.0]]]);
    let (first, middle, last) = (between(&mesh, 0, 2), between(&mesh, 0, 1), between(&mesh, 1, 3));
    let table = CrossTable::of(&mesh);
    for (cell, from, to) in [(0, first, middle), (1, middle, last)] {
        let published = table.width(CellId(cell), from, to).unwrap();
        assert!((published - 6.576).abs() < 1e-3, "{published}");
    }
    assert!(table.reachable(first, 3.28)[last.index()]);
    let peaks = [first, last].map(|portal| {
        let graph = mesh.peak_graph();
        let peak = graph.peaks_of(portal.0).start as u32;
        location(&mesh, mesh.parts().portals[portal.index()].cells[0], graph.position(&mesh, portal.0, peak))
    });
    let ours = mesh.widest_radius(peaks[0], peaks[1]).unwrap();
    assert!(close(ours, 0.5 * 13f64.sqrt()), "{ours}");
}

/// A wall parallel to a portal and closer than the radius blocks all of it; displaced, it never crosses it.
#[test]
fn d6_a_parallel_wall_blocks_a_portal() {
    let mesh = drawn(
        -12,
        &[
            &[[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [0.0, 1.0]],
            &[[-5.0, -9.0], [15.0, -9.0], [10.0, 0.0], [0.0, 0.0]],
        ],
    );
    let portal = between(&mesh, 0, 1);
    assert_eq!(mesh.free_intervals(portal, 2.0), Vec::<[f64; 2]>::new());
    assert_eq!(mesh.free_intervals(portal, 1.0), [[1.0, 9.0]]);
    assert_eq!(mesh.free_intervals(portal, 0.0), [[0.0, 10.0]]);
    assert!(close(mesh.portal_critical_radius(portal).unwrap(), 1.0));
    let [low, high] = published::shrunk_portal(&mesh, portal, None, 2.0).unwrap();
    assert!(close(low, 2.0) && close(high, 8.0), "{low} {high}");
    assert_eq!(published::critical_radius(&mesh, portal), Some(1.0));
    assert_eq!(published::centre_way_point(&mesh, portal), Some([5.0, 0.0]));
    assert_eq!(published::closest_end_way_point(&mesh, portal, [9.0, -3.0], 2.0), Some([8.0, 0.0]));
}

/// A spike opposite the middle of a portal leaves two intervals.
#[test]
fn d7_a_portal_may_have_two_intervals() {
    let mesh = drawn(
        -12,
        &[
            &[[0.0, 0.0], [10.0, 0.0], [5.0, 1.0]],
            &[[-5.0, -9.0], [15.0, -9.0], [10.0, 0.0], [0.0, 0.0]],
            &[[0.0, 0.0], [5.0, 1.0], [2.0, 9.0]],
            &[[5.0, 1.0], [10.0, 0.0], [8.0, 9.0]],
        ],
    );
    let portal = between(&mesh, 0, 1);
    assert_eq!(mesh.peak_graph().peaks_of(portal.0).len(), 2);
    let half = (1.25f64 * 1.25 - 1.0).sqrt();
    let free = mesh.free_intervals(portal, 1.25);
    assert_eq!(free.len(), 2, "{free:?}");
    let end = 1.25 * 85f64.sqrt() / 9.0;
    assert!(close(free[0][0], end) && close(free[0][1], 5.0 - half), "{free:?}");
    assert!(close(free[1][0], 5.0 + half) && close(free[1][1], 10.0 - end), "{free:?}");
    assert_eq!(mesh.free_intervals(portal, 3.0), Vec::<[f64; 2]>::new());
}

/// Free intervals hold exactly the places that are far enough from every wall.
#[test]
fn free_intervals_equal_dense_samples() {
    for family in [Family::RotatedBoxes, Family::Stars, Family::ThinWalls, Family::TouchingHoles] {
        let mesh = built(family.draw(60, 5), Quality::Default);
        let walls: Vec<[Vec2; 2]> = mesh
            .cells()
            .flat_map(|cell| cell.sides())
            .filter(|side| side.portal.is_none())
            .map(|side| [side.from, side.to].map(|v| mesh.parts().points[v.index()].as_vec2()))
            .collect();
        for (index, portal) in mesh.parts().portals.iter().enumerate() {
            let [from, to] = portal.vertices.map(|v| mesh.parts().points[v as usize].as_vec2());
            let samples: Vec<(f64, f64)> = (0..=50)
                .map(|k| f64::from(k) / 50.0 * from.distance(to))
                .map(|s| (s, from + (to - from).unit() * s))
                .map(|(s, p)| (s, walls.iter().map(move |w| p.distance_to_segment(w[0], w[1]))))
                .map(|(s, distances)| (s, distances.fold(f64::INFINITY, f64::min)))
                .collect();
            for radius in [0.0, 0.1, 0.3, 1.0, 2.0, 4.0] {
                let free = mesh.free_intervals(PortalId(index as u32), radius);
                assert!(free.windows(2).all(|pair| pair[0][1] < pair[1][0]), "{free:?}");
                for (s, d) in &samples {
                    let (s, d) = (s * mesh.unit(), d * mesh.unit());
                    let inside = free.iter().any(|[low, high]| (*low..=*high).contains(&s));
                    assert!(
                        inside == (d >= radius) || (d - radius).abs() < 1e-6,
                        "{s} {d} {radius} {free:?}"
                    );
                }
            }
        }
    }
}

/// Geometry that no build makes must not bring anything down.
#[test]
fn broken_geometry_is_harmless() {
    let mut random = Random::new(9);
    for round in 0..200 {
        let mut parts = built(Family::RotatedBoxes.draw(24, round % 5), Quality::Fast).into_parts();
        for _ in 0..1 + random.below(6) {
            let (to, from) = (random.below(parts.points.len()), random.below(parts.points.len()));
            parts.points[to] = if random.chance(0.5) { parts.points[from] } else { Point::new(1 << 27, -7) };
        }
        let mesh = NavMesh::from_parts_of_any_shape(parts).unwrap();
        for portal in 0..mesh.parts().portals.len() as u32 {
            mesh.free_intervals(PortalId(portal), 0.7);
        }
        let places = places(&mesh, 6, round);
        for ((a, at), (b, goal)) in places.iter().zip(places.iter().rev()) {
            mesh.bottleneck(location(&mesh, *a, *at), location(&mesh, *b, *goal));
        }
        let (bytes, is_convex) = (mesh.encode(), NavMesh::from_parts(mesh.into_parts()).is_ok());
        match NavMesh::decode(&bytes) {
            Ok(mesh) => assert!(is_convex && mesh.encode() == bytes),
            Err(error) => assert!(!is_convex, "{error}"),
        }
    }
}

#[test]
fn locations_of_other_meshes_are_off_this_one() {
    let mesh = built(Family::Boxes.draw(40, 1), Quality::Fast);
    let here = location(&mesh, 0, mesh.graph().start[0]);
    let elsewhere = Location::in_cell(CellId(0), [1e6, 1e6]);
    let missing = Location::in_cell(CellId(99_999), here.position());
    assert_eq!(mesh.widest_radius(here, here), Some(0.0), "a corner is on a wall");
    for stale in [elsewhere, missing] {
        assert_eq!(mesh.widest_radius(here, stale), None);
        assert_eq!(mesh.bottleneck(stale, here), None);
        assert!(!mesh.can_pass(stale, here, 0.0));
    }
    assert!(mesh.can_pass(here, here, 0.0) && !mesh.can_pass(here, here, -1.0));
    assert!(!mesh.can_pass(here, here, f64::NAN));
    assert_eq!(mesh.portal_critical_radius(PortalId(99_999)), None);
    assert_eq!(mesh.cross_radius(CellId(0), PortalId(99_999), PortalId(0)), None);
    assert!(mesh.free_intervals(PortalId(0), f64::NAN).is_empty());
}

/// Smaller discs may be wherever larger ones may, and no graph takes much more than 40 bytes per portal.
#[test]
fn free_intervals_shrink_and_graphs_are_small() {
    for family in Family::ALL {
        let mesh = built(family.draw(300, 4), Quality::Default);
        let (bytes, portals) = (mesh.peak_graph().bytes(), mesh.parts().portals.len());
        assert!(bytes <= 42 * portals, "{}: {bytes} bytes for {portals} portals", family.name());
        for portal in (0..portals as u32).map(PortalId) {
            let mut wider = mesh.free_intervals(portal, 0.0);
            for radius in [0.05, 0.2, 0.5, 1.0, 3.0] {
                let free = mesh.free_intervals(portal, radius);
                let held = |[low, high]: &[f64; 2]| wider.iter().any(|[a, b]| a <= low && high <= b);
                assert!(free.iter().all(held), "{} {portal} {radius}: {free:?} in {wider:?}", family.name());
                wider = free;
            }
        }
    }
}

/// Where a way is narrowest, a disc of that radius touches a wall, and a larger one does not fit.
#[test]
fn bottlenecks_are_where_walls_touch() {
    let mesh = built(Family::Stars.draw(80, 3), Quality::Default);
    let places = places(&mesh, 40, 1);
    let walls = || mesh.cells().flat_map(|cell| cell.sides()).filter(|side| side.portal.is_none());
    for ((a, at), (b, goal)) in places.iter().zip(places.iter().rev()) {
        let (from, to) = (location(&mesh, *a, *at), location(&mesh, *b, *goal));
        let Some(narrow) = mesh.bottleneck(from, to) else { continue };
        assert_eq!(Some(narrow.radius), mesh.widest_radius(from, to));
        let place = mesh.parts().grid.units(narrow.at.position());
        let touching = walls().map(|side| {
            let [a, b] = [side.from, side.to].map(|v| mesh.parts().points[v.index()].as_vec2());
            place.distance_to_segment(a, b) * mesh.unit()
        });
        let nearest = touching.fold(f64::INFINITY, f64::min);
        assert!((nearest - narrow.radius).abs() < 1e-5, "{nearest} {narrow:?}");
    }
}

/// A vertex on no wall, where a portal ends on two others: distances do not come down to zero there.
#[test]
fn portals_may_end_away_from_walls() {
    let below: &[[f64; 2]] =
        &[[-2.0, 0.0], [10.0, 0.0], [10.0, 2.0], [8.0, 2.0], [4.0, 2.0], [0.0, 2.0], [-2.0, 2.0]];
    let left: &[[f64; 2]] = &[[0.0, 2.0], [4.0, 2.0], [4.0, 6.0], [0.0, 8.0]];
    let right: &[[f64; 2]] = &[[4.0, 2.0], [8.0, 2.0], [8.0, 8.0], [4.0, 6.0]];
    let mesh = drawn(-16, &[below, left, right]);
    assert!(mesh.check().is_empty(), "{:?}", mesh.check());
    assert!(compare("inner vertex", &mesh, 0.01, 20, 1) > 200);
    assert_eq!(mesh.free_intervals(between(&mesh, 0, 1), 1.0)[0].len(), 2);
    assert!(close(mesh.free_intervals(between(&mesh, 0, 1), 1.0)[0][0], 0.0));
}
