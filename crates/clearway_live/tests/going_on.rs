//! Searches that go on after edits: the answer is that of a search begun on the mesh as it is now.

#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::path::{PathQuery, PathSearch, SearchStatus, verify};
use clearway_nav::{Location, NavMesh};
use clearway_world::Plan;

/// A generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.roll() % count
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.roll() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The length of the side of the town, in metres.
const TOWN: f64 = 60.0;

/// A town of turned blocks, some of which stand close together.
fn town() -> LiveMesh {
    let mut rings = vec![vec![[0.0, 0.0], [TOWN, 0.0], [TOWN, TOWN], [0.0, TOWN]]];
    for (column, row) in (0..9).flat_map(|column| (0..9).map(move |row| (column, row))) {
        let [x, y] = [column, row].map(|number| 5.0 + 6.2 * f64::from(number));
        let (sine, cosine) = (0.7 * f64::from(column * 5 + row * 3)).sin_cos();
        let size = 1.0 + 0.25 * f64::from((column * 7 + row * 4) % 5);
        let corner =
            |[u, v]: [f64; 2]| [x + size * (u * cosine - v * sine), y + size * (u * sine + v * cosine)];
        rings.push([[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]].map(corner).to_vec());
    }
    LiveMesh::new(MeshOptions::default().build(&Plan::from_rings(rings)).unwrap()).unwrap()
}

/// Adds, moves or removes something. Edits that are refused change nothing.
fn edit(live: &mut LiveMesh, standing: &mut Vec<ObstacleId>, dice: &mut Dice) {
    let place = [dice.within(0.0, TOWN), dice.within(0.0, TOWN)];
    let size = [dice.within(0.3, 3.0), dice.within(0.3, 3.0)];
    let shape = match dice.below(3) {
        0 => Shape::Segment([place, [place[0] + size[0], place[1] + size[1]]]),
        _ => Shape::Box { centre: place, size, turn: dice.within(0.0, 6.0) },
    };
    let obstacle = Obstacle { shape, anchor: Anchor::default() };
    let pick = dice.below(standing.len().max(1) as u64) as usize;
    let change = match (dice.below(3), standing.get(pick)) {
        (1, Some(id)) => Edit::Move(*id, obstacle),
        (2, Some(id)) => Edit::Remove(*id),
        _ => Edit::Add(obstacle),
    };
    let Ok(changes) = live.apply(&change) else { return };
    if let Edit::Remove(_) = change {
        standing.swap_remove(pick);
    }
    standing.extend(changes.obstacles);
}

/// A place where a body of this radius can stand.
fn free_place(mesh: &NavMesh, seed: u64, radius: f64) -> Option<Location> {
    let places = (0..16).filter_map(|number| mesh.random_point(seed.wrapping_add(number << 32)));
    places
        .into_iter()
        .find(|at| radius == 0.0 || mesh.clearance(*at).is_some_and(|clearance| clearance > radius))
}

/// Asks for a path in slices while edits go on, and then at once. Returns true if the search went on after an edit.
fn ask(live: &mut LiveMesh, standing: &mut Vec<ObstacleId>, dice: &mut Dice, radius: f64) -> bool {
    let (seed, budget, hold) = (dice.roll(), 1 + dice.below(12), dice.below(2) == 0);
    let ends = [0, 1].map(|end| free_place(live.mesh(), seed ^ end, radius));
    let [Some(from), Some(to)] = ends else { return false };
    let mut search = PathSearch::new(PathQuery::new(from, to).radius(radius));
    let mut edits = 0;
    let answer = loop {
        // A reader that holds the mesh makes both copies take turns.
        let reader = hold.then(|| live.mesh().clone());
        if let SearchStatus::Done(answer) = search.step(live.mesh(), budget) {
            break answer;
        }
        if edits < 6 && dice.below(4) == 0 {
            edit(live, standing, dice);
            edits += 1;
        }
        drop(reader);
    };
    let mesh: &NavMesh = live.mesh();
    // A search anew is asked for the same places, in the cells that hold them now.
    let [start, goal] = [from, to].map(|at| mesh.locate(at.position()).unwrap_or(at));
    let anew = mesh.find_path(&PathQuery::new(start, goal).radius(radius));
    match (&answer, &anew) {
        (Ok(path), Ok(anew)) => {
            let off = (path.length - anew.length).abs();
            assert!(
                off < 1e-6 * (1.0 + anew.length),
                "{} instead of {}, {from:?} {to:?}",
                path.length,
                anew.length
            );
            assert_eq!(verify(mesh, path), Ok(()), "{from:?} {to:?}");
        }
        (Err(reason), Err(anew)) => assert_eq!(reason, anew),
        _ => panic!("{answer:?} instead of {anew:?}"),
    }
    edits > 0 && search.restarts() == 0
}

/// Asks many times. Searches for points and small bodies must go on often, or nothing was tested.
fn many(radius: f64, seed: u64, least: usize) {
    let (mut live, mut standing, mut dice) = (town(), Vec::new(), Dice(seed));
    let mut gone_on = 0;
    // The first edit after a build drops the blocks; before it every search starts anew.
    edit(&mut live, &mut standing, &mut dice);
    for _ in 0..400 {
        gone_on += usize::from(ask(&mut live, &mut standing, &mut dice, radius));
        if standing.len() > 60 {
            standing.drain(..).for_each(|id| drop(live.apply(&Edit::Remove(id)).unwrap()));
        }
    }
    println!("radius {radius}: {gone_on} searches went on after edits");
    assert!(gone_on >= least, "{gone_on} searches went on after edits");
}

#[test]
fn searches_of_points_go_on() {
    many(0.0, 1, 20);
}

#[test]
fn searches_of_discs_go_on() {
    many(0.15, 2, 10);
    many(0.4, 3, 5);
}

/// What opens farther off counts as well: the search goes on and takes the way that was not there when it began.
#[test]
fn a_way_that_opens_ahead_is_taken() {
    let ring = vec![[0.0, 0.0], [60.0, 0.0], [60.0, 20.0], [0.0, 20.0]];
    let mut live = LiveMesh::new(MeshOptions::default().build(&Plan::from_rings([ring])).unwrap()).unwrap();
    let wall = |x: f64, [low, high]: [f64; 2]| {
        let shape = Shape::Segment([[x, low], [x, high]]);
        Edit::Add(Obstacle { shape, anchor: Anchor::default() })
    };
    // Walls from below and from above take turns, so that the way winds.
    for number in 0..19 {
        let x = 3.0 + 3.0 * f64::from(number);
        live.apply(&wall(x, if number % 2 == 0 { [0.0, 14.0] } else { [6.0, 20.0] })).unwrap();
    }
    let barrier = live.apply(&wall(40.5, [1.0, 20.0])).unwrap().obstacles[0];
    let [from, to] = [[1.0, 10.0], [59.0, 19.0]].map(|place| live.mesh().locate(place).unwrap());
    let mut search = PathSearch::new(PathQuery::new(from, to));
    assert_eq!(search.step(live.mesh(), 3), SearchStatus::Running);
    live.apply(&Edit::Remove(barrier)).unwrap();
    let path = match search.step(live.mesh(), u64::MAX) {
        SearchStatus::Done(Ok(path)) => path,
        other => panic!("{other:?} after {} restarts", search.restarts()),
    };
    let anew = live.mesh().find_path(&PathQuery::new(from, to)).unwrap();
    assert!((path.length - anew.length).abs() < 1e-9 && search.restarts() == 0, "{}", search.restarts());
}
