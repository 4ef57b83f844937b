//! Puts new cells into the place of old ones: merges them with their neighbours where a portal is not needed, and writes
//! down everything that changes (`record.rs`).
//!
//! Invariant: every merged cell is convex and of one kind of ground.

use crate::fabric::{Beyond, Edge, Face, Label, Thin, undirected};
use crate::ground::{OldGround, joined, patches_of};
use crate::patch::Patched;
use crate::quick::QuickMap;
use crate::relabel::relabelled;
use crate::rework::{Piece, Reworked, Task};
use clearway_geometry::Point;
use clearway_geometry::predicates::is_convex_sector;
use clearway_nav::mesh::Patch;
use std::borrow::Cow;

/// Writes down what changes when the touched cells of a task are replaced by new ones. Returns none if floors meet there
/// that are not joined.
pub(crate) fn seam(task: Task<'_>, reworked: Reworked) -> Option<Patched> {
    let mut seam = Seam::new(task, reworked);
    seam.find_ground();
    seam.merge_needless();
    seam.patch()
}

/// As [`seam`], for new cells that know their ground.
pub(crate) fn seam_of_cells(task: Task<'_>, reworked: Reworked) -> Option<Patched> {
    let mut seam = Seam::new(task, reworked);
    seam.merge_needless();
    seam.patch()
}

/// Writes down what changes when the cells of a task are merged with each other and with their neighbours as they are.
/// Returns none if all portals are needed.
pub(crate) fn settled(task: Task<'_>) -> Option<Patched> {
    let reworked = relabelled(&task);
    let mut seam = Seam::new(task, reworked);
    seam.merge_needless();
    (seam.pieces.len() < seam.task.faces.len()).then(|| seam.patch())?
}

/// The cell beyond a portal of a new cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbour {
    /// A cell that is not replaced.
    Old(Face),
    /// The new cell with this index.
    New(usize),
}

/// New cells and the cells that they replace.
pub(crate) struct Seam<'a> {
    /// The task; its faces are the cells that are replaced, with their sides.
    pub task: Task<'a>,
    /// The sides of replaced cells towards others.
    pub border: QuickMap<Edge, Beyond>,
    /// The new cells.
    pub pieces: Vec<Piece>,
    /// New vertices, with their points.
    pub fresh: QuickMap<u32, Point>,
    /// What else the division found.
    pub found: Reworked,
}

impl<'a> Seam<'a> {
    fn new(task: Task<'a>, mut found: Reworked) -> Seam<'a> {
        let mut border = QuickMap::default();
        border.reserve(task.faces.values().map(Vec::len).sum());
        for sides in task.faces.values() {
            border.extend(sides.iter().copied().filter(|(_, beyond)| match beyond {
                Beyond::Nothing => false,
                Beyond::Portal(_, other) | Beyond::Wall(other) => !task.faces.contains_key(other),
            }));
        }
        let pieces = std::mem::take(&mut found.pieces);
        // Walls of no thickness towards other cells stay; they must not be forgotten when such a cell is merged.
        found.thin.extend(kept_walls(&task, border.keys().copied()));
        let fresh = found.vertices.iter().copied().collect();
        Seam { task, border, pieces, fresh, found }
    }

    /// Returns the point of a vertex.
    pub fn point(&self, vertex: u32) -> Point {
        let known = self.fresh.get(&vertex).copied();
        known.unwrap_or_else(|| self.task.mesh.parts().points[vertex as usize])
    }

    /// Merges free cells with each other and with cells beyond the border as long as some portal is not needed.
    fn merge_needless(&mut self) {
        let mut at = self.piece_at();
        let mut index = 0;
        while index < self.pieces.len() {
            if self.pieces[index].label.owners.is_empty() && self.merge_one(index, &at) {
                // Sides that went stay in the map; no cell asks for them.
                at.extend(sides(&self.pieces[index].corners).map(|edge| (edge, index)));
                // A merged cell may make portals of cells before it needless.
                index = 0;
            } else {
                index += 1;
            }
        }
        self.pieces.retain(|piece| !piece.corners.is_empty());
    }

    /// Returns the new cell on the left of each side.
    pub fn piece_at(&self) -> QuickMap<Edge, usize> {
        let mut at = QuickMap::default();
        at.reserve(self.pieces.iter().map(|piece| piece.corners.len()).sum());
        for (piece, Piece { corners, .. }) in self.pieces.iter().enumerate() {
            at.extend(sides(corners).map(|edge| (edge, piece)));
        }
        at
    }

    /// Returns the cell beyond a side of a new cell, if a portal leads there that may go.
    fn beyond(&self, edge: Edge, at: &QuickMap<Edge, usize>) -> Option<Neighbour> {
        if self.found.thin.contains_key(&undirected(edge)) {
            return None;
        }
        match self.border.get(&edge) {
            Some(Beyond::Portal(_, face)) => Some(Neighbour::Old(*face)),
            Some(_) => None,
            None => at.get(&(edge.1, edge.0)).map(|piece| Neighbour::New(*piece)),
        }
    }

    /// Merges a cell with one neighbour, if it can.
    fn merge_one(&mut self, index: usize, at: &QuickMap<Edge, usize>) -> bool {
        let corners = &self.pieces[index].corners;
        let count = corners.len();
        let beyond: Vec<Option<Neighbour>> = sides(corners).map(|edge| self.beyond(edge, at)).collect();
        for first in 0..count {
            let Some(other) = beyond[first] else { continue };
            // A row of portals to one cell goes as a whole or stays.
            if beyond[(first + count - 1) % count] == Some(other) {
                continue;
            }
            let is_same = |more: &usize| beyond[(first + more) % count] == Some(other);
            let row = (1..count).take_while(is_same).count() + 1;
            if *self.label_of(other) != self.pieces[index].label {
                continue;
            }
            let merged = match other {
                Neighbour::Old(face) => {
                    let theirs = self.task.fabric.corners(self.task.mesh, face);
                    self.merged(corners, first, row, &theirs)
                }
                Neighbour::New(piece) => self.merged(corners, first, row, &self.pieces[piece].corners),
            };
            if let Some(merged) = merged {
                self.pieces[index].patches = self.joined_ground(index, other);
                self.pieces[index].corners = merged;
                match other {
                    Neighbour::Old(face) => self.take_in(face),
                    Neighbour::New(piece) => self.pieces[piece].corners.clear(),
                }
                return true;
            }
        }
        false
    }

    /// Finds the patches of ground under the new cells.
    fn find_ground(&mut self) {
        if !self.task.mesh.has_heights() {
            return;
        }
        let ground = OldGround::of(self.task.mesh, self.task.fabric, self.task.faces.keys());
        for piece in 0..self.pieces.len() {
            self.pieces[piece].patches = ground.under(&self.outline(&self.pieces[piece].corners));
        }
    }

    /// Returns the points of vertices.
    fn outline(&self, corners: &[u32]) -> Vec<Point> {
        corners.iter().map(|vertex| self.point(*vertex)).collect()
    }

    /// Returns the patches of a new cell and a neighbour together.
    fn joined_ground(&self, index: usize, other: Neighbour) -> Vec<Patch> {
        let Task { mesh, fabric, .. } = &self.task;
        if !mesh.has_heights() {
            return Vec::new();
        }
        let own = &self.pieces[index];
        let (patches, outline) = match other {
            Neighbour::Old(face) => (patches_of(mesh, fabric, face), fabric.points(mesh, face)),
            Neighbour::New(piece) => {
                (&self.pieces[piece].patches[..], self.outline(&self.pieces[piece].corners))
            }
        };
        joined(fabric, [(&own.patches, &self.outline(&own.corners)), (patches, &outline)])
    }

    /// Returns the kind of ground of a neighbour.
    fn label_of(&self, neighbour: Neighbour) -> Cow<'_, Label> {
        match neighbour {
            Neighbour::Old(face) => Cow::Owned(self.task.fabric.label(self.task.mesh, face)),
            Neighbour::New(piece) => Cow::Borrowed(&self.pieces[piece].label),
        }
    }

