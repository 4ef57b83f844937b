//! Moves blocks of a city and prints how long that takes: `moved_block BLOCKS MOVES`, with BLOCKS along each side.

use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};
use clearway_nav::PathQuery;
use clearway_scenes::Random;
use clearway_world::plan::Plan;
use std::time::Instant;

fn main() -> Result<(), clearway_base::Error> {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (blocks, moves) = (numbers.first().copied().unwrap_or(50), numbers.get(1).copied().unwrap_or(500));
    let size = 5.0 + 20.0 * blocks as f64;
    let mut rings = vec![vec![[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]]];
    let mut random = Random::new(1);
    let corner =
        |number: usize| [5.0 + 20.0 * (number % blocks) as f64, 5.0 + 20.0 * (number / blocks) as f64];
    // Some blocks are obstacles that move; the others are part of the plan.
    let movable: Vec<usize> = (0..moves.min(200)).map(|_| random.below(blocks * blocks)).collect();
    for number in (0..blocks * blocks).filter(|number| !movable.contains(number)) {
        let [x, y] = corner(number);
        rings.push(vec![[x, y], [x, y + 15.0], [x + 15.0, y + 15.0], [x + 15.0, y]]);
    }
    let begun = Instant::now();
    let mesh = MeshOptions::default().build(&Plan::from_rings(rings))?;
    let built = begun.elapsed().as_secs_f64();
    let mut live = LiveMesh::new(mesh)?;
    let block = |[x, y]: [f64; 2]| Obstacle {
        shape: Shape::Polygon(vec![[x, y], [x + 15.0, y], [x + 15.0, y + 15.0], [x, y + 15.0]]),
        anchor: Anchor::default(),
    };
    let mut ids = Vec::new();
    for number in movable {
        if let Ok(changes) = live.apply(&Edit::Add(block(corner(number)))) {
            ids.extend(changes.obstacles.iter().map(|id| (*id, corner(number))));
        }
    }
    let (mut topology, mut path, mut clearance) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..moves {
        let (id, [x, y]) = ids[random.below(ids.len())];
        let to = [x + random.range(-2.0, 2.0), y + random.range(-2.0, 2.0)];
        let begun = Instant::now();
        live.apply(&Edit::Move(id, block(to)))?;
        topology.push(begun.elapsed().as_secs_f64() * 1e6);
        if clearance.len() < 20 {
            let near = [[x - 2.5, y - 2.5], [x + 17.5, y + 17.5]].map(|at| live.mesh().locate(at));
            let begun = Instant::now();
            if let [Ok(from), Ok(to)] = near {
                live.mesh().find_path(&PathQuery::new(from, to).radius(0.3)).ok();
            }
            path.push(begun.elapsed().as_secs_f64() * 1e3);
            let begun = Instant::now();
            live.mesh().peak_graph();
            clearance.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    [&mut topology, &mut path, &mut clearance].into_iter().for_each(|list| list.sort_by(f64::total_cmp));
    let at = |list: &[f64], share: f64| list[((list.len() - 1) as f64 * share) as usize];
    println!(
        "{} segments, {} cells, built in {built:.2} s: move median {:.0} us, p99 {:.0} us; first disc path around the block {:.2} ms, first clearance {:.2} ms",
        4 * blocks * blocks,
        live.mesh().cell_count(),
        at(&topology, 0.5),
        at(&topology, 0.99),
        at(&path, 0.5),
        at(&clearance, 0.5),
    );
    Ok(())
}
