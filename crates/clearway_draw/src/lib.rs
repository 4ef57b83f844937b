//! What people see of a mesh: pictures ([`Sketch`]) and files for other programs ([`export`]).

pub mod export;
pub mod sketch;

pub use sketch::{ColorBy, Layer, Sketch, SketchOptions, View};
