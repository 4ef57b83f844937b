//! Cover pruning: when many blockers overlap one face, drops those that cover nothing new.
//!
//! Thousands of floors drawn over each other, or one polygon that crosses itself, would give every face the outlines of
//! all others. The crossings of these outlines grow with the square of their number. A part of the face that one
//! blocker covers wholly needs no other. So the face is quartered until that holds or parts are small; blockers that no
//! part needs are dropped.
//!
//! Invariant: the union of the blockers stays the same. Cost: at most [`MOST_LOOKS`] tests per blocker and round. A
//! self-crossing polygon of 2,000 corners takes 0.7 s in place of 37.

use crate::surface::tolerances::cover_pruning::{BARE, DENSE, FEW, INSIDE, MOST_HALVINGS, MOST_LOOKS};
use clearway_geometry::arrangement::Border;
use clearway_geometry::{Point, Vec2};

/// A blocked convex polygon, given by its borders.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The index of its first border in the list of borders.
    first: usize,
    /// The number of its borders.
    count: usize,
    /// One bit per border, set if it lies on a side of the face: nothing of the face lies beyond such a border.
    on_sides: u16,
    /// Twice its area, in square grid units.
    doubled_area: f64,
}

/// The blockers over one face.
#[derive(Debug, Default)]
pub struct Pile {
    /// All blockers that are left.
    blocks: Vec<Block>,
    /// Twice the sum of the areas of all blockers that were added.
    doubled_area: f64,
    /// The number of blockers above which pruning runs again: twice as many as were left, so that rounds stay rare.
    room: usize,
}

impl Pile {
    /// Forgets all blockers, to start with another face.
    pub fn clear(&mut self) {
        self.blocks.clear();
        (self.doubled_area, self.room) = (0.0, 0);
    }

    /// Adds a blocker whose borders are the last `count` of `borders`.
    pub fn add(&mut self, borders: &[Border], count: usize, on_sides: u16, doubled_area: f64) {
        self.blocks.push(Block { first: borders.len() - count, count, on_sides, doubled_area });
        self.doubled_area += doubled_area;
    }

    /// Drops the borders of blockers that cover nothing new, if there are many. Returns true if the whole face is
    /// blocked.
    pub fn thin_out(&mut self, face: [Point; 3], borders: &mut Vec<Border>) -> bool {
        let [a, b, c] = face.map(Point::as_vec2);
        if self.blocks.len() <= self.room.max(FEW) || self.doubled_area < DENSE * (b - a).cross(c - a) {
            return false;
        }
        // Large blockers come first: they cover whole parts most often.
        self.blocks.sort_by(|p, q| q.doubled_area.total_cmp(&p.doubled_area).then(p.first.cmp(&q.first)));
        let Some(is_needed) = self.needed([a, b, c], borders) else { return true };
        let mut kept = Vec::new();
        let mut place = 0;
        self.blocks.retain_mut(|block| {
            let first = std::mem::replace(&mut block.first, kept.len());
            if is_needed[place] {
                kept.extend_from_slice(&borders[first..first + block.count]);
            }
            place += 1;
            is_needed[place - 1]
        });
        *borders = kept;
        self.room = 2 * self.blocks.len();
        false
    }

    /// Marks the blockers that are needed to cover what all cover together. Returns `None` if that is the whole face.
    fn needed(&self, face: [Vec2; 3], borders: &[Border]) -> Option<Vec<bool>> {
        let mut is_needed = vec![false; self.blocks.len()];
        let mut is_whole = true;
        let all: Vec<usize> = (0..self.blocks.len()).collect();
        let mut looks = MOST_LOOKS * all.len();
        let mut parts = vec![(face, MOST_HALVINGS, all)];
        while let Some((part, halvings, candidates)) = parts.pop() {
            looks = looks.saturating_sub(candidates.len());
            let is_cover = |number: &&usize| self.blocks[**number].covers(part, borders);
            if let Some(cover) = candidates.iter().find(is_cover) {
                is_needed[*cover] = true;
                continue;
            }
            let is_near = |number: &usize| self.blocks[*number].touches(part, borders);
            let near: Vec<usize> = candidates.into_iter().filter(is_near).collect();
            if halvings == 0 || looks == 0 || near.len() <= BARE {
                near.iter().for_each(|number| is_needed[*number] = true);
                is_whole = false;
                continue;
            }
            parts.extend(quarters(part).map(|quarter| (quarter, halvings - 1, near.clone())));
        }
        (!is_whole).then_some(is_needed)
    }
}

