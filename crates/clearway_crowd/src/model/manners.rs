//! What the models of the literature share here: the wish without others, the slow-down at a goal, the room that
//! standing bodies and those who go later make, and the side that is taken where nothing else decides.
//!
//! Cost: one look at each neighbour.

use super::{Neighbour, View};
use crate::half_planes::{HalfPlane, nearest};
use crate::vector::Vector;

/// The speed in m/s up to which a standing body steps aside: a slow stroll.
pub(super) const STROLL: f32 = 0.5;

/// The gap in metres from which a standing body makes room. One sidestep takes about as long as the other needs.
const ROOM: f32 = 0.4;

/// The part of the free speed that is kept up to the end of the way, so that the last millimetre is not endless.
const CREEP: f32 = 0.2;

/// Cosine and sine of the turn to the right that breaks symmetry, 0.03 radians: enough to slide off within a second.
const TILT: (f32, f32) = (0.999_55, -0.03);

/// Returns the velocity that a body wishes where nothing is in the way. A standing body wishes to make room. A walking
/// body slows down so that it does not step over the end of its way.
pub(super) fn free_velocity(me: &View, near: &[Neighbour]) -> Vector {
    if me.stands {
        return room(me, near);
    }
    me.head * me.speed.min((me.left / me.dt).max(CREEP * me.speed))
}

/// Returns the same for models of acceleration: a walking body slows down within its stopping distance at `brake` m/s².
pub(super) fn braked_velocity(me: &View, near: &[Neighbour], brake: f32) -> Vector {
    if me.stands {
        return room(me, near);
    }
    let most = (2.0 * brake * me.left.max(0.0)).sqrt();
    me.head * me.speed.min(most.max(CREEP * me.speed))
}

/// Returns the greatest speed of a body: a multiple of its free speed, or a stroll for a body that stands.
pub(super) fn top_speed(me: &View, factor: f32) -> f32 {
    if me.stands { STROLL } else { factor * me.speed }
}

/// Returns the velocity with which a standing body steps out of the lanes of those who wish to come here.
///
/// It steps to the side on which it is already, and on the line itself to the left of the one who comes: the other
/// keeps right. Bodies of lower priority get no room.
fn room(me: &View, near: &[Neighbour]) -> Vector {
    let mut sum = Vector::ZERO;
    for other in near {
        let gap = other.gap(me.radius);
        if gap >= ROOM || other.stands || other.priority < me.priority {
            continue;
        }
        // Its way counts, not its wish: a body that is stopped wishes nothing.
        let comes = -other.head.dot(other.offset);
        let aside = other.head.cross(-other.offset);
        if comes <= 0.0 || aside.abs() > me.radius + other.radius {
            continue;
        }
        let side = if aside >= 0.0 { other.head.left() } else { -other.head.left() };
        sum += side * (STROLL * (1.0 - gap / ROOM).min(1.0));
    }
    sum.at_most(STROLL)
}

/// Returns the velocity that makes room, with at most `give` m/s, for touching bodies that go first and would like to
/// come here. It dissolves arches in which nobody moves, because there is always somebody who goes first.
pub(super) fn room_for_first(me: &View, near: &[Neighbour], give: f32, velocity: Vector) -> Vector {
    let mut planes = [HalfPlane::default(); 8];
    let mut count = 0;
    for other in near {
        let gap = other.gap(me.radius);
        if gap >= TOUCH || !other.first || me.stands || give <= 0.0 || count == planes.len() {
            continue;
        }
        let normal = direction(me, other);
        // A body that is stopped wishes nothing any more. Its way tells what it would like.
        let comes = (-other.wish.dot(normal)).max(-other.head.dot(normal) * give);
        if comes > 0.0 {
            planes[count] = HalfPlane { normal, limit: -comes.min(give) * (1.0 - gap / TOUCH).min(1.0) };
            count += 1;
        }
    }
    if count == 0 { velocity } else { nearest(&planes[..count], velocity) }
}

