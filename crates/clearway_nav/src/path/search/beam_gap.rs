//! The directions that pass through one side of a cell, narrowed by one vertex after the other.
//!
//! Let `f(u)` be the distance of a vertex to the left of the ray with direction `u`. Seen from a root, `f` is a sine of
//! the angle of `u`, shifted by the radius. So the rays that keep a vertex to their right are one range of directions.
//! It begins with the ray that touches the circle around the vertex, which lies ahead. It ends with the ray that has
//! the vertex exactly behind: a vertex behind blocks nothing, but decides which side the ray leaves by. The range may
//! be wider than half a turn. The rest is wider than a right angle, though, so that a gap of at most a right angle is
//! never cut into two. Each vertex costs O(1).

use super::disc::{Tangents, View};
use super::engine::Engine;
use super::scratch::Root;
use super::tangent::{Ray, key, middle};
use crate::tolerances::angles::SAME_KEY;
use clearway_geometry::{NONE, Vec2};

/// A range of directions, and the vertices that bound it.
pub(super) struct Gap {
    /// The direction from which keys are measured.
    pub reference: Vec2,
    /// The rightmost direction.
    pub right: Vec2,
    /// The leftmost direction.
    pub left: Vec2,
    /// The key of the rightmost direction.
    pub low: f64,
    /// The key of the leftmost direction.
    pub high: f64,
    /// The vertices that bound it on the right and left; [`NONE`] if there is none.
    pub ends: [u32; 2],
    /// The lengths along both bounds at which the body may turn around these vertices.
    pub reaches: [f64; 2],
}

impl Gap {
    /// True if no direction is left.
    pub fn is_shut(&self) -> bool {
        self.low > self.high + SAME_KEY
    }

    /// Removes all directions.
    fn shut(&mut self) {
        (self.low, self.high) = (f64::INFINITY, f64::NEG_INFINITY);
    }

    /// True if a direction with this key is in the gap.
    fn holds(&self, key: f64) -> bool {
        key >= self.low - SAME_KEY && key <= self.high + SAME_KEY
    }

    /// Ends the gap at a direction in it that has a vertex behind. This is on the right side of the gap if the vertex
    /// is on the left.
    fn end_behind(&mut self, turn: f64, direction: Vec2) {
        let at = key(self.reference, direction);
        if !self.holds(at) {
            return;
        }
        if turn > 0.0 {
            if at > self.low {
                (self.low, self.right, self.ends[0], self.reaches[0]) = (at, direction, NONE, f64::INFINITY);
            }
        } else if at < self.high {
            (self.high, self.left, self.ends[1], self.reaches[1]) = (at, direction, NONE, f64::INFINITY);
        }
    }
}

impl Engine<'_> {
    /// Keeps the directions that pass a vertex on the given side: with a `turn` above zero the vertex is on the left,
    /// else on the right.
    pub(super) fn keep_beside(&self, view: &View, rays: &Tangents, turn: f64, gap: &mut Gap) {
        if rays.beside != 0 {
            if f64::from(rays.beside) != turn {
                gap.shut();
            }
            return;
        }
        let ray = if turn > 0.0 { &rays.left } else { &rays.right };
        let to = self.position(rays.vertex) - view.root.at;
        if gap.holds(key(gap.reference, ray.direction)) {
            self.keep_aside(view, rays, turn, gap);
        } else if !self.keeps_away(view, rays.vertex, turn, if turn > 0.0 { gap.left } else { gap.right }) {
            gap.shut();
        }
        // Only a vertex behind some ray can end the gap there.
        let may_be_behind = gap.right.dot(to) < 0.0 || gap.left.dot(to) < 0.0;
        if may_be_behind && !gap.is_shut() {
            gap.end_behind(turn, self.away_from(&view.root, to));
        }
    }

    /// True if a ray has a vertex on the given side: as far away as the radius, or behind.
    fn keeps_away(&self, view: &View, vertex: u32, turn: f64, direction: Vec2) -> bool {
        let to = self.position(vertex) - view.root.at;
        let aside = (direction.cross(to) + view.root.lean(self.radius)) * turn;
        let least = if self.layout.solid[vertex as usize] { self.radius } else { 0.0 };
        let slack = SAME_KEY * to.length();
        aside >= least - slack || (direction.dot(to) < 0.0 && aside >= -slack)
    }

    /// Keeps directions off the circle around a vertex that is no end of the side. Rays that have it ahead all pass it
    /// on the same side, because none leaves the cell through it.
    pub(super) fn keep_off(&self, view: &View, rays: &Tangents, gap: &mut Gap) {
        if rays.beside != 0 || !self.layout.solid[rays.vertex as usize] {
            return;
        }
        let [left, right] = [&rays.left, &rays.right].map(|ray| key(gap.reference, ray.direction));
        let direction = middle(gap.right, gap.left);
        let turn = match (gap.holds(left), gap.holds(right)) {
            (true, false) => 1.0,
            (false, true) => -1.0,
            // Both tangents lie in the gap; the middle of the gap decides on which side rays pass.
            (true, true) => {
                let aside = direction.cross(self.position(rays.vertex) - view.root.at);
                if aside + view.root.lean(self.radius) > 0.0 { 1.0 } else { -1.0 }
            }
            (false, false) if self.is_met(view, rays.vertex, direction) => return gap.shut(),
            (false, false) => return,
        };
        self.keep_aside(view, rays, turn, gap);
    }

    /// Bounds a gap by the ray that touches the circle around a vertex. Where bounds agree, the next corner counts.
    pub(super) fn keep_aside(&self, view: &View, rays: &Tangents, turn: f64, gap: &mut Gap) {
        let (end, ray) = if turn > 0.0 { (1, &rays.left) } else { (0, &rays.right) };
        let reach = self.turning_reach(rays.vertex, turn, ray);
        let at = key(gap.reference, ray.direction);
        let (bound, direction) = if turn > 0.0 { (gap.high, gap.left) } else { (gap.low, gap.right) };
        let tighter = (bound - at) * turn;
        let holder = Ray { direction, reach: gap.reaches[end], exists: true };
        let is_next = tighter >= -SAME_KEY && self.comes_next(view, reach, ray, holder);
        if tighter <= SAME_KEY && !is_next {
            return;
        }
        (gap.ends[end], gap.reaches[end]) = (rays.vertex, reach);
        match (turn > 0.0, tighter > SAME_KEY) {
            (true, true) => (gap.high, gap.left) = (at, ray.direction),
            (true, false) => gap.high = at.min(gap.high),
            (false, true) => (gap.low, gap.right) = (at, ray.direction),
            (false, false) => gap.low = at.max(gap.low),
        }
    }

    /// True if a ray meets the circle around a vertex ahead.
    pub(super) fn is_met(&self, view: &View, vertex: u32, direction: Vec2) -> bool {
        let to = self.position(vertex) - view.root.at;
        let aside = direction.cross(to) + view.root.lean(self.radius);
        direction.dot(to) > 0.0 && aside.abs() < self.radius - self.slack
    }

    /// Returns the direction of the ray that has a point exactly behind. The point is given relative to the root.
    fn away_from(&self, root: &Root, to: Vec2) -> Vec2 {
        let length = to.length();
        let sine = (-root.lean(self.radius) / length).clamp(-1.0, 1.0);
        let cosine = (1.0 - sine * sine).max(0.0).sqrt();
        let back = to * (-1.0 / length);
        back * cosine + back.perp() * sine
    }
}
