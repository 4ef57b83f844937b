//! The density around each body: one over the area that is nearer to it than to any other body and that it sees.
//!
//! The area is cut off at 0.8 m by a polygon of 12 corners: PedPy's `Cutoff(radius=0.8)` with its usual three segments in
//! a quarter. PedPy does not cut off unless it is asked. Walls cut exactly. What lies behind a corner is not seen and does
//! not count, where PedPy counts it; so densities at jambs are a little higher than PedPy's. The areas also make the maps.

use super::maps::{self, StoreyMap};
use super::sight;
use crate::Recording;
use crate::pairs::{Disc, PairFinder};
use crate::walls::Walls;
use serde::Serialize;
use std::cmp::Ordering;

/// The distance in metres up to which an area belongs to a body. A lone body has a density of 0.52 by it.
const CUT_OFF: f64 = 0.8;

/// The corners of the polygon at the cut-off.
const CORNERS: usize = 12;

/// The smallest area of a body in m², so that no density is infinite: 10 bodies on a m² are more than people bear.
const MIN_AREA: f64 = 0.05;

/// The most bodies whose density is measured. Each takes about a microsecond.
const MAX_MEASURED: usize = 400_000;

/// The density in 1/m² above which people are in congestion, after IMO MSC.1/Circ.1533.
pub const CONGESTED: f64 = 4.0;

/// The part of the time above which a place counts as congested, after the same circular.
pub const CONGESTED_SHARE: f64 = 0.1;

/// The congestion of a run: density above 4 /m², after IMO MSC.1/Circ.1533.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Congestion {
    /// The seconds, over all bodies, in which the density around a body was higher.
    pub time: f64,
    /// The most seconds of one body.
    pub longest: f64,
    /// The m² of floor on which it was higher for more than a tenth of the run: congested places of the circular.
    pub area: f64,
}

/// The densities in some frames of a run: once a second, or less often in long runs with many bodies.
pub struct Densities {
    frames: Vec<(usize, Vec<f64>)>,
    maps: Vec<StoreyMap>,
    congestion: Congestion,
}

impl Densities {
    /// Measures the densities of a run.
    pub fn of(recording: &Recording) -> Densities {
        let second = recording.fps().round().max(1.0) as usize;
        let stride = second * (recording.samples() / second).div_ceil(MAX_MEASURED).max(1);
        let seconds = stride as f64 / recording.fps();
        let mut meter = DensityMeter::new(recording);
        let mut field = maps::Field::new(recording);
        let mut times = vec![0.0; recording.agents().len()];
        let mut frames = Vec::new();
        for index in (0..recording.frames()).step_by(stride) {
            let samples = recording.frame(index);
            let densities = meter.visit(recording, index, |body, density, outline| {
                field.add(recording, &samples[body], density, outline);
                if density > CONGESTED {
                    times[samples[body].agent as usize] += seconds;
                }
            });
            frames.push((index, densities));
        }
        let maps = field.finish(frames.len());
        let area = maps.iter().map(StoreyMap::congested_area).sum();
        let longest = times.iter().copied().fold(0.0, f64::max);
        let congestion = Congestion { time: times.iter().sum(), longest, area };
        Densities { frames, maps, congestion }
    }

    /// How long and where people were in congestion.
    pub fn congestion(&self) -> &Congestion {
        &self.congestion
    }

    /// The maps of density, one for each storey.
    pub(super) fn maps(&self) -> &[StoreyMap] {
        &self.maps
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
        self.visit(recording, frame, |_, _, _| ())
    }

    /// The same, and visits each body with its density and the outline of its area.
    pub fn visit(
        &mut self,
        recording: &Recording,
        frame: usize,
        mut visit: impl FnMut(usize, f64, &[[f64; 2]]),
    ) -> Vec<f64> {
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
            let outline = self.outline(index, own);
            let density = 1.0 / area(&outline).max(MIN_AREA);
            visit(index, density, &outline);
            densities.push(density);
        }
        densities
    }

    /// Returns the outline of the area of a body in the plan.
    fn outline(&self, index: usize, pairs: &[(u32, u32)]) -> Vec<[f64; 2]> {
        let [x, y, _] = self.discs[index].at;
        let mut cell = Cell::around();
        for &(_, other) in pairs {
            let other = self.discs[other as usize].at;
            cell.cut([other[0] - x, other[1] - y]);
        }
        let mut walls = Vec::new();
        self.walls.near(self.discs[index].at, CUT_OFF, |ends, _| {
            walls.extend(cell.clipped(ends.map(|[a, b]| [a - x, b - y])));
        });
        // A wall that runs through several buckets comes once for each.
        walls.sort_unstable_by(|a, b| {
            a.as_flattened().partial_cmp(b.as_flattened()).unwrap_or(Ordering::Equal)
        });
        walls.dedup();
        let mut outline = if walls.is_empty() { cell.points } else { sight::seen(&cell.points, &walls) };
        outline.iter_mut().for_each(|p| *p = [p[0] + x, p[1] + y]);
        outline
    }
}

