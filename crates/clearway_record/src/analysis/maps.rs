//! Maps of a storey: how many people there were in each square on average, how dense it got, and how fast they walked.

use super::{Densities, spread_frames};
use crate::Recording;
use serde::Serialize;

/// The least side of a square of a map in metres: about a body.
const MIN_SIDE: f64 = 0.5;

/// The most squares along the longer side of a map.
const MAX_SQUARES: f64 = 160.0;

/// The most frames that are counted for the means.
const MAX_FRAMES: usize = 3_000;

/// The maps of one storey. Rows go upwards, each from left to right.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StoreyMap {
    /// The number of the storey.
    pub storey: usize,
    /// The lowest corner in metres.
    pub low: [f64; 2],
    /// The side of a square in metres.
    pub side: f64,
    /// The number of squares in a row.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The mean number of people on a m² over the whole run.
    pub density: Vec<f32>,
    /// The highest density around a body in the square in 1/m²; 0 where nobody was.
    pub peak: Vec<f32>,
    /// The mean speed in m/s of those on their way; negative where nobody was.
    pub speed: Vec<f32>,
}

/// Returns the maps of all storeys.
pub fn maps(recording: &Recording, densities: &Densities) -> Vec<StoreyMap> {
    let storeys = recording.geometry().storeys.len().max(1);
    let mut maps: Vec<_> = (0..storeys).map(|storey| StoreyMap::new(recording, storey)).collect();
    add_means(recording, &mut maps);
    for (index, densities) in densities.frames() {
        for (sample, density) in recording.frame(index).iter().zip(densities) {
            let map = &mut maps[recording.geometry().storey_of(sample.z())];
            if let Some(square) = map.square(sample.xy()) {
                map.peak[square] = map.peak[square].max(*density as f32);
            }
        }
    }
    maps
}

/// Adds up people and speeds, and divides.
fn add_means(recording: &Recording, maps: &mut [StoreyMap]) {
    let mut walking: Vec<Vec<u32>> = maps.iter().map(|map| vec![0; map.density.len()]).collect();
    let mut frames = 0;
    for index in spread_frames(recording, MAX_FRAMES) {
        frames += 1;
        for sample in recording.frame(index) {
            let storey = recording.geometry().storey_of(sample.z());
            let map = &mut maps[storey];
            let Some(square) = map.square(sample.xy()) else { continue };
            map.density[square] += 1.0;
            if sample.walks {
                map.speed[square] += sample.speed() as f32;
                walking[storey][square] += 1;
            }
        }
    }
    for (map, walking) in maps.iter_mut().zip(walking) {
        let people = 1.0 / (frames.max(1) as f64 * map.side * map.side);
        map.density.iter_mut().for_each(|sum| *sum *= people as f32);
        for (speed, count) in map.speed.iter_mut().zip(walking) {
            *speed = if count == 0 { -1.0 } else { *speed / count as f32 };
        }
    }
}

impl StoreyMap {
    /// Makes an empty map over all that is drawn.
    fn new(recording: &Recording, storey: usize) -> StoreyMap {
        let [low, high] = recording.bounds();
        let size = [high[0] - low[0], high[1] - low[1]];
        let side = (size[0].max(size[1]) / MAX_SQUARES).max(MIN_SIDE);
        let [columns, rows] = size.map(|length| (length / side).ceil().max(1.0) as usize);
        let empty = vec![0.0; columns * rows];
        StoreyMap {
            storey,
            low,
            side,
            columns,
            rows,
            density: empty.clone(),
            peak: empty.clone(),
            speed: empty,
        }
    }

    /// Returns the square of a place, unless it lies outside.
    fn square(&self, at: [f64; 2]) -> Option<usize> {
        let [column, row] = [0, 1].map(|axis| ((at[axis] - self.low[axis]) / self.side).floor());
        let is_inside = column >= 0.0 && row >= 0.0 && column < self.columns as f64 && row < self.rows as f64;
        is_inside.then(|| row as usize * self.columns + column as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn maps_count_everybody_once() {
        for recording in [testing::door(60, 1), testing::tower(60)] {
            let maps = maps(&recording, &Densities::of(&recording));
            let people: f64 = maps
                .iter()
                .map(|map| map.density.iter().map(|d| f64::from(*d)).sum::<f64>() * map.side * map.side)
                .sum();
            let expected = recording.samples() as f64 / recording.frames() as f64;
            assert!((people - expected).abs() < 0.01 * expected, "{people} {expected}");
            assert_eq!(maps.len(), recording.geometry().storeys.len());
            assert!(maps.iter().all(|map| map.speed.iter().any(|speed| *speed > 0.5)));
        }
    }
}
