//! Paths: the shortest way for a body of any radius, and why there is none.

mod batch;
mod corridor;
mod costs;
mod curve;
mod field;
mod ground;
mod partial;
mod query;
mod roadmap;
mod search;
mod verify;

pub use corridor::CorridorPlanner;
pub use costs::{Avoid, CostPath, CostQuery, LEAST_COST};
pub use curve::{Path, Piece};
pub use field::{DistanceField, FieldOptions, Within};
pub use ground::HeightLine;
pub use query::{NoPath, PathQuery, Place};
pub use search::{PathSearch, SearchSpace, SearchStatus, cells_under};
pub use verify::verify;
