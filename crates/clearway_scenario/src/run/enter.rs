//! Who enters when and where.

use super::reach::extent;
use super::{Person, Run};
use crate::place::{Region, Shunned, Taken, place};
use crate::random::{Draws, Purpose, ln};
use crate::scenario::{Door, DoorBar, PlaceUse, Source, Supply};
use clearway_base::error::{ErrorKind, Result};
use clearway_crowd::{AgentOptions, Area, Goal};
use clearway_nav::Location;
use clearway_nav::query::in_world;
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of places that are tried in a step for somebody who waits to enter.
const TRIES: usize = 30;

/// The number of places that are tried before a source counts as too narrow for anybody.
const ROOM_TRIES: usize = 2000;

/// Radii are rounded to this length in metres: routes are searched for each radius, and a centimetre changes none.
const RADIUS_STEP: f64 = 0.01;

/// The entrance of a source.
#[derive(Clone, Debug)]
pub struct Entrance {
    /// The numbers of the people who wait to enter.
    waiting: VecDeque<usize>,
    /// The number of people who came so far.
    came: usize,
    /// The time at which the next one comes; infinite if nobody will.
    next: f64,
    /// True once everybody of a count tried to enter at once.
    tried: bool,
    /// True if nothing in its area leads to a goal. People enter all the same, and the run says that they are lost.
    cut_off: bool,
}

impl Entrance {
    /// Makes the entrance of a source.
    pub fn new(source: &Source) -> Entrance {
        let next = match &source.supply {
            Supply::Count { start, .. } | Supply::Rate { start, .. } => *start,
            Supply::Times(times) => times.first().copied().unwrap_or(f64::INFINITY),
            Supply::Points(_) => 0.0,
        };
        Entrance { waiting: VecDeque::new(), came: 0, next, tried: false, cut_off: false }
    }

    /// True if nobody waits and nobody will come.
    pub fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.next == f64::INFINITY
    }

    /// Returns the number of people who wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Lets those come whose time it is.
    fn come(&mut self, supply: &Supply, time: f64, gap: impl Fn(usize) -> f64) {
        while self.next <= time + 1e-9 {
            let number = self.came;
            self.waiting.push_back(number);
            self.came += 1;
            self.next = match supply {
                Supply::Count { count, start } if self.came < *count => *start,
                Supply::Points(spots) if self.came < spots.len() => 0.0,
                Supply::Times(times) => times.get(self.came).copied().unwrap_or(f64::INFINITY),
                Supply::Rate { rate, start, end, random } => {
                    let next = if *random {
                        self.next + gap(number) / rate
                    } else {
                        start + self.came as f64 / rate
                    };
                    if next < *end { next } else { f64::INFINITY }
                }
                _ => f64::INFINITY,
            };
        }
    }
}

/// Somebody before entering.
struct Newcomer {
    number: usize,
    profile: usize,
    radius: f64,
    speed: f64,
    journey: Option<usize>,
    wait: f64,
}

