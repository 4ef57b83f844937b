//! Phase 5: decides which pieces are kept, and draws the outline of what is left.
//!
//! In: the glued fabric. Out: a triangulation of its outline ([`triangulate`]), without small pieces ([`pieces`]),
//! bumps ([`simplify`]) and slits ([`slits`]).

pub mod islands;
pub mod pieces;
pub mod simplify;
pub mod slits;
pub mod triangulate;
