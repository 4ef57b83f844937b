//! Corners around which a shortest path may turn: wall vertices whose free sector is wider than half a turn. Decided
//! exactly on grid vectors; only the cones are floats.

use super::CellGraph;
use crate::mesh::NavMesh;
use crate::tolerances::angles::ARC_SLACK;
use clearway_geometry::{NONE, Point, Vec2};

/// A vertex around which bodies turn. A body of radius r that touches the vertex has its centre at distance r, in a
/// direction of the normal cone. The cone runs counter-clockwise from `first` to `last`.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// The unit normal of the wall that leaves the vertex with free space on its left.
    pub first: Vec2,
    /// The unit normal of the wall that arrives at the vertex.
    pub last: Vec2,
    /// The angle of the cone in radians; π at the end of a thin wall.
    pub span: f64,
    /// The wall side that leaves the vertex.
    pub side: u32,
    /// The cell of that side.
    pub cell: u32,
}

/// Tolerance of the cone tests, as the sine of an angle: the rounding of unit vectors and a little more. A larger value
/// turns around corners that the path only passes.
const CONE_SLACK: f64 = 1e-9;

impl Corner {
    /// True if a line of this direction touches the corner without entering a wall and may turn around it; `turn` is 1
    /// to the left and -1 to the right.
    #[inline]
    pub fn is_touched(&self, direction: Vec2, turn: f64) -> bool {
        let normal = direction.perp() * -turn;
        let slack = -CONE_SLACK * (normal.x.abs() + normal.y.abs());
        self.first.cross(normal) >= slack && normal.cross(self.last) >= slack
    }

    /// True if a unit vector lies in the normal cone.
    #[inline]
    pub fn holds(&self, normal: Vec2) -> bool {
        self.first.cross(normal) >= -CONE_SLACK && normal.cross(self.last) >= -CONE_SLACK
    }

    /// True if a unit vector lies in the normal cone, or as little beside it as the ends of arcs are rounded.
    #[inline]
    pub(crate) fn nearly_holds(&self, normal: Vec2) -> bool {
        self.first.cross(normal) >= -ARC_SLACK && normal.cross(self.last) >= -ARC_SLACK
    }
}

/// Returns for each side the corner at its start, if the free sector in which its cell lies there is the wide one;
/// otherwise [`NONE`].
///
/// Walls without thickness have free space on both sides. A vertex at which such a wall bends is a corner only for
/// whoever sees it from the outer side.
pub(super) fn corners_by_side(layout: &CellGraph) -> Vec<u32> {
    let mut by_side = vec![NONE; layout.start.len()];
    for (corner, number) in layout.corners.iter().zip(0..) {
        layout.fan(corner, |_, side| by_side[side] = number);
    }
    by_side
}

/// Returns for each vertex the index of its corner, or [`NONE`], and the list of corners.
///
/// Where obstacles touch, a vertex bounds several free sectors; at most one of them is wider than half a turn.
pub(super) fn corners(mesh: &NavMesh, layout: &CellGraph) -> (Vec<u32>, Vec<Corner>) {
    let mut corner_of = vec![NONE; mesh.parts.points.len()];
    let mut corners = Vec::new();
    for cell in 0..layout.cell_slots() as u32 {
        for side in layout.sides(cell).filter(|side| layout.beyond[*side] == NONE) {
            if let Some(corner) = corner_at(&mesh.parts.points, layout, cell, side) {
                corner_of[layout.vertex[side] as usize] = corners.len() as u32;
                corners.push(corner);
            }
        }
    }
    (corner_of, corners)
}

/// Returns the corner at the start of a wall, if bodies turn around it.
pub(super) fn corner_at(points: &[Point], layout: &CellGraph, cell: u32, side: usize) -> Option<Corner> {
    let to = layout.vertex[layout.next(cell, side)];
    let from = arriving_wall(layout, cell, side)?;
    let at = points[layout.vertex[side] as usize];
    let [leaving, arriving] = [to, from].map(|end| points[end as usize] - at);
    let turn = leaving.cross(arriving);
    if turn > 0 || (turn == 0 && leaving.dot(arriving) <= 0) {
        return None;
    }
    let [leaving, arriving] = [leaving, arriving].map(|v| Vec2::new(v.x as f64, v.y as f64).unit());
    let (first, last) = (leaving.perp(), -arriving.perp());
    let span = first.angle_to(last);
    let span = if span < 0.0 { std::f64::consts::PI } else { span };
    Some(Corner { first, last, span, side: side as u32, cell })
}

/// Turns counter-clockwise around the start of a wall through the free sector, up to the wall that arrives there.
/// Returns the vertex where that wall starts; `None` if the sector never ends, as in a broken mesh.
fn arriving_wall(layout: &CellGraph, mut cell: u32, mut side: usize) -> Option<u32> {
    for _ in 0..layout.start.len() {
        let before = layout.before(cell, side);
        if layout.beyond[before] == NONE {
            return Some(layout.vertex[before]);
        }
        (cell, side) = (layout.beyond[before], layout.twin[before] as usize);
    }
    None
}
