//! Draws links as dashed arches in the colour of their kind, with an arrow if they lead one way only.
//!
//! From above an arch is bent aside, the same way in both directions. From aside it rises above its higher end. A link
//! that leads straight up is a ring from above.

use super::frame::Frame;
use super::legend::{dashes, line_element};
use super::path::PathText;
use super::route::draw_elsewhere;
use super::scope::Scope;
use super::{PAPER, SketchOptions};
use clearway_nav::mesh::{LinkKind, LinkRecord, NavMesh};
use std::collections::BTreeSet;

/// The distance by which an arch is bent aside, as a share of its length in plan.
const BEND: f64 = 0.16;
/// The height by which an arch rises above its higher end, as a share of its length in plan.
const RISE: f64 = 0.4;
/// Ends closer than this in the picture are one point, in pixels at nominal width.
const ONE_PLACE: f64 = 2.0;

/// A cubic curve in the picture: its end points and the two control points between them.
pub type Arch = [[f64; 2]; 4];

/// Returns the colour of a kind.
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

/// Returns the kinds of links that a picture shows, each once.
pub fn kinds_shown<'a>(
    mesh: &'a NavMesh,
    scope: &'a Scope,
    options: &'a SketchOptions,
) -> BTreeSet<&'a LinkKind> {
    shown(mesh, scope, options).map(|link| &link.kind).collect()
}

/// Returns the links that a picture shows: links of a shown kind with an end on a shown cell.
pub fn shown<'a>(
    mesh: &'a NavMesh,
    scope: &'a Scope,
    options: &'a SketchOptions,
) -> impl Iterator<Item = &'a LinkRecord> {
    let of_kind = mesh.parts().links.iter().filter(|link| options.shows(&link.kind));
    of_kind.filter(move |link| link.ends.iter().any(|end| scope.shows(end.cell)))
}

/// Returns the arch between two points of the world, seen from above.
pub fn arch_from_above(frame: &Frame, from: [f64; 3], to: [f64; 3]) -> Arch {
    let [start, end] = [from, to].map(|[x, _, z]| frame.place([x, -z]));
    let along = [end[0] - start[0], end[1] - start[1]];
    // The sign depends on the order of the ends, so that both directions of a link have one arch.
    let bend = if start < end { BEND } else { -BEND };
    let at = |share: f64| {
        [start[0] + share * along[0] + bend * along[1], start[1] + share * along[1] - bend * along[0]]
    };
    [start, at(0.25), at(0.75), end]
}

/// Returns the arch between two points of the world, seen from aside. `see` projects a point; `stretch` is the factor
/// for heights.
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

/// Draws a link, unless one of its ends lies outside the ground of the picture.
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

/// Draws an arch that a path takes, dashed in the colour of the path; faint if neither end is on a shown cell.
pub fn draw_taken(svg: &mut String, frame: &Frame, arch: &Arch, color: &str, is_shown: bool) {
    let line = curve(arch);
    if !is_shown {
        return draw_elsewhere(svg, &line, frame, color);
    }
    line_element(svg, &line, PAPER, 4.4 * frame.ui, " stroke-opacity=\".8\"");
    line_element(svg, &line, color, 2.4 * frame.ui, &dashes(5.0 * frame.ui));
}

/// Returns an arch as the text of a path.
fn curve(&[start, first, second, end]: &Arch) -> PathText {
    let mut line = PathText::default();
    line.move_to(start);
    line.curve_to([first, second, end]);
    line
}

/// Returns the head of an arrow at the end of an arch.
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

/// Returns the distance of two pixels.
fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    (p[0] - q[0]).hypot(p[1] - q[1])
}
