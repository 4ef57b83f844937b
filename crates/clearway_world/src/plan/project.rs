//! Projects longitudes and latitudes to metres on a plane that touches the ground in the middle of the plan.
//!
//! East and north are measured along the ellipsoid of WGS 84 at the middle: x is the difference of longitudes times the
//! radius of the parallel, y the difference of latitudes times the radius of the meridian. Over 20 km lengths are off
//! by less than a thousandth, over a building by nothing that can be measured.

use super::draft::{Draft, Form};
use super::{Plan, PlanOptions};
use clearway_base::error::{Error, ErrorKind, Result};

/// The larger half axis of the ellipsoid, in metres.
const AXIS: f64 = 6_378_137.0;

/// The square of the eccentricity of the ellipsoid.
const ECCENTRICITY: f64 = 0.006_694_379_990_141_3;

/// Coordinates in degrees span less than this. In metres nobody could stand on such a plan, and a degree is 111 km.
const MOST_DEGREES: f64 = 1.0;

/// True if coordinates look like longitudes and latitudes: within their range, away from the origin, and close together.
pub(super) fn looks_like_degrees(draft: &Draft) -> bool {
    let Some([low, high]) = bounds(draft) else { return false };
    let within = low[0] >= -180.0 && high[0] <= 180.0 && low[1] >= -90.0 && high[1] <= 90.0;
    let span = (high[0] - low[0]).max(high[1] - low[1]);
    let is_away = [low, high].iter().flatten().any(|value| value.abs() > 1.0);
    within && is_away && span > 0.0 && span < MOST_DEGREES
}

/// Projects all points of a draft in degrees; fails if that is not wanted.
pub(super) fn project(draft: &mut Draft, options: &PlanOptions, plan: &mut Plan) -> Result<()> {
    if !draft.is_in_degrees {
        return Ok(());
    }
    let Some([low, high]) = bounds(draft) else { return Ok(()) };
    let middle = [0, 1].map(|axis| f64::midpoint(low[axis], high[axis]));
    if options.keep_degrees_out {
        let message = format!(
            "the coordinates are degrees around longitude {:.5}, latitude {:.5}, not metres; without --project off they are projected",
            middle[0], middle[1]
        );
        return Err(Error::new(ErrorKind::Options, message));
    }
    let latitude = middle[1].to_radians();
    let curved = 1.0 - ECCENTRICITY * latitude.sin().powi(2);
    let east = AXIS / curved.sqrt() * latitude.cos();
    let north = AXIS * (1.0 - ECCENTRICITY) / curved.powf(1.5);
    let to_metres = |point: &mut [f64; 2]| {
        *point = [(point[0] - middle[0]).to_radians() * east, (point[1] - middle[1]).to_radians() * north];
    };
    draft.shapes.iter_mut().for_each(|shape| shape.form.points_mut(to_metres));
    plan.notes.push(format!(
        "degrees were projected to metres east and north of longitude {:.7}, latitude {:.7}",
        middle[0], middle[1]
    ));
    Ok(())
}

/// The box around everything drawn.
fn bounds(draft: &Draft) -> Option<[[f64; 2]; 2]> {
    let mut found: Option<[[f64; 2]; 2]> = None;
    for shape in &draft.shapes {
        shape.form.for_points(|[x, y]| {
            let [low, high] = found.unwrap_or([[x, y]; 2]);
            found = Some([[low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]]);
        });
    }
    found
}

impl Form {
    /// Calls a function for each point.
    fn for_points(&self, mut call: impl FnMut([f64; 2])) {
        match self {
            Form::Polygon(polygon) => {
                polygon.outline.iter().chain(polygon.holes.iter().flatten()).for_each(|point| call(*point));
            }
            Form::Ring(points) | Form::Line(points) => points.iter().for_each(|point| call(*point)),
            Form::Dot(point, _) => call(*point),
        }
    }

    /// Changes each point.
    pub(super) fn points_mut(&mut self, change: impl FnMut(&mut [f64; 2])) {
        match self {
            Form::Polygon(polygon) => {
                polygon.outline.iter_mut().chain(polygon.holes.iter_mut().flatten()).for_each(change);
            }
            Form::Ring(points) | Form::Line(points) => points.iter_mut().for_each(change),
            Form::Dot(point, _) => std::iter::once(point).for_each(change),
        }
    }
}
