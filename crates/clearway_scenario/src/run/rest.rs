//! Where people stay who spend time in an area: at places inside of it, so that nobody blocks its entrance.
//!
//! Whoever comes in goes on to a free place, far from where they came in, if there is time for the way. Each place is a
//! function of seed, person and who is there. Who finds none stays where they are.

use super::Run;
use crate::place::{Region, Taken};
use crate::random::{Draws, Purpose};
use clearway_crowd::{Activity, Arrival, Goal};
use clearway_nav::Location;
use std::sync::Arc;

/// The number of places that are drawn; the farthest free one is taken. More fill the far end more closely.
const DRAWN: usize = 12;

/// The number of draws for one place.
const TRIES: usize = 20;

/// The share of the time in an area that may go into the way to a place in it.
const ON_THE_WAY: f64 = 0.5;

/// The free gap in metres around a place. Others pass between people who stand so far apart.
const ELBOW_ROOM: f64 = 0.1;

impl Run<'_> {
    /// True if somebody is on the way to the goal of a stage.
    pub(super) fn is_underway(&self, person: u32) -> bool {
        let has_arrived = self.people.get(person as usize).is_none_or(|who| who.arrived.is_some());
        !has_arrived && !self.resting.contains_key(&person)
    }

    /// Sends somebody who came into an area on to a place inside of it. `time` is how long they stay, in seconds.
    pub(super) fn go_in(&mut self, person: u32, area: usize, time: f64) {
        let agent = self.people[person as usize].agent;
        self.crowd.set_arrival(agent, Arrival::Stay);
        if let Some(place) = self.place_inside(person, area, time) {
            self.crowd.set_goal(agent, Goal::Place(place));
        }
    }

    /// Draws a place in an area for somebody who has just come in: the farthest of some free ones.
    fn place_inside(&mut self, person: u32, area: usize, time: f64) -> Option<Location> {
        let who = self.people[person as usize];
        let here = self.crowd.agent(who.agent)?.at;
        let number = area;
        let taken = self.stands.remove(&number).unwrap_or_else(|| self.stands_now());
        let mesh = Arc::clone(&self.mesh);
        let component = mesh.cell(here.cell())?.component().index();
        let mut components = vec![false; mesh.component_count()];
        *components.get_mut(component)? = true;
        let area = &self.scenario.places[area].area;
        let goals = [here];
        let region =
            Region { mesh: &mesh, area: Some(area), components: &components, goals: &goals, shunned: None };
        let mut draws =
            Draws::new(self.seed().wrapping_add(who.stage as u64), who.source, who.number, Purpose::Stand);
        let far = |place: &Location| {
            let ([x, y], [u, v]) = (here.position(), place.position());
            (x - u).hypot(y - v)
        };
        let radius = who.radius + ELBOW_ROOM;
        let drawn = (0..DRAWN).filter_map(|_| region.draw_free(radius, &taken, TRIES, &mut draws));
        let reach = ON_THE_WAY * time * who.speed;
        let found = drawn.filter(|place| far(place) <= reach).max_by(|p, q| far(p).total_cmp(&far(q)));
        let taken = self.stands.entry(number).or_insert(taken);
        if let Some(place) = found {
            taken.add(place.position(), mesh.height(place), who.radius);
        }
        found
    }

    /// Returns the places that people have who stay somewhere, also those who are on the way there.
    fn stands_now(&self) -> Taken {
        let mut taken = Taken::new();
        for agent in self.crowd.agents() {
            let place = match (agent.goal, agent.activity) {
                (Goal::Place(place), _) => place,
                (_, Activity::Arrived) => agent.at,
                _ => continue,
            };
            taken.add(place.position(), self.mesh.height(place), agent.radius);
        }
        taken
    }

    /// Sends those on whose time in an area is over.
    pub(super) fn end_rests(&mut self) {
        let time = self.time() + 1e-9;
        let over: Vec<u32> =
            self.resting.iter().filter(|(_, until)| **until <= time).map(|(person, _)| *person).collect();
        if !over.is_empty() {
            // Their places are free again.
            self.stands.clear();
        }
        for person in over {
            self.resting.remove(&person);
            self.choose_for(person);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ground, Outcome, Run, Scenario, Verdict};

    /// A corridor of 1.2 m into a waiting room, with an exit on its far side.
    const WAITING: &str = "
[world]
wkt = 'POLYGON ((0 3.4, 10 3.4, 10 0, 18 0, 18 3.4, 20 3.4, 20 4.6, 18 4.6, 18 8, 10 8, 10 4.6, 0 4.6, 0 3.4))'
[run]
limit = 200
[[exit]]
name = 'out'
rectangle = [[19.2, 3.4], [20, 4.6]]
[[area]]
name = 'waiting room'
rectangle = [[10.5, 0], [17.5, 8]]
[[journey]]
name = 'wait'
stages = [STAGES]
[[source]]
rectangle = [[0, 3.4], [8, 4.6]]
count = 20
journey = 'wait'
";

    fn run(text: &str) -> (Outcome, Vec<[f64; 2]>) {
        let scenario = Scenario::parse("s.toml", "".into(), text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let outcome = run.finish(|_| Ok(true)).unwrap();
        let places = run.crowd().agents().map(|agent| agent.at.position()).collect();
        (outcome, places)
    }

    /// The first ones stopped at the edge of the room and kept the last one out.
    #[test]
    fn everybody_finds_a_place_in_a_waiting_room() {
        let (outcome, places) = run(&WAITING.replace("STAGES", "'waiting room'"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 20), "{outcome:?}");
        let wait = WAITING.replace("STAGES", "{ area = 'waiting room', wait = 30 }, 'out'");
        let (outcome, _) = run(&wait);
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 20), "{outcome:?}");
        let first = outcome.exits[0].first.unwrap();
        assert!(first > 32.0 && outcome.last_arrival.unwrap() < 75.0, "{outcome:?}");
        assert_eq!(places.len(), 20);
        assert_eq!(run(&wait).0, outcome);
    }

    /// People stood where they were when their exit closed, and who came later was in no remark.
    #[test]
    fn people_walk_near_a_closed_exit_and_wait() {
        let text =
            WAITING.replace("STAGES", "'out'").replace("name = 'out'", "name = 'out'\nclosed = [[2, 150]]")
                + "[[source]]\nrectangle = [[0, 3.4], [2, 4.6]]\ntimes = [20, 21]\ngoal = 'out'\n";
        let scenario = Scenario::parse("s.toml", "".into(), &text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let outcome = run.finish(|run| {
            if (run.time() - 100.0).abs() < 0.01 {
                assert_eq!(run.crowd().len(), 22);
                for agent in run.crowd().agents() {
                    assert!(agent.at.position()[0] > 15.0, "{agent:?}");
                    assert!(agent.velocity[0].hypot(agent.velocity[1]) < 0.3, "{agent:?}");
                }
            }
            Ok(true)
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 22), "{outcome:?}");
        let expected = "no open goal from 2.0 s on: 22 people; they walk near and wait";
        assert!(outcome.notes.iter().any(|note| note == expected), "{outcome:?}");
        assert!(outcome.exits[0].first.unwrap() > 150.0, "{outcome:?}");
    }
}
