//! Reads the files of JuPedSim's editor: a zip of `config.json` and `geometry.wkt`, or one `.json` file that holds the
//! geometry as `walkable_area_wkt`.
//!
//! What has no counterpart here is left out with a note: model parameters, throttled spawning by density, colours.

use super::places::longest_side;
use super::zip::entry;
use super::{MAX_SCENARIO_BYTES, MAX_WEIGHT};
use crate::law::{Law, Shape};
use crate::scenario::{
    Choice, Journey, MAX_PEOPLE, MAX_SECONDS, MIN_WALK, Place, PlaceUse, Profile, RATES, Scenario, Source,
    Stage, Supply, TIME_STEPS, WorldSource, Zone,
};
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_crowd::{Area, MAX_RADIUS, MAX_SPEED, MIN_RADIUS};
use clearway_world::{Plan, PlanFormat};
use serde_json::Value;
use std::path::Path;

/// The most corners of obstacles, counted once for each polygon that they may touch: a hundred megabytes.
const MAX_CORNERS: usize = 4_000_000;

/// Reads a zip file.
pub fn load(path: &Path) -> Result<Scenario> {
    let read = || {
        let bytes = clearway_base::file::read_filled(path, "zip file", MAX_SCENARIO_BYTES)?;
        let need = |name: &str| {
            let text = entry(&bytes, name, MAX_SCENARIO_BYTES as usize)?
                .ok_or_else(|| Error::new(ErrorKind::Syntax, format!("holds no {name}")))?;
            String::from_utf8(text)
                .map_err(|_| Error::new(ErrorKind::Syntax, format!("{name}: is not UTF-8 text")))
        };
        let [config, geometry] = [need("config.json")?, need("geometry.wkt")?];
        parse(&path.display().to_string(), &config, &geometry)
    };
    read().map_err(|error| error.in_file(path))
}

/// Reads a single file.
pub fn load_single(path: &Path) -> Result<Scenario> {
    let read = || {
        let text = clearway_base::file::read_filled_text(path, "scenario", MAX_SCENARIO_BYTES)?;
        let syntax = |message: String| Error::new(ErrorKind::Syntax, message);
        let root: Value = serde_json::from_str(&text).map_err(|error| syntax(error.to_string()))?;
        let geometry = root.get("walkable_area_wkt").and_then(Value::as_str);
        let geometry = geometry.ok_or_else(|| {
            syntax("holds no walkable_area_wkt, the geometry in a file of JuPedSim's editor".to_string())
        })?;
        parse(&path.display().to_string(), &text, geometry)
    };
    read().map_err(|error| error.in_file(path))
}

/// Reads the two texts.
fn parse(file: &str, config: &str, geometry: &str) -> Result<Scenario> {
    let root: Value = serde_json::from_str(config)
        .map_err(|error| Error::new(ErrorKind::Syntax, format!("config.json: {error}")))?;
    let mut scenario = Scenario::empty(file, Default::default());
    let mut plan = Plan::parse(PlanFormat::Wkt, geometry).map_err(|error| error.in_file("geometry.wkt"))?;
    let reader = Reader { root: &root };
    reader.obstacles(&mut plan)?;
    scenario.world = WorldSource::Plan(plan);
    reader.settings(&mut scenario)?;
    reader.places(&mut scenario)?;
    reader.journeys(&mut scenario)?;
    reader.sources(&mut scenario)?;
    if !reader.list("transitions")?.is_empty() {
        scenario.notes.push("transitions of JuPedSim are left out; journeys decide".to_string());
    }
    Ok(scenario)
}

/// A file while it is read.
struct Reader<'a> {
    /// The outermost object.
    root: &'a Value,
}

/// An object of the file with its name.
struct Element<'a> {
    /// The object in words, for messages.
    what: String,
    /// Its key.
    key: &'a str,
    /// The object.
    value: &'a Value,
}

