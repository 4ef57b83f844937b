//! `clearway crowd`: runs a scenario of a crowd.

mod example;
pub mod progress;
pub mod record;
mod story;

use super::build::limit_threads;
use crate::args::CrowdArgs;
use crate::failure::{Failure, Result};
use crate::output;
use clearway_base::names::unknown;
use clearway_record::video::{VideoOptions, write_gif, write_strip};
use clearway_record::{Ensemble, Recording, Report, Summary, formats};
use clearway_scenario::{Ground, Outcome, Run, Scenario, Verdict};
use progress::Progress;
use record::Tape;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use story::Story;

/// Runs the command. Returns false if somebody did not arrive or found no room.
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
    let mut scenario = settled(Scenario::load(file)?, args)?;
    let text = clearway_base::file::read_text(file, "scenario", clearway_scenario::MAX_SCENARIO_BYTES);
    let started = Instant::now();
    let ground = Ground::load(&scenario, world)?;
    scenario.settle(&ground)?;
    let build_s = started.elapsed().as_secs_f64();
    let mut runs = Runs {
        scenario: &scenario,
        ground: &ground,
        text: text.unwrap_or_default(),
        targets,
        done: vec![],
        failed: vec![],
    };
    let files = runs.run_all()?;
    let is_whole = |done: &Done| done.outcome.verdict == Some(Verdict::Arrived) && done.outcome.left_out == 0;
    let all = runs.done.iter().all(is_whole) && runs.failed.is_empty();
    let mesh = ground.mesh(0)?;
    let [low, high] = mesh.bounds().unwrap_or_default();
    let story = Story {
        scenario: &scenario,
        file,
        runs: &runs.done,
        failed: &runs.failed,
        files: &files,
        build_s,
        extent: [high[0] - low[0], high[1] - low[1]],
        area: mesh.area(),
    };
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
            let message = unknown("model", name, known.into_iter());
            return Err(Failure::new(format!("--model {name}: {message}")));
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
    /// The folder of the curves.
    csv: Option<PathBuf>,
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
        let (report, video, csv) = (args.report.clone(), args.video.clone(), args.csv.clone());
        Ok(Targets { trajectories, report, video, csv })
    }

    /// True if nothing is written: then a run is measured but not kept.
    fn is_empty(&self) -> bool {
        let is_kept = [&self.report, &self.video, &self.csv].into_iter().any(Option::is_some);
        self.trajectories.is_empty() && !is_kept
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
    /// A message for each run that could not be made.
    failed: Vec<String>,
}

impl Runs<'_> {
    /// Makes all runs, and writes the trajectories of each, then the page, the curves and the video. The first run is played in the
    /// page; of the others only what the page needs is kept. Returns all files that were written.
    fn run_all(&mut self) -> Result<Vec<PathBuf>> {
        let mut numbers = 0..self.scenario.run.runs;
        let mut files = Vec::new();
        let Some(first) = numbers.find_map(|number| self.try_one(number, &mut files).transpose()) else {
            return Err(Failure::new(self.failed.first().map_or("there is no run", String::as_str)));
        };
        let first = first?;
        let mut report = self.targets.report.is_some().then(|| Report::new(&first));
        for number in numbers {
            let recording = self.try_one(number, &mut files)?;
            if let (Some(report), Some(recording)) = (&mut report, recording) {
                report.add_run(&recording);
            }
        }
        if let (Some(path), Some(report)) = (&self.targets.report, report) {
            report.write(path)?;
            files.push(path.clone());
        }
        if let Some(folder) = &self.targets.csv {
            files.extend(formats::write_csv(&first, folder)?);
        }
        if let Some(path) = &self.targets.video {
            files.extend(write_video(&first, path)?);
        }
        Ok(files)
    }

    /// Makes one run, and writes its trajectories. A run that fails is noted and does not end the others: with another
    /// seed people stand elsewhere.
    fn try_one(&mut self, number: usize, files: &mut Vec<PathBuf>) -> Result<Option<Recording>> {
        let runs = self.scenario.run.runs;
        let recording = match self.run_one(number) {
            Ok(recording) => recording,
            Err(failure) if runs == 1 => return Err(failure),
            Err(failure) => {
                let seed = self.scenario.run.seed.wrapping_add(number as u64);
                self.failed.push(format!("run {} (seed {seed}): {failure}", number + 1));
                return Ok(None);
            }
        };
        for path in &self.targets.trajectories {
            let path = numbered(path, number, runs);
            formats::write(&recording, &path)?;
            files.push(path);
        }
        Ok(Some(recording))
    }

    /// Makes one run.
    fn run_one(&mut self, number: usize) -> Result<Recording> {
        let started = Instant::now();
        let mut run = Run::new(self.scenario, self.ground, number)?;
        let mut tape = Tape::start(&run, &self.text, !self.targets.is_empty())?;
        let mut progress = Progress::start(number, self.scenario.run.runs);
        let mut outcome = run.finish(|run| {
            progress.show(run);
            tape.take(run)?;
            Ok(true)
        })?;
        drop(progress);
        let recording = tape.finish(&mut outcome);
        let summary = Summary::of(&recording);
        self.done.push(Done { outcome, summary, seconds: started.elapsed().as_secs_f64() });
        Ok(recording)
    }
}

/// Writes the video of a run. Returns its files.
fn write_video(recording: &Recording, path: &Path) -> Result<Vec<PathBuf>> {
    let is_gif = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gif"));
    let options = VideoOptions::default();
    let drawn =
        if is_gif { write_gif(recording, path, &options) } else { write_strip(recording, path, &options) };
    Ok(drawn?.files)
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
