//! The outlines of SVG shapes, as points.

use super::super::check::coordinate_fault;
use super::super::chords::{Chords, MOST_CHORDS, TOLERANCE};
use clearway_base::error::{Error, ErrorKind, Result};
use roxmltree::Node;
use std::f64::consts::TAU;
use std::str::FromStr;
use svgtypes::{
    Length, LengthUnit, PathParser, PathSegment, PointsParser, SimplePathSegment, SimplifyingPathParser,
};

/// The least number of chords of a circle: its border is off by less than half a per cent of its radius.
const CIRCLE_CHORDS: f64 = 36.0;

/// A line of points.
#[derive(Debug)]
pub(super) struct Outline {
    /// The points.
    pub(super) points: Vec<[f64; 2]>,
    /// True if it ends where it starts.
    pub(super) is_closed: bool,
    /// The greatest distance between curve and chord in metres where the limit of chords exceeds the tolerance; else 0.
    pub(super) off: f64,
}

/// The outlines of an element; `None` if it is no shape. `scale` is the length of its unit in metres.
pub(super) fn outlines(node: Node<'_, '_>, scale: f64) -> Result<Option<Vec<Outline>>> {
    let get = |name| number(node, name).unwrap_or(0.0);
    let one = |points: Vec<[f64; 2]>, is_closed| Ok(Some(vec![Outline { points, is_closed, off: 0.0 }]));
    match node.tag_name().name() {
        "rect" => {
            let [x, y, w, h] = ["x", "y", "width", "height"].map(get);
            one(vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]], true)
        }
        "line" => one(vec![[get("x1"), get("y1")], [get("x2"), get("y2")]], false),
        "circle" => Ok(Some(vec![ellipse([get("cx"), get("cy")], [get("r"), get("r")], scale)])),
        "ellipse" => Ok(Some(vec![ellipse([get("cx"), get("cy")], [get("rx"), get("ry")], scale)])),
        tag @ ("polygon" | "polyline") => {
            let points = PointsParser::from(node.attribute("points").unwrap_or_default());
            one(points.map(|(x, y)| [x, y]).collect(), tag == "polygon")
        }
        "path" => path(node, scale).map(Some),
        _ => Ok(None),
    }
}

/// The value of an attribute without its unit; `None` if it is missing or damaged.
pub(super) fn number(node: Node<'_, '_>, name: &str) -> Option<f64> {
    let length = Length::from_str(node.attribute(name)?).ok()?;
    // Lengths with units are in pixels of 1/96 inch.
    let factor = match length.unit {
        LengthUnit::Mm => 96.0 / 25.4,
        LengthUnit::Cm => 96.0 / 2.54,
        LengthUnit::In => 96.0,
        LengthUnit::Pt => 96.0 / 72.0,
        LengthUnit::Pc => 16.0,
        _ => 1.0,
    };
    Some(length.number * factor)
}

/// The outline of an ellipse.
fn ellipse(centre: [f64; 2], radii: [f64; 2], scale: f64) -> Outline {
    let radius = radii[0].abs().max(radii[1].abs()) * scale;
    let Chords { count, off } = Chords::of_arc(radius, TAU, TOLERANCE, CIRCLE_CHORDS);
    let angles = (0..count).map(|k| TAU * k as f64 / count as f64);
    let at = |angle: f64| [centre[0] + radii[0] * angle.cos(), centre[1] + radii[1] * angle.sin()];
    Outline { points: angles.map(at).collect(), is_closed: true, off: off.unwrap_or(0.0) }
}

