//! Paths: the shortest way for a body of any radius, and why there is none.

mod corridor;
mod curve;
mod follower;
mod grid;
mod query;
mod search;
mod verify;
mod visibility;

pub use corridor::{CentrePlanner, CorridorPlanner, WayPoint};
pub use curve::{Path, Piece};
pub use follower::{Follower, FollowerOptions, Steering};
pub use grid::{GridOptions, GridPlanner, MAX_RASTER_CELLS, USUAL_RASTER_CELLS};
pub use query::{NoPath, PathQuery, Place};
pub use search::{PathSearch, SearchSpace, SearchStatus};
pub use verify::verify;
pub use visibility::{MAX_CORNERS, TangentGraph, VisibilityPlanner};
