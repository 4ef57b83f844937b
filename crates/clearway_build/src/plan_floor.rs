//! Finds the floor of a plan: as drawn, or as enclosed by its walls; with gaps closed where that is asked for.

use crate::report::Repair;
use crate::snapped_plan::SnappedPlan;
use clearway_geometry::arrangement::{
    ArrangeError, Enclosed, Enclosure, Floor, Tally, arrange, arrange_enclosed, nearly_touching,
};
use clearway_world::plan::{Plan, THIN};

/// Floors that come this close without touching are told, in metres: no wall of a building is thicker.
const NEAR: f64 = 0.3;

/// What was found beside the floor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// What the rules for undrawn floors did.
    enclosed: Enclosed,
    /// Floors that nearly touch.
    near: Tally,
    /// The widest opening of outer walls, in metres.
    opening: f64,
    /// The widest gap that was closed, in metres.
    gap: f64,
}

/// Arranges the chains of a plan.
pub fn floor_of(plan: &Plan, ground: &SnappedPlan) -> Result<(Floor, Told), ArrangeError> {
    let units = |metres: f64| (metres / ground.grid.unit()).round() as i64;
    if plan.enclosed.is_none() && plan.gap == 0.0 {
        let floor = arrange(&ground.chains)?;
        // Where something stands between floors, they are apart on purpose.
        let may_join = plan.polygons.len() > 1 && plan.obstacles.is_empty() && plan.rings.is_empty();
        let near = if may_join { nearly_touching(&floor, units(NEAR)) } else { Tally::default() };
        return Ok((floor, Told { near, ..Told::default() }));
    }
    let opening = plan.enclosed.unwrap_or(0.0);
    let rules = Enclosure { opening: units(opening), thin: units(THIN), gap: units(plan.gap) };
    let (floor, enclosed) = arrange_enclosed(&ground.chains, &rules)?;
    Ok((floor, Told { enclosed, near: Tally::default(), opening, gap: plan.gap }))
}

impl Told {
    /// Entries for the report.
    pub fn repairs(&self, ground: &SnappedPlan) -> [Repair; 4] {
        let entry = |kind, tally: Tally, detail: String| Repair {
            kind,
            count: tally.count,
            at: tally.first.map(|point| ground.grid.world(point)),
            detail,
        };
        [
            entry(
                "openings",
                self.enclosed.openings,
                format!(
                    "openings up to {} m wide in the outer walls were closed: floor is what walls enclose",
                    self.opening
                ),
            ),
            entry(
                "bodies",
                self.enclosed.thin,
                format!("closed shapes thinner than {THIN} m were taken for the insides of walls"),
            ),
            entry(
                "near",
                self.near,
                format!(
                    "pairs of floors come within {NEAR} m without touching and are not joined; --gap {NEAR} joins them"
                ),
            ),
            entry(
                "gaps",
                self.enclosed.gaps,
                format!("pieces of gaps up to {} m between floors were closed", self.gap),
            ),
        ]
    }
}
