//! The results, as Markdown to read and as JSON to compare runs.

use serde::Serialize;

use super::measure::Measured;
use super::world::{Truth, World};
use crate::memory::Peak;
use crate::table::Markdown;

/// Everything one run measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SceneReport {
    /// Rounds of interleaved builds behind every least time.
    pub rounds: usize,
    /// One entry per scene and builder.
    pub rows: Vec<SceneRow>,
}

/// One builder on one scene. Fields are empty where the builder has no such figure; `note` says why.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SceneRow {
    /// The scene's name.
    pub scene: String,
    /// Its triangles.
    pub triangles: usize,
    /// Its walkable area seen from above, as sampled, in square metres.
    pub walkable_area: f64,
    /// The same without islands below the least area of the rules.
    pub large_area: f64,
    /// The distance between the samples, in metres.
    pub step: f64,
    /// The builder's name.
    pub builder: String,
    /// Convex cells.
    pub cells: Option<usize>,
    /// Sets of cells that portals connect.
    pub components: Option<usize>,
    /// Least processor time up to the cells.
    pub cells_cpu_ms: Option<f64>,
    /// The same with all that heights need: Recast's detail mesh.
    pub cpu_ms: Option<f64>,
    /// Least wall time of the whole.
    pub wall_ms: Option<f64>,
    /// Processor time of the whole over that of each base in the same run.
    pub ratios: [Option<f64>; 2],
    /// What the build added to memory at its peak, in MiB.
    pub peak_mib: Option<f64>,
    /// The share of the walkable area that the mesh covers.
    pub recall: Option<f64>,
    /// The same without islands below the least area of the rules.
    pub large_recall: Option<f64>,
    /// The share of the mesh that is walkable.
    pub precision: Option<f64>,
    /// The mean distance in height between mesh and ground, in metres.
    pub height_error: Option<f64>,
    /// Why figures are missing.
    pub note: Option<String>,
}

impl SceneRow {
    /// The figures of one builder, coverage included.
    pub fn new(world: &World, truth: &Truth, measured: Measured) -> SceneRow {
        let row = SceneRow {
            scene: world.name.clone(),
            triangles: world.scene.triangles.len(),
            walkable_area: truth.columns.area(0.0),
            large_area: truth.columns.area(world.rules.min_area),
            step: truth.step,
            builder: measured.builder.to_owned(),
            ..SceneRow::default()
        };
        let run = match measured.result {
            Err(note) => return SceneRow { note: Some(note), ..row },
            Ok(run) => run,
        };
        let row = SceneRow {
            cells: Some(run.built.cells),
            components: Some(run.built.components),
            cells_cpu_ms: Some(run.cells_time.cpu_ms),
            cpu_ms: Some(run.full_time.cpu_ms),
            wall_ms: Some(run.full_time.wall_ms),
            ..row
        };
        if run.built.cells == 0 {
            return SceneRow { note: Some("empty mesh, no error".into()), ..row };
        }
        let heights_at = (run.built.heights)();
        let all = truth.columns.coverage(0.0, |_| true, &heights_at);
        let large = truth.columns.coverage(world.rules.min_area, |_| true, &heights_at);
        SceneRow {
            recall: Some(all.recall),
            large_recall: Some(large.recall),
            precision: Some(all.precision),
            height_error: Some(all.mean_height_error),
            ..row
        }
    }

    /// Adds what a child process measured.
    pub fn add_peak(&mut self, peak: Result<Peak, String>) {
        match peak {
            Ok(peak) => self.peak_mib = Some(peak.rise_mib()),
            Err(error) => self.note = Some(error),
        }
    }
}

/// Fills in the ratios among the rows of one scene.
pub fn add_ratios(rows: &mut [SceneRow], bases: [&str; 2]) {
    let base_ms = bases.map(|base| rows.iter().find(|row| row.builder == base).and_then(|row| row.cpu_ms));
    for row in rows {
        row.ratios = base_ms.map(|base| Some(row.cpu_ms? / base?));
    }
}

const COLUMNS: [&str; 16] = [
    "scene",
    "triangles",
    "walkable m² (without small islands)",
    "builder",
    "cells",
    "components",
    "CPU ms, cells",
    "CPU ms, with detail",
    "/ recast-0.3",
    "/ recast-0.1",
    "peak MiB",
    "recall",
    "recall without small islands",
    "precision",
    "mean abs dy m",
    "note",
];

impl SceneReport {
    /// The table.
    pub fn markdown(&self) -> String {
        let title = format!("Scenes, least CPU time of {} rounds", self.rounds);
        let mut table = Markdown::new(&title, COLUMNS.map(String::from));
        self.rows.iter().for_each(|row| table.row(cells_of(row)));
        table.finish()
    }

    /// The same as JSON.
    pub fn json(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }
}

fn cells_of(row: &SceneRow) -> [String; 16] {
    let count = |value: Option<usize>| value.map_or_else(dash, |value| value.to_string());
    let figure =
        |value: Option<f64>, digits: usize| value.map_or_else(dash, |value| format!("{value:.digits$}"));
    [
        row.scene.clone(),
        row.triangles.to_string(),
        format!("{:.0} ({:.0})", row.walkable_area, row.large_area),
        row.builder.clone(),
        count(row.cells),
        count(row.components),
        figure(row.cells_cpu_ms, 1),
        figure(row.cpu_ms, 1),
        figure(row.ratios[0], 2),
        figure(row.ratios[1], 3),
        figure(row.peak_mib, 1),
        figure(row.recall, 3),
        figure(row.large_recall, 3),
        figure(row.precision, 3),
        figure(row.height_error, 2),
        row.note.clone().unwrap_or_default(),
    ]
}

fn dash() -> String {
    "–".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_to_the_bases_of_the_same_scene() {
        let row = |builder: &str, cpu_ms| SceneRow { builder: builder.into(), cpu_ms, ..SceneRow::default() };
        let mut rows = [row("coarse", Some(10.0)), row("fine", None), row("clearway", Some(5.0))];
        add_ratios(&mut rows, ["coarse", "fine"]);
        assert_eq!(rows[2].ratios, [Some(0.5), None]);
        assert_eq!(rows[1].ratios, [None, None]);
    }
}
