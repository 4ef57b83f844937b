//! Compares a mesh with the true walkable surface: how much of the truth it covers, and how much of it is true.
//!
//! [`Columns`] samples the truth once: one column in every square of a grid over the scene. Each column has a scattered
//! position within its square, so that no row of columns runs along a wall. [`ColumnSampler`] finds where one can stand
//! in it.
//!
//! [`Columns::coverage`] then compares any mesh that can name its heights at a point. *Recall* is the share of the
//! truth that the mesh covers. *Precision* is the share of the mesh that is true. Both allow a step in height, so that
//! another floor does not count.
//!
//! Stands of neighbouring columns that are at most a step apart belong to one island. Walls have no width in a column,
//! so an island may reach through a wall without thickness. Islands only serve to leave out small pieces.
//!
//! Rows of columns are sampled in parallel and put together in order: the figures do not depend on the number of
//! threads.

use rayon::prelude::*;

use crate::columns::{Column, ColumnSampler};
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_geometry::DisjointSets;
use clearway_world::scene::Scene;

/// The largest number of columns of a grid: with one floor they take a gigabyte.
const MOST_COLUMNS: f64 = (1u32 << 25) as f64;

/// Heights closer together than this belong to one floor, however low steps are, because the mesh was rounded to a
/// grid. In metres, and as a share of the height of the body; the lesser counts.
const SAME_FLOOR: [f64; 2] = [0.05, 0.25];

/// The greatest width of a kerb in metres: one stride takes a body from the floor below to the floor above.
const KERB: f64 = 0.3;

/// The distance in metres within which a mesh lies on a steep face: the grid of the mesh is finer.
const ON_FACE: f64 = 0.01;

/// The number of missing and of extra points that a comparison lists.
const MOST_PLACES: usize = 100;

/// The number of columns sampled beyond the scene on each side, where a mesh should not be.
const MARGIN: f64 = 10.0;

/// The true walkable surface, sampled in vertical columns.
#[derive(Clone, Debug)]
pub struct Columns {
    /// The positions of the columns.
    grid: Grid,
    /// The greatest height in metres between the mesh and a floor that it covers.
    tolerance: f64,
    /// For each column, the index of its first height; one more entry ends the last column.
    starts: Vec<u32>,
    /// The heights at which one can stand, in metres, ascending within a column.
    heights: Vec<f64>,
    /// For each height, the number of samples on its island.
    island: Vec<u32>,
    /// For each column, the index of its first steep face; one more entry ends the last column.
    steep_starts: Vec<u32>,
    /// The heights of steep faces that look up, in metres.
    steeps: Vec<f64>,
}

/// The result of a comparison. A share of nothing is 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// The number of samples of the truth that count.
    pub samples: usize,
    /// The share of them within a step of the mesh.
    pub recall: f64,
    /// The number of samples of the mesh.
    pub mesh_samples: usize,
    /// The share of them within a step of the truth.
    pub precision: f64,
    /// The number of samples of the mesh on kerbs, which count as neither: steep faces no wider than a stride, from a floor
    /// up to another that is at most a step above. Nobody stands on them, and everybody steps over them.
    pub kerb_samples: usize,
    /// The mean distance in height between the truth and the mesh that covers it, in metres.
    pub mean_height_error: f64,
    /// Points of the truth that the mesh lacks, the first hundred.
    pub missing: Vec<[f64; 3]>,
    /// Points of the mesh where one cannot stand, the first hundred.
    pub extra: Vec<[f64; 3]>,
}

