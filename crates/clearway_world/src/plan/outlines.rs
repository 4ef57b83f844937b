//! Draws the outlines of the passable tiles of a grid.
//!
//! Each loop is walked with passable tiles on its left (x right, y up), so outlines run counter-clockwise and holes
//! clockwise. Where two passable tiles meet only at a corner, the walk turns towards its own tile: nothing passes
//! through a corner. A loop that comes back to such a corner is split there. Collinear points are left out.
//!
//! Invariant: every ring is simple, and rings touch at corners at most. Cost: linear in the tiles.

use std::collections::HashMap;

use super::Ring;
use super::draft::Draft;
use clearway_base::error::Result;

/// Tiles, row by row.
#[derive(Debug)]
pub(super) struct Grid {
    /// The number of tiles in a row.
    width: usize,
    /// The marks of each tile.
    tiles: Vec<u8>,
}

/// The bit that marks a tile as passable.
const PASSABLE: u8 = 1;
/// The bit that marks a tile whose edge towards lower y was walked along, so that its loop is not walked again.
const WALKED: u8 = 2;

impl Grid {
    /// Starts a grid without rows.
    pub(super) fn new(width: usize) -> Grid {
        Grid { width, tiles: Vec::new() }
    }

    /// Appends the next tile of the current row, or the first of the next.
    pub(super) fn push(&mut self, is_passable: bool) {
        self.tiles.push(if is_passable { PASSABLE } else { 0 });
    }

    /// True if any tile is passable.
    pub(super) fn has_passable(&self) -> bool {
        self.tiles.contains(&PASSABLE)
    }

    /// True for passable tiles; false beyond the border.
    fn is_passable(&self, [x, y]: [i32; 2]) -> bool {
        self.index([x, y]).is_some_and(|index| self.tiles[index] & PASSABLE != 0)
    }

    /// The index of a tile; `None` beyond the border.
    fn index(&self, [x, y]: [i32; 2]) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let index = y * self.width + x;
        (x < self.width && index < self.tiles.len()).then_some(index)
    }
}

/// Adds a ring for each outline and each hole of the passable tiles.
pub(super) fn draw_outlines(grid: &mut Grid, draft: &mut Draft) -> Result<()> {
    let mut tracer = Tracer { grid, draft, loop_count: 0, ring_count: 0, pinches: HashMap::new() };
    let height = tracer.grid.tiles.len().checked_div(tracer.grid.width).unwrap_or(0);
    for y in 0..height as i32 {
        for x in 0..tracer.grid.width as i32 {
            if tracer.starts_loop([x, y]) {
                tracer.trace([x, y])?;
            }
        }
    }
    Ok(())
}

/// The unit steps along the grid; the next one turns left, the previous one right.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
/// The offset from a corner of the grid to the tile ahead on the left, for each step. The tile ahead on the right is
/// the one ahead on the left of the previous step.
const LEFT_TILES: [[i32; 2]; 4] = [[0, 0], [-1, 0], [-1, -1], [0, -1]];

/// The way in which a loop goes on at a corner of the grid.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    /// No corner of the loop.
    Straight,
    /// A convex corner.
    Left,
    /// A reflex corner.
    Right,
    /// Left, where another passable tile touches: the corner may be visited once more.
    LeftAtPinch,
}

/// Walks the loops of a grid.
struct Tracer<'a> {
    /// The tiles.
    grid: &'a mut Grid,
    /// The plan that gets the rings.
    draft: &'a mut Draft,
    /// The number of loops walked, which identifies the present one.
    loop_count: usize,
    /// The number of rings drawn.
    ring_count: usize,
    /// The pinched corners visited once, each with the loop and its index in the path. Looked up only, never
    /// iterated.
    pinches: HashMap<[i32; 2], (usize, usize)>,
}

