//! Paths: the shortest way for a body of any radius, or the reason why there is none.
//!
//! [`PathQuery`] is the question, [`Path`] the answer, [`NavMesh::find_path`](crate::NavMesh::find_path) the entry.
//! Every planner implements [`Planner`]. [`verify()`] judges paths without any help from planners.

mod batch;
mod corridor;
mod costs;
mod curve;
mod ends;
mod field;
mod find;
mod ground;
mod partial;
mod query;
mod repair;
mod roadmap;
mod search;
mod valid;
mod verify;

pub use corridor::{CorridorPlanner, CorridorSearch};
pub use costs::{Avoid, Costs, LEAST_COST};
pub use curve::{Leg, Path, Piece, Ride};
pub use field::{DistanceField, FieldOptions, Within};
pub use find::{OptimalPlanner, Planner};
pub use ground::HeightLine;
pub use query::{LinkUse, NoPath, PathQuery, Place};
pub use search::{PathIndex, PathSearch, SearchSpace, SearchStatus, cells_under};
pub(crate) use search::{TangentIndex, check_path_index, legal};
pub use verify::verify;
