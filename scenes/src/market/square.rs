//! What stands on the market square.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use crate::drawing::Ring;
use crate::random::Random;
use crate::shapes::{Point, add, polar, regular, turned, turned_box};

/// The strip along the eastern front that belongs to the café.
const CAFE: f64 = 11.0;
/// How far stalls stay from the fronts.
const PROMENADE: f64 = 4.5;
const STALL: Point = [1.3, 0.8];
/// From stall to stall, from back to back, and from one pair of rows to the next.
const STALL_PITCH: f64 = 3.2;
const BACK_TO_BACK: f64 = 2.3;
const AISLE_PITCH: f64 = 6.9;

/// A square under construction. Things are kept apart by the circles around them.
pub(super) struct Square {
    low: Point,
    high: Point,
    things: Vec<Ring>,
    circles: Vec<(Point, f64)>,
    barriers: Vec<Vec<Point>>,
}

impl Square {
    pub(super) fn new(low: Point, high: Point) -> Square {
        Square { low, high, things: Vec::new(), circles: Vec::new(), barriers: Vec::new() }
    }

    /// Puts everything on the square, large things first.
    pub(super) fn furnish(&mut self, random: &mut Random) {
        let stalls = [(self.low[0] + self.high[0] - CAFE) / 2.0, (self.low[1] + self.high[1]) / 2.0];
        let fountain = add(stalls, [random.range(-6.0, 6.0), random.range(-3.0, 3.0)]);
        self.fountain(random, fountain);
        self.trees(random);
        self.cafe(random);
        self.statue(random, fountain);
        self.stalls(random, stalls);
        self.carts(random);
    }

    /// Adds a thing whose place is known to be free.
    pub(super) fn add(&mut self, thing: Ring) {
        self.circles.push(circle_around(&thing));
        self.things.push(thing);
    }

    /// The rings of all things, and the barriers.
    pub(super) fn into_lines(self) -> (Vec<Ring>, Vec<Vec<Point>>) {
        (self.things, self.barriers)
    }

    /// A round basin with benches around it, on a place of its own.
    fn fountain(&mut self, random: &mut Random, middle: Point) {
        self.add(regular(middle, random.range(2.2, 3.0), 24, 0.0));
        let turn = random.range(0.0, TAU);
        for k in 0..6 {
            let angle = turn + TAU * f64::from(k) / 6.0;
            self.add(turned_box(polar(middle, 4.8, angle), [0.9, 0.25], angle + FRAC_PI_2));
        }
        self.circles.push((middle, 6.0));
    }

    /// Planters with trees in two lines along the long fronts.
    fn trees(&mut self, random: &mut Random) {
        let pitch = random.range(5.5, 7.5);
        let count = ((self.high[0] - self.low[0] - CAFE - 4.0) / pitch) as usize;
        for y in [self.low[1] + 3.2, self.high[1] - 3.2] {
            for k in 0..count {
                let x = self.low[0] + 4.0 + pitch * k as f64 + random.range(-0.4, 0.4);
                if random.chance(0.9) {
                    self.add(regular(
                        [x, y + random.range(-0.2, 0.2)],
                        random.range(0.5, 0.8),
                        8,
                        FRAC_PI_4 / 2.0,
                    ));
                }
            }
        }
    }

