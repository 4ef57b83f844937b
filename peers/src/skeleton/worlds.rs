//! Worlds of polygons in millimetres: cities of square blocks, as in the thesis, and random stars.

use clearway_geometry::Point;
use clearway_scenes::Random;
use clearway_skeleton::Shape;

/// The distance of blocks and the side of the cell of a star, in millimetres.
const CELL: i32 = 20_000;

/// A world to build.
pub struct World {
    /// Its name on the command line.
    pub name: &'static str,
    /// The number of blocks or stars along a side.
    side: i32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Blocks of 15 m with streets of 5 m.
    City,
    /// The same, turned by 0.3 rad and rounded.
    Turned,
    /// A star of 3 to 13 corners in each cell.
    Random,
}

/// All worlds. The thesis's city has 98 by 98 blocks.
pub fn catalogue() -> Vec<World> {
    let world = |name, side, kind| World { name, side, kind };
    vec![
        world("city", 98, Kind::City),
        world("city-turned", 98, Kind::Turned),
        world("city-10k", 50, Kind::City),
        world("city-100k", 158, Kind::City),
        world("city-1m", 500, Kind::City),
        world("random-1k", 11, Kind::Random),
        world("random-10k", 35, Kind::Random),
        world("random-100k", 111, Kind::Random),
        world("random-1m", 353, Kind::Random),
    ]
}

/// The number of corners of a shape.
pub fn corners(shape: &Shape) -> usize {
    match shape {
        Shape::Polygon(corners) => corners.len(),
        _ => 1,
    }
}

impl World {
    /// The corners of a box around everything, with some room.
    pub fn frame(&self) -> [Point; 2] {
        let reach = self.side * CELL;
        let left = if self.kind == Kind::Turned { -reach / 2 } else { 0 };
        let top = if self.kind == Kind::Turned { reach * 3 / 2 } else { reach };
        [Point::new(left - CELL, -CELL), Point::new(reach + CELL, top + CELL)]
    }

    /// Its polygons.
    pub fn shapes(&self) -> Vec<Shape> {
        let mut random = Random::new(7);
        let cells = (0..self.side * self.side).map(|k| (k / self.side * CELL, k % self.side * CELL));
        cells
            .map(|(x, y)| match self.kind {
                Kind::City | Kind::Turned => self.block(x, y),
                Kind::Random => star(&mut random, x, y),
            })
            .collect()
    }

    fn block(&self, x: i32, y: i32) -> Shape {
        let (sin, cos) = if self.kind == Kind::Turned { 0.3_f64.sin_cos() } else { (0.0, 1.0) };
        let corner = |dx: i32, dy: i32| {
            let (x, y) = (f64::from(x + dx), f64::from(y + dy));
            Point::new((x * cos - y * sin).round() as i32, (x * sin + y * cos).round() as i32)
        };
        let corners = [(0, 0), (15_000, 0), (15_000, 15_000), (0, 15_000)];
        Shape::Polygon(corners.map(|(dx, dy)| corner(dx, dy)).to_vec())
    }
}

/// A star around the middle of a cell: corners at growing angles.
fn star(random: &mut Random, x: i32, y: i32) -> Shape {
    let count = 3 + random.below(11);
    let corner = |i: usize| {
        let angle =
            std::f64::consts::TAU * (i as f64 + 0.8 * random.below(1_000) as f64 / 1e3) / count as f64;
        let reach = 1_500.0 + random.below(7_500) as f64;
        let middle = f64::from(CELL / 2);
        Point::new(
            x + (middle + reach * angle.cos()).round() as i32,
            y + (middle + reach * angle.sin()).round() as i32,
        )
    };
    Shape::Polygon((0..count).map(corner).collect())
}
