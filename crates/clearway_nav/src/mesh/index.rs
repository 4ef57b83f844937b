//! Which cells lie near a place: a packed tree of boxes over the cells.
//!
//! Cells are numbered along a space-filling curve (of their lowest vertices), so that [`FAN`] cells that follow
//! each other lie near each other. Each level of the tree holds the boxes around [`FAN`] boxes of the level below
//! that follow each other; nothing else is stored, so the size is linear whatever the shapes. Walking the tree in
//! order meets cells in the order of their ids. A question costs about the logarithm of the number of cells
//! unless most boxes overlap, as those of long slanted slivers do.

use super::NavMesh;
use clearway_geometry::Vec2;
use std::ops::ControlFlow;

/// How many boxes one box of the level above holds.
const FAN: usize = 8;

/// A box on the grid, closed.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    low: [i32; 2],
    high: [i32; 2],
}

impl Span {
    const EMPTY: Span = Span { low: [i32::MAX; 2], high: [i32::MIN; 2] };

    fn join(self, other: Span) -> Span {
        let pick = |axis: usize| (self.low[axis].min(other.low[axis]), self.high[axis].max(other.high[axis]));
        let ((x, right), (y, top)) = (pick(0), pick(1));
        Span { low: [x, y], high: [right, top] }
    }

    /// Whether the two boxes touch.
    #[inline]
    fn touches(&self, other: &Span) -> bool {
        (self.low[0] <= other.high[0])
            & (self.low[1] <= other.high[1])
            & (self.high[0] >= other.low[0])
            & (self.high[1] >= other.low[1])
    }

    /// The square of the distance from a place to the box.
    #[inline]
    pub fn distance_squared(&self, spot: Vec2) -> f64 {
        let off = |low: i32, high: i32, at: f64| (f64::from(low) - at).max(at - f64::from(high)).max(0.0);
        let x = off(self.low[0], self.high[0], spot.x);
        let y = off(self.low[1], self.high[1], spot.y);
        x * x + y * y
    }

    /// The lower left and the upper right corner.
    pub fn corners(&self) -> [Vec2; 2] {
        [self.low, self.high].map(|[x, y]| Vec2::new(f64::from(x), f64::from(y)))
    }
}

/// The tree of boxes, and how area adds up along the cells.
#[derive(Debug)]
pub struct CellIndex {
    /// Boxes level by level: those of the cells first, the one around all of them last.
    levels: Vec<Vec<Span>>,
    /// Twice the area of all cells up to and with each, in square grid units.
    area: Vec<f64>,
}

impl CellIndex {
    fn of(mesh: &NavMesh) -> CellIndex {
        let span =
            |point: clearway_geometry::Point| Span { low: [point.x, point.y], high: [point.x, point.y] };
        let cells = mesh.cells().map(|cell| cell.points().map(span).fold(Span::EMPTY, Span::join));
        let mut levels: Vec<Vec<Span>> = vec![cells.collect()];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let joined = below.chunks(FAN).map(|spans| spans.iter().copied().fold(Span::EMPTY, Span::join));
            let above = joined.collect();
            levels.push(above);
        }
        let doubled = mesh.cells().map(|cell| cell.doubled_area().max(0) as f64);
        let area = doubled.scan(0.0, |sum, area| {
            *sum += area;
            Some(*sum)
        });
        CellIndex { levels, area: area.collect() }
    }

    /// The box around a cell.
    #[inline]
    pub fn span(&self, cell: u32) -> &Span {
        &self.levels[0][cell as usize]
    }

    /// The box around all cells; `None` when there are none.
    pub fn whole(&self) -> Option<&Span> {
        self.levels.last().and_then(|top| top.first())
    }

    /// Twice the area of all cells up to and with each, in square grid units.
    pub fn area_sums(&self) -> &[f64] {
        &self.area
    }

    /// Visits the cells whose boxes touch the box from `low` to `high`, in the order of their ids, until told to
    /// stop. Corners may lie anywhere; what is not a number touches nothing.
    pub fn touching<B>(
        &self,
        low: Vec2,
        high: Vec2,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let top = self.levels.len() - 1;
        // Conversions saturate; boxes are whole numbers, so that rounding towards the box asked for is exact.
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

    /// Visits cells near a place, roughly the nearest first, and leaves out those whose boxes are farther away than
    /// the last visit allowed. `visit` gets the square of the distance so far and returns the new one.
    pub fn nearest(&self, spot: Vec2, mut within: f64, mut visit: impl FnMut(u32, f64) -> f64) {
        if self.whole().is_some_and(|whole| whole.distance_squared(spot) <= within) {
            self.approach(self.levels.len() - 1, 0, spot, &mut within, &mut visit);
        }
    }

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

impl NavMesh {
    /// The tree of boxes over the cells.
    #[inline]
    pub fn index(&self) -> &CellIndex {
        self.index.get_or_make(|| CellIndex::of(self))
    }
}
