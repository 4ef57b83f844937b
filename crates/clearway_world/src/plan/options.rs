//! The options for reading a plan.

use super::PlanRole;
use clearway_base::error::{Error, ErrorKind, Result};

/// The widest opening of an outer wall that is closed by default, in metres: gates and shop fronts are narrower, and
/// courtyards are wider.
pub const USUAL_OPENING: f64 = 3.0;

/// The options for reading a plan. The defaults suit most files.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// The length of the file's unit in metres. When absent, the file tells it, or it is a metre.
    pub scale: Option<f64>,
    /// Roles with patterns of their parts. If several match, the last decides. A pattern is compared with a part's
    /// whole name and with each level of it (between `/`), in any case of letters; `*` stands for any characters, `?`
    /// for exactly one.
    pub roles: Vec<(PlanRole, String)>,
    /// Gaps between floors up to this width are walkable, in metres; 0 keeps them all.
    pub gap: f64,
    /// The widest opening of the outer walls, in metres, that is closed where a plan has walls but no floor. When
    /// absent, it is [`USUAL_OPENING`].
    pub opening: Option<f64>,
    /// Refuse coordinates in degrees instead of projecting them to metres.
    pub keep_degrees_out: bool,
    /// Read only this level of a plan with levels.
    pub level: Option<String>,
    /// The distance in metres by which outlines of raster maps may move. When absent, it is the side of a cell.
    pub simplify: Option<f64>,
}

clearway_base::setters!(PlanOptions {
    scale: Option<f64>,
    roles: Vec<(PlanRole, String)>,
    gap: f64,
    opening: Option<f64>,
    keep_degrees_out: bool,
    level: Option<String>,
    simplify: Option<f64>,
});

impl PlanOptions {
    /// Fails if a value makes no sense. The message names the option.
    pub fn validate(&self) -> Result<()> {
        let wrong = |message: String| Err(Error::new(ErrorKind::Options, message));
        if let Some(scale) = self.scale.filter(|scale| !(*scale > 0.0 && scale.is_finite())) {
            return wrong(format!("scale is {scale}; it must be a length above 0"));
        }
        let lengths = [("gap", Some(self.gap)), ("opening", self.opening), ("simplify", self.simplify)];
        for (name, length) in lengths {
            if let Some(length) = length.filter(|length| !(*length >= 0.0 && length.is_finite())) {
                return wrong(format!("{name} is {length}; it must be a finite length of at least 0"));
            }
        }
        Ok(())
    }
}
