use super::*;
use crate::mesh::CellId;
use crate::path::{Path, PathQuery, PathSearch, SearchSpace, SearchStatus};
use crate::query::Location;
use crate::testing::MeshOptions;
use clearway_scenes::{BuildingOptions, Random, building};
use clearway_world::plan::{Plan, PlanFormat};

fn mesh_of(drawing: &str) -> NavMesh {
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, drawing).unwrap()).unwrap()
}

/// The same mesh without anything derived.
fn plain(mesh: &NavMesh) -> NavMesh {
    NavMesh::decode(&mesh.encode()).unwrap()
}

const ROOMS: &str = "POLYGON ((0 0, 20 0, 20 14, 0 14), (2 2, 6 2, 6 5, 2 5), (9 1, 11 1, 11 9, 9 9), \
                     (13 4, 18 4, 18 6, 13 6), (3 8, 7 8, 7 12, 3 12), (12 10, 16 9, 15 12))";

/// Two storeys with stairs.
fn house() -> NavMesh {
    let known = building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 2 }, 3);
    let scene = crate::testing::scene_of(&known.soup);
    let surface = clearway_build::WalkableSurface::extract(&scene, &clearway_build::WalkRules::default());
    MeshOptions::default().build(&surface.unwrap()).unwrap()
}

fn places(mesh: &NavMesh, seed: u64, count: usize) -> Vec<Location> {
    mesh.random_points(seed).take(count).collect()
}

/// Lengths of two answers agree, or neither has one.
fn agree(a: &Result<Path, crate::NoPath>, b: &Result<Path, crate::NoPath>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => (a.length - b.length).abs() <= 1e-9 * a.length.max(1.0),
        (Err(a), Err(b)) => a.code() == b.code(),
        _ => false,
    }
}

#[test]
fn paths_are_as_long_as_without_the_index() {
    for mesh in [mesh_of(ROOMS), house()] {
        let without = plain(&mesh);
        mesh.prepare_paths();
        let (mut random, places) = (Random::new(3), places(&mesh, 5, 24));
        let (mut one, mut other) = (SearchSpace::new(), SearchSpace::new());
        for (start, goal) in places.iter().flat_map(|start| places.iter().map(move |goal| (*start, *goal))) {
            let radius = [0.0, 0.2, 0.5, random.range(0.0, 1.5)][random.below(4)];
            let query = PathQuery::new(start, goal).radius(radius);
            let found = [mesh.find_path_in(&query, &mut one), without.find_path_in(&query, &mut other)];
            assert!(agree(&found[0], &found[1]), "{query:?}: {found:?}");
            if let Ok(path) = &found[0] {
                assert!(crate::path::verify(&mesh, path).is_ok(), "{query:?}: {path:?}");
            }
        }
    }
}

/// Walls without thickness have a corner on one side only where they bend, and may touch a line on one side only: paths
/// led through them.
#[test]
fn paths_keep_to_their_side_of_thin_walls() {
    let cases: [(&str, [f64; 2], [f64; 2], f64); 6] = [
        ("(2 6, 10 6), (6 6, 6 3), (6 6.3, 6 12)", [10.0, 9.0], [2.0, 9.0], 0.4),
        ("(2 6, 10 6), (6 6, 6 3), (6 6.3, 6 12)", [11.0, 8.0], [1.0, 8.0], 0.9),
        ("(2 6, 10 6), (6 6, 6 0), (6 6.3, 6 12)", [10.0, 9.0], [2.0, 9.0], 0.1),
        ("(1 8, 6 8, 6 4, 11 4)", [8.0, 3.0], [4.0, 9.0], 0.0),
        ("(3 3, 5 8, 5 3, 9 3)", [5.3, 1.0], [6.1, 8.7], 0.0),
        ("(1 2, 8 2, 8 9)", [8.0, 5.0], [4.0, 1.0], 0.0),
    ];
    for (walls, start, goal, radius) in cases {
        let walls = walls.replace("), (", "), LINESTRING (");
        let mesh =
            mesh_of(&format!("GEOMETRYCOLLECTION (POLYGON ((0 0, 12 0, 12 12, 0 12)), LINESTRING {walls})"));
        let without = plain(&mesh);
        mesh.prepare_paths();
        let [start, goal] = [start, goal].map(|place| mesh.locate(place).unwrap());
        for query in [PathQuery::new(start, goal), PathQuery::new(goal, start)] {
            let query = query.radius(radius);
            let found = [mesh.find_path(&query), without.find_path(&query)];
            assert!(agree(&found[0], &found[1]), "{walls}: {query:?}: {found:?}");
        }
    }
}

