//! The report on a scene for people, and the comparison of its mesh with columns.

use super::words::{Table, measure};
use clearway_build::surface::{Dropped, SurfaceFinding, SurfacePiece};
use clearway_build::{Method, SurfaceReport};
use serde::Serialize;

/// The number of components listed for people; the largest come first.
const MOST_LISTED: usize = 5;

/// The method by which the surface was found, for programs.
#[derive(Debug, Serialize)]
pub struct MethodAnswer {
    /// The name of the method.
    method: &'static str,
    /// The side of columns in metres, for the voxel method.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<f64>,
}

impl From<Method> for MethodAnswer {
    fn from(method: Method) -> MethodAnswer {
        match method {
            Method::Exact => MethodAnswer { method: "exact", cell: None },
            Method::Voxel { cell } => MethodAnswer { method: "voxel", cell: Some(cell) },
        }
    }
}

impl MethodAnswer {
    /// Adds a row for people.
    fn row(&self, table: &mut Table) {
        let columns = self.cell.map(|cell| format!("columns of {cell} m"));
        table.row("method", self.method, columns.unwrap_or_default());
    }
}

/// Adds the rows that matter most about a surface: its area by class, its pieces, what was dropped, and warnings.
pub fn rows(surface: &SurfaceReport, table: &mut Table) {
    let named = surface.areas.iter().filter(|share| share.area > 0.0);
    if surface.areas.len() > 1 {
        for share in named {
            table.row("", measure(share.area), format!("m\u{b2} of {}", share.name));
        }
    }
    for (number, piece) in surface.components.iter().take(MOST_LISTED).enumerate() {
        let name = if number == 0 { "pieces" } else { "" };
        table.row(name, measure(piece.area), format!("m\u{b2} at {}", place_text(piece.at)));
    }
    let more = surface.component_count.saturating_sub(MOST_LISTED);
    if more > 0 {
        table.row("", more, "smaller ones");
    }
    for dropped in &surface.dropped {
        table.row("dropped", dropped.count, dropped_text(dropped, surface));
    }
    for (number, warning) in surface.warnings.iter().enumerate() {
        let name = if number == 0 { "warnings" } else { "" };
        table.row(name, warning.count, warning_text(warning));
    }
    let total: u64 = surface.repaired.iter().map(|repair| repair.count).sum();
    table.row("repairs", total, if total == 0 { "the scene was clean" } else { "" });
    for repair in &surface.repaired {
        // Notes begin with numbers of their own, so no count is shown.
        let count = if repair.kind == "note" { String::new() } else { repair.count.to_string() };
        table.row("", count, finding_text(repair));
    }
    let [width, height, depth] = surface.size.map(measure);
    table.row("size", width, format!("m along x, {height} m high, {depth} m along z"));
}

/// Adds the technical rows about a surface.
pub fn technical_rows(surface: &SurfaceReport, table: &mut Table) {
    let rules = &surface.rules;
    let slope = measure(rules.max_slope.to_degrees());
    let walker = format!(
        "of {} face up and are no steeper than {slope} degrees; head-room {} m, steps {} m",
        surface.triangles, rules.height, rules.max_step
    );
    table.row("triangles", surface.walkable, walker);
    MethodAnswer::from(rules.method).row(table);
}

/// Returns what was dropped in words, with the option that keeps it.
fn dropped_text(dropped: &Dropped, surface: &SurfaceReport) -> String {
    let place = dropped.at.map(|at| format!(", first at {}", place_text(at))).unwrap_or_default();
    let help = match dropped.kind {
        "inside" => "; --inside keep keeps them",
        "island" => "; --islands keep keeps them",
        _ => "",
    };
    format!("{}{place}{help}", dropped.words(&surface.rules))
}

/// Returns a warning in words, with the option that helps.
fn warning_text(warning: &SurfaceFinding) -> String {
    let needed = warning.needed.map(measure).unwrap_or_default();
    let gain = warning.gain.map(|gain| format!(", {} m\u{b2} would come to larger pieces", measure(gain)));
    let gain = gain.unwrap_or_default();
    let help = match warning.kind {
        "gap" => format!("; --gap {needed} would join them{gain}"),
        "step" if needed.is_empty() => "; a higher step would take higher bodies".to_string(),
        "low" => format!("; --height {needed} would let bodies in"),
        "winding" => "; --flip turns them over".to_string(),
        "step" => format!("; --max-step {needed} would join them{gain}"),
        "steep" if !needed.is_empty() => format!("; --max-slope {needed} would take them"),
        // The size of a scene alone is no evidence that `auto` would follow.
        "unit" if warning.detail.starts_with("scene of") => format!("; try {needed} times the --scale"),
        "unit" => format!("; try {needed} times the --scale, or --scale auto"),
        "up" => "; try the other --up".to_string(),
        "up_z" => "; --up z reads files with z up".to_string(),
        "up_y" => "; --up y reads files with y up".to_string(),
        "inside" => "; --inside drop leaves them out".to_string(),
        _ => String::new(),
    };
    format!("{}{help}", finding_text(warning))
}

/// Returns a finding in words, with its location.
fn finding_text(finding: &SurfaceFinding) -> String {
    let which = if finding.area.is_some() { "largest" } else { "first" };
    let place = match &finding.largest[..] {
        [] => finding.at.map(|at| format!(", {which} at {}", place_text(at))).unwrap_or_default(),
        largest => format!(", {}", pieces_text(largest)),
    };
    format!("{}{place}", finding.detail)
}

/// Returns pieces in words, as in `the largest 4 m² at 1,0,2 and 3 m² at 5,0,2`.
fn pieces_text(pieces: &[SurfacePiece]) -> String {
    let piece = |piece: &SurfacePiece| format!("{} m\u{b2} at {}", measure(piece.area), place_text(piece.at));
    format!("the largest {}", pieces.iter().map(piece).collect::<Vec<_>>().join(" and "))
}

/// Returns a point, rounded to centimetres.
pub fn place_text(at: [f64; 3]) -> String {
    let [x, y, z] = at.map(|c| ((100.0 * c).round() + 0.0) / 100.0);
    format!("{x},{y},{z}")
}
