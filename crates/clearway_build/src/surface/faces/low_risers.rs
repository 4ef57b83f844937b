//! Low risers: connected steep faces that together rise no more than a step.
//!
//! Two kinds of them do not stop a walker. Bevelled kerbs that lead from one floor up to another become walkable.
//! Strips as narrow as a gap are stepped over. Both are decided for the whole group of connected faces: asked per
//! triangle, finely drawn ridges vanished. Cost: sorting the edges of all steep faces.

use crate::surface::faces::edge_table::{EdgeTable, Side};
use crate::surface::faces::soup::{Corner, Face, Kind, Soup, heights};
use clearway_geometry::DisjointSets;
use clearway_geometry::boxes::Box2;
use clearway_geometry::predicates::{orient, width};
use rayon::prelude::*;

impl Soup {
    /// Makes groups of steep faces walkable that rise no more than `step` and lead from one floor up to another.
    ///
    /// Both conditions matter: without the second, precision on the dungeon falls from 99.9 % to 97 %.
    pub(crate) fn raise_low_kerbs(&mut self, step: i64) {
        let (floors, steep) = self.floors_at_kerbs();
        if steep.is_empty() {
            return;
        }
        // Floors come first, so that the number of a triangle tells which it is.
        let first_steep = floors.len() as u32;
        let all: Vec<u32> = floors.into_iter().chain(steep).collect();
        let (mut groups, kerbs) = self.kerbs(&all, first_steep);
        let is_raised = |number: &u32| kerbs[groups.root(*number) as usize].is_way_up(step);
        let raised = (first_steep..all.len() as u32).filter(is_raised);
        self.raise(&raised.map(|number| all[number as usize]).collect::<Vec<u32>>());
    }

    /// Groups the steep ones of these faces, which start at `first_steep`. Returns the groups, and for the root of each
    /// what it is as a kerb.
    fn kerbs(&self, all: &[u32], first_steep: u32) -> (DisjointSets, Vec<Kerb>) {
        let corners = |number: u32| self.faces[all[number as usize] as usize].corners;
        let height = |corner: u32| i64::from(self.corners[corner as usize].height);
        let edges = EdgeTable::of((0..all.len()).map(|number| (number as u32, corners(number as u32))));
        let floors = |edge: &[Side]| edge.partition_point(|side| side.triangle < first_steep);
        let mut groups = connected(edges.edges().map(|edge| &edge[floors(edge)..]), all.len());
        let mut kerbs = vec![Kerb::default(); all.len()];
        for number in first_steep..all.len() as u32 {
            kerbs[groups.root(number) as usize].add(corners(number).map(height));
        }
        for edge in edges.edges().filter(|edge| floors(edge) > 0) {
            for side in &edge[floors(edge)..] {
                kerbs[groups.root(side.triangle) as usize].lead_along([side.low, side.high].map(height));
            }
        }
        (groups, kerbs)
    }

    /// Returns the steep faces that look up, and all floors that may share a side with one of them.
    fn floors_at_kerbs(&self) -> (Vec<u32>, Vec<u32>) {
        let (floors, rest) = self.faces.split_at(self.count_up_to(Kind::Walkable));
        let is_steep = |face: &Face| face.kind == Kind::Blocking && face.is_up;
        let steep = (floors.len() as u32..).zip(rest).filter(|(_, face)| is_steep(face));
        let mut is_steep_at = vec![false; self.corners.len()];
        for corner in steep.clone().flat_map(|(_, face)| face.corners) {
            is_steep_at[corner as usize] = true;
        }
        let meets =
            |face: &Face| face.corners.iter().filter(|corner| is_steep_at[**corner as usize]).count() > 1;
        let floors = (0u32..).zip(floors).filter(|(_, face)| meets(face));
        (floors.map(|(number, _)| number).collect(), steep.map(|(number, _)| number).collect())
    }

    /// Makes these faces walkable and moves them to the walkable part of the list.
    fn raise(&mut self, raised: &[u32]) {
        let mut is_raised = vec![false; self.faces.len()];
        raised.iter().for_each(|face| is_raised[*face as usize] = true);
        let mut risen = Vec::with_capacity(raised.len());
        let mut marks = is_raised.into_iter();
        self.faces.retain(|face| {
            let is_raised = marks.next() == Some(true);
            risen.extend(is_raised.then_some(Face { kind: Kind::Walkable, ..*face }));
            !is_raised
        });
        self.insert(risen);
    }

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

/// A group of connected steep faces, and the floors beside it. Heights are in grid units.
#[derive(Clone, Copy, Debug)]
struct Kerb {
    /// The height of the lowest corner.
    low: i64,
    /// The height of the highest corner.
    high: i64,
    /// Does a floor touch the lower half, and does one touch the upper half?
    leads: [bool; 2],
}

impl Default for Kerb {
    fn default() -> Kerb {
        Kerb { low: i64::MAX, high: i64::MIN, leads: [false; 2] }
    }
}

impl Kerb {
    /// Adds a face with corners at these heights.
    fn add(&mut self, heights: [i64; 3]) {
        self.low = heights.into_iter().fold(self.low, i64::min);
        self.high = heights.into_iter().fold(self.high, i64::max);
    }

    /// Notes a floor along a side between these heights. All faces were added before.
    fn lead_along(&mut self, ends: [i64; 2]) {
        let is_upper = ends[0] + ends[1] > self.low + self.high;
        self.leads[usize::from(is_upper)] = true;
    }

    /// True if the group rises no more than `step` and leads from one floor up to another.
    fn is_way_up(&self, step: i64) -> bool {
        self.high - self.low <= step && self.leads == [true; 2]
    }
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
