//! What came of a run, in words and as JSON.

use super::{Done, ensemble};
use crate::{hints, report::measure};
use clearway_record::analysis::{AreaSummary, Direction, LineSummary};
use clearway_record::{Ensemble, ProfileSummary, Summary};
use clearway_scenario::{Outcome, Scenario, Verdict, people_in_words as people};
use serde_json::{Value, json};
use std::collections::BTreeSet;
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
        text += &self.notes();
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

    /// Tells of one run: everything if it is the only one, else a line.
    fn run(&self, done: &Done) -> String {
        let outcome = &done.outcome;
        if self.runs.len() > 1 {
            return format!(
                "run {} (seed {}): {}{}",
                outcome.run + 1,
                outcome.seed,
                found_room(outcome),
                verdict(outcome)
            );
        }
        let mut text = found_room(outcome) + &verdict(outcome);
        text += &format!("  simulated {} s in {:.2} s of real time\n", measure(outcome.time), done.seconds);
        text += &exits(outcome);
        text += &probes(&done.summary);
        text += &profiles(&done.summary);
        let measures = &done.summary.measures;
        text += &format!(
            "  deepest overlap of two people {:.4} m, of people and walls {:.4} m\n",
            measures.largest_overlap, measures.largest_wall_overlap
        );
        text
    }

    /// Tells the notes, those of several runs once with the number of runs: notes that differ in numbers only are one.
    fn notes(&self) -> String {
        let mut notes: Vec<(String, &str, usize)> = Vec::new();
        for done in self.runs {
            let mut seen = BTreeSet::new();
            for note in &done.outcome.notes {
                let pattern = without_numbers(note);
                // In one run each note counts by itself.
                let is_new = seen.insert(pattern.clone());
                match notes.iter_mut().find(|other| other.0 == pattern) {
                    Some(other) if self.runs.len() > 1 => other.2 += usize::from(is_new),
                    _ => notes.push((pattern, note, 1)),
                }
            }
        }
        // What went wrong comes first.
        notes.sort_by_key(|(_, note, _)| Outcome::is_planned(note));
        let mut text = String::new();
        for (_, note, count) in notes.iter().take(MAX_NOTES) {
            let kind = match Outcome::is_planned(note) {
                true if note.starts_with("event: ") => "",
                true => "event: ",
                false => "note: ",
            };
            text += &match (self.runs.len(), count) {
                (1, _) => format!("  {kind}{note}\n"),
                (all, count) => format!("  {kind}{note} (in {count} of {all} runs)\n"),
            };
        }
        if notes.len() > MAX_NOTES {
            text += &format!("  and {} notes more\n", notes.len() - MAX_NOTES);
        }
        text
    }

    /// Tells the mean and the spread over several runs.
    fn spread(&self) -> String {
        let summaries: Vec<Summary> = self.runs.iter().map(|done| done.summary.clone()).collect();
        let ensemble = Ensemble::of(&summaries);
        let mut text = String::new();
        let told = |name: &str| ensemble.number(name).and_then(|number| Some((number.mean?, number)));
        if let Some((mean, number)) = told("last_arrival") {
            let count = number.values.iter().flatten().count();
            let late = number.percentile_95.unwrap_or(mean);
            text += &format!(
                "last arrival over {count} runs: {} s, deviation {} s, 95 % of them within {} s\n",
                measure(mean),
                measure(number.deviation.unwrap_or(0.0)),
                measure(late)
            );
        }
        let Some(first) = self.runs.first() else { return text };
        for exit in &first.outcome.exits {
            let people = told(&format!("people: {}", exit.name)).map_or(0.0, |(mean, _)| mean);
            text += &format!("  {:?}: {} people", exit.name, measure(people));
            if let Some((mean, number)) = told(&format!("flow: {}", exit.name)) {
                text += &format!(", {mean:.2} in a second, deviation {:.2}", number.deviation.unwrap_or(0.0));
            }
            text += "\n";
        }
        text
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

/// Returns a text with each number replaced by one sign.
fn without_numbers(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars() {
        let is_digit = letter.is_ascii_digit() || letter == '.';
        if !is_digit {
            pattern.push(letter);
        } else if !pattern.ends_with('#') {
            pattern.push('#');
        }
    }
    pattern
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
    let Outcome { arrived, remaining, waiting, time, .. } = outcome;
    let walked = arrived + remaining;
    match outcome.verdict {
        Some(Verdict::Arrived) if walked == 0 => {
            format!("{}, nobody of whom was to arrive anywhere\n", people(outcome.people))
        }
        Some(Verdict::Arrived) => arrivals(outcome),
        Some(Verdict::Lost) if outcome.buried == *remaining => format!(
            "{arrived} of {} arrived; the other {remaining} are beneath what came down on them\n",
            people(walked)
        ),
        Some(Verdict::Lost) => format!(
            "{arrived} of {} arrived; the other {remaining} cannot reach their goal, so the run ended after {} s\n",
            people(walked),
            measure(*time)
        ),
        _ => {
            let outside = if *waiting > 0 {
                format!(", and {waiting} never found room to enter")
            } else {
                String::new()
            };
            format!(
                "time is up: {arrived} of {} arrived within {} s{outside}\n",
                people(walked),
                measure(*time)
            )
        }
    }
}

/// Means that differ by less than this many seconds are one: everybody entered at the start.
const SAME_TIME: f64 = 0.05;

/// Says when people arrived, and how long they were on their way if that is another time.
fn arrivals(outcome: &Outcome) -> String {
    let [mean, late, last, travel] =
        [outcome.mean_arrival, outcome.arrival_95, outcome.last_arrival, outcome.mean_travel]
            .map(|time| time.unwrap_or(0.0));
    let way = if (mean - travel).abs() < SAME_TIME {
        String::new()
    } else {
        format!(", {} s after entry", measure(travel))
    };
    let [mean, late, last] = [mean, late, last].map(measure);
    if (outcome.arrived, outcome.left_out) == (1, 0) {
        return format!("1 person arrived: after {last} s{way}\n");
    }
    let who = match outcome.left_out {
        0 => format!("all {} people arrived", outcome.arrived),
        _ => format!("these {} arrived", outcome.arrived),
    };
    format!("{who}: in the mean after {mean} s{way}, 95 % after {late} s, the last after {last} s\n")
}

/// Returns a line for each exit.
fn exits(outcome: &Outcome) -> String {
    let line = |exit: &clearway_scenario::ExitCount| {
        let flow = counted(exit.people, exit.first, exit.last);
        format!("  {:?}: {flow}\n", exit.name)
    };
    outcome.exits.iter().map(line).collect()
}

/// Returns the number of people between two times, with their flow.
fn counted(count: usize, first: Option<f64>, last: Option<f64>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if count > 1 && last > first => {
            let flow = (count - 1) as f64 / (last - first);
            let [first, last] = [first, last].map(measure);
            format!("{} from {first} s to {last} s, {flow:.2} in a second", people(count))
        }
        (Some(first), _) if count == 1 => format!("1 person at {} s", measure(first)),
        _ => people(count),
    }
}

