//! Small plans that change: obstacles, doors and links come, move and go, in batches too. After every edit the mesh keeps
//! all laws; taken back in reverse order, the edits leave the bytes from before.

#![no_main]

use clearway::live::{Anchor, Changes, DoorId, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway::{Link, LinkKind, NavMesh, NoProgress};
use clearway_fuzz::{Bytes, read_small_mesh};
use libfuzzer_sys::fuzz_target;

/// The greatest number of edits of one input: enough for obstacles that lie over each other, few enough to be quick.
const MOST_EDITS: usize = 24;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let Some((plan, mesh)) = read_small_mesh(&mut bytes) else { return };
    let Some([_, high]) = mesh.bounds() else { return };
    let original = mesh.encode();
    let mut live = LiveMesh::new(mesh).expect("the mesh has no regions");
    live.area_class("mud").expect("there is room for a class");
    let mut known = Known { size: high[0].max(high[1]), ..Known::default() };
    let mut history: Vec<(Changes, Vec<u8>)> = Vec::new();
    let mut tried = Vec::new();
    while !bytes.is_empty() && tried.len() < MOST_EDITS {
        let edit = known.read_edit(&mut bytes, 2);
        tried.push(edit.clone());
        let before = live.mesh().encode();
        match live.apply(&edit) {
            Ok(changes) => {
                check(live.mesh(), &(&tried, &plan));
                known.note(&live, &changes);
                history.push((changes, before));
            }
            Err(error) => {
                assert!(live.mesh().encode() == before, "{error} changed it: {tried:?} on {plan:?}")
            }
        }
        // Sometimes the last edits go again at once.
        if bytes.byte() % 8 == 0 {
            take_back(&mut live, &mut history, 2, &(&tried, &plan));
            known.note(&live, &Changes::default());
        }
    }
    check_stored(&live, &(&tried, &plan));
    let steps = history.len();
    take_back(&mut live, &mut history, steps, &(&tried, &plan));
    assert!(live.mesh().encode() == original, "other bytes in the end: {tried:?} on {plan:?}");
});

/// Fails if the mesh breaks a law, in place or after storing.
fn check(mesh: &NavMesh, from: &dyn std::fmt::Debug) {
    mesh.prepare_clearance(&mut NoProgress).expect("nobody stops it");
    let stored =
        NavMesh::decode(&mesh.encode()).unwrap_or_else(|error| panic!("decoding: {error}, {from:?}"));
    for mesh in [mesh, &stored] {
        let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
        assert!(flaws.is_empty(), "{flaws:#?}, {from:?}");
    }
}

/// Fails if a stored mesh does not come back with all that stands. Rounding may refuse another order of the edits.
fn check_stored(live: &LiveMesh, from: &dyn std::fmt::Debug) {
    let Ok(stored) = live.stored() else { return };
    check(&stored, from);
    let bytes = stored.encode();
    let decoded = NavMesh::decode(&bytes).unwrap_or_else(|error| panic!("decoding: {error}, {from:?}"));
    let again = LiveMesh::new(decoded).unwrap_or_else(|error| panic!("loading: {error}, {from:?}"));
    let twice = again.stored().unwrap_or_else(|error| panic!("storing again: {error}, {from:?}"));
    assert!(twice.encode() == bytes, "other bytes after loading, {from:?}");
    assert_eq!(again.obstacles().count(), live.obstacles().count(), "{from:?}");
}

/// Takes the last edits back, the last one first.
fn take_back(
    live: &mut LiveMesh,
    history: &mut Vec<(Changes, Vec<u8>)>,
    steps: usize,
    from: &dyn std::fmt::Debug,
) {
    for _ in 0..steps {
        let Some((changes, before)) = history.pop() else { return };
        if let Err(error) = live.undo(&changes) {
            panic!("cannot take back: {error}, {from:?}");
        }
        assert!(live.mesh().encode() == before, "other bytes after taking back, {from:?}");
    }
}

