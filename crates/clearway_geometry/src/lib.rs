//! Exact integer 2D geometry for clearway.
//!
//! Coordinates are rounded once to an integer grid ([`grid`]). From there every left/right, inside/outside and
//! crossing question is answered in integer arithmetic ([`predicates`]), never with an epsilon. On top stand a
//! constrained Delaunay triangulation ([`triangulation`]), whose topology ([`half_edges`]) knows no positions, and
//! the planar arrangement of arbitrary rings and walls ([`arrangement`]). New points are made in one module only
//! ([`construct`]). Lengths and directions are measured in floats ([`vec2`]). [`disjoint_sets`] groups items that
//! belong together, [`sorting`] orders them, [`hilbert`] keeps neighbours near each other in memory, and [`boxes`]
//! finds boxes by location.

pub mod arrangement;
pub mod boxes;
pub mod clip;
pub mod construct;
pub mod disjoint_sets;
pub mod grid;
pub mod half_edges;
pub mod hilbert;
pub mod predicates;
pub mod sorting;
pub mod triangulation;
pub mod vec2;

pub use disjoint_sets::DisjointSets;
pub use grid::{Grid, Point, Vector};
pub use half_edges::NONE;
pub use triangulation::{EdgeMark, Triangulation};
pub use vec2::Vec2;
