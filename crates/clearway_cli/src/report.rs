//! What a build found, for people and for programs.

mod coverage;
mod links;

use crate::clock::{StageTime, ms};
use clearway::BuildReport;
use clearway::answer::{MethodAnswer, build_rows};
pub use clearway::answer::{Table, measure, short_point, size_text};
pub use coverage::CoverageAnswer;
pub use links::{LinksAnswer, count_kinds, kinds_text};
use serde::Serialize;
use std::time::Duration;

/// The answer of `build`: the library's report, and what only the command knows.
#[derive(Debug, Serialize)]
pub struct BuildAnswer {
    /// The plan or scene.
    pub input: String,
    /// The mesh, if it was saved.
    pub output: Option<String>,
    /// Bytes of the mesh file.
    pub bytes: usize,
    /// How long reading it took.
    pub read_ms: f64,
    /// How long building took.
    pub build_ms: f64,
    /// How long each stage of building took.
    pub stages: Vec<StageTime>,
    /// The most bytes of memory in use up to the end of the build; null where the system does not tell.
    pub peak_memory: Option<u64>,
    /// How the surface of a scene was found.
    #[serde(flatten)]
    pub method: Option<MethodAnswer>,
    /// How the mesh compares with columns, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageAnswer>,
    /// Which links were taken, found and left out.
    pub links: LinksAnswer,
    /// What the library found, made and mended.
    #[serde(flatten)]
    pub report: BuildReport,
}

impl BuildAnswer {
    /// Counts the time of one more stage.
    pub fn add_stage(&mut self, name: &'static str, time: Duration) {
        let ms = ms(time);
        self.stages.push(StageTime { name, ms });
        self.build_ms += ms;
    }

    /// The report for people: a name, a number, and what helps to judge it.
    pub fn text(&self) -> String {
        let mut table = Table::default();
        build_rows(&self.report, &mut table);
        self.links.rows(&mut table);
        if let Some(coverage) = &self.coverage {
            coverage.rows(&mut table);
        }
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

fn short_ms(ms: f64) -> String {
    if ms >= 10.0 { format!("{ms:.0}") } else { format!("{ms:.1}") }
}
