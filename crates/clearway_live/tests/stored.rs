//! Meshes that are stored with what stands on them, and areas on plans.

#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Named, Obstacle, Shape};
use clearway_nav::mesh::FixtureRole;
use clearway_nav::path::Costs;
use clearway_nav::{Link, LinkKind, NavMesh, PathQuery};
use clearway_world::Plan;

/// Two rooms with a doorway between them.
fn rooms() -> NavMesh {
    let ring = vec![
        [0.0, 0.0],
        [10.0, 0.0],
        [10.0, 3.0],
        [10.4, 3.0],
        [10.4, 0.0],
        [20.0, 0.0],
        [20.0, 8.0],
        [10.4, 8.0],
        [10.4, 5.0],
        [10.0, 5.0],
        [10.0, 8.0],
        [0.0, 8.0],
    ];
    MeshOptions::default().build(&Plan::from_rings([ring])).unwrap()
}

fn at(shape: Shape) -> Obstacle {
    Obstacle { shape, anchor: Anchor::default() }
}

fn square(centre: [f64; 2], side: f64) -> Obstacle {
    at(Shape::Box { centre, size: [side, side], turn: 0.2 })
}

fn named(name: &str, edit: Edit) -> Edit {
    Edit::Named(name.to_string(), Box::new(edit))
}

/// A mesh with a bit of everything.
fn furnished() -> LiveMesh {
    let mut live = LiveMesh::new(rooms()).unwrap();
    let mud = live.area_class("mud").unwrap();
    let edits = [
        Edit::AddLink(Link::new("plank", LinkKind::Jump, [2.0, 0.0, -2.0], [18.0, 0.0, -6.0])),
        named("table", Edit::Add(square([4.0, 4.0], 1.5))),
        named("gate", Edit::AddDoor([[10.2, 3.0], [10.2, 5.0]], Anchor::default())),
        Edit::Area(square([14.0, 4.0], 3.0), mud),
        Edit::Add(at(Shape::Segment([[5.0, 5.0], [7.0, 7.5]]))),
        named("crate", Edit::Add(square([2.0, 2.0], 1.0))),
    ];
    edits.iter().for_each(|edit| drop(live.apply(edit).unwrap()));
    let Some(Named::Door(gate)) = live.named("gate") else { panic!("the gate has no name") };
    live.apply(&Edit::Door(gate, false)).unwrap();
    live
}

/// Stores a mesh and takes it up again.
fn reloaded(live: &LiveMesh) -> LiveMesh {
    let bytes = live.stored().unwrap().encode();
    LiveMesh::new(NavMesh::decode(&bytes).unwrap()).unwrap()
}

fn remove(live: &mut LiveMesh, name: &str) {
    let edit = match live.named(name) {
        Some(Named::Obstacle(id)) => Edit::Remove(id),
        Some(Named::Door(id)) => Edit::RemoveDoor(id),
        None => panic!("there is no {name}"),
    };
    live.apply(&edit).unwrap();
}

#[test]
fn what_stands_comes_back_by_name() {
    let live = furnished();
    let stored = live.stored().unwrap();
    assert!(stored.check().is_empty());
    let roles: Vec<FixtureRole> =
        stored.fixtures().unwrap().list.iter().map(|fixture| fixture.role.clone()).collect();
    let wanted = [
        FixtureRole::Area("mud".to_string()),
        FixtureRole::Obstacle,
        FixtureRole::Door(false),
        FixtureRole::Obstacle,
        FixtureRole::Obstacle,
    ];
    assert_eq!(roles, wanted);
    let mut again = reloaded(&live);
    let names: Vec<&str> = again.all_named().map(|(name, _)| name).collect();
    assert_eq!(names, ["crate", "gate", "table"]);
    assert_eq!(again.obstacles().count(), 3);
    assert_eq!(again.links().collect::<Vec<_>>(), [("plank", false)]);
    assert_eq!(again.stored().unwrap().encode(), stored.encode());
    assert!(again.mesh().area() == live.mesh().area() && again.mesh().check().is_empty());
    // The crate slept on the plank's end, and the gate was closed.
    remove(&mut again, "crate");
    assert_eq!(again.links().collect::<Vec<_>>(), [("plank", true)]);
    let Some(Named::Door(gate)) = again.named("gate") else { panic!("the gate is gone") };
    assert_eq!(again.is_open(gate), Some(false));
    again.apply(&Edit::Door(gate, true)).unwrap();
    assert_eq!(again.mesh().component_count(), 1);
}

