//! Phase 6: reports what the extraction did to a scene.
//!
//! [`summary`] lists what was kept, dropped and mended. [`near_misses`] finds gaps and steps just beyond the rules.
//! [`axes_units`] and [`ceilings`] warn if the scene seems not to be meant as it was read; [`unit`] finds its unit.

pub mod axes_units;
pub mod ceilings;
pub mod near_misses;
pub mod summary;
pub mod unit;
