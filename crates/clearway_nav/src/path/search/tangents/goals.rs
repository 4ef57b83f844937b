//! The goals' side of a search among tangents: what depends on the goals and the radius, but not on the start.
//!
//! The goals look around for corners from which they can be reached. Backwards from these, the dead tangents that lead
//! to a goal are marked. All of it is kept, so that many bodies of one size with one goal pay for it once.

use super::view::{FreeEye, View};
use super::{ROUNDED_ANGLE, TangentIndex, angle_in_cone, corner_of, hand};
use crate::mesh::NavMesh;
use crate::path::search::landmarks::{GoalBounds, Potentials};
use crate::path::search::scratch::{Goal, Stamps};
use crate::path::search::tangent::ray;
use crate::tolerances::floats::STORED_DISTANCE;
use clearway_geometry::{NONE, Vec2};

/// The error of progress that is compared between tangents and marks, in radians: that of two stored angles.
const MARK_SLACK: f32 = 2.0 * ROUNDED_ANGLE as f32;

/// The goals that each cell holds.
#[derive(Clone, Debug, Default)]
pub(super) struct GoalsByCell {
    /// Cells with the indices of goals, sorted.
    list: Vec<(u32, u32)>,
    /// Scratch buffer: the cells that hold a goal.
    cells: Vec<u32>,
}

impl GoalsByCell {
    /// Lists the cells that hold goals. A goal on a side belongs to the cells on both sides of it.
    pub fn of(mesh: &NavMesh, goals: &[Goal]) -> GoalsByCell {
        let mut by_cell = GoalsByCell::default();
        by_cell.set(mesh, goals);
        by_cell
    }

    /// As [`of`](GoalsByCell::of), in the memory of the last list.
    pub fn set(&mut self, mesh: &NavMesh, goals: &[Goal]) {
        self.list.clear();
        for (goal, number) in goals.iter().zip(0..) {
            mesh.cells_at(goal.at, goal.cell, &mut self.cells);
            self.list.extend(self.cells.iter().map(|cell| (*cell, number)));
        }
        self.list.sort_unstable();
    }

    /// The goals in a cell.
    #[inline]
    pub fn held(&self, cell: u32) -> impl Iterator<Item = u32> {
        let first = self.list.partition_point(|held| held.0 < cell);
        self.list[first..].iter().take_while(move |held| held.0 == cell).map(|held| held.1)
    }
}

/// The memory for one set of goals and one radius.
#[derive(Debug, Default)]
pub(super) struct GoalSide {
    /// The serial number of the mesh, the radius and the goals; none before the first search.
    key: Option<(u64, f64, Vec<Goal>)>,
    /// For each corner in sight of a goal its first entry in `sights`.
    seen: Stamps,
    /// Goals in sight of corners, as linked lists: the goal, and the next entry or [`NONE`].
    sights: Vec<(u32, u32)>,
    /// For each state the number of its mark in `marks`.
    marked: Stamps,
    /// Marks: from how far around a corner a goal can still be reached over dead tangents, in radians.
    marks: Vec<Mark>,
    /// Dead tangents that lead to goals, as linked lists by the state that they leave.
    ways: Vec<Way>,
    /// Lower bounds for the distance to the only goal.
    pub potentials: Potentials,
    /// Scratch buffer: marks to follow backwards.
    open: Vec<u32>,
}

/// A state from which goals can be reached directly or over dead tangents.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// The state.
    state: u32,
    /// The greatest progress at which a body may arrive and still get to a goal.
    progress: f32,
    /// The progress up to which the tangents that arrive were followed.
    followed: f32,
    /// The first dead tangent that leads on from here, in [`GoalSide::ways`]; [`NONE`] if there is none.
    ways: u32,
}

/// A dead tangent that leads to a goal.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The tangent, by its place in the index.
    tangent: u32,
    /// The state at which it arrives.
    to: u32,
    /// The next tangent from the same state; [`NONE`] if there is none.
    next: u32,
}

impl GoalSide {
    /// True if the memory is for these goals.
    pub fn is_for(&self, serial: u64, radius: f64, goals: &[Goal]) -> bool {
        self.key.as_ref().is_some_and(|key| key.0 == serial && key.1 == radius && key.2 == goals)
    }

    /// Looks around from the goals and follows dead tangents backwards.
    pub fn prepare(
        &mut self,
        mesh: &NavMesh,
        index: &TangentIndex,
        radius: f64,
        goals: &[Goal],
        view: &mut View<Vec2>,
    ) {
        let graph = mesh.graph();
        self.seen.clear(graph.corners.len());
        self.marked.clear(2 * graph.corners.len());
        self.sights.clear();
        self.marks.clear();
        self.ways.clear();
        self.potentials.is_on = false;
        let mut cells = Vec::new();
        for (number, goal) in goals.iter().enumerate() {
            mesh.cells_at(goal.at, goal.cell, &mut cells);
            view.look(graph, &FreeEye { at: goal.at, slack: mesh.slack() }, &cells, |_, _| ());
            for corner in view.seen.iter().copied() {
                let next = self.seen.get(corner).unwrap_or(NONE);
                self.seen.set(corner, self.sights.len() as u32);
                self.sights.push((number as u32, next));
                self.mark_last(index, mesh, radius, corner, goal.at);
            }
            if goals.len() == 1 {
                self.prepare_potentials(mesh, index, goal, &view.seen);
            }
        }
        self.follow_back(index, radius);
        self.key = Some((graph.serial, radius, goals.to_vec()));
    }

