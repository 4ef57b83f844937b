//! Points in space: the height of the ground, and the nearest point of the mesh for points that may be on no floor.

use super::locate::within_reach;
use super::side::fine;
use super::{Location, Position, in_world};
use crate::mesh::Footing;
use crate::mesh::{CellId, NavMesh};
use crate::tolerances::metres::FLOOR_MEANT;
use clearway_geometry::Vec2;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

impl NavMesh {
    /// Returns the height of the ground at a location, in metres. It is 0 on the mesh of a plan, which lies in the
    /// ground plane, and for locations of other meshes.
    pub fn height(&self, at: Location) -> f64 {
        if self.is_here(&at) {
            self.ground_height(at.cell.0, self.parts.grid.units(at.position))
        } else {
            0.0
        }
    }

    /// Returns the position of a location in space: right-handed, +Y up, metres. Plan coordinates `[x, y]` become `[x,
    /// h, -y]`.
    pub fn place(&self, at: Location) -> [f64; 3] {
        in_world(at.position, self.height(at))
    }

    /// Returns the world point over a point of the plan, on the ground of a cell; at height zero for a cell of another
    /// mesh.
    pub(crate) fn place_on(&self, cell: CellId, position: [f64; 2]) -> [f64; 3] {
        let height = |_| self.ground_height(cell.0, self.parts.grid.units(position));
        in_world(position, self.cell(cell).map_or(0.0, height))
    }

    /// Returns the body height in metres for which the mesh of a scene has head-room everywhere; `None` for a plan.
    pub fn body_height(&self) -> Option<f64> {
        self.layers().map(|relief| relief.body_height)
    }

    /// Returns the greatest step in metres, up or down, for which the mesh of a scene was built; `None` for a plan.
    pub fn max_step(&self) -> Option<f64> {
        self.layers().map(|relief| relief.max_step)
    }

    /// Returns the storey of a point, as an index into [`storeys`](NavMesh::storeys). The floor on which a body there
    /// stands decides; without a floor, the height does.
    pub fn storey_at(&self, position: impl Position) -> usize {
        let floor = self.locate(position).ok().and_then(|at| self.mean_height(at.cell));
        let height = floor.or(position.height()).unwrap_or(0.0);
        self.storeys().iter().rposition(|[from, _]| height >= *from).unwrap_or(0)
    }

    /// Returns the cell on whose ground a body at this height, in metres, stands. Of several, the nearest in height
    /// wins; of equally good ones, the lowest id. The mesh of a plan accepts every height. A height that is not a
    /// number is on no ground.
    pub(super) fn cell_at_height(&self, position: [f64; 2], height: f64) -> Option<u32> {
        let footing =
            self.layers().map(|relief| Footing { above: relief.body_height, below: relief.max_step });
        let best = self.best_holding(position, height, footing.unwrap_or_default());
        best.filter(|((is_off, _), _)| !is_off || footing.is_none()).map(|(_, cell)| cell)
    }

    /// Returns the location of a point of the plan on the floor nearest to `height`, which is the height of some ground
    /// nearby.
    pub(crate) fn locate_at(&self, position: [f64; 2], height: f64) -> Option<Location> {
        let (_, cell) = self.best_holding(position, height, Footing::default())?;
        Some(Location { cell: CellId(cell), position })
    }

    /// Returns the best cell among those that hold a point, with its rank (see [`Footing::rank`]).
    fn best_holding(&self, position: [f64; 2], height: f64, footing: Footing) -> Option<((bool, f64), u32)> {
        let spot = fine(self.parts.grid.units(position)).filter(|_| height.is_finite())?;
        let mut best: Option<((bool, f64), u32)> = None;
        self.each_holding(spot, |cell| {
            let rank = footing.rank(self.ground_height(cell, spot) - height);
            if best.is_none_or(|best| rank < best.0) {
                best = Some((rank, cell));
            }
        });
        best
    }

    /// Visits all cells that hold a point of the fine grid, on every floor.
    pub(crate) fn each_holding(&self, spot: Vec2, mut visit: impl FnMut(u32)) {
        let _ = self.index().touching(spot, spot, |cell| {
            if self.holds(cell, spot) {
                visit(cell);
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// True if the ground of a cell at a point is about as high as `height`.
    pub(super) fn is_floor_of(&self, cell: u32, position: [f64; 2], height: f64) -> bool {
        (self.ground_height(cell, self.parts.grid.units(position)) - height).abs() < FLOOR_MEANT
    }

    /// Returns the point nearest to a point in space, among the cells accepted by `is_wanted`, and its distance in
    /// metres. Of equally near points, the one in the lowest cell wins.
    pub(crate) fn nearest_in_space(
        &self,
        position: [f64; 2],
        height: f64,
        is_wanted: impl Fn(u32) -> bool,
    ) -> Option<(Location, f64)> {
        let (spot, height) = (within_reach(self.parts.grid.units(position))?, height / self.unit());
        let height = within_reach(Vec2::new(height, 0.0))?.x;
        let mut best: (f64, u32, Option<Location>) = (f64::INFINITY, u32::MAX, None);
        // Ground right above or below bounds the search.
        if let Some(spot) = fine(spot) {
            self.each_holding(spot, |cell| {
                let squared = (self.ground_height(cell, spot) / self.unit() - height).powi(2);
                if is_wanted(cell) && (squared, cell) < (best.0, best.1) {
                    best = (squared, cell, self.settle(cell, spot));
                }
            });
        }
        self.index().nearest(spot, best.0, |cell, within| {
            if is_wanted(cell) {
                self.come_nearer(cell, (spot, height), &mut best);
            }
            best.0.min(within)
        });
        let (squared, _, found) = best;
        found.map(|location| (location, squared.sqrt() * self.unit()))
    }

    /// Returns the point of each component nearest to a point in space, if it is within `within` metres: component,
    /// location and distance in metres, by component.
    pub(crate) fn nearest_by_component(
        &self,
        position: [f64; 2],
        height: f64,
        within: f64,
    ) -> Vec<(u32, Location, f64)> {
        let (spot, height) = (self.parts.grid.units(position), height / self.unit());
        let reach = within / self.unit();
        let half = Vec2::new(reach, reach);
        let mut nearest: BTreeMap<u32, (f64, u32, Option<Location>)> = BTreeMap::new();
        let _ = self.index().touching(spot - half, spot + half, |cell| {
            let component = self.component_of(cell);
            let best = nearest.entry(component).or_insert((reach * reach, u32::MAX, None));
            self.come_nearer(cell, (spot, height), best);
            ControlFlow::<()>::Continue(())
        });
        let told = |(component, (squared, _, found)): (u32, (f64, u32, Option<Location>))| {
            found.map(|location| (component, location, squared.sqrt() * self.unit()))
        };
        nearest.into_iter().filter_map(told).collect()
    }

    /// Replaces `best` by the point of a cell nearest to a point in space, if that is nearer.
    fn come_nearer(&self, cell: u32, (spot, height): (Vec2, f64), best: &mut (f64, u32, Option<Location>)) {
        // Only ground within the best distance can be nearer; two units more cover rounding.
        let reach = if best.0.is_finite() { best.0.sqrt() + 2.0 } else { f64::MAX };
        let half = Vec2::new(reach, reach);
        for piece in self.terrain(cell, Some([spot - half, spot + half])) {
            let (foot, squared) = piece.nearest_to(spot, height);
            if (squared, cell) < (best.0, best.1)
                && let Some(location) = self.settle(cell, foot)
            {
                *best = (squared, cell, Some(location));
            }
        }
    }
}
