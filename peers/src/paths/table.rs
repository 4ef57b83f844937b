//! The results, as Markdown to read and as JSON to compare runs.

use serde::Serialize;

use super::buildings::BuildingRow;
use super::growth::GrowthRow;
use super::index::IndexRow;
use super::places::PlaceRow;
use super::rows::PathRow;
use crate::table::Markdown;

/// Everything one run measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PathReport {
    /// Rounds behind every least time.
    pub rounds: usize,
    /// One entry per map, planner and radius.
    pub paths: Vec<PathRow>,
    /// One entry per map or world.
    pub indices: Vec<IndexRow>,
    /// One entry per map and peer.
    pub places: Vec<PlaceRow>,
    /// One entry per building, planner and radius.
    pub buildings: Vec<BuildingRow>,
    /// One entry per world and planner.
    pub growth: Vec<GrowthRow>,
}

impl PathReport {
    /// All tables.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.paths.is_empty() {
            text += &self.path_table();
        }
        if !self.indices.is_empty() {
            text += &self.index_table();
        }
        if !self.places.is_empty() {
            text += &self.place_table();
        }
        if !self.buildings.is_empty() {
            text += &self.building_table();
        }
        if !self.growth.is_empty() {
            text += &self.growth_table();
        }
        text
    }

    /// The same as JSON.
    pub fn json(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }

    fn path_table(&self) -> String {
        let columns = [
            "map",
            "planner",
            "radius",
            "paths / none / too close",
            "mismatches (shorter) of known",
            "longer than shortest, mean",
            "worst",
            "expansions",
            "median µs",
            "p99 µs",
            "no path µs",
            "median ratio",
            "p99 ratio",
            "KiB",
        ];
        let title =
            format!("Paths, least time of {} rounds, ratios to polyanya on its own mesh", self.rounds);
        let mut table = Markdown::new(&title, columns.map(String::from));
        self.paths.iter().for_each(|row| table.row(path_cells(row)));
        table.finish()
    }

    fn index_table(&self) -> String {
        let columns = [
            "map",
            "cells",
            "corners",
            "tangents",
            "bytes per cell",
            "build ms",
            "prepare ms",
            "prepare / build",
            "paid back after disc queries",
            "differing answers",
            "note",
        ];
        let mut table = Markdown::new("Path index, processor time on one thread", columns.map(String::from));
        for row in &self.indices {
            table.row([
                row.map.clone(),
                row.cells.to_string(),
                count(row.corners),
                count(row.tangents),
                short(row.bytes_per_cell()),
                short(Some(row.build_ms)),
                short(Some(row.prepare_ms)),
                ratio(Some(row.prepare_ratio())),
                row.paid_back.map_or_else(dash, |queries| format!("{queries:.0}")),
                count(row.differing),
                row.note.clone().unwrap_or_else(dash),
            ]);
        }
        table.finish()
    }

    fn place_table(&self) -> String {
        let columns =
            ["map", "peer", "locate ns, cold", "locate ns, coherent", "not found", "widest radius µs"];
        let mut table = Markdown::new("Places", columns.map(String::from));
        for row in &self.places {
            table.row([
                row.map.clone(),
                row.peer.clone(),
                short(row.cold_ns),
                short(row.coherent_ns),
                row.missed.to_string(),
                short(row.widest_us),
            ]);
        }
        table.finish()
    }

    fn building_table(&self) -> String {
        let columns = [
            "building",
            "planner",
            "radius",
            "paths of pairs",
            "median µs",
            "p99 µs",
            "median / ours",
            "mean length / ours",
            "shorter than ours",
            "note",
        ];
        let title = format!("Buildings, least time of {} rounds", self.rounds);
        let mut table = Markdown::new(&title, columns.map(String::from));
        for row in &self.buildings {
            let mut cells = vec![row.building.clone(), row.peer.clone(), row.radius.to_string()];
            cells.push(format!("{} of {}", row.found, row.pairs));
            cells.extend([row.median_us, row.p99_us].map(short));
            cells.push(ratio(row.median_ratio));
            cells.push(row.length_ratio.map_or_else(dash, |ratio| format!("{ratio:.4}")));
            cells.push(row.shorter.to_string());
            cells.push(row.note.clone().unwrap_or_else(dash));
            table.row(cells);
        }
        table.finish()
    }

    fn growth_table(&self) -> String {
        let columns = [
            "vertices",
            "our cells",
            "planner",
            "radius",
            "locate ns, cold",
            "locate ns, coherent",
            "near path µs",
            "far path µs",
            "widest radius µs",
            "bytes per vertex",
            "prepare ms",
            "index bytes per vertex",
            "note",
        ];
        let mut table = Markdown::new("Growth, medians", columns.map(String::from));
        for row in &self.growth {
            let mut cells = vec![row.vertices.to_string(), row.cells.to_string(), row.peer.clone()];
            cells.push(row.radius.to_string());
            let figures = [row.cold_ns, row.coherent_ns, row.near_us, row.far_us, row.widest_us];
            cells.extend(figures.map(short));
            cells.extend([row.bytes_per_vertex, row.prepare_ms, row.index_bytes_per_vertex].map(short));
            cells.push(row.note.clone().unwrap_or_else(dash));
            table.row(cells);
        }
        table.finish()
    }
}

fn path_cells(row: &PathRow) -> Vec<String> {
    let mut cells = vec![row.map.clone(), row.peer.clone(), row.radius.to_string()];
    if let Some(note) = &row.note {
        cells.push(note.clone());
        cells.resize(14, "–".into());
        return cells;
    }
    cells.push(format!("{} / {} / {}", row.found, row.no_path, row.too_close));
    cells.push(match row.known {
        0 => "–".into(),
        known => format!("{} ({}) of {known}", row.mismatches, row.shorter),
    });
    cells.extend([row.mean_excess, row.worst_excess].map(percent));
    cells.extend([row.expansions, row.median_us, row.p99_us, row.refused_us].map(short));
    cells.extend([row.median_ratio, row.p99_ratio].map(ratio));
    cells.push(row.memory.map_or_else(dash, |bytes| (bytes / 1024).to_string()));
    cells
}

/// Three significant figures.
fn short(value: Option<f64>) -> String {
    let digits = |value: f64| usize::from(value < 100.0) + usize::from(value < 10.0);
    value.map_or_else(dash, |value| format!("{value:.*}", digits(value)))
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(dash, |share| match share * 100.0 {
        percent if percent.abs() < 5e-4 => "0".into(),
        percent => format!("{percent:.3} %"),
    })
}

fn count(value: Option<usize>) -> String {
    value.map_or_else(dash, |value| value.to_string())
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{value:.2}×"))
}

fn dash() -> String {
    "–".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_cell_for_every_column() {
        let absent = PathRow { map: "m".into(), note: Some("no mesh".into()), ..PathRow::default() };
        let report = PathReport { paths: vec![PathRow::default(), absent], ..PathReport::default() };
        let text = report.markdown();
        let bars: Vec<usize> =
            text.lines().filter(|line| line.starts_with('|')).map(|line| line.matches('|').count()).collect();
        assert_eq!(bars, [15; 4], "{text}");
    }
}
