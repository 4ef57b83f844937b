//! Cells that lie within the height of a body under others, and steps that are too high after all.
//!
//! Surfaces have none of them up to rounding and to what floors gained where they were drawn over gaps. What is left
//! of that is narrow: it is found on the finished cells, where it can be told exactly as `check` does, and left out.

use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::{Cell, CellId, HEIGHT_SLACK, NavMesh, Relief};
use rayon::prelude::*;

/// What the cells of a mesh must not have.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Cells to leave out, sorted.
    pub cells: Vec<u32>,
    /// Portals to close, sorted.
    pub portals: Vec<u32>,
}

impl Faults {
    /// Looks at these cells and their portals. Cells wider than `width` grid units stay, whatever they lie under.
    pub fn of(mesh: &NavMesh, relief: &Relief, cells: &[u32], width: f64) -> Faults {
        // Both questions need the latter; threads must not wait for each other to make it.
        let (bins, _) = rayon::join(|| cell_bins(mesh), || mesh.relief_index());
        let ranges = height_ranges(mesh, relief);
        let range = |cell: u32| &ranges[cell as usize];
        let spare = |cell: u32| {
            let mut others = cells_over_middle(mesh, &bins, cell);
            others.retain(|other| range(*other).may_cover(range(cell), relief.body_height));
            mesh.low_over(cell, others, relief).map(move |(other, _)| lesser(mesh, cell, other))
        };
        let sides = |cell: &u32| mesh.cell(CellId(*cell)).into_iter().flat_map(|cell| cell.records());
        let portals = cells.iter().flat_map(sides).map(|side| side.portal).filter(|portal| *portal != NONE);
        // Ground without a break between the two has no step there.
        let may_step = |portal: &u32| {
            let cells = mesh.parts().portals[*portal as usize].cells;
            let [one, other] = cells.map(range);
            one.may_step_to(other, relief.max_step) && !relief.share_a_chart(cells)
        };
        let mut portals: Vec<u32> = portals.filter(may_step).collect();
        portals.sort_unstable();
        portals.dedup();
        portals = portals.into_par_iter().filter(|p| mesh.step_fault(*p, relief).is_some()).collect();
        let mut cells: Vec<u32> = cells.par_iter().copied().flat_map_iter(spare).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|cell| is_narrow(mesh, *cell, width));
        Faults { cells, portals }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.portals.is_empty()
    }
}

/// Between which heights ground lies for certain, in metres.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    const NONE: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY };
    const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };

    fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether some of it may be more than a step away from some of another.
    fn may_step_to(&self, other: &Range, max_step: f64) -> bool {
        let limit = max_step + HEIGHT_SLACK;
        self.high - other.low > limit || other.high - self.low > limit
    }

    /// Whether some of it may lie over another within the height of a body.
    fn may_cover(&self, other: &Range, body_height: f64) -> bool {
        self.high >= other.low && self.low - other.high < body_height - HEIGHT_SLACK
    }
}

/// The range of the ground under each cell: that of all faces of its charts. It tells of most cells that nothing more need
/// be asked.
fn height_ranges(mesh: &NavMesh, relief: &Relief) -> Vec<Range> {
    let charts = relief.chart_of.iter().max().map_or(0, |last| *last as usize + 1);
    let mut of_chart = vec![Range::NONE; charts];
    for (face, chart) in relief.faces.iter().zip(&relief.chart_of) {
        for corner in face {
            let height = f64::from(relief.points[*corner as usize].1) * mesh.unit();
            let range = &mut of_chart[*chart as usize];
            *range = range.join(Range { low: height, high: height });
        }
    }
    let of_cell = |cell: u32| {
        let charts = relief.patches_of(cell).iter().map(|patch| patch.chart);
        let ranges = charts.map(|chart| of_chart.get(chart as usize).copied().unwrap_or(Range::ANY));
        Some(ranges.fold(Range::NONE, Range::join))
            .filter(|range| range.low <= range.high)
            .unwrap_or(Range::ANY)
    };
    (0..mesh.cell_count() as u32).map(of_cell).collect()
}

/// All cells by place: where each is asked for once, that costs less than the tree.
fn cell_bins(mesh: &NavMesh) -> BoxGrid {
    let at = |point: Point| Box2 { min: point, max: point };
    let extent = |cell: Cell<'_>| cell.points().map(at).reduce(|all, next| all.joined(&next));
    BoxGrid::of(mesh.cells().map(|cell| extent(cell).unwrap_or(at(Point::default()))).collect())
}

/// The cells that hold the middle of a cell.
fn cells_over_middle(mesh: &NavMesh, bins: &BoxGrid, cell: u32) -> Vec<u32> {
    let at = mesh.middle(cell);
    let spot = Point::new(at.x.floor() as i32, at.y.floor() as i32);
    let mut found = Vec::new();
    let is_around = |Box2 { min, max }: &Box2| {
        let ([left, low], [right, high]) = ([min.x, min.y].map(f64::from), [max.x, max.y].map(f64::from));
        left <= at.x && at.x <= right && low <= at.y && at.y <= high
    };
    bins.each_touching_box(&Box2 { min: spot, max: spot }, |other, extent| {
        found.extend((is_around(extent) && mesh.covers(other, at)).then_some(other));
    });
    found
}

/// The smaller of two cells.
fn lesser(mesh: &NavMesh, one: u32, other: u32) -> u32 {
    let area = |cell: u32| mesh.cell(CellId(cell)).map_or(0.0, |cell| cell.area());
    if area(one).total_cmp(&area(other)).then(other.cmp(&one)).is_le() { one } else { other }
}

/// Whether a cell fits between two lines this far apart.
fn is_narrow(mesh: &NavMesh, cell: u32, width: f64) -> bool {
    let corners: Vec<Vec2> =
        mesh.cell(CellId(cell)).into_iter().flat_map(|cell| cell.points()).map(Point::as_vec2).collect();
    let following = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(following).any(|(from, to)| {
        let inward = (*to - *from).unit().perp();
        corners.iter().all(|at| inward.dot(*at - *from) <= width)
    })
}
