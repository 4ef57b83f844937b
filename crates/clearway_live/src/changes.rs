//! What an edit changed, and enough to take it back.

use crate::edit::{DoorId, ObstacleId};
use crate::fabric::Edge;
use crate::patch::Patched;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellContent, CellId};
use std::sync::Arc;

/// A side of a cell that is a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallChange {
    /// The cell on its left: before the edit for a wall that goes, after it for one that comes.
    pub cell: CellId,
    /// Its vertices in the mesh, which name it: a wall that stays keeps them, and no two walls share both.
    pub vertices: [u32; 2],
    /// Where it starts, in plan coordinates.
    pub from: [f64; 2],
    /// Where it ends.
    pub to: [f64; 2],
}

/// What an edit changed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The epoch of the mesh after the edit.
    pub epoch: u64,
    /// The obstacles that the edit added, in its order.
    pub obstacles: Vec<ObstacleId>,
    /// The doors that the edit added, in its order.
    pub doors: Vec<DoorId>,
    /// The cells that were there before and are no more, or are others now.
    pub removed: Vec<CellId>,
    /// The cells that are there now and were not before.
    pub added: Vec<CellId>,
    /// The links that woke or came, by name.
    pub links_come: Vec<String>,
    /// The links that fell asleep or went, by name.
    pub links_gone: Vec<String>,
    /// The walls that went.
    pub walls_gone: Vec<WallChange>,
    /// The walls that came.
    pub walls_come: Vec<WallChange>,
    /// What was written, in order.
    pub(crate) steps: Vec<Arc<Patched>>,
    /// The numbers of the states before and after (`LiveMesh::state`).
    pub(crate) states: [u64; 2],
    /// The lineage of the mesh; 0 if nothing was written.
    pub(crate) lineage: u64,
}

impl Changes {
    /// Adds what other steps changed after these.
    pub(crate) fn append(&mut self, other: Changes) {
        self.epoch = other.epoch;
        self.states[1] = other.states[1];
        self.lineage = self.lineage.max(other.lineage);
        self.obstacles.extend(other.obstacles);
        self.doors.extend(other.doors);
        self.removed.extend(other.removed);
        self.added.extend(other.added);
        self.links_come.extend(other.links_come);
        self.links_gone.extend(other.links_gone);
        self.walls_gone.extend(other.walls_gone);
        self.walls_come.extend(other.walls_come);
        self.steps.extend(other.steps);
    }

    /// Adds what one step changed. `before` and `after` are the points of the vertices.
    pub(crate) fn add(&mut self, mesh: &NavMesh, step: Arc<Patched>, epoch: u64) {
        self.epoch = epoch;
        self.lineage = mesh.lineage();
        let [before, after] = step.splice.cell_slots();
        self.removed.extend(before.into_iter().map(CellId));
        self.added.extend(after.into_iter().map(CellId));
        for swap in &step.splice.links {
            match (&swap.before, &swap.after) {
                (None, Some(link)) => self.links_come.push(link.name.clone()),
                (Some(link), None) => self.links_gone.push(link.name.clone()),
                _ => {}
            }
        }
        let vertices = &step.splice.vertices;
        let place = |vertex: u32| {
            // A vertex that went may have lost its place in the mesh.
            let gone = vertices.binary_search_by_key(&vertex, |swap| swap.slot).ok();
            let point = gone.and_then(|found| vertices[found].before);
            let point = point.or_else(|| mesh.parts().points.get(vertex as usize).copied());
            point.map_or([0.0; 2], |point| mesh.parts().grid.world(point))
        };
        let cells = &step.splice.cells;
        let old = walls(cells.iter().filter_map(|swap| Some((swap.slot, swap.before.as_ref()?))));
        let new = walls(cells.iter().filter_map(|swap| Some((swap.slot, swap.after.as_ref()?))));
        let without = |walls: &[Wall], others: &[Wall]| -> Vec<Wall> {
            let is_other = |edge: Edge| others.binary_search_by_key(&edge, |(other, _)| *other).is_ok();
            walls.iter().filter(|(edge, _)| !is_other(*edge)).copied().collect()
        };
        let change = |((from, to), cell): ((u32, u32), u32)| WallChange {
            cell: CellId(cell),
            vertices: [from, to],
            from: place(from),
            to: place(to),
        };
        self.walls_gone.extend(without(&old, &new).into_iter().map(change));
        self.walls_come.extend(without(&new, &old).into_iter().map(change));
        self.steps.push(step);
    }
}

/// A wall by its vertices, with the cell on its left.
type Wall = (Edge, u32);

/// Returns the walls of cells in the order of their vertices.
fn walls<'a>(cells: impl Iterator<Item = (u32, &'a CellContent)>) -> Vec<Wall> {
    let mut walls = Vec::new();
    for (slot, cell) in cells {
        let following = cell.sides.iter().skip(1).chain(cell.sides.first());
        for (side, next) in cell.sides.iter().zip(following) {
            if side.portal == clearway_geometry::NONE {
                walls.push(((side.vertex, next.vertex), slot));
            }
        }
    }
    walls.sort_unstable();
    walls
}
