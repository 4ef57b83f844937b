//! Bodies that move over a mesh: searches in slices over many frames, walkers that set off before their path is found,
//! and followers of paths.

mod follower;
mod slicer;

pub use follower::{Follower, FollowerOptions, Steering, Step};
pub use slicer::{
    FrameReport, Guess, Pace, SearchId, Slicer, SlicerOptions, Stage, Stride, WalkReport, Walker,
    WalkerOptions,
};
