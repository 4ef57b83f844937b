//! Closes pinholes and wedges: holes left where the corners of several floors nearly meet, no wider than a gap.
//!
//! Rims that face each other across a gap move together (`glue`). Around a hole of three or four short rims none
//! faces another. At the blunt end of a wedge between two floors, such short rims keep the long ones apart. A pinhole
//! would keep every body its radius away, and a wedge is a wall. So corners close together become one: pinholes
//! shrink to a point, and the sides of wedges come to lie on each other.
//!
//! Invariant: no triangle turns over, and no border passes through a wall. Cost: at most `MOST_SIDES` steps per
//! short rim.

use crate::surface::stitch::glue::Stitcher;
use clearway_geometry::boxes::Box2;
use clearway_geometry::half_edges::next;
use clearway_geometry::predicates::doubled_area;
use clearway_geometry::{NONE, Point};

/// The greatest number of sides of a hole that may close; larger holes are left alone. A larger value follows more
/// borders.
const MOST_SIDES: usize = 12;

impl Stitcher<'_> {
    /// Closes all pinholes and wedges that are no wider than a gap. Each has a short rim, so the search starts there.
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

    /// True if a rim is no longer than the widest gap that is bridged.
    fn is_short(&self, rim: u32) -> bool {
        self.fabric.from(rim).distance(self.fabric.to(rim)) <= self.gap
    }

    /// The rims around a hole with few sides. `None` if the hole is larger, has a barrier or a cut, or has a short
    /// rim with a lower number: then the search from that rim finds the hole.
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
        // Sheets lie on the left of their rims, so the rims around a hole run clockwise.
        (doubled_area(hole.iter().map(|e| self.fabric.from(*e))) <= 0).then_some(hole)
    }

    /// The border edge that follows another one along the same border.
    fn following(&self, border: u32) -> u32 {
        let mut e = next(border);
        while self.fabric.twin[e as usize] != NONE {
            e = next(self.fabric.twin[e as usize]);
        }
        e
    }

    /// Groups the rims of a hole by where they start. A pinhole is one group; a wedge has a group at each end. `None`
    /// if the hole is neither.
    fn ends(&self, hole: &[u32]) -> Option<Vec<Vec<u32>>> {
        let long: Vec<usize> = (0..hole.len()).filter(|i| !self.is_short(hole[*i])).collect();
        let ends: Vec<Vec<u32>> = match long[..] {
            [] => vec![hole.to_vec()],
            // The corners after one long rim belong together, up to the start of the other long rim.
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

    /// True if all corners lie within a gap, one can step from each to the first, and nothing stands between.
    fn is_close(&self, corners: &[u32]) -> bool {
        let places: Vec<Point> = corners.iter().map(|e| self.fabric.from(*e)).collect();
        let Box2 { min, max } = Box2::of(&places);
        let level = self.height(corners[0], places[0]);
        min.distance(max) <= self.gap
            && corners.iter().zip(&places).skip(1).all(|(e, at)| {
                (self.height(*e, *at) - level).abs() <= self.step && self.is_open_across(*e, *at, places[0])
            })
    }

    /// Moves corners to one of them: the one that most can move to without turning a triangle over.
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