impl Columns {
    /// Samples a column in every square of `step` metres, at positions that `seed` scatters.
    ///
    /// # Errors
    ///
    /// Fails if the step is not a positive number or the grid would have more than 2²⁵ columns.
    pub fn sample(sampler: &ColumnSampler, step: f64, seed: u64) -> Result<Columns> {
        let grid = Grid::new(sampler.bounds(), step, seed)?;
        let rows: Vec<Row> =
            (0..grid.deep).into_par_iter().map(|row| Row::sample(sampler, &grid, row)).collect();
        let mut starts = vec![0];
        let mut heights: Vec<f64> = Vec::with_capacity(rows.iter().map(|row| row.heights.len()).sum());
        let (mut steep_starts, mut steeps) = (vec![0], Vec::new());
        for row in rows {
            let before = [heights.len(), steeps.len()];
            heights.extend(row.heights);
            steeps.extend(row.steeps);
            starts.extend(row.ends.iter().map(|[end, _]| before[0] as u32 + end));
            steep_starts.extend(row.ends.iter().map(|[_, end]| before[1] as u32 + end));
        }
        if u32::try_from(heights.len().max(steeps.len())).is_err() {
            return Err(Error::new(ErrorKind::Options, format!("a step of {step} m takes too many samples")));
        }
        // Positions scatter within their squares, so neighbours on a slope lie up to two steps of the grid apart.
        let tolerance = sampler.max_step().max(SAME_FLOOR[0].min(SAME_FLOOR[1] * sampler.height()));
        let reach = tolerance.max(2.0 * step * sampler.max_slope().tan());
        let mut columns =
            Columns { grid, tolerance, starts, heights, island: Vec::new(), steep_starts, steeps };
        columns.island = columns.islands(reach);
        Ok(columns)
    }

    /// Checks whether a scene can be sampled with this step; fails as [`Columns::sample`], before any work.
    pub fn check_step(scene: &Scene, step: f64) -> Result<()> {
        let seen_from_above = |[x, _, z]: [f64; 3]| [x, z];
        Grid::new(scene.bounds().map(|corners| corners.map(seen_from_above)), step, 0).map(|_| ())
    }

    /// Returns the number of samples of the truth.
    pub fn len(&self) -> usize {
        self.heights.len()
    }

    /// True if one can stand nowhere.
    pub fn is_empty(&self) -> bool {
        self.heights.is_empty()
    }

    /// Returns the area that the samples stand for, seen from above, in square metres. Islands smaller than `min_area`
    /// are left out.
    pub fn area(&self, min_area: f64) -> f64 {
        let least = self.least_samples(min_area);
        let samples = self.island.iter().filter(|island| f64::from(**island) >= least).count();
        samples as f64 * self.grid.step * self.grid.step
    }

    /// Compares a mesh with the truth.
    ///
    /// `heights_at` returns the heights at which the mesh has a floor at `(x, z)`. Samples on islands smaller than
    /// `min_area` square metres are left out, and so are samples for which `counts` is false. The mesh need not cover
    /// them, but is not wrong where it does.
    pub fn coverage(
        &self,
        min_area: f64,
        counts: impl Fn([f64; 3]) -> bool + Sync,
        heights_at: impl Fn(f64, f64) -> Vec<f64> + Sync,
    ) -> Coverage {
        let least = self.least_samples(min_area);
        let wanted = |sample: usize, place| f64::from(self.island[sample]) >= least && counts(place);
        let rows = (0..self.grid.deep).into_par_iter();
        let tallies: Vec<Tally> = rows.map(|row| self.compare(row, &wanted, &heights_at)).collect();
        let mut total = Tally::default();
        tallies.into_iter().for_each(|tally| total.add(tally));
        total.coverage()
    }

    /// Compares one row of columns.
    fn compare(
        &self,
        row: usize,
        wanted: &impl Fn(usize, [f64; 3]) -> bool,
        heights_at: &impl Fn(f64, f64) -> Vec<f64>,
    ) -> Tally {
        let mut tally = Tally::default();
        for column in 0..self.grid.wide {
            let [x, z] = self.grid.place(column, row);
            let mesh = heights_at(x, z);
            let samples = self.samples_of(column, row);
            for sample in samples.clone() {
                let place = [x, self.heights[sample], z];
                if wanted(sample, place) {
                    tally.ask(place, nearest(&mesh, place[1]), self.tolerance);
                }
            }
            for &height in &mesh {
                let truth = nearest(&self.heights[samples.clone()], height);
                let is_true = truth.is_some_and(|truth| (truth - height).abs() <= self.tolerance);
                match is_true || !self.is_kerb([column, row], height) {
                    true => tally.prove([x, height, z], is_true),
                    false => tally.kerbs += 1,
                }
            }
        }
        tally
    }

