//! Paths in furnished buildings of several storeys: floors lie over each other, and stairs join them.
//!
//! Every planner is asked for the same pairs of places in space. Detour searches Recast's mesh, which is eroded by the
//! radius; ours is one mesh for all radii.

use clearway::mesh::ComponentId;
use clearway::{Location, MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};
use clearway_scenes::{BuildingOptions, Soup};
use serde::Serialize;

use super::args::PathArgs;
#[cfg(feature = "recast")]
use super::detour;
use super::index::SAME_LENGTH;
use super::measure::{median, quantile};
use super::ours;
use crate::clock::Stopwatch;

/// The buildings, small to large, with the side of Recast's cells in metres. The large one takes coarser cells: with
/// cells of 0.1 m Recast fails.
pub const ALL: [(&str, BuildingOptions, f32); 2] = [
    ("building-5", BuildingOptions { storeys: 5, rooms_x: 12, rooms_z: 6 }, 0.1),
    ("building-10", BuildingOptions { storeys: 10, rooms_x: 18, rooms_z: 10 }, 0.2),
];

/// The radii in metres: a point, and a body that fits through the doors.
const RADII: [f64; 2] = [0.0, 0.2];
const PAIRS: usize = 300;
/// Places are at least this far from walls, in metres, so that a body of every radius stands there, on Recast's mesh
/// too.
const LEAST_CLEARANCE: f64 = 0.25;
const BLOCK: usize = 20;
const SEED: u64 = 1;

/// A place in space: x, height, z.
pub type Place = [f64; 3];

/// A planner and its name in tables.
pub type NamedPlanner = (&'static str, Box<dyn SpacePlanner>);

/// A planner in one building, for one radius.
pub trait SpacePlanner {
    /// The timed part: locates both places, finds the path and keeps it.
    fn find(&mut self, start: Place, goal: Place);

    /// Returns the length of the last path, seen from above. It is asked once after each search, and not timed.
    fn length(&mut self) -> Option<f64>;
}

/// A building, our mesh of it, and what is asked.
pub struct Building {
    name: &'static str,
    /// The side of Recast's cells, in metres.
    #[cfg_attr(not(feature = "recast"), expect(dead_code, reason = "only Recast reads it"))]
    pub cell_size: f32,
    /// Its triangles.
    pub scene: Scene,
    /// Who walks in it.
    pub rules: WalkRules,
    /// Our mesh.
    pub mesh: NavMesh,
    /// Starts and goals, all in the component with the most cells.
    pub pairs: Vec<[Place; 2]>,
}

impl Building {
    /// Draws a building, builds its mesh and scatters places.
    pub fn new(name: &'static str, options: BuildingOptions, cell_size: f32) -> Result<Building, String> {
        let Soup { vertices, triangles, part_of, parts } = clearway_scenes::building(options, SEED).soup;
        let scene = Scene::from_triangles(vertices, triangles, part_of, parts);
        let scene = scene.map_err(|error| error.to_string())?;
        let rules = WalkRules::default();
        let mesh = mesh_of(&scene, &rules)?;
        let pairs = pairs_on(&mesh);
        Ok(Building { name, cell_size, scene, rules, mesh, pairs })
    }

    /// Builds the mesh once more: the walkable surface and its cells.
    pub fn build(&self) -> Result<NavMesh, String> {
        mesh_of(&self.scene, &self.rules)
    }
}

fn mesh_of(scene: &Scene, rules: &WalkRules) -> Result<NavMesh, String> {
    let surface = WalkableSurface::extract(scene, rules);
    let mesh = surface.and_then(|surface| MeshOptions::default().build(&surface));
    mesh.map_err(|error| error.to_string())
}

fn pairs_on(mesh: &NavMesh) -> Vec<[Place; 2]> {
    let main = main_component(mesh);
    let is_meant = |at: &Location| {
        mesh.cell(at.cell()).map(|cell| cell.component()) == main
            && mesh.clearance(*at).is_some_and(|clearance| clearance > LEAST_CLEARANCE)
    };
    let places = mesh.random_points(SEED).filter(is_meant).take(2 * PAIRS);
    let places: Vec<Place> = places.map(|at| mesh.place(at)).collect();
    places.as_chunks().0.to_vec()
}

/// The component with the most cells.
fn main_component(mesh: &NavMesh) -> Option<ComponentId> {
    let mut cells = vec![0; mesh.component_count()];
    mesh.cells().for_each(|cell| cells[cell.component().0 as usize] += 1);
    let largest = (0..cells.len()).max_by_key(|number| cells[*number])?;
    Some(ComponentId(largest as u32))
}

/// One planner in one building at one radius. Fields are empty where there is no such figure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BuildingRow {
    /// The building.
    pub building: String,
    /// The planner.
    pub peer: String,
    /// The radius.
    pub radius: f64,
    /// How many pairs were asked.
    pub pairs: usize,
    /// Paths found.
    pub found: usize,
    /// Microseconds over paths found: the median.
    pub median_us: Option<f64>,
    /// And what 99 of 100 stay below.
    pub p99_us: Option<f64>,
    /// Median over that of ours, on the pairs for which both found a path.
    pub median_ratio: Option<f64>,
    /// Length over that of our path, seen from above: the mean over the same pairs.
    pub length_ratio: Option<f64>,
    /// Pairs for which the path is shorter than ours. On the same mesh there should be none.
    pub shorter: usize,
    /// Why there are no figures.
    pub note: Option<String>,
}

