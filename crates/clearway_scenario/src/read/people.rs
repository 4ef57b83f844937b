//! Reads profiles, journeys and sources.

use super::places::{area, spot};
use super::table::{Table, Value};
use super::{Reader, name, only_once, texts, weights};
use crate::scenario::{
    Choice, Journey, MAX_PEOPLE, MAX_SECONDS, MIN_WALK, Place, PlaceUse, Profile, RATES, Scenario, Source,
    Stage, Supply,
};
use clearway_base::error::{ErrorKind, Result};
use clearway_base::names::unknown;
use clearway_crowd::{Area, MAX_RADIUS, MAX_SPEED, MIN_RADIUS};
use std::collections::BTreeSet;

/// The limits of times in seconds.
const TIMES: [f64; 2] = [0.0, MAX_SECONDS];

impl Reader<'_> {
    /// Reads `[[profile]]`. Without any there is one: adults.
    pub fn read_profiles(&self, scenario: &mut Scenario) -> Result<()> {
        let mut known = BTreeSet::new();
        for table in self.tables("profile", &["name", "radius", "speed", "priority", "premovement"])? {
            let name = name(&table)?;
            only_once(&table, name, &mut known)?;
            let usual = Profile::usual();
            scenario.profiles.push(Profile {
                name: name.to_string(),
                radius: table.law("radius", [MIN_RADIUS, MAX_RADIUS], "m")?.unwrap_or(usual.radius),
                speed: table.law("speed", [MIN_WALK, MAX_SPEED], "m/s")?.unwrap_or(usual.speed),
                priority: table.whole("priority", [0, 255])?.map_or(0, |priority| priority as u8),
                premovement: table.law("premovement", TIMES, "s")?.unwrap_or(usual.premovement),
            });
        }
        if scenario.profiles.is_empty() {
            scenario.profiles.push(Profile::usual());
        }
        Ok(())
    }

    /// Reads `[[journey]]`.
    pub fn read_journeys(&self, scenario: &mut Scenario) -> Result<()> {
        let mut known = BTreeSet::new();
        for table in self.tables("journey", &["name", "stages", "choice"])? {
            let name = name(&table)?;
            only_once(&table, name, &mut known)?;
            let choice = choice(&table)?;
            let wanted = "a list of names, lists of names, or { area = \"…\", wait = 5 }";
            let list = table.list("stages", wanted)?.ok_or_else(|| table.missing("stages"))?;
            let mut stages = Vec::new();
            for value in list {
                stages.push(stage(scenario, &table, value, choice)?);
            }
            let (last, before) = stages
                .split_last()
                .ok_or_else(|| table.wrong_at(ErrorKind::Syntax, "stages", "stages is empty"))?;
            let is_exit = |index: &usize| scenario.places[*index].use_ == PlaceUse::Exit;
            if before.iter().flat_map(|stage| &stage.targets).any(is_exit) {
                let message =
                    "only the last stage of a journey can be an exit: whoever arrives there is gone";
                return Err(table.wrong_at(ErrorKind::Options, "stages", message));
            }
            if last.wait.is_some() && last.targets.iter().any(is_exit) {
                let message = "nobody waits at an exit: whoever arrives there is gone";
                return Err(table.wrong_at(ErrorKind::Options, "stages", message));
            }
            scenario.journeys.push(Journey { name: name.to_string(), stages });
        }
        Ok(())
    }

    /// Reads `[[source]]`.
    pub fn read_sources(&self, scenario: &mut Scenario) -> Result<()> {
        let keys = [
            "name",
            "area",
            "outline",
            "rectangle",
            "height",
            "count",
            "rate",
            "start",
            "end",
            "spacing",
            "times",
            "points",
            "profile",
            "profiles",
            "goal",
            "exit",
            "choice",
            "journey",
            "journeys",
            "direction",
            "premovement",
        ];
        let tables = self.tables("source", &keys)?;
        if tables.is_empty() {
            let message = "there is nobody: [[source]] is missing";
            return Err(crate::scenario::wrong(self.document.file, ErrorKind::Empty, 0, message));
        }
        let mut people = 0;
        for (number, table) in tables.iter().enumerate() {
            let source = self.source(scenario, table, number)?;
            people = source.supply.most().saturating_add(people);
            if people > MAX_PEOPLE {
                let message =
                    format!("with this source there are {people} people; the limit is {MAX_PEOPLE}");
                return Err(table.wrong_at(ErrorKind::TooLarge, "count", message));
            }
            scenario.sources.push(source);
        }
        Ok(())
    }

    /// Reads a source. A goal makes a journey of its own.
    fn source(&self, scenario: &mut Scenario, table: &Table<'_>, number: usize) -> Result<Source> {
        let supply = supply(table, scenario.run.limit)?;
        let area = match table.text("area")? {
            None => area(table)?,
            Some(_) if table.has("outline") || table.has("rectangle") => {
                let message = "the source has an area already";
                return Err(table.wrong_at(ErrorKind::Syntax, "area", message));
            }
            Some(name) => {
                Some(scenario.places[place(scenario, table, "area", name, table.get("area"))?].area.clone())
            }
        };
        if area.is_some() && matches!(supply, Supply::Points(_)) {
            return Err(table.wrong_at(ErrorKind::Syntax, "points", "points need no area"));
        }
        let name = table.text("name")?.map_or_else(|| format!("source {}", number + 1), str::to_string);
        Ok(Source {
            name,
            line: table.line(),
            area,
            supply,
            profiles: profiles(scenario, table)?,
            journeys: journeys(scenario, table)?,
            direction: direction(table)?,
            premovement: table.law("premovement", TIMES, "s")?,
        })
    }
}

