//! Ends of paths that are moved, and links that are too narrow.

use super::*;
use crate::mesh::LinkId;
use crate::path::{LinkUse, PathQuery};
use crate::path::{NoPath, Place};

/// Three floors of 10 m by 10 m over each other.
fn storeys() -> NavMesh {
    let mut soup = Soup::new();
    soup.part("floors", "Floor");
    for height in [0.0, 3.0, 6.0] {
        soup.floor([0.0, 0.0], [10.0, 10.0], height);
    }
    mesh_of(&scene(&soup))
}

/// A floor of 10 m by 10 m with a table of 2 m by 2 m in its middle, 0.8 m high and open below.
fn table() -> NavMesh {
    let mut soup = Soup::new();
    soup.part("floors", "Floor");
    soup.floor([0.0, 0.0], [10.0, 10.0], 0.0);
    soup.floor([4.0, 4.0], [6.0, 6.0], 0.8);
    mesh_of(&scene(&soup))
}

fn snap(distance: f64) -> SnapRules {
    SnapRules::default().distance(distance)
}

#[test]
fn the_link_that_is_too_narrow_is_named() {
    let mut mesh = storeys();
    let lift = |name: &str, from: f64, most: f64| Link {
        max_radius: Some(most),
        ..Link::new(name, LinkKind::Lift, [5.0, from, 5.0], [5.0, from + 3.0, 5.0])
    };
    mesh.add_links(&[lift("low", 0.0, 1.0), lift("high", 3.0, 0.3)], 0.5).unwrap();
    let [start, goal] = [[1.0, 0.0, 1.0], [1.0, 6.0, 1.0]].map(|at| place(&mesh, at));
    let refused = mesh.find_path(&PathQuery::new(start, goal).radius(0.5));
    let Err(NoPath::TooNarrow { widest_radius, link, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((widest_radius, link), (0.3, Some(LinkId(1))));
}

#[test]
fn ends_move_as_little_as_joins_them() {
    let mesh = table();
    let (floor, top) = ([1.0, 0.0, 1.0], [4.5, 0.8, 5.0]);
    // Half a metre to the edge of the table, and 0.8 m down.
    let down = 0.5f64.hypot(0.8);
    for (from, to, moved) in [(floor, top, [0.0, down]), (top, floor, [down, 0.0]), (top, top, [0.0; 2])] {
        let ends = mesh.snap_ends(from, to, &snap(1.0)).unwrap();
        let found = ends.map(|end| (end.moved - moved[0]).abs().min((end.moved - moved[1]).abs()));
        assert!(found.iter().all(|off| *off < 1e-3), "{ends:?}");
        assert!(mesh.find_path(&PathQuery::new(ends[0].location, ends[1].location)).is_ok());
    }
    let apart = mesh.snap_ends(floor, top, &snap(0.9)).unwrap();
    assert_eq!(apart.map(|end| end.moved), [0.0; 2], "where nothing joins them they stay");
    let off = mesh.snap_ends(floor, [1.0, 2.5, 1.0], &snap(2.4)).unwrap_err();
    assert_eq!((off.place, (off.off.distance * 100.0).round()), (Place::Goal, 250.0));
}

#[test]
fn links_join_ends_one_way() {
    let mut mesh = table();
    let (floor, top) = ([1.0, 0.0, 1.0], [4.5, 0.8, 5.0]);
    mesh.add_links(&[Link::new("drop", LinkKind::Drop, [4.0, 0.8, 5.0], [3.5, 0.0, 5.0])], 0.5).unwrap();
    let moved =
        |from, to, rules: &SnapRules| mesh.snap_ends(from, to, rules).unwrap().map(|end| end.moved > 0.0);
    assert_eq!(moved(top, floor, &snap(1.0)), [false, false]);
    assert_eq!(moved(floor, top, &snap(1.0)), [false, true]);
    assert_eq!(moved(top, floor, &snap(1.0).links(LinkUse::None)), [true, false]);
}

#[test]
fn bodies_get_room_within_the_distance() {
    let mesh = table();
    let body = |radius: f64, distance: f64| {
        let ends = mesh.snap_ends([4.5, 0.8, 5.0], [1.0, 0.0, 0.1], &snap(distance).radius(radius));
        ends.unwrap().map(|end| (end.moved, mesh.clearance(end.location).unwrap() >= radius))
    };
    let [start, goal] = body(0.4, 1.3);
    assert!(start.1 && (start.0 - 0.9f64.hypot(0.8)).abs() < 1e-3, "{start:?}");
    assert!(goal.1 && (goal.0 - 0.3).abs() < 1e-3, "{goal:?}");
    assert_eq!(
        body(0.4, 1.1)[0],
        (0.0, true),
        "nothing with room joins it within 1.1 m: it stays on the table"
    );
}