/// Returns a line for each measuring line and area.
fn probes(summary: &Summary) -> String {
    let line = |line: &LineSummary| {
        let way = |name: &str, way: &Direction| {
            format!("to the {name} {}", counted(way.people, way.first, way.last))
        };
        format!("  line {:?}: {}; {}\n", line.name, way("right", &line.to_right), way("left", &line.to_left))
    };
    let area = |area: &AreaSummary| {
        let speed = area.mean_speed.map_or(String::new(), |speed| format!(", mean speed {speed:.2} m/s"));
        format!(
            "  area {:?}: {:.2} people on a m² in the mean, at most {:.2}{speed}\n",
            area.name, area.mean_density, area.highest_density
        )
    };
    summary.lines.iter().map(line).chain(summary.areas.iter().map(area)).collect()
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
    fn notes_of_several_runs_are_one_but_for_their_numbers() {
        assert_eq!(without_numbers("3 people at (1.5, 20) in 7 s"), "# people at (#, #) in # s");
    }

    #[test]
    fn one_person_is_not_one_people() {
        assert_eq!((people(1), people(2)), ("1 person".to_string(), "2 people".to_string()));
        assert_eq!(counted(1, Some(4.0), Some(4.0)), "1 person at 4 s");
        assert_eq!(counted(3, Some(4.0), Some(8.0)), "3 people from 4 s to 8 s, 0.50 in a second");
    }

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
