//! The nested arrays of a GeoJSON `coordinates` member, read before their meaning is known.
//!
//! Memory grows with the text: positions are counted, and a limit stops the reader.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::MAX_POINTS;

/// Coordinates whose meaning is not known yet.
#[derive(Debug)]
pub(super) enum Coordinates {
    /// A single number.
    Number(f64),
    /// An array of two or more numbers.
    Position([f64; 2]),
    /// An array of anything else.
    Array(Vec<Coordinates>),
    /// Something that cannot be part of coordinates, in words.
    Other(&'static str),
}

impl Coordinates {
    /// Names the kind of coordinates, for messages.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Coordinates::Number(_) => "a number",
            Coordinates::Position(_) => "a position",
            Coordinates::Array(_) => "an array",
            Coordinates::Other(what) => what,
        }
    }
}

/// Counts over all coordinates of a file.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// The number of positions, drawn or not. Empty arrays count as well, because they take memory.
    pub(super) positions: usize,
    /// The number of positions with more than two numbers.
    pub(super) long_positions: usize,
}

impl Counts {
    /// True if there are more positions than a plan may have points.
    pub(super) fn exceed_limit(&self) -> bool {
        self.positions > MAX_POINTS
    }

    /// Counts one more, or fails at the limit.
    fn add_position<E: de::Error>(&mut self) -> std::result::Result<(), E> {
        self.positions += 1;
        if self.exceed_limit() { Err(E::custom("too many positions")) } else { Ok(()) }
    }
}

/// Reads one item of coordinates. Wrong shapes are kept, and refused later, where their position is known.
pub(super) struct Item<'c> {
    pub(super) counts: &'c mut Counts,
}

impl Item<'_> {
    /// Reads the rest of an array that began with a number.
    fn position<'de, A: SeqAccess<'de>>(
        self,
        x: f64,
        mut array: A,
    ) -> std::result::Result<Coordinates, A::Error> {
        let (mut y, mut len, mut is_mixed) = (None, 1, false);
        while let Some(item) = array.next_element_seed(Item { counts: &mut *self.counts })? {
            if let Coordinates::Number(value) = item {
                y = y.or(Some(value));
            } else {
                is_mixed = true;
            }
            len += 1;
        }
        self.counts.long_positions += usize::from(len > 2);
        Ok(match y {
            _ if is_mixed => Coordinates::Other("an array of numbers and other things"),
            None => Coordinates::Other("an array of one number"),
            Some(y) => Coordinates::Position([x, y]),
        })
    }
}

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = Coordinates;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<Coordinates, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Item<'_> {
    type Value = Coordinates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("coordinates")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<Coordinates, E> {
        Ok(Coordinates::Number(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> std::result::Result<Coordinates, E> {
        Ok(Coordinates::Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<Coordinates, E> {
        Ok(Coordinates::Number(value as f64))
    }

    fn visit_str<E: de::Error>(self, _: &str) -> std::result::Result<Coordinates, E> {
        Ok(Coordinates::Other("a string"))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> std::result::Result<Coordinates, E> {
        Ok(Coordinates::Other("a truth value"))
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<Coordinates, E> {
        Ok(Coordinates::Other("null"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Coordinates, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Coordinates::Other("an object"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> std::result::Result<Coordinates, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = array.next_element_seed(Item { counts: &mut *self.counts })? {
            match item {
                Coordinates::Number(x) if items.is_empty() => return self.position(x, array),
                item => {
                    if !matches!(&item, Coordinates::Array(items) if !items.is_empty()) {
                        self.counts.add_position()?;
                    }
                    items.push(item);
                }
            }
        }
        Ok(Coordinates::Array(items))
    }
}
