//! Points that run along walls. A thin wall has two faces on one line, and a point cannot change face without a gap.
//!
//! The segment is cut where walls end on its line. Each stretch is open, or runs along the left or the right face of a
//! wall. Where stretches meet, a free sector must hold both. All tests are exact.

use super::sector::{Sector, Spot, is_between};
use super::walls::{Hold, Stand, Wall, Walls};

/// A stretch along the left face, with the wall on the right.
const LEFT: u8 = 1;
/// A stretch along the right face, with the wall on the left.
const RIGHT: u8 = 2;
/// A stretch along no wall.
const OPEN: u8 = 4;
/// A stretch of any kind. Kinds are bits, so that sets of them fit a byte.
const ANY: u8 = LEFT | RIGHT | OPEN;

/// True if a wall lies on the line of the segment from `a` to `b` and shares more than a point with it.
pub(super) fn lies_along(wall: &Wall, [a, b]: [Spot; 2]) -> bool {
    let along = a.to(b);
    let [from, to] = [wall.from, wall.to].map(|end| a.to(Spot::of(end)));
    if along.cross(from) != 0 || along.cross(to) != 0 {
        return false;
    }
    let [low, high] = span(along, from, to);
    high > 0 && low < along.dot(along)
}

/// Returns the extent of a wall along a direction, scaled by the length of the direction.
fn span(along: Spot, from: Spot, to: Spot) -> [i128; 2] {
    let [s, t] = [from, to].map(|end| along.dot(end));
    [s.min(t), s.max(t)]
}

/// True if a point gets from `a` to `b` without changing from one face of a wall to the other.
pub(super) fn keeps_face(walls: &Walls, (a, b): (&Stand, &Stand), ends: [Spot; 2]) -> bool {
    let along = ends[0].to(ends[1]);
    let mut marks = vec![];
    let mut covers = vec![];
    walls.any_near((a.at, b.at), 1.0, |wall| {
        let [from, to] = [wall.from, wall.to].map(Spot::of);
        if is_between(ends[0], ends[1], from) {
            marks.push((along.dot(ends[0].to(from)), wall.vertices[0]));
        }
        if lies_along(wall, ends) {
            let face = if along.dot(from.to(to)) > 0 { LEFT } else { RIGHT };
            covers.push((span(along, ends[0].to(from), ends[0].to(to)), face));
        }
        false
    });
    marks.sort_unstable();
    marks.dedup();
    let face = |low: i128, high: i128| {
        let covering = covers.iter().filter(|([from, to], _)| *from <= low && high <= *to);
        let faces = covering.fold(0, |faces, (_, face)| faces | face);
        if faces == 0 { OPEN } else { faces }
    };
    let mut from = 0;
    let mut arrives = leaving_stand(a, along);
    for (at, vertex) in marks {
        arrives &= face(from, at);
        let through = walls.sectors_at(vertex).iter().filter(|sector| arriving(sector, along) & arrives != 0);
        arrives = through.fold(0, |faces, sector| faces | leaving(sector, along));
        from = at;
    }
    arrives & face(from, along.dot(along)) & arriving_stand(b, along) != 0
}

/// True if two vectors point the same way.
fn same_direction(a: Spot, b: Spot) -> bool {
    a.cross(b) == 0 && a.dot(b) > 0
}

/// Returns the kinds of stretches on which a point can leave a vertex within one of its sectors.
fn leaving(sector: &Sector, along: Spot) -> u8 {
    let left = if same_direction(sector.start, along) { LEFT } else { 0 };
    let right = if same_direction(sector.end, along) { RIGHT } else { 0 };
    match left | right {
        0 if sector.holds(along) => OPEN,
        faces => faces,
    }
}

/// Returns the kinds of stretches on which a point can have come to a vertex within one of its sectors: as it would
/// leave backwards, with faces swapped.
fn arriving(sector: &Sector, along: Spot) -> u8 {
    let back = leaving(sector, along.reversed());
    (back & OPEN) | if back & LEFT != 0 { RIGHT } else { 0 } | if back & RIGHT != 0 { LEFT } else { 0 }
}

/// Returns the kinds of stretches on which a point can leave its stand.
fn leaving_stand(stand: &Stand, along: Spot) -> u8 {
    match stand.hold {
        Hold::Vertex { sector, .. } => leaving(&sector, along),
        hold => on_wall(hold, along),
    }
}

/// Returns the kinds of stretches on which a point can arrive at its stand.
fn arriving_stand(stand: &Stand, along: Spot) -> u8 {
    match stand.hold {
        Hold::Vertex { sector, .. } => arriving(&sector, along),
        hold => on_wall(hold, along),
    }
}

/// Returns the kinds of stretches that touch a stand inside a wall.
fn on_wall(hold: Hold, along: Spot) -> u8 {
    let Hold::Wall { from, to } = hold else { return ANY };
    let wall = Spot::of(from).to(Spot::of(to));
    match wall.cross(along) {
        0 if wall.dot(along) > 0 => LEFT,
        0 => RIGHT,
        _ => ANY,
    }
}
