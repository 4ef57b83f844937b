//! The bodies of a crowd as they are stored: one record for each, by slot.

use super::agent::{Activity, Agent, AgentId, AgentOptions, Arrival};
use super::goal::Goal;
use super::way::Chain;
use crate::vector::Vector;
use clearway_nav::mesh::CellId;
use clearway_nav::query::in_world;
use clearway_nav::{Location, NavMesh};

/// The time in seconds after which a body looks its route up again, though it is still in the same cell.
pub(crate) const REFRESH: f32 = 1.0;

/// The state of a body.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// Its position in plan coordinates.
    pub at: [f64; 2],
    /// Its cell.
    pub cell: u32,
    /// Its slot.
    pub slot: u32,
    /// The number of bodies that had this slot before.
    pub generation: u32,
    /// Its velocity in the last step.
    pub velocity: Vector,
    /// The velocity that it wished.
    pub wish: Vector,
    /// The direction of its way.
    pub head: Vector,
    /// The offset to its way point.
    pub target: Vector,
    /// Its displacement in this step, as planned.
    pub displacement: Vector,
    /// Values of its model.
    pub state: [f32; 4],
    /// Its radius in metres.
    pub radius: f32,
    /// The speed at which it wishes to walk, in m/s.
    pub speed: f32,
    /// The part of that speed that the ground allows.
    pub pace: f32,
    /// The part of that speed that modifiers allow.
    pub zeal: f32,
    /// The length of the rest of its way in metres.
    pub left: f32,
    /// The time in seconds until it sets off, or lands.
    pub wait: f32,
    /// The time in seconds until it looks its route up again.
    pub refresh: f32,
    /// The time in seconds for which it has been stuck beside bodies that arrived.
    pub stuck: f32,
    /// The time in seconds until a body that is lost tries again.
    pub retry: f32,
    /// The number of times that no way to its goal was found.
    pub failures: u8,
    /// Its goal.
    pub goal: Goal,
    /// Equal for bodies with the same goal.
    pub goal_key: u32,
    /// Its radius class.
    pub class: u32,
    /// The number of the caller's.
    pub tag: u32,
    /// Its priority.
    pub priority: u8,
    /// What happens at its goal.
    pub arrival: Arrival,
    /// What it does.
    pub phase: Phase,
    /// The next portals of its route.
    pub chain: Chain,
    /// Its own route, if it does not share its goal, or cannot reach it.
    pub own: Option<Box<OwnRoute>>,
    /// Where its own route leaves the cell of the chain. Kept here, because the route itself is far away in memory.
    pub crossing: Crossing,
    /// True once it was put onto the ground of the mesh.
    pub settled: bool,
    /// The height of the ground under it in a scene, in metres; not a number before it is known. When the mesh changes,
    /// it tells the floor.
    pub floor: f32,
    /// What its last step noticed.
    pub noted: Noted,
}

/// What a stored body does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The slot is free.
    Gone,
    /// It waits for its time to set off.
    Waiting,
    /// It walks.
    Walking,
    /// It walks while its route is searched.
    Searching,
    /// It walks as near to its goal as it can, or waits there.
    Lost,
    /// It rides to a link stop.
    Riding(u32),
    /// It is at its goal.
    Arrived,
    /// It has no goal.
    Idle,
}

/// What a step noticed of a body, for the passes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Noted {
    /// It looked its route up.
    pub routed: bool,
    /// There is no route to its goal.
    pub no_route: bool,
    /// It touches a body with the same goal that arrived.
    pub beside_arrived: bool,
    /// It was pulled back onto the mesh.
    pub corrected: bool,
}

/// The place where a route leaves a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Crossing {
    /// The place along the portal, in metres.
    pub place: f32,
    /// The rest of the way from there, in metres.
    pub rest: f32,
}

/// A route of one body.
#[derive(Clone, Debug)]
pub(crate) struct OwnRoute {
    /// The cells that it leaves, in order.
    pub legs: Box<[Leg]>,
    /// Its end.
    pub goal: [f64; 2],
    /// The cell of its end.
    pub last: u32,
}

/// A cell of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leg {
    /// The cell.
    pub cell: u32,
    /// The way out of it.
    pub exit: OwnExit,
}

/// The way out of a cell of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OwnExit {
    /// None is known: straight to the end.
    End,
    /// Through a side, by a free part.
    Side {
        /// The side.
        side: u32,
        /// The free part.
        span: u32,
        /// The place where the path crosses the portal.
        crossing: Crossing,
    },
    /// By a ride from a link stop.
    Ride {
        /// The stop.
        stop: u32,
        /// The rest of the way, with the ride.
        rest: f32,
    },
}

