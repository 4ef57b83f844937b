//! Reynolds: steering behaviours, added by weights or taken by priority.
//!
//! Reynolds, "Steering behaviors for autonomous characters" (1999), and "Flocks, herds, and schools" (1987) for
//! alignment and cohesion. Each behaviour is an acceleration. By weights, they are added and cut. By priority, the first
//! that is not zero is taken: contact, walls, avoidance, sidestep, separation, then the rest.
//!
//! [`Reynolds::rules`] is the rule-based model of Oliva's thesis on navigation meshes: it seeks the way point, steps
//! aside for bodies in front by where they are now, and answers contact physically as HiDAC does (Pelechano, Allbeck and
//! Badler 2007): bodies push off each other, slow down where the way is blocked, and wait a moment there. Where two meet
//! on one line both take their right side, so the symmetric pair passes under both settings. Cost: one pass over the
//! neighbours and walls.

use super::manners::{braked_velocity, direction, room_for_first, top_speed};
use super::named::parameters;
use super::{Act, LocalModel, NearWall, Neighbour, Spec, View};
use crate::vector::Vector;

/// The model of steering behaviours. A behaviour of weight zero is off.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reynolds {
    /// The weight of seeking the way point, with arrival at its end.
    pub seek: f32,
    /// The weight of keeping a gap to others.
    pub separation: f32,
    /// The weight of taking up the velocity of bodies with the same goal.
    pub alignment: f32,
    /// The weight of staying with bodies with the same goal.
    pub cohesion: f32,
    /// The weight of avoiding foreseen collisions.
    pub avoidance: f32,
    /// The weight of stepping aside for bodies in front, by where they are now.
    pub sidestep: f32,
    /// The weight of keeping off walls.
    pub walls: f32,
    /// The weight of pushing off at contact.
    pub push: f32,
    /// The mean time in seconds that a body waits where its way is blocked; zero if it never waits.
    pub wait: f32,
    /// The greatest acceleration in m/s².
    pub force: f32,
    /// The time in seconds in which a wished velocity is taken up.
    pub reaction: f32,
    /// The look-ahead in seconds for collisions.
    pub horizon: f32,
    /// The gap in metres that is kept to others and to walls.
    pub gap: f32,
    /// The greatest speed as a multiple of the free speed.
    pub top: f32,
    /// The speed in m/s with which room is made for a touching body that goes first; zero as published. Without it, hard
    /// bodies block doors for ever.
    pub give: f32,
    /// True if the first behaviour that is not zero is taken alone. In dense crowds seeking then hardly gets its turn:
    /// doors jam.
    pub by_priority: bool,
    /// The name of the setting.
    name: &'static str,
}

clearway_base::setters!(Reynolds {
    seek: f32,
    separation: f32,
    alignment: f32,
    cohesion: f32,
    avoidance: f32,
    sidestep: f32,
    walls: f32,
    push: f32,
    wait: f32,
    force: f32,
    reaction: f32,
    horizon: f32,
    gap: f32,
    top: f32,
    give: f32,
    by_priority: bool
});

impl Default for Reynolds {
    /// Steering of a single walker: flocking is on at a low weight.
    fn default() -> Reynolds {
        Reynolds {
            seek: 1.0,
            separation: 1.0,
            alignment: 0.1,
            cohesion: 0.0,
            avoidance: 1.0,
            sidestep: 0.0,
            walls: 1.0,
            push: 1.0,
            wait: 0.0,
            force: 8.0,
            reaction: 0.5,
            horizon: 2.0,
            gap: 0.2,
            top: 1.3,
            give: 0.2,
            by_priority: false,
            name: "reynolds",
        }
    }
}

impl Reynolds {
    /// The rule-based model of the thesis: seek, step aside without foresight, push at contact, wait where blocked.
    pub fn rules() -> Reynolds {
        let rules = Reynolds { name: "rules", ..Reynolds::default() };
        rules.alignment(0.0).avoidance(0.0).separation(0.0).sidestep(1.0).wait(0.3)
    }
}

/// The gap in metres below which bodies are in contact. The contact projection keeps true contacts at zero.
const CONTACT: f32 = 0.03;

