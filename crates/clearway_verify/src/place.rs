//! Places for people in a box: nobody overlaps, and the same seed gives the same places.
//!
//! Darts are thrown first. Where darts no longer find room, people stand on a jittered hexagonal lattice instead.

use crate::site::Rect;
use clearway_crowd::random;

/// The distance between two bodies as a multiple of the sum of their radii: a little room, so that nobody touches.
const ROOM: f64 = 1.02;

/// The number of darts per person after which the lattice takes over.
const DARTS: u64 = 2000;

/// The share of the free room around a place of the lattice by which the place is moved at random.
const JITTER: f64 = 0.4;

/// The height of a row of an equilateral triangle as a share of its side.
const ROW: f64 = 0.866;

/// People who stand already: places and radii.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Places with the radius of the body there.
    bodies: Vec<([f64; 2], f64)>,
    /// The length after which places repeat along x.
    period: Option<f64>,
}

impl Taken {
    /// Makes an empty place that repeats along x after a length, or does not.
    pub fn in_ring(period: Option<f64>) -> Taken {
        Taken { period, ..Taken::default() }
    }

    /// Notes a body.
    pub fn push(&mut self, at: [f64; 2], radius: f64) {
        self.bodies.push((at, radius));
    }

    /// True if a body fits at a place.
    fn is_free(&self, [x, y]: [f64; 2], radius: f64) -> bool {
        self.bodies.iter().all(|([ox, oy], other)| {
            let mut dx = ox - x;
            if let Some(length) = self.period {
                dx -= length * (dx / length).round();
            }
            dx.hypot(oy - y) >= ROOM * (radius + other)
        })
    }

    /// Returns places for `count` more bodies of one radius with their centres in a box, and takes them.
    pub fn fill(&mut self, count: usize, area: Rect, radius: f64, seed: u64) -> Vec<[f64; 2]> {
        let before = self.bodies.len();
        let thrown = self.throw(count, area, radius, seed);
        if thrown.len() == count {
            return thrown;
        }
        self.bodies.truncate(before);
        let places = lattice(count, area, radius, seed, self.period.is_some());
        // Beside others who stand here already only free places are taken.
        let free: Vec<[f64; 2]> = places.into_iter().filter(|at| self.is_free(*at, radius)).collect();
        free.iter().for_each(|at| self.push(*at, radius));
        free
    }

    /// Throws darts until everybody stands or the darts are used up.
    fn throw(
        &mut self,
        count: usize,
        [left, low, right, high]: Rect,
        radius: f64,
        seed: u64,
    ) -> Vec<[f64; 2]> {
        let mut places = Vec::with_capacity(count);
        for dart in 0..DARTS * count as u64 {
            if places.len() == count {
                break;
            }
            let x = left + (right - left) * random(seed, 0, dart, 1);
            let at = [x, low + (high - low) * random(seed, 0, dart, 2)];
            if self.is_free(at, radius) {
                self.push(at, radius);
                places.push(at);
            }
        }
        places
    }
}

/// Returns `count` places on the hexagonal lattice of a box whose nearest places are furthest apart, each moved a little.
fn lattice(
    count: usize,
    [left, low, right, high]: Rect,
    radius: f64,
    seed: u64,
    is_ring: bool,
) -> Vec<[f64; 2]> {
    let (width, height) = (right - left, high - low);
    let pitch = |columns: usize| width / (columns as f64 - if is_ring { 0.0 } else { 0.5 });
    let row = |rows: usize| if rows > 1 { height / (rows - 1) as f64 } else { f64::INFINITY };
    let spacing = |rows: usize| {
        let dx = pitch(count.div_ceil(rows));
        dx.min((0.5 * dx).hypot(row(rows)))
    };
    let most = (height / (2.0 * radius * ROW)) as usize + 1;
    let rows = (1..=most).max_by(|a, b| spacing(*a).total_cmp(&spacing(*b)).then(b.cmp(a))).unwrap_or(1);
    let (columns, dx) = (count.div_ceil(rows), pitch(count.div_ceil(rows)));
    let dy = if rows > 1 { row(rows) } else { 0.0 };
    let slack = (0.5 * spacing(rows) - radius).max(0.0) * JITTER;
    let all = rows * columns;
    let surplus = all - count;
    // The surplus is left out evenly.
    let is_kept = |k: usize| (k + 1) * surplus / all == k * surplus / all;
    let place = |k: usize| {
        let (at_row, column) = (k / columns, k % columns);
        let x = left + dx * (column as f64 + if at_row % 2 == 1 { 0.5 } else { 0.0 });
        let angle = std::f64::consts::TAU * random(seed, k as u32, 0, 3);
        let far = slack * random(seed, k as u32, 0, 4);
        let moved = [x + far * angle.cos(), low + dy * at_row as f64 + far * angle.sin()];
        let x =
            if is_ring { left + (moved[0] - left).rem_euclid(width) } else { moved[0].clamp(left, right) };
        [x, moved[1].clamp(low, high)]
    };
    (0..all).filter(|k| is_kept(*k)).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_overlaps_sparse_or_dense() {
        for (count, radius) in [(20, 0.2), (104, 0.2), (208, 0.2), (260, 0.15)] {
            let mut taken = Taken::in_ring(Some(26.0));
            let places = taken.fill(count, [0.0, radius + 0.01, 26.0, 1.99 - radius], radius, 5);
            assert_eq!(places.len(), count);
            for (index, a) in places.iter().enumerate() {
                for b in &places[index + 1..] {
                    let mut dx = a[0] - b[0];
                    dx -= 26.0 * (dx / 26.0).round();
                    assert!(dx.hypot(a[1] - b[1]) > 2.0 * radius, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn the_seed_decides() {
        let fill = |seed| Taken::default().fill(50, [0.0, 0.0, 10.0, 10.0], 0.2, seed);
        assert_eq!(fill(1), fill(1));
        assert_ne!(fill(1), fill(2));
    }
}
