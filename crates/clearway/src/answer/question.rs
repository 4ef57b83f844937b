//! A question about two points, of a plan or in space, and its answer: a path, or the reason why there is none.

use super::dead_ends;
use super::words::{Point, measure, short, short_point, to_millimetres};
use clearway_base::{Error, ErrorKind};
use clearway_nav::links::{OffEnd, SnapRules, SnappedEnd};
use clearway_nav::path::{NoPath, Path, PathQuery, Place};
use clearway_nav::query::Position;
use clearway_nav::{Location, NavMesh, OffMesh};
use serde_json::{Value, json};
use std::fmt;

/// The greatest move in metres that is proposed to ends on pieces that nothing connects. Farther moves would lead to
/// another building.
const NEAR: f64 = 5.0;

/// More metres than any mesh is wide.
const ANYWHERE: f64 = 1e6;

/// A question for a path.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The start as given.
    pub from: Point,
    /// The goal as given.
    pub to: Point,
    /// The way in which the path is to be found.
    pub manner: &'a Manner,
}

/// The way in which a path is to be found; the same for all queries of a file.
#[derive(Clone, Debug)]
pub struct Manner {
    /// The body, the links that it may take, and the distance by which start and goal may be moved.
    pub snap: SnapRules,
    /// The factor by which the path may be longer than the shortest.
    pub suboptimality: f64,
    /// True to accept a path towards a goal that cannot be reached.
    pub partial: bool,
    /// True to find out by how much the ends would have to be moved where there is no path. It takes a while on large
    /// meshes.
    pub advise: bool,
}

impl Manner {
    /// Asks for the shortest path of a body.
    pub fn shortest(snap: SnapRules) -> Manner {
        Manner { snap, suboptimality: 1.0, partial: false, advise: true }
    }
}

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    /// The path, or the reason why there is none.
    pub outcome: Result<Path, Refusal>,
    /// Start and goal on the mesh; `None` if one of them is off the mesh.
    pub ends: Option<[Location; 2]>,
    /// Remarks about the points that were given.
    pub notes: Vec<String>,
}

/// The reason why there is no path.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// An end is too far from the mesh.
    OffMesh {
        /// The end: start or goal.
        place: Place,
        /// The point as given.
        point: Point,
        /// The nearest location and its distance.
        off: Box<OffMesh>,
        /// The nearest location in the coordinates of the mesh.
        nearest: Option<Point>,
    },
    /// The planner found none.
    NoPath(NoPath),
    /// As [`NoPath::TooNarrow`], with the point in the coordinates of the mesh.
    TooNarrow {
        /// The radius of the body.
        radius: f64,
        /// The largest radius that fits.
        widest_radius: f64,
        /// The narrowest place of the widest way.
        at: Point,
        /// The name of the link that is too narrow, if it is one.
        link: Option<String>,
    },
}

