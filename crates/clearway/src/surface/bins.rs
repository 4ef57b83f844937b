//! Boxes in the ground plane or in space, found by place: a uniform grid with as many bins as boxes.

use clearway_geometry::Point;

/// A box in the ground plane.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub min: Point,
    pub max: Point,
}

impl Extent {
    /// The least box around points.
    pub fn of(points: &[Point]) -> Extent {
        let (min, max) = clearway_geometry::triangulation::bounds(points);
        Extent { min, max }
    }

    /// Whether two boxes have a point in common.
    #[inline]
    pub fn touches(&self, other: &Extent) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// The least box around two.
    pub fn joined(&self, other: &Extent) -> Extent {
        Extent {
            min: Point::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Point::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// The box with a margin all around.
    pub fn grown(&self, margin: i32) -> Extent {
        Extent {
            min: Point::new(self.min.x - margin, self.min.y - margin),
            max: Point::new(self.max.x + margin, self.max.y + margin),
        }
    }
}

/// A box in space.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub extent: Extent,
    pub low: i32,
    pub high: i32,
}

impl Room {
    /// Whether two boxes have a point in common.
    #[inline]
    pub fn touches(&self, other: &Room) -> bool {
        self.low <= other.high && other.low <= self.high && self.extent.touches(&other.extent)
    }
}

/// What lies in bins: a box in the plane, and what else is to be known without looking it up.
pub trait Boxed: Copy {
    fn extent(&self) -> &Extent;
}

impl Boxed for Extent {
    fn extent(&self) -> &Extent {
        self
    }
}

impl Boxed for Room {
    fn extent(&self) -> &Extent {
        &self.extent
    }
}

/// A box lies in no more bins than this on average.
const MOST_ENTRIES: i64 = 12;

/// Boxes sorted into bins.
#[derive(Debug)]
pub struct Bins<B = Extent> {
    origin: Point,
    shift: u32,
    columns: i64,
    rows: i64,
    start: Vec<u32>,
    /// Bin after bin, each box with its number, so that looking through a bin reads memory in order.
    items: Vec<(B, u32)>,
}

impl<B: Boxed> Bins<B> {
    /// Sorts boxes into bins about as wide as an average box, and not more than a few bins for each.
    pub fn of(boxes: Vec<B>) -> Bins<B> {
        Bins::with_entries(&boxes, 0, MOST_ENTRIES)
    }

    /// The same with boxes that are numbered from `first` on and lie in no more than `most` bins on average: wider bins
    /// are made sooner, and looking through them costs more only if many boxes are small.
    pub fn with_entries(boxes: &[B], first: u32, most: i64) -> Bins<B> {
        let Some(some) = boxes.first() else { return Bins::empty() };
        let whole = boxes.iter().fold(*some.extent(), |whole, other| whole.joined(other.extent()));
        let extent = whole.max - whole.min;
        let mut shift = 4;
        let count = |shift: u32| ((extent.x >> shift) + 1) * ((extent.y >> shift) + 1);
        while count(shift) > 2 * boxes.len() as i64 + 64 {
            shift += 1;
        }
        let mut bins = Bins { origin: whole.min, shift, ..Bins::empty() };
        loop {
            (bins.columns, bins.rows) = ((extent.x >> bins.shift) + 1, (extent.y >> bins.shift) + 1);
            if bins.entries(boxes) <= most * boxes.len() as i64 + 1024 {
                break;
            }
            bins.shift += 1;
        }
        bins.fill(boxes, first, *some);
        bins
    }

    fn empty() -> Bins<B> {
        Bins { origin: Point::default(), shift: 4, columns: 1, rows: 1, start: Vec::new(), items: Vec::new() }
    }

    fn entries(&self, boxes: &[B]) -> i64 {
        let size = |range: [i64; 4]| (range[1] - range[0] + 1) * (range[3] - range[2] + 1);
        boxes.iter().map(|b| size(self.range(b.extent()))).sum()
    }

    /// The first and last column, the first and last row.
    #[inline]
    fn range(&self, extent: &Extent) -> [i64; 4] {
        let column =
            |x: i32| ((i64::from(x) - i64::from(self.origin.x)) >> self.shift).clamp(0, self.columns - 1);
        let row = |y: i32| ((i64::from(y) - i64::from(self.origin.y)) >> self.shift).clamp(0, self.rows - 1);
        [column(extent.min.x), column(extent.max.x), row(extent.min.y), row(extent.max.y)]
    }

    fn fill(&mut self, boxes: &[B], first: u32, any: B) {
        let mut start = vec![0u32; (self.columns * self.rows) as usize + 2];
        self.each_bin(boxes, |bin, _| start[bin + 2] += 1);
        for bin in 2..start.len() {
            start[bin] += start[bin - 1];
        }
        let mut items = vec![(any, 0); start.last().map_or(0, |last| *last as usize)];
        self.each_bin(boxes, |bin, number| {
            items[start[bin + 1] as usize] = (boxes[number as usize], first + number);
            start[bin + 1] += 1;
        });
        (self.start, self.items) = (start, items);
    }

    /// Calls `visit` with every bin of every box.
    fn each_bin(&self, boxes: &[B], mut visit: impl FnMut(usize, u32)) {
        for (number, one) in (0u32..).zip(boxes) {
            let [left, right, low, high] = self.range(one.extent());
            for row in low..=high {
                for column in left..=right {
                    visit((row * self.columns + column) as usize, number);
                }
            }
        }
    }

    /// Whether any box touches this one.
    pub fn touches_any(&self, extent: &Extent) -> bool {
        self.any_touching(extent, |_| true)
    }

    /// Whether `holds` is true of a box that touches this one; it may be asked of a box several times.
    pub fn any_touching(&self, extent: &Extent, mut holds: impl FnMut(u32) -> bool) -> bool {
        if self.items.is_empty() {
            return false;
        }
        let [left, right, low, high] = self.range(extent);
        (low..=high).any(|row| {
            let [first, last] =
                [left, right + 1].map(|column| self.start[(row * self.columns + column) as usize]);
            let mut items = self.items[first as usize..last as usize].iter();
            items.any(|(other, number)| other.extent().touches(extent) && holds(*number))
        })
    }

    /// Calls `visit` once for each box that touches this one.
    pub fn each_touching(&self, extent: &Extent, mut visit: impl FnMut(u32)) {
        self.each_touching_where(extent, |_| true, |number, _| visit(number));
    }

    /// Calls `visit` once for each box that touches this one and of which `holds` is true.
    pub fn each_touching_where(
        &self,
        extent: &Extent,
        holds: impl Fn(&B) -> bool,
        mut visit: impl FnMut(u32, &B),
    ) {
        if self.items.is_empty() {
            return;
        }
        let [left, right, low, high] = self.range(extent);
        // Boxes that lie in several of these bins count in the first: where neither begins before this bin.
        let begins = |at: i32, origin: i32| (i64::from(at) - i64::from(origin)) >> self.shift;
        for row in low..=high {
            for column in left..=right {
                let bin = (row * self.columns + column) as usize;
                for (other, number) in &self.items[self.start[bin] as usize..self.start[bin + 1] as usize] {
                    let is_first = || {
                        (column == left || begins(other.extent().min.x, self.origin.x) == column)
                            && (row == low || begins(other.extent().min.y, self.origin.y) == row)
                    };
                    if holds(other) && is_first() && other.extent().touches(extent) {
                        visit(*number, other);
                    }
                }
            }
        }
    }
}
