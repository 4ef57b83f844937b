//! The properties of GeoJSON features: roles, names and levels, as OpenStreetMap tags them indoors.

use crate::plan::PlanRole;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// The keys that are kept; all others may hold anything.
const KEYS: [&str; 23] = [
    "indoor",
    "level",
    "min_level",
    "max_level",
    "repeat_on",
    "door",
    "entrance",
    "width",
    "name",
    "ref",
    "highway",
    "stairs",
    "room",
    "role",
    "layer",
    "Layer",
    "kind",
    "class",
    "category",
    "incline",
    "conveying",
    "building",
    "id",
];

/// The keys that name a kind of things.
const KINDS: [&str; 5] = ["layer", "Layer", "kind", "class", "category"];

/// The keys that name one thing.
const TITLES: [&str; 2] = ["name", "id"];

/// The name of the part of buildings.
pub(in crate::plan) const BUILDING: &str = "building";

/// The longest value that is kept, in characters.
const MAX_VALUE_CHARS: usize = 200;

/// The greatest number of levels that one feature lies on.
const MAX_LEVELS: usize = 256;

/// The properties of a feature that matter to plans, as text.
#[derive(Debug, Default)]
pub(super) struct Properties {
    values: BTreeMap<&'static str, String>,
}

impl Properties {
    /// The value of a key.
    fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// True if a key has a value other than `no`.
    fn has(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| value != "no")
    }

    /// The name of the part, and the role that the tags give to it.
    pub(super) fn part(&self) -> (String, Option<PlanRole>) {
        if let Some(role) = self.get("role") {
            return (
                role.to_string(),
                PlanRole::from_name(&role.to_lowercase()).or_else(|| PlanRole::guess(role)),
            );
        }
        let is_stairs =
            self.get("highway") == Some("steps") || self.has("stairs") || self.get("room") == Some("stairs");
        let tagged = match self.get("indoor") {
            _ if is_stairs => Some(("stairs", PlanRole::Stairs)),
            Some("room") => Some(("indoor=room", PlanRole::Floor)),
            Some("corridor") => Some(("indoor=corridor", PlanRole::Floor)),
            Some("area" | "yes") => Some(("indoor=area", PlanRole::Floor)),
            Some("wall") => Some(("indoor=wall", PlanRole::Wall)),
            Some("column") => Some(("indoor=column", PlanRole::Obstacle)),
            Some("door") => Some(("indoor=door", PlanRole::Door)),
            Some("level") => Some(("indoor=level", PlanRole::Ignore)),
            _ if self.has("door") || self.has("entrance") => Some(("door", PlanRole::Door)),
            _ => None,
        };
        if let Some((name, role)) = tagged {
            return (name.to_string(), Some(role));
        }
        if self.has("building") && KINDS.iter().all(|key| self.get(key).is_none()) {
            return (BUILDING.to_string(), None);
        }
        let named = KINDS.iter().chain(&TITLES).find_map(|key| self.get(key));
        (named.unwrap_or_default().to_string(), None)
    }

    /// True if the name of the part is a title, which says nothing about its role: no layer and no kind.
    pub(super) fn is_title(&self) -> bool {
        self.part().1.is_none() && KINDS.iter().all(|key| self.get(key).is_none())
    }

    /// True if walls stand along the outline: rooms have walls, corridors and areas have none of their own.
    pub(super) fn is_walled(&self) -> bool {
        self.get("indoor") == Some("room") && self.part().1 == Some(PlanRole::Floor)
    }

    /// The name of the feature itself.
    pub(super) fn name(&self) -> Option<String> {
        self.get("name").or_else(|| self.get("ref")).map(str::to_string)
    }

    /// The width in metres of a door or of stairs.
    pub(super) fn width(&self) -> Option<f64> {
        let text = self.get("width")?.trim_end_matches('m').trim();
        text.parse().ok().filter(|width: &f64| *width > 0.0 && *width < 100.0)
    }

    /// True if a line of stairs leads down from its first point.
    pub(super) fn leads_down(&self) -> bool {
        self.get("incline").is_some_and(|incline| incline == "down" || incline.starts_with('-'))
    }

    /// The levels that the feature lies on, in order; empty if it does not tell.
    pub(super) fn levels(&self) -> Vec<f64> {
        let mut levels: Vec<f64> = Vec::new();
        for key in ["level", "repeat_on"] {
            levels.extend(self.get(key).map(levels_of).unwrap_or_default());
        }
        let bound = |key: &str| self.get(key).and_then(|text| text.trim().parse::<f64>().ok());
        if let (true, Some(least), Some(most)) = (levels.is_empty(), bound("min_level"), bound("max_level")) {
            levels.extend(whole_levels(least, most));
        }
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        levels.truncate(MAX_LEVELS);
        levels
    }
}

