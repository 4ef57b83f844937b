//! Reads files of path queries: tables with named columns, and MovingAI scenarios.

use crate::args::Point;
use crate::failure::{Failure, Result};
use crate::input;
use std::path::Path;

/// The largest file of queries that is read, in bytes: 256 MiB. It bounds the memory for damaged files.
const MAX_BYTES: u64 = 256 << 20;
/// The largest number of queries of a file, 2^20; all answers are kept until the end.
const MAX_QUERIES: usize = 1 << 20;
/// The columns of a scenario; the file does not name them.
const SCENARIO: [&str; 9] =
    ["bucket", "map", "map width", "map height", "start x", "start y", "goal x", "goal y", "optimal length"];

/// One query, with the answer that the file gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The start: of a plan, or in space if the table has heights.
    pub from: Point,
    /// The goal.
    pub to: Point,
    /// The answer that the file gives.
    pub given: Given,
}

/// The answer that a file gives to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given {
    /// The file gives no answer.
    Unknown,
    /// A path of this length.
    Length(f64),
    /// There is no path: -1 in the file.
    NoPath,
    /// An end is too close to a wall: -2 in the file.
    TooClose,
}

/// All queries of a file.
#[derive(Debug, PartialEq)]
pub struct Queries {
    /// The queries, in the order of the file.
    pub list: Vec<Query>,
    /// True if given lengths belong to shortest paths for the same radius, so that they can be compared digit by digit.
    /// The lengths of a scenario belong to paths from tile to tile.
    pub is_comparable: bool,
    /// True if points are in space.
    pub is_in_space: bool,
}

/// Reads a table: a line of column names, then one query per line, separated by white space.
pub fn read_table(path: &Path, radius: f64) -> Result<Queries> {
    let text = input::read_text(path, MAX_BYTES)?;
    table(&text, radius).map_err(|failure| failure.in_file(path))
}

/// Reads a scenario of the MovingAI benchmarks.
pub fn read_scenario(path: &Path) -> Result<Queries> {
    let text = input::read_text(path, MAX_BYTES)?;
    scenario(&text).map_err(|failure| failure.in_file(path))
}

/// Parses a table.
fn table(text: &str, radius: f64) -> Result<Queries> {
    let mut lines = lines(text);
    let Some((number, header)) = lines.next() else {
        return Err(Failure::new("there is no line with the names of the columns"));
    };
    let names: Vec<&str> = header.split_whitespace().collect();
    let is_in_space = ["sz", "gz"].iter().any(|name| names.contains(name));
    let wanted: &[&str] =
        if is_in_space { &["sx", "sy", "sz", "gx", "gy", "gz"] } else { &["sx", "sy", "gx", "gy"] };
    let places: Vec<usize> = wanted.iter().map(|name| column(number, &names, name)).collect::<Result<_>>()?;
    let given = names.iter().position(|name| is_length_for(name, radius));
    let list = rows(lines, |number, fields| {
        let row = Row::new(number, fields, &names)?;
        let [from, to] = [0, 1].map(|end| {
            let half = places.len() / 2;
            row.point(&places[end * half..(end + 1) * half])
        });
        let given = given.map_or(Ok(Given::Unknown), |place| row.given(place))?;
        Ok(Query { line: number, from: from?, to: to?, given })
    })?;
    Ok(Queries { list, is_comparable: given.is_some(), is_in_space })
}

/// Parses a scenario.
fn scenario(text: &str) -> Result<Queries> {
    let mut lines = lines(text);
    let version = lines.next().map(|(number, line)| (number, line.split_whitespace().collect::<Vec<_>>()));
    match version {
        Some((_, words)) if matches!(words[..], ["version", "1" | "1.0" | "1.00"]) => {}
        Some((number, _)) => return Err(at(number, "expected `version 1`, as scenarios begin")),
        None => return Err(Failure::new("the file is empty; scenarios begin with `version 1`")),
    }
    let list = rows(lines, |number, fields| {
        let row = Row::new(number, fields, &SCENARIO)?;
        let [sx, sy, gx, gy] = [4, 5, 6, 7].map(|place| row.tile(place));
        let (from, to) = (Point::Plan([sx?, sy?]), Point::Plan([gx?, gy?]));
        Ok(Query { line: number, from, to, given: row.given(8)? })
    })?;
    Ok(Queries { list, is_comparable: false, is_in_space: false })
}