impl Question<'_> {
    /// Puts both points on the mesh, lets `find` search, and words the answer.
    pub fn ask(&self, mesh: &NavMesh, find: impl FnOnce(&PathQuery) -> Result<Path, NoPath>) -> Answer {
        let ends = match self.ends(mesh) {
            Ok(ends) => ends,
            Err(refusal) => {
                let notes = self.advice(mesh, ANYWHERE).into_iter().collect();
                return Answer { outcome: Err(refusal), ends: None, notes };
            }
        };
        let query = self.query(ends);
        let found = find(&query);
        let given = [("start", self.from), ("goal", self.to)].into_iter().zip(ends);
        let mut notes: Vec<String> =
            given.filter_map(|((name, point), end)| end_note(mesh, name, point, &end)).collect();
        let moved_by = self.manner.snap.distance;
        if moved_by > 0.0 && matches!(found, Err(NoPath::TooClose { .. })) {
            notes.push(format!("within {} m of it there is no room for the body either", measure(moved_by)));
        }
        if found == Err(NoPath::Disconnected) {
            notes.push(pieces_note(mesh, [query.start, query.goal]));
            notes.extend(dead_ends::note(mesh, &query));
        }
        match &found {
            Err(NoPath::TooClose { .. }) => notes.extend(self.advice(mesh, ANYWHERE)),
            Err(NoPath::Disconnected) => notes.extend(self.advice(mesh, NEAR)),
            _ => {}
        }
        let outcome = found.map_err(|reason| refusal(mesh, &query, reason));
        Answer { outcome, ends: Some([query.start, query.goal]), notes }
    }

    /// Moves start and goal onto the mesh.
    fn snapped(&self, mesh: &NavMesh, rules: &SnapRules) -> Result<[SnappedEnd; 2], OffEnd> {
        match (self.from, self.to) {
            (Point::Plan(from), Point::Plan(to)) => mesh.snap_ends(from, to, rules),
            (from, to) => mesh.snap_ends(from.in_space(), to.in_space(), rules),
        }
    }

    /// Returns start and goal on the mesh.
    pub fn ends(&self, mesh: &NavMesh) -> Result<[SnappedEnd; 2], Refusal> {
        self.snapped(mesh, &self.manner.snap).map_err(|OffEnd { place, off }| {
            let point = if place == Place::Start { self.from } else { self.to };
            let nearest = off.nearest.map(|nearest| point_of(mesh, nearest));
            Refusal::OffMesh { place, point, off: Box::new(off), nearest }
        })
    }

    /// Says by how much the ends would have to be moved, each by at most `within` metres; `None` if no move helps.
    fn advice(&self, mesh: &NavMesh, within: f64) -> Option<String> {
        let Manner { snap: SnapRules { radius, distance, .. }, advise: true, .. } = self.manner else {
            return None;
        };
        let rules = self.manner.snap.clone().distance(within);
        let ends = self.snapped(mesh, &rules).ok()?;
        let fits = |end: &SnappedEnd| mesh.clearance(end.location).is_none_or(|room| room >= *radius);
        let farthest = ends[0].moved.max(ends[1].moved);
        if farthest <= *distance || !ends.iter().all(fits) {
            return None;
        }
        let room =
            if *radius > 0.0 { format!("place with room for {radius} m") } else { "place".to_string() };
        let moves = ["start", "goal"].into_iter().zip(&ends).filter(|(_, end)| end.moved > 0.0);
        let moves = moves.map(|(name, end)| {
            let (at, by) = (short_point(point_of(mesh, end.location)), short(to_millimetres(end.moved)));
            format!("the nearest {room} is {by} m away from the {name}, at {at}")
        });
        // Rounded up, so that the distance suffices.
        let enough = (farthest * 100.0).ceil() / 100.0;
        let moves: Vec<String> = moves.collect();
        Some(format!("{}; --snap {enough} would take it", moves.join(", and ")))
    }

    /// Makes the query of the library.
    fn query(&self, [start, goal]: [SnappedEnd; 2]) -> PathQuery {
        let Manner { snap: SnapRules { radius, distance, links, .. }, suboptimality, partial, .. } =
            self.manner;
        // Planners on rasters may have to move ends once more, by the distance that is left.
        let snap = *distance - start.moved.max(goal.moved);
        let query = PathQuery::new(start.location, goal.location);
        let query = query.radius(*radius).snap(snap).links(links.clone());
        query.suboptimality(*suboptimality).partial(*partial)
    }
}

/// Returns a note with the areas of the pieces on which two points lie: a table, or half of the level.
fn pieces_note(mesh: &NavMesh, ends: [Location; 2]) -> String {
    let areas = ends.map(|end| {
        let piece = mesh.cell(end.cell()).map(|cell| cell.component());
        let cells = mesh.cells().filter(|cell| Some(cell.component()) == piece);
        measure(cells.map(|cell| cell.area()).sum())
    });
    format!("the start lies on a piece of {} m\u{b2}, the goal on one of {} m\u{b2}", areas[0], areas[1])
}

/// Turns a reason into a refusal with points in the coordinates of the mesh.
fn refusal(mesh: &NavMesh, query: &PathQuery, reason: NoPath) -> Refusal {
    match reason {
        NoPath::TooNarrow { widest_radius, at, link } => Refusal::TooNarrow {
            radius: query.radius,
            widest_radius,
            at: point_of(mesh, at),
            link: link.and_then(|link| mesh.link(link)).map(|link| link.name),
        },
        other => Refusal::NoPath(other),
    }
}

