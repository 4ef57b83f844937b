//! `clearway crowd`: runs a scenario of a crowd.

mod example;
mod progress;
pub mod record;
mod story;

use super::build::limit_threads;
use crate::args::CrowdArgs;
use crate::failure::{Failure, Result};
use crate::output;
use clearway_record::video::{VideoOptions, write_gif, write_strip};
use clearway_record::{Ensemble, Recording, Report, Summary, formats};
use clearway_scenario::{Ground, Outcome, Run, Scenario, Verdict};
use progress::Progress;
use record::Tape;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use story::Story;

/// Runs the command. Returns false if somebody did not arrive.
pub fn run(args: &CrowdArgs) -> Result<bool> {
    if let Some(name) = args.example {
        return example::write(name, args);
    }
    let targets = Targets::of(args)?;
    limit_threads(args.threads)?;
    let (world, file) = match &args.inputs[..] {
        [file] => (None, file),
        [world, file] => (Some(world.as_path()), file),
        _ => return Err(Failure::new("a scenario is missing; `clearway crowd --example room` writes one")),
    };
    let scenario = settled(Scenario::load(file)?, args)?;
    let text = clearway_base::file::read_text(file, "scenario", clearway_scenario::MAX_SCENARIO_BYTES);
    let started = Instant::now();
    let ground = Ground::load(&scenario, world)?;
    let build_s = started.elapsed().as_secs_f64();
    let mut runs =
        Runs { scenario: &scenario, ground: &ground, text: text.unwrap_or_default(), targets, done: vec![] };
    let first = runs.run_all()?;
    let files = runs.write_report(&first)?;
    let verdicts = runs.done.iter().map(|done| done.outcome.verdict);
    let all = verdicts.into_iter().all(|verdict| verdict == Some(Verdict::Arrived));
    let mesh = ground.mesh(0)?;
    let [low, high] = mesh.bounds().unwrap_or_default();
    let (extent, area) = ([high[0] - low[0], high[1] - low[1]], mesh.area());
    let story = Story { scenario: &scenario, file, runs: &runs.done, files: &files, build_s, extent, area };
    if args.json {
        output::print_json(&story.json())?;
    } else {
        output::print(&story.words())?;
    }
    Ok(all)
}

/// Changes a scenario as the arguments ask for.
fn settled(mut scenario: Scenario, args: &CrowdArgs) -> Result<Scenario> {
    let run = &mut scenario.run;
    run.seed = args.seed.unwrap_or(run.seed);
    run.runs = args.runs.map_or(run.runs, usize::from);
    run.limit = args.limit.unwrap_or(run.limit);
    if let Some(name) = &args.model {
        let known = clearway_scenario::model_names();
        if !known.contains(&name.as_str()) {
            let message = format!("--model {name}: there is no such model; known are {}", known.join(", "));
            return Err(Failure::new(message));
        }
        if *name != scenario.model.name {
            scenario.model.parameters.clear();
        }
        scenario.model.name = name.clone();
    }
    Ok(scenario)
}

/// The files to write. They are checked before anything runs.
struct Targets {
    /// Trajectories.
    trajectories: Vec<PathBuf>,
    /// The page.
    report: Option<PathBuf>,
    /// The video.
    video: Option<PathBuf>,
}

impl Targets {
    /// Checks that every file can be written.
    fn of(args: &CrowdArgs) -> Result<Targets> {
        let trajectories: Vec<PathBuf> = args.output.iter().chain(&args.trajectories).cloned().collect();
        for path in &trajectories {
            output::extension_of(path, &formats::endings())?;
        }
        if let Some(path) = &args.report {
            output::extension_of(path, &["html"])?;
        }
        if let Some(path) = &args.video {
            output::extension_of(path, &["gif", "png"])?;
        }
        Ok(Targets { trajectories, report: args.report.clone(), video: args.video.clone() })
    }

    /// True if nothing is written: then a run is measured but not kept.
    fn is_empty(&self) -> bool {
        self.trajectories.is_empty() && self.report.is_none() && self.video.is_none()
    }
}

