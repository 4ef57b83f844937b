use super::*;
use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};
use clearway_nav::path::{PathQuery, Piece};
use clearway_world::Scene;
use clearway_world::plan::{Plan, PlanFormat};

/// An L of two corridors, two wide, with a corner at (4, 4); and a room behind a wall.
const PLAN: &str = "POLYGON ((0 4, 4 4, 4 0, 6 0, 6 6, 0 6))";

fn mesh(wkt: &str) -> NavMesh {
    let plan = Plan::parse(PlanFormat::Wkt, wkt).unwrap();
    MeshOptions::default().build(&plan).unwrap()
}

fn path(mesh: &NavMesh, from: [f64; 2], to: [f64; 2], radius: f64) -> Path {
    let [start, goal] = [from, to].map(|at| mesh.locate(at).unwrap());
    mesh.find_path(&PathQuery::new(start, goal).radius(radius)).unwrap()
}

/// Walks towards the targets in small steps; how far it came to the goal.
fn walk(mesh: &NavMesh, follower: &mut Follower, mut at: Location, step: f64) -> f64 {
    let mut walked = 0.0;
    for _ in 0..10_000 {
        let steering = follower.update(mesh, at);
        assert!(!steering.lost, "lost at {at:?}");
        if steering.arrived {
            return walked;
        }
        let (from, to) = (vector(at.position()), vector(steering.target));
        let far = from.distance(to);
        assert!(far > 0.0, "nowhere to go at {at:?}: {steering:?}");
        let next = from + (to - from) * (step / far).min(1.0);
        let hit = mesh.raycast(at, [next.x, next.y], follower.path.radius).unwrap();
        assert!(hit.reached(), "{at:?} to {next:?} for {steering:?}");
        walked += far.min(step);
        at = hit.at;
    }
    panic!("never arrived: {at:?}");
}

#[test]
fn a_lone_body_walks_the_length_of_its_path() {
    let mesh = mesh(PLAN);
    for radius in [0.0, 0.3, 0.8] {
        for look_ahead in [0.0, 0.5, 3.0] {
            let path = path(&mesh, [1.0, 5.0], [5.0, 1.0], radius);
            let length = path.length;
            let options = FollowerOptions::default().look_ahead(look_ahead);
            let mut follower = Follower::with_options(path, options);
            let walked = walk(&mesh, &mut follower, mesh.locate([1.0, 5.0]).unwrap(), 0.01);
            assert!(
                (walked - length).abs() < 0.03 * length,
                "{walked} and {length} at {radius}, {look_ahead}"
            );
        }
    }
}

#[test]
fn the_next_corner_comes_first() {
    let mesh = mesh(PLAN);
    let mut follower = Follower::new(path(&mesh, [1.0, 5.0], [5.0, 1.0], 0.0));
    let steering = follower.update(&mesh, mesh.locate([1.0, 5.0]).unwrap());
    assert_eq!(steering.target, [4.0, 4.0]);
    assert!((steering.distance_left - 2.0 * 10f64.sqrt()).abs() < 1e-9);
    let steering = follower.update(&mesh, mesh.locate([4.0, 4.0]).unwrap());
    assert_eq!(steering.target, [5.0, 1.0]);
}

#[test]
fn places_along_arcs_are_exact() {
    let mesh = mesh(PLAN);
    let follower = Follower::new(path(&mesh, [1.0, 5.0], [5.0, 1.0], 0.5));
    let [_, Piece::Arc { center, turn, .. }, _] = follower.path.pieces[..] else { panic!() };
    for share in [0.0, 0.3, 1.0] {
        let at = follower.place_at(follower.path.pieces[0].length() + share * 0.5 * turn.abs());
        assert!((vector(at).distance(vector(center)) - 0.5).abs() < 1e-9);
    }
    assert_eq!(follower.place_at(1e9), [5.0, 1.0]);
    assert_eq!(follower.place_at(-1.0), [1.0, 5.0]);
}

#[test]
fn pushed_sideways_it_goes_on_from_there() {
    let mesh = mesh(PLAN);
    let mut follower = Follower::new(path(&mesh, [1.0, 5.0], [5.0, 1.0], 0.3));
    follower.update(&mesh, mesh.locate([1.0, 5.0]).unwrap());
    let pushed = mesh.locate([2.0, 5.6]).unwrap();
    let steering = follower.update(&mesh, pushed);
    assert!(!steering.lost && follower.progress() > 0.5);
    let walked = walk(&mesh, &mut follower, pushed, 0.01);
    assert!(walked < follower.path.length + 0.5);
}

