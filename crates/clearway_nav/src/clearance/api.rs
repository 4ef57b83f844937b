//! Clearance as users ask for it, in metres.
//!
//! Inside, all lengths are grid units; this file converts them and rounds radii down.

use super::intervals::free_intervals;
use super::widest::{Way, joined_peak, place_of, widest, with_work};
use crate::clearance::{PeakGraph, rounded_down};
use crate::mesh::{CellId, NavMesh, PortalId};
use crate::query::Location;
use clearway_base::error::Result;
use clearway_base::progress::{NoProgress, Progress};
use clearway_geometry::Vec2;

/// The narrowest place of the widest way between two places.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bottleneck {
    /// The largest radius of a disc that can pass, in metres, rounded down.
    pub radius: f64,
    /// The centre of that disc where it touches walls on both sides.
    pub at: Location,
}

impl NavMesh {
    /// Returns the largest radius, in metres and rounded down, of a disc that can move from `a` to `b` without leaving
    /// the mesh. Discs may touch walls. It is `None` if there is no way at all, or if a location is not of this mesh.
    /// On a wall it is 0.
    ///
    /// It takes O(log n), whatever the distance.
    pub fn widest_radius(&self, a: Location, b: Location) -> Option<f64> {
        self.widest_way(a, b).map(|way| self.radius_in_metres(way.radius))
    }

    /// True if a disc of this radius, in metres, can move from `a` to `b`.
    pub fn can_pass(&self, a: Location, b: Location, radius: f64) -> bool {
        self.widest_radius(a, b).is_some_and(|widest| radius >= 0.0 && radius <= widest)
    }

    /// Returns the place where the widest way from `a` to `b` is narrowest, and its width there; `None` as for
    /// [`widest_radius`](NavMesh::widest_radius).
    pub fn bottleneck(&self, a: Location, b: Location) -> Option<Bottleneck> {
        let way = self.widest_way(a, b)?;
        let (cell, at) = with_work(|work| place_of(self, work, way.limit));
        let at = Location { cell: CellId(cell), position: self.parts.grid.place(at) };
        Some(Bottleneck { radius: self.radius_in_metres(way.radius), at })
    }

    /// Returns the parts of a portal where the centre of a disc of this radius may be, as closed intervals in metres
    /// from `vertices[0]` of the portal on. Empty for a radius that is negative or not a number, and for a portal that
    /// an edit took away or of another mesh.
    pub fn free_intervals(&self, portal: PortalId, radius: f64) -> Vec<[f64; 2]> {
        let in_units = radius / self.unit();
        if self.portal(portal).is_none() || in_units.is_nan() || in_units < 0.0 {
            return Vec::new();
        }
        let free = with_work(|work| free_intervals(self, &mut work.flood, portal.0, in_units));
        free.into_iter().map(|interval| interval.map(|place| place * self.unit())).collect()
    }

    /// Returns the radius, in metres and rounded down, up to which nothing but its own ends limits a portal. Discs up
    /// to it may cross everywhere but within their radius of the ends. Infinite if no wall ever matters.
    pub fn portal_critical_radius(&self, portal: PortalId) -> Option<f64> {
        self.portal(portal)?;
        self.peak_graph().critical.get(portal.index()).map(|radius| f64::from(*radius) * self.unit())
    }

    /// Returns the largest radius, in metres and rounded down, of a disc that can move from one portal of a cell to
    /// another without leaving the cell. For one portal twice, it is the radius of a disc that can stand on it. `None`
    /// for portals that are not of this cell.
    pub fn cross_radius(&self, cell: CellId, from: PortalId, to: PortalId) -> Option<f64> {
        self.cell(cell)?;
        let graph = self.peak_graph();
        let widest = with_work(|work| {
            graph.seen_from(self, cell.0, &mut work.seen);
            let of = |portal: PortalId| {
                let seen = work.seen.iter().enumerate();
                let on = move |side: u32| self.parts.sides[side as usize].portal == portal.0;
                seen.filter(move |(_, seen)| on(seen.side)).map(|(place, _)| place)
            };
            let pairs = of(from).flat_map(|a| of(to).map(move |b| (a, b)));
            pairs.map(|(a, b)| graph.widest_within(&work.seen, a, b)).reduce(f32::max)
        });
        widest.map(|radius| f64::from(radius) * self.unit())
    }

    /// Returns the peak graph of the mesh. The first call computes it unless it was stored.
    #[inline]
    pub fn peak_graph(&self) -> &PeakGraph {
        self.peaks.get_or_make(|| match &self.stale {
            Some(stale) => stale.mended(self),
            None => PeakGraph::of(self, &mut NoProgress).unwrap_or_default(),
        })
    }

    /// True if no question about clearances has to wait for what edits left to measure. On a mesh that was never
    /// edited clearances count as ready: what is missing is computed once.
    pub fn has_ready_clearance(&self) -> bool {
        self.epoch() == 0 || self.peaks.get().is_some()
    }

    /// Computes all clearances now. Builds do so unless their options forbid it; without it the first question that
    /// needs clearances computes them. Fails only when `progress` cancels it.
    pub fn prepare_clearance(&self, progress: &mut dyn Progress) -> Result<()> {
        if self.peaks.get().is_none() {
            let graph = match &self.stale {
                Some(stale) => stale.mended(self),
                None => PeakGraph::of(self, progress)?,
            };
            self.peaks.get_or_make(|| graph);
        }
        Ok(())
    }

    /// Returns a peak of the cell that a disc can get to from a place in the cell without leaving it. The radius is in
    /// grid units.
    pub(crate) fn joined_peak(&self, cell: u32, at: Vec2, radius: f64) -> Option<u32> {
        with_work(|work| joined_peak(self, work, (cell, at), radius))
    }

    /// Returns the widest way between two locations.
    fn widest_way(&self, a: Location, b: Location) -> Option<Way> {
        let mut places = [self.place_in_cell(a)?, self.place_in_cell(b)?];
        // There and back must be the same to the last bit, so that both ask the same question.
        let key = |(cell, at): &(u32, Vec2)| (*cell, at.x.to_bits(), at.y.to_bits());
        places.sort_unstable_by_key(key);
        with_work(|work| widest(self, work, places))
    }

    /// Returns the cell and the point of a location; `None` if the point is not in that cell.
    fn place_in_cell(&self, location: Location) -> Option<(u32, Vec2)> {
        self.cell(location.cell)?;
        let (cell, at) = (location.cell.0, self.parts.grid.units(location.position));
        let layout = self.graph();
        let within = |side: usize| {
            let [from, to] = layout.ends(cell, side);
            // A unit of tolerance: positions are rounded when they leave the grid.
            (to - from).cross(at - from) >= -(to - from).length()
        };
        layout.sides(cell).all(within).then_some((cell, at))
    }

    /// Converts a radius to metres, rounded down to 32 bits first as stored widths are.
    fn radius_in_metres(&self, units: f64) -> f64 {
        f64::from(rounded_down(units)) * self.unit()
    }
}
