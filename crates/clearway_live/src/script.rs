//! Edits from a file: a list of steps in TOML, in which obstacles have names.
//!
//! `docs/reference/edits.md` describes the format. Every error names the line.

use crate::changes::Changes;
use crate::edit::{Anchor, Edit, Named, Obstacle, Shape};
use crate::live_mesh::LiveMesh;
use crate::shape::corners_of;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::lines::Lines;
use clearway_base::names::{self, shown};
use clearway_nav::{Link, LinkKind, Position};
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
    /// A link comes. The number of its ends that have heights stands beside it.
    Link(Link, usize),
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
    /// Returns the number of steps that this one takes back; `None` for another step.
    pub fn undone(&self) -> Option<usize> {
        if let Action::Undo(count) = self.action { Some(count) } else { None }
    }

    /// Returns the box around the shape or the link of the step: low and high corner in plan coordinates. `None` for a step
    /// that names no place, or none that makes sense.
    pub fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        let points = match &self.action {
            Action::Add(_, place) | Action::Move(_, place) | Action::Area(_, place) => {
                corners_of(&place.shape).ok()?
            }
            Action::Door(_, ends, _) => ends.to_vec(),
            Action::Link(link, _) => [link.from, link.to].map(|end| end.plan()).to_vec(),
            _ => return None,
        };
        let end = |pick: fn(f64, f64) -> f64, axis: usize| points.iter().map(|at| at[axis]).reduce(pick);
        Some([[end(f64::min, 0)?, end(f64::min, 1)?], [end(f64::max, 0)?, end(f64::max, 1)?]])
    }

    /// Returns the step in words: `add "crate"`.
    pub fn words(&self) -> String {
        match &self.action {
            Action::Add(name, _) => format!("add {}", shown(name)),
            Action::Move(name, _) => format!("move {}", shown(name)),
            Action::Remove(name) => format!("remove {}", shown(name)),
            Action::Door(name, ..) => format!("door {}", shown(name)),
            Action::Turn(name, true) => format!("open {}", shown(name)),
            Action::Turn(name, false) => format!("close {}", shown(name)),
            Action::Area(name, _) => format!("area {}", shown(name)),
            Action::Link(link, _) => format!("link {}", shown(&link.name)),
            Action::Unlink(name) => format!("unlink {}", shown(name)),
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
        let lines = Lines::of(text);
        let line = |byte: usize| lines.line(byte);
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(1, |span| line(span.start));
            Error::new(ErrorKind::Syntax, format!("line {at}: {}", error.message()))
        })?;
        let mut script = EditScript::default();
        for (key, value) in table.get_ref() {
            if key.get_ref() != "edit" {
                let detail = names::unknown("table", key.get_ref(), ["edit"].into_iter());
                let at = line(key.span().start);
                return Err(Error::new(ErrorKind::Syntax, format!("line {at}: {detail}")));
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
        if !live.mesh().has_heights() && action.heights().is_some_and(|(given, _)| given > 0) {
            let detail = "a plan has no heights: its points are [x, y], and `height` has no meaning there";
            return Err(Error::new(ErrorKind::Options, detail));
        }
        if live.mesh().has_heights() && action.heights().is_some_and(|(given, needed)| given < needed) {
            let detail = "the points have two coordinates, but in a scene points are [x, y, z] with y up; with two, x and \
                          -z, the step needs `height`";
            return Err(Error::new(ErrorKind::Options, detail));
        }
        let unknown = |what: &str, name: &str| {
            Error::new(ErrorKind::Options, format!("there is no {what} {}", shown(name)))
        };
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
            Action::Link(link, _) => Edit::AddLink(link.clone()),
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

/// The keys of a shape and its floor.
const SHAPE_KEYS: &[&str] = &["polygon", "segment", "disc", "box", "height"];
/// The keys of a link.
const LINK_KEYS: &[&str] = &["from", "to", "kind", "cost", "both_ways", "max_radius"];

/// The verbs of steps, and the keys that each takes.
const VERBS: [(&str, &[&str]); 12] = [
    ("add", SHAPE_KEYS),
    ("move", SHAPE_KEYS),
    ("remove", &[]),
    ("area", SHAPE_KEYS),
    ("undo", &[]),
    ("door", &["segment", "height"]),
    ("open", &[]),
    ("close", &[]),
    ("link", LINK_KEYS),
    ("unlink", &[]),
    ("tidy", &[]),
    ("clear", &[]),
];

/// Returns the verb of a step. Fails for keys that the verb does not take.
fn verb_of(table: &DeTable<'_>, also: &[&str]) -> Result<&'static str> {
    let verbs = || VERBS.iter().map(|(verb, _)| *verb);
    let known = || VERBS.iter().flat_map(|(verb, keys)| [*verb].into_iter().chain(keys.iter().copied()));
    let known = || known().chain(also.iter().copied());
    let keys = || table.keys().map(|key| key.get_ref().as_ref());
    if let Some(key) = keys().find(|key| !known().any(|known| known == *key)) {
        return Err(syntax(names::unknown("key", key, known())));
    }
    let given: Vec<_> = VERBS.iter().filter(|(verb, _)| table.contains_key(*verb)).collect();
    let [(verb, taken)] = given[..] else {
        return Err(syntax(format!(
            "a step needs exactly one of {}",
            verbs().collect::<Vec<_>>().join(", ")
        )));
    };
    if let Some(key) = keys().find(|key| key != verb && !taken.contains(key) && !also.contains(key)) {
        let taken = if taken.is_empty() { "no other key".to_string() } else { taken.join(", ") };
        return Err(syntax(format!("{verb} does not take the key `{key}`; it takes {taken}")));
    }
    Ok(verb)
}

impl Action {
    /// Returns the number of heights that the step names, and the number that it needs in a scene. `None` for a step
    /// without a place.
    fn heights(&self) -> Option<(usize, usize)> {
        match self {
            Action::Add(_, place) | Action::Move(_, place) | Action::Area(_, place) => {
                Some((usize::from(place.anchor.height.is_some()), 1))
            }
            Action::Door(_, _, anchor) => Some((usize::from(anchor.height.is_some()), 1)),
            Action::Link(_, given) => Some((*given, 2)),
            _ => None,
        }
    }
}

/// Reads a step. The keys `also` are the business of the caller.
pub(crate) fn action_of(step: &Value<'_>, also: &[&str]) -> Result<Action> {
    let table = step.get_ref().as_table().ok_or_else(|| syntax("a step must be a table"))?;
    let verb = verb_of(table, also)?;
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
        "link" => {
            let (link, has_heights) = link_of(name()?, table)?;
            Action::Link(link, has_heights)
        }
        "unlink" => Action::Unlink(name()?),
        "tidy" | "clear" => match value.and_then(DeValue::as_bool) {
            Some(true) if verb == "tidy" => Action::Tidy,
            Some(true) => Action::Clear,
            _ => return Err(syntax(format!("{verb} must be true"))),
        },
        _ => {
            let count = value.and_then(whole).and_then(|count| usize::try_from(count).ok());
            Action::Undo(count.ok_or_else(|| syntax("undo must be a whole number of steps"))?)
        }
    })
}

/// Reads a link. Returns the number of its ends that have heights beside it.
fn link_of(name: String, table: &DeTable<'_>) -> Result<(Link, usize)> {
    let place = |key: &str| {
        let value = table.get(key).map(Spanned::get_ref);
        let value = value.ok_or_else(|| syntax(format!("a link needs {key}")))?;
        let mut floor = None;
        let [x, y] = point(value, key, &mut floor)?;
        Ok::<([f64; 3], bool), Error>(([x, floor.unwrap_or(0.0), -y], floor.is_some()))
    };
    let [(from, starts_high), (to, ends_high)] = [place("from")?, place("to")?];
    let kind = table.get("kind").map(|value| value.get_ref().as_str()).unwrap_or(Some("jump"));
    let kind = LinkKind::from_name(kind.ok_or_else(|| syntax("kind must be a name in quotes"))?);
    let optional = |key: &str| table.get(key).map(|value| number(value.get_ref(), key)).transpose();
    let mut link = Link::new(name, kind, from, to);
    (link.cost, link.max_radius) = (optional("cost")?, optional("max_radius")?);
    if let Some(value) = table.get("both_ways") {
        let both = value.get_ref().as_bool();
        link.both_ways = both.ok_or_else(|| syntax("both_ways must be true or false"))?;
    }
    Ok((link, usize::from(starts_high) + usize::from(ends_high)))
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
        let detail = names::unknown("key", key.get_ref(), known.iter().copied());
        return Err(syntax(format!("{kind}: {detail}")));
    }
    let get = |key: &str| {
        let value = table.get(key).map(Spanned::get_ref);
        value.ok_or_else(|| syntax(format!("{kind}: {key} is missing")))
    };
    let optional = |key: &str| table.get(key).map(|value| number(value.get_ref(), key)).transpose();
    let centre = point(get("centre")?, "centre", floor)?;
    if kind == "disc" {
        let sides = match table.get("sides").map(Spanned::get_ref) {
            Some(value) => sides_of(value)?,
            None => DISC_SIDES,
        };
        return Ok(Shape::Disc { centre, radius: number(get("radius")?, "radius")?, sides });
    }
    let size = get("size")?.as_array().map(|list| list.iter().map(|value| number(value.get_ref(), "size")));
    let size: Vec<f64> =
        size.ok_or_else(|| syntax("box: size must be two numbers"))?.collect::<Result<_>>()?;
    let size = <[f64; 2]>::try_from(size).map_err(|_| syntax("box: size must be two numbers"))?;
    Ok(Shape::Box { centre, size, turn: optional("turn")?.unwrap_or(0.0) })
}