    /// Returns the goals in sight of a corner.
    #[inline]
    pub fn goals_of(&self, corner: u32) -> impl Iterator<Item = u32> {
        let mut next = self.seen.get(corner).unwrap_or(NONE);
        std::iter::from_fn(move || {
            let (goal, following) = *self.sights.get(next as usize)?;
            next = following;
            Some(goal)
        })
    }

    /// Returns the greatest progress at which a body may arrive at a state and still get to a goal over dead tangents.
    #[inline]
    pub fn progress(&self, state: u32) -> f32 {
        self.marked.get(state).map_or(f32::NEG_INFINITY, |mark| self.marks[mark as usize].progress)
    }

    /// Returns the dead tangents that lead from a state to goals, each with the state at which it arrives.
    #[inline]
    pub fn ways(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let mut next = self.marked.get(state).map_or(NONE, |mark| self.marks[mark as usize].ways);
        std::iter::from_fn(move || {
            let way = self.ways.get(next as usize)?;
            next = way.next;
            Some((way.tangent, way.to))
        })
    }

    /// Marks the states of a corner from which a body leaves straight to a goal.
    fn mark_last(&mut self, index: &TangentIndex, mesh: &NavMesh, radius: f64, number: u32, goal: Vec2) {
        let corner = &mesh.graph().corners[number as usize];
        for state in [2 * number, 2 * number + 1] {
            let turn = hand(state);
            let last = ray(goal - index.places[number as usize], -turn * radius);
            let normal = last.direction.perp() * -turn;
            if last.exists && corner.nearly_holds(normal) {
                self.mark(state, (angle_in_cone(corner, normal) * turn) as f32);
            }
        }
    }

    /// Raises the mark of a state.
    fn mark(&mut self, state: u32, progress: f32) {
        let progress = progress + MARK_SLACK;
        match self.marked.get(state) {
            Some(known) if self.marks[known as usize].progress >= progress => {}
            Some(known) => {
                self.marks[known as usize].progress = progress;
                self.open.push(known);
            }
            None => {
                let number = self.marks.len() as u32;
                self.marked.set(state, number);
                self.marks.push(Mark { state, progress, followed: f32::NEG_INFINITY, ways: NONE });
                self.open.push(number);
            }
        }
    }

    /// Follows dead tangents backwards from marked states, and marks the states that they leave.
    fn follow_back(&mut self, index: &TangentIndex, radius: f64) {
        let class = index.class_of(radius);
        while let Some(number) = self.open.pop() {
            let Mark { state, progress, followed, .. } = self.marks[number as usize];
            self.marks[number as usize].followed = progress;
            let place = index.places[corner_of(state) as usize];
            for (number, tangent) in index.dead(state, class) {
                let source = tangent.end();
                if !tangent.may_fit(radius) {
                    continue;
                }
                // An upper bound for the angle by which the radius turns the tangent.
                let turned = if (source ^ state) & 1 == 0 || radius == 0.0 {
                    0.0
                } else {
                    let length = index.places[corner_of(source) as usize].distance(place);
                    (2.0 * radius / length * std::f64::consts::FRAC_PI_2) as f32
                };
                let arrives = (tangent.arrives() * hand(state)) as f32 - turned;
                if arrives > progress || arrives <= followed {
                    continue;
                }
                self.mark(source, (tangent.leaves() * hand(source)) as f32 + turned);
                if let Some(mark) = self.marked.get(source) {
                    let mark = &mut self.marks[mark as usize];
                    self.ways.push(Way { tangent: number, to: state, next: mark.ways });
                    mark.ways = self.ways.len() as u32 - 1;
                }
            }
        }
    }

    /// Prepares lower bounds for distances to the goal, if landmarks are known.
    ///
    /// The way from a landmark to the goal turns last at a corner that the goal sees. So the least sum over these is
    /// the distance itself. A corner at which walls divide the free space has no distance; if the goal sees one, the
    /// triangle inequality still gives bounds.
    fn prepare_potentials(&mut self, mesh: &NavMesh, index: &TangentIndex, goal: &Goal, seen: &[u32]) {
        let Some(landmarks) = mesh.landmarks.get() else { return };
        let graph = mesh.graph();
        let (mut bounds, mut is_exact) = (GoalBounds::default(), true);
        for corner in seen.iter().copied() {
            if index.split[corner as usize] {
                is_exact = false;
                continue;
            }
            let vertex = graph.vertex[graph.corners[corner as usize].side as usize];
            let away = goal.at.distance(index.places[corner as usize]);
            bounds.tighten(&landmarks.distances[vertex as usize], away);
        }
        if is_exact {
            bounds.least = bounds.most.map(|most| most * (1.0 - 4.0 * STORED_DISTANCE));
        }
        self.potentials.set(bounds, graph.corner_of.len());
    }
}
