//! One sheet of a walkable surface: faces that do not overlap in projection, less the blockers above them.
//!
//! Every border knows how many more faces cover the sheet on its left than on its right, and how many more blockers.
//! Borders that cross are led through each other as in any arrangement. Then the sums decide for each face of the
//! arrangement whether it is covered and whether something blocks it.
//!
//! Cost: that of an arrangement.

use super::faces::Faces;
use super::labels::Labels;
use super::{ArrangeError, Builder};
use crate::NONE;
use crate::grid::Point;
use crate::half_edges::next;
use crate::sorting::sort_by_number;
use crate::triangulation::Triangulation;

/// A straight piece of the outline of a face, of the outline of a blocker, or of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Border {
    /// The point at which it starts.
    pub from: Point,
    /// The point at which it ends.
    pub to: Point,
    /// The face of the surface that it belongs to.
    pub face: u32,
    /// The number of faces that cover its left side, less those that cover its right.
    pub cover: i32,
    /// The number of blockers on its left side, less those on its right.
    pub block: i32,
    /// True if nobody can walk across it, whatever the sides are.
    pub is_barrier: bool,
}

/// The kind of an edge of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetEdge {
    /// Walkable on both sides, with nothing between: the twin is this half-edge.
    Inner(u32),
    /// The sheet ends here, and another may go on. This face ends.
    Rim(u32),
    /// A blocker over this face ends the sheet here; the top of the blocker may go on.
    Cut(u32),
    /// Nobody can walk across it.
    Barrier,
}

/// Walkable triangles: three corners and three edges each, counter-clockwise.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The corner at which each half-edge starts.
    pub corners: Vec<Point>,
    /// The kind of each half-edge.
    pub edges: Vec<SheetEdge>,
}

/// Arranges the borders of one sheet. `meets(face, other, at)` decides for two faces that come together along an edge
/// whether one can step from one to the other at `at`. If not at both ends of the edge, both faces end there.
pub fn arrange_sheet(
    borders: &[Border],
    meets: impl Fn(u32, u32, Point) -> bool,
) -> Result<Sheet, ArrangeError> {
    let points: Vec<Point> = borders.iter().flat_map(|border| [border.from, border.to]).collect();
    let (triangulation, vertex_of) = Triangulation::of_points(&points);
    let mut segments: Vec<(u32, u32, u32, bool)> = (0u32..)
        .zip(vertex_of.chunks_exact(2))
        .map(|(index, ends)| (ends[0].min(ends[1]), ends[0].max(ends[1]), index, ends[0] < ends[1]))
        .collect();
    sort_by_number(&mut segments, |segment| segment.0 as usize);
    let mut builder = Builder::new(triangulation);
    builder.insert_segments(&segments)?;
    let free = free_triangles(&builder, borders);
    Ok(cut_out(&builder.triangulation, &builder.labels, borders, &free, meets))
}

/// Tells for each triangle whether it is covered and nothing blocks it.
fn free_triangles(builder: &Builder, borders: &[Border]) -> Vec<bool> {
    let faces = Faces::of(&builder.triangulation);
    let edges = builder.triangulation.edges();
    let mut state = [0i32; 2];
    let mut free = vec![false; faces.count()];
    let cross = |state: &mut [i32; 2], edge: u32, forth: bool| {
        let upwards = edges.origin(edge) < edges.target(edge);
        for (border, ascending) in builder.labels.iter(edges.mark(edge)) {
            let Border { cover, block, .. } = borders[border as usize];
            // Stepping from the left of a border to its right takes away what the border adds.
            let sign = if (ascending == upwards) == forth { -1 } else { 1 };
            state[0] += sign * cover;
            state[1] += sign * block;
        }
    };
    let visited: Result<(), std::convert::Infallible> = faces.walk(&mut state, cross, |state, face| {
        free[face as usize] = state[0] > 0 && state[1] == 0;
        Ok(())
    });
    debug_assert!(visited.is_ok());
    faces.of_triangle.iter().map(|face| free[*face as usize]).collect()
}

/// Copies the free triangles into a sheet of their own.
fn cut_out(
    triangulation: &Triangulation,
    labels: &Labels,
    borders: &[Border],
    free: &[bool],
    meets: impl Fn(u32, u32, Point) -> bool,
) -> Sheet {
    let edges = triangulation.edges();
    let mut number = vec![NONE; free.len()];
    let mut count = 0;
    for (number, _) in number.iter_mut().zip(free).filter(|(_, free)| **free) {
        *number = count as u32;
        count += 1;
    }
    let mut sheet = Sheet { corners: Vec::with_capacity(3 * count), edges: Vec::with_capacity(3 * count) };
    for e in (0..edges.len()).filter(|e| free[*e as usize / 3]) {
        let twin = edges.twin(e);
        let is_inner = twin != NONE && free[twin as usize / 3];
        let sides = Sides::of(triangulation, labels, borders, e);
        let ends = [e, next(e)].map(|e| triangulation.point(edges.origin(e)));
        let meeting = sides.left.zip(sides.right);
        let parts = meeting.is_some_and(|(left, right)| !ends.iter().all(|end| meets(left, right, *end)));
        sheet.corners.push(ends[0]);
        sheet.edges.push(if sides.is_barrier {
            SheetEdge::Barrier
        } else if is_inner && !parts {
            SheetEdge::Inner(3 * number[twin as usize / 3] + twin % 3)
        } else {
            sides.left.map_or(SheetEdge::Cut(sides.any), SheetEdge::Rim)
        });
    }
    sheet
}

/// The faces on the two sides of an edge, according to its labels.
struct Sides {
    /// The lowest face that begins on the left.
    left: Option<u32>,
    /// The lowest face that begins on the right.
    right: Option<u32>,
    /// The lowest face of any border along the edge.
    any: u32,
    /// True if a barrier runs along the edge.
    is_barrier: bool,
}

impl Sides {
    /// Collects the labels of a half-edge.
    fn of(triangulation: &Triangulation, labels: &Labels, borders: &[Border], e: u32) -> Sides {
        let edges = triangulation.edges();
        let upwards = edges.origin(e) < edges.target(e);
        let mut sides = Sides { left: None, right: None, any: NONE, is_barrier: false };
        for (border, ascending) in labels.iter(edges.mark(e)) {
            let Border { face, cover, is_barrier, .. } = borders[border as usize];
            sides.is_barrier |= is_barrier;
            sides.any = sides.any.min(face);
            if cover != 0 {
                let side =
                    if (ascending == upwards) == (cover > 0) { &mut sides.left } else { &mut sides.right };
                *side = Some(side.map_or(face, |known| known.min(face)));
            }
        }
        sides
    }
}
