//! Every number of a run, with names that never change, and means over several runs.

use crate::analysis::{AreaSummary, Bin, Congestion, Densities, LineSummary, diagram, exit_flows, probed};
use crate::{EventKind, Measures, Recording};
use serde::Serialize;
use std::collections::BTreeMap;

/// The numbers of a run. `docs/reference/trajectories.md` describes the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// The name of the scenario.
    pub scenario: String,
    /// The name of the local model.
    pub model: String,
    /// The seed.
    pub seed: u64,
    /// The frames for each second that were kept.
    pub fps: f64,
    /// The number of frames that were kept.
    pub frames: usize,
    /// The simulated time in seconds.
    pub duration: f64,
    /// The number of bodies.
    pub agents: usize,
    /// The number of bodies that reached their goal.
    pub arrived: usize,
    /// The number of bodies whose goal cannot be reached at the end.
    pub lost: usize,
    /// The number of bodies whose goal could not be reached at some time.
    pub ever_lost: usize,
    /// The number of bodies in the last frame, without those that left after it.
    pub inside_at_end: usize,
    /// The time of the first arrival in seconds.
    pub first_arrival: Option<f64>,
    /// The mean time of arrivals in seconds.
    pub mean_arrival: Option<f64>,
    /// The time in seconds after which 95 of 100 arrivals had come.
    pub arrival_95: Option<f64>,
    /// The time of the last arrival in seconds.
    pub last_arrival: Option<f64>,
    /// The mean time in seconds from entry to arrival.
    pub mean_travel: Option<f64>,
    /// The flow through each exit.
    pub exits: Vec<ExitSummary>,
    /// The bodies of each profile, in the order in which they first came in.
    pub profiles: Vec<ProfileSummary>,
    /// What says if the run can be believed.
    pub measures: Measures,
    /// What was counted at each measuring line.
    pub lines: Vec<LineSummary>,
    /// What was measured in each measuring area.
    pub areas: Vec<AreaSummary>,
    /// How long and where people were in congestion.
    pub congestion: Congestion,
    /// The means of the fundamental diagram.
    pub fundamental_diagram: Vec<Bin>,
    /// What the run warned of.
    pub warnings: Vec<String>,
    /// What was planned and happened.
    pub remarks: Vec<String>,
}

/// The flow through an exit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExitSummary {
    /// The name of the exit.
    pub name: String,
    /// The number of people that went through.
    pub people: usize,
    /// The time of the first in seconds.
    pub first: Option<f64>,
    /// The time of the last in seconds.
    pub last: Option<f64>,
    /// (N - 1) / (last - first) in 1/s.
    pub flow: f64,
    /// The same without the first and the last tenth of the people.
    pub middle_flow: f64,
}

impl Summary {
    /// Sums up a recording.
    pub fn of(recording: &Recording) -> Summary {
        let densities = Densities::of(recording);
        let bins = diagram(recording, &densities).bins;
        Summary::with_densities(recording, &densities, bins)
    }

    /// Sums up a recording whose densities and fundamental diagram are known.
    pub(crate) fn with_densities(recording: &Recording, densities: &Densities, bins: Vec<Bin>) -> Summary {
        let mut times: Vec<_> =
            recording.events().iter().filter(|e| e.kind.is_arrival()).map(|e| e.time).collect();
        times.sort_by(f64::total_cmp);
        let lost = lost(recording);
        let (lines, areas) = probed(recording);
        let header = recording.header();
        Summary {
            scenario: header.scenario.clone(),
            model: header.model.clone(),
            seed: header.seed,
            fps: recording.fps(),
            frames: recording.frames(),
            duration: recording.end() - recording.time(0),
            agents: recording.agents().len(),
            arrived: times.len(),
            lost: lost.values().filter(|is_lost| **is_lost).count(),
            ever_lost: lost.len(),
            inside_at_end: inside_at_end(recording),
            first_arrival: times.first().copied(),
            mean_arrival: mean(&times),
            arrival_95: times.get(latest(&times)).copied(),
            last_arrival: times.last().copied(),
            mean_travel: mean(&travel_times(recording)),
            lines,
            areas,
            congestion: densities.congestion().clone(),
            remarks: header.remarks.clone(),
            exits: exit_flows(recording).into_iter().map(ExitSummary::from).collect(),
            profiles: profiles(recording),
            measures: recording.measures().clone(),
            fundamental_diagram: bins,
            warnings: header.warnings.clone(),
        }
    }

