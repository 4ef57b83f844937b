//! Tables of a TOML file with their lines: every error names the file, the line, the table and the key.

use crate::law::{Law, Shape};
use crate::preset;
use crate::scenario::wrong;
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_base::names::unknown;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The longest list of numbers or points that is read.
const MAX_LIST: usize = 1_000_000;

/// A TOML file.
pub struct Document<'a> {
    /// Its name, for messages.
    pub file: &'a str,
    /// The bytes at which its lines end.
    ends: Vec<usize>,
}

impl<'a> Document<'a> {
    /// Takes a file with this text.
    pub fn new(file: &'a str, text: &str) -> Document<'a> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at);
        Document { file, ends: ends.collect() }
    }

    /// Returns the line, counted from 1, that holds a byte.
    pub fn line(&self, byte: usize) -> u32 {
        1 + self.ends.partition_point(|end| *end < byte) as u32
    }

    /// Makes an error about the text at a byte.
    pub fn wrong(&self, kind: ErrorKind, byte: usize, message: &str) -> Error {
        wrong(self.file, kind, self.line(byte), message)
    }
}

/// A value with its place in the text.
pub type Value<'a> = Spanned<DeValue<'a>>;

/// A table of a file.
pub struct Table<'a> {
    /// The file.
    pub document: &'a Document<'a>,
    /// The table in words, for messages: `source "hall"`.
    pub what: String,
    /// The table.
    table: &'a DeTable<'a>,
    /// The byte at which it begins.
    start: usize,
}

