//! Long winding space: mazes, combs and spirals.

use crate::drawing::{PlanDrawing, Ring};
use crate::family::tree::{grid_of, spanning_tree};
use crate::random::Random;
use crate::raster::{Pinch, Raster, corners_only};
use crate::shapes::{Point, add, polar, quantised, rectangle, thickened};
use crate::slots::Slots;

pub(super) fn maze(random: &mut Random, size: usize) -> PlanDrawing {
    // Measured: corners per maze cell, once those on straight runs are dropped.
    let (columns, rows) = grid_of(size as f64 / 1.6);
    let depth = random.pick([0.3, 0.8, 1.0]);
    let mut raster = spanning_tree(random, columns, rows, depth);
    if random.chance(0.5) {
        open_some_walls(random, &mut raster);
    }
    let (xs, ys) = (uneven_lines(random, raster.columns()), uneven_lines(random, raster.rows()));
    let place = |ring: &Vec<[i32; 2]>| -> Ring {
        corners_only(ring).into_iter().map(|[x, y]| [xs[x as usize], ys[y as usize]]).collect()
    };
    let polygons = raster.trace(Pinch::Split);
    let polygons =
        polygons.iter().map(|(outline, holes)| (place(outline), holes.iter().map(place).collect()));
    PlanDrawing { polygons: polygons.collect(), ..PlanDrawing::default() }
}

/// Opens every twelfth wall between two corridors, which turns the tree into a net with loops.
fn open_some_walls(random: &mut Random, raster: &mut Raster) {
    for [x, y] in raster.cells() {
        if (x + y) % 2 == 1 && random.chance(1.0 / 12.0) {
            raster.set([x, y], true);
        }
    }
}

/// Positions of the lines of a maze's raster: even cells are corridors, odd ones are walls.
fn uneven_lines(random: &mut Random, cells: i32) -> Vec<f64> {
    let mut lines = vec![[0.0, 0.0]];
    let mut at = 0.0;
    for cell in 0..cells {
        at += if cell % 2 == 0 { random.range(7.0, 11.0) } else { random.range(1.0, 6.0) };
        lines.push([at, 0.0]);
    }
    quantised(lines).into_iter().map(|[x, _]| x).collect()
}

pub(super) fn combs(random: &mut Random, size: usize) -> PlanDrawing {
    match random.chance(0.5) {
        true => comb_tree(random, size),
        false => interlocked_combs(random, size),
    }
}

/// A tooth from its left to its right side, with a slanted tip.
struct Tooth {
    sides: [f64; 2],
    tips: [f64; 2],
}

/// The outline of a comb but for its left end: below the spine to the right, back above it over the teeth.
///
/// `spine` is the height of the spine's straight side, then of its toothed side; teeth may point down.
fn comb_path(left: f64, right: f64, spine: [f64; 2], teeth: &[Tooth]) -> Ring {
    let mut path = vec![[left, spine[0]], [right, spine[0]], [right, spine[1]]];
    for Tooth { sides: [a, b], tips } in teeth.iter().rev() {
        path.extend([[*b, spine[1]], [*b, tips[1]], [*a, tips[0]], [*a, spine[1]]]);
    }
    path.push([left, spine[1]]);
    path
}

/// One ring: a trunk on the left with a row of teeth on each of its branches.
fn comb_tree(random: &mut Random, size: usize) -> PlanDrawing {
    const TRUNK: f64 = 5.0;
    let rows = ((size as f64).sqrt() / 4.0).round().max(1.0);
    let teeth_per_row = (size as f64 / (4.0 * rows)).round().max(1.0) as usize;
    let right = TRUNK + 10.0 * teeth_per_row as f64 + 1.0;
    let mut ring = Vec::new();
    for row in 0..rows as usize {
        let base = 40.0 * row as f64;
        let spine = [base, base + random.range(3.0, 8.0)];
        let mut tooth = |k: usize| {
            let left = TRUNK + 10.0 * k as f64;
            let mut tip = || base + random.range(10.0, 39.0);
            let tips = [tip(), tip()];
            Tooth { sides: [left + random.range(1.0, 4.0), left + random.range(6.0, 10.0)], tips }
        };
        let teeth: Vec<Tooth> = (0..teeth_per_row).map(&mut tooth).collect();
        ring.extend(comb_path(TRUNK, right, spine, &teeth));
    }
    let top = ring.last().map_or(0.0, |point| point[1]);
    ring.extend([[0.0, top], [0.0, 0.0]]);
    PlanDrawing::field(quantised(ring), Vec::new())
}

