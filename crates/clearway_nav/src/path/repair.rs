//! Repairs a path on a mesh that changed since it was found.
//!
//! The pieces before the first bad one and after the last bad one are kept, a search joins them, and a string is pulled
//! taut through the cells of the whole, so that no joint shows. Cost: a search over the gap, and one look at each piece.
//! Whatever fails on the way is answered by a new search from start to goal.

use super::search::cells_under;
use super::valid::Fault;
use super::{CorridorPlanner, LinkUse, NoPath, Path, PathQuery, Piece, Place};
use crate::mesh::NavMesh;
use crate::query::Location;

/// The move of a joint, as a share of the radius, that a search may need where the body touches a corner up to rounding.
const JOINT_SNAP: f64 = 1e-3;

impl Path {
    /// Returns the path as it can be walked on this mesh, with the cells of this mesh, or the reason why there is none.
    ///
    /// Where the path is still valid it stays as it is. Else its good pieces before and after the change are kept and
    /// joined by a search; the result is taut, but need not be the shortest, and its [`bound`](Path::bound) is infinite.
    /// If that fails, a new path is searched, which may take `links`. The answer is always valid on this mesh. Costs are
    /// not weighed: ask anew for a path with costs.
    pub fn repair(&self, mesh: &NavMesh, links: &LinkUse) -> Result<Path, NoPath> {
        let start = self.start_on(mesh).ok_or(NoPath::OffMesh { place: Place::Start })?;
        let goal = self.goal_on(mesh).ok_or(NoPath::OffMesh { place: Place::Goal })?;
        let query = PathQuery::new(start, goal).radius(self.radius).links(links.clone());
        query.checked_radius()?;
        if self.links.is_empty()
            && let Some(mended) = self.mended(mesh, [start, goal])
        {
            return Ok(mended);
        }
        if !self.links.is_empty() && self.is_valid(mesh) {
            return Ok(Path { bound: f64::INFINITY, ..self.clone() });
        }
        // A path that touches a corner up to rounding keeps its ends.
        let found = mesh.find_path(&query.snap(JOINT_SNAP * self.radius))?;
        Ok(Path { complete: self.complete, ..found })
    }

    /// Returns the path without links with its bad pieces replaced; `None` if that fails.
    fn mended(&self, mesh: &NavMesh, ends: [Location; 2]) -> Option<Path> {
        let pieces = match self.fault(mesh) {
            None => return self.laid(mesh, ends, self.pieces.clone(), 0),
            Some(Fault::Whole) => return None,
            Some(Fault::Pieces([first, last])) => [first, last],
        };
        let joined = self.joined(mesh, ends, pieces)?;
        let taut = joined.pulled(mesh, ends).filter(|taut| taut.length < joined.length);
        Some(taut.unwrap_or(joined))
    }

    /// Returns the pieces before and after the bad ones, joined by a search.
    fn joined(&self, mesh: &NavMesh, ends: [Location; 2], [first, last]: [usize; 2]) -> Option<Path> {
        let (before, after) = (self.pieces.get(..first)?, self.pieces.get(last + 1..)?);
        let from = before.last().map_or(self.start, Piece::to);
        let to = after.first().map_or(self.goal, Piece::from);
        let back: Vec<Piece> = after.iter().rev().map(super::valid::reversed).collect();
        let query = PathQuery::new(reached(mesh, ends[0], before, from)?, reached(mesh, ends[1], &back, to)?);
        let query = query.radius(self.radius).snap(JOINT_SNAP * self.radius).links(LinkUse::None);
        let way = mesh.find_path(&query).ok()?;
        let mut pieces = before.to_vec();
        pieces.extend(step(from, way.start));
        pieces.extend(way.pieces);
        pieces.extend(step(way.goal, to));
        pieces.extend_from_slice(after);
        self.laid(mesh, ends, pieces, way.expansions)
    }

    /// Returns the shortest path homotopic to this one.
    fn pulled(&self, mesh: &NavMesh, ends: [Location; 2]) -> Option<Path> {
        let places = ends.map(|end| mesh.parts.grid.units(end.position));
        let way = (&self.cells[..], &self.portals[..]);
        let pieces = CorridorPlanner::new().pull(mesh, places, way, self.radius / mesh.unit())?;
        self.laid(mesh, ends, pieces, self.expansions)
    }

    /// Returns the path over some pieces, with the cells under them; `None` unless it is valid and arrives.
    fn laid(&self, mesh: &NavMesh, ends: [Location; 2], pieces: Vec<Piece>, expansions: u64) -> Option<Path> {
        let (cells, portals) = cells_under(mesh, ends[0].cell.0, &pieces);
        let mut around = Vec::new();
        mesh.cells_at(mesh.parts.grid.units(self.goal), ends[1].cell.0, &mut around);
        let arrives = cells.last().is_some_and(|last| *last == ends[1].cell || around.contains(&last.0));
        let length = pieces.iter().map(Piece::length).sum();
        let path = Path {
            pieces,
            cells,
            portals,
            length,
            cost: length,
            clearance: self.radius,
            bound: f64::INFINITY,
            expansions,
            searches: 1,
            ..self.clone()
        };
        (arrives && path.fault(mesh).is_none()).then_some(path)
    }
}

/// Returns the place where pieces lead from a location.
fn reached(mesh: &NavMesh, from: Location, pieces: &[Piece], at: [f64; 2]) -> Option<Location> {
    let (cells, _) = cells_under(mesh, from.cell.0, pieces);
    let end = Location { cell: *cells.last()?, position: at };
    if mesh.is_here(&end) {
        return Some(end);
    }
    // The place lies on a side, up to rounding.
    let near = mesh.settle(end.cell.0, mesh.parts.grid.units(at))?;
    mesh.is_here(&near).then_some(near)
}

/// Returns the piece between two places, if they are not one.
fn step(from: [f64; 2], to: [f64; 2]) -> Option<Piece> {
    (from != to).then_some(Piece::Segment { from, to })
}
