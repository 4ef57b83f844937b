//! A grid of open and closed cells, and its exact outlines.
//!
//! Outlines run along cell sides with open cells on their left, so outer rings are counter-clockwise and
//! holes clockwise. Each boundary side is visited once: tracing is linear in the number of cells.

/// A closed ring of grid corners.
pub(crate) type LatticeRing = Vec<[i32; 2]>;

/// East, north, west, south.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

const NO_PART: u32 = u32::MAX;

/// What becomes of two open cells that touch only at a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pinch {
    /// They do not belong together; outlines of one part, or of two, touch there.
    Split,
    /// They belong together; their outline passes the corner twice.
    Join,
}

/// A grid of open and closed cells; everything outside is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Raster {
    columns: i32,
    rows: i32,
    open: Vec<bool>,
}

impl Raster {
    /// A grid of closed cells.
    pub(crate) fn new(columns: i32, rows: i32) -> Raster {
        Raster { columns, rows, open: vec![false; columns as usize * rows as usize] }
    }

    pub(crate) fn columns(&self) -> i32 {
        self.columns
    }

    pub(crate) fn rows(&self) -> i32 {
        self.rows
    }

    pub(crate) fn is_open(&self, cell: [i32; 2]) -> bool {
        self.index(cell).is_some_and(|index| self.open[index])
    }

    pub(crate) fn set(&mut self, cell: [i32; 2], open: bool) {
        if let Some(index) = self.index(cell) {
            self.open[index] = open;
        }
    }

    /// Opens or closes all cells between two corners, given in any order.
    pub(crate) fn fill(&mut self, a: [i32; 2], b: [i32; 2], open: bool) {
        for row in a[1].min(b[1])..a[1].max(b[1]) {
            for column in a[0].min(b[0])..a[0].max(b[0]) {
                self.set([column, row], open);
            }
        }
    }

    /// All cells, row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = [i32; 2]> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row]))
    }

    /// Closes cells until no two open cells touch only at a corner.
    ///
    /// Each pass closes the upper cell of every pinch, which can only make new ones nearby; passes end
    /// because cells are never opened.
    pub(crate) fn close_pinches(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for [x, y] in self.cells() {
                if let Some(upper) = self.pinch_at([x, y]) {
                    self.set(upper, false);
                    changed = true;
                }
            }
        }
    }

    /// The upper open cell at a corner where two open cells meet diagonally between two closed ones.
    pub(crate) fn pinch_at(&self, [x, y]: [i32; 2]) -> Option<[i32; 2]> {
        let rising = self.is_open([x, y]);
        let falling = self.is_open([x - 1, y]);
        let pinched = rising != falling
            && self.is_open([x - 1, y - 1]) == rising
            && self.is_open([x, y - 1]) == falling;
        pinched.then_some(if rising { [x, y] } else { [x - 1, y] })
    }

    /// The outlines of the open cells: one polygon with its holes for each connected part.
    pub(crate) fn trace(&self, pinch: Pinch) -> Vec<(LatticeRing, Vec<LatticeRing>)> {
        let (parts, count) = self.parts(pinch);
        let mut polygons = vec![(Vec::new(), Vec::new()); count];
        let mut traced = vec![false; self.open.len()];
        for (index, cell) in self.cells().enumerate() {
            // Every ring has a side that runs east, so looking for those finds them all.
            if !traced[index] && self.is_side(cell, 0) {
                let ring = self.follow(cell, pinch, &mut traced);
                let (outline, holes) = &mut polygons[parts[index] as usize];
                match doubled_area(&ring) > 0 {
                    true => *outline = ring,
                    false => holes.push(ring),
                }
            }
        }
        polygons
    }

    /// How many connected parts the open cells form.
    #[cfg(test)]
    pub(crate) fn part_count(&self) -> usize {
        self.parts(Pinch::Split).1
    }

    /// The number of the connected part of each open cell, and how many there are.
    pub(crate) fn parts(&self, pinch: Pinch) -> (Vec<u32>, usize) {
        let mut parts = vec![NO_PART; self.open.len()];
        let mut count = 0;
        let mut stack = Vec::new();
        for (index, cell) in self.cells().enumerate() {
            if self.open[index] && parts[index] == NO_PART {
                parts[index] = count;
                stack.push(cell);
                while let Some(cell) = stack.pop() {
                    self.spread(cell, pinch, |next, next_index| {
                        if parts[next_index] == NO_PART {
                            parts[next_index] = count;
                            stack.push(next);
                        }
                    });
                }
                count += 1;
            }
        }
        (parts, count as usize)
    }

    /// Visits the open neighbours that belong together with a cell.
    fn spread(&self, [x, y]: [i32; 2], pinch: Pinch, mut visit: impl FnMut([i32; 2], usize)) {
        let diagonals = if pinch == Pinch::Join { 4 } else { 0 };
        let corners = [[1, 1], [-1, 1], [-1, -1], [1, -1]];
        for [dx, dy] in STEPS.into_iter().chain(corners.into_iter().take(diagonals)) {
            let next = [x + dx, y + dy];
            if let Some(index) = self.index(next).filter(|&index| self.open[index]) {
                visit(next, index);
            }
        }
    }

    /// The ring that starts with the lower side of a cell, with a corner for every unit step.
    fn follow(&self, start: [i32; 2], pinch: Pinch, traced: &mut [bool]) -> LatticeRing {
        let mut ring = Vec::new();
        let (mut at, mut heading) = (start, 0);
        loop {
            ring.push(at);
            if let Some(index) = self.index(at).filter(|_| heading == 0) {
                traced[index] = true;
            }
            at = [at[0] + STEPS[heading][0], at[1] + STEPS[heading][1]];
            // Turning left first stays with the same open cell, turning right first crosses a pinch.
            let turns = if pinch == Pinch::Split { [1, 0, 3] } else { [3, 0, 1] };
            let next =
                turns.into_iter().map(|turn| (heading + turn) % 4).find(|&turn| self.is_side(at, turn));
            heading = next.unwrap_or(0);
            if (at, heading) == (start, 0) {
                return ring;
            }
        }
    }

    /// Whether the unit step from a corner has an open cell on its left and a closed one on its right.
    fn is_side(&self, [x, y]: [i32; 2], heading: usize) -> bool {
        let around = [[x, y], [x - 1, y], [x - 1, y - 1], [x, y - 1]];
        self.is_open(around[heading]) && !self.is_open(around[(heading + 3) % 4])
    }

    fn index(&self, [x, y]: [i32; 2]) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < self.columns && y < self.rows;
        inside.then(|| y as usize * self.columns as usize + x as usize)
    }
}

