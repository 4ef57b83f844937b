//! Searches whose ends lie in cells that edits divide anew, and answers of older meshes.

#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::path::{CorridorPlanner, CorridorSearch, Place};
use clearway_nav::path::{PathQuery, PathSearch, SearchStatus, verify};
use clearway_nav::query::LastingLocation;
use clearway_nav::{Location, NavMesh, NoPath, Path};
use clearway_scenes::{BuildingOptions, Random, building};
use clearway_world::{Plan, Scene};

fn hall() -> LiveMesh {
    let ring = vec![[0.0, 0.0], [40.0, 0.0], [40.0, 20.0], [0.0, 20.0]];
    LiveMesh::new(MeshOptions::default().build(&Plan::from_rings([ring])).unwrap()).unwrap()
}

fn boxed(centre: [f64; 2], size: [f64; 2], height: Option<f64>) -> Edit {
    let shape = Shape::Box { centre, size, turn: 0.0 };
    Edit::Add(Obstacle { shape, anchor: Anchor { height } })
}

fn storeys() -> NavMesh {
    let soup = building(BuildingOptions::default(), 1).soup;
    let scene = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    MeshOptions::default().build(&WalkableSurface::extract(&scene, &WalkRules::default()).unwrap()).unwrap()
}

fn finished(mut step: impl FnMut() -> SearchStatus) -> Result<Path, NoPath> {
    loop {
        if let SearchStatus::Done(answer) = step() {
            return answer;
        }
    }
}

/// Improving went on with a path that an obstacle had closed meanwhile, and called it the shortest.
#[test]
fn improve_returns_no_path_of_an_older_mesh() {
    let mut live = hall();
    // The first edit drops the blocks; the others make a way that winds.
    for number in 0..6 {
        let x = 5.0 + 5.0 * f64::from(number);
        let y = if number % 2 == 0 { 7.0 } else { 13.0 };
        live.apply(&boxed([x, y], [0.5, 13.0], None)).unwrap();
    }
    let ends = [[1.0, 10.0], [39.0, 10.0]].map(|at| live.mesh().locate(at).unwrap());
    let query = PathQuery::new(ends[0], ends[1]).radius(0.3).suboptimality(8.0);
    let mut search = PathSearch::new(query);
    let first = finished(|| search.step(live.mesh(), 8)).unwrap();
    assert!(first.bound > 1.0);
    // Begun on the mesh before, closed in between.
    search.improve(live.mesh(), 1);
    let closed = live.apply(&boxed([5.0, 16.75], [0.5, 6.5], None)).unwrap().obstacles[0];
    live.apply(&boxed([5.0, 0.25], [0.5, 0.5], None)).unwrap();
    assert!(!first.is_valid(live.mesh()));
    let error = finished(|| search.improve(live.mesh(), 3)).unwrap_err();
    assert_eq!(error.code(), "disconnected");
    // Opened again, and wider.
    live.apply(&Edit::Remove(closed)).unwrap();
    let improved = finished(|| search.improve(live.mesh(), 3)).unwrap();
    let anew = [[1.0, 10.0], [39.0, 10.0]].map(|at| live.mesh().locate(at).unwrap());
    let shortest = live.mesh().find_path(&PathQuery::new(anew[0], anew[1]).radius(0.3)).unwrap();
    assert_eq!(verify(live.mesh(), &improved), Ok(()));
    assert!((improved.length - shortest.length).abs() < 1e-9 && improved.bound == 1.0);
    assert_eq!(finished(|| search.step(live.mesh(), 3)).unwrap().length, improved.length);
}

