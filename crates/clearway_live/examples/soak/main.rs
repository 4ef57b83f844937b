//! Makes many random edits and watches for flaws and drift: `soak plan|scene|reader EDITS [SEED [EVERY]]`.
//!
//! After each edit the cells it made keep the laws of `laws.rs`; every 10,000 edits, or EVERY, [`NavMesh::check`] finds no
//! flaw. Ten times in a run everything goes again: the mesh must have the bytes of its build, and nothing may be noted
//! that differs from it. Memory, cells, vertices, bytes and the lengths of all lists are printed, so that growth shows.
//! `reader` lets a second thread verify paths on its snapshots meanwhile.

mod laws;

use clearway_base::error::{Error, Result};
use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_live::{Anchor, Changes, DoorId, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::path::verify;
use clearway_nav::{Link, LinkKind, NavMesh, PathQuery};
use clearway_scenes::{BuildingOptions, Random, building};
use clearway_world::Scene;
use clearway_world::plan::{Plan, PlanPolygon};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The number of obstacles from which on edits move and remove more than they add.
const MANY: usize = 40;

/// The number of edits between two checks of all laws.
const BETWEEN_CHECKS: usize = 10_000;

/// The number of edits that are remembered to be taken back.
const REMEMBERED: usize = 8;

/// A world under edits.
struct World {
    live: LiveMesh,
    /// Places on the mesh as it was built, with their heights.
    places: Vec<([f64; 2], Option<f64>)>,
    obstacles: Vec<ObstacleId>,
    doors: Vec<(DoorId, bool)>,
    links: Vec<String>,
    /// The last edits, none of them taken back.
    history: Vec<Changes>,
    random: Random,
    bytes: Vec<u8>,
    counts: Counts,
    /// How often edits were refused, by reason.
    reasons: BTreeMap<String, usize>,
    begun: Instant,
}

/// What happened so far.
#[derive(Debug, Default)]
struct Counts {
    refused: usize,
    undone: usize,
    flaws: usize,
    /// Removals that were refused when everything had to go.
    stuck: usize,
    other_bytes: usize,
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok());
    let (edits, seed) = (number(1).unwrap_or(10_000), number(2).unwrap_or(1) as u64);
    let every = number(3).unwrap_or(BETWEEN_CHECKS).clamp(1, edits.max(1));
    let mesh = match words.first().map(String::as_str) {
        Some("scene") => storeys()?,
        _ => MeshOptions::default().build(&hall())?,
    };
    let mut world = World::of(mesh, seed)?;
    if words.first().is_some_and(|word| word == "reader") {
        return with_reader(&mut world, edits);
    }
    for number in 1..=edits {
        world.step(number);
        if number % every == 0 {
            world.check_all(number);
        }
        if number % (edits / 10).max(1) == 0 {
            world.clear(number);
        }
    }
    println!("{edits} edits: {:?}", world.counts);
    world.reasons.iter().for_each(|(reason, count)| println!("refused {count} times: {reason}"));
    Ok(())
}

/// A hall with a block and a wall of no thickness.
fn hall() -> Plan {
    let outline = vec![[0.0, 0.0], [60.0, 1.0], [61.0, 40.0], [31.0, 48.0], [-1.0, 39.0]];
    let holes = vec![vec![[16.0, 15.0], [19.0, 15.5], [18.0, 19.0]]];
    let polygons = vec![PlanPolygon { outline, holes }];
    Plan { polygons, walls: vec![vec![[22.0, 3.0], [23.0, 22.0]]], ..Plan::default() }
}

/// Two storeys with stairs.
fn storeys() -> Result<NavMesh> {
    let soup = building(BuildingOptions::default(), 1).soup;
    let scene = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts)?;
    MeshOptions::default().build(&WalkableSurface::extract(&scene, &WalkRules::default())?)
}

impl World {
    fn of(mesh: NavMesh, seed: u64) -> Result<World> {
        let height = |at| mesh.has_heights().then(|| mesh.height(at));
        let places = mesh.random_points(seed).take(2000).map(|at| (at.position(), height(at))).collect();
        Ok(World {
            places,
            bytes: mesh.encode(),
            live: LiveMesh::new(mesh)?,
            obstacles: Vec::new(),
            doors: Vec::new(),
            links: Vec::new(),
            history: Vec::new(),
            random: Random::new(seed),
            counts: Counts::default(),
            reasons: BTreeMap::new(),
            begun: Instant::now(),
        })
    }

    /// Makes one random edit and looks at the cells it made.
    fn step(&mut self, number: usize) {
        if self.random.chance(0.03)
            && let Some(last) = self.history.pop()
        {
            return self.undo(number, &last);
        }
        let edit = self.any_edit(number);
        match self.live.apply(&edit) {
            Ok(changes) => {
                self.note(&edit, &changes);
                self.look(number, &changes, &edit);
                self.history.push(changes);
                if self.history.len() > REMEMBERED {
                    self.history.remove(0);
                }
            }
            Err(error) => self.note_refusal(&edit, &error),
        }
    }

