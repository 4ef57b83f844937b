//! A run of a scenario: a controller above the crowd. It lets people enter, sends them from stage to stage, opens and
//! closes exits and doors, and keeps the account of who arrived where.
//!
//! Each step has the same order: what is scheduled, who enters, who chooses anew, the step of the crowd, its events.
//! Nothing depends on the number of threads or on a clock.

mod choice;
mod doorway;
mod enter;
mod narrow;
mod outcome;
mod reach;
mod rest;
mod schedule;
mod stairs;
#[cfg(test)]
mod tests;
mod way;

pub use outcome::{ExitCount, Outcome, Verdict, people_in_words};
pub use way::Start;

use crate::changing::{Barrier, Changing};
use crate::ground::Ground;
use crate::models;
use crate::place::{Shunned, Taken};
use crate::random::{Draws, Purpose};
use crate::scenario::{Place, PlaceUse, Scenario};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_crowd::{Activity, AgentId, Arrival, Crowd, CrowdOptions, Event, Goal, GoalId, SpeedZone, Wrap};
use clearway_nav::{Location, NavMesh};
use clearway_roads::{RoadGuide, RoadOptions};
use enter::Entrance;
use narrow::goal_areas;
use reach::{reachable, spots};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The time in seconds between two choices of an exit by people who mind queues.
const RETHINK: f64 = 2.0;

/// The time in seconds for which everybody who is left must be lost before a run gives up.
const PATIENCE: f64 = 30.0;

/// Somebody in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Person {
    /// The body in the crowd.
    pub agent: AgentId,
    /// The index of the source.
    pub source: usize,
    /// The number within the source.
    pub number: usize,
    /// The index of the profile.
    pub profile: usize,
    /// The radius in metres.
    pub radius: f64,
    /// The walking speed in m/s.
    pub speed: f64,
    /// The index of the journey; `None` for somebody who stands or walks in a direction.
    pub journey: Option<usize>,
    /// The index of the stage of the journey.
    pub stage: usize,
    /// The index of the place that is walked to.
    pub target: Option<usize>,
    /// Where they came in.
    pub start: Start,
    /// The length in metres, in the plan, of the shortest way from there to the first goal; once the journey ended, to
    /// the place at which it did. `None` if it is not known.
    pub way: Option<f64>,
    /// The time of entry in seconds.
    pub entered: f64,
    /// The time of arrival at the end of the journey, in seconds.
    pub arrived: Option<f64>,
}

/// What is counted at a place.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// The number of people who ended their journey here.
    people: usize,
    /// The times of the first and the last of them.
    times: Option<[f64; 2]>,
    /// The number of people that may leave now, where the throughput is limited.
    allowance: f64,
}

