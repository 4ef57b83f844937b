//! The results, as Markdown to read and as JSON to compare runs.

use std::fmt::Write;

use serde::Serialize;

use crate::inputs::Input;
use crate::measure::Measured;
use crate::memory::Peak;
use crate::one_chord::OneChord;

/// Everything one run measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Rounds of interleaved builds behind every least time.
    pub rounds: usize,
    /// One entry per input of the main tables.
    pub plans: Vec<PlanRows>,
    /// One entry per size of the growth table, ascending.
    pub growth: Vec<PlanRows>,
    /// Peak memory.
    pub memory: Vec<MemoryRow>,
}

/// All peers on one input.
#[derive(Clone, Debug, Serialize)]
pub struct PlanRows {
    /// The input's name.
    pub plan: String,
    /// Vertices of all rings.
    pub vertices: usize,
    /// Holes of all polygons.
    pub holes: usize,
    /// The relaxation that applied, in degrees.
    pub relax_degrees: f64,
    /// The cells published for this input.
    pub neogen_cells: Option<usize>,
    /// One entry per peer.
    pub peers: Vec<PeerRow>,
}

/// One peer on one input. Fields are empty where the peer has no such figure; `note` says why.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PeerRow {
    /// The peer's name.
    pub peer: String,
    /// Cells, convex up to the input's relaxation.
    pub cells: Option<usize>,
    /// The exactly convex cells under them, where the peer keeps both.
    pub exact_cells: Option<usize>,
    /// Edges between two cells.
    pub portals: Option<usize>,
    /// Mean length of a portal.
    pub mean_portal: Option<f64>,
    /// Summed length of the portals between the cells that `cells` counts.
    pub portal_length: Option<f64>,
    /// That length over that of one chord per notch in the same run.
    pub times_one_chord: Option<f64>,
    /// The fewest cells possible, as far as the peer knows.
    pub lower_bound: Option<usize>,
    /// Least processor time.
    pub cpu_ms: Option<f64>,
    /// Least wall time.
    pub wall_ms: Option<f64>,
    /// Processor time over that of spade's CDT alone in the same run.
    pub times_cdt: Option<f64>,
    /// Why the peer sat this input out.
    pub note: Option<String>,
}

/// Peak memory of one peer on one input.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryRow {
    /// The input's name.
    pub plan: String,
    /// Vertices of the input.
    pub vertices: usize,
    /// The peer's name.
    pub peer: String,
    /// The figures, where they could be had.
    pub peak: Option<Peak>,
    /// Why they could not.
    pub note: Option<String>,
}

/// The peers that ratios are to.
#[derive(Clone, Copy, Debug)]
pub struct Bases {
    /// For times.
    pub time: &'static str,
    /// For portal lengths.
    pub length: &'static str,
}

/// One row's bases, as figures.
#[derive(Clone, Copy, Debug)]
struct BaseFigures {
    ms: Option<f64>,
    length: Option<f64>,
}

impl PlanRows {
    /// The rows of one input, with ratios to the peers that are the bases.
    pub fn new(input: &Input, measured: &[Measured], bases: Bases) -> PlanRows {
        let named = |name: &str| measured.iter().find(|one| one.peer == name);
        let figures = BaseFigures {
            ms: named(bases.time).and_then(Measured::cpu_ms),
            length: named(bases.length).and_then(Measured::comparable_length),
        };
        PlanRows {
            plan: input.name.clone(),
            vertices: input.vertices(),
            holes: input.holes(),
            relax_degrees: input.relax_angle.to_degrees(),
            neogen_cells: input.neogen_cells,
            peers: measured.iter().map(|one| PeerRow::new(one, figures)).collect(),
        }
    }

    fn lower_bound(&self) -> Option<usize> {
        self.peers.iter().find_map(|row| row.lower_bound)
    }

    fn row(&self, peer: &str) -> Option<&PeerRow> {
        self.peers.iter().find(|row| row.peer == peer)
    }
}

