//! The cells of one sheet, cut by widened walls and divided anew.

use super::joints::Openings;
use super::walls::Walls;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_cells::{OutlineSide, Quality, outlines_of_triangles};
use clearway_geometry::arrangement::{ArrangeError, Chain, Role, WALL, arrange};
use clearway_geometry::{NONE, Point};
use clearway_nav::mesh::{CellId, NavMesh};
use std::collections::BTreeMap;

/// The new cells of a sheet.
pub struct Outlines {
    /// Their corners, counter-clockwise.
    pub cells: Vec<Vec<Point>>,
    /// The side between two points.
    sides: BTreeMap<[Point; 2], OutlineSide>,
}

impl Outlines {
    /// Divides what widened walls leave of the cells of a sheet.
    pub fn of_sheet(mesh: &NavMesh, members: &[u32], walls: &Walls, openings: &Openings) -> Result<Outlines> {
        let mut chains = Vec::new();
        for (polygon, cell) in (0u32..).zip(members) {
            chains.push(Chain { points: outline(mesh, *cell, openings), role: Role::Outline(polygon) });
            let holes = walls.cutting(mesh, *cell, 0.0).into_iter();
            let holes = holes.chain(wedges(mesh, *cell, openings));
            chains.extend(holes.map(|points| Chain { points, role: Role::Hole(polygon) }));
        }
        let floor = arrange(&chains).map_err(|error| explain(error, mesh))?;
        let edges = floor.triangulation.edges();
        let is_wall = |e: u32| {
            let twin = edges.twin(e);
            edges.mark(e) == WALL || twin == NONE || !floor.free[twin as usize / 3]
        };
        let found = outlines_of_triangles(&floor.triangulation, &floor.free, Quality::Default, is_wall);
        let points = |outline: Vec<u32>| outline.into_iter().map(|v| floor.triangulation.point(v)).collect();
        let cells: Vec<Vec<Point>> = found.into_iter().map(points).collect();
        let mut sides = BTreeMap::new();
        for (cell, outline) in cells.iter().enumerate() {
            for (corner, point) in outline.iter().enumerate() {
                sides.insert([*point, outline[(corner + 1) % outline.len()]], (cell, corner));
            }
        }
        Ok(Outlines { cells, sides })
    }

    /// Returns the side from one point to another.
    pub fn side(&self, from: Point, to: Point) -> Option<OutlineSide> {
        self.sides.get(&[from, to]).copied()
    }

    /// Returns the pairs of sides that lie along each other.
    pub fn portals(&self) -> Vec<[OutlineSide; 2]> {
        let twin = |([from, to], side): (&[Point; 2], &OutlineSide)| {
            let other = (from < to).then(|| self.side(*to, *from)).flatten()?;
            Some([*side, other])
        };
        self.sides.iter().filter_map(twin).collect()
    }
}

/// Returns the corners of a cell, with those that free parts of portals add.
fn outline(mesh: &NavMesh, cell: u32, openings: &Openings) -> Vec<Point> {
    let mut corners: Vec<Point> = Vec::new();
    let Some(view) = mesh.cell(CellId(cell)) else { return corners };
    for (point, side) in view.points().zip(view.records()) {
        corners.push(point);
        let parts = openings.corners(side.portal);
        // A portal runs the other way round as seen from its second cell.
        let is_first = mesh.parts().portals.get(side.portal as usize).is_some_and(|p| p.cells[0] == cell);
        if is_first {
            corners.extend(parts.as_flattened());
        } else {
            corners.extend(parts.as_flattened().iter().rev());
        }
    }
    corners.dedup();
    while corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    corners
}

/// Returns the wedges that free parts of its portals cut out of a cell.
fn wedges(mesh: &NavMesh, cell: u32, openings: &Openings) -> Vec<Vec<Point>> {
    let Some(view) = mesh.cell(CellId(cell)) else { return Vec::new() };
    let parts = mesh.parts();
    let portals = view
        .records()
        .iter()
        .filter_map(|side| Some((side.portal, parts.portals.get(side.portal as usize)?)));
    let ends = |vertices: [u32; 2]| vertices.map(|vertex| parts.points[vertex as usize]);
    portals.flat_map(|(portal, record)| openings.wedges(portal, ends(record.vertices))).collect()
}

/// Turns an error of the arrangement into one that names the place.
fn explain(error: ArrangeError, mesh: &NavMesh) -> Error {
    let (ArrangeError::TooTangled(at) | ArrangeError::TooDeep(at)) = error;
    let [x, y] = mesh.parts().grid.world(at);
    Error::new(ErrorKind::TooLarge, format!("near ({x}, {y}): {error}"))
}
