//! SVG drawings: shapes by group, class and id, with transforms, curves and `use`.
//!
//! The names of groups, classes and ids are the levels of a part's name; names that editors number by themselves
//! (`path12`) are left out. Filled shapes are areas, all others lines. Without roles, areas count by nesting and lines are
//! walls. y points up in plans and down in SVG, so drawings are turned over at the foot of the page. Cost: linear in the
//! elements, `use` counted as often as it draws.

mod shapes;
mod style;

use self::shapes::{Outline, outlines};
use self::style::{Look, Sheet};
use super::MAX_NESTING;
use super::chords::coarse_text;
use super::draft::{Draft, Form};
use super::levels::levels_from_names;
use super::nested::polygons;
use clearway_base::error::{Error, ErrorKind, Result};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeMap;
use std::str::FromStr;
use svgtypes::{Length, LengthUnit, Transform, ViewBox};

/// The greatest number of XML nodes that are read.
const MAX_NODES: u32 = 1 << 24;

/// The greatest number of elements that are drawn, `use` counted as often as it draws.
const MAX_DRAWN: usize = 1 << 22;

/// A page at least this wide, in metres, is drawn in its real size. Smaller pages are paper.
const LEAST_REAL: f64 = 3.0;

/// Names that editors give to elements, without their numbers.
const NUMBERED: [&str; 14] = [
    "path", "rect", "g", "line", "polygon", "polyline", "circle", "ellipse", "use", "layer", "group", "svg",
    "shape", "cls",
];

/// A map of the plane: the images of both axes and of the origin.
type Map = [[f64; 2]; 3];

/// Reads a text of one SVG element. `scale` is the length of its unit in metres, if one was asked for.
pub(super) fn parse(text: &str, scale: Option<f64>) -> Result<Draft> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let message: String = error.to_string().chars().take(200).collect();
        Error::new(ErrorKind::Syntax, format!("not XML: {message}"))
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        let name = root.tag_name().name();
        let message = format!("the root element is {}, not `svg`", clearway_base::file::quoted(name));
        return Err(Error::new(ErrorKind::Syntax, message));
    }
    let mut draft = Draft::new();
    draft.encloses = true;
    let foot = set_page(root, &mut draft);
    draft.unit = scale.unwrap_or(draft.unit);
    let mut pen = Pen { draft, sheet: Sheet::of(&document), by_id: ids(&document), drawn: 0 };
    let flipped = [[1.0, 0.0], [0.0, -1.0], [0.0, foot]];
    pen.children(root, &Context { map: flipped, look: Look::default(), name: String::new(), depth: 0 })?;
    let mut draft = pen.draft;
    levels_from_names(&mut draft);
    Ok(draft)
}

/// Sets the unit by the size of the page; returns its foot.
fn set_page(root: Node<'_, '_>, draft: &mut Draft) -> f64 {
    let view = root.attribute("viewBox").and_then(|text| ViewBox::from_str(text).ok());
    let length = |name| root.attribute(name).and_then(|text| Length::from_str(text).ok());
    let metres = |length: Length| match length.unit {
        LengthUnit::Mm => Some(length.number / 1000.0),
        LengthUnit::Cm => Some(length.number / 100.0),
        LengthUnit::In => Some(length.number * 0.0254),
        _ => None,
    };
    let real = length("width").and_then(metres).filter(|width| *width >= LEAST_REAL);
    match (real, view) {
        (Some(width), Some(view)) if view.w > 0.0 => {
            draft.unit = width / view.w;
            draft.note("units", |_| {
                format!("the page is {width} m wide, so the drawing is read in its real size")
            });
        }
        _ => draft.note("units", |_| {
            "one unit of the drawing is read as 1 m; --scale sets another unit".to_string()
        }),
    }
    let height =
        length("height").filter(|length| length.unit != LengthUnit::Percent).map(|length| length.number);
    view.map(|view| view.y + view.h).or(height).unwrap_or(0.0)
}

/// The elements by id.
fn ids<'a, 'i>(document: &'a Document<'i>) -> BTreeMap<&'a str, Node<'a, 'i>> {
    document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect()
}

/// What elements inherit from those around them.
#[derive(Clone)]
struct Context {
    /// The map to the plan.
    map: Map,
    /// Fill and visibility.
    look: Look,
    /// The names of the groups around.
    name: String,
    /// The number of elements around.
    depth: usize,
}

/// Draws elements.
struct Pen<'a, 'i> {
    /// The plan so far.
    draft: Draft,
    /// The styles of classes.
    sheet: Sheet,
    /// The elements by id.
    by_id: BTreeMap<&'a str, Node<'a, 'i>>,
    /// The number of elements drawn.
    drawn: usize,
}

impl<'a, 'i> Pen<'a, 'i> {
    /// Draws the children of an element.
    fn children(&mut self, node: Node<'a, 'i>, context: &Context) -> Result<()> {
        for child in node.children().filter(Node::is_element) {
            self.element(child, context)?;
        }
        Ok(())
    }