/// The time in seconds for which a body tries again before it waits anew.
const TRY: f32 = 0.5;

/// The distance in metres ahead in which bodies make one step aside or slow down.
const VIEW: f32 = 1.5;

/// The deceleration in m/s² at the end of the way, about what the reaction time allows.
const BRAKE: f32 = 2.0;

/// The part of the free speed with which a body presses on where its way is blocked.
const PRESS: f32 = 0.25;

/// Behaviours shorter than this, in m/s², are zero.
const NOTHING: f32 = 0.05;

/// The sums of what neighbours cause.
#[derive(Default)]
struct Around {
    /// The push at contact.
    push: Vector,
    /// The keeping of gaps.
    separation: Vector,
    /// The step aside.
    sidestep: Vector,
    /// The sum of the velocities of mates.
    velocities: Vector,
    /// The sum of the offsets of mates.
    offsets: Vector,
    /// The number of mates.
    mates: f32,
    /// The least gap to a body that blocks the way.
    blocked: Option<f32>,
}

impl LocalModel for Reynolds {
    fn spec(&self) -> Spec {
        let spec = Spec::new(self.name).range(3.0).neighbours(16).wall_range(1.2);
        spec.max_dt(0.05).max_speed(self.top)
    }

    parameters!(seek in 0.0..10.0, separation in 0.0..10.0, alignment in 0.0..10.0, cohesion in 0.0..10.0,
        avoidance in 0.0..10.0, sidestep in 0.0..10.0, walls in 0.0..10.0, push in 0.0..10.0, wait in 0.0..10.0,
        force in 0.1..100.0, reaction in 0.05..10.0, horizon in 0.1..20.0, gap in 0.01..2.0,
        top in 1.0..5.0, give in 0.0..3.0;
        by_priority);

    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act {
        let around = self.around(me, near);
        let (pace, timer) = self.pace(me, &around);
        let seek = (braked_velocity(me, near, BRAKE) * pace - me.velocity) * (1.0 / self.reaction);
        let steps = [
            around.push * (self.push * self.force),
            self.off_walls(me, walls) * (self.walls * self.force),
            self.avoid(me, near) * (self.avoidance * self.force),
            around.sidestep * (self.sidestep * self.force),
            around.separation * (self.separation * self.force),
            self.flock(me, &around) + seek * self.seek,
        ];
        let velocity = me.velocity + self.blend(&steps).at_most(self.force) * me.dt;
        let state = [timer, me.state[1], me.state[2], me.state[3]];
        let velocity = room_for_first(me, near, self.give, velocity);
        Act { velocity: velocity.at_most(top_speed(me, self.top)), state }
    }
}

impl Reynolds {
    /// Adds behaviours, or takes the first that is not zero.
    fn blend(&self, steps: &[Vector]) -> Vector {
        if self.by_priority {
            let acts = |step: &&Vector| step.length_squared() > NOTHING * NOTHING;
            return steps.iter().find(acts).copied().unwrap_or_default();
        }
        steps.iter().fold(Vector::ZERO, |sum, step| sum + *step)
    }

    /// Looks at each neighbour once.
    fn around(&self, me: &View, near: &[Neighbour]) -> Around {
        let mut around = Around::default();
        for other in near {
            let (gap, towards) = (other.gap(me.radius), direction(me, other));
            if gap < CONTACT {
                around.push -= towards * ((CONTACT - gap) / CONTACT).min(1.0);
            }
            // Who stands holds its place among others who stand.
            if gap < self.gap && !(me.stands && other.stands) {
                around.separation -= towards * (1.0 - gap / self.gap).min(1.0);
            }
            if other.mate && !other.stands {
                around.velocities += other.velocity;
                around.offsets += other.offset;
                around.mates += 1.0;
            }
            if !me.stands {
                self.in_front(me, other, gap, towards, &mut around);
            }
        }
        around
    }

