//! A crowd on a mesh that changes under it.

use super::*;
use crate::crowd::ground::Ground;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};

/// An edit that adds a box on the only floor.
fn crate_at(centre: [f64; 2], size: [f64; 2]) -> Edit {
    Edit::Add(Obstacle { shape: Shape::Box { centre, size, turn: 0.0 }, anchor: Anchor::default() })
}

/// Every body stands on the mesh, and no number is not a number.
fn check(crowd: &mut Crowd, mesh: &NavMesh) -> Measures {
    for agent in crowd.agents() {
        assert!(agent.at.position().iter().chain(&agent.velocity).all(|c| c.is_finite()), "{agent:?}");
        assert!(mesh.is_here(&agent.at), "{agent:?}");
    }
    crowd.measure(mesh)
}

#[test]
fn bodies_wait_while_the_last_way_is_closed_and_walk_on_when_it_opens() {
    let mut live = LiveMesh::new(door_plan(2.0)).unwrap();
    let mut crowd = Crowd::default();
    let goal = crowd.add_goal(Area::rectangle([16.0, -3.0], [20.0, 3.0]).unwrap());
    let mesh = live.mesh().clone();
    fill(&mut crowd, &mesh, ([0.5, -4.5], [9.5, 4.5]), 40, 0.2, goal.into(), 3);
    drop(mesh);
    for _ in 0..30 {
        crowd.step(live.mesh(), 0.1).unwrap();
    }
    let closed = live.apply(&crate_at([11.0, 0.0], [0.5, 3.0])).unwrap();
    let mut lost = 0;
    for _ in 0..150 {
        crowd.step(live.mesh(), 0.1).unwrap();
        lost += crowd.events().iter().filter(|event| matches!(event, Event::Lost { .. })).count();
        check(&mut crowd, live.mesh());
    }
    let inside: Vec<_> = crowd.agents().filter(|agent| agent.at.position()[0] < 11.0).collect();
    assert!(lost >= inside.len() && inside.len() > 20, "{lost} lost, {} inside", inside.len());
    let near = inside.iter().filter(|agent| agent.at.position()[0] > 6.0).count();
    assert!(2 * near > inside.len(), "they walk near the goal: {near} of {}", inside.len());
    live.apply(&Edit::Remove(closed.obstacles[0])).unwrap();
    let mut steps = 0;
    while !crowd.is_empty() {
        crowd.step(live.mesh(), 0.1).unwrap();
        check(&mut crowd, live.mesh());
        steps += 1;
        assert!(steps < 600, "{} are left", crowd.len());
    }
}

#[test]
fn swallowed_bodies_are_pushed_out_beside_each_other() {
    let mut live = LiveMesh::new(door_plan(2.0)).unwrap();
    let mut crowd = Crowd::default();
    let mesh = live.mesh().clone();
    fill(&mut crowd, &mesh, ([2.5, -2.0], [6.5, 2.0]), 50, 0.2, Goal::None, 5);
    drop(mesh);
    crowd.step(live.mesh(), 0.1).unwrap();
    live.apply(&crate_at([4.5, 0.0], [4.0, 4.0])).unwrap();
    crowd.step(live.mesh(), 0.1).unwrap();
    let moved = crowd.events().iter().filter(|event| matches!(event, Event::Moved { .. })).count();
    assert!(moved > 40, "{moved} of 50 moved");
    let measures = check(&mut crowd, live.mesh());
    assert!(measures.overlap < 0.01 && measures.wall_overlap < 0.01, "{measures:?}");
}

#[test]
fn a_body_without_room_is_told() {
    let ring = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]];
    let mut live = LiveMesh::new(mesh_of(&ring)).unwrap();
    let mut crowd = Crowd::default();
    let at = live.mesh().locate([2.0, 0.5]).unwrap();
    let id = crowd.add(AgentOptions::at(at).radius(0.4)).unwrap();
    crowd.step(live.mesh(), 0.1).unwrap();
    // Two gaps of half a metre are left, in which it does not fit.
    let change = live.apply(&crate_at([2.0, 0.5], [3.0, 1.0])).unwrap();
    crowd.step(live.mesh(), 0.1).unwrap();
    assert_eq!(crowd.events(), [Event::Swallowed { id }]);
    check(&mut crowd, live.mesh());
    live.apply(&Edit::Remove(change.obstacles[0])).unwrap();
    for _ in 0..20 {
        crowd.step(live.mesh(), 0.1).unwrap();
    }
    assert!(check(&mut crowd, live.mesh()).wall_overlap < 0.01);
}

