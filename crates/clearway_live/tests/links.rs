//! Links on a mesh that changes: they sleep while an end is covered, wake again, come and go.

#![allow(clippy::unwrap_used)]

use clearway_base::progress::NoProgress;
use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::{Link, LinkKind, NavMesh, PathQuery};
use clearway_scenes::Random;
use clearway_world::plan::Plan;

/// Two squares of 4 m, 6 m apart, and a plank between them.
fn islands() -> NavMesh {
    let square = |x: f64| vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]];
    let mut mesh = MeshOptions::default().build(&Plan::from_rings([square(0.0), square(10.0)])).unwrap();
    mesh.add_links(&[plank("plank", 2.0)], 0.5).unwrap();
    mesh
}

fn plank(name: &str, y: f64) -> Link {
    Link::new(name, LinkKind::Jump, [4.0, 0.0, -y], [10.0, 0.0, -y])
}

fn cube(x: f64, y: f64, size: f64) -> Edit {
    let shape = Shape::Box { centre: [x, y], size: [size, size], turn: 0.0 };
    Edit::Add(Obstacle { shape, anchor: Anchor::default() })
}

fn cost(live: &LiveMesh) -> Option<f64> {
    let [from, to] = [[1.0, 2.0], [13.0, 2.0]].map(|place| live.mesh().locate(place).ok());
    live.mesh().find_path(&PathQuery::new(from?, to?)).ok().map(|path| path.cost)
}

fn no_flaws(live: &LiveMesh) {
    live.mesh().prepare_clearance(&mut NoProgress).unwrap();
    assert_eq!(live.mesh().check(), Vec::new());
    assert_eq!(NavMesh::decode(&live.mesh().encode()).unwrap().check(), Vec::new());
}

#[test]
fn a_link_sleeps_while_its_end_is_covered() {
    let mesh = islands();
    let bytes = mesh.encode();
    let mut live = LiveMesh::new(mesh).unwrap();
    assert_eq!(cost(&live), Some(12.0));
    let added = live.apply(&cube(10.5, 2.0, 1.5)).unwrap();
    no_flaws(&live);
    assert_eq!((added.links_gone, cost(&live)), (vec!["plank".to_string()], None));
    assert_eq!(live.links().collect::<Vec<_>>(), [("plank", false)]);
    assert_eq!(live.mesh().link_count(), 0);
    // A second crate over the same end keeps it asleep when the first goes.
    let second = live.apply(&cube(10.2, 2.0, 0.5)).unwrap();
    live.apply(&Edit::Remove(added.obstacles[0])).unwrap();
    assert_eq!(cost(&live), None);
    let gone = live.apply(&Edit::Remove(second.obstacles[0])).unwrap();
    assert_eq!((gone.links_come, cost(&live)), (vec!["plank".to_string()], Some(12.0)));
    no_flaws(&live);
    assert!(live.mesh().encode() == bytes);
}

#[test]
fn links_come_and_go_as_edits() {
    let mut live = LiveMesh::new(islands()).unwrap();
    let bytes = live.mesh().encode();
    let come = live.apply(&Edit::AddLink(Link { cost: Some(1.0), ..plank("rope", 3.0) })).unwrap();
    assert_eq!((come.links_come.len(), live.mesh().link_count()), (1, 2));
    assert!(cost(&live).unwrap() < 12.0);
    for (edit, word) in [
        (Edit::AddLink(plank("rope", 1.0)), "already"),
        (Edit::AddLink(plank("far", 9.0)), "not on the mesh"),
        (Edit::RemoveLink("rpoe".to_string()), "no link"),
    ] {
        let before = live.mesh().encode();
        let error = live.apply(&edit).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
        assert!(live.mesh().encode() == before);
    }
    live.apply(&Edit::RemoveLink("plank".to_string())).unwrap();
    no_flaws(&live);
    assert_eq!(live.mesh().links().map(|link| link.name).collect::<Vec<_>>(), ["rope"]);
    live.undo(&come).unwrap_or_else(|_| panic!("the rope is as it came"));
    assert_eq!((live.mesh().link_count(), cost(&live)), (0, None));
    live.apply(&Edit::AddLink(plank("plank", 2.0))).unwrap();
    assert!(live.mesh().encode() == bytes);
}

/// A link that came after an obstacle ends in a cell that taking the obstacle back would exchange.
#[test]
fn undoing_under_a_newer_link_keeps_the_link_on_the_mesh() {
    let mut live = LiveMesh::new(islands()).unwrap();
    let added = live.apply(&cube(3.0, 2.0, 1.0)).unwrap();
    live.apply(&Edit::AddLink(plank("rope", 3.0))).unwrap();
    let _ = live.undo(&added);
    no_flaws(&live);
    assert_eq!(live.mesh().link_count(), 2);
}

#[test]
fn random_edits_under_links_keep_all_laws_and_bytes() {
    let (mut slept, mut woke) = (0, 0);
    for seed in 0..8 {
        let mut mesh = islands();
        let more: Vec<Link> =
            (0..6).map(|k| plank(&format!("plank {k}"), 0.3 + 0.6 * f64::from(k))).collect();
        mesh.add_links(&more, 0.5).unwrap();
        let bytes = mesh.encode();
        let mut live = LiveMesh::new(mesh).unwrap();
        let mut random = Random::new(seed);
        let (mut ids, mut history): (Vec<ObstacleId>, Vec<_>) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            let edit = match ids.len() > 5 {
                true => Edit::Remove(ids.swap_remove(random.below(ids.len()))),
                false => {
                    let x = random.range(2.0, 5.0) + 7.0 * random.below(2) as f64;
                    cube(x, random.range(0.0, 4.0), random.range(0.2, 1.5))
                }
            };
            let Ok(changes) = live.apply(&edit) else { continue };
            ids.extend(&changes.obstacles);
            slept += changes.links_gone.len();
            woke += changes.links_come.len();
            no_flaws(&live);
            let awake = live.links().filter(|(_, awake)| *awake).count();
            assert_eq!(awake, live.mesh().link_count());
            // A link is awake exactly if both its ends are on free ground.
            for (name, awake) in live.links() {
                let y = more.iter().find(|link| link.name == name).map_or(2.0, |link| -link.from[2]);
                let is_free = [4.0, 10.0].iter().all(|x| live.mesh().locate([*x, y]).is_ok());
                assert_eq!(awake, is_free, "{name}");
            }
            history.push(changes);
        }
        history.iter().rev().for_each(|changes| drop(live.undo(changes).unwrap()));
        assert!(live.mesh().encode() == bytes, "seed {seed}");
    }
    assert!(slept > 20 && woke > 10, "{slept} fell asleep, {woke} woke");
}

/// Taking the removal of a link back once brought it into a cell that was there no more.
#[test]
fn a_link_does_not_come_back_into_a_cell_that_went() {
    let mut live = LiveMesh::new(islands()).unwrap();
    let gone = live.apply(&Edit::RemoveLink("plank".to_string())).unwrap();
    let crate_ = live.apply(&cube(3.5, 2.0, 1.5)).unwrap();
    assert!(live.undo(&gone).is_err());
    no_flaws(&live);
    live.undo(&crate_).unwrap();
    live.undo(&gone).unwrap();
    no_flaws(&live);
    assert_eq!(live.mesh().encode(), islands().encode());
}