/// Reads the way of choosing among several areas.
fn choice(table: &Table<'_>) -> Result<Choice> {
    match table.text("choice")? {
        None | Some("nearest") => Ok(Choice::Nearest),
        Some("congestion") => Ok(Choice::Congestion),
        Some(other) => {
            let message = unknown("choice", other, ["nearest", "congestion"].into_iter());
            Err(table.wrong_at(ErrorKind::Options, "choice", message))
        }
    }
}

/// Returns the index of the area with a name.
fn place(
    scenario: &Scenario,
    table: &Table<'_>,
    key: &str,
    name: &str,
    value: Option<&Value<'_>>,
) -> Result<usize> {
    let names = || scenario.places.iter().map(|place| place.name.as_str());
    names().position(|known| known == name).ok_or_else(|| {
        let message = unknown(&format!("{key}: exit or area"), name, names());
        match value {
            Some(value) => table.wrong(ErrorKind::Options, value, message),
            None => table.wrong_at(ErrorKind::Options, key, message),
        }
    })
}

/// Returns the index of an exit that the plan names. It gets its area once the world is there.
fn exit_of_plan(scenario: &mut Scenario, table: &Table<'_>, name: &str) -> Result<usize> {
    if let Some(index) =
        scenario.places.iter().position(|place| place.on_plan.as_deref() == Some(name) && place.name == name)
    {
        return Ok(index);
    }
    if scenario.places.iter().any(|place| place.name == name) {
        let message =
            format!("exit {name:?} of the plan has the name of an [[exit]] or [[area]]; use goal for that");
        return Err(table.wrong_at(ErrorKind::Options, "exit", message));
    }
    let area = Area::rectangle([0.0; 2], [1.0; 2])?;
    scenario.places.push(Place {
        name: name.to_string(),
        line: table.line(),
        closed: Vec::new(),
        capacity: 0.0,
        throughput: None,
        area,
        use_: PlaceUse::Exit,
        on_plan: Some(name.to_string()),
        gate: None,
    });
    Ok(scenario.places.len() - 1)
}

