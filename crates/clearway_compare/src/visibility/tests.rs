use super::*;
use clearway_base::ErrorKind;
use clearway_build::MeshOptions;
use clearway_nav::Location;
use clearway_nav::path::{NoPath, Path, Piece, verify};
use clearway_world::PlanFormat;
use clearway_world::plan::Plan;
use std::f64::consts::{FRAC_PI_2, PI};

mod data;
mod lattice;
mod random;

fn mesh(wkt: &str) -> NavMesh {
    let plan = Plan::parse(PlanFormat::Wkt, wkt).unwrap();
    MeshOptions::default().build(&plan).unwrap()
}

fn at(mesh: &NavMesh, x: f64, y: f64) -> Location {
    mesh.locate([x, y]).unwrap()
}

/// The path as both planners find it, one way and back; all laws of paths are checked.
fn solve(mesh: &NavMesh, from: [f64; 2], to: [f64; 2], radius: f64) -> Option<Path> {
    let [start, goal] = [from, to].map(|[x, y]| at(mesh, x, y));
    let planner = VisibilityPlanner::new(mesh).unwrap();
    let graph = TangentGraph::at(mesh, radius).unwrap();
    compare_tangents(mesh, &planner, &graph, radius);
    let found = [
        planner.find_path(mesh, start, goal, radius).ok(),
        planner.find_path(mesh, goal, start, radius).ok(),
        graph.find_path(mesh, start, goal),
        graph.find_path(mesh, goal, start),
    ];
    for path in found.iter().flatten() {
        assert_eq!(verify(mesh, path), Ok(()), "{path:?}");
    }
    let lengths = found.each_ref().map(|path| path.as_ref().map_or(-1.0, |path| path.length));
    for length in lengths {
        assert!((length - lengths[0]).abs() <= 1e-9 * lengths[0].abs(), "{lengths:?}");
    }
    let [path, ..] = found;
    path
}

/// The planner has the tangents that brute force finds, except that points see between obstacles that touch their
/// line from both sides: there the path over the corners in between is as short.
fn compare_tangents(mesh: &NavMesh, planner: &VisibilityPlanner, graph: &TangentGraph, radius: f64) {
    let (kept, all) = (planner.tangents_at(mesh, radius), graph::pairs(graph));
    let only = |one: &[[u32; 2]], other: &[[u32; 2]]| -> Vec<[u32; 2]> {
        one.iter().filter(|pair| other.binary_search(pair).is_err()).copied().collect()
    };
    assert_eq!(only(&kept, &all), Vec::<[u32; 2]>::new(), "kept at {radius}, but not there");
    if radius > 0.0 {
        assert_eq!(only(&all, &kept), Vec::<[u32; 2]>::new(), "there at {radius}, but not kept");
    }
}

fn length(mesh: &NavMesh, from: [f64; 2], to: [f64; 2], radius: f64) -> f64 {
    solve(mesh, from, to, radius).map_or(-1.0, |path| path.length)
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} and not {expected}");
}

/// The way from (-d, h) to (h, -d) around a disc at the origin, where walls fill x < 0, y < 0.
fn around_right_angle(d: f64, h: f64, radius: f64) -> f64 {
    let far = d.hypot(h);
    let tangent = (far * far - radius * radius).sqrt();
    // Seen from the corner the ends are `wide` apart; each tangent takes acos(r / far) of it.
    let wide = FRAC_PI_2 + 2.0 * (FRAC_PI_2 - (h / d).atan());
    2.0 * tangent + radius * (wide - 2.0 * (radius / far).acos())
}

#[test]
fn straight_where_nothing_is_in_the_way() {
    let mesh = mesh("POLYGON ((0 0, 8 0, 8 6, 0 6))");
    let path = solve(&mesh, [1.0, 1.0], [7.0, 5.0], 1.0).unwrap();
    assert_eq!(path.pieces.len(), 1);
    assert_close(path.length, 52f64.sqrt());
    assert_close(path.clearance, 1.0);
}

