//! Judges a path on a mesh that may have changed since the path was found.
//!
//! It is the judge of [`verify`](super::verify()) with the walls that the cell index finds beside each piece, so the cost
//! follows the length of the path and not the size of the mesh. Ids of cells mean nothing on a changed mesh: only the
//! geometry of the path counts. Cells that are still the same tell on which floor a path lies.

use super::search::cells_under;
use super::verify::{Judge, Wall, walls_of};
use super::{Leg, Path, Piece, Ride};
use crate::mesh::{CellId, NavMesh};
use crate::query::Location;
use clearway_geometry::Vec2;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The length in metres of the stretches of a piece whose boxes are looked up. Shorter ones ask more often, longer ones
/// find more cells that are not beside the piece.
const STRETCH: f64 = 8.0;

/// The largest number of such stretches of one piece.
const MOST_STRETCHES: f64 = 1024.0;

/// The distance in metres by which an end of a link may be off the place that the path knows.
const SAME_END: f64 = 1e-6;

/// The pieces of a walk that cannot be walked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// The first and the last of them.
    Pieces([usize; 2]),
    /// The walk as a whole.
    Whole,
}

impl Path {
    /// True if a body of the path's radius can walk the path on this mesh, whatever mesh it was found on: its start is
    /// on the mesh, every piece keeps the radius away from every wall, and its links are there.
    ///
    /// A path says nothing of its height. In a scene its floor is the one whose cells it shares most; an edit of every
    /// cell under a path, with other floors above or below, leaves a doubt.
    pub fn is_valid(&self, mesh: &NavMesh) -> bool {
        self.legs().iter().all(|leg| match leg {
            Leg::Walk(walk) => walk.fault(mesh).is_none(),
            Leg::Link(ride) => ride.is_there(mesh, self.radius),
        })
    }

    /// Returns the part of a path without links that cannot be walked on this mesh.
    pub(super) fn fault(&self, mesh: &NavMesh) -> Option<Fault> {
        let Some(start) = self.start_on(mesh) else { return Some(Fault::Whole) };
        let goal = self.cells.last().copied().unwrap_or(start.cell);
        let walk = Path { cells: vec![start.cell, goal], ..self.clone() };
        let mut judge = Judge::among(mesh, &walk, Vec::new());
        let is_sound =
            judge.check_joints().and_then(|()| judge.check_arcs()).and_then(|()| judge.check_length());
        if is_sound.is_err() || !self.fits_at(mesh, start, judge.rounding) {
            return Some(Fault::Whole);
        }
        let mut bad: Option<[usize; 2]> = None;
        for (number, piece) in self.pieces.iter().enumerate() {
            let walls = walls_beside(mesh, piece, self.radius + 2.0 * judge.rounding);
            if judge.check_piece(number, &walls).is_err() {
                bad = Some([bad.map_or(number, |bad| bad[0]), number]);
            }
            if self.radius == 0.0 {
                judge.add_walls(walls);
            }
        }
        if let Some(bad) = bad {
            return Some(Fault::Pieces(bad));
        }
        judge.check_passages().is_err().then_some(Fault::Whole)
    }

    /// True if the body fits where the path starts; pieces are judged elsewhere.
    fn fits_at(&self, mesh: &NavMesh, start: Location, rounding: f64) -> bool {
        let is_still = self.pieces.is_empty() && self.radius > 0.0;
        !is_still || mesh.clearance(start).is_some_and(|room| room >= self.radius - rounding)
    }

    /// Returns the start of the path as a location of this mesh; `None` if it is not on it.
    pub(super) fn start_on(&self, mesh: &NavMesh) -> Option<Location> {
        self.end_on(mesh, self.start, self.cells.first(), &self.pieces)
    }

    /// Returns the goal of the path as a location of this mesh; `None` if it is not on it.
    pub(super) fn goal_on(&self, mesh: &NavMesh) -> Option<Location> {
        let back: Vec<Piece> = self.pieces.iter().rev().map(reversed).collect();
        self.end_on(mesh, self.goal, self.cells.last(), &back)
    }

