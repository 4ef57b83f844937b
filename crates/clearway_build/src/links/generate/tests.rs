//! Jumps and drops found in small scenes.

use super::*;
use crate::testing::{mesh_of, place, scene_of, shared};
use clearway_nav::mesh::{FlawKind, NavMesh};
use clearway_nav::path::{NoPath, PathQuery};
use clearway_scenes::{BuildingOptions, Soup, building, stacked_floors, thin_wall};

/// The links of a soup, and its mesh with them.
fn linked(soup: &Soup, rules: &JumpRules) -> (NavMesh, Vec<Link>) {
    linked_scene(&scene_of(soup), rules)
}

fn linked_scene(scene: &Scene, rules: &JumpRules) -> (NavMesh, Vec<Link>) {
    let mut mesh = mesh_of(scene);
    let links = generate_links(&mesh, scene, rules).unwrap();
    assert_eq!(links, generate_links(&mesh, scene, rules).unwrap());
    mesh.add_links(&links, 1e-3).unwrap();
    assert!(mesh.check().iter().all(|flaw| flaw.kind != FlawKind::Link));
    for link in mesh.links() {
        for end in [link.from, link.to] {
            assert!(mesh.clearance(place(&mesh, end)).unwrap() >= rules.radius, "{link:?}");
        }
    }
    (mesh, links)
}

/// Whether a body gets from one place to the other, and back.
fn ways(mesh: &NavMesh, from: [f64; 3], to: [f64; 3]) -> [bool; 2] {
    let [from, to] = [from, to].map(|at| place(mesh, at));
    [(from, to), (to, from)].map(|(start, goal)| {
        let query = PathQuery::new(start, goal).radius(0.25);
        mesh.find_path(&query).map_err(|reason| assert_eq!(reason, NoPath::Disconnected)).is_ok()
    })
}

/// A floor of 20 m with a platform of 4 m on it.
fn platform(height: f64) -> Soup {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [20.0, 20.0], 0.0);
    soup.part("platform", "Floor").cuboid([8.0, 0.0, 8.0], [12.0, height, 12.0]);
    soup
}

/// Two floors, 3 m up, with a gap between them that begins at x = 5.
fn gap(width: f64) -> Soup {
    let mut soup = Soup::new();
    soup.part("floor", "Floor");
    soup.floor([0.0, 0.0], [5.0, 4.0], 3.0);
    soup.floor([5.0 + width, 0.0], [10.0 + width, 4.0], 3.0);
    soup
}

const TOP: [f64; 3] = [10.0, 2.0, 10.0];
const BELOW: [f64; 3] = [3.0, 0.0, 3.0];

#[test]
fn one_drops_from_a_platform_but_not_up() {
    let (mesh, links) = linked(&platform(2.0), &JumpRules::default());
    assert_eq!(ways(&mesh, TOP, BELOW), [true, false]);
    assert!(links.iter().all(|link| link.kind == LinkKind::Drop && !link.both_ways));
    assert!((1..=4).contains(&links.len()), "{links:#?}");
    assert_eq!(links[0].name, "drop 0");
    let (_, links) = linked(&platform(2.0), &JumpRules::default().drop_height(1.9));
    assert_eq!(links, []);
}

#[test]
fn one_jumps_onto_low_platforms() {
    let (mesh, links) = linked(&platform(0.7), &JumpRules::default());
    assert_eq!(ways(&mesh, [10.0, 0.7, 10.0], BELOW), [true, true]);
    assert!(links.iter().all(|link| link.kind == LinkKind::Jump && link.both_ways), "{links:#?}");
    assert!((1..=4).contains(&links.len()));
}

#[test]
fn one_jumps_over_gaps() {
    let [left, right] = [[2.0, 3.0, 2.0], [8.0, 3.0, 2.0]];
    for (width, jumped) in [(0.5, true), (1.5, true), (2.0, true), (2.05, false)] {
        let (mesh, links) = linked(&gap(width), &JumpRules::default());
        assert_eq!(ways(&mesh, left, right), [jumped; 2], "gap of {width} m");
        assert_eq!(links.len(), usize::from(jumped), "{links:#?}");
    }
    let (_, links) = linked(&gap(1.5), &JumpRules::default().jump_height(0.0));
    assert_eq!(links, [], "no jumps");
}

#[test]
fn walls_are_in_the_way() {
    let mut soup = gap(1.5);
    soup.part("wall", "Wall").panel([5.75, -1.0], [5.75, 5.0], 2.0, 6.0);
    assert_eq!(linked(&soup, &JumpRules::default()).1, []);
    let mut soup = gap(1.5);
    // A wire, thinner than the distance of any samples, right through the body.
    soup.part("wire", "Wall").panel([5.75, -1.0], [5.75, 5.0], 4.0, 4.01);
    assert_eq!(linked(&soup, &JumpRules::default()).1, []);
    let mut soup = platform(2.0);
    for (from, to) in [([7.9, 7.9], [12.1, 7.9]), ([12.1, 7.9], [12.1, 12.1])] {
        soup.part("fence", "Wall").panel(from, to, 0.0, 3.2);
    }
    for (from, to) in [([12.1, 12.1], [7.9, 12.1]), ([7.9, 12.1], [7.9, 7.9])] {
        soup.part("fence", "Wall").panel(from, to, 0.0, 3.2);
    }
    assert_eq!(linked(&soup, &JumpRules::default()).1, [], "a fence around the platform");
}

