//! Inputs on which published algorithms, or earlier versions of ours, went wrong.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, NavMesh, Plan, PlanFormat, Quality};

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Default, Quality::Best];

/// Builds a plan at every quality, checks every law, and returns the default mesh.
fn build(plan: &Plan) -> NavMesh {
    for quality in QUALITIES {
        for relax_angle in [0.0, 5f64.to_radians()] {
            let options = MeshOptions::default().quality(quality).relax_angle(relax_angle);
            let mesh = options.build(plan).unwrap();
            let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
            assert_eq!(flaws, Vec::<String>::new(), "{quality:?} {relax_angle}");
        }
    }
    MeshOptions::default().build(plan).unwrap()
}

fn polygon(outline: &[[f64; 2]], holes: &[&[[f64; 2]]]) -> Plan {
    let holes = holes.iter().map(|hole| hole.to_vec()).collect();
    Plan { polygons: vec![PlanPolygon { outline: outline.to_vec(), holes }], ..Default::default() }
}

fn square(x: f64, y: f64, side: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
}

/// The published algorithm measures the distance to a whole edge, then cuts to the part of it inside the area of
/// interest, straight through the hole in between.
#[test]
fn a1_a_portal_must_not_cut_through_a_hole() {
    let outline = [
        [-2.0, -8.0],
        [0.0, 0.0],
        [2.0, -8.0],
        [10.0, -8.0],
        [10.0, 0.5],
        [1.0, 0.5],
        [-2.0, 20.0],
        [-10.0, 20.0],
        [-10.0, -8.0],
    ];
    let hole = [[0.1, 1.6], [0.2, 2.2], [0.6, 1.9]];
    let mesh = build(&polygon(&outline, &[&hole]));
    let drawn = area(&outline) - area(&hole);
    assert!((mesh.area() - drawn).abs() < 1e-5, "{} of {drawn}", mesh.area());
}

fn area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    (0.5 * ring.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>()).abs()
}

/// Rings that touch in a point: two notches at one vertex.
#[test]
fn a7_touching_holes_have_corners_of_their_own() {
    let outline = square(0.0, 0.0, 20.0);
    let (first, second) = (square(4.0, 4.0, 6.0), square(10.0, 10.0, 6.0));
    let mesh = build(&polygon(&outline, &[&first, &second]));
    assert_eq!(mesh.component_count(), 1);
    assert_eq!(mesh.area(), 400.0 - 72.0);
}

/// A hole that touches the outline in a point leaves no passage there, and one along an edge none at all.
#[test]
fn a7_holes_on_the_outline() {
    let outline = square(0.0, 0.0, 10.0);
    let touching = [[0.0, 5.0], [4.0, 3.0], [4.0, 7.0]];
    assert_eq!(build(&polygon(&outline, &[&touching])).component_count(), 1);
    let dividing = [[0.0, 4.0], [10.0, 4.0], [10.0, 6.0], [0.0, 6.0]];
    assert_eq!(build(&polygon(&outline, &[&dividing])).component_count(), 2);
}

/// The free end of a thin wall has a corner of a full turn.
#[test]
fn a7_thin_walls() {
    let mut plan = polygon(&square(0.0, 0.0, 10.0), &[]);
    plan.walls = vec![vec![[5.0, 2.0], [5.0, 8.0]]];
    let free = build(&plan);
    assert_eq!((free.component_count(), free.area()), (1, 100.0));
    plan.walls = vec![vec![[5.0, 0.0], [5.0, 10.0]]];
    assert_eq!(build(&plan).component_count(), 2, "a wall from side to side divides");
    plan.walls = vec![vec![[2.0, 2.0], [8.0, 8.0]], vec![[2.0, 8.0], [8.0, 2.0]]];
    assert_eq!(build(&plan).component_count(), 1, "a cross leaves a way around");
    plan.walls = vec![square(3.0, 3.0, 4.0), vec![[3.0, 3.0], [3.0, 7.0]]];
    assert_eq!(build(&plan).component_count(), 2, "walls that close shut a room");
    let mut round = square(3.0, 3.0, 4.0);
    round.push(round[0]);
    plan.walls = vec![round];
    assert_eq!(build(&plan).component_count(), 2, "a wall that comes back to its start shuts a room");
}

/// Vertices on one line across a room: the nearest hides the others, flat corners are convex.
#[test]
fn a9_collinear_vertices() {
    let outline = square(0.0, 0.0, 30.0);
    let holes: Vec<Vec<[f64; 2]>> = (0..3).map(|i| square(4.0 + 9.0 * f64::from(i), 10.0, 4.0)).collect();
    let holes: Vec<&[[f64; 2]]> = holes.iter().map(Vec::as_slice).collect();
    let mesh = build(&polygon(&outline, &holes));
    assert!(mesh.cell_count() <= 7, "{} cells", mesh.cell_count());
}

/// Shallow runs are dropped by their deepest notch, not by their middle one, and cells stay convex.
#[test]
fn a11_depth_relaxation_keeps_cells_convex() {
    let mut outline = vec![[0.0, 0.0]];
    outline.extend((1..40).map(|i| {
        let x = f64::from(i) * 0.5;
        [x, 0.4 * (std::f64::consts::PI * x / 20.0).sin()]
    }));
    outline.extend([[20.0, 0.0], [20.0, 10.0], [0.0, 10.0]]);
    let plan = polygon(&outline, &[]);
    let regions = |relax_depth: f64| {
        let mesh = MeshOptions::default().relax_depth(relax_depth).build(&plan).unwrap();
        assert!(mesh.check().is_empty());
        mesh.region_count()
    };
    assert_eq!(regions(0.41), 1, "the whole bulge stays within 0.4 of its chord");
    assert!(regions(0.2) > 1 && regions(0.2) < regions(0.0));
}

