//! Gathers the walls near a point by walking through portals, never by looking across floors.
//!
//! A flood enters every cell that it can reach through portals within `reach` of a segment, and so finds all walls
//! within `reach`. On the mesh of a plan, a wall found around a corner does not harm the least distance. The straight
//! line to it leaves the mesh through a nearer wall, which is found as well. In layers it would do harm, since the way
//! around a corner may lead above or below; see [`Flood::walls`].

use crate::mesh::CellGraph;
use crate::tolerances::angles::IN_LINE;
use crate::tolerances::shares::{NOT_NEARER, TOUCHED_SHARE};
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Scratch buffers for floods, reused without allocation. The first flood allocates in proportion to the cells that it
/// enters.
#[derive(Clone, Debug, Default)]
pub struct Flood {
    /// The cells entered in this flood.
    entered: CellSet,
    /// Cells to enter, in any order.
    open: Vec<u32>,
    /// Cells to enter, nearest first; distances as bits of non-negative floats, which sort like the floats.
    waiting: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Flood {
    /// Visits the walls within `reach` of the segment from `a` to `b`. `cells` are all cells that the segment runs
    /// through, or the one that holds the point `a = b`. `visit` gets the cell, the side and its distance, and returns
    /// the reach from there on, which may shrink. The order of visits depends on the mesh only.
    pub fn walls(
        &mut self,
        layout: &CellGraph,
        cells: &[u32],
        (a, b): (Vec2, Vec2),
        mut reach: f64,
        mut visit: impl FnMut(u32, usize, f64) -> f64,
    ) {
        if layout.is_layered {
            return self.walls_in_layers(layout, cells, (a, b), reach, |cell, side, distance, passed| {
                if distance >= passed * NOT_NEARER { Some(visit(cell, side, distance)) } else { None }
            });
        }
        self.start(cells);
        while let Some(cell) = self.open.pop() {
            for side in layout.sides(cell) {
                let [from, to] = layout.ends(cell, side);
                let distance = segment_distance(a, b, from, to);
                if distance > reach {
                    continue;
                }
                match layout.beyond[side] {
                    NONE => reach = visit(cell, side, distance),
                    next => self.enter(next),
                }
            }
        }
    }

    /// Returns the distance from the segment to the nearest wall, at most `most`. The cells are those of
    /// [`walls`](Flood::walls).
    pub fn distance(&mut self, layout: &CellGraph, cells: &[u32], segment: (Vec2, Vec2), most: f64) -> f64 {
        let mut least = most;
        self.walls(layout, cells, segment, most, |_, _, distance| {
            least = least.min(distance);
            least
        });
        least
    }

    /// Returns the cell and the side of the wall nearest to a point, if it is within `reach`. Of walls at one distance
    /// it is the last visited.
    pub fn nearest(
        &mut self,
        layout: &CellGraph,
        cells: &[u32],
        at: Vec2,
        reach: f64,
    ) -> Option<(u32, usize)> {
        let mut nearest = None;
        self.walls(layout, cells, (at, at), reach, |cell, side, distance| {
            nearest = Some((cell, side));
            distance
        });
        nearest
    }

    /// True if no wall is closer to the segment than `least`: a disc of that radius can move along it. Walls are looked
    /// for within `reach`, which is at least that, and the first one that is too close ends the flood.
    pub fn keeps_off(
        &mut self,
        layout: &CellGraph,
        cells: &[u32],
        segment: (Vec2, Vec2),
        [least, reach]: [f64; 2],
    ) -> bool {
        let mut clear = true;
        self.walls(layout, cells, segment, reach, |_, _, distance| {
            clear &= distance >= least;
            // A negative reach ends the flood.
            if clear { reach } else { -1.0 }
        });
        clear
    }

    /// As `walls`, where cells may lie over each other. A flood may get around the end of a wall to cells above or
    /// below the segment, which are no nearer for it. So a place of a wall counts only if it is at least as far as every
    /// portal on the way to it. `visit` also gets the distance of these portals, and returns `None` for a wall that does
    /// not count. The nearest portals are passed first, so that each cell is entered by its best way. Up to the nearest
    /// wall, the ground around the segment lies in one layer, so no wall of another layer is ever the nearest.
    pub fn walls_in_layers(
        &mut self,
        layout: &CellGraph,
        cells: &[u32],
        (a, b): (Vec2, Vec2),
        mut reach: f64,
        mut visit: impl FnMut(u32, usize, f64, f64) -> Option<f64>,
    ) {
        self.entered.clear();
        self.waiting.clear();
        self.waiting.extend(cells.iter().map(|cell| Reverse((0, *cell))));
        while let Some(Reverse((bits, cell))) = self.waiting.pop() {
            let passed = f64::from_bits(bits);
            if passed > reach || !self.entered.insert(cell) {
                continue;
            }
            for side in layout.sides(cell) {
                let [from, to] = layout.ends(cell, side);
                let distance = segment_distance(a, b, from, to);
                let next = layout.beyond[side];
                if distance.max(passed) > reach {
                    continue;
                }
                if next != NONE {
                    self.waiting.push(Reverse((distance.max(passed).to_bits(), next)));
                } else {
                    reach = visit(cell, side, distance, passed).unwrap_or(reach);
                }
            }
        }
    }

    /// Visits the cells within `reach` of the segment, the given cells first.
    pub fn cells(
        &mut self,
        layout: &CellGraph,
        cells: &[u32],
        (a, b): (Vec2, Vec2),
        reach: f64,
        visit: impl FnMut(u32),
    ) {
        let near = |ends: [Vec2; 2]| segment_distance(a, b, ends[0], ends[1]) <= reach;
        self.cells_through(layout, cells, near, visit);
    }

    /// Visits the given cells and all cells that can be reached from them through portals accepted by `passes`.
    pub fn cells_through(
        &mut self,
        layout: &CellGraph,
        cells: &[u32],
        mut passes: impl FnMut([Vec2; 2]) -> bool,
        mut visit: impl FnMut(u32),
    ) {
        self.start(cells);
        while let Some(cell) = self.open.pop() {
            visit(cell);
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] != NONE) {
                if passes(layout.ends(cell, side)) {
                    self.enter(layout.beyond[side]);
                }
            }
        }
    }

    /// Visits the given cells, in which a line starts, and all cells that it leads to through portals that it
    /// `touches`. In layers the flood only goes forward along the line: going back could lead to another floor.
    pub fn cells_along(
        &mut self,
        layout: &CellGraph,
        cells: &[u32],
        line: [Vec2; 2],
        touches: impl Fn([Vec2; 2]) -> bool,
        mut visit: impl FnMut(u32),
    ) {
        if !layout.is_layered {
            return self.cells_through(layout, cells, touches, visit);
        }
        self.entered.clear();
        self.waiting.clear();
        self.waiting.extend(cells.iter().map(|cell| Reverse((0, *cell))));
        while let Some(Reverse((bits, cell))) = self.waiting.pop() {
            let reached = f64::from_bits(bits);
            if !self.entered.insert(cell) {
                continue;
            }
            visit(cell);
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] != NONE) {
                let ends = layout.ends(cell, side);
                let [from, to] = shares_touched(line, ends);
                if to >= reached - TOUCHED_SHARE && touches(ends) {
                    self.waiting.push(Reverse((from.max(reached).to_bits(), layout.beyond[side])));
                }
            }
        }
    }

    /// Starts a flood from the given cells.
    fn start(&mut self, cells: &[u32]) {
        self.entered.clear();
        self.open.clear();
        for cell in cells {
            self.enter(*cell);
        }
    }

    /// Enters a cell unless it was entered before.
    fn enter(&mut self, cell: u32) {
        if self.entered.insert(cell) {
            self.open.push(cell);
        }
    }
}

