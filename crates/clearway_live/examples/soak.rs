//! Makes many random edits in a hall and watches for drift: `soak EDITS`. All laws are checked every so often; the
//! numbers of cells and the lengths of the lists must not grow with the edits.

use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_scenes::Random;
use clearway_world::plan::{Plan, PlanPolygon};

/// The number of obstacles from which on edits move or remove.
const MANY: usize = 40;

fn main() -> Result<(), clearway_base::Error> {
    let edits: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let outline = vec![[0.0, 0.0], [60.0, 1.0], [61.0, 40.0], [31.0, 48.0], [-1.0, 39.0]];
    let holes = vec![vec![[16.0, 15.0], [19.0, 15.5], [18.0, 19.0]]];
    let polygons = vec![PlanPolygon { outline, holes }];
    let plan = Plan { polygons, walls: vec![vec![[22.0, 3.0], [23.0, 22.0]]], ..Plan::default() };
    let mut live = LiveMesh::new(MeshOptions::default().build(&plan)?)?;
    let mut random = Random::new(1);
    let mut ids: Vec<ObstacleId> = Vec::new();
    let (mut refused, mut flaws) = (0, 0);
    for number in 1..=edits {
        let centre = [random.range(-2.0, 62.0), random.range(-1.0, 48.0)];
        let end = [centre[0] + random.range(-4.0, 4.0), centre[1] + random.range(-4.0, 4.0)];
        let shape = match random.below(3) {
            0 => Shape::Disc { centre, radius: random.range(0.2, 1.5), sides: 3 + random.below(9) as u32 },
            1 => Shape::Segment([centre, end]),
            _ => Shape::Box { centre, size: [random.range(0.3, 5.0), 1.0], turn: random.range(0.0, 6.0) },
        };
        let obstacle = Obstacle { shape, anchor: Anchor::default() };
        let edit = match random.below(if ids.len() < MANY { 1 } else { 3 }) {
            0 if ids.len() < 2 * MANY => Edit::Add(obstacle),
            1 => Edit::Move(ids[random.below(ids.len())], obstacle),
            _ => Edit::Remove(ids.swap_remove(random.below(ids.len()))),
        };
        match live.apply(&edit) {
            Ok(changes) => ids.extend(&changes.obstacles),
            Err(_) => refused += 1,
        }
        if number % (edits / 10).max(1) == 0 {
            flaws += live.mesh().check().len();
            let parts = live.mesh().parts();
            println!(
                "{number} edits, {refused} refused, {flaws} flaws: {} obstacles, {} cells in {} slots, {} sides, {} vertices",
                ids.len(),
                live.mesh().cell_count(),
                live.mesh().cell_slots(),
                parts.sides.len(),
                parts.points.len()
            );
        }
    }
    Ok(())
}
