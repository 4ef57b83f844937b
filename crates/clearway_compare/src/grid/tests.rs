//! The raster against small maps that one can check by eye, and against the lengths of the MovingAI benchmarks.

use super::*;
use clearway_build::MeshOptions;
use clearway_nav::mesh::CellId;
use clearway_nav::path::Piece;
use clearway_world::plan::{Plan, PlanFormat};
use std::f64::consts::SQRT_2;
use std::path::PathBuf;

fn map(rows: &[&str]) -> NavMesh {
    let size = format!("height {}\nwidth {}", rows.len(), rows[0].len());
    let text = format!("type octile\n{size}\nmap\n{}\n", rows.join("\n"));
    MeshOptions::default().build(&Plan::parse(PlanFormat::Map, &text).unwrap()).unwrap()
}

fn wkt(text: &str) -> NavMesh {
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, text).unwrap()).unwrap()
}

/// A place, by looking at every cell.
fn location(mesh: &NavMesh, position: [f64; 2]) -> Location {
    let at = mesh.parts().grid.units(position);
    let holds = |cell: u32| {
        let layout = mesh.graph();
        layout.sides(cell).all(|side| {
            let [from, to] = layout.ends(cell, side);
            (to - from).cross(at - from) >= 0.0
        })
    };
    let cell = (0..mesh.cell_count() as u32).find(|cell| holds(*cell)).unwrap();
    Location::in_cell(CellId(cell), position)
}

fn query(mesh: &NavMesh, from: [f64; 2], to: [f64; 2], radius: f64) -> PathQuery {
    PathQuery::new(location(mesh, from), location(mesh, to)).radius(radius)
}

fn tiles(mesh: &NavMesh) -> GridPlanner<'_> {
    GridPlanner::new(mesh, &GridOptions { cell_size: Some(1.0), diagonal: true }).unwrap()
}

const CORNER: [&str; 3] = ["...", ".@.", "..."];

#[test]
fn tiles_of_a_map_are_cells_of_the_raster() {
    let mesh = map(&CORNER);
    let planner = tiles(&mesh);
    assert_eq!((planner.cell_size(), planner.cell_count()), (1.0, 8));
}

#[test]
fn corners_are_not_cut() {
    let mesh = map(&CORNER);
    let path = tiles(&mesh).find_path(&query(&mesh, [0.5, 0.5], [2.5, 2.5], 0.0)).unwrap();
    assert_eq!((path.length, path.pieces.len(), path.complete), (4.0, 2, true));
    assert!(path.clearance == 0.5 && (path.bound - SQRT_2).abs() < 1e-12);
    let straight = [path.start, path.goal];
    assert_eq!(straight, [[0.5, 0.5], [2.5, 2.5]]);
}

#[test]
fn diagonal_steps_are_shorter_unless_there_are_none() {
    let mesh = map(&["....", "....", "...."]);
    let question = query(&mesh, [0.5, 0.5], [3.5, 2.5], 0.0);
    let path = tiles(&mesh).find_path(&question).unwrap();
    assert!((path.length - (1.0 + 2.0 * SQRT_2)).abs() < 1e-12);
    assert!(path.pieces.len() < 4, "{:?}", path.pieces);
    let options = GridOptions { cell_size: Some(1.0), diagonal: false };
    let path = GridPlanner::new(&mesh, &options).unwrap().find_path(&question).unwrap();
    assert_eq!(path.length, 5.0);
}

#[test]
fn a_body_keeps_its_distance_to_walls() {
    let mesh = wkt("POLYGON ((0 0, 12 0, 12 8, 0 8), (5 0.75, 7 0.75, 7 4, 5 4))");
    let mut planner =
        GridPlanner::new(&mesh, &GridOptions { cell_size: Some(0.25), diagonal: true }).unwrap();
    let mut length = |radius: f64| {
        let path = planner.find_path(&query(&mesh, [2.0, 1.5], [10.0, 1.5], radius)).unwrap();
        assert!(path.clearance >= radius, "{radius}: {}", path.clearance);
        path.length
    };
    // The gap below the pillar is 0.75 m wide.
    let [thin, wide, wider] = [0.2, 0.5, 1.0].map(&mut length);
    assert!(thin < 9.5 && wide > 9.5 && wider > wide, "{thin} {wide} {wider}");
}

#[test]
fn walls_of_no_thickness_stop_steps() {
    let mesh = wkt("GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4)), LINESTRING (2 0, 2 3))");
    let path = tiles(&mesh).find_path(&query(&mesh, [0.5, 0.5], [3.5, 0.5], 0.0)).unwrap();
    assert!(path.length > 6.0, "{}", path.length);
    let odd = GridPlanner::new(&mesh, &GridOptions { cell_size: Some(0.8), diagonal: true });
    // Here the wall runs through the centres of a column.
    let path = odd.unwrap().find_path(&query(&mesh, [0.5, 0.5], [3.5, 0.5], 0.0)).unwrap();
    assert!(path.length > 6.0, "{}", path.length);
}

#[test]
fn places_beside_centres_are_joined_to_them() {
    let mesh = map(&["...", "..."]);
    let path = tiles(&mesh).find_path(&query(&mesh, [0.0, 0.0], [2.9, 1.5], 0.0)).unwrap();
    assert_eq!((path.start, path.goal), ([0.0, 0.0], [2.9, 1.5]));
    let straight = 2.9f64.hypot(1.5);
    assert!(path.length >= straight && path.length < 1.1 * straight, "{}", path.length);
    let joined = path.pieces.windows(2).all(|pair| match [pair[0], pair[1]] {
        [Piece::Segment { to, .. }, Piece::Segment { from, .. }] => to == from,
        _ => false,
    });
    assert!(joined);
}

