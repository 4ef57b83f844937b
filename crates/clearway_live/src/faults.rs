//! The laws of the ground beside the mesh, for tests and soaks: what the fabric knows of sides is what the cells say.
//!
//! Cost: linear in the mesh.

use crate::fabric::{Beyond, Edge, Face, Thin, undirected};
use crate::live_mesh::LiveMesh;
use crate::quick::QuickMap;
use clearway_geometry::NONE;

impl LiveMesh {
    /// Returns what is wrong with the ground that is kept beside the mesh; `None` if nothing is. For tests and soaks.
    #[doc(hidden)]
    pub fn fabric_fault(&self) -> Option<String> {
        let (mesh, fabric) = (self.mesh(), self.fabric());
        let mut at: QuickMap<Edge, (Face, bool)> = QuickMap::default();
        let free = mesh.cells().map(|cell| Face::Free(cell.id().0));
        let covered = (0..fabric.covered.len() as u32).map(Face::Covered);
        for face in free.chain(covered) {
            for (edge, beyond) in fabric.sides(mesh, face) {
                let is_portal = matches!(beyond, Beyond::Portal(..));
                let thin = fabric.thin.get(&undirected(edge));
                if is_portal && thin.is_some_and(Thin::is_wall) {
                    return Some(format!("{face:?} has a portal at {edge:?}, where a wall stands: {thin:?}"));
                }
                if let Beyond::Portal(portal, _) = beyond
                    && mesh.is_door(portal) != thin.is_some()
                {
                    return Some(format!("portal {portal} of {face:?} is no door, or one that nobody knows"));
                }
                if let (Face::Free(_), Beyond::Wall(Face::Free(_)), false) =
                    (face, beyond, thin.is_some_and(Thin::is_wall))
                {
                    return Some(format!("{face:?} has a wall at {edge:?} that nobody needs"));
                }
                if let Some((other, _)) = at.insert(edge, (face, is_portal)) {
                    return Some(format!("{face:?} and {other:?} have the same side {edge:?}"));
                }
            }
        }
        for (edge, face) in &fabric.facing {
            match at.get(edge) {
                Some((known, is_portal)) if known == face && !is_portal => {}
                known => {
                    return Some(format!("{face:?} should be at the wall {edge:?}, but there is {known:?}"));
                }
            }
        }
        for (edge, (face, is_portal)) in &at {
            let is_paired = at.contains_key(&(edge.1, edge.0)) && !is_portal;
            if is_paired && fabric.facing.get(edge) != Some(face) {
                return Some(format!("nothing faces {face:?} at {edge:?}"));
            }
        }
        let parts = mesh.parts();
        let is_gone = |door: &&u32| parts.portals.get(**door as usize).is_none_or(|p| p.cells[0] == NONE);
        parts.doors.iter().find(is_gone).map(|door| format!("the door at portal {door} has no portal"))
    }
}
