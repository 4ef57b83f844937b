//! The lengths of everything that edits write to, so that growth shows.

use crate::live_mesh::LiveMesh;

impl LiveMesh {
    /// Returns the lengths of all lists that edits write to, by name. They follow what stands, however many edits were
    /// made: soaks watch them.
    #[doc(hidden)]
    pub fn list_lengths(&self) -> Vec<(&'static str, usize)> {
        let parts = self.mesh().parts();
        let mesh = [
            ("cells", self.mesh().cell_slots()),
            ("sides", parts.sides.len()),
            ("portals", parts.portals.len()),
            ("vertices", parts.points.len()),
            ("doors", parts.doors.len()),
            ("patches", parts.relief.as_ref().map_or(0, |relief| relief.patches.len())),
        ];
        mesh.into_iter().chain(self.fabric().lengths()).chain(self.built().lengths()).collect()
    }
}
