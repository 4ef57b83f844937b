//! What came of a run.

use super::reach::spots_in;
use super::{Person, Run};
use crate::scenario::PlaceUse;
use serde::Serialize;

/// The number of people left behind whose places are told.
const SHOWN: usize = 5;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everybody arrived who had a journey.
    Arrived,
    /// The time was up before everybody arrived.
    TimeUp,
    /// Nobody who is left can reach a goal.
    Lost,
}

/// The account of an exit, or of an area at which journeys end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExitCount {
    /// Its name.
    pub name: String,
    /// The number of people whose journey ended there.
    pub people: usize,
    /// The time of the first of them, in seconds.
    pub first: Option<f64>,
    /// The time of the last of them, in seconds.
    pub last: Option<f64>,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The number of the run, from 0.
    pub run: usize,
    /// The seed of the behaviour.
    pub seed: u64,
    /// The seed of the places at which people start.
    pub placement_seed: u64,
    /// The name of the local model.
    pub model: String,
    /// How it ended; `None` if it was ended from outside.
    pub verdict: Option<Verdict>,
    /// The simulated time in seconds.
    pub time: f64,
    /// The number of steps.
    pub steps: u64,
    /// The number of people who entered.
    pub people: usize,
    /// The number of people with a journey who arrived.
    pub arrived: usize,
    /// The number of people with a journey who are still on their way.
    pub remaining: usize,
    /// The number of those whose goal cannot be reached.
    pub lost: usize,
    /// The number of those beneath what came down on them.
    pub buried: usize,
    /// The number of people who found no room at the start and were left out.
    pub left_out: usize,
    /// The number of people who still wait for room to enter.
    pub waiting: usize,
    /// The number of times a body had to be moved back onto the mesh.
    pub moved: usize,
    /// The mean time of arrival in seconds.
    pub mean_arrival: Option<f64>,
    /// The time in seconds by which 95 % of those who arrived had arrived.
    pub arrival_95: Option<f64>,
    /// The time of the last arrival in seconds.
    pub last_arrival: Option<f64>,
    /// The mean time in seconds from entry to arrival.
    pub mean_travel: Option<f64>,
    /// The account of each exit, and of each area at which journeys ended.
    pub exits: Vec<ExitCount>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// Returns a number of people in words.
pub fn people_in_words(count: usize) -> String {
    if count == 1 { "1 person".into() } else { format!("{count} people") }
}

impl Outcome {
    /// True for a remark about something that was planned: a door or an exit that opens or closes, an event.
    pub fn is_planned(note: &str) -> bool {
        let names_a_time = note.ends_with(" s");
        let opens = [" opens at ", " closes at "].iter().any(|what| note.contains(what));
        let is_of = |kind: &str| note.starts_with(kind);
        names_a_time && (is_of("event: ") || opens && ["door ", "exit ", "area "].into_iter().any(is_of))
    }
}

