//! Our planners: the only place of the path tables that knows clearway's searches.

use std::rc::Rc;

use clearway::path::CorridorPlanner;
use clearway::{Location, NavMesh, NoPath, Path, PathQuery, Piece, Position, SearchSpace};

use super::buildings::{Building, NamedPlanner, Place, SpacePlanner};
use super::maps::Map;
use super::peer::{Answer, PathPeer, PlacePeer, Planner, Point, Widest};
use crate::heap;

/// The planner that searches with the path index.
pub const NAME: &str = "ours";

/// One of our searches, with the memory it uses again from query to query.
type Search = Box<dyn FnMut(&NavMesh, &PathQuery) -> Result<Path, NoPath>>;

/// Name, radii and start of a search.
type Entry = (&'static str, &'static [f64], fn() -> Search);

/// Every search of ours.
fn searches() -> Vec<Entry> {
    vec![(NAME, &RADII, optimal), (UNPREPARED, &RADII, optimal), (CORRIDOR, &RADII, corridor)]
}

/// The radii that the tables of the maps know lengths for.
const RADII: [f64; 3] = [0.0, 0.45, 1.5];

/// The same planner on a mesh without path index and landmarks.
pub const UNPREPARED: &str = "ours-unprepared";

/// The planner that is quick but not optimal.
pub const CORRIDOR: &str = "ours-corridor";

fn corridor() -> Search {
    let mut planner = CorridorPlanner::new();
    Box::new(move |mesh, query| planner.find_path(mesh, query))
}

fn optimal() -> Search {
    let mut space = SearchSpace::new();
    Box::new(move |mesh, query| mesh.find_path_in(query, &mut space))
}

/// Our planners, each at all its radii.
pub fn planners() -> Vec<Box<dyn PathPeer>> {
    let ours = searches().into_iter().map(|(name, radii, start)| Ours { name, radii, start });
    ours.map(|ours| Box::new(ours) as Box<dyn PathPeer>).collect()
}

struct Ours {
    name: &'static str,
    radii: &'static [f64],
    start: fn() -> Search,
}

impl PathPeer for Ours {
    fn name(&self) -> &'static str {
        self.name
    }

    fn radii(&self) -> &[f64] {
        self.radii
    }

    /// A mesh as loaded from a file. The first query makes what a mesh makes when first asked, so it counts as
    /// memory and not as time.
    fn prepare(&self, map: &Map, radius: f64) -> Result<Box<dyn Planner>, String> {
        let plain = map.mesh.encode();
        let is_prepared = self.name != UNPREPARED;
        let stored = if is_prepared { map.stored_with_index() } else { plain.as_slice() };
        let (planner, memory) = heap::grown_by(|| {
            let mesh = NavMesh::decode(stored).map_err(|error| error.to_string())?;
            if is_prepared {
                // The file brings the index; a mesh too large for one has landmarks to make.
                mesh.prepare_paths();
            }
            let mut planner = OurPlanner { mesh, search: (self.start)(), radius, memory: None, found: None };
            if let Some(query) = map.queries.first() {
                planner.find_between(query.start, query.goal);
                planner.answer();
            }
            Ok::<_, String>(planner)
        });
        Ok(Box::new(OurPlanner { memory, ..planner? }))
    }
}

struct OurPlanner {
    mesh: NavMesh,
    search: Search,
    radius: f64,
    memory: Option<usize>,
    found: Option<Result<Path, NoPath>>,
}

impl OurPlanner {
    fn find_between<P: Position>(&mut self, start: P, goal: P) {
        let ends = self.mesh.locate(start).and_then(|start| Ok((start, self.mesh.locate(goal)?)));
        self.found = ends.ok().map(|(start, goal)| {
            let query = PathQuery::new(start, goal).radius(self.radius);
            (self.search)(&self.mesh, &query)
        });
    }
}

impl Planner for OurPlanner {
    fn find(&mut self, start: Point, goal: Point) {
        self.find_between(start, goal);
    }

    fn answer(&mut self) -> Answer {
        match self.found.take() {
            Some(Ok(path)) => {
                let length = path.pieces.iter().map(length_of).sum();
                Answer::Path { length, expansions: Some(path.expansions) }
            }
            Some(Err(NoPath::TooClose { .. })) => Answer::TooClose,
            Some(Err(_)) | None => Answer::NoPath,
        }
    }

    fn memory(&self) -> Option<usize> {
        self.memory
    }
}

impl SpacePlanner for OurPlanner {
    fn find(&mut self, start: Place, goal: Place) {
        self.find_between(start, goal);
    }

    fn length(&mut self) -> Option<f64> {
        self.answer().length()
    }
}

/// Our planners in a building, by name.
pub fn in_building(building: &Building, radius: f64) -> Result<Vec<NamedPlanner>, String> {
    let indexed = building.mesh.encode_with_index();
    let plain = building.mesh.encode();
    let planner = |(name, _, start): Entry| {
        let stored = if name == UNPREPARED { &plain } else { &indexed };
        let mesh = NavMesh::decode(stored).map_err(|error| error.to_string())?;
        let planner = OurPlanner { mesh, search: start(), radius, memory: None, found: None };
        Ok((name, Box::new(planner) as Box<dyn SpacePlanner>))
    };
    searches().into_iter().map(planner).collect()
}

/// Measured from the curve itself: the table checks lengths, so it does not ask the path for its own.
fn length_of(piece: &Piece) -> f64 {
    match *piece {
        Piece::Segment { from, to } | Piece::Link { from, to, .. } => distance(from, to),
        Piece::Arc { center, from, turn, .. } => distance(center, from) * turn.abs(),
    }
}

fn distance(from: Point, to: Point) -> f64 {
    (to[0] - from[0]).hypot(to[1] - from[1])
}

/// Our answers about places.
pub fn places(map: &Map) -> Box<dyn PlacePeer> {
    Box::new(OurPlaces { mesh: Rc::clone(&map.mesh), last: None })
}

struct OurPlaces {
    mesh: Rc<NavMesh>,
    last: Option<Location>,
}

impl PlacePeer for OurPlaces {
    fn name(&self) -> &'static str {
        NAME
    }

    fn locate(&mut self, point: Point) -> bool {
        self.mesh.locate(point).is_ok()
    }

    fn widest_radius(&mut self, a: Point, b: Point) -> Widest {
        match (self.mesh.locate(a), self.mesh.locate(b)) {
            (Ok(a), Ok(b)) => Widest::Radius(self.mesh.widest_radius(a, b)),
            _ => Widest::Radius(None),
        }
    }

    fn follow(&mut self, point: Point) -> bool {
        let found = match &self.last {
            Some(last) => self.mesh.locate_near(point, last),
            None => self.mesh.locate(point),
        };
        self.last = found.ok();
        self.last.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_count_along_the_turn() {
        let arc = Piece::Arc { center: [0.0, 0.0], from: [2.0, 0.0], to: [0.0, -2.0], turn: -1.5 };
        let segment = Piece::Segment { from: [0.0, 0.0], to: [3.0, 4.0] };
        assert_eq!((length_of(&arc), length_of(&segment)), (3.0, 5.0));
    }
}