#[test]
fn cells_and_portals_of_a_path_belong_together() {
    let mesh = map(&["..@...", "..@.@.", "....@.", "@.@@@."]);
    let path = tiles(&mesh).find_path(&query(&mesh, [0.5, 0.5], [5.5, 3.5], 0.0)).unwrap();
    assert_eq!(path.cells.len(), path.portals.len() + 1);
    for (cells, portal) in path.cells.windows(2).zip(&path.portals) {
        let mut ends = mesh.portal(*portal).unwrap().cells;
        if ends[0] != cells[0] {
            ends.reverse();
        }
        assert_eq!(ends, cells[..]);
    }
}

#[test]
fn answers_without_a_path_tell_why() {
    let mesh = map(&["..@.", "..@."]);
    let mut planner = tiles(&mesh);
    let mut reason = |from, to, radius| planner.find_path(&query(&mesh, from, to, radius)).unwrap_err();
    assert_eq!(reason([0.5, 0.5], [3.5, 0.5], 0.0), NoPath::Disconnected);
    assert_eq!(reason([0.5, 0.5], [1.5, 0.5], -1.0), NoPath::BadRadius { radius: -1.0 });
    assert!(matches!(reason([0.5, 0.5], [1.5, 0.5], f64::NAN), NoPath::BadRadius { .. }));
    let close = NoPath::TooClose { place: Place::Start, clearance: 0.25 };
    assert_eq!(reason([0.25, 0.5], [1.5, 0.5], 0.5), close);
    let mut stale = query(&mesh, [0.5, 0.5], [1.5, 0.5], 0.0);
    stale.goal = Location::in_cell(CellId(99), stale.goal.position());
    assert_eq!(planner.find_path(&stale), Err(NoPath::OffMesh { place: Place::Goal }));
}

#[test]
fn close_places_are_moved_and_unreachable_goals_approached() {
    let mesh = map(&["....@.", "....@."]);
    let mut planner = tiles(&mesh);
    let close = query(&mesh, [0.25, 0.5], [2.5, 0.5], 0.5).snap(0.5);
    assert_eq!(planner.find_path(&close).unwrap().start, [0.5, 0.5]);
    let partial = query(&mesh, [0.5, 0.5], [5.5, 0.5], 0.0).partial(true);
    let path = planner.find_path(&partial).unwrap();
    assert_eq!((path.goal, path.complete, path.length), ([3.5, 0.5], false, 3.0));
}

#[test]
fn the_nearest_of_several_goals_is_taken() {
    let mesh = map(&["........"]);
    let mut question = query(&mesh, [3.5, 0.5], [7.5, 0.5], 0.0);
    question.more_goals.push(location(&mesh, [1.5, 0.5]));
    let path = tiles(&mesh).find_path(&question).unwrap();
    assert_eq!((path.length, path.goal), (2.0, [1.5, 0.5]));
}

#[test]
fn start_and_goal_may_be_the_same() {
    let mesh = map(&["..", ".."]);
    let path = tiles(&mesh).find_path(&query(&mesh, [0.5, 0.5], [0.5, 0.5], 0.0)).unwrap();
    assert_eq!((path.length, path.pieces.len(), path.bound), (0.0, 0, 1.0));
}

#[test]
fn sizes_are_chosen_or_refused() {
    let mesh = map(&["..", ".."]);
    let cells = GridPlanner::new(&mesh, &GridOptions::default()).unwrap().cell_count();
    assert!(cells <= USUAL_RASTER_CELLS && 4 * cells > USUAL_RASTER_CELLS, "{cells}");
    let kind = |cell_size: f64| {
        let options = GridOptions { cell_size: Some(cell_size), diagonal: true };
        GridPlanner::new(&mesh, &options).unwrap_err().kind()
    };
    for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(kind(nonsense), ErrorKind::Options);
    }
    assert_eq!(kind(1e-6), ErrorKind::TooLarge);
    assert_eq!(kind(1e-300), ErrorKind::TooLarge);
    let empty = wkt("POLYGON ((0 0, 1 1, 2 2, 0 0))");
    assert_eq!(GridPlanner::new(&empty, &GridOptions::default()).unwrap().cell_count(), 0);
}

#[test]
fn lengths_are_those_of_the_movingai_benchmarks() {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CLEARWAY_DATA").map_or_else(beside, PathBuf::from).join("paths");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    // Every query of the small map, some of the large ones.
    for (name, every) in [("arena", 1), ("AR0602SR", 37), ("brc202d", 61), ("ca_caverns1", 59)] {
        let plan = Plan::load(folder.join(format!("{name}.map"))).unwrap();
        let mesh = MeshOptions::default().build(&plan).unwrap();
        let mut planner = tiles(&mesh);
        let text = std::fs::read_to_string(folder.join(format!("{name}.map.scen"))).unwrap();
        for line in text.lines().skip(1).step_by(every) {
            let numbers: Vec<f64> =
                line.split_whitespace().skip(4).map(|field| field.parse().unwrap()).collect();
            let [sx, sy, gx, gy, length] = numbers[..] else { panic!("{name}: {line}") };
            let question = query(&mesh, [sx + 0.5, sy + 0.5], [gx + 0.5, gy + 0.5], 0.0);
            let path = planner.find_path(&question).unwrap();
            // The files give two decimals or six digits.
            assert!(
                (path.length - length).abs() <= 0.0051 + 2e-6 * length,
                "{name}: {line}: {}",
                path.length
            );
        }
    }
}
