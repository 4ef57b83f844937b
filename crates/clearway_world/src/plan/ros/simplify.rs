//! Simplifies the outlines of cells without changing how they lie to each other.
//!
//! A corner goes if the triangle that it makes with its neighbours holds no other corner and touches none, and if every
//! corner lost so far stays within the tolerance of the new edge. So no two outlines ever cross or meet: walls stay
//! closed and passages open. Corners go in rounds, those that are least off first, so that long edges appear in the
//! middle of a wall (Visvalingam and Whyatt 1993, with the test of de Berg, van Kreveld and Schirra 1998).
//!
//! Corners of cells are integers below 2^15, so the predicates are exact in `i64`. Cost: n log n for corners that lie
//! evenly.

use crate::plan::Ring;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The side of the buckets in which corners are looked for, in cells.
const BUCKET: i64 = 8;

/// The greatest number of lost corners under one edge. It bounds the work for a corner; edges of hundreds of cells are
/// long enough.
const MOST_LOST: usize = 512;

/// The next and the previous corner of none.
const NONE: u32 = u32::MAX;

/// Simplifies rings of integer corners. The tolerance is in cells.
pub(super) fn simplified(rings: Vec<Ring>, tolerance: f64) -> Vec<Ring> {
    let mut outlines = Outlines::new(&rings, tolerance);
    outlines.run();
    outlines.rings()
}

/// A corner, as its place on the grid of cells.
type Corner = [i64; 2];

/// All rings as linked corners.
struct Outlines {
    /// The corners.
    at: Vec<Corner>,
    /// For each corner the next one of its ring; `NONE` if the corner is gone.
    next: Vec<u32>,
    /// For each corner the one before.
    before: Vec<u32>,
    /// For each corner, the corners that were lost between it and the next one.
    lost: Vec<Vec<u32>>,
    /// The number of corners left of the ring of each corner, by its first corner.
    ring_of: Vec<u32>,
    /// The number of corners left of each ring.
    left: Vec<u32>,
    /// The first corner of each ring, and its number.
    first: Vec<u32>,
    /// The corners of each bucket.
    buckets: Vec<Vec<u32>>,
    /// The number of buckets in a row.
    columns: i64,
    /// The square of the tolerance.
    tolerance: f64,
}

impl Outlines {
    /// Links the corners of rings.
    fn new(rings: &[Ring], tolerance: f64) -> Outlines {
        let count: usize = rings.iter().map(Vec::len).sum();
        let highest = rings
            .iter()
            .flatten()
            .fold([0_i64; 2], |[x, y], point| [x.max(point[0] as i64), y.max(point[1] as i64)]);
        let [columns, rows] = highest.map(|most| most / BUCKET + 1);
        let mut outlines = Outlines {
            at: Vec::with_capacity(count),
            next: Vec::with_capacity(count),
            before: Vec::with_capacity(count),
            lost: vec![Vec::new(); count],
            ring_of: Vec::with_capacity(count),
            left: Vec::new(),
            first: Vec::new(),
            buckets: vec![Vec::new(); (columns * rows) as usize],
            columns,
            tolerance: tolerance * tolerance,
        };
        for ring in rings {
            let (start, length) = (outlines.at.len() as u32, ring.len() as u32);
            for (k, point) in (0..length).zip(ring) {
                let at = point.map(|value| value as i64);
                outlines.next.push(start + (k + 1) % length);
                outlines.before.push(start + (k + length - 1) % length);
                outlines.ring_of.push(outlines.left.len() as u32);
                let bucket = outlines.bucket(at);
                outlines.buckets[bucket].push(start + k);
                outlines.at.push(at);
            }
            outlines.left.push(length);
            outlines.first.push(start);
        }
        outlines
    }

    /// The bucket of a place.
    fn bucket(&self, [x, y]: Corner) -> usize {
        (y / BUCKET * self.columns + x / BUCKET) as usize
    }

    /// Takes corners away until none can go.
    fn run(&mut self) {
        let mut queue: BinaryHeap<Reverse<(i64, u32, u32, u32)>> = BinaryHeap::new();
        for corner in 0..self.at.len() as u32 {
            queue.push(self.entry(corner));
        }
        while let Some(Reverse((_, corner, before, next))) = queue.pop() {
            // An entry counts only while its corner has the neighbours that it had.
            let is_current = self.next[corner as usize] == next && self.before[corner as usize] == before;
            if next == NONE || !is_current || !self.can_go(corner) {
                continue;
            }
            self.remove(corner);
            queue.push(self.entry(before));
            queue.push(self.entry(next));
        }
    }

