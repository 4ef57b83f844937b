//! The thesis's experiments, rebuilt by code: the subcommand `crowd-thesis`.
//!
//! Reading order: `plans` (the floors), `drive` (one run), `collisions`, then the tables below.

mod alone;
mod collisions;
mod cost;
mod drive;
mod picture;
mod plans;
mod segments;

use std::path::Path;

use clearway::NavMesh;
use clearway_crowd::{Outside, Shrink, WayPoints};
use serde::Serialize;

use super::args::CrowdArgs;
use super::table::{figure, markdown};
use drive::{Outcome, Setup};
use picture::Panel;
use plans::Floor;

/// Numbers of bodies, as in Fig 7.18 and 7.19.
const SIZES: [usize; 9] = [25, 50, 75, 100, 125, 150, 175, 200, 225];
/// The radius of all bodies but those of the classes, in metres.
const RADIUS: f64 = 0.5;
/// Radius classes of Fig 7.17, in metres, with the colours of their trails and the number of bodies. Few large ones, so
/// that they do not block each other.
const CLASSES: [(f64, &str, usize); 3] = [(2.0, "#d33", 4), (1.5, "#c90", 6), (0.5, "#2a2", 12)];
/// Simulated seconds that are counted.
const SECONDS: f64 = 60.0;
/// Simulated seconds of one run that measures cost.
const COST_SECONDS: f64 = 5.0;
const SEED: u64 = 1;

/// The models.
const MODELS: [&str; 3] = ["alone", "rules", "headway"];

/// The rules that are compared: name, way points, shrinking.
const RULES: [(&str, WayPoints, Shrink); 7] = [
    ("dynamic, near end", WayPoints::Dynamic { outside: Outside::Near, ahead: 1 }, Shrink::Exact),
    ("dynamic, far end", WayPoints::Dynamic { outside: Outside::Far, ahead: 1 }, Shrink::Exact),
    ("dynamic, 4 ahead", WayPoints::Dynamic { outside: Outside::Near, ahead: 4 }, Shrink::Exact),
    (
        "dynamic, far, simple shrinking",
        WayPoints::Dynamic { outside: Outside::Far, ahead: 1 },
        Shrink::Simple,
    ),
    ("fixed centre", WayPoints::Centre, Shrink::Simple),
    ("closest end", WayPoints::ClosestEnd, Shrink::Simple),
    ("way portals", WayPoints::WayPortals { ahead: 2 }, Shrink::Exact),
];

/// One run of one rule.
#[derive(Clone, Debug, Serialize)]
pub struct RuleRow {
    /// The experiment.
    pub experiment: String,
    /// The model.
    pub model: String,
    /// The number of bodies.
    pub bodies: usize,
    /// The rule.
    pub rule: &'static str,
    /// Overlapping pairs per tick of 60 Hz.
    pub pairs: f64,
    /// Bodies in a wall per tick.
    pub walls: f64,
    /// The deepest overlap with a wall, in metres.
    pub wall_depth: f64,
    /// Bodies past a ray per minute; in the donut only.
    pub flow: f64,
    /// Goals reached per minute.
    pub arrivals: f64,
    /// Mean speed over the speed wished.
    pub speed: f64,
    /// Microseconds of processor time per body and step.
    pub micros: f64,
}

/// Runs the subcommand with the words after its name.
pub fn run(words: impl IntoIterator<Item = String>) -> Result<(), String> {
    let args = CrowdArgs::parse(words)?;
    clearway::set_thread_count(1);
    let mut rows = Vec::new();
    for (floor, one_way) in
        [(Floor::donut(), true), (Floor::cross(SEED), false), (Floor::slivers(SEED), false)]
    {
        if args.wants_scene(floor.name) {
            measure_floor(&floor, one_way, &args, &mut rows)?;
        }
    }
    if args.wants_scene("clearance") {
        print!("{}", cost::measure(args.rounds, args.seconds.unwrap_or(COST_SECONDS))?);
    }
    if args.wants_scene("classes") {
        measure_classes(&args)?;
    }
    crate::write_json(args.json.as_deref(), || {
        serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())
    })
}

/// Models that are asked for: none at all, the rule-based one of the thesis, and our own.
fn models(args: &CrowdArgs) -> Vec<String> {
    if args.only.is_empty() { MODELS.map(str::to_owned).into() } else { args.only.clone() }
}

fn measure_floor(
    floor: &Floor,
    one_way: bool,
    args: &CrowdArgs,
    all: &mut Vec<RuleRow>,
) -> Result<(), String> {
    let mesh = floor.mesh()?;
    eprintln!("{}: {} cells, {} portals", floor.name, mesh.cell_count(), mesh.portal_count());
    for model in models(args) {
        let mut rows = Vec::new();
        for bodies in args.sizes_or(&SIZES) {
            for (rule, way_points, shrink) in RULES {
                let setup = Setup {
                    model: &model,
                    way_points,
                    shrink,
                    contact: false,
                    one_way,
                    radii: vec![RADIUS; bodies],
                    seconds: args.seconds.unwrap_or(SECONDS),
                    seed: SEED,
                };
                let outcome = drive::run(floor, &mesh, &setup)?;
                rows.push(row(floor, &model, rule, bodies, &outcome));
            }
        }
        print!("{}", table(&format!("{}, model {model}", floor.name), &rows));
        all.append(&mut rows);
    }
    Ok(())
}