#[test]
fn random_edits_never_break_a_crowd() {
    let mut live = LiveMesh::new(door_plan(3.0)).unwrap();
    let mut crowd = Crowd::default();
    let goal = crowd.add_goal(Area::rectangle([18.0, -3.0], [20.0, 3.0]).unwrap());
    let mesh = live.mesh().clone();
    fill(&mut crowd, &mesh, ([0.5, -4.5], [9.5, 4.5]), 60, 0.2, goal.into(), 8);
    drop(mesh);
    let mut standing = Vec::new();
    for round in 0..60 {
        let number = |stream| crate::random::random(11, 0, round, stream);
        if standing.len() > 4 {
            live.apply(&Edit::Remove(standing.remove(0))).unwrap();
        }
        let centre = [20.0 * number(1), 8.0 * number(2) - 4.0];
        let size = [0.3 + 2.0 * number(3), 0.3 + 2.0 * number(4)];
        if let Ok(changes) = live.apply(&crate_at(centre, size)) {
            standing.extend(changes.obstacles);
        }
        for _ in 0..3 {
            crowd.step(live.mesh(), 0.1).unwrap();
            check(&mut crowd, live.mesh());
        }
    }
}

#[test]
fn links_that_change_are_noticed() {
    use clearway_nav::mesh::{Link, LinkKind};
    let square = |x: f64| vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]];
    let mut mesh = MeshOptions::default().build(&Plan::from_rings([square(0.0), square(10.0)])).unwrap();
    let mut crowd = Crowd::default();
    let goal = crowd.add_goal(Area::rectangle([11.0, 1.0], [13.0, 3.0]).unwrap());
    let at = mesh.locate([1.0, 2.0]).unwrap();
    let id = crowd.add(AgentOptions::at(at).radius(0.2).goal(goal)).unwrap();
    for _ in 0..20 {
        crowd.step(&mesh, 0.1).unwrap();
    }
    assert!(crowd.agent(id).unwrap().at.position()[0] < 4.0);
    let plank = Link::new("plank", LinkKind::Jump, [4.0, 0.0, -2.0], [10.0, 0.0, -2.0]);
    let serial = mesh.graph().serial;
    mesh.add_links(&[plank], 0.5).unwrap();
    assert_ne!(mesh.graph().serial, serial);
    for _ in 0..200 {
        crowd.step(&mesh, 0.1).unwrap();
    }
    assert_eq!(crowd.agent(id).unwrap().activity, Activity::Arrived);
}

/// The list had an entry for each living side, not for each side number: the crowd panicked, or saw other walls.
#[test]
fn walls_that_join_keep_their_sides_on_an_edited_mesh() {
    let mut live = LiveMesh::new(door_plan(2.0)).unwrap();
    let added = live.apply(&crate_at([4.5, 0.0], [2.0, 2.0])).unwrap();
    live.apply(&crate_at([15.0, 1.0], [1.0, 1.0])).unwrap();
    live.apply(&Edit::Remove(added.obstacles[0])).unwrap();
    let ground = Ground::new(live.mesh(), 1.0, &[]).unwrap();
    assert_eq!(ground.joining.len(), ground.sides.len());
    let walls = (0..ground.cells.len() as u32).flat_map(|cell| ground.sides_of(cell));
    let walls: Vec<usize> = walls.filter(|side| ground.sides[*side].portal == u32::MAX).collect();
    for side in &walls {
        let [_, away] = ground.joining[*side];
        let side = &ground.sides[*side];
        let follows = walls.iter().any(|other| {
            let other = &ground.sides[*other];
            other.from == side.to && crate::vector::Vector::between(other.from, other.to) == away
        });
        assert!(follows, "{side:?}: {away:?}");
    }
}

/// The gap that an edit leaves among the portals was asked for its free parts: a panic.
#[test]
fn portals_that_are_gone_have_no_free_parts() {
    let mut live = LiveMesh::new(door_plan(2.0)).unwrap();
    let mut gone = 0;
    for place in 0..8 {
        let added = live.apply(&crate_at([2.0 + 2.0 * f64::from(place), 0.0], [1.5, 3.0])).unwrap();
        if place % 2 == 0 {
            live.apply(&Edit::Remove(added.obstacles[0])).unwrap();
        }
        let mesh = live.mesh();
        let ids = (0..mesh.portal_slots() as u32).map(clearway_nav::mesh::PortalId);
        for id in ids.filter(|id| mesh.portal(*id).is_none()) {
            assert!(mesh.free_intervals(id, 0.2).is_empty());
            assert_eq!(mesh.portal_critical_radius(id), None);
            gone += 1;
        }
    }
    assert!(gone > 0);
}

