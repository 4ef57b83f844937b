//! Counts collisions as the thesis does: at every tick of 60 Hz, every pair of bodies that touch and every body that
//! touches a wall.

use super::segments::nearest;
use crate::crowd::scene::Point;

/// Overlaps of less than this, in metres, do not count. A straight way between two free places cuts some millimetres off
/// the clearance at every corner; the physics engine of the thesis has a margin of 4 cm.
const SLACK: f64 = 0.01;

/// A body as the counter sees it: centre and radius.
pub type Disc = (Point, f64);

/// Sums over ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Collisions {
    /// Ticks that were looked at.
    pub ticks: usize,
    /// Pairs of bodies that overlap, summed over ticks.
    pub bodies: usize,
    /// Bodies that overlap a wall, summed over ticks.
    pub walls: usize,
    /// The deepest overlap of two bodies, in metres.
    pub deepest: f64,
    /// The deepest overlap of a body and a wall, in metres.
    pub deepest_wall: f64,
}

impl Collisions {
    /// Looks at one tick.
    pub fn count(&mut self, discs: &[Disc], walls: &[[Point; 2]]) {
        self.ticks += 1;
        for (index, &(at, radius)) in discs.iter().enumerate() {
            for &(other, r) in &discs[..index] {
                let reach = radius + r;
                let (dx, dy) = (at[0] - other[0], at[1] - other[1]);
                if dx.abs() < reach && dx * dx + dy * dy < reach * reach {
                    let depth = reach - dx.hypot(dy);
                    self.bodies += usize::from(depth > SLACK);
                    self.deepest = self.deepest.max(depth);
                }
            }
            let gaps = walls.iter().map(|wall| nearest(at, *wall).1 - radius);
            let depth = -gaps.fold(f64::INFINITY, f64::min);
            self.walls += usize::from(depth > SLACK);
            self.deepest_wall = self.deepest_wall.max(depth);
        }
    }

    /// Overlapping pairs per tick.
    pub fn bodies_per_tick(&self) -> f64 {
        self.bodies as f64 / self.ticks.max(1) as f64
    }

    /// Bodies in a wall per tick.
    pub fn walls_per_tick(&self) -> f64 {
        self.walls as f64 / self.ticks.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_walls_are_counted_once_per_tick() {
        let wall = [[0.0, 0.0], [10.0, 0.0]];
        let discs = [([1.0, 0.4], 0.5), ([1.9, 0.6], 0.5), ([5.0, 0.495], 0.5)];
        let mut collisions = Collisions::default();
        collisions.count(&discs, &[wall]);
        collisions.count(&discs[1..], &[wall]);
        assert_eq!((collisions.bodies, collisions.walls, collisions.ticks), (1, 1, 2));
        assert!((collisions.deepest - (1.0 - 0.9f64.hypot(0.2))).abs() < 1e-12);
    }
}