    /// Counts a refused edit under its reason: the message without its numbers.
    fn note_refusal(&mut self, edit: &Edit, error: &Error) {
        self.counts.refused += 1;
        let reason: String = error.to_string().chars().filter(|c| !c.is_ascii_digit()).collect();
        let is_removal = matches!(edit, Edit::Remove(_) | Edit::RemoveDoor(_) | Edit::RemoveLink(_));
        let reason = if is_removal { format!("a removal: {reason}") } else { reason };
        *self.reasons.entry(reason).or_default() += 1;
    }

    /// Takes the last edit back.
    fn undo(&mut self, number: usize, last: &Changes) {
        match self.live.undo(last) {
            Ok(changes) => {
                self.counts.undone += 1;
                self.look(number, &changes, &"undo");
                self.obstacles = self.live.obstacles().map(|(id, _)| id).collect();
                self.doors = self.live.doors().collect();
                self.links = self.live.links().map(|(name, _)| name.to_string()).collect();
            }
            Err(error) => self.flaw(number, &format!("the last edit cannot be taken back: {error}")),
        }
    }

    fn note(&mut self, edit: &Edit, changes: &Changes) {
        self.obstacles.extend(&changes.obstacles);
        self.doors.extend(changes.doors.iter().map(|door| (*door, true)));
        match edit {
            Edit::Remove(id) => self.obstacles.retain(|known| known != id),
            Edit::RemoveDoor(id) => self.doors.retain(|(known, _)| known != id),
            Edit::Door(id, open) => {
                self.doors.iter_mut().filter(|(known, _)| known == id).for_each(|door| door.1 = *open);
            }
            Edit::AddLink(link) => self.links.push(link.name.clone()),
            Edit::RemoveLink(name) => self.links.retain(|known| known != name),
            _ => {}
        }
    }

    fn any_edit(&mut self, number: usize) -> Edit {
        let few = self.obstacles.len() < MANY;
        let known = self.random.below(self.obstacles.len().max(1));
        match self.random.below(20) {
            0 if self.doors.len() < 6 => {
                let (at, anchor) = self.place();
                Edit::AddDoor([at, self.near(at)], anchor)
            }
            0 | 1 if !self.doors.is_empty() => {
                let door = self.random.below(self.doors.len());
                match self.random.below(4) {
                    0 => Edit::RemoveDoor(self.doors[door].0),
                    _ => Edit::Door(self.doors[door].0, !self.doors[door].1),
                }
            }
            2 if self.links.len() < 6 => {
                let ends = [0; 2].map(|_| self.place());
                let [from, to] = ends.map(|([x, y], anchor)| [x, anchor.height.unwrap_or(0.0), -y]);
                Edit::AddLink(Link::new(format!("link {number}"), LinkKind::Jump, from, to))
            }
            2 => Edit::RemoveLink(self.links[self.random.below(self.links.len())].clone()),
            3 => Edit::Batch((0..3).map(|_| Edit::Add(self.any_obstacle())).collect()),
            4..=9 if !self.obstacles.is_empty() => Edit::Move(self.obstacles[known], self.any_obstacle()),
            10..=13 if !few => Edit::Remove(self.obstacles[known]),
            _ if self.obstacles.len() < 2 * MANY => Edit::Add(self.any_obstacle()),
            _ => Edit::Remove(self.obstacles[known]),
        }
    }

    /// A place of the built mesh, shaken, and its floor.
    fn place(&mut self) -> ([f64; 2], Anchor) {
        let (at, height) = self.places[self.random.below(self.places.len())];
        (at.map(|c| c + self.random.range(-1.0, 1.0)), Anchor { height })
    }

    fn near(&mut self, at: [f64; 2]) -> [f64; 2] {
        at.map(|c| c + self.random.range(-3.0, 3.0))
    }

    fn any_obstacle(&mut self) -> Obstacle {
        let (centre, anchor) = self.place();
        let random = &mut self.random;
        let shape = match random.below(5) {
            0 => Shape::Disc { centre, radius: random.range(0.2, 1.2), sides: 3 + random.below(9) as u32 },
            1 => Shape::Segment([centre, self.near(centre)]),
            2 => Shape::Polygon((0..3 + self.random.below(3)).map(|_| self.near(centre)).collect()),
            // On whole metres, so that shapes touch and lie along each other.
            3 => Shape::Box { centre: centre.map(f64::round), size: [2.0, 1.0], turn: 0.0 },
            _ => Shape::Box { centre, size: [random.range(0.3, 4.0), 0.8], turn: random.range(0.0, 6.0) },
        };
        Obstacle { shape, anchor }
    }