    /// Returns an end of the path, from which `pieces` lead away, as a location of this mesh.
    fn end_on(
        &self,
        mesh: &NavMesh,
        at: [f64; 2],
        known: Option<&CellId>,
        pieces: &[Piece],
    ) -> Option<Location> {
        let here = |cell: u32| Location { cell: CellId(cell), position: at };
        if mesh.graph().is_layered {
            let mut floors = Vec::new();
            let spot = mesh.parts.grid.units(at);
            mesh.each_holding(spot, |cell| floors.push(cell));
            if let Some(known) = known.filter(|known| floors.contains(&known.0)) {
                return Some(here(known.0));
            }
            let own: BTreeSet<CellId> = self.cells.iter().copied().collect();
            let shared = |cell: u32| {
                let (under, _) = cells_under(mesh, cell, pieces);
                under.iter().filter(|cell| own.contains(cell)).count()
            };
            // The first of the best, so that the answer depends on the mesh only.
            let best = floors.into_iter().map(|cell| (shared(cell), cell));
            let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
            return best.map(|(_, cell)| here(cell));
        }
        match mesh.locate(at) {
            Ok(found) => Some(found),
            // A point right on a wall may be rounded to its other side.
            Err(off) => off.nearest.filter(|_| off.distance <= mesh.slack() * mesh.unit()),
        }
    }
}

impl Ride {
    /// True if the link is on this mesh as the path knows it, and lets a body of this radius pass.
    fn is_there(&self, mesh: &NavMesh, radius: f64) -> bool {
        let Some(link) = mesh.parts.links.get(self.link.index()) else { return false };
        let places = link.ends.map(|end| end.location()).map(|end| (mesh.is_here(&end), mesh.place(end)));
        let is_at = |(is_here, place): &(bool, [f64; 3]), known: [f64; 3]| {
            *is_here && place.iter().zip(known).all(|(p, q)| (p - q).abs() <= SAME_END)
        };
        let leads = |[from, to]: [usize; 2]| is_at(&places[from], self.from) && is_at(&places[to], self.to);
        let fits = link.max_radius.is_none_or(|most| radius <= most);
        fits && (leads([0, 1]) || (link.both_ways && leads([1, 0])))
    }
}

/// Returns a piece walked backwards.
pub(super) fn reversed(piece: &Piece) -> Piece {
    match *piece {
        Piece::Segment { from, to } => Piece::Segment { from: to, to: from },
        Piece::Arc { center, from, to, turn } => Piece::Arc { center, from: to, to: from, turn: -turn },
        Piece::Link { link, from, to, length } => Piece::Link { link, from: to, to: from, length },
    }
}

/// Returns the walls of all cells whose boxes come within `reach` metres of a piece, on every floor.
fn walls_beside(mesh: &NavMesh, piece: &Piece, reach: f64) -> Vec<Wall> {
    let length = piece.length();
    let count = (length / STRETCH).ceil().clamp(1.0, MOST_STRETCHES);
    // An arc lies beside its chord by no more than half its length.
    let bulge = if matches!(piece, Piece::Arc { .. }) { 0.5 * length / count } else { 0.0 };
    let margin = (reach + bulge) / mesh.unit() + 1.0;
    let units = |along: f64| mesh.parts.grid.units(piece.place_at(along));
    let mut cells = BTreeSet::new();
    for number in 0..count as u32 {
        let [a, b] = [number, number + 1].map(|step| units(length * f64::from(step) / count));
        let low = Vec2::new(a.x.min(b.x) - margin, a.y.min(b.y) - margin);
        let high = Vec2::new(a.x.max(b.x) + margin, a.y.max(b.y) + margin);
        let _ = mesh.index().touching(low, high, |cell| {
            cells.insert(cell);
            ControlFlow::<()>::Continue(())
        });
    }
    cells.into_iter().flat_map(|cell| walls_of(mesh, CellId(cell))).collect()
}
