//! The ground in small convex tiles, to measure it place by place.

use super::Location;
use crate::mesh::{CellId, NavMesh};

/// A part of a cell that lies in one square of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// The cell.
    pub cell: CellId,
    /// Its corners in plan coordinates, counter-clockwise.
    pub outline: Vec<[f64; 2]>,
    /// Its centre of gravity, in plan coordinates.
    pub centre: [f64; 2],
    /// Its area in square metres, in projection.
    pub area: f64,
}

impl Tile {
    /// Makes a tile; `None` without an area.
    fn of(cell: CellId, outline: Vec<[f64; 2]>) -> Option<Tile> {
        let first = *outline.first()?;
        let (mut doubled, mut sum) = (0.0, [0.0; 2]);
        for (a, b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
            // Relative to the first corner: far from the origin the products would lose digits.
            let (a, b) = ([a[0] - first[0], a[1] - first[1]], [b[0] - first[0], b[1] - first[1]]);
            let cross = a[0] * b[1] - a[1] * b[0];
            doubled += cross;
            sum = [sum[0] + (a[0] + b[0]) * cross, sum[1] + (a[1] + b[1]) * cross];
        }
        let centre = [0, 1].map(|axis| first[axis] + sum[axis] / (3.0 * doubled));
        (doubled > 0.0 && centre.iter().all(|c| c.is_finite())).then_some(Tile {
            cell,
            outline,
            centre,
            area: 0.5 * doubled,
        })
    }

    /// The location of its centre.
    pub fn location(&self) -> Location {
        Location::in_cell(self.cell, self.centre)
    }
}

impl NavMesh {
    /// Cuts all cells along the lines of a square grid of this side in metres, which passes through the origin of the
    /// plan. Together the tiles are the mesh. Empty for a side that is not more than zero.
    pub fn tiles(&self, side: f64) -> Vec<Tile> {
        let mut tiles = Vec::new();
        if !(side > 0.0 && side.is_finite()) {
            return tiles;
        }
        for cell in self.cells() {
            for strip in slices(&cell.outline().collect::<Vec<_>>(), 0, side) {
                let parts = slices(&strip, 1, side).into_iter();
                tiles.extend(parts.filter_map(|part| Tile::of(cell.id(), part)));
            }
        }
        tiles
    }
}

/// Cuts a convex outline at all multiples of `side` along an axis.
fn slices(outline: &[[f64; 2]], axis: usize, side: f64) -> Vec<Vec<[f64; 2]>> {
    let least = outline.iter().map(|at| at[axis]).fold(f64::INFINITY, f64::min);
    let most = outline.iter().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max);
    let (mut rest, mut slices) = (outline.to_vec(), Vec::new());
    let mut cut = ((least / side).floor() + 1.0) * side;
    while cut < most && least.is_finite() {
        slices.push(half(&rest, axis, cut, 1.0));
        rest = half(&rest, axis, cut, -1.0);
        let next = cut + side;
        if next <= cut {
            break;
        }
        cut = next;
    }
    slices.push(rest);
    slices
}

/// Returns the part of a convex outline below a value of an axis, or above it if `sign` is negative.
fn half(outline: &[[f64; 2]], axis: usize, cut: f64, sign: f64) -> Vec<[f64; 2]> {
    let depth = |at: &[f64; 2]| sign * (cut - at[axis]);
    let mut part = Vec::with_capacity(outline.len() + 1);
    for (a, b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let (p, q) = (depth(a), depth(b));
        if p >= 0.0 {
            part.push(*a);
        }
        if (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0) {
            let mut at = [0, 1].map(|i| a[i] + (b[i] - a[i]) * (p / (p - q)));
            at[axis] = cut;
            part.push(at);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use crate::query::tests::scenes;

    #[test]
    fn tiles_are_the_mesh() {
        for (name, mesh) in scenes(10) {
            for side in [0.3, 1.7, 1e3] {
                let tiles = mesh.tiles(side);
                let area: f64 = tiles.iter().map(|tile| tile.area).sum();
                assert!((area - mesh.area()).abs() < 1e-6 * mesh.area(), "{name}: {area}");
                for tile in &tiles {
                    assert!(tile.area <= side * side * 1.000_001);
                    assert!(mesh.clearance(tile.location()).is_some(), "{name}: {tile:?}");
                }
            }
        }
        let (_, mesh) = scenes(1).into_iter().next().unwrap();
        assert!(mesh.tiles(0.0).is_empty() && mesh.tiles(f64::NAN).is_empty());
    }
}
