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
    let is_wall = |side: &usize| layout.beyond[*side] == NONE;
    // Walls of its own come first: they matter most, and what is found first makes short work of the rest.
    walls.extend(layout.sides(cell).filter(is_wall).map(|side| Wall::new(layout, cell, side)));
    let own = walls.len();
    for side in layout.sides(cell).filter(|side| !is_wall(side)) {
        let line = layout.ends(cell, side).into();
        flood.walls(layout, &[layout.beyond[side]], line, reach, |near, side, _| {
            if near != cell {
                walls.push(Wall::new(layout, near, side));
            }
            reach
        });
    }
    walls[own..].sort_unstable_by_key(|wall| wall.side);
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
