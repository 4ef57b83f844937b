//! The walkable surface of a scene: where a body can stand, exactly.
//!
//! All triangles are rounded to the grid once ([`soup`]). Over every face that can be walked on, what stands in the
//! room that a body needs is cut away ([`prism`]). Faces that do not lie over each other are taken together
//! ([`charts`]) and become sheets of walkable triangles in one arrangement each; sheets are glued where one can step
//! from one to the other ([`stitch`]), and what lies inside dissolves ([`outline`]). Charts too tangled for that take
//! the voxel route ([`voxel`]).

mod bins;
mod charts;
mod columns;
mod coverage;
mod fabric;
mod groups;
mod outline;
mod prism;
mod rules;
mod sheets;
mod soup;
mod stitch;
mod voxel;

use crate::error::Result;
use crate::progress::{NoProgress, Progress, begin};
use crate::scene::Scene;
pub(crate) use bins::{Bins, Extent};
use charts::Charts;
use clearway_geometry::Grid;
pub use columns::{ColumnSampler, Stand};
pub use coverage::{Columns, Coverage};
use fabric::Fabric;
use outline::Outline;
use prism::{Limits, Prism, Prisms};
use rayon::prelude::*;
pub use rules::{Method, WalkRules};
pub(crate) use sheets::Fallback;
#[cfg(test)]
use sheets::Reason;
use sheets::Sheets;
use soup::Soup;
use stitch::Stitcher;

/// Where a body can stand: triangles over the ground plane, several layers deep, glued where one can walk on.
#[derive(Debug)]
pub struct WalkableSurface {
    pub(crate) grid: Grid,
    pub(crate) outline: Outline,
    pub(crate) fabric: Fabric,
    pub(crate) charts: Charts,
    pub(crate) soup: Soup,
    pub(crate) areas: Vec<String>,
    pub(crate) max_step: f64,
    pub(crate) body_height: f64,
    /// Charts that were too tangled to be found exactly.
    #[allow(dead_code, reason = "the report of a scene will tell them")]
    pub(crate) fallbacks: Vec<Fallback>,
}

impl WalkableSurface {
    /// Finds the walkable surface of a scene.
    pub fn extract(scene: &Scene, rules: &WalkRules) -> Result<WalkableSurface> {
        Self::extract_with(scene, rules, &mut NoProgress)
    }

    /// Finds the walkable surface of a scene, telling `progress` the stages.
    pub fn extract_with(
        scene: &Scene,
        rules: &WalkRules,
        progress: &mut dyn Progress,
    ) -> Result<WalkableSurface> {
        Self::extract_where(scene, rules, progress, |_| false)
    }

    /// As [`WalkableSurface::extract_with`]; charts that `refuses` names count as too tangled.
    fn extract_where(
        scene: &Scene,
        rules: &WalkRules,
        progress: &mut dyn Progress,
        refuses: impl Fn(usize) -> bool + Sync,
    ) -> Result<WalkableSurface> {
        rules.validate()?;
        begin(progress, "snap")?;
        let soup = Soup::of(scene, rules)?;
        let unit = soup.grid.unit();
        let limits = Limits { height: rules.height / unit, step: rules.max_step / unit };
        begin(progress, "head-room")?;
        let faces = Bins::of((0..soup.faces.len() as u32).map(|face| soup.extent(face)).collect());
        let prisms = all_prisms(&soup, &faces, limits);
        begin(progress, "sheets")?;
        let charts = Charts::of(&soup, &prisms);
        let sheets = Sheets { soup: &soup, faces: &faces, charts: &charts, prisms: &prisms, limits };
        let (fabric, fallbacks) = sheets.weave(rules.method, refuses)?;
        begin(progress, "stitch")?;
        let mut stitcher = Stitcher {
            soup: &soup,
            faces: &faces,
            fabric,
            step: limits.step,
            height: limits.height,
            gap: rules.gap / unit,
            parted: 0,
        };
        stitcher.run();
        let mut fabric = stitcher.fabric;
        begin(progress, "outline")?;
        drop_small(&mut fabric, rules.min_area / (unit * unit));
        let outline = outline::triangulate(&fabric, |chart| charts.area(chart, &soup));
        Ok(WalkableSurface {
            grid: soup.grid,
            outline,
            fabric,
            charts,
            soup,
            areas: scene.areas.clone(),
            max_step: rules.max_step,
            body_height: rules.height,
            fallbacks,
        })
    }
}

/// What stands over every walkable face.
fn all_prisms(soup: &Soup, faces: &Bins, limits: Limits) -> Vec<Prism> {
    let prisms = Prisms { soup, limits };
    let over = |near: &mut Vec<u32>, face: u32| {
        near.clear();
        faces.each_touching(&soup.extent(face), |other| near.push(other));
        near.sort_unstable();
        prisms.over(face, near)
    };
    (0..soup.walkable()).into_par_iter().map_init(Vec::new, over).collect()
}

/// Drops pieces smaller than this, in square grid units.
fn drop_small(fabric: &mut Fabric, least: f64) {
    let (piece_of, count) = fabric.pieces();
    let mut size = vec![0i128; count as usize];
    for triangle in 0..piece_of.len() as u32 {
        size[piece_of[triangle as usize] as usize] += i128::from(fabric.doubled_area(triangle));
    }
    let keep: Vec<bool> = piece_of.iter().map(|piece| size[*piece as usize] as f64 * 0.5 >= least).collect();
    fabric.retain(&keep);
}
