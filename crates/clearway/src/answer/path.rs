//! A path, for people and for programs.

use super::question::{Answer, Question, Refusal, note_lines, point_in};
use super::words::{Point, Table, measure, short, short_point, to_millimetres};
use clearway_nav::mesh::{CellId, LinkKind, PortalId, distance as length_in_space};
use clearway_nav::path::{Leg, Path, Piece, Ride};
use clearway_nav::{Location, NavMesh};
use serde::Serialize;
use serde_json::{Value, json};

/// A refusal as programs read it: the shape of a [`PathReport`] without length, with `reason` and `message`.
pub fn refusal_json(question: &Question<'_>, refusal: &Refusal, planner: &str, notes: &[String]) -> Value {
    let mut value = json!({
        "length": null,
        "planner": planner,
        "from": question.from,
        "to": question.to,
        "radius": question.manner.snap.radius,
        "notes": notes,
    });
    if let (Value::Object(members), Value::Object(more)) = (&mut value, refusal.json()) {
        members.extend(more);
    }
    value
}

/// The radius of the largest body that walks from end to end. Nothing is known of bodies that take links.
fn widest_radius(mesh: &NavMesh, path: &Path, [start, goal]: [Location; 2]) -> Option<f64> {
    if !path.links.is_empty() {
        return None;
    }
    let start = mesh.locate_near(path.start, &start).ok()?;
    let goal = mesh.locate_near(path.goal, &goal).ok()?;
    mesh.widest_radius(start, goal)
}

/// An arc of the path.
#[derive(Debug, Serialize)]
pub struct Arc {
    /// The corner that it turns around.
    pub center: [f64; 2],
    /// Where it starts.
    pub from: [f64; 2],
    /// Where it ends.
    pub to: [f64; 2],
    /// Its angle in radians; counter-clockwise when positive.
    pub turn: f64,
}

impl Arc {
    fn of(piece: &Piece) -> Option<Arc> {
        match *piece {
            Piece::Arc { center, from, to, turn } => Some(Arc { center, from, to, turn }),
            Piece::Segment { .. } | Piece::Link { .. } => None,
        }
    }
}

/// A link that the path takes.
#[derive(Debug, Serialize)]
pub struct LinkTaken {
    /// The id of the link.
    pub link: u32,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: LinkKind,
    /// Where it is entered.
    pub from: Point,
    /// Where it is left.
    pub to: Point,
    /// Its cost in metres of walking.
    pub cost: f64,
    /// It is entered at this point of the path and left at the next.
    pub point: usize,
}

/// A path as programs read it. Lengths are in metres; what is not finite is null.
#[derive(Debug, Serialize)]
pub struct PathReport {
    /// The name of the planner.
    pub planner: &'static str,
    /// Where the path starts.
    pub start: Point,
    /// Where it ends.
    pub goal: Point,
    /// The radius of the body.
    pub radius: f64,
    /// Its length; in a scene that in the plan.
    pub length: f64,
    /// In a scene the length along the ground, up and down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground_length: Option<f64>,
    /// Its cost in metres of walking.
    pub cost: f64,
    /// Whether it reaches the goal.
    pub complete: bool,
    /// It is at most this many times as long as the shortest.
    pub bound: f64,
    /// The distance to the nearest wall along it.
    pub clearance: f64,
    /// The largest radius that gets from end to end; unknown for paths with links.
    pub widest_radius: Option<f64>,
    /// The number of steps that the searches took.
    pub expansions: u64,
    /// The duration of the search in microseconds, as the door measured it.
    pub micros: f64,
    /// The links it takes.
    pub links: Vec<LinkTaken>,
    /// Its points; in a scene they follow the ground.
    pub points: Vec<Point>,
    /// Its arcs in the plan; left out in a scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arcs: Option<Vec<Arc>>,
    /// Its pieces in the plan; left out in a scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Vec<Piece>>,
    /// The cells it runs through.
    pub cells: Vec<CellId>,
    /// The portals between them.
    pub portals: Vec<PortalId>,
    /// What one should know about the points that were given.
    pub notes: Vec<String>,
    /// The numbers of pieces and of arcs.
    #[serde(skip)]
    counts: [usize; 2],
    /// What the text is headed with.
    #[serde(skip)]
    title: String,
    /// The number of links on the mesh.
    #[serde(skip)]
    mesh_links: usize,
}

