//! Makes the sheets of all charts: exactly where that works, by voxels where it does not.
//!
//! An arrangement fails only where hopeless soup needs more crossings than its budget. Such a chart is drawn anew by
//! the voxel route, with far fewer lines, and arranged again. A chart that fails even then is left out. Both cases are
//! reported. Charts are arranged in parallel.

use crate::surface::faces::soup::{FaceBins, Soup};
use crate::surface::grid_rules::Limits;
use crate::surface::headroom::prism::Prism;
use crate::surface::rules::Method;
use crate::surface::sheets::charts::Charts;
use crate::surface::sheets::voxel::Voxels;
use crate::surface::stitch::fabric::Fabric;
use crate::surface::tolerances::weave::{FALLBACK_CELL, GREATEST_CELL};
use clearway_base::error::{ErrorKind, Result};
use clearway_geometry::Point;
use clearway_geometry::arrangement::{ArrangeError, Border, Sheet, arrange_sheet};
use rayon::prelude::*;

/// The fate of a chart that was not found exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Its lines were too tangled; it took the voxel route.
    Tangled,
    /// Even the lines of the voxel route were too tangled; the chart is missing.
    Lost,
}

/// A chart that was not found exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fallback {
    /// The index of the chart.
    pub chart: u32,
    /// A corner of the chart.
    pub place: Point,
    /// Its fate.
    pub reason: Reason,
}

/// All that sheets are made from.
pub struct Sheets<'a> {
    /// The faces on the grid.
    pub soup: &'a Soup,
    /// All faces of the soup in grids of boxes.
    pub faces: &'a FaceBins,
    /// The charts.
    pub charts: &'a Charts,
    /// The contents of the prism over each walkable face.
    pub prisms: &'a [Prism],
    /// The heights that matter.
    pub limits: Limits,
}

impl Sheets<'_> {
    /// Makes the sheets of all charts, not yet glued. Charts for which `refuses` is true count as too tangled.
    pub fn weave(
        &self,
        method: Method,
        refuses: impl Fn(usize) -> bool + Sync,
    ) -> Result<(Fabric, Vec<Fallback>)> {
        let all = 0..self.charts.charts.len();
        let mut sheets: Vec<Option<Sheet>> = match method {
            Method::Exact => all.into_par_iter().map(|chart| self.exact(chart, &refuses)).collect(),
            Method::Voxel { .. } => vec![None; all.len()],
        };
        let missing: Vec<u32> = (0..).zip(&sheets).filter(|(_, s)| s.is_none()).map(|(c, _)| c).collect();
        let drawn = match method {
            Method::Exact => self.redrawn(&missing)?,
            Method::Voxel { cell } => self.drawn(&missing, cell)?,
        };
        let mut fallbacks = Vec::new();
        for (chart, sheet) in missing.iter().zip(drawn) {
            let reason = if sheet.is_some() { Reason::Tangled } else { Reason::Lost };
            if method == Method::Exact || sheet.is_none() {
                fallbacks.push(Fallback { chart: *chart, place: self.place(*chart), reason });
            }
            sheets[*chart as usize] = sheet;
        }
        let size = sheets.iter().flatten().map(|sheet| sheet.corners.len()).sum();
        let mut fabric = Fabric::with_capacity(size);
        for (chart, sheet) in (0u32..).zip(sheets) {
            fabric.add(&sheet.unwrap_or_default(), chart);
        }
        Ok((fabric, fallbacks))
    }

    /// Arranges a chart exactly; `None` if it is too tangled.
    fn exact(&self, chart: usize, refuses: impl Fn(usize) -> bool) -> Option<Sheet> {
        if refuses(chart) {
            return None;
        }
        self.arrange(&self.charts.borders(chart, self.soup, self.prisms)).ok()
    }

    /// Arranges borders to a sheet. Two faces are joined along an edge if they are at most a step apart there.
    fn arrange(&self, borders: &[Border]) -> std::result::Result<Sheet, ArrangeError> {
        arrange_sheet(borders, |face, other, at| {
            let [here, there] = [face, other].map(|face| self.soup.height_at(face, at.as_vec2()));
            (here - there).abs() <= self.limits.step
        })
    }

    /// Draws charts by the voxel route, with cells as fine as the limits allow.
    fn redrawn(&self, charts: &[u32]) -> Result<Vec<Option<Sheet>>> {
        let mut cell = FALLBACK_CELL;
        loop {
            match self.drawn(charts, cell) {
                Err(error) if error.kind() == ErrorKind::TooLarge && cell < GREATEST_CELL => {
                    cell = (2.0 * cell).min(GREATEST_CELL);
                }
                other => return other,
            }
        }
    }

    /// Draws charts by the voxel route; `None` for each that cannot be arranged even so.
    fn drawn(&self, charts: &[u32], cell: f64) -> Result<Vec<Option<Sheet>>> {
        if charts.is_empty() {
            return Ok(Vec::new());
        }
        let voxels = Voxels::of(self, charts, cell)?;
        let draw = |place: usize| {
            // Outlines and upright walls stay exact; only what takes head-room is drawn by voxels.
            let barriers =
                |face: u32| self.prisms[face as usize].borders.iter().filter(|border| border.is_barrier);
            let mut borders = self.charts.borders_with(charts[place] as usize, self.soup, barriers);
            borders.extend(voxels.contours(place));
            self.arrange(&borders).ok()
        };
        Ok((0..charts.len()).into_par_iter().map(draw).collect())
    }

    /// Returns a corner of a chart, for the report.
    fn place(&self, chart: u32) -> Point {
        let face = self.charts.charts[chart as usize].first();
        face.map_or_else(Point::default, |face| self.soup.corners(*face)[0].at)
    }
}
