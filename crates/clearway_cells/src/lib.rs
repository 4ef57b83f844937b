//! Free space in, convex cells out: the partition of a floor and its assembly into the parts of a mesh.
//!
//! [`partition()`] divides a floor into few convex cells; [`assemble()`] numbers them canonically. Builds use the
//! crate, and so will live edits at run time: it knows neither plans nor scenes. Invariant: every intermediate state
//! is a valid partition.

mod assemble;
mod join;
mod partition;
mod rules;

pub use assemble::{Numbered, assemble};
pub use join::{Joint, OutlineSide, join};
pub use partition::{Partition, outlines_of_triangles, partition};
pub use rules::{CellRules, Quality};
