//! One path, for people and for programs.

use crate::args::{PathArgs, Point};
use crate::failure::Result;
use crate::output;
use crate::question::{Question, Refusal};
use crate::report::{Table, measure};
use clearway::mesh::{CellId, PortalId};
use clearway::{NavMesh, Path, Piece};
use serde::Serialize;
use serde_json::{Value, json};

pub fn run(args: &PathArgs, mesh: &NavMesh, [from, to]: [Point; 2]) -> Result<bool> {
    let question = Question { from, to, manner: super::manner(args) };
    let mut finder = args.walker.planner.finder(mesh, &args.walker.options())?;
    // The first search on a mesh finds out what all later ones use: the second one is timed.
    question.ask(mesh, &mut finder);
    let answer = question.ask(mesh, &mut finder);
    match &answer.outcome {
        Ok(path) => {
            let ends = answer.ends.and_then(|[start, goal]| {
                let (start, goal) =
                    (mesh.locate_near(path.start, &start), mesh.locate_near(path.goal, &goal));
                start.ok().zip(goal.ok())
            });
            let widest_radius = ends.and_then(|(start, goal)| mesh.widest_radius(start, goal));
            report(args, &Report::of(args, mesh, path, answer.micros, widest_radius))?;
        }
        Err(refusal) => refuse(args, &question, refusal)?,
    }
    Ok(answer.outcome.is_ok())
}

fn report(args: &PathArgs, report: &Report<'_>) -> Result<()> {
    if args.json { output::print_json(report) } else { output::print(&report.text()) }
}

fn refuse(args: &PathArgs, question: &Question, refusal: &Refusal) -> Result<()> {
    if !args.json {
        return output::print(&format!("no path: {refusal}\n"));
    }
    let mut value = json!({
        "length": null,
        "planner": args.walker.planner.name(),
        "from": question.from,
        "to": question.to,
        "radius": question.manner.radius,
    });
    if let (Value::Object(members), Value::Object(more)) = (&mut value, refusal.json()) {
        members.extend(more);
    }
    output::print_json(&value)
}

/// An arc of the path.
#[derive(Debug, Serialize)]
struct Arc {
    center: [f64; 2],
    from: [f64; 2],
    to: [f64; 2],
    turn: f64,
}

/// The answer. Lengths are in metres; what is not finite is null.
#[derive(Debug, Serialize)]
struct Report<'a> {
    planner: &'static str,
    start: Point,
    goal: Point,
    radius: f64,
    length: f64,
    complete: bool,
    bound: f64,
    clearance: f64,
    widest_radius: Option<f64>,
    expansions: u64,
    micros: f64,
    /// In a scene they follow the ground.
    points: Vec<Point>,
    /// In the plan; left out in a scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    arcs: Option<Vec<Arc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<&'a [Piece]>,
    cells: &'a [CellId],
    portals: &'a [PortalId],
    #[serde(skip)]
    counts: [usize; 2],
    #[serde(skip)]
    title: String,
}

impl<'a> Report<'a> {
    fn of(
        args: &PathArgs,
        mesh: &NavMesh,
        path: &'a Path,
        micros: f64,
        widest_radius: Option<f64>,
    ) -> Report<'a> {
        let arc = |piece: &Piece| match *piece {
            Piece::Arc { center, from, to, turn } => Some(Arc { center, from, to, turn }),
            Piece::Segment { .. } => None,
        };
        let points = points(mesh, path, args.tolerance);
        let ends = [points.first(), points.last()].map(|end| end.copied());
        let arcs: Vec<Arc> = path.pieces.iter().filter_map(arc).collect();
        Report {
            planner: args.walker.planner.name(),
            start: ends[0].unwrap_or(Point::Plan(path.start)),
            goal: ends[1].unwrap_or(Point::Plan(path.goal)),
            radius: path.radius,
            length: path.length,
            complete: path.complete,
            bound: path.bound,
            clearance: path.clearance,
            widest_radius,
            expansions: path.expansions,
            micros,
            points,
            counts: [path.pieces.len(), arcs.len()],
            arcs: Some(arcs).filter(|_| !mesh.has_heights()),
            pieces: Some(&path.pieces[..]).filter(|_| !mesh.has_heights()),
            cells: &path.cells,
            portals: &path.portals,
            title: args.input.display().to_string(),
        }
    }

    /// How many metres a path in space goes up and down.
    fn climb(&self) -> Option<[f64; 2]> {
        let height = |point: &Point| if let Point::Space([_, y, _]) = point { Some(*y) } else { None };
        let heights: Option<Vec<f64>> = self.points.iter().map(height).collect();
        let rises = heights?.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>();
        let sum = |sign: f64| rises.iter().map(|rise| (sign * rise).max(0.0)).sum::<f64>();
        Some([sum(1.0), sum(-1.0)])
    }

    fn text(&self) -> String {
        let mut table = Table::default();
        let metres = |length: f64| if length.is_finite() { measure(length) } else { "none".to_string() };
        table.row("length", exact(self.length), "m");
        table.row("pieces", self.counts[0], format!("{} of them arcs", self.counts[1]));
        table.row("cells", self.cells.len(), format!("{} portals", self.portals.len()));
        table.row("clearance", metres(self.clearance), "m to the nearest wall");
        if let Some(radius) = self.widest_radius {
            table.row("widest radius", metres(radius), "m is the largest body that gets there");
        }
        if self.bound > 1.0 && self.bound.is_finite() {
            table.row("bound", exact(self.bound), "times the shortest length at most");
        }
        table.row("expansions", self.expansions, "");
        table.row("time", measure(self.micros), format!("\u{b5}s, {}", self.planner));
        if let Some([climb, fall]) = self.climb() {
            table.row("climb", measure(climb), format!("m up, {} m down", measure(fall)));
        }
        let [start, goal] = [self.start, self.goal].map(|point| point.to_string().replace(',', ", "));
        let from_to = format!("from ({start}) to ({goal}), radius {} m", self.radius);
        let note =
            if self.complete { "" } else { "  the goal cannot be reached; this is the way towards it\n" };
        format!("{}: {from_to}\n{note}{}", self.title, table.text())
    }
}

/// The points of a path as its mesh takes points: in a scene they follow the ground.
fn points(mesh: &NavMesh, path: &Path, tolerance: f64) -> Vec<Point> {
    if mesh.has_heights() {
        return path.points_in_space(mesh, tolerance).into_iter().map(Point::Space).collect();
    }
    path.points(tolerance).into_iter().map(Point::Plan).collect()
}

/// A length with six decimals, without needless zeros.
fn exact(length: f64) -> String {
    let text = format!("{length:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
