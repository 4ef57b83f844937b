//! A* over the centres, with the octile distance (or the Manhattan distance) as estimate.
//!
//! Entries are ordered by estimate, then by the longer way behind, then by number: the result depends on nothing else.

use super::raster::Raster;
use super::room::{Room, needed};
use super::route::{Route, Stop};
use clearway_geometry::Vec2;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::SQRT_2;

/// A point and the centres that a body can walk to from it.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// The mesh cell that holds the point.
    pub cell: u32,
    /// The point, in grid units.
    pub at: Vec2,
    /// The centres, each with its distance in grid units.
    pub links: Vec<(u32, f64)>,
}

/// The task of a search; lengths in grid units.
#[derive(Clone, Debug)]
pub struct Task {
    /// The start.
    pub start: Anchor,
    /// The goals.
    pub goals: Vec<Anchor>,
    /// The radius of the body.
    pub radius: f64,
    /// The factor for estimates; above 1 the search is faster and less exact.
    pub weight: f64,
    /// True for steps to all 8 neighbours.
    pub diagonal: bool,
    /// True to accept a route to the centre nearest to a goal.
    pub partial: bool,
}

/// The steps to neighbours: straight steps first, then diagonal ones.
const STEPS: [[i32; 2]; 8] = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
/// The value of `previous` for centres that were reached from the start.
const FIRST: u32 = u32::MAX;

/// Lists by centre, reused: an entry counts only if its round is the current one.
#[derive(Clone, Debug)]
pub struct Search {
    /// The number of the current search.
    round: u32,
    /// For each centre, the last search that reached it.
    seen: Vec<u32>,
    /// For each centre, the length of the way to it, in grid units.
    cost: Vec<f64>,
    /// For each centre, the centre before it.
    previous: Vec<u32>,
    /// For each centre, its distance to the nearest wall; NaN until it is needed. It holds for all searches.
    clearance: Vec<f64>,
    /// The open list.
    open: BinaryHeap<Entry>,
}

impl Search {
    /// Makes the lists for a raster of this many cells.
    pub fn new(cells: usize) -> Search {
        Search {
            round: 0,
            seen: vec![0; cells],
            cost: vec![0.0; cells],
            previous: vec![FIRST; cells],
            clearance: vec![f64::NAN; cells],
            open: BinaryHeap::new(),
        }
    }

    /// Returns the best route, or one to the nearest centre if the task allows that.
    pub fn run(&mut self, raster: &Raster, room: &mut Room<'_>, task: &Task) -> Option<Route> {
        let estimate = Estimate::of(raster, task);
        self.begin(raster, &estimate, task);
        let mut best = Best::default();
        let mut expansions = 0;
        while let Some(entry) = self.open.pop() {
            if best.is_reached(entry.total) {
                break;
            }
            // The centre was reached on a shorter way since.
            if entry.cost > self.cost[entry.centre as usize] {
                continue;
            }
            expansions += 1;
            best.consider(raster, task, &entry);
            self.expand(raster, room, task, &estimate, &entry);
        }
        self.route(raster, task, &best, expansions)
    }

    /// Starts a search from the centres around the start.
    fn begin(&mut self, raster: &Raster, estimate: &Estimate<'_>, task: &Task) {
        if self.round == u32::MAX {
            self.seen.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.open.clear();
        for &(centre, length) in &task.start.links {
            self.reach(raster, estimate, centre, FIRST, length);
        }
    }

    /// Steps from a centre to its neighbours.
    fn expand(
        &mut self,
        raster: &Raster,
        room: &mut Room<'_>,
        task: &Task,
        estimate: &Estimate<'_>,
        entry: &Entry,
    ) {
        let step = raster.step();
        let count = if task.diagonal { 8 } else { 4 };
        for [dx, dy] in STEPS.into_iter().take(count) {
            let is_diagonal = dx != 0 && dy != 0;
            let cost = entry.cost + if is_diagonal { step * SQRT_2 } else { step };
            let Some(next) = raster.neighbour(entry.centre, [dx, dy]) else { continue };
            if self.seen[next as usize] == self.round && self.cost[next as usize] <= cost {
                continue;
            }
            let beside = [[dx, 0], [0, dy]].map(|offset| raster.neighbour(entry.centre, offset));
            let is_open = |search: &mut Search, room: &mut Room<'_>, centre: Option<u32>| {
                centre.is_some_and(|centre| search.has_room(raster, room, centre, task.radius))
            };
            if is_diagonal && !beside.into_iter().all(|centre| is_open(self, room, centre)) {
                continue;
            }
            if is_open(self, room, Some(next)) && self.can_step(raster, room, entry.centre, next, task.radius)
            {
                self.reach(raster, estimate, next, entry.centre, cost);
            }
        }
    }

    /// Improves a centre and puts it on the open list.
    fn reach(&mut self, raster: &Raster, estimate: &Estimate<'_>, centre: u32, previous: u32, cost: f64) {
        let index = centre as usize;
        if self.seen[index] == self.round && self.cost[index] <= cost {
            return;
        }
        self.seen[index] = self.round;
        self.cost[index] = cost;
        self.previous[index] = previous;
        let total = cost + estimate.from(raster.centre(centre));
        self.open.push(Entry { total, cost, centre });
    }

