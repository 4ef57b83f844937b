//! Caves: a cellular automaton smooths random cells into halls and passages, whose outlines are traced.

use crate::drawing::PlanDrawing;
use crate::family::placement::Placement;
use crate::family::tree::grid_of;
use crate::random::Random;
use crate::raster::{Pinch, Raster};

pub(super) fn caves(random: &mut Random, size: usize) -> PlanDrawing {
    let upright = random.chance(0.4);
    // Measured corners per cell after smoothing, without and with those on straight runs.
    let share = if upright { 0.17 } else { 0.27 };
    let mut raster = noise(random, size as f64 / share, 0.56);
    for _ in 0..3 {
        raster = smoothed(&raster);
    }
    keep_something(&mut raster);
    raster.close_pinches();
    Placement::new(random, 10.0 * share.sqrt(), upright).draw(&raster, Pinch::Split)
}

pub(super) fn pinched_rings(random: &mut Random, size: usize) -> PlanDrawing {
    let upright = random.chance(0.4);
    let share = if upright { 0.7 } else { 0.9 };
    let mut raster = noise(random, size as f64 / share, 0.5);
    keep_something(&mut raster);
    let pinch = random.pick([Pinch::Split, Pinch::Join]);
    Placement::new(random, 10.0 * share.sqrt(), upright).draw(&raster, pinch)
}

/// About `count` cells, each open with the given chance.
fn noise(random: &mut Random, count: f64, open: f64) -> Raster {
    let (columns, rows) = grid_of(count.max(4.0));
    let mut raster = Raster::new(columns, rows);
    for cell in raster.cells() {
        raster.set(cell, random.chance(open));
    }
    raster
}

/// One step of the automaton: a cell becomes what most of the nine cells at and around it are.
fn smoothed(raster: &Raster) -> Raster {
    let mut next = Raster::new(raster.columns(), raster.rows());
    for [x, y] in raster.cells() {
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [x + dx, y + dy]));
        next.set([x, y], around.filter(|&cell| raster.is_open(cell)).count() >= 5);
    }
    next
}

/// Opens the middle, so that even the smallest plan has somewhere to stand.
fn keep_something(raster: &mut Raster) {
    let middle = [raster.columns() / 2, raster.rows() / 2];
    raster.fill([middle[0] - 1, middle[1] - 1], [middle[0] + 1, middle[1] + 1], true);
}
