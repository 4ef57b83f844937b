//! Walls near cells and points, gathered by walking.

use crate::mesh::Layout;
use crate::query::Flood;
use clearway_geometry::{NONE, Vec2};

/// A wall: a side of a cell beyond which one cannot walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wall {
    pub from: Vec2,
    pub to: Vec2,
    /// The side, numbered as in [`Layout`].
    pub side: u32,
}

impl Wall {
    pub fn new(layout: &Layout, cell: u32, side: usize) -> Wall {
        let [from, to] = layout.ends(cell, side);
        Wall { from, to, side: side as u32 }
    }
}

/// Replaces `walls` by the walls of a cell and those within `reach` of it.
///
/// The straight line from the cell to a wall that can be seen leaves the cell through a portal that is no
/// further away; so it is enough to look from every portal.
pub(super) fn walls_around(
    layout: &Layout,
    flood: &mut Flood,
    cell: u32,
    reach: f64,
    walls: &mut Vec<Wall>,
) {
    walls.clear();
    for side in layout.sides(cell) {
        match layout.beyond[side] {
            NONE => walls.push(Wall::new(layout, cell, side)),
            beyond => {
                let [from, to] = layout.ends(cell, side);
                flood.walls(layout, &[beyond], (from, to), reach, |cell, side, _| {
                    walls.push(Wall::new(layout, cell, side));
                    reach
                });
            }
        }
    }
    walls.sort_unstable_by_key(|wall| wall.side);
    walls.dedup_by_key(|wall| wall.side);
}

/// The distance from a point of a cell to the nearest wall; no more than `reach`.
pub(super) fn clearance_at(layout: &Layout, flood: &mut Flood, cell: u32, p: Vec2, reach: f64) -> f64 {
    let distance = |side: usize| {
        let [from, to] = layout.ends(cell, side);
        p.distance_to_segment(from, to)
    };
    let (mut nearest, mut portal) = (reach, f64::INFINITY);
    for side in layout.sides(cell) {
        match layout.beyond[side] {
            NONE => nearest = nearest.min(distance(side)),
            _ => portal = portal.min(distance(side)),
        }
    }
    // Most points of large cells are closest to a wall of their own cell.
    if portal < nearest {
        flood.walls(layout, &[cell], (p, p), nearest, |_, _, distance| {
            nearest = nearest.min(distance);
            nearest
        });
    }
    nearest
}
