//! Turns the end of a portal to a neighbouring corner.
//!
//! Invariant: both cells beside the portal stay allowed, and the number of cells stays. Cost: constant time, apart
//! from a walk around a cell with relaxed rules.

use super::super::convexity::Convexity;
use super::Facets;
use clearway_geometry::Vector;
use clearway_geometry::predicates::orient;

/// The tangent of one degree. Turns that make a corner below that angle are avoided. A larger angle forbids more
/// turns.
const SHARP: f64 = 0.017_455_064_928_217_585;

/// True if two directions are less than one degree apart. Such corners are only avoided, so floats may decide.
#[inline]
pub fn is_sharp(a: Vector, b: Vector) -> bool {
    let (cross, dot) = (a.cross(b), a.dot(b));
    dot > 0 && (cross.abs() as f64) < dot as f64 * SHARP
}

impl Facets {
    /// True if the corner at the end of portal `side` would stay allowed without the portal.
    #[inline]
    pub fn is_needless_at_target(&self, side: u32, rule: &Convexity) -> bool {
        let corner = self.target(side);
        let at = self.point(corner);
        let onward = self.point(self.target(self.next(side))) - at;
        let back = self.point(self.origin(self.prev(self.twin(side)))) - at;
        rule.allows(corner, onward, back)
    }

    /// The vertex to which the end of portal `side` can be turned, if every corner stays allowed. The end must be
    /// needless. With `left` it goes to the next corner of the cell on the left, otherwise to the previous corner of
    /// the cell on the right.
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
        if !shrinks_well {
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

    /// True if one of the four corners at the ends of a portal is under one degree.
    pub fn is_sharp(&self, side: u32) -> bool {
        [side, self.twin(side)].into_iter().any(|side| {
            let at = self.point(self.target(side));
            let back = self.point(self.origin(side)) - at;
            let left = self.point(self.target(self.next(side))) - at;
            let right = self.point(self.origin(self.prev(self.twin(side)))) - at;
            is_sharp(back, left) || is_sharp(back, right)
        })
    }

    /// True if no corner of the shrinking cell lies in the triangle that is cut off it. Relaxed cells may be reflex,
    /// so this is not evident.
    fn is_cut_clear(&self, side: u32, left: bool, goal: u32) -> bool {
        let twin = self.twin(side);
        let (a, b) = (self.origin(side), self.origin(twin));
        if left { self.is_clear(side, [a, b, goal]) } else { self.is_clear(twin, [a, goal, b]) }
    }

    /// True if no corner of the cell of `side` lies in a counter-clockwise triangle or on its border, except its own
    /// corners.
    pub(super) fn is_clear(&self, side: u32, corners: [u32; 3]) -> bool {
        let [p, q, r] = corners.map(|vertex| self.point(vertex));
        self.around(side).all(|side| {
            let vertex = self.origin(side);
            let point = self.point(vertex);
            let inside = orient(p, q, point) >= 0 && orient(q, r, point) >= 0 && orient(r, p, point) >= 0;
            !inside || corners.contains(&vertex)
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
}
