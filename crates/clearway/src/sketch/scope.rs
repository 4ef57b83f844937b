//! Which cells a picture shows, storey by storey.

use super::{Layer, SketchOptions};
use crate::mesh::{CellId, NavMesh};

/// The cells of a picture.
pub struct Scope {
    /// For each storey from the lowest on, which cells of the mesh belong to it; every cell shown belongs to one.
    pub storeys: Vec<Vec<bool>>,
    /// The least box around what is shown, in plan coordinates; `None` around nothing.
    pub bounds: Option<[[f64; 2]; 2]>,
}

impl Scope {
    /// What the options ask for.
    pub fn of(mesh: &NavMesh, options: &SketchOptions) -> Scope {
        let bands = mesh.storeys();
        let heights: Vec<f64> = mesh.cells().map(|cell| mesh.mean_height(cell.id()).unwrap_or(0.0)).collect();
        let wanted = match options.layer {
            None => [f64::NEG_INFINITY, f64::INFINITY],
            Some(Layer::Heights(band)) => band,
            // No cell lies in a storey that is not there.
            Some(Layer::Storey(number)) => bands.get(number).copied().unwrap_or([f64::INFINITY; 2]),
        };
        let is_in = |[from, to]: [f64; 2], height: f64| height >= from && height < to;
        let belongs = |band: &[f64; 2]| -> Vec<bool> {
            heights.iter().map(|height| is_in(*band, *height) && is_in(wanted, *height)).collect()
        };
        let mut storeys: Vec<Vec<bool>> = bands.iter().map(belongs).collect();
        storeys.retain(|shown| shown.contains(&true));
        let is_whole = storeys.iter().flatten().filter(|shown| **shown).count() == mesh.cell_count();
        let mut scope = Scope { storeys, bounds: mesh.bounds() };
        if !is_whole {
            scope.bounds =
                box_around(scope.cells().filter_map(|cell| mesh.cell(cell)).flat_map(|cell| cell.outline()));
        }
        scope
    }

    /// The cells shown.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        let count = self.storeys.first().map_or(0, Vec::len) as u32;
        (0..count).map(CellId).filter(|cell| self.storeys.iter().any(|shown| shown[cell.index()]))
    }
}

/// The least box around points.
pub fn box_around(points: impl Iterator<Item = [f64; 2]>) -> Option<[[f64; 2]; 2]> {
    points.fold(None, |known, point| {
        let [low, high] = known.unwrap_or([point; 2]);
        Some([[low[0].min(point[0]), low[1].min(point[1])], [high[0].max(point[0]), high[1].max(point[1])]])
    })
}
