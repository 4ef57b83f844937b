//! Options of a crowd.

use super::goal::Area;
use super::portals::Shrink;
use super::way::WayPoints;
use clearway_base::{Error, ErrorKind, Result};

/// The options of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CrowdOptions {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The rule by which bodies choose their way points.
    pub way_points: WayPoints,
    /// The way in which portals are shrunk by the radius.
    pub shrink: Shrink,
    /// True to keep bodies apart by the contact projection. Without it the model alone decides.
    pub contact: bool,
    /// The largest number of expansions per step for routes to goals of bodies' own. More lets bodies wait less and
    /// makes steps longer.
    pub search_budget: u64,
    /// True if the speed of a body is measured along the ground, so that slopes slow its progress in the plan.
    pub along_ground: bool,
}

clearway_base::setters!(CrowdOptions {
    seed: u64,
    way_points: WayPoints,
    shrink: Shrink,
    contact: bool,
    search_budget: u64,
    along_ground: bool,
});

impl Default for CrowdOptions {
    fn default() -> CrowdOptions {
        CrowdOptions {
            seed: 1,
            way_points: WayPoints::default(),
            shrink: Shrink::Exact,
            contact: true,
            // 0.03 s of processor time for corridors of 0.3 µs per expansion: a third of a step of 10 Hz.
            search_budget: 100_000,
            along_ground: true,
        }
    }
}

impl CrowdOptions {
    /// True if bodies keep their radius from corners between way points: with dynamic way points on exact parts. The other
    /// rules are those of the papers, which head straight for the way point. With the contact projection bodies slide around
    /// corners, and crowds pass doors and narrow corridors with fewer stops.
    pub(crate) fn rounds_corners(&self) -> bool {
        let is_dynamic = matches!(self.way_points, WayPoints::Dynamic { .. });
        !self.contact && is_dynamic && self.shrink == Shrink::Exact
    }
}

/// An area in which bodies walk at another speed: stairs, an escalator, rubble.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedZone {
    /// The area.
    pub(crate) area: Area,
    /// The factor on level ground.
    pub(crate) level: f32,
    /// The factor uphill.
    pub(crate) up: f32,
    /// The factor downhill.
    pub(crate) down: f32,
}

/// The greatest factor of a zone: an escalator is no rocket.
const MAX_FACTOR: f64 = 10.0;

impl SpeedZone {
    /// Makes a zone with one factor for all directions.
    pub fn new(area: Area, factor: f64) -> Result<SpeedZone> {
        SpeedZone::stairs(area, factor, factor, factor)
    }

    /// Makes a zone with factors on level ground, uphill and downhill.
    pub fn stairs(area: Area, level: f64, up: f64, down: f64) -> Result<SpeedZone> {
        for (name, factor) in [("level", level), ("up", up), ("down", down)] {
            if !(0.0..=MAX_FACTOR).contains(&factor) {
                let message =
                    format!("the factor {name} {factor} of a zone must lie between 0 and {MAX_FACTOR}");
                return Err(Error::new(ErrorKind::OutOfRange, message));
            }
        }
        Ok(SpeedZone { area, level: level as f32, up: up as f32, down: down as f32 })
    }
}
