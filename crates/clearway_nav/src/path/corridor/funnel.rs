//! The taut string through a corridor: the funnel of Lee and Preparata (1984) with circles for pegs.
//!
//! A corridor is a list of gates, each with a peg to pass on the left and one on the right. A peg is a circle with the
//! radius of the body around a vertex of a wall, or a point where no wall ends. The string leaves a peg along a
//! tangent, and directions of tangents compare like directions to points.
//!
//! Each gate narrows the directions in which the string may leave the last peg. When none is left, the string turns
//! around the peg that bounds them. As in Mononen's simple version, the gates are then read again from that peg on.
//! Cost: linear in practice; quadratic in the number of gates at worst.

use crate::tolerances::angles::SAME_ANGLE;
use crate::tolerances::radii::{JUST_TOUCHING, PEG_TOUCHED};
use clearway_geometry::{NONE, Vec2};

/// A circle that the string passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peg {
    /// The centre of the circle, in grid units.
    pub at: Vec2,
    /// The radius in grid units; 0 for a point.
    pub radius: f64,
    /// Its vertex; [`NONE`] for start and goal.
    pub vertex: u32,
}

/// The pegs on both sides of the string, if there are any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    /// The peg to pass on the left.
    pub left: Option<Peg>,
    /// The peg to pass on the right.
    pub right: Option<Peg>,
    /// The index in the corridor of the cell before the gate.
    pub cell: u32,
}

/// A peg that the string turns around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The peg.
    pub peg: Peg,
    /// 1 where it turns left, -1 where it turns right, 0 at start and goal.
    pub sense: f64,
    /// The index of the peg's gate.
    pub gate: usize,
}

/// A straight stretch of the string between two turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// The start of the stretch, in grid units.
    pub from: Vec2,
    /// The end of the stretch, in grid units.
    pub to: Vec2,
    /// The unit vector along it, or zero if start and goal coincide.
    pub direction: Vec2,
}

/// The extreme direction in which the string may leave, and the peg that bounds it.
#[derive(Clone, Copy)]
struct Bound {
    /// The direction; its length does not matter.
    direction: Vec2,
    /// The peg.
    peg: Peg,
    /// The index of the peg's gate.
    gate: usize,
}

/// A corridor, and the string through it.
#[derive(Debug, Default)]
pub(super) struct Funnel {
    /// The gates of the corridor, in order.
    pub gates: Vec<Gate>,
    /// The turns of the string, from start to goal.
    pub turns: Vec<Turn>,
    /// The stretches between the turns.
    pub legs: Vec<Leg>,
}

impl Turn {
    /// Returns the signed distance by which the peg's centre lies to the left of a tangent.
    fn lean(&self) -> f64 {
        self.sense * self.peg.radius
    }
}

impl Funnel {
    /// Pulls the string taut from start to goal. Returns `false` if pegs stand too close together.
    pub fn pull(&mut self, start: Vec2, goal: Vec2) -> bool {
        let end =
            |at: Vec2, gate: usize| Turn { peg: Peg { at, radius: 0.0, vertex: NONE }, sense: 0.0, gate };
        self.turns.clear();
        self.turns.push(end(start, 0));
        let last = end(goal, self.gates.len());
        let (mut next, mut apex) = (0, self.turns[0]);
        let mut bounds: [Option<Bound>; 2] = [None; 2];
        let (mut before, mut steps) = (NONE, 0);
        // The goal counts as one more gate, with itself as both pegs.
        while next <= self.gates.len() {
            let pegs = self.gates.get(next).map_or([Some(last.peg); 2], |gate| [gate.right, gate.left]);
            match narrow(&apex, before, pegs, (next, &self.gates), &mut bounds) {
                Err(()) => return false,
                Ok(None) => next += 1,
                Ok(Some((turn, again))) => {
                    // A circle of a later gate may be touched first. It must not be met again from the earlier one.
                    before = if turn.gate + 1 == again { apex.peg.vertex } else { NONE };
                    (apex, next, bounds) = (turn, again, [None; 2]);
                    self.turns.push(apex);
                    steps += 1;
                    // More turns than gates: rounding makes the string go in circles.
                    if steps > self.gates.len() + 1 {
                        return false;
                    }
                }
            }
        }
        self.turns.push(last);
        self.find_legs()
    }

    /// Computes the stretches between the turns. Returns `false` if two circles overlap.
    fn find_legs(&mut self) -> bool {
        self.legs.clear();
        for pair in self.turns.windows(2) {
            let Ok(direction) = toward(&pair[0], &pair[1].peg, pair[1].sense) else { return false };
            let length = direction.length();
            let direction = if length > 0.0 { direction * (1.0 / length) } else { Vec2::default() };
            let [from, to] = [pair[0], pair[1]].map(|turn| turn.peg.at - direction.perp() * turn.lean());
            self.legs.push(Leg { from, to, direction });
        }
        true
    }

