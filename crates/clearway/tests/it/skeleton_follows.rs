//! A skeleton that follows edits is the one that a build of the edited mesh would give, and agrees with the mesh.

use clearway::live::{Anchor, Changes, DoorId, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway::plan::{Plan, PlanPolygon};
use clearway::skeleton::Skeleton;
use clearway::{MeshOptions, NavMesh};
use clearway_scenes::Random;

/// A hall with a block and a wall of no thickness.
fn hall() -> NavMesh {
    let outline = vec![[0.0, 0.0], [30.0, 1.0], [31.0, 20.0], [16.0, 24.0], [-1.0, 19.0]];
    let holes = vec![vec![[6.0, 5.0], [9.0, 5.5], [8.0, 9.0]]];
    let walls = vec![vec![[12.0, 3.0], [13.0, 12.0]]];
    let plan = Plan { polygons: vec![PlanPolygon { outline, holes }], walls, ..Plan::default() };
    MeshOptions::default().build(&plan).unwrap()
}

/// The edits of a test, and what stands.
struct World {
    live: LiveMesh,
    obstacles: Vec<ObstacleId>,
    doors: Vec<(DoorId, bool)>,
    history: Vec<Changes>,
    random: Random,
}

impl World {
    fn place(&mut self) -> [f64; 2] {
        [self.random.range(-1.0, 31.0), self.random.range(0.0, 23.0)]
    }

    fn obstacle(&mut self) -> Obstacle {
        let centre = self.place();
        let random = &mut self.random;
        let shape = match random.below(4) {
            0 => Shape::Disc { centre, radius: random.range(0.2, 1.5), sides: 3 + random.below(9) as u32 },
            1 => Shape::Segment([centre, centre.map(|c| c + random.range(-4.0, 4.0))]),
            2 => Shape::Box { centre: centre.map(f64::round), size: [2.0, 1.0], turn: 0.0 },
            _ => Shape::Box { centre, size: [random.range(0.3, 4.0), 0.9], turn: random.range(0.0, 6.0) },
        };
        Obstacle { shape, anchor: Anchor::default() }
    }

    /// Makes a random edit, or takes the last one back. `None` if it was refused.
    fn step(&mut self) -> Option<Changes> {
        let changes = match self.random.below(10) {
            0 if !self.history.is_empty() => {
                let last = self.history.pop()?;
                self.live.undo(&last).unwrap()
            }
            kind => {
                let edit = self.edit(kind);
                let changes = self.live.apply(&edit).ok()?;
                self.history.push(changes.clone());
                changes
            }
        };
        self.obstacles = self.live.obstacles().map(|(id, _)| id).collect();
        self.doors = self.live.doors().collect();
        Some(changes)
    }

    fn edit(&mut self, kind: usize) -> Edit {
        let known = self.random.below(self.obstacles.len().max(1));
        match kind {
            1 if self.doors.len() < 4 => {
                let at = self.place();
                Edit::AddDoor([at, at.map(|c| c + self.random.range(-4.0, 4.0))], Anchor::default())
            }
            1 | 2 if !self.doors.is_empty() => {
                let (door, open) = self.doors[self.random.below(self.doors.len())];
                Edit::Door(door, !open)
            }
            3 => Edit::Batch((0..3).map(|_| Edit::Add(self.obstacle())).collect()),
            4 if !self.obstacles.is_empty() => {
                // One edit of the batch takes what the other made.
                let id = self.obstacles[known];
                Edit::Batch(vec![Edit::Move(id, self.obstacle()), Edit::Move(id, self.obstacle())])
            }
            5 | 6 if !self.obstacles.is_empty() => Edit::Move(self.obstacles[known], self.obstacle()),
            7 | 8 if self.obstacles.len() > 8 => Edit::Remove(self.obstacles[known]),
            _ => Edit::Add(self.obstacle()),
        }
    }
}

/// Compares clearances and widest ways of the skeleton that followed, of a fresh one, and of the mesh.
fn compare(followed: &Skeleton, mesh: &NavMesh, seed: u64) {
    let fresh = Skeleton::build(mesh).unwrap();
    let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
    let places: Vec<_> = mesh.random_points(seed).take(8).collect();
    for at in &places {
        let known = mesh.clearance(*at).unwrap();
        let [one, other] = [followed, &fresh].map(|skeleton| skeleton.clearance(at.position(), None));
        let [one, other] = [one, other].map(|found| found.unwrap().distance);
        assert!(near(one, known) && near(other, known), "edit {seed}: {one}, {other}, {known} at {at:?}");
    }
    for pair in places.chunks_exact(2) {
        let known = mesh.widest_radius(pair[0], pair[1]);
        let ends = [pair[0].position(), pair[1].position()];
        let [one, other] =
            [followed, &fresh].map(|skeleton| skeleton.widest(ends[0], ends[1]).map(|way| way.radius));
        match (one, other, known) {
            (Some(a), Some(b), Some(c)) => assert!(near(a, b) && near(a, c), "edit {seed}: {a}, {b}, {c}"),
            // Two places that only a crack of rounding connects: the width is next to nothing.
            (a, b, c) => assert!(
                [a, b, c].iter().all(|width| width.is_none_or(|width| width < 1e-3)),
                "edit {seed}: {a:?}, {b:?}, {c:?} for {ends:?}"
            ),
        }
    }
}

#[test]
fn a_skeleton_follows_random_edits() {
    let (mut done, mut walls) = (0, 0);
    for seed in 0..4 {
        let live = LiveMesh::new(hall()).unwrap();
        let mut skeleton = Skeleton::build(live.mesh()).unwrap();
        let (obstacles, doors, history) = (Vec::new(), Vec::new(), Vec::new());
        let mut world = World { live, obstacles, doors, history, random: Random::new(40 + seed) };
        for number in 0..100 {
            let Some(changes) = world.step() else { continue };
            skeleton.apply(&changes).unwrap_or_else(|error| panic!("seed {seed}, edit {number}: {error}"));
            done += 1;
            walls += changes.walls_gone.len() + changes.walls_come.len();
            let audit = skeleton.diagram().audit();
            assert!(audit.is_clean(), "seed {seed}, edit {number}: {audit:?}");
            compare(&skeleton, world.live.mesh(), 1000 * seed + number);
        }
        skeleton.tie(world.live.mesh()).unwrap();
        let first = skeleton.vertices().next().unwrap().0;
        assert!(skeleton.floors(world.live.mesh()).cell(first).is_some());
    }
    println!("{done} edits with {walls} walls gone or come");
    assert!(done > 300, "{done}");
}

#[test]
fn edits_that_were_not_followed_are_told() {
    let mut live = LiveMesh::new(hall()).unwrap();
    let mut skeleton = Skeleton::build(live.mesh()).unwrap();
    let shape = Shape::Box { centre: [20.0, 8.0], size: [2.0, 1.0], turn: 0.0 };
    let crate_ = live.apply(&Edit::Add(Obstacle { shape, anchor: Anchor::default() })).unwrap();
    let gone = live.apply(&Edit::Remove(crate_.obstacles[0])).unwrap();
    assert!(skeleton.apply(&gone).unwrap_err().to_string().contains("there is no wall"));
    assert!(skeleton.diagram().audit().is_clean());
    skeleton.apply(&crate_).unwrap();
    assert!(skeleton.apply(&crate_).is_err(), "followed twice");
    skeleton.apply(&gone).unwrap();
    compare(&skeleton, live.mesh(), 1);
}