#[test]
fn pushed_past_a_corner_it_does_not_turn_back() {
    let mesh = mesh(PLAN);
    let mut follower = Follower::new(path(&mesh, [1.0, 5.0], [5.0, 1.0], 0.3));
    follower.update(&mesh, mesh.locate([1.0, 5.0]).unwrap());
    let pushed = mesh.locate([4.9, 2.5]).unwrap();
    let steering = follower.update(&mesh, pushed);
    assert!(!steering.lost && steering.distance_left < 2.0, "{steering:?}");
    assert_eq!(steering.target, [5.0, 1.0]);
    // Back again: progress is not taken back, but the corner hides what comes.
    let back = follower.update(&mesh, mesh.locate([1.0, 5.0]).unwrap());
    assert!(back.lost);
}

#[test]
fn in_another_room_it_is_lost() {
    let mesh = mesh("GEOMETRYCOLLECTION (POLYGON ((0 0, 8 0, 8 8, 0 8)), LINESTRING (4 0, 4 7))");
    let mut follower = Follower::new(path(&mesh, [1.0, 1.0], [3.0, 5.0], 0.2));
    assert!(!follower.update(&mesh, mesh.locate([1.0, 1.0]).unwrap()).lost);
    let other = mesh.locate([7.0, 1.0]).unwrap();
    let steering = follower.update(&mesh, other);
    assert!(steering.lost && !steering.arrived);
    assert_eq!(steering.target, [7.0, 1.0]);
    // A location of another mesh is no place here.
    let elsewhere = Location::in_cell(clearway_nav::mesh::CellId(1 << 20), [1.0, 1.0]);
    assert!(follower.update(&mesh, elsewhere).lost);
}

#[test]
fn a_path_to_where_one_stands_has_arrived() {
    let mesh = mesh(PLAN);
    let mut follower = Follower::new(path(&mesh, [1.0, 5.0], [1.0, 5.0], 0.0));
    let steering = follower.update(&mesh, mesh.locate([1.0, 5.0]).unwrap());
    assert!(steering.arrived && steering.distance_left == 0.0);
}

/// Steps until the body arrives; how many steps it took.
fn steps(mesh: &NavMesh, path: Path, start: Location, step: f64) -> usize {
    let (length, mut follower, mut at) = (path.length, Follower::new(path), start);
    let most = (length / step).ceil() as usize + 2;
    for count in 1..=most {
        let moved = follower.step(mesh, at, step);
        assert!(!moved.lost, "lost after {count} steps at {:?}", moved.point);
        at = moved.at;
        if moved.arrived {
            return count;
        }
    }
    panic!("not there after {most} steps of {step} m, {length} m");
}

/// Bodies were lost beside stairs and stood still before arcs when steps headed for corners in sight.
#[test]
fn steps_arrive_on_stairs_and_around_corners() {
    let scenes = [
        clearway_scenes::building(clearway_scenes::BuildingOptions::default(), 1).soup,
        clearway_scenes::stacked_floors().soup,
        clearway_scenes::toy().soup,
    ];
    let mut walked = 0;
    for soup in scenes {
        let scene = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
        let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
        let mesh = MeshOptions::default().build(&surface).unwrap();
        let places: Vec<Location> = mesh.random_points(3).take(60).collect();
        for (number, pair) in places.chunks(2).enumerate() {
            let radius = [0.0, 0.05, 0.3][number % 3];
            let Ok(path) = mesh.find_path(&PathQuery::new(pair[0], pair[1]).radius(radius)) else { continue };
            let (start, goal) = (mesh.place(pair[0]), mesh.place(pair[1]));
            for step in [0.1, 0.7, 1e9] {
                steps(&mesh, path.clone(), pair[0], step);
            }
            walked += usize::from(start != goal);
        }
    }
    assert!(walked > 10, "{walked}");
}