#[test]
fn around_one_corner_of_a_box() {
    // The corner at (4, 4) of an L-shaped room.
    let mesh = mesh("POLYGON ((0 4, 4 4, 4 0, 8 0, 8 8, 0 8))");
    for radius in [0.0, 0.25, 0.5, 0.9, 1.0] {
        let found = length(&mesh, [1.0, 5.0], [5.0, 1.0], radius);
        assert_close(found, around_right_angle(3.0, 1.0, radius));
    }
}

#[test]
fn around_the_end_of_a_thin_wall() {
    // A wall from (4, 0) to (4, 4); start and goal on both sides of it.
    let mesh = mesh("GEOMETRYCOLLECTION (POLYGON ((0 0, 8 0, 8 8, 0 8)), LINESTRING (4 0, 4 4))");
    let beside = solve(&mesh, [3.0, 2.0], [5.0, 2.0], 1.0).unwrap();
    assert_close(beside.length, 4.0 + PI);
    let turns: Vec<f64> = beside
        .pieces
        .iter()
        .filter_map(|p| if let Piece::Arc { turn, .. } = p { Some(*turn) } else { None })
        .collect();
    assert_eq!(turns.len(), 1);
    assert_close(turns[0].abs(), PI);
    assert_close(length(&mesh, [3.0, 2.0], [5.0, 2.0], 0.0), 2.0 * 5f64.sqrt());
    // From one face of the wall to the other: the place is the same but for its cell.
    assert_close(length(&mesh, [4.0, 4.0], [2.0, 1.0], 0.0), 13f64.sqrt());
}

#[test]
fn a_point_on_a_thin_wall_stays_on_its_face() {
    let mesh = mesh("GEOMETRYCOLLECTION (POLYGON ((0 0, 8 0, 8 8, 0 8)), LINESTRING (4 0, 4 4))");
    let planner = VisibilityPlanner::new(&mesh).unwrap();
    let goal = at(&mesh, 6.0, 2.0);
    let mut lengths: Vec<f64> = mesh
        .cells()
        .filter(|cell| mesh.holds(cell.id().0, mesh.parts().grid.units([4.0, 2.0])))
        .map(|cell| Location::in_cell(cell.id(), [4.0, 2.0]))
        .map(|start| planner.find_path(&mesh, start, goal, 0.0).unwrap().length)
        .collect();
    lengths.sort_by(f64::total_cmp);
    lengths.dedup();
    assert_eq!(lengths, [2.0, 2.0 + 8f64.sqrt()]);
}

#[test]
fn a_gap_of_twice_the_radius_lets_pass() {
    // Two boxes with a gap from (4, 3) to (4, 5) between their corners, and walls slanting away.
    let mesh = mesh("POLYGON ((0 0, 8 0, 8 8, 0 8), (3 0.5, 5 0.5, 4 3), (3 7.5, 4 5, 5 7.5))");
    let through = length(&mesh, [2.0, 4.0], [6.0, 4.0], 1.0);
    assert_close(through, 4.0);
    assert!(length(&mesh, [2.0, 4.5], [6.0, 3.5], 1.0) > 4.0);
    assert!(length(&mesh, [2.0, 4.0], [6.0, 4.0], 1.0 + 1e-7) < 0.0);
    let planner = VisibilityPlanner::new(&mesh).unwrap();
    let refused = planner.find_path(&mesh, at(&mesh, 2.0, 4.0), at(&mesh, 6.0, 4.0), 1.2).unwrap_err();
    let NoPath::TooNarrow { widest_radius, at, .. } = refused else { panic!("{refused:?}") };
    assert!((0.99999..=1.0).contains(&widest_radius), "{widest_radius}");
    let [x, y] = at.position();
    assert!((x - 4.0).abs() < 1e-3 && (y - 4.0).abs() < 1e-3, "{at:?}");
}

#[test]
fn a_gap_between_a_corner_and_the_inside_of_a_wall() {
    // A wedge points at the middle of the upper wall and leaves two metres.
    let mesh = mesh("POLYGON ((0 0, 3 0, 4 4, 5 0, 8 0, 8 6, 0 6))");
    assert!(length(&mesh, [1.5, 1.5], [6.5, 1.5], 1.0) > 5.0);
    assert!(length(&mesh, [1.5, 1.5], [6.5, 1.5], 1.0 + 1e-7) < 0.0);
}