#[test]
fn bytes_depend_on_what_stands_alone() {
    let mut one = LiveMesh::new(rooms()).unwrap();
    one.apply(&named("a", Edit::Add(square([4.0, 4.0], 1.5)))).unwrap();
    one.apply(&named("b", Edit::Add(square([4.8, 4.2], 1.5)))).unwrap();
    let mut other = LiveMesh::new(rooms()).unwrap();
    other.apply(&named("b", Edit::Add(square([14.0, 4.2], 2.5)))).unwrap();
    other.apply(&Edit::Add(square([5.0, 5.0], 2.0))).unwrap();
    other.apply(&named("a", Edit::Add(square([4.0, 4.0], 1.5)))).unwrap();
    let Some(Named::Obstacle(b)) = other.named("b") else { panic!("b is gone") };
    other.apply(&Edit::Move(b, square([4.8, 4.2], 1.5))).unwrap();
    let spare = other.obstacles().map(|(id, _)| id).find(|id| other.name_of(*id).is_none()).unwrap();
    other.apply(&Edit::Remove(spare)).unwrap();
    assert_eq!(one.stored().unwrap().encode(), other.stored().unwrap().encode());
}

#[test]
fn a_stored_mesh_without_anything_left_has_its_first_bytes() {
    let first = rooms().encode();
    let mut live = furnished();
    for name in ["crate", "gate", "table"] {
        live = reloaded(&live);
        remove(&mut live, name);
    }
    let wall = live.obstacles().next().unwrap().0;
    live.apply(&Edit::Remove(wall)).unwrap();
    // The link and the area are left; painting the same place again hides what was painted before.
    live.apply(&Edit::RemoveLink("plank".to_string())).unwrap();
    let left = live.stored().unwrap();
    assert_eq!(left.fixtures().unwrap().list.len(), 1);
    assert_eq!(left.fixtures().unwrap().built, first);

    let mut plain = LiveMesh::new(rooms()).unwrap();
    plain.apply(&named("crate", Edit::Add(square([2.0, 2.0], 1.0)))).unwrap();
    let mut plain = reloaded(&plain);
    remove(&mut plain, "crate");
    assert_eq!(plain.stored().unwrap().encode(), first);
    assert_eq!(plain.mesh().encode(), first);
}

#[test]
fn names_belong_to_what_stands() {
    let mut live = LiveMesh::new(rooms()).unwrap();
    let came = live.apply(&named("crate", Edit::Add(square([2.0, 2.0], 1.0)))).unwrap();
    assert_eq!(live.name_of(came.obstacles[0]), Some("crate"));
    for (name, edit) in [
        ("crate", Edit::Add(square([6.0, 2.0], 1.0))),
        ("", Edit::Add(square([6.0, 2.0], 1.0))),
        ("a\nb", Edit::Add(square([6.0, 2.0], 1.0))),
        ("x", Edit::Remove(came.obstacles[0])),
    ] {
        assert!(live.apply(&named(name, edit)).is_err(), "{name:?}");
    }
    let gone = live.apply(&Edit::Remove(came.obstacles[0])).unwrap();
    assert_eq!(live.named("crate"), None);
    // A name that was given away again cannot come back.
    live.apply(&Edit::Add(square([6.0, 6.0], 1.0))).unwrap();
    let second = live.apply(&named("crate", Edit::Add(square([16.0, 2.0], 1.0)))).unwrap();
    assert!(live.undo(&gone).is_err());
    live.undo(&second).unwrap();
    assert_eq!(live.named("crate"), None);
}

