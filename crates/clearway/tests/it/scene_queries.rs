//! Questions about meshes of scenes: floors that lie over each other are told apart, everywhere.

use crate::generated;
use crate::generated::keeping_all;

use clearway::mesh::CellId;
use clearway::path::verify;
use clearway::{
    Follower, Link, LinkKind, Location, MeshOptions, NavMesh, NoPath, PathQuery, Quality, Scene, WalkRules,
    WalkableSurface, export,
};
use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, KnownScene, bridge, building, car_park, spiral_ramp,
    stacked_floors,
};
use generated::scene_of;

pub fn mesh_of(known: &KnownScene) -> NavMesh {
    let mut scene = scene_of(&known.soup);
    scene.areas.push("asphalt".to_string());
    for part in &mut scene.parts {
        part.area = u8::from(part.material == "Asphalt");
    }
    let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
    MeshOptions::default().quality(Quality::Fast).build(&surface).unwrap()
}

pub fn scenes() -> Vec<(KnownScene, NavMesh)> {
    let known = [
        building(BuildingOptions::default(), 1),
        car_park(CarParkOptions::default()),
        stacked_floors(),
        spiral_ramp(60),
    ];
    known.into_iter().map(|known| (mesh_of(&known), known)).map(|(mesh, known)| (known, mesh)).collect()
}

/// The location of a place of the truth, which must lie on the ground there.
fn at(mesh: &NavMesh, place: [f64; 3]) -> Location {
    let found = mesh.locate(place).unwrap_or_else(|off| panic!("{place:?}: {off}"));
    let [x, y, z] = mesh.place(found);
    assert!((y - place[1]).abs() < 0.3, "{place:?} was found at height {y}");
    assert_eq!([x, z], [place[0], place[2]]);
    found
}

#[test]
fn paths_exist_just_where_places_are_connected() {
    for (known, mesh) in scenes() {
        let connected = known.truth.connected();
        for [from, to] in &connected {
            let query = PathQuery::new(at(&mesh, *from), at(&mesh, *to));
            let path =
                mesh.find_path(&query).unwrap_or_else(|no| panic!("{}: {from:?} {to:?} {no}", known.name));
            assert_eq!(verify(&mesh, &path), Ok(()), "{}: {from:?} {to:?}", known.name);
            check_points(&known.name, &mesh, &path, *from, *to);
            if let Ok(body) = mesh.find_path(&query.radius(0.15)) {
                check_points(&known.name, &mesh, &body, *from, *to);
            }
        }
        assert!(!connected.is_empty() || known.name.contains("stacked"), "{}", known.name);
        for [from, to] in known.truth.apart() {
            // Table tops and seats are too small to be kept: the place found is the floor below.
            let on_ground = |place: [f64; 3]| {
                mesh.locate(place).ok().filter(|found| (mesh.place(*found)[1] - place[1]).abs() < 0.05)
            };
            let (Some(from), Some(to)) = (on_ground(from), on_ground(to)) else { continue };
            assert_eq!(
                mesh.find_path(&PathQuery::new(from, to)),
                Err(NoPath::Disconnected),
                "{}",
                known.name
            );
        }
    }
}

/// The parapets of a bridge hang over the way beneath it, and end in the corner of the one ground: no body is stopped
/// by what is above or below it.
#[test]
fn bodies_pass_over_and_under_bridges() {
    for known in [Approach::Embankment, Approach::Ramp].map(bridge) {
        let mesh = mesh_of(&known);
        let [deck, beside, across] = [[16.0, 3.0, 0.0], [16.0, 0.0, 10.0], [16.0, 0.0, -10.0]];
        for [from, to] in [[deck, beside], [beside, deck], [beside, across], [across, deck]] {
            let (Ok(from), Ok(to)) = (mesh.locate(from), mesh.locate(to)) else { continue };
            for radius in [0.1, 0.45, 1.5] {
                let path = mesh.find_path(&PathQuery::new(from, to).radius(radius)).unwrap();
                assert_eq!(verify(&mesh, &path), Ok(()), "{} {radius}", known.name);
            }
            assert!(mesh.widest_radius(from, to).unwrap() > 1.9, "{}", known.name);
        }
    }
}

