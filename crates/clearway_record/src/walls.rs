//! The wall segments near a place, by a grid of buckets over the plan.

use crate::geometry::Geometry;
use crate::pairs::SAME_FLOOR;

/// The largest number of buckets. A city of 10 km by 10 km gets buckets of 10 m.
const MAX_BUCKETS: f64 = 1e6;

/// The smallest side of a bucket in metres: about what bodies look for.
const MIN_BUCKET: f64 = 1.0;

/// The walls of a geometry, in buckets.
pub struct Walls {
    segments: Vec<[[f64; 3]; 2]>,
    low: [f64; 2],
    side: f64,
    columns: usize,
    rows: usize,
    /// The place in `lists` where the list of each bucket begins, and the end of the last.
    starts: Vec<u32>,
    lists: Vec<u32>,
}

impl Walls {
    /// Sorts the walls of all storeys into buckets.
    pub fn new(geometry: &Geometry) -> Walls {
        let segments: Vec<_> = geometry.storeys.iter().flat_map(|storey| storey.segments()).collect();
        let [low, high] = geometry.bounds().unwrap_or_default();
        let [width, depth] = [high[0] - low[0], high[1] - low[1]];
        let side = (width * depth / MAX_BUCKETS).sqrt().max((width + depth) / MAX_BUCKETS).max(MIN_BUCKET);
        let columns = (width / side) as usize + 1;
        let rows = (depth / side) as usize + 1;
        let mut walls = Walls { segments, low, side, columns, rows, starts: Vec::new(), lists: Vec::new() };
        walls.fill();
        walls
    }

    /// Counts the segments of each bucket, then puts them in.
    fn fill(&mut self) {
        let mut counts = vec![0u32; self.columns * self.rows + 1];
        for segment in &self.segments {
            self.buckets_of(segment, |bucket| counts[bucket + 1] += 1);
        }
        for bucket in 1..counts.len() {
            counts[bucket] += counts[bucket - 1];
        }
        let mut lists = vec![0; counts.last().copied().unwrap_or_default() as usize];
        let mut next = counts.clone();
        for (index, segment) in self.segments.iter().enumerate() {
            self.buckets_of(segment, |bucket| {
                lists[next[bucket] as usize] = index as u32;
                next[bucket] += 1;
            });
        }
        (self.starts, self.lists) = (counts, lists);
    }

    /// Visits the buckets that a segment runs through: those near enough of the buckets of its box.
    fn buckets_of(&self, [a, b]: &[[f64; 3]; 2], mut visit: impl FnMut(usize)) {
        let low = [a[0].min(b[0]), a[1].min(b[1])];
        let high = [a[0].max(b[0]), a[1].max(b[1])];
        let half_diagonal = self.side * 0.7072;
        self.buckets_in(low, high, |bucket, centre| {
            let (nearest, _) = nearest_point([a[0], a[1]], [b[0], b[1]], centre);
            if distance(nearest, centre) <= half_diagonal {
                visit(bucket);
            }
        });
    }

    /// Visits the buckets that a box touches, with their centres.
    fn buckets_in(&self, low: [f64; 2], high: [f64; 2], mut visit: impl FnMut(usize, [f64; 2])) {
        let limits = [self.columns - 1, self.rows - 1];
        let cell = |p: [f64; 2], axis: usize| {
            (((p[axis] - self.low[axis]) / self.side).floor().max(0.0) as usize).min(limits[axis])
        };
        for row in cell(low, 1)..=cell(high, 1) {
            for column in cell(low, 0)..=cell(high, 0) {
                let centre = [
                    self.low[0] + (column as f64 + 0.5) * self.side,
                    self.low[1] + (row as f64 + 0.5) * self.side,
                ];
                visit(row * self.columns + column, centre);
            }
        }
    }

    /// Visits every wall on the same floor within `reach` of a place: its ends in the plan and its distance. A wall that
    /// runs through several buckets may be visited more than once.
    pub fn near(&self, at: [f64; 3], reach: f64, mut visit: impl FnMut([[f64; 2]; 2], f64)) {
        let place = [at[0], at[1]];
        self.buckets_in([at[0] - reach, at[1] - reach], [at[0] + reach, at[1] + reach], |bucket, _| {
            let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
            for index in &self.lists[range] {
                let [a, b] = &self.segments[*index as usize];
                // Most walls of a tall building are on other floors.
                if at[2] <= a[2].min(b[2]) - SAME_FLOOR || at[2] >= a[2].max(b[2]) + SAME_FLOOR {
                    continue;
                }
                let (nearest, share) = nearest_point([a[0], a[1]], [b[0], b[1]], place);
                let gap = distance(nearest, place);
                let height = a[2] + (b[2] - a[2]) * share;
                if gap <= reach && (at[2] - height).abs() < SAME_FLOOR {
                    visit([[a[0], a[1]], [b[0], b[1]]], gap);
                }
            }
        });
    }
}

/// Returns the point of a segment that is nearest to a place, and where it lies between the ends: 0 to 1.
fn nearest_point(a: [f64; 2], b: [f64; 2], place: [f64; 2]) -> ([f64; 2], f64) {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let share = ((place[0] - a[0]) * along[0] + (place[1] - a[1]) * along[1]) / length;
    // A segment without length divides by zero.
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    ([a[0] + along[0] * share, a[1] + along[1] * share], share)
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Dice;

    #[test]
    fn buckets_find_the_nearest_wall_of_brute_force() {
        let mut dice = Dice::new(3);
        let point = |dice: &mut Dice| [dice.between(-30.0, 30.0), dice.between(-4.0, 9.0)];
        let lines: Vec<Vec<_>> = (0..40).map(|_| vec![point(&mut dice), point(&mut dice)]).collect();
        let geometry = Geometry::of_plan(&[], &lines);
        let walls = Walls::new(&geometry);
        for _ in 0..500 {
            let place = point(&mut dice);
            let mut least = f64::INFINITY;
            walls.near([place[0], place[1], 0.2], 2.0, |_, gap| least = least.min(gap));
            let all = lines.iter().map(|line| distance(nearest_point(line[0], line[1], place).0, place));
            let expected = all.fold(f64::INFINITY, f64::min);
            assert_eq!(least, if expected <= 2.0 { expected } else { f64::INFINITY });
        }
    }

    #[test]
    fn a_wall_along_stairs_is_near_only_at_its_height() {
        let stairs = crate::Storey::new("stairs", 0.0).walls(vec![vec![[0.0, 0.0, 0.0], [6.0, 0.0, 3.0]]]);
        let walls = Walls::new(&Geometry::default().storeys(vec![stairs]));
        let is_near = |at| {
            let mut found = false;
            walls.near(at, 0.5, |_, _| found = true);
            found
        };
        assert!(is_near([1.0, 0.2, 0.5]) && is_near([5.0, 0.2, 2.5]));
        assert!(!is_near([5.0, 0.2, 0.0]), "a body below the stairs");
    }

    #[test]
    fn no_walls_are_no_trouble() {
        Walls::new(&Geometry::default()).near([1.0, 2.0, 3.0], 5.0, |_, _| unreachable!());
    }
}
