//! Walls near cells and points, gathered by walking.

use super::measure::Bar;
use crate::mesh::Layout;
use crate::query::Flood;
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};

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
pub(super) fn walls_around(layout: &Layout, flood: &mut Flood, cell: u32, reach: f64, walls: &mut Vec<Wall>) {
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

/// The distance from a point of a cell to the nearest wall.
pub(super) fn clearance_at(layout: &Layout, entered: &mut Vec<u32>, cell: u32, p: Vec2) -> f64 {
    let distance = |from: Vec2, to: Vec2| p.distance_to_segment(from, to);
    let own = layout.sides(cell).filter(|side| layout.beyond[*side] == NONE);
    let own = own.map(|side| layout.ends(cell, side)).map(|[from, to]| distance(from, to));
    let mut nearest = own.fold(f64::INFINITY, f64::min);
    walk(layout, entered, cell, |beyond, from, to| {
        let distance = distance(from, to);
        if beyond == NONE {
            nearest = nearest.min(distance);
        }
        distance < nearest
    });
    nearest
}

/// Whether the straight line between two points of a cell keeps more than `radius` from every wall.
pub(super) fn is_clear(
    layout: &Layout,
    entered: &mut Vec<u32>,
    cell: u32,
    (a, b): (Vec2, Vec2),
    radius: f64,
) -> bool {
    let line = Bar::new(a, b);
    let mut clear = true;
    walk(layout, entered, cell, |beyond, from, to| {
        let near = clear
            && !line.is_clear_of(&Bar::new(from, to), radius.next_up())
            && segment_distance(a, b, from, to) <= radius;
        clear &= !(near && beyond == NONE);
        near
    });
    clear
}

/// Walks from a cell through every portal for which `enter` is true; it is asked for every side of every cell that
/// is entered. Made for a few cells: which ones were entered is found by looking through them all.
fn walk(layout: &Layout, entered: &mut Vec<u32>, cell: u32, mut enter: impl FnMut(u32, Vec2, Vec2) -> bool) {
    entered.clear();
    entered.push(cell);
    let mut done = 0;
    while let Some(cell) = entered.get(done).copied() {
        done += 1;
        for side in layout.sides(cell) {
            let [from, to] = layout.ends(cell, side);
            let beyond = layout.beyond[side];
            if enter(beyond, from, to) && beyond != NONE && !entered.contains(&beyond) {
                entered.push(beyond);
            }
        }
    }
}
