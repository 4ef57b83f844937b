//! clearway turns a world into one exact navigation mesh, and answers questions about moving through it.

pub mod error;
pub mod export;
pub mod mesh;
pub mod plan;
pub mod sketch;

pub use error::{Error, ErrorKind, Result};
pub use mesh::{BuildReport, Flaw, FlawKind, MeshOptions, NavMesh, NoProgress, Progress, Quality};
pub use plan::{Plan, PlanFormat};
pub use sketch::{ColorBy, Sketch, SketchOptions};