#[test]
fn ground_of_a_plan_gets_area_classes() {
    let mut live = LiveMesh::new(rooms()).unwrap();
    let before = live.mesh().encode();
    assert!(live.apply(&Edit::Area(square([4.0, 4.0], 2.0), 1)).is_err());
    let mud = live.area_class("mud").unwrap();
    assert_eq!((mud, live.area_class("ground").unwrap(), live.area_class("mud").unwrap()), (1, 0, 1));
    assert_eq!(live.mesh().encode(), before);
    let changes = live.apply(&Edit::Area(square([4.0, 4.0], 2.0), mud)).unwrap();
    assert!(live.mesh().check().is_empty() && !live.mesh().has_heights());
    assert_eq!(live.mesh().area_names(), ["ground", "mud"]);
    let muddy = |mesh: &NavMesh| -> f64 {
        mesh.cells().filter(|cell| cell.area_class() == mud).map(|cell| cell.area()).sum()
    };
    assert!((muddy(live.mesh()) - 4.0).abs() < 1e-3);
    // A file keeps the classes, for readers of any kind.
    let decoded = NavMesh::decode(&live.mesh().encode()).unwrap();
    assert!((muddy(&decoded) - 4.0).abs() < 1e-3 && decoded.check().is_empty());
    assert!(!decoded.has_heights() && decoded.storeys().len() == 1);
    let plain = LiveMesh::new(decoded).unwrap();
    assert!((muddy(plain.mesh()) - 4.0).abs() < 1e-3);
    // Dear ground is walked around.
    let [from, to] = [[1.0, 4.1], [9.0, 4.1]].map(|place| live.mesh().locate(place).unwrap());
    let mesh = live.mesh();
    let cost = |cell| if mesh.cell(cell).unwrap().area_class() == mud { 10.0 } else { 1.0 };
    let around = PathQuery::new(from, to).costs(Costs::default().by_cell(mesh, cost));
    let length = mesh.find_path(&around).unwrap().length;
    assert!(length > 8.2, "{length}");
    // An obstacle upon it covers it, and gives it back.
    let stone = live.apply(&Edit::Add(square([4.5, 4.5], 1.0))).unwrap();
    assert!(muddy(live.mesh()) < 3.5 && live.mesh().check().is_empty());
    live.apply(&Edit::Remove(stone.obstacles[0])).unwrap();
    assert!((muddy(live.mesh()) - 4.0).abs() < 1e-3 && live.mesh().check().is_empty());
    live.undo(&changes).unwrap();
    assert_eq!(live.mesh().encode(), before);
    // Painted over, the class is gone; cleared, everything is.
    live.apply(&Edit::Area(square([4.0, 4.0], 2.0), mud)).unwrap();
    live.apply(&Edit::Area(square([4.0, 4.0], 2.0), 0)).unwrap();
    assert_eq!(muddy(live.mesh()), 0.0);
    assert_eq!(live.stored().unwrap().fixtures().unwrap().list.len(), 1);
    live.apply(&Edit::Clear).unwrap();
    assert_eq!(live.mesh().encode(), before);
    assert_eq!(live.stored().unwrap().encode(), before);
}

#[test]
fn everything_is_cleared_and_comes_back() {
    let mut live = furnished();
    let before = live.mesh().encode();
    let cleared = live.apply(&Edit::Clear).unwrap();
    live.apply(&Edit::RemoveLink("plank".to_string())).unwrap();
    assert_eq!(live.mesh().encode(), rooms().encode());
    assert_eq!((live.named("crate"), live.obstacles().count(), live.doors().count()), (None, 0, 0));
    assert!(live.undo(&cleared).is_err(), "the link woke, and went since");
    // Everything can come again, under its names.
    let mut live = furnished();
    let cleared = live.apply(&Edit::Clear).unwrap();
    live.undo(&cleared).unwrap();
    assert_eq!(live.mesh().encode(), before);
    assert!(live.named("crate").is_some() && live.mesh().check().is_empty());
    remove(&mut live, "crate");
    assert!(live.mesh().check().is_empty());
}

#[test]
fn hostile_files_are_refused_when_they_are_edited() {
    let stored = furnished().stored().unwrap();
    let fixtures = stored.fixtures().unwrap().clone();
    let refused = |change: &dyn Fn(&mut clearway_nav::mesh::Fixtures), words: &str| {
        let (mut mesh, mut changed) = (stored.clone(), fixtures.clone());
        change(&mut changed);
        mesh.set_fixtures(Some(changed));
        // For everybody else it is a mesh like any other.
        let mesh = NavMesh::decode(&mesh.encode()).unwrap();
        let error = LiveMesh::new(mesh).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&|fixtures| fixtures.built.clear(), "which the file keeps: there are no bytes");
    refused(&|fixtures| fixtures.built[40] ^= 1, "which the file keeps");
    refused(&|fixtures| fixtures.built = stored.encode(), "has fixtures itself");
    refused(
        &|fixtures| fixtures.list[1].shape = Shape::Disc { centre: [1.0; 2], radius: 1.0, sides: 2 },
        "fixture 1 \"crate\": a disc of 2 sides",
    );
    refused(&|fixtures| fixtures.list[1].name = "table".to_string(), "already");
    refused(&|fixtures| fixtures.list[1].role = FixtureRole::Door(true), "a door must be a segment");
    refused(&|fixtures| fixtures.list[0].role = FixtureRole::Area(String::new()), "area class \"\"");
}

#[test]
fn links_and_places_that_came_after_storing_are_kept() {
    let mut stored = furnished().stored().unwrap();
    let link = Link::new("lift", LinkKind::Lift, [6.0, 0.0, -2.0], [12.0, 0.0, -2.0]);
    stored.add_links(&[link], 0.5).unwrap();
    let live = LiveMesh::new(NavMesh::decode(&stored.encode()).unwrap()).unwrap();
    assert_eq!(live.links().collect::<Vec<_>>(), [("plank", false), ("lift", true)]);
}
