//! Phase 2: finds what stands in the head-room over each walkable face.
//!
//! In: the faces. Out: for each walkable face the polygons and lines that block it ([`prism`]). Obstacles are clipped
//! to the slab over the face ([`clip`]). Where many blockers overlap, those that cover nothing new are dropped
//! ([`cover_pruning`]).

pub mod clip;
pub mod cover_pruning;
pub mod prism;
