//! Reads scenarios: TOML files, and the zip files of JuPedSim.

mod jupedsim;
mod measure;
mod people;
mod places;
mod table;
#[cfg(test)]
mod tests;
mod zip;

use crate::scenario::{
    MAX_RUNS, MAX_SECONDS, ModelOptions, Parameter, RunOptions, Scenario, TIME_STEPS, WorldSource,
};
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_base::names::unknown;
use clearway_live::{EditScript, TimedStep};
use clearway_roads::Method;
use clearway_world::{PlanFormat, Up};
pub(crate) use places::{capacity_of, capacity_of_width};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use table::{Document, Table, Value};
use toml::de::DeTable;

/// The largest scenario file that is read, in bytes (64 MiB): a plan with a million points fits.
pub const MAX_SCENARIO_BYTES: u64 = 64 << 20;

/// The largest weight of a profile or a journey. Sums of weights must stay finite.
const MAX_WEIGHT: f64 = 1e12;

/// The largest number of tables of one kind. Every place has routes of its own, and names are looked up one by one.
pub const MAX_TABLES: usize = 10_000;

/// The tables of a scenario.
const TABLES: [&str; 14] = [
    "title", "world", "run", "model", "profile", "source", "exit", "area", "journey", "zone", "door", "wrap",
    "measure", "event",
];

/// The kinds of scenario files.
#[derive(Clone, Copy)]
enum Kind {
    /// Our own.
    Toml,
    /// A zip file of JuPedSim.
    Zip,
    /// A single file of JuPedSim's editor.
    Json,
}

impl Scenario {
    /// Reads a scenario: a TOML file, or a zip or JSON file of JuPedSim. Every error names the file, and the line of a TOML
    /// file.
    pub fn load(path: impl AsRef<Path>) -> Result<Scenario> {
        let path = path.as_ref();
        let known = [("toml", Kind::Toml), ("zip", Kind::Zip), ("json", Kind::Json)];
        let kind = clearway_base::file::format_of(path, "scenario", &known);
        match kind.map_err(|error| error.in_file(path))? {
            Kind::Zip => return jupedsim::load(path),
            Kind::Json => return jupedsim::load_single(path),
            Kind::Toml => {}
        }
        let text = clearway_base::file::read_filled_text(path, "scenario", MAX_SCENARIO_BYTES);
        let text = text.map_err(|error| error.in_file(path))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Scenario::parse(&path.display().to_string(), folder, &text)
    }

    /// Reads a scenario from the text of a TOML file. `file` stands in messages; names of other files are relative to
    /// `folder`.
    ///
    /// ```
    /// use clearway_scenario::Scenario;
    /// let text = "
    /// [world]
    /// wkt = 'POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0))'
    /// [[exit]]
    /// name = 'door'
    /// rectangle = [[7.5, 2], [8, 3]]
    /// [[source]]
    /// rectangle = [[0, 0], [6, 5]]
    /// count = 20
    /// goal = 'door'
    /// ";
    /// let scenario = Scenario::parse("room.toml", "".into(), text)?;
    /// assert_eq!(scenario.places[0].name, "door");
    /// let error = Scenario::parse("room.toml", "".into(), &text.replace("goal = 'door'", "goal = 'doors'"));
    /// let expected = "room.toml:10: source 1: goal: exit or area `doors` is not known; did you mean `door`?";
    /// assert_eq!(error.unwrap_err().to_string(), expected);
    /// # Ok::<(), clearway_base::Error>(())
    /// ```
    pub fn parse(file: &str, folder: PathBuf, text: &str) -> Result<Scenario> {
        let document = Document::new(file, text);
        let table = DeTable::parse(text).map_err(|error| {
            let byte = error.span().map_or(0, |span| span.start);
            document.wrong(ErrorKind::Syntax, byte, error.message())
        })?;
        for key in table.get_ref().keys() {
            if !TABLES.contains(&key.get_ref().as_ref()) {
                let message = unknown("table", key.get_ref(), TABLES.into_iter());
                return Err(document.wrong(ErrorKind::Syntax, key.span().start, &message));
            }
        }
        let mut scenario = Reader { document: &document, root: table.get_ref() }.scenario(folder)?;
        if table.get_ref().contains_key("event") {
            scenario.events = events(file, text)?;
        }
        Ok(scenario)
    }
}

