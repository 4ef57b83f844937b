//! Maps of a storey: how dense each square was on average and at most, for how long it was congested, and how fast people
//! walked in it.
//!
//! All densities of a map are one measure: at the centre of a square, one over the area of the body to whose area the
//! centre belongs; 0 where it belongs to nobody. So the mean of a square is never above its highest.

use super::spread_frames;
use super::voronoi::{CONGESTED, CONGESTED_SHARE, Densities};
use crate::probe::contains;
use crate::{Recording, Sample};
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
    /// The mean density over the whole run in 1/m².
    pub density: Vec<f32>,
    /// The highest density in 1/m²; 0 where nobody was.
    pub peak: Vec<f32>,
    /// The part of the time in which the density was above 4 /m².
    pub congested: Vec<f32>,
    /// The mean speed in m/s of those on their way; negative where nobody was.
    pub speed: Vec<f32>,
}

/// Returns the maps of all storeys.
pub fn maps(recording: &Recording, densities: &Densities) -> Vec<StoreyMap> {
    let mut maps = densities.maps().to_vec();
    add_speeds(recording, &mut maps);
    maps
}

/// Sums up the densities of all frames.
pub struct Field {
    maps: Vec<StoreyMap>,
    /// The sums of the densities of each map.
    sums: Vec<Vec<f64>>,
}

impl Field {
    /// Begins with nothing.
    pub fn new(recording: &Recording) -> Field {
        let storeys = recording.geometry().storeys.len().max(1);
        let bounds = recording.bounds();
        let maps: Vec<_> = (0..storeys).map(|storey| StoreyMap::new(bounds, storey)).collect();
        let sums = maps.iter().map(|map| vec![0.0; map.density.len()]).collect();
        Field { maps, sums }
    }

    /// Adds the area of a body to the squares whose centres lie in it.
    pub fn add(&mut self, recording: &Recording, sample: &Sample, density: f64, outline: &[[f64; 2]]) {
        let storey = recording.geometry().storey_of(sample.z());
        let (Some(map), Some(sums)) = (self.maps.get_mut(storey), self.sums.get_mut(storey)) else { return };
        let corner = |pick: fn(f64, f64) -> f64, start: f64| {
            outline.iter().fold([start; 2], |c, p| [pick(c[0], p[0]), pick(c[1], p[1])])
        };
        let [low, high] = [corner(f64::min, f64::INFINITY), corner(f64::max, f64::NEG_INFINITY)];
        let first =
            [0, 1].map(|axis| ((low[axis] - map.low[axis]) / map.side - 0.5).ceil().max(0.0) as usize);
        let last = [0, 1].map(|axis| (high[axis] - map.low[axis]) / map.side - 0.5);
        let [columns, rows] = [map.columns, map.rows];
        for row in (first[1]..rows).take_while(|row| *row as f64 <= last[1]) {
            for column in (first[0]..columns).take_while(|column| *column as f64 <= last[0]) {
                let centre = [column, row].map(|number| number as f64 + 0.5);
                let at = [0, 1].map(|axis| map.low[axis] + centre[axis] * map.side);
                if contains(outline, at) {
                    let square = row * columns + column;
                    sums[square] += density;
                    map.peak[square] = map.peak[square].max(density as f32);
                    map.congested[square] += if density > CONGESTED { 1.0 } else { 0.0 };
                }
            }
        }
    }

    /// Divides by the number of frames.
    pub fn finish(mut self, frames: usize) -> Vec<StoreyMap> {
        let count = frames.max(1) as f64;
        for (map, sums) in self.maps.iter_mut().zip(&self.sums) {
            map.density.iter_mut().zip(sums).for_each(|(density, sum)| *density = (sum / count) as f32);
            map.congested.iter_mut().for_each(|share| *share /= count as f32);
        }
        self.maps
    }
}

/// Adds the mean speeds.
fn add_speeds(recording: &Recording, maps: &mut [StoreyMap]) {
    let mut walking: Vec<Vec<u32>> = maps.iter().map(|map| vec![0; map.density.len()]).collect();
    for index in spread_frames(recording, MAX_FRAMES) {
        for sample in recording.frame(index) {
            let storey = recording.geometry().storey_of(sample.z());
            let map = &mut maps[storey];
            let Some(square) = map.square(sample.xy()) else { continue };
            if sample.walks {
                map.speed[square] += sample.speed() as f32;
                walking[storey][square] += 1;
            }
        }
    }
    for (map, walking) in maps.iter_mut().zip(walking) {
        for (speed, count) in map.speed.iter_mut().zip(walking) {
            *speed = if count == 0 { -1.0 } else { *speed / count as f32 };
        }
    }
}

impl StoreyMap {
    /// Makes an empty map over all that is drawn.
    fn new([low, high]: [[f64; 2]; 2], storey: usize) -> StoreyMap {
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
            congested: empty.clone(),
            speed: empty,
        }
    }

    /// Returns the area in m² of the squares that were congested for more than a tenth of the time.
    pub(super) fn congested_area(&self) -> f64 {
        let count = self.congested.iter().filter(|share| f64::from(**share) > CONGESTED_SHARE).count();
        count as f64 * self.side * self.side
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

    /// The sum over a map is the number of people, since every body spreads over its own area.
    #[test]
    fn maps_count_everybody_once() {
        for recording in [testing::door(60, 1), testing::tower(60)] {
            let densities = Densities::of(&recording);
            let maps = maps(&recording, &densities);
            let people: f64 = maps
                .iter()
                .map(|map| map.density.iter().map(|d| f64::from(*d)).sum::<f64>() * map.side * map.side)
                .sum();
            let counts: Vec<_> = densities.frames().map(|(_, list)| list.len() as f64).collect();
            let expected = counts.iter().sum::<f64>() / counts.len() as f64;
            assert!((people - expected).abs() < 0.1 * expected, "{people} {expected}");
            assert_eq!(maps.len(), recording.geometry().storeys.len());
            assert!(maps.iter().all(|map| map.speed.iter().any(|speed| *speed > 0.5)));
        }
    }

    /// The mean counted heads in small squares, the highest was a Voronoi density: the mean came out higher.
    #[test]
    fn the_mean_density_of_a_square_is_never_above_its_highest() {
        let recording = testing::door(120, 1);
        for map in maps(&recording, &Densities::of(&recording)) {
            assert!(map.peak.iter().any(|peak| *peak > 1.0));
            assert!(map.density.iter().zip(&map.peak).all(|(mean, peak)| mean <= peak));
        }
    }
}
