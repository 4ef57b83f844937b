//! One path, for people and for programs.

use crate::args::{PathArgs, Point};
use crate::failure::Result;
use crate::links::distance;
use crate::output;
use crate::question::{Question, Refusal, note_lines, point_in};
use crate::report::{Table, measure, short_point, to_millimetres};
use clearway::mesh::{CellId, PortalId};
use clearway::{Leg, LinkKind, Location, NavMesh, Path, Piece, Ride};
use serde::Serialize;
use serde_json::{Value, json};

/// Finds the path and prints it, or the reason why there is none.
pub fn run(args: &PathArgs, mesh: &NavMesh, [from, to]: [Point; 2]) -> Result<bool> {
    let manner = super::manner(args, mesh)?;
    let question = Question { from, to, manner: &manner };
    let mut planner = args.walker.planner.planner(mesh, &args.walker.options()?)?;
    // The first search on a mesh computes what all later ones reuse, so the second one is timed.
    question.ask(mesh, &mut *planner);
    let answer = question.ask(mesh, &mut *planner);
    match &answer.outcome {
        Ok(path) => {
            let widest_radius = answer.ends.and_then(|ends| widest_radius(mesh, path, ends));
            let notes = answer.notes.clone();
            report(args, &Report { notes, ..Report::of(args, mesh, path, answer.micros, widest_radius) })?;
        }
        Err(refusal) => refuse(args, &question, refusal, &answer.notes)?,
    }
    Ok(answer.outcome.is_ok())
}

/// Returns the radius of the largest body that can walk from end to end; `None` for paths with links.
fn widest_radius(mesh: &NavMesh, path: &Path, [start, goal]: [Location; 2]) -> Option<f64> {
    if !path.links.is_empty() {
        return None;
    }
    let start = mesh.locate_near(path.start, &start).ok()?;
    let goal = mesh.locate_near(path.goal, &goal).ok()?;
    mesh.widest_radius(start, goal)
}

/// Prints the report.
fn report(args: &PathArgs, report: &Report) -> Result<()> {
    if args.json { output::print_json(report) } else { output::print(&report.text()) }
}

/// Prints the reason why there is no path.
fn refuse(args: &PathArgs, question: &Question<'_>, refusal: &Refusal, notes: &[String]) -> Result<()> {
    if !args.json {
        return output::print(&format!("no path: {refusal}\n{}", note_lines(notes)));
    }
    let mut value = json!({
        "length": null,
        "planner": args.walker.planner.name(),
        "from": question.from,
        "to": question.to,
        "radius": question.manner.snap.radius,
        "notes": notes,
    });
    if let (Value::Object(members), Value::Object(more)) = (&mut value, refusal.json()) {
        members.extend(more);
    }
    output::print_json(&value)
}

/// An arc of the path, for programs.
#[derive(Debug, Serialize)]
struct Arc {
    /// The corner that it turns around.
    center: [f64; 2],
    from: [f64; 2],
    to: [f64; 2],
    /// The angle in radians, counter-clockwise when positive.
    turn: f64,
}

impl Arc {
    /// Returns the arc of a piece, if it is one.
    fn of(piece: &Piece) -> Option<Arc> {
        match *piece {
            Piece::Arc { center, from, to, turn } => Some(Arc { center, from, to, turn }),
            Piece::Segment { .. } | Piece::Link { .. } => None,
        }
    }
}

/// A link that the path takes.
#[derive(Debug, Serialize)]
struct LinkTaken {
    /// The id of the link.
    link: u32,
    name: String,
    kind: LinkKind,
    from: Point,
    to: Point,
    /// The cost in metres of walking.
    cost: f64,
    /// The index of the point of the path at which it is entered; it is left at the next point.
    point: usize,
}

/// The answer. Lengths are in metres; values that are not finite become null.
#[derive(Debug, Serialize)]
struct Report {
    planner: &'static str,
    start: Point,
    goal: Point,
    radius: f64,
    length: f64,
    /// In a scene, the length along the ground, up and down; `length` is measured in the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    ground_length: Option<f64>,
    /// The cost in metres of walking.
    cost: f64,
    complete: bool,
    bound: f64,
    clearance: f64,
    widest_radius: Option<f64>,
    expansions: u64,
    /// The duration of the search in microseconds.
    micros: f64,
    links: Vec<LinkTaken>,
    /// The points of the path; in a scene they follow the ground.
    points: Vec<Point>,
    /// The arcs in the plan; left out in a scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    arcs: Option<Vec<Arc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<Vec<Piece>>,
    cells: Vec<CellId>,
    portals: Vec<PortalId>,
    /// Remarks about the points that were given.
    notes: Vec<String>,
    #[serde(skip)]
    /// The number of pieces and of arcs, for the text.
    counts: [usize; 2],
    #[serde(skip)]
    /// The input, for the text.
    title: String,
    #[serde(skip)]
    /// The number of links on the mesh, for the text.
    mesh_links: usize,
}

impl Report {
    /// Makes the report of a path.
    fn of(args: &PathArgs, mesh: &NavMesh, path: &Path, micros: f64, widest_radius: Option<f64>) -> Report {
        let (points, links) = course(mesh, path, args.tolerance);
        let ends = [points.first(), points.last()].map(|end| end.copied().unwrap_or(Point::Plan([0.0; 2])));
        let is_walked = |piece: &&Piece| !matches!(piece, Piece::Link { .. });
        let pieces: Vec<Piece> = path.pieces.iter().filter(is_walked).copied().collect();
        let arcs: Vec<Arc> = pieces.iter().filter_map(Arc::of).collect();
        Report {
            planner: args.walker.planner.name(),
            start: ends[0],
            goal: ends[1],
            radius: args.walker.radius,
            length: path.length,
            ground_length: mesh.has_heights().then(|| ground_length(mesh, path)),
            cost: path.cost,
            complete: path.complete,
            bound: path.bound,
            clearance: path.clearance,
            widest_radius,
            expansions: path.expansions,
            micros,
            links,
            points,
            counts: [pieces.len(), arcs.len()],
            arcs: Some(arcs).filter(|_| !mesh.has_heights()),
            pieces: Some(pieces).filter(|_| !mesh.has_heights()),
            cells: path.cells.clone(),
            portals: path.portals.clone(),
            notes: Vec::new(),
            title: args.input.display().to_string(),
            mesh_links: mesh.link_count(),
        }
    }

