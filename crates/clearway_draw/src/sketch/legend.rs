//! The text around the drawing: title, counts, scale bar, and the meaning of lines and colours.

use super::backdrop::Edges;
use super::color::{PALETTE, area_color};
use super::frame::{Frame, Strokes};
use super::heat::HeatMap;
use super::lettering::{fitted, stroke_width, text_width, write_text};
use super::links::{self, kind_color};
use super::path::{PathText, pixels};
use super::route::PATH_COLORS;
use super::scope::Scope;
use super::{ColorBy, INK, INNER_PORTAL, LEDGE, Over, PALE_INK, PORTAL, SOLID, SketchOptions, View, WALL};
use clearway_nav::mesh::{LinkKind, NavMesh, Portal};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The height of capitals of the title, in pixels at nominal width.
const TITLE_HEIGHT: f64 = 14.0;
/// The height of capitals of all other text, in pixels at nominal width.
const SMALL_HEIGHT: f64 = 9.5;

/// The distance between two rows of the legend, in pixels at nominal width: twice the height of letters.
const ROW: f64 = 19.0;

/// Draws the title on the left and the counts on the right.
pub fn header(svg: &mut String, counts: &str, frame: &Frame, options: &SketchOptions) {
    let (left, right) = (frame.margin, frame.width - frame.margin);
    let base = 38.0 * frame.ui;
    let width = text_width(counts, SMALL_HEIGHT * frame.ui);
    let mut room = right - left;
    // Counts that would leave too little for the title are dropped.
    if width <= room * if options.title.is_some() { 0.7 } else { 1.0 } {
        text(svg, counts, [right - width, base], SMALL_HEIGHT * frame.ui, PALE_INK);
        room -= width + 24.0 * frame.ui;
    }
    if let Some(title) = &options.title {
        let height = TITLE_HEIGHT * frame.ui;
        text(svg, &fitted(title, height, room), [left, base], height, INK);
    }
}

/// Draws the scale bar on the left and the legend on the right, the last entries first. Entries without room go into rows
/// below. Returns the height of these in pixels.
pub fn footer(
    svg: &mut String,
    frame: &Frame,
    strokes: &Strokes,
    entries: &[(&str, Sample)],
    heat: Option<&HeatMap>,
) -> f64 {
    let base = frame.height - 22.0 * frame.ui;
    let end = frame.width - frame.margin;
    let mut free = [scale_bar(svg, frame, base), end];
    if let Some(heat) = heat {
        free[1] = heat.scale(svg, [free[1], base], frame) - 24.0 * frame.ui;
    }
    let (height, gap, sample_width) = (SMALL_HEIGHT * frame.ui, 9.0 * frame.ui, 26.0 * frame.ui);
    let mut below = 0.0;
    for &(label, sample) in entries.iter().rev() {
        let width = text_width(label, height) + sample_width + gap;
        if free[1] - width < free[0] + 20.0 * frame.ui {
            free = [frame.margin - 20.0 * frame.ui, end];
            // A row cannot hold what is wider than the picture.
            if free[1] - width < frame.margin {
                continue;
            }
            below += ROW * frame.ui;
        }
        let (start, base) = (free[1] - width, base + below);
        draw_sample(svg, sample, [start, base - 0.5 * height], sample_width, frame.ui, strokes);
        text(svg, label, [start + sample_width + gap, base], height, PALE_INK);
        free[1] = start - 24.0 * frame.ui;
    }
    below
}

/// Draws one text as an element of its own.
pub fn text(svg: &mut String, text: &str, at: [f64; 2], height: f64, color: &str) {
    let mut path = PathText::default();
    write_text(&mut path, text, at, height);
    if !path.is_empty() {
        line_element(svg, &path, color, stroke_width(height), "");
    }
}

/// Draws a path that is stroked and not filled; `more` are further attributes.
pub fn line_element(svg: &mut String, path: &PathText, color: &str, width: f64, more: &str) {
    let (width, data) = (pixels(width), path.text());
    // Writing into a string cannot fail.
    let _ =
        writeln!(svg, "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{more} d=\"{data}\"/>");
}

