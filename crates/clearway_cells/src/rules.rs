//! The options that decide how free space is divided into cells.

/// The effort that goes into few cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Quality {
    /// Fastest: about ten percent more cells than `Default`.
    Fast,
    /// Few cells with short portals, every portal ending on a wall.
    #[default]
    Default,
    /// Fewest cells. Portals may end on portals, and may be longer.
    Best,
}

/// The rules for dividing free space into cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellRules {
    /// The effort that goes into few cells.
    pub quality: Quality,
    /// Corners up to π plus this angle (radians, below π/2) do not split a *region*. Cells stay exactly convex.
    pub relax_angle: f64,
    /// Runs of reflex corners within this distance (metres) of their chord do not split a *region*.
    pub relax_depth: f64,
}

impl CellRules {
    /// True if regions may be less than exactly convex.
    pub fn is_relaxed(&self) -> bool {
        self.relax_angle > 0.0 || self.relax_depth > 0.0
    }
}
