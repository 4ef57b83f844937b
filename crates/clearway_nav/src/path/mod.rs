//! Paths: the shortest way for a body of any radius, and why there is none.

mod batch;
mod corridor;
mod costs;
mod curve;
mod field;
mod follower;
mod grid;
mod ground;
mod partial;
mod query;
mod roadmap;
mod search;
mod slicer;
mod verify;
mod visibility;

pub use corridor::{CentrePlanner, CorridorPlanner, WayPoint};
pub use costs::{Avoid, CostPath, CostQuery, LEAST_COST};
pub use curve::{Path, Piece};
pub use field::{DistanceField, FieldOptions, Within};
pub use follower::{Follower, FollowerOptions, Steering};
pub use grid::{GridOptions, GridPlanner, MAX_RASTER_CELLS, USUAL_RASTER_CELLS};
pub use query::{NoPath, PathQuery, Place};
pub use search::{PathSearch, SearchSpace, SearchStatus};
pub use slicer::{
    FrameReport, Guess, Pace, SearchId, Slicer, SlicerOptions, Stage, Stride, WalkReport, Walker,
    WalkerOptions,
};
pub use verify::verify;
pub use visibility::{MAX_CORNERS, TangentGraph, VisibilityPlanner};