/// What the door knows of a search.
#[derive(Clone, Debug)]
pub struct SearchFacts {
    /// What the text is headed with: the name of the file.
    pub title: String,
    /// The name of the planner.
    pub planner: &'static str,
    /// The duration of the search in microseconds.
    pub micros: f64,
    /// The greatest distance of points from arcs and from the ground, in metres.
    pub tolerance: f64,
}

impl PathReport {
    /// The report of an answer; `None` where there is no path.
    pub fn of(mesh: &NavMesh, answer: &Answer, radius: f64, facts: &SearchFacts) -> Option<PathReport> {
        let path = answer.outcome.as_ref().ok()?;
        let widest_radius = answer.ends.and_then(|ends| widest_radius(mesh, path, ends));
        let (points, links) = course(mesh, path, facts.tolerance);
        let ends = [points.first(), points.last()].map(|end| end.copied().unwrap_or(Point::Plan([0.0; 2])));
        let is_walked = |piece: &&Piece| !matches!(piece, Piece::Link { .. });
        let pieces: Vec<Piece> = path.pieces.iter().filter(is_walked).copied().collect();
        let arcs: Vec<Arc> = pieces.iter().filter_map(Arc::of).collect();
        Some(PathReport {
            planner: facts.planner,
            start: ends[0],
            goal: ends[1],
            radius,
            length: path.length,
            ground_length: mesh.has_heights().then(|| ground_length(mesh, path)),
            cost: path.cost,
            complete: path.complete,
            bound: path.bound,
            clearance: path.clearance,
            widest_radius,
            expansions: path.expansions,
            micros: facts.micros,
            links,
            points,
            counts: [pieces.len(), arcs.len()],
            arcs: Some(arcs).filter(|_| !mesh.has_heights()),
            pieces: Some(pieces).filter(|_| !mesh.has_heights()),
            cells: path.cells.clone(),
            portals: path.portals.clone(),
            notes: answer.notes.clone(),
            title: facts.title.clone(),
            mesh_links: mesh.link_count(),
        })
    }

    /// Returns the metres that a path in space goes up and down.
    fn climb(&self) -> Option<[f64; 2]> {
        let height = |point: &Point| if let Point::Space([_, y, _]) = point { Some(*y) } else { None };
        let heights: Option<Vec<f64>> = self.points.iter().map(height).collect();
        let rises = heights?.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>();
        let sum = |sign: f64| rises.iter().map(|rise| (sign * rise).max(0.0)).sum::<f64>();
        Some([sum(1.0), sum(-1.0)])
    }

    /// The links that are taken; if the mesh has some that are not, that is said as well.
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

    /// The report for people.
    pub fn text(&self) -> String {
        let mut table = Table::default();
        table.row("length", to_millimetres(self.length), "m");
        self.link_rows(&mut table);
        table.row("pieces", self.counts[0], format!("{} of them arcs", self.counts[1]));
        table.row("cells", self.cells.len(), format!("{} portals", self.portals.len()));
        // Where only links are taken nothing is walked.
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
        let from_to = format!("from ({start}) to ({goal}), radius {} m", short(self.radius));
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
            [Point::Space(from), Point::Space(to)] => length_in_space(from, to),
            _ => 0.0,
        },
    };
    path.legs().iter().map(length).sum()
}

/// The points of a path, and the links between them.
fn course(mesh: &NavMesh, path: &Path, tolerance: f64) -> (Vec<Point>, Vec<LinkTaken>) {
    let (mut course, mut links): (Vec<Point>, Vec<LinkTaken>) = Default::default();
    for leg in &path.legs() {
        match leg {
            // Legs begin where the one before them ends.
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

/// The points of a walk as its mesh takes points: in a scene they follow the ground.
fn points(mesh: &NavMesh, path: &Path, tolerance: f64) -> Vec<Point> {
    if mesh.has_heights() {
        return path.points_in_space(mesh, tolerance).into_iter().map(Point::Space).collect();
    }
    path.points(tolerance).into_iter().map(Point::Plan).collect()
}

/// A factor with six decimals, without needless zeros.
fn exact(factor: f64) -> String {
    let text = format!("{factor:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