/// Two thin posts and a ramp that begins at the floor: a corner that is seen from one end of a portal only counts too.
#[test]
fn bodies_pass_posts_beside_a_ramp_both_ways() {
    let square = |[x, z]: [f64; 2], [w, d]: [f64; 2], rise: f64| {
        [[x, 0.0, z], [x, 0.0, z + d], [x + w, rise, z + d], [x + w, rise, z]]
    };
    let post = |x: f64| [[x, 0.0, 9.98], [x, 0.0, 10.02], [x, 2.0, 10.02], [x, 2.0, 9.98]];
    let floor = square([0.0, 0.0], [12.0, 12.0], 0.0);
    let faces = [floor, post(1.0), post(2.0), square([0.0, 9.0], [3.0, 1.0], 1.5)];
    let triangles = (0..4).flat_map(|face| [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|corner| 4 * face + corner)));
    let scene =
        Scene::from_triangles(faces.concat(), triangles.collect(), vec![0; 8], [("all", "")]).unwrap();
    let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    let [from, to] = [[1.749, 0.0, 6.63], [1.847, 0.0, 10.747]].map(|place| mesh.locate(place).unwrap());
    let length = |from, to| mesh.find_path(&PathQuery::new(from, to).radius(0.3)).unwrap().length;
    assert!((length(from, to) - length(to, from)).abs() < 1e-6);
    // The ramp is open up to where it is a step high, less the unit of the grid that the end is rounded by.
    assert!(length(from, to) < 5.292);
}

/// On any floors: widest radii and paths agree, paths back are as long, and larger bodies walk no shorter.
#[test]
fn laws_of_paths_hold_in_layers() {
    let known = [Approach::Embankment, Approach::Ramp].map(bridge).map(|known| (mesh_of(&known), known));
    let mut broken = Vec::new();
    for (known, mesh) in scenes().into_iter().chain(known.map(|(mesh, known)| (known, mesh))) {
        let places: Vec<Location> = mesh.random_points(11).take(48).collect();
        for pair in places.chunks_exact(2) {
            if let Err(law) = check_laws(&mesh, [pair[0], pair[1]]) {
                let [from, to] = [pair[0], pair[1]].map(|place| mesh.place(place));
                broken.push(format!("{}: from {from:?} to {to:?}: {law}", known.name));
            }
        }
    }
    assert!(broken.is_empty(), "{}:\n{}", broken.len(), broken.join("\n"));
}

fn check_laws(mesh: &NavMesh, [from, to]: [Location; 2]) -> Result<(), String> {
    let find = |from, to, radius| mesh.find_path(&PathQuery::new(from, to).radius(radius));
    let Some(widest) = mesh.widest_radius(from, to) else {
        let is_apart = find(from, to, 0.0) == Err(NoPath::Disconnected);
        return if is_apart { Ok(()) } else { Err("a path though there is no way".to_string()) };
    };
    if find(from, to, 1.001 * widest + 1e-3).is_ok() {
        return Err(format!("a wider body than {widest} gets there"));
    }
    let mut shorter = 0.0;
    for share in [0.0, 0.3, 0.7, 0.999] {
        let radius = share * widest;
        let told = |what: &str| format!("radius {radius} of {widest}: {what}");
        let path = find(from, to, radius).map_err(|no| told(&no.to_string()))?;
        // The judge does not tell apart the floors that have a corner in common, which a point touches.
        if radius > 0.0 {
            verify(mesh, &path).map_err(|law| told(&law))?;
        }
        let points = path.points_in_space(mesh, 0.02);
        let rise = |pair: &[[f64; 3]]| {
            (pair[1][1] - pair[0][1]).abs() - (pair[1][0] - pair[0][0]).hypot(pair[1][2] - pair[0][2])
        };
        if let Some(pair) = points.windows(2).find(|pair| rise(pair) > 0.85) {
            return Err(told(&format!("leaps from {:?} to {:?}", pair[0], pair[1])));
        }
        if path.length < shorter - 1e-6 {
            return Err(told("shorter than for a smaller body"));
        }
        shorter = path.length;
        let back = find(to, from, radius).map_err(|no| told(&format!("back: {no}")))?;
        if (back.length - path.length).abs() > 1e-6 * path.length + 1e-6 {
            return Err(told(&format!("{} m, and back {} m", path.length, back.length)));
        }
    }
    Ok(())
}

