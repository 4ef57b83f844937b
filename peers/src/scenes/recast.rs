//! C++ Recast on a scene, RecastDemo's solo mesh with radius 0, with its detail mesh.

use clearway::{Scene, WalkRules};
use clearway_compare::ColumnSampler;

use super::builder::{Builder, Built, HeightsAt, Run};
use super::world::World;
use crate::clock::timed;
use crate::recast_mesh::{Recast, RecastMesh};

/// A wider grid takes several gigabytes. Recast addresses spans with 24 bits, so beyond 2²⁴ of them it already
/// returns less than a mesh, without an error; such rows are shown as they are.
const MOST_GRID_CELLS: f64 = (1 << 26) as f64;

impl Builder for Recast {
    fn name(&self) -> &'static str {
        self.name
    }

    fn build(&self, world: &World) -> Result<Run, String> {
        self.refuse_wide(world.extent(), MOST_GRID_CELLS)?;
        let (mesh, cells_time) = timed(|| RecastMesh::build(&world.soup, &self.settings, true));
        let mut mesh = mesh?;
        let (done, detail_time) = timed(|| mesh.add_detail(&self.settings));
        done?;
        let counts = mesh.counts();
        Ok(Run {
            cells_time,
            full_time: cells_time.plus(detail_time),
            built: Built {
                cells: usize::try_from(counts.polygons).unwrap_or(0),
                components: usize::try_from(counts.components).unwrap_or(0),
                heights: Box::new(move || heights_of(&mesh.detail())),
            },
        })
    }
}

/// The detail mesh as a scene of its own, so that the sampler finds its heights.
fn heights_of(triangles: &[[[f32; 3]; 3]]) -> HeightsAt {
    let scene = Scene {
        vertices: triangles.iter().flatten().map(|corner| corner.map(f64::from)).collect(),
        triangles: (0..triangles.len() as u32)
            .map(|number| [0, 1, 2].map(|corner| 3 * number + corner))
            .collect(),
        ..Scene::default()
    };
    let sampler = ColumnSampler::new(&scene, &WalkRules::default());
    Box::new(move |x, z| sampler.surfaces(x, z))
}
