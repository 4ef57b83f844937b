//! Edits a town of 2 km in tiles of 256 m, and prints how long edits and loads take: `edits THINGS`, 100 by default.
//!
//! The town has 6,400 blocks of four corners at random. Tiles within 200 m of its middle are loaded. Each row is
//! a median in milliseconds, but for one mean: one tile loaded with its mesh, without edits and with the crates. Then a crate
//! that comes, moves and goes, and the open seams after an edit.

use clearway_base::Error;
use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, Obstacle, Shape};
use clearway_scenes::Random;
use clearway_tiles::{TiledMesh, divide};
use clearway_world::plan::Plan;
use std::time::Instant;

/// The number of blocks along each side.
const BLOCKS: usize = 80;
/// The side of the square that a block stands in, in metres.
const PLOT: f64 = 25.0;
/// The side of a tile, in metres.
const SIZE: f64 = 256.0;
/// The distance within which tiles are loaded, in metres.
const AROUND: f64 = 200.0;
/// The number of repetitions of each row.
const TIMES: usize = 50;

fn main() -> Result<(), Error> {
    let things = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    let mut random = Random::new(1);
    let mesh = MeshOptions::default().build(&town(&mut random))?;
    let mut tiles = TiledMesh::of_tiles(SIZE, divide(&mesh, SIZE)?)?;
    let middle = [0.5 * PLOT * BLOCKS as f64; 2];
    tiles.load_around(middle, AROUND)?;
    println!(
        "{} of {} tiles, {} cells",
        tiles.loaded().len(),
        tiles.index().tiles.len(),
        tiles.mesh()?.cell_count()
    );
    println!("load without edits  {:.2}", load(&mut tiles)?);
    let places: Vec<[f64; 2]> = tiles.mesh()?.random_points(7).take(things).map(|at| at.position()).collect();
    let mut first = Vec::new();
    for at in places {
        let edit = Edit::Add(crate_at(at, &mut random));
        timed(&mut first, || tiles.apply(&edit))?;
    }
    println!("a crate comes, mean {:.3}", first.iter().sum::<f64>() / first.len().max(1) as f64);
    println!("load with {things:3} crates {:.2}", load(&mut tiles)?);
    let [mut come, mut moved, mut gone, mut seams] = [const { Vec::new() }; 4];
    let free: Vec<[f64; 2]> =
        tiles.mesh()?.random_points(9).take(2 * TIMES).map(|at| at.position()).collect();
    for pair in free.chunks_exact(2) {
        let edit = Edit::Add(crate_at(pair[0], &mut random));
        let id = timed(&mut come, || tiles.apply(&edit))?.obstacles[0];
        let edit = Edit::Move(id, crate_at(pair[1], &mut random));
        timed(&mut moved, || tiles.apply(&edit))?;
        timed(&mut seams, || tiles.open_seams())?;
        timed(&mut gone, || tiles.apply(&Edit::Remove(id)))?;
    }
    for (name, list) in [("comes", come), ("moves", moved), ("goes", gone), ("open seams", seams)] {
        println!("{name:19} {:.3}", median(list));
    }
    Ok(())
}

/// The plan of the town.
fn town(random: &mut Random) -> Plan {
    let side = PLOT * BLOCKS as f64;
    let mut rings = vec![vec![[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]]];
    for number in 0..BLOCKS * BLOCKS {
        let [x, y] = [number % BLOCKS, number / BLOCKS].map(|place| PLOT * place as f64);
        let mut reach = || PLOT * random.range(0.2, 0.45);
        let mut corner = |u: f64, v: f64| [x + 0.5 * PLOT + u * reach(), y + 0.5 * PLOT + v * reach()];
        rings.push(vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)]);
    }
    Plan::from_rings(rings)
}

/// A crate of about a metre.
fn crate_at(centre: [f64; 2], random: &mut Random) -> Obstacle {
    let shape = Shape::Box { centre, size: [1.0, 0.8], turn: random.range(0.0, 3.0) };
    Obstacle { shape, anchor: Anchor::default() }
}

/// Returns the median time of loading one tile and making the mesh.
fn load(tiles: &mut TiledMesh) -> Result<f64, Error> {
    let names: Vec<_> = tiles.loaded().collect();
    let mut times = Vec::new();
    for number in 0..TIMES {
        let tile = names[number % names.len()];
        tiles.unload(tile);
        tiles.mesh()?;
        timed(&mut times, || tiles.load(tile).and_then(|_| tiles.mesh()))?;
    }
    Ok(median(times))
}

/// Does something, and notes its time in milliseconds.
fn timed<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = work();
    times.push(begun.elapsed().as_secs_f64() * 1e3);
    result
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
