//! GeoJSON (RFC 7946): polygons with roles, lines as walls.
//!
//! Objects are drawn as soon as they are closed, so that only one geometry's coordinates are in memory at a time. A
//! tree of the whole file would take some thirty times its size. Members come in any order. So coordinates are first
//! read without knowing their depth ([`Coordinates`]), and given a meaning when the object's type is known. The
//! position of an object is not checked: a geometry directly in `features` is drawn like any other. Cost: linear in
//! the text.

mod coordinates;

use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use self::coordinates::{Coordinates, Counts, Item};
use super::draft::Draft;
use super::text;
use super::{MAX_NESTING, MAX_POINTS, Plan, Ring, check};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The types of objects that have coordinates.
const SHAPES: [&str; 6] = ["Polygon", "MultiPolygon", "LineString", "MultiLineString", "Point", "MultiPoint"];

/// Reads a text of one GeoJSON object.
pub(super) fn parse(text: &str) -> Result<Plan> {
    check_nesting(text)?;
    let mut reader = Reader { draft: Draft::new(), counts: Counts::default(), refusal: None };
    let mut json = serde_json::Deserializer::from_str(text);
    let object = Object { reader: &mut reader, may_be_null: false };
    let read = object.deserialize(&mut json).and_then(|()| json.end());
    match (reader.refusal, read) {
        (Some(refusal), _) => Err(refusal),
        (None, Err(_)) if reader.counts.exceed_limit() => Err(check::too_many_points(MAX_POINTS)),
        (None, Err(error)) => Err(syntax_error(&error)),
        (None, Ok(())) => {
            reader.draft.dropped_ordinates = reader.counts.long_positions;
            Ok(reader.draft.finish())
        }
    }
}

/// Refuses deep nesting before anything is read by functions that call themselves.
fn check_nesting(text: &str) -> Result<()> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (offset, byte) in text.bytes().enumerate() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            let message = format!("brackets are nested deeper than {MAX_NESTING} levels, the limit");
            return Err(text::error_at(text, offset, ErrorKind::TooLarge, &message));
        }
    }
    Ok(())
}

/// Rewords serde_json's message: position first as in the other formats, and bounded, since it may quote a string of
/// any length.
fn syntax_error(error: &serde_json::Error) -> Error {
    let text = error.to_string();
    let message: String = text.split(" at line ").next().unwrap_or_default().chars().take(200).collect();
    // serde_json has no category of its own for numbers such as 1e999.
    let is_range = message.starts_with("number out of range");
    let kind = if is_range { ErrorKind::OutOfRange } else { ErrorKind::Syntax };
    Error::new(kind, format!("line {}, column {}: {message}", error.line(), error.column().max(1)))
}

/// The state of the reader; the visitors below borrow it in turn.
struct Reader {
    /// The plan so far.
    draft: Draft,
    /// The positions counted so far.
    counts: Counts,
    /// The reason why reading stopped, if it was not bad JSON: serde's errors carry no kind.
    refusal: Option<Error>,
}

impl Reader {
    /// Notes why reading stops and gives serde an error to stop with.
    fn refuse<E: de::Error>(&mut self, refusal: Error) -> E {
        self.refusal = Some(refusal);
        E::custom("refused")
    }

    /// A syntax error at the present position.
    fn error(&self, message: &str) -> Error {
        self.draft.error(ErrorKind::Syntax, message)
    }

    /// Ends an object: draws its coordinates, or checks that its members were there.
    fn close(&mut self, members: Members) -> Result<()> {
        let Some(kind) = members.kind else {
            return Err(self.error("the object has no member `type`, so it is not GeoJSON"));
        };
        let needed = match kind.as_str() {
            "FeatureCollection" => (members.features, "features"),
            "GeometryCollection" => (members.geometries, "geometries"),
            "Feature" => {
                if !members.geometry {
                    self.note_no_geometry();
                }
                return Ok(());
            }
            shape => match members.coordinates {
                Some(coordinates) => return self.draw(shape, coordinates),
                None if SHAPES.contains(&shape) => (false, "coordinates"),
                None => return Err(self.unknown_type(shape)),
            },
        };
        match needed {
            (true, _) => Ok(()),
            (false, member) => {
                Err(self.error(&format!("the object of type {} has no member `{member}`", quoted(&kind))))
            }
        }
    }

