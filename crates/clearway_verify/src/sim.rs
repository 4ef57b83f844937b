//! A crowd in a place, watched: who is where, who left by which goal, how deep bodies overlap.
//!
//! Overlap is measured here from places and radii alone. It shares no code with the engine that it judges.

use crate::lab::Lab;
use crate::law::Law;
use crate::models;
use crate::outcome::Trace;
use crate::place::Taken;
use crate::report::picture;
use crate::site::{Rect, Site};
use clearway_base::{Error, ErrorKind, Result};
use clearway_crowd::{
    Activity, AgentId, AgentOptions, Area, Arrival, Crowd, CrowdOptions, Event, Goal, GoalId, SpeedZone,
    Wrap, random,
};
use clearway_nav::{Location, Position};
use std::collections::BTreeMap;

/// The usual time step in seconds.
pub const STEP: f64 = 0.05;

/// The number of steps between two looks at overlap: five times a second at the usual step.
const LOOK: u64 = 4;

/// The time in seconds between two points of a track.
const TRACK: f64 = 0.5;

/// The largest number of tracks that are kept for the picture.
const TRACKS: usize = 60;

/// The difference in height in metres from which bodies stand on different floors.
const FLOOR: f64 = 1.2;

/// The usual time in seconds without anybody leaving after which a run is given up.
const PATIENCE: f64 = 60.0;

/// Somebody who was put into the crowd.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    /// The number in the crowd.
    pub id: AgentId,
    /// The group to which the test put the person.
    pub group: u32,
    /// The speed in m/s that the person was given.
    pub speed: f64,
    /// The time in seconds before the person may set off.
    pub wait: f64,
    /// The place at the start.
    pub start: [f64; 2],
    /// The time in seconds and the goal by which the person left.
    pub left: Option<(f64, Option<GoalId>)>,
}

/// Somebody who is present.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The index of the person.
    pub person: usize,
    /// The group of the person.
    pub group: u32,
    /// The place in plan coordinates.
    pub at: [f64; 2],
    /// The place on the mesh.
    pub location: Location,
    /// The velocity in m/s.
    pub velocity: [f64; 2],
    /// The radius in metres.
    pub radius: f64,
    /// The length of the rest of the way in metres.
    pub way: f64,
    /// What the body does.
    pub activity: Activity,
}

/// People to put into a box.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The number of people.
    pub count: usize,
    /// The box; bodies lie wholly inside.
    pub area: Rect,
    /// The height of the floor in metres, in a place with several.
    pub height: Option<f64>,
    /// The law of speeds.
    pub speed: Law,
    /// The goal.
    pub goal: Goal,
    /// The group.
    pub group: u32,
    /// The seed of places.
    pub seed: u64,
}

impl Fill {
    /// Makes people of one speed in a box.
    pub fn new(count: usize, area: Rect, speed: Law, goal: impl Into<Goal>, seed: u64) -> Fill {
        Fill { count, area, height: None, speed, goal: goal.into(), group: 0, seed }
    }

    /// Puts them into a group.
    pub fn group(self, group: u32) -> Fill {
        Fill { group, ..self }
    }

    /// Puts them on the floor at a height.
    pub fn height(self, height: f64) -> Fill {
        Fill { height: Some(height), ..self }
    }
}

/// A crowd in a place.
pub struct Sim<'a> {
    /// The place.
    pub site: &'a Site,
    /// The crowd.
    pub crowd: Crowd,
    /// The time step in seconds.
    pub dt: f64,
    /// The radius of bodies that are added.
    pub radius: f64,
    /// The time in seconds without anybody leaving after which a run is given up.
    pub patience: f64,
    lab: &'a Lab,
    people: Vec<Person>,
    index: BTreeMap<AgentId, usize>,
    present: Vec<Body>,
    gone_now: Vec<usize>,
    last_gone: f64,
    taken: Taken,
    overlap: f64,
    steps: u64,
    tracks: BTreeMap<usize, Vec<[f64; 2]>>,
    snapshot: Vec<Body>,
}

