//! The rules of walking: which faces are walkable, and which steps and gaps are taken.

use clearway_base::error::{Error, ErrorKind, Result, short};
use serde::Serialize;

/// The smallest and the largest cell of [`Method::Voxel`], in metres. Smaller cells make more columns than the limit
/// for most scenes; with larger ones doors and stairs vanish.
pub(crate) const CELLS: std::ops::RangeInclusive<f64> = 0.01..=5.0;

/// The method by which the walkable surface is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Every line where head-room ends is computed from the triangles that meet there. Only parts of a scene that are
    /// too tangled for that take the voxel route.
    #[default]
    Exact,
    /// Columns of a lattice show where head-room ends. Then the lines of what stands there replace the lattice.
    Voxel {
        /// The side of a column, in metres, between 0.01 and 5.
        cell: f64,
    },
}

/// The abilities of a walker. There is no radius: the surface serves bodies of every size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WalkRules {
    /// The head-room that it needs, in metres; more than twice `max_step`.
    pub height: f64,
    /// The greatest step up or down, in metres.
    pub max_step: f64,
    /// The steepest slope, in radians, less than a right angle.
    pub max_slope: f64,
    /// Gaps between floors are bridged up to this width, in metres. Steep strips as narrow, and no higher than a step,
    /// are stepped over.
    pub gap: f64,
    /// If there are any, only floors that can be reached from one of these points are kept.
    pub seeds: Vec<[f64; 3]>,
    /// Ways that are not walked, such as lifts, as pairs of points. The end of a way counts as reached if its start is
    /// reached from a seed. A way that does not start and end on the ground is ignored.
    pub ways: Vec<[[f64; 3]; 2]>,
    /// Connected pieces smaller than this are dropped, in square metres.
    pub min_area: f64,
    /// Drop floors inside closed solids, unless nothing else is left.
    pub inside: bool,
    /// Drop small pieces that stand over the ground of larger ones and that nothing leads to, such as the tops of tables
    /// and cupboards. Pieces at the ends of `ways` stay; with `seeds` all that they reach stays.
    pub islands: bool,
    /// Outlines may be simplified by up to this distance, in metres; zero keeps them as they are.
    pub simplify: f64,
    /// The method by which the surface is found.
    pub method: Method,
}

clearway_base::setters!(WalkRules {
    height: f64,
    max_step: f64,
    max_slope: f64,
    gap: f64,
    seeds: Vec<[f64; 3]>,
    ways: Vec<[[f64; 3]; 2]>,
    min_area: f64,
    inside: bool,
    islands: bool,
    simplify: f64,
    method: Method,
});

impl Default for WalkRules {
    fn default() -> WalkRules {
        WalkRules {
            height: 2.0,
            max_step: 0.4,
            max_slope: 45f64.to_radians(),
            gap: 0.03,
            seeds: Vec::new(),
            ways: Vec::new(),
            min_area: 0.25,
            inside: true,
            islands: true,
            simplify: 0.0,
            method: Method::Exact,
        }
    }
}

/// Tolerance of the steepest slope, in radians (0.003 degrees). Files with 32-bit coordinates draw the slope of small
/// faces only to about this precision, and a ramp drawn at exactly the limit must count as walkable.
const SLOPE_NOISE: f64 = 5e-5;

/// The widest gap that may be bridged, in metres. Whoever walks across a wider one steps into what lies below.
const MOST_GAP: f64 = 1.0;

impl WalkRules {
    /// Returns the smallest upward component of a walkable face's unit normal: the cosine of the steepest slope. Faces
    /// drawn at exactly the slope that was given in degrees count as walkable.
    pub fn least_upright(&self) -> f64 {
        (self.max_slope + SLOPE_NOISE).min(std::f64::consts::FRAC_PI_2).cos()
    }

    /// Fails if a rule makes no sense. The message names the rule.
    pub fn validate(&self) -> Result<()> {
        let lengths = [
            ("height", self.height, 1000.0),
            ("max step", self.max_step, 1000.0),
            ("gap", self.gap, MOST_GAP),
            ("smallest area", self.min_area, 1e12),
            ("simplification", self.simplify, 10.0),
        ];
        for (name, value, most) in lengths {
            if !(0.0..=most).contains(&value) {
                return refuse(format!("the {name} is {}; it must lie between 0 and {most}", short(value)));
            }
        }
        if !(0.0..std::f64::consts::FRAC_PI_2).contains(&self.max_slope) {
            return refuse(format!(
                "the greatest slope is {} degrees; it must be at least 0 and less than 90",
                short(self.max_slope.to_degrees())
            ));
        }
        if let Method::Voxel { cell } = self.method
            && !CELLS.contains(&cell)
        {
            return refuse(format!(
                "the cell is {}; it must lie between {} and {}",
                short(cell),
                CELLS.start(),
                CELLS.end()
            ));
        }
        if self.height <= 2.0 * self.max_step {
            return refuse(format!(
                "the height {} must be more than twice the greatest step {}: floors closer together than two \
                 steps cannot be told apart",
                self.height, self.max_step
            ));
        }
        let seed = self.seeds.iter().find(|seed| !seed.iter().all(|c| c.is_finite()));
        seed.map_or(Ok(()), |seed| refuse(format!("the seed {seed:?} is not a place")))
    }
}

/// Wraps a message into an error about options.
fn refuse(message: String) -> Result<()> {
    Err(Error::new(ErrorKind::Options, message))
}
