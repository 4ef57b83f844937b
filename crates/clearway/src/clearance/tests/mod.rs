mod oracle;

use crate::mesh::{CellId, MeshOptions, NavMesh, PortalId, Quality};
use crate::plan::{Plan, PlanPolygon};
use crate::query::Location;
use clearway_geometry::Vec2;
use clearway_scenes::{Family, PlanDrawing, Random};
use oracle::Oracle;

fn plan_of(drawing: PlanDrawing) -> Plan {
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, notes: Vec::new() }
}

fn built(drawing: PlanDrawing, quality: Quality) -> NavMesh {
    NavMesh::build(&plan_of(drawing), &MeshOptions { quality, ..MeshOptions::default() }).unwrap()
}

fn location(mesh: &NavMesh, cell: u32, at: Vec2) -> Location {
    Location { cell: CellId(cell), position: mesh.grid.place(at) }
}

/// Places on a mesh: all peaks, and points within cells.
fn places(mesh: &NavMesh, count: usize, seed: u64) -> Vec<(u32, Vec2)> {
    let mut random = Random::new(seed);
    let mut unit = || random.below(1 << 20) as f64 / f64::from(1 << 20);
    let graph = mesh.peak_graph();
    let mut places = Vec::new();
    for portal in 0..mesh.portals.len() as u32 {
        for peak in graph.peaks_of(portal) {
            let cell = mesh.portals[portal as usize].cells[peak % 2];
            places.push((cell, graph.position(mesh, portal, peak as u32)));
        }
    }
    while places.len() > count {
        places.swap_remove((unit() * places.len() as f64) as usize);
    }
    let layout = mesh.layout();
    for _ in 0..count {
        let cell = (unit() * layout.cell_count() as f64) as u32;
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
    let goals: Vec<Vec2> = places.iter().map(|place| place.1).collect();
    let mut compared = 0;
    for (index, (cell, at)) in places.iter().enumerate() {
        let truth = oracle.widest(*at, &goals[index + 1..]);
        for ((other, goal), most) in places[index + 1..].iter().zip(truth) {
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

#[test]
fn bench() {
    for (name, drawing) in [
        ("boxes", Family::Boxes.draw(20000, 1)),
        ("convex", Family::ConvexObstacles.draw(20000, 1)),
        ("caves", Family::Caves.draw(20000, 1)),
        ("mazes", Family::Mazes.draw(20000, 1)),
        ("circles", Family::Circles.draw(20000, 1)),
        ("stars", Family::Stars.draw(20000, 1)),
        ("combs", Family::Combs.draw(20000, 1)),
        ("spikes", Family::Spikes.draw(20000, 1)),
        ("ward", clearway_scenes::hospital_ward(1)),
    ] {
        let mesh = built(drawing, Quality::Default);
        mesh.layout();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (graph, time) = pool.install(|| {
            let start = cpu();
            let graph = super::super::mesh::PeakGraph::of(&mesh);
            (graph, (cpu() - start) * 1e6)
        });
        mesh.peak_graph();
        let cells = mesh.cell_count() as f64;
        let peaks = graph.peaks.len() as f64 / mesh.portals.len() as f64;
        let degree = 2.0 * mesh.portals.len() as f64 / cells;
        let places = places(&mesh, 2000, 3);
        let ends: Vec<_> = places.iter().map(|p| location(&mesh, p.0, p.1)).collect();
        let mut sum = 0.0;
        let start = cpu();
        let n = 20000;
        for k in 0..n {
            let (a, b) = (ends[ends.len() - 1 - (k * 7) % 2000], ends[ends.len() - 1 - (k * 13 + 5) % 2000]);
            sum += mesh.widest_radius(a, b).unwrap_or(0.0);
        }
        let query = (cpu() - start) * 1e9 / n as f64;
        println!(
            "{name}: {} cells {:.2} portals/cell, {:.3} peaks/portal, build {:.2} us/cell, {:.1} B/portal, query {query:.0} ns ({sum:.3})",
            mesh.cell_count(), degree, peaks, time / cells, graph.bytes() as f64 / mesh.portals.len() as f64
        );
    }
}

#[test]
fn phases() {
    for (name, drawing) in [("convex", Family::ConvexObstacles.draw(20000, 1)), ("boxes", Family::Boxes.draw(20000, 1)), ("circles", Family::Circles.draw(20000, 1)), ("combs", Family::Combs.draw(20000, 1)), ("mazes", Family::Mazes.draw(20000, 1))] {
        let mesh = built(drawing, Quality::Default);
        let graph = mesh.peak_graph();
        let cells = mesh.cell_count() as f64;
        let on_wall = super::build::vertices_on_walls(&mesh);
        let mut work = super::build::Work::default();
        let mut clock = cpu();
        let mut lap = |what: &str| { println!("{name} {what}: {:.2} us/cell", (cpu() - clock) * 1e6 / cells); clock = cpu(); };
        let mut spans = 0;
        for p in 0..mesh.portals.len() as u32 { work.trace(&mesh, &on_wall, p); spans += 1; }
        lap("trace");
        let mut visits = 0;
        for p in 0..mesh.portals.len() as u32 { 
            let record = mesh.portals[p as usize];
            let [from, to] = record.vertices.map(|v| mesh.points[v as usize].as_vec2());
            let reach = graph.peaks_of(p).map(|k| graph.peaks[k].height).fold(0.0, f32::max);
            work.flood.walls(mesh.layout(), &record.cells, (from, to), f64::from(reach), |_, _, _| { visits += 1; f64::from(reach) });
        }
        lap(&format!("portal flood at final reach ({:.1} walls/portal {spans})", visits as f64 / mesh.portals.len() as f64));
        let mut walls = 0; let mut nodes = 0; let mut edges = 0;
        for c in 0..mesh.cell_count() as u32 { if work.enter(&mesh, graph, c) { walls += work.walls.len(); nodes += work.seen.len(); } }
        lap(&format!("enter {:.1} walls/cell {:.1} nodes/cell", walls as f64 / cells, nodes as f64 / cells));
        for c in 0..mesh.cell_count() as u32 { if work.enter(&mesh, graph, c) { work.room.tree(&work.walls, |_, _, _| edges += 1); } }
        lap(&format!("enter+tree {edges}"));
    }
}

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 1e-9
}