/// A search that was over returned its old path on every later mesh.
#[test]
fn an_answer_belongs_to_the_mesh_that_is_given() {
    let mut live = hall();
    let ends = [[1.0, 10.0], [39.0, 10.0]].map(|at| live.mesh().locate(at).unwrap());
    let query = PathQuery::new(ends[0], ends[1]);
    let (mut search, mut corridor) = (PathSearch::new(query.clone()), CorridorSearch::new(query));
    let mut planner = CorridorPlanner::new();
    let straight = finished(|| search.step(live.mesh(), 8)).unwrap();
    assert_eq!(finished(|| corridor.step_in(live.mesh(), 8, &mut planner)).unwrap().length, straight.length);
    live.apply(&boxed([20.0, 8.0], [1.0, 16.0], None)).unwrap();
    let around = finished(|| search.step(live.mesh(), 8)).unwrap();
    let other = finished(|| corridor.step_in(live.mesh(), 8, &mut planner)).unwrap();
    for path in [around, other] {
        assert_eq!(verify(live.mesh(), &path), Ok(()));
        assert!(path.length > straight.length + 1.0, "{}", path.length);
    }
}

/// Start and goal lie in cells that edits divide anew before the search begins, while it runs, and after it.
#[test]
fn ends_are_found_again_on_a_plan() {
    let mut live = hall();
    let places = [[3.0, 10.0], [37.0, 10.0]];
    let ends = places.map(|at| live.mesh().locate(at).unwrap());
    let mut search = PathSearch::new(PathQuery::new(ends[0], ends[1]).radius(0.2));
    let beside = |at: [f64; 2]| boxed([at[0] + 0.5, at[1] + 0.5], [0.4, 0.4], None);
    live.apply(&Edit::Batch(places.map(beside).to_vec())).unwrap();
    search.step(live.mesh(), 1);
    live.apply(&boxed([2.0, 9.0], [0.4, 0.4], None)).unwrap();
    let swallowed = live.apply(&boxed(places[1], [0.3, 0.3], None)).unwrap().obstacles[0];
    let off = finished(|| search.step(live.mesh(), 1)).unwrap_err();
    assert_eq!(off, NoPath::OffMesh { place: Place::Goal });
    live.apply(&Edit::Remove(swallowed)).unwrap();
    let path = finished(|| search.step(live.mesh(), 1)).unwrap();
    assert_eq!((path.start, path.goal), (places[0], places[1]));
    assert_eq!(verify(live.mesh(), &path), Ok(()));
    // A location that was never one of this mesh stays off it.
    let nowhere = Location::in_cell(ends[0].cell(), [1e3, 1e3]);
    let mut search = PathSearch::new(PathQuery::new(nowhere, ends[1]));
    let off = finished(|| search.step(live.mesh(), 1)).unwrap_err();
    assert_eq!(off, NoPath::OffMesh { place: Place::Start });
}

/// An obstacle of a random shape near a place, on its floor.
fn obstacle_near(mesh: &NavMesh, at: Location, random: &mut Random) -> Obstacle {
    let [x, y] = at.position();
    let centre = [x + random.range(-1.5, 1.5), y + random.range(-1.5, 1.5)];
    let size = [random.range(0.2, 1.5), random.range(0.2, 1.5)];
    let shape = Shape::Box { centre, size, turn: random.range(0.0, 3.0) };
    Obstacle { shape, anchor: Anchor { height: Some(mesh.height(at)) } }
}

