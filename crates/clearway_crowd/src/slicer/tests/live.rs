//! Walkers on a mesh that is edited under them.

use super::*;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};

const SPEED: f64 = 0.4;

fn hall() -> LiveMesh {
    let outline = vec![[0.0, 0.0], [40.0, 0.0], [40.0, 20.0], [0.0, 20.0]];
    let polygons = vec![PlanPolygon { outline, holes: Vec::new() }];
    LiveMesh::new(MeshOptions::default().build(&Plan { polygons, ..Plan::default() }).unwrap()).unwrap()
}

fn boxed(centre: [f64; 2], size: [f64; 2]) -> Edit {
    let shape = Shape::Box { centre, size, turn: 0.0 };
    Edit::Add(Obstacle { shape, anchor: Anchor::default() })
}

fn walker(live: &LiveMesh, slicer: &mut Slicer, guess: Guess, ends: [[f64; 2]; 2]) -> Walker {
    let [at, goal] = ends.map(|place| live.mesh().locate(place).unwrap());
    let mut walker = Walker::new(at, WalkerOptions::default().radius(0.3).speed(SPEED).guess(guess));
    walker.set_goal(slicer, goal);
    walker
}

/// Walks some frames. Nobody comes nearer to a wall than the radius; an obstacle that comes may do so.
fn walk(live: &LiveMesh, slicer: &mut Slicer, walker: &mut Walker, frames: usize) -> Stride {
    let mut stride = Stride::Resting;
    for _ in 0..frames {
        slicer.frame(live.mesh(), 4);
        let before = live.mesh().clearance(walker.at()).unwrap_or(0.0);
        stride = walker.step(live.mesh(), slicer);
        let room = live.mesh().clearance(walker.at());
        assert!(room.is_none_or(|room| room >= (0.3 - 1e-6f64).min(before)), "{room:?} after {before}");
    }
    stride
}

/// The cells of both ends are divided anew before the search begins, and while it runs. Walkers were lost then.
#[test]
fn walkers_find_their_ends_again() {
    for guess in [Guess::Wait, Guess::Direction, Guess::BestSoFar] {
        let (mut live, mut slicer) = (hall(), Slicer::default());
        let mut walker = walker(&live, &mut slicer, guess, [[2.0, 10.0], [38.0, 10.0]]);
        live.apply(&Edit::Batch(vec![boxed([2.0, 12.0], [1.0, 1.0]), boxed([38.0, 12.0], [1.0, 1.0])]))
            .unwrap();
        let stride = walk(&live, &mut slicer, &mut walker, 2);
        assert!(!matches!(stride, Stride::Lost(_)), "{guess:?}: {stride:?}");
        live.apply(&Edit::Batch(vec![boxed([3.0, 8.0], [1.0, 1.0]), boxed([38.0, 8.0], [1.0, 1.0])]))
            .unwrap();
        assert_eq!(walk(&live, &mut slicer, &mut walker, 200), Stride::Arrived, "{guess:?}");
    }
}

/// A wall across the way sends the walker around it at once, not once it stands before it. Closed for good it is lost, and
/// it walks on when the way opens.
#[test]
fn walkers_notice_what_closes_and_opens() {
    let (mut live, mut slicer) = (hall(), Slicer::default());
    let mut walker = walker(&live, &mut slicer, Guess::Wait, [[2.0, 10.0], [38.0, 10.0]]);
    walk(&live, &mut slicer, &mut walker, 12);
    live.apply(&boxed([30.0, 8.0], [1.0, 16.0])).unwrap();
    walk(&live, &mut slicer, &mut walker, 20);
    assert_eq!(walker.report().restarts, 1, "it noticed at {:?}", walker.at());
    assert!(walker.at().position()[1] > 10.5, "it heads for the gap: {:?}", walker.at());
    let gap = live.apply(&boxed([30.0, 18.0], [1.0, 4.0])).unwrap().obstacles[0];
    let stride = walk(&live, &mut slicer, &mut walker, 100);
    assert!(matches!(stride, Stride::Lost(NoPath::Disconnected)), "{stride:?}");
    live.apply(&Edit::Remove(gap)).unwrap();
    assert_eq!(walk(&live, &mut slicer, &mut walker, 200), Stride::Arrived);
    // A goal that is covered can be reached again once it is free.
    let goal = live.mesh().locate([2.0, 10.0]).unwrap();
    walker.set_goal(&mut slicer, goal);
    walk(&live, &mut slicer, &mut walker, 10);
    let over = live.apply(&boxed([2.0, 10.0], [1.0, 1.0])).unwrap().obstacles[0];
    let stride = walk(&live, &mut slicer, &mut walker, 10);
    assert!(matches!(stride, Stride::Lost(NoPath::OffMesh { .. })), "{stride:?}");
    live.apply(&Edit::Remove(over)).unwrap();
    assert_eq!(walk(&live, &mut slicer, &mut walker, 300), Stride::Arrived);
}

/// A path that was found before an edit is not walked after it.
#[test]
fn answers_of_an_older_mesh_are_not_walked() {
    let (mut live, mut slicer) = (hall(), Slicer::default());
    live.apply(&boxed([35.0, 1.0], [1.0, 1.0])).unwrap();
    let mut walker = walker(&live, &mut slicer, Guess::Wait, [[2.0, 10.0], [38.0, 10.0]]);
    slicer.frame(live.mesh(), 1000);
    live.apply(&boxed([20.0, 8.0], [1.0, 16.0])).unwrap();
    let stride = walker.step(live.mesh(), &mut slicer);
    assert_eq!((stride, walker.report().answered), (Stride::Guessing, None));
    assert_eq!(walk(&live, &mut slicer, &mut walker, 200), Stride::Arrived);
}
