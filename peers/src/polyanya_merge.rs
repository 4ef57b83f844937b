//! The `polyanya` crate's own way from an outline with obstacles to a mesh: triangulate, then merge.
//!
//! Its documentation asks for at least one `merge_polygons`; its tests and benchmarks repeat it until nothing
//! merges. Both are rows. It works in f32 and takes one outline at a time, so a plan of several polygons becomes
//! several meshes. It offers no relaxation angle.

use std::collections::HashMap;

use glam::Vec2;
use polyanya::{Layer, Mesh, Triangulation};

use crate::inputs::{Input, Ring};
use crate::peer::{Job, NOT_RUN, Outcome, Peer};

/// How often polygons are merged.
#[derive(Clone, Copy)]
pub enum PolyanyaMerge {
    /// One call, the least its documentation asks for.
    Once,
    /// Until a call changes nothing.
    UntilDone,
}

impl Peer for PolyanyaMerge {
    fn name(&self) -> &'static str {
        match self {
            PolyanyaMerge::Once => "polyanya-once",
            PolyanyaMerge::UntilDone => "polyanya",
        }
    }

    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String> {
        let outline = |ring: &Ring| ring.iter().map(|&[x, y]| Vec2::new(x as f32, y as f32)).collect();
        let polygons = input.polygons.iter().map(|polygon| Outline {
            outer: outline(&polygon.outline),
            obstacles: polygon.holes.iter().map(outline).collect(),
        });
        Ok(Box::new(PolyanyaJob { polygons: polygons.collect(), merge: *self, built: None }))
    }
}

struct Outline {
    outer: Vec<Vec2>,
    obstacles: Vec<Vec<Vec2>>,
}

struct PolyanyaJob {
    polygons: Vec<Outline>,
    merge: PolyanyaMerge,
    built: Option<Vec<Mesh>>,
}

impl Job for PolyanyaJob {
    fn run(&mut self) -> Result<(), String> {
        let polygons = std::mem::take(&mut self.polygons);
        self.built = Some(polygons.into_iter().map(|polygon| build(polygon, self.merge)).collect());
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let meshes = self.built.as_ref().ok_or(NOT_RUN)?;
        let mut outcome = Outcome::default();
        for layer in meshes.iter().flat_map(|mesh| &mesh.layers) {
            outcome.cells += layer.polygons.len();
            add_portals(layer, &mut outcome);
        }
        Ok(outcome)
    }
}

fn build(polygon: Outline, merge: PolyanyaMerge) -> Mesh {
    let mut triangulation = Triangulation::from_outer_edges(&polygon.outer);
    triangulation.add_obstacles(polygon.obstacles);
    let mut mesh = triangulation.as_navmesh();
    match merge {
        PolyanyaMerge::Once => _ = mesh.merge_polygons(),
        PolyanyaMerge::UntilDone => while mesh.merge_polygons() {},
    }
    mesh
}

/// Edges that two polygons of a layer share.
fn add_portals(layer: &Layer, outcome: &mut Outcome) {
    let mut sides = HashMap::new();
    for polygon in &layer.polygons {
        for (i, &from) in polygon.vertices.iter().enumerate() {
            let to = polygon.vertices[(i + 1) % polygon.vertices.len()];
            *sides.entry((from.min(to), from.max(to))).or_insert(0) += 1;
        }
    }
    for (from, to) in sides.into_iter().filter(|(_, count)| *count == 2).map(|(edge, _)| edge) {
        let [from, to] = [from, to].map(|vertex| layer.vertices[vertex as usize].coords.as_dvec2());
        outcome.portals += 1;
        outcome.portal_length += from.distance(to);
    }
}