impl PeerRow {
    fn new(measured: &Measured, bases: BaseFigures) -> PeerRow {
        let peer = measured.peer.to_owned();
        match &measured.result {
            Err(note) => PeerRow { peer, note: Some(note.clone()), ..PeerRow::default() },
            Ok((outcome, elapsed)) => PeerRow {
                peer,
                cells: Some(outcome.cells),
                exact_cells: outcome.exact_cells,
                portals: Some(outcome.portals),
                mean_portal: outcome.mean_portal(),
                portal_length: Some(outcome.comparable_length()),
                times_one_chord: bases.length.map(|base| outcome.comparable_length() / base),
                lower_bound: outcome.lower_bound,
                cpu_ms: Some(elapsed.cpu_ms),
                wall_ms: Some(elapsed.wall_ms),
                times_cdt: bases.ms.map(|base| elapsed.cpu_ms / base),
                note: None,
            },
        }
    }

    fn cells_text(&self) -> String {
        match (self.cells, self.exact_cells) {
            (Some(cells), Some(exact)) if exact != cells => format!("{cells} ({exact} exact)"),
            (Some(cells), _) => cells.to_string(),
            (None, _) => self.note.clone().unwrap_or_else(|| "–".into()),
        }
    }

    fn portal_text(&self) -> String {
        self.mean_portal.map_or_else(|| "–".into(), |mean| format!("{mean:.2}"))
    }

    fn length_text(&self) -> String {
        self.times_one_chord.map_or_else(|| "–".into(), |ratio| format!("{ratio:.3}"))
    }

    fn time_text(&self) -> String {
        match (self.cpu_ms, self.times_cdt) {
            (Some(ms), Some(ratio)) => format!("{} ({})", ms_text(ms), ratio_text(ratio)),
            (Some(ms), None) => ms_text(ms),
            (None, _) => "–".into(),
        }
    }
}

impl Report {
    /// All tables.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.plans.is_empty() {
            text += &self.cells_table();
            text += &plan_table("Mean portal length", &self.plans, PeerRow::portal_text);
            text += &self.length_table();
            let title = format!("CPU ms, least of {} rounds (ratio to cdt)", self.rounds);
            text += &plan_table(&title, &self.plans, PeerRow::time_text);
        }
        if !self.growth.is_empty() {
            text += &self.growth_table();
        }
        if !self.memory.is_empty() {
            text += &self.memory_table();
        }
        text
    }

    /// The same as JSON.
    pub fn json(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }

    fn cells_table(&self) -> String {
        let names = self.plans[0].peers.iter().map(|row| row.peer.clone());
        let fixed = ["plan", "vertices", "holes", "bound", "NEOGEN"].map(String::from);
        let mut table = Markdown::new("Cells", fixed.into_iter().chain(names));
        for plan in &self.plans {
            let figures = [plan.vertices, plan.holes].map(Some).into_iter();
            let figures = figures.chain([plan.lower_bound(), plan.neogen_cells]).map(count_text);
            let cells = plan.peers.iter().map(PeerRow::cells_text);
            table.row(std::iter::once(plan_name(plan)).chain(figures).chain(cells));
        }
        table.finish()
    }

    /// Ours beside the yardstick that its default quality promises to stay within a tenth of. Peers that know no
    /// relaxation would compare different things here.
    fn length_table(&self) -> String {
        let is_ours = |row: &&PeerRow| row.peer.starts_with("ours");
        let names = self.plans[0].peers.iter().filter(is_ours).map(|row| row.peer.clone());
        let fixed = ["plan", "portals, one-chord", "length, one-chord"].map(String::from);
        let mut table = Markdown::new("Portal length / one-chord", fixed.into_iter().chain(names));
        for plan in &self.plans {
            let yardstick = plan.row(OneChord::NAME);
            let portals = count_text(yardstick.and_then(|row| row.portals));
            let length = yardstick.and_then(|row| row.portal_length);
            let length = length.map_or_else(|| "–".into(), |length| format!("{length:.1}"));
            let ratios = plan.peers.iter().filter(is_ours).map(PeerRow::length_text);
            table.row([plan_name(plan), portals, length].into_iter().chain(ratios));
        }
        table.finish()
    }

    fn growth_table(&self) -> String {
        let columns = ["vertices", "peer", "cells", "CPU ms (ratio to cdt)", "ratio to the size before"];
        let mut table = Markdown::new("Growth", columns.map(String::from));
        for (i, plan) in self.growth.iter().enumerate() {
            let before = i.checked_sub(1).map(|before| &self.growth[before]);
            for (j, row) in plan.peers.iter().enumerate() {
                let before_ms = before.and_then(|plan| plan.peers[j].cpu_ms);
                let growth = row.cpu_ms.zip(before_ms).map(|(now, before)| ratio_text(now / before));
                let growth = growth.unwrap_or_else(|| "–".into());
                let vertices = plan.vertices.to_string();
                table.row([vertices, row.peer.clone(), row.cells_text(), row.time_text(), growth]);
            }
        }
        table.finish()
    }

    fn memory_table(&self) -> String {
        let columns = ["plan", "vertices", "peer", "peak above input, MiB", "bytes per vertex"];
        let mut table = Markdown::new("Memory", columns.map(String::from));
        for row in &self.memory {
            let note = || row.note.clone().unwrap_or_else(|| "–".into());
            let rise = row.peak.map_or_else(note, |peak| format!("{:.1}", peak.rise_mib()));
            let each = row.peak.map(|peak| peak.rise_mib() * 1024.0 * 1024.0 / row.vertices as f64);
            let each = each.map_or_else(|| "–".into(), |bytes| format!("{bytes:.0}"));
            table.row([row.plan.clone(), row.vertices.to_string(), row.peer.clone(), rise, each]);
        }
        table.finish()
    }
}

