//! Power law: bodies repel each other by the time to their collision.
//!
//! Karamouzas, Skinner and Guy, "Universal power law governing pedestrian interactions" (2014): the energy of a pair is
//! `k/τ² · exp(-τ/τ0)`, where τ is the time to contact at the present velocities. The force is its gradient by the place.
//! Walls repel by the time to contact with them, by the same law. Where two meet on one line, both turn a little to
//! their right, so the symmetric pair passes. Cost: one square root for each neighbour, one exponential for each that
//! will be met.

use super::manners::{braked_velocity, meets, tilted, top_speed};
use super::named::parameters;
use super::{Act, LocalModel, NearWall, Neighbour, Spec, View};
use crate::ops::exp;
use crate::vector::Vector;

/// The power law model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PowerLaw {
    /// The strength of the energy in m²: the paper's value.
    pub strength: f32,
    /// The time in seconds over which interactions fade: the paper's value.
    pub horizon: f32,
    /// The time in seconds in which a body takes up its wished velocity.
    pub relaxation: f32,
    /// The greatest acceleration in m/s². The law itself has none at contact.
    pub force: f32,
    /// The greatest speed as a multiple of the free speed.
    pub top: f32,
}

clearway_base::setters!(PowerLaw { strength: f32, horizon: f32, relaxation: f32, force: f32, top: f32 });

impl Default for PowerLaw {
    fn default() -> PowerLaw {
        PowerLaw { strength: 1.5, horizon: 3.0, relaxation: 0.5, force: 20.0, top: 1.3 }
    }
}

/// The shortest time to contact in seconds that forces are computed for. The greatest acceleration rules below.
const SOONEST: f32 = 1e-3;

/// The deceleration in m/s² at the end of the way, about what the relaxation allows.
const BRAKE: f32 = 2.0;

impl LocalModel for PowerLaw {
    fn spec(&self) -> Spec {
        let spec = Spec::new("power_law").range(4.0).neighbours(16).wall_range(2.0);
        spec.max_dt(0.05).max_speed(self.top)
    }

    parameters!(strength in 0.0..100.0, horizon in 0.1..100.0, relaxation in 0.05..10.0, force in 0.1..1000.0,
        top in 1.0..5.0);

    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act {
        let free = braked_velocity(me, near, BRAKE);
        let meeting = near.iter().any(|other| meets(me, other));
        let wished = if meeting { tilted(free) } else { free };
        let mut force = (wished - me.velocity) * (1.0 / self.relaxation);
        for other in near {
            force += self.body_force(me, other);
        }
        for wall in walls {
            force += self.wall_force(me, wall);
        }
        let velocity = me.velocity + force.at_most(self.force) * me.dt;
        Act { velocity: velocity.at_most(top_speed(me, self.top)), state: me.state }
    }
}

impl PowerLaw {
    /// Returns the acceleration by a body that will be met: the gradient of the energy, by the place of this body.
    #[inline]
    fn body_force(&self, me: &View, other: &Neighbour) -> Vector {
        // Overlapping bodies count as just apart.
        let radius = (me.radius + other.radius).min(0.99 * other.distance);
        self.disc_force(other.offset, other.distance, me.velocity - other.velocity, radius)
    }

    /// Returns the acceleration by a disc at an offset that is approached with a velocity.
    #[inline]
    fn disc_force(&self, offset: Vector, distance: f32, velocity: Vector, radius: f32) -> Vector {
        let (speed_squared, closing) = (velocity.length_squared(), offset.dot(velocity));
        if closing <= 0.0 || speed_squared < 1e-6 {
            return Vector::ZERO;
        }
        let square = closing * closing - speed_squared * (distance * distance - radius * radius);
        if square <= 1e-12 {
            return Vector::ZERO;
        }
        let root = square.sqrt();
        let time = (closing - root) / speed_squared;
        // The gradient of the time by the place of this body, times the squared speed.
        let gradient = (velocity * closing - offset * speed_squared) * (1.0 / root) - velocity;
        self.gradient_force(time, gradient * (1.0 / speed_squared))
    }

