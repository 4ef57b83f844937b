//! Distances of a disc to goals: all ways from the goals to corners, computed once.
//!
//! It is the search among tangents without an end: from the goals along all tangents, in the order of their lengths. An
//! answer looks around from its place, and takes the corner in sight over which the way is the shortest. It is exact.

use super::goals::GoalsByCell;
use super::search::{Arrival, TangentSearch, place_on_arc};
use super::view::FreeEye;
use super::{TangentIndex, angle_in_cone, corner_of, hand};
use crate::mesh::NavMesh;
use crate::path::search::engine::State;
use crate::path::search::reconstruct::too_close;
use crate::path::search::scratch::{Goal, SearchSpace};
use crate::path::search::tangent::ray;
use crate::tolerances::angles::SAME_ANGLE;
use clearway_geometry::Vec2;

/// The shortest ways of a disc from some goals to all corners.
#[derive(Clone, Debug)]
pub(in crate::path) struct TangentField {
    /// The radius in grid units.
    radius: f64,
    /// The ways, corner by corner.
    arrivals: Vec<Arrival>,
    /// For each corner the index of its first way; one more entry ends the last.
    first: Vec<u32>,
    /// The goals.
    goals: Vec<Goal>,
    /// The goals that cells hold.
    goals_by_cell: GoalsByCell,
}

/// A straight line towards a goal.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// To the goal with this index.
    Goal(u32),
    /// To the corner of the way with this index.
    Way(u32),
}

impl TangentField {
    /// Follows all tangents from the goals, up to the length `reach`, in grid units.
    pub fn build(
        mesh: &NavMesh,
        index: &TangentIndex,
        radius: f64,
        goals: Vec<Goal>,
        reach: f64,
    ) -> TangentField {
        let graph = mesh.graph();
        let (mut space, lists) = (SearchSpace::new(), index.lists());
        let mut state = State { limit: reach, ..State::new(graph, radius, 1.0) };
        let mut search = TangentSearch::new(mesh, index, &mut space, &mut state);
        let mut arrivals = search.survey(&goals, &lists);
        arrivals
            .sort_by(|a, b| corner_of(a.state).cmp(&corner_of(b.state)).then(a.length.total_cmp(&b.length)));
        let corners = graph.corners.len() as u32;
        let first = |corner| arrivals.partition_point(|arrival| corner_of(arrival.state) < corner) as u32;
        let first = (0..=corners).map(first).collect();
        let goals_by_cell = GoalsByCell::of(mesh, &goals);
        TangentField { radius, first, arrivals, goals, goals_by_cell }
    }

    /// Returns the length of the shortest way from a place to a goal, and the end of its first straight line, both in
    /// grid units; `None` if there is no way, or if the body does not fit where it is.
    pub fn onward(
        &self,
        mesh: &NavMesh,
        index: &TangentIndex,
        (spot, cell): (Vec2, u32),
        space: &mut SearchSpace,
    ) -> Option<(f64, Vec2)> {
        space.recall(mesh, self.radius);
        let mut best: Option<(f64, Vec2)> = None;
        for (least, target) in self.targets(mesh, index, (spot, cell), space) {
            if best.is_some_and(|best| least >= best.0) {
                break;
            }
            let Some((length, end)) = self.line(mesh, index, spot, target, space) else { continue };
            let is_shorter = best.is_none_or(|best| length < best.0);
            let flood = &mut space.memory.flood;
            if is_shorter && !too_close(mesh.graph(), flood, cell, [end, spot], self.radius) {
                best = Some((length, end));
            }
        }
        best
    }

    /// Returns the goals and ways in sight of a place, each with a lower bound for the length over it, the least first.
    fn targets(
        &self,
        mesh: &NavMesh,
        index: &TangentIndex,
        (spot, cell): (Vec2, u32),
        space: &mut SearchSpace,
    ) -> Vec<(f64, Target)> {
        let (graph, eye) = (mesh.graph(), FreeEye { at: spot, slack: mesh.slack() });
        let mut targets = Vec::new();
        mesh.cells_at(spot, cell, &mut space.cells);
        let view = &mut space.tangents.view;
        view.look(graph, &eye, &space.cells, |cell, window| {
            for number in self.goals_by_cell.held(cell) {
                let goal = self.goals[number as usize].at;
                if window.is_none_or(|window| eye.holds(window, goal)) {
                    targets.push((goal.distance(spot), Target::Goal(number)));
                }
            }
        });
        for corner in view.seen.iter().copied() {
            let squared = (index.places[corner as usize] - spot).length_squared();
            let reach = (squared - self.radius * self.radius).max(0.0).sqrt();
            for way in self.first[corner as usize]..self.first[corner as usize + 1] {
                targets.push((self.arrivals[way as usize].length + reach, Target::Way(way)));
            }
        }
        targets.sort_by(|a, b| a.0.total_cmp(&b.0));
        targets
    }

    /// Returns the length over a target and the end of the line to it; `None` if the body does not turn so.
    fn line(
        &self,
        mesh: &NavMesh,
        index: &TangentIndex,
        spot: Vec2,
        target: Target,
        space: &mut SearchSpace,
    ) -> Option<(f64, Vec2)> {
        let way = match target {
            Target::Goal(number) => {
                let goal = self.goals[number as usize].at;
                return Some((goal.distance(spot), goal));
            }
            Target::Way(way) => self.arrivals[way as usize],
        };
        let (graph, turn, corner) = (mesh.graph(), hand(way.state), corner_of(way.state));
        let place = index.places[corner as usize];
        let line = ray(spot - place, -turn * self.radius);
        let normal = line.direction.perp() * -turn;
        let angle = angle_in_cone(&graph.corners[corner as usize], normal);
        let (angle, arc) = place_on_arc(graph, &mut space.memory, self.radius, corner, angle)?;
        let ahead = (angle - way.angle) * turn;
        let leads = line.exists && arc == way.arc && ahead >= -SAME_ANGLE;
        leads.then(|| (way.length + self.radius * ahead.max(0.0) + line.reach, place + normal * self.radius))
    }
}