    /// Looks at a body in front: one steps aside for it, and slows down behind it.
    fn in_front(&self, me: &View, other: &Neighbour, gap: f32, towards: Vector, around: &mut Around) {
        let (cos, sin) = (me.head.dot(towards), me.head.cross(towards));
        let aside = sin.abs() * other.distance;
        let lane = me.radius + other.radius;
        if cos <= 0.0 || gap > VIEW || aside > lane + self.gap {
            return;
        }
        let comes = other.velocity.dot(me.head);
        // Who walks ahead as fast needs no step aside.
        let slower = ((me.speed - comes) / me.speed.max(0.1)).clamp(0.0, 2.0);
        let nearness = 1.0 - gap.max(0.0) / VIEW;
        let side = if sin < -1e-3 { towards.left() } else { -towards.left() };
        let step = side * (slower * nearness * nearness * 0.5);
        // One body at a time, the most urgent: steps for several would lead out of the way altogether.
        if step.length_squared() > around.sidestep.length_squared() {
            around.sidestep = step;
        }
        let oncoming = other.head.dot(me.head) < -0.3;
        if !oncoming && aside < 0.8 * lane && comes < me.speed {
            around.blocked = Some(around.blocked.map_or(gap, |least| least.min(gap)));
        }
    }

    /// Returns the part of the free speed that is sought, and the timer of waiting: it waits while that is positive.
    fn pace(&self, me: &View, around: &Around) -> (f32, f32) {
        if self.wait <= 0.0 || me.stands {
            return (1.0, 0.0);
        }
        let gap = around.blocked.unwrap_or(f32::INFINITY).max(0.0);
        let mut timer = (me.state[0] - me.dt).clamp(-TRY, 2.0 * self.wait);
        if gap < CONTACT && timer <= -TRY {
            timer = self.wait * (0.5 + me.random(0));
        }
        let pace = if timer > 0.0 { 0.0 } else { (gap / (2.0 * self.gap)).clamp(PRESS, 1.0) };
        (pace, timer)
    }

    /// Returns the acceleration that keeps a body with its mates.
    fn flock(&self, me: &View, around: &Around) -> Vector {
        if around.mates == 0.0 || me.stands {
            return Vector::ZERO;
        }
        let share = 1.0 / around.mates;
        let align = around.velocities * share - me.velocity;
        let join = around.offsets.unit() * me.speed - me.velocity;
        (align * self.alignment + join * self.cohesion) * (1.0 / self.reaction)
    }

    /// Returns the step aside from the first foreseen collision, as a part of the greatest acceleration.
    fn avoid(&self, me: &View, near: &[Neighbour]) -> Vector {
        if me.stands || self.avoidance == 0.0 {
            return Vector::ZERO;
        }
        let (mut soonest, mut result) = (self.horizon, Vector::ZERO);
        for other in near {
            let relative = other.velocity - me.velocity;
            let speed_squared = relative.length_squared();
            if speed_squared < 1e-4 {
                continue;
            }
            let time = -other.offset.dot(relative) / speed_squared;
            let then = other.offset + relative * time;
            let wide = me.radius + other.radius + 0.5 * self.gap;
            if time <= 0.0 || time >= soonest || then.length_squared() > wide * wide {
                continue;
            }
            soonest = time;
            let left = me.head.left();
            // Off the side on which it passes; if it passes through the middle, to the right.
            let side = if left.dot(then) < -1e-3 { left } else { -left };
            result = side * (1.0 - time / self.horizon);
        }
        result
    }

