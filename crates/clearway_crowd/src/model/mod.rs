//! Local models: how a body moves among the bodies and walls around it.
//!
//! A model is a pure function of the last state: it reads a [`View`] of one body, its [`Neighbour`]s and [`NearWall`]s,
//! and returns the velocity that the body wishes. The engine does the rest: it finds neighbours, keeps bodies apart by
//! the contact projection, and moves them over the mesh. So a model is one type in one file.
//!
//! [`Headway`] is the default. The others are models of the literature, for comparison; [`model_with`] makes any of them
//! by its name, with parameters by their names.

mod collision_free;
mod force;
mod headway;
mod manners;
mod named;
mod orca;
mod power_law;
mod reynolds;
mod speed_disc;
#[cfg(test)]
pub(crate) mod testing;

pub use collision_free::{Anticipation, CollisionFree};
pub use force::SocialForce;
pub use headway::Headway;
pub use named::{MODEL_NAMES, Parameter, model_by_name, model_with, set_parameter};
pub use orca::Orca;
pub use power_law::PowerLaw;
pub use reynolds::Reynolds;

use crate::random::random;
use crate::vector::Vector;

/// A local model of movement.
pub trait LocalModel: Send + Sync {
    /// Returns what the model needs of the engine.
    fn spec(&self) -> Spec;

    /// Returns the velocity that a body wishes. Neighbours come nearest first, at most [`Spec::neighbours`] of them; all
    /// are in sight. Walls are those within [`Spec::wall_range`].
    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act;

    /// Returns the parameters that can be set by name, with their limits. None by default.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Sets a parameter, without a check of its limits: [`set_parameter`] does that. False if it has none of this name.
    fn set(&mut self, _name: &str, _value: f32) -> bool {
        false
    }
}

/// The needs of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spec {
    /// The name of the model, as commands and files spell it.
    pub name: &'static str,
    /// The distance up to which neighbours are seen, centre to centre, in metres.
    pub range: f32,
    /// The distance up to which neighbours behind a body are seen, in metres. A model that only reacts to those ahead is
    /// faster if it does not see the others.
    pub behind: f32,
    /// The largest number of neighbours; the nearest are kept.
    pub neighbours: usize,
    /// The distance up to which walls are seen, in metres.
    pub wall_range: f32,
    /// The longest time step in seconds that the model bears. The engine cuts longer steps into equal parts.
    pub max_dt: f32,
    /// The depth in metres by which two bodies may overlap, or a body a wall. The contact projection allows no more.
    pub overlap: f32,
    /// The greatest speed as a multiple of the speed that a body wishes to walk at.
    pub max_speed: f32,
}

clearway_base::setters!(Spec {
    range: f32,
    behind: f32,
    neighbours: usize,
    wall_range: f32,
    max_dt: f32,
    overlap: f32,
    max_speed: f32
});

impl Spec {
    /// Makes the spec of a model that sees 32 neighbours within 2.5 m and walls within 1.2 m, bears steps of 0.2 s,
    /// declares no overlap, and walks at most 1.5 times as fast as wished.
    pub fn new(name: &'static str) -> Spec {
        Spec {
            name,
            range: 2.5,
            behind: f32::INFINITY,
            neighbours: 32,
            wall_range: 1.2,
            max_dt: 0.2,
            overlap: 0.0,
            max_speed: 1.5,
        }
    }
}

/// A body as its model sees it. Vectors are those of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Its velocity in the last step, after the contact projection, in m/s.
    pub velocity: Vector,
    /// The velocity that it wished in the last step, before the contact projection, in m/s.
    pub wish: Vector,
    /// The unit direction of its way; zero for a body that stands.
    pub head: Vector,
    /// The offset from it to its way point, in metres.
    pub target: Vector,
    /// The length of the rest of its way, in metres.
    pub left: f32,
    /// Its radius in metres.
    pub radius: f32,
    /// The speed at which it walks where nothing is in the way, in m/s; zero for a body that stands.
    pub speed: f32,
    /// Its priority: bodies of lower priority make room.
    pub priority: u8,
    /// True if it has no way to go: it has arrived, waits, or has no goal.
    pub stands: bool,
    /// Its number; no other body of the crowd has it.
    pub id: u32,
    /// Values that the model keeps for the body from step to step.
    pub state: [f32; 4],
    /// The time step in seconds.
    pub dt: f32,
    /// The seed of the crowd.
    pub seed: u64,
    /// The number of the step.
    pub step: u64,
}

impl View {
    /// Returns a random number in [0, 1). It depends on the seed of the crowd, the body, the step and the stream.
    pub fn random(&self, stream: u32) -> f32 {
        random(self.seed, self.id, self.step, stream) as f32
    }
}

/// A body in sight of another.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Neighbour {
    /// The offset to its centre, in metres.
    pub offset: Vector,
    /// The distance to its centre, in metres.
    pub distance: f32,
    /// Its velocity in the last step, after the contact projection, in m/s.
    pub velocity: Vector,
    /// The velocity that it wished in the last step, in m/s.
    pub wish: Vector,
    /// The unit direction of its way; zero for a body that stands.
    pub head: Vector,
    /// Its radius in metres.
    pub radius: f32,
    /// Its number.
    pub id: u32,
    /// Its priority.
    pub priority: u8,
    /// True if it has the same goal.
    pub mate: bool,
    /// True if it has the right of way: its priority is higher, or it has less way left. Ties go by number.
    pub first: bool,
    /// True if it has no way to go.
    pub stands: bool,
}

impl Neighbour {
    /// Returns the unit vector towards it; zero if both centres are one point.
    #[inline]
    pub fn direction(&self) -> Vector {
        if self.distance > 0.0 { self.offset * (1.0 / self.distance) } else { Vector::ZERO }
    }

    /// Returns the gap between it and a body of this radius, in metres; negative where they overlap.
    #[inline]
    pub fn gap(&self, radius: f32) -> f32 {
        self.distance - self.radius - radius
    }
}

/// A wall near a body.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct NearWall {
    /// The offset to its nearest point, in metres.
    pub offset: Vector,
    /// The distance to its nearest point, in metres.
    pub distance: f32,
    /// The offset to its start. Its cell lies on the left as seen from there.
    pub from: Vector,
    /// The offset to its end.
    pub to: Vector,
}

/// What a body does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Act {
    /// The velocity that it wishes, in m/s. The contact projection may change it.
    pub velocity: Vector,
    /// Values that the model keeps for the next step.
    pub state: [f32; 4],
}

impl Act {
    /// Makes the act of a body that wishes this velocity, and keeps no values.
    pub fn velocity(velocity: Vector) -> Act {
        Act { velocity, state: [0.0; 4] }
    }
}