    /// Returns the outline of a cell and a neighbour together, without the row of portals between them; `None` if that
    /// is not convex.
    fn merged(&self, corners: &[u32], first: usize, row: usize, theirs: &[u32]) -> Option<Vec<u32>> {
        let (count, others) = (corners.len(), theirs.len());
        let own = |place: usize| corners[place % count];
        let start = theirs.iter().position(|vertex| *vertex == own(first + row))?;
        let their = |place: usize| theirs[(start + place) % others];
        if row >= count || row >= others || their(row) != own(first) {
            return None;
        }
        let is_convex = |before: u32, at: u32, after: u32| {
            let at = self.point(at);
            is_convex_sector(self.point(after) - at, self.point(before) - at)
        };
        let stays_convex = is_convex(own(first + count - 1), own(first), their(row + 1))
            && is_convex(their(others - 1), own(first + row), own(first + row + 1));
        stays_convex.then(|| {
            let mine = (first + row..=first + count).map(own);
            mine.chain((row + 1..others).map(their)).collect()
        })
    }

    /// Adds a cell to those that are replaced.
    fn take_in(&mut self, other: Face) {
        let sides = self.task.fabric.sides(self.task.mesh, other);
        self.task.faces.insert(other, sides.clone());
        self.found.thin.extend(kept_walls(&self.task, sides.iter().map(|(edge, _)| *edge)));
        for (edge, beyond) in sides {
            match beyond {
                Beyond::Portal(_, face) | Beyond::Wall(face) if !self.task.faces.contains_key(&face) => {
                    self.border.insert(edge, beyond);
                }
                _ => {
                    self.border.remove(&(edge.1, edge.0));
                }
            }
        }
        // Sides between replaced cells are no border any more.
        let faces = &self.task.faces;
        self.border.retain(|_, beyond| match beyond {
            Beyond::Nothing => false,
            Beyond::Portal(_, face) | Beyond::Wall(face) => !faces.contains_key(face),
        });
    }
}

/// Returns the walls of no thickness along some sides.
fn kept_walls<'a>(
    task: &'a Task<'_>,
    edges: impl Iterator<Item = Edge> + 'a,
) -> impl Iterator<Item = (Edge, Thin)> + 'a {
    edges.filter_map(|edge| Some((undirected(edge), task.fabric.thin.get(&undirected(edge))?.clone())))
}

/// Returns the sides of an outline.
pub(crate) fn sides(corners: &[u32]) -> impl Iterator<Item = Edge> + '_ {
    let following = corners.iter().skip(1).chain(corners.first());
    corners.iter().copied().zip(following.copied())
}