/// The levels of a text: `0`, `0;1`, `-1-2`, `0.5`.
pub(super) fn levels_of(text: &str) -> Vec<f64> {
    let mut levels = Vec::new();
    for item in text.split([';', ',']).map(str::trim).filter(|item| !item.is_empty()).take(MAX_LEVELS) {
        if let Ok(level) = item.parse::<f64>() {
            levels.extend(Some(level).filter(|level| level.abs() < 1e6));
            continue;
        }
        // A dash between two numbers, not the sign of the first.
        let range = item.char_indices().skip(1).filter(|(_, letter)| *letter == '-').find_map(|(at, _)| {
            Some((item[..at].trim().parse::<f64>().ok()?, item[at + 1..].trim().parse::<f64>().ok()?))
        });
        if let Some((from, to)) = range {
            levels.extend(whole_levels(from, to));
        }
    }
    levels
}

/// All levels from one to another, in steps of one.
fn whole_levels(from: f64, to: f64) -> Vec<f64> {
    let (from, to) = (from.min(to), from.max(to));
    if !(from.abs() < 1e6 && to.abs() < 1e6) {
        return Vec::new();
    }
    (0..MAX_LEVELS).map(|step| from + step as f64).take_while(|level| *level <= to).collect()
}

/// Reads the properties of a feature, which may be `null`.
pub(super) struct Reader;

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Properties;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Properties, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Properties;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the properties of a feature, an object or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Properties, E> {
        Ok(Properties::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
        let mut properties = Properties::default();
        while let Some(key) = map.next_key::<String>()? {
            match KEYS.iter().find(|known| **known == key) {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(key) => {
                    let Scalar(text) = map.next_value_seed(Scalar(String::new()))?;
                    properties.values.insert(key, text);
                }
            }
        }
        Ok(properties)
    }
}

/// A text, a number or a truth value as text; lists of numbers joined by semicolons; everything else is empty.
struct Scalar(String);

impl<'de> DeserializeSeed<'de> for Scalar {
    type Value = Scalar;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Scalar, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar(text.chars().take(MAX_VALUE_CHARS).collect()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(if value { "yes" } else { "no" }.to_string()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Scalar, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Scalar, A::Error> {
        let mut items: Vec<String> = Vec::new();
        while let Some(Scalar(item)) = array.next_element_seed(Scalar(String::new()))? {
            if items.len() < MAX_LEVELS {
                items.push(item);
            }
        }
        Ok(Scalar(items.join(";")))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_lists_and_ranges() {
        let cases: [(&str, &[f64]); 9] = [
            ("0", &[0.0]),
            ("0;1", &[0.0, 1.0]),
            ("-1-2", &[-1.0, 0.0, 1.0, 2.0]),
            ("-2--1", &[-2.0, -1.0]),
            ("0.5", &[0.5]),
            ("1; 3-4", &[1.0, 3.0, 4.0]),
            ("ground", &[]),
            ("", &[]),
            ("1e300-2e300", &[]),
        ];
        for (text, levels) in cases {
            assert_eq!(levels_of(text), levels, "{text}");
        }
    }

    #[test]
    fn tags_give_roles() {
        let read = |text: &str| {
            let mut json = serde_json::Deserializer::from_str(text);
            Reader.deserialize(&mut json).unwrap()
        };
        let cases = [
            ("{\"indoor\": \"room\", \"level\": 1, \"name\": \"A\"}", "indoor=room", Some(PlanRole::Floor)),
            ("{\"indoor\": \"wall\"}", "indoor=wall", Some(PlanRole::Wall)),
            ("{\"indoor\": \"room\", \"stairs\": true}", "stairs", Some(PlanRole::Stairs)),
            ("{\"highway\": \"steps\"}", "stairs", Some(PlanRole::Stairs)),
            ("{\"door\": \"hinged\"}", "door", Some(PlanRole::Door)),
            ("{\"door\": \"no\"}", "", None),
            ("{\"role\": \"exit\"}", "exit", Some(PlanRole::Exit)),
            ("{\"layer\": \"Furniture 1\"}", "Furniture 1", None),
            ("{\"other\": [{}], \"name\": {\"a\": 1}}", "", None),
            ("null", "", None),
        ];
        for (text, name, role) in cases {
            assert_eq!(read(text).part(), (name.to_string(), role), "{text}");
        }
        assert_eq!(read("{\"width\": \"1.2 m\"}").width(), Some(1.2));
        assert_eq!(read("{\"min_level\": \"0\", \"max_level\": 2}").levels(), [0.0, 1.0, 2.0]);
        assert!(read("{\"indoor\": \"room\"}").is_walled());
    }
}
