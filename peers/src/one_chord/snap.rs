//! The plan on the integer grid of our kernel, by the same rule as our own builder's.

use clearway_geometry::arrangement::{Chain, Role};
use clearway_geometry::{Grid, Point};

use crate::inputs::{Input, Ring};

/// The rings as chains, and the grid's unit; `None` where no grid fits.
pub fn chains_of(input: &Input) -> Option<(Vec<Chain>, f64)> {
    let [min, max] = bounds(input);
    let is_exact = |grid: Grid| {
        let mut points = input.rings().flatten();
        points.all(|&world| grid.snap(world).is_some_and(|point| grid.world(point) == world))
    };
    let grid = Grid::fitting(min, max, is_exact)?;
    let mut chains = Vec::new();
    for (number, polygon) in (0_u32..).zip(&input.polygons) {
        chains.push(chain(grid, &polygon.outline, Role::Outline(number))?);
        for hole in &polygon.holes {
            chains.push(chain(grid, hole, Role::Hole(number))?);
        }
    }
    Some((chains, grid.unit()))
}

fn chain(grid: Grid, ring: &Ring, role: Role) -> Option<Chain> {
    let points: Option<Vec<Point>> = ring.iter().map(|&world| grid.snap(world)).collect();
    Some(Chain { points: points?, role })
}

fn bounds(input: &Input) -> [[f64; 2]; 2] {
    let fold = |start: f64, pick: fn(f64, f64) -> f64| {
        [0, 1].map(|axis| input.rings().flatten().map(|point| point[axis]).fold(start, pick))
    };
    [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)]
}