impl Body {
    /// Makes a body that has not yet taken a step.
    pub fn new(options: &AgentOptions, class: u32, goal_key: u32, (slot, generation): (u32, u32)) -> Body {
        let is_idle = options.goal == Goal::None;
        Body {
            at: options.at.position(),
            cell: options.at.cell().0,
            slot,
            generation,
            velocity: Vector::ZERO,
            wish: Vector::ZERO,
            head: Vector::ZERO,
            target: Vector::ZERO,
            displacement: Vector::ZERO,
            state: [0.0; 4],
            radius: options.radius as f32,
            speed: options.speed as f32,
            pace: 1.0,
            zeal: 1.0,
            left: 0.0,
            wait: options.wait as f32,
            refresh: 0.0,
            stuck: 0.0,
            retry: 0.0,
            failures: 0,
            goal: options.goal,
            goal_key,
            class,
            tag: options.tag,
            priority: options.priority,
            arrival: options.arrival,
            phase: match options.wait > 0.0 {
                true => Phase::Waiting,
                false if is_idle => Phase::Idle,
                false => Phase::Walking,
            },
            chain: Chain::EMPTY,
            own: None,
            crossing: Crossing::default(),
            settled: false,
            floor: f32::NAN,
            noted: Noted::default(),
        }
    }

    /// Returns its place in space, if it stands in a scene and its floor is known.
    pub fn place_in_space(&self, mesh: &NavMesh) -> Option<[f64; 3]> {
        let is_known = mesh.has_heights() && self.floor.is_finite();
        is_known.then(|| in_world(self.at, f64::from(self.floor)))
    }

    /// Counts down the time until it sets off, or tries again if it is lost.
    pub fn set_off(&mut self, dt: f32) {
        match self.phase {
            Phase::Waiting => {
                self.wait -= dt;
                if self.wait <= 0.0 {
                    self.phase = if self.goal == Goal::None { Phase::Idle } else { Phase::Walking };
                }
            }
            Phase::Lost => {
                self.retry -= dt;
                if self.retry <= 0.0 {
                    self.phase = Phase::Walking;
                    self.forget_route();
                }
            }
            _ => {}
        }
    }

    /// True if the slot holds a body.
    #[inline]
    pub fn is_here(&self) -> bool {
        self.phase != Phase::Gone
    }

    /// True if the body stands or walks on the ground.
    #[inline]
    pub fn is_on_ground(&self) -> bool {
        !matches!(self.phase, Phase::Gone | Phase::Riding(_))
    }

    /// True if the body is on its way.
    #[inline]
    pub fn walks(&self) -> bool {
        matches!(self.phase, Phase::Walking | Phase::Searching | Phase::Lost)
    }

    /// Returns the part of its speed at which it can walk here and now.
    #[inline]
    pub fn full_pace(&self) -> f32 {
        self.pace * self.zeal
    }

    /// Returns its place.
    pub fn location(&self) -> Location {
        Location::in_cell(CellId(self.cell), self.at)
    }

    /// Forgets its route.
    pub fn forget_route(&mut self) {
        self.chain = Chain::EMPTY;
        self.own = None;
        self.refresh = 0.0;
        self.stuck = 0.0;
    }

    /// Gives it a goal.
    pub fn set_goal(&mut self, goal: Goal, key: u32) {
        self.goal = goal;
        self.goal_key = key;
        self.failures = 0;
        self.forget_route();
        let waits = matches!(self.phase, Phase::Waiting | Phase::Riding(_) | Phase::Gone);
        if !waits {
            self.phase = if goal == Goal::None { Phase::Idle } else { Phase::Walking };
        }
    }

    /// Returns its id.
    pub fn id(&self) -> AgentId {
        AgentId { slot: self.slot, generation: self.generation }
    }

    /// Returns the body as users read it.
    pub fn view(&self) -> Agent {
        Agent {
            id: self.id(),
            at: self.location(),
            velocity: self.velocity.into(),
            head: self.head.into(),
            radius: f64::from(self.radius),
            speed: f64::from(self.speed),
            left: f64::from(self.left),
            activity: match self.phase {
                Phase::Gone | Phase::Idle => Activity::Idle,
                Phase::Waiting => Activity::Waiting,
                Phase::Walking => Activity::Walking,
                Phase::Searching => Activity::Searching,
                Phase::Lost => Activity::Lost,
                Phase::Riding(_) => Activity::Riding,
                Phase::Arrived => Activity::Arrived,
            },
            goal: self.goal,
            tag: self.tag,
        }
    }
}
