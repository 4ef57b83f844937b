//! The report of a build, for people and for programs.

mod coverage;
mod links;
mod narrow;

use crate::clock::{StageTime, ms};
use clearway::answer::{MethodAnswer, build_rows};
pub use clearway::answer::{Table, measure, short_point, size_text};
use clearway::{BuildReport, PathIndex};
pub use coverage::CoverageAnswer;
pub use links::{LinksAnswer, count_kinds, kinds_text};
pub use narrow::NarrowAnswer;
use serde::Serialize;
use std::time::Duration;

/// The answer of `build`: the library's report, and the facts that only the command knows.
#[derive(Debug, Serialize)]
pub struct BuildAnswer {
    /// The plan or scene that was read.
    pub input: String,
    /// The mesh file, if it was saved.
    pub output: Option<String>,
    /// The size of the mesh file in bytes.
    pub bytes: usize,
    /// The duration of reading, in milliseconds.
    pub read_ms: f64,
    /// The duration of building, in milliseconds.
    pub build_ms: f64,
    /// The durations of the stages of building.
    pub stages: Vec<StageTime>,
    /// The greatest number of bytes in use up to the end of the build; null if the system does not report it.
    pub peak_memory: Option<u64>,
    /// The method by which the surface of a scene was found.
    #[serde(flatten)]
    pub method: Option<MethodAnswer>,
    /// The comparison of the mesh with columns, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageAnswer>,
    /// The links that were taken, found and left out.
    pub links: LinksAnswer,
    /// Figures about the path index, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_index: Option<PathIndex>,
    /// The report of the library.
    #[serde(flatten)]
    pub report: BuildReport,
}

impl BuildAnswer {
    /// Adds one more stage to the durations.
    pub fn add_stage(&mut self, name: &'static str, time: Duration) {
        let ms = ms(time);
        self.stages.push(StageTime { name, ms });
        self.build_ms += ms;
    }

    /// Returns the report for people: a name, a number, and a remark that helps to judge it.
    pub fn text(&self) -> String {
        let mut table = Table::default();
        build_rows(&self.report, &mut table);
        self.links.rows(&mut table);
        if let Some(coverage) = &self.coverage {
            coverage.rows(&mut table);
        }
        index_row(self.path_index.as_ref(), &mut table);
        self.times(&mut table);
        format!("{}\n{}", self.input, table.text())
    }

    fn times(&self, table: &mut Table) {
        let stages: Vec<_> =
            self.stages.iter().map(|stage| format!("{} {}", stage.name, short_ms(stage.ms))).collect();
        table.row("read", short_ms(self.read_ms), "ms");
        table.row("build", short_ms(self.build_ms), format!("ms: {}", stages.join(", ")));
        if let Some(peak) = self.peak_memory {
            table.row("memory", measure(peak as f64 / f64::from(1 << 20)), "MiB at most");
        }
    }
}

/// Adds a row about the path index, if there is one.
pub fn index_row(index: Option<&PathIndex>, table: &mut Table) {
    if let Some(index) = index {
        let remark = format!("tangents between {} corners, {}", index.corners, size_text(index.bytes));
        table.row("path index", index.tangents, remark);
    }
}

fn short_ms(ms: f64) -> String {
    if ms >= 10.0 { format!("{ms:.0}") } else { format!("{ms:.1}") }
}