fn plan_table(title: &str, plans: &[PlanRows], text: fn(&PeerRow) -> String) -> String {
    let names = plans[0].peers.iter().map(|row| row.peer.clone());
    let mut table = Markdown::new(title, std::iter::once("plan".to_owned()).chain(names));
    for plan in plans {
        table.row(std::iter::once(plan_name(plan)).chain(plan.peers.iter().map(text)));
    }
    table.finish()
}

fn plan_name(plan: &PlanRows) -> String {
    let relaxed = plan.relax_degrees > 0.0;
    if relaxed { format!("{} ({:.0}°)", plan.plan, plan.relax_degrees) } else { plan.plan.clone() }
}

fn count_text(count: Option<usize>) -> String {
    count.map_or_else(|| "–".into(), |count| count.to_string())
}

/// Three significant figures for short times, whole milliseconds for long ones.
fn ms_text(ms: f64) -> String {
    let digits = if ms < 1.0 { 3 } else { usize::from(ms < 10.0) + usize::from(ms < 100.0) };
    format!("{ms:.digits$}")
}

fn ratio_text(ratio: f64) -> String {
    let digits = usize::from(ratio < 100.0);
    format!("{ratio:.digits$}×")
}

/// A table under construction.
pub struct Markdown(String);

impl Markdown {
    /// A title and the names of the columns.
    pub fn new(title: &str, columns: impl IntoIterator<Item = String>) -> Markdown {
        let mut table = Markdown(format!("## {title}\n\n"));
        let columns: Vec<String> = columns.into_iter().collect();
        let rule = vec!["---".to_owned(); columns.len()];
        table.row(columns);
        table.row(rule);
        table
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        for cell in cells {
            // Writing to a string cannot fail.
            _ = write!(self.0, "| {cell} ");
        }
        self.0.push_str("|\n");
    }

    /// The table as text.
    pub fn finish(mut self) -> String {
        self.0.push('\n');
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Elapsed;
    use crate::peer::Outcome;

    fn measured(peer: &'static str, cells: usize, cpu_ms: f64) -> Measured {
        let outcome = Outcome { cells, portals: 2, portal_length: 3.0, ..Outcome::default() };
        Measured { peer, result: Ok((outcome, Elapsed { cpu_ms, wall_ms: cpu_ms })) }
    }

    #[test]
    fn tables_hold_cells_ratios_and_notes() {
        let input = Input { name: "room".into(), ..Input::default() };
        let absent = Measured { peer: "recast", result: Err("not in metres".into()) };
        let bases = Bases { time: "cdt", length: "hm" };
        let rows = PlanRows::new(&input, &[measured("cdt", 9, 2.0), measured("hm", 4, 5.0), absent], bases);
        let report = Report { rounds: 1, plans: vec![rows], ..Report::default() };
        let text = report.markdown();
        assert!(text.contains("| room | 0 | 0 | – | – | 9 | 4 | not in metres |"), "{text}");
        assert!(text.contains("| room | 2.00 (1.0×) | 5.00 (2.5×) | – |"), "{text}");
        assert!(report.json().unwrap().contains("\"times_cdt\": 2.5"));
    }
}
