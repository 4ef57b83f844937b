//! The choice among several exits: the nearest, or the one that is reached first with its queue.

use super::Run;
use crate::scenario::{Choice, Stage};
use clearway_crowd::{Activity, Agent, Goal};
use std::sync::Arc;

/// Somebody goes elsewhere only if that takes less than this share of the time: choices do not flicker.
const HYSTERESIS: f64 = 0.85;

/// What somebody who chooses knows about one target.
#[derive(Clone, Copy, Debug)]
struct Offer {
    /// The index of the place.
    target: usize,
    /// The length of the way in metres; infinite if there is none or if the place is closed.
    left: f64,
}

impl<'a> Run<'a> {
    /// Chooses the target of somebody for the present stage, and sends the body there.
    pub(super) fn choose_for(&mut self, person: u32) {
        let who = self.people[person as usize];
        let Some(agent) = self.crowd.agent(who.agent) else { return };
        let Some(stage) = self.stage_of(person) else { return };
        let offers = self.offers(&agent, stage);
        let best = nearest(&offers, who.target);
        self.send(person, best);
    }

    /// Returns the present stage of somebody.
    fn stage_of(&self, person: u32) -> Option<&'a Stage> {
        let who = self.people.get(person as usize)?;
        self.scenario.journeys.get(who.journey?)?.stages.get(who.stage)
    }

    /// Returns what somebody knows about each target of a stage. A single target is not asked about.
    fn offers(&mut self, agent: &Agent, stage: &Stage) -> Vec<Offer> {
        if let [target] = stage.targets[..] {
            return vec![Offer { target, left: agent.left }];
        }
        let mesh = Arc::clone(&self.mesh);
        let mut offers = Vec::with_capacity(stage.targets.len());
        for &target in &stage.targets {
            let goal = self.goals[target];
            let left = if self.open[target] {
                self.crowd.way_left(&mesh, agent.at, agent.radius, goal)
            } else {
                None
            };
            offers.push(Offer { target, left: left.unwrap_or(f64::INFINITY) });
        }
        offers
    }

    /// Sends somebody to a target.
    fn send(&mut self, person: u32, target: usize) {
        let (goal, arrival) = self.goal(target);
        if !self.open[target] {
            self.note_shut_in(person);
        }
        let who = &mut self.people[person as usize];
        let agent = who.agent;
        let last = who.target.replace(target);
        if let Some(last) = last.filter(|last| *last != target) {
            // Who goes elsewhere queues no longer.
            self.queues[last].retain(|known| *known != agent);
        }
        // Who stands at the goal already arrives there anew: the next stage may name the same area.
        let is_news = |body: Agent| body.goal != goal || body.activity == Activity::Arrived;
        if self.crowd.agent(agent).is_some_and(is_news) {
            self.lost.remove(&person);
            self.crowd.set_goal(agent, goal);
        }
        self.crowd.set_arrival(agent, arrival);
    }

    /// Lets everybody choose anew whose stage is concerned by what was opened or closed.
    pub(super) fn choose_again(&mut self, is_concerned: impl Fn(&Stage) -> bool) {
        let concerned: Vec<u32> = (0..self.people.len() as u32)
            .filter(|person| {
                let who = &self.people[*person as usize];
                let stage = self.stage_of(*person);
                let rests = self.resting.contains_key(person);
                who.arrived.is_none() && !rests && stage.is_some_and(&is_concerned)
            })
            .collect();
        for person in concerned {
            self.choose_for(person);
        }
        self.rethink();
    }

    /// Lets everybody who minds queues choose anew.
    pub(super) fn rethink(&mut self) {
        let minds = |stage: &Stage| stage.choice == Choice::Congestion && stage.targets.len() > 1;
        let agents: Vec<Agent> = self.crowd.agents().collect();
        let mut choosers: Vec<(u32, f64, Vec<Offer>)> = Vec::new();
        let mut queues: Vec<Vec<f64>> = vec![Vec::new(); self.goals.len()];
        for agent in &agents {
            let person = agent.tag;
            let present = self.people.get(person as usize).and_then(|who| who.target);
            let stage = self.stage_of(person).filter(|stage| minds(stage));
            let stage = stage.filter(|_| !self.resting.contains_key(&person));
            let mut left = agent.left;
            if let Some(stage) = stage.filter(|_| self.people[person as usize].arrived.is_none()) {
                let offers = self.offers(agent, stage);
                left = offers
                    .iter()
                    .find(|offer| Some(offer.target) == present)
                    .map_or(left, |offer| offer.left);
                choosers.push((person, agent.speed, offers));
            }
            if let (Some(present), Goal::Area(_)) = (present, agent.goal) {
                queues[present].push(left);
            }
        }
        if choosers.is_empty() {
            return;
        }
        queues.iter_mut().for_each(|queue| queue.sort_by(f64::total_cmp));
        for (person, speed, offers) in choosers {
            self.choose_by_queue(person, speed, &offers, &mut queues);
        }
    }

    /// Chooses the target that is reached first. Queues change with each choice, so that not everybody runs to the same
    /// empty exit.
    fn choose_by_queue(&mut self, person: u32, speed: f64, offers: &[Offer], queues: &mut [Vec<f64>]) {
        let present = self.people[person as usize].target;
        let places = &self.scenario.places;
        let time = |offer: &Offer| {
            let before = queues[offer.target].partition_point(|left| *left < offer.left);
            offer.left / speed.max(1e-6) + before as f64 / places[offer.target].capacity
        };
        let now = offers.iter().find(|offer| Some(offer.target) == present);
        let best = offers.iter().min_by(|a, b| time(a).total_cmp(&time(b)));
        let (Some(best), Some(now)) = (best, now) else { return };
        // Both times are infinite for who can reach nothing: they stay with the present choice.
        if best.target == now.target || time(best) >= HYSTERESIS * time(now) {
            return;
        }
        let (best, now) = (*best, *now);
        let queue = &mut queues[now.target];
        let at = queue.partition_point(|left| *left < now.left);
        if at < queue.len() {
            queue.remove(at);
        }
        let queue = &mut queues[best.target];
        queue.insert(queue.partition_point(|left| *left < best.left), best.left);
        self.send(person, best.target);
    }
}

/// Returns the target with the shortest way. Where none can be reached, the present one stays, or else the first.
fn nearest(offers: &[Offer], present: Option<usize>) -> usize {
    let best = offers.iter().filter(|offer| offer.left.is_finite()).min_by(|a, b| a.left.total_cmp(&b.left));
    let is_offered = |target: &usize| offers.iter().any(|offer| offer.target == *target);
    let first = offers.first().map_or(0, |offer| offer.target);
    best.map_or_else(|| present.filter(is_offered).unwrap_or(first), |offer| offer.target)
}