    /// True if the mesh lies on a steep face, with a floor below and another at most a step above that within a stride.
    fn is_kerb(&self, [column, row]: [usize; 2], height: f64) -> bool {
        let number = row * self.grid.wide + column;
        let steeps = self.steep_starts[number] as usize..self.steep_starts[number + 1] as usize;
        if !self.steeps[steeps].iter().any(|steep| (steep - height).abs() <= ON_FACE) {
            return false;
        }
        let reach = (KERB / self.grid.step).ceil() as usize;
        let around = |place: usize, most: usize| place.saturating_sub(reach)..(place + reach + 1).min(most);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for row in around(row, self.grid.deep) {
            for column in around(column, self.grid.wide) {
                for stand in &self.heights[self.samples_of(column, row)] {
                    (low, high) =
                        if *stand < height { (low.max(*stand), high) } else { (low, high.min(*stand)) };
                }
            }
        }
        high - low <= self.tolerance
    }

    /// Returns the range of the samples of a column.
    fn samples_of(&self, column: usize, row: usize) -> std::ops::Range<usize> {
        let number = row * self.grid.wide + column;
        self.starts[number] as usize..self.starts[number + 1] as usize
    }

    /// Returns the number of samples from which an island counts.
    fn least_samples(&self, min_area: f64) -> f64 {
        min_area / (self.grid.step * self.grid.step)
    }

    /// Returns, for each sample, the number of samples on its island.
    fn islands(&self, reach: f64) -> Vec<u32> {
        let mut islands = DisjointSets::new(self.heights.len());
        for row in 0..self.grid.deep {
            for column in 0..self.grid.wide {
                if column + 1 < self.grid.wide {
                    self.join([column, row], [column + 1, row], reach, &mut islands);
                }
                if row + 1 < self.grid.deep {
                    self.join([column, row], [column, row + 1], reach, &mut islands);
                }
            }
        }
        islands.sizes()
    }

    /// Joins the samples of two neighbours whose heights differ by at most `reach` metres.
    fn join(&self, one: [usize; 2], other: [usize; 2], reach: f64, islands: &mut DisjointSets) {
        for sample in self.samples_of(one[0], one[1]) {
            for neighbour in self.samples_of(other[0], other[1]) {
                if (self.heights[sample] - self.heights[neighbour]).abs() <= reach {
                    islands.join(sample as u32, neighbour as u32);
                }
            }
        }
    }
}

/// The grid of columns.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// The least x and z.
    least: [f64; 2],
    /// The side of a square, in metres.
    step: f64,
    /// The number of squares along x.
    wide: usize,
    /// The number of squares along z.
    deep: usize,
    /// The seed of the positions.
    seed: u64,
}

impl Grid {
    /// Lays the grid over the bounds, with a margin.
    fn new(bounds: Option<[[f64; 2]; 2]>, step: f64, seed: u64) -> Result<Grid> {
        if !(step > 0.0 && step.is_finite()) {
            return Err(Error::new(
                ErrorKind::Options,
                format!("a step of {} m between columns", short(step)),
            ));
        }
        let Some([least, most]) = bounds else {
            return Ok(Grid { least: [0.0; 2], step, wide: 0, deep: 0, seed });
        };
        let [wide, deep] = [0, 1].map(|axis| ((most[axis] - least[axis]) / step).ceil() + 2.0 * MARGIN);
        if wide * deep > MOST_COLUMNS {
            let message = format!(
                "a step of {} m makes {} x {} columns, more than the limit of {MOST_COLUMNS}",
                short(step),
                short(wide),
                short(deep)
            );
            return Err(Error::new(ErrorKind::Options, message));
        }
        let least = least.map(|least| least - MARGIN * step);
        Ok(Grid { least, step, wide: wide as usize, deep: deep as usize, seed })
    }

