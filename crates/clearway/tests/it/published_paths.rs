//! Shortest lengths on published maps, known from independent planners. The maps are not part of the repository: set
//! `CLEARWAY_DATA`, or keep them beside it; where they are missing the tests say so and pass.

use crate::judging;
use clearway_scenes::shared_data;

use clearway::path::verify;
use clearway::{MeshOptions, NavMesh, NoPath, Path, PathQuery, Plan, SearchSpace};

/// By how much lengths may differ from the published ones, as a share.
const SAME_LENGTH: f64 = 1e-6;

/// Two places, and the lengths for the three radii; -1 where there is no path, -2 where an end is too close to a wall.
struct Known {
    ends: [[f64; 2]; 2],
    lengths: [Option<f64>; 3],
}

const RADII: [f64; 3] = [0.0, 0.45, 1.5];

fn read(text: &str, every: usize) -> Vec<Known> {
    let line = |line: &str| {
        let numbers: Vec<Option<f64>> = line.split('\t').map(|word| word.trim().parse().ok()).collect();
        let ends = [[0, 1], [2, 3]].map(|at| at.map(|at| numbers[at].unwrap()));
        Known { ends, lengths: [4, 5, 6].map(|at| numbers[at]) }
    };
    text.lines().skip(1).step_by(every).map(line).collect()
}

struct Map {
    name: &'static str,
    plan: Plan,
    known: Vec<Known>,
    is_turned: bool,
}

impl Map {
    fn load(name: &'static str, every: usize) -> Option<Map> {
        let folder = shared_data("paths")?;
        let plan = Plan::load(folder.join(format!("{name}.wkt"))).unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{name}.tsv"))).unwrap();
        Some(Map { name, plan, known: read(&text, every), is_turned: false })
    }

    fn turned(mut self, angle: f64) -> Map {
        let (sin, cos) = angle.sin_cos();
        let turn = |[x, y]: &mut [f64; 2]| [*x, *y] = [*x * cos - *y * sin, *x * sin + *y * cos];
        for polygon in &mut self.plan.polygons {
            polygon.outline.iter_mut().chain(polygon.holes.iter_mut().flatten()).for_each(turn);
        }
        self.plan.rings.iter_mut().chain(&mut self.plan.walls).flatten().for_each(turn);
        self.known.iter_mut().flat_map(|known| &mut known.ends).for_each(turn);
        self.is_turned = true;
        self
    }

    fn mesh(&self) -> NavMesh {
        MeshOptions::default().build(&self.plan).unwrap()
    }

    /// Holds all queries against the known lengths, for the radii given by their numbers.
    fn judge(&self, mesh: &NavMesh, radii: &[usize]) {
        let mut space = SearchSpace::new();
        let (mut count, mut at_limit, mut worst, mut broken) = (0, 0, [0.0f64; 3], Vec::new());
        for number in radii.iter().copied() {
            for known in &self.known {
                let Some(length) = known.lengths[number] else { continue };
                count += 1;
                let query = query(mesh, known, RADII[number]);
                let found = mesh.find_path_in(&query, &mut space);
                let apart = difference(&found, length);
                if apart > SAME_LENGTH && is_between(mesh, &query, length) {
                    at_limit += 1;
                    continue;
                }
                worst[number] = worst[number].max(if apart.is_finite() { apart } else { 0.0 });
                if apart > SAME_LENGTH {
                    let found = found.map(|path| path.length);
                    broken
                        .push(format!("{:?}, radius {}: {length} but {found:?}", known.ends, RADII[number]));
                } else if let Some(Err(error)) =
                    found.ok().filter(|_| count % 16 == 0).map(|path| verify(mesh, &path))
                {
                    broken.push(format!("{:?}, radius {}: {error}", known.ends, RADII[number]));
                }
            }
        }
        eprintln!("{}: {count} lengths, at most {worst:?} apart, {at_limit} at the limit", self.name);
        assert!(at_limit == 0 || self.is_turned, "{}: {at_limit} at the limit", self.name);
        let some: Vec<&String> = broken.iter().take(10).collect();
        assert!(broken.is_empty(), "{}: {} of {count} wrong, as {some:#?}", self.name, broken.len());
    }
}

fn query(mesh: &NavMesh, known: &Known, radius: f64) -> PathQuery {
    let [start, goal] = known.ends.map(|end| mesh.locate(end).unwrap());
    judging::query(start, goal, radius)
}

/// By which share a length is off; infinite where the verdict differs.
fn difference(found: &Result<Path, NoPath>, known: f64) -> f64 {
    match found {
        Ok(path) if known >= 0.0 => (path.length - known).abs() / known.max(1.0),
        Err(NoPath::TooClose { .. }) if known == -2.0 => 0.0,
        Err(NoPath::Disconnected | NoPath::TooNarrow { .. }) if known == -1.0 => 0.0,
        _ => f64::INFINITY,
    }
}

/// Whether a length, or a verdict, lies between those of a slightly smaller and a slightly larger body: turned corners
/// are rounded to the grid, and gaps or places that were just wide enough may be so no longer.
fn is_between(mesh: &NavMesh, query: &PathQuery, known: f64) -> bool {
    let rounding = 4.0 * mesh.unit();
    let length = |radius: f64| {
        let found = mesh.find_path(&query.clone().radius(radius));
        found.map_or(f64::INFINITY, |path| path.length)
    };
    let known = if known < 0.0 { f64::INFINITY } else { known };
    query.radius > rounding
        && length(query.radius - rounding) <= known * (1.0 + SAME_LENGTH)
        && length(query.radius + rounding) >= known * (1.0 - SAME_LENGTH)
}

/// A map, and every how many queries are tried.
const MAPS: [(&str, usize); 5] =
    [("arena", 1), ("ca_caverns1", 6), ("AR0602SR", 4), ("brc202d", 12), ("Aurora", 60)];

#[test]
fn lengths_on_published_maps() {
    for (name, every) in MAPS {
        let Some(map) = Map::load(name, every) else { return };
        let mesh = map.mesh();
        map.judge(&mesh, &[0, 1, 2]);
        mesh.prepare_paths();
        map.judge(&mesh, &[0, 1, 2]);
    }
}

/// A tiny body walks as far as a point.
#[test]
fn lengths_grow_from_those_of_a_point() {
    for (name, every) in [("arena", 2), ("ca_caverns1", 20), ("AR0602SR", 12)] {
        let Some(map) = Map::load(name, every) else { return };
        let (mesh, mut space) = (map.mesh(), SearchSpace::new());
        let (mut count, mut most) = (0, 1.0f64);
        for known in map.known.iter().filter(|known| known.lengths[0].is_some_and(|length| length > 0.0)) {
            let path = mesh.find_path_in(&query(&mesh, known, 1e-3), &mut space).unwrap();
            let share = path.length / known.lengths[0].unwrap();
            assert!(share >= 1.0 - SAME_LENGTH, "{name}: {:?}: {share}", known.ends);
            (count, most) = (count + 1, most.max(share));
        }
        eprintln!("{name}: {count} lengths for a radius of 0.001, at most {most} of those of a point");
        assert!(most <= 1.0001, "{name}: {most}");
    }
}

/// Turned maps have hardly any walls in line, but many nearly so.
#[test]
fn lengths_on_turned_maps() {
    for (name, every) in [("arena", 1), ("ca_caverns1", 15), ("AR0602SR", 12)] {
        let Some(map) = Map::load(name, every) else { return };
        let map = map.turned(0.3);
        map.judge(&map.mesh(), &[0, 1, 2]);
    }
}
