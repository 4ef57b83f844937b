//! Well-known text (OGC 06-103r4): polygons with roles, lines as walls.
//!
//! The shapes of [`SHAPES`] are read in any case of letters, several of them one after another (separated by line
//! ends or `;`). Each may have `SRID=…;` in front, as PostGIS writes it. Z and M are read and dropped. All points of
//! a geometry must have the same number of ordinates: otherwise a missing comma would silently turn two points into
//! one. Cost: linear in the text.

use super::draft::Draft;
use super::text::Cursor;
use super::{MAX_NESTING, Ring};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The kinds of geometry that are read.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Polygon,
    MultiPolygon,
    LineString,
    MultiLineString,
    LinearRing,
    Point,
    MultiPoint,
    Collection,
}

/// The keywords of the shapes that are read.
const SHAPES: [(&str, Shape); 8] = [
    ("POLYGON", Shape::Polygon),
    ("MULTIPOLYGON", Shape::MultiPolygon),
    ("LINESTRING", Shape::LineString),
    ("MULTILINESTRING", Shape::MultiLineString),
    ("LINEARRING", Shape::LinearRing),
    ("POINT", Shape::Point),
    ("MULTIPOINT", Shape::MultiPoint),
    ("GEOMETRYCOLLECTION", Shape::Collection),
];

/// Shapes of the standard that are not read, because they are curved, not flat or abstract. They are refused by name.
const UNSUPPORTED: [&str; 11] = [
    "CIRCULARSTRING",
    "COMPOUNDCURVE",
    "CURVE",
    "CURVEPOLYGON",
    "MULTICURVE",
    "MULTISURFACE",
    "POLYHEDRALSURFACE",
    "SURFACE",
    "TIN",
    "TRIANGLE",
    "GEOMETRY",
];

/// Reads a text of any number of geometries.
pub(super) fn parse(text: &str) -> Result<Draft> {
    let mut reader = Reader { cursor: Cursor::new(text), draft: Draft::new(), ordinates: None };
    let mut index = 0;
    loop {
        while reader.cursor.eat(';') {}
        if reader.cursor.peek().is_none() {
            return Ok(reader.draft);
        }
        reader.draft.place.enter("geometry", index);
        reader.srid()?;
        reader.geometry(0)?;
        reader.draft.place.leave();
        index += 1;
    }
}

/// True if the first word is one of this format; for hints when another reader has failed.
pub(super) fn starts_like_wkt(text: &str) -> bool {
    let word = Cursor::new(text).word();
    word.eq_ignore_ascii_case("SRID") || shape_of(word).is_some() || is_unsupported(word)
}

/// The state of the reader.
struct Reader<'a> {
    /// The position in the text.
    cursor: Cursor<'a>,
    /// The plan so far.
    draft: Draft,
    /// The number of ordinates of each point of the present geometry, once known.
    ordinates: Option<usize>,
}

