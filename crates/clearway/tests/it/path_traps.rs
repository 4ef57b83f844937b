//! The traps that searches for discs fall into, one by one, each on a small plan with a length that is known: in closed
//! form, or from brute force. All are tried at every quality, there and back, with every law of a path.

use crate::judging;

use clearway::path::{Place, verify};
use clearway::{NoPath, PathQuery, Piece, Quality};
use clearway_compare::TangentGraph;
use clearway_scenes::{Family, turn_back};
use judging::{QUALITIES, Tally, distance, mesh_of, meshes, plan_of, query};
use std::f64::consts::{FRAC_PI_2, PI};

/// Holds queries on all meshes of a plan against all laws and brute force; the lengths on the last mesh.
fn judge(wkt: &str, ends: &[[[f64; 2]; 2]], radii: &[f64]) -> Vec<Option<f64>> {
    let mut tally = Tally::default();
    let mut lengths = Vec::new();
    for (number, mesh) in meshes(wkt).iter().enumerate() {
        lengths.clear();
        for radius in radii {
            let oracle = TangentGraph::at(mesh, *radius).unwrap();
            for ends in ends {
                let [start, goal] = ends.map(|end| mesh.locate(end).unwrap());
                let name = format!("{:?}", QUALITIES[number]);
                lengths.push(tally.judge(&name, mesh, Some(&oracle), &query(start, goal, *radius)));
            }
        }
    }
    tally.finish("trap");
    lengths
}

fn assert_length(found: Option<f64>, expected: f64) {
    let near = found.is_some_and(|found| (found - expected).abs() <= 1e-7 * expected);
    assert!(near, "{found:?} and not {expected}");
}

fn one(wkt: &str, from: [f64; 2], to: [f64; 2], radius: f64) -> Option<f64> {
    judge(wkt, &[[from, to]], &[radius])[0]
}

/// The way around one corner; `free` is the angle from start to goal as seen from it, on the side of the path.
fn around_free(corner: [f64; 2], from: [f64; 2], to: [f64; 2], free: f64, radius: f64) -> f64 {
    let [a, b] = [from, to].map(|end| distance(corner, end));
    let tangents = [a, b].map(|far| (far * far - radius * radius).sqrt());
    tangents[0] + tangents[1] + radius * (free - (radius / a).acos() - (radius / b).acos())
}

/// T1: a vertex of the cell clips a ray only beyond the corner, or the goal, that it reaches before.
#[test]
fn t01_clipped_beyond_the_target() {
    // A pocket whose far corner is nearer to the rays than the radius, just after the goal and the near corner.
    let wkt =
        "POLYGON ((0 0, 12 0, 12 3, 10.2 3, 10 5.2, 9.8 3, 7 3, 7 4, 12 7, 12 10, 0 10, 0 7, 5 4, 5 3, 0 3))";
    let ends = [[[2.0, 1.5], [2.0, 8.5]], [[10.5, 1.4], [6.0, 3.5]], [[10.0, 1.4], [3.0, 8.0]]];
    let ends = [&ends[..], &[[[8.2, 1.45], [6.0, 5.4]], [[11.0, 8.4], [1.5, 1.4]]]].concat();
    let lengths = judge(wkt, &ends, &[0.0, 0.3, 0.7, 0.95, 0.99]);
    assert!(lengths.iter().filter(|length| length.is_some()).count() >= 15, "{lengths:?}");
}

/// T2: corners in one line, where tangents coincide with the bounds of beams.
#[test]
fn t02_walls_in_line() {
    // Five teeth of equal length; the way leads past all of their ends, along them.
    let wkt = "POLYGON ((0 0, 13 0, 13 8, 11 8, 11 4, 10 4, 10 8, 9 8, 9 4, 8 4, 8 8, 7 8, 7 4, 6 4, 6 8, 5 8, 5 4, \
               4 4, 4 8, 3 8, 3 4, 2 4, 2 8, 0 8))";
    for radius in [0.0, 0.25, 0.5] {
        let far = 1f64.hypot(2.0);
        let turn = FRAC_PI_2 + 2f64.atan2(1.0) - (radius / far).acos();
        let half = (far * far - radius * radius).sqrt() + radius * turn;
        assert_length(one(wkt, [1.0, 6.0], [12.0, 6.0], radius), 2.0 * half + 9.0);
    }
    judge(wkt, &[[[1.0, 6.0], [5.5, 7.0]], [[3.5, 7.0], [9.5, 7.0]]], &[0.0, 0.2, 0.45]);
}

