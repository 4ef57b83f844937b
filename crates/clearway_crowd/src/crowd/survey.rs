//! What one look at all bodies tells: the greatest speed, radius and move. Passes over all bodies are dear in large crowds,
//! because bodies do not fit into the caches.

use super::agent::MIN_RADIUS;
use super::body::Body;
use crate::model::Spec;

/// What a look at all bodies tells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Survey {
    /// The greatest speed at which a body wishes to walk, in m/s.
    pub fastest: f32,
    /// The same where ground or modifiers speed bodies up.
    driven: f32,
    /// The largest radius in metres.
    radius: f32,
    /// The highest priority.
    pub highest: u8,
    /// True if a body has not yet been put onto the ground.
    pub is_unsettled: bool,
}

impl Survey {
    /// Adds a body.
    #[inline]
    pub fn add(&mut self, body: &Body) {
        if body.is_here() {
            self.fastest = self.fastest.max(body.speed);
            self.driven = self.driven.max(body.speed * body.full_pace().max(1.0));
            self.radius = self.radius.max(body.radius);
            self.highest = self.highest.max(body.priority);
            self.is_unsettled |= !body.settled;
        }
    }

    /// Adds what another look tells.
    pub fn join(&mut self, other: &Survey) {
        self.fastest = self.fastest.max(other.fastest);
        self.driven = self.driven.max(other.driven);
        self.radius = self.radius.max(other.radius);
        self.highest = self.highest.max(other.highest);
        self.is_unsettled |= other.is_unsettled;
    }

    /// Returns the largest radius, or the least that is allowed if there is no body.
    pub fn widest(&self) -> f32 {
        self.radius.max(MIN_RADIUS as f32)
    }

    /// Returns the longest move of any body in a step.
    pub fn longest_move(&self, spec: &Spec, dt: f32) -> f32 {
        self.driven * spec.max_speed * dt
    }
}

/// What the pass that sorts bodies notices of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Glance {
    /// The survey.
    pub survey: Survey,
    /// The number of bodies that looked their routes up.
    pub routed: usize,
    /// The slots of the bodies without a route.
    pub asking: Vec<u32>,
}

impl Glance {
    /// Adds a body.
    #[inline]
    pub fn add(&mut self, body: &Body) {
        self.survey.add(body);
        self.routed += usize::from(body.is_here() && body.noted.routed);
        if body.noted.no_route {
            self.asking.push(body.slot);
        }
    }

    /// Adds what was noticed of further bodies.
    pub fn join(&mut self, mut next: Glance) {
        self.survey.join(&next.survey);
        self.routed += next.routed;
        self.asking.append(&mut next.asking);
    }
}