    /// Returns the angle by which the string turns around a peg, in radians, positive in the sense of the turn. `None`
    /// if it would have to turn the other way.
    pub fn turned(&self, turn: usize) -> Option<f64> {
        let [before, after] = [self.legs[turn - 1].direction, self.legs[turn].direction];
        let angle = before.angle_to(after) * self.turns[turn].sense;
        // Half a turn, around the end of a thin wall, may exceed π by rounding and wrap around.
        let angle = if angle < -3.0 { angle + std::f64::consts::TAU } else { angle };
        (angle >= -SAME_ANGLE).then_some(angle.max(0.0))
    }
}

/// Narrows the directions in which the string leaves `apex` by the right and the left peg of a gate. If none is left,
/// returns the peg to turn around and the gate to go on from.
fn narrow(
    apex: &Turn,
    before: u32,
    pegs: [Option<Peg>; 2],
    (gate, gates): (usize, &[Gate]),
    bounds: &mut [Option<Bound>; 2],
) -> Result<Option<(Turn, usize)>, ()> {
    for (index, sense) in [(0, -1.0), (1, 1.0)] {
        let Some(peg) = pegs[index] else { continue };
        if peg.vertex != NONE && (peg.vertex == apex.peg.vertex || peg.vertex == before) {
            continue;
        }
        let direction = toward(apex, &peg, sense)?;
        // The peg lies at the apex itself and bounds nothing.
        if direction == Vec2::default() {
            continue;
        }
        let is_narrower = |bound: Bound| bound.direction.cross(direction) * sense <= 0.0;
        if !bounds[index].is_none_or(is_narrower) {
            continue;
        }
        let crosses = |bound: &Bound| bound.direction.cross(direction) * sense < 0.0;
        let Some(other) = bounds[1 - index].filter(crosses) else {
            bounds[index] = Some(Bound { direction, peg, gate });
            continue;
        };
        let opposite = gates.get(other.gate).and_then(|gate| [gate.right, gate.left][index]);
        if !comes_first(apex, direction, (&peg, sense), &other.peg, opposite) {
            return Ok(Some((Turn { peg: other.peg, sense: -sense, gate: other.gate }, other.gate + 1)));
        }
        // A goal before the peg that bounds the string is reached without touching the peg.
        if peg.vertex != NONE {
            return Ok(Some((Turn { peg, sense, gate }, other.gate)));
        }
    }
    Ok(None)
}

/// True if the string touches a peg before it comes close to `other`: circles of a later gate may reach in front of
/// circles of an earlier one. Points never do. `opposite` is the peg on the other side of the earlier gate.
fn comes_first(
    apex: &Turn,
    direction: Vec2,
    (peg, sense): (&Peg, f64),
    other: &Peg,
    opposite: Option<Peg>,
) -> bool {
    if other.radius == 0.0 {
        return false;
    }
    let unit = direction.unit();
    let from = apex.peg.at - unit.perp() * apex.lean();
    let to = peg.at - unit.perp() * (sense * peg.radius);
    other.at.distance_to_segment(from, to) >= other.radius * (1.0 - PEG_TOUCHED)
        && (other.at - to).dot(unit) > 0.0
        && !opposite.is_some_and(|opposite| crosses_behind([from, to], other.at, opposite.at))
}

/// True if a leg crosses the line of a gate behind `peg`, seen from the peg on the other side: it misses the gate.
fn crosses_behind([from, to]: [Vec2; 2], peg: Vec2, opposite: Vec2) -> bool {
    let (away, way, start) = (peg - opposite, to - from, from - peg);
    let steepness = away.cross(way);
    let (behind, along) = (start.cross(way) / steepness, start.cross(away) / steepness);
    steepness != 0.0 && behind > 0.0 && (0.0..=1.0).contains(&along)
}

/// Returns the direction of the tangent from one peg to another that keeps the second on the left (1) or on the right
/// (-1). It is zero from a point to itself, and an error if the circles overlap.
fn toward(from: &Turn, peg: &Peg, sense: f64) -> Result<Vec2, ()> {
    let to = peg.at - from.peg.at;
    let shift = sense * peg.radius - from.lean();
    if shift == 0.0 {
        return Ok(to);
    }
    let squared = to.length_squared();
    let rest = squared - shift * shift;
    if rest < -JUST_TOUCHING * shift * shift {
        return Err(());
    }
    Ok((to * rest.max(0.0).sqrt() - to.perp() * shift) * (1.0 / squared))
}
