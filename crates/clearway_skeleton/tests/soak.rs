//! Many edits of one large world: only empty discs, replays equal to the bit, memory that does not grow.
//!
//! Blocks of a city move, and points and walls that cross blocks come and go. Two diagrams get the same edits.
//! `CLEARWAY_SOAK=1000000` makes that many edits in a city of 100,000 segments instead of a few in a small one.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_geometry::Point;
use clearway_scenes::Random;
use clearway_skeleton::{Diagram, Shape, ShapeId};

/// The distance of blocks in grid units: 20 m in millimetres.
const CELL: i32 = 20_000;

fn block(column: i32, row: i32, dx: i32, dy: i32) -> Shape {
    let (x, y) = (column * CELL + dx, row * CELL + dy);
    let corners = [(0, 0), (15_000, 0), (15_000, 15_000), (0, 15_000)];
    Shape::Polygon(corners.map(|(a, b)| Point::new(x + a, y + b)).to_vec())
}

/// A digest of all vertices, whatever their order.
fn digest(diagram: &Diagram) -> u64 {
    diagram.vertices().fold(0, |sum: u64, (_, v)| {
        let bits = [v.at.x, v.at.y, v.radius].map(f64::to_bits);
        let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        sum.wrapping_add(bits.into_iter().fold(0, mix))
    })
}

/// The memory of this process in kilobytes, where the system tells it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

struct Soak {
    side: i32,
    both: [Diagram; 2],
    blocks: Vec<ShapeId>,
    others: Vec<ShapeId>,
    random: Random,
}

impl Soak {
    fn new(side: i32) -> Soak {
        let shapes: Vec<Shape> = (0..side * side).map(|k| block(k / side, k % side, 0, 0)).collect();
        let max = Point::new(side * CELL, side * CELL);
        let (diagram, blocks) = Diagram::build(Point::new(-CELL, -CELL), max, &shapes).unwrap();
        Soak { side, both: [diagram.clone(), diagram], blocks, others: Vec::new(), random: Random::new(5) }
    }

    fn edit(&mut self) {
        let random = &mut self.random;
        if random.chance(0.6) {
            let k = random.below(self.blocks.len());
            let [dx, dy] = [0; 2].map(|_: i32| random.below(4_001) as i32 - 2_000);
            let shape = block(k as i32 / self.side, k as i32 % self.side, dx, dy);
            self.both.iter_mut().for_each(|diagram| diagram.replace(self.blocks[k], &shape).unwrap());
        } else if self.others.len() > 500 || (!self.others.is_empty() && random.chance(0.5)) {
            let id = self.others.swap_remove(random.below(self.others.len()));
            self.both.iter_mut().for_each(|diagram| diagram.remove(id).unwrap());
        } else {
            let reach = (self.side * CELL - 30_000) as usize;
            let at = Point::new(random.below(reach) as i32, random.below(reach) as i32);
            let to = Point::new(at.x + random.below(9_000) as i32 + 1, at.y + random.below(9_000) as i32);
            let shape = if random.chance(0.5) { Shape::Point(at) } else { Shape::Segment([at, to]) };
            let [one, other] = self.both.each_mut().map(|diagram| diagram.insert(&shape).unwrap());
            assert_eq!(one, other);
            self.others.push(one);
        }
    }
}

#[test]
fn many_edits_of_a_large_world() {
    let asked: Option<usize> = std::env::var("CLEARWAY_SOAK").ok().and_then(|text| text.parse().ok());
    let (edits, side) = (asked.unwrap_or(4_000), if asked.is_some() { 158 } else { 24 });
    let mut soak = Soak::new(side);
    let mut first_memory = None;
    for part in 0..20 {
        (0..edits / 20).for_each(|_| soak.edit());
        let audit = soak.both[0].audit();
        assert!(audit.is_clean(), "part {part}: {audit:?} {:?}", soak.both[0].counters());
        let digests = [&soak.both[0], &soak.both[1]].map(digest);
        assert_eq!(digests[0], digests[1], "part {part}");
        // The first parts fill lists that are used again.
        if part == 9 {
            first_memory = memory();
        }
    }
    let counters = soak.both[0].counters();
    println!("{edits} edits of {} blocks, {counters:?}", side * side);
    if let (Some(first), Some(last)) = (first_memory, memory()) {
        println!("memory {first} kB after half of the edits, {last} kB at the end");
        assert!(last < first + first / 10 + 4_096, "memory grew from {first} to {last} kB");
    }
    assert_eq!(counters.rebuilds, 0);
}
