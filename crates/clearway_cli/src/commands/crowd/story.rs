//! What came of a run, in words and as JSON.

use super::{Done, ensemble};
use crate::{hints, report::measure};
use clearway_record::{ProfileSummary, Summary};
use clearway_scenario::{Outcome, Scenario, Verdict};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The most remarks that are printed; all stand in the report and in the JSON.
const MAX_NOTES: usize = 12;

/// What came of all runs.
pub struct Story<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its file.
    pub file: &'a Path,
    /// The runs.
    pub runs: &'a [Done],
    /// A message for each run that could not be made.
    pub failed: &'a [String],
    /// The files that were written.
    pub files: &'a [PathBuf],
    /// The real time in seconds for the world.
    pub build_s: f64,
    /// The extent of the world in metres, along x and y.
    pub extent: [f64; 2],
    /// The ground in m².
    pub area: f64,
}

impl Story<'_> {
    /// Returns the answer for programs.
    pub fn json(&self) -> Value {
        let files: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        let runs = self.runs.iter().map(|done| {
            let mut run = json!(done.outcome);
            if let Value::Object(members) = &mut run {
                members.insert("seconds".into(), json!(done.seconds));
                members.insert("summary".into(), json!(done.summary));
            }
            run
        });
        json!({
            "scenario": self.file.display().to_string(),
            "title": self.scenario.title,
            "build_seconds": self.build_s,
            "world": { "extent": self.extent, "area": self.area },
            "runs": runs.collect::<Vec<_>>(),
            "failed": self.failed,
            "ensemble": ensemble(self.runs),
            "files": files,
        })
    }

    /// Returns the answer for people.
    pub fn words(&self) -> String {
        let [x, y] = self.extent;
        // A terminal obeys control characters.
        let title = self.scenario.title.replace(char::is_control, " ");
        let mut text = format!("{title}, model {}\n", self.scenario.model.name);
        text += &format!("world: {x:.1} m by {y:.1} m, {:.1} m² to walk on\n", self.area);
        for done in self.runs {
            text += &self.run(done);
        }
        text.extend(self.failed.iter().map(|message| format!("{message}\n")));
        if self.runs.len() > 1 {
            text += &self.spread();
        }
        text + &self.written() + &self.next_steps()
    }

    /// Lists the files that were written; long rows of pictures or runs by their ends.
    fn written(&self) -> String {
        let mut text = String::new();
        for group in self.files.chunk_by(|a, b| a.extension() == b.extension()) {
            match group {
                [first, _, _, .., last] => {
                    let count = group.len();
                    text += &format!("  wrote {count} files, {} to {}\n", first.display(), last.display());
                }
                _ => text.extend(group.iter().map(|file| format!("  wrote {}\n", file.display()))),
            }
        }
        text
    }

    /// Tells of one run.
    fn run(&self, done: &Done) -> String {
        let outcome = &done.outcome;
        let mut text = String::new();
        if self.runs.len() > 1 {
            text += &format!("run {} (seed {}): ", outcome.run + 1, outcome.seed);
        }
        text += &found_room(outcome);
        text += &verdict(outcome);
        text += &format!("  simulated {} s in {:.2} s of real time\n", measure(outcome.time), done.seconds);
        text += &exits(outcome);
        text += &profiles(&done.summary);
        if self.runs.len() == 1 {
            let measures = &done.summary.measures;
            text += &format!(
                "  deepest overlap of two people {:.4} m, of people and walls {:.4} m\n",
                measures.largest_overlap, measures.largest_wall_overlap
            );
        }
        let notes = &outcome.notes;
        for note in notes.iter().take(MAX_NOTES) {
            text += &format!("  note: {note}\n");
        }
        if notes.len() > MAX_NOTES {
            text += &format!("  and {} notes more\n", notes.len() - MAX_NOTES);
        }
        text
    }

    /// Tells the mean and the spread over several runs.
    fn spread(&self) -> String {
        let times: Vec<f64> = self.runs.iter().filter_map(|done| done.outcome.last_arrival).collect();
        if times.is_empty() {
            return String::new();
        }
        let count = times.len() as f64;
        let mean = times.iter().sum::<f64>() / count;
        let square = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        let [mean, deviation] = [mean, square.sqrt()].map(measure);
        format!("last arrival over {} runs: {mean} s, deviation {deviation} s\n", times.len())
    }

    /// Says what to do next.
    fn next_steps(&self) -> String {
        let is_written =
            |ending: &str| self.files.iter().any(|file| file.extension().is_some_and(|e| e == ending));
        let [program, file] = [hints::program(), hints::path(self.file)];
        let beside = |ending: &str| hints::path(&self.file.with_extension(ending));
        let mut steps = Vec::new();
        if !is_written("html") {
            steps.push(format!("{program} crowd {file} --report {}", beside("html")));
        }
        if !is_written("sqlite") && !is_written("txt") {
            steps.push(format!("{program} crowd {file} --trajectories {}", beside("sqlite")));
        }
        if self.runs.len() == 1 {
            steps.push(format!("{program} crowd {file} --runs 10"));
        }
        if steps.is_empty() {
            return String::new();
        }
        let steps: String = steps.iter().map(|step| format!("  {step}\n")).collect();
        format!("\nTry next:\n{steps}")
    }
}

