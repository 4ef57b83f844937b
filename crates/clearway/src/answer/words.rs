//! Numbers, points and tables as people read them.

use clearway_nav::query::in_world;
use serde::Serialize;
use std::fmt::{self, Write};

/// A point in space: right-handed, +Y up.
pub type Point3 = [f64; 3];

/// A point as it was given: of a plan, or in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Point {
    /// A point of a plan: x, y.
    Plan([f64; 2]),
    /// A point in space: x, y (up), z.
    Space(Point3),
}

impl Point {
    /// The point in space; plans lie at height zero, and their y is -z.
    pub fn in_space(self) -> Point3 {
        match self {
            Point::Plan(at) => in_world(at, 0.0),
            Point::Space(at) => at,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Point::Plan([x, y]) => write!(f, "{},{}", short(*x), short(*y)),
            Point::Space([x, y, z]) => write!(f, "{},{},{}", short(*x), short(*y), short(*z)),
        }
    }
}

/// A number as it is written: in powers of ten where it would have many zeros.
pub fn short(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// A number with about four digits: enough to judge, short enough to read.
pub fn measure(value: f64) -> String {
    let decimals = match value.abs() {
        // Less than this is what sums of floats leave over.
        size if size < 1e-9 => return "0".to_string(),
        size if !(1e-4..1e9).contains(&size) => return format!("{value:.2e}"),
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        size if size >= 1.0 => 3,
        _ => 5,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A point to the millimetre.
pub fn short_point(point: Point) -> String {
    match point {
        Point::Plan(at) => Point::Plan(at.map(to_millimetres)).to_string(),
        Point::Space(at) => Point::Space(at.map(to_millimetres)).to_string(),
    }
}

/// A length rounded to millimetres; more than what floats know to millimetres stays as it is.
pub fn to_millimetres(length: f64) -> f64 {
    if length.abs() < 1e12 { ((1000.0 * length).round() + 0.0) / 1000.0 } else { length }
}

/// Bytes for people.
pub fn size_text(bytes: usize) -> String {
    match bytes as f64 {
        bytes if bytes >= 1e6 => format!("{:.1} MB", bytes / 1e6),
        bytes if bytes >= 1e3 => format!("{:.1} kB", bytes / 1e3),
        bytes => format!("{bytes} bytes"),
    }
}

/// Aligned rows of a name, a value and a remark.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<[String; 3]>,
}

impl Table {
    /// Adds a row.
    pub fn row(&mut self, name: &str, value: impl ToString, remark: impl Into<String>) {
        self.rows.push([name.to_string(), value.to_string(), remark.into()]);
    }

    /// All rows as text.
    pub fn text(&self) -> String {
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (names, values) = (width(0), width(1));
        let mut text = String::new();
        for [name, value, remark] in &self.rows {
            let line = format!("  {name:<names$}  {value:>values$}  {remark}");
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_short() {
        let cases =
            [(0.0, "0"), (1.0, "1"), (0.5, "0.5"), (12.345, "12.35"), (1234.56, "1235"), (100.0, "100")];
        for (value, text) in cases {
            assert_eq!(measure(value), text);
        }
        assert_eq!(measure(f64::from(1 << 20).recip()), "9.54e-7");
        assert_eq!(measure(1000.0), "1000");
        assert_eq!(measure(-3.7e-14), "0");
    }

    #[test]
    fn rows_are_aligned() {
        let mut table = Table::default();
        table.row("cells", 7, "");
        table.row("a", 12345, "remark");
        assert_eq!(table.text(), "  cells      7\n  a      12345  remark\n");
    }
}
