//! The rules of a walker in grid units: each length is converted once, here.

use super::outline::slits::Least;
use super::rules::{Method, WalkRules};
use super::tolerances::{LEAST_PLACE, ROUNDING};

/// The rules of a walker in grid units.
#[derive(Clone, Copy, Debug)]
pub struct GridRules {
    /// Head-room and step, rounded in favour of the walker.
    pub limits: Limits,
    /// The head-room as it is, without rounding.
    pub head_room: f64,
    /// The widest gap in the scene that is bridged.
    pub gap: f64,
    /// The widest gap on the grid that is bridged for it.
    pub widest_gap: f64,
    /// How far apart rims may lie that voxels drew on both sides of a line.
    pub drawn: f64,
    /// The sizes below which free space is not worth a cell.
    pub least: Least,
    /// Cracks separate regions of at least this area, in square units.
    pub least_place: f64,
}

impl GridRules {
    /// Converts the rules, for a grid with this unit in metres.
    pub fn of(rules: &WalkRules, unit: f64) -> GridRules {
        let gap = rules.gap / unit;
        GridRules {
            limits: Limits::of(rules, unit),
            head_room: rules.height / unit,
            gap,
            widest_gap: widest_gap(gap),
            drawn: drawn_astray(rules) / unit,
            least: Least { width: rules.simplify / unit, area: rules.min_area / (unit * unit) },
            least_place: LEAST_PLACE / (unit * unit),
        }
    }
}

/// The heights that matter, in grid units.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The head-room of a body.
    pub height: f64,
    /// The greatest step.
    pub step: f64,
}

impl Limits {
    /// Converts the rules to grid units, rounded in favour of the walker: a height down, a step up. Rounding to the
    /// grid must not forbid a step or a passage that is just allowed in the scene.
    pub fn of(rules: &WalkRules, unit: f64) -> Limits {
        Limits { height: (rules.height / unit).floor(), step: (rules.max_step / unit).ceil() }
    }
}

/// Returns the widest gap that is bridged on the grid, in grid units, for the widest gap in the scene.
///
/// Rounding moves the rims on both sides of a gap, and stitching joins points up to [`ROUNDING`] apart. So a gap that
/// is just as wide as allowed may come out wider by that much. Where no gap is to be bridged, rounding must not bridge
/// one.
fn widest_gap(gap: f64) -> f64 {
    if gap > 0.0 { gap + ROUNDING } else { 0.0 }
}

/// Returns the largest distance, in metres, between two rims that voxels drew on both sides of one line.
///
/// It is zero for cells above 20 cm, which show too little of what lies between the rims. It is zero as well where no
/// gap is to be bridged.
pub fn drawn_astray(rules: &WalkRules) -> f64 {
    match rules.method {
        Method::Voxel { cell } if rules.gap > 0.0 && cell <= 0.2 => (1.5 * cell).min(0.2),
        _ => 0.0,
    }
}
