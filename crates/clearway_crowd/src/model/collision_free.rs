//! Models whose speed is the gap ahead divided by a time: collision-free speed, and anticipation velocity.
//!
//! A body chooses a direction, then walks as fast as the gap to the next body in the corridor of its own width allows.
//! [`CollisionFree`] (Tordeux, Chraibi and Seyfried 2016) turns away from near bodies and walls. [`Anticipation`] (Xu,
//! Chraibi and Seyfried 2021) foresees gaps and steps sideways out of the way of others. Parameters are those of
//! JuPedSim. Cost: two passes over the neighbours; one exponential for each near one.
//!
//! An exactly symmetric pair on one line stops at contact under [`CollisionFree`], as published: its turns are along the
//! line. [`Anticipation`] takes the right side there.

use super::manners::{direction, free_velocity};
use super::named::parameters;
use super::{Act, LocalModel, NearWall, Neighbour, Spec, View};
use crate::ops::exp;
use crate::vector::Vector;

/// The collision-free speed model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CollisionFree {
    /// The strength of the turn away from a body at contact.
    pub strength: f32,
    /// The gap in metres over which that strength falls to 1/e.
    pub reach: f32,
    /// The strength of the turn away from a wall at contact.
    pub wall_strength: f32,
    /// The gap in metres over which that strength falls to 1/e.
    pub wall_reach: f32,
    /// The time in seconds in which the gap ahead is walked.
    pub time_gap: f32,
}

clearway_base::setters!(CollisionFree {
    strength: f32,
    reach: f32,
    wall_strength: f32,
    wall_reach: f32,
    time_gap: f32
});

impl Default for CollisionFree {
    fn default() -> CollisionFree {
        CollisionFree { strength: 8.0, reach: 0.1, wall_strength: 5.0, wall_reach: 0.02, time_gap: 1.0 }
    }
}

/// The range of sight in metres: at 1.34 m/s, a body counts for the speed up to a gap of 1.34 m.
const RANGE: f32 = 2.2;

/// The largest number of neighbours. At 2 /m² the next 16 reach 1.6 m.
const NEIGHBOURS: usize = 16;

/// Terms below e to this power are left out: 8 e^-10 turns a body by 0.02 degrees.
const NEGLIGIBLE: f32 = -10.0;

impl LocalModel for CollisionFree {
    /// Steps of 0.05 s gave no overlap behind the contact projection in the prototype; JuPedSim takes 0.01 s without.
    fn spec(&self) -> Spec {
        Spec::new("collision_free").range(RANGE).neighbours(NEIGHBOURS).wall_range(0.6).max_dt(0.05)
    }

    parameters!(strength in 0.0..100.0, reach in 0.001..2.0, wall_strength in 0.0..100.0, wall_reach in 0.001..2.0,
        time_gap in 0.05..10.0);

    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act {
        let free = free_velocity(me, near);
        if me.stands {
            return Act { velocity: free, state: me.state };
        }
        let away = self.away(me, near, walls);
        let heading = (me.head + away).unit();
        let speed = speed_by_gap(least_gap_ahead(me, near, heading, 0.0), self.time_gap).min(free.length());
        Act { velocity: heading * speed, state: me.state }
    }
}

impl CollisionFree {
    /// Returns the turn away from near bodies and walls.
    fn away(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Vector {
        let mut sum = Vector::ZERO;
        let rate = -1.0 / self.reach;
        for other in near {
            let power = other.gap(me.radius) * rate;
            if power > NEGLIGIBLE {
                sum -= direction(me, other) * (self.strength * exp(power.min(GREATEST)));
            }
        }
        let rate = -1.0 / self.wall_reach;
        for wall in walls {
            let power = (wall.distance - me.radius) * rate;
            if power > NEGLIGIBLE && wall.distance > 0.0 {
                sum -= wall.offset * (self.wall_strength * exp(power.min(GREATEST)) / wall.distance);
            }
        }
        sum
    }
}

/// Powers of e are cut here, so that sums over bodies deep within each other stay finite.
const GREATEST: f32 = 20.0;

/// Returns the least gap to a body in front, within the corridor of the own width and that of the body. A buffer widens
/// the corridor and shortens the gap.
#[inline]
fn least_gap_ahead(me: &View, near: &[Neighbour], heading: Vector, buffer: f32) -> f32 {
    let mut least = f32::INFINITY;
    for other in near {
        let radii = me.radius + other.radius + buffer;
        let counts = other.offset.dot(heading) >= 0.0 && other.offset.cross(heading).abs() <= radii;
        least = least.min(if counts { other.distance - radii } else { f32::INFINITY });
    }
    least
}

/// Returns the speed that takes a time for a gap, in m/s; zero where bodies overlap.
fn speed_by_gap(gap: f32, time: f32) -> f32 {
    (gap / time).max(0.0)
}

/// The anticipation velocity model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Anticipation {
    /// The strength of the step aside for a body at foreseen contact.
    pub strength: f32,
    /// The foreseen gap in metres over which that strength falls to 1/e.
    pub reach: f32,
    /// The time in seconds by which places of others are foreseen.
    pub anticipation: f32,
    /// The time in seconds in which the direction follows.
    pub reaction: f32,
    /// The gap in metres that is kept from walls.
    pub wall_gap: f32,
    /// The part of the direction that leads off a wall nearer than that, where the direction would lead into it.
    pub pushout: f32,
    /// The time in seconds in which the gap ahead is walked.
    pub time_gap: f32,
}

