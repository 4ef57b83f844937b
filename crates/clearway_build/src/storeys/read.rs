//! Buildings in a file: TOML, one `[[storey]]` for each storey and one `[[stairs]]` for each flight.
//!
//! ```toml
//! [[storey]]
//! name = "ground"           # needed; no two storeys have the same
//! height = 0.0              # needed: the floor, in metres
//! plan = "ground.dxf"       # needed: a plan beside this file
//! scale = 0.01              # as --scale
//! level = "0"               # as --level
//! gap = 0.1                 # as --gap
//! roles = ["floor=Rooms*"]  # as --role
//!
//! [[stairs]]
//! name = "main stairs"      # needed
//! from = "ground"           # needed: the lower storey
//! to = "first"              # needed: the upper storey
//! line = [[2, 1], [2, 6]]   # needed: the middle line from foot to head, in metres
//! width = 1.2               # 1.2 m if left out
//! ```

use super::{Building, Flight, MAX_STOREYS, Storey};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::lines::Lines;
use clearway_world::plan::{Plan, PlanOptions, PlanRole};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest file of a building that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The width of stairs that do not tell it, in metres.
const USUAL_WIDTH: f64 = 1.2;

/// The keys of a storey.
const STOREY_KEYS: [&str; 7] = ["name", "height", "plan", "scale", "level", "gap", "roles"];

/// The keys of stairs.
const STAIRS_KEYS: [&str; 5] = ["name", "from", "to", "line", "width"];

/// Reads a file; errors do not name it yet.
pub(super) fn load(path: &Path) -> Result<Building> {
    let text = clearway_base::file::read_filled_text(path, "building", MAX_BYTES)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&text, |file, options| Plan::load_with_options(folder.join(file), options))
}

/// Reads a text. `plan_of` reads the plan of a storey.
pub(super) fn parse(text: &str, plan_of: impl Fn(&str, &PlanOptions) -> Result<Plan>) -> Result<Building> {
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| Lines::of(text).line(span.start));
        Error::new(ErrorKind::Syntax, format!("line {line}: {}", error.message()))
    })?;
    let mut building = Building::default();
    for (key, value) in table.get_ref() {
        let known = matches!(key.get_ref().as_ref(), "storey" | "stairs");
        let Some(list) = value.get_ref().as_array().filter(|_| known) else {
            let line = Lines::of(text).line(key.span().start);
            let message = format!(
                "line {line}: {:?} is not known; buildings have [[storey]] and [[stairs]]",
                key.get_ref()
            );
            return Err(Error::new(ErrorKind::Syntax, message));
        };
        if list.len() > MAX_STOREYS {
            let message = format!(
                "{} entries of {:?} are too many; {MAX_STOREYS} are allowed",
                list.len(),
                key.get_ref()
            );
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
    }
    let entries = |key: &'static str| {
        let list = table.get_ref().get(key).and_then(|value| value.get_ref().as_array());
        list.into_iter().flat_map(|list| list.iter()).enumerate().map(move |(number, value)| Entry {
            text,
            key,
            number,
            value,
        })
    };
    for entry in entries("storey") {
        entry.check_keys(&STOREY_KEYS)?;
        let storey = entry.storey(&plan_of)?;
        if building.storeys.iter().any(|known| known.name == storey.name) {
            return Err(entry.wrong("name", "another storey has it already"));
        }
        building.storeys.push(storey);
    }
    for entry in entries("stairs") {
        entry.check_keys(&STAIRS_KEYS)?;
        building.flights.push(entry.flight(&building.storeys)?);
    }
    Ok(building)
}

