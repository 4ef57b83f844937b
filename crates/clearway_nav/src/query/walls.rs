//! Walls near a place: how far the nearest one is, and all within a distance.

use super::Location;
use super::flood::{CellSet, Flood};
use crate::mesh::{CellId, NavMesh};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A wall near a place. Its cell lies on the left as seen from `from`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Wall {
    /// Where it starts, in plan coordinates.
    pub from: [f64; 2],
    /// Where it ends.
    pub to: [f64; 2],
    /// The cell whose side it is.
    pub cell: CellId,
    /// How far it is from the place asked about, in metres.
    pub distance: f64,
}

/// A wall as the inside of queries knows it: a side of a cell, and how far it is in grid units.
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
    /// The distance from a place to the nearest wall, in metres: the largest radius of a body that can stand
    /// there. Infinite where there is no wall, `None` for a location that is not one of this mesh.
    pub fn clearance(&self, at: Location) -> Option<f64> {
        if !self.is_here(&at) {
            return None;
        }
        let nearest = self.nearest_wall(self.parts.grid.units(at.position), at.cell.0);
        Some(nearest.map_or(f64::INFINITY, |wall| wall.distance * self.unit()))
    }

    /// The walls within `distance` metres of a place that are found by walking, the nearest first. Empty for a
    /// location that is not one of this mesh. A thin wall counts once for each of its faces that is found.
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

    /// A wall as told to callers.
    pub(crate) fn wall(&self, wall: NearWall) -> Wall {
        let [from, to] = self.graph().ends(wall.cell, wall.side).map(|end| self.parts.grid.place(end));
        Wall { from, to, cell: CellId(wall.cell), distance: wall.distance * self.unit() }
    }

    /// The wall nearest to a place in a cell, found by walking, portals in the order of their distance.
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
            let limit = best.map_or(f64::INFINITY, |best| best.distance);
            next = open.pop().filter(|gate| gate.distance < limit);
        }
        best
    }
}

/// A cell to enter, and how far the portal to it is. The greatest gate is the nearest.
#[derive(PartialEq)]
struct Gate {
    distance: f64,
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
