//! The way around a corner: a tangent of the circle of a body's radius around it.
//!
//! Way points lie where a body of the radius may be, but the straight way between two of them may cut the circle around a
//! corner. A body whose way would do so heads for the tangent of that circle instead. Walls beside the way need no such
//! care: both ends of the way keep the radius from them, and so does all of it. Cost: linear in the walls in sight.

use crate::model::{NearWall, View};
use crate::vector::Vector;

/// The depth in metres to which a way may cut the circle: below the contacts that are counted, above rounding.
const SLACK: f32 = 1e-4;

/// Returns the unit direction in which a body goes to its target: straight, or along the tangent of the circle around the
/// nearest corner that the straight way would cut.
pub(crate) fn around_corner(me: &View, walls: &[NearWall]) -> Vector {
    let far = me.target.dot(me.head);
    let mut nearest: Option<(f32, Vector)> = None;
    for corner in walls.iter().flat_map(|wall| [wall.from, wall.to]) {
        let along = corner.dot(me.head);
        let is_cut = along > 0.0 && along < far && me.head.cross(corner).abs() < me.radius - SLACK;
        if is_cut && nearest.is_none_or(|(known, _)| along < known) {
            nearest = Some((along, corner));
        }
    }
    nearest.map_or(me.head, |(_, corner)| tangent(me, corner))
}

/// Returns the tangent on the side of a corner on which the straight way passes. From within the circle it leads out.
fn tangent(me: &View, corner: Vector) -> Vector {
    let distance = corner.length();
    let sine = (me.radius / distance.max(f32::MIN_POSITIVE)).min(1.0);
    let cosine = if distance >= me.radius {
        (1.0 - sine * sine).sqrt()
    } else {
        // Half a radius deep it leaves by 45 degrees.
        2.0 * (distance / me.radius - 1.0)
    };
    let side = if me.head.cross(corner) > 0.0 { -1.0 } else { 1.0 };
    corner.unit().turned((cosine, side * sine)).unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks from the left below a corner to a place beyond it, in steps of 2 cm. Returns the least distance to the corner.
    fn least_distance(radius: f32, start: Vector, goal: Vector) -> f32 {
        let (corner, mut at, mut least) = (Vector::new(0.0, 0.0), start, f32::INFINITY);
        for _ in 0..400 {
            let target = goal - at;
            let mut me = crate::model::testing::random_view(&crate::Headway::default(), 1).0;
            (me.radius, me.head, me.target) = (radius, target.unit(), target);
            let (from, to) = (corner - at, Vector::new(0.0, 2.0) - at);
            let wall = NearWall { offset: from, distance: from.length(), from, to };
            at += around_corner(&me, &[wall]) * 0.02f32.min(target.length());
            least = least.min((at - corner).length());
        }
        assert!((goal - at).length() < 0.05, "{at:?} is not {goal:?}");
        least
    }

    #[test]
    fn a_body_keeps_its_radius_from_a_corner() {
        for radius in [0.15, 0.2, 0.5, 1.0] {
            // Both ends are free, the chord between them is not.
            let least = least_distance(radius, Vector::new(-1.5, -0.1), Vector::new(1.2, 0.3));
            assert!(least > radius - 0.001, "radius {radius}: {least}");
        }
    }

    #[test]
    fn a_way_that_is_free_stays_straight() {
        let least = least_distance(0.2, Vector::new(-1.0, -0.5), Vector::new(1.0, -0.5));
        assert!((least - 0.5).abs() < 1e-3, "{least}");
    }
}
