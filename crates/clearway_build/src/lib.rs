//! From a world to a mesh: a plan is snapped to the grid, the walkable surface of a scene is extracted, cells are found
//! and assembled.

mod build;
mod faults;
mod ground;
pub mod links;
mod options;
mod report;
mod snapped_plan;
pub mod surface;
#[cfg(test)]
mod testing;

pub use build::World;
pub use clearway_cells::Quality;
pub use links::{JumpRules, generate_links};
pub use options::MeshOptions;
pub use report::{BuildReport, Repair};
pub use surface::{Method, SurfaceReport, WalkRules, WalkableSurface};