    /// Tables with chairs behind a barrier that is open in the middle.
    fn cafe(&mut self, random: &mut Random) {
        let [left, right] = [self.high[0] - CAFE + 1.5, self.high[0] - 2.2];
        let [low, high] = [self.low[1] + 6.0, self.high[1] - 6.0];
        let middle = (low + high) / 2.0 + random.range(-3.0, 3.0);
        for (from, to) in [(low, middle - 1.2), (high, middle + 1.2)] {
            self.barriers.push(vec![[right, from], [left, from], [left, to]]);
        }
        let (columns, rows) = (((right - left) / 2.7) as usize, ((high - low) / 2.9) as usize);
        let [wide, deep] = [(right - left) / columns as f64, (high - low) / rows as f64];
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let mut jitter = || random.range(-0.15, 0.15);
            let at =
                [left + (column as f64 + 0.5) * wide + jitter(), low + (row as f64 + 0.5) * deep + jitter()];
            if random.chance(0.85) {
                self.table(random, at);
            }
        }
    }

    fn table(&mut self, random: &mut Random, at: Point) {
        self.add(regular(at, 0.38, 10, 0.0));
        let turn = random.range(0.0, TAU);
        let chairs = 2 + random.below(3);
        for k in 0..chairs {
            let angle = turn + TAU * k as f64 / chairs as f64;
            self.add(turned_box(polar(at, 0.78, angle), [0.2, 0.2], angle));
        }
    }

    fn statue(&mut self, random: &mut Random, fountain: Point) {
        let side = if fountain[0] > (self.low[0] + self.high[0] - CAFE) / 2.0 { 6.5 } else { 34.0 };
        let at = [self.low[0] + side, (self.low[1] + self.high[1]) / 2.0 + random.range(-3.0, 3.0)];
        if self.is_free(at, 2.0) {
            self.add(turned_box(at, [1.1, 1.1], FRAC_PI_4));
            self.circles.push((at, 2.6));
        }
    }

    /// Stalls in rows, back to back, all at a slight angle to the square.
    ///
    /// Stalls do not need each other's circles: their pitch exceeds what size, turn and jitter take up.
    fn stalls(&mut self, random: &mut Random, middle: Point) {
        let angle = random.range(-0.22, 0.22);
        let mut stalls = Vec::new();
        for (row, column) in (-6..=5_i32).flat_map(|row| (-9..=9_i32).map(move |column| (row, column))) {
            let mut jitter = || random.range(-0.12, 0.12);
            let v = f64::from(row.div_euclid(2)) * AISLE_PITCH + f64::from(row.rem_euclid(2)) * BACK_TO_BACK;
            let at = [f64::from(column) * STALL_PITCH + jitter(), v + jitter()];
            let at = add(middle, turned(at, angle));
            let stall = turned_box(at, STALL, angle + random.range(-0.06, 0.06));
            // Every fifth column stays open as a way across.
            if column.rem_euclid(5) != 0
                && random.chance(0.9)
                && self.is_free(at, 1.7)
                && self.is_clear_of_fronts(&stall)
            {
                stalls.push(stall);
            }
        }
        stalls.into_iter().for_each(|stall| self.add(stall));
    }

    /// Handcarts and crates wherever there is room.
    fn carts(&mut self, random: &mut Random) {
        for _ in 0..160 {
            let at = [
                random.range(self.low[0] + 1.5, self.high[0] - CAFE),
                random.range(self.low[1] + 1.5, self.high[1] - 1.5),
            ];
            let half: Point = random.pick([[0.9, 0.45], [0.35, 0.35], [0.4, 0.3]]);
            if self.is_free(at, 0.6 + half[0].hypot(half[1])) {
                self.add(turned_box(at, half, random.range(0.0, TAU)));
            }
        }
    }

    fn is_clear_of_fronts(&self, thing: &Ring) -> bool {
        let margin = PROMENADE + 0.5;
        thing.iter().all(|[x, y]| {
            let across = self.low[0] + PROMENADE < *x && *x < self.high[0] - CAFE - 1.0;
            across && self.low[1] + margin < *y && *y < self.high[1] - margin
        })
    }

    fn is_free(&self, at: Point, radius: f64) -> bool {
        self.circles.iter().all(|(other, reach)| (at[0] - other[0]).hypot(at[1] - other[1]) > radius + reach)
    }
}

/// A circle around a ring, centred on the mean of its corners.
fn circle_around(ring: &Ring) -> (Point, f64) {
    let sum = ring.iter().fold([0.0, 0.0], |sum, &point| add(sum, point));
    let centre = sum.map(|total| total / ring.len() as f64);
    let reach = ring.iter().map(|[x, y]| (x - centre[0]).hypot(y - centre[1])).fold(0.0, f64::max);
    (centre, reach)
}
