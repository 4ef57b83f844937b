//! C++ Recast on the plan made solid: a floor with walls of 3 m around it.
//!
//! The floor is the plan's triangulation at height 0 and every wall a quad, so that Recast sees what a level
//! editor would hand it. Radius 0, since our cells are not shrunk either. Settings are those of RecastDemo's solo
//! mesh; the detail mesh is left out of the time.

use std::ffi::c_int;

use spade::Triangulation;

use crate::inputs::{Input, Ring};
use crate::peer::{Job, NOT_RUN, Outcome, Peer};
use crate::recast_mesh::{Recast, RecastMesh, Settings, Soup};
use crate::spade_cdt::{Segments, walkable_faces};

const WALL_HEIGHT: f32 = 3.0;

/// Recast addresses its open spans with 24 bits and fails in silence beyond; a grid of more cells is no fair row.
const MOST_GRID_CELLS: f64 = (1 << 24) as f64;

impl Peer for Recast {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String> {
        if !input.in_metres {
            return Err("not in metres".into());
        }
        self.refuse_wide(input.extent(), MOST_GRID_CELLS)?;
        let mut soup = Soup::default();
        soup.add_floor(input)?;
        input.rings().for_each(|ring| soup.add_walls(ring));
        Ok(Box::new(RecastJob { soup, settings: self.settings, built: None }))
    }
}

struct RecastJob {
    soup: Soup,
    settings: Settings,
    built: Option<RecastMesh>,
}

impl Job for RecastJob {
    fn run(&mut self) -> Result<(), String> {
        self.built = Some(RecastMesh::build(&self.soup, &self.settings, false)?);
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let counts = self.built.as_ref().ok_or(NOT_RUN)?.counts();
        if counts.polygons == 0 {
            return Err("empty mesh".into());
        }
        Ok(Outcome {
            cells: counts.polygons as usize,
            portals: counts.portals as usize,
            portal_length: counts.portal_length,
            ..Outcome::default()
        })
    }
}

impl Soup {
    fn add_floor(&mut self, input: &Input) -> Result<(), String> {
        let cdt = Segments::of(input).triangulate()?;
        let walkable = walkable_faces(&cdt);
        for vertex in cdt.vertices() {
            self.vertices.push([vertex.position().x as f32, 0.0, vertex.position().y as f32]);
        }
        for face in cdt.inner_faces().filter(|face| walkable[face.index()]) {
            let [a, b, c] = face.vertices().map(|vertex| vertex.index() as c_int);
            self.triangles.push([a, c, b]);
        }
        Ok(())
    }

    fn add_walls(&mut self, ring: &Ring) {
        let first = self.vertices.len() as c_int;
        let count = ring.len() as c_int;
        for &[x, y] in ring {
            self.vertices.push([x as f32, 0.0, y as f32]);
            self.vertices.push([x as f32, WALL_HEIGHT, y as f32]);
        }
        for i in 0..count {
            let (low, next_low) = (first + 2 * i, first + 2 * ((i + 1) % count));
            self.triangles.push([low, next_low, next_low + 1]);
            self.triangles.push([low, next_low + 1, low + 1]);
        }
    }
}