/// Points in space start and end right, keep to the ground, and jump by no more than a step, or two of them where a
/// corner of a stair is passed.
fn check_points(name: &str, mesh: &NavMesh, path: &clearway::Path, from: [f64; 3], to: [f64; 3]) {
    let points = path.points_in_space(mesh, 0.02);
    let [first, last] = [points[0], points[points.len() - 1]];
    for (end, point) in [(from, first), (to, last)] {
        let off = (0..3).map(|i| (end[i] - point[i]).powi(2)).sum::<f64>().sqrt();
        assert!(off < 0.3, "{name}: {point:?} instead of {end:?}");
    }
    for pair in points.windows(2) {
        let way = (pair[1][0] - pair[0][0]).hypot(pair[1][2] - pair[0][2]);
        let rise = (pair[1][1] - pair[0][1]).abs();
        assert!(rise <= 0.85 + way * 1.01, "{name}: from {:?} to {:?} in {points:?}", pair[0], pair[1]);
        let middle = [0, 1, 2].map(|i| 0.5 * (pair[0][i] + pair[1][i]));
        let heights = mesh.heights_at(middle[0], middle[2]);
        let off = heights.iter().map(|height| (height - middle[1]).abs()).fold(f64::INFINITY, f64::min);
        assert!(off < 0.45 || way < 1e-3, "{name}: {middle:?} is {off} m off the ground, {heights:?}");
        assert!(way + rise > 1e-9, "{name}: {:?} comes twice", pair[0]);
    }
    assert!(path.length_on_ground(mesh) >= path.length - 1e-9, "{name}");
    let plan: f64 = points.windows(2).map(|p| (p[1][0] - p[0][0]).hypot(p[1][2] - p[0][2])).sum();
    // Chords are a little shorter than their arcs.
    let shortest = path.length * 0.99 - 1e-3;
    assert!((shortest..=path.length + 1e-6).contains(&plan), "{name}: {plan} and {}", path.length);
}

#[test]
fn heights_choose_the_floor() {
    let known = building(BuildingOptions::default(), 1);
    let mesh = mesh_of(&known);
    let places = &known.truth.components[0].places;
    for place in places {
        let found = at(&mesh, *place);
        let above = mesh.locate([place[0], place[1] + 0.9, place[2]]).unwrap();
        assert_eq!(found.cell(), above.cell(), "{place:?}");
        assert_eq!(
            mesh.nearest([place[0], place[1] + 0.2, place[2]], 0.5).map(|l| l.cell()),
            Some(found.cell())
        );
        assert_eq!(mesh.nearest([place[0], place[1] + 1.0, place[2]], 0.1), None);
        // Walking on with plan coordinates stays on the floor.
        let [x, y] = found.position();
        for (dx, dy) in [(0.1, 0.0), (0.0, 0.1), (-0.1, -0.1)] {
            if let Ok(near) = mesh.locate_near([x + dx, y + dy], &found) {
                assert!((mesh.height(near) - place[1]).abs() < 1.0, "{place:?}");
            }
        }
    }
    // The tops of furniture, insides of walls and the roof are floors too; the storeys are 3 m high.
    assert!(mesh.storeys().len() >= 3, "{:?}", mesh.storeys());
    let [low, high] = mesh.bounds().unwrap();
    let off = mesh.locate([low[0] - 5.0, 3.1, -0.5 * (low[1] + high[1])]).unwrap_err();
    let near = off.nearest.unwrap();
    assert!((mesh.height(near) - 3.0).abs() < 0.5, "{off:?} at height {}", mesh.height(near));
    assert!((off.distance - 5.0).abs() < 0.5, "{off:?}");
}

/// Two floors of 6 m by 6 m, the upper one 2.6 m above the lower.
fn two_floors(rules: &WalkRules) -> clearway::Result<NavMesh> {
    let corners =
        [0.0, 2.6].into_iter().flat_map(|y| [[0.0, y, 0.0], [0.0, y, 6.0], [6.0, y, 6.0], [6.0, y, 0.0]]);
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let scene = Scene::from_triangles(corners.collect(), triangles, vec![0; 4], [("floors", "")])?;
    MeshOptions::default().build(&WalkableSurface::extract(&scene, rules)?)
}