/// Says how many people found room, if some did not.
fn found_room(outcome: &Outcome) -> String {
    match outcome.left_out {
        0 => String::new(),
        left_out => format!(
            "only {} of {} people found room, {left_out} were left out; ",
            outcome.people,
            outcome.people + left_out
        ),
    }
}

/// Says how a run ended.
fn verdict(outcome: &Outcome) -> String {
    let Outcome { people, arrived, remaining, waiting, time, .. } = outcome;
    let walked = arrived + remaining;
    match outcome.verdict {
        Some(Verdict::Arrived) if walked == 0 => {
            format!("{people} people, nobody of whom was to arrive anywhere\n")
        }
        Some(Verdict::Arrived) => {
            let [mean, late, last] = [outcome.mean_arrival, outcome.arrival_95, outcome.last_arrival]
                .map(|time| measure(time.unwrap_or(0.0)));
            let who = match outcome.left_out {
                0 => format!("all {arrived} people arrived"),
                _ => format!("these {arrived} arrived"),
            };
            format!("{who}: in the mean after {mean} s, 95 % after {late} s, the last after {last} s\n")
        }
        Some(Verdict::Lost) if outcome.buried == *remaining => format!(
            "{arrived} of {walked} people arrived; the other {remaining} are beneath what came down on them\n"
        ),
        Some(Verdict::Lost) => format!(
            "{arrived} of {walked} people arrived; the other {remaining} cannot reach their goal, so the run ended after {} s\n",
            measure(*time)
        ),
        _ => {
            let outside = if *waiting > 0 {
                format!(", and {waiting} never found room to enter")
            } else {
                String::new()
            };
            format!("time is up: {arrived} of {walked} people arrived within {} s{outside}\n", measure(*time))
        }
    }
}

/// Returns a line for each exit.
fn exits(outcome: &Outcome) -> String {
    let line = |exit: &clearway_scenario::ExitCount| match (exit.first, exit.last) {
        (Some(first), Some(last)) if exit.people > 1 && last > first => {
            let flow = (exit.people - 1) as f64 / (last - first);
            let [first, last] = [first, last].map(measure);
            format!(
                "  {:?}: {} people from {first} s to {last} s, {flow:.2} in a second\n",
                exit.name, exit.people
            )
        }
        _ => format!("  {:?}: {} people\n", exit.name, exit.people),
    };
    outcome.exits.iter().map(line).collect()
}

/// Returns a line for each profile, if there are several.
fn profiles(summary: &Summary) -> String {
    let line = |profile: &ProfileSummary| {
        let ProfileSummary { name, people, arrived, .. } = profile;
        let times = match (profile.mean_arrival, profile.last_arrival) {
            (Some(mean), Some(last)) => {
                format!(", in the mean after {} s, the last after {} s", measure(mean), measure(last))
            }
            _ => String::new(),
        };
        format!("  profile {name:?}: {arrived} of {people} arrived{times}\n")
    };
    match summary.profiles.len() {
        0 | 1 => String::new(),
        _ => summary.profiles.iter().map(line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_scenario::{Ground, Run};

    #[test]
    fn the_headline_tells_of_those_who_found_no_room() {
        let text = "[world]\nwkt = 'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))'\n[run]\nlimit = 0.1\n\
                    [[exit]]\nname = 'door'\nrectangle = [[3, 1], [4, 3]]\n[[source]]\ncount = 2000\ngoal = 'door'\n";
        let scenario = Scenario::parse("s.toml", "".into(), text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().outcome();
        assert!(outcome.left_out > 1000);
        let (people, left_out) = (outcome.people, outcome.left_out);
        let expected = format!("only {people} of 2000 people found room, {left_out} were left out; ");
        assert_eq!(found_room(&outcome), expected);
    }
}
