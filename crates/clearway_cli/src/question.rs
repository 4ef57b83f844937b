//! A question about two points, of a plan or in space, and its answer: a path, or why there is none.

use crate::args::Point;
use crate::failure::{Failure, Result as Outcome};
use crate::planner::Finder;
use crate::report::{measure, short_point, to_millimetres};
use clearway::path::Place;
use clearway::{Leg, LinkPath, Location, NavMesh, NoPath, OffMesh, PathQuery};
use serde_json::{Value, json};
use std::fmt;
use std::time::Instant;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub from: Point,
    pub to: Point,
    pub manner: Manner,
}

/// How a path is to be found; the same for all queries of a file.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub radius: f64,
    /// How far start and goal may be moved, in metres.
    pub snap: f64,
    pub suboptimality: f64,
    pub partial: bool,
}

impl Manner {
    /// The shortest path of a body between the very points that were given.
    pub fn of_radius(radius: f64) -> Manner {
        Manner { radius, snap: 0.0, suboptimality: 1.0, partial: false }
    }
}

/// A path, or why there is none, and how long the search took.
#[derive(Debug)]
pub struct Answer {
    pub outcome: Result<LinkPath, Refusal>,
    /// Start and goal on the mesh, where they are on it.
    pub ends: Option<[Location; 2]>,
    /// What one should know about the points that were given.
    pub notes: Vec<String>,
    pub micros: f64,
}

/// Why there is no path.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    OffMesh {
        place: Place,
        point: Point,
        off: OffMesh,
        nearest: Option<Point>,
    },
    NoPath(NoPath),
    /// As [`NoPath::TooNarrow`], for a body of this radius, at a place as the mesh takes it.
    TooNarrow {
        radius: f64,
        widest_radius: f64,
        at: Point,
    },
}

impl Question {
    /// Asks a planner. Only its search is timed.
    pub fn ask(&self, mesh: &NavMesh, finder: &mut Finder<'_>) -> Answer {
        let query = match self.query(mesh) {
            Ok(query) => query,
            Err(refusal) => {
                return Answer { outcome: Err(refusal), ends: None, notes: Vec::new(), micros: 0.0 };
            }
        };
        let started = Instant::now();
        let found = finder(&query);
        let micros = (started.elapsed().as_secs_f64() * 1e9).round() / 1e3;
        let ends = [query.start, query.goal];
        let given = [("start", self.from), ("goal", self.to)].into_iter().zip(ends);
        let mut notes: Vec<String> =
            given.filter_map(|((name, point), at)| far_note(mesh, name, point, at)).collect();
        if let Ok(path) = &found
            && self.manner.snap > 0.0
        {
            notes.extend(self.moves(path));
        }
        let outcome = found.map_err(|reason| refusal(mesh, &query, reason));
        Answer { outcome, ends: Some(ends), notes, micros }
    }

    /// What to say of ends that were moved. Where a path does not lead to the goal, it ends elsewhere anyway.
    fn moves(&self, path: &LinkPath) -> Vec<String> {
        let is_complete = path.walks().all(|walk| walk.complete);
        let start = path.legs.first().map(|leg| ends_of(leg)[0]);
        let goal = path.legs.last().map(|leg| ends_of(leg)[1]).filter(|_| is_complete);
        let given = [("start", self.from, start), ("goal", self.to, goal)].into_iter();
        given.filter_map(|(name, point, end)| moved_note(name, point, end?)).collect()
    }

    fn query(&self, mesh: &NavMesh) -> Result<PathQuery, Refusal> {
        let (start, moved) = self.locate(mesh, Place::Start, self.from)?;
        let (goal, also_moved) = self.locate(mesh, Place::Goal, self.to)?;
        let Manner { radius, snap, suboptimality, partial } = self.manner;
        // What the way to the mesh has used up cannot be used again for the way from the wall.
        let snap = snap - moved.max(also_moved);
        Ok(PathQuery { radius, snap, suboptimality, partial, ..PathQuery::new(start, goal) })
    }

    /// The place on the mesh, and how far it is from the point.
    fn locate(&self, mesh: &NavMesh, place: Place, point: Point) -> Result<(Location, f64), Refusal> {
        let found = match point {
            Point::Plan(point) => mesh.locate(point),
            Point::Space(point) => mesh.locate(point),
        };
        match found {
            Ok(location) => Ok((location, 0.0)),
            Err(OffMesh { nearest: Some(nearest), distance }) if distance <= self.manner.snap => {
                Ok((nearest, distance))
            }
            Err(off) => {
                let nearest = off.nearest.map(|nearest| point_of(mesh, nearest));
                Err(Refusal::OffMesh { place, point, off, nearest })
            }
        }
    }
}

