//! One search of a [`Slicer`](super::Slicer), for the shortest path or for a corridor, and its scratch buffers.

use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{CorridorPlanner, CorridorSearch, PathQuery, PathSearch, SearchSpace, SearchStatus};

/// A search.
#[derive(Debug)]
pub(super) enum Search {
    /// For the shortest path.
    Shortest(PathSearch),
    /// For a corridor, and the taut string through it.
    Corridor(CorridorSearch),
}

/// Scratch buffers for a search.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// The buffers of the search for the shortest path.
    pub space: SearchSpace,
    /// The radius for which these hold cached values, in metres.
    pub radius: f64,
    /// The buffers of the search for a corridor.
    planner: CorridorPlanner,
}

impl Room {
    /// Returns the same buffers, for searches of another radius.
    pub fn for_radius(self, radius: f64) -> Room {
        Room { radius, ..self }
    }
}

impl Search {
    /// Returns a search that has not begun.
    pub fn new(query: PathQuery, for_corridor: bool) -> Search {
        if for_corridor {
            Search::Corridor(CorridorSearch::new(query))
        } else {
            Search::Shortest(PathSearch::new(query))
        }
    }

    /// Continues for at most so many expansions.
    pub fn step(&mut self, mesh: &NavMesh, most: u64, room: &mut Room) -> SearchStatus {
        match self {
            Search::Shortest(search) => search.step_in(mesh, most, &mut room.space),
            Search::Corridor(search) => search.step_in(mesh, most, &mut room.planner),
        }
    }

    /// The number of expansions so far.
    pub fn expansions(&self) -> u64 {
        match self {
            Search::Shortest(search) => search.expansions(),
            Search::Corridor(search) => search.expansions(),
        }
    }

    /// Returns the corners of the most promising way so far, in plan coordinates; of a corridor none.
    pub fn best_guess(&self, mesh: &NavMesh, room: &Room) -> Vec<[f64; 2]> {
        match self {
            Search::Shortest(search) => search.best_guess_in(mesh, &room.space),
            Search::Corridor(_) => Vec::new(),
        }
    }
}
