//! Paths on a mesh that changes: `is_valid` and `repair` against a judge that looks at everything.

#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_base::progress::NoProgress;
use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};
use clearway_nav::path::{LinkUse, Place, verify};
use clearway_nav::{NavMesh, NoPath, Path, PathQuery, Piece};
use clearway_scenes::Random;
use clearway_world::plan::{Plan, PlanPolygon};

/// What the judge cannot tell from touching, in metres. Coordinates are whole millimetres or finer.
const DOUBT: f64 = 1e-5;

/// A hall with random blocks, some of which touch and cross.
fn any_plan(random: &mut Random) -> Plan {
    let block = |random: &mut Random| {
        let [x, y] = [random.range(1.0, 26.0), random.range(1.0, 17.0)];
        let [w, h] = [random.range(0.4, 4.0), random.range(0.4, 4.0)];
        let lean = random.range(-0.5, 0.5);
        vec![[x, y], [x + w, y + lean], [x + w, y + h], [x + lean, y + h]]
    };
    let holes = (0..8).map(|_| block(random)).collect();
    let outline = vec![[0.0, 0.0], [30.0, 0.0], [30.0, 20.0], [0.0, 20.0]];
    Plan { polygons: vec![PlanPolygon { outline, holes }], ..Plan::default() }
}

/// A shape near a place, so that edits lie beside paths.
fn shape_near(random: &mut Random, at: [f64; 2]) -> Shape {
    let centre = at.map(|c| c + random.range(-1.5, 1.5));
    match random.below(3) {
        0 => Shape::Disc { centre, radius: random.range(0.1, 0.9), sides: 8 },
        1 => Shape::Segment([centre, centre.map(|c| c + random.range(-2.0, 2.0))]),
        _ => {
            let size = [random.range(0.2, 3.0), random.range(0.2, 2.0)];
            Shape::Box { centre, size, turn: random.range(0.0, 3.0) }
        }
    }
}

