//! Comparators and judges: other ways to answer the same questions, against which clearway is measured.
//!
//! The command line offers the planners for comparison, tests use everything as oracles, and `peers` lists them in its
//! tables. Nothing here is needed at run time. Judges share no code with what they judge.

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