    /// True if a body can stand on a centre. A centre on a wall is never usable.
    fn has_room(&mut self, raster: &Raster, room: &mut Room<'_>, centre: u32, radius: f64) -> bool {
        self.clearance(raster, room, centre) >= needed(radius)
    }

    /// True if a body can step from one centre to another.
    fn can_step(&mut self, raster: &Raster, room: &mut Room<'_>, from: u32, to: u32, radius: f64) -> bool {
        let (a, b) = (raster.centre(from), raster.centre(to));
        let sum = self.clearance(raster, room, from) + self.clearance(raster, room, to);
        // The free discs around both ends overlap so much that they cover every point between.
        if sum > a.distance(b) + 2.0 * needed(radius) {
            return true;
        }
        raster.owner(from).is_some_and(|cell| room.step_is_legal(cell, a, b, radius))
    }

    /// Returns the distance of a centre to the nearest wall.
    fn clearance(&mut self, raster: &Raster, room: &mut Room<'_>, centre: u32) -> f64 {
        let known = self.clearance[centre as usize];
        if !known.is_nan() {
            return known;
        }
        let measured = match raster.owner(centre) {
            Some(cell) => room.clearance(cell, raster.centre(centre), f64::INFINITY),
            None => 0.0,
        };
        self.clearance[centre as usize] = measured;
        measured
    }

    /// Follows the centres back from the best end.
    fn route(&self, raster: &Raster, task: &Task, best: &Best, expansions: u64) -> Option<Route> {
        let start = Stop { cell: task.start.cell, at: task.start.at };
        let (last, end) = match (best.goal, best.nearest) {
            (Some((_, last, goal)), _) => {
                (Some(last), Some(Stop { cell: task.goals[goal].cell, at: task.goals[goal].at }))
            }
            (None, nearest) if task.partial => (nearest.map(|(_, _, last)| last), None),
            _ => return None,
        };
        let mut stops: Vec<Stop> = end.into_iter().collect();
        let mut at = last;
        while let Some(centre) = at.filter(|centre| *centre != FIRST) {
            if let Some(cell) = raster.owner(centre) {
                stops.push(Stop { cell, at: raster.centre(centre) });
            }
            at = Some(self.previous[centre as usize]);
        }
        stops.push(start);
        stops.reverse();
        Some(Route { stops, is_complete: end.is_some(), expansions })
    }
}

/// The best results so far.
#[derive(Clone, Copy, Debug, Default)]
struct Best {
    /// The length of the best way to a goal, its last centre, and the index of the goal.
    goal: Option<(f64, u32, usize)>,
    /// The centre nearest to a goal: its distance, the length of the way to it, and its number.
    nearest: Option<(f64, f64, u32)>,
}

impl Best {
    /// True if no open entry can lead to a shorter way.
    fn is_reached(&self, total: f64) -> bool {
        self.goal.is_some_and(|(length, ..)| length <= total)
    }

    /// Compares an expanded centre with the best results.
    fn consider(&mut self, raster: &Raster, task: &Task, entry: &Entry) {
        for (index, goal) in task.goals.iter().enumerate() {
            for (_, rest) in goal.links.iter().filter(|(centre, _)| *centre == entry.centre) {
                let length = entry.cost + rest;
                if self.goal.is_none_or(|(best, ..)| length < best) {
                    self.goal = Some((length, entry.centre, index));
                }
            }
            if task.partial {
                let distance = raster.centre(entry.centre).distance(goal.at);
                let is_nearer = |(d, c, _): (f64, f64, u32)| (distance, entry.cost) < (d, c);
                if self.nearest.is_none_or(is_nearer) {
                    self.nearest = Some((distance, entry.cost, entry.centre));
                }
            }
        }
    }
}

/// A lower bound for the rest of the way, times the weight.
struct Estimate<'t> {
    /// The task.
    task: &'t Task,
    /// The length by which the straight last steps to the goals may be shorter than steps along the raster.
    slack: f64,
}

impl<'t> Estimate<'t> {
    /// Prepares the estimate of a task.
    fn of(raster: &Raster, task: &'t Task) -> Estimate<'t> {
        let mut slack = 0.0f64;
        for goal in &task.goals {
            for &(centre, length) in &goal.links {
                slack = slack.max(stepped(raster.centre(centre), goal.at, task.diagonal) - length);
            }
        }
        Estimate { task, slack }
    }

    /// Returns the estimate from a point.
    fn from(&self, at: Vec2) -> f64 {
        let distances = self.task.goals.iter().map(|goal| stepped(at, goal.at, self.task.diagonal));
        let nearest = distances.fold(f64::INFINITY, f64::min);
        if nearest.is_finite() { self.task.weight * (nearest - self.slack).max(0.0) } else { 0.0 }
    }
}

/// Returns the distance by steps along the raster.
fn stepped(a: Vec2, b: Vec2, diagonal: bool) -> f64 {
    let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    if diagonal { dx.max(dy) + (SQRT_2 - 1.0) * dx.min(dy) } else { dx + dy }
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The estimated length of the whole way.
    total: f64,
    /// The length of the way so far.
    cost: f64,
    /// The centre.
    centre: u32,
}

impl Ord for Entry {
    /// Orders entries for a heap that yields the greatest: the least total, and of equals the longer way behind.
    fn cmp(&self, other: &Entry) -> Ordering {
        let by_total = other.total.total_cmp(&self.total);
        by_total.then(self.cost.total_cmp(&other.cost)).then(other.centre.cmp(&self.centre))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
