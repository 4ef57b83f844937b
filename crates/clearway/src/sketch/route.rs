//! Paths over the drawing: the floor that the body sweeps, the line of its centre, and dots at both ends.

use super::frame::Frame;
use super::legend::line_element;
use super::path::PathText;
use super::{PAPER, links};
use crate::links::{Leg, LinkPath};
use crate::path::{Path, Piece};

/// Colours of paths, in turn: dark enough to stand out from the pastels of cells and the blue of portals.
pub const PATH_COLORS: [&str; 4] = ["#dc2626", "#047857", "#7c3aed", "#b45309"];

/// All paths: first every swept floor, then every line, so that no body hides a line.
pub fn paths(svg: &mut String, paths: &[LinkPath], frame: &Frame) {
    let colored = || paths.iter().zip(PATH_COLORS.iter().cycle());
    for (walk, color) in colored().flat_map(|(path, color)| path.walks().map(move |walk| (walk, color))) {
        if walk.radius > 0.0 {
            let width = 2.0 * walk.radius * frame.scale;
            line_element(svg, &centre_line(walk, frame), color, width, " stroke-opacity=\".22\"");
        }
    }
    for (path, color) in colored() {
        for leg in &path.legs {
            match leg {
                Leg::Walk(walk) => line_element(svg, &centre_line(walk, frame), color, 2.2 * frame.ui, ""),
                Leg::Link { from, to, .. } => {
                    links::draw_taken(svg, frame, &links::arch_from_above(frame, *from, *to), color);
                }
            }
        }
        ends(svg, path, frame, color);
    }
}

/// Segments as lines and arcs as arcs. A path without pieces is a dot.
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
            Piece::Segment { to, .. } => line.line_to(frame.place(to)),
            Piece::Arc { center, from, to, turn } => arc(&mut line, frame, [center, from, to], turn),
        }
    }
    line
}

/// An arc in parts of at most a quarter: for more, its ends alone do not say where it runs.
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

/// A ring at the start and a full dot at the goal.
fn ends(svg: &mut String, path: &LinkPath, frame: &Frame, color: &str) {
    let (mut outer, mut inner) = (PathText::default(), PathText::default());
    let (Some(first), Some(last)) = (path.legs.first(), path.legs.last()) else { return };
    let plan = |[x, _, z]: [f64; 3]| [x, -z];
    let start = match first {
        Leg::Walk(walk) => walk.start,
        Leg::Link { from, .. } => plan(*from),
    };
    let goal = match last {
        Leg::Walk(walk) => walk.goal,
        Leg::Link { to, .. } => plan(*to),
    };
    outer.dot(frame.place(start));
    outer.dot(frame.place(goal));
    inner.dot(frame.place(start));
    line_element(svg, &outer, color, 9.0 * frame.ui, "");
    line_element(svg, &inner, PAPER, 4.5 * frame.ui, "");
}
