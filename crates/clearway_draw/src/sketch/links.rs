//! Links over the drawing: dashed arches in the colour of their kind, with an arrow where they lead one way only.
//!
//! Seen from above an arch is bent aside, the same way in both directions; seen from aside it rises above its higher
//! end. What leads straight up is a ring from above.

use super::frame::Frame;
use super::legend::{dashes, line_element};
use super::path::PathText;
use super::route::draw_elsewhere;
use super::scope::Scope;
use super::{PAPER, SketchOptions};
use clearway_nav::mesh::{LinkKind, LinkRecord, NavMesh};
use std::collections::BTreeSet;

/// How far an arch is bent aside, and how high it rises, as a share of its length in plan.
const BEND: f64 = 0.16;
const RISE: f64 = 0.4;
/// Ends closer than this in the picture are one place, in pixels of a picture of nominal width.
const ONE_PLACE: f64 = 2.0;

/// A cubic curve in the picture: its end points and the two control points between them.
pub type Arch = [[f64; 2]; 4];

/// The colour of a kind.
pub fn kind_color(kind: &LinkKind) -> &'static str {
    match kind {
        LinkKind::Lift => "#0e7490",
        LinkKind::Ladder => "#4d7c0f",
        LinkKind::Jump => "#c026d3",
        LinkKind::Drop => "#ea580c",
        LinkKind::Door => "#a16207",
        LinkKind::Teleport => "#4338ca",
        LinkKind::Other(_) => "#475569",
    }
}

/// The kinds of links that a picture shows, each once.
pub fn kinds_shown<'a>(
    mesh: &'a NavMesh,
    scope: &'a Scope,
    options: &'a SketchOptions,
) -> BTreeSet<&'a LinkKind> {
    shown(mesh, scope, options).map(|link| &link.kind).collect()
}

/// The links that a picture shows: those of the right kind with an end on a cell that is shown.
pub fn shown<'a>(
    mesh: &'a NavMesh,
    scope: &'a Scope,
    options: &'a SketchOptions,
) -> impl Iterator<Item = &'a LinkRecord> {
    let of_kind = mesh.parts().links.iter().filter(|link| options.shows(&link.kind));
    of_kind.filter(move |link| link.ends.iter().any(|end| scope.shows(end.cell)))
}

/// The arch between two places of the world, seen from above.
pub fn arch_from_above(frame: &Frame, from: [f64; 3], to: [f64; 3]) -> Arch {
    let [start, end] = [from, to].map(|[x, _, z]| frame.place([x, -z]));
    let along = [end[0] - start[0], end[1] - start[1]];
    // Both directions of a link have one arch.
    let bend = if start < end { BEND } else { -BEND };
    let at = |share: f64| {
        [start[0] + share * along[0] + bend * along[1], start[1] + share * along[1] - bend * along[0]]
    };
    [start, at(0.25), at(0.75), end]
}

/// The arch between two places of the world; `see` tells where a place is seen, and by how much heights are stretched.
pub fn arch_from_aside(
    (see, stretch): (impl Fn([f64; 3]) -> [f64; 2], f64),
    [from, to]: [[f64; 3]; 2],
) -> Arch {
    let flat = (to[0] - from[0]).hypot(to[2] - from[2]);
    let top = from[1].max(to[1]) + RISE * flat / stretch;
    let at = |share: f64| {
        let [x, z] = [0, 2].map(|axis| from[axis] + share * (to[axis] - from[axis]));
        see([x, top, z])
    };
    [see(from), at(0.25), at(0.75), see(to)]
}

/// Draws a link; one whose arch leaves the ground of the picture is left out.
pub fn draw(svg: &mut String, frame: &Frame, link: &LinkRecord, arch: &Arch) {
    let [left, top, width, height] = frame.ground();
    let is_inside =
        |[x, y]: [f64; 2]| (left..=left + width).contains(&x) && (top..=top + height).contains(&y);
    if !is_inside(arch[0]) || !is_inside(arch[3]) {
        return;
    }
    let color = kind_color(&link.kind);
    if distance(arch[0], arch[3]) < ONE_PLACE * frame.ui {
        let mut dot = PathText::default();
        dot.dot(arch[0]);
        line_element(svg, &dot, color, 11.0 * frame.ui, "");
        return line_element(svg, &dot, PAPER, 7.0 * frame.ui, "");
    }
    let line = curve(arch);
    line_element(svg, &line, PAPER, 4.0 * frame.ui, " stroke-opacity=\".7\"");
    line_element(svg, &line, color, 1.8 * frame.ui, &dashes(4.0 * frame.ui));
    let mut ends = PathText::default();
    ends.dot(arch[0]);
    if link.both_ways {
        ends.dot(arch[3]);
    }
    let size = (5.0 * frame.ui).min(0.5 * distance(arch[0], arch[3]));
    line_element(svg, &ends, color, size, "");
    if !link.both_ways {
        line_element(svg, &arrow(frame, arch), color, 1.8 * frame.ui, "");
    }
}

/// An arch as a line of a path, dashed in the colour of the path; faint if neither end is on a cell that is shown.
pub fn draw_taken(svg: &mut String, frame: &Frame, arch: &Arch, color: &str, is_shown: bool) {
    let line = curve(arch);
    if !is_shown {
        return draw_elsewhere(svg, &line, frame, color);
    }
    line_element(svg, &line, PAPER, 4.4 * frame.ui, " stroke-opacity=\".8\"");
    line_element(svg, &line, color, 2.4 * frame.ui, &dashes(5.0 * frame.ui));
}

fn curve(&[start, first, second, end]: &Arch) -> PathText {
    let mut line = PathText::default();
    line.move_to(start);
    line.curve_to([first, second, end]);
    line
}

/// The head of an arrow at the end of an arch.
fn arrow(frame: &Frame, arch: &Arch) -> PathText {
    let [before, tip] = [if distance(arch[2], arch[3]) > 0.01 { arch[2] } else { arch[0] }, arch[3]];
    let length = distance(before, tip).max(0.01);
    let size = (7.0 * frame.ui).min(0.4 * distance(arch[0], tip));
    let back = [(before[0] - tip[0]) / length, (before[1] - tip[1]) / length];
    let barb = |side: f64| {
        let turned = [back[0] - side * back[1], back[1] + side * back[0]];
        [0, 1].map(|axis| tip[axis] + size * turned[axis])
    };
    let mut head = PathText::default();
    head.line([barb(0.5), tip, barb(-0.5)].into_iter());
    head
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    (p[0] - q[0]).hypot(p[1] - q[1])
}
