//! A* over the centres, with the octile distance (or the Manhattan distance) as estimate.
//!
//! Entries are ordered by estimate, then the longer way behind, then number: the result depends on nothing else.

use super::raster::Raster;
use super::room::{Room, needed};
use super::route::{Route, Stop};
use clearway_geometry::Vec2;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::SQRT_2;

/// A place and the centres that a body can walk to from it, in grid units.
#[derive(Clone, Debug)]
pub struct Anchor {
    pub cell: u32,
    pub at: Vec2,
    pub links: Vec<(u32, f64)>,
}

/// What to look for; lengths in grid units.
#[derive(Clone, Debug)]
pub struct Task {
    pub start: Anchor,
    pub goals: Vec<Anchor>,
    pub radius: f64,
    /// By how much estimates are raised.
    pub weight: f64,
    pub diagonal: bool,
    pub partial: bool,
}

/// Straight steps first, then diagonal ones.
const STEPS: [[i32; 2]; 8] = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
/// No centre came before.
const FIRST: u32 = u32::MAX;

/// Lists by centre, used again and again: an entry counts only when its round is the running one.
#[derive(Clone, Debug)]
pub struct Search {
    round: u32,
    seen: Vec<u32>,
    cost: Vec<f64>,
    previous: Vec<u32>,
    /// The distance of each centre to the nearest wall; NaN until somebody asks.
    clearance: Vec<f64>,
    open: BinaryHeap<Entry>,
}

impl Search {
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

    /// The best route, or one to the nearest centre where the task allows that.
    pub fn run(&mut self, raster: &Raster, room: &mut Room<'_>, task: &Task) -> Option<Route> {
        let estimate = Estimate::of(raster, task);
        self.begin(raster, &estimate, task);
        let mut best = Best::default();
        let mut expansions = 0;
        while let Some(entry) = self.open.pop() {
            if best.is_reached(entry.total) {
                break;
            }
            if entry.cost > self.cost[entry.centre as usize] {
                continue;
            }
            expansions += 1;
            best.consider(raster, task, &entry);
            self.expand(raster, room, task, &estimate, &entry);
        }
        self.route(raster, task, &best, expansions)
    }

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

    /// Whether a body can stand on a centre. One on a wall is of no use to anybody.
    fn has_room(&mut self, raster: &Raster, room: &mut Room<'_>, centre: u32, radius: f64) -> bool {
        self.clearance(raster, room, centre) >= needed(radius)
    }

    fn can_step(&mut self, raster: &Raster, room: &mut Room<'_>, from: u32, to: u32, radius: f64) -> bool {
        let (a, b) = (raster.centre(from), raster.centre(to));
        let sum = self.clearance(raster, room, from) + self.clearance(raster, room, to);
        // The free discs around both ends overlap by so much that they cover every place between.
        if sum > a.distance(b) + 2.0 * needed(radius) {
            return true;
        }
        raster.owner(from).is_some_and(|cell| room.step_is_legal(cell, a, b, radius))
    }

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

/// The best that was found so far.
#[derive(Clone, Copy, Debug, Default)]
struct Best {
    /// The length of the best way to a goal, its last centre, and which goal it is.
    goal: Option<(f64, u32, usize)>,
    /// The centre nearest to a goal, by its distance and then by the way to it.
    nearest: Option<(f64, f64, u32)>,
}

impl Best {
    /// Whether nothing that is still open can lead to a shorter way.
    fn is_reached(&self, total: f64) -> bool {
        self.goal.is_some_and(|(length, ..)| length <= total)
    }

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

/// A lower bound of the way that is left, times the weight.
struct Estimate<'t> {
    task: &'t Task,
    /// By how much the straight last steps to the goals may be shorter than steps along the raster.
    slack: f64,
}

impl<'t> Estimate<'t> {
    fn of(raster: &Raster, task: &'t Task) -> Estimate<'t> {
        let mut slack = 0.0f64;
        for goal in &task.goals {
            for &(centre, length) in &goal.links {
                slack = slack.max(stepped(raster.centre(centre), goal.at, task.diagonal) - length);
            }
        }
        Estimate { task, slack }
    }

    fn from(&self, at: Vec2) -> f64 {
        let distances = self.task.goals.iter().map(|goal| stepped(at, goal.at, self.task.diagonal));
        let nearest = distances.fold(f64::INFINITY, f64::min);
        if nearest.is_finite() { self.task.weight * (nearest - self.slack).max(0.0) } else { 0.0 }
    }
}

/// The distance by steps along the raster.
fn stepped(a: Vec2, b: Vec2, diagonal: bool) -> f64 {
    let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    if diagonal { dx.max(dy) + (SQRT_2 - 1.0) * dx.min(dy) } else { dx + dy }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    total: f64,
    cost: f64,
    centre: u32,
}

impl Ord for Entry {
    /// The heap yields its greatest entry: the least total, and of equals the one with the longer way behind.
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
