//! The search among tangents: an A* over arrivals at corners.
//!
//! Start and goal see some corners. The lines to these are checked against all walls, but only once they come next in
//! the queue, which few do. The tangents between corners come from the index. An arrival that another one beats
//! everywhere is dropped; one that is not yet checked beats none. Estimates never exceed the true rest, so that the first
//! checked way to a goal that comes next is the shortest path. An expansion costs as much as the state has tangents.

use super::goals::{GoalSide, GoalsByCell};
use super::view::{FreeEye, View};
use super::{ROUNDED_ANGLE, Tangent, TangentIndex, angle_in_cone, corner_of, hand};
use crate::mesh::{CellGraph, NavMesh};
use crate::path::search::engine::{Found, State};
use crate::path::search::radius_cache::RadiusMemory;
use crate::path::search::reconstruct::too_close;
use crate::path::search::scratch::{Goal, Root, SearchSpace, Stamps};
use crate::path::search::tangent::{Ray, ray};
use crate::tolerances::angles::{ARC_SLACK, SAME_ANGLE};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;

/// The bit that tells ways to goals from arrivals in the queue.
const GOAL: u32 = 1 << 31;

/// The number of goals, or sets of goals, that are remembered. Each takes 12 bytes per corner.
const REMEMBERED_GOALS: usize = 4;

/// A view through more windows than this is wide. On maps of rooms and corridors most views have fewer; between
/// scattered obstacles they have thousands.
const WIDE_VIEW: usize = 192;

/// The scratch buffers of a search among tangents.
#[derive(Debug, Default)]
pub(in crate::path::search) struct Scratch {
    /// The view from the start.
    pub(super) view: View<Vec2>,
    /// The view from a goal.
    goal_view: View<Vec2>,
    /// The goals that cells hold.
    goals_by_cell: GoalsByCell,
    /// All arrivals that were queued.
    pub(super) arrivals: Vec<Arrival>,
    /// For each corner its shortest arrival that counts.
    pub(super) shortest: Stamps,
    /// Ways from an arrival to a goal, in the queue.
    finishes: Vec<Finish>,
    /// The last few goals.
    goals: Vec<GoalSide>,
    /// The goals of this search, as an index into `goals`.
    present: usize,
    /// The index that is replaced next in `goals`.
    oldest: usize,
}

/// A path that arrives at a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// Its length in grid units.
    pub length: f64,
    /// The angle of the place of touch in the normal cone, in radians.
    pub angle: f64,
    /// The free arc on which it arrives.
    pub arc: u32,
    /// The corner and the hand.
    pub state: u32,
    /// The root at which it starts.
    pub source: u32,
    /// The arrival that it comes from; [`NONE`] for the start.
    pub parent: u32,
    /// The next arrival at this corner that counts; [`NONE`] for the last.
    pub next: u32,
    /// True if the line to it is known to be clear.
    pub is_checked: bool,
}

/// A way from an arrival to a goal.
#[derive(Clone, Copy, Debug)]
struct Finish {
    /// The arrival.
    arrival: u32,
    /// The goal.
    goal: u32,
}

/// A search at work on one slice.
pub(in crate::path::search) struct TangentSearch<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// Its flat lists by side.
    pub(super) graph: &'a CellGraph,
    /// Its tangents.
    pub(super) index: &'a TangentIndex,
    /// The scratch buffers.
    pub(super) space: &'a mut SearchSpace,
    /// The state that outlives the slice.
    pub(super) state: &'a mut State,
    /// A copy of the radius in the state.
    pub(super) radius: f64,
    /// The class of the radius.
    class: u32,
    /// All tangents by the state that they leave, if ways to all corners are wanted in place of a path.
    all: Option<&'a [Vec<Tangent>]>,
}