clearway_base::setters!(Anticipation {
    strength: f32,
    reach: f32,
    anticipation: f32,
    reaction: f32,
    wall_gap: f32,
    pushout: f32,
    time_gap: f32
});

impl Default for Anticipation {
    fn default() -> Anticipation {
        Anticipation {
            strength: 8.0,
            reach: 0.1,
            anticipation: 1.0,
            reaction: 0.3,
            wall_gap: 0.1,
            pushout: 0.3,
            time_gap: 1.06,
        }
    }
}

/// The state keeps the direction of the body: a body that is stopped still faces it.
impl LocalModel for Anticipation {
    fn spec(&self) -> Spec {
        Spec::new("anticipation").range(2.5).neighbours(NEIGHBOURS).wall_range(0.8).max_dt(0.05)
    }

    parameters!(strength in 0.0..100.0, reach in 0.001..2.0, anticipation in 0.0..10.0, reaction in 0.01..10.0,
        wall_gap in 0.0..1.0, pushout in 0.0..1.0, time_gap in 0.05..10.0);

    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act {
        let free = free_velocity(me, near);
        if me.stands {
            return Act { velocity: free, state: me.state };
        }
        let kept = Vector::new(me.state[0], me.state[1]).unit();
        let facing = if kept == Vector::ZERO { me.head } else { kept };
        let mut wished = me.head;
        for other in near {
            wished += self.aside(me, other, facing);
        }
        let wished = wished.unit();
        // The direction follows. Where it would have to turn through the way itself, it turns at once.
        let share = (me.dt / self.reaction).min(1.0);
        let turns = me.head.dot(wished) * me.head.dot(facing) < 0.0;
        let followed = if turns { wished } else { (facing + (wished - facing) * share).unit() };
        let gap = least_gap_ahead(me, near, followed, BUFFER);
        let speed = speed_by_gap(gap, self.time_gap).max(CREEP).min(free.length());
        let heading = self.along_walls(me, walls, followed);
        Act { velocity: heading * speed, state: [heading.x, heading.y, me.state[2], me.state[3]] }
    }
}

/// The width in metres by which the corridor is wider than the bodies, and the gap that is kept: JuPedSim's value.
const BUFFER: f32 = 0.02;

/// The speed in m/s at which a blocked body still moves: JuPedSim's value.
const CREEP: f32 = 0.01;

impl Anticipation {
    /// Returns the step aside for a body in front: across the way, off the place where it is foreseen.
    fn aside(&self, me: &View, other: &Neighbour, facing: Vector) -> Vector {
        let towards = direction(me, other);
        if me.head.dot(towards) <= 0.0 && facing.dot(towards) <= 0.0 {
            return Vector::ZERO;
        }
        let closes = (me.velocity - other.velocity).dot(towards) * self.anticipation;
        let foreseen_gap = (other.gap(me.radius) - closes).max(0.0);
        let power = -foreseen_gap / self.reach;
        if power < NEGLIGIBLE {
            return Vector::ZERO;
        }
        // Bodies that walk along count once, those that come towards me twice.
        let faces = if other.velocity.length_squared() > 1e-4 { other.velocity.unit() } else { other.head };
        let weight = self.strength * (1.0 + 0.5 * (1.0 - me.head.dot(faces)));
        let foreseen = other.offset + other.velocity * self.anticipation;
        let left = me.head.left();
        let side = if left.dot(foreseen) < -ON_LINE { left } else { -left };
        side * (weight * exp(power))
    }