    /// Returns the position of the column in a square; always the same for the same seed.
    fn place(&self, column: usize, row: usize) -> [f64; 2] {
        let bits = scatter(self.seed ^ scatter(((row as u64) << 32) | column as u64));
        let [right, down] = [bits >> 32, bits & 0xffff_ffff].map(|half| (half as f64 + 0.5) / 2f64.powi(32));
        let [x, z] = [column as f64 + right, row as f64 + down];
        [self.least[0] + self.step * x, self.least[1] + self.step * z]
    }
}

/// Spreads every bit of a number over all bits: the finaliser of Steele, Lea and Flood's SplitMix.
fn scatter(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// One row of columns.
#[derive(Clone, Debug, Default)]
struct Row {
    /// The heights of all columns, column after column.
    heights: Vec<f64>,
    /// The heights of the steep faces of all columns.
    steeps: Vec<f64>,
    /// For each column, the index after its last height, and after its last steep face.
    ends: Vec<[u32; 2]>,
}

impl Row {
    /// Samples one row.
    fn sample(sampler: &ColumnSampler, grid: &Grid, row: usize) -> Row {
        let mut sampled = Row::default();
        let mut workings = Column::default();
        for column in 0..grid.wide {
            let [x, z] = grid.place(column, row);
            sampler.stands_in(x, z, &mut workings);
            sampled.heights.extend(workings.stands.iter().map(|stand| stand.height));
            sampled.steeps.extend(&workings.steeps);
            sampled.ends.push([sampled.heights.len() as u32, sampled.steeps.len() as u32]);
        }
        sampled
    }
}

/// The counts of one row of columns.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// Samples of the truth.
    samples: usize,
    /// Samples of the truth that the mesh covers.
    covered: usize,
    /// The sum of the height errors of covered samples, in metres.
    height_error: f64,
    /// Samples of the mesh.
    mesh_samples: usize,
    /// Samples of the mesh that are true.
    proved: usize,
    /// Samples of the mesh on kerbs.
    kerbs: usize,
    /// Points of the truth that the mesh lacks.
    missing: Vec<[f64; 3]>,
    /// Points of the mesh where one cannot stand.
    extra: Vec<[f64; 3]>,
}

impl Tally {
    /// Counts a sample of the truth; `mesh` is the height of the mesh nearest to it.
    fn ask(&mut self, place: [f64; 3], mesh: Option<f64>, tolerance: f64) {
        self.samples += 1;
        match mesh.map(|height| (height - place[1]).abs()) {
            Some(error) if error <= tolerance => {
                self.covered += 1;
                self.height_error += error;
            }
            _ => note(&mut self.missing, place),
        }
    }

    /// Counts a sample of the mesh.
    fn prove(&mut self, place: [f64; 3], is_true: bool) {
        self.mesh_samples += 1;
        if is_true {
            self.proved += 1;
        } else {
            note(&mut self.extra, place);
        }
    }

    /// Adds the counts of another row.
    fn add(&mut self, other: Tally) {
        self.samples += other.samples;
        self.covered += other.covered;
        self.height_error += other.height_error;
        self.mesh_samples += other.mesh_samples;
        self.proved += other.proved;
        self.kerbs += other.kerbs;
        other.missing.into_iter().for_each(|place| note(&mut self.missing, place));
        other.extra.into_iter().for_each(|place| note(&mut self.extra, place));
    }

    /// Turns the counts into shares.
    fn coverage(self) -> Coverage {
        Coverage {
            samples: self.samples,
            recall: share(self.covered, self.samples),
            mesh_samples: self.mesh_samples,
            precision: share(self.proved, self.mesh_samples),
            kerb_samples: self.kerbs,
            mean_height_error: self.height_error / self.covered.max(1) as f64,
            missing: self.missing,
            extra: self.extra,
        }
    }
}

/// Lists a point unless the list is full.
fn note(places: &mut Vec<[f64; 3]>, place: [f64; 3]) {
    if places.len() < MOST_PLACES {
        places.push(place);
    }
}

/// Returns the share of a part; 1 of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Returns the height nearest to `height`.
fn nearest(heights: &[f64], height: f64) -> Option<f64> {
    let distance = |other: &f64| (other - height).abs();
    heights.iter().copied().min_by(|one, other| distance(one).total_cmp(&distance(other)))
}

#[cfg(test)]
mod tests;
