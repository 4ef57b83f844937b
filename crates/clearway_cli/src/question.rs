//! A question about two points, of a plan or in space, and its answer: a path, or why there is none.

use crate::args::Point;
use crate::failure::{Failure, Result as Outcome};
use crate::planner::Finder;
use crate::report::measure;
use clearway::path::Place;
use clearway::{LinkPath, Location, NavMesh, NoPath, OffMesh, PathQuery};
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
    /// As [`NoPath::TooNarrow`], at a place in space.
    TooNarrow {
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
        let notes = given.filter_map(|((name, point), at)| far_note(mesh, name, point, at)).collect();
        let outcome = found.map_err(|reason| refusal(mesh, query.start, reason));
        Answer { outcome, ends: Some(ends), notes, micros }
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
fn refusal(mesh: &NavMesh, start: Location, reason: NoPath) -> Refusal {
    match reason {
        NoPath::TooNarrow { widest_radius, at: [x, y] } if mesh.has_heights() => {
            let (z, level) = (0.0 - y, mesh.height(start));
            let off = |height: &f64| (height - level).abs();
            let heights = mesh.heights_at(x, z);
            let height = heights.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(level);
            Refusal::TooNarrow { widest_radius, at: Point::Space([x, height, z]) }
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
            Refusal::TooNarrow { widest_radius, at } => {
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
                let name = if *place == Place::Start { "start" } else { "goal" };
                match nearest {
                    Some(nearest @ Point::Space(_)) => {
                        let away = off.distance;
                        write!(
                            f,
                            "the {name} {point} is not on the mesh; the nearest place is {nearest}, {away} m away"
                        )
                    }
                    _ => write!(f, "the {name} {point} is {off}"),
                }
            }
            Refusal::NoPath(reason) => reason.fmt(f),
            Refusal::TooNarrow { widest_radius, at } => {
                write!(f, "too narrow at {at}: only a radius up to {widest_radius} m fits through")
            }
        }
    }
}