/// Measures every planner at every radius that is asked for.
pub fn measure(building: &Building, args: &PathArgs) -> Result<Vec<BuildingRow>, String> {
    let mut rows = Vec::new();
    for radius in RADII.into_iter().filter(|radius| args.wants_radius(*radius)) {
        let mut tracks = tracks_of(building, radius)?;
        tracks.retain(|track| args.wants_peer(track.peer));
        for round in 0..args.rounds {
            for first in (0..building.pairs.len()).step_by(BLOCK) {
                tracks.iter_mut().for_each(|track| track.run(&building.pairs, first, round == 0));
            }
        }
        let ours = tracks.iter().find(|track| track.peer == ours::NAME);
        rows.extend(tracks.iter().map(|track| track.row(building, radius, ours)));
    }
    Ok(rows)
}

/// One planner and its answers.
struct SpaceTrack {
    peer: &'static str,
    planner: Result<Box<dyn SpacePlanner>, String>,
    lengths: Vec<Option<f64>>,
    micros: Vec<f64>,
}

fn tracks_of(building: &Building, radius: f64) -> Result<Vec<SpaceTrack>, String> {
    let ours = ours::in_building(building, radius)?.into_iter();
    let tracks = ours.map(|(name, planner)| SpaceTrack::new(name, Ok(planner)));
    #[cfg(feature = "recast")]
    let tracks = tracks.chain([SpaceTrack::new("detour", detour::in_building(building, radius))]);
    Ok(tracks.collect())
}

impl SpaceTrack {
    fn new(peer: &'static str, planner: Result<Box<dyn SpacePlanner>, String>) -> SpaceTrack {
        SpaceTrack { peer, planner, lengths: Vec::new(), micros: Vec::new() }
    }

    /// Asks for a block of pairs; every pair keeps its least time.
    fn run(&mut self, pairs: &[[Place; 2]], first: usize, is_first_round: bool) {
        let Ok(planner) = &mut self.planner else { return };
        for (index, &[start, goal]) in pairs.iter().enumerate().skip(first).take(BLOCK) {
            let watch = Stopwatch::start();
            planner.find(start, goal);
            let elapsed = watch.micros();
            let length = planner.length();
            if is_first_round {
                self.lengths.push(length);
                self.micros.push(elapsed);
            } else {
                self.micros[index] = self.micros[index].min(elapsed);
            }
        }
    }

    fn row(&self, building: &Building, radius: f64, ours: Option<&SpaceTrack>) -> BuildingRow {
        let answers = self.lengths.iter().zip(&self.micros);
        let found = answers.filter(|(length, _)| length.is_some());
        let times: Vec<f64> = found.map(|(_, micros)| *micros).collect();
        BuildingRow {
            building: building.name.into(),
            peer: self.peer.into(),
            radius,
            pairs: self.lengths.len(),
            found: times.len(),
            median_us: median(times.iter().copied()),
            p99_us: quantile(times.iter().copied(), 0.99),
            note: self.planner.as_ref().err().cloned(),
            ..ours.map(|ours| self.compare(ours)).unwrap_or_default()
        }
    }

    /// The figures of a row that need ours beside it.
    fn compare(&self, ours: &SpaceTrack) -> BuildingRow {
        let all = 0..self.lengths.len().min(ours.lengths.len());
        let both: Vec<usize> =
            all.filter(|pair| self.lengths[*pair].and(ours.lengths[*pair]).is_some()).collect();
        let median_of = |track: &SpaceTrack| median(both.iter().map(|pair| track.micros[*pair]));
        let ratios = ratios(&self.lengths, &ours.lengths);
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        BuildingRow {
            median_ratio: median_of(self).zip(median_of(ours)).map(|(own, ours)| own / ours),
            length_ratio: Some(mean).filter(|mean| mean.is_finite()),
            shorter: ratios.iter().filter(|ratio| **ratio < 1.0 - SAME_LENGTH).count(),
            ..BuildingRow::default()
        }
    }
}

/// The ratios of lengths where both are known and not zero.
fn ratios(lengths: &[Option<f64>], bases: &[Option<f64>]) -> Vec<f64> {
    let pairs = lengths.iter().zip(bases).filter_map(|(length, base)| length.zip(*base));
    pairs.filter(|(_, base)| *base > 0.0).map(|(length, base)| length / base).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the length of the path from one floor to the other, for every planner.
    fn lengths_over_stairs(radius: f64) -> Vec<(&'static str, f64)> {
        let options = BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 2 };
        let building = Building::new("small", options, 0.1).unwrap();
        let rises = |pair: &&[Place; 2]| (pair[0][1] - pair[1][1]).abs() > 2.0;
        let [start, goal] = *building.pairs.iter().find(rises).unwrap();
        let length = |track: SpaceTrack| {
            let mut planner = track.planner.unwrap();
            planner.find(start, goal);
            (track.peer, planner.length().unwrap_or_else(|| panic!("{} finds no path", track.peer)))
        };
        tracks_of(&building, radius).unwrap().into_iter().map(length).collect()
    }

    #[test]
    fn every_planner_climbs_the_stairs() {
        for radius in RADII {
            let lengths = lengths_over_stairs(radius);
            assert!(lengths.iter().all(|(_, length)| (5.0..20.0).contains(length)), "{lengths:?}");
        }
    }

    #[test]
    fn the_index_changes_no_length() {
        for radius in RADII {
            let lengths = lengths_over_stairs(radius);
            let of = |name: &str| lengths.iter().find(|(peer, _)| *peer == name).unwrap().1;
            assert!((of(ours::NAME) / of(ours::UNPREPARED) - 1.0).abs() < SAME_LENGTH, "{lengths:?}");
        }
    }

    #[test]
    fn lengths_compare_where_both_are_known() {
        let bases = [Some(1.0), None, Some(2.0), Some(0.0)];
        assert_eq!(ratios(&[Some(1.0), Some(9.0), Some(3.0), Some(1.0)], &bases), [1.0, 1.5]);
        assert!(ratios(&[None], &[Some(1.0)]).is_empty());
    }
}