/// The ring without the points at which it goes straight on.
pub(crate) fn corners_only(ring: &[[i32; 2]]) -> LatticeRing {
    let count = ring.len();
    let is_corner = |i: &usize| {
        let ([ax, ay], [bx, by]) = (ring[(i + count - 1) % count], ring[(i + 1) % count]);
        ax != bx && ay != by
    };
    (0..count).filter(is_corner).map(|i| ring[i]).collect()
}

fn doubled_area(ring: &[[i32; 2]]) -> i64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .map(|(a, b)| i64::from(a[0]) * i64::from(b[1]) - i64::from(a[1]) * i64::from(b[0]))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raster(map: &[&str]) -> Raster {
        let mut raster = Raster::new(map[0].len() as i32, map.len() as i32);
        for (row, line) in map.iter().rev().enumerate() {
            for (column, mark) in line.bytes().enumerate() {
                raster.set([column as i32, row as i32], mark == b'.');
            }
        }
        raster
    }

    /// Outline and hole sizes, after dropping straight points.
    fn corner_counts(raster: &Raster, pinch: Pinch) -> Vec<(usize, Vec<usize>)> {
        let count = |ring: &LatticeRing| corners_only(ring).len();
        let polygons = raster.trace(pinch);
        polygons.iter().map(|(outline, holes)| (count(outline), holes.iter().map(count).collect())).collect()
    }

    #[test]
    fn a_hole_belongs_to_the_part_around_it() {
        let map = raster(&["######.", ".....#.", ".###.#.", ".#.#.#.", ".###.#.", ".....##"]);
        assert_eq!(corner_counts(&map, Pinch::Split), [(4, vec![4]), (4, vec![]), (4, vec![])]);
    }

    #[test]
    fn a_pinch_splits_or_joins() {
        let map = raster(&[".#", "#."]);
        assert_eq!(corner_counts(&map, Pinch::Split), [(4, vec![]), (4, vec![])]);
        assert_eq!(corner_counts(&map, Pinch::Join), [(8, vec![])]);
    }

    #[test]
    fn a_ring_around_a_pinched_pair_of_holes() {
        let map = raster(&["....", ".#..", "..#.", "...."]);
        assert_eq!(corner_counts(&map, Pinch::Split), [(4, vec![8])]);
        assert_eq!(corner_counts(&map, Pinch::Join), [(4, vec![4, 4])]);
    }

    #[test]
    fn closing_pinches_leaves_none() {
        let mut map = raster(&[".#.#.", "#.#.#", ".#.#.", "..#.#"]);
        map.close_pinches();
        assert!(map.cells().all(|corner| map.pinch_at(corner).is_none()));
        assert!(map.part_count() > 0);
    }
}