/// T2 on a plan where it went wrong: corners nearly in line, of which some are passed and not touched.
#[test]
fn t02_walls_nearly_in_line() {
    let mut tally = Tally::default();
    for (family, size, seed, from, to) in [
        (
            Family::Combs,
            14,
            1,
            [33.99919110629047, 26.793927479001376],
            [4.630622993086957, 19.83916333947304],
        ),
        (
            Family::Slivers,
            24,
            2,
            [1.6997978228654738, 37.44144276655572],
            [11.404671850994234, 5.652334043913596],
        ),
    ] {
        for quality in QUALITIES {
            let mesh = mesh_of(&plan_of(&family.draw(size, seed).scaled(1.0, 0.3, [0.0, 0.0])), quality);
            let [start, goal] = [from, to].map(|end| mesh.locate(end).unwrap());
            for radius in [0.0, 0.05, 0.4, 0.95, 1.2] {
                let oracle = TangentGraph::at(&mesh, radius).unwrap();
                tally.judge(family.name(), &mesh, Some(&oracle), &query(start, goal, radius));
            }
        }
    }
    tally.finish("nearly in line");
}

/// T3: start and goal on every portal and on every vertex.
#[test]
fn t03_ends_on_portals_and_vertices() {
    let wkt = "POLYGON ((0 0, 16 0, 16 12, 0 12), (3 3, 6 3, 6 9, 3 9), (9 2, 13 4, 10 9))";
    for mesh in meshes(wkt) {
        let mut tally = Tally::default();
        let mut ends: Vec<[f64; 2]> = mesh
            .portals()
            .flat_map(|portal| {
                let [a, b] = portal.vertices.map(|vertex| mesh.position(vertex).unwrap());
                [0.0, 0.3, 0.5, 1.0].map(|t| [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])])
            })
            .filter(|end| mesh.locate(*end).is_ok())
            .collect();
        ends.dedup();
        for radius in [0.0, 0.5, 1.0] {
            let oracle = TangentGraph::at(&mesh, radius).unwrap();
            for (number, from) in ends.iter().enumerate() {
                for to in ends.iter().skip(number % 5).step_by(5) {
                    let [start, goal] = [from, to].map(|end| mesh.locate(*end).unwrap());
                    tally.judge("on portals", &mesh, Some(&oracle), &query(start, goal, radius));
                }
            }
        }
        tally.finish("ends on portals and vertices");
    }
}

/// T4: a body turns half around the end of a wall; sides it has passed lie behind the rays that leave.
#[test]
fn t04_sides_behind_the_place_of_touch() {
    let wall = "GEOMETRYCOLLECTION (POLYGON ((0 0, 8 0, 8 8, 0 8)), LINESTRING (4 0, 4 4))";
    assert_length(one(wall, [3.0, 2.0], [5.0, 2.0], 1.0), 4.0 + PI);
    assert_length(one(wall, [3.0, 1.0], [5.0, 2.5], 1.0), 4.5 + PI);
    // A wide room around a spike whose cells all meet at its tip.
    let spike = "POLYGON ((0 0, 9 0, 10 6, 11 0, 20 0, 20 12, 0 12))";
    let ends = [[[8.0, 2.0], [12.0, 2.0]], [[9.0, 8.0], [12.5, 3.0]], [[7.5, 2.5], [18.0, 10.0]]];
    judge(spike, &ends, &[0.0, 0.3, 1.0, 1.8]);
}

/// T5: two ways to one corner, of which the longer is better placed for what follows.
#[test]
fn t05_arrivals_are_compared_at_one_place() {
    let wkt = "POLYGON ((0 0, 20 0, 20 14, 0 14), (4 5, 8 5, 8 9, 4 9), (9.5 2, 12 2, 12 7, 9.5 7), (13 9, 16 8, 16 12))";
    let ends = [
        [[1.5, 7.0], [18.5, 7.5]],
        [[2.0, 4.5], [18.0, 9.0]],
        [[1.5, 9.5], [14.0, 6.5]],
        [[6.0, 3.0], [17.5, 12.0]],
    ];
    judge(wkt, &ends, &[0.0, 0.4, 0.7, 0.74]);
}

