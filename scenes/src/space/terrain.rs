//! Open land with hills that are flat on top: some can be climbed, some are too steep.

use super::height_field::{HeightField, noise};
use super::soup::Soup;
use super::truth::{KnownScene, Truth};
use crate::random::Random;

/// The side of a district in cells of a metre; each has one hill in its middle.
const DISTRICT: usize = 32;
/// Half the side of a hill's foot and of its top, in cells.
const FOOT: f64 = 10.0;
const TOP: f64 = 4.0;
/// How much hills rise per metre: 20, 44, 46 and 60 degrees.
const SLOPES: [f64; 4] = [0.364, 0.9657, 1.0355, 1.732];
const MAX_DISTRICTS: usize = 40;

/// Land of `cells` by `cells` metres, rounded up to whole districts of 32 (at most 40 by 40 of them).
///
/// The truth is complete: the land with all hills of up to 44 degrees, and the top of each steeper hill.
pub fn terrain(cells: usize, seed: u64) -> KnownScene {
    let districts = cells.div_ceil(DISTRICT).clamp(1, MAX_DISTRICTS);
    let slope = |i: usize, j: usize| Random::at(seed, [i as i32, j as i32]).pick(SLOPES);
    let last = districts - 1;
    let height = |i: usize, j: usize| {
        let (x, z) = (from_middle(i), from_middle(j));
        let away = x.abs().max(z.abs());
        let hill =
            slope((i / DISTRICT).min(last), (j / DISTRICT).min(last)) * (FOOT - away.max(TOP)).max(0.0);
        let wild = ((away - FOOT - 1.0) / 5.0).clamp(0.0, 1.0);
        hill + wild * 1.2 * noise(seed ^ 1, i as f64 / 8.0, j as f64 / 8.0)
    };
    let mut field = HeightField::new(districts * DISTRICT, 1.0, height);
    for (k, rising) in field.rising.iter_mut().enumerate() {
        let (i, j) = (k % (districts * DISTRICT), k / (districts * DISTRICT));
        // Diagonals run down the ridges of the hills.
        *rising = (i % DISTRICT < DISTRICT / 2) == (j % DISTRICT < DISTRICT / 2);
    }
    let mut soup = Soup::new();
    soup.part("land", "Grass").mesh(&field.points, field.triangles());
    let sky = vec![f64::INFINITY; field.points.len()];
    let truth = Truth::of(field.components(&sky, &vec![0; field.cells * field.cells]));
    KnownScene::new(format!("terrain_{}", field.cells), soup, truth)
}

/// The distance from the middle of the district, in cells.
fn from_middle(i: usize) -> f64 {
    (i % DISTRICT) as f64 - (DISTRICT / 2) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steep_hills_take_their_sides_and_leave_their_tops() {
        for seed in 0..5 {
            let scene = terrain(100, seed);
            let steep = scene.truth.components.len() - 1;
            assert!((1..16).contains(&steep), "seed {seed}: {steep} of 16 hills are steep");
            let sides = steep as f64 * (4.0 * FOOT * FOOT - 4.0 * TOP * TOP);
            assert!((scene.truth.area() - (128.0 * 128.0 - sides)).abs() < 1e-6);
            assert!(scene.truth.components[1..].iter().all(|top| (top.area - 64.0).abs() < 1e-9));
        }
    }
}
