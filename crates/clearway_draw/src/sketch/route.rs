//! Paths over the drawing: the floor that the body sweeps, the line of its centre, and dots at both ends. Parts of a
//! path on cells that are not shown are faint dashed lines, which show where the rest comes from and leads to.

use super::course::{Course, Stretch};
use super::frame::Frame;
use super::legend::{dashes, line_element};
use super::path::PathText;
use super::scope::Scope;
use super::{PAPER, links};
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{Path, Piece};

/// Colours of paths, in turn: dark enough to stand out from the pastels of cells and the blue of portals.
pub const PATH_COLORS: [&str; 4] = ["#dc2626", "#047857", "#7c3aed", "#b45309"];

/// The greatest distance in pixels between an arc and the lines that replace it where a path is cut.
pub const FINE: f64 = 0.2;

/// Draws all paths: first every swept floor, then every line, so that no body hides a line. What runs under shown ground
/// is a faint dashed line.
pub fn paths(svg: &mut String, mesh: &NavMesh, scope: &Scope, paths: &[Path], frame: &Frame) {
    let courses: Vec<Course> = paths
        .iter()
        .map(|path| Course::of(mesh, scope, path, FINE / frame.scale).under_ground(mesh, scope))
        .collect();
    let colored = || courses.iter().zip(PATH_COLORS.iter().cycle());
    for (course, color) in colored() {
        for (walk, line, is_shown) in course.stretches.iter().filter_map(|part| walked(part, course, frame)) {
            if is_shown && walk.radius > 0.0 {
                let width = 2.0 * walk.radius * frame.scale;
                line_element(svg, &line, color, width, " stroke-opacity=\".22\"");
            }
        }
    }
    for (course, color) in colored() {
        for part in &course.stretches {
            draw_part(svg, part, course, frame, color);
        }
        ends(svg, course.ends.map(|end| end.map(|[x, _, z]| frame.place([x, -z]))), frame, color);
    }
}

/// Draws one part of a path.
fn draw_part(svg: &mut String, part: &Stretch, course: &Course, frame: &Frame, color: &str) {
    match part {
        Stretch::Walk { .. } => match walked(part, course, frame) {
            Some((_, line, true)) => line_element(svg, &line, color, 2.2 * frame.ui, ""),
            Some((_, line, false)) => draw_elsewhere(svg, &line, frame, color),
            None => {}
        },
        Stretch::Link { ends: [from, to], is_shown } => {
            let arch = links::arch_from_above(frame, *from, *to);
            links::draw_taken(svg, frame, &arch, color, *is_shown);
        }
    }
}

/// Returns the line of a walk, and whether it runs on shown cells. Only uncut walks have true arcs.
fn walked<'p>(part: &'p Stretch, course: &Course, frame: &Frame) -> Option<(&'p Path, PathText, bool)> {
    let Stretch::Walk { walk, points, is_shown } = part else { return None };
    if course.is_uncut {
        return Some((walk, centre_line(walk, frame), true));
    }
    let mut line = PathText::default();
    match points[..] {
        [[x, _, z]] => line.dot(frame.place([x, -z])),
        _ => line.line(points.iter().map(|[x, _, z]| frame.place([*x, -z]))),
    }
    Some((walk, line, *is_shown))
}

/// Draws a part of a path that runs on cells that are not shown.
pub fn draw_elsewhere(svg: &mut String, line: &PathText, frame: &Frame, color: &str) {
    let more = format!(" stroke-opacity=\".45\"{}", dashes(5.0 * frame.ui));
    line_element(svg, line, color, 1.6 * frame.ui, &more);
}

/// Returns the line of a walk, with arcs as arcs. A path without pieces is a dot.
fn centre_line(path: &Path, frame: &Frame) -> PathText {
    let mut line = PathText::default();
    let start = frame.place(path.start);
    if path.pieces.is_empty() {
        line.dot(start);
        return line;
    }
    line.move_to(start);
    for piece in &path.pieces {
        match *piece {
            Piece::Segment { to, .. } | Piece::Link { to, .. } => line.line_to(frame.place(to)),
            Piece::Arc { center, from, to, turn } => arc(&mut line, frame, [center, from, to], turn),
        }
    }
    line
}

/// Draws an arc in parts of at most a quarter: for more, its ends alone do not determine it.
fn arc(line: &mut PathText, frame: &Frame, [center, from, to]: [[f64; 2]; 3], turn: f64) {
    let [x, y] = [from[0] - center[0], from[1] - center[1]];
    let radius = (x * x + y * y).sqrt() * frame.scale;
    let parts = (turn.abs() / std::f64::consts::FRAC_PI_2).ceil().clamp(1.0, 8.0);
    let is_clockwise = frame.is_clockwise(turn);
    for part in 1..parts as u32 {
        let (sin, cos) = (turn * f64::from(part) / parts).sin_cos();
        let point = [center[0] + x * cos - y * sin, center[1] + x * sin + y * cos];
        line.arc_to(radius, is_clockwise, frame.place(point));
    }
    line.arc_to(radius, is_clockwise, frame.place(to));
}

/// Draws a ring at the start and a full dot at the goal, if they are shown.
pub fn ends(svg: &mut String, [start, goal]: [Option<[f64; 2]>; 2], frame: &Frame, color: &str) {
    let (mut outer, mut inner) = (PathText::default(), PathText::default());
    start.into_iter().chain(goal).for_each(|end| outer.dot(end));
    start.into_iter().for_each(|end| inner.dot(end));
    for (dots, color, width) in [(&outer, color, 9.0), (&inner, PAPER, 4.5)] {
        if !dots.is_empty() {
            line_element(svg, dots, color, width * frame.ui, "");
        }
    }
}
