//! Two laws of layered meshes: nothing lies within the height of a body over a cell, and no portal joins ground more than
//! a step apart. [`NavMesh::check`] looks for breaches, and the build leaves out what breaches them.

use super::{CellId, NavMesh, Relief};
use clearway_geometry::{Point, Vec2};

/// Heights may differ from what they must be by this much, in metres: places on walls lie beside their faces by a few grid
/// units, and a face may be as steep as allowed.
pub const HEIGHT_SLACK: f64 = 0.01;

impl NavMesh {
    /// The cells over the middle of a cell within the height of a body, and how much higher they lie.
    pub fn within_head_room<'a>(
        &'a self,
        cell: u32,
        relief: &'a Relief,
    ) -> impl Iterator<Item = (u32, f64)> + 'a {
        self.low_over(cell, self.cells_holding(self.middle(cell)), relief)
    }

    /// The same of the cells that hold that place.
    pub fn low_over<'a>(
        &'a self,
        cell: u32,
        mut others: Vec<u32>,
        relief: &'a Relief,
    ) -> impl Iterator<Item = (u32, f64)> + 'a {
        let middle = self.middle(cell);
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

    /// Where a portal joins ground more than a step apart, and both heights.
    pub fn step_fault(&self, portal: u32, relief: &Relief) -> Option<(Vec2, [f64; 2])> {
        let portal = &self.parts.portals[portal as usize];
        let ends = portal.vertices.map(|vertex| self.parts.points[vertex as usize].as_vec2());
        [0.05, 0.5, 0.95].into_iter().find_map(|t| {
            let at = ends[0] + (ends[1] - ends[0]) * t;
            let heights = portal.cells.map(|cell| self.ground_height(cell, at));
            let is_high = (heights[0] - heights[1]).abs() > relief.max_step + HEIGHT_SLACK;
            is_high.then_some((at, heights))
        })
    }
}
