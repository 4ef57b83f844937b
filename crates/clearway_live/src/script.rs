//! Edits from a file: a list of steps in TOML, in which obstacles have names.
//!
//! `docs/reference/edits.md` describes the format. Every error names the line.

use crate::changes::Changes;
use crate::edit::{Anchor, Edit, Named, Obstacle, Shape};
use crate::live_mesh::LiveMesh;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_nav::{Link, LinkKind};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The most steps of a script. It bounds the memory of a hostile file.
const MAX_STEPS: usize = 1_000_000;

/// The sides of a disc that names none: the polygon is at most 2 % wider than the disc.
const DISC_SIDES: u32 = 16;

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// An obstacle of this name comes.
    Add(String, Obstacle),
    /// It moves.
    Move(String, Obstacle),
    /// It goes.
    Remove(String),
    /// A door of this name comes, open.
    Door(String, [[f64; 2]; 2], Anchor),
    /// It opens, if true, or closes.
    Turn(String, bool),
    /// The ground gets the area class of this name; a new name makes a new class.
    Area(String, Obstacle),
    /// A link comes.
    Link(Link),
    /// The link of this name goes.
    Unlink(String),
    /// Everything goes but links.
    Clear,
    /// Edited cells are divided anew.
    Tidy,
    /// So many steps are taken back, the last one first.
    Undo(usize),
}

/// One step of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The line at which it begins, counted from 1.
    pub line: usize,
    /// What it does.
    pub(crate) action: Action,
}

impl Step {
    /// Returns the step in words: `add "crate"`.
    pub fn words(&self) -> String {
        match &self.action {
            Action::Add(name, _) => format!("add {name:?}"),
            Action::Move(name, _) => format!("move {name:?}"),
            Action::Remove(name) => format!("remove {name:?}"),
            Action::Door(name, ..) => format!("door {name:?}"),
            Action::Turn(name, true) => format!("open {name:?}"),
            Action::Turn(name, false) => format!("close {name:?}"),
            Action::Area(name, _) => format!("area {name:?}"),
            Action::Link(link) => format!("link {:?}", link.name),
            Action::Unlink(name) => format!("unlink {name:?}"),
            Action::Clear => "clear".to_string(),
            Action::Tidy => "tidy".to_string(),
            Action::Undo(count) => format!("undo {count}"),
        }
    }
}

/// A list of edits from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditScript {
    /// The steps in their order.
    pub steps: Vec<Step>,
}

impl EditScript {
    /// Reads a script from the text of a file.
    pub fn parse(text: &str) -> Result<EditScript> {
        let line = |byte: usize| 1 + text.bytes().take(byte).filter(|byte| *byte == b'\n').count();
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(1, |span| line(span.start));
            Error::new(ErrorKind::Syntax, format!("line {at}: {}", error.message()))
        })?;
        let mut script = EditScript::default();
        for (key, value) in table.get_ref() {
            if key.get_ref() != "edit" {
                let detail = format!(
                    "line {}: unknown key {:?}; steps are [[edit]]",
                    line(key.span().start),
                    key.get_ref()
                );
                return Err(Error::new(ErrorKind::Syntax, detail));
            }
            let steps = value.get_ref().as_array().ok_or_else(|| {
                let at = line(value.span().start);
                Error::new(ErrorKind::Syntax, format!("line {at}: steps are written as [[edit]]"))
            })?;
            if steps.len() > MAX_STEPS {
                let detail = format!("{} steps; at most {MAX_STEPS} are allowed", steps.len());
                return Err(Error::new(ErrorKind::TooLarge, detail));
            }
            for step in steps.iter() {
                let at = line(step.span().start);
                let wrong = |error: Error| Error::new(error.kind(), format!("line {at}: {error}"));
                let action = action_of(step, &[]).map_err(wrong)?;
                script.steps.push(Step { line: at, action });
            }
        }
        Ok(script)
    }
}

/// Runs the steps of a script one by one.
#[derive(Debug, Default)]
pub struct ScriptRun {
    /// The steps so far that can be taken back.
    done: Vec<Changes>,
}

impl ScriptRun {
    /// Applies a step. A step that fails changes nothing.
    pub fn apply(&mut self, live: &mut LiveMesh, step: &Step) -> Result<Changes> {
        let wrong = |error: Error| Error::new(error.kind(), format!("line {}: {error}", step.line));
        self.make(live, step).map_err(wrong)
    }

    /// As [`apply`](ScriptRun::apply), but errors do not name the line.
    pub fn make(&mut self, live: &mut LiveMesh, step: &Step) -> Result<Changes> {
        let wrong = |error: Error| Error::new(error.kind(), format!("{}: {error}", step.words()));
        self.run(live, &step.action).map_err(wrong)
    }

