//! Tables in Markdown.

use super::measure::CostRow;
use super::parts::PartRow;
use super::scaling::{GrowthRow, ThreadRow};
use super::writing::WriteRow;

/// A cell of a table: a number with three digits that count, or a dash.
pub fn figure(value: Option<f64>) -> String {
    let Some(value) = value else { return "–".into() };
    let size = value.abs();
    match size {
        _ if size >= 100.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ if size >= 0.1 || size == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// One table: a header and rows of cells.
pub fn markdown(title: &str, header: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = header.iter().map(|cell| cell.to_string()).collect();
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("### {title}\n\n{}{rule}{body}\n", line(&head))
}

/// The cost of a step, scene by scene.
pub fn costs(rows: &[CostRow]) -> String {
    let header = [
        "scene",
        "bodies",
        "engine",
        "dt",
        "µs / agent-step",
        "µs / agent / simulated s",
        "step / dodgy_2d",
        "step / JuPedSim",
        "second / JuPedSim",
        "note",
    ];
    let cells = |row: &CostRow| {
        vec![
            row.scene.clone(),
            row.bodies.to_string(),
            row.peer.clone(),
            figure(Some(row.dt).filter(|dt| *dt > 0.0)),
            figure(row.per_step),
            figure(row.per_second),
            figure(row.times_dodgy),
            figure(row.times_jupedsim),
            figure(row.second_times_jupedsim),
            row.note.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    markdown("Cost of a step, one thread", &header, &rows)
}

/// Parts of our step.
pub fn parts(rows: &[PartRow]) -> String {
    let cells = |row: &PartRow| {
        let bodies = row.bodies.to_string();
        vec![row.part.into(), row.scene.clone(), bodies, figure(Some(row.micros)), figure(Some(row.limit))]
    };
    let header = ["part", "scene", "bodies", "µs / agent-step", "limit"];
    markdown("Parts of our step", &header, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// Our cost as crowds grow.
pub fn growth(rows: &[GrowthRow]) -> String {
    let cells = |row: &GrowthRow| {
        let figures = [Some(row.micros), Some(row.times_smallest), row.bytes].map(figure);
        [vec![row.model.clone(), row.bodies.to_string()], figures.to_vec()].concat()
    };
    let header = ["model", "bodies", "µs / agent-step", "times the smallest", "bytes / agent"];
    markdown("Growth, disc 0.5", &header, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// What two threads are worth.
pub fn threads(rows: &[ThreadRow]) -> String {
    let cells = |row: &ThreadRow| {
        let figures = [row.one_ms, row.two_ms, row.gain(), row.overhead].map(|value| figure(Some(value)));
        [vec![row.model.clone(), row.bodies.to_string()], figures.to_vec()].concat()
    };
    let header = ["model", "bodies", "1 thread, ms", "2 threads, ms", "gain", "CPU of 2 / 1"];
    markdown("Two threads, wall time", &header, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// The cost of writing trajectories.
pub fn writing(rows: &[WriteRow]) -> String {
    let cells = |row: &WriteRow| {
        let figures = [row.micros, row.bytes, row.limit].map(figure);
        [vec![row.what.clone()], figures.to_vec(), vec![row.note.clone().unwrap_or_default()]].concat()
    };
    let header = ["what", "µs / agent-frame", "bytes / agent-frame", "limit µs", "note"];
    markdown("Writing trajectories", &header, &rows.iter().map(cells).collect::<Vec<_>>())
}