/// The outlines of a path.
fn path(node: Node<'_, '_>, scale: f64) -> Result<Vec<Outline>> {
    let mut found: Vec<Outline> = Vec::new();
    let mut start = [0.0; 2];
    let refuse = |kind, fault: String| {
        let at = node.document().text_pos_at(node.range().start);
        Error::new(kind, format!("line {}, column {}, <path>: d: {fault}", at.row, at.col))
    };
    let text = node.attribute("d").unwrap_or_default();
    // The parser below divides arcs by their size, so that an arc without bound would fill the memory.
    if let Some(fault) = PathParser::from(text).find_map(|segment| number_fault(&segment.ok()?)) {
        return Err(refuse(ErrorKind::OutOfRange, fault));
    }
    for segment in SimplifyingPathParser::from(text) {
        let segment = segment.map_err(|error| refuse(ErrorKind::Syntax, error.to_string()))?;
        if let SimplePathSegment::MoveTo { x, y } = segment {
            start = [x, y];
            found.push(Outline { points: vec![start], is_closed: false, off: 0.0 });
            continue;
        }
        // After a closed outline the next one starts at the same place.
        if found.last().is_none_or(|outline| outline.is_closed) {
            found.push(Outline { points: vec![start], is_closed: false, off: 0.0 });
        }
        let Some(outline) = found.last_mut() else { continue };
        let from = outline.points.last().copied().unwrap_or(start);
        match segment {
            SimplePathSegment::LineTo { x, y } => outline.points.push([x, y]),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                curve(outline, [from, [x1, y1], [x2, y2], [x, y]], scale);
            }
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                // A quadratic curve is a cubic one whose handles lie two thirds of the way to its own.
                let toward = |end: [f64; 2]| [0, 1].map(|k| end[k] + 2.0 / 3.0 * ([x1, y1][k] - end[k]));
                curve(outline, [from, toward(from), toward([x, y]), [x, y]], scale);
            }
            SimplePathSegment::ClosePath => outline.is_closed = true,
            SimplePathSegment::MoveTo { .. } => {}
        }
    }
    Ok(found)
}

/// Describes the first coordinate or radius of a segment that is beyond the limit of coordinates.
fn number_fault(segment: &PathSegment) -> Option<String> {
    let coordinates = match *segment {
        PathSegment::MoveTo { x, y, .. }
        | PathSegment::LineTo { x, y, .. }
        | PathSegment::SmoothQuadratic { x, y, .. } => [x, y, 0.0, 0.0, 0.0, 0.0],
        PathSegment::HorizontalLineTo { x: end, .. } | PathSegment::VerticalLineTo { y: end, .. } => {
            [end, 0.0, 0.0, 0.0, 0.0, 0.0]
        }
        PathSegment::CurveTo { x1, y1, x2, y2, x, y, .. } => [x1, y1, x2, y2, x, y],
        PathSegment::SmoothCurveTo { x2, y2, x, y, .. } => [x2, y2, x, y, 0.0, 0.0],
        PathSegment::Quadratic { x1, y1, x, y, .. } => [x1, y1, x, y, 0.0, 0.0],
        PathSegment::EllipticalArc { rx, ry, x, y, .. } => [rx, ry, x, y, 0.0, 0.0],
        PathSegment::ClosePath { .. } => [0.0; 6],
    };
    coordinates.into_iter().find_map(|value| coordinate_fault("a number", value))
}

/// Adds the chords of a cubic curve without its first point.
fn curve(outline: &mut Outline, p: [[f64; 2]; 4], scale: f64) {
    let bend =
        |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (a[0] - 2.0 * b[0] + c[0]).hypot(a[1] - 2.0 * b[1] + c[1]);
    let most = bend(p[0], p[1], p[2]).max(bend(p[1], p[2], p[3])) * scale;
    // Chords of equal parameters are off by at most 6/8 of the second difference over the square of their number.
    let wanted = (0.75 * most / TOLERANCE).sqrt().ceil();
    let count = wanted.clamp(1.0, MOST_CHORDS as f64) as usize;
    if wanted > MOST_CHORDS as f64 {
        outline.off = outline.off.max(0.75 * most / (MOST_CHORDS as f64).powi(2));
    }
    for k in 1..=count {
        let t = k as f64 / count as f64;
        let weights = [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
        outline.points.push([0, 1].map(|axis| (0..4).map(|j| weights[j] * p[j][axis]).sum()));
    }
}
