//! Takes cells out of the whole, puts them back, and packs them.
//!
//! Cost: each call is linear in the sides that it copies.

use super::{Facets, Side};
use clearway_geometry::NONE;
use std::collections::BTreeSet;

impl Facets {
    /// Copies the cells made of `sides` alone. `place` gives the new number of a side, `local` that of a vertex.
    /// Portals to other cells become fixed.
    pub fn part(
        &self,
        sides: &[u32],
        place: impl Fn(u32) -> u32,
        local: impl Fn(u32) -> u32,
        vertices: &[u32],
    ) -> Facets {
        let renumbered = |old: &u32| {
            let Side { origin, next, prev, twin } = self.sides[*old as usize];
            Side { origin: local(origin), next: place(next), prev: place(prev), twin: place(twin) }
        };
        // A portal that leads out of the part becomes a fixed side without a twin, which distinguishes it from a
        // wall.
        let leads_out = |side: u32| self.twin(side) != NONE && place(self.twin(side)) == NONE;
        Facets {
            sides: sides.iter().map(renumbered).collect(),
            fixed: sides.iter().map(|side| self.fixed[*side as usize] || leads_out(*side)).collect(),
            points: vertices.iter().map(|vertex| self.point(*vertex)).collect(),
        }
    }

    /// All vertices without any cell.
    pub fn emptied(&self) -> Facets {
        let room = self.sides.len();
        Facets {
            sides: Vec::with_capacity(room),
            fixed: Vec::with_capacity(room),
            points: self.points.clone(),
        }
    }

    /// Adds the cells of a part. Its first vertices are known here as `vertices`; further ones are new. Returns the
    /// number of its first side.
    pub fn append(&mut self, part: &Facets, vertices: &[u32]) -> u32 {
        let first = self.len();
        let fresh = self.points.len() as u32;
        self.points.extend(&part.points[vertices.len()..]);
        let vertex = |local: u32| match vertices.get(local as usize) {
            Some(vertex) => *vertex,
            None if local == NONE => NONE,
            None => fresh + (local - vertices.len() as u32),
        };
        let shifted = |side: u32| if side == NONE { NONE } else { side + first };
        self.sides.extend(part.sides.iter().map(|side| Side {
            origin: vertex(side.origin),
            next: shifted(side.next),
            prev: shifted(side.prev),
            twin: shifted(side.twin),
        }));
        self.fixed.extend(&part.fixed);
        first
    }

    /// Makes two sides the two sides of one portal.
    pub fn glue(&mut self, side: u32, twin: u32, fixed: bool) {
        self.sides[side as usize].twin = twin;
        self.sides[twin as usize].twin = side;
        self.fixed[side as usize] = fixed;
        self.fixed[twin as usize] = fixed;
    }

    /// Removes whole cells, each given by one of its sides, and turns portals into walls. Cells around a vertex that
    /// are no longer connected there get a vertex of their own.
    pub fn take_away(&mut self, cells: &[u32], portals: &[u32]) {
        let sides: Vec<u32> = cells.iter().flat_map(|first| self.around(*first)).collect();
        let ends = |side: &u32| [self.origin(*side), self.target(*side)];
        let touched: BTreeSet<u32> = sides.iter().chain(portals).flat_map(ends).collect();
        for side in portals {
            // The new wall has no thickness, so it must not be split.
            self.close(*side, true);
        }
        for side in &sides {
            self.close(*side, false);
        }
        sides.iter().for_each(|side| self.sides[*side as usize].origin = NONE);
        self.part_vertices(&touched);
    }

    /// Turns a portal into a wall, seen from both sides.
    fn close(&mut self, side: u32, fixed: bool) {
        let twin = self.twin(side);
        for side in [side, twin].into_iter().filter(|_| twin != NONE) {
            self.sides[side as usize].twin = NONE;
            self.fixed[side as usize] = fixed;
        }
    }

    /// Gives each row of connected cells around these vertices a vertex of its own. The first row keeps the old one.
    fn part_vertices(&mut self, vertices: &BTreeSet<u32>) {
        let mut is_taken = BTreeSet::new();
        let mut seen = vec![false; self.sides.len()];
        let starts: Vec<u32> = self.sides().filter(|side| vertices.contains(&self.origin(*side))).collect();
        for first in starts {
            if seen[first as usize] {
                continue;
            }
            let vertex = self.origin(first);
            let row = self.row(first);
            row.iter().for_each(|side| seen[*side as usize] = true);
            if !is_taken.insert(vertex) {
                let fresh = self.points.len() as u32;
                self.points.push(self.point(vertex));
                row.iter().for_each(|side| self.sides[*side as usize].origin = fresh);
            }
        }
    }

    /// All sides that start where one does, in cells connected around that vertex.
    fn row(&self, first: u32) -> Vec<u32> {
        let mut row = vec![first];
        let forth = |side: u32| Some(self.twin(self.prev(side))).filter(|side| *side != NONE);
        let back = |side: u32| Some(self.twin(side)).filter(|twin| *twin != NONE).map(|twin| self.next(twin));
        let mut at = forth(first);
        while let Some(side) = at.filter(|side| *side != first) {
            row.push(side);
            at = forth(side);
        }
        let mut at = back(first).filter(|_| at.is_none());
        while let Some(side) = at {
            row.push(side);
            at = back(side);
        }
        row
    }

    /// The same cells without dead slots, each cell's sides next to each other in memory.
    #[must_use]
    pub fn compacted(self) -> Facets {
        let mut place = vec![NONE; self.sides.len()];
        let mut sides: Vec<Side> = Vec::with_capacity(self.sides.len());
        let mut fixed = Vec::with_capacity(self.sides.len());
        for first in self.sides() {
            if place[first as usize] != NONE {
                continue;
            }
            let start = sides.len() as u32;
            for old in self.around(first) {
                let here = sides.len() as u32;
                place[old as usize] = here;
                sides.push(Side { next: here + 1, prev: here.wrapping_sub(1), ..self.sides[old as usize] });
                fixed.push(self.fixed[old as usize]);
            }
            let last = sides.len() as u32 - 1;
            (sides[start as usize].prev, sides[last as usize].next) = (last, start);
        }
        for side in sides.iter_mut().filter(|side| side.twin != NONE) {
            side.twin = place[side.twin as usize];
        }
        Facets { sides, fixed, points: self.points }
    }
}