/// Returns the first and the last share of a line at which it touches a segment.
fn shares_touched([a, b]: [Vec2; 2], ends: [Vec2; 2]) -> [f64; 2] {
    let along = b - a;
    let share =
        |at: Vec2| (along.dot(at - a) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0) + 0.0;
    let [p, q] = ends.map(|end| along.cross(end - a));
    let is_in_line = (p - q).abs() <= IN_LINE * along.length() * (ends[1] - ends[0]).length();
    if is_in_line {
        let [s, t] = ends.map(share);
        return [s.min(t), s.max(t)];
    }
    let at = share(ends[0] + (ends[1] - ends[0]) * (p / (p - q)).clamp(0.0, 1.0));
    [at, at]
}

/// A set of cells that is emptied in constant time and grows with its content, not with the mesh. It is an open hash
/// table whose slots count only if they carry the number of the current round.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellSet {
    /// Cell and round of each slot; the number of slots is a power of two.
    slots: Vec<(u32, u32)>,
    /// The number of cells in the set.
    count: usize,
    /// The current round; slots of other rounds are free.
    round: u32,
}

impl CellSet {
    /// The number of slots after the first insertion. A larger table costs more to allocate; a smaller one is doubled
    /// more often.
    const FEWEST: usize = 32;

    /// Removes all cells by starting a new round.
    pub fn clear(&mut self) {
        // After 2^32 rounds old marks could come back to life, so they are wiped once.
        if self.round == u32::MAX {
            self.slots.fill((0, 0));
            self.round = 0;
        }
        self.round += 1;
        self.count = 0;
    }

    /// Adds a cell. Returns true if it was not in the set before.
    #[inline]
    pub fn insert(&mut self, cell: u32) -> bool {
        if 2 * self.count >= self.slots.len() {
            self.grow();
        }
        let is_new = place(&mut self.slots, self.round, cell);
        self.count += usize::from(is_new);
        is_new
    }

    /// Doubles the table; it stays at most half full.
    #[cold]
    fn grow(&mut self) {
        if self.round == 0 {
            self.round = 1;
        }
        let mut slots = vec![(0, 0); (2 * self.slots.len()).max(Self::FEWEST)];
        for (cell, _) in self.slots.iter().filter(|slot| slot.1 == self.round) {
            place(&mut slots, self.round, *cell);
        }
        self.slots = slots;
    }
}

/// Puts a cell into its slot or the next free one. Returns true if it was not there yet.
#[inline]
fn place(slots: &mut [(u32, u32)], round: u32, cell: u32) -> bool {
    let mask = slots.len() - 1;
    let mut slot = cell.wrapping_mul(0x9e37_79b1) as usize >> 7 & mask;
    while slots[slot].1 == round {
        if slots[slot].0 == cell {
            return false;
        }
        slot = (slot + 1) & mask;
    }
    slots[slot] = (cell, round);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_each_cell_once() {
        let mut set = CellSet::default();
        for round in 0..3 {
            for cell in 0..1000 {
                assert!(set.insert(cell * 7), "round {round}, cell {cell}");
            }
            assert!((0..1000).all(|cell| !set.insert(cell * 7)));
            set.clear();
        }
        set.round = u32::MAX;
        assert!(set.insert(5));
        set.clear();
        assert!(set.insert(5) && !set.insert(5));
    }
}
