//! Convex cells in the making: closed loops of sides, glued along portals.
//!
//! A portal is two sides that are each other's twin; a wall is a side without a twin. Removing a portal and
//! turning one of its ends to the next corner are local relinkings, O(1) each.

use super::convexity::Convexity;
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point, Triangulation, Vector, half_edges};

/// One side of a cell, with the cell on its left.
#[derive(Clone, Copy, Debug)]
struct Side {
    origin: u32,
    next: u32,
    prev: u32,
    twin: u32,
}

/// The tangent of one degree.
const SHARP: f64 = 0.017_455_064_928_217_585;

/// Whether two directions are less than one degree apart. Such corners are only avoided, so floats may decide.
#[inline]
pub fn is_sharp(a: Vector, b: Vector) -> bool {
    let (cross, dot) = (a.cross(b), a.dot(b));
    dot > 0 && (cross.abs() as f64) < dot as f64 * SHARP
}

/// Loops of sides over grid points.
#[derive(Clone, Debug)]
pub struct Facets {
    sides: Vec<Side>,
    /// Portals that must stay where they are, and sides beyond which nothing is known.
    fixed: Vec<bool>,
    points: Vec<Point>,
}

impl Facets {
    /// The walkable triangles of a triangulation as cells. Edges for which `is_wall` holds become walls,
    /// those for which `is_fixed` holds fixed portals, all other edges portals.
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
            fixed.push(twin != NONE && is_fixed(e));
        }
        Facets { sides, fixed, points: triangulation.points().to_vec() }
    }

    /// How many side slots there are, dead ones included.
    #[inline]
    pub fn len(&self) -> u32 {
        self.sides.len() as u32
    }

    /// Where a vertex lies.
    #[inline]
    pub fn point(&self, vertex: u32) -> Point {
        self.points[vertex as usize]
    }

    /// All positions by vertex.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The vertex a side starts at.
    #[inline]
    pub fn origin(&self, side: u32) -> u32 {
        self.sides[side as usize].origin
    }

    /// The vertex a side ends at.
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

    /// Whether the side is a wall.
    #[inline]
    pub fn is_wall(&self, side: u32) -> bool {
        self.twin(side) == NONE && !self.fixed[side as usize]
    }

    /// Whether the side was removed.
    #[inline]
    pub fn is_dead(&self, side: u32) -> bool {
        self.sides[side as usize].origin == NONE
    }

    /// Whether the side is a portal that may be moved or removed.
    #[inline]
    pub fn is_loose(&self, side: u32) -> bool {
        let Side { origin, twin, .. } = self.sides[side as usize];
        origin != NONE && twin != NONE && !self.fixed[side as usize]
    }

    /// The squared length of a side; exact.
    #[inline]
    pub fn length_squared(&self, side: u32) -> i64 {
        self.point(self.origin(side)).distance_squared(self.point(self.target(side)))
    }

    /// All living sides.
    pub fn sides(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).filter(|side| !self.is_dead(*side))
    }

    /// Living portals, one side of each.
    pub fn portals(&self) -> impl Iterator<Item = u32> + '_ {
        self.sides().filter(|side| self.twin(*side) != NONE && *side < self.twin(*side))
    }

    /// The sum of all portal lengths, in grid units.
    pub fn portal_length(&self) -> f64 {
        self.portals().map(|side| (self.length_squared(side) as f64).sqrt()).sum()
    }

    /// Whether the corner at the end of portal `side` would stay allowed without the portal.
    #[inline]
    pub fn is_needless_at_target(&self, side: u32, rule: &Convexity) -> bool {
        let corner = self.target(side);
        let at = self.point(corner);
        let onward = self.point(self.target(self.next(side))) - at;
        let back = self.point(self.origin(self.prev(self.twin(side)))) - at;
        rule.allows(corner, onward, back)
    }

    /// Removes a portal if both corners stay allowed without it; tells whether it did.
    pub fn remove_if_needless(&mut self, side: u32, rule: &Convexity) -> bool {
        let needless = self.is_loose(side)
            && self.is_needless_at_target(side, rule)
            && self.is_needless_at_target(self.twin(side), rule)
            && !(rule.is_relaxed() && self.is_on_one_cell(side));
        if needless {
            self.remove(side);
        }
        needless
    }

    /// Whether both sides of a portal belong to the same cell, as a bridge to a hole does.
    fn is_on_one_cell(&self, side: u32) -> bool {
        let twin = self.twin(side);
        self.around(side).any(|other| other == twin)
    }

    /// Removes a portal, whatever becomes of the corners.
    pub fn remove(&mut self, side: u32) {
        let twin = self.twin(side);
        let (before, after) = (self.prev(side), self.next(side));
        let (twin_before, twin_after) = (self.prev(twin), self.next(twin));
        self.link(before, twin_after);
        self.link(twin_before, after);
        self.sides[side as usize].origin = NONE;
        self.sides[twin as usize].origin = NONE;
    }

    /// Uses the dead slot `side` and its twin for a new portal from the start of side `from` to the start of
    /// side `to`, both sides of one cell.
    pub fn revive(&mut self, side: u32, from: u32, to: u32) {
        let twin = self.twin(side);
        let (before_from, before_to) = (self.prev(from), self.prev(to));
        self.sides[side as usize].origin = self.origin(from);
        self.sides[twin as usize].origin = self.origin(to);
        self.link(before_to, twin);
        self.link(twin, from);
        self.link(before_from, side);
        self.link(side, to);
    }

    /// Splits a side (and its twin) at a new vertex; returns the half that starts there.
    pub fn split(&mut self, side: u32, point: Point) -> u32 {
        let vertex = self.points.len() as u32;
        self.points.push(point);
        let twin = self.twin(side);
        let fresh = self.add_half(side, vertex);
        if twin != NONE {
            let twin_fresh = self.add_half(twin, vertex);
            self.sides[side as usize].twin = twin_fresh;
            self.sides[twin_fresh as usize].twin = side;
            self.sides[fresh as usize].twin = twin;
            self.sides[twin as usize].twin = fresh;
        }
        fresh
    }

    /// Adds a side from `vertex` to the end of `side`, right after it.
    fn add_half(&mut self, side: u32, vertex: u32) -> u32 {
        let fresh = self.len();
        let after = self.next(side);
        self.sides.push(Side { origin: vertex, next: NONE, prev: NONE, twin: NONE });
        self.fixed.push(self.fixed[side as usize]);
        self.link(side, fresh);
        self.link(fresh, after);
        fresh
    }

    /// Joins `side` with the side after it where nothing but the two meets in their common vertex: a portal
    /// that lost its T-joint, or a wall that lost its chord. Every corner must stay allowed, and a wall must
    /// be straight there. Tells whether it did.
    pub fn dissolve_target(&mut self, side: u32, rule: &Convexity) -> bool {
        let after = self.next(side);
        let (twin, after_twin) = (self.twin(side), self.twin(after));
        let [a, b, c] = [self.origin(side), self.origin(after), self.target(after)];
        let [pa, pb, pc] = [a, b, c].map(|v| self.point(v));
        let is_straight = orient(pa, pb, pc) == 0;
        let is_plain = match (twin == NONE, after_twin == NONE) {
            (true, true) => is_straight && self.is_wall(side) && self.is_wall(after),
            (false, false) => {
                let alone =
                    self.next(after_twin) == twin && self.fixed[side as usize] == self.fixed[after as usize];
                alone && (is_straight || self.is_straightening_allowed(side, rule))
            }
            _ => false,
        };
        if !is_plain || self.next(after) == side {
            return false;
        }
        self.link(side, self.next(after));
        self.sides[after as usize].origin = NONE;
        if twin != NONE {
            // The other cell runs c, b, a along `after_twin` and `twin`: the former takes over.
            self.link(after_twin, self.next(twin));
            self.sides[twin as usize].origin = NONE;
            self.sides[side as usize].twin = after_twin;
            self.sides[after_twin as usize].twin = side;
        }
        true
    }

    /// Whether both cells keep their corners when `side` and the side after it become one straight portal.
    fn is_straightening_allowed(&self, side: u32, rule: &Convexity) -> bool {
        let after = self.next(side);
        let (twin, after_twin) = (self.twin(side), self.twin(after));
        let (a, c) = (self.origin(side), self.target(after));
        let (pa, pc) = (self.point(a), self.point(c));
        let start = |side: u32| self.point(self.origin(side));
        let stop = |side: u32| self.point(self.target(side));
        rule.allows(a, pc - pa, start(self.prev(side)) - pa)
            && rule.allows(c, stop(self.next(after)) - pc, pa - pc)
            && rule.allows(c, pa - pc, start(self.prev(after_twin)) - pc)
            && rule.allows(a, stop(self.next(twin)) - pa, pc - pa)
    }

    #[inline]
    fn link(&mut self, before: u32, after: u32) {
        self.sides[before as usize].next = after;
        self.sides[after as usize].prev = before;
    }

    /// Where the end of portal `side` would go when turned to the next corner of the cell on its left (or,
    /// with `left` false, the previous corner of the cell on its right), if that keeps every corner allowed.
    #[inline]
    pub fn turned_target(&self, side: u32, left: bool, rule: &Convexity) -> Option<u32> {
        let twin = self.twin(side);
        let (a, b) = (self.origin(side), self.origin(twin));
        let (from, to) = (self.point(a), self.point(b));
        // `gone` is the side cut off the shrinking cell, `beyond` the one after it, `kept` its far end at a.
        let (goal, beyond, kept) = if left {
            let gone = self.next(side);
            let beyond = self.next(gone);
            (self.origin(beyond), self.target(beyond), self.origin(self.prev(side)))
        } else {
            let gone = self.prev(twin);
            (self.origin(gone), self.origin(self.prev(gone)), self.target(self.next(twin)))
        };
        if beyond == a || goal == a {
            return None;
        }
        let aim = self.point(goal);
        let turn = if left { 1 } else { -1 };
        let shrinks_well = orient(from, to, aim) * turn > 0
            && (orient(from, aim, self.point(beyond)) * turn > 0
                || orient(from, aim, self.point(kept)) * turn > 0);
        if !shrinks_well || !self.is_needless_at_target(side, rule) {
            return None;
        }
        let chord = aim - from;
        let back = chord.reversed();
        if is_sharp(back, to - aim)
            || is_sharp(back, self.point(beyond) - aim)
            || is_sharp(chord, self.point(kept) - from)
        {
            return None;
        }
        // The cell on the other side grows at a.
        let grows_well = if left {
            let onward = self.point(self.target(self.next(twin)));
            rule.allows(a, onward - from, chord)
        } else {
            let back = self.point(self.origin(self.prev(side)));
            rule.allows(a, chord, back - from)
        };
        let clear = || !rule.is_relaxed() || self.is_cut_clear(side, left, goal);
        (grows_well && clear()).then_some(goal)
    }

    /// Whether one of the four corners at the ends of a portal is under one degree.
    pub fn is_sharp(&self, side: u32) -> bool {
        [side, self.twin(side)].into_iter().any(|side| {
            let at = self.point(self.target(side));
            let back = self.point(self.origin(side)) - at;
            let left = self.point(self.target(self.next(side))) - at;
            let right = self.point(self.origin(self.prev(self.twin(side)))) - at;
            is_sharp(back, left) || is_sharp(back, right)
        })
    }

    /// Whether no corner of the (perhaps not quite convex) shrinking cell lies in the triangle cut off it.
    fn is_cut_clear(&self, side: u32, left: bool, goal: u32) -> bool {
        let twin = self.twin(side);
        let (a, b) = (self.origin(side), self.origin(twin));
        let start = if left { side } else { twin };
        let [p, q, r] = if left { [a, b, goal] } else { [a, goal, b] }.map(|v| self.point(v));
        self.around(start).all(|side| {
            let vertex = self.origin(side);
            let point = self.point(vertex);
            let inside = orient(p, q, point) >= 0 && orient(q, r, point) >= 0 && orient(r, p, point) >= 0;
            !inside || vertex == a || vertex == b || vertex == goal
        })
    }

    /// Turns the end of portal `side` to the corner that [`turned_target`](Self::turned_target) named.
    pub fn turn(&mut self, side: u32, left: bool) {
        let twin = self.twin(side);
        if left {
            let gone = self.next(side);
            let beyond = self.next(gone);
            let behind = self.prev(twin);
            self.link(side, beyond);
            self.link(behind, gone);
            self.link(gone, twin);
            self.sides[twin as usize].origin = self.origin(beyond);
        } else {
            let gone = self.prev(twin);
            let behind = self.prev(gone);
            let after = self.next(side);
            self.link(side, gone);
            self.link(gone, after);
            self.link(behind, twin);
            self.sides[twin as usize].origin = self.origin(gone);
        }
    }

    /// One side of each cell: the lowest, in order.
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

    /// For each living side, the number of its cell.
    pub fn cell_of_sides(&self, cells: &[u32]) -> Vec<u32> {
        let mut cell_of = vec![NONE; self.sides.len()];
        for (cell, first) in cells.iter().enumerate() {
            for side in self.around(*first) {
                cell_of[side as usize] = cell as u32;
            }
        }
        cell_of
    }

    /// The cells made of `sides` alone, renumbered by `place` and `local`; portals to other cells stand fixed.
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
        // A portal that leads out of the part is a fixed side without a twin, and so differs from a wall.
        let leads_out = |side: u32| self.twin(side) != NONE && place(self.twin(side)) == NONE;
        Facets {
            sides: sides.iter().map(renumbered).collect(),
            fixed: sides.iter().map(|side| self.fixed[*side as usize] || leads_out(*side)).collect(),
            points: vertices.iter().map(|vertex| self.point(*vertex)).collect(),
        }
    }

    /// No cells, but all vertices.
    pub fn emptied(&self) -> Facets {
        let room = self.sides.len();
        Facets {
            sides: Vec::with_capacity(room),
            fixed: Vec::with_capacity(room),
            points: self.points.clone(),
        }
    }

    /// Adds the cells of a part whose first vertices are known here as `vertices`; further ones are new. Returns
    /// where its sides start.
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

    /// Whether the side is a portal that must stay.
    pub fn is_fixed(&self, side: u32) -> bool {
        self.fixed[side as usize]
    }

    /// The same cells without dead slots, each cell's sides next to each other.
    #[must_use]
    pub fn compacted(self) -> Facets {
        let mut place = vec![NONE; self.sides.len()];
        let mut order = Vec::with_capacity(self.sides.len() / 2);
        for first in self.sides() {
            let mut at = first;
            while place[at as usize] == NONE {
                place[at as usize] = order.len() as u32;
                order.push(at);
                at = self.next(at);
            }
        }
        let renamed = |side: u32| if side == NONE { NONE } else { place[side as usize] };
        let sides = order.iter().map(|old| {
            let Side { origin, next, prev, twin } = self.sides[*old as usize];
            Side { origin, next: renamed(next), prev: renamed(prev), twin: renamed(twin) }
        });
        let fixed = order.iter().map(|old| self.fixed[*old as usize]).collect();
        Facets { sides: sides.collect(), fixed, points: self.points }
    }
}