/// Reads `[[event]]`: the steps of a file of edits, with times.
fn events(file: &str, text: &str) -> Result<Vec<TimedStep>> {
    let wrong = |line: usize, error: Error| {
        crate::scenario::wrong(file, error.kind(), line as u32, &error.to_string())
    };
    let events = EditScript::parse_events(text).map_err(|(line, error)| wrong(line, error))?;
    if let Some(event) = events.get(MAX_TABLES) {
        let message = format!("there are {} tables [[event]]; the limit is {MAX_TABLES}", events.len());
        return Err(wrong(event.step.line, Error::new(ErrorKind::TooLarge, message)));
    }
    Ok(events)
}

/// A scenario file while it is read.
struct Reader<'a> {
    /// The file.
    document: &'a Document<'a>,
    /// Its outermost table.
    root: &'a DeTable<'a>,
}

impl<'a> Reader<'a> {
    /// Reads everything, in an order in which names are known before they are used.
    fn scenario(&self, folder: PathBuf) -> Result<Scenario> {
        let mut scenario = Scenario::empty(self.document.file, folder);
        if let Some(title) = self.root.get("title") {
            let title = title.get_ref().as_str().map(str::to_string);
            let byte = self.root.get("title").map_or(0, |value| value.span().start);
            let not = || self.document.wrong(ErrorKind::Syntax, byte, "title must be a text");
            scenario.title = title.ok_or_else(not)?;
        }
        scenario.world = self.world()?;
        (scenario.run, scenario.model) = self.run()?;
        self.read_places(&mut scenario)?;
        self.read_zones(&mut scenario)?;
        self.read_doors(&mut scenario)?;
        self.read_wraps(&mut scenario)?;
        self.read_profiles(&mut scenario)?;
        self.read_journeys(&mut scenario)?;
        self.read_sources(&mut scenario)?;
        self.read_measures(&mut scenario)?;
        Ok(scenario)
    }