    /// Returns the metres that a path in space goes up and down; `None` on a plan.
    fn climb(&self) -> Option<[f64; 2]> {
        let height = |point: &Point| if let Point::Space([_, y, _]) = point { Some(*y) } else { None };
        let heights: Option<Vec<f64>> = self.points.iter().map(height).collect();
        let rises = heights?.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>();
        let sum = |sign: f64| rises.iter().map(|rise| (sign * rise).max(0.0)).sum::<f64>();
        Some([sum(1.0), sum(-1.0)])
    }

    /// Adds rows for the links that are taken, and for the cost if it differs from the length.
    fn link_rows(&self, table: &mut Table) {
        if self.mesh_links > 0 {
            table.row("links", self.links.len(), format!("of {} on the mesh", self.mesh_links));
        }
        for LinkTaken { name, kind, from, to, cost, .. } in &self.links {
            let [from, to] = [*from, *to].map(short_point);
            table.row("", measure(*cost), format!("m of walking: {kind} {name:?} from {from} to {to}"));
        }
        if to_millimetres(self.cost) != to_millimetres(self.length) {
            table.row("cost", to_millimetres(self.cost), "m of walking");
        }
    }

    /// Returns the report for people.
    fn text(&self) -> String {
        let mut table = Table::default();
        table.row("length", to_millimetres(self.length), "m");
        self.link_rows(&mut table);
        table.row("pieces", self.counts[0], format!("{} of them arcs", self.counts[1]));
        table.row("cells", self.cells.len(), format!("{} portals", self.portals.len()));
        // A path of links only has no clearance.
        if self.clearance.is_finite() {
            table.row("clearance", measure(self.clearance), "m to the nearest wall");
        }
        match self.widest_radius {
            Some(radius) if radius.is_finite() => {
                table.row("widest radius", measure(radius), "m is the largest body that gets there");
            }
            Some(_) => table.row("widest radius", "any", "body gets there"),
            None => {}
        }
        if self.bound > 1.0 && self.bound.is_finite() {
            table.row("bound", exact(self.bound), "times the shortest length at most");
        }
        table.row("expansions", self.expansions, "");
        table.row("time", measure(self.micros), format!("\u{b5}s, {}", self.planner));
        if let Some([climb, fall]) = self.climb() {
            let walked = self.ground_length.map_or(String::new(), |length| {
                format!("; {} m along the ground, where length is that in the plan", to_millimetres(length))
            });
            table.row("climb", measure(climb), format!("m up, {} m down{walked}", measure(fall)));
        }
        let [start, goal] = [self.start, self.goal].map(|point| short_point(point).replace(',', ", "));
        let from_to = format!("from ({start}) to ({goal}), radius {} m", self.radius);
        let note =
            if self.complete { "" } else { "  the goal cannot be reached; this is the way towards it\n" };
        format!("{}: {from_to}\n{note}{}{}", self.title, note_lines(&self.notes), table.text())
    }
}

/// Returns the length of a path along the ground; links count as straight lines.
fn ground_length(mesh: &NavMesh, path: &Path) -> f64 {
    let length = |leg: &Leg| match leg {
        Leg::Walk(walk) => walk.length_on_ground(mesh),
        Leg::Link(ride) => match [ride.from, ride.to].map(|end| point_in(mesh, end)) {
            [Point::Space(from), Point::Space(to)] => distance(from, to),
            _ => 0.0,
        },
    };
    path.legs().iter().map(length).sum()
}

/// Returns the points of a path, and the links between them.
fn course(mesh: &NavMesh, path: &Path, tolerance: f64) -> (Vec<Point>, Vec<LinkTaken>) {
    let (mut course, mut links): (Vec<Point>, Vec<LinkTaken>) = Default::default();
    for leg in &path.legs() {
        match leg {
            // A leg begins where the leg before it ends, so its first point is skipped.
            Leg::Walk(walk) => course.extend(points(mesh, walk, tolerance).iter().skip(course.len().min(1))),
            Leg::Link(Ride { link, from, to, cost, .. }) => {
                let [from, to] = [*from, *to].map(|end| point_in(mesh, end));
                if course.is_empty() {
                    course.push(from);
                }
                let Some(known) = mesh.link(*link) else { continue };
                let (name, kind, point) = (known.name, known.kind, course.len() - 1);
                links.push(LinkTaken { link: link.0, name, kind, from, to, cost: *cost, point });
                course.push(to);
            }
        }
    }
    (course, links)
}

/// Returns the points of a walk in the coordinates of its mesh; in a scene they follow the ground.
fn points(mesh: &NavMesh, path: &Path, tolerance: f64) -> Vec<Point> {
    if mesh.has_heights() {
        return path.points_in_space(mesh, tolerance).into_iter().map(Point::Space).collect();
    }
    path.points(tolerance).into_iter().map(Point::Plan).collect()
}

/// Returns a factor with six decimals, without needless zeros.
fn exact(factor: f64) -> String {
    let text = format!("{factor:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