    /// Returns the summary as one line of JSON.
    pub fn to_json(&self) -> String {
        // Only strings as keys and finite numbers are written, so this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The bodies of a profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProfileSummary {
    /// The name of the profile.
    pub name: String,
    /// The number of bodies.
    pub people: usize,
    /// The number of bodies that reached their goal.
    pub arrived: usize,
    /// The mean of their free speeds in m/s.
    pub free_speed: f64,
    /// The mean time of arrivals in seconds.
    pub mean_arrival: Option<f64>,
    /// The time in seconds after which 95 of 100 arrivals had come.
    pub arrival_95: Option<f64>,
    /// The time of the last arrival in seconds.
    pub last_arrival: Option<f64>,
}

/// Sums up the bodies of each profile.
fn profiles(recording: &Recording) -> Vec<ProfileSummary> {
    let agents = recording.agents();
    let mut found: Vec<ProfileSummary> = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for agent in agents {
        let number = *numbers.entry(&agent.profile).or_insert(found.len());
        if number == found.len() {
            found.push(ProfileSummary { name: agent.profile.clone(), ..ProfileSummary::default() });
        }
        found[number].people += 1;
        found[number].free_speed += agent.speed;
    }
    let mut times = vec![Vec::new(); found.len()];
    for event in recording.events().iter().filter(|event| event.kind.is_arrival()) {
        let agent = agents.get(event.agent as usize);
        if let Some(number) = agent.and_then(|agent| numbers.get(agent.profile.as_str())) {
            times[*number].push(event.time);
        }
    }
    for (profile, mut times) in found.iter_mut().zip(times) {
        times.sort_by(f64::total_cmp);
        profile.free_speed /= profile.people as f64;
        profile.arrived = times.len();
        profile.mean_arrival = mean(&times);
        profile.arrival_95 = times.get(latest(&times)).copied();
        profile.last_arrival = times.last().copied();
    }
    found
}

/// Returns all bodies whose goal could not be reached at some time, and for each if that is so at the end.
fn lost(recording: &Recording) -> BTreeMap<u32, bool> {
    let mut lost = BTreeMap::new();
    for event in recording.events() {
        if event.kind == EventKind::Lost {
            lost.insert(event.agent, true);
        } else if event.kind == EventKind::Found || event.kind.is_arrival() {
            lost.entry(event.agent).and_modify(|is_lost| *is_lost = false);
        }
    }
    lost
}

/// Returns the times from entry to arrival in seconds, of all bodies that arrived.
fn travel_times(recording: &Recording) -> Vec<f64> {
    let arrivals = recording.events().iter().filter(|event| event.kind.is_arrival());
    let agents = recording.agents();
    arrivals.filter_map(|event| Some(event.time - agents.get(event.agent as usize)?.entered)).collect()
}

/// Returns the mean of some times; `None` without any.
fn mean(times: &[f64]) -> Option<f64> {
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}

/// Returns the index of the time, in order, by which 95 of 100 had come.
fn latest(times: &[f64]) -> usize {
    (times.len() * 95).div_ceil(100).saturating_sub(1)
}

impl From<crate::analysis::ExitFlow> for ExitSummary {
    fn from(flow: crate::analysis::ExitFlow) -> ExitSummary {
        ExitSummary {
            people: flow.times.len(),
            first: flow.times.first().copied(),
            last: flow.times.last().copied(),
            name: flow.name,
            flow: flow.flow,
            middle_flow: flow.middle_flow,
        }
    }
}

/// A number over several runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Spread {
    /// The name of the number.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its value in each run; `None` where a run has none.
    pub values: Vec<Option<f64>>,
    /// The mean over the runs that have it.
    pub mean: Option<f64>,
    /// The standard deviation over these runs, with N - 1.
    pub deviation: Option<f64>,
    /// The least value that 95 of 100 of these runs do not exceed.
    pub percentile_95: Option<f64>,
}