#[test]
fn nothing_slips_between_touching_obstacles() {
    // Two boxes touch in (4, 4); every way around them is longer.
    let mesh = mesh("POLYGON ((0 0, 8 0, 8 8, 0 8), (2 2, 4 2, 4 4, 2 4), (4 4, 6 4, 6 6, 4 6))");
    let found = length(&mesh, [3.0, 5.0], [5.0, 3.0], 0.0);
    assert_close(found, 2f64.sqrt() + 2.0 + 2.0 + 2f64.sqrt());
    // Along the walls that lie in one line, and from the place where they touch.
    assert_close(length(&mesh, [3.0, 4.0], [5.0, 4.0], 0.0), 1.0 + 2.0 + 2.0 + 5f64.sqrt());
}

#[test]
fn length_grows_with_the_radius() {
    let mesh = mesh(
        "POLYGON ((0 0, 12 0, 12 9, 0 9), (2 2, 4 3, 3 5), (5 4, 7 2, 8 5, 6 6), (4 6.5, 5 8, 3 7.5), (9 3, 10 6, 9 7))",
    );
    let mut last = 0.0;
    for step in 0..12 {
        let found = length(&mesh, [1.0, 4.0], [11.0, 5.0], f64::from(step) * 0.05);
        assert!(found >= last, "{found} after {last}");
        last = found;
    }
    assert!(last > 10.0);
}

#[test]
fn refusals_say_why() {
    let mesh = mesh("MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4)), ((6 0, 9 0, 9 4, 6 4)))");
    let planner = VisibilityPlanner::new(&mesh).unwrap();
    let [left, right] = [at(&mesh, 1.0, 1.0), at(&mesh, 7.0, 1.0)];
    let ask = |goal, radius| planner.find_path(&mesh, left, goal, radius).unwrap_err();
    assert_eq!(ask(right, 0.0), NoPath::Disconnected);
    assert_eq!(ask(right, 0.5), NoPath::Disconnected);
    assert!(matches!(ask(right, f64::NAN), NoPath::BadRadius { .. }));
    assert!(matches!(ask(right, 1.5), NoPath::TooClose { clearance: 1.0, .. }));
    let stale = Location::in_cell(left.cell(), [3.0, 9.0]);
    assert!(matches!(ask(stale, 0.1), NoPath::OffMesh { .. }));
}

#[test]
fn the_judge_sees_what_is_wrong() {
    let mesh = mesh("POLYGON ((0 4, 4 4, 4 0, 8 0, 8 8, 0 8))");
    let good = solve(&mesh, [1.0, 5.0], [5.0, 1.0], 0.5).unwrap();
    let wrong = |change: fn(&mut Path)| {
        let mut path = good.clone();
        change(&mut path);
        verify(&mesh, &path).unwrap_err()
    };
    assert!(wrong(|path| path.length += 1e-3).contains("long together"));
    assert!(wrong(|path| path.radius = 0.51).contains("comes within"));
    assert!(wrong(|path| path.goal[0] += 0.1).contains("goal"));
    assert!(wrong(|path| path.pieces.truncate(1)).contains("goal"));
    assert!(
        wrong(|path| {
            path.radius = 0.0;
            path.length = 32f64.sqrt();
            path.pieces = vec![Piece::Segment { from: path.start, to: path.goal }];
        })
        .contains("crosses")
    );
}

#[test]
fn too_many_corners_are_refused() {
    let boxes = (0..40 * 40).map(|i| (2 * (i % 40) + 1, 2 * (i / 40) + 1));
    let ring = |(x, y): (i32, i32)| {
        let (far, up) = (x + 1, y + 1);
        format!("({x} {y}, {far} {y}, {far} {up}, {x} {up})")
    };
    let rings: Vec<String> = boxes.map(ring).collect();
    let mesh = mesh(&format!("POLYGON ((0 0, 81 0, 81 81, 0 81), {})", rings.join(", ")));
    for error in [VisibilityPlanner::new(&mesh).unwrap_err(), TangentGraph::at(&mesh, 0.1).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert!(error.to_string().contains("6400 corners"), "{error}");
    }
}
