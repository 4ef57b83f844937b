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

/// Compares one case in `stride` of one map with the lengths in a column; returns the largest relative difference.
fn compare(name: &str, radius: f64, column: usize, stride: usize, by_graph: bool) -> Option<f64> {
    let folder = folder()?;
    let plan = Plan::load(folder.join(format!("{name}.wkt"))).unwrap();
    let mesh = NavMesh::build(&plan, &MeshOptions::default()).unwrap();
    let graph = by_graph.then(|| TangentGraph::at(&mesh, radius).unwrap());
    let planner = VisibilityPlanner::new(&mesh).unwrap();
    if let Some(graph) = &graph {
        assert_eq!(planner.tangent_count_at(&mesh, radius), graph.tangent_count(), "{name} at {radius}");
    }
    let (mut worst, mut count) = (0.0f64, 0);
    for case in cases(&folder, name, column).iter().step_by(stride) {
        let [start, goal] = [case.from, case.to].map(|p| mesh.locate(p).unwrap());
        let answer = planner.find_path(&mesh, start, goal, radius);
        let found = match &answer {
            Ok(path) => path.length,
            Err(NoPath::TooClose { .. }) => -2.0,
            Err(_) => -1.0,
        };
        if let Ok(path) = &answer {
            assert_eq!(verify(&mesh, path), Ok(()), "{:?} {:?} {:#?}", case.from, case.to, path.pieces);
        }
        let difference = (found - case.length).abs() / case.length.abs().max(1.0);
        assert!(
            difference < 1e-6,
            "{name} at {radius}: {:?} to {:?}: {found}, known {}",
            case.from,
            case.to,
            case.length
        );
        if let Some(graph) = &graph {
            let other = graph.find_path(&mesh, start, goal).map_or(-1.0, |path| path.length);
            assert!((other - found.max(-1.0)).abs() <= 1e-9 * other.abs(), "{other} and {found}");
        }
        (worst, count) = (worst.max(difference), count + 1);
    }
    println!("{name} at {radius}: {count} cases, largest difference {worst:e}");
    Some(worst)
}

#[test]
fn arena() {
    compare("arena", 0.0, 4, 1, true);
    compare("arena", 0.45, 5, 1, true);
}

#[test]
fn caverns() {
    for (radius, column) in [(0.0, 4), (0.45, 5), (1.5, 6)] {
        compare("ca_caverns1", radius, column, 37, false);
    }
}

#[test]
fn large_map() {
    for (radius, column) in [(0.0, 4), (0.45, 5), (1.5, 6)] {
        compare("AR0602SR", radius, column, 53, false);
    }
}