    /// Looks at the cells that an edit made.
    fn look(&mut self, number: usize, changes: &Changes, edit: &dyn std::fmt::Debug) {
        let fault = laws::local_fault(self.live.mesh(), changes);
        if let Some(fault) = fault.or_else(|| self.live.fabric_fault()) {
            let flaws = self.live.mesh().check();
            self.flaw(
                number,
                &format!("{fault}, after {edit:?}; {} flaws in all: {:?}", flaws.len(), flaws.first()),
            );
        }
    }

    fn flaw(&mut self, number: usize, detail: &str) {
        self.counts.flaws += 1;
        if self.counts.flaws < 20 {
            println!("edit {number}: {detail}");
        }
    }

    /// Checks all laws and prints what could drift.
    fn check_all(&mut self, number: usize) {
        let flaws = self.live.mesh().check();
        flaws.iter().take(3).for_each(|flaw| self.flaw(number, &flaw.to_string()));
        let mesh = self.live.mesh();
        let parts = mesh.parts();
        println!(
            "{number}: {:.0} s; {} refused, {} undone, {} flaws; {} obstacles, {} doors, {} links; {} cells in {} slots, {} sides, \
             {} vertices, {} bytes; {} MiB",
            self.begun.elapsed().as_secs_f64(),
            self.counts.refused,
            self.counts.undone,
            self.counts.flaws,
            self.obstacles.len(),
            self.doors.len(),
            self.links.len(),
            mesh.cell_count(),
            mesh.cell_slots(),
            parts.sides.len(),
            parts.points.len(),
            mesh.encode().len(),
            resident_mib(),
        );
    }

    /// Removes everything, and compares the bytes with those of the build. What is refused is tried again at the end.
    fn clear(&mut self, number: usize) {
        self.history.clear();
        let links = self.links.drain(..).map(Edit::RemoveLink);
        let doors = self.doors.drain(..).map(|(door, _)| Edit::RemoveDoor(door));
        let obstacles = self.obstacles.drain(..).map(Edit::Remove);
        let mut waiting: Vec<Edit> = links.chain(doors).chain(obstacles).collect();
        let mut before = usize::MAX;
        while waiting.len() < before {
            before = waiting.len();
            let live = &mut self.live;
            waiting.retain(|edit| live.apply(edit).is_err());
        }
        self.counts.stuck += waiting.len();
        self.obstacles = self.live.obstacles().map(|(id, _)| id).collect();
        self.doors = self.live.doors().collect();
        if !waiting.is_empty() {
            println!("{number}: {} removals are refused", waiting.len());
            for edit in &waiting {
                if let Err(error) = self.live.apply(edit) {
                    println!("{number}: {edit:?}: {error}");
                }
            }
        } else if self.live.mesh().encode() != self.bytes {
            self.counts.other_bytes += 1;
            println!("{number}: other bytes when everything is gone");
        }
        let lengths = self.live.list_lengths();
        if waiting.is_empty() {
            for (name, length) in
                lengths.iter().filter(|(name, length)| name.starts_with("built") && *length > 0)
            {
                self.flaw(number, &format!("{length} {name} are noted though nothing stands"));
            }
        }
        let lengths: Vec<String> = lengths.iter().map(|(name, length)| format!("{length} {name}")).collect();
        println!("{number}: everything gone; {} MiB; {}", resident_mib(), lengths.join(", "));
    }
}

/// The memory of this process in MiB; 0 where the system does not tell.
fn resident_mib() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = pages.split(' ').nth(1).and_then(|word| word.parse::<usize>().ok());
    (resident.unwrap_or(0) * 4096) >> 20
}

/// Edits while a second thread finds paths on its snapshots and verifies them.
fn with_reader(world: &mut World, edits: usize) -> Result<()> {
    let shared = Mutex::new(Arc::clone(world.live.mesh()));
    let (is_done, found, wrong) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut seed = 0;
            while !is_done.load(Ordering::Relaxed) {
                let Ok(mesh) = shared.lock().map(|mesh| Arc::clone(&mesh)) else { return };
                seed += 1;
                let ends: Vec<_> = mesh.random_points(seed).take(2).collect();
                let [from, to] = ends[..] else { continue };
                let query = PathQuery::new(from, to).radius([0.0, 0.2, 0.5][seed as usize % 3]);
                let Ok(path) = mesh.find_path(&query) else { continue };
                found.fetch_add(1, Ordering::Relaxed);
                if verify(&mesh, &path).is_err() || !path.is_valid(&mesh) {
                    wrong.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        for number in 1..=edits {
            world.step(number);
            if let Ok(mut mesh) = shared.lock() {
                *mesh = Arc::clone(world.live.mesh());
            }
        }
        is_done.store(true, Ordering::Relaxed);
    });
    world.check_all(edits);
    println!("{edits} edits, {} paths verified, {} wrong", found.into_inner(), wrong.into_inner());
    Ok(())
}
