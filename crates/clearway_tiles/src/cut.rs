//! Cuts a convex cell along the lines of the tiles.
//!
//! A cut is a diagonal of the cell between two points near the line. Points are vertices of the cell, or lattice points
//! of its sides: these lie on the side exactly, so no side bends. Where a side has no lattice point near the line, the
//! cut runs to the nearest vertex; where that is far away too, the cell is not cut there.
//!
//! Cost: linear in the sides of the cell, times the lines across it.

use crate::lines::TileLines;
use clearway_geometry::Point;
use clearway_geometry::construct::{lattice_point, lattice_steps};
use clearway_geometry::predicates::doubled_area;

/// The part of a tile by which a cell may stick out of it without being cut.
const SLACK: f64 = 1.0 / 16.0;

/// The part of a tile by which an added point must be nearer to the line than a vertex.
const PREFERENCE: f64 = 1.0 / 32.0;

/// The part of a tile by which the ends of a cut may be off its line.
const FARTHEST: f64 = 0.5;

/// A point of the outline of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// A vertex of the mesh.
    Vertex(u32),
    /// A lattice point of an edge, by its steps from the start of the edge.
    Added {
        /// The edge.
        edge: Edge,
        /// The number of steps.
        step: u32,
    },
}

/// A straight line that sides lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edge {
    /// A portal of the mesh, by number.
    Portal(u32),
    /// A wall of the mesh, from its lower vertex to its higher one. Both sides of a thin wall are one edge.
    Wall(u32, u32),
    /// A cut: the cell, and its number in the cell.
    Cut(u32, u32),
}

/// A point of an outline, and the edge from it to the next point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The point by name.
    pub spot: Spot,
    /// The point on the grid.
    pub at: Point,
    /// The edge to the next node.
    pub edge: Edge,
}

/// A cut through a cell, in the direction in which its steps are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Its ends by name.
    pub spots: [Spot; 2],
}

/// The pieces of a cell and the cuts between them.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// The outlines, counter-clockwise. They hold every candidate; those that no cut uses are left out later.
    pub outlines: Vec<Vec<Node>>,
    /// The cuts, by number.
    pub cuts: Vec<Cut>,
}

/// Appends the nodes of an edge: its start, then its lattice points near tile lines. `is_reversed` tells that the side
/// runs against the edge.
pub(crate) fn add_side(
    outline: &mut Vec<Node>,
    lines: &TileLines,
    start: Spot,
    edge: Edge,
    ends: [Point; 2],
    is_reversed: bool,
) {
    outline.push(Node { spot: start, at: ends[usize::from(is_reversed)], edge });
    let steps = candidates(lines, ends);
    let node = |step: &u32| {
        let at = lattice_point(ends[0], ends[1], i64::from(*step));
        Node { spot: Spot::Added { edge, step: *step }, at, edge }
    };
    if is_reversed {
        outline.extend(steps.iter().rev().map(node));
    } else {
        outline.extend(steps.iter().map(node));
    }
}

/// Cuts a cell along all lines across it: first into columns, then each column into rows.
pub(crate) fn cut(cell: u32, outline: Vec<Node>, lines: &TileLines) -> Pieces {
    let mut work = Work { cell, lines, cuts: Vec::new() };
    let columns = work.sliced(outline, 0);
    let outlines = columns.into_iter().flat_map(|column| work.sliced(column, 1)).collect();
    Pieces { outlines, cuts: work.cuts }
}

/// A cell that is being cut.
struct Work<'a> {
    cell: u32,
    lines: &'a TileLines,
    cuts: Vec<Cut>,
}

