//! Stanford PLY: a header that lists the elements, then the elements as text or binary.
//!
//! The reader takes the positions of `vertex`, the polygons of `face` and the strips of `tristrips`. Everything else
//! is skipped as the header describes it. Nothing is reserved for announced counts. Cost: linear in the bytes.

mod header;
mod numbers;

use self::header::{Element, Header, Property, Shape};
use self::numbers::Numbers;
use super::draft::Draft;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// Reads a file of any encoding.
pub(super) fn read(bytes: &[u8], draft: &mut Draft<'_>) -> Result<()> {
    let header = Header::read(bytes)?;
    let mut numbers = Numbers::new(header.encoding, &bytes[header.size..])?;
    let mut has_vertices = false;
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut numbers, draft)?,
            "face" | "tristrips" if !has_vertices => {
                let message = format!("the element {} stands before the vertices", quoted(&element.name));
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
            "face" => read_faces(element, &mut numbers, draft)?,
            "tristrips" => read_strips(element, &mut numbers, draft)?,
            _ => element.rows().try_for_each(|row| read_row(element, row, &mut numbers, |_, _| ()))?,
        }
        has_vertices |= element.name == "vertex";
    }
    if draft.triangle_count() == 0 {
        draft.notes.add("files without faces", || "no element `face` with corners".to_string());
    }
    Ok(())
}

/// Reads the positions of all vertices.
fn read_vertices(element: &Element, numbers: &mut Numbers<'_>, draft: &mut Draft<'_>) -> Result<()> {
    let axis = |name: &str| {
        let found =
            element.properties.iter().position(|p| p.name == name && matches!(p.shape, Shape::One(_)));
        found.ok_or_else(|| Error::new(ErrorKind::Syntax, format!("the vertices have no property `{name}`")))
    };
    let axes = [axis("x")?, axis("y")?, axis("z")?];
    for row in element.rows() {
        let mut place = [0.0; 3];
        read_row(element, row, numbers, |property, value| {
            if let Some(axis) = axes.iter().position(|axis| *axis == property) {
                place[axis] = value;
            }
        })?;
        draft.add_vertex(place, || format!("vertex {row}"))?;
    }
    Ok(())
}

/// Reads polygons.
fn read_faces(element: &Element, numbers: &mut Numbers<'_>, draft: &mut Draft<'_>) -> Result<()> {
    let mut corners = Vec::new();
    read_lists(element, numbers, |row, list| {
        corners.clear();
        for value in list {
            corners.push(corner(*value, draft.vertex_count()).map_err(|fault| element.error(row, fault))?);
        }
        draft.add_polygon(&corners, || format!("face {row}"))
    })
}

/// Reads strips: each corner makes a triangle with the two before it; -1 begins a new strip.
fn read_strips(element: &Element, numbers: &mut Numbers<'_>, draft: &mut Draft<'_>) -> Result<()> {
    read_lists(element, numbers, |row, list| {
        for strip in list.split(|value| *value == -1.0) {
            let mut last = [0; 2];
            for (position, value) in strip.iter().enumerate() {
                let next = corner(*value, draft.vertex_count()).map_err(|fault| element.error(row, fault))?;
                let [a, b] = if position % 2 == 0 { last } else { [last[1], last[0]] };
                if position >= 2 {
                    draft.add_triangle([a, b, next])?;
                }
                last = [last[1], next];
            }
        }
        Ok(())
    })
}

/// Hands over the list of corners of each row.
fn read_lists(
    element: &Element,
    numbers: &mut Numbers<'_>,
    mut take: impl FnMut(u64, &[f64]) -> Result<()>,
) -> Result<()> {
    let is_corners = |p: &Property| {
        matches!(p.name.as_str(), "vertex_indices" | "vertex_index") && matches!(p.shape, Shape::List(..))
    };
    let Some(wanted) = element.properties.iter().position(is_corners) else {
        let message = format!("the element {} has no list `vertex_indices`", quoted(&element.name));
        return Err(Error::new(ErrorKind::Syntax, message));
    };
    let mut list = Vec::new();
    for row in element.rows() {
        list.clear();
        read_row(element, row, numbers, |property, value| {
            if property == wanted {
                list.push(value);
            }
        })?;
        take(row, &list)?;
    }
    Ok(())
}

/// Checks that a number is the index of a vertex.
fn corner(value: f64, count: usize) -> std::result::Result<u32, (ErrorKind, String)> {
    if value.fract() != 0.0 {
        return Err((ErrorKind::Syntax, format!("{value:?} is not the number of a vertex")));
    }
    let is_there = value >= 0.0 && value < count as f64;
    let range = || (ErrorKind::OutOfRange, format!("vertex {value}, but the file has {count}"));
    if is_there { Ok(value as u32) } else { Err(range()) }
}

/// Reads one row, and hands over each number with the index of its property.
fn read_row(
    element: &Element,
    row: u64,
    numbers: &mut Numbers<'_>,
    mut take: impl FnMut(usize, f64),
) -> Result<()> {
    for (place, property) in element.properties.iter().enumerate() {
        let fail = |fault: String| element.error(row, (ErrorKind::Syntax, fault));
        let (length, kind) = match property.shape {
            Shape::One(kind) => (1.0, kind),
            Shape::List(length, kind) => (numbers.next(length).map_err(fail)?, kind),
        };
        if !(length >= 0.0 && length.fract() == 0.0) {
            return Err(fail(format!("a list of {length:?} items")));
        }
        // A list that claims to be longer than the file fails at the end of the file: nothing is reserved for its
        // length.
        for _ in 0..length as u64 {
            take(place, numbers.next(kind).map_err(fail)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
