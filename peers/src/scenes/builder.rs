//! What every builder of meshes from scenes offers.

use super::world::World;
use crate::clock::Elapsed;

/// One way to build a mesh from a scene.
pub trait Builder {
    /// The name in tables and after `--only`.
    fn name(&self) -> &'static str;

    /// Builds once. The builder takes its own times, since what it needs to compare itself is not part of them.
    ///
    /// The error says in a few words why it sits this scene out.
    fn build(&self, world: &World) -> Result<Run, String>;
}

/// One build.
pub struct Run {
    /// Up to the cells.
    pub cells_time: Elapsed,
    /// With all that the mesh needs to know its heights.
    pub full_time: Elapsed,
    /// What came out.
    pub built: Built,
}

/// A mesh, as far as it is compared.
pub struct Built {
    /// Convex cells.
    pub cells: usize,
    /// Sets of cells that portals connect.
    pub components: usize,
    /// Makes the mesh ready to be asked for heights; neither its time nor its memory counts.
    pub heights: Box<dyn FnOnce() -> HeightsAt>,
}

/// Says at which heights a mesh has a floor at `(x, z)`.
pub type HeightsAt = Box<dyn Fn(f64, f64) -> Vec<f64> + Sync>;
