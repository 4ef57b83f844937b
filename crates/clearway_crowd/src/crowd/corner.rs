//! The way around a corner: a tangent of the circle of a body's radius around it.
//!
//! Way points lie where a body of the radius may be, but the straight way between two of them may cut the circle around a
//! corner. A body whose way would do so heads for a tangent of these circles instead. Walls beside the way need no such
//! care: both ends of the way keep the radius from them, and so does all of it. Cost: linear in the walls in sight.

use crate::model::{NearWall, View};
use crate::vector::Vector;

/// The depth in metres to which a way may cut the circle: below the contacts that are counted, above rounding.
const SLACK: f32 = 1e-4;

/// Returns the unit direction in which a body goes to its target: straight, or along a tangent of the circles around the
/// corners that the straight way would cut. The nearest of these corners decides on which side the body passes. Of the
/// corners that lie on this side, the one whose tangent turns farthest is heeded: it clears the others, too.
pub(crate) fn around_corner(me: &View, walls: &[NearWall]) -> Vector {
    let Some((_, nearest)) = cut_corners(me, walls).min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return me.head;
    };
    let side = turn_away(me.head, nearest);
    let same_side = cut_corners(me, walls).filter(|(_, corner)| turn_away(me.head, *corner) == side);
    let tangents = same_side.map(|(_, corner)| tangent(me.radius, corner, side));
    tangents.fold(tangent(me.radius, nearest, side), |most, other| {
        if side * most.cross(other) > 0.0 { other } else { most }
    })
}

/// Visits the corners whose circles the straight way to the target cuts, each with its place along the way.
fn cut_corners(me: &View, walls: &[NearWall]) -> impl Iterator<Item = (f32, Vector)> {
    let far = me.target.dot(me.head);
    let corners = walls.iter().flat_map(|wall| [wall.from, wall.to]);
    corners.map(|corner| (corner.dot(me.head), corner)).filter(move |(along, corner)| {
        *along > 0.0 && *along < far && me.head.cross(*corner).abs() < me.radius - SLACK
    })
}

/// Returns 1 if a way turns left to clear a corner, and -1 if it turns right.
fn turn_away(head: Vector, corner: Vector) -> f32 {
    if head.cross(corner) > 0.0 { -1.0 } else { 1.0 }
}

/// Returns the tangent of the circle around a corner on one side of it. From within the circle it leads out.
fn tangent(radius: f32, corner: Vector, side: f32) -> Vector {
    let distance = corner.length();
    let sine = (radius / distance.max(f32::MIN_POSITIVE)).min(1.0);
    let cosine = if distance >= radius {
        (1.0 - sine * sine).sqrt()
    } else {
        // Half a radius deep it leaves by 45 degrees.
        2.0 * (distance / radius - 1.0)
    };
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

    /// Beside the short end of a thin wall the corner ahead is cut as well as the one beside the body: the tangent of the
    /// corner beside it would lead into the end.
    #[test]
    fn a_body_that_rounds_a_short_edge_keeps_its_radius_from_both_corners() {
        let mut me = crate::model::testing::random_view(&crate::Headway::default(), 1).0;
        let target = Vector::new(-0.1001457, -0.6057982);
        (me.radius, me.head, me.target) = (0.5, target.unit(), target);
        let (from, to) = (Vector::new(0.33958054, -0.3678047), Vector::new(0.4379635, -0.241419));
        let wall = NearWall { offset: Vector::new(0.389731, -0.30337992), distance: 0.4938923, from, to };
        let head = around_corner(&me, &[wall]);
        assert!(head.cross(from) >= 0.499, "{head:?} cuts the corner ahead: {}", head.cross(from));
    }

    #[test]
    fn a_way_that_is_free_stays_straight() {
        let least = least_distance(0.2, Vector::new(-1.0, -0.5), Vector::new(1.0, -0.5));
        assert!((least - 0.5).abs() < 1e-3, "{least}");
    }
}
