//! Worlds as they are drawn: a [`Plan`] of rings and walls, or a [`Scene`] of triangles, and one reader per format.
//!
//! Invariant: readers keep what was drawn. They neither repair nor snap: that is the work of the build. Memory grows
//! with what a file holds, never with what it announces.

pub mod plan;
pub mod scene;

pub use plan::{Plan, PlanFormat, PlanOptions, PlanRole};
pub use scene::{Scene, SceneChoice, SceneFormat, SceneOptions, Selection, Up};
