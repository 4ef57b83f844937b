//! Convex cells in the making: closed loops of sides, glued along portals.
//!
//! A portal is two sides that are each other's twin; a wall is a side without a twin. All changes are local
//! relinkings in constant time: ends of portals turn ([`turning`]), portals and vertices come and go ([`joints`]),
//! and cells are taken out and put together ([`parts`]).
//!
//! Invariant: `next` and `prev` form closed loops, counter-clockwise, with the cell on the left. Removed sides stay
//! as dead slots, with the origin [`NONE`], until [`Facets::compacted`].

mod joints;
mod parts;
mod turning;

use clearway_geometry::{NONE, Point, Triangulation, half_edges};
pub use turning::is_sharp;

/// One side of a cell, with the cell on its left.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The vertex at which it starts; [`NONE`] if the side is dead.
    origin: u32,
    /// The following side of the same cell.
    next: u32,
    /// The preceding side of the same cell.
    prev: u32,
    /// The same portal seen from the other cell, or [`NONE`] for a wall.
    twin: u32,
}

/// Loops of sides over grid points.
#[derive(Clone, Debug)]
pub struct Facets {
    /// All sides, dead ones included.
    sides: Vec<Side>,
    /// For each side, true if it must stay. Such a side is a portal that must not move, or a side that must not be
    /// split: a wall of no thickness, or a side beyond which nothing is known.
    fixed: Vec<bool>,
    /// The point of each vertex.
    points: Vec<Point>,
}
impl Facets {
    /// The walkable triangles of a triangulation as cells. Edges for which `is_wall` is true become walls; edges for
    /// which `is_fixed` is true become fixed portals; all other edges become portals.
    pub fn of_triangles(
        triangulation: &Triangulation,
        free: &[bool],
        is_wall: impl Fn(u32) -> bool,
        is_fixed: impl Fn(u32) -> bool,
    ) -> Facets {
        let edges = triangulation.edges();
        let mut number = vec![NONE; free.len()];
        let mut count = 0;
        for (t, _) in free.iter().enumerate().filter(|(_, free)| **free) {
            number[t] = count;
            count += 1;
        }
        let place = |e: u32| 3 * number[e as usize / 3] + e % 3;
        let mut sides = Vec::with_capacity(3 * count as usize);
        let mut fixed = Vec::with_capacity(3 * count as usize);
        for e in (0..edges.len()).filter(|e| free[*e as usize / 3]) {
            let twin = if is_wall(e) { NONE } else { place(edges.twin(e)) };
            let [next, prev] = [half_edges::next(e), half_edges::prev(e)].map(place);
            sides.push(Side { origin: edges.origin(e), next, prev, twin });
            // A wall of no thickness must not be split: the cells on its two sides would no longer match.
            let is_thin = free.get(edges.twin(e) as usize / 3).copied().unwrap_or(false);
            fixed.push(if twin == NONE { is_thin } else { is_fixed(e) });
        }
        Facets { sides, fixed, points: triangulation.points().to_vec() }
    }

    /// Cells that nothing joins yet. `first` holds the number of the first side of each cell and ends the last; `vertices`
    /// holds the vertex at which each side starts.
    pub fn of_loops(points: Vec<Point>, first: &[u32], vertices: &[u32]) -> Facets {
        let mut sides: Vec<Side> = Vec::with_capacity(vertices.len());
        for (start, end) in first.iter().zip(first.iter().skip(1)) {
            for side in *start..*end {
                let next = if side + 1 == *end { *start } else { side + 1 };
                let prev = if side == *start { *end - 1 } else { side - 1 };
                sides.push(Side { origin: vertices[side as usize], next, prev, twin: NONE });
            }
        }
        Facets { fixed: vec![false; sides.len()], sides, points }
    }

    /// The number of side slots, dead ones included.
    #[inline]
    pub fn len(&self) -> u32 {
        self.sides.len() as u32
    }

    /// The point of a vertex.
    #[inline]
    pub fn point(&self, vertex: u32) -> Point {
        self.points[vertex as usize]
    }

    /// The points of all vertices.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The vertex at which a side starts.
    #[inline]
    pub fn origin(&self, side: u32) -> u32 {
        self.sides[side as usize].origin
    }

    /// The vertex at which a side ends.
    #[inline]
    pub fn target(&self, side: u32) -> u32 {
        self.origin(self.next(side))
    }

    /// The following side of the same cell.
    #[inline]
    pub fn next(&self, side: u32) -> u32 {
        self.sides[side as usize].next
    }

    /// The preceding side of the same cell.
    #[inline]
    pub fn prev(&self, side: u32) -> u32 {
        self.sides[side as usize].prev
    }

    /// The same portal seen from the other cell, or [`NONE`] for a wall.
    #[inline]
    pub fn twin(&self, side: u32) -> u32 {
        self.sides[side as usize].twin
    }

    /// True if the side is a wall in which a portal may end.
    #[inline]
    pub fn is_wall(&self, side: u32) -> bool {
        self.twin(side) == NONE && !self.fixed[side as usize]
    }

    /// True if the side was removed.
    #[inline]
    pub fn is_dead(&self, side: u32) -> bool {
        self.sides[side as usize].origin == NONE
    }

    /// True if the side is a portal that may be moved or removed.
    #[inline]
    pub fn is_loose(&self, side: u32) -> bool {
        let Side { origin, twin, .. } = self.sides[side as usize];
        origin != NONE && twin != NONE && !self.fixed[side as usize]
    }

    /// The squared length of a side in grid units, exact.
    #[inline]
    pub fn length_squared(&self, side: u32) -> i64 {
        self.point(self.origin(side)).distance_squared(self.point(self.target(side)))
    }

    /// All living sides.
    pub fn sides(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).filter(|side| !self.is_dead(*side))
    }

    /// One side of each living portal.
    pub fn portals(&self) -> impl Iterator<Item = u32> + '_ {
        self.sides().filter(|side| self.twin(*side) != NONE && *side < self.twin(*side))
    }

    /// The sum of all portal lengths, in grid units.
    pub fn portal_length(&self) -> f64 {
        self.portals().map(|side| (self.length_squared(side) as f64).sqrt()).sum()
    }

    /// Makes `after` the side that follows `before`.
    #[inline]
    fn link(&mut self, before: u32, after: u32) {
        self.sides[before as usize].next = after;
        self.sides[after as usize].prev = before;
    }

    /// One side of each cell, the one with the lowest number, in order.
    pub fn cells(&self) -> Vec<u32> {
        let mut seen = vec![false; self.sides.len()];
        let mut cells = Vec::new();
        for first in self.sides() {
            if seen[first as usize] {
                continue;
            }
            cells.push(first);
            for side in self.around(first) {
                seen[side as usize] = true;
            }
        }
        cells
    }

    /// The sides of the cell that `first` belongs to, starting with it.
    #[inline]
    pub fn around(&self, first: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let mut at = first;
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let side = at;
            at = self.next(at);
            done = at == first;
            Some(side)
        })
    }

    /// For each living side the number of its cell; [`NONE`] for dead ones.
    pub fn cell_of_sides(&self, cells: &[u32]) -> Vec<u32> {
        let mut cell_of = vec![NONE; self.sides.len()];
        for (cell, first) in cells.iter().enumerate() {
            for side in self.around(*first) {
                cell_of[side as usize] = cell as u32;
            }
        }
        cell_of
    }

    /// True if the side must stay.
    pub fn is_fixed(&self, side: u32) -> bool {
        self.fixed[side as usize]
    }
}