/// Reads a stage: a name, a list of names, or a table with a waiting time.
fn stage(scenario: &Scenario, table: &Table<'_>, value: &Value<'_>, choice: Choice) -> Result<Stage> {
    let (named, wait) = match value.get_ref().as_table() {
        None => (value, None),
        Some(entries) => {
            if let Some(key) = entries.keys().find(|key| !["area", "wait"].contains(&key.get_ref().as_ref()))
            {
                let message = unknown("stages: key", key.get_ref(), ["area", "wait"].into_iter());
                return Err(table.wrong(ErrorKind::Syntax, value, message));
            }
            let missing = || table.wrong(ErrorKind::Syntax, value, "stages: area is missing");
            let wait = entries.get("wait").map(|wait| table.to_law("wait", wait, TIMES, "s")).transpose()?;
            (entries.get("area").ok_or_else(missing)?, wait)
        }
    };
    let mut targets = Vec::new();
    for (name, value) in texts(table, "stages", named)? {
        targets.push(place(scenario, table, "stages", name, Some(value))?);
    }
    Ok(Stage { targets, choice, wait })
}

/// Reads who starts when: `count`, `rate`, `times` or `points`.
fn supply(table: &Table<'_>, limit: f64) -> Result<Supply> {
    let kinds = ["count", "rate", "times", "points"];
    let given: Vec<&str> = kinds.into_iter().filter(|key| table.has(key)).collect();
    let [kind] = given[..] else {
        let message = match given[..] {
            [] => "nobody starts: count, rate, times or points is missing".to_string(),
            _ => format!("{} cannot stand together", given.join(" and ")),
        };
        return Err(table.wrong_at(ErrorKind::Syntax, given.last().unwrap_or(&"count"), message));
    };
    let allowed: &[&str] = match kind {
        "count" => &["start"],
        "rate" => &["start", "end", "spacing"],
        _ => &[],
    };
    if let Some(key) =
        ["start", "end", "spacing"].into_iter().find(|key| table.has(key) && !allowed.contains(key))
    {
        return Err(table.wrong_at(ErrorKind::Syntax, key, format!("{key} does not belong to {kind}")));
    }
    let start = table.within("start", TIMES, "s")?.unwrap_or(0.0);
    match kind {
        "count" => {
            let count = table.whole("count", [1, MAX_PEOPLE as u64])?.unwrap_or(1) as usize;
            Ok(Supply::Count { count, start })
        }
        "rate" => {
            let rate = table.within("rate", RATES, "1/s")?.unwrap_or(1.0);
            let end = table.within("end", TIMES, "s")?.unwrap_or(limit);
            if end <= start {
                return Err(table.wrong_at(ErrorKind::OutOfRange, "end", "end must be later than start"));
            }
            let random = match table.text("spacing")? {
                None | Some("equal") => false,
                Some("random") => true,
                Some(other) => {
                    let message = unknown("spacing", other, ["equal", "random"].into_iter());
                    return Err(table.wrong_at(ErrorKind::Options, "spacing", message));
                }
            };
            Ok(Supply::Rate { rate, start, end, random })
        }
        "times" => times(table),
        _ => {
            let list = table.list("points", "a list of points")?.unwrap_or_default();
            let spots = list.iter().map(|value| Ok(spot(&table.to_point("points", value)?)));
            Ok(Supply::Points(not_empty(table, "points", spots.collect::<Result<Vec<_>>>()?)?))
        }
    }
}

/// Reads the times at which people start.
fn times(table: &Table<'_>) -> Result<Supply> {
    let list = table.list("times", "a list of seconds")?.unwrap_or_default();
    let mut times = Vec::new();
    for value in list {
        let time = table.to_number("times", value)?;
        if !(TIMES[0]..=TIMES[1]).contains(&time) {
            let message = format!("times must lie between 0 and {MAX_SECONDS} s");
            return Err(table.wrong(ErrorKind::OutOfRange, value, message));
        }
        times.push(time);
    }
    times.sort_by(f64::total_cmp);
    Ok(Supply::Times(not_empty(table, "times", times)?))
}

