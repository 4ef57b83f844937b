//! Finds the cells near a point: a packed tree of boxes over the cells.
//!
//! Cells are numbered along a space-filling curve (of their lowest vertices), so that consecutive cells lie near each
//! other. Each box of a level encloses [`FAN`] consecutive boxes of the level below. Nothing else is stored, so memory
//! is linear whatever the shapes.
//!
//! Walking the tree in order meets cells in the order of their ids. A query costs about the logarithm of the number of
//! cells unless most boxes overlap, as the boxes of long slanted slivers do.

use super::{CellId, NavMesh};
use clearway_geometry::Vec2;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// The number of boxes below one box of the tree. Eight boxes of 16 bytes fill two cache lines; a larger fan tests more
/// boxes in vain, a smaller one makes a deeper tree.
const FAN: usize = 8;

/// A closed box on the grid.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The least coordinates, x and y.
    low: [i32; 2],
    /// The greatest coordinates, x and y.
    high: [i32; 2],
}

impl Span {
    /// The box that holds nothing; joining it with another box gives that box.
    const EMPTY: Span = Span { low: [i32::MAX; 2], high: [i32::MIN; 2] };

    /// Returns the least box around boxes.
    fn around(spans: &[Span]) -> Span {
        spans.iter().copied().fold(Span::EMPTY, Span::join)
    }

    /// Returns the least box around both boxes.
    fn join(self, other: Span) -> Span {
        let pick = |axis: usize| (self.low[axis].min(other.low[axis]), self.high[axis].max(other.high[axis]));
        let ((x, right), (y, top)) = (pick(0), pick(1));
        Span { low: [x, y], high: [right, top] }
    }

    /// True if the two boxes share a point.
    #[inline]
    fn touches(&self, other: &Span) -> bool {
        // `&` instead of `&&`: four comparisons without branches are faster than a mispredicted one.
        (self.low[0] <= other.high[0])
            & (self.low[1] <= other.high[1])
            & (self.high[0] >= other.low[0])
            & (self.high[1] >= other.low[1])
    }

    /// Returns the squared distance from a point to the box, in grid units; zero inside.
    #[inline]
    pub fn distance_squared(&self, spot: Vec2) -> f64 {
        let off = |low: i32, high: i32, at: f64| (f64::from(low) - at).max(at - f64::from(high)).max(0.0);
        let x = off(self.low[0], self.high[0], spot.x);
        let y = off(self.low[1], self.high[1], spot.y);
        x * x + y * y
    }

    /// Returns the lower left and the upper right corner, in grid units.
    pub fn corners(&self) -> [Vec2; 2] {
        [self.low, self.high].map(|[x, y]| Vec2::new(f64::from(x), f64::from(y)))
    }
}

/// The tree of boxes, and the running sum of the areas of cells.
#[derive(Clone, Debug)]
pub struct CellIndex {
    /// Boxes level by level: first the boxes of the cells, last the single box around all of them.
    levels: Vec<Vec<Span>>,
    /// For each cell, twice the area of all cells up to and including it, in square grid units.
    area: OnceLock<Vec<f64>>,
}

