//! A test of a suite: what is built, who walks, what is measured, and what passes.

use crate::lab::Lab;
use crate::outcome::Outcome;
use clearway_base::Result;

/// A collection of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Suite {
    /// The guideline of RiMEA, versions 3.0 and 4.1.1.
    Rimea,
    /// NIST Technical Note 1822.
    Nist,
    /// ISO 20414:2020.
    Iso,
    /// IMO MSC.1/Circ.1533.
    Imo,
    /// The tests of the Jülich group.
    Juelich,
    /// Comparisons with measured data, and phenomena of crowds.
    Data,
}

impl Suite {
    /// All suites in the order of reports.
    pub const ALL: [Suite; 6] =
        [Suite::Rimea, Suite::Nist, Suite::Iso, Suite::Imo, Suite::Juelich, Suite::Data];

    /// Returns the word of the suite in commands and files.
    pub fn word(self) -> &'static str {
        match self {
            Suite::Rimea => "rimea",
            Suite::Nist => "nist",
            Suite::Iso => "iso",
            Suite::Imo => "imo",
            Suite::Juelich => "juelich",
            Suite::Data => "data",
        }
    }

    /// Returns the title of the suite.
    pub fn title(self) -> &'static str {
        match self {
            Suite::Rimea => "RiMEA 3.0 and 4.1.1",
            Suite::Nist => "NIST TN 1822",
            Suite::Iso => "ISO 20414:2020",
            Suite::Imo => "IMO MSC.1/Circ.1533",
            Suite::Juelich => "Jülich",
            Suite::Data => "Data and phenomena",
        }
    }
}

/// An experiment, which tests of several suites may share.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// Its name; no other experiment has it.
    pub name: &'static str,
    /// Runs it.
    pub run: fn(&Lab) -> Result<Outcome>,
}

/// A test of a suite.
#[derive(Clone, Copy)]
pub struct Case {
    /// Its name, which begins with its suite: `rimea-6`.
    pub id: &'static str,
    /// Its suite.
    pub suite: Suite,
    /// What it is about.
    pub title: &'static str,
    /// The place and the people.
    pub setup: &'static str,
    /// What passes, in words and numbers.
    pub criterion: &'static str,
    /// Who set the criterion.
    pub source: &'static str,
    /// What is run.
    pub experiment: Experiment,
    /// The part of the experiment that is judged; nothing for all of it.
    pub part: &'static str,
    /// True if it belongs to the quick choice.
    pub quick: bool,
}
