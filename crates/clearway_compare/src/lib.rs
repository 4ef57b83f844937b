//! Comparators and judges: other ways to answer the same questions, to measure clearway against.
//!
//! The command line offers the planners for comparison, tests use all of it as oracles, `peers` as rows of its tables.
//! Nothing of it is needed at run time.

mod centre;
mod columns;
mod coverage;
mod grid;
mod planners;
pub mod published;
mod visibility;

pub use centre::{CentrePlanner, WayPoint};
pub use columns::{ColumnSampler, Stand};
pub use coverage::{Columns, Coverage};
pub use grid::{GridOptions, GridPlanner, MAX_RASTER_CELLS, USUAL_RASTER_CELLS};
pub use visibility::{MAX_CORNERS, TangentGraph, VisibilityPlanner};