impl Block {
    /// Returns the borders with their indices in the blocker.
    fn sides<'a>(&self, borders: &'a [Border]) -> impl Iterator<Item = (usize, &'a Border)> {
        borders[self.first..self.first + self.count].iter().enumerate()
    }

    /// True if a part of the face lies inside. Borders on sides of the face need no test.
    fn covers(&self, part: [Vec2; 3], borders: &[Border]) -> bool {
        let mut inner = self.sides(borders).filter(|(i, _)| self.on_sides >> i & 1 == 0);
        inner.all(|(_, side)| part.iter().all(|corner| depth(side, *corner) >= INSIDE))
    }

    /// True if no border separates the blocker from a part of the face.
    fn touches(&self, part: [Vec2; 3], borders: &[Border]) -> bool {
        !self.sides(borders).any(|(_, side)| part.iter().all(|corner| depth(side, *corner) < -INSIDE))
    }
}

/// Returns the distance of a point to the left of a border, in grid units.
fn depth(side: &Border, at: Vec2) -> f64 {
    let from = side.from.as_vec2();
    let along = side.to.as_vec2() - from;
    along.cross(at - from) / along.length()
}

/// Splits a triangle at the middles of its sides into four.
fn quarters([a, b, c]: [Vec2; 3]) -> [[Vec2; 3]; 4] {
    let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q)| (p + q) * 0.5);
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_geometry::predicates::orient;

    /// Numbers below a limit, the same every time.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: i32) -> i32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % limit as u64) as i32
        }

        fn inside(&mut self, [a, b, c]: [Point; 3]) -> Point {
            loop {
                let at = Point::new(self.below(9000), self.below(9000));
                if orient(a, b, at) >= 0 && orient(b, c, at) >= 0 && orient(c, a, at) >= 0 {
                    return at;
                }
            }
        }
    }

    fn is_hidden(borders: &[Border], at: Point) -> bool {
        borders.chunks(3).any(|block| block.iter().all(|side| orient(side.from, side.to, at) >= 0))
    }

    #[test]
    fn piles_hide_the_same_without_what_is_left_out() {
        let face = [Point::new(0, 0), Point::new(9000, 0), Point::new(0, 9000)];
        let mut numbers = Numbers(5);
        let (mut pile, mut all, mut borders) = (Pile::default(), Vec::new(), Vec::new());
        for _ in 0..2000 {
            let [a, b, c] = [0; 3].map(|_| numbers.inside(face));
            let [b, c] = if orient(a, b, c) > 0 { [b, c] } else { [c, b] };
            for (from, to) in [(a, b), (b, c), (c, a)] {
                borders.push(Border { from, to, face: 0, cover: 0, block: 1, is_barrier: false });
                all.extend(borders.last());
            }
            pile.add(&borders, 3, 0, orient(a, b, c) as f64);
            assert!(!pile.thin_out(face, &mut borders), "no block reaches the corners");
        }
        assert!(borders.len() < 3 * 800, "{} of 2000 blocks stay", borders.len() / 3);
        for _ in 0..20_000 {
            let at = numbers.inside(face);
            assert_eq!(is_hidden(&borders, at), is_hidden(&all, at), "{at:?}");
        }
    }

    #[test]
    fn faces_that_several_blocks_cover_together_are_blocked() {
        let [right, left] = [
            [(2000, 0), (9000, 0), (2000, 7000)].as_slice(),
            [(0, 0), (4000, 0), (4000, 5000), (0, 9000)].as_slice(),
        ];
        let face = [Point::new(0, 0), Point::new(9000, 0), Point::new(0, 9000)];
        let (mut pile, mut borders) = (Pile::default(), Vec::new());
        let mut add = |ring: &[(i32, i32)], on_sides: u16| {
            for (i, (x, y)) in ring.iter().enumerate() {
                let to = ring[(i + 1) % ring.len()];
                let (from, to) = (Point::new(*x, *y), Point::new(to.0, to.1));
                borders.push(Border { from, to, face: 0, cover: 0, block: 1, is_barrier: false });
            }
            pile.add(&borders, ring.len(), on_sides, 5e7);
            pile.thin_out(face, &mut borders)
        };
        assert!((0..2 * FEW).all(|_| !add(right, 0b011)));
        assert!((0..2 * FEW).any(|_| add(left, 0b1101)));
    }
}
