//! Paths that weigh the ground they cross: costs of cells, points to keep away from, watchers to stay unseen by.
//!
//! This is an approximate mode apart from the optimal search. Where costs differ, cheapest ways are not taut: they bend
//! at portals as light does. An A* over a graph of points ([`Roadmap`]) finds a way. Then the way is straightened, and
//! its bends slide along their portals as long as that makes it cheaper.
//!
//! The estimate of the A* is the distance to the goal times the least cost anywhere. It is never too high for the
//! graph.

mod rate;
mod straighten;
#[cfg(test)]
mod tests;

use super::roadmap::Roadmap;
use super::search::{Beams, Extent, SearchSpace, cells_under_stations, legal};
use super::{NoPath, Path, PathQuery, Piece, Place};
use crate::mesh::{CellId, NavMesh};
use crate::query::{Flood, Location};
use clearway_geometry::{NONE, Vec2};
use rate::Rate;
use straighten::{Station, straighten};

/// The least cost of a metre in a cell; the greatest is its inverse. Costs may also be infinite. Within this range,
/// cheap parts of a sum stay well above the rounding of dear ones.
pub const LEAST_COST: f64 = 1e-6;

/// A point to keep away from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Avoid {
    /// Its location.
    pub at: Location,
    /// The distance up to which it is felt, in metres, in a straight line.
    pub reach: f64,
    /// The factor by which a metre costs more right there, 1 or more. It falls linearly to 1 at the reach.
    pub factor: f64,
}

/// The cost of a metre at each point of the mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Costs {
    /// The cost of a metre in each cell, by cell id: 1 where there is no entry, infinite for a cell that must not be
    /// entered.
    pub cells: Vec<f64>,
    /// Points to keep away from.
    pub avoid: Vec<Avoid>,
    /// Watchers to stay unseen by, as far as possible.
    pub unseen_from: Vec<Location>,
    /// The factor by which a metre costs more if a watcher sees it, 1 or more.
    pub seen_factor: f64,
}

clearway_base::setters!(Costs {
    cells: Vec<f64>,
    avoid: Vec<Avoid>,
    unseen_from: Vec<Location>,
    seen_factor: f64,
});

impl Default for Costs {
    /// Makes costs of 1 everywhere.
    fn default() -> Costs {
        Costs { cells: Vec::new(), avoid: Vec::new(), unseen_from: Vec::new(), seen_factor: 4.0 }
    }
}

impl Costs {
    /// Sets the cost of each cell of a mesh.
    #[must_use]
    pub fn by_cell(mut self, mesh: &NavMesh, cost: impl FnMut(CellId) -> f64) -> Costs {
        self.cells = (0..mesh.cell_slots() as u32).map(CellId).map(cost).collect();
        self
    }

    /// Returns a lower bound for the cost of a metre anywhere.
    pub(crate) fn least(&self) -> f64 {
        self.cells.iter().copied().fold(1.0, f64::min)
    }

    /// Returns the first number that is not a valid cost or factor.
    pub(crate) fn bad_cost(&self) -> Option<f64> {
        let is_cost = |cost: f64| (LEAST_COST..=1.0 / LEAST_COST).contains(&cost) || cost == f64::INFINITY;
        let is_factor = |factor: f64| (1.0..=1.0 / LEAST_COST).contains(&factor);
        let is_sound = |avoid: &Avoid| avoid.at.position.iter().all(|c| c.is_finite()) && avoid.reach >= 0.0;
        let costs = self.cells.iter().copied().filter(|cost| !is_cost(*cost));
        let avoid = self.avoid.iter().filter(|avoid| !is_sound(avoid) || !is_factor(avoid.factor));
        let seen = [self.seen_factor].into_iter().filter(|factor| !is_factor(*factor));
        costs.chain(avoid.map(|avoid| avoid.factor)).chain(seen).next()
    }
}

impl NavMesh {
    /// Returns a cheap path on foot, or the reason why there is none. It is approximate: it costs no more than the
    /// shortest path, but there may be cheaper ones.
    pub(crate) fn find_cheap_walk(
        &self,
        query: &PathQuery,
        costs: &Costs,
        space: &mut SearchSpace,
    ) -> Result<Path, NoPath> {
        if let Some(cost) = costs.bad_cost() {
            return Err(NoPath::BadCost { cost });
        }
        // The shortest path is an upper bound, and the answer if the graph misses all ways.
        let shortest = self.find_walk(query, space);
        let mut rate = Rate::new(self, costs);
        // Where the goal is out of reach, a partial walk has to do.
        let cheap = match self.cheap_path(query, &mut rate) {
            Err(reason) if shortest.is_err() => return Err(reason),
            found => found.unwrap_or(None),
        };
        let direct = shortest.as_ref().ok().and_then(|path| {
            let cost = rate.cost_of(path, query.start.cell.0);
            cost.is_finite().then(|| Path { bound: f64::INFINITY, cost, ..path.clone() })
        });
        match (cheap, direct, shortest) {
            (Some(cheap), Some(direct), _) => Ok(if direct.cost < cheap.cost { direct } else { cheap }),
            (Some(found), None, _) | (None, Some(found), _) => Ok(found),
            (None, None, Err(reason)) => Err(reason),
            (None, None, Ok(_)) => Err(NoPath::Disconnected),
        }
    }

