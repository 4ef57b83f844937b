//! The slope of the ground at a place, over a length that evens out the steps of a stair.

use clearway_nav::{Location, NavMesh};

/// The slope from which ground counts as a stair: ramps for people rise less than 0.13 in a metre, stairs 0.5 and more.
pub const STAIRS: f64 = 0.3;

/// The distance in metres to each side over which the slope is measured: more than a tread.
const BASE: f64 = 0.4;

/// Returns the slope of the ground at a place: the rise in a metre of the plan. A plan has none. On both sides of the place
/// the ground must rise so, or else it is the foot or the head of the slope.
pub fn steepness(mesh: &NavMesh, at: Location) -> f64 {
    if !mesh.has_heights() {
        return 0.0;
    }
    let here = mesh.height(at);
    let rise = |x: f64, y: f64| {
        let to = [at.position()[0] + BASE * x, at.position()[1] + BASE * y];
        let hit = mesh.raycast(at, to, 0.0).filter(|hit| hit.distance > 0.5 * BASE);
        hit.map(|hit| (mesh.height(hit.at) - here) / hit.distance)
    };
    // Beside a wall one side decides.
    let along = |x: f64, y: f64| match (rise(x, y), rise(-x, -y).map(|rise| -rise)) {
        (Some(ahead), Some(behind)) if ahead * behind > 0.0 => ahead.abs().min(behind.abs()),
        (Some(one), None) | (None, Some(one)) => one.abs(),
        _ => 0.0,
    };
    along(1.0, 0.0).hypot(along(0.0, 1.0))
}
