//! Doorways between floors that end on both sides of a wall.

use crate::generated::keeping_all;
use clearway::{MeshOptions, PathQuery, Scene, WalkableSurface};

type Quad = [[f64; 3]; 4];

fn floor([x0, x1]: [f64; 2], [z0, z1]: [f64; 2], y: f64) -> Quad {
    [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]
}

fn wall(x: f64, [z0, z1]: [f64; 2], [y0, y1]: [f64; 2]) -> Quad {
    [[x, y0, z0], [x, y0, z1], [x, y1, z1], [x, y1, z0]]
}

/// The end of a wall that shows in a doorway.
fn jamb([x0, x1]: [f64; 2], z: f64) -> Quad {
    [[x0, 0.0, z], [x1, 0.0, z], [x1, 2.6, z], [x0, 2.6, z]]
}

/// Turns quads by an angle and rounds them to so many decimals.
fn turned(quads: &[Quad], angle: f64, decimals: i32) -> Scene {
    let (sin, cos) = angle.sin_cos();
    let rounded = |c: f64| (c * 10f64.powi(decimals)).round() / 10f64.powi(decimals);
    let corner = |[x, y, z]: [f64; 3]| [cos * x - sin * z, y, sin * x + cos * z].map(rounded);
    let corners: Vec<[f64; 3]> = quads.iter().flatten().map(|place| corner(*place)).collect();
    let halves = |quad: usize| [[0, 1, 2], [0, 2, 3]].map(|half| half.map(|i| 4 * quad as u32 + i));
    let triangles: Vec<[u32; 3]> = (0..quads.len()).flat_map(halves).collect();
    let part_of = vec![0; triangles.len()];
    Scene::from_triangles(corners, triangles, part_of, [("all", "")]).unwrap()
}

/// The widest body that gets from a room of 4 m by 4 m to the next one, and how many pieces there are.
fn widest(quads: &[Quad], gap: f64, angle: f64, decimals: i32) -> (f64, usize) {
    let rules = keeping_all().gap(gap);
    let surface = WalkableSurface::extract(&turned(quads, angle, decimals), &rules).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    assert!(mesh.check().is_empty());
    let (sin, cos) = angle.sin_cos();
    let [one, other] =
        [2.0, 6.0].map(|x| mesh.locate([cos * x - sin * 2.0, 0.0, sin * x + cos * 2.0]).unwrap());
    (mesh.widest_radius(one, other).unwrap_or(0.0), surface.report().component_count)
}

/// Two rooms with a wall of this thickness and a doorway of 0.9 m.
fn rooms(thickness: f64, kind: usize) -> Vec<Quad> {
    let far = 4.0 + thickness;
    let floors = vec![floor([0.0, 4.0], [0.0, 4.0], 0.0), floor([far, 8.0], [0.0, 4.0], 0.0)];
    [floors, wall_with_door(thickness, kind)].concat()
}

/// A wall with a doorway of 0.9 m, drawn on both sides of the gap, on one, as boxes, or in its middle.
fn wall_with_door(thickness: f64, kind: usize) -> Vec<Quad> {
    let far = 4.0 + thickness;
    let mut quads = Vec::new();
    let places = [vec![4.0, far], vec![4.0], vec![4.0, far], vec![4.0 + 0.5 * thickness]];
    for x in places[kind].clone() {
        quads.extend([[0.0, 1.5], [2.4, 4.0]].map(|z| wall(x, z, [0.0, 2.6])));
        quads.push(wall(x, [1.5, 2.4], [2.1, 2.6]));
    }
    if kind == 2 {
        quads.extend([1.5, 2.4].map(|z| jamb([4.0, far], z)));
    }
    quads
}

#[test]
fn doorways_in_thin_walls_are_bridged() {
    for (thickness, gap) in [(0.02, 0.03), (0.05, 0.06), (0.15, 0.2)] {
        for kind in 0..3 {
            for turn in 0..12 {
                let quads = rooms(thickness, kind);
                let (widest, pieces) = widest(&quads, gap, 0.37 * f64::from(turn), 4);
                assert_eq!(pieces, 1, "wall of {thickness} m, kind {kind}, turn {turn}");
                assert!((widest - 0.45).abs() < 0.004, "{thickness} m, kind {kind}, turn {turn}: {widest}");
            }
        }
    }
}