/// T6: the place of touch lies several cells away from the corner.
#[test]
fn t06_bodies_larger_than_cells() {
    // A round pillar of many corners in a round room of many corners.
    let ring = |radius: f64, count: u32| {
        let point = |i: u32| {
            let angle = f64::from(i) / f64::from(count) * 2.0 * PI;
            format!("{} {}", radius * angle.cos(), radius * angle.sin())
        };
        (0..count).map(point).collect::<Vec<_>>().join(", ")
    };
    let wkt = format!("POLYGON (({}), ({}))", ring(10.0, 48), ring(1.0, 24));
    let ends = [[[-5.5, 0.1], [5.5, 0.0]], [[0.3, 5.5], [-0.2, -5.6]], [[-5.0, 2.0], [4.0, -3.0]]];
    judge(&wkt, &ends, &[0.0, 0.5, 2.0, 4.0, 4.3]);
}

/// T7: a body swings through a pocket that is a dead end: pruning what leads nowhere is wrong for it.
#[test]
fn t07_swinging_through_a_pocket() {
    // A corridor whose lower wall has a spike opposite to a pocket in the upper wall.
    let wkt = "POLYGON ((0 0, 9 0, 10 2.2, 11 0, 20 0, 20 3, 12.5 3, 12.5 6, 7.5 6, 7.5 3, 0 3))";
    let lengths = judge(wkt, &[[[2.0, 1.5], [18.0, 1.5]]], &[0.2, 0.5, 1.0, 1.2]);
    assert!(lengths.iter().all(Option::is_some), "{lengths:?}");
    // The same where the pocket is a room with a door of its own, closed at both sides.
    let wkt = "GEOMETRYCOLLECTION (POLYGON ((0 0, 20 0, 20 6, 0 6)), LINESTRING (0 3, 8 3), LINESTRING (12 3, 20 3), \
               LINESTRING (10 0, 10 2), LINESTRING (7 6, 7 5), LINESTRING (8 3, 8 6), LINESTRING (12 3, 12 6))";
    let lengths = judge(wkt, &[[[2.0, 1.5], [18.0, 1.5]], [[2.0, 1.2], [17.0, 1.4]]], &[0.4, 0.7, 1.0]);
    assert!(lengths.iter().all(Option::is_some), "{lengths:?}");
}

/// T7: the scene after figure 7.23 of the thesis: the body crosses the corridor twice.
#[test]
fn t07_turning_back() {
    let mut tally = Tally::default();
    for quality in QUALITIES {
        let mesh = mesh_of(&plan_of(&turn_back()), quality);
        let [start, goal] = [[2.5, 1.5], [9.5, 1.5]].map(|end| mesh.locate(end).unwrap());
        for radius in [0.0, 0.3, 0.6, 0.624, 0.626, 0.8, 1.0, 1.374, 1.376] {
            let oracle = TangentGraph::at(&mesh, radius).unwrap();
            let length = tally.judge("turn back", &mesh, Some(&oracle), &query(start, goal, radius));
            assert_eq!(length.is_some(), radius <= 1.375, "{radius}");
            assert!(length.is_none_or(|length| (length > 14.0) == (radius > 0.625)), "{radius}: {length:?}");
        }
    }
    tally.finish("turn back");
}

/// T8: something near a corner leaves only parts of its circle free.
#[test]
fn t08_partly_free_arcs() {
    // The corner at (4, 4), with a small pillar in front of it.
    let wkt = "POLYGON ((0 4, 4 4, 4 0, 10 0, 10 10, 0 10), (6.4 6.4, 6.8 6.4, 6.8 6.8, 6.4 6.8))";
    let ends = [[[1.3, 5.3], [5.3, 1.3]], [[1.3, 8.0], [8.0, 1.4]], [[2.0, 8.5], [5.4, 3.0]]];
    judge(wkt, &ends, &[0.0, 0.5, 1.0, 1.2, 1.29]);
}

