//! Phase 1: the triangles of the scene on the grid, mended before anything is cut.
//!
//! In: a scene. Out: a [`soup::Soup`], in which two floors that meet share corners by id: corners are welded, tiles laid
//! side by side meet ([`tiles`]), faces are cut at T-junctions ([`t_joints`]), doorways in walls that stand in gaps get
//! floors of their own ([`thresholds`]), and low steep faces are stepped over ([`low_risers`]).

pub mod gap_obstruction;
pub mod low_risers;
pub mod soup;
pub mod t_joints;
pub mod thresholds;
pub mod tiles;
