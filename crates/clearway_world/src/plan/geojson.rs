//! GeoJSON (RFC 7946): polygons with roles, lines as walls.
//!
//! Objects are drawn as soon as they are closed, so that only one geometry's coordinates are in memory at a time. A
//! tree of the whole file would take some thirty times its size. Members come in any order. So coordinates are first
//! read without knowing their depth ([`Coordinates`]), and given a meaning when the object's type is known. The
//! position of an object is not checked: a geometry directly in `features` is drawn like any other. Cost: linear in
//! the text.

mod coordinates;
mod properties;

use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use self::coordinates::{Coordinates, Counts, Item};
pub(super) use self::properties::BUILDING;
use self::properties::Properties;
use super::draft::{Draft, Form};
use super::project::looks_like_degrees;
use super::text;
use super::{MAX_NESTING, MAX_POINTS, Ring, check};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The types of objects that have coordinates.
const SHAPES: [&str; 6] = ["Polygon", "MultiPolygon", "LineString", "MultiLineString", "Point", "MultiPoint"];

/// Reads a text of one GeoJSON object.
pub(super) fn parse(text: &str) -> Result<Draft> {
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
            reader.draft.is_in_degrees = looks_like_degrees(&reader.draft);
            count_lone_points(&mut reader.draft);
            Ok(reader.draft)
        }
    }
}

/// Leaves out points that stand for nothing, and counts them.
fn count_lone_points(draft: &mut Draft) {
    let Draft { shapes, parts, lone_points, .. } = draft;
    let has_role = |part: u32| parts[part as usize].own_role().is_some();
    let before = shapes.len();
    shapes.retain(|shape| !matches!(shape.form, Form::Dot(..)) || has_role(shape.part));
    *lone_points += before - shapes.len();
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
                self.apply(&members.properties.unwrap_or_default(), members.first_shape);
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

    /// Gives the shapes of a feature the part, the name and the levels that its properties tell.
    fn apply(&mut self, properties: &Properties, first_shape: usize) {
        let (part, role) = properties.part();
        self.draft.enter_part(&part, role);
        self.draft.parts[self.draft.part as usize].is_title |= properties.is_title();
        self.draft.enter_levels(&properties.levels());
        let (part, levels) = (self.draft.part, self.draft.levels);
        for shape in self.draft.shapes.iter_mut().skip(first_shape) {
            shape.part = part;
            shape.levels = levels;
            shape.name = properties.name();
            shape.is_walled = properties.is_walled();
            shape.width = properties.width();
            match &mut shape.form {
                Form::Dot(_, width) => *width = properties.width(),
                Form::Line(line) if properties.leads_down() => line.reverse(),
                _ => {}
            }
        }
        self.draft.enter_part("", None);
        self.draft.levels = 0;
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

    /// Draws a point. It counts only if its feature gives it a role.
    fn lone_point(&mut self, coordinates: Coordinates) -> Result<()> {
        match coordinates {
            Coordinates::Position(point) => {
                let mut points = Vec::new();
                self.draft.push_point(&mut points, point)?;
                self.draft.add(Form::Dot(point, None));
            }
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
    /// Its `properties`.
    properties: Option<Properties>,
    /// The number of shapes drawn before it.
    first_shape: usize,
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
    Properties,
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
            Member::Properties => seen.properties.replace(map.next_value_seed(properties::Reader)?).is_some(),
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
        let mut seen = Members { first_shape: self.reader.draft.shapes.len(), ..Members::default() };
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
mod tests;
