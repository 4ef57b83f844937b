//! Segments laid over each other, each of them known along every edge: for callers that label faces by themselves.
//!
//! Cost: that of an arrangement.

use super::labels::Labels;
use super::{ArrangeError, Builder};
use crate::grid::Point;
use crate::triangulation::Triangulation;

/// A triangulation whose marked edges know the segments along them.
pub struct Overlay {
    /// The triangulation; an edge has a mark if a segment runs along it.
    pub triangulation: Triangulation,
    /// The vertices of the first and the last point of each segment.
    pub ends: Vec<[u32; 2]>,
    /// The segments along each marked edge.
    labels: Labels,
}

impl Overlay {
    /// Lays segments over each other. Where two cross, both are led through the crossing rounded to the grid.
    pub fn of(segments: &[[Point; 2]]) -> Result<Overlay, ArrangeError> {
        let (triangulation, vertex_of) = Triangulation::of_points(segments.as_flattened());
        let ends: Vec<[u32; 2]> = vertex_of.as_chunks().0.to_vec();
        let ordered =
            |(index, [from, to]): (u32, &[u32; 2])| (*from.min(to), *from.max(to), index, from < to);
        let mut pieces: Vec<(u32, u32, u32, bool)> = (0u32..).zip(&ends).map(ordered).collect();
        pieces.sort_unstable();
        let mut builder = Builder::new(triangulation);
        builder.insert_segments(&pieces)?;
        Ok(Overlay { triangulation: builder.triangulation, ends, labels: builder.labels })
    }

    /// Returns the segments along a half-edge; each comes with true if it runs the same way.
    pub fn along(&self, edge: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let edges = self.triangulation.edges();
        let upwards = edges.origin(edge) < edges.target(edge);
        self.labels.iter(edges.mark(edge)).map(move |(segment, ascending)| (segment, ascending == upwards))
    }
}
