//! Straight walks through the cells of a diagram, from a wall to a place, on surfaces of several sheets.
//!
//! Cells are left only over their own edges, so a walk never sees a floor above or below. The cell of a segment has no
//! folds on either side. The cell of a point may wind around it by more than a full turn. There the walk turns from the
//! edge by which it came, and the first edge that it meets is the one it leaves by. Cost: the edges of the cells on the
//! way.

use crate::graph::{Graph, next};
use crate::query::EdgeId;
use clearway_geometry::{NONE, Vec2};
use std::f64::consts::TAU;

/// A place in the cell of its nearest site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub site: u32,
    pub at: Vec2,
    /// The edge over which the walk came into the cell, seen from its site; [`NONE`] at the wall where it started.
    via: u32,
    /// Where it came in.
    entry: Vec2,
}

impl Graph {
    /// Walks straight to `to` from a place on a segment. `None` if rounding led the walk in circles.
    pub fn follow(&self, segment: u32, from: Vec2, to: Vec2) -> Option<Spot> {
        self.follow_while(segment, from, to, |_, _| true)
    }

    /// The same, given up where `pass` refuses the way through the cell of a site, between two places.
    pub fn follow_while(
        &self,
        segment: u32,
        from: Vec2,
        to: Vec2,
        mut pass: impl FnMut(u32, [Vec2; 2]) -> bool,
    ) -> Option<Spot> {
        let mut spot = Spot { site: segment, at: to, via: NONE, entry: from };
        let length = from.distance(to);
        if length == 0.0 {
            return Some(spot);
        }
        let along = (to - from) * (1.0 / length);
        // A walk that crosses more edges than there are goes in circles.
        for _ in 0..self.origin.len() {
            let exit = self.exit(&spot, along).filter(|(_, at)| (*at - from).dot(along) < length);
            if !pass(spot.site, [spot.entry, exit.map_or(to, |(_, at)| at)]) {
                return None;
            }
            match exit {
                None => return Some(spot),
                Some((h, at)) => {
                    spot = Spot { site: self.to(h), at: to, via: self.twin[h as usize], entry: at };
                }
            }
        }
        None
    }

    /// The edge over which a straight walk leaves the cell, and where.
    fn exit(&self, spot: &Spot, along: Vec2) -> Option<(u32, Vec2)> {
        let slack = 64.0 * self.epsilon;
        let is_point = self.site(spot.site).is_point();
        let mut first: Option<(f64, u32, Vec2)> = None;
        for h in self.spokes_towards(spot) {
            // The edge just crossed counts again only where it is met a second time.
            let least = if h == spot.via || spot.via == NONE { slack } else { -slack };
            self.crossings(h, spot.entry, along, |at| {
                let ahead = (at - spot.entry).dot(along);
                if ahead > least && first.is_none_or(|(known, ..)| ahead < known) {
                    first = Some((ahead, h, at));
                }
            });
            if is_point && first.is_some() {
                break;
            }
        }
        first.map(|(_, h, at)| (h, at))
    }

    /// The edges of a cell that a walk from the entry to the place can see, from its site. Around a point they are in the
    /// order in which the walk turns.
    fn spokes_towards(&self, spot: &Spot) -> Vec<u32> {
        let site = self.site(spot.site);
        if !site.is_point() || spot.via == NONE {
            return self.spokes(spot.site).collect();
        }
        let (from, to) = (spot.entry - site.a, spot.at - site.a);
        let is_left = from.cross(to) >= 0.0;
        let turn = |a: Vec2, b: Vec2| {
            let angle = if is_left { a.cross(b) } else { b.cross(a) }.atan2(a.dot(b));
            // Rounding may turn a little backwards.
            if angle < -1e-6 { angle + TAU } else { angle.max(0.0) }
        };
        let most = turn(from, to);
        let (mut h, mut here, mut turned) = (spot.via, from, 0.0);
        let mut seen: Vec<u32> = Vec::new();
        let behind = if is_left { next(self.twin[h as usize]) } else { self.turn(h) };
        loop {
            let end = self.circle(if is_left { h } else { self.twin[h as usize] });
            let towards = end.at - site.a;
            let is_last = end.is_outer() || end.radius == 0.0;
            let after = if is_last { most } else { turned + turn(here, towards) };
            seen.push(h);
            if is_last || turned > most + 1e-6 {
                break;
            }
            (turned, here) = (after, towards);
            h = if is_left { self.turn(h) } else { next(self.twin[h as usize]) };
            if h == spot.via {
                break;
            }
        }
        // Where the place lies in the direction of the entry, rounding chose the side to turn to.
        if most <= 1e-6 && !seen.contains(&behind) {
            seen.push(behind);
        }
        seen
    }

    /// Moves a place away from its nearest point onto the medial axis, as on a single sheet.
    pub fn retract_from(&self, spot: &Spot) -> Option<(EdgeId, Vec2, f64)> {
        let foot = self.site(spot.site).nearest(spot.at);
        let way = spot.at - foot;
        let length = way.length();
        if length == 0.0 || !length.is_finite() {
            return None;
        }
        let spokes = self.spokes_towards(spot);
        self.retract(spot.site, spokes.into_iter(), foot, way * (1.0 / length))
    }
}