#[test]
fn eyes_belong_to_the_floor_below() {
    let mesh = two_floors(&keeping_all()).unwrap();
    let height = |y: f64| mesh.height(mesh.locate([3.0, y, 3.0]).unwrap());
    // At the height of eyes the floor above is nearer, but one cannot stand on it; a step up one can.
    for (given, floor) in [(0.0, 0.0), (1.6, 0.0), (2.0, 0.0), (2.3, 2.6), (4.5, 2.6), (-0.3, 0.0)] {
        assert!((height(given) - floor).abs() < 1e-3, "{given} went to {}", height(given));
    }
    // Without a floor to stand on one is off the mesh, and told which is nearest.
    for (given, floor, away) in [(-7.0, 0.0, 7.0), (-0.5, 0.0, 0.5), (9.0, 2.6, 6.4), (4.7, 2.6, 2.1)] {
        let off = mesh.locate([3.0, given, 3.0]).unwrap_err();
        assert!((off.distance - away).abs() < 1e-3, "{given}: {off:?}");
        assert!((mesh.height(off.nearest.unwrap()) - floor).abs() < 1e-3);
    }
    // What is nearest in space stays so.
    let near = mesh.nearest([3.0, 1.6, 3.0], 3.0).unwrap();
    assert!((mesh.height(near) - 2.6).abs() < 1e-3);
    assert_eq!((mesh.body_height(), mesh.max_step()), (Some(2.0), Some(0.4)));
}

#[test]
fn seeds_and_links_at_the_height_of_eyes_take_the_floor_below() {
    let seeded = keeping_all().seeds(vec![[3.0, 1.6, 3.0]]);
    let lower = two_floors(&seeded).unwrap();
    assert_eq!(lower.heights_at(1.0, 1.0), [0.0]);
    let mut mesh = two_floors(&keeping_all()).unwrap();
    let lift = Link::new("lift", LinkKind::Lift, [1.0, 1.6, 1.0], [1.0, 4.0, 1.0]);
    mesh.add_links(&[lift], 2.0).unwrap();
    let ends = mesh.links().map(|link| [link.from[1], link.to[1]]).next().unwrap();
    assert!(ends[0].abs() < 1e-3 && (ends[1] - 2.6).abs() < 1e-3, "{ends:?}");
}

