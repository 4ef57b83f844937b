//! Finds cells that lie within a body's height under others, portals over steps that are too high, and crumbs.
//!
//! A surface has neither, up to rounding and up to what floors gained where they were drawn over gaps. Such faults are
//! narrow. They are found on the finished cells, by the same tests as `NavMesh::check` uses, and are left out. Cost:
//! ranges of heights settle most cells and portals; only the rest asks for exact heights.

use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::{Cell, CellId, HEIGHT_SLACK, NavMesh, Relief};
use rayon::prelude::*;

/// The cells and portals of a mesh that break head-room or step limits.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// The cells to leave out, sorted.
    pub cells: Vec<u32>,
    /// The portals to close, sorted.
    pub portals: Vec<u32>,
    /// Further cells to leave out, sorted: crumbs beside walls that lead nowhere.
    pub crumbs: Vec<u32>,
}

/// Cells smaller than this are crumbs, in square metres (1 cm²). Nobody stands on them; they are left over where outlines
/// nearly meet. A larger value would take real corners away.
const CRUMB: f64 = 1e-4;

impl Faults {
    /// Examines these cells and their portals. Cells wider than `width` grid units stay, whatever they lie under.
    pub fn of(mesh: &NavMesh, relief: &Relief, cells: &[u32], width: f64) -> Faults {
        // Both tests below need the index of the ground. It is made here, before threads would wait for each other to
        // make it.
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
        // Ground without a break between the two cells has no step there.
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
        Faults { cells, portals, crumbs: Vec::new() }
    }

    /// Adds the crumbs among these sorted cells.
    pub fn with_crumbs(mut self, mesh: &NavMesh, cells: &[u32]) -> Faults {
        let is_new = |cell: &u32| self.cells.binary_search(cell).is_err() && is_crumb(mesh, *cell);
        self.crumbs = cells.iter().copied().filter(is_new).collect();
        self
    }

    /// Returns all cells to leave out, sorted.
    pub fn all_cells(&self) -> Vec<u32> {
        let mut all = [&self.cells[..], &self.crumbs].concat();
        all.sort_unstable();
        all
    }

    /// True if nothing is to be left out.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.portals.is_empty() && self.crumbs.is_empty()
    }
}

/// True if a cell is tiny, lies at a wall, and no way leads through it: all its neighbours share portals with each
/// other. So what is connected stays so, even if several crumbs go at once.
fn is_crumb(mesh: &NavMesh, cell: u32) -> bool {
    let Some(crumb) = mesh.cell(CellId(cell)).filter(|cell| cell.area() < CRUMB) else { return false };
    let has_wall = crumb.records().iter().any(|side| side.portal == NONE);
    let neighbours = neighbours(mesh, cell);
    let meet = |one: u32, other: u32| self::neighbours(mesh, one).contains(&other);
    let others = |place: usize| &neighbours[place + 1..];
    has_wall
        && !neighbours.is_empty()
        && (0..neighbours.len()).all(|i| others(i).iter().all(|other| meet(neighbours[i], *other)))
}

/// Returns the cells that share portals with a cell, each once.
fn neighbours(mesh: &NavMesh, cell: u32) -> Vec<u32> {
    let sides = mesh.cell(CellId(cell)).into_iter().flat_map(|cell| cell.records());
    let portals = sides.map(|side| side.portal).filter(|portal| *portal != NONE);
    let beyond = portals.map(|portal| {
        let [one, other] = mesh.parts().portals[portal as usize].cells;
        if one == cell { other } else { one }
    });
    let mut found: Vec<u32> = beyond.filter(|other| *other != cell).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Bounds of the ground's height, in metres: all of the ground lies between them.
#[derive(Clone, Copy, Debug)]
struct Range {
    /// The lower bound.
    low: f64,
    /// The upper bound.
    high: f64,
}

impl Range {
    /// The range of no ground at all: it leaves the other unchanged when joined.
    const NONE: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY };
    /// The range that excludes nothing, for ground whose height is not known.
    const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Returns the least range that holds both.
    fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// True if ground of the one may be more than a step away from ground of the other.
    fn may_step_to(&self, other: &Range, max_step: f64) -> bool {
        let limit = max_step + HEIGHT_SLACK;
        self.high - other.low > limit || other.high - self.low > limit
    }

    /// True if ground of the one may lie over ground of the other within the height of a body.
    fn may_cover(&self, other: &Range, body_height: f64) -> bool {
        self.high >= other.low && self.low - other.high < body_height - HEIGHT_SLACK
    }
}

/// Bounds the height of the ground under each cell by all faces of its charts. This settles most cells and portals.
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
    (0..mesh.cell_slots() as u32).map(of_cell).collect()
}

/// Sorts all cells into bins. For one look-up per cell this costs less than the tree of the mesh.
fn cell_bins(mesh: &NavMesh) -> BoxGrid {
    let at = |point: Point| Box2 { min: point, max: point };
    let extent = |cell: Cell<'_>| cell.points().map(at).reduce(|all, next| all.joined(&next));
    BoxGrid::of(mesh.cells().map(|cell| extent(cell).unwrap_or(at(Point::default()))).collect())
}

/// Returns the cells that hold the middle of a cell in projection, the cell itself included.
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

/// Returns the smaller of two cells by area; of equal ones that with the higher id.
fn lesser(mesh: &NavMesh, one: u32, other: u32) -> u32 {
    let area = |cell: u32| mesh.cell(CellId(cell)).map_or(0.0, |cell| cell.area());
    if area(one).total_cmp(&area(other)).then(other.cmp(&one)).is_le() { one } else { other }
}

/// True if a cell fits between two parallel lines this many grid units apart. One of them runs along a side: the width
/// of a convex polygon is always reached there (Houle and Toussaint 1988).
fn is_narrow(mesh: &NavMesh, cell: u32, width: f64) -> bool {
    let corners: Vec<Vec2> =
        mesh.cell(CellId(cell)).into_iter().flat_map(|cell| cell.points()).map(Point::as_vec2).collect();
    let following = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(following).any(|(from, to)| {
        let inward = (*to - *from).unit().perp();
        corners.iter().all(|at| inward.dot(*at - *from) <= width)
    })
}
