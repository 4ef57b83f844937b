//! Comparison with lengths found elsewhere. The inputs are not part of the project; where they are missing the
//! tests say so and pass.

use super::*;
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("CLEARWAY_DATA").map_or_else(beside, PathBuf::from).join("paths");
    if !path.is_dir() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// A query and its length: -1 where there is no path, -2 where the body cannot stand.
struct Case {
    from: [f64; 2],
    to: [f64; 2],
    length: f64,
}

fn cases(folder: &std::path::Path, name: &str, column: usize) -> Vec<Case> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.tsv"))).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let known = rows.filter(|row| row[column] != "?");
    known
        .map(|row| {
            let number = |i: usize| row[i].parse::<f64>().unwrap();
            Case { from: [number(0), number(1)], to: [number(2), number(3)], length: number(column) }
        })
        .collect()
}

/// A map with its planner.
struct Map {
    name: &'static str,
    folder: PathBuf,
    mesh: NavMesh,
    planner: VisibilityPlanner,
}

impl Map {
    fn load(name: &'static str) -> Option<Map> {
        let folder = folder()?;
        let plan = Plan::load(folder.join(format!("{name}.wkt"))).unwrap();
        let mesh = MeshOptions::default().build(&plan).unwrap();
        let planner = VisibilityPlanner::new(&mesh).unwrap();
        Some(Map { name, folder, mesh, planner })
    }

    /// Compares one case in `stride` with the lengths in a column of the table.
    fn compare(&self, radius: f64, column: usize, stride: usize) {
        let (mut worst, mut count) = (0.0f64, 0);
        for case in cases(&self.folder, self.name, column).iter().step_by(stride) {
            let found = self.solve(case, radius);
            let difference = (found - case.length).abs() / case.length.abs().max(1.0);
            let Case { from, to, length } = case;
            assert!(
                difference < 1e-6,
                "{} at {radius}: {from:?} to {to:?}: {found}, known {length}",
                self.name
            );
            (worst, count) = (worst.max(difference), count + 1);
        }
        println!("{} at {radius}: {count} cases, largest difference {worst:e}", self.name);
    }

    fn solve(&self, case: &Case, radius: f64) -> f64 {
        let [start, goal] = [case.from, case.to].map(|p| self.mesh.locate(p).unwrap());
        match self.planner.find_path(&self.mesh, start, goal, radius) {
            Ok(path) => {
                assert_eq!(verify(&self.mesh, &path), Ok(()), "{:?} to {:?}", case.from, case.to);
                path.length
            }
            Err(NoPath::TooClose { .. }) => -2.0,
            Err(_) => -1.0,
        }
    }

    /// Compares the planner with the tangents found by brute force.
    fn compare_with_graph(&self, radius: f64, column: usize, stride: usize) {
        let graph = TangentGraph::at(&self.mesh, radius).unwrap();
        compare_tangents(&self.mesh, &self.planner, &graph, radius);
        for case in cases(&self.folder, self.name, column).iter().step_by(stride) {
            let [start, goal] = [case.from, case.to].map(|p| self.mesh.locate(p).unwrap());
            let found = graph.find_path(&self.mesh, start, goal).map_or(-1.0, |path| path.length);
            let known = case.length.max(-1.0);
            assert!((found - known).abs() <= 1e-6 * known.abs(), "{found} and {known}");
        }
    }
}

#[test]
fn arena() {
    let Some(map) = Map::load("arena") else { return };
    for (radius, column) in [(0.0, 4), (0.45, 5)] {
        map.compare(radius, column, 1);
        map.compare_with_graph(radius, column, 1);
    }
}

#[test]
fn caverns() {
    let Some(map) = Map::load("ca_caverns1") else { return };
    for (radius, column) in [(0.0, 4), (0.45, 5), (1.5, 6)] {
        map.compare(radius, column, 37);
    }
    map.compare_with_graph(1.5, 6, 371);
}

#[test]
fn large_map() {
    let Some(map) = Map::load("AR0602SR") else { return };
    for (radius, column) in [(0.0, 4), (0.45, 5), (1.5, 6)] {
        map.compare(radius, column, 53);
    }
}