impl CellIndex {
    /// Builds the tree from the leaves up; linear in the number of sides.
    fn of(mesh: &NavMesh) -> CellIndex {
        let slots = mesh.cell_slots() as u32;
        let mut levels: Vec<Vec<Span>> = vec![(0..slots).map(|cell| span_of(mesh, cell)).collect()];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let above = below.chunks(FAN).map(Span::around).collect();
            levels.push(above);
        }
        CellIndex { levels, area: OnceLock::new() }
    }

    /// Writes the boxes of cells that an edit changed, and those above them. Cost: logarithmic per cell.
    pub(crate) fn patch(&mut self, mesh: &NavMesh, cells: impl Iterator<Item = u32>) {
        self.area = OnceLock::new();
        for cell in cells {
            let mut place = cell as usize;
            let mut span = span_of(mesh, cell);
            for level in 0.. {
                if level == self.levels.len() {
                    self.levels.push(Vec::new());
                }
                let boxes = &mut self.levels[level];
                boxes.resize(boxes.len().max(place + 1), Span::EMPTY);
                boxes[place] = span;
                if boxes.len() == 1 {
                    break;
                }
                place /= FAN;
                let first = place * FAN;
                span = Span::around(&boxes[first..boxes.len().min(first + FAN)]);
                // The level above may not reach this far yet.
                if level + 1 < self.levels.len() {
                    let count = self.levels[level].len().div_ceil(FAN);
                    let above = &mut self.levels[level + 1];
                    above.resize(count.max(above.len()), Span::EMPTY);
                }
            }
        }
    }

    /// Returns the box around a cell.
    #[inline]
    pub fn span(&self, cell: u32) -> &Span {
        &self.levels[0][cell as usize]
    }

    /// Returns the box around all cells; `None` when there are no cells.
    pub fn whole(&self) -> Option<&Span> {
        self.levels.last().and_then(|top| top.first())
    }

    /// Returns, for each cell, twice the area of all cells up to and including it, in square grid units. Random points
    /// bisect in it.
    pub fn area_sums(&self, mesh: &NavMesh) -> &[f64] {
        self.area.get_or_init(|| {
            let area =
                |cell: u32| mesh.cell(CellId(cell)).map_or(0.0, |cell| cell.doubled_area().max(0) as f64);
            let areas = (0..mesh.cell_slots() as u32).map(area);
            let sums = areas.scan(0.0, |sum, area| {
                *sum += area;
                Some(*sum)
            });
            sums.collect()
        })
    }

    /// Visits the cells whose boxes touch the box from `low` to `high`, in the order of their ids, until `visit`
    /// breaks. The corners may lie outside the grid; a coordinate that is not a number touches nothing.
    pub fn touching<B>(
        &self,
        low: Vec2,
        high: Vec2,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let top = self.levels.len() - 1;
        // Conversions saturate. Stored boxes are whole numbers, so rounding the asked box inwards changes no answer.
        let asked = Span {
            low: [low.x.ceil() as i32, low.y.ceil() as i32],
            high: [high.x.floor() as i32, high.y.floor() as i32],
        };
        let sound = low.x <= high.x && low.y <= high.y;
        match self.whole() {
            Some(whole) if sound && whole.touches(&asked) => self.descend(top, 0, &asked, &mut visit),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Visits the cells below one box of the tree; this box is known to touch `asked`.
    fn descend<B>(
        &self,
        level: usize,
        node: usize,
        asked: &Span,
        visit: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if level == 0 {
            return visit(node as u32);
        }
        let below = &self.levels[level - 1];
        let first = node * FAN;
        for (place, span) in below[first..below.len().min(first + FAN)].iter().enumerate() {
            if span.touches(asked) {
                self.descend(level - 1, first + place, asked, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits cells near a point, roughly the nearest first. `visit` receives the squared distance that counts so far
    /// and returns the new one. Cells whose boxes are farther away than this are left out.
    pub fn nearest(&self, spot: Vec2, mut within: f64, mut visit: impl FnMut(u32, f64) -> f64) {
        if self.whole().is_some_and(|whole| whole.distance_squared(spot) <= within) {
            self.approach(self.levels.len() - 1, 0, spot, &mut within, &mut visit);
        }
    }

    /// Visits the cells below one box of the tree, nearest box first, as long as boxes lie within `within`.
    fn approach(
        &self,
        level: usize,
        node: usize,
        spot: Vec2,
        within: &mut f64,
        visit: &mut impl FnMut(u32, f64) -> f64,
    ) {
        if level == 0 {
            *within = visit(node as u32, *within);
            return;
        }
        let below = &self.levels[level - 1];
        let first = node * FAN;
        // A fixed array keeps the search free of allocations.
        let mut near = [(f64::INFINITY, 0usize); FAN];
        let spans = &below[first..below.len().min(first + FAN)];
        for (place, span) in spans.iter().enumerate() {
            near[place] = (span.distance_squared(spot), first + place);
        }
        let near = &mut near[..spans.len()];
        near.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        for (distance, child) in near {
            if *distance <= *within {
                self.approach(level - 1, *child, spot, within, visit);
            }
        }
    }
}

/// Returns the box around a cell; empty for a cell that is no more.
fn span_of(mesh: &NavMesh, cell: u32) -> Span {
    let span = |point: clearway_geometry::Point| Span { low: [point.x, point.y], high: [point.x, point.y] };
    match mesh.cell(CellId(cell)) {
        Some(cell) => cell.points().map(span).fold(Span::EMPTY, Span::join),
        None => Span::EMPTY,
    }
}

impl NavMesh {
    /// Returns the tree of boxes over the cells, built on first use.
    #[inline]
    pub fn index(&self) -> &CellIndex {
        self.index.get_or_make(|| CellIndex::of(self))
    }
}
