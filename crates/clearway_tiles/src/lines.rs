//! The lines between tiles: multiples of the tile size in the world, each rounded to the grid of the mesh once.
//!
//! Invariant: the lines rise strictly, because a tile is at least [`LEAST_UNITS`] grid units wide.

use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_geometry::{Grid, Point};
use std::fmt;

/// The least size of a tile, in grid units: room for the slack of cuts.
const LEAST_UNITS: f64 = 64.0;

/// The greatest number of a tile along an axis.
const MOST_TILES: f64 = 1e6;

/// The greatest number of tiles of a world: as many files. A town of 2 km takes tiles of 4 m.
const MOST_FILES: f64 = 262_144.0;

/// The number of a tile along both axes of the plan. Tile (0, 0) starts at the origin of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId {
    /// The column.
    pub x: i32,
    /// The row, in plan coordinates: in a scene, rows rise towards −z.
    pub y: i32,
}

impl fmt::Display for TileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The lines between the tiles of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileLines {
    /// The grid of the mesh.
    grid: Grid,
    /// The side of a tile, in metres.
    size: f64,
}

impl TileLines {
    /// Makes the lines for tiles of this size in metres, on the grid of a mesh.
    pub fn new(grid: Grid, size: f64) -> Result<TileLines> {
        let least = LEAST_UNITS * grid.unit();
        let reach = grid.unit() * f64::from(clearway_geometry::grid::LIMIT);
        let farthest = grid.origin().iter().fold(reach, |most, c| most.max(c.abs() + reach));
        if !(size.is_finite() && size >= least && farthest / size <= MOST_TILES) {
            let most = farthest / MOST_TILES;
            let message = format!(
                "a tile size of {} m makes no sense; the least is {} m",
                short(size),
                short(least.max(most))
            );
            return Err(Error::new(ErrorKind::Options, message));
        }
        Ok(TileLines { grid, size })
    }

    /// Fails if a world between these corners, in metres, would have too many tiles.
    pub(crate) fn check_count(&self, bounds: Option<[[f64; 2]; 2]>) -> Result<()> {
        let Some([low, high]) = bounds else { return Ok(()) };
        let [wide, deep] = [0, 1].map(|axis| high[axis] - low[axis]);
        let count = (wide / self.size).ceil() * (deep / self.size).ceil();
        if count <= MOST_FILES {
            return Ok(());
        }
        let least = (wide * deep / MOST_FILES).sqrt().max(wide.max(deep) / MOST_FILES) * 1.01;
        let message = format!(
            "tiles of {} m would be {} files; the limit is {MOST_FILES}: take at least {} m",
            short(self.size),
            short(count),
            short(least)
        );
        Err(Error::new(ErrorKind::TooLarge, message))
    }

    /// Returns the side of a tile, in metres.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Returns the side of a tile in grid units, for measuring.
    pub(crate) fn units(&self) -> f64 {
        self.size / self.grid.unit()
    }

    /// Returns the grid coordinate of a line: the low side of the tiles with this number.
    pub(crate) fn line(&self, axis: usize, number: i32) -> i64 {
        ((f64::from(number) * self.size - self.grid.origin()[axis]) / self.grid.unit()).round() as i64
    }

    /// Returns the number of the tiles that hold a grid coordinate.
    pub(crate) fn number(&self, axis: usize, coordinate: i64) -> i32 {
        let world = self.grid.origin()[axis] + coordinate as f64 * self.grid.unit();
        let mut number = (world / self.size).floor() as i32;
        // Division and rounding may be off by one at a line.
        while self.line(axis, number) > coordinate {
            number -= 1;
        }
        while self.line(axis, number + 1) <= coordinate {
            number += 1;
        }
        number
    }

    /// Returns the numbers of the lines strictly between two coordinates, the lower one first.
    pub(crate) fn between(&self, axis: usize, low: i64, high: i64) -> std::ops::RangeInclusive<i32> {
        let last = self.number(axis, high);
        let last = if self.line(axis, last) == high { last - 1 } else { last };
        self.number(axis, low) + 1..=last
    }

    /// Returns the tile that holds a grid point.
    pub(crate) fn tile(&self, at: Point) -> TileId {
        TileId { x: self.number(0, i64::from(at.x)), y: self.number(1, i64::from(at.y)) }
    }

    /// Returns the rectangle of a tile in plan coordinates.
    pub fn rectangle(&self, tile: TileId) -> [[f64; 2]; 2] {
        rectangle(self.size, tile)
    }
}

/// Returns the rectangle of a tile of this size, in plan coordinates.
pub(crate) fn rectangle(size: f64, tile: TileId) -> [[f64; 2]; 2] {
    [0, 1].map(|end| [tile.x, tile.y].map(|number| (f64::from(number) + f64::from(end)) * size))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_lie_between_their_lines() {
        for (origin, size) in [([0.0, 0.0], 10.0), ([1000.3, -7.7], 3.7), ([0.0, 0.0], 0.5)] {
            let lines = TileLines::new(Grid::new(origin, -10).unwrap(), size).unwrap();
            for coordinate in (-200_000..200_000).step_by(997) {
                let number = lines.number(0, coordinate);
                assert!(lines.line(0, number) <= coordinate && coordinate < lines.line(0, number + 1));
            }
            let line = lines.line(0, 7);
            assert_eq!(lines.between(0, line, lines.line(0, 9)), 8..=8);
            assert!(lines.between(0, line, line + 1).is_empty());
        }
    }

    #[test]
    fn sizes_that_make_no_sense_are_refused() {
        let grid = Grid::new([0.0, 0.0], -10).unwrap();
        for size in [0.0, -5.0, f64::NAN, f64::INFINITY, 1e-9] {
            assert_eq!(TileLines::new(grid, size).unwrap_err().kind(), ErrorKind::Options);
        }
    }
}
