//! Around what is blocked: sides of blocked columns beyond which the chart is not, each with its cause, in loops.

use super::pieces::{Straight, line_towards};
use super::spans::Column;
use super::{State, Voxels};
use clearway_geometry::Vec2;

/// What ends the blocked columns at a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// What blocks ends along a line near it.
    Line(Straight),
    /// The chart has no ground beyond: the side itself will do.
    Outside,
    /// No line tells.
    Unknown,
}

/// A side of a blocked column, from a corner of the lattice to the next; what is blocked lies on its left.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub from: Column,
    pub to: Column,
    pub cause: Cause,
    /// The face of the chart over which it runs.
    pub face: u32,
}

impl Side {
    /// The way it goes: one step along one axis.
    pub fn step(&self) -> [i32; 2] {
        [self.to[0] - self.from[0], self.to[1] - self.from[1]]
    }
}

/// The sides of all columns in which a chart is blocked, in loops, in order.
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

/// The side that goes on from another. Where two do, the one to the left: it stays with the same column.
fn following(sides: &[Side], at: usize) -> usize {
    let corner = sides[at].to;
    let first = sides.partition_point(|side| side.from < corner);
    let [x, y] = sides[at].step();
    let is_left = |place: &usize| sides[*place].step() == [-y, x];
    let starting = || (first..sides.len()).take_while(|place| sides[*place].from == corner);
    starting().find(is_left).or_else(|| starting().next()).unwrap_or(at)
}

fn sides(voxels: &Voxels, place: u32) -> Vec<Side> {
    let mut sides = Vec::new();
    for ground in voxels.ground_of(place).iter().filter(|ground| ground.is_blocked) {
        let [x, y] = [ground.column, ground.row];
        let around = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
        let beyond = [[0, -1], [1, 0], [0, 1], [-1, 0]];
        let states = beyond.map(|[right, up]| voxels.state(place, [x + right, y + up]));
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