    /// Takes the part towards near walls out of a direction, and leads off them.
    fn along_walls(&self, me: &View, walls: &[NearWall], followed: Vector) -> Vector {
        let mut result = followed;
        for wall in walls {
            let normal = wall.offset.unit();
            let into = result.dot(normal);
            if wall.distance <= me.radius + self.wall_gap && into > 0.0 {
                result -= normal * (into + self.pushout);
            }
        }
        result.unit()
    }
}

/// A foreseen place nearer to the line of the way than this, in metres, is on it: both step to their right.
const ON_LINE: f32 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{self, Body, walker};

    /// A body that stands at an offset.
    fn body_at(x: f32, y: f32) -> Neighbour {
        let offset = Vector::new(x, y);
        Neighbour { offset, distance: offset.length(), radius: 0.2, id: 7, ..Neighbour::default() }
    }

    #[test]
    fn speed_is_the_gap_over_the_time_gap() {
        let (model, me) = (CollisionFree::default().strength(0.0), walker());
        let speed = |x, y| model.act(&me, &[body_at(x, y)], &[]).velocity.length();
        assert!((speed(1.0, 0.0) - 0.6).abs() < 1e-5);
        assert!((speed(0.8, 0.39) - (0.8f32.hypot(0.39) - 0.4)).abs() < 1e-5);
        // Beside the corridor, behind, and too far to matter.
        assert_eq!([speed(0.8, 0.41), speed(-0.5, 0.0), speed(2.0, 0.0)], [1.34; 3]);
        assert_eq!(speed(0.3, 0.0), 0.0);
        let slow = model.time_gap(2.0).act(&me, &[body_at(1.0, 0.0)], &[]).velocity.length();
        assert!((slow - 0.3).abs() < 1e-5);
    }

    #[test]
    fn bodies_and_walls_turn_a_body_away() {
        let (model, me) = (CollisionFree::default(), walker());
        // Gap 0.1 m to the left: the turn is 8/e across.
        let heading = model.act(&me, &[body_at(0.0, 0.5)], &[]).velocity.unit();
        let expected = Vector::new(1.0, -8.0 * (-1.0f32).exp()).unit();
        assert!((heading - expected).length() < 1e-4, "{heading:?}");
        let wall = testing::wall(Vector::new(-1.0, -0.22), Vector::new(1.0, -0.22));
        let heading = model.act(&me, &[], &[wall]).velocity.unit();
        let expected = Vector::new(1.0, 5.0 * (-1.0f32).exp()).unit();
        assert!((heading - expected).length() < 1e-4, "{heading:?}");
    }

    #[test]
    fn anticipation_steps_off_the_foreseen_place() {
        let (model, me) = (Anticipation::default().reaction(0.01), walker());
        let mut other = body_at(2.0, 0.1);
        other.velocity = Vector::new(-1.34, 0.0);
        assert!(model.act(&me, &[other], &[]).velocity.y < -0.1);
        // It will have crossed to the right by then.
        other.velocity = Vector::new(-1.0, -1.0);
        assert!(model.act(&me, &[other], &[]).velocity.y > 0.1);
    }

    #[test]
    fn anticipation_does_not_walk_into_walls() {
        let me = walker();
        let ahead = testing::wall(Vector::new(0.25, -1.0), Vector::new(0.25, 1.0));
        let velocity = Anticipation::default().reaction(0.01).act(&me, &[], &[ahead]).velocity;
        assert!(velocity.x <= 1e-5, "{velocity:?}");
    }

    #[test]
    fn two_pass_and_standers_make_room() {
        for model in [&CollisionFree::default() as &dyn LocalModel, &Anticipation::default()] {
            testing::check_bounds(model);
            testing::check_pass(model, 0.1, 0.01);
            testing::check_rest(model);
            testing::check_way_past_stander(model, 0.01);
        }
        testing::check_pass(&Anticipation::default(), 0.0, 0.01);
    }

    #[test]
    fn the_symmetric_pair_stops_at_contact_under_collision_free_speed() {
        let mut bodies = [Body::walking([0.0, 0.0], [4.0, 0.0]), Body::walking([4.0, 0.0], [0.0, 0.0])];
        let gap = testing::walk(&CollisionFree::default(), &mut bodies, &[], 12.0);
        assert!(gap >= -1e-4, "overlap {}", -gap);
        assert!(bodies.iter().all(|body| !body.stands), "the published model does not resolve it");
    }
}