/// T9: the gap between a corner and the middle of a wall.
#[test]
fn t09_gaps_beside_the_middle_of_a_wall() {
    let wkt = "POLYGON ((0 0, 20 0, 20 10, 11 10, 10 2, 9 10, 0 10))";
    let ends = [[[4.0, 5.0], [16.0, 5.0]]];
    let lengths = judge(wkt, &ends, &[0.5, 0.99, 1.01]);
    assert_eq!(lengths.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
}

/// T10: obstacles that touch in a point, where nothing passes.
#[test]
fn t10_touching_obstacles() {
    let wkt = "POLYGON ((0 0, 20 0, 20 20, 0 20), (4 4, 10 4, 10 10, 4 10), (10 10, 16 10, 16 16, 10 16))";
    let ends = [[[3.0, 16.0], [16.0, 3.0]], [[9.0, 11.0], [11.0, 9.0]], [[10.0, 10.0], [3.0, 3.0]]];
    let lengths = judge(wkt, &ends, &[0.0, 0.5, 0.9]);
    // Past (4, 10), around the lower box, and back in.
    assert_length(lengths[1], 2.0 * 26f64.sqrt() + 12.0);
}

/// T11: start or goal closer to a wall than the radius: refused, or moved as far as the query allows.
#[test]
fn t11_ends_too_close_to_a_wall() {
    for mesh in meshes("POLYGON ((0 0, 10 0, 10 6, 0 6))") {
        let [close, free] = [[0.5, 3.0], [7.0, 3.0]].map(|end| mesh.locate(end).unwrap());
        let refused = mesh.find_path(&query(close, free, 1.0));
        assert_eq!(refused, Err(NoPath::TooClose { place: Place::Start, clearance: 0.5 }));
        let refused = mesh.find_path(&query(free, close, 1.0));
        assert_eq!(refused, Err(NoPath::TooClose { place: Place::Goal, clearance: 0.5 }));
        for (snap, moves) in [(0.4, false), (0.6, true)] {
            let path = mesh.find_path(&query(close, free, 1.0).snap(snap));
            assert_eq!(path.is_ok(), moves, "{path:?}");
            assert!(path.is_err() || (path.unwrap().length - 6.0).abs() < 1e-6);
        }
    }
}

/// T13: far from the origin the length is as exact as the coordinates are.
#[test]
fn t13_a_million_metres_away() {
    let near = "POLYGON ((0 4, 4 4, 4 0, 8 0, 8 8, 0 8))";
    let far = "POLYGON ((1000000 1000004, 1000004 1000004, 1000004 1000000, 1000008 1000000, 1000008 1000008, 1000000 1000008))";
    let free = FRAC_PI_2 + 2.0 * (FRAC_PI_2 - (1f64 / 3.0).atan());
    for radius in [0.0, 0.25, 0.9] {
        let [from, to] = [[1.0, 5.0], [5.0, 1.0]];
        let expected = around_free([4.0, 4.0], from, to, free, radius);
        assert_length(one(near, from, to, radius), expected);
        let [from, to] = [from, to].map(|end| end.map(|c| c + 1e6));
        assert_length(one(far, from, to, radius), expected);
    }
}

/// T15: hard queries are searched to the end: a spiral with many turns, and a goal that cannot be reached.
#[test]
fn t15_no_limit_ends_a_search_early() {
    for quality in QUALITIES {
        let mesh = mesh_of(&plan_of(&Family::Spirals.draw(400, 1)), quality);
        let mut places = mesh.random_points(3);
        for _ in 0..20 {
            let [start, goal] = [(); 2].map(|()| places.next().unwrap());
            for radius in [0.0, 0.2] {
                let answer = mesh.find_path(&query(start, goal, radius));
                let fits = mesh.widest_radius(start, goal).is_some_and(|widest| radius <= widest);
                assert_eq!(answer.is_ok(), fits, "{start:?} {goal:?} {radius}: {answer:?}");
            }
        }
    }
}

/// T16: rays along walls, through vertices and over many cells come to an end.
#[test]
fn t16_rays_end() {
    for family in [Family::Mazes, Family::CollinearRuns, Family::Slivers, Family::TouchingHoles] {
        let mesh = mesh_of(&plan_of(&family.draw(60, 2)), QUALITIES[1]);
        let vertices: Vec<[f64; 2]> =
            mesh.cells().flat_map(|cell| cell.outline().collect::<Vec<_>>()).collect();
        for (number, from) in vertices.iter().enumerate() {
            let start = mesh.locate(*from).unwrap();
            for to in vertices.iter().skip(number % 7).step_by(7) {
                let hit = mesh.raycast(start, *to, 0.0).unwrap();
                assert!(hit.distance <= distance(*from, *to) * (1.0 + 1e-9), "{from:?} {to:?}: {hit:?}");
            }
        }
    }
}

/// The ends of thin walls have cones of half a turn; a body turns all the way around one.
#[test]
fn ends_of_thin_walls() {
    let wkt =
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 12 0, 12 8, 0 8)), LINESTRING (4 0, 4 5), LINESTRING (8 8, 8 3))";
    let ends = [[[2.0, 2.0], [10.0, 6.0]], [[3.0, 1.0], [9.0, 7.0]], [[4.0, 5.0], [8.0, 3.0]]];
    let lengths = judge(wkt, &ends, &[0.0, 0.5, 1.0, 1.4]);
    assert_length(lengths[2], 20f64.sqrt());
}

