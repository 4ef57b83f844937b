//! From the outlines of a raster to rings of a plan.

use crate::drawing::{PlanDrawing, Ring};
use crate::random::Random;
use crate::raster::{LatticeRing, Pinch, Raster, corners_only};
use crate::shapes::{Point, add, quantised, scaled};

/// Corners moved by less than this much of a cell cannot make outlines meet: sides without a common corner
/// are at least one cell apart, and both ends may move by no more than the length of `[0.3, 0.3]`.
const SAFE_JITTER: f64 = 0.3;

/// Where grid corners lie in the plan.
pub(super) struct Placement {
    /// The side of a cell.
    step: f64,
    /// How far each coordinate of a corner moves at most, in cells; 0 also drops corners on straight runs.
    jitter: f64,
    /// Chooses the moves; a corner that is visited twice moves the same way twice.
    seed: u64,
}

impl Placement {
    /// Cells of the given side, with corners moved as far as is safe unless they stay upright.
    pub(super) fn new(random: &mut Random, step: f64, upright: bool) -> Placement {
        Placement { step, jitter: if upright { 0.0 } else { SAFE_JITTER }, seed: random.next_u64() }
    }

    /// The outlines of a raster, placed in the plan.
    pub(super) fn draw(&self, raster: &Raster, pinch: Pinch) -> PlanDrawing {
        let polygons = raster.trace(pinch);
        let polygon = |(outline, holes): &(LatticeRing, Vec<LatticeRing>)| {
            (self.ring(outline), holes.iter().map(|hole| self.ring(hole)).collect())
        };
        PlanDrawing { polygons: polygons.iter().map(polygon).collect(), ..PlanDrawing::default() }
    }

    fn ring(&self, ring: &LatticeRing) -> Ring {
        if self.jitter == 0.0 {
            return quantised(
                corners_only(ring).into_iter().map(|corner| self.point(corner, [0.0, 0.0])).collect(),
            );
        }
        let moved = |&corner: &[i32; 2]| {
            let mut random = Random::at(self.seed, corner);
            let mut shift = || random.range(-self.jitter, self.jitter);
            self.point(corner, [shift(), shift()])
        };
        quantised(ring.iter().map(moved).collect())
    }

    fn point(&self, [x, y]: [i32; 2], shift: Point) -> Point {
        scaled(add([f64::from(x), f64::from(y)], shift), self.step)
    }
}
