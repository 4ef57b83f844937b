//! Traces the outline of what is blocked: the sides of blocked columns, each with its cause, in loops.
//!
//! Invariant: every side has the blocked column on its left, so that sides join to closed loops. Cost: sorting the
//! sides.

use super::pieces::{Straight, line_towards};
use super::spans::Column;
use super::{State, Voxels};
use clearway_geometry::Vec2;

/// The reason why the blocked columns end at a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// The obstacle ends along this line near the side.
    Line(Straight),
    /// The chart has no ground beyond: the side itself will do.
    Outside,
    /// No line was found.
    Unknown,
}

/// A side of a blocked column, between two corners of the lattice. The blocked column lies on its left.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The corner of the lattice where it starts.
    pub from: Column,
    /// The corner of the lattice where it ends.
    pub to: Column,
    /// The reason why the blocked columns end here.
    pub cause: Cause,
    /// The face of the chart over which the side runs.
    pub face: u32,
}

impl Side {
    /// Returns the direction: one step along one axis.
    pub fn step(&self) -> [i32; 2] {
        [self.to[0] - self.from[0], self.to[1] - self.from[1]]
    }
}

/// Returns the sides of all columns in which a chart is blocked, in loops. `place` is the index of the chart among the
/// charts that are drawn.
pub fn loops(voxels: &Voxels, place: u32) -> Vec<Vec<Side>> {
    let mut sides = sides(voxels, place);
    sides.sort_unstable_by_key(|side| (side.from, side.to));
    let mut is_used = vec![false; sides.len()];
    let mut loops = Vec::new();
    for first in 0..sides.len() {
        let mut walk = Vec::new();
        let mut at = first;
        while !is_used[at] {
            is_used[at] = true;
            walk.push(sides[at]);
            at = following(&sides, at);
        }
        if !walk.is_empty() {
            loops.push(walk);
        }
    }
    loops
}

/// Returns the side that goes on from another. Where two do, the left one stays with the same column.
fn following(sides: &[Side], at: usize) -> usize {
    let corner = sides[at].to;
    let first = sides.partition_point(|side| side.from < corner);
    let [x, y] = sides[at].step();
    let is_left = |place: &usize| sides[*place].step() == [-y, x];
    let starting = || (first..sides.len()).take_while(|place| sides[*place].from == corner);
    starting().find(is_left).or_else(|| starting().next()).unwrap_or(at)
}

/// Returns all sides of blocked columns beyond which the chart is free or ends.
fn sides(voxels: &Voxels, place: u32) -> Vec<Side> {
    let mut sides = Vec::new();
    for ground in voxels.ground_of(place).iter().filter(|ground| ground.is_blocked) {
        let [x, y] = [ground.column, ground.row];
        let around = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
        let beyond = [[0, -1], [1, 0], [0, 1], [-1, 0]];
        let states = beyond.map(|[right, up]| voxels.state(place, [x + right, y + up]));
        // Columns inside a blocked area have no sides.
        if states == [State::Blocked; 4] {
            continue;
        }
        let (pieces, some_face) = voxels.pieces(place, [x, y]);
        for (i, state) in states.iter().enumerate().filter(|(_, state)| **state != State::Blocked) {
            let side = Vec2::new(f64::from(beyond[i][0]), f64::from(beyond[i][1]));
            let line = line_towards(&pieces, side).filter(|_| *state == State::Free);
            let (cause, face) = match (state, line) {
                (State::Outside, _) => (Cause::Outside, some_face),
                (_, Some((line, face))) => (Cause::Line(line), face),
                _ => (Cause::Unknown, some_face),
            };
            sides.push(Side { from: around[i], to: around[(i + 1) % 4], cause, face });
        }
    }
    sides
}