/// Returns the counts of what a picture shows, in one line.
pub fn counts(mesh: &NavMesh, scope: &Scope, options: &SketchOptions) -> String {
    let cells: Vec<_> = scope.cells().filter_map(|cell| mesh.cell(cell)).collect();
    let regions = cells.iter().map(|cell| cell.region()).collect::<BTreeSet<_>>().len();
    let components = cells.iter().map(|cell| cell.component()).collect::<BTreeSet<_>>().len();
    let is_seen = |portal: &Portal| portal.cells.iter().any(|cell| scope.shows(cell.0));
    let portals = mesh.portals().filter(is_seen).count();
    let mut parts = vec![counted(cells.len(), "cell"), counted(portals, "portal")];
    if mesh.region_count() < mesh.cell_count() {
        parts.insert(0, counted(regions, "region"));
    }
    if components > 1 {
        parts.push(counted(components, "component"));
    }
    let links = links::shown(mesh, scope, options).count();
    if links > 0 {
        parts.push(counted(links, "link"));
    }
    parts.join(" \u{b7} ")
}

/// Returns a count with its noun, in the right number.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The sample beside a word of the legend.
#[derive(Clone, Copy)]
pub enum Sample {
    /// A few colours of the palette.
    Colors,
    /// The colour of the palette with this index.
    Color(usize),
    /// The colour of ground that is not walkable.
    Solid,
    /// The line of walls.
    Wall,
    /// The line of ledges.
    Ledge,
    /// The line of portals.
    Portal,
    /// The dashed line of portals inside a region.
    InnerPortal,
    /// Ground in this colour.
    Ground(&'static str),
    /// Links of this colour.
    Link(&'static str),
    /// A line of this colour.
    Line(&'static str),
    /// The line of paths.
    Path,
}

/// Returns the entries of the legend; the last are the most important.
pub fn entries<'a>(
    mesh: &'a NavMesh,
    scope: &'a Scope,
    over: Over<'a>,
    edges: &Edges,
    options: &'a SketchOptions,
) -> Vec<(&'a str, Sample)> {
    let has_regions = mesh.region_count() < mesh.cell_count();
    let group = match options.color_by {
        ColorBy::Region if has_regions => "region",
        ColorBy::Cell | ColorBy::Region => "cell",
        ColorBy::Component => "component",
        ColorBy::Area => "area class",
    };
    let mut entries = if over.heat.is_none() { vec![(group, Sample::Colors)] } else { Vec::new() };
    if options.color_by == ColorBy::Area && !mesh.area_names().is_empty() && over.heat.is_none() {
        entries = area_entries(mesh, scope);
    }
    if options.view == View::Top {
        entries.push(("not walkable", Sample::Solid));
    }
    match edges {
        Edges::Walls => entries.push(("wall", Sample::Wall)),
        Edges::Unknown if options.view == View::Top => entries.push(("wall or ledge", Sample::Wall)),
        Edges::Unknown => entries.push(("edge: wall or ledge", Sample::Ledge)),
        Edges::Known(_) => entries.extend([("wall", Sample::Wall), ("ledge", Sample::Ledge)]),
    }
    if over.heat.is_none() {
        entries.push(("portal", Sample::Portal));
    }
    if has_regions && over.heat.is_none() {
        entries.push(("portal inside a region", Sample::InnerPortal));
    }
    let link = |kind: &'a LinkKind| (kind.name(), Sample::Link(kind_color(kind)));
    entries.extend(links::kinds_shown(mesh, scope, options).into_iter().map(link));
    entries.extend(over.overlays.iter().map(|overlay| (&*overlay.label, Sample::Line(overlay.color))));
    let blanks = over.heat.map_or(Vec::new(), |heat| heat.used_blanks(|cell| scope.shows(cell)));
    entries.extend(blanks.into_iter().map(|(label, color)| (label, Sample::Ground(color))));
    if !over.paths.is_empty() {
        entries.push(("path", Sample::Path));
    }
    entries
}

/// Returns an entry for each area class that is shown.
fn area_entries<'a>(mesh: &'a NavMesh, scope: &Scope) -> Vec<(&'a str, Sample)> {
    let cells = scope.cells().filter_map(|cell| mesh.cell(cell));
    let used: BTreeSet<u8> = cells.map(|cell| cell.area_class()).collect();
    let name = |class: u8| mesh.area_names().get(usize::from(class)).map_or("", String::as_str);
    used.into_iter().map(|class| (name(class), Sample::Color(area_color(class)))).collect()
}

/// Draws the sample of an entry.
fn draw_sample(svg: &mut String, sample: Sample, at: [f64; 2], width: f64, ui: f64, strokes: &Strokes) {
    let mut path = PathText::default();
    path.line([at, [at[0] + width, at[1]]].into_iter());
    // The hairlines of dense pictures would be invisible here.
    let visible = |stroke: f64| stroke.max(0.9 * ui);
    match sample {
        Sample::Colors => swatches(svg, at, width, ui, &[PALETTE[7], PALETTE[1], PALETTE[5]]),
        Sample::Color(index) => swatches(svg, at, width, ui, &[PALETTE[index]]),
        Sample::Ground(color) => swatches(svg, at, width, ui, &[color]),
        Sample::Solid => swatches(svg, at, width, ui, &[SOLID]),
        Sample::Wall => line_element(svg, &path, WALL, visible(strokes.wall).max(1.6 * ui), ""),
        Sample::Ledge => line_element(svg, &path, LEDGE, visible(strokes.wall).max(1.6 * ui), ""),
        Sample::Portal => line_element(svg, &path, PORTAL, visible(strokes.portal), ""),
        Sample::Link(color) => line_element(svg, &path, color, 1.8 * ui, &dashes(4.0 * ui)),
        Sample::Line(color) => line_element(svg, &path, color, 1.8 * ui, ""),
        Sample::Path => line_element(svg, &path, PATH_COLORS[0], 2.2 * ui, ""),
        Sample::InnerPortal => {
            line_element(svg, &path, INNER_PORTAL, visible(strokes.inner_portal), &dashes(3.0 * ui));
        }
    }
}

/// Draws a strip of colours.
fn swatches(svg: &mut String, at: [f64; 2], width: f64, ui: f64, colors: &[&str]) {
    let side = width / colors.len() as f64;
    for (i, color) in colors.iter().enumerate() {
        let (x, y) = (pixels(at[0] + side * i as f64), pixels(at[1] - 5.5 * ui));
        let (side, height) = (pixels(side), pixels(11.0 * ui));
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{height}\" fill=\"{color}\"/>"
        );
    }
}

/// Returns the attributes of a dashed line with dashes of this length in pixels.
pub fn dashes(length: f64) -> String {
    format!(" stroke-linecap=\"butt\" stroke-dasharray=\"{0} {0}\"", pixels(length))
}

/// Draws the scale bar and returns the pixel where it ends.
fn scale_bar(svg: &mut String, frame: &Frame, base: f64) -> f64 {
    let (bar, left, tick) = (frame.scale_bar(), frame.margin, 4.0 * frame.ui);
    let height = SMALL_HEIGHT * frame.ui;
    let (right, middle) = (left + bar.pixels, base - 0.5 * height);
    let mut path = PathText::default();
    path.line([[left, middle - tick], [left, middle + tick]].into_iter());
    path.line([[left, middle], [right, middle]].into_iter());
    path.line([[right, middle - tick], [right, middle + tick]].into_iter());
    line_element(svg, &path, PALE_INK, 1.2 * frame.ui, "");
    let label = bar.label();
    let start = right + 9.0 * frame.ui;
    text(svg, &label, [start, base], height, PALE_INK);
    start + text_width(&label, height)
}