/// The reason in the coordinates of the mesh. Where several floors lie over each other at the narrow place, that nearest
/// in height to the start is named.
fn refusal(mesh: &NavMesh, query: &PathQuery, reason: NoPath) -> Refusal {
    let radius = query.radius;
    match reason {
        NoPath::TooNarrow { widest_radius, at } if !mesh.has_heights() => {
            Refusal::TooNarrow { radius, widest_radius, at: Point::Plan(at) }
        }
        NoPath::TooNarrow { widest_radius, at: [x, y] } => {
            let (z, level) = (0.0 - y, mesh.height(query.start));
            let off = |height: &f64| (height - level).abs();
            let heights = mesh.heights_at(x, z);
            let height = heights.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(level);
            Refusal::TooNarrow { radius, widest_radius, at: Point::Space([x, height, z]) }
        }
        other => Refusal::NoPath(other),
    }
}

/// What to say of a point in space that was taken to ground farther away in height than the height of a body.
fn far_note(mesh: &NavMesh, name: &str, point: Point, at: Location) -> Option<String> {
    let Point::Space([_, height, _]) = point else { return None };
    let (ground, most) = (mesh.height(at), mesh.body_height()?);
    let (off, side) = ((ground - height).abs(), if ground < height { "below" } else { "above" });
    let far = || format!("the {name} {point} was taken to the floor {} m {side} it", measure(off));
    (off > most).then(far)
}

/// Where a leg begins and ends, in the plan.
fn ends_of(leg: &Leg) -> [[f64; 2]; 2] {
    match leg {
        Leg::Walk(walk) => [walk.start, walk.goal],
        // A plan's y is -z.
        Leg::Link { from, to, .. } => [*from, *to].map(|[x, _, z]| [x, 0.0 - z]),
    }
}

/// What to say of a point that was moved to this place of the plan.
fn moved_note(name: &str, point: Point, [x, y]: [f64; 2]) -> Option<String> {
    let [from_x, from_y] = match point {
        Point::Plan(at) => at,
        Point::Space([x, _, z]) => [x, 0.0 - z],
    };
    let by = to_millimetres((x - from_x).hypot(y - from_y));
    (by > 0.0).then(|| format!("the {name} {point} was moved by {by} m"))
}

/// Notes for people, each on a line of its own.
pub fn note_lines(notes: &[String]) -> String {
    notes.iter().map(|note| format!("  note: {note}\n")).collect()
}

/// A location as its mesh takes points: in space for a scene.
pub fn point_of(mesh: &NavMesh, at: Location) -> Point {
    if mesh.has_heights() { Point::Space(mesh.place(at)) } else { Point::Plan(at.position()) }
}

/// A place in the world as its mesh takes points.
pub fn point_in(mesh: &NavMesh, [x, y, z]: [f64; 3]) -> Point {
    // A plan's y is -z; subtracting from zero leaves no negative zero.
    if mesh.has_heights() { Point::Space([x, y, z]) } else { Point::Plan([x, 0.0 - z]) }
}

/// Fails unless a mesh takes points as this one was given.
pub fn check_kind(mesh: &NavMesh, point: Point) -> Outcome<()> {
    match (mesh.has_heights(), point) {
        (true, Point::Plan(_)) => {
            let message = format!("{point} has two coordinates, but in a scene points are X,Y,Z with y up");
            Err(Failure::new(message))
        }
        (false, Point::Space(_)) => {
            Err(Failure::new(format!("{point} has three coordinates, but on a plan points are X,Y")))
        }
        _ => Ok(()),
    }
}

impl Refusal {
    /// The reason as a word and what belongs to it: the keys `reason`, `message` and more.
    pub fn json(&self) -> Value {
        let mut value = match self {
            Refusal::OffMesh { place, off, nearest, .. } => json!({
                "reason": "off_mesh",
                "place": place,
                "nearest": nearest,
                "distance": off.distance,
            }),
            Refusal::NoPath(reason) => serde_json::to_value(reason).unwrap_or_default(),
            Refusal::TooNarrow { widest_radius, at, .. } => {
                json!({ "reason": "too_narrow", "widest_radius": widest_radius, "at": at })
            }
        };
        if let Value::Object(members) = &mut value {
            members.insert("message".into(), self.to_string().into());
        }
        value
    }

    /// The reason as a word.
    pub fn word(&self) -> String {
        self.json()["reason"].as_str().unwrap_or("unknown").to_string()
    }

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
                        let (nearest, away) = (short_point(*nearest), to_millimetres(off.distance));
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
            Refusal::TooNarrow { radius, widest_radius, at } => {
                // A body that is too large by less than a millimetre must not read that it fits.
                let rounded = Some(to_millimetres(*widest_radius)).filter(|widest| widest < radius);
                let (at, widest) = (short_point(*at), rounded.unwrap_or(*widest_radius));
                write!(
                    f,
                    "too narrow for a radius of {radius} m at {at}: the widest way takes up to {widest} m"
                )
            }
        }
    }
}

fn name_of(place: Place) -> &'static str {
    if place == Place::Start { "start" } else { "goal" }
}