    /// Draws an object whose coordinates must have the depth that its type asks for.
    fn draw(&mut self, shape: &str, coordinates: Coordinates) -> Result<()> {
        match shape {
            "Polygon" => self.polygon(coordinates),
            "MultiPolygon" => self.each("polygon", "polygons", coordinates, Reader::polygon),
            "LineString" => self.wall(coordinates),
            "MultiLineString" => self.each("line", "lines", coordinates, Reader::wall),
            "Point" => self.lone_point(coordinates),
            "MultiPoint" => self.each("point", "positions", coordinates, Reader::lone_point),
            _ => Err(self.unknown_type(shape)),
        }
    }

    /// TopoJSON and other JSON with a `type` ends here.
    fn unknown_type(&self, kind: &str) -> Error {
        self.error(&format!("{} is not a type of GeoJSON", quoted(kind)))
    }

    /// Draws a polygon: an outline and its holes.
    fn polygon(&mut self, coordinates: Coordinates) -> Result<()> {
        let mut rings = Vec::new();
        self.each("ring", "rings", coordinates, |reader, ring| {
            rings.push(reader.points(ring)?);
            Ok(())
        })?;
        self.draft.add_polygon(rings);
        Ok(())
    }

    /// Draws a line as a wall.
    fn wall(&mut self, coordinates: Coordinates) -> Result<()> {
        let points = self.points(coordinates)?;
        self.draft.add_wall(points);
        Ok(())
    }

    /// Counts a point, which draws nothing.
    fn lone_point(&mut self, coordinates: Coordinates) -> Result<()> {
        match coordinates {
            Coordinates::Position(_) => self.draft.lone_points += 1,
            // The usual form of an empty point.
            Coordinates::Array(items) if items.is_empty() => {}
            other => return Err(self.mismatch("a position", &other)),
        }
        Ok(())
    }

    /// The points of a ring or line.
    fn points(&mut self, coordinates: Coordinates) -> Result<Ring> {
        let items = self.array("positions", coordinates)?;
        let mut points = Vec::with_capacity(items.len());
        for item in items {
            let Coordinates::Position(point) = item else {
                self.draft.place.enter("point", points.len());
                return Err(self.mismatch("a position", &item));
            };
            self.draft.push_point(&mut points, point)?;
        }
        Ok(points)
    }

    /// Calls a function for each item of an array; messages name the item.
    fn each(
        &mut self,
        name: &'static str,
        plural: &str,
        coordinates: Coordinates,
        mut draw: impl FnMut(&mut Reader, Coordinates) -> Result<()>,
    ) -> Result<()> {
        for (index, item) in self.array(plural, coordinates)?.into_iter().enumerate() {
            self.draft.place.enter(name, index);
            draw(self, item)?;
            self.draft.place.leave();
        }
        Ok(())
    }

    /// The items of an array; an error if it is something else.
    fn array(&self, plural: &str, coordinates: Coordinates) -> Result<Vec<Coordinates>> {
        match coordinates {
            Coordinates::Array(items) => Ok(items),
            other => Err(self.mismatch(&format!("an array of {plural}"), &other)),
        }
    }

    /// The error for coordinates of the wrong depth.
    fn mismatch(&self, wanted: &str, found: &Coordinates) -> Error {
        self.error(&format!("expected {wanted}, found {}", found.describe()))
    }

    /// RFC 7946 allows features without geometry ("unlocated"), so they are no error.
    fn note_no_geometry(&mut self) {
        self.draft.note("features without geometry", |place| place.describe("no geometry, left out"));
    }
}

