//! Our side: blocks, crates and doors of a city that is edited in place.

use clearway::live::{Anchor, DoorId, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway::{MeshOptions, NavMesh, NoProgress, PathQuery};
use clearway_scenes::Random;

use super::world::{BLOCK, City, MARGIN, PITCH, square};
use crate::clock::Stopwatch;

/// Blocks that can move.
const MOVABLE: usize = 200;
/// Doors across streets.
const DOORS: usize = 40;
/// The side of a crate in metres.
pub const CRATE: f64 = 1.0;
/// The radius of the body that asks for a way.
const RADIUS: f64 = 0.5;

/// The city under edits.
pub struct Ours {
    live: LiveMesh,
    blocks: Vec<(ObstacleId, [f64; 2])>,
    crate_id: Option<ObstacleId>,
    /// A crossing in the middle of the city.
    middle: [f64; 2],
    doors: Vec<DoorId>,
    /// Edits that were refused.
    pub refused: usize,
}

/// Microseconds of the questions after an edit.
pub struct Questions {
    /// The first path of a disc after the edit.
    pub path: f64,
    /// The same question again.
    pub again: f64,
    /// The first widest radius.
    pub widest: Option<f64>,
}

fn obstacle(ring: Vec<[f64; 2]>) -> Obstacle {
    Obstacle { shape: Shape::Polygon(ring), anchor: Anchor::default() }
}

impl Ours {
    /// Builds the city, and puts obstacles in place of some of its blocks.
    pub fn of(city: &City, random: &mut Random) -> Result<Ours, String> {
        let inner = |random: &mut Random| 1 + random.below(city.side - 2);
        let mut movable: Vec<usize> =
            (0..MOVABLE).map(|_| inner(random) * city.side + inner(random)).collect();
        movable.sort_unstable();
        movable.dedup();
        let mesh = MeshOptions::default().build(&city.plan(&movable)).map_err(|error| error.to_string())?;
        let mut live = LiveMesh::new(mesh).map_err(|error| error.to_string())?;
        let mut blocks = Vec::new();
        for block in movable {
            let corner = city.corner(block);
            let added = live.apply(&Edit::Add(obstacle(square(corner, BLOCK))));
            blocks.extend(added.map_err(|error| error.to_string())?.obstacles.iter().map(|id| (*id, corner)));
        }
        let middle = [PITCH * (city.side / 2) as f64; 2];
        let mut ours = Ours { live, blocks, crate_id: None, middle, doors: Vec::new(), refused: 0 };
        ours.add_doors(city, random)?;
        ours.live.mesh().prepare_clearance(&mut NoProgress).map_err(|error| error.to_string())?;
        Ok(ours)
    }

    /// Adds doors across streets, from block to block.
    fn add_doors(&mut self, city: &City, random: &mut Random) -> Result<(), String> {
        for _ in 0..DOORS {
            // Between two blocks as the city was built.
            let [x, y] = city.corner(random.below(city.side - 1) + city.side * random.below(city.side));
            let (x, y) = (x + BLOCK, y + random.range(5.0, 10.0));
            let ends = [[x - 0.1, y], [x + 2.0 * MARGIN + 0.1, y]];
            match self.live.apply(&Edit::AddDoor(ends, Anchor::default())) {
                Ok(changes) => self.doors.extend(changes.doors),
                Err(_) => self.refused += 1,
            }
        }
        if self.doors.is_empty() { Err("no door was taken".into()) } else { Ok(()) }
    }

    /// Moves a block to an offset from where it was built. Says how long that took, and where it stood.
    pub fn move_block(&mut self, random: &mut Random, offset: [f64; 2]) -> (f64, [f64; 2]) {
        let (id, [x, y]) = self.blocks[random.below(self.blocks.len())];
        let edit = Edit::Move(id, obstacle(square([x + offset[0], y + offset[1]], BLOCK)));
        (self.timed(&edit), [x, y])
    }

    /// Moves the crate. The place is counted from a crossing in the middle.
    pub fn move_crate(&mut self, place: [f64; 2]) -> f64 {
        let there = obstacle(square([self.middle[0] + place[0], self.middle[1] + place[1]], CRATE));
        let edit = match self.crate_id {
            Some(id) => Edit::Move(id, there),
            None => Edit::Add(there),
        };
        let watch = Stopwatch::start();
        let outcome = self.live.apply(&edit);
        let micros = watch.micros();
        match outcome {
            Ok(changes) => self.crate_id = self.crate_id.or(changes.obstacles.first().copied()),
            Err(_) => self.refused += 1,
        }
        micros
    }

    /// Opens or closes a door by its number. Says how long that took.
    pub fn toggle(&mut self, door: usize, open: bool) -> f64 {
        self.timed(&Edit::Door(self.doors[door], open))
    }

    /// The number of doors.
    pub fn doors(&self) -> usize {
        self.doors.len()
    }

    fn timed(&mut self, edit: &Edit) -> f64 {
        let watch = Stopwatch::start();
        let outcome = self.live.apply(edit);
        let micros = watch.micros();
        self.refused += usize::from(outcome.is_err());
        micros
    }

    /// Asks for the way of a disc past a block, and for the widest radius if wanted.
    pub fn ask(&self, [x, y]: [f64; 2], wants_widest: bool) -> Option<Questions> {
        let mesh: &NavMesh = self.live.mesh();
        // Two crossings, with the block between them.
        let ends = [[x - MARGIN, y - MARGIN], [x - MARGIN + PITCH, y - MARGIN + PITCH]];
        let [from, to] = ends.map(|place| mesh.locate(place).ok());
        let query = PathQuery::new(from?, to?).radius(RADIUS);
        let path = || {
            let watch = Stopwatch::start();
            let found = mesh.find_path(&query).is_ok();
            (watch.micros(), found)
        };
        let (first, second) = (path(), path());
        if !first.1 || !second.1 {
            return None;
        }
        let widest = wants_widest.then(|| {
            let watch = Stopwatch::start();
            let _ = mesh.widest_radius(from?, to?);
            Some(watch.micros())
        });
        Some(Questions { path: first.0, again: second.0, widest: widest.flatten() })
    }

    /// The flaws of the mesh as it is now.
    pub fn flaws(&self) -> usize {
        self.live.mesh().check().len()
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.live.mesh().cell_count()
    }
}
