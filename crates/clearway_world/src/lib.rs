//! Worlds as they are drawn: a [`Plan`] of rings and walls, or a [`Scene`] of triangles, and one reader per format.
//!
//! Readers keep what was drawn. They neither repair nor snap: that is the work of the build.

pub mod plan;
pub mod scene;

pub use plan::{Plan, PlanFormat};
pub use scene::{Scene, SceneChoice, SceneFormat, SceneOptions, Selection, Up};
