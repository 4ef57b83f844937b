//! What a recording says about a crowd: curves over time, flow per exit, the fundamental diagram, maps.

mod curves;
mod diagram;
mod maps;
mod probed;
pub mod reference;
mod sight;
mod voronoi;

pub use curves::{Curves, ExitFlow, curves, exit_flows};
pub use diagram::{Bin, Diagram, Point, diagram};
pub use maps::{StoreyMap, maps};
pub use probed::{AreaSummary, Direction, LineSummary, probed};
pub use voronoi::{Congestion, Densities, DensityMeter};

use crate::Recording;

/// Chooses at most `most` frames, evenly spread from the first on.
pub(crate) fn spread_frames(recording: &Recording, most: usize) -> impl Iterator<Item = usize> + use<> {
    let stride = recording.frames().div_ceil(most.max(1)).max(1);
    (0..recording.frames()).step_by(stride)
}
