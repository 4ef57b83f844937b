//! Splits walls that cross, touch or overlap into pieces that meet at their ends only.
//!
//! Invariant: the pieces do not depend on the order of the walls. Cost: that of an arrangement.

use super::{ArrangeError, Builder};
use crate::NONE;
use crate::grid::Point;
use crate::triangulation::Triangulation;

/// A piece of one or several walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitWall {
    /// Its ends.
    pub ends: [Point; 2],
    /// The walls that run along it, by index, each once. True for a wall that runs from the first end to the second.
    pub walls: Vec<(u32, bool)>,
}

/// Splits walls where they meet each other or one of the points. Crossings are rounded to the grid, and a wall that
/// passes a point or an end within half a unit is led through it.
pub fn split_walls(points: &[Point], walls: &[[Point; 2]]) -> Result<Vec<SplitWall>, ArrangeError> {
    let all: Vec<Point> = points.iter().chain(walls.iter().flatten()).copied().collect();
    let (triangulation, vertex_of) = Triangulation::of_points(&all);
    let mut segments: Vec<(u32, u32, u32, bool)> = (0..walls.len())
        .map(|wall| {
            let first = points.len() + 2 * wall;
            let (a, b) = (vertex_of[first], vertex_of[first + 1]);
            (a.min(b), a.max(b), wall as u32, a < b)
        })
        .collect();
    segments.sort_unstable();
    let mut builder = Builder::new(triangulation);
    builder.insert_segments(&segments)?;
    let mut pieces = Vec::new();
    let edges = builder.triangulation.edges();
    for e in 0..edges.len() {
        let twin = edges.twin(e);
        if edges.mark(e) == 0 || (twin != NONE && e > twin) {
            continue;
        }
        let (a, b) = (edges.origin(e), edges.target(e));
        let ends = [a.min(b), a.max(b)].map(|vertex| builder.triangulation.point(vertex));
        let mut walls: Vec<(u32, bool)> = builder.labels.iter(edges.mark(e)).collect();
        walls.sort_unstable();
        walls.dedup_by_key(|(wall, _)| *wall);
        pieces.push(SplitWall { ends, walls });
    }
    pieces.sort_unstable_by_key(|piece| piece.ends);
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_split_where_they_meet() {
        let p = Point::new;
        let walls = [[p(0, 0), p(10, 0)], [p(5, -5), p(5, 5)], [p(20, 0), p(8, 0)]];
        let pieces = split_walls(&[p(15, 0)], &walls).unwrap();
        let along = |wall: u32| {
            let has = |piece: &&SplitWall| piece.walls.iter().any(|(index, _)| *index == wall);
            pieces.iter().filter(has).count()
        };
        assert_eq!([along(0), along(1), along(2)], [3, 2, 3], "{pieces:?}");
        let shared: Vec<&SplitWall> = pieces.iter().filter(|piece| piece.walls.len() == 2).collect();
        assert_eq!(shared.len(), 1);
        assert_ne!(shared[0].walls[0].1, shared[0].walls[1].1, "they run against each other");
        let turned: Vec<[Point; 2]> = walls.iter().rev().map(|[a, b]| [*b, *a]).collect();
        let again = split_walls(&[p(15, 0)], &turned).unwrap();
        let ends = |pieces: &[SplitWall]| pieces.iter().map(|piece| piece.ends).collect::<Vec<_>>();
        assert_eq!(ends(&pieces), ends(&again));
    }
}
