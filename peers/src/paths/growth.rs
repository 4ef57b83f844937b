//! How times grow with the world: one generated family, ten thousand to a million vertices.
//!
//! Two kinds of queries, since they answer different questions: between near places (a few portals apart: what
//! the size of the world should not matter to) and between any two places (the search itself grows with them).

use clearway_scenes::Random;
use serde::Serialize;

use super::index::IndexRow;
use super::maps::{Map, Query};
use super::measure::{Track, median};
use super::ours::{CORRIDOR, NAME as OUR_NAME};
use super::peer::{PlacePeer, Point};
use super::places::{self, PlaceRow};
use super::polyanya_crate::NO_OWN_MESH;
use crate::inputs::Source;
use crate::ours;

const QUERIES: usize = 100;
const NEAR_PORTALS: usize = 20;
const SEED: u64 = 7;
/// So many that they do not stay in the cache between two rounds.
const PLACES: usize = 20_000;

/// One planner on one world.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GrowthRow {
    /// Vertices of the world.
    pub vertices: usize,
    /// Cells of our mesh.
    pub cells: usize,
    /// The planner.
    pub peer: String,
    /// The radius.
    pub radius: f64,
    /// Nanoseconds to locate a point anywhere.
    pub cold_ns: Option<f64>,
    /// Nanoseconds to locate a point a step away from the last.
    pub coherent_ns: Option<f64>,
    /// Median microseconds of a path between near places.
    pub near_us: Option<f64>,
    /// Median microseconds of a path between any two places.
    pub far_us: Option<f64>,
    /// Median microseconds for the widest radius between two places.
    pub widest_us: Option<f64>,
    /// Bytes of the structure for each vertex of the world.
    pub bytes_per_vertex: Option<f64>,
    /// Milliseconds to prepare paths on one thread, for planners that do.
    pub prepare_ms: Option<f64>,
    /// Bytes of the path index for each vertex of the world.
    pub index_bytes_per_vertex: Option<f64>,
    /// Why figures are missing.
    pub note: Option<String>,
}

/// A world with queries: near ones first, then far ones.
pub fn world(vertices: usize) -> Result<(usize, Map), String> {
    let input = Source::growth(vertices).load()?;
    let mut map = Map::of(&input.name, ours::plan_of(&input))?;
    let mut random = Random::new(SEED);
    let near = (0..QUERIES).filter_map(|_| places::near_pair(&map.mesh, NEAR_PORTALS, &mut random));
    let mut pairs: Vec<[Point; 2]> = near.collect();
    pairs.extend((0..QUERIES).filter_map(|_| places::far_pair(&map.mesh, &mut random)));
    let query = |[start, goal]: [Point; 2]| Query { start, goal, known: Vec::new() };
    map.queries = pairs.into_iter().map(query).collect();
    Ok((input.vertices(), map))
}

/// The rows of one world from its paths and its index; places are measured here.
pub fn measure(
    vertices: usize,
    map: &Map,
    (tracks, index): (&[Track], &IndexRow),
    place_peers: &mut [Box<dyn PlacePeer>],
    rounds: usize,
) -> Vec<GrowthRow> {
    let mut random = Random::new(SEED);
    let pairs = (0..PLACES / 2).filter_map(|_| places::far_pair(&map.mesh, &mut random));
    let anywhere: Vec<Point> = pairs.flatten().collect();
    let places = places::measure(place_peers, map, &anywhere, rounds);
    let world = GrowthRow { vertices, cells: map.mesh.cell_count(), ..GrowthRow::default() };
    // Planners on a mesh of their own have none of a generated world.
    let on_our_mesh = |track: &&Track| track.note.as_deref() != Some(NO_OWN_MESH);
    let planners = tracks.iter().filter(on_our_mesh).map(|track| {
        let row = world.clone().with_track(track).with_index(index);
        match places.iter().find(|place| place.peer == track.peer) {
            Some(place) => row.with_place(place),
            None => row,
        }
    });
    let unplanned = places.iter().filter(|place| tracks.iter().all(|track| track.peer != place.peer));
    planners.chain(unplanned.map(|place| world.clone().with_place(place))).collect()
}

impl GrowthRow {
    fn with_track(self, track: &Track) -> GrowthRow {
        let times = |range: std::ops::Range<usize>| median(track.micros.get(range)?.iter().copied());
        GrowthRow {
            peer: track.peer.into(),
            radius: track.radius,
            near_us: times(0..QUERIES),
            far_us: times(QUERIES..2 * QUERIES),
            bytes_per_vertex: track.memory.map(|bytes| bytes as f64 / self.vertices as f64),
            note: track.note.clone(),
            ..self
        }
    }

    /// Adds the index to the rows of planners that use it.
    fn with_index(self, index: &IndexRow) -> GrowthRow {
        if ![OUR_NAME, CORRIDOR].contains(&self.peer.as_str()) {
            return self;
        }
        GrowthRow {
            prepare_ms: Some(index.prepare_ms),
            index_bytes_per_vertex: index.bytes.map(|bytes| bytes as f64 / self.vertices as f64),
            note: self.note.clone().or_else(|| index.note.clone()),
            ..self
        }
    }

    fn with_place(self, place: &PlaceRow) -> GrowthRow {
        GrowthRow {
            peer: place.peer.clone(),
            cold_ns: place.cold_ns,
            coherent_ns: place.coherent_ns,
            widest_us: place.widest_us,
            ..self
        }
    }
}