/// Returns the lines with content, numbered from 1; comments and empty lines are skipped.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // Editors on Windows may put a byte order mark in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Reads one query from each line, up to the limit.
fn rows<'t>(
    lines: impl Iterator<Item = (usize, &'t str)>,
    read: impl Fn(usize, &'t str) -> Result<Query>,
) -> Result<Vec<Query>> {
    let mut list = Vec::new();
    for (number, line) in lines {
        if list.len() == MAX_QUERIES {
            return Err(at(number, format_args!("too many queries; the limit is {MAX_QUERIES}")));
        }
        list.push(read(number, line)?);
    }
    Ok(list)
}

/// Returns the index of a column.
fn column(line: usize, names: &[&str], wanted: &str) -> Result<usize> {
    let mut places = (0..names.len()).filter(|place| names[*place] == wanted);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(at(line, format_args!("two columns are named `{wanted}`"))),
        _ => Err(at(
            line,
            format_args!(
                "no column is named `{wanted}`; needed are sx, sy, gx and gy, in a scene sz and gz as well"
            ),
        )),
    }
}

/// True if a column holds lengths for this radius: `length_r0.45` for 0.45.
fn is_length_for(name: &str, radius: f64) -> bool {
    name.strip_prefix("length_r").and_then(|number| number.parse().ok()) == Some(radius)
}

/// The fields of one line.
struct Row<'t, 'n> {
    /// The number of the line, from 1.
    line: usize,
    /// The fields, one for each column.
    fields: Vec<&'t str>,
    /// The names of the columns.
    names: &'n [&'n str],
}

impl<'t, 'n> Row<'t, 'n> {
    /// Splits a line; fails if the number of fields is wrong.
    fn new(line: usize, text: &'t str, names: &'n [&'n str]) -> Result<Row<'t, 'n>> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        if fields.len() != names.len() {
            let message = format!("expected {} columns, found {}", names.len(), fields.len());
            return Err(at(line, message));
        }
        Ok(Row { line, fields, names })
    }

    /// Reads a finite number.
    fn coordinate(&self, place: usize) -> Result<f64> {
        let value: Option<f64> = self.fields[place].parse().ok();
        value.filter(|value| value.is_finite()).ok_or_else(|| self.wrong(place, "a finite number"))
    }

    /// Reads a point from two columns, or from three in a scene.
    fn point(&self, places: &[usize]) -> Result<Point> {
        match places {
            [x, y, z] => Ok(Point::Space([self.coordinate(*x)?, self.coordinate(*y)?, self.coordinate(*z)?])),
            [x, y, ..] => Ok(Point::Plan([self.coordinate(*x)?, self.coordinate(*y)?])),
            _ => Err(at(self.line, "no coordinates")),
        }
    }

    /// Reads the index of a tile and returns its middle.
    fn tile(&self, place: usize) -> Result<f64> {
        let value: Option<u32> = self.fields[place].parse().ok();
        value.map(|tile| f64::from(tile) + 0.5).ok_or_else(|| self.wrong(place, "the number of a tile"))
    }

    /// Reads the given answer: a length, -1, -2 or `?`.
    fn given(&self, place: usize) -> Result<Given> {
        if self.fields[place] == "?" {
            return Ok(Given::Unknown);
        }
        match self.coordinate(place) {
            Ok(-1.0) => Ok(Given::NoPath),
            Ok(-2.0) => Ok(Given::TooClose),
            Ok(length) if length >= 0.0 => Ok(Given::Length(length)),
            _ => Err(self.wrong(place, "a length, -1, -2 or ?")),
        }
    }

    /// Makes the failure for a field.
    fn wrong(&self, place: usize, expected: &str) -> Failure {
        let found: String = self.fields[place].chars().take(32).flat_map(char::escape_debug).collect();
        let column = format!("column {} ({})", place + 1, self.names[place]);
        at(self.line, format_args!("{column}: expected {expected}, found `{found}`"))
    }
}

