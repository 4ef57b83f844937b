//! Moves of blocks and agents in our diagram as worlds grow.

use clearway_geometry::Point;
use clearway_scenes::Random;
use clearway_skeleton::{Diagram, Shape, ShapeId};
use serde::Serialize;

use super::worlds::World;
use crate::clock::Stopwatch;
use crate::crowd::table::{figure, markdown};

const MOVES: usize = 4_000;
const AGENTS: usize = 10_000;
/// The least world for agents: fewer streets would not hold them.
const ROOM_FOR_AGENTS: usize = 9_000;

/// Microseconds of one kind of move.
#[derive(Serialize)]
pub struct MoveRow {
    world: &'static str,
    /// Median, 99th percentile and worst of a moved polygon.
    block: Option<[f64; 3]>,
    /// The same for an agent that takes a step of 0.14 m, with 10,000 agents in the world.
    agent: Option<[f64; 3]>,
    /// Moves that were refused.
    refused: usize,
    /// Discs that another site enters afterwards, and errors of topology.
    flaws: usize,
}

/// Moves polygons, then agents, and audits what is left.
pub fn measure(world: &World, shapes: &[Shape]) -> Result<MoveRow, String> {
    let [min, max] = world.frame();
    let (mut diagram, ids) = Diagram::build(min, max, shapes).map_err(|error| error.to_string())?;
    let mut random = Random::new(3);
    let (block, refused) = move_blocks(&mut diagram, &ids, shapes, &mut random);
    let agent = (shapes.len() >= ROOM_FOR_AGENTS && world.name.starts_with("city"))
        .then(|| move_agents(&mut diagram, world, &mut random))
        .flatten();
    let audit = diagram.audit();
    let flaws = audit.intruded_discs + audit.loose_discs + audit.topology_errors;
    Ok(MoveRow { world: world.name, block, agent, refused, flaws })
}

/// Moves polygons by up to 2 m from where they were built.
fn move_blocks(
    diagram: &mut Diagram,
    ids: &[ShapeId],
    shapes: &[Shape],
    random: &mut Random,
) -> (Option<[f64; 3]>, usize) {
    let (mut times, mut refused) = (Vec::new(), 0);
    for _ in 0..MOVES {
        let k = random.below(ids.len());
        let Shape::Polygon(corners) = &shapes[k] else { continue };
        let [dx, dy] = [0; 2].map(|_| random.below(1_001) as i32 - 500);
        let moved = Shape::Polygon(corners.iter().map(|p| Point::new(p.x + dx, p.y + dy)).collect());
        let watch = Stopwatch::start();
        let outcome = diagram.replace(ids[k], &moved);
        times.push(watch.micros());
        refused += usize::from(outcome.is_err());
    }
    (quantiles(times), refused)
}

/// Lets points walk up and down the streets, each in a lane of its own.
fn move_agents(diagram: &mut Diagram, world: &World, random: &mut Random) -> Option<[f64; 3]> {
    let [_, max] = world.frame();
    let length = (max.y - 40_000).max(1) as usize;
    let streets = (max.x / 20_000 - 1).max(1) as usize;
    let mut agents = Vec::new();
    while agents.len() < AGENTS {
        let x = random.below(streets) as i32 * 20_000 + 16_500 + random.below(2_000) as i32;
        let at = Point::new(x, random.below(length) as i32);
        if let Ok(id) = diagram.insert(&Shape::Point(at)) {
            agents.push((id, at));
        }
    }
    let mut times = Vec::new();
    for turn in 0..4 * AGENTS {
        let (id, at) = &mut agents[turn % AGENTS];
        let to = Point::new(at.x, if at.y + 140 < length as i32 { at.y + 140 } else { 3 });
        let watch = Stopwatch::start();
        let outcome = diagram.replace(*id, &Shape::Point(to));
        times.push(watch.micros());
        if outcome.is_ok() {
            *at = to;
        }
    }
    quantiles(times)
}

fn quantiles(mut micros: Vec<f64>) -> Option<[f64; 3]> {
    micros.sort_by(f64::total_cmp);
    let at = |share: f64| micros.get(((micros.len().max(1) - 1) as f64 * share) as usize).copied();
    Some([at(0.5)?, at(0.99)?, at(1.0)?])
}

/// The table.
pub fn table(rows: &[MoveRow]) -> String {
    let header = [
        "world",
        "block median, µs",
        "p99",
        "worst",
        "agent median, µs",
        "p99",
        "worst",
        "refused",
        "flaws after",
    ];
    let cells = |row: &MoveRow| {
        let figures = [row.block, row.agent]
            .into_iter()
            .flat_map(|times| (0..3).map(move |i| figure(times.map(|times| times[i]))));
        let mut cells = vec![row.world.to_string()];
        cells.extend(figures);
        cells.extend([row.refused.to_string(), row.flaws.to_string()]);
        cells
    };
    markdown("Moves in our diagram", &header, &rows.iter().map(cells).collect::<Vec<_>>())
}