/// Straight where nothing is in the way, whatever the radius.
#[test]
fn straight_lines() {
    for mesh in meshes("POLYGON ((0 0, 8 0, 8 6, 0 6))") {
        let [start, goal] = [[1.0, 1.0], [7.0, 5.0]].map(|end| mesh.locate(end).unwrap());
        for radius in [0.0, 0.5, 1.0] {
            let path = mesh.find_path(&query(start, goal, radius)).unwrap();
            assert!(matches!(path.pieces[..], [Piece::Segment { .. }]), "{path:?}");
            assert_length(Some(path.length), 52f64.sqrt());
        }
    }
}

/// A large body that starts beside a corner which no cell on its way has.
#[test]
fn t06_corners_of_no_cell_on_the_way() {
    let mut tally = Tally::default();
    for quality in QUALITIES {
        let mesh = mesh_of(&plan_of(&Family::Circles.draw(8, 0).scaled(1.0, 0.3, [0.0, 0.0])), quality);
        let ends = [[20.320752384440823, 34.309218197994674], [4.692361558841993, 17.567540261153706]];
        let [start, goal] = ends.map(|end| mesh.locate(end).unwrap());
        let radius = 3.135785837173462;
        let oracle = TangentGraph::at(&mesh, radius).unwrap();
        let length = tally.judge("circles", &mesh, Some(&oracle), &query(start, goal, radius));
        assert_length(length, 22.97963239908427);
    }
    tally.finish("corners of no cell on the way");
}