/// A point that turns back around the end of an edge between two floors keeps to the right one: paths with the index
/// ended on another floor, though as long as they should be.
#[test]
fn points_end_on_the_floor_of_their_goal() {
    let known = building(BuildingOptions::default(), 1);
    let scene = crate::testing::scene_of(&known.soup);
    let surface = clearway_build::WalkableSurface::extract(&scene, &clearway_build::WalkRules::default());
    let mesh = MeshOptions::default().build(&surface.unwrap()).unwrap();
    let without = plain(&mesh);
    mesh.prepare_paths();
    let main = mesh.locate([6.6, 0.0, 4.3]).unwrap();
    let component = |place: &Location| mesh.parts.cell_component[place.cell.index()];
    let places: Vec<Location> =
        mesh.random_points(4).filter(|place| component(place) == component(&main)).take(24).collect();
    let mut changes = 0;
    for (start, goal) in places.iter().flat_map(|start| places.iter().map(move |goal| (*start, *goal))) {
        let query = PathQuery::new(start, goal);
        let found = [mesh.find_path(&query), without.find_path(&query)].map(Result::unwrap);
        let ends = found.each_ref().map(|path| path.points_in_space(&mesh, 0.01).last().copied().unwrap()[1]);
        assert!((ends[0] - mesh.place(goal)[1]).abs() < 1e-3, "{query:?}: ends at {ends:?}");
        assert!((found[0].length - found[1].length).abs() < 1e-9 * found[1].length.max(1.0));
        changes += usize::from((mesh.place(start)[1] - ends[0]).abs() > 1.0);
    }
    assert!(changes > 100, "{changes}");
}

/// Searches in slices and to several goals give the answers of whole ones and of the nearest goal.
#[test]
fn slices_and_several_goals() {
    let mesh = mesh_of(ROOMS);
    mesh.prepare_paths();
    let places = places(&mesh, 8, 30);
    for three in places.windows(4) {
        for radius in [0.0, 0.3] {
            let single =
                three[1..].iter().map(|goal| mesh.find_path(&PathQuery::new(three[0], *goal).radius(radius)));
            let least = single.filter_map(Result::ok).map(|path| path.length).fold(f64::INFINITY, f64::min);
            let query = PathQuery::new(three[0], three[1]).more_goals(three[2..].to_vec()).radius(radius);
            let mut search = PathSearch::new(query.clone());
            let found = loop {
                match search.step(&mesh, 1) {
                    SearchStatus::Running => assert!(!search.best_guess(&mesh).is_empty()),
                    SearchStatus::Done(found) => break found,
                }
            };
            assert!(agree(&found, &mesh.find_path(&query)));
            assert!(
                (found.map_or(f64::INFINITY, |path| path.length) - least).abs() <= 1e-9 * least
                    || least.is_infinite()
            );
        }
    }
}

/// An index that was stored is the one that was made, and a damaged one is refused.
#[test]
fn indices_are_stored_and_checked() {
    for mesh in [mesh_of(ROOMS), house()] {
        let bytes = mesh.encode_with_index();
        let read = NavMesh::decode(&bytes).unwrap();
        assert_eq!(read.tangents(), mesh.tangents());
        assert_eq!(read.path_index(), mesh.path_index());
        assert_eq!(read.encode_with_index(), bytes);
        assert_eq!(read.encode(), plain(&mesh).encode());
        assert!(read.check().is_empty());
        assert!(plain(&mesh).path_index().is_none());
        for place in (0..bytes.len()).step_by(bytes.len() / 97) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 16;
            assert!(NavMesh::decode(&damaged).is_err(), "byte {place}");
        }
    }
    let (rooms, house) = (mesh_of(ROOMS), house());
    rooms.prepare_paths();
    let words = rooms.tangents().unwrap().to_words();
    assert!(TangentIndex::from_words(&house, &words).is_err());
    let mut wider = words.clone();
    *wider.last_mut().unwrap() = (-1.0f32).to_bits();
    assert!(TangentIndex::from_words(&rooms, &wider).is_err());
    *wider.last_mut().unwrap() = 1e9f32.to_bits();
    let mesh = plain(&rooms);
    mesh.tangents.get_or_make(|| TangentIndex::from_words(&rooms, &wider).unwrap());
    assert_eq!(mesh.check()[0].kind, crate::FlawKind::PathIndex);
}