#[test]
fn ceilings_are_in_the_way() {
    let with_ceiling = |height: f64| {
        let mut soup = gap(1.5);
        soup.part("beam", "Wall").ceiling([5.2, -1.0], [6.3, 5.0], height);
        linked(&soup, &JumpRules::default()).1.len()
    };
    assert_eq!((with_ceiling(4.9), with_ceiling(5.1), with_ceiling(5.6)), (0, 0, 1));
}

#[test]
fn one_drops_where_there_is_no_room_to_jump() {
    let with_ceiling = |height: f64| {
        let mut soup = platform(0.7);
        soup.part("ceiling", "Wall").ceiling([0.0, 0.0], [20.0, 20.0], height);
        let (_, links) = linked(&soup, &JumpRules::default());
        links.iter().map(|link| link.kind.clone()).collect::<Vec<_>>()
    };
    let [low, high] = [2.75, 4.0].map(with_ceiling);
    assert!(!low.is_empty() && low.iter().all(|kind| *kind == LinkKind::Drop), "{low:?}");
    assert!(!high.is_empty() && high.iter().all(|kind| *kind == LinkKind::Jump), "{high:?}");
}

#[test]
fn no_links_where_walking_does() {
    assert_eq!(linked(&thin_wall().soup, &JumpRules::default()).1, []);
    let mut soup = gap(1.5);
    // A bridge beside the gap.
    soup.part("bridge", "Floor").floor([5.0, 0.0], [6.5, 1.0], 3.0);
    let rules = JumpRules::default();
    let (_, links) = linked(&soup, &rules);
    assert!(links.len() <= 1, "{links:#?}");
    assert_eq!(linked(&soup, &rules.detour(10.0)).1, []);
}

#[test]
fn links_do_not_crowd() {
    let mut soup = Soup::new();
    soup.part("floor", "Floor");
    soup.floor([0.0, 0.0], [5.0, 40.0], 0.0);
    soup.floor([6.5, 0.0], [11.0, 40.0], 0.0);
    let rules = JumpRules::default();
    let count = |rules: &JumpRules| linked(&soup, rules).1.len();
    assert!((4..=9).contains(&count(&rules)), "{}", count(&rules));
    assert_eq!(count(&rules.clone().spacing(100.0)), 1);
    assert_eq!(count(&rules.max_links(2)), 2);
}

#[test]
fn links_serve_only_who_can_walk_to_them() {
    // A gap 1.5 m wide, the same on two floors; on both sides two ramps and a landing lead from floor to floor.
    let mut soup = Soup::new();
    soup.part("floor", "Floor");
    for x in [0.0, 6.5] {
        soup.floor([x, 0.0], [x + 5.0, 4.0], 0.0);
        soup.floor([x, 0.0], [x + 5.0, 4.0], 3.0);
        soup.floor([x, 10.0], [x + 5.0, 12.0], 1.5);
        for (x, height) in [(x, 0.0), (x + 3.0, 3.0)] {
            soup.face(&[[x, height, 4.0], [x, 1.5, 10.0], [x + 2.0, 1.5, 10.0], [x + 2.0, height, 4.0]]);
        }
    }
    let (mesh, links) = linked(&soup, &JumpRules::default());
    assert_eq!(mesh.component_count(), 2);
    let jumps = |height: f64| {
        let is_there = |link: &&Link| link.from[2] < 4.0 && (link.from[1] - height).abs() < 0.1;
        links.iter().filter(|link| link.kind == LinkKind::Jump).filter(is_there).count()
    };
    assert_eq!((jumps(0.0), jumps(3.0)), (1, 1), "{links:#?}");
    // A wall 4 m thick in the middle of a floor: drops to the one side are none to the other.
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [60.0, 40.0], 0.0);
    soup.part("wall", "Floor").cuboid([10.0, 0.0, 18.0], [50.0, 2.0, 21.0]);
    let (_, links) = linked(&soup, &JumpRules::default());
    let count = |is_there: fn(f64) -> bool| links.iter().filter(|link| is_there(link.to[2])).count();
    let [left, right] = [count(|z| z < 18.0), count(|z| z > 21.0)];
    assert!(left >= 5 && right >= 5, "{left} to the left, {right} to the right");
}

#[test]
fn buildings_get_links_that_are_sound() {
    linked(&stacked_floors().soup, &JumpRules::default());
    let known = building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 2 }, 3);
    let (_, links) = linked(&known.soup, &JumpRules::default().drop_height(4.0));
    assert!(links.len() < 100, "{} links", links.len());
}