    /// Draws an element with all in it.
    fn element(&mut self, node: Node<'a, 'i>, outer: &Context) -> Result<()> {
        self.drawn += 1;
        let tag = node.tag_name().name();
        let fault = |message: String| Err(Error::new(ErrorKind::TooLarge, place(node) + &message));
        if self.drawn > MAX_DRAWN {
            return fault(format!("more than {MAX_DRAWN} elements are drawn, the limit"));
        }
        if outer.depth > MAX_NESTING {
            return fault(format!("elements are nested deeper than {MAX_NESTING} levels, the limit"));
        }
        if matches!(
            tag,
            "defs" | "symbol" | "clipPath" | "mask" | "pattern" | "marker" | "metadata" | "style" | "title"
        ) {
            return Ok(());
        }
        let mut inner = outer.clone();
        inner.depth += 1;
        inner.look = self.sheet.look(node, outer.look);
        if inner.look.is_hidden {
            return Ok(());
        }
        if let Some(text) = node.attribute("transform") {
            let own = Transform::from_str(text).map_err(|error| {
                Error::new(ErrorKind::Syntax, format!("{}transform: {error}", place(node)))
            })?;
            inner.map = composed(outer.map, [[own.a, own.b], [own.c, own.d], [own.e, own.f]]);
        }
        inner.name = joined(&outer.name, node);
        match tag {
            "g" | "a" | "svg" | "switch" => self.children(node, &inner),
            "use" => self.use_of(node, inner),
            _ => self.shape(node, &inner),
        }
    }

    /// Draws the element that a `use` names.
    fn use_of(&mut self, node: Node<'a, 'i>, mut context: Context) -> Result<()> {
        let href =
            node.attributes().find(|attribute| attribute.name() == "href").map(|attribute| attribute.value());
        let Some(target) =
            href.and_then(|href| href.strip_prefix('#')).and_then(|id| self.by_id.get(id)).copied()
        else {
            self.draft.note("uses of elements that are not there", |_| {
                place(node) + "uses an element that is not there, left out"
            });
            return Ok(());
        };
        let offset = ["x", "y"].map(|name| shapes::number(node, name).unwrap_or(0.0));
        context.map = composed(context.map, [[1.0, 0.0], [0.0, 1.0], offset]);
        if target.tag_name().name() == "symbol" {
            context.name = joined(&context.name, target);
            return self.children(target, &context);
        }
        self.element(target, &context)
    }

    /// Draws a path or a basic shape; everything else is left out.
    fn shape(&mut self, node: Node<'a, 'i>, context: &Context) -> Result<()> {
        let Some(found) = outlines(node, scale_of(context.map) * self.draft.unit)? else { return Ok(()) };
        self.draft.enter_part(&context.name, None);
        self.draft.name = node.attribute("id").filter(|id| !is_numbered(id)).map(str::to_string);
        let mut rings = Vec::new();
        for Outline { points, is_closed, off } in found {
            if off > 0.0 {
                self.draft.note("coarse curves", |_| place(node) + "a curve is large: " + &coarse_text(off));
            }
            let mut line: Vec<[f64; 2]> = Vec::with_capacity(points.len());
            for point in points {
                let point = image(context.map, point);
                if line.last() != Some(&point) {
                    self.draft
                        .push_point(&mut line, point)
                        .map_err(|error| Error::new(error.kind(), place(node) + &error.to_string()))?;
                }
            }
            let is_closed = is_closed || line.len() > 3 && line.first() == line.last();
            match is_closed && context.look.is_filled {
                true => rings.push(super::draft::opened(line)),
                false if line.len() < 2 => {}
                false => {
                    if is_closed {
                        line.extend(line.first().copied().filter(|first| line.last() != Some(first)));
                    }
                    self.draft.add(Form::Line(line));
                }
            }
        }
        rings.retain(|ring| ring.len() >= 3);
        match rings.len() {
            0 => {}
            1 => rings.into_iter().for_each(|ring| self.draft.add(Form::Ring(ring))),
            _ => polygons(rings)
                .map_err(|error| Error::new(error.kind(), place(node) + &error.to_string()))?
                .into_iter()
                .for_each(|polygon| self.draft.add(Form::Polygon(polygon))),
        }
        self.draft.name = None;
        Ok(())
    }
}

/// The position of an element, for messages.
fn place(node: Node<'_, '_>) -> String {
    let at = node.document().text_pos_at(node.range().start);
    format!("line {}, column {}, <{}>: ", at.row, at.col, node.tag_name().name())
}

/// The name of a part inside others: labels, classes and ids are its levels.
fn joined(outer: &str, node: Node<'_, '_>) -> String {
    let label =
        node.attributes().find(|attribute| attribute.name() == "label").map(|attribute| attribute.value());
    let own = [node.attribute("class"), label.or(node.attribute("id"))];
    let mut name = outer.to_string();
    for level in own.into_iter().flatten().filter(|level| !is_numbered(level)) {
        if !name.is_empty() {
            name.push('/');
        }
        name.extend(level.chars().take(64));
    }
    name
}

/// True for names that editors give: a kind of element and a number.
fn is_numbered(name: &str) -> bool {
    let stem =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-' || letter == '_');
    stem.is_empty() || NUMBERED.contains(&stem.to_lowercase().as_str()) && stem.len() < name.len()
}

/// The image of a point.
fn image(map: Map, [x, y]: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|k| map[0][k] * x + map[1][k] * y + map[2][k])
}

/// The map that applies the inner one first.
fn composed(outer: Map, inner: Map) -> Map {
    let turned = |[x, y]: [f64; 2]| [0, 1].map(|k| outer[0][k] * x + outer[1][k] * y);
    [turned(inner[0]), turned(inner[1]), image(outer, inner[2])]
}

/// The factor by which lengths grow at most.
fn scale_of(map: Map) -> f64 {
    map[0][0].hypot(map[0][1]).max(map[1][0].hypot(map[1][1]))
}

#[cfg(test)]
mod tests;
