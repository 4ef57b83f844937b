//! Floors that nobody drew: the space that walls enclose, and strips between floors that nearly touch.
//!
//! Plans of walls show doors as gaps, so walls do not close around rooms. The outside is flooded from the border of the
//! plan; it passes between two ends of walls only where they are further apart than the widest opening. Delaunay edges
//! join the ends that are nearest to each other, so the flood asks for their lengths. What stays dry is walkable, apart
//! from obstacles and from closed strips that are too thin for rooms: these are the insides of walls drawn as two lines.
//!
//! A strip between two floors is filled where a corner of one lies no further than the gap from a border of the other.
//! All comparisons are made in integers. Cost: linear in the triangles.

use super::labels::PLACEHOLDER;
use super::{Faces, Floor, Tally};
use crate::grid::Point;
use crate::predicates::orient;
use crate::triangulation::{BOX_VERTICES, Triangulation};
use crate::{DisjointSets, NONE};
use std::collections::BTreeSet;

/// The rules by which undrawn floors are found, in grid units; 0 turns a rule off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enclosure {
    /// Openings of the outer walls up to this width are closed, and all that walls enclose is walkable.
    pub opening: i64,
    /// Closed strips thinner than this are the insides of walls, and not walkable.
    pub thin: i64,
    /// Strips up to this width between floors are walkable.
    pub gap: i64,
}

/// The changes that the rules made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enclosed {
    /// Openings of the outer walls that were closed.
    pub openings: Tally,
    /// Strips between the lines of a wall.
    pub thin: Tally,
    /// Triangles between floors that nearly touch.
    pub gaps: Tally,
}

/// Makes triangles walkable by the rules, and marks the new borders.
pub fn enclose(
    triangulation: &mut Triangulation,
    free: &mut [bool],
    blocked: &[bool],
    rules: &Enclosure,
) -> Enclosed {
    let mut told = Enclosed::default();
    if rules.opening > 0 {
        let faces = Faces::of(triangulation);
        let outside = flood(triangulation, rules.opening);
        for t in 0..free.len() {
            free[t] = free[t] || (!outside[t] && !blocked[t]);
        }
        drop_thin(triangulation, free, &outside, &faces, rules.thin, &mut told.thin);
        close(triangulation, free, &outside, &mut told.openings);
    }
    if rules.gap > 0 {
        fill_gaps(triangulation, free, blocked, rules.gap, &mut told.gaps);
    }
    told
}

/// Floods from the border of the plan through edges without mark that are longer than an opening.
fn flood(triangulation: &Triangulation, opening: i64) -> Vec<bool> {
    let edges = triangulation.edges();
    let mut outside = vec![false; edges.triangle_count() as usize];
    let outer = triangulation.outer_triangle();
    let mut stack = vec![outer];
    outside[outer as usize] = true;
    let passes = |e: u32| {
        let ends = [edges.origin(e), edges.target(e)];
        // The corners of the box lie far away from everything drawn.
        edges.mark(e) == 0
            && (ends.iter().any(|v| *v < BOX_VERTICES) || squared_length(triangulation, e) > square(opening))
    };
    while let Some(t) = stack.pop() {
        for e in 3 * t..3 * t + 3 {
            let twin = edges.twin(e);
            if twin != NONE && !outside[twin as usize / 3] && passes(e) {
                outside[twin as usize / 3] = true;
                stack.push(twin / 3);
            }
        }
    }
    outside
}

