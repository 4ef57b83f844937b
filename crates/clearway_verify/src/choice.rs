//! Exit choice by distance and congestion, as a controller above the crowd.
//!
//! Every two seconds each person looks at the time that each exit would take: the way at its own speed, and the queue of
//! those who are nearer to that exit, at the exit's capacity. It changes its mind for a gain of at least 15 per cent.

use crate::sim::Sim;
use clearway_base::Result;
use clearway_crowd::{Goal, GoalId};

/// An exit to choose.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// Its goal.
    pub goal: GoalId,
    /// The persons per second that it lets pass.
    pub capacity: f64,
    /// True if it can be used.
    pub is_open: bool,
}

/// The time in seconds between two looks.
pub const EVERY: f64 = 2.0;

/// The share of its time that a new exit must save.
const GAIN: f64 = 0.15;

/// Lets everybody choose an exit. Persons without one take the best. `choices` has the exit of each person.
pub fn choose(sim: &mut Sim, exits: &[Exit], choices: &mut Vec<Option<usize>>) -> Result<()> {
    choices.resize(sim.people().len(), None);
    let bodies = sim.present().to_vec();
    let mut ways = Vec::with_capacity(bodies.len());
    for body in &bodies {
        let way = |exit: &Exit| {
            let way = sim.crowd.way_left(&sim.site.mesh, body.location, body.radius, exit.goal);
            way.filter(|_| exit.is_open).unwrap_or(f64::INFINITY)
        };
        ways.push(exits.iter().map(way).collect::<Vec<f64>>());
    }
    let mut queues: Vec<Vec<f64>> = vec![Vec::new(); exits.len()];
    for (body, ways) in bodies.iter().zip(&ways) {
        if let Some(exit) = choices[body.person] {
            queues[exit].push(ways[exit]);
        }
    }
    queues.iter_mut().for_each(|queue| queue.sort_unstable_by(f64::total_cmp));
    // Those who look first see the queues as they were; later ones see who joined.
    for (body, ways) in bodies.iter().zip(&ways) {
        let speed = sim.people()[body.person].speed.max(0.1);
        let time = |exit: usize| {
            let ahead = queues[exit].partition_point(|way| *way < ways[exit]);
            ways[exit] / speed + ahead as f64 / exits[exit].capacity
        };
        let best = (0..exits.len()).min_by(|a, b| time(*a).total_cmp(&time(*b))).unwrap_or(0);
        let is_better = choices[body.person].is_none_or(|now| time(best) < (1.0 - GAIN) * time(now));
        if is_better && ways[best].is_finite() && choices[body.person] != Some(best) {
            let before = choices[body.person].replace(best);
            if let Some(before) = before {
                let place = queues[before].partition_point(|way| *way < ways[before]);
                if place < queues[before].len() {
                    queues[before].remove(place);
                }
            }
            let place = queues[best].partition_point(|way| *way < ways[best]);
            queues[best].insert(place, ways[best]);
            let id = sim.people()[body.person].id;
            sim.crowd.set_goal(id, Goal::Area(exits[best].goal));
        }
    }
    Ok(())
}

/// Steps until everybody left, with exits chosen every two seconds.
pub fn run(sim: &mut Sim, exits: &[Exit], limit: f64) -> Result<Vec<Option<usize>>> {
    let mut choices = Vec::new();
    let looks = (EVERY / sim.dt).round() as u64;
    let mut steps = 0;
    // The crowd must be read once before anybody can choose.
    sim.step()?;
    while sim.time() < limit && !sim.present().is_empty() {
        if steps % looks == 0 {
            choose(sim, exits, &mut choices)?;
        }
        sim.step()?;
        steps += 1;
    }
    Ok(choices)
}
