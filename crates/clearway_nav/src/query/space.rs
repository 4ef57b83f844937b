//! Places in space: how high the ground is, and what lies nearest to a point that may be on no floor at all.

use super::locate::within_reach;
use super::side::fine;
use super::{Location, Position};
use crate::mesh::Footing;
use crate::mesh::{CellId, NavMesh};
use crate::tolerances::metres::FLOOR_MEANT;
use clearway_geometry::Vec2;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

impl NavMesh {
    /// The height of the ground at a place, in metres: 0 everywhere on the mesh of a plan, which lies in the ground
    /// plane, and for locations of other meshes.
    pub fn height(&self, at: Location) -> f64 {
        if self.is_here(&at) {
            self.ground_height(at.cell.0, self.parts.grid.units(at.position))
        } else {
            0.0
        }
    }

    /// A place in space: right-handed, +Y up, metres. The plan coordinates `[x, y]` of a location lie at `[x, h, -y]`.
    pub fn place(&self, at: Location) -> [f64; 3] {
        let [x, y] = at.position;
        // `0 - y` has no negative zero.
        [x, self.height(at), 0.0 - y]
    }

    /// The greatest height of a body for which the mesh of a scene has head-room everywhere, in metres; `None` for a plan.
    pub fn body_height(&self) -> Option<f64> {
        self.parts.relief.as_ref().map(|relief| relief.body_height)
    }

    /// The greatest step in metres, up or down, that the mesh of a scene was built for; `None` for a plan.
    pub fn max_step(&self) -> Option<f64> {
        self.parts.relief.as_ref().map(|relief| relief.max_step)
    }

    /// The storey of a place, as [`storeys`](NavMesh::storeys) counts them: that of the floor one stands on there, or that
    /// in which its height lies.
    pub fn storey_at(&self, position: impl Position) -> usize {
        let floor = self.locate(position).ok().and_then(|at| self.mean_height(at.cell));
        let height = floor.or(position.height()).unwrap_or(0.0);
        self.storeys().iter().rposition(|[from, _]| height >= *from).unwrap_or(0)
    }

    /// Of the cells that hold a place, the one on whose ground somebody at a height in metres stands; of several the
    /// nearest in height, of equally good ones the lowest. Plans take places at every height. What is not a number is on
    /// no ground.
    pub(super) fn cell_at_height(&self, position: [f64; 2], height: f64) -> Option<u32> {
        let relief = self.parts.relief.as_ref();
        let footing = relief.map(|relief| Footing { above: relief.body_height, below: relief.max_step });
        let best = self.best_holding(position, height, footing.unwrap_or_default());
        best.filter(|((is_off, _), _)| !is_off || footing.is_none()).map(|(_, cell)| cell)
    }

    /// The location at a place of the plan on the floor nearest to a height, which is that of some ground nearby.
    pub(crate) fn locate_at(&self, position: [f64; 2], height: f64) -> Option<Location> {
        let (_, cell) = self.best_holding(position, height, Footing::default())?;
        Some(Location { cell: CellId(cell), position })
    }

    /// The best of the cells that hold a place, and how well it serves.
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

    /// Visits all cells that hold a place of the fine grid, on every floor.
    pub(crate) fn each_holding(&self, spot: Vec2, mut visit: impl FnMut(u32)) {
        let _ = self.index().touching(spot, spot, |cell| {
            if self.holds(cell, spot) {
                visit(cell);
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// Whether the ground of a cell at a place is about as high as asked for.
    pub(super) fn is_floor_of(&self, cell: u32, position: [f64; 2], height: f64) -> bool {
        (self.ground_height(cell, self.parts.grid.units(position)) - height).abs() < FLOOR_MEANT
    }

    /// The place nearest to a point in space, of the cells that `is_wanted`, and its distance in metres. Of equally
    /// near ones that of the lowest cell.
    pub(crate) fn nearest_in_space(
        &self,
        position: [f64; 2],
        height: f64,
        is_wanted: impl Fn(u32) -> bool,
    ) -> Option<(Location, f64)> {
        let (spot, height) = (within_reach(self.parts.grid.units(position))?, height / self.unit());
        let height = within_reach(Vec2::new(height, 0.0))?.x;
        let mut best: (f64, u32, Option<Location>) = (f64::INFINITY, u32::MAX, None);
        // What lies right above or below bounds the search.
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

    /// The place of each component nearest to a point in space, as far as it is within so many metres: by component, with
    /// its distance in metres.
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
            let component = self.parts.cell_component[cell as usize];
            let best = nearest.entry(component).or_insert((reach * reach, u32::MAX, None));
            self.come_nearer(cell, (spot, height), best);
            ControlFlow::<()>::Continue(())
        });
        let told = |(component, (squared, _, found)): (u32, (f64, u32, Option<Location>))| {
            found.map(|location| (component, location, squared.sqrt() * self.unit()))
        };
        nearest.into_iter().filter_map(told).collect()
    }

    /// Takes the place of a cell nearest to a point in space if it is nearer than the best one so far.
    fn come_nearer(&self, cell: u32, (spot, height): (Vec2, f64), best: &mut (f64, u32, Option<Location>)) {
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
