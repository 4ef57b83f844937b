//! The edges of triangles, each with all triangles that have a side along it.
//!
//! A table holds for one state of the soup: a pass that changes faces makes the next one. Invariant: the order of edges
//! and of the sides along them depends on the triangles and their numbers only. Cost: sorting three sides per triangle
//! by counting.

use clearway_base::parallel::sort_by_number;

/// A side of a triangle. The order brings sides along one edge together, sorted by triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// The lower of its two corner indices.
    pub low: u32,
    /// The higher of its two corner indices.
    pub high: u32,
    /// The number of the triangle.
    pub triangle: u32,
    /// Which corner of the triangle the side starts at: 0, 1 or 2.
    pub turn: u8,
    /// True if the side runs from `low` to `high`, with its triangle on the left.
    pub is_ahead: bool,
}

impl Side {
    /// Returns the corner indices in the direction of the side.
    pub fn ends(&self) -> [u32; 2] {
        if self.is_ahead { [self.low, self.high] } else { [self.high, self.low] }
    }
}

/// The sides of triangles, sorted by edge.
#[derive(Debug)]
pub struct EdgeTable {
    /// All sides, sorted.
    sides: Vec<Side>,
}

impl EdgeTable {
    /// Makes the table of numbered triangles, each given by its corner indices.
    pub fn of(triangles: impl ExactSizeIterator<Item = (u32, [u32; 3])>) -> EdgeTable {
        let mut sides = Vec::with_capacity(3 * triangles.len());
        for (triangle, corners) in triangles {
            sides.extend([0, 1, 2].map(|turn: u8| {
                let [from, to] = [turn, (turn + 1) % 3].map(|i| corners[usize::from(i)]);
                Side { low: from.min(to), high: from.max(to), triangle, turn, is_ahead: from < to }
            }));
        }
        sort_by_number(&mut sides, |side| side.low as usize);
        EdgeTable { sides }
    }

    /// Returns the sides along each edge. No edge is without a side.
    pub fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.sides.chunk_by(|one, other| (one.low, one.high) == (other.low, other.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_along_one_edge_stand_together_whatever_their_direction() {
        let triangles = [(7, [0, 1, 2]), (4, [1, 0, 3]), (9, [2, 1, 4])];
        let table = EdgeTable::of(triangles.into_iter());
        let shared: Vec<Vec<(u32, u8, [u32; 2])>> = table
            .edges()
            .filter(|edge| edge.len() > 1)
            .map(|edge| edge.iter().map(|side| (side.triangle, side.turn, side.ends())).collect())
            .collect();
        assert_eq!(shared, [[(4, 0, [1, 0]), (7, 0, [0, 1])], [(7, 1, [1, 2]), (9, 0, [2, 1])]]);
        assert_eq!(table.edges().count(), 7);
    }
}