/// Several runs of a scenario, for instance with different seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ensemble {
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The numbers that are compared.
    pub numbers: Vec<Spread>,
}

/// A number that is compared: its name, its unit and where it is found.
type Number = (&'static str, &'static str, fn(&Summary) -> Option<f64>);

/// The numbers that are compared among runs.
const NUMBERS: [Number; 16] = [
    ("arrived", "", |s| Some(s.arrived as f64)),
    ("first_arrival", "s", |s| s.first_arrival),
    ("mean_arrival", "s", |s| s.mean_arrival),
    ("arrival_95", "s", |s| s.arrival_95),
    ("last_arrival", "s", |s| s.last_arrival),
    ("mean_travel", "s", |s| s.mean_travel),
    ("time_in_congestion", "s", |s| Some(s.congestion.time)),
    ("longest_stand", "s", |s| Some(s.measures.longest_stand)),
    ("mean_speed", "m/s", |s| Some(s.measures.mean_speed)),
    ("largest_overlap", "m", |s| Some(s.measures.largest_overlap)),
    ("largest_wall_overlap", "m", |s| Some(s.measures.largest_wall_overlap)),
    ("least_wall_distance", "m", |s| Some(s.measures.least_wall_distance)),
    ("jitter", "m/s²", |s| Some(s.measures.jitter)),
    ("path_ratio", "", |s| Some(s.measures.path_ratio)),
    ("standing_free", "s", |s| Some(s.measures.standing_free)),
    ("turn_changes", "1/s", |s| Some(s.measures.turn_changes)),
];

impl Ensemble {
    /// Compares runs.
    pub fn of(runs: &[Summary]) -> Ensemble {
        let values = |value: fn(&Summary) -> Option<f64>| runs.iter().map(value).collect();
        let mut numbers: Vec<Spread> =
            NUMBERS.iter().map(|(name, unit, value)| Spread::of(*name, unit, values(*value))).collect();
        let mut exits: Vec<&str> = Vec::new();
        for exit in runs.iter().flat_map(|run| &run.exits) {
            if !exits.contains(&exit.name.as_str()) {
                exits.push(&exit.name);
            }
        }
        for name in exits {
            let exit = |run: &Summary| run.exits.iter().find(|exit| exit.name == name).cloned();
            let flow = |run: &Summary| exit(run).filter(|exit| exit.people > 1).map(|exit| exit.flow);
            let people = |run: &Summary| Some(exit(run).map_or(0.0, |exit| exit.people as f64));
            numbers.push(Spread::of(format!("people: {name}"), "", runs.iter().map(people).collect()));
            numbers.push(Spread::of(format!("flow: {name}"), "1/s", runs.iter().map(flow).collect()));
        }
        Ensemble { seeds: runs.iter().map(|run| run.seed).collect(), numbers }
    }

    /// Returns a number by its name.
    pub fn number(&self, name: &str) -> Option<&Spread> {
        self.numbers.iter().find(|number| number.name == name)
    }
}

impl Spread {
    /// Sums up the values of a number.
    fn of(name: impl Into<String>, unit: &'static str, values: Vec<Option<f64>>) -> Spread {
        let mut known: Vec<_> = values.iter().flatten().copied().collect();
        known.sort_by(f64::total_cmp);
        let count = known.len() as f64;
        let mean = known.iter().sum::<f64>() / count;
        let variance = known.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Spread {
            name: name.into(),
            unit,
            mean: (!known.is_empty()).then_some(mean),
            deviation: (known.len() > 1).then(|| variance.sqrt()),
            percentile_95: known.get(latest(&known)).copied(),
            values,
        }
    }
}