impl<'a> Sim<'a> {
    /// Makes an empty crowd in a place.
    pub fn new(lab: &'a Lab, site: &'a Site, seed: u64) -> Result<Sim<'a>> {
        let mut crowd = Crowd::new(CrowdOptions::default().seed(seed).contact(lab.contact));
        crowd.set_model(models::make(lab.model)?);
        if let Some([length, width]) = site.period {
            let end = |x: f64| [[x, 0.0], [x, width]];
            crowd.add_wrap(Wrap { from: end(length), to: end(0.0) });
        }
        let taken = Taken::in_ring(site.period.map(|[length, _]| length));
        Ok(Sim {
            site,
            crowd,
            dt: STEP,
            radius: lab.radius,
            patience: PATIENCE,
            lab,
            people: Vec::new(),
            index: BTreeMap::new(),
            present: Vec::new(),
            gone_now: Vec::new(),
            last_gone: 0.0,
            taken,
            overlap: 0.0,
            steps: 0,
            tracks: BTreeMap::new(),
            snapshot: Vec::new(),
        })
    }

    /// Adds a goal.
    pub fn goal(&mut self, [left, low, right, high]: Rect) -> Result<GoalId> {
        Ok(self.crowd.add_goal(Area::rectangle([left, low], [right, high])?))
    }

    /// Adds a goal on the floor at a height.
    pub fn goal_at(&mut self, [left, low, right, high]: Rect, height: f64) -> Result<GoalId> {
        Ok(self.crowd.add_goal(Area::rectangle([left, low], [right, high])?.at_height(height)))
    }

    /// Makes a rectangle slow or fast: factors uphill and downhill; level ground gets the greater.
    pub fn zone(&mut self, [left, low, right, high]: Rect, up: f64, down: f64) -> Result<()> {
        let area = Area::rectangle([left, low], [right, high])?;
        self.crowd.add_zone(SpeedZone::stairs(area, up.max(down), up, down)?);
        Ok(())
    }

    /// Adds one person who leaves at the goal. Returns the index.
    pub fn add(&mut self, at: impl Position, speed: f64, goal: impl Into<Goal>) -> Result<usize> {
        self.add_waiting(at, speed, goal, 0, 0.0)
    }

    /// Adds one person of a group who sets off after a time.
    pub fn add_waiting(
        &mut self,
        at: impl Position,
        speed: f64,
        goal: impl Into<Goal>,
        group: u32,
        wait: f64,
    ) -> Result<usize> {
        self.taken.push(at.plan(), self.radius);
        self.insert(at, speed, goal, group, wait)
    }

    /// Adds one person to the crowd.
    fn insert(
        &mut self,
        at: impl Position,
        speed: f64,
        goal: impl Into<Goal>,
        group: u32,
        wait: f64,
    ) -> Result<usize> {
        let location = self.site.mesh.locate(at).map_err(|off| {
            let message = format!("a person of the test stands {} m off the mesh", off.distance);
            Error::new(ErrorKind::OutOfRange, message)
        })?;
        let person = self.people.len();
        let options = AgentOptions::at(location).radius(self.radius).speed(speed).goal(goal);
        let options = options.arrival(Arrival::Leave).wait(wait).tag(person as u32);
        let id = self.crowd.add(options)?;
        self.people.push(Person { id, group, speed, wait, start: at.plan(), left: None });
        self.index.insert(id, person);
        Ok(person)
    }

    /// Puts people into a box. Fails if they do not fit.
    pub fn fill(&mut self, fill: Fill) -> Result<()> {
        for (index, [x, y]) in self.places(fill.count, fill.area, fill.seed)?.into_iter().enumerate() {
            let speed = fill.speed.draw(fill.seed, index as u32, 91);
            match fill.height {
                Some(height) => self.insert([x, height, 0.0 - y], speed, fill.goal, fill.group, 0.0)?,
                None => self.insert([x, y], speed, fill.goal, fill.group, 0.0)?,
            };
        }
        Ok(())
    }

    /// Puts people into a box, in equal parts with each of some goals and groups, at random. Fails if they do not fit.
    pub fn fill_mixed(
        &mut self,
        count: usize,
        area: Rect,
        speed: Law,
        ways: &[(Goal, u32)],
        seed: u64,
    ) -> Result<()> {
        let places = self.places(count, area, seed)?;
        let mut order: Vec<usize> = (0..places.len()).collect();
        let key = |index: &usize| (random(seed, *index as u32, 0, 93), *index);
        order.sort_unstable_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
        for (nth, index) in order.into_iter().enumerate() {
            let (goal, group) = ways[nth % ways.len()];
            self.insert(places[index], speed.draw(seed, index as u32, 91), goal, group, 0.0)?;
        }
        Ok(())
    }

    /// Returns free places in a box, which are taken then. Fails if they are too few.
    fn places(&mut self, count: usize, [left, low, right, high]: Rect, seed: u64) -> Result<Vec<[f64; 2]>> {
        let edge = self.radius + 0.01;
        // The ends of a ring are no walls.
        let side = if self.site.period.is_some() { 0.0 } else { edge };
        let inner = [left + side, low + edge, right - side, high - edge];
        let places = self.taken.fill(count, inner, self.radius, seed);
        if places.len() < count {
            let message = format!("only {} of {count} people fit into their box", places.len());
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        Ok(places)
    }

    /// Returns everybody who was ever added.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// Returns everybody who is present.
    pub fn present(&self) -> &[Body] {
        &self.present
    }

    /// Returns the persons who left in the last step.
    pub fn gone_now(&self) -> &[usize] {
        &self.gone_now
    }

    /// Returns the simulated time in seconds.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// True once in each simulated second.
    pub fn is_second(&self) -> bool {
        self.steps.is_multiple_of(((1.0 / self.dt).round() as u64).max(1))
    }

    /// Returns the number of persons who left.
    pub fn gone(&self) -> usize {
        self.people.iter().filter(|person| person.left.is_some()).count()
    }

    /// Returns the time when the last person left; infinite if somebody is still there.
    pub fn last_time(&self) -> f64 {
        let time = |person: &Person| person.left.map_or(f64::INFINITY, |(time, _)| time);
        self.people.iter().map(time).fold(0.0, f64::max)
    }

    /// Returns the mean time at which the persons of a group left; infinite if somebody is still there.
    pub fn mean_time(&self, group: u32) -> f64 {
        let of_group = self.people.iter().filter(|person| person.group == group);
        let times: Vec<f64> =
            of_group.map(|person| person.left.map_or(f64::INFINITY, |(time, _)| time)).collect();
        crate::stats::mean(&times)
    }

    /// Returns the number of persons in a rectangle.
    pub fn count_in(&self, rect: Rect) -> usize {
        self.present.iter().filter(|body| crate::site::inside(rect, body.at)).count()
    }

    /// Makes one step.
    pub fn step(&mut self) -> Result<()> {
        if self.steps == 0 {
            self.read();
            self.look();
        }
        self.crowd.step(&self.site.mesh, self.dt)?;
        self.steps += 1;
        self.note_leavers();
        self.read();
        if self.steps.is_multiple_of(LOOK) {
            self.look();
        }
        Ok(())
    }

    /// Steps until everybody left, nobody left for a minute, the time is up, or `watch` says no.
    pub fn run(&mut self, limit: f64, mut watch: impl FnMut(&Sim) -> bool) -> Result<()> {
        loop {
            self.step()?;
            let is_over = self.present.is_empty() || self.time() >= limit - 1e-9;
            if !watch(self) || is_over || self.time() > self.last_gone + self.patience + self.longest_wait() {
                self.look();
                return Ok(());
            }
        }
    }

    /// Steps for a time, whoever leaves.
    pub fn run_for(&mut self, seconds: f64, mut watch: impl FnMut(&Sim)) -> Result<()> {
        let end = self.time() + seconds - 1e-9;
        while self.time() < end {
            self.step()?;
            watch(self);
        }
        self.look();
        Ok(())
    }

    /// Ends the run. Returns its overlap and its picture.
    pub fn finish(self, caption: impl Into<String>) -> Trace {
        let starts: Vec<([f64; 2], u32)> = self.people.iter().map(|p| (p.start, p.group)).collect();
        let tracks: Vec<(u32, Vec<[f64; 2]>)> =
            self.tracks.into_iter().map(|(person, track)| (self.people[person].group, track)).collect();
        let shown = if self.present.is_empty() { &self.snapshot } else { &self.present };
        let bodies: Vec<picture::Disc> = shown.iter().map(|b| (b.at, b.radius, b.group)).collect();
        let svg = picture::draw(self.site, &starts, &tracks, &bodies);
        Trace { overlap: self.overlap, picture: Some((caption.into(), svg)) }
    }

    /// Ends the run. Returns its overlap only.
    pub fn finish_unseen(self) -> Trace {
        Trace { overlap: self.overlap, picture: None }
    }

    /// Returns the deepest overlap so far, in metres.
    pub fn overlap(&self) -> f64 {
        self.overlap
    }

    /// Returns the conditions.
    pub fn lab(&self) -> &Lab {
        self.lab
    }

    fn longest_wait(&self) -> f64 {
        self.people.iter().map(|person| person.wait).fold(0.0, f64::max)
    }

    /// Notes who left in the last step.
    fn note_leavers(&mut self) {
        self.gone_now.clear();
        let now = self.steps as f64 * self.dt;
        for event in self.crowd.events() {
            if let Event::Left { id, goal } = event
                && let Some(&person) = self.index.get(id)
            {
                self.people[person].left = Some((now, *goal));
                self.gone_now.push(person);
                self.last_gone = now;
            }
        }
    }

    /// Reads who is where, and goes on with the tracks.
    fn read(&mut self) {
        let (people, index) = (&self.people, &self.index);
        let body = |agent: clearway_crowd::Agent| {
            let person = *index.get(&agent.id)?;
            Some(Body {
                person,
                group: people[person].group,
                at: agent.at.position(),
                location: agent.at,
                velocity: agent.velocity,
                radius: agent.radius,
                way: agent.left,
                activity: agent.activity,
            })
        };
        self.present = self.crowd.agents().filter_map(body).collect();
        if self.steps.is_multiple_of(((TRACK / self.dt).round() as u64).max(1)) {
            self.note_tracks();
        }
    }

    /// Adds a point to every track that is kept, and keeps who is present while at least half of them are.
    fn note_tracks(&mut self) {
        let stride = self.people.len().div_ceil(TRACKS).max(1);
        for body in self.present.iter().filter(|body| body.person % stride == 0) {
            self.tracks.entry(body.person).or_default().push(body.at);
        }
        if 2 * self.present.len() >= self.people.len() {
            self.snapshot.clone_from(&self.present);
        }
    }

    /// Measures overlap between bodies and with walls.
    fn look(&mut self) {
        let mut deepest = self.overlap.max(self.body_overlap());
        for body in &self.present {
            let depth = body.radius - self.site.wall_distance(body.location);
            let is_placed = body.at.iter().all(|c| c.is_finite());
            deepest = if is_placed { deepest.max(depth) } else { f64::INFINITY };
        }
        self.overlap = deepest;
    }

    /// Returns the deepest overlap of two bodies, by a sweep along x.
    fn body_overlap(&self) -> f64 {
        let mut order: Vec<&Body> = self.present.iter().collect();
        order.sort_unstable_by(|a, b| a.at[0].total_cmp(&b.at[0]));
        let reach = 2.0 * order.iter().map(|body| body.radius).fold(0.0, f64::max);
        let mut deepest: f64 = 0.0;
        for (index, one) in order.iter().enumerate() {
            let near = order[index + 1..].iter().take_while(|other| other.at[0] - one.at[0] < reach);
            for other in near {
                deepest = deepest.max(self.depth(one, other));
            }
        }
        if let Some([length, _]) = self.site.period {
            let first = order.iter().take_while(|body| body.at[0] < reach);
            for one in first {
                let last = order.iter().rev().take_while(|other| other.at[0] > length - reach);
                deepest = last.map(|other| self.depth(one, other)).fold(deepest, f64::max);
            }
        }
        deepest
    }

    /// Returns the depth by which two bodies overlap; 0 on different floors.
    fn depth(&self, one: &Body, other: &Body) -> f64 {
        let [x, y] = self.site.offset(one.at, other.at);
        let depth = one.radius + other.radius - x.hypot(y);
        if depth <= 0.0 || one.person == other.person || !self.share_floor(one, other) { 0.0 } else { depth }
    }

    /// True if two bodies stand on one floor.
    fn share_floor(&self, one: &Body, other: &Body) -> bool {
        let height = |body: &Body| self.site.mesh.height(body.location);
        !self.site.has_heights || (height(one) - height(other)).abs() < FLOOR
    }
}
