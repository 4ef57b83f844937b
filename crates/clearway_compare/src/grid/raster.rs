//! The raster: square cells over the mesh, and the mesh cell under each centre.

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::{Grid, NONE, Vec2};
use clearway_nav::mesh::NavMesh;

/// The largest number of cells of a raster: 2^23 take a quarter of a gigabyte while it is searched.
pub const MAX_RASTER_CELLS: usize = 1 << 23;
/// The largest number of cells of a raster when no cell size is given. A larger raster is finer, but slower to make and
/// to search.
pub const USUAL_RASTER_CELLS: usize = 1_000_000;

/// The raster. Cells are numbered row after row.
#[derive(Debug)]
pub struct Raster {
    /// The positions of the cells.
    frame: Frame,
    /// For each raster cell, the mesh cell that holds its centre; [`NONE`] if none does.
    owner: Vec<u32>,
}

/// The positions of the cells of a raster.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Maps plan coordinates to grid units.
    grid: Grid,
    /// The side of a cell in metres.
    size: f64,
    /// The first column and row, counted in sides from the origin of the plan.
    low: [f64; 2],
    /// The number of columns.
    columns: usize,
    /// The number of rows.
    rows: usize,
}

impl Raster {
    /// Makes the raster of a mesh with cells of this side, or of a side that suits the mesh.
    pub fn of(mesh: &NavMesh, size: Option<f64>) -> Result<Raster> {
        let bounds = mesh.bounds().unwrap_or_default();
        let frame = match size {
            Some(size) => {
                Frame::of(mesh.parts().grid, bounds, size).filter(|frame| frame.len() <= MAX_RASTER_CELLS)
            }
            None => Frame::usual(mesh.parts().grid, bounds),
        };
        let frame = frame.ok_or_else(|| {
            let limit = format!("the limit is {MAX_RASTER_CELLS} cells");
            let sides = size.map_or(String::new(), |size| format!(" with cells of {size} m"));
            Error::new(ErrorKind::TooLarge, format!("a raster of this mesh{sides} is too large; {limit}"))
        })?;
        let mut raster = Raster { owner: vec![NONE; frame.len()], frame };
        for cell in mesh.cells() {
            let corners: Vec<Vec2> = cell.outline().map(|corner| frame.place(corner)).collect();
            raster.fill(cell.id().0, &corners);
        }
        Ok(raster)
    }

    /// Returns the number of cells, on the mesh or not.
    pub fn len(&self) -> usize {
        self.owner.len()
    }

    /// Returns the number of cells whose centre lies on the mesh.
    pub fn walkable_count(&self) -> usize {
        self.owner.iter().filter(|owner| **owner != NONE).count()
    }

    /// Returns the side of a cell in metres.
    pub fn size(&self) -> f64 {
        self.frame.size
    }

    /// Returns the side of a cell in grid units.
    pub fn step(&self) -> f64 {
        self.frame.size / self.frame.grid.unit()
    }

    /// Returns the mesh cell that holds a centre.
    #[inline]
    pub fn owner(&self, centre: u32) -> Option<u32> {
        self.owner.get(centre as usize).copied().filter(|owner| *owner != NONE)
    }

    /// Returns the position of a centre, in grid units.
    #[inline]
    pub fn centre(&self, centre: u32) -> Vec2 {
        let [column, row] = self.column_and_row(centre);
        let Frame { size, low, grid, .. } = self.frame;
        grid.units([(low[0] + column as f64 + 0.5) * size, (low[1] + row as f64 + 0.5) * size])
    }

    /// Returns the cell `dx` columns and `dy` rows further on.
    #[inline]
    pub fn neighbour(&self, centre: u32, [dx, dy]: [i32; 2]) -> Option<u32> {
        let [column, row] = self.column_and_row(centre);
        let column = column.checked_add_signed(dx as isize).filter(|column| *column < self.frame.columns)?;
        let row = row.checked_add_signed(dy as isize).filter(|row| *row < self.frame.rows)?;
        Some((row * self.frame.columns + column) as u32)
    }

