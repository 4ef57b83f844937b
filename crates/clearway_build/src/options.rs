//! The options of a build.

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_cells::{CellRules, Quality};
use serde::{Deserialize, Serialize};

/// The options of a build. The defaults suit most worlds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MeshOptions {
    /// The effort that is spent on few cells.
    pub quality: Quality,
    /// Corners up to π plus this angle (radians, below π/2) do not split a *region*; cells stay exactly convex. The
    /// NEOGEN thesis calls it alpha and uses 5 degrees.
    pub relax_angle: f64,
    /// Runs of reflex corners that stay within this distance (metres) of their chord do not split a *region*; cells
    /// stay exactly convex. The NEOGEN thesis calls it tau.
    pub relax_depth: f64,
    /// Compute all clearances as the last stage of the build. Without it, the first query that needs them computes
    /// them.
    pub clearance: bool,
    /// The grid unit in metres, rounded down to a power of two. When absent, it is chosen from the extent of the plan.
    pub grid: Option<f64>,
}

clearway_base::setters!(MeshOptions {
    quality: Quality,
    relax_angle: f64,
    relax_depth: f64,
    clearance: bool,
    grid: Option<f64>,
});

impl Default for MeshOptions {
    fn default() -> MeshOptions {
        let (quality, grid) = (Quality::default(), None);
        MeshOptions { quality, relax_angle: 0.0, relax_depth: 0.0, clearance: true, grid }
    }
}

impl MeshOptions {
    /// Fails if a value makes no sense. The message names the option.
    pub fn validate(&self) -> Result<()> {
        let wrong = |message: String| Err(Error::new(ErrorKind::Options, message));
        let right_angle = std::f64::consts::FRAC_PI_2;
        if !(0.0..right_angle).contains(&self.relax_angle) {
            return wrong(format!(
                "relax_angle is {} radians; it must be at least 0 and below {right_angle:.4} (90 degrees)",
                self.relax_angle
            ));
        }
        if !(self.relax_depth >= 0.0 && self.relax_depth.is_finite()) {
            return wrong(format!(
                "relax_depth is {}; it must be a finite length of at least 0",
                self.relax_depth
            ));
        }
        match self.grid {
            Some(unit) if !(unit > 0.0 && unit.is_finite()) => {
                wrong(format!("grid is {unit}; it must be a length above 0"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the options that the partition into cells needs.
    pub(crate) fn cells(&self) -> CellRules {
        CellRules { quality: self.quality, relax_angle: self.relax_angle, relax_depth: self.relax_depth }
    }

    /// True if regions may be less than exactly convex.
    pub fn is_relaxed(&self) -> bool {
        self.cells().is_relaxed()
    }
}
