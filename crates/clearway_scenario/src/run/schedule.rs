//! What opens and closes on a schedule: exits, areas and doors.

use super::outcome::people_in_words;
use super::reach::{behind_doors, reachable, spots};
use super::{Run, words};
use crate::place::distance_from;
use crate::scenario::{Door, DoorBar, PlaceUse};
use clearway_base::error::{Error, Result};
use clearway_nav::NavMesh;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The height in metres beyond which somebody is on another floor than a door. Storeys are higher, steps lower.
const ONE_FLOOR: f64 = 1.5;

/// The time in seconds for which a door waits for people to clear it before it closes on them.
const DOOR_PATIENCE: f64 = 5.0;

/// Returns true if a time lies in one of some periods.
fn is_within(periods: &[[f64; 2]], time: f64) -> bool {
    // Sums of time steps are rounded.
    periods.iter().any(|[from, to]| time >= from - 1e-9 && time < to - 1e-9)
}

impl Run<'_> {
    /// Opens and closes what is due.
    pub(super) fn follow_schedule(&mut self) -> Result<()> {
        self.follow_events()?;
        self.follow_doors()?;
        let time = self.time();
        let mut changed = Vec::new();
        for place in 0..self.open.len() {
            let open = !is_within(&self.scenario.places[place].closed, time);
            if open != self.open[place] {
                self.open[place] = open;
                // Everybody on the way there arrives anew.
                self.queues[place].clear();
                self.crowd.set_goal_open(self.goals[place], open);
                self.note_change(place);
                changed.push(place);
            }
        }
        if !changed.is_empty() {
            // Whoever finds no open goal from now on belongs to a remark of its own.
            self.shut_in = None;
            self.choose_again(|stage| stage.targets.iter().any(|target| changed.contains(target)));
        }
        Ok(())
    }

    /// Takes note of a place that opened or closed.
    fn note_change(&mut self, place: usize) {
        let what = if self.open[place] { "opens" } else { "closes" };
        let note = format!("{} {what} at {:.1} s", words(&self.scenario.places[place]), self.time());
        self.notes.push(note);
    }

    /// Takes note of somebody whose goal is closed: the remark counts everybody since the last closing.
    pub(super) fn note_shut_in(&mut self, person: u32) {
        let time = self.time();
        let (note, since, people) =
            self.shut_in.get_or_insert_with(|| (self.notes.len(), time, BTreeSet::new()));
        people.insert(person);
        let told = format!(
            "no open goal from {since:.1} s on: {}; they walk near and wait",
            people_in_words(people.len())
        );
        match self.notes.get_mut(*note) {
            Some(note) => *note = told,
            None => self.notes.push(told),
        }
    }

    /// Opens and closes doors.
    fn follow_doors(&mut self) -> Result<()> {
        let time = self.time();
        let mut closed = 0;
        for (index, door) in self.scenario.doors.iter().enumerate() {
            let bit = 1u64 << index;
            let was_closed = self.closed_doors & bit != 0;
            // A door that is held open closes late, but it closes.
            let late = is_within(&door.closed, time - DOOR_PATIENCE);
            if is_within(&door.closed, time) && (was_closed || late || !self.is_held(door)) {
                closed |= bit;
            }
        }
        if closed == self.closed_doors {
            return Ok(());
        }
        for (index, door) in self.scenario.doors.iter().enumerate() {
            if (closed ^ self.closed_doors) >> index & 1 == 1 {
                let what = if closed >> index & 1 == 1 { "closes" } else { "opens" };
                self.notes.push(format!("door {:?} {what} at {time:.1} s", door.name));
            }
        }
        self.closed_doors = closed;
        let before = Arc::clone(&self.mesh);
        let in_file = |error: Error| self.scenario.wrong(error.kind(), 0, error.to_string());
        match &mut self.changing {
            Some(changing) => changing.set_doors(closed).map_err(in_file)?,
            None => self.mesh = self.ground.mesh(closed).map_err(in_file)?,
        }
        self.notice_world(&before)
    }

    /// Makes the events that are due.
    fn follow_events(&mut self) -> Result<()> {
        let time = self.time();
        let Some(changing) = &mut self.changing else { return Ok(()) };
        let mut is_other = false;
        while let Some(words) = changing.advance(self.scenario, time)? {
            self.notes.push(format!("event: {words} at {time:.1} s"));
            is_other = true;
        }
        let before = Arc::clone(&self.mesh);
        if is_other { self.notice_world(&before) } else { Ok(()) }
    }

    /// Lets everybody find their way in a world that changed. `before` is the mesh of the last step.
    fn notice_world(&mut self, before: &NavMesh) -> Result<()> {
        if let Some(changing) = &self.changing {
            self.mesh = Arc::clone(changing.mesh());
        }
        if let Some(guide) = &self.guide {
            guide.set_mesh(Arc::clone(&self.mesh))?;
        }
        // Who chooses below must stand in a cell of the new mesh.
        let mesh = Arc::clone(&self.mesh);
        self.push_out(before);
        self.crowd.notice(&mesh).map_err(|error| self.in_file(error))?;
        let whole = self.ground.mesh(0)?;
        let good = reachable(self.scenario, &whole)?;
        self.components = behind_doors(&whole, &good, &self.mesh);
        self.goal_spots = spots(self.scenario, &self.mesh);
        self.choose_again(|stage| stage.targets.len() > 1);
        Ok(())
    }

    /// Puts people beside what came down on them. Who saw no place to go is beneath it, and does not walk any more.
    fn push_out(&mut self, before: &NavMesh) {
        let flight = self.crowd.flee(before, &self.mesh);
        self.moved += flight.moved.len();
        let time = self.time();
        if let Some(far) = flight.moved.iter().map(|(_, far)| *far).max_by(f64::total_cmp) {
            let people = people_in_words(flight.moved.len());
            self.notes.push(format!(
                "{people} stood where something came at {time:.1} s; they were moved aside, by at most {far:.1} m"
            ));
        }
        for agent in &flight.trapped {
            let Some(person) = self.person(*agent) else { continue };
            self.lost.remove(&person);
            self.buried += usize::from(self.people[person as usize].arrived.is_none());
            if self.people[person as usize].journey.is_some()
                && self.people[person as usize].arrived.is_none()
            {
                self.underway -= 1;
            }
            self.crowd.remove(*agent);
        }
        if !flight.trapped.is_empty() {
            let people = people_in_words(flight.trapped.len());
            self.notes.push(format!(
                "{people} stood beneath what came at {time:.1} s: they saw no place within 10 m to go to; \
                 they count as not arrived"
            ));
        }
    }

    /// True if somebody stands in a door.
    fn is_held(&self, door: &Door) -> bool {
        // Who rides a link that closes comes out at its end.
        let DoorBar::Line([a, b]) = door.bar else { return false };
        let is_elsewhere = |at| {
            let height = door.height.filter(|_| self.mesh.has_heights());
            height.is_some_and(|height| (self.mesh.height(at) - height).abs() > ONE_FLOOR)
        };
        self.crowd
            .agents()
            .filter(|agent| !is_elsewhere(agent.at))
            .any(|agent| distance_from(agent.at.position(), a, b) < agent.radius)
    }

    /// Returns the next time at which something that is closed opens, or an event changes the world; `None` if nothing will.
    pub(super) fn next_change(&self) -> Option<f64> {
        let time = self.time();
        let places = self
            .scenario
            .places
            .iter()
            .filter(|place| place.use_ == PlaceUse::Exit || !place.closed.is_empty());
        let periods = places
            .flat_map(|place| &place.closed)
            .chain(self.scenario.doors.iter().flat_map(|door| &door.closed));
        let ends = periods.flatten().copied().filter(|end| *end > time && *end < self.scenario.run.limit);
        let made = self.changing.as_ref().map_or(0, |changing| changing.made());
        let next =
            self.scenario.events.get(made).map(|event| event.at).filter(|at| *at < self.scenario.run.limit);
        ends.chain(next).min_by(f64::total_cmp)
    }
}
