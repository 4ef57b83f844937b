//! Shewchuk's Triangle `.poly` files: vertices and the segments between them.
//!
//! Four sections, each a header line with its length and then one line per item: vertices, segments, holes, and
//! optionally regions. `#` starts a comment; attributes and markers are skipped. Segments are chained to rings (see
//! `chains`); open chains become walls. Hole points are checked but not used: which ring is a hole follows from
//! nesting. Cost: n log n, to find segments given twice.

use super::chains::chains;
use super::draft::Draft;
use super::text::{Line, Lines};
use super::{MAX_POINTS, Ring, check};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// Reads a text of the four sections.
pub(super) fn parse(text: &str) -> Result<Draft> {
    let mut draft = Draft::new();
    let mut records = Records { lines: Lines::new(text) };
    let vertices = read_vertices(&mut records)?;
    let segments = read_segments(&mut records, &vertices)?;
    read_holes(&mut records, &mut draft)?;
    read_regions(&mut records, &mut draft)?;
    if let Some(record) = records.next() {
        return Err(record.error(ErrorKind::Syntax, "there is text after the last section"));
    }
    let segments = without_useless(segments, &mut draft);
    draw(&vertices, &segments, &mut draft)?;
    Ok(draft)
}

/// The vertices, and the number that the file gives to the first.
struct Vertices {
    /// Their points in order.
    points: Ring,
    /// The number of the first: 0 or 1.
    first: usize,
}

/// Reads the vertices; their numbers must be in order, as segments refer to them.
fn read_vertices(records: &mut Records<'_>) -> Result<Vertices> {
    let mut header = records.require("the header of the vertices")?;
    let count = header.count("the number of vertices")?;
    if header.integer("the dimension")? != 2 {
        return Err(header.error(ErrorKind::Unsupported, "only dimension 2 can be read"));
    }
    if count == 0 {
        let message = "the vertices are in a separate .node file, which is not read";
        return Err(header.error(ErrorKind::Unsupported, message));
    }
    let mut vertices = Vertices { points: Vec::new(), first: 0 };
    for position in 0..count {
        let mut record = records.require_item("vertex", position, count)?;
        let number = record.integer("the number of a vertex")?;
        // Files number vertices from 0 or from 1; the first vertex decides.
        if position == 0 && number <= 1 {
            vertices.first = number;
        }
        let expected = vertices.first + position;
        if number != expected {
            let message = format!("vertex {number} stands where vertex {expected} is expected");
            return Err(record.error(ErrorKind::Syntax, message));
        }
        vertices.points.push(record.point("vertex", number)?);
    }
    Ok(vertices)
}

/// Reads the segments as pairs of indices of vertices.
fn read_segments(records: &mut Records<'_>, vertices: &Vertices) -> Result<Vec<[usize; 2]>> {
    let count = records.require("the header of the segments")?.count("the number of segments")?;
    let mut segments = Vec::new();
    for position in 0..count {
        let mut record = records.require_item("segment", position, count)?;
        let number = record.integer("the number of a segment")?;
        segments.push([record.end(number, vertices)?, record.end(number, vertices)?]);
    }
    Ok(segments)
}

/// Reads the holes, which the format demands but some writers forget.
fn read_holes(records: &mut Records<'_>, draft: &mut Draft) -> Result<()> {
    let Some(mut header) = records.next() else {
        draft.note("missing sections", |_| "the file ends before its list of holes".to_string());
        return Ok(());
    };
    let count = header.count("the number of holes")?;
    read_points(records, "hole", count)?;
    note_count(draft, count, "hole points are not used: the nesting of the rings decides");
    Ok(())
}

/// Reads the regions, which may be missing.
fn read_regions(records: &mut Records<'_>, draft: &mut Draft) -> Result<()> {
    let Some(mut header) = records.next() else { return Ok(()) };
    let count = header.count("the number of regions")?;
    read_points(records, "region", count)?;
    note_count(draft, count, "region points are not used");
    Ok(())
}