/// Takes closed strips away that are thinner than a room: for a strip, twice its area over its border is its width.
fn drop_thin(
    triangulation: &Triangulation,
    free: &mut [bool],
    outside: &[bool],
    faces: &Faces,
    thin: i64,
    told: &mut Tally,
) {
    let edges = triangulation.edges();
    let mut doubled_area = vec![0_i128; faces.count()];
    let mut border = vec![0.0_f64; faces.count()];
    let mut is_closed = vec![true; faces.count()];
    for t in 0..edges.triangle_count() {
        let face = faces.of_triangle[t as usize] as usize;
        is_closed[face] &= !outside[t as usize];
        let [a, b, c] = corners(triangulation, t);
        doubled_area[face] += i128::from(orient(a, b, c).abs());
        let marked = (3 * t..3 * t + 3).filter(|e| edges.mark(*e) != 0);
        border[face] += marked.map(|e| (squared_length(triangulation, e) as f64).sqrt()).sum::<f64>();
    }
    // Widths are measures that choose among closed faces; they decide nothing about neighbours.
    let is_thin: Vec<bool> = (0..faces.count())
        .map(|face| is_closed[face] && (doubled_area[face] as f64) < thin as f64 * border[face])
        .collect();
    let mut is_told = vec![false; faces.count()];
    for (t, is_free) in free.iter_mut().enumerate() {
        let face = faces.of_triangle[t] as usize;
        if *is_free && is_thin[face] {
            *is_free = false;
            if !std::mem::replace(&mut is_told[face], true) {
                told.add(corners(triangulation, t as u32)[0]);
            }
        }
    }
}

/// Marks the edges between dry land and the outside that no wall runs along.
fn close(triangulation: &mut Triangulation, free: &[bool], outside: &[bool], told: &mut Tally) {
    for e in 0..triangulation.edges().len() {
        let edges = triangulation.edges();
        let twin = edges.twin(e);
        if twin == NONE || edges.mark(e) != 0 || !free[e as usize / 3] || !outside[twin as usize / 3] {
            continue;
        }
        told.add(triangulation.point(edges.origin(e)));
        triangulation.set_mark(e, PLACEHOLDER);
    }
}

/// Makes the strips between different floors walkable where they are no wider than the gap.
fn fill_gaps(
    triangulation: &mut Triangulation,
    free: &mut [bool],
    blocked: &[bool],
    gap: i64,
    told: &mut Tally,
) {
    let pieces = pieces(triangulation, free);
    let touched = touched_pieces(triangulation, free, &pieces);
    let mut filled = Vec::new();
    for t in 0..free.len() as u32 {
        let can_fill = !free[t as usize] && !blocked[t as usize];
        if can_fill && (3 * t..3 * t + 3).any(|e| spans_gap(triangulation, free, &pieces, &touched, e, gap)) {
            filled.push(t);
        }
    }
    for t in filled {
        free[t as usize] = true;
        told.add(corners(triangulation, t)[0]);
        for e in 3 * t..3 * t + 3 {
            if triangulation.edges().mark(e) == 0 {
                triangulation.set_mark(e, PLACEHOLDER);
            }
        }
    }
}

/// Counts the pairs of pieces of a floor that come within a gap of each other without touching.
pub fn nearly_touching(floor: &Floor, gap: i64) -> Tally {
    let (triangulation, free) = (&floor.triangulation, floor.free.as_slice());
    let pieces = pieces(triangulation, free);
    let touched = touched_pieces(triangulation, free, &pieces);
    let edges = triangulation.edges();
    let mut pairs: BTreeSet<[u32; 2]> = BTreeSet::new();
    let mut told = Tally::default();
    for e in (0..edges.len()).filter(|e| !free[*e as usize / 3]) {
        if spans_gap(triangulation, free, &pieces, &touched, e, gap) {
            let apex = edges.apex(e);
            let (one, other) = (pieces[edges.twin(e) as usize / 3], touched[apex as usize]);
            if pairs.insert([one.min(other), one.max(other)]) {
                told.add(triangulation.point(apex));
            }
        }
    }
    told
}

/// The connected piece of each walkable triangle.
fn pieces(triangulation: &Triangulation, free: &[bool]) -> Vec<u32> {
    let edges = triangulation.edges();
    let mut sets = DisjointSets::new(free.len());
    for e in 0..edges.len() {
        let twin = edges.twin(e);
        if twin != NONE && edges.mark(e) == 0 && free[e as usize / 3] && free[twin as usize / 3] {
            sets.join(e / 3, twin / 3);
        }
    }
    (0..free.len() as u32).map(|t| sets.root(t)).collect()
}

