//! Straight stairs that climb along x.

use super::soup::{Point3, Soup};
use super::truth::BODY_HEIGHT;

/// A flight of stairs: the last riser, up to the next floor, is not part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    /// The corner of low x, y and z.
    pub start: Point3,
    /// The width along z.
    pub width: f64,
    pub riser: f64,
    pub tread: f64,
    /// The number of treads.
    pub treads: usize,
}

impl Flight {
    pub(crate) fn length(&self) -> f64 {
        self.tread * self.treads as f64
    }

    /// The footprint's corners in plan.
    pub(crate) fn footprint(&self) -> ([f64; 2], [f64; 2]) {
        let [x, _, z] = self.start;
        ([x, z], [x + self.length(), z + self.width])
    }

    pub(crate) fn area(&self) -> f64 {
        self.length() * self.width
    }

    /// How much of a floor at the flight's foot has a soffit over it that is too low to stand under.
    pub(crate) fn floor_lost_below(&self) -> f64 {
        let high_enough = self.tread * (1.0 + BODY_HEIGHT / self.riser);
        high_enough.min(self.length()) * self.width
    }

    fn x(&self, k: usize) -> f64 {
        self.start[0] + self.tread * k as f64
    }

    fn y(&self, k: usize) -> f64 {
        self.start[1] + self.riser * k as f64
    }

    /// The middle of a tread.
    pub(crate) fn on_tread(&self, k: usize) -> Point3 {
        [self.x(k) + 0.5 * self.tread, self.y(k + 1), self.start[2] + 0.5 * self.width]
    }

    /// A closed flight with a sloping soffit, one riser below the inner corners.
    pub(crate) fn build(&self, soup: &mut Soup) {
        let (z0, z1) = (self.start[2], self.start[2] + self.width);
        let last = self.treads;
        for k in 0..last {
            let (x0, x1, y0, y1) = (self.x(k), self.x(k + 1), self.y(k), self.y(k + 1));
            soup.floor([x0, z0], [x1, z1], y1);
            soup.panel([x0, z1], [x0, z0], y0, y1);
            // The soffit starts flat on the floor, then runs along the pitch.
            let (s0, s1) = (self.y(k.saturating_sub(1)), y0);
            soup.face(&[[x0, s0, z0], [x1, s1, z0], [x1, s1, z1], [x0, s0, z1]]);
            soup.face(&[[x0, s0, z0], [x0, y1, z0], [x1, y1, z0], [x1, s1, z0]]);
            soup.face(&[[x0, s0, z1], [x1, s1, z1], [x1, y1, z1], [x0, y1, z1]]);
        }
        soup.panel([self.x(last), z0], [self.x(last), z1], self.y(last.saturating_sub(1)), self.y(last));
    }

    /// Each step a closed box that stands on the floor.
    pub(crate) fn build_solid(&self, soup: &mut Soup) {
        let (z0, z1) = (self.start[2], self.start[2] + self.width);
        for k in 0..self.treads {
            soup.cuboid([self.x(k), self.start[1], z0], [self.x(k + 1), self.y(k + 1), z1]);
        }
    }
}

/// A flat plate at height `y`, with a rectangular hole, cut so that all pieces share whole edges.
pub(crate) fn holed_floor(
    soup: &mut Soup,
    low: [f64; 2],
    high: [f64; 2],
    hole: ([f64; 2], [f64; 2]),
    y: f64,
) {
    for (a, b) in around_hole(low, high, hole) {
        soup.floor(a, b, y);
    }
}

/// The eight rectangles around a hole.
pub(crate) fn around_hole(
    low: [f64; 2],
    high: [f64; 2],
    (from, to): ([f64; 2], [f64; 2]),
) -> Vec<([f64; 2], [f64; 2])> {
    let (xs, zs) = ([low[0], from[0], to[0], high[0]], [low[1], from[1], to[1], high[1]]);
    let cells = (0..9).filter(|&k| k != 4).map(|k| (k % 3, k / 3));
    cells.map(|(i, j)| ([xs[i], zs[j]], [xs[i + 1], zs[j + 1]])).collect()
}

/// The four sides of a hole, which face its middle.
pub(crate) fn hole_sides(soup: &mut Soup, (low, high): ([f64; 2], [f64; 2]), bottom: f64, top: f64) {
    let ring = super::soup::rectangle(low, high);
    for k in 0..4 {
        soup.panel(ring[k], ring[(k + 1) % 4], bottom, top);
    }
}