/// Makes a failure that names the line.
fn at(line: usize, message: impl std::fmt::Display) -> Failure {
    Failure::new(format!("line {line}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_in_any_order() {
        let text = "\u{feff}# note\n\ngy gx length_r0 extra\tlength_r0.45 sy sx\n4 3 1.5 x ? 2 1\n-4 -3 2 y -1.000 0 0\n";
        let read = |radius| table(text, radius).unwrap();
        let ends = [Point::Plan([1.0, 2.0]), Point::Plan([3.0, 4.0])];
        let first = Query { line: 4, from: ends[0], to: ends[1], given: Given::Length(1.5) };
        assert_eq!(read(0.0).list[0], first);
        let given = |radius| read(radius).list.iter().map(|query| query.given).collect::<Vec<_>>();
        assert_eq!(given(0.45), [Given::Unknown, Given::NoPath]);
        assert!(read(0.45).is_comparable && !read(1.0).is_comparable);
    }

    #[test]
    fn scenarios_go_between_the_centres_of_tiles() {
        let text = "version 1\n0\tmaps/a.map\t49\t49\t1\t11\t1\t12\t1\n";
        let given = Given::Length(1.0);
        let (from, to) = (Point::Plan([1.5, 11.5]), Point::Plan([1.5, 12.5]));
        let list = vec![Query { line: 2, from, to, given }];
        assert_eq!(scenario(text).unwrap(), Queries { list, is_comparable: false, is_in_space: false });
    }

    #[test]
    fn tables_of_scenes_have_heights() {
        let read = table("sx sy sz gx gy gz\n1 2 3 4 5 6\n", 0.0).unwrap();
        assert!(read.is_in_space);
        assert_eq!(read.list[0].from, Point::Space([1.0, 2.0, 3.0]));
        assert_eq!(read.list[0].to, Point::Space([4.0, 5.0, 6.0]));
        let failure = table("sx sy sz gx gy\n", 0.0).unwrap_err().to_string();
        assert!(failure.contains("no column is named `gz`"), "{failure}");
    }

    #[test]
    fn there_is_a_limit_to_queries() {
        let text = "sx sy gx gy\n".to_string() + &"0 0 0 0\n".repeat(MAX_QUERIES);
        assert_eq!(table(&text, 0.0).unwrap().list.len(), MAX_QUERIES);
        let failure = table(&(text + "0 0 0 0\n"), 0.0).unwrap_err().to_string();
        assert_eq!(failure, "line 1048578: too many queries; the limit is 1048576");
    }

    #[test]
    fn bad_lines_are_named() {
        let row = "sx sy gx gy length_r0\n";
        let tables = [
            (String::new(), "there is no line with the names"),
            ("sx sy gx\n".into(), "line 1: no column is named `gy`"),
            ("sx sy gx gy sx\n".into(), "line 1: two columns are named `sx`"),
            (format!("{row}1 2 3\n"), "line 2: expected 5 columns, found 3"),
            (format!("{row}\n1 2 x 4 5\n"), "line 3: column 3 (gx): expected a finite number, found `x`"),
            (format!("{row}1 nan 3 4 5\n"), "line 2: column 2 (sy): expected a finite number, found `nan`"),
            (format!("{row}1 2 3 4 -3\n"), "line 2: column 5 (length_r0): expected a length, -1, -2 or ?"),
        ];
        for (text, message) in tables {
            let failure = table(&text, 0.0).unwrap_err().to_string();
            assert!(failure.starts_with(message), "{failure}");
        }
        let scenarios = [
            ("", "the file is empty"),
            ("version 2\n", "line 1: expected `version 1`"),
            ("version 1\n0 a.map 4 4 1 1 2 2\n", "line 2: expected 9 columns, found 8"),
            (
                "version 1\n0 a.map 4 4 1.5 1 2 2 1\n",
                "line 2: column 5 (start x): expected the number of a tile",
            ),
        ];
        for (text, message) in scenarios {
            let failure = scenario(text).unwrap_err().to_string();
            assert!(failure.starts_with(message), "{failure}");
        }
    }
}