/// For each vertex, one piece of floor that it is a corner of.
fn touched_pieces(triangulation: &Triangulation, free: &[bool], pieces: &[u32]) -> Vec<u32> {
    let edges = triangulation.edges();
    let mut touched = vec![NONE; triangulation.points().len()];
    for e in (0..edges.len()).filter(|e| free[*e as usize / 3]) {
        touched[edges.origin(e) as usize] = pieces[e as usize / 3];
    }
    touched
}

/// True if an edge of a triangle borders one floor, and the corner opposite touches another floor within the gap.
fn spans_gap(
    triangulation: &Triangulation,
    free: &[bool],
    pieces: &[u32],
    touched: &[u32],
    e: u32,
    gap: i64,
) -> bool {
    let edges = triangulation.edges();
    let twin = edges.twin(e);
    if twin == NONE || !free[twin as usize / 3] {
        return false;
    }
    let apex = edges.apex(e);
    let other = touched[apex as usize];
    if apex < BOX_VERTICES || other == NONE || other == pieces[twin as usize / 3] {
        return false;
    }
    let [a, b, tip] = [edges.origin(e), edges.target(e), apex].map(|v| triangulation.point(v));
    if is_within(gap, a, b, tip) {
        return true;
    }
    // A corner beyond the end of the edge: the border of its floor may still run along the edge.
    let borders = edges.around(apex).filter(|out| {
        let back = edges.twin(*out);
        back != NONE && free[*out as usize / 3] != free[back as usize / 3]
    });
    is_along(gap, a, b, tip)
        && borders.map(|out| triangulation.point(edges.target(out))).any(|far| {
            is_within(gap, a, b, far) || is_within(gap, tip, far, a) || is_within(gap, tip, far, b)
        })
}

/// True if a point lies no further than `gap` from the line through a and b.
fn is_along(gap: i64, a: Point, b: Point, point: Point) -> bool {
    // The height over the line is twice the area over the length.
    let height = i128::from(orient(a, b, point));
    height * height <= square(gap) * squared_distance(a, b)
}

/// True if a point lies no further than `gap` from the segment from a to b.
fn is_within(gap: i64, a: Point, b: Point, point: Point) -> bool {
    let dot = |from: Point, to: Point| {
        let along = [i128::from(to.x) - i128::from(from.x), i128::from(to.y) - i128::from(from.y)];
        let there = [i128::from(point.x) - i128::from(from.x), i128::from(point.y) - i128::from(from.y)];
        along[0] * there[0] + along[1] * there[1]
    };
    match () {
        () if dot(a, b) < 0 => squared_distance(a, point) <= square(gap),
        () if dot(b, a) < 0 => squared_distance(b, point) <= square(gap),
        () => is_along(gap, a, b, point),
    }
}

/// The corners of a triangle.
fn corners(triangulation: &Triangulation, t: u32) -> [Point; 3] {
    [0, 1, 2].map(|k| triangulation.point(triangulation.edges().origin(3 * t + k)))
}

/// The squared length of an edge.
fn squared_length(triangulation: &Triangulation, e: u32) -> i128 {
    let edges = triangulation.edges();
    let [a, b] = [edges.origin(e), edges.target(e)].map(|v| triangulation.point(v));
    squared_distance(a, b)
}

/// The squared distance of two points.
fn squared_distance(a: Point, b: Point) -> i128 {
    let (dx, dy) = (i128::from(a.x) - i128::from(b.x), i128::from(a.y) - i128::from(b.y));
    dx * dx + dy * dy
}

/// The square of a length.
fn square(length: i64) -> i128 {
    i128::from(length) * i128::from(length)
}

#[cfg(test)]
mod tests {
    use super::super::{Chain, Role, arrange, arrange_enclosed};
    use super::*;

    fn wall(points: &[(i32, i32)]) -> Chain {
        Chain { points: points.iter().map(|(x, y)| Point { x: *x, y: *y }).collect(), role: Role::Wall }
    }

    fn room(polygon: u32, [x0, y0, x1, y1]: [i32; 4]) -> Chain {
        Chain { role: Role::Outline(polygon), ..wall(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) }
    }