/// A plan, two places, a radius, and the length of the shortest path between them.
type Wrong = (&'static str, [[f64; 2]; 2], f64, f64);

/// Holds queries that were answered wrongly once against brute force, at every quality, there and back.
fn assert_mended(cases: &[Wrong]) {
    for (wkt, ends, radius, right) in cases {
        for mesh in meshes(wkt) {
            let [start, goal] = ends.map(|end| mesh.locate(end).unwrap());
            let oracle = TangentGraph::at(&mesh, *radius).unwrap();
            for [start, goal] in [[start, goal], [goal, start]] {
                assert_length(oracle.find_path(&mesh, start, goal).map(|path| path.length), *right);
                let path = mesh.find_path(&query(start, goal, *radius)).unwrap();
                assert_length(Some(path.length), *right);
                verify(&mesh, &path).unwrap();
            }
        }
    }
}

/// T4: rays of one turn that have an end of the side ahead, and others that have it behind. A beam ran through a wall.
#[test]
fn t04_ends_of_sides_ahead_and_behind() {
    let walls = "GEOMETRYCOLLECTION(POLYGON((0 0,20 0,20 20,0 20,0 0)),LINESTRING(12 7,14 9,12 8),\
                 LINESTRING(6 10,10 12.4),LINESTRING(14 14,12 16,17 14,10 11))";
    let pillars = "POLYGON((0 0,16 0,16 16,0 15.62,0 0),(10.2 7.8,10.36 7.33,10 9,10.2 7.8),\
                   (12 6,13 6,12.5 7.8,12 6),(11 6.6,13 7,10.6 7.5,11 6.6))";
    assert_mended(&[
        (walls, [[4.0, 18.0], [16.0, 1.0]], 0.8, 22.236865998681896),
        (pillars, [[3.0, 4.0], [12.9, 7.4]], 0.23, 12.051166197796105),
    ]);
}

/// T4 in a beam: a vertex of the cell lies behind the rays that enter it, and blocks nothing. The way was not found.
#[test]
fn t04_vertices_behind_a_beam() {
    let wkt = "GEOMETRYCOLLECTION(POLYGON((0 0,5 -15,20 -10,15 5,0 0)),LINESTRING(5.748 -7.112,6.3 -8.6),\
               LINESTRING(4.5 -3.4,5 -4.9),LINESTRING(4.99 -4.9,5.4945 -6.3727),LINESTRING(4 -2,5 -4),\
               LINESTRING(3 -6,4 -5))";
    assert_mended(&[(wkt, [[16.0, -8.0], [4.0, -4.0]], 0.39, 13.813899630914538)]);
}

/// T2: the end of one wall and the next corner are off one line by a billionth: the near one hid the far one.
#[test]
fn t02_a_corner_beyond_the_cell_and_one_in_it() {
    let wkt = "GEOMETRYCOLLECTION(POLYGON((0 0,19.1 6,13.2 25,-6 19,0 0)),\
               LINESTRING(8 14,16.082751846757134 12.302239350444694),LINESTRING(6 13,10 6),\
               LINESTRING(9.897244236963996 18.762850436804182,12.989998041860567 15.532544893624438,6 13),\
               LINESTRING(7 11,3 2),LINESTRING(7 7,4 1),LINESTRING(6 4,3 7))";
    let ends = [[0.00340285409351182, 19.10335838742899], [7.457423585311355, 7.18416277971182]];
    assert_mended(&[(wkt, ends, 0.48223624034218476, 32.169557306577765)]);
}

/// A corner behind a bare vertex kept nobody from passing too close to it, and what arrived so was earlier than what
/// arrived rightly. And: a turning body passes one bare vertex twice, before and after which it is on its left.
#[test]
fn bare_vertices_hide_nothing() {
    let behind = "GEOMETRYCOLLECTION(POLYGON((0 0,20 0,20 20,0 20,0 0)),LINESTRING(11 13,12 13),\
                  LINESTRING(19.8 17,19.9 9),LINESTRING(11 11,8.3 11.6,8 9),LINESTRING(11.9 13.5,12.7 14.5),\
                  LINESTRING(8 17.2,10 15),LINESTRING(11.7 13.4,9 12.5),LINESTRING(13 14,13 13.8),\
                  LINESTRING(6 17,8 17),LINESTRING(15 17,13.8 14.5))";
    let twice = "GEOMETRYCOLLECTION(POLYGON((0 0,20 0,20 20,0 20,0 0)),LINESTRING(4 15.5,4.1 15.54,3.7 15,4 16),\
                 LINESTRING(1 16,0.7 15.9,1.32 16.17,1 16),LINESTRING(0.2 15.5,0.5 16),\
                 LINESTRING(7.87 7.3,7.9 7.36,8 7.5),LINESTRING(10 3.85,7.4 8.8),LINESTRING(1.5 19.8,9.5 19.9),\
                 LINESTRING(10 10.5,8 9),LINESTRING(14 2.5,14.1 2.1,13.97 2,14 2.5),LINESTRING(3 19.8,0.1 16),\
                 LINESTRING(6 0.5,6.5 0.1),LINESTRING(8.5 11,6 12,11 9.5,8.5 11),LINESTRING(2.5 19.5,6.5 10.5),\
                 LINESTRING(9.5 3.5,17 7,2 2))";
    let ends = [
        [[18.42178503163119, 1.7715963029361648], [10.592313717488585, 13.713872396247087]],
        [[15.93155391815904, 3.2723222000868724], [12.078177641094396, 14.930812593469193]],
    ];
    assert_mended(&[
        (behind, ends[0], 0.527080098968298, 19.5165280392497),
        (twice, ends[1], 1.49985, 14.878038079310706),
    ]);
}

/// A portal that ends within another one, just where a wall beside it ends: there the wall was overlooked.
#[test]
fn bare_vertices_are_no_peaks() {
    let wkt = "GEOMETRYCOLLECTION(POLYGON((0 0,20 0,20 20,0 20,0 0)),LINESTRING(14 9,13 9),LINESTRING(20 20,19.9 19.9),\
               LINESTRING(7 4,7 0.1),LINESTRING(13 8.7,13.2 8.8),LINESTRING(5.05 14.57,5 14.5),LINESTRING(1 8,0.5 7))";
    for mesh in meshes(wkt) {
        let ends = [[4.024554660345974, 14.234532181015322], [12.647802351275905, 14.828778178860347]];
        let [start, goal] = ends.map(|end| mesh.locate(end).unwrap());
        assert_length(mesh.widest_radius(start, goal), 1.0109236240386963);
    }
}

/// A query on a plan turned by an angle, with its right length.
struct Bare {
    plan: (Family, usize, u64, f64),
    quality: Quality,
    ends: [[f64; 2]; 2],
    radius: f64,
    right: f64,
}

/// All from some 67 000 queries; each was answered wrongly once, in one direction.
const BARE: [Bare; 4] = [
    Bare {
        plan: (Family::ConvexObstacles, 60, 100, 0.3),
        quality: Quality::Best,
        ends: [[29.140287399291992, 91.5036735534668], [36.72907436152984, 56.45879538746772]],
        radius: 4.074497451782227,
        right: 37.380243610519244,
    },
    Bare {
        plan: (Family::SelfIntersecting, 60, 101, 0.3),
        quality: Quality::Best,
        ends: [[49.09037905898023, 84.53466972356836], [30.84153524201325, 37.25176540796492]],
        radius: 1.3,
        right: 51.59616478718878,
    },
    Bare {
        plan: (Family::Spikes, 35, 103, 0.0),
        quality: Quality::Best,
        ends: [[36.31083606381204, 0.7086371642059177], [78.53537847900665, 20.534908937344902]],
        radius: 3.300234746932983,
        right: 47.142240881874685,
    },
    Bare {
        plan: (Family::Circles, 35, 105, 0.3),
        quality: Quality::Best,
        ends: [[18.973417282104492, 11.298301696777344], [-1.2886950863754159, 50.59331634744115]],
        radius: 1.6024201476573945,
        right: 55.358222998048156,
    },
];

/// Vertices at which no wall stands, where portals end within others, are in nobody's way: not beside a turning disc,
/// not behind it, and not under its start.
#[test]
fn bare_vertices_block_nothing() {
    for Bare { plan: (family, size, seed, angle), quality, ends, radius, right } in BARE {
        let mesh = mesh_of(&plan_of(&family.draw(size, seed).scaled(1.0, angle, [0.0, 0.0])), quality);
        let [start, goal] = ends.map(|end| mesh.locate(end).unwrap());
        let length = |query: &PathQuery| mesh.find_path(query).ok().map(|path| path.length);
        assert_length(length(&query(start, goal, radius)), right);
        assert_length(length(&query(goal, start, radius)), right);
    }
}

/// Paths whose length is right, but whose cells lose their way: along a thin wall on its wrong face, or past corners
/// nearly in line. Plan, start and goal; a point each.
const KNOWN_CELLS: [(Family, usize, u64, [[f64; 2]; 2]); 2] = [
    (
        Family::ThinWalls,
        35,
        103,
        [[7.114147818962817, 12.350656343571268], [29.460716124416955, 56.64139461476332]],
    ),
    (
        Family::Combs,
        60,
        102,
        [[3.8548189704252103, 53.706079646777226], [49.76700836156477, 38.513373786743685]],
    ),
];

#[test]
fn known_wrong_cells() {
    for (family, size, seed, ends) in KNOWN_CELLS {
        let drawing = family.draw(size, seed).scaled(1.0, 0.3, [0.0, 0.0]);
        let mesh = mesh_of(&plan_of(&drawing), Quality::Default);
        let [start, goal] = ends.map(|end| mesh.locate(end).unwrap());
        let path = mesh.find_path(&query(start, goal, 0.0)).unwrap();
        assert_ne!(path.cells.last(), Some(&goal.cell()), "{}: mended", family.name());
    }
}
