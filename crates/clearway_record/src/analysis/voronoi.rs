//! The density around each body: one over the area that is nearer to it than to any other body.
//!
//! The area is cut off at 0.8 m by a polygon of 12 corners, as PedPy does by default, and by the lines of near walls. A
//! wall cuts by the line through its nearest point, so behind a corner that sticks out a little too much is cut.

use crate::Recording;
use crate::pairs::{Disc, PairFinder};
use crate::walls::Walls;

/// The distance in metres up to which an area belongs to a body: PedPy's default.
const CUT_OFF: f64 = 0.8;

/// The corners of the polygon at the cut-off.
const CORNERS: usize = 12;

/// The smallest area of a body in m², so that no density is infinite: 10 bodies on a m² are more than people bear.
const MIN_AREA: f64 = 0.05;

/// The most bodies whose density is measured. Each takes about a microsecond.
const MAX_MEASURED: usize = 400_000;

/// The densities in some frames of a run: once a second, or less often in long runs with many bodies.
pub struct Densities {
    frames: Vec<(usize, Vec<f64>)>,
}

impl Densities {
    /// Measures the densities of a run.
    pub fn of(recording: &Recording) -> Densities {
        let second = recording.fps().round().max(1.0) as usize;
        let excess = (recording.samples() / second).div_ceil(MAX_MEASURED).max(1);
        let mut meter = DensityMeter::new(recording);
        let frames = (0..recording.frames()).step_by(second * excess);
        Densities { frames: frames.map(|index| (index, meter.frame(recording, index))).collect() }
    }

    /// The numbers of the frames that were measured, with the density around each body in 1/m², in the order of the
    /// frame.
    pub fn frames(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.frames.iter().map(|(index, densities)| (*index, densities.as_slice()))
    }
}

/// Measures densities frame by frame.
pub struct DensityMeter {
    walls: Walls,
    finder: PairFinder,
    radii: Vec<f64>,
    discs: Vec<Disc>,
    /// The pairs of the frame, both ways, sorted.
    pairs: Vec<(u32, u32)>,
}

impl DensityMeter {
    /// Makes a meter for a recording.
    pub fn new(recording: &Recording) -> DensityMeter {
        DensityMeter {
            walls: Walls::new(recording.geometry()),
            finder: PairFinder::default(),
            radii: recording.agents().iter().map(|agent| agent.radius).collect(),
            discs: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Returns the density around each body of a frame in 1/m², in the order of the frame.
    pub fn frame(&mut self, recording: &Recording, frame: usize) -> Vec<f64> {
        let samples = recording.frame(frame);
        let disc = |sample: &crate::Sample| {
            let [x, y] = sample.xy();
            let radius = self.radii.get(sample.agent as usize).copied().unwrap_or_default();
            Disc { at: [x, y, sample.z()], radius }
        };
        self.discs = samples.iter().map(disc).collect();
        self.pairs.clear();
        let pairs = &mut self.pairs;
        self.finder.visit(&self.discs, 2.0 * CUT_OFF, |i, j, _| {
            pairs.push((i as u32, j as u32));
            pairs.push((j as u32, i as u32));
        });
        self.pairs.sort_unstable();
        let mut rest = self.pairs.as_slice();
        let mut densities = Vec::with_capacity(samples.len());
        for index in 0..samples.len() {
            let count = rest.iter().take_while(|pair| pair.0 as usize == index).count();
            let (own, others) = rest.split_at(count);
            rest = others;
            densities.push(1.0 / self.area(index, own).max(MIN_AREA));
        }
        densities
    }

    /// Returns the area of a body in m².
    fn area(&self, index: usize, pairs: &[(u32, u32)]) -> f64 {
        let own = self.discs[index];
        let mut cell = Cell::around();
        for &(_, other) in pairs {
            let other = self.discs[other as usize].at;
            let towards = [other[0] - own.at[0], other[1] - own.at[1]];
            let distance = towards[0].hypot(towards[1]);
            cell.cut(towards, distance, distance / 2.0);
        }
        self.walls.near(own.at, CUT_OFF, |point, distance| {
            cell.cut([point[0] - own.at[0], point[1] - own.at[1]], distance, distance);
        });
        cell.area()
    }
}

/// A convex polygon around the origin.
struct Cell {
    points: Vec<[f64; 2]>,
    scratch: Vec<[f64; 2]>,
}

impl Cell {
    fn around() -> Cell {
        let corner = |index: usize| {
            let angle = index as f64 * std::f64::consts::TAU / CORNERS as f64;
            [CUT_OFF * angle.cos(), CUT_OFF * angle.sin()]
        };
        Cell { points: (0..CORNERS).map(corner).collect(), scratch: Vec::with_capacity(CORNERS + 4) }
    }

    /// Keeps what lies less than `limit` in a direction, given by a vector and its length.
    fn cut(&mut self, towards: [f64; 2], length: f64, limit: f64) {
        // Two bodies in one place, or a body on a wall, have no direction.
        if length < 1e-9 {
            return;
        }
        let along = |p: &[f64; 2]| (p[0] * towards[0] + p[1] * towards[1]) / length - limit;
        self.scratch.clear();
        let next = self.points.iter().cycle().skip(1);
        for (a, b) in self.points.iter().zip(next) {
            let (side_a, side_b) = (along(a), along(b));
            if side_a <= 0.0 {
                self.scratch.push(*a);
            }
            if (side_a < 0.0 && side_b > 0.0) || (side_a > 0.0 && side_b < 0.0) {
                let share = side_a / (side_a - side_b);
                self.scratch.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
            }
        }
        std::mem::swap(&mut self.points, &mut self.scratch);
    }

    fn area(&self) -> f64 {
        let next = self.points.iter().cycle().skip(1);
        self.points.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentRecord, Geometry, Header, Place, Recorder};

    /// The densities of bodies at rest in a corridor of 3 m width.
    fn densities(places: &[[f64; 2]]) -> Vec<f64> {
        let corridor = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 3.0], [0.0, 3.0]];
        let mut recorder = Recorder::new(Header::new("grid", Geometry::of_plan(&[corridor], &[]))).unwrap();
        places.iter().for_each(|_| _ = recorder.add_agent(AgentRecord::new(0)).unwrap());
        let place = |(i, p): (usize, &[f64; 2])| Place::new(i as u32, [p[0], p[1], 0.0]);
        recorder.frame(0.0, places.iter().enumerate().map(place)).unwrap();
        let recording = recorder.finish();
        DensityMeter::new(&recording).frame(&recording, 0)
    }

    #[test]
    fn a_square_grid_has_the_density_of_its_cells() {
        let places: Vec<_> = (0..40)
            .flat_map(|i| (0..6).map(move |j| [0.25 + f64::from(i) * 0.5, 0.25 + f64::from(j) * 0.5]))
            .collect();
        for density in densities(&places) {
            assert!((density - 4.0).abs() < 1e-9, "{density}");
        }
    }

    #[test]
    fn a_lone_body_has_the_area_of_the_cut_off() {
        let expected = 1.0 / (0.5 * 12.0 * 0.64 * (std::f64::consts::TAU / 12.0).sin());
        let found = densities(&[[10.0, 1.5]])[0];
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn bodies_in_one_place_have_a_finite_density() {
        assert!(densities(&[[10.0, 1.5], [10.0, 1.5]]).iter().all(|density| density.is_finite()));
    }
}