/// Reads points that are not drawn, so that a damaged file is not taken for a good one.
fn read_points(records: &mut Records<'_>, name: &str, count: usize) -> Result<()> {
    for position in 0..count {
        let mut record = records.require_item(name, position, count)?;
        let number = record.integer("the number of a point")?;
        record.point(name, number)?;
    }
    Ok(())
}

/// The segments that join different vertices, each once.
fn without_useless(mut segments: Vec<[usize; 2]>, draft: &mut Draft) -> Vec<[usize; 2]> {
    let given = segments.len();
    segments.retain(|[a, b]| a != b);
    note_count(draft, given - segments.len(), "segments join a vertex with itself: left out");

    let key = |&[a, b]: &[usize; 2]| [a.min(b), a.max(b)];
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by_key(|&segment| (key(&segments[segment]), segment));
    order.dedup_by_key(|segment| key(&segments[*segment]));
    note_count(draft, segments.len() - order.len(), "segments repeat an earlier one: left out");
    order.sort_unstable();
    order.into_iter().map(|segment| segments[segment]).collect()
}

/// Chains the segments and draws rings and walls.
fn draw(vertices: &Vertices, segments: &[[usize; 2]], draft: &mut Draft) -> Result<()> {
    let chains = chains(vertices.points.len(), segments);
    note_count(draft, chains.open.len(), "chains of segments do not close: read as walls");
    for (index, ring) in chains.rings.iter().enumerate() {
        let ring = points(vertices, ring, draft)?;
        draft.add_ring(index, ring);
    }
    for wall in &chains.open {
        let wall = points(vertices, wall, draft)?;
        draft.add_wall(wall);
    }
    Ok(())
}

/// The points of a chain.
fn points(vertices: &Vertices, chain: &[usize], draft: &mut Draft) -> Result<Ring> {
    let mut points = Vec::with_capacity(chain.len());
    for &vertex in chain {
        draft.push_point(&mut points, vertices.points[vertex])?;
    }
    Ok(points)
}

/// Notes a number of items and what became of them, if there are any.
fn note_count(draft: &mut Draft, count: usize, what: &'static str) {
    if count > 0 {
        draft.note(what, |_| format!("{count} {what}"));
    }
}

/// The lines that hold something besides comments.
struct Records<'a> {
    /// All lines that remain.
    lines: Lines<'a>,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        self.lines.find_map(|line| {
            let rest = line.text.split('#').next().unwrap_or_default();
            (!rest.trim_start().is_empty()).then_some(Record { line, rest })
        })
    }
}

impl<'a> Records<'a> {
    /// The next record; if the file ends, an error that names `what` was expected.
    fn require(&mut self, what: &str) -> Result<Record<'a>> {
        self.next()
            .ok_or_else(|| Error::new(ErrorKind::Syntax, format!("the text ends where {what} is expected")))
    }

    /// The next item of a section; an error if the file ends before the announced count.
    fn require_item(&mut self, name: &str, position: usize, count: usize) -> Result<Record<'a>> {
        self.next().ok_or_else(|| {
            let message = format!("the text ends at {name} {position} of {count} (counted from 0)");
            Error::new(ErrorKind::Syntax, message)
        })
    }
}

/// One line, read field by field.
struct Record<'a> {
    /// The whole line.
    line: Line<'a>,
    /// The part of the line that is still to be read.
    rest: &'a str,
}

impl<'a> Record<'a> {
    /// An error that names the line.
    fn error(&self, kind: ErrorKind, message: impl std::fmt::Display) -> Error {
        self.line.error(kind, message)
    }