#[test]
fn rules_that_make_no_sense_are_named() {
    let scene = scene_of(&platform(1.0));
    let mesh = mesh_of(&scene);
    let refused = |rules: JumpRules| generate_links(&mesh, &scene, &rules).unwrap_err().to_string();
    let rules = JumpRules::default;
    assert!(refused(rules().radius(f64::NAN)).contains("radius is NaN"));
    assert!(refused(rules().drop_height(-1.0)).contains("drop height is -1"));
    assert!(refused(rules().max_step(3.0)).contains("max step 3"));
}

#[test]
fn names_of_the_mesh_are_not_used_again() {
    let scene = scene_of(&gap(1.0));
    let mut mesh = mesh_of(&scene);
    mesh.add_links(&[Link::new("jump 0", LinkKind::Lift, [1.0, 3.0, 1.0], [8.0, 3.0, 1.0])], 0.5).unwrap();
    let links = generate_links(&mesh, &scene, &JumpRules::default()).unwrap();
    assert_eq!(links[0].name, "jump 1");
}

#[test]
fn no_leap_beside_one_that_is_there() {
    let scene = scene_of(&gap(1.0));
    let at = [[4.5, 3.0, 2.0], [6.5, 3.0, 2.0]];
    let generated = |link: Link| {
        let mut mesh = mesh_of(&scene);
        mesh.add_links(&[link], 0.5).unwrap();
        generate_links_with_report(&mesh, &scene, &JumpRules::default()).unwrap()
    };
    let jump = Link::new("mine", LinkKind::Jump, at[0], at[1]);
    let (links, left_out) = generated(jump.clone());
    assert_eq!(links, []);
    assert!(left_out.iter().all(|left| left.reason == "near" && left.count > 0), "{left_out:?}");
    let one_way = Link { both_ways: false, ..jump.clone() };
    assert_eq!(generated(one_way).0.len(), 1, "nobody gets back");
    assert_eq!(generated(Link { max_radius: Some(0.1), ..jump.clone() }).0.len(), 1, "too small");
    assert_eq!(generated(Link { kind: LinkKind::Lift, ..jump }).0.len(), 1, "no leap");
}

#[test]
fn what_is_left_out_is_told() {
    let told = |soup: &Soup, rules: &JumpRules| {
        let scene = scene_of(soup);
        let (_, left_out) = generate_links_with_report(&mesh_of(&scene), &scene, rules).unwrap();
        assert!(
            left_out.iter().all(|left| !left.words().is_empty() && left.at.iter().all(|c| c.is_finite()))
        );
        left_out.into_iter().map(|left| (left.reason, left.kind)).collect::<Vec<_>>()
    };
    let rules = JumpRules::default();
    assert_eq!(told(&gap(1.0), &rules), [("near", LinkKind::Jump)]);
    assert_eq!(told(&gap(3.0), &rules), []);
    let none = rules.max_links(0);
    assert_eq!(told(&gap(1.0), &none), [("too_many", LinkKind::Jump)]);
}

/// Nobody gets onto a table of 1 m height, unless something leads up to it.
#[test]
fn nobody_drops_from_a_table_that_nobody_gets_onto() {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [20.0, 20.0], 0.0);
    soup.part("table", "Wood").cuboid([9.0, 0.0, 9.0], [11.0, 1.0, 10.5]);
    let scene = scene_of(&soup);
    let found = |more: &[Link], rules: JumpRules| {
        let mut mesh = mesh_of(&scene);
        mesh.add_links(more, 0.5).unwrap();
        let (links, left_out) = generate_links_with_report(&mesh, &scene, &rules).unwrap();
        (links.len(), left_out.into_iter().map(|left| left.reason).collect::<Vec<_>>())
    };
    let rules = JumpRules::default();
    assert_eq!(found(&[], rules.clone()), (0, vec!["unreachable"]));
    assert!(found(&[], rules.clone().min_island(1.0)).0 > 0, "it is large enough");
    assert!(found(&[], rules.clone().jump_height(1.2)).0 > 0, "one jumps onto it");
    let chair = Link::new("chair", LinkKind::Ladder, [8.0, 0.0, 9.5], [10.0, 1.0, 9.5]);
    assert!(found(std::slice::from_ref(&chair), rules.clone()).0 > 0, "one climbs onto it");
    let down = Link { both_ways: false, from: chair.to, to: chair.from, ..chair };
    assert_eq!(found(&[down], rules).0, 0, "one only climbs down");
}

#[test]
fn real_scenes_get_links_that_are_sound() {
    for name in ["dungeon.obj", "nav_test.obj"] {
        let Some(scene) = shared(name) else { continue };
        let (mesh, links) = linked_scene(&scene, &JumpRules::default());
        println!("{name}: {} links on {} cells", links.len(), mesh.cell_count());
        assert!(!links.is_empty() && links.len() < 1000);
    }
}