impl<'a> Reader<'a> {
    /// Returns the objects of a group, in the order of their keys.
    fn group(&self, name: &str) -> Result<Vec<Element<'a>>> {
        match self.root.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Object(members)) => Ok(members
                .iter()
                .map(|(key, value)| Element { what: format!("{name} {key:?}"), key, value })
                .collect()),
            Some(_) => Err(bad(format!("{name} must be an object"))),
        }
    }

    /// Returns a list of the file; empty if it is missing.
    fn list(&self, name: &str) -> Result<&'a [Value]> {
        list(self.root, name).map_err(|what| bad(format!("{name} {what}")))
    }

    /// Cuts obstacles out of the polygons of the plan that they may touch.
    fn obstacles(&self, plan: &mut Plan) -> Result<()> {
        let boxes: Vec<[[f64; 2]; 2]> =
            plan.polygons.iter().map(|polygon| bounds(&polygon.outline)).collect();
        let mut corners = 0;
        for element in self.group("obstacles")? {
            let ring = element.outline()?;
            let [low, high] = bounds(&ring);
            for (polygon, [least, most]) in plan.polygons.iter_mut().zip(&boxes) {
                if (0..2).all(|axis| low[axis] <= most[axis] && high[axis] >= least[axis]) {
                    corners += ring.len();
                    polygon.holes.push(ring.clone());
                }
            }
            if corners > MAX_CORNERS {
                let message = format!(
                    "config.json: {}: obstacles times polygons have more than {MAX_CORNERS} corners",
                    element.what
                );
                return Err(Error::new(ErrorKind::TooLarge, message));
            }
        }
        Ok(())
    }

    /// Reads seed, time and the like.
    fn settings(&self, scenario: &mut Scenario) -> Result<()> {
        let part = |name: &str, value| Element { what: name.to_string(), key: "", value };
        let whole = part("the file", self.root);
        let config = part("config", whole.object("config")?);
        let outer = part("simulation_settings", config.object("simulation_settings")?);
        let inner = part("simulationParams", outer.object("simulationParams")?);
        let run = &mut scenario.run;
        run.seed = outer.number("baseSeed", [0.0, 9e15])?.map_or(run.seed, |seed| seed as u64);
        run.runs = outer.number("numberOfSimulations", [1.0, 10_000.0])?.map_or(1, |runs| runs as usize);
        run.limit = inner.number("max_simulation_time", [TIME_STEPS[0], MAX_SECONDS])?.unwrap_or(run.limit);
        if let Some(model) = inner.text("model_type")? {
            let ours = scenario.model.name.clone();
            scenario
                .notes
                .push(format!("the model {model} of JuPedSim is not taken over; people walk by {ours}"));
        }
        Ok(())
    }

    /// Reads exits, checkpoints and zones.
    fn places(&self, scenario: &mut Scenario) -> Result<()> {
        for (group, use_) in [("exits", PlaceUse::Exit), ("checkpoints", PlaceUse::Stop)] {
            for element in self.group(group)? {
                let area = element.area()?;
                let limited = element.flag("enable_throughput_throttling")?;
                let throughput = element.number("max_throughput", [0.0, 10_000.0])?;
                if use_ == PlaceUse::Stop {
                    scenario.notes.extend(element.without_effect()?);
                }
                scenario.places.push(Place {
                    name: element.key.to_string(),
                    line: 0,
                    capacity: 1.9 * longest_side(&area),
                    throughput: throughput.filter(|most| limited && *most > 0.0),
                    closed: Vec::new(),
                    area,
                    use_,
                    on_plan: None,
                    gate: None,
                });
            }
        }
        for element in self.group("zones")? {
            let factor = element.number("speed_factor", [0.01, 10.0])?.unwrap_or(1.0);
            let (name, area) = (element.key.to_string(), element.area()?);
            scenario.zones.push(Zone { name, line: 0, area, level: factor, up: factor, down: factor });
        }
        Ok(())
    }

    /// Reads journeys: `journeys_v2` with `sequence`, or else `journeys` with `stages`.
    fn journeys(&self, scenario: &mut Scenario) -> Result<()> {
        let (list, key) = match self.list("journeys_v2")? {
            [] => (self.list("journeys")?, "stages"),
            list => (list, "sequence"),
        };
        for value in list {
            let id = value.get("id").and_then(Value::as_str).ok_or_else(|| bad("a journey has no id"))?;
            let names = value.get(key).and_then(Value::as_array);
            let names = names.ok_or_else(|| bad(format!("journey {id:?}: {key} is missing")))?;
            let mut stages = Vec::new();
            for name in names {
                let not = || bad(format!("journey {id:?}: {key} must be a list of texts"));
                let name = name.as_str().ok_or_else(not)?;
                if self.root.pointer("/distributions").is_some_and(|group| group.get(name).is_some()) {
                    continue;
                }
                stages.push(self.stage(scenario, id, name)?);
            }
            if stages.is_empty() {
                return Err(bad(format!("journey {id:?}: {key} names no exit")));
            }
            scenario.journeys.push(Journey { name: id.to_string(), stages });
        }
        Ok(())
    }

    /// Makes the stage of a journey.
    fn stage(&self, scenario: &Scenario, journey: &str, name: &str) -> Result<Stage> {
        let known = |place: &Place| place.name == name;
        let index = scenario.places.iter().position(known).ok_or_else(|| {
            bad(format!("journey {journey:?}: {name:?} is neither an exit nor a checkpoint"))
        })?;
        let checkpoint = self.root.get("checkpoints").and_then(|group| group.get(name));
        let wait = match checkpoint {
            Some(value) => Element { what: format!("checkpoints {name:?}"), key: "", value }.waiting()?,
            None => None,
        };
        Ok(Stage { targets: vec![index], choice: Choice::Nearest, wait })
    }

    /// Reads the people.
    fn sources(&self, scenario: &mut Scenario) -> Result<()> {
        let mut people = 0;
        for element in self.group("distributions")? {
            let parameters = element.object("parameters")?;
            let inner = Element { what: format!("{}: parameters", element.what), key: "", value: parameters };
            let profile = Profile {
                name: element.key.to_string(),
                radius: inner.law("radius", 0.2, [MIN_RADIUS, MAX_RADIUS], "m")?,
                speed: inner.law("v0", 1.2, [MIN_WALK, MAX_SPEED], "m/s")?,
                priority: 0,
                premovement: inner.premovement()?,
            };
            scenario.profiles.push(profile);
            let supply = inner.supply(&mut scenario.notes)?;
            people = supply.most().saturating_add(people);
            let source = Source {
                name: element.key.to_string(),
                line: 0,
                area: Some(element.area()?),
                supply,
                profiles: vec![(1.0, scenario.profiles.len() - 1)],
                journeys: self.journeys_of(scenario, &element)?,
                direction: None,
                premovement: None,
            };
            scenario.sources.push(source);
        }
        if people > MAX_PEOPLE {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!("has {people} people; the limit is {MAX_PEOPLE}"),
            ));
        }
        if people == 0 {
            return Err(Error::new(ErrorKind::Empty, "there is nobody: distributions is empty"));
        }
        Ok(())
    }

    /// Returns the journeys of a distribution: by weights, by being named in a journey, or else to the nearest exit.
    fn journeys_of(&self, scenario: &mut Scenario, element: &Element<'_>) -> Result<Vec<(f64, usize)>> {
        let find = |id: &str| scenario.journeys.iter().position(|journey| journey.name == id);
        let weights = list(element.value, "journey_weights");
        let weights = weights.map_err(|what| bad(format!("{}: journey_weights {what}", element.what)))?;
        if !weights.is_empty() {
            let mut found = Vec::new();
            for entry in weights {
                let id = entry.get("journey_id").and_then(Value::as_str).unwrap_or_default();
                let index =
                    find(id).ok_or_else(|| bad(format!("{}: journey {id:?} is not known", element.what)))?;
                let what = format!("{}: journey_weights", element.what);
                let entry = Element { what, key: "", value: entry };
                found.push((entry.number("weight", [0.0, MAX_WEIGHT])?.unwrap_or(1.0), index));
            }
            if found.iter().any(|(weight, _)| *weight > 0.0) {
                return Ok(found);
            }
        }
        for value in self.list("journeys")? {
            let stages = value.get("stages").and_then(Value::as_array);
            let names = stages.into_iter().flatten().filter_map(Value::as_str);
            if names.into_iter().any(|name| name == element.key) {
                let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
                return Ok(find(id).map(|index| (1.0, index)).into_iter().collect());
            }
        }
        let is_exit = |(_, place): &(usize, &Place)| place.use_ == PlaceUse::Exit;
        let targets: Vec<usize> =
            scenario.places.iter().enumerate().filter(is_exit).map(|(k, _)| k).collect();
        if targets.is_empty() {
            return Err(bad(format!("{}: there is no exit to go to", element.what)));
        }
        let stages = vec![Stage { targets, choice: Choice::Nearest, wait: None }];
        scenario.journeys.push(Journey { name: format!("{}: nearest exit", element.key), stages });
        Ok(vec![(1.0, scenario.journeys.len() - 1)])
    }
}