    /// Applies an action.
    fn run(&mut self, live: &mut LiveMesh, action: &Action) -> Result<Changes> {
        let unknown =
            |what: &str, name: &str| Error::new(ErrorKind::Options, format!("there is no {what} {name:?}"));
        let obstacle = |name: &String| match live.named(name) {
            Some(Named::Obstacle(id)) => Ok(id),
            _ => Err(unknown("obstacle", name)),
        };
        let edit = match action {
            Action::Add(name, obstacle) => Edit::Named(name.clone(), Box::new(Edit::Add(obstacle.clone()))),
            Action::Door(name, ends, anchor) => {
                Edit::Named(name.clone(), Box::new(Edit::AddDoor(*ends, *anchor)))
            }
            Action::Turn(name, open) => match live.named(name) {
                Some(Named::Door(id)) => Edit::Door(id, *open),
                _ => return Err(unknown("door", name)),
            },
            Action::Move(name, shape) => Edit::Move(obstacle(name)?, shape.clone()),
            Action::Remove(name) => match live.named(name) {
                Some(Named::Door(id)) => Edit::RemoveDoor(id),
                _ => Edit::Remove(obstacle(name)?),
            },
            Action::Area(name, place) => {
                let class = live.area_class(name)?;
                Edit::Area(place.clone(), class)
            }
            Action::Link(link) => Edit::AddLink(link.clone()),
            Action::Unlink(name) => Edit::RemoveLink(name.clone()),
            Action::Clear => Edit::Clear,
            Action::Tidy => {
                let changes = live.tidy();
                self.done.push(changes.clone());
                return Ok(changes);
            }
            Action::Undo(count) => return self.undo(live, *count),
        };
        let changes = live.apply(&edit)?;
        self.done.push(changes.clone());
        Ok(changes)
    }

    /// Takes steps back. Returns what the last one changed.
    fn undo(&mut self, live: &mut LiveMesh, count: usize) -> Result<Changes> {
        if count > self.done.len() {
            let detail = format!("only {} steps can be taken back", self.done.len());
            return Err(Error::new(ErrorKind::Options, detail));
        }
        let mut last = Changes { epoch: live.epoch(), ..Changes::default() };
        for _ in 0..count {
            let Some(changes) = self.done.pop() else { break };
            last = live.undo(&changes)?;
        }
        Ok(last)
    }
}

/// A value of the file.
type Value<'a> = Spanned<DeValue<'a>>;

/// The error for a value that is not what it must be.
fn syntax(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::Syntax, detail)
}

/// Reads a step. The keys `also` are the business of the caller.
pub(crate) fn action_of(step: &Value<'_>, also: &[&str]) -> Result<Action> {
    let table = step.get_ref().as_table().ok_or_else(|| syntax("a step must be a table"))?;
    const VERBS: usize = 12;
    const KEYS: [&str; 23] = [
        "add",
        "move",
        "remove",
        "area",
        "undo",
        "door",
        "open",
        "close",
        "link",
        "unlink",
        "tidy",
        "clear",
        "polygon",
        "segment",
        "disc",
        "box",
        "height",
        "kind",
        "from",
        "to",
        "cost",
        "both_ways",
        "max_radius",
    ];
    let known: Vec<&str> = KEYS.iter().chain(also).copied().collect();
    if let Some(key) = table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) {
        return Err(syntax(format!("unknown key {:?}; known are {}", key.get_ref(), known.join(", "))));
    }
    let verbs: Vec<&str> = KEYS[..VERBS].iter().copied().filter(|key| table.contains_key(*key)).collect();
    let [verb] = verbs[..] else {
        return Err(syntax(format!("a step needs exactly one of {}", KEYS[..VERBS].join(", "))));
    };
    let value = table.get(verb).map(|value| value.get_ref());
    let name = || {
        let name = value.and_then(DeValue::as_str).map(str::to_string);
        name.ok_or_else(|| syntax(format!("{verb} must be a name in quotes")))
    };
    Ok(match verb {
        "add" => Action::Add(name()?, obstacle_of(table)?),
        "move" => Action::Move(name()?, obstacle_of(table)?),
        "remove" => Action::Remove(name()?),
        "open" | "close" => Action::Turn(name()?, verb == "open"),
        "door" => match obstacle_of(table)? {
            Obstacle { shape: Shape::Segment(ends), anchor } => Action::Door(name()?, ends, anchor),
            _ => return Err(syntax("a door needs a segment")),
        },
        "area" => Action::Area(name()?, obstacle_of(table)?),
        "link" => Action::Link(link_of(name()?, table)?),
        "unlink" => Action::Unlink(name()?),
        "tidy" | "clear" => match value.and_then(DeValue::as_bool) {
            Some(true) if verb == "tidy" => Action::Tidy,
            Some(true) => Action::Clear,
            _ => return Err(syntax(format!("{verb} must be true"))),
        },
        _ => {
            let count = value.and_then(DeValue::as_integer).and_then(|count| count.as_str().parse().ok());
            Action::Undo(count.ok_or_else(|| syntax("undo must be a whole number of steps"))?)
        }
    })
}