    /// The entry of a corner in the queue: the area that goes with it, and its neighbours.
    fn entry(&self, corner: u32) -> Reverse<(i64, u32, u32, u32)> {
        let (before, next) = (self.before[corner as usize], self.next[corner as usize]);
        let [a, b, c] = [before, corner, next].map(|corner| self.at[corner as usize]);
        Reverse((orient(a, b, c).abs(), corner, before, next))
    }

    /// True if a corner can go.
    fn can_go(&self, corner: u32) -> bool {
        let (before, next) = (self.before[corner as usize], self.next[corner as usize]);
        if self.left[self.ring_of[corner as usize] as usize] <= 3 {
            return false;
        }
        let [a, b, c] = [before, corner, next].map(|corner| self.at[corner as usize]);
        let lost = self.lost[before as usize].iter().chain(&self.lost[corner as usize]).chain([&corner]);
        let count = self.lost[before as usize].len() + self.lost[corner as usize].len();
        count < MOST_LOST
            && lost.into_iter().all(|lost| squared_distance(self.at[*lost as usize], a, c) <= self.tolerance)
            && self.is_clear([a, b, c], [before, corner, next])
    }

    /// True if no other corner lies in a triangle or on it.
    fn is_clear(&self, [a, b, c]: [Corner; 3], own: [u32; 3]) -> bool {
        let [low, high] =
            [0, 1].map(|axis| [a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis])]);
        let sign = orient(a, b, c).signum();
        for row in low_bucket(high[0])..=low_bucket(high[1]) {
            for column in low_bucket(low[0])..=low_bucket(low[1]) {
                let bucket = &self.buckets[(row * self.columns + column) as usize];
                let hits = bucket.iter().any(|other| {
                    let p = self.at[*other as usize];
                    self.next[*other as usize] != NONE
                        && !own.contains(other)
                        && in_triangle([a, b, c], sign, p)
                });
                if hits {
                    return false;
                }
            }
        }
        true
    }

    /// Takes a corner away.
    fn remove(&mut self, corner: u32) {
        let (before, next) = (self.before[corner as usize], self.next[corner as usize]);
        let mut lost = std::mem::take(&mut self.lost[corner as usize]);
        self.lost[before as usize].append(&mut lost);
        self.lost[before as usize].push(corner);
        self.next[before as usize] = next;
        self.before[next as usize] = before;
        self.next[corner as usize] = NONE;
        let ring = self.ring_of[corner as usize] as usize;
        self.left[ring] -= 1;
        if self.first[ring] == corner {
            self.first[ring] = next;
        }
        let bucket = self.bucket(self.at[corner as usize]);
        self.buckets[bucket].retain(|other| *other != corner);
    }

    /// The rings that are left.
    fn rings(&self) -> Vec<Ring> {
        let ring = |(first, left): (&u32, &u32)| {
            let corners = std::iter::successors(Some(*first), |corner| Some(self.next[*corner as usize]));
            corners
                .take(*left as usize)
                .map(|corner| self.at[corner as usize].map(|value| value as f64))
                .collect()
        };
        self.first.iter().zip(&self.left).map(ring).collect()
    }
}

/// The row or column of the bucket of a coordinate.
fn low_bucket(value: i64) -> i64 {
    value / BUCKET
}

/// Positive if a, b, c turn left, negative if right, zero on a line.
fn orient(a: Corner, b: Corner, c: Corner) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// True if a point lies in a triangle or on its border; `sign` is the turn of the triangle. A flat triangle is the
/// longest of its sides.
fn in_triangle([a, b, c]: [Corner; 3], sign: i64, p: Corner) -> bool {
    let turns = [orient(a, b, p), orient(b, c, p), orient(c, a, p)];
    match sign {
        0 => {
            let between = |axis: usize| {
                let ends = [a[axis], b[axis], c[axis]];
                ends.iter().any(|end| *end <= p[axis]) && ends.iter().any(|end| *end >= p[axis])
            };
            turns == [0; 3] && between(0) && between(1)
        }
        _ => turns.iter().all(|turn| turn * sign >= 0),
    }
}

/// The squared distance of a point from a segment. A measure: it only chooses which corners go.
fn squared_distance(p: Corner, a: Corner, b: Corner) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let there = [p[0] - a[0], p[1] - a[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let dot = along[0] * there[0] + along[1] * there[1];
    let from = |q: Corner| ((p[0] - q[0]).pow(2) + (p[1] - q[1]).pow(2)) as f64;
    match () {
        () if dot <= 0 => from(a),
        () if dot >= length => from(b),
        () => (orient(a, b, p) as f64).powi(2) / length as f64,
    }
}
