//! Portals and vertices that come and go: removal, revival, splits and their reversal.
//!
//! Invariant: the loops of sides stay closed, and twins stay mutual. Cost: constant time each, apart from walks
//! around a cell with relaxed rules.

use super::super::convexity::Convexity;
use super::{Facets, Side};
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point};

impl Facets {
    /// Removes a portal if both corners stay allowed without it. Returns true if it did.
    pub fn remove_if_needless(&mut self, side: u32, rule: &Convexity) -> bool {
        let needless = self.is_loose(side)
            && self.is_needless_at_target(side, rule)
            && self.is_needless_at_target(self.twin(side), rule)
            // Removing a bridge to a hole would leave a cell with two loops. Strict corners never allow that; relaxed
            // ones might.
            && !(rule.is_relaxed() && self.is_on_one_cell(side));
        if needless {
            self.remove(side);
        }
        needless
    }

    /// Removes the row of portals that starts with `first`, if the corners at its ends stay allowed without it. Returns
    /// true if it did. A row is two or more portals, end to end, between the same two cells.
    pub fn remove_row_if_needless(&mut self, first: u32, rule: &Convexity) -> bool {
        let follows = |facets: &Facets, side: u32, next: u32| {
            let (twin, next_twin) = (facets.twin(side), facets.twin(next));
            twin != NONE && next_twin != NONE && next_twin == facets.prev(twin)
        };
        if !self.is_loose(first) || follows(self, self.prev(first), first) {
            return false;
        }
        let mut row = vec![first];
        let mut last = first;
        while follows(self, last, self.next(last)) && self.next(last) != first {
            last = self.next(last);
            row.push(last);
        }
        let is_needless = row.len() > 1
            && row.iter().all(|side| self.is_loose(*side))
            && self.is_needless_at_target(last, rule)
            && self.is_needless_at_target(self.twin(first), rule)
            && !(rule.is_relaxed() && self.is_on_one_cell(first));
        if is_needless {
            row.into_iter().for_each(|side| self.remove(side));
        }
        is_needless
    }

    /// True if both sides of a portal belong to the same cell, as with a bridge to a hole.
    fn is_on_one_cell(&self, side: u32) -> bool {
        let twin = self.twin(side);
        self.around(side).any(|other| other == twin)
    }

    /// Removes a portal, whatever becomes of the corners. Its two slots stay, dead, for [`Facets::revive`].
    pub fn remove(&mut self, side: u32) {
        let twin = self.twin(side);
        let (before, after) = (self.prev(side), self.next(side));
        let (twin_before, twin_after) = (self.prev(twin), self.next(twin));
        self.link(before, twin_after);
        self.link(twin_before, after);
        self.sides[side as usize].origin = NONE;
        self.sides[twin as usize].origin = NONE;
    }

    /// Uses the dead slot `side` and its twin for a new portal, from the start of side `from` to the start of side
    /// `to`. Both must be sides of one cell.
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

    /// Splits a side (and its twin) at a new vertex. Returns the half that starts there.
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

    /// Joins `side` with the side after it if nothing else meets in their common vertex: a portal that lost its
    /// T-junction, or a wall that lost its chord. Every corner must stay allowed, and a wall must be straight there.
    /// Returns true if it did.
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

    /// True if both cells keep their corners when `side` and the side after it become one straight portal.
    fn is_straightening_allowed(&self, side: u32, rule: &Convexity) -> bool {
        let after = self.next(side);
        let (twin, after_twin) = (self.twin(side), self.twin(after));
        let (a, c) = (self.origin(side), self.target(after));
        let (pa, pc) = (self.point(a), self.point(c));
        let start = |side: u32| self.point(self.origin(side));
        let stop = |side: u32| self.point(self.target(side));
        // The cell in whose corner the vertex lies loses a triangle there; nothing may stand in it.
        let b = self.origin(after);
        let is_clear = if orient(pa, self.point(b), pc) > 0 {
            self.is_clear(side, [a, b, c])
        } else {
            self.is_clear(twin, [c, b, a])
        };
        is_clear
            && rule.allows(a, pc - pa, start(self.prev(side)) - pa)
            && rule.allows(c, stop(self.next(after)) - pc, pa - pc)
            && rule.allows(c, pa - pc, start(self.prev(after_twin)) - pc)
            && rule.allows(a, stop(self.next(twin)) - pa, pc - pa)
    }
}