    /// Reads the next field; `what` names it in the message.
    fn field<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        let is_gap = |c: char| c.is_whitespace() || c == ',';
        let start = self.rest.trim_start_matches(is_gap);
        let (field, rest) = start.split_at(start.find(is_gap).unwrap_or(start.len()));
        self.rest = rest;
        let found = || if field.is_empty() { "the end of the line".to_string() } else { quoted(field) };
        field
            .parse()
            .map_err(|_| self.error(ErrorKind::Syntax, format_args!("expected {what}, found {}", found())))
    }

    /// Reads a whole number.
    fn integer(&mut self, what: &str) -> Result<usize> {
        self.field(what)
    }

    /// Reads the length of a section; refuses more than the limit of points.
    fn count(&mut self, what: &str) -> Result<usize> {
        let count = self.integer(what)?;
        if count > MAX_POINTS {
            let message = format!("{what} is {count}, the limit is {MAX_POINTS}");
            return Err(self.error(ErrorKind::TooLarge, message));
        }
        Ok(count)
    }

    /// Reads the coordinates of an item.
    fn point(&mut self, name: &str, number: usize) -> Result<[f64; 2]> {
        let point = [self.field("x")?, self.field("y")?];
        match check::point_fault(point) {
            Some(fault) => Err(self.error(ErrorKind::OutOfRange, format_args!("{name} {number}: {fault}"))),
            None => Ok(point),
        }
    }

    /// Reads the vertex at one end of a segment.
    fn end(&mut self, segment: usize, vertices: &Vertices) -> Result<usize> {
        let number = self.integer("the number of a vertex")?;
        let position =
            number.checked_sub(vertices.first).filter(|&position| position < vertices.points.len());
        position.ok_or_else(|| {
            let last = vertices.first + vertices.points.len() - 1;
            let message =
                format!("segment {segment}: there is no vertex {number}, only {} to {last}", vertices.first);
            self.error(ErrorKind::OutOfRange, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::super::PlanFormat;
    use super::super::testing::{check_damaged, check_refused, double_area, shared_file};
    use super::*;

    const HOLED: &str = "# a triangle with a hole\n6 2 1 1 # header\n\n1 0 0 7 1\n2 9 0 7 1\n3 0 9 7 1\n\
                         4 1 1 7 0\n5 2 1 7 0\n6 1 2 7 0\n6 1\n1 1 2 0\n2 2 3 0\n3 3 1 0\n4 4 5 0\n5 6 5 0\n\
                         6 4 6 0\n1\n1 1.2 1.2\n1\n1 0.5 0.5 7 0.1\n";

    fn read(text: &str) -> Plan {
        Plan::parse(PlanFormat::Poly, text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
    }

    #[test]
    fn segments_are_chained_to_rings() {
        let plan = read(HOLED);
        let outer = vec![[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]];
        let inner = vec![[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]];
        assert_eq!(plan.rings, [outer, inner]);
        assert!(plan.polygons.is_empty() && plan.walls.is_empty());
        let holes = "1 hole points are not used: the nesting of the rings decides";
        assert_eq!(plan.notes, [holes, "1 region points are not used"]);
    }

    #[test]
    fn vertices_may_be_numbered_from_0() {
        let plan = read("3 2 0 0\n0 0 0\n1 1 0\n2 0 1\n3 0\n0 0 1\n1 1 2\n2 2 0\n0\n");
        assert_eq!(plan.rings, [vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]);
        assert!(plan.notes.is_empty());
    }

    #[test]
    fn open_and_useless_segments_are_noted() {
        let plan = read("4 2\n1 0 0\n2 1 0\n3 1 1\n4 5 5\n5\n1 1 2\n2 2 3\n3 3 3\n4 2 1\n5 3 2\n");
        assert_eq!(plan.walls, [vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]]);
        let notes = [
            "the file ends before its list of holes",
            "1 segments join a vertex with itself: left out",
            "2 segments repeat an earlier one: left out",
            "1 chains of segments do not close: read as walls",
        ];
        assert_eq!(plan.notes, notes);
    }

    #[test]
    fn bad_files_are_refused() {
        let (syntax, range, large) = (ErrorKind::Syntax, ErrorKind::OutOfRange, ErrorKind::TooLarge);
        let triangle = "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n";
        let after = |tail: &str| format!("{triangle}{tail}");
        let cases = [
            ("# only a comment".into(), syntax, "the text ends where the header of the vertices is expected"),
            ("x 2".into(), syntax, "line 1: expected the number of vertices, found `x`"),
            ("3".into(), syntax, "line 1: expected the dimension, found the end of the line"),
            ("3 3 0 0".into(), ErrorKind::Unsupported, "line 1: only dimension 2 can be read"),
            (
                "0 2 0 0\n3 0".into(),
                ErrorKind::Unsupported,
                "line 1: the vertices are in a separate .node file, which is not read",
            ),
            ("16777217 2".into(), large, "line 1: the number of vertices is 16777217, the limit is 16777216"),
            (
                "99999999999999999999 2".into(),
                syntax,
                "line 1: expected the number of vertices, found `99999999999999999999`",
            ),
            ("2 2 0 0\n1 0 0\n3 0 1".into(), syntax, "line 3: vertex 3 stands where vertex 2 is expected"),
            ("1 2 0 0\n7 0 0".into(), syntax, "line 2: vertex 7 stands where vertex 0 is expected"),
            ("2 2 0 0\n1 0 0".into(), syntax, "the text ends at vertex 1 of 2 (counted from 0)"),
            ("2 2 0 0\n1 0 0\n2 0 nan".into(), range, "line 3: vertex 2: y is not a number"),
            ("2 2 0 0\n1 0 0\n2 0 # 1".into(), syntax, "line 3: expected y, found the end of the line"),
            (triangle.into(), syntax, "the text ends where the header of the segments is expected"),
            (after("-1 0"), syntax, "line 5: expected the number of segments, found `-1`"),
            (after("20000000 0"), large, "line 5: the number of segments is 20000000, the limit is 16777216"),
            (after("2 0\n1 1 2"), syntax, "the text ends at segment 1 of 2 (counted from 0)"),
            (after("1 0\n9 1 4"), range, "line 6: segment 9: there is no vertex 4, only 1 to 3"),
            (after("1 0\n9 0 3"), range, "line 6: segment 9: there is no vertex 0, only 1 to 3"),
            (after("0 0\n1\n"), syntax, "the text ends at hole 0 of 1 (counted from 0)"),
            (
                after("0 0\n1\n1 1e15 0"),
                range,
                "line 7: hole 1: x is 1000000000000000.0, beyond the limit of ±1099511627776",
            ),
            (after("0 0\n0\n0\n8"), syntax, "line 8: there is text after the last section"),
        ];
        for (text, kind, message) in cases {
            check_refused(PlanFormat::Poly, &text, kind, message);
        }
    }

    #[test]
    fn a_star_of_many_segments_is_chained_in_linear_time() {
        let count = 200_000;
        let mut text = format!("{} 2\n", count + 1);
        (0..=count).for_each(|vertex| text += &format!("{vertex} {vertex} 1\n"));
        text += &format!("{count}\n");
        (0..count).for_each(|segment| text += &format!("{segment} {count} {segment}\n"));
        assert_eq!(read(&text).walls.len(), count);
    }

    #[test]
    fn damaged_text_never_panics() {
        check_damaged(PlanFormat::Poly, HOLED);
    }

    #[test]
    fn lake_superior_has_a_shore_and_six_islands() {
        let Some(path) = shared_file("polygons/superior.poly") else { return };
        let plan = Plan::load(path).unwrap();
        assert_eq!((plan.rings.len(), plan.point_count(), plan.walls.len()), (7, 518, 0));
        let areas: Vec<f64> = plan.rings.iter().map(|ring| double_area(ring).abs()).collect();
        assert!(areas.iter().all(|&area| area > 0.0 && area <= areas[0]));
        assert_eq!(plan.notes, ["6 hole points are not used: the nesting of the rings decides"]);
    }
}