fn row(floor: &Floor, model: &str, rule: &'static str, bodies: usize, outcome: &Outcome) -> RuleRow {
    RuleRow {
        experiment: floor.name.into(),
        model: model.into(),
        bodies,
        rule,
        pairs: outcome.collisions.bodies_per_tick(),
        walls: outcome.collisions.walls_per_tick(),
        wall_depth: outcome.collisions.deepest_wall,
        flow: outcome.flow,
        arrivals: outcome.arrivals,
        speed: outcome.speed,
        micros: outcome.micros,
    }
}

fn table(title: &str, rows: &[RuleRow]) -> String {
    let header = [
        "bodies",
        "way points",
        "pairs / tick",
        "pairs / centre",
        "in walls / tick",
        "deepest in a wall, m",
        "flow / min",
        "flow / centre",
        "goals / min",
        "speed / wished",
        "µs / agent-step",
    ];
    let cells = |row: &RuleRow| {
        let centre = rows.iter().find(|other| other.bodies == row.bodies && other.rule == "fixed centre");
        let ratio = |pick: fn(&RuleRow) -> f64| {
            centre.map(pick).filter(|value| *value > 0.0).map(|value| pick(row) / value)
        };
        // Only in the donut does everybody pass the ray one way.
        let flow = Some(row.flow).filter(|_| row.experiment == "donut");
        let figures = [
            Some(row.pairs),
            ratio(|row| row.pairs),
            Some(row.walls),
            Some(row.wall_depth),
            flow,
            flow.and_then(|_| ratio(|row| row.flow)),
            Some(row.arrivals),
            Some(row.speed),
            Some(row.micros),
        ];
        let mut cells = vec![row.bodies.to_string(), row.rule.to_string()];
        cells.extend(figures.map(figure));
        cells
    };
    markdown(title, &header, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// Radius classes on the cross: the cells that each class can walk and walks, and their trails.
fn measure_classes(args: &CrowdArgs) -> Result<(), String> {
    let floor = Floor::cross(SEED);
    let mesh = floor.mesh()?;
    let model = models(args).pop().unwrap_or_else(|| "headway".into());
    let mut rows = Vec::new();
    let mut outcomes = Vec::new();
    for (radius, _, bodies) in CLASSES {
        let setup = Setup {
            model: &model,
            way_points: WayPoints::Dynamic { outside: Outside::Near, ahead: 1 },
            shrink: Shrink::Exact,
            contact: true,
            one_way: false,
            radii: vec![radius; bodies],
            seconds: 4.0 * args.seconds.unwrap_or(SECONDS),
            seed: SEED,
        };
        let outcome = drive::run(&floor, &mesh, &setup)?;
        rows.push(class_row(&mesh, radius, &outcome));
        outcomes.push(outcome);
    }
    let header = ["radius", "cells of the mesh", "cells walked", "share", "in walls / tick", "pairs / tick"];
    print!("{}", markdown("Radius classes on the cross", &header, &rows));
    args.pictures.as_deref().map_or(Ok(()), |folder| draw_classes(folder, &floor, &outcomes))
}

fn class_row(mesh: &NavMesh, radius: f64, outcome: &Outcome) -> Vec<String> {
    let walked: std::collections::BTreeSet<u32> = outcome.cells.iter().flatten().copied().collect();
    let share = walked.len() as f64 / mesh.cell_count() as f64;
    let counts = [mesh.cell_count(), walked.len()].map(|count| count.to_string());
    let mut cells = vec![format!("{radius}")];
    cells.extend(counts);
    let collisions = &outcome.collisions;
    cells.extend(
        [share, collisions.walls_per_tick(), collisions.bodies_per_tick()].map(|value| figure(Some(value))),
    );
    cells
}

fn draw_classes(folder: &Path, floor: &Floor, outcomes: &[Outcome]) -> Result<(), String> {
    let panel = |(outcome, (radius, color, _)): (&Outcome, (f64, &'static str, usize))| {
        (format!("radius {radius} m"), color, outcome.trails.clone())
    };
    let drawn: Vec<_> = outcomes.iter().zip(CLASSES).map(panel).collect();
    let panels: Vec<Panel> = drawn
        .iter()
        .map(|(title, color, trails)| Panel {
            title: title.clone(),
            color,
            trails: trails.iter().map(Vec::as_slice).collect(),
        })
        .collect();
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("radius-classes.svg"), picture::draw(floor, &panels))
        .map_err(|error| error.to_string())
}