/// The index does not depend on the number of threads.
#[test]
fn indices_are_the_same_on_any_number_of_threads() {
    let mesh = house();
    let words = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let fresh = plain(&mesh);
        pool.install(|| fresh.prepare_paths());
        fresh.encode_with_index()
    });
    assert!(words[0] == words[1] && words[0] == words[2]);
}

/// Bodies of several sizes take turns, and goals repeat: nothing that is remembered changes an answer.
#[test]
fn memory_changes_no_answer() {
    let mesh = mesh_of(ROOMS);
    mesh.prepare_paths();
    let places = places(&mesh, 11, 7);
    let mut space = SearchSpace::new();
    for round in 0..3 {
        for (start, goal) in places.iter().flat_map(|start| places.iter().map(move |goal| (*start, *goal))) {
            for radius in [0.0, 0.1, 0.25, 0.4, 0.6, 0.9] {
                let query = PathQuery::new(start, goal).radius(radius);
                let found = mesh.find_path_in(&query, &mut space);
                assert_eq!(
                    found,
                    mesh.find_path_in(&query, &mut SearchSpace::new()),
                    "round {round}: {query:?}"
                );
            }
        }
    }
}

/// Every pair of corners that see each other has its tangents, by a look at all walls.
#[test]
fn limits_are_those_of_all_walls() {
    let mesh = mesh_of(ROOMS);
    mesh.prepare_paths();
    let (graph, index) = (mesh.graph(), mesh.tangents().unwrap());
    let mut space = SearchSpace::new();
    let (mut fitting, mut blocked) = (0, 0);
    for (state, list) in index.lists().iter().enumerate() {
        for tangent in list {
            for share in [0.3, 0.9, 0.999, 1.001, 1.1, 1.5] {
                let radius = f64::from(tangent.widest.min(1e7)) * share;
                let Some(is_clear) = strip_is_clear(&mesh, &mut space, state as u32, tangent.end(), radius)
                else {
                    continue;
                };
                assert_eq!(is_clear, share < 1.0, "from {state} to {}, share {share}", tangent.end());
                *(if is_clear { &mut fitting } else { &mut blocked }) += 1;
            }
        }
    }
    assert!(graph.corners.len() > 15 && fitting > 100 && blocked > 25, "{fitting} fit, {blocked} do not");
}

/// True if a body can walk along a tangent; `None` if it does not exist for this radius, or if the body does not fit
/// where it touches the corners.
fn strip_is_clear(mesh: &NavMesh, space: &mut SearchSpace, from: u32, to: u32, radius: f64) -> Option<bool> {
    let (graph, index) = (mesh.graph(), mesh.tangents()?);
    let [start, end] = [from, to].map(|state| index.places[corner_of(state) as usize]);
    let line = crate::path::search::tangent::ray(end - start, (hand(to) - hand(from)) * radius);
    space.recall(mesh, radius);
    let mut contacts = Vec::new();
    for state in [from, to] {
        let corner = &graph.corners[corner_of(state) as usize];
        let normal = line.direction.perp() * -hand(state);
        let angle = angle_in_cone(corner, normal);
        let arcs = space.memory.free_arcs(graph, corner_of(state));
        let is_free = arcs.iter().any(|arc| angle > arc[0] - 1e-9 && angle < arc[1] + 1e-9);
        if !line.exists || !is_free {
            return None;
        }
        contacts.push(index.places[corner_of(state) as usize] + normal * radius);
    }
    let place = Location { cell: CellId(0), position: mesh.parts.grid.place(contacts[1]) };
    let cell = mesh.locate(place.position).ok()?.cell.0;
    Some(!crate::path::search::reconstruct::too_close(
        graph,
        &mut space.memory.flood,
        cell,
        [contacts[0], contacts[1]],
        radius * (1.0 - 1e-9),
    ))
}
