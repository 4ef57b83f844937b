//! Runs tests under their conditions, each experiment once.

use crate::case::{Case, Experiment, Suite};
use crate::lab::{Effort, Lab};
use crate::outcome::{Outcome, Value, Verdict};
use crate::suite;
use clearway_base::{Error, ErrorKind, Result, parallel};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What to run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// The models.
    pub models: Vec<&'static str>,
    /// The suite; all without.
    pub suite: Option<Suite>,
    /// The test; all without.
    pub test: Option<String>,
    /// The radii of bodies in metres.
    pub radii: Vec<f64>,
    /// With and without the contact projection.
    pub contacts: Vec<bool>,
    /// The number of seeds of flows and streams.
    pub seeds: u64,
    /// The amount of work. The quick one runs a choice of tests.
    pub effort: Effort,
}

clearway_base::setters!(Request {
    models: Vec<&'static str>,
    suite: Option<Suite>,
    test: Option<String>,
    radii: Vec<f64>,
    contacts: Vec<bool>,
    seeds: u64,
    effort: Effort,
});

impl Default for Request {
    fn default() -> Request {
        Request {
            models: vec!["headway"],
            suite: None,
            test: None,
            radii: vec![0.15, 0.2],
            contacts: vec![true],
            seeds: 3,
            effort: Effort::Usual,
        }
    }
}

impl Request {
    /// Returns the tests that are meant. It is an error if there are none.
    pub fn cases(&self) -> Result<Vec<Case>> {
        let is_wanted = |case: &Case| {
            let is_named = self.test.as_ref().is_none_or(|test| test.eq_ignore_ascii_case(case.id));
            let is_quick = self.effort != Effort::Quick || case.quick || self.test.is_some();
            is_named && is_quick && self.suite.is_none_or(|suite| suite == case.suite)
        };
        let cases: Vec<Case> = suite::cases().into_iter().filter(is_wanted).collect();
        if cases.is_empty() {
            let message = match &self.test {
                Some(test) => format!("there is no test {test}; clearway verify --list names all"),
                None => "no test was chosen".to_string(),
            };
            return Err(Error::new(ErrorKind::Options, message));
        }
        Ok(cases)
    }

    /// Returns the conditions.
    fn labs(&self) -> Vec<Lab> {
        let mut labs = Vec::new();
        for model in &self.models {
            for contact in &self.contacts {
                for radius in &self.radii {
                    let (seeds, effort) = (self.seeds, self.effort);
                    labs.push(Lab { model, radius: *radius, contact: *contact, seeds, effort });
                }
            }
        }
        labs
    }
}

/// The outcome of one test under one condition.
#[derive(Clone)]
pub struct Finding {
    /// The test.
    pub case: Case,
    /// The condition.
    pub lab: Lab,
    /// The measured values of the test.
    pub values: Vec<Value>,
    /// The verdict.
    pub verdict: Verdict,
    /// Everything that the experiment found; tests that share an experiment share it.
    pub outcome: Arc<Outcome>,
}

/// Runs what is asked for, on all cores. `told` hears of every experiment that is done: its name, condition, number and
/// the number of all.
pub fn run(request: &Request, told: &(dyn Fn(&str, &Lab, usize, usize) + Sync)) -> Result<Vec<Finding>> {
    let (cases, labs) = (request.cases()?, request.labs());
    let experiments = distinct(&cases);
    let (count, done) = (experiments.len() * labs.len(), AtomicUsize::new(0));
    let outcomes = parallel::map(count, |job| {
        let (experiment, lab) = (experiments[job / labs.len()], labs[job % labs.len()]);
        let outcome = (experiment.run)(&lab).unwrap_or_else(|error| failed(&error));
        told(experiment.name, &lab, done.fetch_add(1, Ordering::Relaxed) + 1, count);
        Arc::new(outcome)
    });
    let mut findings = Vec::new();
    for (number, lab) in labs.iter().enumerate() {
        for case in &cases {
            let which = experiments.iter().position(|known| known.name == case.experiment.name).unwrap_or(0);
            findings.push(finding(case, lab, &outcomes[which * labs.len() + number]));
        }
    }
    Ok(findings)
}

/// Returns the experiments of tests, each once.
fn distinct(cases: &[Case]) -> Vec<Experiment> {
    let mut experiments: Vec<Experiment> = Vec::new();
    for case in cases {
        if experiments.iter().all(|known| known.name != case.experiment.name) {
            experiments.push(case.experiment);
        }
    }
    experiments
}

/// Makes the outcome of an experiment that could not be run: a value that is missing fails.
fn failed(error: &Error) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.note = format!("The experiment stopped: {error}");
    outcome.all("experiments that ran", 0, 1);
    outcome
}

/// Judges one test.
fn finding(case: &Case, lab: &Lab, outcome: &Arc<Outcome>) -> Finding {
    let values = outcome.of_part(case.part);
    let verdict = outcome.verdict(&values, lab.contact);
    Finding { case: *case, lab: *lab, values, verdict, outcome: Arc::clone(outcome) }
}
