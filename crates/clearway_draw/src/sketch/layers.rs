//! The layers of a plan view, from the bottom up: cells, portals, walls, vertices, labels.

use super::backdrop::Edges;
use super::color::PALETTE;
use super::frame::{Frame, Strokes};
use super::legend::{dashes, line_element};
use super::lettering::{stroke_width, text_width, write_text};
use super::path::{PathText, pixels};
use super::{INK, INNER_PORTAL, LEDGE, PORTAL, SOLID, VERTEX, WALL};
use clearway_nav::mesh::{Cell, NavMesh, VertexId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Draws the ground of the picture. It shows wherever nothing walkable is drawn over it.
pub fn ground(svg: &mut String, frame: &Frame) {
    let [x, y, width, height] = frame.ground().map(pixels);
    let radius = pixels(6.0 * frame.ui);
    // Writing into a string cannot fail.
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\" fill=\"{SOLID}\"/>"
    );
}

/// Clips a drawing to the ground of the picture; `panel` makes the name of the clip its own.
pub fn clipped(drawing: &str, frame: &Frame, panel: usize) -> String {
    let [x, y, width, height] = frame.ground().map(pixels);
    format!(
        "<clipPath id=\"ground{panel}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>\n\
         <g clip-path=\"url(#ground{panel})\">\n{drawing}</g>\n"
    )
}

/// Draws cells, one path for each colour: a path for each cell would make the file much larger.
pub fn cells(svg: &mut String, mesh: &NavMesh, frame: &Frame, colors: &[usize], shown: &[bool]) {
    let mut paths = vec![PathText::default(); PALETTE.len()];
    for (cell, color) in cells_of(mesh, shown).map(|cell| (cell, colors[cell.id().index()])) {
        paths[color].ring(cell.outline().map(|point| frame.place(point)));
    }
    // A thin edge in the cell's own colour hides the seams that smoothing leaves between cells.
    let _ = writeln!(svg, "<g stroke-width=\"{}\">", pixels(0.6 * frame.ui));
    for (path, color) in paths.iter().zip(PALETTE).filter(|(path, _)| !path.is_empty()) {
        let _ = writeln!(svg, "<path fill=\"{color}\" stroke=\"{color}\" d=\"{}\"/>", path.text());
    }
    svg.push_str("</g>\n");
}

/// Draws portals: dashed inside a region, solid between regions.
pub fn portals(svg: &mut String, mesh: &NavMesh, frame: &Frame, strokes: &Strokes, shown: &[bool]) {
    let (mut inner, mut outer) = (PathText::default(), PathText::default());
    let region = |cell| mesh.cell(cell).map(|cell| cell.region());
    for portal in mesh.portals().filter(|portal| portal.cells.iter().any(|cell| shown[cell.index()])) {
        let [a, b] = portal.cells.map(region);
        let has_regions = mesh.region_count() < mesh.cell_count();
        let path = if has_regions && a == b { &mut inner } else { &mut outer };
        line(path, mesh, frame, portal.vertices);
    }
    if !inner.is_empty() {
        // Dashes shorter than the eye can separate only cost time.
        let is_fine = strokes.inner_portal < 0.35 * frame.ui;
        let more = if is_fine { String::new() } else { dashes(3.0 * frame.ui) };
        line_element(svg, &inner, INNER_PORTAL, strokes.inner_portal, &more);
    }
    if !outer.is_empty() {
        line_element(svg, &outer, PORTAL, strokes.portal, "");
    }
}

/// Draws walls and ledges, each run of sides of a cell that look the same as one line.
pub fn walls(
    svg: &mut String,
    mesh: &NavMesh,
    frame: &Frame,
    strokes: &Strokes,
    (shown, edges): (&[bool], &Edges),
) {
    let (mut walls, mut ledges) = (PathText::default(), PathText::default());
    for cell in cells_of(mesh, shown) {
        let first = mesh.parts().first_side[cell.id().index()] as usize;
        let mut previous = None;
        for (place, side) in cell.sides().enumerate().filter(|(_, side)| side.portal.is_none()) {
            let is_ledge = edges.is_ledge(first + place);
            let path = if is_ledge { &mut ledges } else { &mut walls };
            match vertex(mesh, frame, side.to) {
                Some(to) if previous == Some((side.from, is_ledge)) => path.line_to(to),
                _ => line(path, mesh, frame, [side.from, side.to]),
            }
            previous = Some((side.to, is_ledge));
        }
    }
    if !ledges.is_empty() {
        line_element(svg, &ledges, LEDGE, strokes.wall, &dashes(3.0 * strokes.wall));
    }
    line_element(svg, &walls, WALL, strokes.wall, "");
}

