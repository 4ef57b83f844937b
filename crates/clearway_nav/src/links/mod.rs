//! Links: lifts, ladders, jumps, drops and other connections between points of a mesh that one cannot walk between.
//!
//! They come from a file beside the scene, from the caller, or from the scene itself (crate `clearway_build`).
//! [`NavMesh::add_links`](crate::NavMesh::add_links) puts them on the mesh, which stores them.
//! [`NavMesh::find_path`](crate::NavMesh::find_path) uses the links that its query allows.

mod attach;
mod ends;
mod route;
pub(crate) use route::cheapest_way;
#[cfg(test)]
mod tests;
mod widest;

pub use attach::USUAL_SNAP;
pub use ends::{OffEnd, SnapRules, SnappedEnd};
