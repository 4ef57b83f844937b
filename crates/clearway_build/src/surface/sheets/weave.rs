//! The sheets of all charts, exactly where that works and by voxels where it does not.
//!
//! An arrangement fails only where hopeless soup needs more crossings than its budget. Such a chart is drawn anew by
//! the voxel route, with far fewer lines, and arranged again; what fails even then is left out. Both are told.

use crate::surface::faces::soup::{FaceBins, Soup};
use crate::surface::headroom::prism::{Limits, Prism};
use crate::surface::rules::Method;
use crate::surface::sheets::charts::Charts;
use crate::surface::sheets::voxel::Voxels;
use crate::surface::stitch::fabric::Fabric;
use clearway_base::error::{ErrorKind, Result};
use clearway_geometry::Point;
use clearway_geometry::arrangement::{ArrangeError, Border, Sheet, arrange_sheet};
use rayon::prelude::*;

/// The cell of charts that fall back, in metres; larger where there would be too many columns.
const FALLBACK_CELL: f64 = 0.1;

/// The greatest cell that a chart may fall back to, in metres.
const GREATEST_CELL: f64 = 5.0;

/// Why a chart was not found exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Its lines were too tangled; it took the voxel route.
    Tangled,
    /// Even what the voxel route drew was too tangled; it is missing.
    Lost,
}

/// A chart that was not found exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fallback {
    /// Its number.
    pub chart: u32,
    /// A corner of it.
    pub place: Point,
    /// What became of it.
    pub reason: Reason,
}

/// All that sheets are made from.
pub struct Sheets<'a> {
    pub soup: &'a Soup,
    /// All faces of the soup by place.
    pub faces: &'a FaceBins,
    pub charts: &'a Charts,
    pub prisms: &'a [Prism],
    pub limits: Limits,
}

impl Sheets<'_> {
    /// The sheets of all charts, not yet glued. Charts that `refuses` names count as too tangled.
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

    fn exact(&self, chart: usize, refuses: impl Fn(usize) -> bool) -> Option<Sheet> {
        if refuses(chart) {
            return None;
        }
        self.arrange(&self.charts.borders(chart, self.soup, self.prisms)).ok()
    }

    fn arrange(&self, borders: &[Border]) -> std::result::Result<Sheet, ArrangeError> {
        arrange_sheet(borders, |face, other, at| {
            let [here, there] = [face, other].map(|face| self.soup.height_at(face, at.as_vec2()));
            (here - there).abs() <= self.limits.step
        })
    }

    /// Charts by the voxel route, with cells as fine as their size allows.
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

    /// Charts by the voxel route; `None` for those that cannot be arranged even so.
    fn drawn(&self, charts: &[u32], cell: f64) -> Result<Vec<Option<Sheet>>> {
        if charts.is_empty() {
            return Ok(Vec::new());
        }
        let voxels = Voxels::of(self, charts, cell)?;
        let draw = |place: usize| {
            let barriers =
                |face: u32| self.prisms[face as usize].borders.iter().filter(|border| border.is_barrier);
            let mut borders = self.charts.borders_with(charts[place] as usize, self.soup, barriers);
            borders.extend(voxels.contours(place));
            self.arrange(&borders).ok()
        };
        Ok((0..charts.len()).into_par_iter().map(draw).collect())
    }

    fn place(&self, chart: u32) -> Point {
        let face = self.charts.charts[chart as usize].first();
        face.map_or_else(Point::default, |face| self.soup.corners(*face)[0].at)
    }
}
