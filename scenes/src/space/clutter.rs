//! A floor full of boxes, for measurements at any size.

use super::soup::{Point3, Soup, to_millimetre};
use crate::random::Random;

const MAX_BOXES: usize = 320_000;
/// The side of floor tiles in metres.
const TILE: f64 = 4.0;

/// A floor with `boxes` boxes (at most 320 000) of 0.1 m to 2 m, 0.05 m to 3 m high, a fifth of them leaning.
///
/// There is one box for each square metre; they overlap and run through each other and through the floor.
/// Linear time, 12 triangles for each box and two for each 16 square metres: 100 000 boxes are 1.2 million
/// triangles.
pub fn clutter(boxes: usize, seed: u64) -> Soup {
    let boxes = boxes.min(MAX_BOXES);
    let mut random = Random::new(seed);
    let mut soup = Soup::new();
    let tiles = ((boxes as f64).sqrt() / TILE).ceil().max(1.0) as usize;
    soup.part("floor", "Floor");
    for k in 0..tiles * tiles {
        let low = [k % tiles, k / tiles].map(|i| TILE * i as f64);
        soup.floor(low, low.map(|x| x + TILE), 0.0);
    }
    let side = TILE * tiles as f64;
    soup.part("boxes", "Wood");
    for _ in 0..boxes {
        soup.hexahedron(random_box(&mut random, side));
    }
    soup
}

fn random_box(random: &mut Random, side: f64) -> [Point3; 8] {
    // Small boxes are far more frequent than large ones.
    let mut length = || 0.1 + 1.9 * random.range(0.0, 1.0).powi(3);
    let (half_x, half_z) = (0.5 * length(), 0.5 * length());
    let height = 0.05 + 2.95 * random.range(0.0, 1.0).powi(2);
    let (x, z) = (random.range(0.0, side), random.range(0.0, side));
    let bottom = if random.chance(0.3) { random.range(-0.1, 1.5) } else { 0.0 };
    let turn = random.range(0.0, std::f64::consts::TAU);
    let lean = if random.chance(0.2) { random.range(-0.5, 0.5) } else { 0.0 };
    let ((sin, cos), (up, along)) = (turn.sin_cos(), lean.sin_cos());
    [0, 1, 2, 3, 4, 5, 6, 7].map(|k| {
        let sign = |bit: usize| if (k >> bit) & 1 == 0 { -1.0 } else { 1.0 };
        let (u, v) = (sign(0) * half_x, sign(2) * half_z);
        let h = if k & 2 == 0 { 0.0 } else { height };
        // Leaning turns about the box's own z axis, then the box turns about the vertical.
        let (u, h) = (u * along - h * up, u * up + h * along);
        to_millimetre([x + u * cos + v * sin, bottom + h, z - u * sin + v * cos])
    })
}
