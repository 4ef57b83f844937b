//! Social force: bodies as particles that wish to walk, keep away from each other, and press on each other at contact.
//!
//! Helbing, Farkas and Vicsek, "Simulating dynamical features of escape panic" (2000): a driving force, a social force
//! that falls exponentially with the gap, and at contact a body force and sliding friction. Parameters are theirs and
//! JuPedSim's. The step is explicit, so it must be short. Cost: one exponential for each neighbour and wall.
//!
//! Bodies are compressible: the model declares the overlap that it needs for its contact forces, 3 cm, and the contact
//! projection allows no more. With `overlap` 0 bodies are hard, and the contact forces never act. An exactly symmetric
//! pair on one line stops short of contact, as published: all forces are along the line. As published, walls would also
//! stop slow bodies before doors that they fit through; here they take half of the drive at most.

use super::manners::{braked_velocity, direction, top_speed};
use super::named::parameters;
use super::{Act, LocalModel, NearWall, Neighbour, Spec, View};
use crate::ops::exp;
use crate::vector::Vector;

/// The social force model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SocialForce {
    /// The mass of a body in kg.
    pub mass: f32,
    /// The time in seconds in which a body takes up its wished velocity.
    pub relaxation: f32,
    /// The social force at contact in N.
    pub strength: f32,
    /// The gap in metres over which the social force falls to 1/e.
    pub reach: f32,
    /// The body force per overlap, in kg/s².
    pub body: f32,
    /// The sliding friction per overlap and sliding speed, in kg/(m s).
    pub friction: f32,
    /// The overlap in metres that bodies are allowed. The body force at 3 cm is 3600 N: nobody presses harder.
    pub overlap: f32,
    /// The greatest speed as a multiple of the free speed.
    pub top: f32,
}

clearway_base::setters!(SocialForce {
    mass: f32,
    relaxation: f32,
    strength: f32,
    reach: f32,
    body: f32,
    friction: f32,
    overlap: f32,
    top: f32
});

impl Default for SocialForce {
    fn default() -> SocialForce {
        SocialForce {
            mass: 80.0,
            relaxation: 0.5,
            strength: 2000.0,
            reach: 0.08,
            body: 120_000.0,
            friction: 240_000.0,
            overlap: 0.03,
            top: 1.3,
        }
    }
}

/// The deepest overlap in metres that a force is computed for. Deeper ones are faults of the input, not contacts.
const DEEPEST: f32 = 0.2;

/// The part of the drive that walls leave a walking body at least. So its way becomes shorter in every step, and a lone
/// body always arrives: what a contact takes off a wish never leads along the way.
const KEPT: f32 = 0.5;

/// The deceleration in m/s² at the end of the way, about what the relaxation allows.
const BRAKE: f32 = 2.0;

impl LocalModel for SocialForce {
    /// Friction at full overlap relaxes within 0.01 s, so longer steps would swing.
    fn spec(&self) -> Spec {
        let spec = Spec::new("social_force").range(2.0).neighbours(16).wall_range(1.0);
        spec.max_dt(0.01).overlap(self.overlap).max_speed(self.top)
    }

    parameters!(mass in 1.0..1000.0, relaxation in 0.05..10.0, strength in 0.0..100000.0, reach in 0.01..2.0,
        body in 0.0..1000000.0, friction in 0.0..1000000.0, overlap in 0.0..0.2, top in 1.0..5.0);

    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act {
        let wished = braked_velocity(me, near, BRAKE);
        let driven = (wished - me.velocity) * (1.0 / self.relaxation);
        let mut force = Vector::ZERO;
        for other in near {
            let gap = other.gap(me.radius);
            // Who stands holds its place: it feels those who walk, and contacts.
            let strength = if me.stands && other.stands { 0.0 } else { self.strength };
            force += self.force(strength, gap, direction(me, other), me.velocity - other.velocity);
        }
        let mut held = Vector::ZERO;
        for wall in walls {
            let towards =
                if wall.distance > 1e-6 { wall.offset * (1.0 / wall.distance) } else { Vector::ZERO };
            let strength = if me.stands { 0.0 } else { self.strength };
            held += self.force(strength, wall.distance - me.radius, towards, me.velocity);
        }
        let drive = wished.dot(me.head) * self.mass / self.relaxation;
        force += held - me.head * (held.dot(me.head) + (1.0 - KEPT) * drive).min(0.0);
        let velocity = me.velocity + (driven + force * (1.0 / self.mass)) * me.dt;
        Act { velocity: velocity.at_most(top_speed(me, self.top)), state: me.state }
    }
}

impl SocialForce {
    /// Returns the force in N of a body or wall at a gap, in a direction, with a relative velocity of this body. The
    /// social part has this strength at contact.
    #[inline]
    fn force(&self, strength: f32, gap: f32, towards: Vector, relative: Vector) -> Vector {
        let overlap = (-gap).clamp(0.0, DEEPEST);
        let social = strength * exp(-gap.max(-DEEPEST) / self.reach);
        let tangent = towards.left();
        let slides = relative.dot(tangent);
        towards * -(social + self.body * overlap) - tangent * (self.friction * overlap * slides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{self, Body, walker};

    #[test]
    fn forces_are_those_of_the_paper() {
        let model = SocialForce::default();
        let east = Vector::new(1.0, 0.0);
        // 2000 N at contact, 2000/e at 8 cm.
        assert!((model.force(2000.0, 0.0, east, Vector::ZERO) - Vector::new(-2000.0, 0.0)).length() < 0.1);
        assert!((model.force(2000.0, 0.08, east, Vector::ZERO).x + 735.76).abs() < 0.1);
        // 1 cm deep, sliding at 1 m/s: 2000 e^(1/8) + 1200 N off, 2400 N against the sliding.
        let force = model.force(2000.0, -0.01, east, Vector::new(0.0, 1.0));
        assert!((force - Vector::new(-2266.3 - 1200.0, -2400.0)).length() < 0.2, "{force:?}");
    }

    #[test]
    fn a_lone_body_takes_up_its_speed_in_the_relaxation_time() {
        let model = SocialForce::default();
        let mut me = View { velocity: Vector::ZERO, dt: 0.01, ..walker() };
        for _ in 0..50 {
            me.velocity = model.act(&me, &[], &[]).velocity;
        }
        // 1 - (1 - 0.01/0.5)^50 of the free speed after 0.5 s.
        let expected = 1.34 * (1.0 - 0.98f32.powi(50));
        assert!((me.velocity.x - expected).abs() < 1e-4, "{:?}", me.velocity);
    }

    #[test]
    fn two_pass_and_standers_make_room() {
        let model = SocialForce::default();
        testing::check_bounds(&model);
        testing::check_pass(&model, 0.2, model.overlap);
        testing::check_rest(&model);
        testing::check_way_past_stander(&model, model.overlap);
    }

    #[test]
    fn the_symmetric_pair_stops_short_of_contact() {
        let mut bodies = [Body::walking([0.0, 0.0], [4.0, 0.0]), Body::walking([4.0, 0.0], [0.0, 0.0])];
        let gap = testing::walk(&SocialForce::default(), &mut bodies, &[], 12.0);
        assert!(gap > 0.0 && bodies.iter().all(|body| !body.stands), "gap {gap}, {bodies:?}");
    }
}