/// Reads the number of sides of a disc.
fn sides_of(value: &DeValue<'_>) -> Result<u32> {
    let count = whole(value).and_then(|count| u32::try_from(count).ok());
    let count = count.filter(|count| (3..=Shape::MAX_SIDES).contains(count));
    count.ok_or_else(|| syntax(format!("disc: sides must be a whole number from 3 to {}", Shape::MAX_SIDES)))
}

/// Reads a whole number, in any radix that TOML has.
fn whole(value: &DeValue<'_>) -> Option<i128> {
    value.as_integer().and_then(|integer| i128::from_str_radix(integer.as_str(), integer.radix()).ok())
}

/// Reads a list of points.
fn points(value: &DeValue<'_>, what: &str, floor: &mut Option<f64>) -> Result<Vec<[f64; 2]>> {
    let list = value.as_array().ok_or_else(|| syntax(format!("{what} must be a list of points")))?;
    let corner = |(index, value): (usize, &Value<'_>)| {
        point(value.get_ref(), &format!("{what}: point {index}"), floor)
    };
    list.iter().enumerate().map(corner).collect()
}

/// Reads a point: X, Y of a plan, or X, Y, Z of a scene, whose lowest Y is the floor.
fn point(value: &DeValue<'_>, what: &str, floor: &mut Option<f64>) -> Result<[f64; 2]> {
    let wrong = || syntax(format!("{what}: a point is [x, y] of a plan or [x, y, z] of a scene"));
    let list = value.as_array().ok_or_else(wrong)?;
    let numbers: Vec<f64> = list
        .iter()
        .map(|value| number(value.get_ref(), &format!("{what}: a coordinate")))
        .collect::<Result<_>>()?;
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
    let float = value.as_float().and_then(|float| float.as_str().parse::<f64>().ok());
    // A decimal integer may have more digits than a whole number of the machine.
    let decimal = || value.as_integer().filter(|integer| integer.radix() == 10)?.as_str().parse().ok();
    let parsed = float.or_else(decimal).or_else(|| whole(value).map(|number| number as f64));
    parsed
        .filter(|number| number.is_finite())
        .ok_or_else(|| syntax(format!("{what} must be a finite number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the message for a script of one step.
    fn refused(step: &str) -> String {
        EditScript::parse(&format!("\n[[edit]]\n{step}\n")).unwrap_err().to_string()
    }

    #[test]
    fn whole_numbers_have_a_radix() {
        for (text, count) in [("3", 3), ("0b11", 3), ("0x10", 16), ("0o17", 15), ("+1_0", 10)] {
            let script = EditScript::parse(&format!("[[edit]]\nundo = {text}\n")).unwrap();
            assert_eq!(script.steps[0].action, Action::Undo(count), "{text}");
        }
        let script = "[[edit]]\nadd = 'a'\ndisc = { centre = [0x10, 0], radius = 1, sides = 0b1000 }\n";
        let Action::Add(_, obstacle) = &EditScript::parse(script).unwrap().steps[0].action else { panic!() };
        assert_eq!(obstacle.shape, Shape::Disc { centre: [16.0, 0.0], radius: 1.0, sides: 8 });
        for text in ["-1", "0x1_0000_0000_0000_0000_0000_0000_0000_0000", "2.0", "'2'"] {
            let message = refused(&format!("undo = {text}"));
            assert!(message.ends_with("undo must be a whole number of steps"), "{text}: {message}");
        }
    }

    #[test]
    fn keys_without_a_meaning_are_refused() {
        for (step, words) in [
            ("remove = 'a'\ndisc = { centre = [1, 1], radius = 1 }", "remove does not take the key `disc`"),
            ("add = 'a'\nsegment = [[0, 0], [1, 0]]\nmax_radius = -3", "does not take the key `max_radius`"),
            ("add = 'a'\nsegment = [[0, 0], [1, 0]]\nkind = 'x'", "does not take the key `kind`"),
            ("tidy = true\nheight = 1", "it takes no other key"),
            ("door = 'a'\ndisc = { centre = [1, 1], radius = 1 }", "it takes segment, height"),
            ("undo = 1\nremove = 'a'", "exactly one of add"),
            ("ad = 'a'", "did you mean `add`?"),
            ("add = 'a'\ndisk = 1", "did you mean `disc`?"),
            (
                "add = 'a'\ndisc = { center = [1, 1], radius = 1 }",
                "disc: key `center` is not known; did you mean",
            ),
            ("add = 'a'\ndisc = { centre = [1, 1], radius = 1, sides = 4.7 }", "a whole number from 3 to 64"),
            ("add = 'a'\ndisc = { centre = [1, 1], radius = 1, sides = -5 }", "a whole number from 3 to 64"),
            ("add = 'a'\ndisc = { centre = [1, 1], radius = 1, sides = 65 }", "a whole number from 3 to 64"),
        ] {
            let message = refused(step);
            assert!(message.starts_with("line 2: ") && message.contains(words), "{step}: {message}");
        }
        let message = EditScript::parse("[[edits]]\nundo = 1\n").unwrap_err().to_string();
        assert_eq!(message, "line 1: table `edits` is not known; did you mean `edit`?");
    }
}
