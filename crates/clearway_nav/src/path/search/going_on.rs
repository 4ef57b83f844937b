//! A search that goes on after an edit.
//!
//! A search is a function of what it has looked at: the cells that it entered, those that wait to be entered, the goals,
//! and for a disc the walls near all of them. If an edit changed nothing of that, a search begun on the mesh as it is now
//! would come to the same state, and this one goes on. What it has not looked at yet it finds as it is now. So the answer is
//! that of a search begun now, also where an edit opened a shorter way farther off: that way leads through cells that
//! wait. In all other cases the search starts anew.
//!
//! Cost: for each cell that edits touched, a look into the index of cells, and one pass over the waiting nodes.

use super::{PathQuery, Run, SearchSpace};
use crate::mesh::NavMesh;
use crate::tolerances::lengths::TINY_RADIUS;

/// The distance from an entered cell within which a disc looks at walls, in radii. Corners are looked for up to three
/// radii from a cell, and walls up to two from a corner or a place of touch; the rest is for safety.
const SIGHT_OF_DISC: f64 = 8.0;

/// The distance in grid units within which cells count as touching. Cells that share a vertex decide together whether it
/// is a corner.
const TOUCHING: f64 = 1.0;

impl Run {
    /// Takes up the search on a mesh that was edited since, if nothing that it looked at has changed.
    pub(super) fn goes_on(&mut self, mesh: &NavMesh, query: &PathQuery, space: &mut SearchSpace) -> bool {
        let is_fit = self.begun
            && self.is_followed
            && !self.among_tangents
            && mesh.tangents().is_none()
            && self.complete
            && self.goals.len() == query.goals().count()
            && self.repairs == 0
            && !self.state.checks_legs
            && !space.potentials.is_on
            && self.has_bare_vertices == mesh.graph().has_bare_vertices
            && self.has_plain_radius(mesh, query);
        if !is_fit {
            return false;
        }
        space.enter(self.start.1);
        let reach = SIGHT_OF_DISC * self.state.radius + query.snap.max(0.0) / mesh.unit() + TOUCHING;
        if !reach.is_finite() || !mesh.is_untouched_since(self.edition, reach, |cell| space.is_entered(cell))
        {
            return false;
        }
        space.follow(mesh, self.state.radius);
        (self.serial, self.edition, self.has_gone_on) = (mesh.graph().serial, mesh.edition(), true);
        true
    }

    /// True unless the radius was rounded up, which clearances of the whole mesh decide.
    fn has_plain_radius(&self, mesh: &NavMesh, query: &PathQuery) -> bool {
        query.radius == 0.0 || query.radius / mesh.unit() >= TINY_RADIUS * mesh.graph().extent
    }
}

impl SearchSpace {
    /// Notes the start, the cells of waiting nodes and those around the goals as entered.
    fn enter(&mut self, start: u32) {
        let SearchSpace { open, nodes, entered, goal_pairs, .. } = self;
        entered.set(start, 0);
        for std::cmp::Reverse((_, number)) in open.iter() {
            if let Some(node) = nodes.get(*number as usize) {
                entered.set(node.cell, 0);
            }
        }
        goal_pairs.iter().for_each(|(cell, _)| entered.set(*cell, 0));
    }

    /// True for a cell that was entered.
    fn is_entered(&self, cell: u32) -> bool {
        self.entered.has(cell)
    }

    /// Makes the tables long enough for a mesh that was edited, and takes up the memory for it.
    fn follow(&mut self, mesh: &NavMesh, radius: f64) {
        let graph = mesh.graph();
        self.arrivals.grow(graph.corner_of.len());
        self.goal_cells.grow(graph.cell_slots());
        self.entered.grow(graph.cell_slots());
        self.recall(mesh, radius);
        self.memory.forget_repairs();
    }
}