    /// Returns the cell around a point and its neighbours; the middle first.
    pub fn around(&self, at: Vec2) -> Vec<u32> {
        let Some(middle) = self.cell_at(at) else { return Vec::new() };
        let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [dx, dy]));
        let others = offsets.filter(|offset| *offset != [0, 0]);
        [[0, 0]].into_iter().chain(others).filter_map(|offset| self.neighbour(middle, offset)).collect()
    }

    /// Returns the nearest centre within `reach` grid units for which `judge` has an answer, and that answer.
    pub fn nearest_centre<T>(
        &self,
        at: Vec2,
        reach: f64,
        mut judge: impl FnMut(u32, Vec2) -> Option<T>,
    ) -> Option<(u32, T)> {
        let middle = self.cell_at(at)?;
        let rings = (reach / self.step()).ceil().min(self.frame.columns.max(self.frame.rows) as f64) as i32;
        let mut best: Option<(f64, u32, T)> = None;
        for ring in 0..=rings {
            // Centres of this ring and of later ones are farther away than this.
            let least = (f64::from(ring) - 0.5) * self.step();
            if best.as_ref().is_some_and(|(distance, ..)| *distance <= least) {
                break;
            }
            for centre in square_ring(ring).filter_map(|offset| self.neighbour(middle, offset)) {
                let place = self.centre(centre);
                let distance = place.distance(at);
                let limit = best.as_ref().map_or(reach, |(nearest, ..)| *nearest);
                let is_nearer = distance < limit || (best.is_none() && distance <= reach);
                if let Some(answer) = is_nearer.then(|| judge(centre, place)).flatten() {
                    best = Some((distance, centre, answer));
                }
            }
        }
        best.map(|(_, centre, answer)| (centre, answer))
    }

    /// Returns the cell that holds a point; the nearest cell for points beside the raster.
    fn cell_at(&self, at: Vec2) -> Option<u32> {
        if self.owner.is_empty() {
            return None;
        }
        let place = self.frame.place(self.frame.grid.place(at));
        let clamp = |value: f64, count: usize| (value.round().max(0.0) as usize).min(count - 1);
        let [column, row] = [clamp(place.x, self.frame.columns), clamp(place.y, self.frame.rows)];
        Some((row * self.frame.columns + column) as u32)
    }

    /// Returns the column and the row of a cell.
    #[inline]
    fn column_and_row(&self, centre: u32) -> [usize; 2] {
        [centre as usize % self.frame.columns, centre as usize / self.frame.columns]
    }

    /// Assigns the centres within a convex outline to a mesh cell. In these coordinates centres are whole numbers.
    fn fill(&mut self, cell: u32, corners: &[Vec2]) {
        let low = corners.iter().map(|corner| corner.y).fold(f64::INFINITY, f64::min);
        let high = corners.iter().map(|corner| corner.y).fold(f64::NEG_INFINITY, f64::max);
        let (columns, rows) = (self.frame.columns, self.frame.rows);
        for row in whole_numbers(low, high, rows) {
            let Some([left, right]) = crossing(corners, row as f64) else { continue };
            for column in whole_numbers(left, right, columns) {
                let owner = &mut self.owner[row * columns + column];
                // On a portal both cells hold the centre; the first one keeps it.
                if *owner == NONE {
                    *owner = cell;
                }
            }
        }
    }
}

impl Frame {
    /// Lays cells of this side over the bounds; `None` if there would be too many.
    fn of(grid: Grid, [min, max]: [[f64; 2]; 2], size: f64) -> Option<Frame> {
        let low = min.map(|value| (value / size).floor());
        let [columns, rows] = [0, 1].map(|axis| (max[axis] / size).ceil() - low[axis]);
        // The comparisons are false for NaN as well; the product of two such numbers is exact.
        let fits = columns * rows <= MAX_RASTER_CELLS as f64 && columns.max(rows) <= MAX_RASTER_CELLS as f64;
        fits.then_some(Frame { grid, size, low, columns: columns as usize, rows: rows as usize })
    }

    /// Returns the finest frame of usual size whose side is a power of two.
    fn usual(grid: Grid, bounds: [[f64; 2]; 2]) -> Option<Frame> {
        let sides = Grid::EXPONENTS.map(|exponent| 2f64.powi(exponent));
        sides.filter_map(|side| Frame::of(grid, bounds, side)).find(|frame| frame.len() <= USUAL_RASTER_CELLS)
    }

    /// Returns the number of cells.
    fn len(&self) -> usize {
        self.columns * self.rows
    }

    /// Returns a plan point in columns and rows, so that centres are whole numbers.
    fn place(&self, world: [f64; 2]) -> Vec2 {
        let [x, y] = [0, 1].map(|axis| world[axis] / self.size - self.low[axis] - 0.5);
        Vec2::new(x, y)
    }
}

/// Returns the offsets of the cells that are exactly `ring` columns or rows away from the middle.
fn square_ring(ring: i32) -> impl Iterator<Item = [i32; 2]> {
    (-ring..=ring).flat_map(move |dy| {
        let step = if dy.abs() == ring { 1 } else { (2 * ring).max(1) };
        (-ring..=ring).step_by(step as usize).map(move |dx| [dx, dy])
    })
}

/// Returns the whole numbers from `low` to `high` that are less than `count`.
fn whole_numbers(low: f64, high: f64, count: usize) -> std::ops::Range<usize> {
    let (low, high) = (low.ceil().max(0.0), high.floor());
    if high < low { 0..0 } else { low as usize..(high as usize + 1).min(count) }
}

/// Returns the least and the greatest x of a convex outline at height `y`.
fn crossing(corners: &[Vec2], y: f64) -> Option<[f64; 2]> {
    let mut ends: Option<[f64; 2]> = None;
    let mut widen = |x: f64| {
        let [left, right] = ends.unwrap_or([x, x]);
        ends = Some([left.min(x), right.max(x)]);
    };
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        // Both sides of a portal use the same order, so that both cells compute the same crossing.
        let (a, b) = if (a.y, a.x) <= (b.y, b.x) { (a, b) } else { (b, a) };
        if y < a.y || y > b.y {
            continue;
        }
        if a.y == b.y {
            widen(a.x);
            widen(b.x);
        } else {
            widen(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_hold_each_cell_around_once() {
        for (ring, count) in [(0, 1), (1, 8), (2, 16), (5, 40)] {
            let mut cells: Vec<_> = square_ring(ring).collect();
            assert!(cells.iter().all(|[dx, dy]| dx.abs().max(dy.abs()) == ring));
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), count);
        }
    }

    #[test]
    fn outlines_are_crossed_where_they_are() {
        let triangle = [Vec2::new(0.0, 0.0), Vec2::new(4.0, 0.0), Vec2::new(0.0, 4.0)];
        assert_eq!(crossing(&triangle, 0.0), Some([0.0, 4.0]));
        assert_eq!(crossing(&triangle, 1.0), Some([0.0, 3.0]));
        assert_eq!(crossing(&triangle, 4.0), Some([0.0, 0.0]));
        assert_eq!(crossing(&triangle, 4.5), None);
        assert_eq!((whole_numbers(-0.5, 2.0, 9), whole_numbers(0.1, 0.9, 9)), (0..3, 0..0));
    }
}
