//! Modifiers: what changes the head, the speed or the goal of bodies before their model acts.
//!
//! Groups, streams, queues and minds are modifiers. A modifier is a pure function of the frozen state after the way points
//! of the step were chosen. Answers are applied once all are known, so neither threads nor the order of bodies matter.
//! Modifiers work one after the other: the next sees what the last changed in the course of a body, not in other bodies.
//! Cost: one call for each body that walks; nothing if there is no modifier.

use super::Crowd;
use super::agent::{Agent, AgentId};
use super::bodies::Bodies;
use super::goal::Goal;
use crate::vector::Vector;
use clearway_base::parallel;

/// Changes the courses of bodies before their model acts.
///
/// ```
/// use clearway::{Agent, AgentOptions, Course, Crowd, Frozen, Goal, MeshOptions, Modifier, Plan};
///
/// /// Everybody hurries after three seconds.
/// struct Alarm;
///
/// impl Modifier for Alarm {
///     fn modify(&self, _me: &Agent, frozen: &Frozen, course: &mut Course) {
///         course.speed = if frozen.time() < 3.0 { 1.0 } else { 1.5 };
///     }
/// }
///
/// let plan = Plan::from_rings([vec![[0.0, 0.0], [30.0, 0.0], [30.0, 4.0], [0.0, 4.0]]]);
/// let mesh = MeshOptions::default().build(&plan)?;
/// let mut crowd = Crowd::default();
/// crowd.add_modifier(Alarm);
/// let id = crowd.add(AgentOptions::at(mesh.locate([1.0, 2.0])?).speed(1.0).goal(Goal::Direction([1.0, 0.0])))?;
/// while crowd.time() < 5.0 {
///     crowd.step(&mesh, 0.1)?;
/// }
/// assert!(crowd.agent(id).is_some_and(|agent| agent.velocity[0] > 1.4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Modifier: Send + Sync {
    /// Changes the course of one body that walks.
    fn modify(&self, me: &Agent, frozen: &Frozen, course: &mut Course);
}

/// The course of a body in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The direction in which it wants to go, of any length; zero to stand.
    pub head: Vector,
    /// The factor of its speed, from 0 to 2; 1 if nobody changes it.
    pub speed: f32,
    /// Its goal. Another one counts from the next step on.
    pub goal: Goal,
}

/// The greatest factor of the speed. A person may run at twice the speed of walking; more would cut steps into parts.
const MOST_HASTE: f32 = 2.0;

/// The crowd as modifiers see it: nobody moves.
#[derive(Clone, Copy)]
pub struct Frozen<'a> {
    /// The bodies.
    bodies: &'a Bodies,
    /// The simulated time in seconds.
    time: f64,
    /// The time step in seconds.
    dt: f32,
}

impl Frozen<'_> {
    /// Returns a body.
    pub fn agent(&self, id: AgentId) -> Option<Agent> {
        let body = self.bodies.at_slot(id.slot)?;
        (body.is_here() && body.generation == id.generation).then(|| body.view())
    }

    /// Returns the simulated time in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the time step in seconds.
    pub fn dt(&self) -> f32 {
        self.dt
    }
}

impl Crowd {
    /// Adds a modifier. It works after those that were added before.
    pub fn add_modifier(&mut self, modifier: impl Modifier + 'static) {
        self.modifiers.push(Box::new(modifier));
    }

    /// Lets the modifiers change the courses of all bodies that walk.
    pub(super) fn modify(&mut self, dt: f32) {
        if self.modifiers.is_empty() {
            return;
        }
        let frozen = Frozen { bodies: &self.bodies, time: self.time, dt };
        let bodies = self.bodies.list();
        let courses = parallel::map(bodies.len(), |place| {
            let body = &bodies[place];
            let me = body.view();
            body.walks().then(|| {
                let mut course = Course { head: body.head, speed: 1.0, goal: body.goal };
                self.modifiers.iter().for_each(|modifier| modifier.modify(&me, &frozen, &mut course));
                course
            })
        });
        // In the order of slots: goals that are new get numbers.
        for slot in 0..courses.len() as u32 {
            let Some(place) = self.bodies.place(slot) else { continue };
            if let Some(course) = courses[place] {
                self.take_course(place, course);
            }
        }
    }

