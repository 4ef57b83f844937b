//! Builds a mesh from a world.
//!
//! A plan is snapped to the grid ([`MeshOptions::build`]); a scene first becomes a [`WalkableSurface`]. Both are then
//! partitioned into convex cells and assembled to a `NavMesh`. Links come from a file or are found in the scene
//! ([`links`]).

mod build;
mod faults;
mod ground;
pub mod links;
mod options;
mod plan_floor;
mod report;
mod shrink;
mod snapped_plan;
pub mod storeys;
pub mod surface;
#[cfg(test)]
mod testing;

pub use build::World;
pub use clearway_cells::Quality;
pub use links::{JumpRules, generate_links};
pub use options::MeshOptions;
pub use report::{BuildReport, PartReport, PlaceReport, Repair};
pub use shrink::shrunk;
pub use storeys::{Building, Drawn};
pub use surface::{Method, SurfaceReport, WalkRules, WalkableSurface};
