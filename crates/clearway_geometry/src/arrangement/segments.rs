//! Builds a floor from segments that do not cross and whose sides are known.
//!
//! Cost: that of a constrained triangulation, plus one flood over the triangles.

use super::{Floor, Repairs, WALL};
use crate::NONE;
use crate::grid::Point;
use crate::predicates::same_direction;
use crate::triangulation::{EdgeMark, Triangulation};

/// A straight piece of wall or portal.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// One end.
    pub from: Point,
    /// The other end.
    pub to: Point,
    /// The mark its edges get.
    pub mark: EdgeMark,
    /// For the left and for the right, true if it is walkable; `None` where that is not known.
    pub free: [Option<bool>; 2],
}

/// Triangulates segments that meet only in end points, overlap, or pass through each other's end points. Walkability
/// spreads from their sides to all triangles that no wall separates. `None` if two of them cross.
pub fn floor_of_segments(segments: &[Segment]) -> Option<Floor> {
    let ends: Vec<Point> = segments.iter().flat_map(|s| [s.from, s.to]).collect();
    let (mut triangulation, vertex_of) = Triangulation::of_points(&ends);
    let pairs = || vertex_of.chunks_exact(2).map(|pair| (pair[0], pair[1])).zip(segments);
    for ((a, b), segment) in pairs() {
        if !triangulation.join(a, b, segment.mark) {
            return None;
        }
    }
    let mut known = vec![None; triangulation.edges().triangle_count() as usize];
    known[triangulation.outer_triangle() as usize] = Some(false);
    for ((a, b), segment) in pairs() {
        note_sides(&triangulation, a, b, segment.free, &mut known);
    }
    let free = flood(&triangulation, known);
    Some(Floor { triangulation, free, repairs: Repairs::default() })
}

/// Notes the walkability beside every edge on the way from `a` to `b`.
fn note_sides(
    triangulation: &Triangulation,
    a: u32,
    b: u32,
    free: [Option<bool>; 2],
    known: &mut [Option<bool>],
) {
    let edges = triangulation.edges();
    let goal = triangulation.point(b);
    let mut at = a;
    while at != b {
        let onward = goal - triangulation.point(at);
        let ahead = edges.around(at).find(|e| same_direction(triangulation.direction(*e), onward));
        let Some(edge) = ahead else { return };
        for (side, free) in [edge, edges.twin(edge)].into_iter().zip(free) {
            if side != NONE && free.is_some() {
                known[side as usize / 3] = free;
            }
        }
        at = edges.target(edge);
    }
}

/// Rebuilds a floor from its walls alone: vertices without a wall are gone.
pub fn walls_alone(floor: Floor) -> Floor {
    let edges = floor.triangulation.edges();
    let is_wall = |e: &u32| edges.mark(*e) == WALL && *e < edges.twin(*e);
    let segment = |e: u32| Segment {
        from: floor.triangulation.point(edges.origin(e)),
        to: floor.triangulation.point(edges.target(e)),
        mark: WALL,
        free: [e, edges.twin(e)].map(|side| Some(floor.free[side as usize / 3])),
    };
    let segments: Vec<Segment> = (0..edges.len()).filter(is_wall).map(segment).collect();
    // Edges of one triangulation never cross, so there is always a new floor.
    let repairs = floor.repairs;
    Floor { repairs, ..floor_of_segments(&segments).unwrap_or(floor) }
}

/// Spreads known walkability over all triangles that no wall separates. Triangles that nothing reaches are not
/// walkable.
fn flood(triangulation: &Triangulation, mut known: Vec<Option<bool>>) -> Vec<bool> {
    let edges = triangulation.edges();
    let mut stack: Vec<u32> = (0..known.len() as u32).filter(|t| known[*t as usize].is_some()).collect();
    while let Some(t) = stack.pop() {
        for e in 3 * t..3 * t + 3 {
            let twin = edges.twin(e);
            if twin != NONE && edges.mark(e) != WALL && known[twin as usize / 3].is_none() {
                known[twin as usize / 3] = known[t as usize];
                stack.push(twin / 3);
            }
        }
    }
    known.into_iter().map(|state| state.unwrap_or(false)).collect()
}
