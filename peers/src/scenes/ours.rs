//! Our builder: the only place of `scenes` that knows how clearway builds from a scene.

use clearway::{MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};

use super::builder::{Builder, Built, Run};
use super::world::World;
use crate::clock::timed;

/// Walkable surface, then cells, heights included.
pub struct Ours;

impl Builder for Ours {
    fn name(&self) -> &'static str {
        "clearway"
    }

    fn build(&self, world: &World) -> Result<Run, String> {
        let (mesh, time) = timed(|| ours(&world.scene, &world.rules));
        let mesh = mesh?;
        // Cells and their heights come from one build.
        Ok(Run {
            cells_time: time,
            full_time: time,
            built: Built {
                cells: mesh.cell_count(),
                components: mesh.component_count(),
                heights: Box::new(move || Box::new(move |x, z| mesh.heights_at(x, z))),
            },
        })
    }
}

/// The whole build, all of it timed.
fn ours(scene: &Scene, rules: &WalkRules) -> Result<NavMesh, String> {
    let build = || {
        let surface = WalkableSurface::extract(scene, rules)?;
        MeshOptions::default().clearance(false).build(&surface)
    };
    build().map_err(|error: clearway::Error| error.to_string())
}
