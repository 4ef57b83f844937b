//! Simple polygons: one ring without holes that winds through its whole square.
//!
//! Small ones are random tours untangled by 2-opt, which gives slanted, deeply nested bays; that costs more
//! than quadratic time, so large ones are outlines of random trees with every corner moved a little.

use crate::drawing::{PlanDrawing, Ring};
use crate::family::placement::Placement;
use crate::family::tree::{grid_of, spanning_tree};
use crate::random::Random;
use crate::raster::Pinch;
use crate::shapes::{Point, quantised};

/// The largest polygon drawn by 2-opt.
const LARGEST_TOUR: usize = 256;

/// Untangling ends after this many passes at the latest; tours of this size need far fewer.
const MOST_PASSES: usize = 200;

pub(super) fn simple_polygon(random: &mut Random, size: usize) -> PlanDrawing {
    let tour = size <= LARGEST_TOUR && random.chance(0.6);
    match tour.then(|| untangled(random_tour(random, size))).flatten() {
        Some(ring) => PlanDrawing::field(ring, Vec::new()),
        None => tree_outline(random, size),
    }
}

fn tree_outline(random: &mut Random, size: usize) -> PlanDrawing {
    let (columns, rows) = grid_of(size as f64 / 4.0);
    let depth = random.pick([0.2, 0.7, 0.95]);
    let tree = spanning_tree(random, columns, rows, depth);
    Placement::new(random, 10.0, false).draw(&tree, Pinch::Split)
}

/// One point in each of `count` squares of a grid, in random order.
fn random_tour(random: &mut Random, count: usize) -> Ring {
    let columns = (count as f64).sqrt().ceil() as usize;
    let mut place = |k: usize| {
        let mut within = |cell: usize| 10.0 * (cell as f64 + random.range(0.02, 0.98));
        [within(k % columns), within(k / columns)]
    };
    let mut points = quantised((0..count).map(&mut place).collect());
    random.shuffle(&mut points);
    points
}

/// Reverses the stretch between two edges that meet until none do.
///
/// That never lengthens the tour and shortens it whenever edges cross, so it ends, except perhaps for points
/// in line; then it gives up.
fn untangled(mut tour: Ring) -> Option<Ring> {
    let count = tour.len();
    for _ in 0..MOST_PASSES {
        let mut changed = false;
        for i in 0..count {
            for j in i + 1..count {
                if edges_meet(&tour, i, j) {
                    tour[i + 1..=j].reverse();
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(tour);
        }
    }
    None
}

/// Whether edges `i < j` of a ring share a point other than the corner between neighbours.
fn edges_meet(ring: &Ring, i: usize, j: usize) -> bool {
    let count = ring.len();
    let (a, b) = (ring[i], ring[i + 1]);
    let (c, d) = (ring[j], ring[(j + 1) % count]);
    if i + 1 == j {
        return folds_back(a, b, d);
    }
    if i == 0 && j + 1 == count {
        return folds_back(c, a, b);
    }
    let apart = |k: usize| a[k].max(b[k]) < c[k].min(d[k]) || c[k].max(d[k]) < a[k].min(b[k]);
    !apart(0) && !apart(1) && turn(a, b, c) * turn(a, b, d) <= 0.0 && turn(c, d, a) * turn(c, d, b) <= 0.0
}

fn folds_back(a: Point, b: Point, c: Point) -> bool {
    turn(a, b, c) == 0.0 && (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0.0
}

/// Positive if the way from `a` over `b` to `c` turns left: exact for quantised coordinates of small plans.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}