    /// Returns the acceleration off walls that the body is near or walks into, as a part of the greatest.
    fn off_walls(&self, me: &View, walls: &[NearWall]) -> Vector {
        let mut sum = Vector::ZERO;
        for wall in walls.iter().filter(|wall| wall.distance > 1e-6) {
            let towards = wall.offset * (1.0 / wall.distance);
            let gap = (wall.distance - me.radius).max(0.0);
            let into = me.velocity.dot(towards);
            // The deceleration that stops the body before the wall.
            let stop = if into > 0.0 { into * into / (2.0 * gap.max(0.02) * self.force) } else { 0.0 };
            // The wall leans against a way that leads into it. A way along the wall feels nothing.
            let near = (1.0 - gap / self.gap).max(0.0);
            let lean = me.head.dot(towards).max(0.0) * near * near;
            sum -= towards * (stop + lean).min(1.0);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{self, Body, walker};

    #[test]
    fn the_first_behaviour_that_is_not_zero_wins() {
        let steps = [Vector::ZERO, Vector::new(0.01, 0.0), Vector::new(0.0, 2.0), Vector::new(5.0, 0.0)];
        assert_eq!(Reynolds::default().by_priority(true).blend(&steps), steps[2]);
        assert_eq!(Reynolds::default().blend(&steps), Vector::new(5.01, 2.0));
    }

    #[test]
    fn seeking_takes_up_the_free_speed() {
        let me = View { velocity: Vector::ZERO, dt: 0.05, ..walker() };
        // (1.34 m/s - 0) / 0.5 s for 0.05 s.
        let velocity = Reynolds::default().act(&me, &[], &[]).velocity;
        assert!((velocity - Vector::new(0.134, 0.0)).length() < 1e-5, "{velocity:?}");
    }

    /// A mate at an offset that walks with a velocity.
    fn mate(offset: Vector, velocity: Vector) -> Neighbour {
        Neighbour {
            offset,
            distance: offset.length(),
            velocity,
            radius: 0.2,
            id: 8,
            mate: true,
            ..Neighbour::default()
        }
    }

    #[test]
    fn mates_align_and_stay_together() {
        let me = View { velocity: Vector::ZERO, speed: 1.0, ..walker() };
        let near = [
            mate(Vector::new(0.0, 1.0), Vector::new(0.0, 0.5)),
            mate(Vector::new(2.0, 1.0), Vector::new(1.0, 0.5)),
        ];
        let around = Reynolds::default().around(&me, &near);
        let off = Reynolds::default().alignment(0.0);
        let align = off.alignment(1.0).flock(&me, &around);
        assert!((align - Vector::new(1.0, 1.0)).length() < 1e-5, "{align:?}");
        let join = off.cohesion(1.0).flock(&me, &around);
        assert!((join - Vector::new(2.0, 2.0).unit() * 2.0).length() < 1e-5, "{join:?}");
    }

    #[test]
    fn a_foreseen_collision_turns_a_body_to_the_free_side() {
        let me = walker();
        let mut other = mate(Vector::new(2.0, 0.1), Vector::new(-1.34, 0.0));
        let model = Reynolds::default();
        assert!(model.avoid(&me, &[other]).y < -0.1);
        other.offset.y = -0.1;
        assert!(model.avoid(&me, &[other]).y > 0.1);
        other.offset.y = 1.0;
        assert_eq!(model.avoid(&me, &[other]), Vector::ZERO);
    }

    #[test]
    fn a_blocked_body_waits_a_moment_then_tries_again() {
        let model = Reynolds::rules();
        let mut me = View { state: [-TRY, 0.0, 0.0, 0.0], ..walker() };
        let around = Around { blocked: Some(0.0), ..Around::default() };
        let mut waits = Vec::new();
        for step in 0..40 {
            me.step = step;
            let (pace, timer) = model.pace(&me, &around);
            me.state[0] = timer;
            waits.push(pace == 0.0);
        }
        let switches = waits.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(waits[0] && switches >= 3, "{waits:?}");
        let (pace, _) = model.pace(&me, &Around { blocked: Some(0.2), ..Around::default() });
        assert!(pace == 0.0 || (pace - 0.5).abs() < 1e-5, "{pace}");
    }

    #[test]
    fn two_pass_and_standers_make_room() {
        let priorities = Reynolds::default().by_priority(true);
        for model in [Reynolds::default(), Reynolds::rules(), priorities] {
            testing::check_bounds(&model);
            testing::check_pass(&model, 0.1, 0.02);
            testing::check_pass(&model, 0.0, 0.02);
            testing::check_rest(&model);
            testing::check_way_past_stander(&model, 0.02);
        }
    }

    #[test]
    fn bodies_do_not_walk_into_walls() {
        for model in [Reynolds::default(), Reynolds::rules(), Reynolds::default().by_priority(true)] {
            let mut bodies = [Body::walking([0.0, 0.0], [9.0, 0.0])];
            testing::walk(&model, &mut bodies, &[[[3.0, -5.0], [3.0, 5.0]]], 8.0);
            let x = bodies[0].at[0];
            assert!(x < 2.82 && x > 2.5, "{} stops at {x}", model.spec().name);
        }
    }
}
