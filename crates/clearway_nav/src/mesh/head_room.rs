//! Two laws of layered meshes. No cell lies within the height of a body over another cell. No portal joins ground that
//! is more than a step apart.
//! [`NavMesh::check`] reports breaches, and the build leaves out the cells and portals that breach them. Both laws are
//! sampled: head-room at the middle of each cell, steps at three points of each portal.

use super::{CellId, NavMesh, Relief};
use clearway_geometry::{Point, Vec2};

/// Tolerance of both laws, in metres. Points on walls lie beside their faces by a few grid units, and a face may be as
/// steep as allowed, so that true heights differ a little. A smaller value reports sound meshes; a larger one hides low
/// ceilings.
pub const HEIGHT_SLACK: f64 = 0.01;

impl NavMesh {
    /// Returns the cells over the middle of `cell` that lie within the height of a body, each with its height above
    /// `cell` in metres.
    pub fn within_head_room<'a>(
        &'a self,
        cell: u32,
        relief: &'a Relief,
    ) -> impl Iterator<Item = (u32, f64)> + 'a {
        self.low_over(cell, self.cells_holding(self.middle(cell)), relief)
    }

    /// As [`within_head_room`](NavMesh::within_head_room), for callers that already know the cells `others` that hold
    /// the middle of `cell`.
    pub fn low_over<'a>(
        &'a self,
        cell: u32,
        mut others: Vec<u32>,
        relief: &'a Relief,
    ) -> impl Iterator<Item = (u32, f64)> + 'a {
        let middle = self.middle(cell);
        // Heights cost a look-up each; most cells have nothing over them.
        others.retain(|other| *other != cell);
        let height = if others.is_empty() { 0.0 } else { self.ground_height(cell, middle) };
        let over = move |other: u32| self.ground_height(other, middle) - height;
        let is_low = move |room: f64| room >= 0.0 && room < relief.body_height - HEIGHT_SLACK;
        others.into_iter().map(move |other| (other, over(other))).filter(move |(_, room)| is_low(*room))
    }

    /// The mean of the corners of a cell, in grid units.
    pub fn middle(&self, cell: u32) -> Vec2 {
        let corners = self.cell(CellId(cell)).into_iter().flat_map(|cell| cell.points());
        let (sum, count) =
            corners.map(Point::as_vec2).fold((Vec2::default(), 0), |(s, n), at| (s + at, n + 1));
        sum * (1.0 / f64::from(count.max(1)))
    }

    /// Returns the first sampled point of a portal at which the ground of its two cells is more than a step apart, with
    /// both heights in metres.
    pub fn step_fault(&self, portal: u32, relief: &Relief) -> Option<(Vec2, [f64; 2])> {
        let portal = &self.parts.portals[portal as usize];
        let ends = portal.vertices.map(|vertex| self.parts.points[vertex as usize].as_vec2());
        // The ends are avoided: there the ground of neighbouring cells may count as well.
        [0.05, 0.5, 0.95].into_iter().find_map(|t| {
            let at = ends[0] + (ends[1] - ends[0]) * t;
            let heights = portal.cells.map(|cell| self.ground_height(cell, at));
            let is_high = (heights[0] - heights[1]).abs() > relief.max_step + HEIGHT_SLACK;
            is_high.then_some((at, heights))
        })
    }
}