impl Element<'_> {
    /// Returns a remark about the keys of a checkpoint that have no effect here, if it uses any.
    fn without_effect(&self) -> Result<Option<String>> {
        let slows = self.number("speed_factor", [0.0, MAX_WEIGHT])?.is_some_and(|factor| factor != 1.0);
        let limits = self.flag("enable_throughput_throttling")?;
        let keys: Vec<&str> = [("speed_factor", slows), ("max_throughput", limits)]
            .into_iter()
            .filter_map(|(key, is_used)| is_used.then_some(key))
            .collect();
        let told = || format!("{}: {} of checkpoints without effect here", self.what, keys.join(" and "));
        Ok((!keys.is_empty()).then(told))
    }

    /// Returns a number between limits, if it is there.
    fn number(&self, key: &str, limits: [f64; 2]) -> Result<Option<f64>> {
        let value = match self.value.get(key) {
            None | Some(Value::Null) => return Ok(None),
            Some(value) => value,
        };
        let number = value.as_f64().ok_or_else(|| bad(format!("{}: {key} must be a number", self.what)))?;
        if (limits[0]..=limits[1]).contains(&number) {
            return Ok(Some(number));
        }
        let ([low, high], number) = (limits.map(short), short(number));
        let message = format!("config.json: {}: {key} {number} must lie between {low} and {high}", self.what);
        Err(Error::new(ErrorKind::OutOfRange, message))
    }

    /// Returns a text, if it is there.
    fn text(&self, key: &str) -> Result<Option<&str>> {
        match self.value.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(format!("{}: {key} must be a text", self.what))),
        }
    }

    /// Returns true or false; false if it is missing.
    fn flag(&self, key: &str) -> Result<bool> {
        match self.value.get(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(bad(format!("{}: {key} must be true or false", self.what))),
        }
    }

    /// Returns an object within this one; `null` if it is missing.
    fn object(&self, key: &str) -> Result<&Value> {
        match self.value.get(key) {
            None => Ok(&Value::Null),
            Some(value @ (Value::Null | Value::Object(_))) => Ok(value),
            Some(_) => Err(bad(format!("{}: {key} must be an object", self.what))),
        }
    }

    /// Returns the corners of `coordinates`; the last is not repeated.
    fn outline(&self) -> Result<Vec<[f64; 2]>> {
        let wrong = || bad(format!("{}: coordinates must be a list of [x, y]", self.what));
        let list = self.value.get("coordinates").and_then(Value::as_array).ok_or_else(wrong)?;
        let point = |value: &Value| {
            let pair = value.as_array().filter(|pair| pair.len() >= 2)?;
            Some([pair[0].as_f64()?, pair[1].as_f64()?])
        };
        let mut outline =
            list.iter().map(|value| point(value).ok_or_else(wrong)).collect::<Result<Vec<_>>>()?;
        if outline.len() > 1 && outline.first() == outline.last() {
            outline.pop();
        }
        Ok(outline)
    }

    /// Returns the area of `coordinates`.
    fn area(&self) -> Result<Area> {
        Area::new(self.outline()?)
            .map_err(|error| Error::new(error.kind(), format!("config.json: {}: {error}", self.what)))
    }

    /// Returns the law of a quantity: `key`, `key_distribution` and `key_std`.
    fn law(&self, key: &str, usual: f64, limits: [f64; 2], unit: &str) -> Result<Law> {
        let mean = self.number(key, [-1e9, 1e9])?.unwrap_or(usual);
        let spread = self.number(&format!("{key}_std"), [0.0, 1e9])?.unwrap_or(0.0);
        let law = match self.text(&format!("{key}_distribution"))? {
            Some("gaussian" | "normal") if spread > 0.0 => Law::normal(mean, spread),
            Some("uniform") if spread > 0.0 => {
                // A uniform law of this deviation.
                let half = spread * 3f64.sqrt();
                Law::uniform(mean - half, mean + half)
            }
            _ => Law::constant(mean),
        };
        law.check(limits, unit)
            .map_err(|error| Error::new(error.kind(), format!("config.json: {}: {key}: {error}", self.what)))
    }

    /// Returns the law of the waiting time at a checkpoint; `None` if nobody waits.
    fn waiting(&self) -> Result<Option<Law>> {
        let limits = [0.0, MAX_SECONDS];
        let Some(time) = self.number("waiting_time", limits)?.filter(|time| *time > 0.0) else {
            return Ok(None);
        };
        let law = match self.text("waiting_time_distribution")? {
            Some("exponential") => Law::new(Shape::Exponential { mean: time }),
            _ => self.law("waiting_time", time, limits, "s")?,
        };
        law.check(limits, "s").map(Some)
    }

    /// Returns who starts when.
    fn supply(&self, notes: &mut Vec<String>) -> Result<Supply> {
        let count = self.number("number", [0.0, MAX_PEOPLE as f64])?.unwrap_or(0.0) as usize;
        if self.text("distribution_mode")?.is_some_and(|mode| mode != "by_number") {
            notes.push(format!("{}: people are placed by number, not as distribution_mode says", self.what));
        }
        if !self.flag("use_flow_spawning")? {
            return Ok(Supply::Count { count, start: 0.0 });
        }
        let start = self.number("flow_start_time", [0.0, MAX_SECONDS])?.unwrap_or(0.0);
        let end = self.number("flow_end_time", [0.0, MAX_SECONDS])?.unwrap_or(start + 10.0);
        if end <= start || count == 0 {
            return Err(bad(format!(
                "{}: flow_end_time must be later than flow_start_time, number above 0",
                self.what
            )));
        }
        let rate = count as f64 / (end - start);
        if !(RATES[0]..=RATES[1]).contains(&rate) {
            let ([low, high], rate) = (RATES.map(short), short(rate));
            let what = format!("{rate} people in a second from flow_start_time to flow_end_time");
            let message = format!("config.json: {}: {what} must lie between {low} and {high}", self.what);
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        Ok(Supply::Rate { rate, start, end, random: false })
    }

    /// Returns the law of the time before people set off.
    fn premovement(&self) -> Result<Law> {
        if !self.flag("use_premovement")? {
            return Ok(Law::constant(0.0));
        }
        let limits = [0.0, MAX_SECONDS];
        let a = self.number("premovement_param_a", [-1e9, 1e9])?.unwrap_or(0.0);
        let b = self.number("premovement_param_b", [-1e9, 1e9])?.unwrap_or(0.0);
        let law = match self.text("premovement_distribution")?.unwrap_or("constant") {
            "gamma" => Law::new(Shape::Gamma { shape: a, scale: b }),
            "lognormal" => Law::new(Shape::Lognormal { mu: a, sigma: b }),
            "weibull" => Law::new(Shape::Weibull { scale: a, shape: b }),
            "uniform" => Law::uniform(a, b),
            "normal" | "gaussian" => Law::normal(a, b),
            "constant" => Law::constant(a),
            other => {
                return Err(bad(format!("{}: premovement_distribution {other:?} is not known", self.what)));
            }
        };
        law.check(limits, "s").map_err(|error| {
            Error::new(error.kind(), format!("config.json: {}: premovement: {error}", self.what))
        })
    }
}

/// Returns the low and the high corner of the box around some points.
fn bounds(points: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let start = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    points.iter().fold(start, |[low, high], at| {
        [[0, 1].map(|axis| at[axis].min(low[axis])), [0, 1].map(|axis| at[axis].max(high[axis]))]
    })
}

/// Returns a list of an object; empty if it is missing. The error says what it must be.
fn list<'a>(value: &'a Value, key: &str) -> std::result::Result<&'a [Value], &'static str> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err("must be a list"),
    }
}

/// Makes an error about `config.json`.
fn bad(message: impl AsRef<str>) -> Error {
    Error::new(ErrorKind::Syntax, format!("config.json: {}", message.as_ref()))
}
