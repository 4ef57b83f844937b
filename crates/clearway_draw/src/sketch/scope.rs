//! The cells that a picture shows, storey by storey.

use super::{Layer, SketchOptions};
use clearway_nav::mesh::{Cell, CellId, NavMesh};

/// The cells of a picture.
pub struct Scope {
    /// For each storey from the lowest on, true for the cells of the mesh that belong to it. Every shown cell belongs
    /// to one storey.
    pub storeys: Vec<Vec<bool>>,
    /// The least box around what is shown, in plan coordinates, or the window; `None` if nothing is shown.
    pub bounds: Option<[[f64; 2]; 2]>,
    /// True if every cell of the mesh is shown.
    pub is_whole: bool,
    /// The heights of the cells that were asked for, in metres, the second not included.
    wanted: [f64; 2],
}

impl Scope {
    /// Returns the cells that the options ask for.
    pub fn of(mesh: &NavMesh, options: &SketchOptions) -> Scope {
        let outline = |cell: &Cell<'_>| cell.outline().collect::<Vec<_>>();
        Scope::of_seen(mesh, options, |cell| {
            options.window.is_none_or(|window| meets(&outline(cell), window))
        })
    }

    /// As `of`, but `is_seen` replaces the window.
    pub fn of_seen(mesh: &NavMesh, options: &SketchOptions, is_seen: impl Fn(&Cell<'_>) -> bool) -> Scope {
        let bands = mesh.storeys();
        // A gap that an edit left among the cells has no height, so it belongs to no storey.
        let mut heights = vec![f64::NAN; mesh.cell_slots()];
        mesh.cells().for_each(|cell| heights[cell.id().index()] = mesh.mean_height(cell.id()).unwrap_or(0.0));
        let wanted = match options.layer {
            None => [f64::NEG_INFINITY, f64::INFINITY],
            Some(Layer::Heights(band)) => band,
            // No cell lies in a storey that does not exist.
            Some(Layer::Storey(number)) => bands.get(number).copied().unwrap_or([f64::INFINITY; 2]),
        };
        let is_in = |[from, to]: [f64; 2], height: f64| height >= from && height < to;
        let belongs = |band: &[f64; 2]| -> Vec<bool> {
            heights.iter().map(|height| is_in(*band, *height) && is_in(wanted, *height)).collect()
        };
        let mut storeys: Vec<Vec<bool>> = bands.iter().map(belongs).collect();
        let mut seen = vec![false; mesh.cell_slots()];
        mesh.cells().for_each(|cell| seen[cell.id().index()] = is_seen(&cell));
        let cells = storeys.iter_mut().flat_map(|shown| shown.iter_mut().zip(&seen));
        cells.for_each(|(shown, is_seen)| *shown &= is_seen);
        storeys.retain(|shown| shown.contains(&true));
        let is_whole = storeys.iter().flatten().filter(|shown| **shown).count() == mesh.cell_count();
        let mut scope = Scope { storeys, bounds: options.window.or(mesh.bounds()), is_whole, wanted };
        if !is_whole && options.window.is_none() {
            scope.bounds =
                box_around(scope.cells().filter_map(|cell| mesh.cell(cell)).flat_map(|cell| cell.outline()));
        }
        scope
    }

    /// Returns the heights in metres between which things stand on the shown ground: from a step above the lowest ground
    /// to a body above the highest.
    pub fn standing_heights(&self, mesh: &NavMesh) -> [f64; 2] {
        let ranges = self.cells().filter_map(|cell| mesh.height_range(cell));
        let [low, high] = ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or_default();
        [low + mesh.max_step().unwrap_or(0.0), high + mesh.body_height().unwrap_or(2.0)]
    }

    /// True if ground of a height would be shown.
    pub fn is_shown_at(&self, height: f64) -> bool {
        height >= self.wanted[0] && height < self.wanted[1]
    }

    /// True if a cell is shown.
    pub fn shows(&self, cell: u32) -> bool {
        self.storeys.iter().any(|shown| shown.get(cell as usize) == Some(&true))
    }

    /// Returns the cells that are shown.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        let count = self.storeys.first().map_or(0, Vec::len) as u32;
        (0..count).map(CellId).filter(|cell| self.shows(cell.0))
    }
}

/// Returns the least box around points; `None` without points.
pub fn box_around(points: impl Iterator<Item = [f64; 2]>) -> Option<[[f64; 2]; 2]> {
    points.fold(None, |known, point| {
        let [low, high] = known.unwrap_or([point; 2]);
        Some([[low[0].min(point[0]), low[1].min(point[1])], [high[0].max(point[0]), high[1].max(point[1])]])
    })
}

/// True if a convex outline, counter-clockwise, and a box share more than a border. Otherwise a side of one of them
/// separates the two (separating axes).
pub fn meets(outline: &[[f64; 2]], [low, high]: [[f64; 2]; 2]) -> bool {
    let is_apart = |axis: usize| {
        outline.iter().all(|at| at[axis] <= low[axis]) || outline.iter().all(|at| at[axis] >= high[axis])
    };
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
    let parts = |(from, to): (&[f64; 2], &[f64; 2])| {
        let along = [to[0] - from[0], to[1] - from[1]];
        corners.iter().all(|at| along[0] * (at[1] - from[1]) - along[1] * (at[0] - from[0]) <= 0.0)
    };
    let mut sides = outline.iter().zip(outline.iter().cycle().skip(1));
    !is_apart(0) && !is_apart(1) && !sides.any(parts)
}
