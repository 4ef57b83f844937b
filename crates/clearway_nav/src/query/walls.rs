//! Walls near a point: the nearest one, and all within a distance. They are found by walking, so other floors do not
//! count.

use super::Location;
use super::flood::{CellSet, Flood};
use crate::mesh::{CellId, NavMesh};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A wall near a point. Its cell lies on the left as seen from `from`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Wall {
    /// Its start, in plan coordinates.
    pub from: [f64; 2],
    /// Its end, in plan coordinates.
    pub to: [f64; 2],
    /// The cell whose side it is.
    pub cell: CellId,
    /// The distance from the point that was asked about, in metres.
    pub distance: f64,
}

impl Wall {
    /// Returns both ends in the world: x, y, z with y up in a scene. The heights are those of the ground in its cell.
    /// The mesh must be the one on which it was found.
    pub fn points_in_space(&self, mesh: &NavMesh) -> [[f64; 3]; 2] {
        [self.from, self.to].map(|end| mesh.place_on(self.cell, end))
    }
}

/// A wall inside of queries: a side of a cell and its distance in grid units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearWall {
    /// A cell that it bounds.
    pub cell: u32,
    /// Its side of that cell.
    pub side: usize,
    /// Its distance in grid units.
    pub distance: f64,
}

impl NavMesh {
    /// Returns the distance from a location to the nearest wall, in metres: the largest radius of a body that can stand
    /// there. Infinite where there is no wall; `None` for a location of another mesh.
    pub fn clearance(&self, at: Location) -> Option<f64> {
        if !self.is_here(&at) {
            return None;
        }
        let nearest = self.nearest_wall(self.parts.grid.units(at.position), at.cell.0);
        Some(nearest.map_or(f64::INFINITY, |wall| wall.distance * self.unit()))
    }

    /// Returns the walls within `distance` metres of a location that are found by walking, the nearest first. Empty for
    /// a location of another mesh. A thin wall counts once for each of its faces that is found.
    pub fn walls_near(&self, at: Location, distance: f64) -> Vec<Wall> {
        if !self.is_here(&at) || distance.is_nan() {
            return Vec::new();
        }
        let spot = self.parts.grid.units(at.position);
        let reach = distance / self.unit();
        let mut found = Vec::new();
        Flood::default().walls(self.graph(), &[at.cell.0], (spot, spot), reach, |cell, side, distance| {
            found.push(NearWall { cell, side, distance });
            reach
        });
        found.sort_unstable_by(|p, q| p.distance.total_cmp(&q.distance).then(p.side.cmp(&q.side)));
        found.into_iter().map(|wall| self.wall(wall)).collect()
    }

    /// Returns a wall in plan coordinates and metres.
    pub(crate) fn wall(&self, wall: NearWall) -> Wall {
        let [from, to] = self.graph().ends(wall.cell, wall.side).map(|end| self.parts.grid.place(end));
        Wall { from, to, cell: CellId(wall.cell), distance: wall.distance * self.unit() }
    }

    /// Returns the wall nearest to a point in a cell. It enters cells in the order of the distance of their portals.
    pub(crate) fn nearest_wall(&self, spot: Vec2, cell: u32) -> Option<NearWall> {
        let layout = self.graph();
        let mut best: Option<NearWall> = None;
        let mut open = BinaryHeap::new();
        let mut entered = CellSet::default();
        let mut next = Some(Gate { distance: 0.0, cell });
        while let Some(Gate { cell, .. }) = next {
            if entered.insert(cell) {
                for side in layout.sides(cell) {
                    let [from, to] = layout.ends(cell, side);
                    let distance = spot.distance_to_segment(from, to);
                    if best.is_some_and(|best| best.distance <= distance) {
                        continue;
                    }
                    match layout.beyond[side] {
                        NONE => best = Some(NearWall { cell, side, distance }),
                        beyond => open.push(Gate { distance, cell: beyond }),
                    }
                }
            }
            // Beyond a portal that is farther than the best wall, no wall can be nearer.
            let limit = best.map_or(f64::INFINITY, |best| best.distance);
            next = open.pop().filter(|gate| gate.distance < limit);
        }
        best
    }
}

/// A cell to enter and the distance of the portal to it. The order is reversed for the heap: the greatest gate is the
/// nearest.
#[derive(PartialEq)]
struct Gate {
    /// The distance of the portal, in grid units.
    distance: f64,
    /// The cell beyond it.
    cell: u32,
}

impl Eq for Gate {}

impl Ord for Gate {
    fn cmp(&self, other: &Gate) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.cell.cmp(&self.cell))
    }
}

impl PartialOrd for Gate {
    fn partial_cmp(&self, other: &Gate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