impl Reader<'_> {
    /// Skips `SRID=4326;`: plans are flat, whatever their coordinates mean.
    fn srid(&mut self) -> Result<()> {
        if self.cursor.eat_word("SRID") {
            self.cursor.expect('=')?;
            self.cursor.number()?;
            self.cursor.expect(';')?;
        }
        Ok(())
    }

    /// Reads one geometry inside `depth` collections.
    fn geometry(&mut self, depth: usize) -> Result<()> {
        let shape = self.shape()?;
        if self.cursor.eat_word("EMPTY") {
            return Ok(());
        }
        match shape {
            Shape::Polygon => self.polygon(),
            Shape::MultiPolygon => self.list("polygon", Reader::polygon),
            Shape::LineString => self.wall(),
            Shape::MultiLineString => self.list("line", Reader::wall),
            Shape::LinearRing => self.linear_ring(),
            Shape::Point | Shape::MultiPoint => self.lone_points(),
            Shape::Collection => self.collection(depth),
        }
    }

    /// Reads `POLYGON`, `POLYGON Z` or `POLYGONZ` and sets how many ordinates to expect.
    fn shape(&mut self) -> Result<Shape> {
        let offset = self.cursor.offset();
        let word = self.cursor.word();
        let Some((shape, suffix)) = shape_of(word) else {
            return Err(self.unknown_shape(offset, word));
        };
        self.ordinates = if suffix.is_empty() { self.dimension() } else { ordinates_of(suffix) };
        Ok(shape)
    }

    /// The number of ordinates that a `Z`, `M` or `ZM` of its own announces.
    fn dimension(&mut self) -> Option<usize> {
        ["Z", "M", "ZM"].into_iter().find(|tag| self.cursor.eat_word(tag)).and_then(ordinates_of)
    }

    /// The error for a word that names no shape that is read.
    fn unknown_shape(&mut self, offset: usize, word: &str) -> Error {
        if word.is_empty() {
            return self.cursor.unexpected("a geometry such as POLYGON");
        }
        let known = SHAPES.map(|(name, _)| name).join(", ");
        let (kind, fault) = if is_unsupported(word) {
            (ErrorKind::Unsupported, "is not supported")
        } else {
            (ErrorKind::Syntax, "is not a geometry")
        };
        self.cursor.error_at(offset, kind, &format!("{} {fault}; known are {known}", quoted(word)))
    }

    /// Reads a geometry collection, which may hold others.
    fn collection(&mut self, depth: usize) -> Result<()> {
        if depth >= MAX_NESTING {
            let message = format!("collections are nested deeper than {MAX_NESTING} levels, the limit");
            let offset = self.cursor.offset();
            return Err(self.cursor.error_at(offset, ErrorKind::TooLarge, &message));
        }
        self.list("geometry", |reader| reader.geometry(depth + 1))
    }

    /// Reads `((outline), (hole), …)`.
    fn polygon(&mut self) -> Result<()> {
        if self.cursor.eat_word("EMPTY") {
            return Ok(());
        }
        let mut rings = Vec::new();
        self.list("ring", |reader| {
            rings.push(reader.points()?);
            Ok(())
        })?;
        self.draft.add_polygon(rings);
        Ok(())
    }

    /// Reads a line as a wall.
    fn wall(&mut self) -> Result<()> {
        if self.cursor.eat_word("EMPTY") {
            return Ok(());
        }
        let points = self.points()?;
        self.draft.add_wall(points);
        Ok(())
    }

    /// Reads a ring without a role.
    fn linear_ring(&mut self) -> Result<()> {
        let ring = self.points()?;
        self.draft.add_ring(0, ring);
        Ok(())
    }

    /// Reads the points of POINT and of both forms of MULTIPOINT: `(1 2, 3 4)` and `((1 2), (3 4))`.
    fn lone_points(&mut self) -> Result<()> {
        self.list("point", |reader| {
            if reader.cursor.eat_word("EMPTY") {
                return Ok(());
            }
            let bracketed = reader.cursor.eat('(');
            reader.point()?;
            reader.draft.lone_points += 1;
            if bracketed { reader.cursor.expect(')') } else { Ok(()) }
        })
    }

    /// Reads `(x y, x y, …)`.
    fn points(&mut self) -> Result<Ring> {
        let mut points = Vec::new();
        if self.cursor.eat_word("EMPTY") {
            return Ok(points);
        }
        self.cursor.expect('(')?;
        loop {
            let offset = self.cursor.offset();
            let point = self.point()?;
            let pushed = self.draft.push_point(&mut points, point);
            pushed.map_err(|error| self.cursor.error_at(offset, error.kind(), &error.to_string()))?;
            if !self.cursor.eat(',') {
                self.cursor.expect(')')?;
                return Ok(points);
            }
        }
    }

    /// Reads the numbers of one point and drops all but the first two.
    fn point(&mut self) -> Result<[f64; 2]> {
        let offset = self.cursor.offset();
        let point = [self.cursor.number()?, self.cursor.number()?];
        let mut count = 2;
        while !matches!(self.cursor.peek(), None | Some(',' | '(' | ')' | ';')) {
            self.cursor.number()?;
            count += 1;
        }
        let expected = *self.ordinates.get_or_insert(count);
        if count != expected || count > 4 {
            let expected = expected.min(4);
            let message =
                format!("a point of {count} numbers where {expected} are expected; is a comma missing?");
            return Err(self.cursor.error_at(offset, ErrorKind::Syntax, &message));
        }
        if count > 2 {
            self.draft.dropped_ordinates += 1;
        }
        Ok(point)
    }

    /// Reads `(item, item, …)`.
    fn list(&mut self, name: &'static str, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.cursor.expect('(')?;
        let mut index = 0;
        loop {
            self.draft.place.enter(name, index);
            item(self)?;
            self.draft.place.leave();
            if !self.cursor.eat(',') {
                return self.cursor.expect(')');
            }
            index += 1;
        }
    }
}