/// Numbers of cells go from floor to floor. Places stay on their floors, which their heights tell.
#[test]
fn ends_stay_on_their_floors() {
    let mut live = LiveMesh::new(storeys()).unwrap();
    let first = live.mesh().clone();
    let places: Vec<Location> = first.random_points(5).take(400).collect();
    let heights: Vec<f64> = places.iter().map(|at| first.height(*at)).collect();
    let mut kept: Vec<LastingLocation> = places.iter().map(|at| LastingLocation::new(*at)).collect();
    kept.iter_mut().for_each(|kept| assert!(kept.on(&first).is_some()));
    let (mut random, mut standing) = (Random::new(9), Vec::<ObstacleId>::new());
    let (mut moved, mut covered, mut other_floor) = (0, 0, 0);
    for _ in 0..400 {
        let near = places[random.below(places.len())];
        let edit = match standing.len() {
            30.. => Edit::Remove(standing.swap_remove(random.below(30))),
            _ => Edit::Add(obstacle_near(&first, near, &mut random)),
        };
        let Ok(changes) = live.apply(&edit) else { continue };
        standing.extend(changes.obstacles);
        let mesh = live.mesh();
        for ((kept, at), height) in kept.iter_mut().zip(&places).zip(&heights) {
            let before = kept.last();
            // The number alone would lead to another floor.
            let is_led_astray = mesh.is_here(&before) && (mesh.height(before) - height).abs() > 1.0;
            other_floor += usize::from(is_led_astray);
            let [x, y] = at.position();
            let space = mesh.locate([x, *height, -y]).ok();
            let space = space.filter(|found| (mesh.height(*found) - height).abs() < 0.2);
            match kept.on(mesh) {
                Some(now) => {
                    assert!(mesh.is_here(&now) && now.position() == at.position());
                    assert!((mesh.height(now) - height).abs() < 1e-3, "{} of {height}", mesh.height(now));
                    moved += usize::from(now.cell() != before.cell());
                }
                None => {
                    assert_eq!(space, None, "{at:?} at {height} is not covered");
                    covered += 1;
                }
            }
        }
    }
    println!("{moved} moved, {covered} covered, {other_floor} led astray");
    assert!(moved > 100 && covered > 100, "{moved} {covered}");
}

/// The same for searches: they begin, wait and end while edits go on at both ends.
#[test]
fn searches_stay_on_the_floors_of_their_ends() {
    let mut live = LiveMesh::new(storeys()).unwrap();
    let (mut random, mut standing) = (Random::new(4), Vec::<ObstacleId>::new());
    let (mut found, mut anew) = (0, 0);
    for round in 0..60 {
        let mesh = live.mesh().clone();
        let ends: Vec<Location> = mesh.random_points(round).take(2).collect();
        let spaces: Vec<[f64; 3]> = ends.iter().map(|at| mesh.place(*at)).collect();
        let mut search = PathSearch::new(PathQuery::new(ends[0], ends[1]));
        let budget = 1 + random.below(6) as u64;
        for step in 0..4 {
            // Before the first step the search knows nothing but the cells of its ends.
            let edit = Edit::Add(obstacle_near(&mesh, ends[step % 2], &mut random));
            if let Ok(changes) = live.apply(&edit) {
                standing.extend(changes.obstacles);
            }
            if search.step(live.mesh(), budget) != SearchStatus::Running {
                break;
            }
        }
        anew += search.restarts();
        let answer = finished(|| search.step(live.mesh(), budget));
        let mesh = live.mesh();
        let now: Vec<_> = spaces.iter().map(|space| mesh.locate(*space)).collect();
        let on_floor = |end: usize| {
            let height = |at: Location| mesh.height(at) - spaces[end][1];
            now[end].ok().filter(|at| height(*at).abs() < 0.2)
        };
        match (answer, on_floor(0), on_floor(1)) {
            (Ok(path), Some(start), Some(goal)) => {
                let shortest = mesh.find_path(&PathQuery::new(start, goal)).unwrap();
                assert!((path.length - shortest.length).abs() < 1e-6, "round {round}");
                assert_eq!(verify(mesh, &path), Ok(()));
                found += 1;
            }
            (Err(NoPath::OffMesh { place: Place::Start }), None, _) => {}
            (Err(NoPath::OffMesh { place: Place::Goal }), Some(_), None) => {}
            (Err(reason), Some(start), Some(goal)) => {
                assert_eq!(mesh.find_path(&PathQuery::new(start, goal)).unwrap_err(), reason);
            }
            other => panic!("round {round}: {other:?}"),
        }
        if standing.len() > 40 {
            standing.drain(..).for_each(|id| drop(live.apply(&Edit::Remove(id)).unwrap()));
        }
    }
    println!("{found} found, {anew} begun anew");
    assert!(found > 20 && anew > 20, "{found} {anew}");
}
