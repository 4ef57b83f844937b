//! Output for people and other programs: pictures ([`Sketch`]) and exports ([`export`]). The crate computes nothing
//! about the mesh itself.

pub mod export;
pub mod sketch;

pub use sketch::{
    Backdrop, ColorBy, HeatMap, HeatTile, Layer, Over, Overlay, Sketch, SketchOptions, Trace, View,
};
