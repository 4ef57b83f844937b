//! Hatches: filled areas, bounded by loops of lines and curves.
//!
//! The group codes of a loop follow each other in a fixed order, and the same codes mean other things around the loops.
//! So they are kept in order and read as a list. Cost: linear.

use super::curves::{Arc, Spline, radians, turn};
use super::entity::{EntityForm, shortfall};
use std::iter::Peekable;
use std::slice::Iter;

/// The bit of group code 92 of a loop that is one polyline.
const IS_POLYLINE: f64 = 2.0;

/// The pieces of a loop, one after the other.
pub(super) type Loop = Vec<EntityForm>;

/// The numbers of a hatch in the order of the file, with their group codes.
type Numbers<'a> = Peekable<Iter<'a, (i32, f64)>>;

/// True for the group codes that tell loops.
pub(super) fn is_of_loop(code: i32) -> bool {
    matches!(code, 10 | 11 | 20 | 21 | 40 | 42 | 50 | 51 | 72..=75 | 91..=97)
}

/// Reads the loops of a hatch, and tells what they lack. What does not follow the format ends the list.
pub(super) fn loops(numbers: &[(i32, f64)]) -> (Vec<Loop>, Option<String>) {
    let mut numbers = numbers.iter().peekable();
    let mut loops = Vec::new();
    let mut flaw = None;
    // The elevation comes before the number of loops.
    while numbers.next_if(|(code, _)| *code != 91).is_some() {}
    let declared = take(&mut numbers, 91).unwrap_or(0.0);
    while let Some(flags) = take(&mut numbers, 92) {
        let is_polyline = (flags / IS_POLYLINE).floor() % 2.0 == 1.0;
        let found = if is_polyline { polyline(&mut numbers) } else { edges(&mut numbers) };
        let number = loops.len() + 1;
        let Some((found, short)) = found else {
            flaw = flaw.or_else(|| Some(format!("boundary {number} breaks off and was left out")));
            break;
        };
        flaw = flaw.or_else(|| short.map(|short| format!("boundary {number}: {short}")));
        loops.push(found);
        // The entities that the loop was made from are of no use.
        while numbers.next_if(|(code, _)| *code == 97).is_some() {}
    }
    let flaw = flaw.or_else(|| shortfall("boundaries", declared as i64, loops.len()));
    (loops, flaw)
}

/// Takes the next number if it has this code.
fn take(numbers: &mut Numbers<'_>, code: i32) -> Option<f64> {
    numbers.next_if(|(next, _)| *next == code).map(|(_, value)| *value)
}

/// Takes two numbers that are a point.
fn point(numbers: &mut Numbers<'_>, code: i32) -> Option<[f64; 2]> {
    Some([take(numbers, code)?, take(numbers, code + 10)?])
}

/// Reads a loop that is one polyline, and tells what it lacks.
fn polyline(numbers: &mut Numbers<'_>) -> Option<(Loop, Option<String>)> {
    take(numbers, 72);
    take(numbers, 73);
    let declared = take(numbers, 93)?;
    let mut corners = Vec::new();
    while let Some([x, y]) = point(numbers, 10) {
        corners.push([x, y, take(numbers, 42).unwrap_or(0.0)]);
    }
    let short = shortfall("corners", declared as i64, corners.len());
    Some((vec![EntityForm::Polyline { corners, is_closed: true }], short))
}

/// Reads a loop of lines and curves, and tells what it lacks.
fn edges(numbers: &mut Numbers<'_>) -> Option<(Loop, Option<String>)> {
    let declared = take(numbers, 93)?;
    let mut pieces = Vec::new();
    while let Some(kind) = take(numbers, 72) {
        let piece = match kind as i64 {
            1 => {
                let ends = [point(numbers, 10)?, point(numbers, 11)?].map(|[x, y]| [x, y, 0.0]);
                EntityForm::Polyline { corners: ends.to_vec(), is_closed: false }
            }
            2 => {
                let (centre, radius) = (point(numbers, 10)?, take(numbers, 40)?);
                EntityForm::Arc(arc(numbers, centre, [radius, 0.0], 1.0)?)
            }
            3 => {
                let (centre, axis) = (point(numbers, 10)?, point(numbers, 11)?);
                let ratio = take(numbers, 40)?;
                EntityForm::Arc(arc(numbers, centre, axis, ratio)?)
            }
            4 => spline(numbers)?,
            _ => return None,
        };
        pieces.push(piece);
    }
    let short = shortfall("edges", declared as i64, pieces.len());
    let flaw = short.or_else(|| pieces.iter().find_map(EntityForm::flaw));
    Some((pieces, flaw))
}

/// Reads the angles of an arc. Arcs that run clockwise have their angles counted clockwise.
fn arc(numbers: &mut Numbers<'_>, centre: [f64; 2], axis: [f64; 2], ratio: f64) -> Option<Arc> {
    let [from, to] = [radians(take(numbers, 50)?), radians(take(numbers, 51)?)];
    let is_left = take(numbers, 73)? != 0.0;
    let other = [-axis[1] * ratio, axis[0] * ratio];
    let sweep = turn(from, to);
    let (start, sweep) = if is_left { (from, sweep) } else { (-from, -sweep) };
    Some(Arc { centre, axis, other, start, sweep })
}

/// Reads a spline.
fn spline(numbers: &mut Numbers<'_>) -> Option<EntityForm> {
    let degree = take(numbers, 94)?;
    take(numbers, 73);
    take(numbers, 74);
    take(numbers, 95)?;
    take(numbers, 96)?;
    let mut spline = Spline { degree: degree.clamp(0.0, 16.0) as usize, ..Spline::default() };
    while let Some(knot) = take(numbers, 40) {
        spline.knots.push(knot);
    }
    while let Some(control) = point(numbers, 10) {
        spline.control.push(control);
        spline.weights.extend(take(numbers, 42));
    }
    // The number of points that it passes through has the code that otherwise ends a loop.
    if numbers.next_if(|(code, _)| *code == 97).is_some() {
        while let Some(fit) = point(numbers, 11) {
            spline.fit.push(fit);
        }
    }
    Some(EntityForm::Spline { spline, is_closed: false })
}

/// Joins the pieces of a loop into a ring. A piece is turned around if its other end lies nearer to what came before.
pub(super) fn joined(pieces: Vec<Vec<[f64; 2]>>) -> Vec<[f64; 2]> {
    let apart = |a: Option<&[f64; 2]>, b: Option<&[f64; 2]>| match (a, b) {
        (Some(a), Some(b)) => (a[0] - b[0]).hypot(a[1] - b[1]),
        _ => f64::INFINITY,
    };
    let mut pieces = pieces.into_iter().filter(|piece| !piece.is_empty()).peekable();
    let mut ring = pieces.next().unwrap_or_default();
    if let Some(next) = pieces.peek() {
        let nearest = |end| apart(end, next.first()).min(apart(end, next.last()));
        if nearest(ring.first()) < nearest(ring.last()) {
            ring.reverse();
        }
    }
    for mut piece in pieces {
        if apart(ring.last(), piece.last()) < apart(ring.last(), piece.first()) {
            piece.reverse();
        }
        ring.extend(piece);
    }
    ring
}
