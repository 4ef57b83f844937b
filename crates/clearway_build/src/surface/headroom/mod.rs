//! Phase 2: what stands in the head-room over each walkable face.
//!
//! In: the faces. Out: for each walkable face the regions that something blocks ([`prism`]), clipped to the face
//! ([`clip`]) and pruned where many blockers overlap ([`cover_pruning`]).

pub mod clip;
pub mod cover_pruning;
pub mod prism;