impl Run<'_> {
    /// Returns what came of the run so far.
    pub fn outcome(&self) -> Outcome {
        let mut times: Vec<f64> = self.people.iter().filter_map(|person| person.arrived).collect();
        times.sort_by(f64::total_cmp);
        let travels = self.people.iter().filter_map(|person| Some(person.arrived? - person.entered));
        let travel: f64 = travels.sum();
        let late = (times.len() * 95).div_ceil(100).saturating_sub(1);
        let places = self.scenario.places.iter().zip(&self.counts);
        let counted = places.filter(|(place, count)| place.use_ == PlaceUse::Exit || count.people > 0);
        let exits = counted.map(|(place, count)| ExitCount {
            name: place.name.clone(),
            people: count.people,
            first: count.times.map(|times| times[0]),
            last: count.times.map(|times| times[1]),
        });
        Outcome {
            run: self.number,
            seed: self.seed(),
            placement_seed: self.placement_seed(),
            model: self.scenario.model.name.clone(),
            verdict: self.verdict(),
            time: self.time(),
            steps: self.steps,
            people: self.people.len(),
            arrived: times.len(),
            remaining: self.underway + self.buried,
            buried: self.buried,
            lost: self.lost().count(),
            left_out: self.left_out,
            waiting: self.entrances.iter().map(super::Entrance::waiting).sum(),
            moved: self.moved,
            mean_arrival: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
            arrival_95: times.get(late).copied(),
            last_arrival: times.last().copied(),
            mean_travel: (!times.is_empty()).then(|| travel / times.len() as f64),
            exits: exits.collect(),
            notes: self.all_notes(),
        }
    }

    /// Returns a remark about those who were still on their way when time was up, with the places of some.
    fn left_behind(&self) -> Option<String> {
        if self.verdict() != Some(Verdict::TimeUp) || self.underway == 0 {
            return None;
        }
        let walks = |person: &&Person| person.arrived.is_none();
        let places = self.people.iter().filter(walks).filter_map(|person| self.crowd.agent(person.agent));
        let shown: Vec<String> = places
            .take(SHOWN)
            .map(|agent| {
                let [x, y] = agent.at.position();
                let height = self.mesh.has_heights().then(|| self.mesh.height(agent.at));
                height.map_or_else(|| format!("({x:.1}, {y:.1})"), |z| format!("({x:.1}, {z:.1}, {:.1})", -y))
            })
            .collect();
        let people = people_in_words(self.underway);
        Some(format!("still inside at the end: {people}, for instance at {}", shown.join(", ")))
    }

    /// Says why somebody cannot reach the goal: it is closed, no way leads there, or the way is too narrow.
    fn why_lost(&self, person: u32) -> String {
        let who = &self.people[person as usize];
        let (Some(target), Some(agent)) = (who.target, self.crowd.agent(who.agent)) else {
            return "they have no goal".to_string();
        };
        let place = &self.scenario.places[target];
        let name = super::words(place);
        if !self.open[target] {
            return format!("{name} is closed");
        }
        let spots = spots_in(&self.mesh, &place.area, target);
        let narrow = spots.iter().filter_map(|spot| self.mesh.bottleneck(agent.at, *spot));
        match narrow.max_by(|a, b| a.radius.total_cmp(&b.radius)) {
            None => format!("no ground leads from there to {name}"),
            Some(narrow) if narrow.radius < who.radius => {
                let [x, y] = narrow.at.position();
                format!(
                    "the way to {name} is {:.2} m wide at ({x:.2}, {y:.2}), and a person of radius {:.2} m needs {:.2} m",
                    2.0 * narrow.radius,
                    who.radius,
                    2.0 * who.radius
                )
            }
            Some(_) => format!("no way to {name} was found"),
        }
    }

    /// Returns the remarks, with one about people whose goal cannot be reached.
    fn all_notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.extend(self.left_behind());
        notes.extend(self.stairs_note());
        for (index, source) in self.scenario.sources.iter().enumerate() {
            let of_source = |person: &u32| self.people[*person as usize].source == index;
            let lost: Vec<u32> = self.lost().filter(of_source).collect();
            if let Some(first) = lost.first() {
                notes.push(format!(
                    "source {:?}: {} people cannot reach their goal; they walk near and wait: {}",
                    source.name,
                    lost.len(),
                    self.why_lost(*first)
                ));
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ground, Run, Scenario};

    /// Returns the remark about people who cannot reach the exit behind a doorway of this width, at this radius.
    fn reason(width: f64, radius: f64, more: &str) -> String {
        let [low, high] = [4.0 - width / 2.0, 4.0 + width / 2.0];
        let text = format!(
            "[world]\nwkt = 'POLYGON ((0 0, 10 0, 10 {low}, 10.4 {low}, 10.4 2, 14 2, 14 6, 10.4 6, 10.4 {high}, 10 {high}, \
             10 8, 0 8, 0 0))'\n[run]\nlimit = 60\n[[profile]]\nname = 'one'\nradius = {radius}\n\
             [[exit]]\nname = 'outside'\nrectangle = [[12, 2], [14, 6]]\n{more}\n\
             [[source]]\nname = 'room'\nrectangle = [[1, 1], [8, 7]]\ncount = 3\ngoal = 'outside'\n"
        );
        let scenario = Scenario::parse("s.toml", "".into(), &text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        let found = outcome.notes.iter().find(|note| note.contains("cannot reach their goal")).cloned();
        found.unwrap_or_else(|| format!("{outcome:?}"))
    }

    #[test]
    fn the_reason_is_told_why_people_cannot_reach_their_goal() {
        let narrow = reason(1.2, 0.7, "");
        let expected = "3 people cannot reach their goal; they walk near and wait: the way to exit \"outside\" is 1.20 m \
                        wide at (10.";
        assert!(narrow.contains(expected) && narrow.ends_with("radius 0.70 m needs 1.40 m"), "{narrow}");
        let closed = reason(1.2, 0.2, "closed = [[0, inf]]");
        assert!(closed.ends_with("wait: exit \"outside\" is closed"), "{closed}");
    }
}
