//! The floor of the ward: what is open, what is taken, and what stands on it.

use crate::drawing::{PlanDrawing, Ring};
use crate::raster::{LatticeRing, Pinch, Raster, corners_only};
use crate::shapes::{Point, to_millimetres};

const CELLS_PER_METRE: f64 = 10.0;

/// A floor under construction; all coordinates are in cells.
pub(super) struct Floor {
    /// Where walls and built-in things leave space.
    open: Raster,
    /// Where something may still be put: open, not in front of a door, nothing standing there.
    free: Raster,
    standing: Vec<Ring>,
    curtains: Vec<Vec<Point>>,
}

impl Floor {
    /// A solid block, out of which rooms are carved.
    pub(super) fn new([columns, rows]: [i32; 2]) -> Floor {
        let solid = Raster::new(columns, rows);
        Floor { open: solid.clone(), free: solid, standing: Vec::new(), curtains: Vec::new() }
    }

    /// Opens a rectangle.
    pub(super) fn carve(&mut self, a: [i32; 2], b: [i32; 2]) {
        self.open.fill(a, b, true);
        self.free.fill(a, b, true);
    }

    /// Closes a rectangle: a wall or something built in.
    pub(super) fn block(&mut self, a: [i32; 2], b: [i32; 2]) {
        self.open.fill(a, b, false);
        self.free.fill(a, b, false);
    }

    /// Keeps a rectangle clear of loose things.
    pub(super) fn reserve(&mut self, a: [i32; 2], b: [i32; 2]) {
        self.free.fill(a, b, false);
    }

    /// Whether nothing is in a rectangle, nor kept out of it.
    pub(super) fn is_free(&self, low: [i32; 2], high: [i32; 2]) -> bool {
        (low[1]..high[1]).all(|y| (low[0]..high[0]).all(|x| self.free.is_open([x, y])))
    }

    /// Puts a loose convex thing down if there is room for it, with a gap to everything else.
    pub(super) fn stand(&mut self, thing: Ring) {
        if cells_near(&thing, 1.2).all(|cell| self.free.is_open(cell)) {
            cells_near(&thing, 0.7).for_each(|cell| self.free.set(cell, false));
            self.standing.push(thing);
        }
    }

    /// Puts something down around things that stand already; the caller knows that it touches none of them.
    pub(super) fn stand_around(&mut self, thing: Ring) {
        let (low, high) = bounds(&thing);
        self.reserve(low, high);
        self.standing.push(thing);
    }

    /// Hangs a curtain, and keeps loose things off it.
    pub(super) fn hang(&mut self, curtain: Vec<Point>) {
        for pair in curtain.windows(2) {
            let (low, high) = bounds(pair);
            self.reserve(low, high);
        }
        self.curtains.push(curtain);
    }

    /// Closes cells that would make the outline touch itself.
    pub(super) fn close_pinches(&mut self) {
        self.open.close_pinches();
    }

    /// The traced floor in metres. Loose things become holes of the largest part, which is the only one.
    pub(super) fn into_drawing(mut self) -> PlanDrawing {
        self.close_pinches();
        let upright = |ring: &LatticeRing| {
            in_metres(corners_only(ring).into_iter().map(|[x, y]| [f64::from(x), f64::from(y)]).collect())
        };
        let mut polygons: Vec<(Ring, Vec<Ring>)> = (self.open.trace(Pinch::Split).iter())
            .map(|(outline, holes)| (upright(outline), holes.iter().map(upright).collect()))
            .collect();
        if let Some((_, holes)) = polygons.iter_mut().max_by_key(|(outline, _)| outline.len()) {
            holes.extend(self.standing.into_iter().map(in_metres));
        }
        let walls = self.curtains.into_iter().map(in_metres).collect();
        PlanDrawing { polygons, rings: Vec::new(), walls }
    }

    #[cfg(test)]
    pub(super) fn open(&self) -> &Raster {
        &self.open
    }

    /// The open cells that no loose thing covers, but for the nurse station, which is not convex.
    #[cfg(test)]
    pub(super) fn furnished(&self) -> Raster {
        let mut open = self.open.clone();
        for thing in self.standing.iter().filter(|thing| thing.len() < 16) {
            cells_near(thing, 0.5).for_each(|cell| open.set(cell, false));
        }
        open
    }
}

fn in_metres(line: Ring) -> Ring {
    to_millimetres(line.into_iter().map(|[x, y]| [x / CELLS_PER_METRE, y / CELLS_PER_METRE]).collect())
}

/// The cells whose centres lie in a convex ring or not much further than `margin` from it.
fn cells_near(ring: &Ring, margin: f64) -> impl Iterator<Item = [i32; 2]> {
    let (low, high) = bounds(ring);
    let next = |i: usize| ring[(i + 1) % ring.len()];
    let area: f64 = ring.iter().enumerate().map(|(i, a)| a[0] * next(i)[1] - a[1] * next(i)[0]).sum();
    let is_near = move |cell: &[i32; 2]| {
        let [x, y] = cell.map(|coordinate| f64::from(coordinate) + 0.5);
        ring.iter().enumerate().all(|(i, &[ax, ay])| {
            let [dx, dy] = [next(i)[0] - ax, next(i)[1] - ay];
            (dx * (y - ay) - dy * (x - ax)) * area.signum() >= -margin * dx.hypot(dy)
        })
    };
    let cells = (low[1]..high[1]).flat_map(move |y| (low[0]..high[0]).map(move |x| [x, y]));
    cells.filter(is_near)
}

/// The cells around some points, with a margin of one.
fn bounds(points: &[Point]) -> ([i32; 2], [i32; 2]) {
    let along = |axis: usize| points.iter().map(move |point| point[axis]);
    let low = [0, 1].map(|axis| along(axis).fold(f64::INFINITY, f64::min).floor() as i32 - 1);
    let high = [0, 1].map(|axis| along(axis).fold(f64::NEG_INFINITY, f64::max).ceil() as i32 + 1);
    (low, high)
}