/// The gap in metres below which the right of way counts.
const TOUCH: f32 = 0.1;

/// True if a body ahead stands or comes towards a walking body.
#[inline]
pub(super) fn meets(me: &View, other: &Neighbour) -> bool {
    other.offset.dot(me.head) > 0.0 && other.head.dot(me.head) <= 0.0
}

/// Returns a velocity turned a little to the right. Two bodies that meet on one line take different sides by it.
#[inline]
pub(super) fn tilted(velocity: Vector) -> Vector {
    velocity.turned(TILT)
}

/// Returns the direction to another body. If both are at one point, the lower number sees the other in the direction
/// of x, and the higher one against it.
#[inline]
pub(super) fn direction(me: &View, other: &Neighbour) -> Vector {
    if other.distance > 1e-6 {
        other.direction()
    } else if me.id < other.id {
        Vector::new(1.0, 0.0)
    } else {
        Vector::new(-1.0, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{stander, walker};

    /// A body that walks in the direction of x, seen from a body at (x, y) of it.
    fn passer(x: f32, y: f32) -> Neighbour {
        let offset = Vector::new(-x, -y);
        Neighbour {
            offset,
            distance: offset.length(),
            velocity: Vector::new(1.3, 0.0),
            wish: Vector::new(1.3, 0.0),
            head: Vector::new(1.0, 0.0),
            radius: 0.2,
            id: 9,
            ..Neighbour::default()
        }
    }

    #[test]
    fn a_standing_body_steps_out_of_the_lane_of_a_passer() {
        let me = stander();
        assert!(room(&me, &[passer(0.5, 0.1)]).y > 0.1);
        assert!(room(&me, &[passer(0.5, -0.1)]).y < -0.1);
        // Who has passed, who passes beside, who is far and who counts less gets no room.
        assert_eq!(room(&me, &[passer(-0.5, 0.1)]), Vector::ZERO);
        assert_eq!(room(&me, &[passer(0.1, 0.45)]), Vector::ZERO);
        assert_eq!(room(&me, &[passer(1.5, 0.0)]), Vector::ZERO);
        let first = View { priority: 1, ..me };
        assert_eq!(room(&first, &[passer(0.5, 0.1)]), Vector::ZERO);
    }

    #[test]
    fn who_goes_later_makes_room_at_contact() {
        let me = walker();
        // It touches me from behind, and would like to walk on.
        let mut other = passer(0.4, 0.0);
        assert_eq!(room_for_first(&me, &[other], 0.2, Vector::ZERO), Vector::ZERO);
        other.first = true;
        let room = room_for_first(&me, &[other], 0.2, Vector::ZERO);
        assert!((room - Vector::new(0.2, 0.0)).length() < 1e-5, "{room:?}");
        other.wish = Vector::ZERO;
        let room = room_for_first(&me, &[other], 0.2, Vector::ZERO);
        assert!((room - Vector::new(0.2, 0.0)).length() < 1e-5, "its way still leads here: {room:?}");
        assert_eq!(room_for_first(&me, &[passer(0.5, 0.0)], 0.2, Vector::ZERO), Vector::ZERO);
    }

    #[test]
    fn a_walker_does_not_step_over_the_end_of_its_way() {
        let mut me = walker();
        (me.left, me.dt, me.speed) = (0.06, 0.1, 1.34);
        assert!((free_velocity(&me, &[]).length() - 0.6).abs() < 1e-5);
        // Braking at 2 m/s² takes v²/4 metres.
        assert!((braked_velocity(&me, &[], 2.0).length() - 0.24f32.sqrt()).abs() < 1e-5);
        me.left = 5.0;
        assert_eq!(free_velocity(&me, &[]), me.head * 1.34);
        assert_eq!(braked_velocity(&me, &[], 2.0), me.head * 1.34);
    }
}