/// Targets led past the foot of a stair onto another floor, or stayed at the body just before an arc.
#[test]
fn targets_lead_over_stairs_and_around_corners() {
    let scenes = [
        clearway_scenes::building(clearway_scenes::BuildingOptions::default(), 1).soup,
        clearway_scenes::stacked_floors().soup,
        clearway_scenes::toy().soup,
        clearway_scenes::spiral_ramp(60).soup,
    ];
    let mut walked = 0;
    for soup in scenes {
        let scene = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
        let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
        let mesh = MeshOptions::default().build(&surface).unwrap();
        let places: Vec<Location> = mesh.random_points(5).take(120).collect();
        for (number, pair) in places.chunks(2).enumerate() {
            let radius = [0.05, 0.2, 0.3][number % 3];
            let Ok(path) = mesh.find_path(&PathQuery::new(pair[0], pair[1]).radius(radius)) else { continue };
            let options = FollowerOptions::default().look_ahead([0.0, 0.8][number % 2]);
            let goal = mesh.place(pair[1]);
            let end = follow(&mesh, Follower::with_options(path, options), pair[0], 0.1);
            assert!((end[1] - goal[1]).abs() < 0.5, "{end:?} and not {goal:?}");
            walked += 1;
        }
    }
    assert!(walked > 40, "{walked}");
}

/// Walks towards the targets in steps of this length, as bodies do that are moved by others; where they arrive.
fn follow(mesh: &NavMesh, mut follower: Follower, mut at: Location, step: f64) -> [f64; 3] {
    let most = 2 * (follower.path.length / step) as usize + 8 * follower.path.pieces.len() + 10;
    for _ in 0..most {
        let steering = follower.update(mesh, at);
        assert!(!steering.lost, "lost at {:?}", mesh.place(at));
        if steering.arrived {
            return mesh.place(at);
        }
        let (from, to) = (vector(at.position()), vector(steering.target));
        let far = from.distance(to);
        assert!(far > 0.0, "nowhere to go at {at:?}: {steering:?}");
        let next = from + (to - from) * (step / far).min(1.0);
        at = mesh.move_along(at, [next.x, next.y], follower.path.radius);
    }
    panic!("not there after {most} steps: {:?}, {:?}", mesh.place(at), follower.update(mesh, at));
}

#[test]
fn steps_that_are_no_distances_move_nothing() {
    let mesh = mesh(PLAN);
    let path = path(&mesh, [1.0, 5.0], [5.0, 1.0], 0.3);
    let at = mesh.locate([1.0, 5.0]).unwrap();
    for distance in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(Follower::new(path.clone()).step(&mesh, at, distance).at, at);
    }
}

fn live_hall() -> LiveMesh {
    LiveMesh::new(mesh("POLYGON ((0 0, 40 0, 40 20, 0 20))")).unwrap()
}

fn wall(from: [f64; 2], to: [f64; 2]) -> Edit {
    Edit::Add(Obstacle { shape: Shape::Segment([from, to]), anchor: Anchor::default() })
}

/// A long step along a path went through a wall that an edit had put across it.
#[test]
fn an_edit_that_closes_the_path_is_noticed() {
    let mut live = live_hall();
    live.apply(&wall([30.0, 1.0], [32.0, 1.0])).unwrap();
    let mut follower = Follower::new(path(live.mesh(), [1.0, 10.0], [39.0, 10.0], 0.3));
    let start = live.mesh().locate([1.0, 10.0]).unwrap();
    let step = follower.step(live.mesh(), start, 4.0);
    assert_eq!((step.at.position(), step.lost), ([5.0, 10.0], false));
    // Beside the path, so that only the cell of the body is another one.
    live.apply(&wall([4.0, 12.0], [6.0, 12.0])).unwrap();
    let step = follower.step(live.mesh(), step.at, 5.0);
    assert_eq!((step.at.position(), step.lost), ([10.0, 10.0], false));
    // Behind the body.
    live.apply(&wall([7.0, 8.0], [7.0, 12.0])).unwrap();
    let step = follower.step(live.mesh(), step.at, 5.0);
    assert_eq!((step.at.position(), step.lost), ([15.0, 10.0], false));
    let across = live.apply(&wall([20.0, 8.0], [20.0, 12.0])).unwrap().obstacles[0];
    let before = step.at;
    let step = follower.step(live.mesh(), before, 10.0);
    assert!(step.lost && !step.arrived && step.at.position() == before.position(), "{step:?}");
    live.apply(&Edit::Remove(across)).unwrap();
    let step = follower.step(live.mesh(), step.at, 30.0);
    assert!(step.arrived && !step.lost, "{step:?}");
}
