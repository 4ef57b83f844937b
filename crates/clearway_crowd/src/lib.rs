//! Bodies that move over a mesh.
//!
//! [`Slicer`] runs many searches in slices over many frames. [`Walker`] sets off before its path is found. [`Follower`]
//! follows a path and handles being pushed off it. Everything is deterministic: budgets count steps, not time.

mod crowd;
mod follower;
pub mod half_planes;
pub mod model;
mod ops;
mod random;
mod slicer;
mod vector;

pub use crowd::{
    Activity, Agent, AgentId, AgentOptions, Area, Arrival, Course, Crowd, CrowdOptions, Event, Flight,
    Frozen, Goal, GoalId, MAX_CORNERS, MAX_RADIUS, MAX_SPEED, MIN_RADIUS, Measures, Modifier, Outside, Reach,
    Shrink, SpeedZone, StepReport, WayPoints, Wrap,
};
pub use follower::{Follower, FollowerOptions, Steering, Step};
pub use model::{
    Act, Anticipation, CollisionFree, Headway, LocalModel, MODEL_NAMES, NearWall, Neighbour, Orca, Parameter,
    PowerLaw, Reynolds, SocialForce, Spec, View, model_by_name, model_with, set_parameter,
};
pub use ops::exp;
pub use random::random;
pub use slicer::{
    FrameReport, Guess, Pace, SearchId, Slicer, SlicerOptions, Stage, Stride, WalkReport, Walker,
    WalkerOptions,
};
pub use vector::Vector;
