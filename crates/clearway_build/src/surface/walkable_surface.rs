//! The result of an extraction: what cells are made from, and the ground that lies under them.
//!
//! The ground is a list of triangles that cover the walkable space. Each lies on one chart, so that the faces of that
//! chart give its heights. Invariant: triangles and floor divide the same space, up to what simplification moved. What
//! the passes needed on the way is gone.

use super::grid_rules::drawn_astray;
use super::outline::triangulate::Outline;
use super::report::summary::Ground;
use super::rules::{Method, WalkRules};
use super::stitch::fabric::Fabric;
use super::{ROUNDING, SurfaceReport};
use clearway_geometry::arrangement::{Floor, Repairs};
use clearway_geometry::{Grid, NONE, Triangulation};
use clearway_nav::mesh::{Patch, Relief};

/// The places where a body can stand: triangles over the ground plane, several layers deep, glued where one can walk
/// on.
#[derive(Debug)]
pub struct WalkableSurface {
    /// The grid that all corners lie on.
    grid: Grid,
    /// The walkable space, without inner and straight vertices.
    outline: Triangulation,
    /// The triangles of the ground.
    triangles: Vec<Patch>,
    /// For each side of each triangle, the triangle that one can walk on to, or [`NONE`].
    beyond: Vec<[u32; 3]>,
    /// Vertices of the outline, each with a triangle that has a border from there on.
    on_borders: Vec<(u32, u32)>,
    /// The area class of each chart.
    area_of: Vec<u8>,
    /// Heights, names of area classes and limits of the walker, under no cell yet.
    relief: Relief,
    /// The largest distance by which borders may have moved, in metres, beside rounding.
    astray: f64,
    /// The report for users.
    report: SurfaceReport,
}

impl WalkableSurface {
    /// Makes the result of what the passes left: the kept triangles, and the outline around them.
    pub(super) fn of(
        ground: &Ground<'_>,
        fabric: &Fabric,
        outline: Outline,
        rules: &WalkRules,
        areas: Vec<String>,
        report: SurfaceReport,
    ) -> WalkableSurface {
        let charts = 0..ground.charts.charts.len() as u32;
        let borders = (0u32..).zip(&fabric.twin).zip(&outline.vertex_of);
        let borders = borders.filter(|((_, twin), vertex)| **twin == NONE && **vertex != NONE);
        let beyond = |twin: u32| if twin == NONE { NONE } else { twin / 3 };
        WalkableSurface {
            grid: ground.soup.grid,
            on_borders: borders.map(|((e, _), vertex)| (*vertex, e / 3)).collect(),
            outline: outline.triangulation,
            triangles: (0..fabric.len() / 3).map(|triangle| fabric.patch(triangle)).collect(),
            beyond: fabric.twin.chunks_exact(3).map(|twin| [0, 1, 2].map(|i| beyond(twin[i]))).collect(),
            area_of: charts.map(|chart| ground.charts.area(chart, ground.soup)).collect(),
            relief: Relief {
                areas,
                max_step: rules.max_step,
                body_height: rules.height,
                ..relief_of_charts(ground, &used_charts(ground, fabric))
            },
            astray: farthest_astray(rules),
            report,
        }
    }

    /// Returns what was read, kept, dropped and mended.
    pub fn report(&self) -> &SurfaceReport {
        &self.report
    }

    /// Returns the grid that all corners lie on.
    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the walkable space, from which cells are made.
    pub(crate) fn floor(&self) -> Floor {
        let triangulation = self.outline.clone();
        let free = vec![true; triangulation.edges().triangle_count() as usize];
        Floor { triangulation, free, repairs: Repairs::default() }
    }

    /// Returns the heights, the names of area classes and the limits of the walker, under no cell yet.
    pub(crate) fn relief(&self) -> &Relief {
        &self.relief
    }

    /// Returns a triangle of the ground and the chart that it lies on.
    pub(crate) fn triangle(&self, triangle: u32) -> Patch {
        self.triangles[triangle as usize]
    }

    /// Returns the triangle that one can walk on to across each side of a triangle, or [`NONE`].
    pub(crate) fn beyond(&self, triangle: u32) -> [u32; 3] {
        self.beyond[triangle as usize]
    }

    /// Returns vertices of the floor, each with a triangle that has a border from there on.
    pub(crate) fn on_borders(&self) -> &[(u32, u32)] {
        &self.on_borders
    }

    /// Returns the area class of a chart.
    pub(crate) fn area_of(&self, chart: u32) -> u8 {
        self.area_of[chart as usize]
    }

    /// Returns the width, in grid units, of the widest overlap that two borders can make by moving towards each other.
    pub(crate) fn widest_overlap(&self) -> f64 {
        // Each of the two may be off by a few units more, by rounding.
        2.0 * self.astray / self.grid.unit() + 4.0 * ROUNDING
    }
}

#[cfg(test)]
impl WalkableSurface {
    /// Returns the number of charts that were found, whether triangles of them are left or not.
    pub(super) fn chart_count(&self) -> usize {
        self.area_of.len()
    }

    /// Returns the number of triangles of the ground.
    pub(super) fn triangle_count(&self) -> usize {
        self.triangles.len()
    }
}

/// Marks the charts that still have triangles in the surface.
fn used_charts(ground: &Ground<'_>, fabric: &Fabric) -> Vec<bool> {
    let mut is_used = vec![false; ground.charts.charts.len()];
    fabric.chart.iter().for_each(|chart| is_used[*chart as usize] = true);
    is_used
}

/// Returns the faces of the marked charts, with their corners numbered anew.
fn relief_of_charts(ground: &Ground<'_>, is_used: &[bool]) -> Relief {
    let mut relief = Relief::default();
    let mut number = vec![NONE; ground.soup.corners.len()];
    // Faces of charts that vanished, and dead faces, are not stored.
    let living = |chart: u32| chart != NONE && is_used[chart as usize];
    for (face, chart) in ground.soup.faces.iter().zip(&ground.charts.chart_of) {
        if living(*chart) {
            let corners = face.corners.map(|corner| {
                let known = &mut number[corner as usize];
                if *known == NONE {
                    *known = relief.points.len() as u32;
                    let corner = ground.soup.corners[corner as usize];
                    relief.points.push((corner.at, corner.height));
                }
                *known
            });
            relief.faces.push(corners);
            relief.chart_of.push(*chart);
        }
    }
    relief
}

/// Returns the largest distance by which borders may move, in metres: across gaps, by simplification, or by the cells
/// of the voxel route. Rims may meet a gap aslant, so that gaps count twice.
fn farthest_astray(rules: &WalkRules) -> f64 {
    let cell = match rules.method {
        Method::Exact => 0.0,
        Method::Voxel { cell } => cell.max(2.0 * drawn_astray(rules)),
    };
    (2.0 * rules.gap).max(rules.simplify).max(cell)
}