/// Found by our own check: a wall point must not be made on the border of a block of cells.
#[test]
fn blocks_do_not_tear_at_their_borders() {
    let outline = square(0.0, 0.0, 2000.0);
    let holes: Vec<Vec<[f64; 2]>> = (0..1600)
        .map(|i| {
            let (x, y) = (f64::from(i % 40) * 49.0 + 20.0, f64::from(i / 40) * 49.0 + 20.0);
            vec![[x, y + 3.0], [x + 20.0, y], [x + 23.0 + f64::from(i % 5), y + 20.0], [x + 3.0, y + 24.0]]
        })
        .collect();
    let plan = Plan { polygons: vec![PlanPolygon { outline, holes }], ..Default::default() };
    let mesh = MeshOptions::default().build(&plan).unwrap();
    assert_eq!(mesh.check().len(), 0);
}

/// Rows of tiles: `.` is floor, `@` is not. Expects this many cells and components.
fn check_map(rows: &[&str], cells: usize, components: usize) {
    let head = format!("type octile\nheight {}\nwidth {}\nmap\n", rows.len(), rows[0].len());
    let plan = Plan::parse(PlanFormat::Map, &(head + &rows.join("\n") + "\n")).unwrap();
    let mesh = build(&plan);
    assert_eq!((mesh.cell_count(), mesh.component_count()), (cells, components), "{rows:#?}");
}

#[test]
fn small_maps() {
    check_map(&["..", ".."], 1, 1);
    check_map(&["..", ".@"], 2, 1);
    check_map(&["@.@", "...", "@.@"], 3, 1);
    check_map(&["...", ".@.", "..."], 4, 1);
    check_map(&[".@", "@."], 2, 2);
    check_map(&[".@.", "@@@", ".@."], 4, 4);
    check_map(&["@@@@@@@", "@..@..@", "@.....@", "@..@..@", "@@@@@@@"], 3, 1);
    check_map(&[".....", ".@.@.", "....."], 5, 1);
}

/// Found by our own check: a portal that ends inside a thin wall would leave the cells behind it with a vertex
/// inside their side.
#[test]
fn portals_do_not_end_inside_thin_walls() {
    let mut plan = polygon(&square(0.0, 0.0, 20.0), &[&square(4.0, 9.0, 1.3), &square(14.0, 3.0, 1.7)]);
    plan.walls = vec![vec![[8.0, 2.0], [8.0, 18.0]], vec![[8.0, 10.0], [11.0, 11.0], [12.0, 18.0]]];
    build(&plan);
    let ward = clearway_scenes::hospital_ward(1);
    plan.polygons =
        ward.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes }).collect();
    plan.walls = ward.walls;
    build(&plan);
}

/// Found by fuzzing: on a coarse grid a wall led through a rounded point crossed another wall.
#[test]
fn walls_bend_by_less_than_a_unit_and_cross_nothing() {
    let outlines: [&[[i32; 2]]; 5] = [
        &[
            [-8, -8],
            [7, -8],
            [3, 7],
            [6, -6],
            [-6, 5],
            [-6, -4],
            [-4, -4],
            [-1, -4],
            [-4, 5],
            [6, -5],
            [-6, 5],
            [-6, -4],
            [-8, -5],
            [4, -6],
            [-4, -8],
        ],
        &[[4, -2], [-2, 2], [2, 3], [5, -8], [-8, -8]],
        &[[5, 5], [-6, 5], [2, 2], [-8, -5], [2, 6], [-5, 2], [6, -5]],
        &[[6, 6], [-8, -2], [5, -6], [-5, 6], [5, 3], [2, 2], [2, -6], [7, 7], [-3, 2], [-8, -8]],
        &[[1, 5], [-5, 6], [-3, 5], [-7, -6], [5, 2], [-6, 2], [-6, -8], [1, 3], [-8, 5], [4, -4], [-8, -8]],
    ];
    for outline in outlines {
        let outline: Vec<[f64; 2]> = outline.iter().map(|point| point.map(f64::from)).collect();
        let mut plan = polygon(&outline, &[]);
        plan.rings = vec![vec![[-1.0, 2.0], [2.0, 3.0], [2.0, -6.0]]];
        for (relax_angle, relax_depth) in [(0.0, 0.0), (0.0, 1.5), (5f64.to_radians(), 1.5), (1.0, 1e6)] {
            for quality in QUALITIES {
                let options = MeshOptions::default()
                    .quality(quality)
                    .relax_angle(relax_angle)
                    .relax_depth(relax_depth)
                    .grid(Some(1.0));
                assert_eq!(options.build(&plan).unwrap().check(), Vec::new(), "{options:?}");
            }
        }
    }
}

/// Found by fuzzing: two portals between the same cells, end to end, of which neither can go alone.
#[test]
fn rows_of_portals_that_nobody_needs_are_removed() {
    let outline = [[30.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0], [0.0, 0.0]];
    let mut plan = polygon(&outline, &[]);
    plan.walls = vec![vec![[3.0, 2.0], [4.0, 6.0], [6.0, 6.0]], vec![[2.0, 4.0], [1.0, 5.0]]];
    for quality in QUALITIES {
        assert_eq!(MeshOptions::default().quality(quality).build(&plan).unwrap().check(), Vec::new());
    }
}