impl Run<'_> {
    /// Finds the ground on which people of sources without an area do not start. None is shunned where there would be
    /// room nowhere else.
    pub(super) fn shun(&mut self) {
        let scenario = self.scenario;
        let exits = scenario.places.iter().filter(|place| place.use_ == PlaceUse::Exit);
        let drawn =
            exits.map(|place| &place.area).chain(scenario.zones.iter().map(|zone| &zone.area)).cloned();
        let porches = self.ground.porches().iter();
        let laid = porches.filter_map(|porch| Area::new(porch.outline.clone()).ok());
        let line = |door: &Door| match door.bar {
            DoorBar::Line(ends) => Some((ends, door.height)),
            DoorBar::Link(_) => None,
        };
        let shunned = Shunned {
            areas: drawn.chain(laid).collect(),
            doors: scenario.doors.iter().filter_map(line).collect(),
        };
        let mesh = Arc::clone(&self.mesh);
        let [_, largest] = scenario.radii();
        let region = Region {
            mesh: &mesh,
            area: None,
            components: &self.components,
            goals: &self.goal_spots,
            shunned: Some(&shunned),
        };
        let mut draws = Draws::new(0, usize::MAX, 0, Purpose::Place);
        let has_room = region.draw_free(largest, &Taken::new(), ROOM_TRIES, &mut draws).is_some();
        self.shunned = has_room.then_some(shunned);
    }

    /// Lets people enter whose time it is, as far as there is room.
    pub(super) fn let_in(&mut self) -> Result<()> {
        let (time, seed) = (self.time(), self.seed());
        let mut taken = None;
        for source in 0..self.entrances.len() {
            let supply = &self.scenario.sources[source].supply;
            let gap = |number: usize| -ln(Draws::new(seed, source, number, Purpose::Entry).positive());
            self.entrances[source].come(supply, time, gap);
            if self.entrances[source].waiting.is_empty() {
                continue;
            }
            let mut bodies = taken.take().unwrap_or_else(|| self.taken());
            match supply {
                Supply::Points(_) => self.let_in_at_points(source, &mut bodies)?,
                Supply::Count { .. } if !self.entrances[source].tried => {
                    self.let_in_all(source, &mut bodies)?
                }
                _ => self.let_in_some(source, &mut bodies)?,
            }
            taken = Some(bodies);
        }
        Ok(())
    }

    /// Returns the bodies that stand somewhere now.
    fn taken(&self) -> Taken {
        let mut taken = Taken::new();
        for agent in self.crowd.agents() {
            taken.add(agent.at.position(), self.mesh.height(agent.at), agent.radius);
        }
        taken
    }

    /// Draws the properties of somebody.
    fn newcomer(&self, source: usize, number: usize) -> Newcomer {
        let from = &self.scenario.sources[source];
        let draws = |purpose| Draws::new(self.seed(), source, number, purpose);
        let weights = from.profiles.iter().map(|(weight, _)| *weight);
        let profile = from.profiles[draws(Purpose::Profile).weighted(weights)].1;
        let law = &self.scenario.profiles[profile];
        let radius = law.radius.draw(&mut draws(Purpose::Radius));
        let rounded = ((radius / RADIUS_STEP).round() * RADIUS_STEP * 1e6).round() / 1e6;
        let is_random = !matches!(law.radius.shape, crate::law::Shape::Constant(_));
        let weights = from.journeys.iter().map(|(weight, _)| *weight);
        let journey = draws(Purpose::Journey).weighted(weights);
        Newcomer {
            number,
            profile,
            radius: if is_random && rounded > 0.0 { rounded } else { radius },
            speed: law.speed.draw(&mut draws(Purpose::Speed)),
            journey: from.journeys.get(journey).map(|(_, journey)| *journey),
            wait: from
                .premovement
                .as_ref()
                .unwrap_or(&law.premovement)
                .draw(&mut draws(Purpose::Premovement)),
        }
    }

    /// Lets everybody of a source enter at once. Who finds no room at the start of the run is left out; later, they wait.
    fn let_in_all(&mut self, source: usize, taken: &mut Taken) -> Result<()> {
        self.entrances[source].tried = true;
        let numbers: Vec<usize> = self.entrances[source].waiting.drain(..).collect();
        let newcomers: Vec<Newcomer> = numbers.iter().map(|number| self.newcomer(source, *number)).collect();
        let radii: Vec<f64> = newcomers.iter().map(|one| one.radius).collect();
        let mesh = Arc::clone(&self.mesh);
        let mut draws = Draws::new(self.placement_seed(), source, usize::MAX, Purpose::Place);
        let from = &self.scenario.sources[source];
        let components = self.components.clone();
        let goals = self.goal_spots.clone();
        let shunned = self.shunned.clone();
        let shunned = shunned.as_ref().filter(|_| from.area.is_none());
        let mut region =
            Region { mesh: &mesh, area: from.area.as_ref(), components: &components, goals: &goals, shunned };
        let mut places = place(&region, &radii, taken, &mut draws);
        let everywhere = vec![true; components.len()];
        if places.iter().all(Option::is_none) && from.area.is_some() {
            // Nothing there leads to a goal. People may stand there all the same, and the run says that they are lost.
            (region.components, region.goals) = (&everywhere, &[]);
            places = place(&region, &radii, taken, &mut draws);
        }
        let (mut missing, total) = (Vec::new(), places.len());
        for (one, at) in newcomers.into_iter().zip(places) {
            match at {
                Some(at) => self.add(source, one, at)?,
                None => missing.push(one.number),
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        if self.steps > 0 {
            self.entrances[source].waiting.extend(missing);
            return Ok(());
        }
        let left_out = missing.len();
        if left_out == total {
            let message = format!("source {:?}: nobody fits into its area; {}", from.name, extent(&mesh));
            return Err(self.scenario.wrong(ErrorKind::OutOfRange, from.line, message));
        }
        self.left_out += left_out;
        let note =
            format!("source {:?}: {left_out} of {total} people found no room and were left out", from.name);
        self.notes.push(note);
        Ok(())
    }

    /// Lets people of a source enter one after the other, until one finds no room.
    fn let_in_some(&mut self, source: usize, taken: &mut Taken) -> Result<()> {
        let mesh = Arc::clone(&self.mesh);
        let mut components = self.components.clone();
        if self.entrances[source].cut_off {
            components.fill(true);
        }
        let from = &self.scenario.sources[source];
        let goals = if self.entrances[source].cut_off { Vec::new() } else { self.goal_spots.clone() };
        let shunned = self.shunned.clone();
        let shunned = shunned.as_ref().filter(|_| from.area.is_none());
        let region =
            Region { mesh: &mesh, area: from.area.as_ref(), components: &components, goals: &goals, shunned };
        while let Some(&number) = self.entrances[source].waiting.front() {
            let one = self.newcomer(source, number);
            // Each step tries other places.
            let seed = self.placement_seed().wrapping_add(self.steps);
            let mut draws = Draws::new(seed, source, number, Purpose::Place);
            let Some(at) = region.draw_free(one.radius, taken, TRIES, &mut draws) else {
                return self.check_room(source, &region, one.radius);
            };
            taken.add(at.position(), mesh.height(at), one.radius);
            self.entrances[source].waiting.pop_front();
            self.add(source, one, at)?;
        }
        Ok(())
    }

    /// Fails if a source has no room at all for a body, even without others.
    fn check_room(&mut self, source: usize, region: &Region<'_>, radius: f64) -> Result<()> {
        let mut draws = Draws::new(self.placement_seed(), source, usize::MAX, Purpose::Place);
        let mut has_room =
            |region: &Region<'_>| region.draw_free(radius, &Taken::new(), ROOM_TRIES, &mut draws).is_some();
        if self.people.iter().any(|person| person.source == source) || has_room(region) {
            return Ok(());
        }
        let everywhere = vec![true; region.components.len()];
        if has_room(&Region { components: &everywhere, goals: &[], ..*region }) {
            self.entrances[source].cut_off = true;
            return Ok(());
        }
        let from = &self.scenario.sources[source];
        let (name, reach) = (&from.name, extent(region.mesh));
        let message = format!("source {name:?}: nobody of radius {radius} m fits into its area; {reach}");
        Err(self.scenario.wrong(ErrorKind::OutOfRange, from.line, message))
    }

    /// Lets people enter at points. A point off the mesh, in a wall or in somebody else is an error.
    fn let_in_at_points(&mut self, source: usize, taken: &mut Taken) -> Result<()> {
        let from = &self.scenario.sources[source];
        let Supply::Points(spots) = &from.supply else { return Ok(()) };
        let mesh = Arc::clone(&self.mesh);
        for number in std::mem::take(&mut self.entrances[source].waiting) {
            let (one, spot) = (self.newcomer(source, number), spots[number]);
            let wrong = |what: &str| {
                let [x, y] = spot.at;
                let message = format!("source {:?}: the point {x}, {y} {what}", from.name);
                Err(self.scenario.wrong(ErrorKind::OutOfRange, from.line, message))
            };
            let found = match spot.height {
                Some(height) => mesh.locate(in_world(spot.at, height)),
                None => mesh.locate(spot.at),
            };
            let Ok(at) = found else {
                return wrong(&format!("is not on the ground of the world; {}", extent(&mesh)));
            };
            // A body that touches a wall exactly may stand there.
            if mesh.clearance(at).is_none_or(|room| room < one.radius - 1e-6) {
                return wrong(&format!("is nearer to a wall than the radius {}", one.radius));
            }
            if !taken.is_free(at.position(), mesh.height(at), one.radius - 1.1e-3) {
                return wrong("overlaps somebody else");
            }
            taken.add(at.position(), mesh.height(at), one.radius);
            self.add(source, one, at)?;
        }
        Ok(())
    }

    /// Adds somebody to the crowd, and chooses the first goal.
    fn add(&mut self, source: usize, one: Newcomer, at: Location) -> Result<()> {
        let from = &self.scenario.sources[source];
        let person = self.people.len() as u32;
        let options = AgentOptions::at(at)
            .radius(one.radius)
            .speed(one.speed)
            .priority(self.scenario.profiles[one.profile].priority)
            .wait(one.wait)
            .tag(person)
            .goal(from.direction.map_or(Goal::None, Goal::Direction));
        let added = self.crowd.add(options);
        let agent = added.map_err(|error| self.scenario.wrong(error.kind(), from.line, error.to_string()))?;
        self.persons.insert(agent.number(), person);
        self.people.push(Person {
            agent,
            source,
            number: one.number,
            profile: one.profile,
            radius: one.radius,
            speed: one.speed,
            journey: one.journey,
            stage: 0,
            target: None,
            start: self.start_at(at),
            way: None,
            entered: self.time(),
            arrived: None,
        });
        if one.journey.is_some() {
            self.underway += 1;
            self.choose_for(person);
            let goal = self.people[person as usize].target.map(|target| self.goals[target]);
            let mesh = Arc::clone(&self.mesh);
            let way = goal.and_then(|goal| self.crowd.way_left(&mesh, at, one.radius, goal));
            self.people[person as usize].way = way;
        } else if from.direction.is_some() {
            self.endless += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ground, Run, Scenario};

    /// People started in exits and in doorways, and left at once.
    #[test]
    fn a_source_without_an_area_leaves_exits_and_doorways_free() {
        let text = "[world]\nwkt = 'POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0))'\n\
                    [[exit]]\nname = 'east'\nrectangle = [[6, 0], [10, 6]]\n\
                    [[door]]\nname = 'gate'\nline = [[3, 0], [3, 6]]\n\
                    [[source]]\ncount = 60\ngoal = 'east'\n";
        let scenario = Scenario::parse("s.toml", "".into(), text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let run = Run::new(&scenario, &ground, 0).unwrap();
        assert_eq!(run.people().len(), 60);
        for agent in run.crowd().agents() {
            let [x, _] = agent.at.position();
            assert!(x < 6.0 && (x - 3.0).abs() > 0.5, "{agent:?}");
        }
        // Where the exit is all the ground, it is not shunned.
        let all = text.replace("[[6, 0], [10, 6]]", "[[0, 0], [10, 6]]");
        let scenario = Scenario::parse("s.toml", "".into(), &all).unwrap();
        assert_eq!(Run::new(&scenario, &ground, 0).unwrap().people().len(), 60);
    }
}