/// Two floors with stairs between them.
fn floors() -> NavMesh {
    let soup = clearway_scenes::stacked_floors().soup;
    let scene =
        clearway_world::Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts)
            .unwrap();
    let surface = clearway_build::surface::WalkableSurface::extract(&scene, &Default::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

#[test]
fn swallowed_bodies_stay_on_their_floor() {
    let mut live = LiveMesh::new(floors()).unwrap();
    let mut crowd = Crowd::default();
    for seed in 0..60 {
        let at = live.mesh().random_point(seed).unwrap();
        crowd.add(AgentOptions::at(at).radius(0.2)).unwrap();
    }
    crowd.step(live.mesh(), 0.1).unwrap();
    let before: Vec<f64> = crowd.agents().map(|agent| live.mesh().height(agent.at)).collect();
    let agents: Vec<Agent> = crowd.agents().collect();
    let mut moved = 0;
    for (agent, height) in agents.iter().zip(&before) {
        let centre = agent.at.position();
        let obstacle = Obstacle {
            shape: Shape::Box { centre, size: [0.6, 0.6], turn: 0.2 },
            anchor: Anchor { height: Some(*height) },
        };
        let Ok(changes) = live.apply(&Edit::Add(obstacle)) else { continue };
        crowd.step(live.mesh(), 0.1).unwrap();
        moved += crowd.events().iter().filter(|event| matches!(event, Event::Moved { .. })).count();
        check(&mut crowd, live.mesh());
        live.apply(&Edit::Remove(changes.obstacles[0])).unwrap();
        crowd.step(live.mesh(), 0.1).unwrap();
    }
    assert!(moved > 40, "{moved} moved");
    for (agent, height) in crowd.agents().zip(before) {
        // Stairs are steep: a body that is pushed aside there climbs a little.
        assert!((live.mesh().height(agent.at) - height).abs() < 1.5, "{agent:?} was at {height}");
    }
}

/// The nearest clear place lies in a pocket that is full.
#[test]
fn a_body_beside_a_full_pocket_goes_farther() {
    let ring = [[0.0, 0.0], [12.0, 0.0], [12.0, 10.0], [0.0, 10.0]];
    let mut live = LiveMesh::new(mesh_of(&ring)).unwrap();
    let mut crowd = Crowd::default();
    for at in [[1.0, 1.0], [2.2, 1.0]] {
        let at = live.mesh().locate(at).unwrap();
        crowd.add(AgentOptions::at(at).radius(0.45)).unwrap();
    }
    crowd.step(live.mesh(), 0.1).unwrap();
    for wall in [[[1.55, 0.0], [1.55, 1.6]], [[0.0, 1.6], [1.55, 1.6]]] {
        let shape = Shape::Segment(wall);
        live.apply(&Edit::Add(Obstacle { shape, anchor: Anchor::default() })).unwrap();
    }
    live.apply(&crate_at([2.85, 1.0], [2.3, 2.0])).unwrap();
    crowd.step(live.mesh(), 0.1).unwrap();
    assert!(matches!(crowd.events(), [Event::Moved { .. }]), "{:?}", crowd.events());
    let measures = check(&mut crowd, live.mesh());
    assert!(measures.overlap < 1e-4 && measures.wall_overlap < 1e-4, "{measures:?}");
}

/// Who stands in a closing door was put to the nearest free place, also through the door.
#[test]
fn a_closing_door_leaves_everybody_on_their_side() {
    for seed in 0..6 {
        let mut live = LiveMesh::new(door_plan(2.0)).unwrap();
        let door = Edit::AddDoor([[11.0, -1.0], [11.0, 1.0]], Anchor::default());
        let door = live.apply(&door).unwrap().doors[0];
        let mut crowd = Crowd::default();
        let before = live.mesh().clone();
        // A crowd presses against the door from the west; there is room in the east.
        fill(&mut crowd, &before, ([9.0, -0.75], [11.15, 0.75]), 14, 0.2, Goal::None, seed);
        crowd.notice(&before).unwrap();
        let sides = |crowd: &Crowd| -> Vec<bool> {
            crowd.agents().map(|agent| agent.at.position()[0] > 11.0).collect()
        };
        let expected = sides(&crowd);
        live.apply(&Edit::Door(door, false)).unwrap();
        let flight = crowd.flee(&before, live.mesh());
        assert!(flight.trapped.is_empty() && !flight.moved.is_empty(), "seed {seed}: {flight:?}");
        crowd.notice(live.mesh()).unwrap();
        assert_eq!(sides(&crowd), expected, "seed {seed}");
        for _ in 0..20 {
            crowd.step(live.mesh(), 0.1).unwrap();
        }
        assert_eq!(sides(&crowd), expected, "seed {seed}");
        let measures = check(&mut crowd, live.mesh());
        assert!(measures.overlap < 1e-4 && measures.wall_overlap < 1e-4, "seed {seed}: {measures:?}");
    }
}
