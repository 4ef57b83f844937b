//! Pinholes and wedges: what is left where the corners of several floors nearly meet, no wider than gaps that are bridged.
//!
//! Rims that look at each other across a gap move together (`stitch`); around a hole of three or four short rims none looks
//! at another, and at the blunt end of a wedge between two floors such rims are in the way of the long ones. A pinhole would
//! keep every body its radius away, and a wedge is a wall. Corners close together become one: pinholes shrink to a point, and
//! the sides of wedges come to lie on each other.

use crate::surface::stitch::glue::Stitcher;
use clearway_geometry::boxes::Box2;
use clearway_geometry::half_edges::next;
use clearway_geometry::predicates::doubled_area;
use clearway_geometry::{NONE, Point};

/// Holes with more sides are left alone.
const MOST_SIDES: usize = 12;

impl Stitcher<'_> {
    /// Closes all pinholes and wedges no wider than gaps. All have a short rim.
    pub(crate) fn close_pinholes(&mut self) {
        let mut rims = self.rims();
        rims.retain(|rim| self.is_short(*rim));
        for rim in rims {
            for corners in self.hole(rim).and_then(|hole| self.ends(&hole)).into_iter().flatten() {
                self.shrink(&corners);
            }
        }
        self.glue();
    }

    fn is_short(&self, rim: u32) -> bool {
        self.fabric.from(rim).distance(self.fabric.to(rim)) <= self.gap
    }

    /// The rims around a hole with few sides, from the first that is short on.
    fn hole(&self, rim: u32) -> Option<Vec<u32>> {
        let mut hole = vec![rim];
        loop {
            let last = *hole.last()?;
            if self.fabric.rim[last as usize] == NONE || self.fabric.is_cut[last as usize] {
                return None;
            }
            match self.following(last) {
                first if first == rim => break,
                following if following < rim && self.is_short(following) => return None,
                _ if hole.len() == MOST_SIDES => return None,
                following => hole.push(following),
            }
        }
        // Sheets lie on the left of their rims: around a hole these run clockwise.
        (doubled_area(hole.iter().map(|e| self.fabric.from(*e))) <= 0).then_some(hole)
    }

    /// The border edge that follows one.
    fn following(&self, border: u32) -> u32 {
        let mut e = next(border);
        while self.fabric.twin[e as usize] != NONE {
            e = next(self.fabric.twin[e as usize]);
        }
        e
    }

    /// The rims that start at corners close together: all of a pinhole, or those at each end of a wedge. `None` if the hole is
    /// neither.
    fn ends(&self, hole: &[u32]) -> Option<Vec<Vec<u32>>> {
        let long: Vec<usize> = (0..hole.len()).filter(|i| !self.is_short(hole[*i])).collect();
        let ends: Vec<Vec<u32>> = match long[..] {
            [] => vec![hole.to_vec()],
            // After a long rim the next corners belong together, up to the start of the other.
            [one, other] => {
                let around = |from: usize, to: usize| {
                    let count = (to + hole.len() - from - 1) % hole.len() + 1;
                    (1..=count).map(|i| hole[(from + i) % hole.len()]).collect()
                };
                vec![around(one, other), around(other, one)]
            }
            _ => return None,
        };
        ends.iter().all(|end| self.is_close(end)).then_some(ends)
    }

    /// Whether corners lie close together, one can step from each to the first, and nothing stands between.
    fn is_close(&self, corners: &[u32]) -> bool {
        let places: Vec<Point> = corners.iter().map(|e| self.fabric.from(*e)).collect();
        let Box2 { min, max } = Box2::of(&places);
        let level = self.height(corners[0], places[0]);
        min.distance(max) <= self.gap
            && corners.iter().zip(&places).skip(1).all(|(e, at)| {
                (self.height(*e, *at) - level).abs() <= self.step && self.is_open_across(*e, *at, places[0])
            })
    }

    /// Moves corners to one of them: that where most can go without turning a triangle over.
    fn shrink(&mut self, corners: &[u32]) {
        let mut fan = Vec::new();
        let mut movable = |at: Point| {
            let can_go = |e: &&u32| self.fabric.from(**e) == at || self.fabric.may_move(**e, at, &mut fan);
            corners.iter().filter(can_go).count()
        };
        let places = corners.iter().map(|e| self.fabric.from(*e));
        let Some(at) = places.max_by_key(|at| (movable(*at), std::cmp::Reverse(*at))) else { return };
        for e in corners {
            let chart = self.fabric.chart[*e as usize / 3];
            if chart == NONE || self.fabric.from(*e) == at {
                continue;
            }
            self.fabric.fan(*e, &mut fan);
            if !self.sweeps_wall(&fan, at) && self.fabric.move_vertex(*e, at) {
                self.moved.add(at, chart);
                self.bridged.push(at);
            }
        }
    }
}
