//! Phase 1: the triangles of the scene on the grid, mended before anything is cut.
//!
//! In: a scene. Out: a [`soup::Soup`], in which two floors that meet share corners by id. The steps, in order:
//!
//! 1. Corners are welded ([`soup`]).
//! 2. Tiles laid side by side meet ([`tiles`]).
//! 3. Faces are cut at T-junctions ([`t_joints`]).
//! 4. Doorways in walls that stand in gaps get floors of their own ([`thresholds`], [`gap_obstruction`]).
//! 5. Steep faces that lead up to another floor become walkable ([`kerbs`]), narrow ones are stepped over ([`strips`]).
//!
//! Which faces meet at an edge is asked of an [`edge_table::EdgeTable`] throughout.

pub mod edge_table;
pub mod gap_obstruction;
pub mod kerbs;
pub mod soup;
pub mod strips;
pub mod t_joints;
pub mod thresholds;
pub mod tiles;