    /// Returns the entries of a list of tables; none if it is missing.
    fn tables(&self, kind: &str, keys: &[&str]) -> Result<Vec<Table<'a>>> {
        let Some(value) = self.root.get(kind) else { return Ok(Vec::new()) };
        let Some(list) = value.get_ref().as_array() else {
            let message = format!("{kind} must be written [[{kind}]]: there may be several");
            return Err(self.document.wrong(ErrorKind::Syntax, value.span().start, &message));
        };
        if let Some(value) = list.get(MAX_TABLES) {
            let message = format!("there are {} tables [[{kind}]]; the limit is {MAX_TABLES}", list.len());
            return Err(self.document.wrong(ErrorKind::TooLarge, value.span().start, &message));
        }
        let mut tables = Vec::new();
        for (number, value) in list.iter().enumerate() {
            let mut table = Table::new(self.document, kind, value, keys)?;
            if table.what == kind {
                table.what = format!("{kind} {}", number + 1);
            }
            tables.push(table);
        }
        Ok(tables)
    }

    /// Returns a table that may be there once.
    fn table(&self, kind: &str, keys: &[&str]) -> Result<Option<Table<'a>>> {
        let Some(value) = self.root.get(kind) else { return Ok(None) };
        if value.get_ref().as_array().is_some() {
            let message = format!("{kind} must be written [{kind}]: there is only one");
            return Err(self.document.wrong(ErrorKind::Syntax, value.span().start, &message));
        }
        Table::new(self.document, kind, value, keys).map(Some)
    }

    /// Reads `[world]`.
    fn world(&self) -> Result<WorldSource> {
        let Some(table) = self.table("world", &["file", "wkt", "links", "up", "scale"])? else {
            return Ok(WorldSource::Unnamed);
        };
        let up = match table.text("up")? {
            None | Some("y") => Up::Y,
            Some("z") => Up::Z,
            Some(_) => return Err(table.wrong_at(ErrorKind::Options, "up", "up must be \"y\" or \"z\"")),
        };
        let scale = table.within("scale", [1e-6, 1e6], "m")?.unwrap_or(1.0);
        let links = table.text("links")?.map(PathBuf::from);
        match (table.text("file")?, table.text("wkt")?) {
            (Some(file), None) => {
                if table.has("up") && PlanFormat::from_path(Path::new(file)).is_ok() {
                    let message = "up is for a scene; a plan has no axis that points up";
                    return Err(table.wrong_at(ErrorKind::Options, "up", message));
                }
                let line = table.line_of("file");
                Ok(WorldSource::File { path: file.into(), links, up, scale, line })
            }
            (None, Some(text)) => {
                if let Some(key) = ["links", "up", "scale"].into_iter().find(|key| table.has(key)) {
                    let message = format!("{key} is for a world in a file, not for wkt");
                    return Err(table.wrong_at(ErrorKind::Options, key, message));
                }
                Ok(WorldSource::Wkt { text: text.to_string(), line: table.line_of("wkt") })
            }
            (Some(_), Some(_)) => {
                Err(table.wrong_at(ErrorKind::Syntax, "wkt", "the world is either a file or wkt, not both"))
            }
            (None, None) => {
                Err(table.wrong_at(ErrorKind::Syntax, "file", "file = \"…\" or wkt = \"…\" is missing"))
            }
        }
    }

    /// Reads the planner on the skeleton and its options from `[run]`.
    fn route(&self, table: &Table<'a>, run: &mut RunOptions) -> Result<()> {
        if let Some(name) = table.text("route")? {
            run.route = Method::from_name(name);
            if run.route.is_none() && name != "shortest" {
                let known = Method::ALL.map(Method::name).into_iter().chain(["shortest"]);
                return Err(table.wrong_at(ErrorKind::Options, "route", unknown("route", name, known)));
            }
        }
        let options = [("clearance", Method::Ecm), ("sigma", Method::Miran), ("weights", Method::Miran)];
        for (key, method) in options.into_iter().filter(|(key, _)| table.has(key)) {
            if run.route != Some(method) {
                let message = format!("{key} needs route = {:?}", method.name());
                return Err(table.wrong_at(ErrorKind::Options, key, message));
            }
        }
        run.clearance = table.within("clearance", [0.0, 100.0], "m")?;
        run.sigma = table.within("sigma", [0.01, 1000.0], "m; 5 is usual")?;
        if let Some(value) = table.get("weights") {
            let Some(weights) = value.get_ref().as_table() else {
                return Err(table.wrong(ErrorKind::Syntax, value, "weights must be a table, { grass = 8 }"));
            };
            for (name, value) in weights {
                let weight = table.to_number("weights", value)?;
                if !(weight > 0.0 && weight.is_finite()) {
                    return Err(table.wrong(ErrorKind::OutOfRange, value, "a weight must be above zero"));
                }
                run.weights.push((name.get_ref().to_string(), weight));
            }
        }
        Ok(())
    }

    /// Reads `[run]` and `[model]`.
    fn run(&self) -> Result<(RunOptions, ModelOptions)> {
        let (mut run, mut model) = (RunOptions::default(), ModelOptions::default());
        let course = ["model", "dt", "seed", "placement_seed", "limit", "runs", "fps"];
        let keys: Vec<&str> = course.into_iter().chain(["route", "clearance", "sigma", "weights"]).collect();
        if let Some(table) = self.table("run", &keys)? {
            run.dt = table.within("dt", TIME_STEPS, "s; 0.05 is usual")?.unwrap_or(run.dt);
            run.seed = table.whole("seed", [0, i64::MAX as u64])?.unwrap_or(run.seed);
            run.placement_seed = table.whole("placement_seed", [0, i64::MAX as u64])?;
            run.limit = table.within("limit", [run.dt, MAX_SECONDS], "s")?.unwrap_or(run.limit);
            run.runs = table.whole("runs", [1, MAX_RUNS as u64])?.map_or(run.runs, |runs| runs as usize);
            run.fps = table.within("fps", [0.01, 1000.0], "1/s")?.unwrap_or(run.fps);
            self.route(&table, &mut run)?;
            if let Some(name) = table.text("model")? {
                model.name = name.to_string();
                model.line = table.line_of("model");
            }
        }
        let known = crate::models::names();
        if !known.contains(&model.name.as_str()) {
            let message = unknown("run: model", &model.name, known.iter().copied());
            return Err(crate::scenario::wrong(self.document.file, ErrorKind::Options, model.line, &message));
        }
        let parameters = crate::models::parameters(&model.name);
        if let Some(table) = self.table("model", &parameters)? {
            for (name, line, value) in table.entries() {
                let value = table.to_number(name, value)?;
                model.parameters.push(Parameter { name: name.to_string(), value, line });
            }
        }
        Ok((run, model))
    }
}