    /// Returns the acceleration by a wall that will be met, at its side or at an end.
    fn wall_force(&self, me: &View, wall: &NearWall) -> Vector {
        let radius = me.radius.min(0.99 * wall.distance);
        let along = (wall.to - wall.from).unit();
        let height = -wall.from.dot(along.left());
        let side = if height >= 0.0 { along.left() } else { -along.left() };
        let closing = -me.velocity.dot(side);
        if closing > 1e-3 && height.abs() >= radius {
            let time = (height.abs() - radius) / closing;
            let met = (me.velocity * time - wall.from).dot(along);
            if met >= 0.0 && met <= (wall.to - wall.from).length() {
                return self.gradient_force(time, side * (1.0 / closing));
            }
        }
        let from = self.disc_force(wall.from, wall.from.length(), me.velocity, radius);
        let to = self.disc_force(wall.to, wall.to.length(), me.velocity, radius);
        if from.length_squared() > to.length_squared() { from } else { to }
    }

    /// Returns minus the derivative of the energy by the time, times the gradient of the time.
    #[inline]
    fn gradient_force(&self, time: f32, gradient: Vector) -> Vector {
        let time = time.max(SOONEST);
        let fade = exp(-time / self.horizon);
        let slope = self.strength * fade * (2.0 / time + 1.0 / self.horizon) / (time * time);
        (gradient * slope).at_most(10.0 * self.force)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{self, walker};
    use crate::random::random;

    /// The energy of a pair in 64 bits, from the definition.
    fn energy(offset: [f64; 2], velocity: [f64; 2], radius: f64) -> Option<f64> {
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let (a, b, c) =
            (dot(velocity, velocity), dot(offset, velocity), dot(offset, offset) - radius * radius);
        let square = b * b - a * c;
        let time = (b - square.sqrt()) / a;
        (b > 0.0 && square > 1e-3 && time > 0.05).then(|| 1.5 / (time * time) * (-time / 3.0).exp())
    }

    #[test]
    fn the_force_is_the_gradient_of_the_energy() {
        let model = PowerLaw::default().force(1e6);
        let mut tried = 0;
        for case in 0..3000 {
            let number = |stream| random(3, 0, case, stream) * 4.0 - 2.0;
            let (offset, velocity) = ([number(0), number(1)], [number(2), number(3)]);
            let step = 1e-5;
            // The offset falls where the place grows.
            let moved = |x: f64, y: f64| energy([offset[0] - x, offset[1] - y], velocity, 0.4);
            let parts =
                [moved(step, 0.0), moved(-step, 0.0), moved(0.0, step), moved(0.0, -step), moved(0.0, 0.0)];
            let Some(parts) = parts.into_iter().collect::<Option<Vec<f64>>>() else { continue };
            let expected = [-(parts[0] - parts[1]) / (2.0 * step), -(parts[2] - parts[3]) / (2.0 * step)];
            let place = Vector::from(offset);
            let force = model.disc_force(place, place.length(), Vector::from(velocity), 0.4);
            let off = (force - Vector::from(expected)).length();
            assert!(off <= 0.01 * force.length() + 0.01, "case {case}: {force:?} and {expected:?}");
            tried += 1;
        }
        assert!(tried > 200, "only {tried} pairs meet");
    }

    #[test]
    fn walls_repel_by_the_time_to_contact() {
        let (model, me) = (PowerLaw::default(), walker());
        // Contact after 1 s at 1.34 m/s.
        let wall = testing::wall(Vector::new(1.54, -3.0), Vector::new(1.54, 3.0));
        let force = model.wall_force(&me, &wall);
        let expected = -1.5 * (-1.0f32 / 3.0).exp() * (2.0 + 1.0 / 3.0) / 1.34;
        assert!((force - Vector::new(expected, 0.0)).length() < 1e-3, "{force:?} and {expected}");
        // A wall beside, along the way, does not.
        let beside = testing::wall(Vector::new(-3.0, 0.3), Vector::new(3.0, 0.3));
        assert_eq!(model.wall_force(&me, &beside), Vector::ZERO);
    }

    #[test]
    fn two_pass_and_standers_make_room() {
        let model = PowerLaw::default();
        testing::check_bounds(&model);
        testing::check_pass(&model, 0.1, 0.01);
        testing::check_pass(&model, 0.0, 0.01);
        testing::check_rest(&model);
        testing::check_way_past_stander(&model, 0.01);
    }
}