/// What stands, and what stood once.
#[derive(Default)]
struct Known {
    size: f64,
    obstacles: Vec<ObstacleId>,
    doors: Vec<DoorId>,
    links: usize,
}

impl Known {
    /// Ids stay in the lists when they are stale, so that edits name what is not there as well.
    fn note(&mut self, live: &LiveMesh, changes: &Changes) {
        self.obstacles.extend(&changes.obstacles);
        self.doors.extend(&changes.doors);
        self.links += changes.links_come.len();
        assert!(live.obstacles().count() <= self.obstacles.len());
    }

    /// Reads any edit; batches at most `depth` deep.
    fn read_edit(&mut self, bytes: &mut Bytes<'_>, depth: usize) -> Edit {
        let head = bytes.byte();
        let pick = usize::from(bytes.byte());
        let obstacle = |known: &Known| known.obstacles.get(pick % known.obstacles.len().max(1)).copied();
        let door = |known: &Known| known.doors.get(pick % known.doors.len().max(1)).copied();
        match (head % 16, obstacle(self), door(self)) {
            (4..=6, Some(id), _) => Edit::Move(id, self.read_obstacle(bytes)),
            (7 | 8, Some(id), _) => Edit::Remove(id),
            (9, _, _) => Edit::AddDoor([0; 2].map(|_| self.read_point(bytes)), Anchor::default()),
            (10 | 11, _, Some(id)) => Edit::Door(id, head >= 128),
            (12, _, Some(id)) => Edit::RemoveDoor(id),
            (13, _, _) => {
                let [from, to] = [0; 2].map(|_| self.read_point(bytes)).map(|[x, y]| [x, 0.0, -y]);
                Edit::AddLink(Link::new(format!("link {}", pick % 8), LinkKind::Jump, from, to))
            }
            (14, _, _) => Edit::RemoveLink(format!("link {}", pick % 8)),
            (15, _, _) if depth > 0 => {
                Edit::Batch((0..pick % 4).map(|_| self.read_edit(bytes, depth - 1)).collect())
            }
            (0, _, _) => {
                Edit::Named(format!("thing {}", pick % 8), Box::new(Edit::Add(self.read_obstacle(bytes))))
            }
            (1, _, _) if pick % 8 == 0 => Edit::Clear,
            (2, _, _) => Edit::Area(self.read_obstacle(bytes), head / 16 % 2),
            _ => Edit::Add(self.read_obstacle(bytes)),
        }
    }

    fn read_obstacle(&self, bytes: &mut Bytes<'_>) -> Obstacle {
        let head = bytes.byte();
        let length = |bytes: &mut Bytes<'_>| f64::from(bytes.byte()) / 255.0 * self.size;
        let shape = match head % 4 {
            0 => Shape::Polygon((0..3 + head / 4 % 6).map(|_| self.read_point(bytes)).collect()),
            1 => Shape::Segment([0; 2].map(|_| self.read_point(bytes))),
            2 => {
                let centre = self.read_point(bytes);
                Shape::Disc { centre, radius: length(bytes) / 2.0, sides: 3 + u32::from(head / 4 % 12) }
            }
            _ => {
                let (centre, size) = (self.read_point(bytes), [length(bytes), length(bytes)]);
                let turn = if head >= 128 { f64::from(bytes.byte()) / 40.0 } else { 0.0 };
                Shape::Box { centre, size, turn }
            }
        };
        Obstacle { shape, anchor: Anchor::default() }
    }

    /// A point on a raster of whole numbers, or between them.
    fn read_point(&self, bytes: &mut Bytes<'_>) -> [f64; 2] {
        [0; 2].map(|_| {
            let place = bytes.number(2);
            let whole = f64::from((place >> 2) % 255) % (self.size + 2.0).floor();
            if place % 4 == 0 { whole + f64::from(place >> 8) / 256.0 } else { whole }
        })
    }
}