/// Returns the weights of a table such as `{ adult = 0.7, child = 0.3 }` with the indices of its names.
fn weights(table: &Table<'_>, key: &str, kind: &str, names: &[&str]) -> Result<Vec<(f64, usize)>> {
    let Some(value) = table.get(key) else { return Ok(Vec::new()) };
    let Some(entries) = value.get_ref().as_table() else {
        let message = format!("{key} must be a table of weights, such as {{ a = 2, b = 1 }}");
        return Err(table.wrong(ErrorKind::Syntax, value, message));
    };
    let mut weights = Vec::new();
    for (name, weight) in entries.iter() {
        let index = names.iter().position(|known| known == name.get_ref()).ok_or_else(|| {
            let message = unknown(&format!("{key}: {kind}"), name.get_ref(), names.iter().copied());
            table.wrong(ErrorKind::Options, weight, message)
        })?;
        let number = table.to_number(key, weight)?;
        if !(0.0..=MAX_WEIGHT).contains(&number) {
            let shown = format!("{key}: the weight {} of {:?}", short(number), name.get_ref());
            let message = format!("{shown} must lie between 0 and {}", short(MAX_WEIGHT));
            return Err(table.wrong(ErrorKind::OutOfRange, weight, message));
        }
        weights.push((number, index));
    }
    if !weights.iter().any(|(weight, _)| *weight > 0.0) {
        return Err(table.wrong(ErrorKind::OutOfRange, value, format!("{key}: no weight is greater than 0")));
    }
    Ok(weights)
}

/// Takes note of a name. Fails if it was given before.
fn only_once<'a>(table: &Table<'_>, name: &'a str, known: &mut BTreeSet<&'a str>) -> Result<()> {
    if !known.insert(name) {
        return Err(table.wrong_at(ErrorKind::Options, "name", "there is another one of this name"));
    }
    Ok(())
}

/// Returns the name of a table, which must be there and must not be empty.
fn name<'a>(table: &Table<'a>) -> Result<&'a str> {
    match table.text("name")? {
        Some("") => Err(table.wrong_at(ErrorKind::Syntax, "name", "name is empty")),
        Some(name) => Ok(name),
        None => Err(table.missing("name")),
    }
}

/// Returns the texts of a value that is one text or a list of texts.
fn texts<'a>(table: &Table<'a>, key: &str, value: &'a Value<'a>) -> Result<Vec<(&'a str, &'a Value<'a>)>> {
    let wanted = "a name or a list of names";
    let not = |value: &Value<'_>| table.wrong(ErrorKind::Syntax, value, format!("{key} must be {wanted}"));
    if let Some(text) = value.get_ref().as_str() {
        return Ok(vec![(text, value)]);
    }
    let list = table.to_list(key, value, wanted)?;
    if list.is_empty() {
        return Err(table.wrong(ErrorKind::Syntax, value, format!("{key} is empty")));
    }
    list.iter().map(|value| Ok((value.get_ref().as_str().ok_or_else(|| not(value))?, value))).collect()
}