    /// Returns the path over the graph, straightened; `None` if the graph has no way.
    fn cheap_path(&self, asked: &PathQuery, rate: &mut Rate) -> Result<Option<Path>, NoPath> {
        asked.checked_radius()?;
        let start = legal(self, asked, asked.start, Place::Start)?;
        let goals: Vec<Result<Location, NoPath>> =
            asked.goals().map(|goal| legal(self, asked, goal, Place::Goal)).collect();
        let mut places = vec![self.place_of(&start)];
        places.extend(goals.iter().flatten().map(|goal| self.place_of(goal)));
        if let (1, Some(Err(reason))) = (places.len(), goals.first()) {
            return Err(*reason);
        }
        let map = Roadmap::new(self, asked.radius / self.unit(), &places);
        rate.goals = places[1..].iter().map(|place| place.0).collect();
        let (reached, Some(target)) = map.search(self, 0..1, 1..places.len() as u32, &*rate) else {
            return Ok(None);
        };
        let mut stations = Vec::new();
        let mut number = target;
        while let Some(spot) = map.spots.get(number as usize) {
            stations.push(Station { at: spot.at, cell: spot.cell, side: spot.side });
            number = reached.before.get(number as usize).copied().unwrap_or(NONE);
        }
        stations.reverse();
        straighten(rate, &mut stations, map.radius);
        // Stations that coincide are one; the later cell counts, since the way goes on from there.
        stations.dedup_by(|later, kept| {
            let same = later.at == kept.at;
            kept.cell = if same { later.cell } else { kept.cell };
            same
        });
        Ok(Some(self.cost_path(rate, &stations, asked.radius, reached.expansions)))
    }

    /// Returns the position in grid units and the cell of a location.
    fn place_of(&self, at: &Location) -> (Vec2, u32) {
        (self.parts.grid.units(at.position), at.cell.0)
    }

    /// Assembles the path through the stations.
    fn cost_path(&self, rate: &Rate, stations: &[Station], radius: f64, expansions: u64) -> Path {
        let spots: Vec<Vec2> = stations.iter().map(|station| station.at).collect();
        let cell = stations.first().map_or(0, |station| station.cell);
        let (cells, portals) = cells_under_stations(self, cell, &spots);
        let ends =
            [spots.first(), spots.last()].map(|at| self.parts.grid.place(at.copied().unwrap_or_default()));
        let piece = |pair: &[Vec2]| Piece::Segment {
            from: self.parts.grid.place(pair[0]),
            to: self.parts.grid.place(pair[1]),
        };
        let costs = stations.windows(2).map(|pair| rate.across(pair[0].at, pair[0].cell, pair[1].at));
        Path {
            start: ends[0],
            goal: ends[1],
            pieces: spots.windows(2).map(piece).collect(),
            cells,
            portals,
            cost: costs.sum::<f64>() * self.unit(),
            length: spots.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>() * self.unit(),
            radius,
            clearance: self.clearance_along(stations) * self.unit(),
            bound: f64::INFINITY,
            expansions,
            ..Path::default()
        }
    }

    /// Returns the distance from a way to the nearest wall, in grid units.
    fn clearance_along(&self, stations: &[Station]) -> f64 {
        let (mut least, mut flood) = (f64::INFINITY, Flood::default());
        for pair in stations.windows(2) {
            let under = self.sweep(pair[0].at, pair[0].cell, pair[1].at, 0.0).cells;
            least = flood.distance(self.graph(), &under, (pair[0].at, pair[1].at), least);
        }
        least
    }
}

/// Gathers the beams of sight of the watchers; `None` without watchers on this mesh.
fn sight(mesh: &NavMesh, watchers: &[Location]) -> Option<Beams> {
    let here = watchers.iter().filter(|watcher| mesh.is_here(watcher));
    let places: Vec<(Vec2, u32)> = here.map(|watcher| mesh.place_of(watcher)).collect();
    let extent = Extent { reach: f64::INFINITY, max_beams: usize::MAX, turns: false };
    (!places.is_empty()).then(|| Beams::gather(mesh, &places, extent))
}
