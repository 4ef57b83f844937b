//! Bodies that move over a mesh.
//!
//! [`Slicer`] runs many searches in slices over many frames. [`Walker`] sets off before its path is found. [`Follower`]
//! follows a path and handles being pushed off it. Everything is deterministic: budgets count steps, not time.

mod follower;
mod slicer;

pub use follower::{Follower, FollowerOptions, Steering, Step};
pub use slicer::{
    FrameReport, Guess, Pace, SearchId, Slicer, SlicerOptions, Stage, Stride, WalkReport, Walker,
    WalkerOptions,
};
