//! The cells that an edit touches.

use crate::door::free_cell_at;
use crate::fabric::{Beyond, Fabric, Face, undirected};
use crate::shape::Outline;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::{Point, Vec2};
use clearway_nav::NavMesh;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The least height in metres by which the floor under a shape may differ from its anchor. Rounded heights lie within
/// it; a mesh of higher steps allows as much as its steps.
const ANCHOR_REACH: f64 = 0.25;

/// Returns the cells that a shape touches on its floor; none if there is no such ground.
pub(crate) fn touched(
    mesh: &NavMesh,
    fabric: &Fabric,
    outline: &Outline,
    height: Option<f64>,
) -> Result<BTreeSet<Face>> {
    let candidates = near(mesh, fabric, outline);
    if !mesh.has_heights() {
        return Ok(candidates);
    }
    let starts: Vec<(Face, f64)> =
        candidates.iter().map(|face| (*face, height_of(mesh, fabric, *face, outline))).collect();
    let Some(least) = starts.iter().map(|(_, height)| *height).reduce(f64::min) else {
        return Ok(candidates);
    };
    let most = starts.iter().map(|(_, height)| *height).fold(least, f64::max);
    let step = mesh.parts().relief.as_ref().map_or(0.0, |relief| relief.max_step);
    let reach = ANCHOR_REACH.max(step);
    let floor = match height {
        Some(height) => height,
        None if most - least <= 2.0 * reach => 0.5 * (least + most),
        None => {
            let detail = format!(
                "the shape lies over ground from {least:.2} m to {most:.2} m; a height must name the floor"
            );
            return Err(Error::new(ErrorKind::Options, detail));
        }
    };
    let is_on_floor = |(_, at): &&(Face, f64)| (at - floor).abs() <= reach;
    let mut found: BTreeSet<Face> = starts.iter().filter(is_on_floor).map(|(face, _)| *face).collect();
    flood(mesh, fabric, outline, &candidates, &mut found);
    Ok(found)
}

/// Adds the candidates that can be reached from those found through sides that the shape touches. Where two floors are
/// both under a shape and joined only elsewhere, the shape stands on one of them.
fn flood(
    mesh: &NavMesh,
    fabric: &Fabric,
    outline: &Outline,
    candidates: &BTreeSet<Face>,
    found: &mut BTreeSet<Face>,
) {
    let points = &mesh.parts().points;
    let mut open: Vec<Face> = found.iter().copied().collect();
    while let Some(face) = open.pop() {
        for ((from, to), beyond) in fabric.sides(mesh, face) {
            let (Beyond::Portal(_, other) | Beyond::Wall(other)) = beyond else { continue };
            if candidates.contains(&other)
                && !found.contains(&other)
                && outline.touches(&[points[from as usize], points[to as usize]])
            {
                found.insert(other);
                open.push(other);
            }
        }
    }
}

/// The error for a shape that touches no ground.
pub(crate) fn covers_nothing() -> Error {
    Error::new(ErrorKind::Empty, "the shape touches no ground of the mesh")
}

/// Returns all cells that a shape touches in projection.
fn near(mesh: &NavMesh, fabric: &Fabric, outline: &Outline) -> BTreeSet<Face> {
    let [low, high] = outline.bounds();
    let mut found = BTreeSet::new();
    let mut offer = |face: Face| {
        let points = fabric.points(mesh, face);
        if !points.is_empty() && outline.touches(&points) {
            found.insert(face);
        }
    };
    let _ = mesh.index().touching(low, high, |cell| {
        offer(Face::Free(cell));
        ControlFlow::<()>::Continue(())
    });
    fabric.covered_near(low, high).into_iter().for_each(|cell| offer(Face::Covered(cell)));
    found
}

/// Returns the height in metres of the ground of a cell, at its place nearest to the middle of the shape.
fn height_of(mesh: &NavMesh, fabric: &Fabric, face: Face, outline: &Outline) -> f64 {
    let sum = outline.points.iter().fold(Vec2::new(0.0, 0.0), |sum, p| sum + p.as_vec2());
    let middle = sum * (1.0 / outline.points.len() as f64);
    let corners: Vec<Vec2> = fabric.points(mesh, face).into_iter().map(Point::as_vec2).collect();
    let following = || corners.iter().skip(1).chain(corners.first());
    let is_inside = corners.iter().zip(following()).all(|(a, b)| (*b - *a).cross(middle - *a) >= 0.0);
    let nearest = corners.iter().zip(following()).map(|(a, b)| middle.nearest_on(*a, *b));
    let nearest = nearest.min_by(|p, q| p.distance(middle).total_cmp(&q.distance(middle)));
    let at = if is_inside { middle } else { nearest.unwrap_or(middle) };
    match face {
        Face::Free(cell) => mesh.ground_height(cell, at),
        Face::Covered(cell) => {
            fabric.covered_cell(cell).map_or(0.0, |cell| mesh.height_on_patches(&cell.patches, at))
        }
    }
}

/// Returns the cells that an obstacle covers or parts, and the neighbours of those that it covers.
pub(crate) fn held_by(mesh: &NavMesh, fabric: &Fabric, obstacle: u32) -> BTreeSet<Face> {
    let mut found: BTreeSet<Face> = BTreeSet::new();
    for cell in fabric.owned.get(obstacle as usize).into_iter().flatten() {
        found.insert(Face::Covered(*cell));
        found.extend(fabric.neighbours(mesh, Face::Covered(*cell)));
    }
    for edge in fabric.owned_thin.get(obstacle as usize).into_iter().flatten() {
        let both = [*edge, (edge.1, edge.0)];
        debug_assert_eq!(undirected(both[1]), *edge);
        found.extend(both.iter().filter_map(|edge| fabric.facing.get(edge)));
        // An open door faces nothing: its cells are joined by a portal.
        found.extend(both.iter().filter_map(|edge| free_cell_at(mesh, fabric, *edge)).map(Face::Free));
    }
    found
}

/// Returns the cells that an obstacle holds, and all that its outline touches: only if all cells around a vertex are
/// divided anew can the vertex go.
pub(crate) fn around_obstacle(
    mesh: &NavMesh,
    fabric: &Fabric,
    obstacle: u32,
    outline: &Outline,
) -> BTreeSet<Face> {
    let mut found = held_by(mesh, fabric, obstacle);
    flood(mesh, fabric, outline, &near(mesh, fabric, outline), &mut found);
    found
}

/// Returns the cells and all their neighbours.
pub(crate) fn with_ring(mesh: &NavMesh, fabric: &Fabric, faces: &BTreeSet<Face>) -> BTreeSet<Face> {
    let neighbours = faces.iter().flat_map(|face| fabric.neighbours(mesh, *face));
    neighbours.chain(faces.iter().copied()).collect()
}
