//! Phase 3: faces that do not overlap become sheets of walkable triangles.
//!
//! In: faces and what blocks them. Out: a fabric of triangles, not yet glued. Faces are grouped into [`charts`],
//! barriers are extended to the next line ([`extend_barriers`]), and each chart is arranged ([`weave`]). Charts too
//! tangled for that are drawn by [`voxel`]s.

pub mod charts;
pub mod extend_barriers;
pub mod voxel;
pub mod weave;