/// Counts the bodies in the last frame that did not leave between it and the end of the run.
fn inside_at_end(recording: &Recording) -> usize {
    let gone = recording.events().iter().filter(|event| event.kind == EventKind::Left);
    let gone: std::collections::BTreeSet<u32> = gone.map(|event| event.agent).collect();
    let last = recording.frame(recording.frames().saturating_sub(1));
    last.iter().filter(|sample| !gone.contains(&sample.agent)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_summary_counts_what_happened() {
        let summary = Summary::of(&testing::door(120, 1));
        assert_eq!((summary.agents, summary.arrived, summary.inside_at_end), (120, 120, 0));
        assert!(summary.first_arrival < summary.mean_arrival && summary.mean_arrival < summary.arrival_95);
        assert!(summary.arrival_95 < summary.last_arrival && summary.last_arrival < Some(120.0));
        let json: serde_json::Value = serde_json::from_str(&summary.to_json()).unwrap();
        assert_eq!(json["exits"][0]["name"], "east");
        assert!(
            json["measures"]["path_ratio"].as_f64().is_some_and(|ratio| (ratio - 1.0).abs() < 0.05),
            "{json}"
        );
    }

    #[test]
    fn profiles_are_summed_up_apart() {
        let profiles = Summary::of(&testing::door(120, 1)).profiles;
        let [adult] = &profiles[..] else { panic!("{profiles:?}") };
        assert_eq!((adult.name.as_str(), adult.people, adult.arrived), ("adult", 120, 120));
        assert!(adult.free_speed > 1.0 && adult.mean_arrival < adult.last_arrival, "{adult:?}");
    }

    #[test]
    fn runs_have_a_mean_and_a_spread() {
        let mut runs = vec![Summary::of(&testing::door(12, 1)); 3];
        runs[0].last_arrival = None;
        runs[1].last_arrival = Some(10.0);
        runs[2].last_arrival = Some(12.0);
        let ensemble = Ensemble::of(&runs);
        let last = ensemble.number("last_arrival").unwrap();
        assert_eq!((last.mean, last.deviation), (Some(11.0), Some(2f64.sqrt())));
        assert_eq!(last.percentile_95, Some(12.0));
        let flow = ensemble.number("flow: east").unwrap();
        assert_eq!((flow.mean, flow.deviation), (Some(runs[0].exits[0].flow), Some(0.0)));
    }

    /// Twenty runs: the 95th percentile is the nineteenth value, not the largest.
    #[test]
    fn of_twenty_runs_the_percentile_leaves_out_the_worst() {
        let mut runs = vec![Summary::of(&testing::door(6, 1)); 20];
        runs.iter_mut().enumerate().for_each(|(i, run)| run.last_arrival = Some(i as f64));
        assert_eq!(Ensemble::of(&runs).number("last_arrival").unwrap().percentile_95, Some(18.0));
    }

    /// The number of the lost was 31 in the summary and 0 in the outcome of the same run.
    #[test]
    fn the_lost_are_those_who_have_no_way_at_the_end() {
        let mut recorder = crate::Recorder::new(crate::Header::new("x", crate::Geometry::default())).unwrap();
        for (number, entered) in [0.0, 10.0, 20.0].into_iter().enumerate() {
            recorder.add_agent(crate::AgentRecord::new(number as u64).entered(entered)).unwrap();
        }
        let mut tell = |time, agent, kind| recorder.event(crate::RunEvent::new(time, agent, kind)).unwrap();
        (0..3).for_each(|agent| tell(25.0, agent, EventKind::Lost));
        tell(30.0, 0, EventKind::Found);
        tell(40.0, 0, EventKind::Left);
        tell(50.0, 1, EventKind::Left);
        recorder.end(61.5);
        let summary = Summary::of(&recorder.finish());
        assert_eq!((summary.lost, summary.ever_lost, summary.arrived), (1, 3, 2));
        // Both came 40 s after they had entered.
        assert_eq!((summary.mean_arrival, summary.mean_travel), (Some(45.0), Some(40.0)));
        assert_eq!(summary.duration, 61.5);
    }
}
