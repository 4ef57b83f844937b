//! Boxes in the ground plane or in space, found by location: a uniform grid with about as many bins as boxes.
//!
//! Invariant: a query visits every box that touches it exactly once. Cost: a query reads the bins that it touches.
//! Building takes two passes over the boxes.

use crate::grid::Point;
use std::ops::Range;

/// A box in the ground plane.
#[derive(Clone, Copy, Debug)]
pub struct Box2 {
    /// The lower left corner.
    pub min: Point,
    /// The upper right corner.
    pub max: Point,
}

impl Box2 {
    /// The least box around points.
    pub fn of(points: &[Point]) -> Box2 {
        let (min, max) = crate::triangulation::bounds(points);
        Box2 { min, max }
    }

    /// True if two boxes have a point in common.
    #[inline]
    pub fn touches(&self, other: &Box2) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// True if two boxes have area in common.
    #[inline]
    pub fn overlaps(&self, other: &Box2) -> bool {
        self.min.x < other.max.x
            && other.min.x < self.max.x
            && self.min.y < other.max.y
            && other.min.y < self.max.y
    }

    /// The least box around two boxes.
    pub fn joined(&self, other: &Box2) -> Box2 {
        Box2 {
            min: Point::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Point::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// The box with a margin all around, in grid units.
    pub fn grown(&self, margin: i32) -> Box2 {
        Box2 {
            min: Point::new(self.min.x - margin, self.min.y - margin),
            max: Point::new(self.max.x + margin, self.max.y + margin),
        }
    }
}

/// A box in space.
#[derive(Clone, Copy, Debug)]
pub struct Box3 {
    /// Its box in the ground plane.
    pub extent: Box2,
    /// Its lowest height.
    pub low: i32,
    /// Its greatest height.
    pub high: i32,
}

impl Box3 {
    /// The least box around corners, each a point and its height.
    pub fn around(corners: impl IntoIterator<Item = (Point, i32)>) -> Box3 {
        let mut corners = corners.into_iter();
        let (first, height) = corners.next().unwrap_or_default();
        let mut least = Box3 { extent: Box2 { min: first, max: first }, low: height, high: height };
        for (at, height) in corners {
            least.extent = least.extent.joined(&Box2 { min: at, max: at });
            (least.low, least.high) = (least.low.min(height), least.high.max(height));
        }
        least
    }

    /// The box with a margin all around, and another above and below.
    pub fn grown(&self, margin: i32, upright: i32) -> Box3 {
        Box3 { extent: self.extent.grown(margin), low: self.low - upright, high: self.high + upright }
    }

    /// True if two boxes have a point in common.
    #[inline]
    pub fn touches(&self, other: &Box3) -> bool {
        self.low <= other.high && other.low <= self.high && self.extent.touches(&other.extent)
    }
}

/// An item of a grid of boxes: a box in the plane, and further data that queries read without a second look-up.
pub trait Boxed: Copy {
    /// The box in the plane.
    fn extent(&self) -> &Box2;
}

impl Boxed for Box2 {
    fn extent(&self) -> &Box2 {
        self
    }
}

impl Boxed for Box3 {
    fn extent(&self) -> &Box2 {
        &self.extent
    }
}

/// The maximum number of bins that a box lies in on average. Larger values allow finer bins for long boxes and take
/// more memory.
const MOST_ENTRIES: i64 = 12;

/// Boxes sorted into bins.
#[derive(Debug)]
pub struct BoxGrid<B = Box2> {
    /// The lower left corner of the first bin.
    origin: Point,
    /// A bin is `2^shift` grid units wide.
    shift: u32,
    /// The number of columns of bins.
    columns: i64,
    /// The number of rows of bins.
    rows: i64,
    /// The layers by which the boxes of one bin are ordered.
    layers: Layers,
    /// For each layer of each bin, the index of its first item.
    start: Vec<u32>,
    /// Bin after bin, each box with its number, so that searching a bin reads memory in order.
    items: Vec<(B, u32)>,
}

/// Heights cut into layers. Boxes higher than a layer come first, then all others by the layer in which they begin.
#[derive(Clone, Copy, Debug)]
struct Layers {
    /// The lowest height at which a box begins.
    lowest: i32,
    /// A layer is `2^shift` grid units high.
    shift: u32,
    /// The number of layers, with the first one for high boxes.
    count: usize,
}

impl Layers {
    /// All heights in one layer, for boxes in the plane.
    const ONE: Layers = Layers { lowest: 0, shift: 31, count: 1 };

    /// The least height of a layer, as a power of two in grid units: a metre on the grid of scenes. Lower layers take
    /// more memory.
    const LEAST_SHIFT: u32 = 12;

    /// Layers for these boxes, at most `most` of them. Layers become higher until they are few enough.
    fn of(boxes: &[Box3], most: i64) -> Layers {
        let lowest = boxes.iter().map(|one| one.low).min().unwrap_or(0);
        let highest = boxes.iter().map(|one| one.low).max().unwrap_or(0);
        let whole = i64::from(highest) - i64::from(lowest);
        let shift = (Self::LEAST_SHIFT..31).find(|shift| (whole >> shift) + 2 <= most);
        shift.map_or(Self::ONE, |shift| Layers { lowest, shift, count: (whole >> shift) as usize + 2 })
    }

    /// The layer in which a box that begins at a height lies, if it is no higher than a layer.
    fn at(&self, height: i32) -> usize {
        let layer = 1 + ((i64::from(height) - i64::from(self.lowest)) >> self.shift);
        layer.clamp(1, self.count as i64 - 1) as usize
    }

    /// The layer of a box; the first for boxes higher than a layer.
    fn of_box(&self, one: &Box3) -> usize {
        let is_high = (i64::from(one.high) - i64::from(one.low)) >> self.shift > 0;
        if is_high || self.count == 1 { 0 } else { self.at(one.low) }
    }

    /// The layers, beside the first, that may hold a box that touches `one`. A box may begin one layer below.
    fn touching(&self, one: &Box3) -> Range<usize> {
        if self.count == 1 { 1..1 } else { self.at(one.low - (1 << self.shift))..self.at(one.high) + 1 }
    }
}

impl<B: Boxed> BoxGrid<B> {
    /// Sorts boxes into bins about as wide as an average box, with a bounded number of entries.
    pub fn of(boxes: Vec<B>) -> BoxGrid<B> {
        BoxGrid::with_entries(&boxes, 0, MOST_ENTRIES)
    }

    /// As [`BoxGrid::of`], for boxes numbered from `first` on that lie in at most `most` bins on average. Fewer
    /// entries make wider bins, which are built sooner. Searching them costs more only if many boxes are small.
    pub fn with_entries(boxes: &[B], first: u32, most: i64) -> BoxGrid<B> {
        let mut bins = BoxGrid::sized(boxes, most);
        bins.fill(boxes, first, |_| 0);
        bins
    }

    /// Empty bins for these boxes. Bins double in width until they are few enough, and their entries as well.
    fn sized(boxes: &[B], most: i64) -> BoxGrid<B> {
        let Some(some) = boxes.first() else { return BoxGrid::empty() };
        let whole = boxes.iter().fold(*some.extent(), |whole, other| whole.joined(other.extent()));
        let extent = whole.max - whole.min;
        // Bins start 16 units wide and grow until they are few enough.
        let mut shift = 4;
        let count = |shift: u32| ((extent.x >> shift) + 1) * ((extent.y >> shift) + 1);
        while count(shift) > 2 * boxes.len() as i64 + 64 {
            shift += 1;
        }
        let mut bins = BoxGrid { origin: whole.min, shift, ..BoxGrid::empty() };
        loop {
            (bins.columns, bins.rows) = ((extent.x >> bins.shift) + 1, (extent.y >> bins.shift) + 1);
            if bins.entries(boxes) <= most * boxes.len() as i64 + 1024 {
                break;
            }
            bins.shift += 1;
        }
        bins
    }

    /// A grid of one bin without boxes.
    fn empty() -> BoxGrid<B> {
        BoxGrid {
            origin: Point::default(),
            shift: 4,
            columns: 1,
            rows: 1,
            layers: Layers::ONE,
            start: Vec::new(),
            items: Vec::new(),
        }
    }

    /// The number of entries that these boxes take: the sum of the bins that each touches.
    fn entries(&self, boxes: &[B]) -> i64 {
        let size = |range: [i64; 4]| (range[1] - range[0] + 1) * (range[3] - range[2] + 1);
        boxes.iter().map(|b| size(self.range(b.extent()))).sum()
    }

    /// The first and last column, then the first and last row of the bins that a box touches.
    #[inline]
    fn range(&self, extent: &Box2) -> [i64; 4] {
        let column =
            |x: i32| ((i64::from(x) - i64::from(self.origin.x)) >> self.shift).clamp(0, self.columns - 1);
        let row = |y: i32| ((i64::from(y) - i64::from(self.origin.y)) >> self.shift).clamp(0, self.rows - 1);
        [column(extent.min.x), column(extent.max.x), row(extent.min.y), row(extent.max.y)]
    }

    /// Sorts the boxes into the bins by counting: one pass for the sizes, one for the items.
    fn fill(&mut self, boxes: &[B], first: u32, layer: impl Fn(&B) -> usize) {
        let Some(any) = boxes.first() else { return };
        // Two more than slots: the second pass moves each start to its end, so the next slot's start stands one
        // ahead.
        let mut start = vec![0u32; (self.columns * self.rows) as usize * self.layers.count + 2];
        self.each_slot(boxes, &layer, |slot, _, _| start[slot + 2] += 1);
        for slot in 2..start.len() {
            start[slot] += start[slot - 1];
        }
        let mut items = vec![(*any, 0); start.last().map_or(0, |last| *last as usize)];
        self.each_slot(boxes, &layer, |slot, one, number| {
            items[start[slot + 1] as usize] = (*one, first + number);
            start[slot + 1] += 1;
        });
        (self.start, self.items) = (start, items);
    }

    /// The boxes in some layers of a bin.
    #[inline]
    fn items(&self, bin: i64, layers: &Range<usize>) -> &[(B, u32)] {
        let first = bin as usize * self.layers.count;
        &self.items[self.start[first + layers.start] as usize..self.start[first + layers.end] as usize]
    }

    /// Calls `visit` for every bin that every box touches, with the index of its layer there.
    fn each_slot(&self, boxes: &[B], layer: impl Fn(&B) -> usize, mut visit: impl FnMut(usize, &B, u32)) {
        for (number, one) in (0u32..).zip(boxes) {
            let ([left, right, low, high], layer) = (self.range(one.extent()), layer(one));
            for row in low..=high {
                for column in left..=right {
                    let bin = (row * self.columns + column) as usize;
                    visit(bin * self.layers.count + layer, one, number);
                }
            }
        }
    }

    /// True if any box touches this one.
    pub fn touches_any(&self, extent: &Box2) -> bool {
        self.any_touching(extent, |_| true)
    }

    /// True if `holds` returns true for a box that touches this one. It may be called several times for a box.
    pub fn any_touching(&self, extent: &Box2, mut holds: impl FnMut(u32) -> bool) -> bool {
        if self.items.is_empty() {
            return false;
        }
        let [left, right, low, high] = self.range(extent);
        (low..=high).any(|row| {
            let [first, last] = [left, right + 1]
                .map(|column| self.start[(row * self.columns + column) as usize * self.layers.count]);
            let mut items = self.items[first as usize..last as usize].iter();
            items.any(|(other, number)| other.extent().touches(extent) && holds(*number))
        })
    }

    /// Calls `visit` once for each box that touches this one.
    pub fn each_touching(&self, extent: &Box2, mut visit: impl FnMut(u32)) {
        self.each_touching_box(extent, |number, _| visit(number));
    }

    /// Calls `visit` once for each box that touches this one, with the box.
    pub fn each_touching_box(&self, extent: &Box2, visit: impl FnMut(u32, &B)) {
        let layers = [0..self.layers.count, 0..0];
        self.each_where(extent, layers, |other| other.extent().touches(extent), visit);
    }

    /// Calls `visit` once for each box for which `holds` is true, in some layers of the bins that an extent touches.
    #[inline]
    fn each_where(
        &self,
        extent: &Box2,
        layers: [Range<usize>; 2],
        holds: impl Fn(&B) -> bool,
        mut visit: impl FnMut(u32, &B),
    ) {
        if self.items.is_empty() {
            return;
        }
        let [left, right, low, high] = self.range(extent);
        // A box that lies in several of these bins counts in the first one only. That is the bin in which neither the
        // box nor the query began earlier.
        let begins = |at: i32, origin: i32| (i64::from(at) - i64::from(origin)) >> self.shift;
        for row in low..=high {
            for column in left..=right {
                let is_first = |at: Point| {
                    (column == left || begins(at.x, self.origin.x) == column)
                        && (row == low || begins(at.y, self.origin.y) == row)
                };
                for layers in &layers {
                    for (other, number) in self.items(row * self.columns + column, layers) {
                        if holds(other) && is_first(other.extent().min) {
                            visit(*number, other);
                        }
                    }
                }
            }
        }
    }
}

impl BoxGrid<Box3> {
    /// As [`BoxGrid::with_entries`], with layers, for queries that ask at some height.
    pub fn in_layers(boxes: &[Box3], first: u32, most: i64) -> BoxGrid<Box3> {
        let mut bins = BoxGrid::sized(boxes, most);
        // The starts of layers take at most as much memory as the boxes.
        bins.layers = Layers::of(boxes, most * boxes.len() as i64 / (bins.columns * bins.rows));
        let layers = bins.layers;
        bins.fill(boxes, first, |one| layers.of_box(one));
        bins
    }

    /// Calls `visit` once for each box that touches this one in space.
    pub fn each_touching_in_space(&self, one: &Box3, visit: impl FnMut(u32, &Box3)) {
        let layers = [0..1, self.layers.touching(one)];
        self.each_where(&one.extent, layers, |other| other.touches(one), visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of all sizes, some of them far from the others; the same every time.
    fn boxes(count: i32) -> Vec<Box3> {
        let number = |i: i32, below: i32| (i64::from(i) * 7919 % 10_007 * 31 % i64::from(below)) as i32;
        let one = |i: i32| {
            let (min, low) = (Point::new(number(i, 9973), number(i, 8999)), number(i, 30_011));
            let max = Point::new(min.x + number(i, 601), min.y + number(i, 307));
            let high = if i % 5 == 0 { number(i, 20_011) } else { number(i, 2003) };
            Box3::around([(min, low), (max, low + high)])
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn each_box_that_touches_is_found_once() {
        for count in [0, 1, 7, 3000] {
            let boxes = boxes(count);
            let bins = [BoxGrid::with_entries(&boxes, 5, 4), BoxGrid::in_layers(&boxes, 5, 4)];
            assert!(count < 3000 || bins[1].layers.count > 3);
            for asked in boxes.iter().step_by(17).map(|one| one.grown(200, 100)) {
                let found = |visit: &dyn Fn(&mut Vec<u32>)| {
                    let mut found = Vec::new();
                    visit(&mut found);
                    found.sort_unstable();
                    found
                };
                let all = (5u32..).zip(&boxes);
                let near: Vec<u32> = all.clone().filter(|(_, r)| r.touches(&asked)).map(|(n, _)| n).collect();
                let below = all.filter(|(_, r)| r.extent.touches(&asked.extent)).map(|(n, _)| n);
                let below: Vec<u32> = below.collect();
                for bins in &bins {
                    assert_eq!(found(&|to| bins.each_touching_in_space(&asked, |n, _| to.push(n))), near);
                    assert_eq!(found(&|to| bins.each_touching(&asked.extent, |n| to.push(n))), below);
                    assert_eq!(bins.touches_any(&asked.extent), !below.is_empty());
                }
            }
        }
    }
}
