//! How a mesh compares with columns.

use crate::failure::Result;
use clearway::answer::{Table, measure, place_text};
use clearway::surface::LARGEST_ISLAND;
use clearway::{NavMesh, Scene, WalkRules};
use clearway_compare::{ColumnSampler, Columns};
use serde::Serialize;

/// The seed of the sampler: columns always stand in the same places.
const SEED: u64 = 1;

/// A mesh compared with columns. Shares lie between 0 and 1, lengths are in metres.
#[derive(Debug, Serialize)]
pub struct CoverageAnswer {
    /// The distance between columns.
    pub step: f64,
    /// Places where one can stand, on islands that are not too small; not those inside solids, where these are dropped.
    pub samples: usize,
    /// The share of them that the mesh covers.
    pub recall: f64,
    /// The share of the mesh on which one can stand.
    pub precision: f64,
    /// Samples of the mesh on kerbs, which count as neither: nobody stands there, everybody steps over them.
    pub kerb_samples: usize,
    /// The mean distance in height between mesh and ground.
    pub mean_height_error: f64,
    /// The first places that the mesh lacks.
    pub missing: Vec<[f64; 3]>,
    /// The first places of the mesh where one cannot stand.
    pub extra: Vec<[f64; 3]>,
}

impl CoverageAnswer {
    /// Samples the scene and compares.
    pub fn of(scene: &Scene, rules: &WalkRules, mesh: &NavMesh, step: f64) -> Result<CoverageAnswer> {
        let sampler = ColumnSampler::new(scene, rules);
        let columns = Columns::sample(&sampler, step, SEED)?;
        // What the build leaves out inside solids, or as islands, is not missed.
        let least = if rules.islands { rules.min_area.max(LARGEST_ISLAND) } else { rules.min_area };
        let counts = |place: [f64; 3]| !(rules.inside && sampler.seems_inside(place));
        let found = columns.coverage(least, counts, |x, z| mesh.heights_at(x, z));
        Ok(CoverageAnswer {
            step,
            samples: found.samples,
            recall: found.recall,
            precision: found.precision,
            kerb_samples: found.kerb_samples,
            mean_height_error: found.mean_height_error,
            missing: found.missing,
            extra: found.extra,
        })
    }

    /// For people.
    pub fn rows(&self, table: &mut Table) {
        let first = |places: &[[f64; 3]]| {
            places.first().map(|at| format!(", first at {}", place_text(*at))).unwrap_or_default()
        };
        let of = format!("of {} places one can stand are covered{}", self.samples, first(&self.missing));
        table.row("recall", format!("{:.4}", self.recall), of);
        let wrong = match self.extra.is_empty() {
            true => "of the mesh can be stood on".to_string(),
            false => format!("of the mesh can be stood on; the rest{}", first(&self.extra)),
        };
        table.row("precision", format!("{:.4}", self.precision), wrong);
        table.row("height error", measure(self.mean_height_error), "m on average");
    }
}