/// A run of a scenario.
pub struct Run<'a> {
    /// The scenario.
    scenario: &'a Scenario,
    /// The world.
    ground: &'a Ground,
    /// Leads people by a planner on the skeleton.
    guide: Option<RoadGuide>,
    /// The mesh with the doors as they are now.
    mesh: Arc<NavMesh>,
    /// The world that events change, if there are events.
    changing: Option<Changing>,
    /// The crowd.
    crowd: Crowd,
    /// The number of the run.
    number: usize,
    /// The goals of the crowd by place.
    goals: Vec<GoalId>,
    /// True for places that are open.
    open: Vec<bool>,
    /// The closed doors, one bit for each.
    closed_doors: u64,
    /// The components of the mesh from which some goal can be reached.
    components: Vec<bool>,
    /// Places in goals, for the question if a body fits through all doors on the way; none in worlds with links.
    goal_spots: Vec<Location>,
    /// Ground on which people of sources without an area do not start.
    shunned: Option<Shunned>,
    /// The people who walked over stairs without a zone, and the place where the first of them did.
    on_stairs: (BTreeSet<u32>, Option<Location>),
    /// The number of people beneath what came down on them.
    buried: usize,
    /// The entrances by source.
    entrances: Vec<Entrance>,
    /// Everybody who entered.
    people: Vec<Person>,
    /// The person of each body of the crowd, by the number of the body.
    persons: BTreeMap<u64, u32>,
    /// The bodies that stand at an exit with a limited throughput, in the order of arrival.
    queues: Vec<Vec<AgentId>>,
    /// The counts by place.
    counts: Vec<Count>,
    /// The number of the remark about people without an open goal, the time of the closing, and these people.
    shut_in: Option<(usize, f64, BTreeSet<u32>)>,
    /// The people who spend time in an area, with the times in seconds until which they do.
    resting: BTreeMap<u32, f64>,
    /// The places that people have who stay in an area, by area, as far as they were asked for.
    stands: BTreeMap<usize, Taken>,
    /// The people whose goal could not be reached when it was searched last.
    lost: BTreeSet<u32>,
    /// The number of people with a journey who are on their way.
    underway: usize,
    /// The people whose journey ended in the last step.
    ended: Vec<u32>,
    /// The number of people who walk in a direction for ever.
    endless: usize,
    /// The number of people who were left out for lack of room.
    left_out: usize,
    /// The number of bodies that had to be moved back onto the mesh.
    moved: usize,
    /// The number of steps.
    steps: u64,
    /// The step since which everybody who is left is lost.
    lost_since: Option<u64>,
    /// Remarks.
    notes: Vec<String>,
}

/// The options of the planner, with weights by the number of their area class.
fn road_options(scenario: &Scenario, mesh: &NavMesh) -> Result<RoadOptions> {
    let (run, mut options) = (&scenario.run, RoadOptions::default());
    options.clearance = run.clearance.unwrap_or(options.clearance);
    options.sigma = run.sigma.unwrap_or(options.sigma);
    for (name, weight) in &run.weights {
        let Some(class) = mesh.area_names().iter().position(|area| area == name) else {
            let known = mesh.area_names().join(", ");
            let known = if known.is_empty() { "none".to_string() } else { known };
            let message = format!("run: weights: the world has no area class {name:?}; it has {known}");
            return Err(Error::new(ErrorKind::Options, message));
        };
        options.weights.resize(options.weights.len().max(class + 1), 1.0);
        options.weights[class] = *weight;
    }
    Ok(options)
}

/// Makes the guide of a scenario whose people walk by a planner on the skeleton.
fn guide(
    scenario: &Scenario,
    mesh: &Arc<NavMesh>,
    crowd: &mut Crowd,
    goals: &[GoalId],
) -> Result<Option<RoadGuide>> {
    let Some(method) = scenario.run.route else { return Ok(None) };
    let guide = RoadGuide::new(method, road_options(scenario, mesh)?, Arc::clone(mesh))?;
    for (goal, place) in goals.iter().zip(&scenario.places) {
        guide.set_area(*goal, place.area.clone());
    }
    crowd.add_modifier(guide.clone());
    Ok(Some(guide))
}