/// Returns the area of a polygon that is counter-clockwise.
fn area(points: &[[f64; 2]]) -> f64 {
    // Far from the origin the products would lose digits.
    let Some(o) = points.first() else { return 0.0 };
    let next = points.iter().cycle().skip(1);
    let across =
        |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    points.iter().zip(next).map(across).sum::<f64>() / 2.0
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

    /// Keeps what is nearer to the origin than to a point.
    fn cut(&mut self, other: [f64; 2]) {
        let length = other[0].hypot(other[1]);
        // Two bodies in one place have no direction.
        if length < 1e-9 {
            return;
        }
        let along = |p: &[f64; 2]| (p[0] * other[0] + p[1] * other[1]) / length - length / 2.0;
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

    /// Returns the part of a segment that lies inside, unless there is none.
    fn clipped(&self, [a, b]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
        let (mut from, mut to) = (0.0f64, 1.0f64);
        let next = self.points.iter().cycle().skip(1);
        for (p, q) in self.points.iter().zip(next) {
            let inside = |r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
            let (side_a, side_b) = (inside(a), inside(b));
            if side_a < 0.0 && side_b < 0.0 {
                return None;
            }
            let share = side_a / (side_a - side_b);
            if side_a < 0.0 {
                from = from.max(share);
            } else if side_b < 0.0 {
                to = to.min(share);
            }
        }
        let at = |share: f64| [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
        (from < to).then(|| [at(from), at(to)])
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

    /// A wall used to cut along the line through its nearest point, so a jamb took half of what lies in the doorway.
    #[test]
    fn at_a_jamb_the_density_is_one_over_the_area_in_sight() {
        // A wall along x = 0 with a doorway from y = 0 to y = 4: the body stands half a metre before the jamb.
        let wall = |from: f64, to: f64| vec![[0.0, from], [0.0, to]];
        let geometry = Geometry::of_plan(&[], &[wall(-5.0, 0.0), wall(4.0, 9.0)]);
        let mut recorder = Recorder::new(Header::new("jamb", geometry)).unwrap();
        recorder.add_agent(AgentRecord::new(0)).unwrap();
        recorder.frame(0.0, [Place::new(0, [-0.3, 0.0, 0.0])]).unwrap();
        let recording = recorder.finish();
        let found = DensityMeter::new(&recording).frame(&recording, 0)[0];
        // The polygon of 12 corners has 1.92 m². Half of it lies above the jamb; below, the wall cuts at 0.3 m.
        let whole = 0.5 * 12.0 * 0.64 * (std::f64::consts::TAU / 12.0).sin();
        let brute = sampled(|x, y| y >= 0.0 || x <= 0.3);
        assert!(brute > 0.55 * whole && brute < 0.9 * whole);
        assert!((1.0 / found - brute).abs() < 2e-3, "{} {brute}", 1.0 / found);
    }

    /// The area of the polygon at the cut-off in which something holds, by points 2 mm apart.
    fn sampled(holds: impl Fn(f64, f64) -> bool) -> f64 {
        let cell = Cell::around();
        let side = 0.002;
        let places = |k: i32| (f64::from(k) + 0.5) * side;
        let count = (-420..420)
            .flat_map(|i| (-420..420).map(move |j| (places(i), places(j))))
            .filter(|(x, y)| crate::probe::contains(&cell.points, [*x, *y]) && holds(*x, *y))
            .count();
        count as f64 * side * side
    }

    #[test]
    fn people_at_five_on_a_square_metre_are_in_congestion() {
        let hall = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]];
        let mut recorder = Recorder::new(Header::new("jam", Geometry::of_plan(&[hall], &[]))).unwrap();
        (0..100).for_each(|id| _ = recorder.add_agent(AgentRecord::new(id)).unwrap());
        let side = 0.2f64.sqrt();
        for step in 0..100 {
            let place =
                |i: u32| Place::new(i, [5.0 + f64::from(i % 10) * side, 5.0 + f64::from(i / 10) * side, 0.0]);
            recorder.frame(f64::from(step) * 0.1, (0..100).map(place)).unwrap();
        }
        let recording = recorder.finish();
        let found = Densities::of(&recording);
        // 64 bodies are inside the block, all of the time.
        assert!((found.congestion().time - 640.0).abs() < 1e-6, "{:?}", found.congestion());
        assert!((found.congestion().longest - 10.0).abs() < 1e-6, "{:?}", found.congestion());
        assert!((found.congestion().area - 64.0 * 0.2).abs() < 4.0, "{:?}", found.congestion());
    }

    #[test]
    fn bodies_in_one_place_have_a_finite_density() {
        assert!(densities(&[[10.0, 1.5], [10.0, 1.5]]).iter().all(|density| density.is_finite()));
    }
}