/// The mesh of four-cornered faces, each given from above counter-clockwise.
fn mesh_of_faces(faces: &[[[f64; 3]; 4]]) -> NavMesh {
    let halves = |n: u32| [[4 * n, 4 * n + 1, 4 * n + 2], [4 * n, 4 * n + 2, 4 * n + 3]];
    let triangles: Vec<[u32; 3]> = (0..faces.len() as u32).flat_map(halves).collect();
    let parts = vec![0; triangles.len()];
    let scene = Scene::from_triangles(faces.concat(), triangles, parts, [("faces", "")]).unwrap();
    let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// A level rectangle between two corners of the ground plane.
fn level([x, z]: [f64; 2], [far_x, far_z]: [f64; 2], y: f64) -> [[f64; 3]; 4] {
    [[x, y, z], [x, y, far_z], [far_x, y, far_z], [far_x, y, z]]
}

/// Stairs whose side lies right over the edge of the floor above: paths of points turn right back at their foot, to the
/// left or to the right.
#[test]
fn points_turn_back_at_the_foot_of_stairs_to_either_hand() {
    let step = |i: u32| {
        let x = 1.0 + 0.3 * f64::from(i);
        level([x, 2.0], [x + 0.3, 3.5], 0.3 * f64::from(i + 1))
    };
    let mut all: Vec<_> = (0..8).map(step).collect();
    all.push(level([0.0, 0.0], [8.0, 8.0], 0.0));
    let upper = [([0.0, 0.0], [8.0, 2.0]), ([3.4, 2.0], [8.0, 3.5]), ([0.0, 3.5], [8.0, 8.0])];
    all.extend(upper.map(|(from, to)| level(from, to, 2.4)));
    let mesh = mesh_of_faces(&all);
    for to in [[1.72, 2.4, 0.97], [5.0, 2.4, 1.0], [1.72, 2.4, 5.0]] {
        let [from, to] = [[6.3, 0.0, 3.9], to].map(|place| at(&mesh, place));
        for (from, to) in [(from, to), (to, from)] {
            let path = mesh.find_path(&PathQuery::new(from, to)).unwrap();
            let points = path.points_in_space(&mesh, 0.0);
            let ends = [points[0], points[points.len() - 1]].map(|point| point[1]);
            assert_eq!(ends, [from, to].map(|end| mesh.height(end)), "{points:?}");
            assert_eq!(path.cells.last(), Some(&to.cell()));
        }
    }
}

/// A ramp whose side lies right under the edge of the floor above, which it leads to: where a path turns at its corner,
/// heights are those of the ramp and of the floor below, never of the one above.
#[test]
fn heights_at_corners_of_ramps_are_of_the_floor_that_one_walks_on() {
    let mesh = mesh_of_faces(&[
        level([0.0, 0.0], [8.0, 8.0], 0.0),
        [[2.0, 0.0, 4.5], [2.0, 0.0, 6.0], [5.0, 2.4, 6.0], [5.0, 2.4, 4.5]],
        level([0.0, 0.0], [8.0, 4.5], 2.4),
        level([0.0, 6.0], [8.0, 8.0], 2.4),
        level([5.0, 4.5], [8.0, 6.0], 2.4),
    ]);
    let [top, foot] = [[4.78125, 2.4, 4.28125], [6.53125, 0.0, 7.40625]].map(|place| at(&mesh, place));
    for (from, to) in [(top, foot), (foot, top)] {
        let points = mesh.find_path(&PathQuery::new(from, to)).unwrap().points_in_space(&mesh, 0.001);
        let steps = points.windows(2).map(|pair| {
            let way = (pair[1][0] - pair[0][0]).hypot(pair[1][2] - pair[0][2]);
            (pair[1][1] - pair[0][1]).abs() - way
        });
        assert!(steps.fold(0.0, f64::max) < 0.41, "{points:?}");
    }
}

/// Ground that winds up beside itself, all in one piece: along the cliff two faces are as near, and each cell has its own.
#[test]
fn ground_that_touches_itself_higher_up_has_both_heights() {
    let mesh = mesh_of_faces(&[
        level([-4.0, 0.0], [0.0, 4.0], 0.0),
        level([-4.0, 4.0], [0.0, 6.0], 0.0),
        [[0.0, 0.0, 4.0], [0.0, 0.0, 6.0], [2.0, 1.0, 6.0], [2.0, 1.0, 4.0]],
        level([2.0, 4.0], [4.0, 6.0], 1.0),
        level([2.0, 0.0], [4.0, 4.0], 1.0),
        level([0.0, 0.0], [2.0, 4.0], 1.0),
    ]);
    assert_eq!((mesh.component_count(), mesh.check()), (1, Vec::new()));
    for z in [0.5, 1.0, 2.0, 3.5] {
        assert_eq!(mesh.heights_at(0.0, z), [0.0, 1.0], "at {z}");
    }
    for x in [0.25, 0.5, 1.0] {
        assert_eq!(mesh.heights_at(x, 4.0), [0.5 * x, 1.0], "at {x}");
    }
}

/// The nearest place in space by trying many.
#[test]
fn nearest_places_in_space_are_nearest() {
    for known in [spiral_ramp(60), building(BuildingOptions { storeys: 2, rooms_x: 1, rooms_z: 1 }, 3)] {
        let mesh = mesh_of(&known);
        let samples: Vec<[f64; 3]> =
            mesh.random_points(5).take(4000).map(|place| mesh.place(place)).collect();
        let far = |p: [f64; 3], q: [f64; 3]| (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt();
        for (number, sample) in samples.iter().take(60).enumerate() {
            let off = [0.7, 1.9, -0.8, -1.3][number % 4];
            let point = [sample[0] + off, sample[1] + 0.7 * off, sample[2] - off];
            let near = mesh.nearest(point, f64::INFINITY).unwrap();
            let distance = far(mesh.place(near), point);
            let best = samples.iter().map(|sample| far(*sample, point)).fold(f64::INFINITY, f64::min);
            assert!(distance <= best + 1e-3, "{}: {point:?}: {distance} but {best}", known.name);
            assert!(mesh.nearest(point, distance + 1e-3).is_some());
            assert_eq!(mesh.nearest(point, distance - 1e-2), None);
        }
    }
}

#[test]
fn a_spiral_is_as_long_as_its_turns() {
    let known = spiral_ramp(60);
    let mesh = mesh_of(&known);
    let places = &known.truth.components[0].places;
    let [first, last] = [places[0], places[places.len() - 1]].map(|place| at(&mesh, place));
    let path = mesh.find_path(&PathQuery::new(first, last)).unwrap();
    let [low, high] = [mesh.height(first), mesh.height(last)];
    assert!(high - low > 2.0, "{low} {high}");
    // Around the inner edge for as many turns as the points in space make.
    let points = path.points_in_space(&mesh, 0.01);
    let turned: f64 = points.windows(2).map(|p| turn([p[0][0], p[0][2]], [p[1][0], p[1][2]])).sum();
    let inner = points.iter().map(|p| p[0].hypot(p[2])).fold(f64::INFINITY, f64::min);
    assert!(path.length >= 0.95 * inner * turned.abs(), "{} {inner} {turned}", path.length);
    assert!(turned.abs() > std::f64::consts::PI, "{turned}");
    assert!(points.windows(2).all(|p| p[1][1] >= p[0][1] - 1e-3), "it only climbs");
    // A body that follows it does not skip a turn.
    let mut follower = Follower::new(path.clone());
    let mut here = first;
    for _ in 0..4000 {
        let steering = follower.update(&mesh, here);
        assert!(!steering.lost);
        if steering.arrived {
            break;
        }
        let [x, y] = here.position();
        let [dx, dy] = [steering.target[0] - x, steering.target[1] - y];
        let step = 0.1f64.min(dx.hypot(dy)) / dx.hypot(dy).max(1e-12);
        here = mesh.move_along(here, [x + dx * step, y + dy * step], 0.0);
    }
    assert!((mesh.height(here) - high).abs() < 0.3, "{} and not {high}", mesh.height(here));
}

fn turn(from: [f64; 2], to: [f64; 2]) -> f64 {
    (from[0] * to[1] - from[1] * to[0]).atan2(from[0] * to[0] + from[1] * to[1])
}

#[test]
fn walls_of_other_floors_are_not_seen() {
    let known = car_park(CarParkOptions::default());
    let mesh = mesh_of(&known);
    for place in mesh.random_points(3).take(200) {
        let height = mesh.height(place);
        let clearance = mesh.clearance(place).unwrap();
        for wall in mesh.walls_near(place, clearance + 1e-6) {
            let own = mesh.mean_height(wall.cell).unwrap();
            assert!((own - height).abs() < 1.8, "{place:?} at {height} sees a wall at {own}");
        }
        // A disc that fits can be moved by nothing at all without a wall in the way.
        let hit = mesh.raycast(place, place.position(), clearance * 0.99).unwrap();
        assert!(hit.reached(), "{place:?}");
        // The nearest clear place stays on the floor.
        let radius = clearance + 0.3;
        let query = PathQuery::new(place, place).radius(radius).snap(2.0);
        if let Ok(path) = mesh.find_path(&query) {
            let start = path.points_in_space(&mesh, 0.01)[0];
            assert!((start[1] - height).abs() < 1.6, "{place:?} at {height} went to {start:?}");
        }
        let [x, y, z] = mesh.place(place);
        if let Some(clear) = mesh.nearest_clear([x, y, z], radius, 2.0) {
            assert!(mesh.clearance(clear).unwrap() >= radius);
            assert!((mesh.height(clear) - y).abs() < 1.6);
        }
    }
}

#[test]
fn files_keep_the_ground() {
    for (known, mesh) in scenes() {
        let bytes = mesh.encode();
        let read = NavMesh::decode(&bytes).unwrap();
        assert_eq!(read, mesh, "{}", known.name);
        assert_eq!(read.encode(), bytes);
        for place in mesh.random_points(1).take(100) {
            assert_eq!(read.place(place), mesh.place(place));
        }
        assert_eq!(read.area_names(), ["ground", "asphalt"]);
        assert!(read.cells().zip(mesh.cells()).all(|(p, q)| p.area_class() == q.area_class()));
    }
}

#[test]
fn exports_have_true_heights() {
    for (known, mesh) in scenes() {
        let rise = |text: &str| {
            let heights =
                text.lines().filter_map(|line| line.strip_prefix("v ")?.split(' ').nth(1)?.parse().ok());
            heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], y: f64| [low.min(y), high.max(y)])
        };
        let cells = export::to_obj(&mesh);
        let faces = cells.lines().filter(|line| line.starts_with("f ")).count();
        assert_eq!(faces, mesh.cell_count(), "{}", known.name);
        let ground = export::ground_to_obj(&mesh);
        let ([low, high], [bottom, top]) = (rise(&cells), rise(&ground));
        assert!(
            (low - bottom).abs() < 0.5 && (high - top).abs() < 0.5 && top - bottom > 2.0,
            "{}",
            known.name
        );
        for (group, cell) in ground.split("\ng cell_").skip(1).zip(mesh.cells()) {
            let [low, high] = mesh.height_range(cell.id()).unwrap();
            let faces = group.matches("\nf ").count();
            assert!(faces == 1 || (faces > 1 && high - low > 5e-4), "{}: {faces} faces", known.name);
        }
        // The ground of all cells is as large as the cells.
        let area = obj_area(&ground);
        assert!((area - mesh.area()).abs() < 1e-3 * mesh.area(), "{}: {area} {}", known.name, mesh.area());
    }
}

