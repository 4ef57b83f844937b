//! What can be measured of a crowd between two steps.

use super::Crowd;
use super::near::{Enough, Ranges, Sight, Sorted};
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};

/// The state of a crowd in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Measures {
    /// The number of bodies.
    pub bodies: usize,
    /// The deepest overlap of two bodies in metres; 0 if none overlap.
    pub overlap: f64,
    /// The deepest overlap of a body and a wall in metres.
    pub wall_overlap: f64,
    /// The number of bodies that overlap another by more than a twentieth of their radii.
    pub overlapping: usize,
    /// The least gap between a body and a wall in metres; infinite if no wall is near.
    pub wall_gap: f64,
}

impl Crowd {
    /// Measures the crowd as it stands now.
    pub fn measure(&mut self, mesh: &NavMesh) -> Measures {
        let mut measures = Measures { bodies: self.len(), wall_gap: f64::INFINITY, ..Measures::default() };
        if self.prepare(mesh, 0.1).is_err() {
            return measures;
        }
        let Some(world) = &self.world else { return measures };
        let (mut sorted, mut sight) = (Sorted::default(), Sight::default());
        sorted.sort(&world.ground, &mut self.bodies);
        let widest = sorted.shown.iter().map(|body| body.radius).fold(0.0, f32::max);
        for (index, me) in sorted.shown.iter().enumerate() {
            let cell = self.bodies.list()[sorted.sources[index] as usize].cell;
            let reach = me.radius + widest;
            sight.look(&world.ground, &sorted, (index, cell), Ranges::around(reach, reach), Enough::ALL);
            let mut is_deep = false;
            for body in &sight.bodies {
                let radii = me.radius + sorted.shown[body.index as usize].radius;
                let overlap = radii - body.distance_squared.sqrt();
                measures.overlap = measures.overlap.max(f64::from(overlap));
                is_deep |= overlap > 0.05 * radii;
            }
            measures.overlapping += usize::from(is_deep);
            let room = if self.wraps.is_empty() {
                // By the exact query: a judge must not share the list of walls that the bodies see.
                let at = Location::in_cell(CellId(cell), sorted.at[index]);
                mesh.clearance(at).unwrap_or(0.0)
            } else {
                // The mesh does not know of wraps: for it they are walls.
                sight.walls.iter().map(|wall| f64::from(wall.distance)).fold(f64::INFINITY, f64::min)
            };
            let gap = room - f64::from(me.radius);
            measures.wall_gap = measures.wall_gap.min(gap);
            measures.wall_overlap = measures.wall_overlap.max(-gap);
        }
        measures
    }
}
