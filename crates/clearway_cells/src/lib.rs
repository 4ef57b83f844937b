//! Free space in, convex cells out: the partition and its assembly into the parts of a mesh.
//!
//! Builds use it, and so will live edits at run time: it knows neither plans nor scenes.

mod assemble;
mod partition;
mod rules;

pub use assemble::{Numbered, assemble};
pub use partition::{Partition, partition};
pub use rules::{CellRules, Quality};
