//! Free space in, convex cells out: the partition and its assembly into the parts of a mesh.
//!
//! Builds use it, and so will live edits at run time: it knows neither plans nor scenes.

mod assemble;
mod options;
pub mod partition;

pub use assemble::{Numbered, assemble};
pub use options::{MeshOptions, Quality};
