//! No path on a lattice of places is shorter than the one found, and none exists where none was found. This test
//! knows walls and distances only.

use super::random::{Numbers, room};
use super::*;
use clearway_geometry::{Vec2, vec2::segment_distance};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const STEP: f64 = 0.25;
const COLUMNS: usize = 65;
const ROWS: usize = 49;

fn place(node: usize) -> Vec2 {
    Vec2::new((node % COLUMNS) as f64 * STEP, (node / COLUMNS) as f64 * STEP)
}

/// The walls of a mesh in plan coordinates.
fn walls(mesh: &NavMesh) -> Vec<[Vec2; 2]> {
    let sides = mesh.cells().flat_map(|cell| cell.sides()).filter(|side| side.portal.is_none());
    let at = |vertex| mesh.position(vertex).map(|[x, y]| Vec2::new(x, y)).unwrap();
    sides.map(|side| [at(side.from), at(side.to)]).collect()
}

/// Distances from one node of the lattice to all others, by moves to the 16 nearest directions that keep `radius`
/// away from all walls.
fn distances(walls: &[[Vec2; 2]], start: usize, radius: f64) -> Vec<f64> {
    let mut distance = vec![f64::INFINITY; COLUMNS * ROWS];
    let mut open = BinaryHeap::from([(Reverse(0u64), start)]);
    distance[start] = 0.0;
    while let Some((Reverse(bits), node)) = open.pop() {
        // Positive floats are in the order of their bits.
        if f64::from_bits(bits) > distance[node] {
            continue;
        }
        let (x, y) = ((node % COLUMNS) as i32, (node / COLUMNS) as i32);
        for (dx, dy) in (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy))) {
            let (column, row) = (x + dx, y + dy);
            if column < 0 || row < 0 || column >= COLUMNS as i32 || row >= ROWS as i32 {
                continue;
            }
            let next = row as usize * COLUMNS + column as usize;
            let (from, to) = (place(node), place(next));
            let length = f64::from_bits(bits) + from.distance(to);
            if length < distance[next]
                && walls.iter().all(|[a, b]| segment_distance(from, to, *a, *b) >= radius)
            {
                distance[next] = length;
                open.push((Reverse(length.to_bits()), next));
            }
        }
    }
    distance
}

#[test]
fn no_path_on_a_lattice_is_shorter() {
    let mut compared = 0;
    for seed in 1000..1030 {
        let mut numbers = Numbers(seed);
        let mesh = mesh(&room(&mut numbers, 0.0));
        let planner = VisibilityPlanner::new(&mesh).unwrap();
        let walls = walls(&mesh);
        for radius in [0.2, 0.5, 0.75, 1.0] {
            let start = (numbers.next() % (COLUMNS * ROWS) as u64) as usize;
            let from = place(start);
            let Ok(from) = mesh.locate([from.x, from.y]) else { continue };
            if mesh.clearance(from).unwrap() < radius {
                continue;
            }
            let distance = distances(&walls, start, radius);
            for goal in (0..distance.len()).step_by(97).filter(|goal| distance[*goal].is_finite()) {
                let to = at(&mesh, place(goal).x, place(goal).y);
                let found = planner.find_path(&mesh, from, to, radius).unwrap();
                assert!(
                    found.length <= distance[goal] * (1.0 + 1e-9),
                    "seed {seed}: {from:?} to {to:?} at {radius}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "only {compared} cases");
}