impl Tracer<'_> {
    /// True if the tile's lower edge belongs to a loop not walked yet. Tiles are asked row by row, so
    /// the edge is the first of its straight run, and its left end is a corner of the loop.
    fn starts_loop(&self, [x, y]: [i32; 2]) -> bool {
        let tile = self.grid.index([x, y]).map(|index| self.grid.tiles[index]);
        tile == Some(PASSABLE) && !self.grid.is_passable([x, y - 1])
    }

    /// Walks the loop that leaves `start` along x.
    fn trace(&mut self, start: [i32; 2]) -> Result<()> {
        self.loop_count += 1;
        let mut path = Ring::new();
        let (mut at, mut step) = (start, 0);
        loop {
            self.mark(at, step);
            at = [at[0] + STEPS[step][0], at[1] + STEPS[step][1]];
            let turn = self.turn(at, step);
            step = match turn {
                Turn::Straight => continue,
                Turn::Left | Turn::LeftAtPinch => (step + 1) % 4,
                Turn::Right => (step + 3) % 4,
            };
            if turn == Turn::LeftAtPinch {
                self.split_at_pinch(&mut path, at);
            }
            self.draft.push_point(&mut path, at.map(f64::from))?;
            if at == start && step == 0 {
                self.add_ring(path);
                return Ok(());
            }
        }
    }

    /// Cuts off the part of the path since the last visit of this corner, as a ring of its own.
    ///
    /// A corner is visited twice at most. Two visits by one loop enclose those of the corners in between, because a
    /// loop does not cross itself. So the part that is cut off is never needed again.
    fn split_at_pinch(&mut self, path: &mut Ring, at: [i32; 2]) {
        match self.pinches.remove(&at) {
            None => {
                self.pinches.insert(at, (self.loop_count, path.len()));
            }
            Some((visitor, position)) if visitor == self.loop_count && position < path.len() => {
                // The part keeps its point at the corner; the caller pushes one more for the rest.
                let part = path.split_off(position);
                self.add_ring(part);
            }
            Some(_) => {}
        }
    }

    /// Draws a ring.
    fn add_ring(&mut self, ring: Ring) {
        self.draft.add_ring(self.ring_count, ring);
        self.ring_count += 1;
    }

    /// Marks the edge of a step along x as walked.
    fn mark(&mut self, at: [i32; 2], step: usize) {
        if step == 0
            && let Some(index) = self.grid.index(at)
        {
            self.grid.tiles[index] |= WALKED;
        }
    }

    /// The turn at a corner, from the two tiles ahead.
    fn turn(&self, at: [i32; 2], step: usize) -> Turn {
        let tile = |[dx, dy]: [i32; 2]| self.grid.is_passable([at[0] + dx, at[1] + dy]);
        match (tile(LEFT_TILES[step]), tile(LEFT_TILES[(step + 3) % 4])) {
            (true, true) => Turn::Right,
            (true, false) => Turn::Straight,
            (false, false) => Turn::Left,
            (false, true) => Turn::LeftAtPinch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::double_area;
    use super::*;

    fn rings(rows: &[&str]) -> Vec<Ring> {
        let mut grid = Grid::new(rows.first().map_or(0, |row| row.len()));
        rows.iter().flat_map(|row| row.chars()).for_each(|tile| grid.push(tile == '.'));
        outlines(grid)
    }

    fn outlines(mut grid: Grid) -> Vec<Ring> {
        let mut draft = Draft::new();
        draw_outlines(&mut grid, &mut draft).unwrap();
        draft.finish().rings
    }

    /// Signed areas of the rings, sorted.
    fn areas(rows: &[&str]) -> Vec<f64> {
        let mut areas: Vec<f64> = rings(rows).iter().map(|ring| double_area(ring) / 2.0).collect();
        areas.sort_by(f64::total_cmp);
        areas
    }

    #[test]
    fn outlines_turn_left_and_holes_right() {
        assert_eq!(rings(&[".."]), [vec![[2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.0]]]);
        assert_eq!(areas(&["...", ".@.", "..."]), [-1.0, 9.0]);
        assert_eq!(areas(&[".....", ".@@@.", ".@.@.", ".@@@.", "....."]), [-9.0, 1.0, 25.0]);
        assert_eq!(areas(&["@@", "@@"]), [0.0; 0]);
    }

    #[test]
    fn tiles_that_touch_at_a_corner_are_apart() {
        assert_eq!(areas(&[".@", "@."]), [1.0, 1.0]);
        assert_eq!(areas(&["@.", ".@"]), [1.0, 1.0]);
        // Blocked tiles that touch at a corner are two holes.
        assert_eq!(areas(&["....", ".@..", "..@.", "...."]), [-1.0, -1.0, 16.0]);
        // A corridor that comes back to its own corner: an outline that touches its hole.
        assert_eq!(areas(&["...", ".@.", "..@"]), [-1.0, 8.0]);
    }

    /// Checks rings against the definition: simple, no collinear points, and even-odd gives the tiles.
    fn check(grid: Grid) {
        let (width, tiles) = (grid.width, grid.tiles.clone());
        let rings = outlines(grid);
        for ring in &rings {
            let mut sorted: Vec<_> = ring.iter().map(|point| point.map(|value| value as i64)).collect();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), ring.len(), "{ring:?} comes back to a corner");
            let corners = ring.iter().zip(ring.iter().cycle().skip(1)).zip(ring.iter().cycle().skip(2));
            for ((a, b), c) in corners {
                assert_ne!(double_area(&[*a, *b, *c]), 0.0, "{ring:?}");
            }
        }
        let double: f64 = rings.iter().map(|ring| double_area(ring)).sum();
        let count = tiles.iter().filter(|&&tile| tile == PASSABLE).count();
        assert_eq!(double, 2.0 * count as f64);
        for (index, &tile) in tiles.iter().enumerate() {
            let center = [(index % width) as f64 + 0.5, (index / width) as f64 + 0.5];
            let crossings: usize = rings.iter().map(|ring| crossings(ring, center)).sum();
            assert_eq!(crossings % 2 == 1, tile == PASSABLE, "tile {index} of {tiles:?}");
        }
    }

    /// How many edges of the ring lie beyond the point along x.
    fn crossings(ring: &[[f64; 2]], point: [f64; 2]) -> usize {
        let edges = ring.iter().zip(ring.iter().cycle().skip(1));
        let is_beyond =
            |a: &[f64; 2], b: &[f64; 2]| a[0] > point[0] && (a[1] > point[1]) != (b[1] > point[1]);
        edges.filter(|(a, b)| is_beyond(a, b)).count()
    }

    #[test]
    fn every_grid_of_four_by_four_is_outlined() {
        for bits in 0..1_u32 << 16 {
            let mut grid = Grid::new(4);
            (0..16).for_each(|tile| grid.push(bits >> tile & 1 == 1));
            check(grid);
        }
    }

    #[test]
    fn random_grids_are_outlined() {
        let mut state = 1_u64;
        for round in 0..200 {
            let width = 5 + round % 13;
            let mut grid = Grid::new(width);
            for _ in 0..width * (3 + round % 17) {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                grid.push((state >> 40) % 100 < 40 + round as u64 % 30);
            }
            check(grid);
        }
    }
}