impl Work<'_> {
    /// Cuts a piece along the lines across one axis.
    fn sliced(&mut self, mut rest: Vec<Node>, axis: usize) -> Vec<Vec<Node>> {
        let mut slices = Vec::new();
        let (low, high) = span(&rest, axis);
        for number in self.lines.between(axis, low, high) {
            let line = self.lines.line(axis, number);
            if let Some([from, to]) = self.diagonal(&rest, axis, line) {
                let [before, after] = self.split(&rest, from, to);
                slices.push(before);
                rest = after;
            }
        }
        slices.push(rest);
        slices
    }

    /// Returns the diagonal to cut along: from the place nearest to the line on the way down the axis to the place
    /// nearest to it on the way up.
    fn diagonal(&self, piece: &[Node], axis: usize, line: i64) -> Option<[usize; 2]> {
        let units = self.lines.units();
        let (low, high) = span(piece, axis);
        if ((line - low).min(high - line) as f64) <= units * SLACK {
            return None;
        }
        let first = (0..piece.len()).min_by_key(|i| coordinate(&piece[*i], axis))?;
        let last = (0..piece.len()).max_by_key(|i| coordinate(&piece[*i], axis))?;
        let best = |from: usize, to: usize| {
            let count = (to + piece.len() - from) % piece.len();
            let places = (0..=count).map(|i| (from + i) % piece.len());
            let off = |place: usize| (coordinate(&piece[place], axis) - line).unsigned_abs() as f64;
            let cost = |place: usize| match piece[place].spot {
                Spot::Vertex(_) => off(place),
                Spot::Added { .. } => off(place) + units * PREFERENCE,
            };
            let place = places.min_by(|p, q| cost(*p).total_cmp(&cost(*q)))?;
            (off(place) < units * FARTHEST).then_some(place)
        };
        let (up, down) = (best(first, last)?, best(last, first)?);
        let has_area = |from: usize, to: usize| {
            let ring: Vec<Point> = walk(piece, from, to).map(|node| node.at).collect();
            ring.len() > 2 && doubled_area(ring.into_iter()) > 0
        };
        (up != down && has_area(up, down) && has_area(down, up)).then_some([down, up])
    }

    /// Splits a piece along a diagonal. The part from `from` on comes first: it holds the lower end of the axis.
    fn split(&mut self, piece: &[Node], from: usize, to: usize) -> [Vec<Node>; 2] {
        let edge = Edge::Cut(self.cell, self.cuts.len() as u32);
        let ends = [piece[to].at, piece[from].at];
        self.cuts.push(Cut { spots: [piece[to].spot, piece[from].spot] });
        let part = |from: usize, to: usize, is_reversed: bool| {
            let mut part: Vec<Node> = walk(piece, from, to).copied().collect();
            let start = part.pop().map_or(piece[to].spot, |node| node.spot);
            add_side(&mut part, self.lines, start, edge, ends, is_reversed);
            part
        };
        [part(from, to, false), part(to, from, true)]
    }
}

/// Returns the nodes from one place to another, both included.
fn walk(piece: &[Node], from: usize, to: usize) -> impl Iterator<Item = &Node> {
    let count = (to + piece.len() - from) % piece.len();
    (0..=count).map(move |i| &piece[(from + i) % piece.len()])
}

/// Returns the least and the greatest coordinate of a piece.
fn span(piece: &[Node], axis: usize) -> (i64, i64) {
    let all = || piece.iter().map(|node| coordinate(node, axis));
    (all().min().unwrap_or(0), all().max().unwrap_or(0))
}

/// Returns a coordinate of a node.
fn coordinate(node: &Node, axis: usize) -> i64 {
    i64::from(if axis == 0 { node.at.x } else { node.at.y })
}

/// Returns the lattice points of an edge that lie next to tile lines, as steps from its start, rising.
fn candidates(lines: &TileLines, [a, b]: [Point; 2]) -> Vec<u32> {
    let count = lattice_steps(a, b);
    if count < 2 {
        return Vec::new();
    }
    let mut steps = Vec::new();
    for (axis, from, to) in [(0, a.x, b.x), (1, a.y, b.y)] {
        let (from, to) = (i64::from(from), i64::from(to));
        for number in lines.between(axis, from.min(to), from.max(to)) {
            let line = lines.line(axis, number);
            // Both are of one sign; the quotient is rounded to the nearest.
            let (part, whole) = ((line - from).abs() * count, (to - from).abs());
            let step = (2 * part + whole) / (2 * whole);
            let off = ((to - from) / count * step + from - line).unsigned_abs() as f64;
            if step > 0 && step < count && off < lines.units() * FARTHEST {
                steps.push(step as u32);
            }
        }
    }
    steps.sort_unstable();
    steps.dedup();
    steps
}