impl<'a> TangentSearch<'a> {
    /// Takes up a search for one slice.
    pub fn new(
        mesh: &'a NavMesh,
        index: &'a TangentIndex,
        space: &'a mut SearchSpace,
        state: &'a mut State,
    ) -> TangentSearch<'a> {
        let (radius, class) = (state.radius, index.class_of(state.radius));
        TangentSearch { mesh, graph: mesh.graph(), index, space, state, radius, class, all: None }
    }

    /// True if the goal is near, but the start sees far: then to look around costs more than the way to the goal.
    pub fn is_near_in_the_open(&mut self, start: Vec2, cell: u32, goals: &[Goal]) -> bool {
        let [goal] = goals else { return false };
        if start.distance(goal.at) > self.index.near {
            return false;
        }
        let mut cells = std::mem::take(&mut self.space.cells);
        self.mesh.cells_at(start, cell, &mut cells);
        let eye = FreeEye { at: start, slack: self.mesh.slack() };
        let view = &mut self.space.tangents.view;
        let is_whole = view.look_at_most(self.graph, &eye, &cells, WIDE_VIEW, |_, _| ());
        self.space.cells = cells;
        !is_whole
    }

    /// Prepares the scratch buffers and looks around from the start.
    pub fn begin(&mut self, start: Vec2, cell: u32, goals: &[Goal]) {
        self.space.clear();
        self.space.goals.extend_from_slice(goals);
        self.space.recall(self.mesh, self.radius);
        self.space.roots.push(Root::start(start, cell));
        let scratch = &mut self.space.tangents;
        scratch.arrivals.clear();
        scratch.finishes.clear();
        scratch.shortest.clear(self.graph.corners.len());
        scratch.goals_by_cell.set(self.mesh, goals);
        for goal in self.look_around(start, cell) {
            self.go_straight(start, goal);
        }
        // A straight way to the only goal cannot be beaten.
        if self.state.best.is_some() && goals.len() == 1 {
            return;
        }
        self.remember_goals();
        let seen = std::mem::take(&mut self.space.tangents.view.seen);
        for corner in seen.iter().copied() {
            self.leave_start(0, corner);
        }
        self.space.tangents.view.seen = seen;
    }

    /// Returns the shortest ways from some places to all corners, up to the limit of the search.
    pub(super) fn survey(&mut self, places: &[Goal], all: &'a [Vec<Tangent>]) -> Vec<Arrival> {
        self.all = Some(all);
        self.space.clear();
        self.space.recall(self.mesh, self.radius);
        self.space.tangents.shortest.clear(self.graph.corners.len());
        let mut cells = Vec::new();
        for place in places {
            let source = self.space.roots.len() as u32;
            self.space.roots.push(Root::start(place.at, place.cell));
            self.mesh.cells_at(place.at, place.cell, &mut cells);
            let eye = FreeEye { at: place.at, slack: self.mesh.slack() };
            self.space.tangents.view.look(self.graph, &eye, &cells, |_, _| ());
            for corner in std::mem::take(&mut self.space.tangents.view.seen) {
                self.leave_start(source, corner);
            }
        }
        self.run(u64::MAX);
        let arrivals = self.space.tangents.arrivals.iter();
        arrivals.filter(|arrival| arrival.is_checked && !self.is_beaten(arrival)).copied().collect()
    }

    /// Finds the memory for the goals of this search, or makes it.
    fn remember_goals(&mut self) {
        let SearchSpace { goals, tangents: scratch, .. } = &mut *self.space;
        let known = scratch.goals.iter().position(|side| side.is_for(self.graph.serial, self.radius, goals));
        scratch.present = known.unwrap_or_else(|| {
            if scratch.goals.len() < REMEMBERED_GOALS {
                scratch.goals.push(GoalSide::default());
                scratch.goals.len() - 1
            } else {
                scratch.oldest = (scratch.oldest + 1) % REMEMBERED_GOALS;
                scratch.oldest
            }
        });
        if known.is_none() {
            let side = &mut scratch.goals[scratch.present];
            side.prepare(self.mesh, self.index, self.radius, goals, &mut scratch.goal_view);
        }
    }

    /// Looks around from the start. Returns the goals in sight; the corners in sight stay in the view.
    fn look_around(&mut self, start: Vec2, cell: u32) -> Vec<u32> {
        let mut cells = std::mem::take(&mut self.space.cells);
        self.mesh.cells_at(start, cell, &mut cells);
        let SearchSpace { goals, tangents: scratch, .. } = &mut *self.space;
        let eye = FreeEye { at: start, slack: self.mesh.slack() };
        let mut seen = Vec::new();
        scratch.view.look(self.graph, &eye, &cells, |cell, window| {
            for goal in scratch.goals_by_cell.held(cell) {
                let is_seen = window.is_none_or(|window| eye.holds(window, goals[goal as usize].at));
                if is_seen && !seen.contains(&goal) {
                    seen.push(goal);
                }
            }
        });
        self.space.cells = cells;
        seen
    }

    /// Keeps the straight way from the start to a goal in sight, if the body fits.
    fn go_straight(&mut self, start: Vec2, number: u32) {
        let goal = self.space.goals[number as usize];
        let length = start.distance(goal.at);
        let limit = self.state.best.map_or(self.state.limit, |best| best.length);
        if length < limit && self.is_clear(goal.cell, [start, goal.at]) {
            let direction = if length > 0.0 { (goal.at - start).unit() } else { Vec2::new(1.0, 0.0) };
            self.state.best = Some(Found { length, root: 0, direction, goal: number });
        }
    }

    /// True if a segment that ends in the cell keeps the radius from all walls. A point that sees its end does.
    fn is_clear(&mut self, cell: u32, ends: [Vec2; 2]) -> bool {
        self.radius == 0.0 || !too_close(self.graph, &mut self.space.memory.flood, cell, ends, self.radius)
    }

    /// Queues the lines from a start to a corner in sight, to either hand. They are checked when they come next.
    fn leave_start(&mut self, source: u32, number: u32) {
        let start = self.space.roots[source as usize].at;
        let corner = &self.graph.corners[number as usize];
        let place = self.index.places[number as usize];
        for state in [2 * number, 2 * number + 1] {
            let turn = hand(state);
            let line = ray(place - start, turn * self.radius);
            let normal = line.direction.perp() * -turn;
            if !line.exists || !corner.holds(normal) {
                continue;
            }
            let angle = angle_in_cone(corner, normal);
            if !self.leads_on(state, angle * turn) {
                continue;
            }
            let is_checked = self.radius == 0.0;
            let length = line.reach;
            let (parent, next) = (NONE, NONE);
            self.queue(Arrival { length, angle, arc: 0, state, source, parent, next, is_checked });
        }
    }

    /// True if a body that arrives at a state with this progress can get on: by a live tangent or to a goal.
    #[inline]
    pub(super) fn leads_on(&self, state: u32, progress: f64) -> bool {
        if self.all.is_some() {
            return true;
        }
        let side = &self.space.tangents.goals[self.space.tangents.present];
        progress <= f64::from(self.index.far[state as usize][self.class as usize].max(side.progress(state)))
    }

    /// Adds an arrival to the queue.
    pub(super) fn queue(&mut self, arrival: Arrival) {
        let corner = corner_of(arrival.state);
        let rest = self.rest(corner);
        let least = arrival.length + self.state.weight * rest;
        let limit = self.state.best.map_or(self.state.limit, |best| best.length);
        // A number that is none, which a mesh with flaws may cause, fails the comparison as well.
        if !(least >= 0.0 && least < limit) {
            return;
        }
        let number = self.space.tangents.arrivals.len() as u32;
        self.space.tangents.arrivals.push(arrival);
        if arrival.is_checked {
            self.note(number);
        }
        self.space.open.push(Reverse((least.to_bits(), number)));
    }

    /// Lets an arrival count: from now on it may beat others at its corner. The shortest one stays the first.
    fn note(&mut self, number: u32) {
        let scratch = &mut self.space.tangents;
        let Arrival { length, state, .. } = scratch.arrivals[number as usize];
        let first = scratch.shortest.get(corner_of(state)).unwrap_or(NONE);
        let is_shortest = scratch.arrivals.get(first as usize).is_none_or(|first| length < first.length);
        if is_shortest {
            scratch.arrivals[number as usize].next = first;
            scratch.shortest.set(corner_of(state), number);
        } else {
            scratch.arrivals[number as usize].next = scratch.arrivals[first as usize].next;
            scratch.arrivals[first as usize].next = number;
        }
    }

    /// Returns a lower bound for the way from a body that touches a corner to the nearest goal.
    fn rest(&mut self, corner: u32) -> f64 {
        if self.all.is_some() {
            return 0.0;
        }
        let SearchSpace { goals, tangents: scratch, .. } = &mut *self.space;
        let place = self.index.places[corner as usize];
        let distances = goals.iter().map(|goal| goal.at.distance(place));
        let straight = distances.fold(f64::INFINITY, f64::min);
        let vertex = self.graph.vertex[self.graph.corners[corner as usize].side as usize];
        let potentials = &mut scratch.goals[scratch.present].potentials;
        let rest = potentials.rest(self.mesh.landmarks.get(), vertex).max(straight);
        // The centre is one radius away from the corner.
        (rest - self.radius).max(0.0)
    }

    /// Continues for at most `budget` expansions. Returns true once the search is over.
    pub fn run(&mut self, mut budget: u64) -> bool {
        while let Some(Reverse((least, number))) = self.space.open.peek().copied() {
            if self.state.best.is_some_and(|best| f64::from_bits(least) >= best.length) {
                return true;
            }
            if budget == 0 {
                return false;
            }
            budget -= 1;
            self.state.expansions += 1;
            self.space.open.pop();
            if number & GOAL != 0 {
                if self.finish(f64::from_bits(least), self.space.tangents.finishes[(number & !GOAL) as usize])
                {
                    return true;
                }
            } else {
                self.expand(number);
            }
        }
        true
    }

    /// Ends the search if the line from an arrival to a goal is clear.
    fn finish(&mut self, length: f64, Finish { arrival, goal }: Finish) -> bool {
        let Arrival { state, .. } = self.space.tangents.arrivals[arrival as usize];
        let target = self.space.goals[goal as usize];
        let line = self.line_to_goal(state, target.at);
        let from = self.contact(state, line.direction);
        if !self.is_clear(target.cell, [from, target.at]) {
            return false;
        }
        let root = self.make_roots(arrival, line.direction);
        self.state.best = Some(Found { length, root, direction: line.direction, goal });
        true
    }

    /// Returns the line by which a body leaves a state straight to a place.
    fn line_to_goal(&self, state: u32, place: Vec2) -> Ray {
        ray(place - self.index.places[corner_of(state) as usize], -hand(state) * self.radius)
    }

    /// Returns the tangent from one state to another.
    pub(super) fn line_between(&self, from: u32, to: u32) -> Ray {
        let [start, end] = [from, to].map(|state| self.index.places[corner_of(state) as usize]);
        ray(end - start, (hand(to) - hand(from)) * self.radius)
    }

    /// Returns the place of a body that touches the corner of a state while it walks in a direction.
    fn contact(&self, state: u32, direction: Vec2) -> Vec2 {
        self.index.places[corner_of(state) as usize] - direction.perp() * (hand(state) * self.radius)
    }

    /// Follows an arrival to the goals in sight and along all tangents.
    fn expand(&mut self, number: u32) {
        if !self.check(number) {
            return;
        }
        let arrival = self.space.tangents.arrivals[number as usize];
        if self.is_beaten(&arrival) {
            return;
        }
        if let Some(all) = self.all {
            for tangent in &all[arrival.state as usize] {
                self.follow(number, &arrival, tangent, tangent.end());
            }
            return;
        }
        self.see_goals(number, &arrival);
        let index = self.index;
        for tangent in index.live(arrival.state, self.class) {
            self.follow(number, &arrival, tangent, tangent.end());
        }
        let mut next = 0;
        // The list is read by its places, because following a tangent needs all of the scratch buffers.
        while let Some((tangent, to)) = self.dead_way(arrival.state, next) {
            self.follow(number, &arrival, &index.tangents[tangent as usize], to);
            next += 1;
        }
    }

    /// Returns the dead tangent at a place in the list of a state, and where it arrives.
    fn dead_way(&self, state: u32, place: usize) -> Option<(u32, u32)> {
        let side = &self.space.tangents.goals[self.space.tangents.present];
        side.ways(state).nth(place)
    }

    /// Checks the line to an arrival against the walls, unless that was done. Returns `false` if it is not clear, or if
    /// the arrival need not be looked at.
    fn check(&mut self, number: u32) -> bool {
        let mut arrival = self.space.tangents.arrivals[number as usize];
        if arrival.is_checked {
            return true;
        }
        let corner = corner_of(arrival.state);
        let Some((angle, arc)) = self.place_on_arc(corner, arrival.angle) else { return false };
        (arrival.angle, arrival.arc) = (angle, arc);
        if self.is_covered(&arrival) {
            return false;
        }
        let is_clear = if arrival.parent == NONE {
            let Root { at, cell, .. } = self.space.roots[arrival.source as usize];
            let line = ray(self.index.places[corner as usize] - at, hand(arrival.state) * self.radius);
            let end = self.contact(arrival.state, line.direction);
            self.is_clear(cell, [at, end])
        } else {
            self.is_tangent_clear(self.space.tangents.arrivals[arrival.parent as usize].state, arrival.state)
        };
        if is_clear {
            arrival.is_checked = true;
            self.space.tangents.arrivals[number as usize] = arrival;
            self.note(number);
        }
        is_clear
    }

    /// True if the tangent from one state to another keeps the radius from all walls.
    fn is_tangent_clear(&mut self, from: u32, to: u32) -> bool {
        let line = self.line_between(from, to);
        let ends = [from, to].map(|state| self.contact(state, line.direction));
        let place = self.index.places[corner_of(to) as usize];
        let home = self.graph.corners[corner_of(to) as usize].cell;
        let cell = self.space.memory.cell_along(self.graph, home, [place, ends[1]]);
        cell.is_some_and(|cell| self.is_clear(cell, ends))
    }

    /// Returns the free arc on which a body touches a corner at an angle of the cone, and the angle within the arc.
    #[inline]
    pub(super) fn place_on_arc(&mut self, corner: u32, angle: f64) -> Option<(f64, u32)> {
        place_on_arc(self.graph, &mut self.space.memory, self.radius, corner, angle)
    }

    /// Queues the ways from an arrival straight to the goals in sight.
    fn see_goals(&mut self, number: u32, arrival: &Arrival) {
        let corner = corner_of(arrival.state);
        let scratch = &self.space.tangents;
        let Some(first) = scratch.goals[scratch.present].goals_of(corner).next() else { return };
        self.see_goal(number, arrival, first);
        if self.space.goals.len() > 1 {
            let scratch = &self.space.tangents;
            let others: Vec<u32> = scratch.goals[scratch.present].goals_of(corner).skip(1).collect();
            for goal in others {
                self.see_goal(number, arrival, goal);
            }
        }
    }

    /// Queues the way from an arrival straight to a goal. It is checked when it comes next.
    fn see_goal(&mut self, number: u32, arrival: &Arrival, goal: u32) {
        let (corner, turn) = (corner_of(arrival.state), hand(arrival.state));
        let line = self.line_to_goal(arrival.state, self.space.goals[goal as usize].at);
        if !line.exists {
            return;
        }
        let angle = angle_in_cone(&self.graph.corners[corner as usize], line.direction.perp() * -turn);
        let Some((angle, arc)) = self.place_on_arc(corner, angle) else { return };
        let ahead = (angle - arrival.angle) * turn;
        if arc != arrival.arc || ahead < -self.behind() {
            return;
        }
        let length = arrival.length + self.radius * ahead.max(0.0) + line.reach;
        if length < self.state.best.map_or(self.state.limit, |best| best.length) {
            let place = self.space.tangents.finishes.len() as u32;
            self.space.tangents.finishes.push(Finish { arrival: number, goal });
            self.space.open.push(Reverse((length.to_bits(), GOAL | place)));
        }
    }

    /// Returns the angle by which a body may leave a corner before it arrives, because of rounding. Angles of a point
    /// are those stored in the index.
    #[inline]
    fn behind(&self) -> f64 {
        if self.radius == 0.0 { ROUNDED_ANGLE } else { SAME_ANGLE }
    }

    /// Writes the corners of a path as roots, from the start to the given arrival, from which it leaves in a direction.
    /// Corners that a disc passes without a turn are left out. Returns the last root.
    fn make_roots(&mut self, arrival: u32, leaves: Vec2) -> u32 {
        let mut chain = Vec::new();
        let mut number = arrival;
        while let Some(arrival) = self.space.tangents.arrivals.get(number as usize) {
            chain.push(*arrival);
            number = arrival.parent;
        }
        chain.reverse();
        self.space.roots.truncate(1);
        let mut before = None;
        for (place, arrival) in chain.iter().enumerate() {
            let line = match before {
                None => ray(
                    self.index.places[corner_of(arrival.state) as usize] - self.space.roots[0].at,
                    hand(arrival.state) * self.radius,
                ),
                Some(before) => self.line_between(before, arrival.state),
            };
            let next =
                chain.get(place + 1).map(|next| self.line_between(arrival.state, next.state).direction);
            let next = next.unwrap_or(leaves);
            let turns = line.direction.cross(next).abs() > SAME_ANGLE || line.direction.dot(next) < 0.0;
            if turns || self.radius == 0.0 {
                self.push_root(arrival, line.direction);
                before = Some(arrival.state);
            }
        }
        self.space.roots.len() as u32 - 1
    }

    /// Adds the corner of an arrival to the roots.
    fn push_root(&mut self, arrival: &Arrival, direction: Vec2) {
        let corner = &self.graph.corners[corner_of(arrival.state) as usize];
        self.space.roots.push(Root {
            at: self.index.places[corner_of(arrival.state) as usize],
            turn: hand(arrival.state),
            vertex: self.graph.vertex[corner.side as usize],
            parent: self.space.roots.len() as u32 - 1,
            length: arrival.length,
            arrival: direction,
            angle: arrival.angle,
            arc: arrival.arc,
            cell: corner.cell,
        });
    }

    /// Returns the corners of the most promising way so far, from the start on, in grid units.
    pub fn guess(space: &SearchSpace, index: &TangentIndex) -> Vec<Vec2> {
        let scratch = &space.tangents;
        let next = space.open.peek().map(|open| open.0.1);
        let mut number = match next {
            Some(number) if number & GOAL != 0 => scratch.finishes[(number & !GOAL) as usize].arrival,
            Some(number) => number,
            None => NONE,
        };
        let mut places = Vec::new();
        while let Some(arrival) = scratch.arrivals.get(number as usize) {
            places.push(index.places[corner_of(arrival.state) as usize]);
            number = arrival.parent;
        }
        places.extend(space.roots.first().map(|start| start.at));
        places.reverse();
        places
    }
}

/// Returns the free arc on which a body touches a corner at an angle of the cone, and the angle within the arc. A point
/// has one arc, the cone.
#[inline]
pub(super) fn place_on_arc(
    graph: &CellGraph,
    memory: &mut RadiusMemory,
    radius: f64,
    corner: u32,
    angle: f64,
) -> Option<(f64, u32)> {
    if radius == 0.0 {
        let span = graph.corners[corner as usize].span;
        let is_in_cone = angle >= -ROUNDED_ANGLE && angle <= span + ROUNDED_ANGLE;
        return is_in_cone.then(|| (angle.clamp(0.0, span), 0));
    }
    let arcs = memory.free_arcs(graph, corner);
    let place = arcs.iter().position(|arc| angle >= arc[0] - ARC_SLACK && angle <= arc[1] + ARC_SLACK)?;
    Some((angle.clamp(arcs[place][0], arcs[place][1]), place as u32))
}