    /// Twice the walkable area, and the number of pieces.
    fn measured(floor: &Floor) -> (i64, usize) {
        let count = floor.free.len() as u32;
        let area = (0..count).filter(|t| floor.free[*t as usize]).map(|t| {
            let [a, b, c] = corners(&floor.triangulation, t);
            orient(a, b, c)
        });
        let mut pieces: Vec<u32> = pieces(&floor.triangulation, &floor.free)
            .into_iter()
            .zip(&floor.free)
            .filter(|(_, free)| **free)
            .map(|(piece, _)| piece)
            .collect();
        let area = area.sum();
        pieces.sort_unstable();
        pieces.dedup();
        (area, pieces.len())
    }

    #[test]
    fn walls_with_a_door_enclose_a_floor() {
        let house = [
            wall(&[(400, 0), (0, 0), (0, 800), (1000, 800), (1000, 0), (500, 0)]),
            wall(&[(600, 0), (600, 300)]),
        ];
        let rules = Enclosure { opening: 300, thin: 60, gap: 0 };
        let (floor, told) = arrange_enclosed(&house, &rules).unwrap();
        assert_eq!(measured(&floor), (2 * 1000 * 800, 1));
        assert_eq!(told.openings.count, 1);
        // An opening that is wider than allowed lets the outside in.
        let (floor, _) = arrange_enclosed(&house, &Enclosure { opening: 50, ..rules }).unwrap();
        assert_eq!(measured(&floor).0, 0);
    }

    #[test]
    fn the_insides_of_walls_are_not_floor() {
        let ring =
            |x0: i32, y0: i32, x1: i32, y1: i32| wall(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]);
        let house = [ring(0, 0, 1000, 1000), ring(20, 20, 980, 980)];
        let (floor, told) = arrange_enclosed(&house, &Enclosure { opening: 300, thin: 60, gap: 0 }).unwrap();
        assert_eq!(measured(&floor), (2 * 960 * 960, 1));
        assert_eq!(told.thin.count, 1);
    }

    #[test]
    fn obstacles_stay_blocked_where_walls_enclose() {
        let obstacle = Chain { role: Role::Obstacle(0), ..room(0, [100, 100, 300, 200]) };
        let house = [wall(&[(0, 0), (1000, 0), (1000, 1000), (0, 1000), (0, 0)]), obstacle];
        let (floor, _) = arrange_enclosed(&house, &Enclosure { opening: 300, thin: 60, gap: 0 }).unwrap();
        assert_eq!(measured(&floor).0, 2 * (1000 * 1000 - 200 * 100));
    }

    #[test]
    fn obstacles_are_cut_out_of_floors() {
        let hole = Chain { role: Role::Hole(1), ..room(1, [40, 40, 60, 60]) };
        let obstacle = Chain { role: Role::Obstacle(1), ..room(1, [20, 20, 80, 80]) };
        let floor = arrange(&[room(0, [0, 0, 100, 100]), obstacle, hole]).unwrap();
        assert_eq!(measured(&floor), (2 * (100 * 100 - 60 * 60 + 20 * 20), 2));
    }

    #[test]
    fn gaps_are_closed_up_to_their_width_only() {
        let rooms = [room(0, [0, 0, 100, 100]), room(1, [103, 20, 200, 90]), room(2, [210, 0, 300, 100])];
        let rules = |gap| Enclosure { opening: 0, thin: 0, gap };
        assert_eq!(measured(&arrange_enclosed(&rooms, &rules(2)).unwrap().0).1, 3);
        let apart = arrange(&rooms).unwrap();
        assert_eq!([2, 3, 10].map(|gap| nearly_touching(&apart, gap).count), [0, 1, 2]);
        let (floor, told) = arrange_enclosed(&rooms, &rules(3)).unwrap();
        assert_eq!(measured(&floor).1, 2);
        assert!(told.gaps.count > 0);
        assert_eq!(measured(&arrange_enclosed(&rooms, &rules(10)).unwrap().0).1, 1);
    }
}