/// Reads a link.
fn link_of(name: String, table: &DeTable<'_>) -> Result<Link> {
    let place = |key: &str| {
        let value = table.get(key).map(Spanned::get_ref);
        let value = value.ok_or_else(|| syntax(format!("a link needs {key}")))?;
        let mut floor = None;
        let [x, y] = point(value, key, &mut floor)?;
        Ok::<[f64; 3], Error>([x, floor.unwrap_or(0.0), -y])
    };
    let kind = table.get("kind").map(|value| value.get_ref().as_str()).unwrap_or(Some("jump"));
    let kind = LinkKind::from_name(kind.ok_or_else(|| syntax("kind must be a name in quotes"))?);
    let optional = |key: &str| table.get(key).map(|value| number(value.get_ref(), key)).transpose();
    let mut link = Link::new(name, kind, place("from")?, place("to")?);
    (link.cost, link.max_radius) = (optional("cost")?, optional("max_radius")?);
    if let Some(value) = table.get("both_ways") {
        let both = value.get_ref().as_bool();
        link.both_ways = both.ok_or_else(|| syntax("both_ways must be true or false"))?;
    }
    Ok(link)
}

/// Reads the shape and the floor of an obstacle.
fn obstacle_of(table: &DeTable<'_>) -> Result<Obstacle> {
    const SHAPES: [&str; 4] = ["polygon", "segment", "disc", "box"];
    let given: Vec<&str> = SHAPES.into_iter().filter(|key| table.contains_key(*key)).collect();
    let [kind] = given[..] else {
        return Err(syntax("a step needs exactly one of polygon, segment, disc, box"));
    };
    let Some(value) = table.get(kind).map(Spanned::get_ref) else { return Err(syntax("a shape is missing")) };
    let mut floor = None;
    let shape = match kind {
        "polygon" => Shape::Polygon(points(value, kind, &mut floor)?),
        "segment" => {
            let ends = points(value, kind, &mut floor)?;
            let ends = <[[f64; 2]; 2]>::try_from(ends).map_err(|_| syntax("segment must have two points"))?;
            Shape::Segment(ends)
        }
        _ => round_shape(value, kind, &mut floor)?,
    };
    let height = table.get("height").map(|value| number(value.get_ref(), "height")).transpose()?;
    Ok(Obstacle { shape, anchor: Anchor { height: height.or(floor) } })
}

/// Reads a disc or a box.
fn round_shape(value: &DeValue<'_>, kind: &str, floor: &mut Option<f64>) -> Result<Shape> {
    let table = value.as_table().ok_or_else(|| syntax(format!("{kind} must be a table")))?;
    let known: &[&str] =
        if kind == "disc" { &["centre", "radius", "sides"] } else { &["centre", "size", "turn"] };
    if let Some(key) = table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) {
        let detail = format!("{kind}: unknown key {:?}; known are {}", key.get_ref(), known.join(", "));
        return Err(syntax(detail));
    }
    let get = |key: &str| {
        let value = table.get(key).map(Spanned::get_ref);
        value.ok_or_else(|| syntax(format!("{kind}: {key} is missing")))
    };
    let optional = |key: &str| table.get(key).map(|value| number(value.get_ref(), key)).transpose();
    let centre = point(get("centre")?, "centre", floor)?;
    if kind == "disc" {
        let sides = optional("sides")?.unwrap_or(f64::from(DISC_SIDES));
        return Ok(Shape::Disc { centre, radius: number(get("radius")?, "radius")?, sides: sides as u32 });
    }
    let size = get("size")?.as_array().map(|list| list.iter().map(|value| number(value.get_ref(), "size")));
    let size: Vec<f64> =
        size.ok_or_else(|| syntax("box: size must be two numbers"))?.collect::<Result<_>>()?;
    let size = <[f64; 2]>::try_from(size).map_err(|_| syntax("box: size must be two numbers"))?;
    Ok(Shape::Box { centre, size, turn: optional("turn")?.unwrap_or(0.0) })
}

/// Reads a list of points.
fn points(value: &DeValue<'_>, what: &str, floor: &mut Option<f64>) -> Result<Vec<[f64; 2]>> {
    let list = value.as_array().ok_or_else(|| syntax(format!("{what} must be a list of points")))?;
    list.iter().map(|value| point(value.get_ref(), what, floor)).collect()
}

/// Reads a point: X, Y of a plan, or X, Y, Z of a scene, whose lowest Y is the floor.
fn point(value: &DeValue<'_>, what: &str, floor: &mut Option<f64>) -> Result<[f64; 2]> {
    let wrong = || syntax(format!("{what}: a point is [x, y] of a plan or [x, y, z] of a scene"));
    let list = value.as_array().ok_or_else(wrong)?;
    let numbers: Vec<f64> = list.iter().map(|value| number(value.get_ref(), what)).collect::<Result<_>>()?;
    match numbers[..] {
        [x, y] => Ok([x, y]),
        [x, y, z] => {
            *floor = Some(floor.map_or(y, |floor: f64| floor.min(y)));
            Ok([x, -z])
        }
        _ => Err(wrong()),
    }
}

/// Reads a number.
pub(crate) fn number(value: &DeValue<'_>, what: &str) -> Result<f64> {
    let text = value.as_float().map(|float| float.as_str().to_string());
    let text = text.or_else(|| value.as_integer().map(|integer| integer.as_str().to_string()));
    let parsed = text.and_then(|text| text.parse::<f64>().ok()).filter(|number| number.is_finite());
    parsed.ok_or_else(|| syntax(format!("{what} must be a finite number")))
}