/// One `[[storey]]` or `[[stairs]]` of a file.
struct Entry<'a> {
    /// The text of the whole file, for line numbers.
    text: &'a str,
    /// The name of its list.
    key: &'static str,
    /// Its index in the list.
    number: usize,
    /// The parsed table.
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Entry<'a> {
    /// The value of a field.
    fn field(&self, name: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.value.get_ref().as_table().and_then(|table| table.get(name))
    }

    /// An error that names the line, the entry and the field.
    fn wrong(&self, field: &str, why: &str) -> Error {
        let at = self.field(field).unwrap_or(self.value).span().start;
        let line = Lines::of(self.text).line(at);
        Error::new(ErrorKind::Syntax, format!("line {line}, {} {}: {field}: {why}", self.key, self.number))
    }

    /// Refuses fields that are not known.
    fn check_keys(&self, known: &[&str]) -> Result<()> {
        let Some(table) = self.value.get_ref().as_table() else {
            return Err(self.wrong("", "is not a table"));
        };
        for key in table.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                return Err(
                    self.wrong(key.get_ref(), &format!("is not known; fields are {}", known.join(", ")))
                );
            }
        }
        Ok(())
    }

    /// A field of text.
    fn text_of(&self, name: &str) -> Result<&'a str> {
        let value = self.field(name).ok_or_else(|| self.wrong(name, "is missing"))?;
        value.get_ref().as_str().ok_or_else(|| self.wrong(name, "is not text in quotes"))
    }

    /// A number.
    fn number_in(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<f64> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().replace('_', ""),
            DeValue::Float(number) => number.as_str().replace('_', ""),
            _ => String::new(),
        };
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && number.abs() < 1e6);
        number.ok_or_else(|| self.wrong(name, "is not a number below 1000000"))
    }

    /// A field that is a number, if it is there.
    fn number_of(&self, name: &str) -> Result<Option<f64>> {
        self.field(name).map(|value| self.number_in(name, value)).transpose()
    }

    /// Reads a storey with its plan.
    fn storey(&self, plan_of: &impl Fn(&str, &PlanOptions) -> Result<Plan>) -> Result<Storey> {
        let height = self.number_of("height")?.ok_or_else(|| self.wrong("height", "is missing"))?;
        let level = self.field("level").map(|_| self.text_of("level").map(str::to_string)).transpose()?;
        let options = PlanOptions::default()
            .scale(self.number_of("scale")?)
            .gap(self.number_of("gap")?.unwrap_or(0.0))
            .level(level)
            .roles(self.roles()?);
        let plan = plan_of(self.text_of("plan")?, &options)
            .map_err(|error| Error::new(error.kind(), self.wrong("plan", &error.to_string()).to_string()))?;
        Ok(Storey { name: self.text_of("name")?.to_string(), height, plan })
    }

    /// Reads the roles of parts.
    fn roles(&self) -> Result<Vec<(PlanRole, String)>> {
        let Some(value) = self.field("roles") else { return Ok(Vec::new()) };
        let wrong = || self.wrong("roles", "is not a list of texts such as \"floor=Rooms*\"");
        let list = value.get_ref().as_array().ok_or_else(wrong)?;
        let role = |value: &Spanned<DeValue<'_>>| {
            let (role, pattern) = value.get_ref().as_str()?.split_once('=')?;
            Some((PlanRole::from_name(role)?, pattern.to_string()))
        };
        list.iter().map(|value| role(value).ok_or_else(wrong)).collect()
    }

    /// Reads a flight of stairs.
    fn flight(&self, storeys: &[Storey]) -> Result<Flight> {
        let find = |field: &str| {
            let name = self.text_of(field)?;
            storeys
                .iter()
                .position(|storey| storey.name == name)
                .ok_or_else(|| self.wrong(field, &format!("there is no storey {name:?}")))
        };
        let wrong = || self.wrong("line", "is not a list of points such as [[2, 1], [2, 6]]");
        let list = self.field("line").ok_or_else(|| self.wrong("line", "is missing"))?;
        let mut line = Vec::new();
        for point in list.get_ref().as_array().ok_or_else(wrong)?.iter() {
            let point = point.get_ref().as_array().filter(|point| point.len() == 2).ok_or_else(wrong)?;
            let [x, y] = [0, 1].map(|axis| point.get(axis).map(|value| self.number_in("line", value)));
            line.push([x.ok_or_else(wrong)??, y.ok_or_else(wrong)??]);
        }
        let width = self.number_of("width")?.unwrap_or(USUAL_WIDTH);
        Ok(Flight {
            name: self.text_of("name")?.to_string(),
            storeys: [find("from")?, find("to")?],
            line,
            width,
        })
    }
}