/// Tiles on both sides of the wall, with seams in the doorway and beside it: rims that were cut at seams, or drawn together
/// at some of their corners, left doors narrower than they are, or shut.
#[test]
fn doorways_between_tiles_are_as_wide_as_they_are_drawn() {
    let tiles = |x: [f64; 2], width: f64| {
        let count = (4.0 / width).ceil() as usize;
        (0..count)
            .map(|i| floor(x, [i as f64 * width, (4.0f64).min((i + 1) as f64 * width)], 0.0))
            .collect::<Vec<Quad>>()
    };
    let mut wrong = Vec::new();
    for (thickness, gap) in [(0.01, 0.03), (0.02, 0.06), (0.05, 0.06), (0.02, 0.2), (0.15, 0.2)] {
        for (kind, turn) in (0..4).flat_map(|kind| (0..8).map(move |turn| (kind, turn))) {
            for (left, right) in [(0.7, 1.1), (1.63, 0.81), (0.6, 4.0)] {
                let floors = [tiles([0.0, 4.0], left), tiles([4.0 + thickness, 8.0], right)].concat();
                let quads = [floors, wall_with_door(thickness, kind)].concat();
                let (widest, pieces) = widest(&quads, gap, 0.37 * f64::from(turn), 4);
                let case =
                    format!("{thickness} m, gap {gap}, kind {kind}, turn {turn}, tiles {left} {right}");
                if pieces != 1 || (widest - 0.45).abs() >= 0.01 {
                    wrong.push(format!("{case}: {pieces} pieces, {widest}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A wall stands before a part of the gap only: the free end alone was drawn over, and a wedge kept the floors apart.
#[test]
fn gaps_beside_posts_are_bridged() {
    for length in [0.5, 1.5, 2.4] {
        let quads = [
            floor([0.0, 4.0], [0.0, 4.0], 0.0),
            floor([4.02, 8.0], [0.0, 4.0], 0.0),
            wall(4.0, [0.0, length], [0.0, 2.6]),
        ];
        for turn in 0..12 {
            let (widest, pieces) = widest(&quads, 0.03, 0.37 * f64::from(turn), 4);
            let free = 0.5 * (4.0 - length);
            assert_eq!(pieces, 1, "{length} m, turn {turn}");
            assert!((widest - free).abs() < 0.01, "{length} m, turn {turn}: {widest}");
        }
    }
}

/// A corridor that is as wide as its mouth, with walls at one or both corners: nothing stands in the gap, but at its ends.
#[test]
fn gaps_that_end_at_walls_are_bridged() {
    for (far, walls) in [(4.003, 1), (4.003, 2), (4.01, 1), (4.01, 2), (4.025, 1), (4.025, 2)] {
        let mut quads = vec![floor([0.0, 4.0], [1.5, 2.5], 0.0), floor([far, 8.0], [0.0, 4.0], 0.0)];
        for (along, end) in [([0.0, 1.5], 1.5), ([2.5, 4.0], 2.5)].into_iter().take(walls) {
            quads.extend([wall(far, along, [0.0, 2.6]), wall(3.9, along, [0.0, 2.6]), jamb([3.9, far], end)]);
        }
        for turn in 0..12 {
            let (widest, pieces) = widest(&quads, 0.03, 0.37 * f64::from(turn), 4);
            assert_eq!(pieces, 1, "gap to {far}, {walls} walls, turn {turn}");
            assert!((widest - 0.5).abs() < 0.01, "gap to {far}, {walls} walls, turn {turn}: {widest}");
        }
    }
}

/// A doorway narrower than a gap lets nobody pass. Nothing is bridged where the wall is whole.
#[test]
fn walls_without_doorways_stay_closed() {
    let floors = [floor([0.0, 4.0], [0.0, 4.0], 0.0), floor([4.02, 8.0], [0.0, 4.0], 0.0)];
    for x in [4.0, 4.01, 4.02] {
        let whole = [floors.to_vec(), vec![wall(x, [0.0, 4.0], [0.0, 2.6])]].concat();
        let low = [floors.to_vec(), vec![wall(x, [0.0, 4.0], [1.5, 2.6])]].concat();
        for turn in 0..12 {
            assert_eq!(widest(&whole, 0.03, 0.37 * f64::from(turn), 4).1, 2);
            assert_eq!(widest(&low, 0.03, 0.37 * f64::from(turn), 4).1, 2);
        }
    }
}

/// A threshold of its own in the doorway, walls that reach below the floor, corners rounded to millimetres.
#[test]
fn thresholds_meet_the_floors_of_both_rooms() {
    let mut quads = vec![floor([0.0, 4.0], [0.0, 4.0], 0.0), floor([4.2, 8.0], [0.0, 4.0], 0.0)];
    quads.push(floor([4.0, 4.2], [1.5, 2.4], 0.05));
    for x in [4.0, 4.2] {
        quads.extend([[0.0, 1.5], [2.4, 4.0]].map(|z| wall(x, z, [-0.1, 2.6])));
    }
    quads.extend([1.5, 2.4].map(|z| jamb([4.0, 4.2], z)));
    let wrong = (0..100).filter(|turn| {
        let (widest, pieces) = widest(&quads, 0.03, 0.0628 * f64::from(*turn), 3);
        pieces != 1 || (widest - 0.45).abs() > 0.006
    });
    let wrong: Vec<i32> = wrong.collect();
    assert!(wrong.len() <= 4, "{wrong:?}");
}

/// Rows of tiles on both sides of a gap, a wall in its middle, and a door just as wide as a tile: the corners at the jambs met
/// across the gap and drew the tiles beside them through the wall.
#[test]
fn doors_between_tiles_open_no_wall_beside_them() {
    for far in [1.01, 1.02] {
        let tile = |number: i32| [0.8 * f64::from(number), 0.8 * f64::from(number + 1)];
        let rows = (0..10)
            .flat_map(|number| [floor([0.0, 1.0], tile(number), 0.0), floor([far, 2.0], tile(number), 0.0)]);
        let mut quads: Vec<Quad> = rows.collect();
        quads.extend([[0.0, 4.0], [4.8, 8.0]].map(|z| wall(0.5 * (1.0 + far), z, [0.0, 3.0])));
        let scene = turned(&quads, 0.0, 9);
        let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
        let mesh = MeshOptions::default().build(&surface).unwrap();
        assert_eq!((surface.report().component_count, mesh.check()), (1, Vec::new()));
        for z in [3.0, 3.8, 5.0, 5.1, 6.2] {
            let [start, goal] = [0.7, 1.3].map(|x| mesh.locate([x, 0.0, z]).unwrap());
            let path = mesh.find_path(&PathQuery::new(start, goal).radius(0.1)).unwrap();
            assert!(path.length > 0.65, "beside the door at {z}: {}", path.length);
        }
    }
}