/// A run that is over.
pub struct Done {
    /// What came of it.
    pub outcome: Outcome,
    /// What was measured.
    pub summary: Summary,
    /// The real time in seconds.
    pub seconds: f64,
}

/// All runs of a scenario.
struct Runs<'a> {
    scenario: &'a Scenario,
    ground: &'a Ground,
    /// The text of the scenario, for the report.
    text: String,
    targets: Targets,
    /// The runs that are over.
    done: Vec<Done>,
}

/// The first run, which is played in the report, and the files that were written so far.
struct First {
    recording: Recording,
    others: Vec<Recording>,
    files: Vec<PathBuf>,
}

impl Runs<'_> {
    /// Makes all runs, and writes the trajectories of each.
    fn run_all(&mut self) -> Result<First> {
        let mut kept = Vec::new();
        let mut files = Vec::new();
        for number in 0..self.scenario.run.runs {
            let recording = self.run_one(number)?;
            for path in &self.targets.trajectories {
                let path = numbered(path, number, self.scenario.run.runs);
                formats::write(&recording, &path)?;
                files.push(path);
            }
            if number == 0 || self.targets.report.is_some() {
                kept.push(recording);
            }
        }
        let mut kept = kept.into_iter();
        let recording = kept.next().ok_or_else(|| Failure::new("there is no run"))?;
        Ok(First { recording, others: kept.collect(), files })
    }

    /// Makes one run.
    fn run_one(&mut self, number: usize) -> Result<Recording> {
        let started = Instant::now();
        let mut run = Run::new(self.scenario, self.ground, number)?;
        let mut tape = Tape::start(&run, &self.text, !self.targets.is_empty())?;
        let mut progress = Progress::start(number, self.scenario.run.runs);
        let outcome = run.finish(|run| {
            progress.show(run);
            tape.take(run)?;
            Ok(true)
        })?;
        drop(progress);
        let recording = tape.finish(&outcome);
        let summary = Summary::of(&recording);
        self.done.push(Done { outcome, summary, seconds: started.elapsed().as_secs_f64() });
        Ok(recording)
    }

    /// Writes the page and the video. Returns all files that were written.
    fn write_report(&self, first: &First) -> Result<Vec<PathBuf>> {
        let mut files = first.files.clone();
        if let Some(path) = &self.targets.report {
            let mut report = Report::new(&first.recording);
            first.others.iter().for_each(|other| report.add_run(other));
            report.write(path)?;
            files.push(path.clone());
        }
        if let Some(path) = &self.targets.video {
            let is_gif = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gif"));
            let options = VideoOptions::default();
            let drawn = if is_gif {
                write_gif(&first.recording, path, &options)
            } else {
                write_strip(&first.recording, path, &options)
            };
            files.extend(drawn?.files);
        }
        Ok(files)
    }
}

/// Returns the name of the file of a run: `walk-02.sqlite` for the second of ten; as given if there is only one.
fn numbered(path: &Path, number: usize, runs: usize) -> PathBuf {
    if runs == 1 {
        return path.to_path_buf();
    }
    let [stem, ending] =
        [path.file_stem(), path.extension()].map(|part| part.unwrap_or_default().to_string_lossy());
    let digits = runs.to_string().len();
    path.with_file_name(format!("{stem}-{:0digits$}.{ending}", number + 1))
}

/// Returns numbers that compare the runs; `None` for a single run.
fn ensemble(runs: &[Done]) -> Option<serde_json::Value> {
    let summaries: Vec<Summary> = runs.iter().map(|done| done.summary.clone()).collect();
    (runs.len() > 1).then(|| json!(Ensemble::of(&summaries)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_several_runs_are_numbered() {
        let path = Path::new("a/walk.sqlite");
        assert_eq!(numbered(path, 0, 1), path);
        assert_eq!(numbered(path, 1, 10), Path::new("a/walk-02.sqlite"));
    }
}
