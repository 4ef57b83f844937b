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
        let start = std::time::Instant::now();
        let graph = pool.install(|| super::super::mesh::PeakGraph::of(&mesh));
        let time = start.elapsed().as_secs_f64() * 1e6;
        mesh.peak_graph();
        let cells = mesh.cell_count() as f64;
        let peaks = graph.peaks.len() as f64 / mesh.portals.len() as f64;
        let degree = 2.0 * mesh.portals.len() as f64 / cells;
        let places = places(&mesh, 2000, 3);
        let ends: Vec<_> = places.iter().map(|p| location(&mesh, p.0, p.1)).collect();
        let mut sum = 0.0;
        let start = std::time::Instant::now();
        let n = 20000;
        for k in 0..n {
            let (a, b) = (ends[2000 + (k * 7) % 2000], ends[2000 + (k * 13 + 5) % 2000]);
            sum += mesh.widest_radius(a, b).unwrap_or(0.0);
        }
        let query = start.elapsed().as_secs_f64() * 1e9 / n as f64;
        println!(
            "{name}: {} cells {:.2} portals/cell, {:.3} peaks/portal, build {:.2} us/cell, {:.1} B/portal, query {query:.0} ns ({sum:.3})",
            mesh.cell_count(), degree, peaks, time / cells, graph.bytes() as f64 / mesh.portals.len() as f64
        );
    }
}
