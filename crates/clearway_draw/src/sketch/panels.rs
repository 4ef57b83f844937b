//! Storeys that lie over each other, beside each other in one picture from above.

use super::backdrop::Edges;
use super::frame::Frame;
use super::path::pixels;
use super::scope::Scope;
use super::{Layer, Over, PAPER, Sketch, SketchOptions, View, escaped, legend};
use clearway_nav::mesh::NavMesh;
use std::fmt::Write;

/// The number of random points at which floors over each other are counted.
const SAMPLES: usize = 512;
/// The share of the ground that must lie under other ground for storeys to get pictures of their own.
const COVERED: f64 = 0.1;
/// The least height in metres between two floors of which one covers the other.
const HEAD_ROOM: f64 = 1.5;
/// The greatest number of storeys that are drawn beside each other. More would be too small to read.
const MOST_PANELS: usize = 12;

/// Returns the number of storeys if they get pictures of their own; `None` for a single picture.
pub fn storeys(mesh: &NavMesh, options: &SketchOptions) -> Option<usize> {
    let is_asked = options.panels && options.view == View::Top;
    let is_whole = options.layer.is_none() && options.window.is_none();
    if !is_asked || !is_whole || !mesh.has_heights() {
        return None;
    }
    let storeys = mesh.storeys().len();
    if !(2..=MOST_PANELS).contains(&storeys) {
        return None;
    }
    let is_covered = |place: &clearway_nav::Location| {
        let [x, y] = place.position();
        let own = mesh.height(*place);
        mesh.heights_at(x, -y).into_iter().any(|height| height > own + HEAD_ROOM)
    };
    let covered = mesh.random_points(1).take(SAMPLES).filter(is_covered).count();
    (covered as f64 >= COVERED * SAMPLES as f64).then_some(storeys)
}

/// Draws a picture for each storey, two or three in a row, under one title. All show the same part of the plan.
pub fn picture(
    mesh: &NavMesh,
    over: Over<'_>,
    edges: &Edges,
    storeys: usize,
    options: &SketchOptions,
) -> String {
    let columns = if storeys > 4 { 3 } else { 2 };
    let whole = Scope::of(mesh, options);
    let width = f64::from(options.clamped_width());
    let panel = (width / columns as f64).floor().max(1.0);
    let (mut body, mut top, mut row) = (String::new(), 0.0_f64, 0.0_f64);
    let head = 44.0 * Frame::of(whole.bounds, options).ui;
    for number in 0..storeys {
        let column = number % columns;
        if column == 0 {
            (top, row) = (top + row, 0.0);
        }
        let one = options.clone().layer(Some(Layer::Storey(number))).width(panel as u32);
        let name = title(mesh, number, &one);
        let one = one.title(Some(name));
        let (svg, height) = Sketch::one(mesh, over, edges, &one, Some(number));
        let (x, y) = (pixels(panel * column as f64), pixels(head + top));
        body.push_str(&svg.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1));
        row = row.max(height);
    }
    let counts = legend::counts(mesh, &whole, options);
    let mut frame = Frame::of(whole.bounds, options);
    frame.height = (head + top + row).ceil();
    let (wide, high) = (pixels(width), pixels(frame.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\">\n"
    );
    if let Some(title) = &options.title {
        let _ = writeln!(svg, "<title>{}</title>", escaped(title));
    }
    let _ = writeln!(svg, "<desc>{}</desc>", escaped(&counts));
    let _ = writeln!(svg, "<rect width=\"{wide}\" height=\"{high}\" fill=\"{PAPER}\"/>");
    svg.push_str("<g stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
    legend::header(&mut svg, &counts, &frame, options);
    svg.push_str("</g>\n");
    svg + &body + "</svg>\n"
}

/// Returns the title of a storey, with the heights of its ground.
fn title(mesh: &NavMesh, number: usize, options: &SketchOptions) -> String {
    let scope = Scope::of(mesh, options);
    let ranges = scope.cells().filter_map(|cell| mesh.height_range(cell));
    let range = ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    match range {
        Some([low, high]) => format!("storey {number}: {low:.1} to {high:.1} m"),
        None => format!("storey {number}"),
    }
}