/// Fails if a list is empty.
fn not_empty<T>(table: &Table<'_>, key: &str, list: Vec<T>) -> Result<Vec<T>> {
    if list.is_empty() {
        return Err(table.wrong_at(ErrorKind::Empty, key, format!("{key} is empty")));
    }
    Ok(list)
}

/// Reads the profiles of a source; the first one of the scenario if none is named.
fn profiles(scenario: &Scenario, table: &Table<'_>) -> Result<Vec<(f64, usize)>> {
    let names: Vec<&str> = scenario.profiles.iter().map(|profile| profile.name.as_str()).collect();
    match (table.text("profile")?, table.has("profiles")) {
        (Some(_), true) => {
            Err(table.wrong_at(ErrorKind::Syntax, "profiles", "profile and profiles cannot stand together"))
        }
        (Some(name), false) => match names.iter().position(|known| *known == name) {
            Some(index) => Ok(vec![(1.0, index)]),
            None => {
                let message = unknown("profile", name, names.iter().copied());
                Err(table.wrong_at(ErrorKind::Options, "profile", message))
            }
        },
        (None, true) => weights(table, "profiles", "profile", &names),
        (None, false) => Ok(vec![(1.0, 0)]),
    }
}

/// Reads the direction in which the people of a source walk for ever.
fn direction(table: &Table<'_>) -> Result<Option<[f64; 2]>> {
    let Some(value) = table.get("direction") else { return Ok(None) };
    match table.to_point("direction", value)?[..] {
        [x, y] if x != 0.0 || y != 0.0 => Ok(Some([x, y])),
        _ => Err(table.wrong(ErrorKind::OutOfRange, value, "direction must be [x, y] and not zero")),
    }
}

/// Reads where the people of a source go: `goal`, `exit`, `journey` or `journeys`.
fn journeys(scenario: &mut Scenario, table: &Table<'_>) -> Result<Vec<(f64, usize)>> {
    let given: Vec<&str> = ["goal", "exit", "journey", "journeys", "direction"]
        .into_iter()
        .filter(|key| table.has(key))
        .collect();
    if given.len() > 1 {
        let message = format!("{} cannot stand together", given.join(" and "));
        return Err(table.wrong_at(ErrorKind::Syntax, given[1], message));
    }
    if table.has("choice") && given != ["goal"] && given != ["exit"] {
        let message = "choice belongs to goal or exit; for a journey it stands in [[journey]]";
        return Err(table.wrong_at(ErrorKind::Syntax, "choice", message));
    }
    let names: Vec<&str> = scenario.journeys.iter().map(|journey| journey.name.as_str()).collect();
    match given.first() {
        None | Some(&"direction") => Ok(Vec::new()),
        Some(&"journeys") => weights(table, "journeys", "journey", &names),
        Some(&"journey") => {
            let name = table.text("journey")?.unwrap_or_default();
            let index = names.iter().position(|known| *known == name).ok_or_else(|| {
                table.wrong_at(ErrorKind::Options, "journey", unknown("journey", name, names.iter().copied()))
            })?;
            Ok(vec![(1.0, index)])
        }
        Some(key) => {
            let mut targets = Vec::new();
            for (name, value) in table.get(key).map_or(Ok(vec![]), |value| texts(table, key, value))? {
                targets.push(match *key {
                    "exit" => exit_of_plan(scenario, table, name)?,
                    _ => place(scenario, table, key, name, Some(value))?,
                });
            }
            let stages = vec![Stage { targets, choice: choice(table)?, wait: None }];
            scenario.journeys.push(Journey { name: format!("goal of {}", table.what), stages });
            Ok(vec![(1.0, scenario.journeys.len() - 1)])
        }
    }
}
