//! Slicers and walkers on generated scenes.

mod live;
mod queue;
mod walks;

use super::*;
use clearway_build::MeshOptions;
use clearway_build::Quality;
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{NoPath, Path, PathQuery, SearchSpace};
use clearway_nav::query::Location;
use clearway_scenes::{Family, PlanDrawing};
use clearway_world::plan::{Plan, PlanPolygon};

fn build(drawing: PlanDrawing) -> NavMesh {
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    let plan =
        Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, ..Plan::default() };
    MeshOptions::default().quality(Quality::Fast).build(&plan).unwrap()
}

fn scene(family: Family, size: usize) -> NavMesh {
    build(family.draw(size, 3))
}

/// Places where a body of the radius can stand.
fn places(mesh: &NavMesh, radius: f64, seed: u64, count: usize) -> Vec<Location> {
    let fits = |at: &Location| mesh.clearance(*at).is_some_and(|room| room >= radius);
    mesh.random_points(seed).filter(fits).take(count).collect()
}

/// Questions between random places, for a few radii; some of them have no answer.
fn queries(mesh: &NavMesh, count: usize) -> Vec<PathQuery> {
    let all = places(mesh, 0.0, 7, 2 * count);
    let radii = [0.0, 0.2, 0.5];
    let pairs = all.chunks(2).filter(|pair| pair.len() == 2).enumerate();
    pairs.map(|(number, pair)| PathQuery::new(pair[0], pair[1]).radius(radii[number % 3]).snap(0.3)).collect()
}
