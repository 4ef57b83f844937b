//! What a build found, for people.

use super::surface;
use super::words::{Table, measure, to_millimetres};
use clearway_build::{BuildReport, Repair};

/// The report of a build, row by row: a name, a number, and what helps to judge it. What matters most comes first, the
/// technical rows last.
pub fn build_rows(report: &BuildReport, table: &mut Table) {
    table.row("area", measure(report.area), "m\u{b2}");
    match &report.surface {
        Some(surface) => surface::rows(surface, table),
        None => repairs(report, table),
    }
    parts(report, table);
    counts(report, table);
    let moved = format!("m; points moved by at most {} m", measure(report.moved));
    table.row("grid", measure(report.grid), moved);
    if let Some(surface) = &report.surface {
        surface::technical_rows(surface, table);
    }
}

/// The number of parts that are listed; more would bury the rest of the report.
const MOST_PARTS: usize = 12;

/// The parts of a plan and its places.
fn parts(report: &BuildReport, table: &mut Table) {
    if !report.parts.is_empty() {
        table.row("parts", report.parts.len(), "by name, with their roles and the number of shapes");
    }
    for part in report.parts.iter().take(MOST_PARTS) {
        let role = part.role.as_deref().unwrap_or("as drawn");
        table.row("", part.shapes, format!("{}: {role}", part.name));
    }
    if report.parts.len() > MOST_PARTS {
        table.row("", report.parts.len() - MOST_PARTS, "parts more");
    }
    let count = |role: &str| report.places.iter().filter(|place| place.role == role).count();
    let kinds =
        [("exit", "exits"), ("start", "areas to start from"), ("waypoint", "waypoints"), ("door", "doors")];
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(role, _)| count(role) > 0)
        .map(|(role, name)| format!("{} {name}", count(role)))
        .collect();
    if !kinds.is_empty() {
        table.row("places", report.places.len(), kinds.join(", "));
    }
}

fn counts(report: &BuildReport, table: &mut Table) {
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

fn repairs(report: &BuildReport, table: &mut Table) {
    let total: u64 = report.repaired.iter().map(|repair| repair.count).sum();
    table.row("repairs", total, if total == 0 { "the plan was clean" } else { "" });
    for repair in &report.repaired {
        table.row("", repair.count, repair_text(repair));
    }
}

fn repair_text(repair: &Repair) -> String {
    let place = repair.at.map(|at| {
        let [x, y] = at.map(to_millimetres);
        format!(", first at ({x}, {y})")
    });
    let place = place.unwrap_or_default();
    format!("{}{place}", repair.detail)
}