impl<'a> Table<'a> {
    /// Takes a value as a table. Unknown keys are errors.
    pub fn new(
        document: &'a Document<'a>,
        kind: &str,
        value: &'a Value<'a>,
        keys: &[&str],
    ) -> Result<Table<'a>> {
        let start = value.span().start;
        let Some(table) = value.get_ref().as_table() else {
            let message = format!("{kind} must be a table");
            return Err(document.wrong(ErrorKind::Syntax, start, &message));
        };
        let name = table.get("name").and_then(|name| name.get_ref().as_str());
        let what = name.map_or(kind.to_string(), |name| format!("{kind} {name:?}"));
        let entry = Table { document, what, table, start };
        entry.only(keys)?;
        Ok(entry)
    }

    /// Returns the line on which the table begins.
    pub fn line(&self) -> u32 {
        self.document.line(self.start)
    }

    /// Fails if the table has a key that is not known.
    fn only(&self, keys: &[&str]) -> Result<()> {
        for key in self.table.keys() {
            let given = key.get_ref().as_ref();
            if !keys.contains(&given) {
                let message = unknown(&format!("{}: key", self.what), given, keys.iter().copied());
                return Err(self.document.wrong(ErrorKind::Syntax, key.span().start, &message));
            }
        }
        Ok(())
    }

    /// Returns all keys with their lines and values.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, u32, &'a Value<'a>)> + '_ {
        let line = |byte| self.document.line(byte);
        self.table.iter().map(move |(key, value)| (key.get_ref().as_ref(), line(key.span().start), value))
    }

    /// Returns a value, if it is there.
    pub fn get(&self, key: &str) -> Option<&'a Value<'a>> {
        self.table.get(key)
    }

    /// True if a key is there.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns the line of a key; the line of the table if the key is missing.
    pub fn line_of(&self, key: &str) -> u32 {
        self.document.line(self.get(key).map_or(self.start, |value| value.span().start))
    }

    /// Makes an error about a value.
    pub fn wrong(&self, kind: ErrorKind, value: &Value<'_>, message: impl AsRef<str>) -> Error {
        self.document.wrong(kind, value.span().start, &format!("{}: {}", self.what, message.as_ref()))
    }

    /// Makes an error about a key, or about the table if the key is missing.
    pub fn wrong_at(&self, kind: ErrorKind, key: &str, message: impl AsRef<str>) -> Error {
        let byte = self.get(key).map_or(self.start, |value| value.span().start);
        self.document.wrong(kind, byte, &format!("{}: {}", self.what, message.as_ref()))
    }

    /// Makes an error about a value of the wrong kind.
    fn not(&self, key: &str, value: &Value<'_>, wanted: &str) -> Error {
        self.wrong(ErrorKind::Syntax, value, format!("{key} must be {wanted}"))
    }

    /// Makes an error about a key that must be there.
    pub fn missing(&self, key: &str) -> Error {
        self.wrong_at(ErrorKind::Syntax, key, format!("{key} is missing"))
    }

    /// Returns a text, if it is there.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>> {
        let text =
            |value: &'a Value<'a>| value.get_ref().as_str().ok_or_else(|| self.not(key, value, "a text"));
        self.get(key).map(text).transpose()
    }

    /// Returns a number of any sign, if it is there; it may be infinite, but not NaN.
    pub fn number(&self, key: &str) -> Result<Option<f64>> {
        self.get(key).map(|value| self.to_number(key, value)).transpose()
    }

    /// Returns a number between limits, if it is there.
    pub fn within(&self, key: &str, limits: [f64; 2], unit: &str) -> Result<Option<f64>> {
        let Some(number) = self.number(key)? else { return Ok(None) };
        if (limits[0]..=limits[1]).contains(&number) {
            return Ok(Some(number));
        }
        let ([low, high], number) = (limits.map(short), short(number));
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let message = format!("{key} {number} must lie between {low} and {high}{unit}");
        Err(self.wrong_at(ErrorKind::OutOfRange, key, message))
    }

    /// Returns a whole number between limits, if it is there.
    pub fn whole(&self, key: &str, limits: [u64; 2]) -> Result<Option<u64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let DeValue::Integer(digits) = value.get_ref() else {
            return Err(self.not(key, value, "a whole number"));
        };
        let number = i128::from_str_radix(digits.as_str(), digits.radix()).ok();
        match number.and_then(|number| u64::try_from(number).ok()) {
            Some(number) if (limits[0]..=limits[1]).contains(&number) => Ok(Some(number)),
            _ => {
                let message =
                    format!("{key} {} must lie between {} and {}", digits.as_str(), limits[0], limits[1]);
                Err(self.wrong(ErrorKind::OutOfRange, value, message))
            }
        }
    }

    /// Takes a value as a number.
    pub fn to_number(&self, key: &str, value: &Value<'_>) -> Result<f64> {
        let number = match value.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number as f64)
            }
            _ => None,
        };
        match number {
            Some(number) if f64::is_nan(number) => {
                Err(self.wrong(ErrorKind::OutOfRange, value, format!("{key} is not a number (NaN)")))
            }
            Some(number) => Ok(number),
            None => Err(self.not(key, value, "a number")),
        }
    }

    /// Returns a list, if it is there.
    pub fn list(&self, key: &str, wanted: &str) -> Result<Option<&'a [Value<'a>]>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        self.to_list(key, value, wanted).map(Some)
    }

    /// Takes a value as a list.
    pub fn to_list(&self, key: &str, value: &'a Value<'a>, wanted: &str) -> Result<&'a [Value<'a>]> {
        let list = value.get_ref().as_array().ok_or_else(|| self.not(key, value, wanted))?;
        if list.len() > MAX_LIST {
            let message = format!("{key} has {} entries; the limit is {MAX_LIST}", list.len());
            return Err(self.wrong(ErrorKind::TooLarge, value, message));
        }
        Ok(list)
    }

    /// Takes a value as two or three finite numbers.
    pub fn to_point(&self, key: &str, value: &'a Value<'a>) -> Result<Vec<f64>> {
        let wanted = "points [x, y] of the plan, or [x, y, z] of a scene";
        let list = self.to_list(key, value, wanted)?;
        if !(2..=3).contains(&list.len()) {
            return Err(self.not(key, value, wanted));
        }
        let numbers = list.iter().map(|value| self.to_number(key, value)).collect::<Result<Vec<f64>>>()?;
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(self.wrong(ErrorKind::OutOfRange, value, format!("{key} is not finite")));
        }
        Ok(numbers)
    }

    /// Returns a line of two points of the plan, which must be there.
    pub fn segment(&self, key: &str) -> Result<[[f64; 2]; 2]> {
        let value = self.get(key).ok_or_else(|| self.missing(key))?;
        let wanted = "a line [[x, y], [x, y]]";
        let list = self.to_list(key, value, wanted)?;
        let points = list.iter().map(|value| self.to_point(key, value)).collect::<Result<Vec<_>>>()?;
        match &points[..] {
            [a, b] if a.len() == 2 && b.len() == 2 => Ok([[a[0], a[1]], [b[0], b[1]]]),
            _ => Err(self.not(key, value, wanted)),
        }
    }

    /// Returns periods of time `[[from, to], …]` in seconds, in order; none if the key is missing. The last may end
    /// with `inf`.
    pub fn periods(&self, key: &str) -> Result<Vec<[f64; 2]>> {
        let wanted = "periods [[from, to], …] in seconds";
        let Some(list) = self.list(key, wanted)? else { return Ok(Vec::new()) };
        let mut periods: Vec<[f64; 2]> = Vec::new();
        for value in list {
            let ends = self.to_list(key, value, wanted)?;
            let ends = ends.iter().map(|end| self.to_number(key, end)).collect::<Result<Vec<f64>>>()?;
            let [from, to] = ends[..] else { return Err(self.not(key, value, wanted)) };
            let last = periods.last().map_or(0.0, |last| last[1]);
            if !(from >= last && to > from && from.is_finite()) {
                let message = format!(
                    "{key}: the period from {} to {} s must begin after the one before it, not before 0, and end later",
                    short(from),
                    short(to)
                );
                return Err(self.wrong(ErrorKind::OutOfRange, value, message));
            }
            periods.push([from, to]);
        }
        Ok(periods)
    }

    /// Returns the law of a quantity, if it is there: a number, the name of a preset of walking speeds, or a table
    /// `{ law = "normal", mean = 1.3, sd = 0.2, min = 0.5, max = 2.2 }`.
    pub fn law(&self, key: &str, limits: [f64; 2], unit: &str) -> Result<Option<Law>> {
        self.get(key).map(|value| self.to_law(key, value, limits, unit)).transpose()
    }

    /// Takes a value as a law.
    pub fn to_law(&self, key: &str, value: &'a Value<'a>, limits: [f64; 2], unit: &str) -> Result<Law> {
        let law = match value.get_ref() {
            DeValue::String(name) if unit == "m/s" => preset::speed(name).ok_or_else(|| {
                let message = unknown(&format!("{key}: law"), name, preset::speed_names().into_iter());
                self.wrong(ErrorKind::Syntax, value, message)
            })?,
            DeValue::Table(_) => {
                let what = format!("{}: {key}", self.what);
                Table::new(self.document, &what, value, &LAW_KEYS)?.read_law()?
            }
            DeValue::Float(_) | DeValue::Integer(_) => Law::constant(self.to_number(key, value)?),
            _ => {
                return Err(self.not(
                    key,
                    value,
                    "a number or a law, such as { law = \"uniform\", min = 1, max = 2 }",
                ));
            }
        };
        law.check(limits, unit).map_err(|error| self.wrong(error.kind(), value, format!("{key}: {error}")))
    }

    /// Reads the table of a law.
    fn read_law(&self) -> Result<Law> {
        let need = |key: &str| self.number(key)?.ok_or_else(|| self.missing(key));
        let name = self.text("law")?.ok_or_else(|| self.missing("law"))?;
        let shape = match name {
            "constant" => Shape::Constant(need("value")?),
            "uniform" => Shape::Uniform { min: need("min")?, max: need("max")? },
            "normal" => Shape::Normal { mean: need("mean")?, sd: need("sd")? },
            "lognormal" => Shape::Lognormal { mu: need("mu")?, sigma: need("sigma")? },
            "gamma" => Shape::Gamma { shape: need("shape")?, scale: need("scale")? },
            "weibull" => Shape::Weibull { shape: need("shape")?, scale: need("scale")? },
            "exponential" => Shape::Exponential { mean: need("mean")? },
            _ => {
                let message = unknown("law", name, LAWS.into_iter());
                return Err(self.wrong_at(ErrorKind::Syntax, "law", message));
            }
        };
        let [min, max] = [self.number("min")?, self.number("max")?];
        Ok(Law::new(shape).between(min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY)))
    }
}

/// The names of laws.
const LAWS: [&str; 7] = ["constant", "uniform", "normal", "lognormal", "gamma", "weibull", "exponential"];

/// The keys of a law.
const LAW_KEYS: [&str; 10] = ["law", "value", "min", "max", "mean", "sd", "mu", "sigma", "shape", "scale"];