/// Draws a dot at every vertex.
pub fn vertices(svg: &mut String, mesh: &NavMesh, frame: &Frame, strokes: &Strokes, shown: &[bool]) {
    let mut path = PathText::default();
    let ids: BTreeSet<VertexId> = cells_of(mesh, shown).flat_map(|cell| cell.corners()).collect();
    for point in ids.into_iter().filter_map(|id| vertex(mesh, frame, id)) {
        path.dot(point);
    }
    line_element(svg, &path, VERTEX, strokes.vertex, "");
}

/// Draws the ids of the cells, as large as fits into each; cells too small for an id get none.
pub fn labels(svg: &mut String, mesh: &NavMesh, frame: &Frame, shown: &[bool]) {
    // One path for each height in pixels, because the width of strokes follows the height.
    let mut paths: BTreeMap<u32, PathText> = BTreeMap::new();
    for cell in cells_of(mesh, shown) {
        let label = cell.id().to_string();
        let outline: Vec<_> = cell.outline().map(|point| frame.place(point)).collect();
        let (middle, radius) = roomy_point(&outline);
        let height = label_height(&label, radius).min(12.0 * frame.ui).floor();
        // Smaller digits are illegible.
        if height < 5.0 {
            continue;
        }
        let at = [middle[0] - 0.5 * text_width(&label, height), middle[1] + 0.5 * height];
        write_text(paths.entry(height as u32).or_default(), &label, at, height);
    }
    for (height, path) in &paths {
        line_element(svg, path, INK, stroke_width(f64::from(*height)), " stroke-opacity=\".75\"");
    }
}

/// Returns the cells that are shown.
fn cells_of<'a>(mesh: &'a NavMesh, shown: &[bool]) -> impl Iterator<Item = Cell<'a>> {
    mesh.cells().filter(|cell| shown[cell.id().index()])
}

/// Returns the height of letters at which a text just fits into a circle.
fn label_height(label: &str, radius: f64) -> f64 {
    let width = text_width(label, 1.0);
    1.8 * radius / (width * width + 1.0).sqrt()
}

/// Returns the centre of gravity of a convex outline and its distance to the nearest side.
fn roomy_point(outline: &[[f64; 2]]) -> ([f64; 2], f64) {
    let sides = || outline.iter().zip(outline.iter().cycle().skip(1));
    let first = outline.first().copied().unwrap_or_default();
    let (mut doubled, mut sum) = (0.0, [0.0; 2]);
    for (a, b) in sides() {
        // Relative to the first corner: far from the origin the products would lose digits.
        let (a, b) = ([a[0] - first[0], a[1] - first[1]], [b[0] - first[0], b[1] - first[1]]);
        let cross = a[0] * b[1] - a[1] * b[0];
        doubled += cross;
        sum = [sum[0] + (a[0] + b[0]) * cross, sum[1] + (a[1] + b[1]) * cross];
    }
    if doubled == 0.0 {
        return (first, 0.0);
    }
    let middle = [first[0] + sum[0] / (3.0 * doubled), first[1] + sum[1] / (3.0 * doubled)];
    let distance = |(a, b): (&[f64; 2], &[f64; 2])| {
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let cross = along[0] * (middle[1] - a[1]) - along[1] * (middle[0] - a[0]);
        if length > 0.0 { (cross / length).abs() } else { f64::INFINITY }
    };
    (middle, sides().map(distance).fold(f64::INFINITY, f64::min))
}

/// Appends a line between two vertices.
fn line(path: &mut PathText, mesh: &NavMesh, frame: &Frame, ends: [VertexId; 2]) {
    path.line(ends.into_iter().filter_map(|end| vertex(mesh, frame, end)));
}

/// Returns the pixel of a vertex.
fn vertex(mesh: &NavMesh, frame: &Frame, id: VertexId) -> Option<[f64; 2]> {
    mesh.position(id).map(|point| frame.place(point))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_cell_and_its_room() {
        let square = [[1e6, 0.0], [1e6 + 4.0, 0.0], [1e6 + 4.0, 4.0], [1e6, 4.0]];
        let (middle, radius) = roomy_point(&square);
        assert_eq!((middle, radius), ([1e6 + 2.0, 2.0], 2.0));
        assert_eq!(roomy_point(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]).1, 0.0);
        assert_eq!(roomy_point(&[]).1, 0.0);
    }

    #[test]
    fn labels_fit_their_circles() {
        for label in ["7", "42", "12345"] {
            let height = label_height(label, 10.0);
            let half_diagonal = 0.5 * text_width(label, height).hypot(height);
            assert!(half_diagonal < 10.0 && half_diagonal > 8.0, "{label}: {half_diagonal}");
        }
    }
}
