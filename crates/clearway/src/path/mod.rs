//! Paths: the shortest way for a body of any radius, and why there is none.

mod curve;
mod query;
mod verify;
mod visibility;

pub use curve::{Path, Piece};
pub use query::{NoPath, PathQuery, Place};
pub use verify::verify;
pub use visibility::{MAX_CORNERS, TangentGraph, VisibilityPlanner};
