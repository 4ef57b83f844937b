//! Pinholes: what is left where the corners of several floors nearly meet, no wider than gaps that are bridged.
//!
//! Rims that look at each other across a gap move together (`stitch`); around a hole of three or four short rims none looks
//! at another. Such a hole would keep every body its radius away. It shrinks to a point.

use super::bins::Extent;
use super::stitch::{ROUNDING, Stitcher};
use clearway_geometry::half_edges::next;
use clearway_geometry::{NONE, Point, Vec2};

/// Holes with more sides are no pinholes.
const MOST_SIDES: usize = 12;

impl Stitcher<'_> {
    /// Closes all pinholes.
    pub(super) fn close_pinholes(&mut self) {
        if self.gap <= ROUNDING {
            return;
        }
        for rim in self.rims() {
            if let Some(hole) = self.pinhole(rim) {
                self.shrink(&hole);
            }
        }
        self.glue();
    }

    /// The rims around a pinhole, from its first on.
    fn pinhole(&self, rim: u32) -> Option<Vec<u32>> {
        let mut hole = vec![rim];
        loop {
            let last = *hole.last()?;
            if self.fabric.rim[last as usize] == NONE || self.fabric.is_cut[last as usize] || last < rim {
                return None;
            }
            match self.following(last) {
                first if first == rim => break,
                _ if hole.len() == MOST_SIDES => return None,
                following => hole.push(following),
            }
        }
        let corners: Vec<Point> = hole.iter().map(|e| self.fabric.from(*e)).collect();
        let Extent { min, max } = Extent::of(&corners);
        // Sheets lie on the left of their rims: around a hole these run clockwise.
        let is_hole = doubled_area(&corners) <= 0.0 && min.distance(max) <= self.gap;
        (is_hole && self.is_level(&hole)).then_some(hole)
    }

    /// The border edge that follows one.
    fn following(&self, border: u32) -> u32 {
        let mut e = next(border);
        while self.fabric.twin[e as usize] != NONE {
            e = next(self.fabric.twin[e as usize]);
        }
        e
    }

    /// Whether one can step across a hole anywhere, and nothing stands in it.
    fn is_level(&self, hole: &[u32]) -> bool {
        let first = hole[0];
        let (place, level) = (self.fabric.from(first), self.height(first, self.fabric.from(first)));
        hole.iter().skip(1).all(|e| {
            let at = self.fabric.from(*e);
            (self.height(*e, at) - level).abs() <= self.step && self.is_open_across(*e, at, place)
        })
    }

    /// Moves the corners of a hole to one of them, as far as that turns no triangle over.
    fn shrink(&mut self, hole: &[u32]) {
        let Some(at) = hole.iter().map(|e| self.fabric.from(*e)).min() else { return };
        for e in hole {
            let chart = self.fabric.chart[*e as usize / 3];
            if chart != NONE && self.fabric.from(*e) != at && self.fabric.move_vertex(*e, at) {
                self.moved.add(at, chart);
                self.bridged.push(at);
            }
        }
    }
}

fn doubled_area(corners: &[Point]) -> f64 {
    let base = corners[0].as_vec2();
    let off = |at: &Point| -> Vec2 { at.as_vec2() - base };
    corners[1..].windows(2).map(|pair| off(&pair[0]).cross(off(&pair[1]))).sum()
}