/// Stairs of many treads beside a floor: patches that only touch a cell along a side bound nothing, and their faces came out
/// whole.
#[test]
fn ground_is_cut_to_cells_of_which_patches_touch_only_a_side() {
    let data = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("CLEARWAY_DATA").map_or(data, std::path::PathBuf::from).join("scenes");
    for file in ["nav_test.obj", "navcat_proto-level.glb", "hospital3.obj"] {
        let Ok(scene) = Scene::load(data.join(file)) else {
            eprintln!("skipped: {file} is not there");
            continue;
        };
        let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
        let mesh = MeshOptions::default().build(&surface).unwrap();
        let area = obj_area(&export::ground_to_obj(&mesh));
        assert!((area - mesh.area()).abs() < 1e-4 * mesh.area(), "{file}: {area} is not {}", mesh.area());
    }
}

/// A deck in one cell rises between its ends: its corners alone lie flat.
#[test]
fn heights_of_cells_are_those_of_their_ground() {
    let line = [[0.0, 1.0], [6.0, 3.0], [12.0, 1.0]];
    let corners = line.iter().flat_map(|[x, y]| [[*x, *y, 0.0], [*x, *y, 3.0]]).collect();
    let triangles = vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
    let scene = Scene::from_triangles(corners, triangles, vec![0; 4], [("hump", "")]).unwrap();
    let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    assert_eq!(mesh.cell_count(), 1);
    let cell = mesh.cells().next().unwrap().id();
    assert!((mesh.mean_height(cell).unwrap() - 2.0).abs() < 1e-3);
    let [low, high] = mesh.height_range(cell).unwrap();
    assert!((low - 1.0).abs() < 1e-3 && (high - 3.0).abs() < 1e-3, "{low} to {high}");
    assert!(export::ground_to_obj(&mesh).contains("v 6 3 0\n"));
    assert_eq!((mesh.mean_height(CellId(7)), mesh.height_range(CellId(7))), (None, None));
}

/// The area of all faces in projection.
fn obj_area(text: &str) -> f64 {
    let numbers = |line: &str| line.split(' ').skip(1).map(|n| n.parse::<f64>().unwrap()).collect::<Vec<_>>();
    let vertices: Vec<Vec<f64>> = text.lines().filter(|line| line.starts_with("v ")).map(numbers).collect();
    let face = |line: &str| {
        let ring: Vec<&Vec<f64>> = numbers(line).iter().map(|n| &vertices[*n as usize - 1]).collect();
        let next = ring.iter().cycle().skip(1);
        0.5 * ring.iter().zip(next).map(|(a, b)| a[2] * b[0] - a[0] * b[2]).sum::<f64>()
    };
    text.lines().filter(|line| line.starts_with("f ")).map(face).sum()
}