/// The members of an object seen so far.
#[derive(Default)]
struct Members {
    /// Its `type`.
    kind: Option<String>,
    /// Its `coordinates`, not drawn yet.
    coordinates: Option<Coordinates>,
    /// True if it has `features`.
    features: bool,
    /// True if it has a `geometry`.
    geometry: bool,
    /// True if it has `geometries`.
    geometries: bool,
}

/// The members that matter; all others may hold anything.
#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Type,
    Coordinates,
    Features,
    Geometry,
    Geometries,
    #[serde(other)]
    Other,
}

/// Reads and draws one object of any type.
struct Object<'r> {
    reader: &'r mut Reader,
    /// True where `null` may stand for the object: a feature without geometry.
    may_be_null: bool,
}

impl Object<'_> {
    /// Reads one member; refuses one that is given twice.
    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        member: Member,
        map: &mut A,
        seen: &mut Members,
    ) -> std::result::Result<(), A::Error> {
        let reader = &mut *self.reader;
        let repeated = match member {
            Member::Type => seen.kind.replace(map.next_value()?).is_some(),
            Member::Coordinates => {
                seen.coordinates.replace(map.next_value_seed(Item { counts: &mut reader.counts })?).is_some()
            }
            Member::Features => {
                map.next_value_seed(Objects { reader, name: "feature" })?;
                std::mem::replace(&mut seen.features, true)
            }
            Member::Geometries => {
                map.next_value_seed(Objects { reader, name: "geometry" })?;
                std::mem::replace(&mut seen.geometries, true)
            }
            Member::Geometry => {
                map.next_value_seed(Object { reader, may_be_null: true })?;
                std::mem::replace(&mut seen.geometry, true)
            }
            Member::Other => map.next_value::<IgnoredAny>().map(|_| false)?,
        };
        // Drawing both, or one of the two, would silently be wrong.
        if repeated { Err(de::Error::custom("a member is given twice")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a GeoJSON object")
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<(), E> {
        if !self.may_be_null {
            return Err(E::invalid_type(de::Unexpected::Unit, &self));
        }
        self.reader.note_no_geometry();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut seen = Members::default();
        while let Some(member) = map.next_key()? {
            self.member(member, &mut map, &mut seen)?;
        }
        self.reader.close(seen).map_err(|refusal| self.reader.refuse(refusal))
    }
}

/// Reads and draws the objects of an array.
struct Objects<'r> {
    reader: &'r mut Reader,
    /// The name of an item in messages.
    name: &'static str,
}

impl<'de> DeserializeSeed<'de> for Objects<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Objects<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of GeoJSON objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> std::result::Result<(), A::Error> {
        for index in 0.. {
            self.reader.draft.place.enter(self.name, index);
            let item = array.next_element_seed(Object { reader: self.reader, may_be_null: false })?;
            self.reader.draft.place.leave();
            if item.is_none() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_damaged, check_refused};
    use super::super::{PlanFormat, PlanPolygon};
    use super::*;

    const TRIANGLE: &str = "[[0, 0], [4, 0], [0, 4], [0, 0]]";
    const HOLE: &str = "[[1, 1], [2.0, 1e0], [1, 2], [1, 1]]";

    fn read(text: &str) -> Plan {
        Plan::parse(PlanFormat::GeoJson, text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn geometry(kind: &str, coordinates: &str) -> String {
        format!("{{\"type\": \"{kind}\", \"coordinates\": {coordinates}}}")
    }

    fn feature(geometry: &str) -> String {
        format!("{{\"type\": \"Feature\", \"properties\": {{\"type\": [1]}}, \"geometry\": {geometry}}}")
    }

    fn collection(features: &[String]) -> String {
        format!("{{\"features\": [{}], \"type\": \"FeatureCollection\"}}", features.join(", "))
    }

    fn triangle(holes: usize) -> PlanPolygon {
        let hole = vec![[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]];
        PlanPolygon { outline: vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], holes: vec![hole; holes] }
    }

    #[test]
    fn polygons_are_read_at_every_level() {
        let plain = geometry("Polygon", &format!("[{TRIANGLE}]"));
        let holed = geometry("Polygon", &format!("[{TRIANGLE}, {HOLE}]"));
        let multi = geometry("MultiPolygon", &format!("[[{TRIANGLE}], [{TRIANGLE}, {HOLE}]]"));
        let group = format!("{{\"type\": \"GeometryCollection\", \"geometries\": [{plain}, {multi}]}}");
        let cases = [
            (plain.clone(), vec![0]),
            (holed.clone(), vec![1]),
            (multi.clone(), vec![0, 1]),
            (geometry("Polygon", "[]"), vec![]),
            (group.clone(), vec![0, 0, 1]),
            (feature(&holed), vec![1]),
            (collection(&[]), vec![]),
            (collection(&[feature(&plain), feature(&group), holed]), vec![0, 0, 0, 1, 1]),
            (format!("{{\"coordinates\": [{TRIANGLE}], \"type\": \"Polygon\", \"x\": {{}}}}"), vec![0]),
        ];
        for (text, holes) in cases {
            let plan = read(&text);
            let expected: Vec<_> = holes.into_iter().map(triangle).collect();
            assert_eq!(plan.polygons, expected, "{text}");
            assert!(plan.notes.is_empty(), "{text}");
        }
    }

    #[test]
    fn lines_are_walls_and_keep_their_ends() {
        let line = geometry("LineString", TRIANGLE);
        let lines = geometry("MultiLineString", "[[[0, 0], [5, 5]], [[6, 6], [7, 7]]]");
        let plan = read(&collection(&[line, lines]));
        assert_eq!(plan.walls.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2, 2]);
        assert!(plan.polygons.is_empty() && plan.rings.is_empty() && plan.notes.is_empty());
    }

    #[test]
    fn what_is_left_out_is_noted() {
        let alone = "drawn alone, neither floor nor wall: left out";
        let cases = [
            (geometry("Point", "[1, 2]"), format!("1 point {alone}")),
            (geometry("MultiPoint", "[[1, 2], [3, 4]]"), format!("2 points {alone}")),
            (feature("null"), "no geometry, left out".to_string()),
            ("{\"type\": \"Feature\"}".to_string(), "no geometry, left out".to_string()),
            (collection(&[feature("null")]), "feature 0: no geometry, left out".to_string()),
            (
                geometry("LineString", "[[0, 0, 5], [1, 1, 5, 6]]"),
                "2 points with more than x and y (Z, M): only x and y are used".to_string(),
            ),
            (
                collection(&[feature(&geometry("MultiPolygon", "[[[[0, 0], [1, 1]]]]"))]),
                "feature 0, polygon 0, ring 0: only 2 points, left out with the whole polygon".to_string(),
            ),
        ];
        for (text, note) in cases {
            assert_eq!(read(&text).notes, [note], "{text}");
        }
    }

    #[test]
    fn bad_shapes_are_named() {
        let in_feature_1 = |kind: &str, coordinates: &str| {
            collection(&[feature("null"), feature(&geometry(kind, coordinates))])
        };
        let cases = [
            (
                in_feature_1("Polygon", "[[[0, 0], 3]]"),
                "feature 1, ring 0, point 1: expected a position, found a number",
            ),
            (
                in_feature_1("MultiPolygon", "[[], [[], [[0, 0], [\"x\", 1]]]]"),
                "feature 1, polygon 1, ring 1, point 1: expected a position, found an array",
            ),
            (
                in_feature_1("Polygon", "[[[0, null]]]"),
                "feature 1, ring 0, point 0: expected a position, found an array of numbers and other things",
            ),
            (
                in_feature_1("Polygon", TRIANGLE),
                "feature 1, ring 0: expected an array of positions, found a position",
            ),
            (in_feature_1("Polygon", "{\"a\": 1}"), "feature 1: expected an array of rings, found an object"),
            (
                in_feature_1("MultiLineString", "[false]"),
                "feature 1, line 0: expected an array of positions, found a truth value",
            ),
            (in_feature_1("Point", "[1]"), "feature 1: expected a position, found an array of one number"),
            ("{\"type\": \"Topology\"}".into(), "`Topology` is not a type of GeoJSON"),
            (in_feature_1("Circle", "[1, 2]"), "feature 1: `Circle` is not a type of GeoJSON"),
            (
                collection(&["{}".to_string()]),
                "feature 0: the object has no member `type`, so it is not GeoJSON",
            ),
            (feature("{\"type\": \"Polygon\"}"), "the object of type `Polygon` has no member `coordinates`"),
            (
                "{\"type\": \"FeatureCollection\"}".into(),
                "the object of type `FeatureCollection` has no member `features`",
            ),
            (
                "{\"type\": \"GeometryCollection\"}".into(),
                "the object of type `GeometryCollection` has no member `geometries`",
            ),
        ];
        for (text, message) in cases {
            check_refused(PlanFormat::GeoJson, &text, ErrorKind::Syntax, message);
        }
    }

    #[test]
    fn bad_json_is_refused_with_line_and_column() {
        let cases = [
            ("{", (1, "EOF while parsing an object")),
            ("{\"type\":\n 3}", (2, "invalid type: integer `3`, expected a string")),
            ("[1]", (1, "invalid type: sequence, expected a GeoJSON object")),
            ("{\"type\": \"Polygon\",}", (1, "trailing comma")),
            ("{\"type\": \"Feature\"} {}", (1, "trailing characters")),
            ("{\"type\": \"Feature\", \"type\": \"Feature\"}", (1, "a member is given twice")),
            ("{\"features\": [null]}", (1, "invalid type: null, expected a GeoJSON object")),
            ("{\"features\": 3}", (1, "invalid type: integer `3`, expected an array of GeoJSON objects")),
        ];
        for (text, (line, message)) in cases {
            let error = Plan::parse(PlanFormat::GeoJson, text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
            assert!(error.to_string().starts_with(&format!("line {line}, column ")), "{error}");
            assert!(error.to_string().contains(&format!(": {message}")), "{error}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let far = geometry("Polygon", "[[[0, 0], [1, -1e200]]]");
        let cases = [
            (
                collection(&[feature("null"), feature(&far)]),
                "feature 1, ring 0, point 1: y is -1e200, beyond the limit of ±1099511627776",
            ),
            (geometry("LineString", "[[1e999, 0]]"), "line 1, column 45: number out of range"),
        ];
        for (text, message) in cases {
            check_refused(PlanFormat::GeoJson, &text, ErrorKind::OutOfRange, message);
        }
    }

    #[test]
    fn nesting_is_limited() {
        let ignored = |depth: usize| {
            let nested = "[".repeat(depth) + &"]".repeat(depth);
            format!("{{\"type\": \"Feature\", \"a\": \"\\\"[[\", \"b\": {nested}}}")
        };
        read(&ignored(MAX_NESTING - 1));
        for depth in [MAX_NESTING, 10_000_000] {
            let message = "line 1, column 102: brackets are nested deeper than 64 levels, the limit";
            check_refused(PlanFormat::GeoJson, &ignored(depth), ErrorKind::TooLarge, message);
        }
    }

    #[test]
    fn long_words_are_cut_in_messages() {
        let long = "y".repeat(100_000);
        for text in [format!("{{\"type\": \"{long}\"}}"), format!("{{\"features\": \"{long}\"}}")] {
            let error = Plan::parse(PlanFormat::GeoJson, &text).unwrap_err();
            assert!(error.to_string().len() < 300, "{error}");
        }
    }

    #[test]
    fn damaged_text_never_panics() {
        let point = geometry("Point", "[1, 2, 3]");
        let polygon = geometry("MultiPolygon", &format!("[[{TRIANGLE}, {HOLE}]]"));
        check_damaged(
            PlanFormat::GeoJson,
            &collection(&[feature(&polygon), feature("null"), feature(&point)]),
        );
    }
}