/// Returns a note for an end that is not where it was asked for: moved, or put on a floor more than a step below.
fn end_note(mesh: &NavMesh, name: &str, point: Point, end: &SnappedEnd) -> Option<String> {
    let by = to_millimetres(end.moved);
    if by > 0.0 {
        let place = short_point(point_of(mesh, end.location));
        return Some(format!("the {name} {point} was moved by {by} m to {place}"));
    }
    let Point::Space([_, height, _]) = point else { return None };
    let below = height - mesh.height(end.location);
    let is_far = mesh.max_step().is_some_and(|step| below > step);
    is_far.then(|| format!("the {name} {point} was taken to the floor {} m below it", measure(below)))
}

/// Returns notes for people, each on a line of its own.
pub fn note_lines(notes: &[String]) -> String {
    notes.iter().map(|note| format!("  note: {note}\n")).collect()
}

/// Returns a location in the coordinates of its mesh: in space for a scene.
pub fn point_of(mesh: &NavMesh, at: Location) -> Point {
    if mesh.has_heights() { Point::Space(mesh.place(at)) } else { Point::Plan(at.position()) }
}

/// Returns a point of the world in the coordinates of its mesh.
pub fn point_in(mesh: &NavMesh, at: [f64; 3]) -> Point {
    if mesh.has_heights() { Point::Space(at) } else { Point::Plan(at.plan()) }
}

/// Fails unless a mesh takes points as this one was given.
pub fn check_kind(mesh: &NavMesh, point: Point) -> Result<(), Error> {
    match (mesh.has_heights(), point) {
        (true, Point::Plan(_)) => {
            let message = format!("{point} has two coordinates, but in a scene points are X,Y,Z with y up");
            Err(Error::new(ErrorKind::Options, message))
        }
        (false, Point::Space(_)) => {
            let message = format!("{point} has three coordinates, but on a plan points are X,Y");
            Err(Error::new(ErrorKind::Options, message))
        }
        _ => Ok(()),
    }
}

impl Refusal {
    /// Returns the reason for programs: the keys `reason`, `message` and more.
    pub fn json(&self) -> Value {
        let mut value = match self {
            Refusal::OffMesh { place, off, nearest, .. } => json!({
                "reason": "off_mesh",
                "place": place,
                "nearest": nearest,
                "distance": off.distance,
            }),
            Refusal::NoPath(reason) => serde_json::to_value(reason).unwrap_or_default(),
            Refusal::TooNarrow { widest_radius, at, link, .. } => {
                json!({ "reason": "too_narrow", "widest_radius": widest_radius, "at": at, "link": link })
            }
        };
        if let Value::Object(members) = &mut value {
            members.insert("message".into(), self.to_string().into());
        }
        value
    }

    /// Returns the reason as a word.
    pub fn word(&self) -> String {
        self.json()["reason"].as_str().unwrap_or("unknown").to_string()
    }

    /// True if an end is too close to a wall.
    pub fn is_too_close(&self) -> bool {
        matches!(self, Refusal::NoPath(NoPath::TooClose { .. }))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::OffMesh { place, point, off, nearest } => {
                let name = name_of(*place);
                match nearest {
                    Some(nearest) => {
                        let (nearest, away) = (short_point(*nearest), short(to_millimetres(off.distance)));
                        write!(
                            f,
                            "the {name} {point} is not on the mesh; the nearest place is {nearest}, {away} m away"
                        )
                    }
                    None => write!(f, "the {name} {point} is {off}"),
                }
            }
            Refusal::NoPath(NoPath::TooClose { place, clearance }) => {
                let (name, clearance) = (name_of(*place), to_millimetres(*clearance));
                write!(f, "the {name} is only {clearance} m from a wall, closer than the radius")
            }
            Refusal::NoPath(reason) => reason.fmt(f),
            Refusal::TooNarrow { radius, widest_radius, at, link } => {
                // A body that is too large by less than a millimetre must not read that it fits.
                let rounded = [to_millimetres(*widest_radius), (1e5 * widest_radius).floor() / 1e5];
                let widest = rounded.into_iter().find(|widest| widest < radius).unwrap_or(*widest_radius);
                let (at, radius, widest) = (short_point(*at), short(*radius), short(widest));
                let named = link.as_ref().map(|link| format!(", at the link {link:?}")).unwrap_or_default();
                write!(
                    f,
                    "too narrow for a radius of {radius} m at {at}{named}: the widest way takes up to {widest} m"
                )
            }
        }
    }
}

/// Returns the name of an end.
fn name_of(place: Place) -> &'static str {
    if place == Place::Start { "start" } else { "goal" }
}