    /// Gives a body its course.
    fn take_course(&mut self, place: usize, course: Course) {
        let body = &mut self.bodies.list_mut()[place];
        if course.head.is_finite() && course.head != body.head {
            body.head = course.head.unit();
            body.target = body.head * body.target.length();
        }
        body.zeal = if course.speed.is_finite() { course.speed.clamp(0.0, MOST_HASTE) } else { 1.0 };
        if course.goal != body.goal {
            let (id, head, target) = (body.id(), body.head, body.target);
            self.set_goal(id, course.goal);
            // The way to the new goal is chosen in the next step.
            let body = &mut self.bodies.list_mut()[place];
            (body.head, body.target) = (head, target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{Activity, AgentOptions, Area, Goal};
    use clearway_build::MeshOptions;
    use clearway_nav::NavMesh;
    use clearway_world::Plan;

    fn room() -> NavMesh {
        let ring = vec![[0.0, 0.0], [30.0, 0.0], [30.0, 30.0], [0.0, 30.0]];
        MeshOptions::default().build(&Plan::from_rings([ring])).unwrap()
    }

    /// The first body leads; the others follow it.
    struct Follow(AgentId);

    impl Modifier for Follow {
        fn modify(&self, me: &Agent, frozen: &Frozen, course: &mut Course) {
            let Some(leader) = frozen.agent(self.0).filter(|_| me.id != self.0) else { return };
            course.head = Vector::between(me.at.position(), leader.at.position());
            course.speed = if course.head.length() < 1.0 { 0.0 } else { 1.2 };
        }
    }

    fn positions(modifier: bool) -> Vec<[f64; 2]> {
        let (mesh, mut crowd) = (room(), Crowd::default());
        let add = |crowd: &mut Crowd, at: [f64; 2], to: [f64; 2]| {
            crowd.add(AgentOptions::at(mesh.locate(at).unwrap()).goal(Goal::Direction(to))).unwrap()
        };
        let leader = add(&mut crowd, [2.0, 15.0], [1.0, 0.0]);
        (0..5).for_each(|k| _ = add(&mut crowd, [2.0, 5.0 + f64::from(k)], [0.0, -1.0]));
        if modifier {
            crowd.add_modifier(Follow(leader));
        }
        (0..150).for_each(|_| _ = crowd.step(&mesh, 0.1).unwrap());
        crowd.agents().map(|agent| agent.at.position()).collect()
    }

    #[test]
    fn followers_come_to_their_leader() {
        let far = |places: &[[f64; 2]]| {
            let [x, y] = places[0];
            places.iter().map(|place| (place[0] - x).hypot(place[1] - y)).fold(0.0, f64::max)
        };
        assert!(far(&positions(true)) < 4.0, "{:?}", positions(true));
        assert!(far(&positions(false)) > 15.0);
    }

    /// Sends everybody to another goal.
    struct Send(Goal);

    impl Modifier for Send {
        fn modify(&self, _: &Agent, _: &Frozen, course: &mut Course) {
            course.goal = self.0;
        }
    }

    #[test]
    fn a_modifier_changes_goals() {
        let (mesh, mut crowd) = (room(), Crowd::default());
        let goal = crowd.add_goal(Area::rectangle([1.0, 1.0], [4.0, 4.0]).unwrap());
        crowd.add_modifier(Send(Goal::Area(goal)));
        let at = mesh.locate([8.0, 3.0]).unwrap();
        let id = crowd.add(AgentOptions::at(at).goal(Goal::Direction([1.0, 0.0]))).unwrap();
        (0..100).for_each(|_| _ = crowd.step(&mesh, 0.1).unwrap());
        let agent = crowd.agent(id).unwrap();
        assert_eq!((agent.goal, agent.activity), (Goal::Area(goal), Activity::Arrived));
    }
}
