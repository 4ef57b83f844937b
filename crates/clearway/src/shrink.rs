//! A mesh shrunk by the radius of a body, for programs that walk a point.
//!
//! Every cell is cut by its walls, widened by the radius. What is left of all cells is united and partitioned anew. Widened
//! walls are drawn around the true ones, so no place of the result is closer to a wall than the radius.

use clearway_base::{Error, ErrorKind, Result};
use clearway_build::MeshOptions;
use clearway_nav::mesh::{CellId, NavMesh};
use clearway_nav::query::Flood;
use clearway_world::plan::{Plan, PlanPolygon};
use std::f64::consts::PI;

/// The number of corners of the polygon around a circle. At corners it takes away up to 2 % of the radius more than the
/// circle.
const CORNERS: usize = 16;
/// The share of the area by which cells may seem to overlap through rounding.
const ROUNDING: f64 = 1e-9;

/// Returns the ground on which the centre of a body may be, as a mesh of its own in plan coordinates. Heights, links and
/// area classes are lost. Only cells count whose mean height lies in `heights`, if that is given.
///
/// Fails if cells lie over each other: such a mesh is shrunk storey by storey.
pub fn shrunk(mesh: &NavMesh, radius: f64, heights: Option<[f64; 2]>) -> Result<NavMesh> {
    if !(radius >= 0.0 && radius.is_finite()) {
        return Err(Error::new(ErrorKind::Options, format!("{radius} is not a radius")));
    }
    let is_in = |cell: &CellId| {
        let height = mesh.mean_height(*cell).unwrap_or(0.0);
        heights.is_none_or(|[low, high]| height >= low && height < high)
    };
    let cells: Vec<CellId> = mesh.cells().map(|cell| cell.id()).filter(is_in).collect();
    let options = MeshOptions::default();
    let whole = options.build(&plan_of(mesh, &cells, |_| Vec::new()))?;
    let area: f64 = cells.iter().filter_map(|cell| mesh.cell(*cell)).map(|cell| cell.area()).sum();
    // Cells that lie over each other count once in the union.
    if area - whole.area() > ROUNDING * area + 16.0 * mesh.unit() * mesh.unit() * cells.len() as f64 {
        let message = "floors lie over each other; choose one storey";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    if radius == 0.0 {
        return Ok(whole);
    }
    // Two grid units cover the rounding of both meshes.
    let wide = radius + 2.0 * (mesh.unit() + whole.unit());
    options.build(&plan_of(mesh, &cells, |cell| {
        walls_near(mesh, cell, wide).into_iter().map(|wall| around(wall, wide)).collect()
    }))
}

/// Returns cells as a plan, with holes in each.
fn plan_of(mesh: &NavMesh, cells: &[CellId], holes: impl Fn(CellId) -> Vec<Vec<[f64; 2]>>) -> Plan {
    let polygon = |id: &CellId| {
        let outline = mesh.cell(*id).map(|cell| cell.outline().collect()).unwrap_or_default();
        PlanPolygon { outline, holes: holes(*id) }
    };
    Plan { polygons: cells.iter().map(polygon).collect(), ..Plan::default() }
}

/// Returns the walls within a distance of a cell, in plan coordinates, found through portals.
fn walls_near(mesh: &NavMesh, cell: CellId, distance: f64) -> Vec<[[f64; 2]; 2]> {
    let (middle, grid) = (mesh.middle(cell.0), mesh.parts().grid);
    let points = mesh.cell(cell).into_iter().flat_map(|cell| cell.points());
    let size = points.map(|point| point.as_vec2().distance(middle)).fold(0.0, f64::max);
    let reach = size + distance / mesh.unit();
    let mut near = Vec::new();
    Flood::default().cells(mesh.graph(), &[cell.0], (middle, middle), reach, |cell| near.push(cell));
    let mut walls = Vec::new();
    for cell in near.into_iter().filter_map(|cell| mesh.cell(CellId(cell))) {
        let first = mesh.parts().first_side[cell.id().index()] as usize;
        for (place, _) in cell.sides().enumerate().filter(|(_, side)| side.portal.is_none()) {
            let [from, to] = mesh.graph().ends(cell.id().0, first + place);
            if middle.distance_to_segment(from, to) <= reach {
                walls.push([from, to].map(|end| grid.place(end)));
            }
        }
    }
    walls
}

/// Returns a convex outline around all points within a distance of a wall.
fn around([from, to]: [[f64; 2]; 2], distance: f64) -> Vec<[f64; 2]> {
    let step = 2.0 * PI / CORNERS as f64;
    let radius = distance / (0.5 * step).cos();
    let direction = (to[1] - from[1]).atan2(to[0] - from[0]);
    let corner = |number: usize| {
        let turn = (number as f64 + 0.5) * step - 0.5 * PI;
        // The first half of the corners lies beyond the end, the second half before the start.
        let centre = if number < CORNERS / 2 { to } else { from };
        let (sin, cos) = (direction + turn).sin_cos();
        [centre[0] + radius * cos, centre[1] + radius * sin]
    };
    (0..CORNERS).map(corner).collect()
}
