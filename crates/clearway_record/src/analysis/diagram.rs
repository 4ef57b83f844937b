//! The fundamental diagram: how fast people walk at a density. Squares of 2 m are looked at once a second.

use super::Densities;
use crate::Recording;
use serde::Serialize;

/// The side of a square in metres: the measuring area of the experiments.
const SQUARE: f64 = 2.0;

/// The most points that are kept to be drawn.
const MAX_POINTS: usize = 4_000;

/// The width of a bin of the mean in 1/m².
const BIN: f64 = 0.5;

/// The fewest points of a bin that is reported.
const FEWEST: usize = 5;

/// A square at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The mean density around its bodies in 1/m².
    pub density: f64,
    /// The mean speed of its bodies in m/s.
    pub speed: f64,
}

/// The points whose densities lie near each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The mean density in 1/m².
    pub density: f64,
    /// The mean speed in m/s.
    pub speed: f64,
    /// The standard deviation of the speed in m/s.
    pub spread: f64,
    /// The number of points.
    pub points: usize,
}

/// The fundamental diagram of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagram {
    /// Points to draw; every so many of all, if there are many.
    pub points: Vec<Point>,
    /// Means over all points.
    pub bins: Vec<Bin>,
}

/// Returns the fundamental diagram of those on their way.
pub fn diagram(recording: &Recording, densities: &Densities) -> Diagram {
    let mut points = Vec::new();
    let mut squares = Vec::new();
    for (index, densities) in densities.frames() {
        squares.clear();
        for (sample, density) in recording.frame(index).iter().zip(densities).filter(|(s, _)| s.walks) {
            let [x, y] = sample.xy().map(|c| (c / SQUARE).floor() as i64);
            squares.push((
                [recording.geometry().storey_of(sample.z()) as i64, x, y],
                density,
                sample.speed(),
            ));
        }
        squares.sort_by_key(|square| square.0);
        for square in squares.chunk_by(|a, b| a.0 == b.0) {
            let count = square.len() as f64;
            let density = square.iter().map(|s| s.1).sum::<f64>() / count;
            points.push(Point { density, speed: square.iter().map(|s| s.2).sum::<f64>() / count });
        }
    }
    let bins = bins(&points);
    let stride = points.len().div_ceil(MAX_POINTS).max(1);
    Diagram { points: points.into_iter().step_by(stride).collect(), bins }
}

/// Returns the means of points in bins of density.
fn bins(points: &[Point]) -> Vec<Bin> {
    let mut sorted: Vec<_> = points.iter().map(|point| ((point.density / BIN) as usize, *point)).collect();
    sorted.sort_by_key(|point| point.0);
    let chunks = sorted.chunk_by(|a, b| a.0 == b.0).filter(|chunk| chunk.len() >= FEWEST);
    chunks
        .map(|chunk| {
            let count = chunk.len() as f64;
            let mean = |value: fn(&Point) -> f64| chunk.iter().map(|(_, p)| value(p)).sum::<f64>() / count;
            let speed = mean(|point| point.speed);
            let variance = chunk.iter().map(|(_, p)| (p.speed - speed).powi(2)).sum::<f64>() / count;
            Bin { density: mean(|point| point.density), speed, spread: variance.sqrt(), points: chunk.len() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentRecord, Geometry, Header, Place, Recorder};

    #[test]
    fn a_marching_block_is_one_point() {
        let corridor = vec![[0.0, 0.0], [40.0, 0.0], [40.0, 4.0], [0.0, 4.0]];
        let mut recorder = Recorder::new(Header::new("march", Geometry::of_plan(&[corridor], &[]))).unwrap();
        (0..64).for_each(|id| _ = recorder.add_agent(AgentRecord::new(id)).unwrap());
        for step in 0..100 {
            let x = 1.0 + f64::from(step) * 0.1;
            let place = |i: u32| {
                let at = [x + f64::from(i % 8) * 0.5, 0.25 + f64::from(i / 8) * 0.5, 0.0];
                Place::new(i, at).speed(1.0)
            };
            recorder.frame(f64::from(step) * 0.1, (0..64).map(place)).unwrap();
        }
        let recording = recorder.finish();
        let diagram = diagram(&recording, &Densities::of(&recording));
        let inner = diagram.bins.iter().find(|bin| bin.density > 3.9).unwrap();
        assert!((inner.density - 4.0).abs() < 0.01 && (inner.speed - 1.0).abs() < 1e-9, "{inner:?}");
        assert_eq!(diagram.points.len(), diagram.bins.iter().map(|bin| bin.points).sum::<usize>());
    }
}