/// Pairs of combs whose teeth reach between each other, with a winding corridor between them.
fn interlocked_combs(random: &mut Random, size: usize) -> PlanDrawing {
    let bands = ((size as f64).sqrt() / 4.0).round().max(1.0);
    let pairs = (size as f64 / (8.0 * bands)).round().max(1.0) as usize;
    let right = 20.0 * pairs as f64;
    let mut holes = Vec::new();
    for band in 0..bands as usize {
        let base = 40.0 * band as f64;
        // Both rows of teeth, as offsets within a pair's 20 units and from the straight side of their spine.
        for (offset, spine, up) in [(1.0, base + 1.0, 1.0), (11.0, base + 39.0, -1.0)] {
            let mut tooth = |k: usize| {
                let left = 20.0 * k as f64 + offset;
                let mut tip = || spine + up * random.range(8.0, 34.0);
                let tips = [tip(), tip()];
                Tooth { sides: [left + random.range(0.0, 3.0), left + random.range(4.0, 8.0)], tips }
            };
            let teeth: Vec<Tooth> = (0..pairs).map(&mut tooth).collect();
            holes.push(quantised(comb_path(0.5, right - 0.5, [spine, spine + 2.0 * up], &teeth)));
        }
    }
    PlanDrawing::field(rectangle([0.0, 0.0], [right, 40.0 * bands]), holes)
}

pub(super) fn spirals(random: &mut Random, size: usize) -> PlanDrawing {
    match random.chance(0.5) {
        true => round_spiral(random, size),
        false => square_spirals(random, size),
    }
}

/// One spiral of Archimedes, as a wall in a square or as a corridor.
fn round_spiral(random: &mut Random, size: usize) -> PlanDrawing {
    const PITCH: f64 = 16.0;
    let mut path: Vec<Point> = Vec::new();
    let mut angle = std::f64::consts::TAU;
    while path.len() < size.div_ceil(2) {
        let radius = PITCH * angle / std::f64::consts::TAU;
        path.push(polar([0.0, 0.0], radius, angle));
        angle += (12.5 / radius).min(0.4);
    }
    let reach = PITCH * (angle / std::f64::consts::TAU + 1.0);
    let wall = thickened(&path, random.range(1.0, 4.0));
    let wall = quantised(wall.into_iter().map(|point| add(point, [reach, reach])).collect());
    match random.chance(0.5) {
        true => PlanDrawing::field(wall, Vec::new()),
        false => {
            let side = (2.0 * reach).ceil();
            PlanDrawing::field(rectangle([0.0, 0.0], [side, side]), vec![wall])
        }
    }
}

/// Square spirals of four to twelve arms, as walls in a square or as corridors of their own.
fn square_spirals(random: &mut Random, size: usize) -> PlanDrawing {
    let slots = Slots::for_size(random, size, 18.0);
    let rings = slots.draw(|low| {
        let arms = 4 + random.below(9);
        let start = slots.point(low, [0.08, 0.08]);
        let pitch = 0.84 * slots.cell / (arms as f64 / 2.0 + 1.0);
        let path = square_spiral(start, 0.84 * slots.cell, pitch, arms);
        quantised(thickened(&path, random.range(0.1, 0.4) * pitch.min(3.0)))
    });
    match random.chance(0.5) {
        true => PlanDrawing::field(slots.outline(0.0), rings),
        false => PlanDrawing {
            polygons: rings.into_iter().map(|ring| (ring, Vec::new())).collect(),
            ..PlanDrawing::default()
        },
    }
}

/// An inward path that turns left after every arm; pairs of arms get shorter by `pitch`.
fn square_spiral(start: Point, length: f64, pitch: f64, arms: usize) -> Vec<Point> {
    const HEADINGS: [Point; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let mut path = vec![start];
    let mut at = start;
    for arm in 0..arms {
        let reach = length - (arm.saturating_sub(1) / 2) as f64 * pitch;
        at = add(at, [HEADINGS[arm % 4][0] * reach, HEADINGS[arm % 4][1] * reach]);
        path.push(at);
    }
    path
}
