//! The walkable surface of a scene: where a body can stand, exactly.

mod columns;
mod coverage;
mod rules;

pub use columns::{ColumnSampler, Stand};
pub use coverage::{Columns, Coverage};
pub use rules::WalkRules;
