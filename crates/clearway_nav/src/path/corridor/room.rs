//! Keeps the string away from walls beside its corridor: finds vertices that are too close and adds them as pegs.

use super::CorridorPlanner;
use super::funnel::{Gate, Leg, Peg, Turn};
use crate::mesh::{CellGraph, NavMesh};
use crate::tolerances::angles::SAME_ANGLE;
use crate::tolerances::lengths::STRING_ROUNDING;
use crate::tolerances::radii::STRING_TO_WALL;
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};
use std::f64::consts::TAU;

/// The number of rounds of adding pegs before the string is given up and the optimal search takes over. Each round
/// costs a pull of the string and a look at the walls along it.
const MAX_ROUNDS: usize = 24;

/// A vertex of a wall that is too close to a leg.
struct Intruder {
    /// The vertex.
    vertex: u32,
    /// Its position in grid units.
    at: Vec2,
}

impl CorridorPlanner {
    /// Pulls the string, and pulls it again past the vertices that it came too close to, until there are none. Returns
    /// `false` if that fails.
    pub(super) fn pull_past_walls(&mut self, mesh: &NavMesh, [start, goal]: [Vec2; 2], radius: f64) -> bool {
        let layout = mesh.graph();
        for _ in 0..MAX_ROUNDS {
            if !self.funnel.pull(start, goal) {
                return false;
            }
            let Some(added) = self.add_pegs(layout, radius) else { return false };
            if !added {
                return (1..self.funnel.legs.len()).all(|turn| self.is_arc_free(layout, turn, radius));
            }
        }
        false
    }

    /// Adds a peg for each leg that comes too close to a wall. Returns true if there was any; `None` if one was a peg
    /// already.
    fn add_pegs(&mut self, layout: &CellGraph, radius: f64) -> Option<bool> {
        let mut added = false;
        // From the last leg on, so that the gates of earlier legs keep their indices.
        for number in (0..self.funnel.legs.len()).rev() {
            let [before, after] = [self.funnel.turns[number], self.funnel.turns[number + 1]];
            let leg = self.funnel.legs[number];
            let Some(intruder) = self.intruder(layout, &leg, [before, after], radius) else { continue };
            if [before, after].iter().any(|turn| turn.peg.vertex == intruder.vertex) {
                return None;
            }
            let first = if number == 0 { 0 } else { before.gate + 1 };
            let place = self.place_on(&leg, first..after.gate, intruder.at);
            // A peg that was added here before did not help and will not help now.
            let is_here =
                |gate: &Gate| gate.left.or(gate.right).is_some_and(|peg| peg.vertex == intruder.vertex);
            let is_added = |gate: &Gate| (gate.left.is_none() || gate.right.is_none()) && is_here(gate);
            if place > first && is_added(&self.funnel.gates[place - 1]) {
                return None;
            }
            let last_cell = self.cells.len() as u32 - 1;
            let cell = self.funnel.gates.get(place).map_or(last_cell, |gate| gate.cell);
            let peg = Some(Peg { at: intruder.at, radius, vertex: intruder.vertex });
            let is_left = leg.direction.cross(intruder.at - leg.from) > 0.0;
            let (left, right) = if is_left { (peg, None) } else { (None, peg) };
            self.funnel.gates.insert(place, Gate { left, right, cell });
            added = true;
        }
        Some(added)
    }

    /// Returns the vertex of the wall closest to a leg, if it is closer than the radius.
    fn intruder(
        &mut self,
        layout: &CellGraph,
        leg: &Leg,
        [before, after]: [Turn; 2],
        radius: f64,
    ) -> Option<Intruder> {
        let last = self.cells.len() - 1;
        let cell_of = |turn: &Turn| self.funnel.gates.get(turn.gate).map_or(last, |gate| gate.cell as usize);
        let first = if before.sense == 0.0 { 0 } else { cell_of(&before) };
        // Where pegs stand close together, the later peg may belong to an earlier cell.
        let [one, other] = [first, (cell_of(&after) + 1).min(last)];
        let cells = &self.cells[one.min(other)..=one.max(other)];
        let mut closest = radius - STRING_TO_WALL * radius - STRING_ROUNDING * layout.extent;
        let mut found = None;
        self.flood.walls(layout, cells, (leg.from, leg.to), closest, |cell, side, distance| {
            if distance < closest {
                closest = distance;
                let apart =
                    |side: usize| segment_distance(leg.from, leg.to, layout.start[side], layout.start[side]);
                let [start, end] = [side, layout.next(cell, side)];
                // If the wall ends at a peg of the leg, its other end stands in the way.
                let pegs = [before.peg.vertex, after.peg.vertex];
                let is_end = pegs.contains(&layout.vertex[end]);
                let is_start = pegs.contains(&layout.vertex[start]);
                let side = if is_end || (!is_start && apart(start) <= apart(end)) { start } else { end };
                found = Some(Intruder { vertex: layout.vertex[side], at: layout.start[side] });
            }
            closest
        });
        found
    }

    /// Returns the index of the first gate that comes after a vertex beside a leg.
    fn place_on(&self, leg: &Leg, gates: std::ops::Range<usize>, at: Vec2) -> usize {
        let ahead = |at: Vec2| (at - leg.from).dot(leg.direction);
        let own = ahead(at);
        let is_later = |gate: &Gate| match (gate.left, gate.right) {
            (Some(left), Some(right)) => {
                let along = left.at - right.at;
                let share = (leg.from - right.at).cross(leg.direction) / along.cross(leg.direction);
                ahead(right.at + along * share.clamp(0.0, 1.0)) > own
            }
            (Some(peg), None) | (None, Some(peg)) => ahead(peg.at) > own,
            (None, None) => false,
        };
        let end = gates.end.min(self.funnel.gates.len());
        (gates.start..end).find(|gate| is_later(&self.funnel.gates[*gate])).unwrap_or(end)
    }

    /// True if the arc of a turn keeps its distance. Its ends belong to legs, which were checked.
    fn is_arc_free(&mut self, layout: &CellGraph, number: usize, radius: f64) -> bool {
        let Some(turned) = self.funnel.turned(number) else { return false };
        let turn = self.funnel.turns[number];
        if turn.peg.radius == 0.0 || turned < SAME_ANGLE {
            return true;
        }
        let (center, first) = (turn.peg.at, self.funnel.legs[number - 1].to - turn.peg.at);
        let spans = |direction: Vec2| {
            let angle = first.angle_to(direction) * turn.sense;
            let angle = if angle < 0.0 { angle + TAU } else { angle };
            angle > SAME_ANGLE && angle < turned - SAME_ANGLE
        };
        let cell = self.funnel.gates.get(turn.gate).map_or(0, |gate| gate.cell as usize);
        let cells = &self.cells[cell..=(cell + 1).min(self.cells.len() - 1)];
        let least = radius - STRING_TO_WALL * radius - STRING_ROUNDING * layout.extent;
        let mut is_free = true;
        self.flood.walls(layout, cells, (center, center), 2.0 * radius, |cell, side, _| {
            let [start, end] = layout.ends(cell, side);
            // The distance to a wall along an arc has its minimum towards an end of the wall or upright to it.
            let upright = (end - start).perp();
            for direction in [start - center, end - center, upright, -upright] {
                if direction != Vec2::default() && spans(direction) {
                    let place = center + direction.unit() * radius;
                    is_free &= place.distance_to_segment(start, end) >= least;
                }
            }
            if is_free { 2.0 * radius } else { -1.0 }
        });
        is_free && turn.peg.vertex != NONE
    }
}