impl<'a> Run<'a> {
    /// Begins a run: places people, and opens and closes what is scheduled for the start. Runs of a scenario are
    /// numbered from 0; each has its own seeds.
    pub fn new(scenario: &'a Scenario, ground: &'a Ground, number: usize) -> Result<Run<'a>> {
        if let Some(place) = scenario.places.iter().find(|place| place.on_plan.is_some()) {
            let message = format!("exit {:?} of the plan: Scenario::settle comes first", place.name);
            return Err(scenario.wrong(ErrorKind::Options, place.line, message));
        }
        let mesh = ground.mesh(0)?;
        let seed = scenario.run.seed.wrapping_add(number as u64);
        let mut crowd = Crowd::new(CrowdOptions::default().seed(seed));
        crowd.set_model(models::model(scenario)?);
        let (areas, narrow) = goal_areas(scenario, &mesh);
        let goals: Vec<GoalId> = areas.into_iter().map(|area| crowd.add_goal(area)).collect();
        for zone in &scenario.zones {
            crowd.add_zone(SpeedZone::stairs(zone.area.clone(), zone.level, zone.up, zone.down)?);
        }
        for wrap in &scenario.wraps {
            crowd.add_wrap(Wrap { from: wrap.from, to: wrap.to });
        }
        let guide = guide(scenario, &mesh, &mut crowd, &goals)?;
        let places = scenario.places.len();
        let changing = Changing::new(scenario, ground)?;
        let mut run = Run {
            changing,
            guide,
            scenario,
            ground,
            components: reachable(scenario, &mesh)?,
            goal_spots: spots(scenario, &mesh),
            shunned: None,
            on_stairs: (BTreeSet::new(), None),
            buried: 0,
            mesh,
            crowd,
            number,
            goals,
            open: vec![true; places],
            closed_doors: 0,
            entrances: scenario.sources.iter().map(Entrance::new).collect(),
            people: Vec::new(),
            persons: BTreeMap::new(),
            queues: vec![Vec::new(); places],
            counts: vec![Count::default(); places],
            shut_in: None,
            resting: BTreeMap::new(),
            stands: BTreeMap::new(),
            lost: BTreeSet::new(),
            underway: 0,
            ended: Vec::new(),
            endless: 0,
            left_out: 0,
            moved: 0,
            steps: 0,
            lost_since: None,
            notes: scenario.notes.clone(),
        };
        run.notes.extend(narrow);
        run.note_open_exits();
        run.follow_schedule()?;
        run.shun();
        run.let_in()?;
        run.rethink();
        Ok(run)
    }

    /// Moves the run on by one time step. Returns false once it is over; then nothing moves any more.
    pub fn step(&mut self) -> Result<bool> {
        if self.verdict().is_some() {
            return Ok(false);
        }
        self.ended.clear();
        let dt = self.scenario.run.dt;
        let mesh = Arc::clone(&self.mesh);
        let report = self.crowd.step(&mesh, dt).map_err(|error| self.in_file(error))?;
        self.moved += report.corrected;
        self.steps += 1;
        self.take_events();
        self.end_rests();
        self.let_out(dt);
        self.follow_schedule()?;
        self.let_in()?;
        let every = (RETHINK / dt).round().max(1.0) as u64;
        if self.steps.is_multiple_of(every) {
            self.rethink();
        }
        self.watch_stairs();
        self.watch_the_lost();
        Ok(self.verdict().is_none())
    }

    /// Runs to the end. `frame` is called at the start and after every step, and may end the run by returning false.
    pub fn finish(&mut self, mut frame: impl FnMut(&mut Run<'a>) -> Result<bool>) -> Result<Outcome> {
        let mut goes_on = frame(self)?;
        while goes_on && self.verdict().is_none() {
            self.step()?;
            goes_on = frame(self)?;
        }
        Ok(self.outcome())
    }

    /// Returns the verdict once the run is over; `None` before.
    pub fn verdict(&self) -> Option<Verdict> {
        let pending = self.entrances.iter().any(|entrance| !entrance.is_done());
        let done = if self.buried == 0 { Verdict::Arrived } else { Verdict::Lost };
        if self.underway == 0 && !pending && self.endless == 0 {
            return Some(done);
        }
        if self.time() + 1e-9 >= self.scenario.run.limit {
            let all = self.underway == 0 && !pending;
            return Some(if all { done } else { Verdict::TimeUp });
        }
        let patience = (PATIENCE / self.scenario.run.dt) as u64;
        let gives_up = self.lost_since.is_some_and(|since| self.steps >= since + patience);
        gives_up.then_some(Verdict::Lost)
    }

    /// Returns the scenario.
    pub fn scenario(&self) -> &'a Scenario {
        self.scenario
    }

    /// Returns the mesh with the doors as they are now.
    pub fn mesh(&self) -> &Arc<NavMesh> {
        &self.mesh
    }

    /// Returns the world, which all runs share.
    pub fn ground(&self) -> &'a Ground {
        self.ground
    }

    /// True if a place of the scenario, by its index, is open now.
    pub fn is_open(&self, place: usize) -> bool {
        self.open.get(place) == Some(&true)
    }

    /// True if a door of the scenario, by its index, is closed now.
    pub fn is_door_closed(&self, door: usize) -> bool {
        door < 64 && self.closed_doors >> door & 1 == 1
    }

    /// True if a barrier of the ground stands now.
    pub fn stands(&self, barrier: &Barrier) -> bool {
        self.changing.as_ref().is_some_and(|changing| barrier.stands(changing.made()))
    }

    /// Returns the crowd. Its events are those of the last step.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Measures the crowd as it stands now.
    pub fn measure(&mut self) -> clearway_crowd::Measures {
        let mesh = Arc::clone(&self.mesh);
        self.crowd.measure(&mesh)
    }

    /// Returns everybody who entered, in the order of entry. The tag of a body is its index here.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// Returns the index of the person that a body is, also after it left.
    pub fn person(&self, agent: AgentId) -> Option<u32> {
        self.persons.get(&agent.number()).copied()
    }

    /// Returns the indices of the people whose journey ended in the last step.
    pub fn ended(&self) -> &[u32] {
        &self.ended
    }

    /// Returns the simulated time in seconds.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.scenario.run.dt
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of people who are on their way or have yet to enter.
    pub fn left(&self) -> usize {
        self.underway + self.entrances.iter().map(Entrance::waiting).sum::<usize>()
    }

    /// Returns the seed of this run.
    pub fn seed(&self) -> u64 {
        self.scenario.run.seed.wrapping_add(self.number as u64)
    }

    /// Returns the seed of the places at which people start.
    pub fn placement_seed(&self) -> u64 {
        let seed = self.scenario.run.placement_seed.unwrap_or(self.scenario.run.seed);
        seed.wrapping_add(self.number as u64)
    }

    /// Returns the number of frames for each second that can be recorded with this time step: at most that of the
    /// scenario.
    pub fn fps(&self) -> f64 {
        self.scenario.run.fps.min(1.0 / self.scenario.run.dt)
    }

    /// Returns the remarks so far.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Puts the file of the scenario in front of an error of the crowd. An error about a wrap, which begins with its
    /// number, gets its line.
    fn in_file(&self, error: Error) -> Error {
        let message = error.to_string();
        let number = message.strip_prefix("wrap ").and_then(|rest| rest.split(':').next()?.parse().ok());
        let wrap = number.and_then(|number: usize| self.scenario.wraps.get(number));
        self.scenario.wrong(error.kind(), wrap.map_or(0, |wrap| wrap.line), message)
    }

    /// Takes note of the events of the last step.
    fn take_events(&mut self) {
        let mut swallowed = 0;
        for event in self.crowd.events().to_vec() {
            let Some(person) = self.person(event.agent()) else { continue };
            match event {
                Event::Arrived { .. } => self.arrived(person),
                Event::Left { .. } => self.end(person),
                Event::Lost { .. } if self.is_underway(person) => {
                    self.lost.insert(person);
                }
                Event::Moved { .. } => self.moved += 1,
                Event::Swallowed { .. } => swallowed += 1,
                _ => {}
            }
        }
        if swallowed > 0 {
            self.moved += swallowed;
            let note = format!(
                "{swallowed} people have no room beside what came at {:.1} s; they stand in walls or in others",
                self.time()
            );
            self.notes.push(note);
        }
    }

    /// Sends somebody to the next stage, or ends the journey.
    fn arrived(&mut self, person: u32) {
        let Person { agent, journey, stage, target, .. } = self.people[person as usize];
        self.lost.remove(&person);
        let Some(stages) = journey.map(|journey| &self.scenario.journeys[journey].stages) else { return };
        let (Some(here), Some(target)) = (stages.get(stage), target) else { return };
        // Who rests goes to a place in the area, and arrives there.
        if !self.is_underway(person) {
            return;
        }
        if stage + 1 == stages.len() {
            if self.scenario.places[target].use_ == PlaceUse::Exit {
                // The exit lets out only so many people in a second.
                if !self.queues[target].contains(&agent) {
                    self.queues[target].push(agent);
                }
            } else {
                self.end(person);
                self.go_in(person, target, f64::INFINITY);
            }
            return;
        }
        let wait = here.wait.as_ref().map_or(0.0, |law| {
            let Person { source, number, .. } = self.people[person as usize];
            // Each stage has a stream of its own.
            let mut draws = Draws::new(self.seed().wrapping_add(stage as u64), source, number, Purpose::Wait);
            law.draw(&mut draws)
        });
        self.people[person as usize].stage += 1;
        if wait > 0.0 {
            self.resting.insert(person, self.time() + wait);
            self.go_in(person, target, wait);
        } else {
            self.choose_for(person);
        }
    }

    /// Ends the journey of somebody.
    fn end(&mut self, person: u32) {
        let time = self.time();
        self.lost.remove(&person);
        let who = &mut self.people[person as usize];
        if who.journey.is_none() || who.arrived.is_some() {
            return;
        }
        who.arrived = Some(time);
        self.underway -= 1;
        self.ended.push(person);
        if let Some(count) = who.target.map(|target| &mut self.counts[target]) {
            count.people += 1;
            count.times = Some([count.times.map_or(time, |times| times[0]), time]);
        }
        self.people[person as usize].way = self.way_of(person);
    }

    /// Lets people out who stand at exits with a limited throughput.
    fn let_out(&mut self, dt: f64) {
        for target in 0..self.queues.len() {
            let Some(most) = self.scenario.places[target].throughput else { continue };
            let count = &mut self.counts[target];
            // What was not used is not saved up: one person at most.
            count.allowance = (count.allowance + most * dt).min(1.0f64.max(most * dt));
            while self.counts[target].allowance >= 1.0 && !self.queues[target].is_empty() && self.open[target]
            {
                let agent = self.queues[target].remove(0);
                self.counts[target].allowance -= 1.0;
                if let Some(person) = self.person(agent) {
                    self.end(person);
                    self.crowd.remove(agent);
                }
            }
        }
    }

    /// Returns the goal of the crowd and what happens there, for a target.
    fn goal(&self, target: usize) -> (Goal, Arrival) {
        let place = &self.scenario.places[target];
        let leaves = place.use_ == PlaceUse::Exit && place.throughput.is_none();
        (Goal::Area(self.goals[target]), if leaves { Arrival::Leave } else { Arrival::Stay })
    }

    /// Returns the people whose goal cannot be reached at present.
    fn lost(&self) -> impl Iterator<Item = u32> + '_ {
        self.lost.iter().copied().filter(|person| {
            let agent = self.crowd.agent(self.people[*person as usize].agent);
            agent.is_some_and(|agent| agent.activity == Activity::Lost)
        })
    }

    /// Notes since when everybody who is left is lost, while nothing is scheduled that could help.
    fn watch_the_lost(&mut self) {
        let hopeless = self.underway > 0
            && self.lost.len() >= self.underway
            && self.entrances.iter().all(Entrance::is_done)
            && self.next_change().is_none()
            && self.lost().count() >= self.underway;
        self.lost_since = if hopeless { self.lost_since.or(Some(self.steps)) } else { None };
    }
}

/// Returns a place in words.
fn words(place: &Place) -> String {
    let kind = if place.use_ == PlaceUse::Exit { "exit" } else { "area" };
    format!("{kind} {:?}", place.name)
}
