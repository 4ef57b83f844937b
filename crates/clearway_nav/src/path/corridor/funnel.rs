//! The taut string through a corridor: the funnel of Lee and Preparata (1984) with circles for pegs.
//!
//! A corridor is a list of gates, each with a peg to pass on the left and one on the right. A peg is a circle: of the
//! radius of the body around a vertex of a wall, a point where no wall ends. From a peg the string leaves along
//! tangents; of those a direction tells which is further left, as for points. Each gate narrows the
//! directions in which the string may leave the last peg; when none is left, it turns around the peg that bounds
//! them. As in Mononen's simple version the gates are then read again from that peg on.

use crate::tolerances::angles::SAME_ANGLE;
use crate::tolerances::radii::{JUST_TOUCHING, PEG_TOUCHED};
use clearway_geometry::{NONE, Vec2};

/// A circle that the string passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peg {
    pub at: Vec2,
    pub radius: f64,
    /// Its vertex; [`NONE`] for start and goal.
    pub vertex: u32,
}

/// Pegs on both sides of the string, as far as there are any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub left: Option<Peg>,
    pub right: Option<Peg>,
    /// How many cells of the corridor lie before it, less one.
    pub cell: u32,
}

/// A peg that the string turns around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub peg: Peg,
    /// 1 where it turns left, -1 where it turns right, 0 at start and goal.
    pub sense: f64,
    /// The gate of the peg.
    pub gate: usize,
}

/// A straight stretch of the string between two turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub from: Vec2,
    pub to: Vec2,
    /// Of length one, or zero where start and goal are one place.
    pub direction: Vec2,
}

/// The direction in which the string may leave at most, and the gate whose peg bounds it.
#[derive(Clone, Copy)]
struct Bound {
    direction: Vec2,
    peg: Peg,
    gate: usize,
}

/// A corridor, and the string through it.
#[derive(Debug, Default)]
pub(super) struct Funnel {
    pub gates: Vec<Gate>,
    pub turns: Vec<Turn>,
    pub legs: Vec<Leg>,
}

impl Turn {
    /// How far to the left of a tangent the peg lies.
    fn lean(&self) -> f64 {
        self.sense * self.peg.radius
    }
}

impl Funnel {
    /// Pulls the string taut from start to goal; `false` where pegs stand too close together for it.
    pub fn pull(&mut self, start: Vec2, goal: Vec2) -> bool {
        let end =
            |at: Vec2, gate: usize| Turn { peg: Peg { at, radius: 0.0, vertex: NONE }, sense: 0.0, gate };
        self.turns.clear();
        self.turns.push(end(start, 0));
        let last = end(goal, self.gates.len());
        let (mut next, mut apex) = (0, self.turns[0]);
        let mut bounds: [Option<Bound>; 2] = [None; 2];
        let (mut before, mut steps) = (NONE, 0);
        while next <= self.gates.len() {
            let pegs = self.gates.get(next).map_or([Some(last.peg); 2], |gate| [gate.right, gate.left]);
            match narrow(&apex, before, pegs, next, &mut bounds) {
                Err(()) => return false,
                Ok(None) => next += 1,
                Ok(Some((turn, again))) => {
                    // A peg of a later gate may come first; it must not be met again from the earlier one.
                    before = if turn.gate + 1 == again { apex.peg.vertex } else { NONE };
                    (apex, next, bounds) = (turn, again, [None; 2]);
                    self.turns.push(apex);
                    steps += 1;
                    if steps > self.gates.len() + 1 {
                        return false;
                    }
                }
            }
        }
        self.turns.push(last);
        self.find_legs()
    }

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

    /// How far the string turns around a peg, in radians, positive in the sense of the turn; `None` if it would have
    /// to turn the other way.
    pub fn turned(&self, turn: usize) -> Option<f64> {
        let [before, after] = [self.legs[turn - 1].direction, self.legs[turn].direction];
        let angle = before.angle_to(after) * self.turns[turn].sense;
        // Half a turn, around the end of a thin wall, may by rounding be more than that.
        let angle = if angle < -3.0 { angle + std::f64::consts::TAU } else { angle };
        (angle >= -SAME_ANGLE).then_some(angle.max(0.0))
    }
}

/// Narrows the directions in which the string leaves `apex` by the right and the left peg of a gate; where none is
/// left, the peg it has to turn around and the gate to go on from.
fn narrow(
    apex: &Turn,
    before: u32,
    pegs: [Option<Peg>; 2],
    gate: usize,
    bounds: &mut [Option<Bound>; 2],
) -> Result<Option<(Turn, usize)>, ()> {
    for (index, sense) in [(0, -1.0), (1, 1.0)] {
        let Some(peg) = pegs[index] else { continue };
        if peg.vertex != NONE && (peg.vertex == apex.peg.vertex || peg.vertex == before) {
            continue;
        }
        let direction = toward(apex, &peg, sense)?;
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
        if !comes_first(apex, direction, (&peg, sense), &other.peg) {
            return Ok(Some((Turn { peg: other.peg, sense: -sense, gate: other.gate }, other.gate + 1)));
        }
        // A goal before the peg that bounds the string is reached without touching it.
        if peg.vertex != NONE {
            return Ok(Some((Turn { peg, sense, gate }, other.gate)));
        }
    }
    Ok(None)
}

/// Whether the string touches a peg before it comes close to `other`: circles of a later gate may reach before those of
/// an earlier one. Points never do.
fn comes_first(apex: &Turn, direction: Vec2, (peg, sense): (&Peg, f64), other: &Peg) -> bool {
    if other.radius == 0.0 {
        return false;
    }
    let unit = direction.unit();
    let from = apex.peg.at - unit.perp() * apex.lean();
    let to = peg.at - unit.perp() * (sense * peg.radius);
    other.at.distance_to_segment(from, to) >= other.radius * (1.0 - PEG_TOUCHED)
        && (other.at - to).dot(unit) > 0.0
}

/// The direction of the tangent from one peg to another that keeps the second on the left (1) or on the right (-1);
/// zero from a point to itself.
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