/// The shape that a word stands for, and the dimension glued to it (`POLYGONZ`), if any.
fn shape_of(word: &str) -> Option<(Shape, &str)> {
    SHAPES.iter().find_map(|&(name, shape)| {
        let (start, suffix) = word.split_at_checked(name.len())?;
        let fits = start.eq_ignore_ascii_case(name) && (suffix.is_empty() || ordinates_of(suffix).is_some());
        fits.then_some((shape, suffix))
    })
}

/// True if a word names a shape of the standard that is not read.
fn is_unsupported(word: &str) -> bool {
    UNSUPPORTED.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// The number of ordinates that `Z`, `M` or `ZM` stands for.
fn ordinates_of(tag: &str) -> Option<usize> {
    match tag.to_ascii_uppercase().as_str() {
        "Z" | "M" => Some(3),
        "ZM" => Some(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::super::testing::{check_damaged, check_refused, double_area, shared_file};
    use super::super::{PlanFormat, PlanPolygon};
    use super::*;

    const TRIANGLE: [[f64; 2]; 3] = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
    const HOLE: [[f64; 2]; 3] = [[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]];

    fn polygon(holes: &[[[f64; 2]; 3]]) -> PlanPolygon {
        PlanPolygon { outline: TRIANGLE.to_vec(), holes: holes.iter().map(|hole| hole.to_vec()).collect() }
    }

    fn read(text: &str) -> Plan {
        Plan::parse(PlanFormat::Wkt, text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
    }

    #[test]
    fn polygons_are_read_in_every_spelling() {
        let plain = polygon(&[]);
        let holed = polygon(&[HOLE]);
        let cases = [
            ("POLYGON ((0 0, 4 0, 0 4, 0 0))", vec![plain.clone()]),
            ("polygon((0 0,4 0,0 4))", vec![plain.clone()]),
            (" \n Polygon\t( (\r\n0   0 ,\n4e0 -0,+0 4.,0 0 ) )\n\n", vec![plain.clone()]),
            ("POLYGON ((0 0, 4 0, 0 4, 0 0), (1 1, 2 1, 1 2, 1 1))", vec![holed.clone()]),
            ("SRID=4326;POLYGON((0 0,4 0,0 4));", vec![plain.clone()]),
            ("srid = 0 ; POLYGON((0 0,4 0,0 4))\nSRID=1;POLYGON((0 0,4 0,0 4))", vec![plain.clone(); 2]),
            ("POLYGON((0 0,4 0,0 4));;\n;POLYGON EMPTY;POLYGON((0 0,4 0,0 4)) ;", vec![plain.clone(); 2]),
            ("MULTIPOLYGON(((0 0,4 0,0 4)),EMPTY,((0 0,4 0,0 4),(1 1,2 1,1 2)))", vec![plain.clone(), holed]),
            ("MULTIPOLYGON EMPTY", vec![]),
            ("GEOMETRYCOLLECTION(POLYGON((0 0,4 0,0 4)),GEOMETRYCOLLECTION EMPTY)", vec![plain.clone()]),
            ("GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POLYGON((0 0,4 0,0 4))))", vec![plain]),
        ];
        for (text, polygons) in cases {
            let plan = read(text);
            assert_eq!(plan.polygons, polygons, "{text}");
            assert_eq!(plan.notes, [""; 0], "{text}");
        }
    }

    #[test]
    fn lines_are_walls_and_keep_their_ends() {
        let plan = read("LINESTRING(0 0,1 0,1 1,0 0) MULTILINESTRING((0 0,5 5),(6 6,7 7),EMPTY)");
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]];
        assert_eq!(plan.walls, [square, vec![[0.0, 0.0], [5.0, 5.0]], vec![[6.0, 6.0], [7.0, 7.0]]]);
        assert!(plan.polygons.is_empty() && plan.rings.is_empty() && plan.notes.is_empty());
    }

    #[test]
    fn linear_rings_have_no_role() {
        assert_eq!(read("LINEARRING (0 0, 4 0, 0 4, 0 0)").rings, [TRIANGLE.to_vec()]);
    }

    #[test]
    fn what_is_left_out_is_noted() {
        let ordinates = "only x and y are used";
        let cases = [
            ("POINT (1 2)", "1 point drawn alone, neither floor nor wall: left out".to_string()),
            ("MULTIPOINT (1 2, 3 4)", "2 points drawn alone, neither floor nor wall: left out".to_string()),
            (
                "MULTIPOINT((1 2),EMPTY,(3 4))",
                "2 points drawn alone, neither floor nor wall: left out".into(),
            ),
            (
                "POLYGON Z((0 0 1,4 0 1,0 4 1))",
                format!("3 points with more than x and y (Z, M): {ordinates}"),
            ),
            (
                "polygonm((0 0 1,4 0 1,0 4 nan))",
                format!("3 points with more than x and y (Z, M): {ordinates}"),
            ),
            (
                "POLYGON((0 0 1 2,4 0 1 2,0 4 1 2))",
                format!("3 points with more than x and y (Z, M): {ordinates}"),
            ),
            (
                "LINESTRING ZM (0 0 0 0, 1 1 1 1)",
                format!("2 points with more than x and y (Z, M): {ordinates}"),
            ),
            ("MULTIPOLYGON(((0 0,1 0,0 0)))", {
                "geometry 0, polygon 0, ring 0: only 2 points, left out with the whole polygon".to_string()
            }),
            ("POLYGON((0 0,9 0,0 9),EMPTY)", "geometry 0, ring 1: only 0 points, left out".to_string()),
            ("LINEARRING(0 0,1 0)", "geometry 0, ring 0: only 2 points, left out".to_string()),
            ("LINESTRING(0 0)", "geometry 0: a wall of only 1 point, left out".to_string()),
        ];
        for (text, note) in cases {
            assert_eq!(read(text).notes, [note], "{text}");
        }
    }

    #[test]
    fn bad_text_is_refused_with_its_place() {
        let cases = [
            ("POLYGON", "line 1, column 8: expected `(`, found the end of the text"),
            ("POLYGON (\n(0 0, 1 0, x 1))", "line 2, column 12: expected a number, found `x`"),
            ("POLYGON ((0 0, 1 0, 0))", "line 1, column 22: expected a number, found `)`"),
            ("POLYGON ((0 0, 1 0, 0 1)", "line 1, column 25: expected `)`, found the end of the text"),
            (
                "POLYGON ((0 0, 1 0, 0 1)))",
                "line 1, column 26: expected a geometry such as POLYGON, found `)`",
            ),
            ("POLYGON ((((((((", "line 1, column 11: expected a number, found `(`"),
            ("POLYGON (())", "line 1, column 11: expected a number, found `)`"),
            ("POLYGON ((0 0, 1 0, 0 1),)", "line 1, column 26: expected `(`, found `)`"),
            ("42", "line 1, column 1: expected a geometry such as POLYGON, found `42`"),
            ("SRID=;POINT(0 0)", "line 1, column 6: expected a number, found `;`"),
            (
                "LINESTRING (0 0, 1 0 1 1)",
                "line 1, column 18: a point of 4 numbers where 2 are expected; is a comma missing?",
            ),
            (
                "LINESTRING Z (0 0, 1 0)",
                "line 1, column 15: a point of 2 numbers where 3 are expected; is a comma missing?",
            ),
            (
                "LINESTRING (0 0 1 1 2 2)",
                "line 1, column 13: a point of 6 numbers where 4 are expected; is a comma missing?",
            ),
            (
                "POLYGN ((0 0, 1 0, 0 1))",
                "line 1, column 1: `POLYGN` is not a geometry; known are POLYGON, MULTIPOLYGON, LINESTRING, \
                 MULTILINESTRING, LINEARRING, POINT, MULTIPOINT, GEOMETRYCOLLECTION",
            ),
        ];
        for (text, message) in cases {
            check_refused(PlanFormat::Wkt, text, ErrorKind::Syntax, message);
        }
    }

    #[test]
    fn curves_are_unsupported() {
        let error = Plan::parse(PlanFormat::Wkt, "CurvePolygon ((0 0, 1 0, 0 1))").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(
            error.to_string().starts_with("line 1, column 1: `CurvePolygon` is not supported; known are")
        );
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let limit = "beyond the limit of ±1099511627776";
        let cases = [
            (
                "POLYGON((0 0,1 nan,1 1))",
                "line 1, column 14: geometry 0, ring 0, point 1: y is not a number".into(),
            ),
            (
                "POINT(0 0);MULTIPOLYGON(((0 0,9 0,0 9)),((0 0,9 0,0 9),(-2e12 0)))",
                format!(
                    "line 1, column 57: geometry 1, polygon 1, ring 1, point 0: x is -2000000000000.0, {limit}"
                ),
            ),
            (
                "GEOMETRYCOLLECTION(LINESTRING(0 0,\n0 1e999))",
                format!("line 2, column 1: geometry 0, geometry 0, point 1: y is inf, {limit}"),
            ),
        ];
        for (text, message) in cases {
            check_refused(PlanFormat::Wkt, text, ErrorKind::OutOfRange, &message);
        }
    }

    #[test]
    fn nesting_is_limited() {
        let nested =
            |depth: usize| format!("{}POINT(0 0){}", "GEOMETRYCOLLECTION(".repeat(depth), ")".repeat(depth));
        read(&nested(MAX_NESTING));
        for depth in [MAX_NESTING + 1, 1_000_000] {
            let error = Plan::parse(PlanFormat::Wkt, &nested(depth)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TooLarge);
            assert!(error.to_string().contains("nested deeper than 64 levels"), "{error}");
        }
        for start in ["", "POLYGON", "MULTIPOINT", "MULTIPOLYGON", "LINESTRING", "GEOMETRYCOLLECTION"] {
            let text = format!("{start}{}", "(".repeat(10_000_000));
            assert_eq!(Plan::parse(PlanFormat::Wkt, &text).unwrap_err().kind(), ErrorKind::Syntax, "{start}");
        }
    }

    #[test]
    fn damaged_text_never_panics() {
        check_damaged(PlanFormat::Wkt, "SRID=4326;MULTIPOLYGON Z(((0 0 1,4 0 1,0 4 1),(1 1 1,2 1 1,1 2 1)))");
        check_damaged(
            PlanFormat::Wkt,
            "GEOMETRYCOLLECTION(LINEARRING(0 0,1 0,0 1),MULTIPOINT((1 2))) ;POINT EMPTY",
        );
    }

    #[test]
    fn one_long_line_is_read_in_linear_time() {
        let text = format!("POLYGON ((0 0{}))", ", 1.5 2.5".repeat(500_000));
        assert_eq!(read(&text).point_count(), 500_001);
        let digits = format!("POINT ({})", "7".repeat(5_000_000));
        let error = Plan::parse(PlanFormat::Wkt, &digits).unwrap_err();
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn shared_plans_are_read() {
        for (name, polygons, holes) in
            [("arena", 1, 5), ("aurora", 143, 151), ("fd2_map15", 27, 81), ("fd2_map28", 48, 79)]
        {
            let Some(path) = shared_file(&format!("plans/{name}.wkt")) else { continue };
            let plan = Plan::load(path).unwrap();
            let hole_count: usize = plan.polygons.iter().map(|polygon| polygon.holes.len()).sum();
            assert_eq!((plan.polygons.len(), hole_count), (polygons, holes), "{name}");
            assert!(plan.polygons.iter().all(|polygon| double_area(&polygon.outline) != 0.0), "{name}");
            assert!(plan.notes.is_empty(), "{name}");
        }
    }
}