/// Distance from a point to a segment.
fn off(p: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let [way, to] = [[b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]];
    let length = way[0] * way[0] + way[1] * way[1];
    let t = if length > 0.0 { ((to[0] * way[0] + to[1] * way[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    (to[0] - t * way[0]).hypot(to[1] - t * way[1])
}

/// All walls of a mesh.
fn walls(mesh: &NavMesh) -> Vec<[[f64; 2]; 2]> {
    let sides = mesh.cells().flat_map(|cell| cell.sides()).filter(|side| side.portal.is_none());
    sides.map(|side| [side.from, side.to].map(|vertex| mesh.position(vertex).unwrap())).collect()
}

/// Twice the area of a triangle.
fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// True if some cell holds a point.
fn is_on(mesh: &NavMesh, p: [f64; 2]) -> bool {
    mesh.cells().any(|cell| {
        let corners: Vec<[f64; 2]> = cell.outline().collect();
        (0..corners.len()).all(|i| area(corners[i], corners[(i + 1) % corners.len()], p) >= -1e-9)
    })
}

/// The judge: the least distance of all pieces to all walls, minus the radius; far below zero if a piece crosses a wall
/// or leaves the mesh.
fn judge(mesh: &NavMesh, path: &Path) -> f64 {
    let walls = walls(mesh);
    if !is_on(mesh, path.start) {
        let near = walls.iter().map(|wall| off(path.start, *wall)).fold(f64::INFINITY, f64::min);
        return -near;
    }
    let mut least = f64::INFINITY;
    for piece in &path.pieces {
        for wall in &walls {
            least = least.min(between(piece, *wall));
        }
    }
    if path.pieces.is_empty() {
        least = walls.iter().map(|wall| off(path.start, *wall)).fold(least, f64::min);
    }
    least - path.radius
}

/// The distance between a piece and a wall; below zero, how far the wall is crossed.
fn between(piece: &Piece, [c, d]: [[f64; 2]; 2]) -> f64 {
    if let Piece::Segment { from, to } = *piece {
        let [s, t] = [area(c, d, from), area(c, d, to)].map(|a| a / off_length(c, d));
        let [u, v] = [area(from, to, c), area(from, to, d)].map(|a| a / off_length(from, to));
        if s * t < 0.0 && u * v < 0.0 {
            return -s.abs().min(t.abs()).min(u.abs()).min(v.abs());
        }
        let ends = [off(from, [c, d]), off(to, [c, d]), off(c, [from, to]), off(d, [from, to])];
        return ends.into_iter().fold(f64::INFINITY, f64::min);
    }
    let steps = 2000;
    let along = |step: i32| piece.place_at(piece.length() * f64::from(step) / f64::from(steps));
    (0..=steps).map(|step| off(along(step), [c, d])).fold(f64::INFINITY, f64::min)
}

fn off_length(a: [f64; 2], b: [f64; 2]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1]).max(1e-12)
}

/// Judges a path after an edit and repairs it. Counts valid, invalid, repaired and lost ones.
fn look(mesh: &NavMesh, path: &Path, counts: &mut [usize; 4]) {
    let (room, is_valid) = (judge(mesh, path), path.is_valid(mesh));
    // A point touches walls; what counts is that it does not cross them.
    let sure = if path.radius > 0.0 { room.abs() > DOUBT } else { room < -DOUBT };
    if sure {
        assert_eq!(is_valid, room > 0.0, "room {room} of radius {} from {:?}", path.radius, path.start);
    }
    assert_eq!(is_valid, is_on(mesh, path.start) && verify(mesh, path).is_ok(), "the judge of all walls");
    counts[usize::from(!is_valid)] += 1;
    let ends = [path.start, path.goal].map(|end| mesh.locate(end));
    let best = match ends {
        [Ok(start), Ok(goal)] => {
            mesh.find_path(&PathQuery::new(start, goal).radius(path.radius).snap(1e-3 * path.radius))
        }
        [Err(_), _] => Err(NoPath::OffMesh { place: Place::Start }),
        _ => Err(NoPath::OffMesh { place: Place::Goal }),
    };
    match (path.repair(mesh, &LinkUse::All), best) {
        (Ok(way), Ok(best)) => {
            assert!(verify(mesh, &way).is_ok() && way.is_valid(mesh), "{:?}", verify(mesh, &way));
            assert!(judge(mesh, &way) > -DOUBT, "a repaired path is {} too close", judge(mesh, &way));
            assert!(way.length >= best.length - 1e-3 * path.radius - 1e-6, "{} {}", way.length, best.length);
            for pair in way.cells.windows(2).zip(&way.portals) {
                let portal = mesh.portal(*pair.1).unwrap();
                assert!(pair.0.iter().all(|cell| portal.cells.contains(cell)), "cells of this mesh");
            }
            counts[2] += usize::from(!is_valid);
        }
        (Err(why), Err(other)) => {
            assert_eq!(why.code(), other.code());
            counts[3] += 1;
        }
        (way, best) => panic!("repaired {way:?}, but searched {best:?}"),
    }
}

#[test]
fn validity_and_repair_agree_with_a_judge_of_everything() {
    let mut counts = [0; 4];
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let plan = any_plan(&mut random);
        let mesh = MeshOptions::default().build(&plan).unwrap();
        let mut live = LiveMesh::new(mesh).unwrap();
        for _ in 0..12 {
            let before = live.mesh().clone();
            let places: Vec<_> = before.random_points(random.below(1 << 30) as u64).take(8).collect();
            let paths = places.chunks_exact(2).flat_map(|ends| {
                [0.0, 0.2, 0.5]
                    .map(|radius| before.find_path(&PathQuery::new(ends[0], ends[1]).radius(radius)))
            });
            let paths: Vec<Path> = paths.flatten().collect();
            let Some(some) = paths.get(random.below(paths.len().max(1))) else { continue };
            let at = some.points(0.1)[random.below(some.points(0.1).len())];
            let shape = shape_near(&mut random, at);
            let edit = Edit::Add(Obstacle { shape, anchor: Anchor::default() });
            if live.apply(&edit).is_err() {
                continue;
            }
            live.mesh().prepare_clearance(&mut NoProgress).unwrap();
            for path in &paths {
                assert!(path.is_valid(&before));
                look(live.mesh(), path, &mut counts);
            }
        }
    }
    let [valid, invalid, repaired, lost] = counts;
    assert!(valid > 300 && invalid > 100 && repaired > 50 && lost > 20, "{counts:?}");
    println!("valid {valid}, invalid {invalid}, repaired {repaired}, lost {lost}");
}

#[test]
fn a_path_sees_a_wall_beside_its_cells() {
    let outline = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 4.0], [0.0, 4.0]];
    let mesh = MeshOptions::default().build(&Plan::from_rings([outline])).unwrap();
    let ends = [[1.0, 1.0], [19.0, 1.0]].map(|at| mesh.locate(at).unwrap());
    let path = |radius| mesh.find_path(&PathQuery::new(ends[0], ends[1]).radius(radius)).unwrap();
    let [point, disc] = [path(0.0), path(0.4)];
    let mut live = LiveMesh::new(mesh.clone()).unwrap();
    let shape = Shape::Box { centre: [10.0, 2.0], size: [1.0, 1.4], turn: 0.0 };
    live.apply(&Edit::Add(Obstacle { shape, anchor: Anchor::default() })).unwrap();
    assert!(point.is_valid(live.mesh()), "0.3 m off the box");
    assert!(!disc.is_valid(live.mesh()), "needs 0.4 m");
    let around = disc.repair(live.mesh(), &LinkUse::All).unwrap();
    assert!(around.length > 18.0 && around.length < 18.1, "{}", around.length);
    assert_eq!(verify(live.mesh(), &around), Ok(()));
}

