//! What happened in a step.

use super::agent::AgentId;
use super::goal::GoalId;
use clearway_nav::{LinkId, NoPath};

/// Something that happened to a body in a step. Events come in the order of the bodies' numbers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A body arrived at its goal. `goal` is the area, or `None` for a goal of its own.
    Arrived {
        /// The body.
        id: AgentId,
        /// The area.
        goal: Option<GoalId>,
    },
    /// A body arrived and left the crowd.
    Left {
        /// The body.
        id: AgentId,
        /// The area.
        goal: Option<GoalId>,
    },
    /// The goal of a body cannot be reached. It walks as near as it can and waits there.
    Lost {
        /// The body.
        id: AgentId,
        /// Why.
        reason: NoPath,
    },
    /// A body began to ride a link.
    Boarded {
        /// The body.
        id: AgentId,
        /// The link.
        link: LinkId,
    },
    /// A body came off a link.
    Landed {
        /// The body.
        id: AgentId,
        /// The link.
        link: LinkId,
    },
    /// A body was inside a wall or off the mesh and was moved.
    Moved {
        /// The body.
        id: AgentId,
        /// The length of the move in metres.
        distance: f64,
    },
    /// The mesh changed around a body, and there is no place near it where it fits. It stands as near as it can, and
    /// overlaps walls or others until there is room.
    Swallowed {
        /// The body.
        id: AgentId,
    },
}

impl Event {
    /// Returns the body to which it happened.
    pub fn agent(&self) -> AgentId {
        match self {
            Event::Arrived { id, .. }
            | Event::Left { id, .. }
            | Event::Lost { id, .. }
            | Event::Boarded { id, .. }
            | Event::Landed { id, .. }
            | Event::Moved { id, .. }
            | Event::Swallowed { id } => *id,
        }
    }
}

/// The work of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StepReport {
    /// The number of bodies that moved.
    pub moved: usize,
    /// The number of parts into which the time step was cut.
    pub parts: usize,
    /// The number of routes that were looked up anew.
    pub routed: usize,
    /// The number of expansions of searches for goals of bodies' own.
    pub expansions: u64,
    /// The number of searches that wait for their turn.
    pub waiting: usize,
    /// The number of bodies that were pulled back onto the mesh, or out of a wall, by more than rounding.
    pub corrected: usize,
}
