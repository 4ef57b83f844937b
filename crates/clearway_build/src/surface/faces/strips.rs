//! Strips: connected steep faces that together rise no more than a step and are as narrow as a gap.
//!
//! They are stepped over, to whichever side they lean. That is decided for the whole group of connected faces: asked
//! per triangle, finely drawn ridges vanished. Cost: sorting the edges of all steep faces.

use crate::surface::faces::edge_table::{EdgeTable, Side};
use crate::surface::faces::soup::{Corner, Face, Kind, Soup, heights};
use clearway_geometry::DisjointSets;
use clearway_geometry::boxes::Box2;
use clearway_geometry::predicates::{orient, width};
use rayon::prelude::*;

impl Soup {
    /// Marks groups of steep faces that rise no more than `step` and are no wider than `gap`. Such risers are stepped
    /// over, to whichever side they lean.
    pub(crate) fn mark_slight_strips(&mut self, step: i64, gap: f64) {
        let corners = |face: u32| self.faces[face as usize].corners;
        let places = |face: u32| corners(face).map(|corner| self.corners[corner as usize]);
        let is_steep = |face: &u32| {
            let Face { kind, is_up, .. } = self.faces[*face as usize];
            // Faces that look down count if they rise at least as much as they are wide: the undersides of leaning
            // risers.
            let rises = |corners: [Corner; 3]| {
                let (low, high) = heights(&corners);
                low < high && f64::from(high) - f64::from(low) >= width(corners.map(|corner| corner.at))
            };
            kind == Kind::Blocking && (is_up || rises(places(*face)))
        };
        let steep: Vec<u32> = (0..self.faces.len() as u32).into_par_iter().filter(is_steep).collect();
        let edges = EdgeTable::of((0..steep.len()).map(|number| (number as u32, corners(steep[number]))));
        let mut groups = connected(edges.edges(), steep.len());
        let mut strips = vec![Strip::default(); steep.len()];
        for (number, face) in (0u32..).zip(&steep) {
            strips[groups.root(number) as usize].add(places(*face));
        }
        for (number, face) in (0u32..).zip(steep) {
            let strip = &strips[groups.root(number) as usize];
            self.faces[face as usize].is_slight = strip.rise() <= step && strip.width() <= gap;
        }
    }
}

/// Groups `count` triangles: those with sides along one edge belong together.
fn connected<'e>(edges: impl Iterator<Item = &'e [Side]>, count: usize) -> DisjointSets {
    let mut groups = DisjointSets::new(count);
    for pair in edges.flat_map(|edge| edge.windows(2)) {
        groups.join(pair[0].triangle, pair[1].triangle);
    }
    groups
}

/// The measures of a group of connected triangles, in projection.
#[derive(Clone, Copy, Debug, Default)]
struct Strip {
    /// Twice the sum of the areas, in square grid units.
    doubled_area: f64,
    /// The box around all triangles.
    extent: Option<Box2>,
    /// The lowest and the highest corner.
    heights: Option<(i32, i32)>,
}

impl Strip {
    /// Adds a triangle to the group.
    fn add(&mut self, corners: [Corner; 3]) {
        let places = corners.map(|corner| corner.at);
        self.doubled_area += orient(places[0], places[1], places[2]) as f64;
        let (extent, (low, high)) = (Box2::of(&places), heights(&corners));
        self.extent = Some(self.extent.map_or(extent, |other| extent.joined(&other)));
        self.heights = Some(self.heights.map_or((low, high), |other| (low.min(other.0), high.max(other.1))));
    }

    /// Returns the difference between the highest and the lowest corner, in grid units.
    fn rise(&self) -> i64 {
        self.heights.map_or(0, |(low, high)| i64::from(high) - i64::from(low))
    }

    /// Estimates the width across the greatest length: area over the diagonal of the box. A strip that runs around a
    /// corner comes out wider than it is, which only makes it an obstacle.
    fn width(&self) -> f64 {
        self.extent.map_or(0.0, |extent| 0.5 * self.doubled_area / extent.min.distance(extent.max))
    }
}
