//! Moves blocks and turns doors in a city, and prints how long that takes: `moved_block BLOCKS MOVES`, with BLOCKS along
//! each side.
//!
//! Three kinds of rows: a block that is moved, with the first path and the first clearance question afterwards; a door
//! across a street that comes and is closed for the first time; and doors that are opened and closed later on, each with
//! the first clearance question afterwards, also when the door has turned back.

use clearway_base::Error;
use clearway_build::MeshOptions;
use clearway_live::{Anchor, DoorId, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::PathQuery;
use clearway_scenes::Random;
use clearway_world::plan::Plan;
use std::time::Instant;

/// The number of first questions that are measured: each costs as much as hundreds of edits.
const QUESTIONS: usize = 20;

/// The most blocks that are obstacles; the others are part of the plan.
const MOVABLE: usize = 200;

/// The number of doors.
const DOORS: usize = 100;

fn main() -> Result<(), Error> {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (blocks, moves) = (numbers.first().copied().unwrap_or(50), numbers.get(1).copied().unwrap_or(500));
    let mut random = Random::new(1);
    let movable: Vec<usize> = (0..moves.min(MOVABLE)).map(|_| random.below(blocks * blocks)).collect();
    let begun = Instant::now();
    let mesh = MeshOptions::default().build(&city(blocks, &movable))?;
    let built = begun.elapsed().as_secs_f64();
    let mut live = LiveMesh::new(mesh)?;
    let mut ids = Vec::new();
    for corner in movable.into_iter().map(|number| corner(blocks, number)) {
        if let Ok(changes) = live.apply(&Edit::Add(block(corner))) {
            ids.extend(changes.obstacles.iter().map(|id| (*id, corner)));
        }
    }
    println!("{} segments, {} cells, built in {built:.2} s", 4 * blocks * blocks, live.mesh().cell_count());
    move_blocks(&mut live, &ids, moves, &mut random)?;
    turn_doors(&mut live, blocks, moves, &mut random)
}

/// A square city, without the blocks that are obstacles.
fn city(blocks: usize, movable: &[usize]) -> Plan {
    let size = 5.0 + 20.0 * blocks as f64;
    let mut rings = vec![vec![[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]]];
    for number in (0..blocks * blocks).filter(|number| !movable.contains(number)) {
        let [x, y] = corner(blocks, number);
        rings.push(vec![[x, y], [x, y + 15.0], [x + 15.0, y + 15.0], [x + 15.0, y]]);
    }
    Plan::from_rings(rings)
}

/// The lower left corner of a block.
fn corner(blocks: usize, number: usize) -> [f64; 2] {
    [5.0 + 20.0 * (number % blocks) as f64, 5.0 + 20.0 * (number / blocks) as f64]
}

/// A block as an obstacle.
fn block([x, y]: [f64; 2]) -> Obstacle {
    let corners = vec![[x, y], [x + 15.0, y], [x + 15.0, y + 15.0], [x, y + 15.0]];
    Obstacle { shape: Shape::Polygon(corners), anchor: Anchor::default() }
}

/// Moves random blocks.
fn move_blocks(
    live: &mut LiveMesh,
    ids: &[(ObstacleId, [f64; 2])],
    moves: usize,
    random: &mut Random,
) -> Result<(), Error> {
    let [mut topology, mut path, mut clearance] = [const { Vec::new() }; 3];
    for _ in 0..moves {
        let (id, [x, y]) = ids[random.below(ids.len())];
        let to = [x + random.range(-2.0, 2.0), y + random.range(-2.0, 2.0)];
        topology.push(seconds(|| live.apply(&Edit::Move(id, block(to))))?);
        if clearance.len() < QUESTIONS {
            let near = [[x - 2.5, y - 2.5], [x + 17.5, y + 17.5]].map(|at| live.mesh().locate(at));
            path.push(seconds(|| {
                if let [Ok(from), Ok(to)] = near {
                    live.mesh().find_path(&PathQuery::new(from, to).radius(0.3)).ok();
                }
                Ok(())
            })?);
            clearance.push(first_clearance(live));
        }
    }
    row("block moved", &mut topology);
    row("  first path of a disc around it", &mut path);
    row("  first clearance", &mut clearance);
    Ok(())
}

/// Puts doors across streets, then opens and closes them in turns.
fn turn_doors(live: &mut LiveMesh, blocks: usize, turns: usize, random: &mut Random) -> Result<(), Error> {
    let [mut came, mut first, mut later, mut clearance, mut back] = [const { Vec::new() }; 5];
    let mut doors: Vec<DoorId> = Vec::new();
    while doors.len() < DOORS.min(blocks) {
        let [x, y] = corner(blocks, random.below(blocks * blocks));
        let at = y + random.range(3.0, 12.0);
        let ends = [[x - 5.0, at], [x, at]];
        let mut made = None;
        came.push(seconds(|| {
            live.apply(&Edit::AddDoor(ends, Anchor::default()))
                .map(|changes| made = changes.doors.first().copied())
        })?);
        doors.extend(made);
    }
    for door in &doors {
        first.push(seconds(|| live.apply(&Edit::Door(*door, false)))?);
    }
    for turn in 0..turns {
        let door = doors[turn % doors.len()];
        let open = live.is_open(door) == Some(false);
        later.push(seconds(|| live.apply(&Edit::Door(door, open)))?);
        if clearance.len() < QUESTIONS {
            clearance.push(first_clearance(live));
            live.apply(&Edit::Door(door, !open))?;
            back.push(first_clearance(live));
        }
    }
    row("door came", &mut came);
    row("door closed for the first time", &mut first);
    row("door turned later", &mut later);
    row("  first clearance", &mut clearance);
    row("  first clearance when it has turned back", &mut back);
    Ok(())
}

/// Returns how long something took that may fail.
fn seconds<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<f64, Error> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}

/// Returns how long the first question for clearances takes.
fn first_clearance(live: &LiveMesh) -> f64 {
    let begun = Instant::now();
    live.mesh().peak_graph();
    begun.elapsed().as_secs_f64()
}

/// Prints the median and the 90th and 99th percentile of times in seconds.
fn row(what: &str, times: &mut [f64]) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e6;
    println!(
        "{what}: median {:.1} us, p90 {:.1} us, p99 {:.1} us, of {}",
        at(0.5),
        at(0.9),
        at(0.99),
        times.len()
    );
}
