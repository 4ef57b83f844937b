//! Paths of the mesh from stations and pieces: the cells under them, their length and clearance.

use clearway_geometry::Vec2;
use clearway_nav::mesh::CellId;
use clearway_nav::path::cells_under;
use clearway_nav::query::Flood;
use clearway_nav::{Location, NavMesh, Path, Piece};

/// The share of the radius by which a path may come closer to a wall: a tenth of what the judge of paths allows.
const ROUNDING: f64 = 1e-10;

/// Straight pieces through stations in grid units. Stations that repeat the one before are left out.
pub(crate) fn straight(mesh: &NavMesh, stations: &[Vec2]) -> Vec<Piece> {
    let place = |at: Vec2| mesh.parts().grid.place(at);
    let mut pieces = Vec::with_capacity(stations.len());
    let mut before = stations.first().copied().unwrap_or_default();
    for &at in stations.iter().skip(1).filter(|at| at.x.is_finite() && at.y.is_finite()) {
        if at != before {
            pieces.push(Piece::Segment { from: place(before), to: place(at) });
            before = at;
        }
    }
    pieces
}

/// The path along pieces; `None` if a straight piece comes closer to a wall than the radius.
pub(crate) fn path(
    mesh: &NavMesh,
    [start, goal]: [Location; 2],
    pieces: Vec<Piece>,
    radius: f64,
    expansions: u64,
) -> Option<Path> {
    let (cells, portals) = cells_under(mesh, start.cell().0, &pieces);
    let clearance = clearance(mesh, start.cell(), &pieces, radius)?;
    let length: f64 = pieces.iter().map(Piece::length).sum();
    Some(Path {
        start: pieces.first().map_or(start.position(), Piece::from),
        goal: pieces.last().map_or(goal.position(), Piece::to),
        pieces,
        cells,
        portals,
        length,
        cost: length,
        radius,
        clearance,
        bound: f64::INFINITY,
        expansions,
        ..Path::default()
    })
}

/// The distance of the pieces from the nearest wall in metres. Arcs turn around corners at the radius or more.
fn clearance(mesh: &NavMesh, cell: CellId, pieces: &[Piece], radius: f64) -> Option<f64> {
    let (grid, layout) = (&mesh.parts().grid, mesh.graph());
    let (mut least, mut cell, mut flood) = (f64::INFINITY, cell.0, Flood::default());
    for piece in pieces {
        let [from, to] = [piece.from(), piece.to()].map(|at| grid.units(at));
        let chord = mesh.sweep(from, cell, to, 0.0);
        match piece {
            Piece::Arc { center, .. } => least = least.min(grid.units(*center).distance(from)),
            _ if chord.fraction < 1.0 => return None,
            _ => least = flood.distance(layout, &chord.cells, (from, to), least),
        }
        cell = if chord.fraction < 1.0 {
            cells_under(mesh, cell, std::slice::from_ref(piece)).0.last().map_or(cell, |cell| cell.0)
        } else {
            chord.end
        };
    }
    let slack = 16.0 * f64::EPSILON * layout.extent;
    (least >= radius / mesh.unit() * (1.0 - ROUNDING) - slack).then_some(least * mesh.unit())
}
