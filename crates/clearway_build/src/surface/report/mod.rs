//! What the extraction tells: what it kept, dropped and mended ([`summary`]), what it just missed ([`near_misses`]), and
//! what of the scene seems not meant as it is read ([`axes_units`], [`ceilings`]).

pub mod axes_units;
pub mod ceilings;
pub mod near_misses;
pub mod summary;
