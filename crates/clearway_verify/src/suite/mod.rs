//! The tests of every suite.

mod data;
mod imo;
mod iso;
mod juelich;
mod nist;
mod rimea;

use crate::case::{Case, Experiment, Suite};
use crate::lab::Lab;
use crate::outcome::Outcome;
use clearway_base::Result;

/// Returns all tests in the order of reports.
pub fn cases() -> Vec<Case> {
    let tables = [rimea::CASES, nist::CASES, iso::CASES, imo::CASES, juelich::CASES, data::CASES];
    tables.concat()
}

/// The words for a criterion without a number in its standard.
const OURS: &str = "criterion is ours";

/// Begins a test whose criterion is ours.
const fn case(
    suite: Suite,
    id: &'static str,
    title: &'static str,
    name: &'static str,
    run: fn(&Lab) -> Result<Outcome>,
) -> Case {
    let experiment = Experiment { name, run };
    Case { id, suite, title, setup: "", criterion: "", source: OURS, experiment, part: "", quick: false }
}

impl Case {
    /// Sets the place and the people.
    const fn setup(mut self, setup: &'static str) -> Case {
        self.setup = setup;
        self
    }

    /// Sets what passes.
    const fn passes(mut self, criterion: &'static str) -> Case {
        self.criterion = criterion;
        self
    }

    /// Sets who set the criterion.
    const fn by(mut self, source: &'static str) -> Case {
        self.source = source;
        self
    }

    /// Sets the part of the experiment that is judged.
    const fn part(mut self, part: &'static str) -> Case {
        self.part = part;
        self
    }

    /// Puts it into the quick choice.
    const fn quick(mut self) -> Case {
        self.quick = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_test_is_told_completely_and_once() {
        let cases = cases();
        let ids: BTreeSet<&str> = cases.iter().map(|case| case.id).collect();
        assert_eq!(ids.len(), cases.len());
        for case in &cases {
            assert!(case.id.starts_with(case.suite.word()), "{}", case.id);
            let told = [case.title, case.setup, case.criterion, case.source];
            assert!(told.iter().all(|text| !text.is_empty()), "{} is not told", case.id);
        }
        for suite in Suite::ALL {
            assert!(cases.iter().any(|case| case.suite == suite));
        }
    }

    #[test]
    fn one_name_is_one_experiment() {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for case in cases() {
            let address = case.experiment.run as usize;
            assert_eq!(*known.entry(case.experiment.name).or_insert(address), address, "{}", case.id);
        }
    }
}
