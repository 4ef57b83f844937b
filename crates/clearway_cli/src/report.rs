//! The report of a build, for people and for programs.

mod links;
mod scene;

use crate::args::Point;
use crate::clock::{StageTime, ms};
use clearway::BuildReport;
use clearway::mesh::Repair;
pub use links::{LinksAnswer, count_kinds, kinds_text};
pub use scene::{CoverageAnswer, MethodAnswer};
use serde::Serialize;
use std::fmt::Write;
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
        self.counts(&mut table);
        self.measures(&mut table);
        match &self.report.surface {
            Some(surface) => scene::rows(surface, &mut table),
            None => self.repairs(&mut table),
        }
        self.links.rows(&mut table);
        if let Some(coverage) = &self.coverage {
            coverage.rows(&mut table);
        }
        self.times(&mut table);
        format!("{}\n{}", self.input, table.text())
    }

    /// Adds rows for the parts of the mesh.
    fn counts(&self, table: &mut Table) {
        let report = &self.report;
        let bound = format!("no partition has fewer than {}", report.lower_bound);
        if report.options.is_relaxed() {
            let angle = report.options.relax_angle.to_degrees();
            let depth = report.options.relax_depth;
            let rule = format!("relaxed by {} degrees, {} m", measure(angle), measure(depth));
            table.row("regions", report.regions, format!("{rule}; {bound}"));
            table.row("cells", report.cells, "exactly convex");
        } else {
            table.row("cells", report.cells, format!("exactly convex; {bound}"));
        }
        let lengths = [report.mean_portal_length, report.portal_length].map(measure);
        table.row("portals", report.portals, format!("{} m on average, {} m in all", lengths[0], lengths[1]));
        table.row("walls", report.walls, "");
        table.row("vertices", report.vertices, "");
        table.row("components", report.components, "");
        table.row("holes", report.holes, "");
        table.row("notches", report.notches, "reflex corners");
        if report.sharp_corners > 0 {
            let forced = format!("under 1 degree; {} of them lie between walls", report.forced_sharp_corners);
            table.row("sharp corners", report.sharp_corners, forced);
        }
    }

    /// Adds rows for area and grid.
    fn measures(&self, table: &mut Table) {
        let report = &self.report;
        table.row("area", measure(report.area), "m\u{b2}");
        table.row(
            "grid",
            measure(report.grid),
            format!("m; points moved by at most {} m", measure(report.moved)),
        );
    }

    /// Adds rows for the repairs of a plan.
    fn repairs(&self, table: &mut Table) {
        let total: u64 = self.report.repaired.iter().map(|repair| repair.count).sum();
        table.row("repairs", total, if total == 0 { "the plan was clean" } else { "" });
        for repair in &self.report.repaired {
            table.row("", repair.count, repair_text(repair));
        }
    }

    /// Adds rows for durations and memory.
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

/// Returns a repair in words, with its first location.
fn repair_text(repair: &Repair) -> String {
    let place = repair.at.map(|[x, y]| format!(", first at ({x}, {y})")).unwrap_or_default();
    format!("{}{place}", repair.detail)
}

/// Returns a number with about four digits: enough to judge, short enough to read.
pub fn measure(value: f64) -> String {
    let decimals = match value.abs() {
        // Sums of floats leave less than this over.
        size if size < 1e-9 => return "0".to_string(),
        size if !(1e-4..1e9).contains(&size) => return format!("{value:.2e}"),
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        size if size >= 1.0 => 3,
        _ => 5,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// Returns a point, rounded to millimetres.
pub fn short_point(point: Point) -> String {
    match point {
        Point::Plan(at) => Point::Plan(at.map(to_millimetres)).to_string(),
        Point::Space(at) => Point::Space(at.map(to_millimetres)).to_string(),
    }
}

/// Rounds a length to millimetres; lengths that floats do not resolve to millimetres stay as they are.
pub fn to_millimetres(length: f64) -> f64 {
    if length.abs() < 1e12 { ((1000.0 * length).round() + 0.0) / 1000.0 } else { length }
}

/// Returns milliseconds for people.
fn short_ms(ms: f64) -> String {
    if ms >= 10.0 { format!("{ms:.0}") } else { format!("{ms:.1}") }
}

/// Returns a number of bytes for people.
pub fn size_text(bytes: usize) -> String {
    match bytes as f64 {
        bytes if bytes >= 1e6 => format!("{:.1} MB", bytes / 1e6),
        bytes if bytes >= 1e3 => format!("{:.1} kB", bytes / 1e3),
        bytes => format!("{bytes} bytes"),
    }
}

/// Aligned rows of a name, a value and a remark.
#[derive(Debug, Default)]
pub struct Table {
    /// The rows: name, value, remark.
    rows: Vec<[String; 3]>,
}

impl Table {
    /// Adds a row.
    pub fn row(&mut self, name: &str, value: impl ToString, remark: impl Into<String>) {
        self.rows.push([name.to_string(), value.to_string(), remark.into()]);
    }

    /// Returns the rows as aligned text.
    pub fn text(&self) -> String {
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (names, values) = (width(0), width(1));
        let mut text = String::new();
        for [name, value, remark] in &self.rows {
            let line = format!("  {name:<names$}  {value:>values$}  {remark}");
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_short() {
        let cases =
            [(0.0, "0"), (1.0, "1"), (0.5, "0.5"), (12.345, "12.35"), (1234.56, "1235"), (100.0, "100")];
        for (value, text) in cases {
            assert_eq!(measure(value), text);
        }
        assert_eq!(measure(f64::from(1 << 20).recip()), "9.54e-7");
        assert_eq!(measure(1000.0), "1000");
        assert_eq!(measure(-3.7e-14), "0");
    }

    #[test]
    fn rows_are_aligned() {
        let mut table = Table::default();
        table.row("cells", 7, "");
        table.row("a", 12345, "remark");
        assert_eq!(table.text(), "  cells      7\n  a      12345  remark\n");
    }
}