/// Right after an edit clearances are stale. A search must not wait for them, and must answer as if it had.
#[test]
fn paths_of_discs_do_not_wait_for_clearance() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..10 {
        let mut random = Random::new(400 + seed);
        let mesh = MeshOptions::default().build(&any_plan(&mut random)).unwrap();
        mesh.prepare_clearance(&mut NoProgress).unwrap();
        let mut live = LiveMesh::new(mesh).unwrap();
        for number in 0..10 {
            let at = live.mesh().random_point(seed * 100 + number).unwrap().position();
            let edit = Edit::Add(Obstacle { shape: shape_near(&mut random, at), anchor: Anchor::default() });
            if live.apply(&edit).is_err() {
                continue;
            }
            let ready = (**live.mesh()).clone();
            ready.prepare_clearance(&mut NoProgress).unwrap();
            for pair in ready.random_points(number).take(12).collect::<Vec<_>>().chunks_exact(2) {
                let widest = ready.widest_radius(pair[0], pair[1]).unwrap_or(0.1);
                for radius in [0.2, 0.5, 0.999 * widest, 1.001 * widest] {
                    for partial in [false, true] {
                        let query = PathQuery::new(pair[0], pair[1]).radius(radius).partial(partial);
                        let stale = (**live.mesh()).clone();
                        assert!(!stale.has_ready_clearance());
                        let answers = [&stale, &ready].map(|mesh| mesh.find_path(&query));
                        let waited = stale.has_ready_clearance();
                        match answers {
                            [Ok(one), Ok(other)] => {
                                let gap = (one.length - other.length).abs();
                                assert!(gap < 1e-9 && one.complete == other.complete, "{gap}");
                                assert!(!waited || !one.complete, "a path that was found waited");
                                found += 1;
                            }
                            [Err(one), Err(other)] => {
                                assert_eq!(one.code(), other.code(), "{query:?}");
                                none += 1;
                            }
                            [one, other] => panic!("{query:?}: {one:?}, but {other:?} once ready"),
                        }
                    }
                }
            }
        }
    }
    println!("{found} paths, {none} without");
    assert!(found > 1000 && none > 300, "{found} {none}");
}
