//! The arguments of `clearway verify`.

use crate::failure::{Failure, Result};
use crate::output;
use clap::{Args, ValueEnum};
use clearway_base::names::unknown;
use clearway_verify::{Effort, Request, Suite, models};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The local model, or all
    #[arg(long, value_name = "NAME|all", default_value = models::NAMES[0])]
    model: String,
    /// Only the tests of one suite
    #[arg(long, value_enum)]
    suite: Option<SuiteArg>,
    /// Only one test, by its name; --list names all
    #[arg(long, value_name = "ID")]
    test: Option<String>,
    /// The radius of bodies in metres; 0.15 and 0.2, one after the other, by default
    #[arg(long, value_name = "METRES", value_parser = radius)]
    radius: Option<f64>,
    /// Turn the contact projection off: bodies may overlap, which is told but not judged
    #[arg(long, conflicts_with = "full")]
    without_projection: bool,
    /// A choice of tests with one seed each, in about a minute
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Everything with and without the contact projection
    #[arg(long)]
    full: bool,
    /// Seeds of flows and streams; 3 by default, 1 with --quick
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// List the tests and run none
    #[arg(long)]
    pub list: bool,
    /// Print a list of JSON objects
    #[arg(long)]
    pub json: bool,
    /// Write one page with pictures
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Write the tables as Markdown
    #[arg(short, long, value_name = "OUT.md")]
    pub output: Option<PathBuf>,
}

impl VerifyArgs {
    /// Returns what is asked for. Fails before any work if it cannot be done.
    pub fn request(&self) -> Result<Request> {
        for (path, extension) in [(&self.html, "html"), (&self.output, "md")] {
            path.as_ref().map_or(Ok(""), |path| output::extension_of(path, &[extension]))?;
        }
        let effort = if self.quick { Effort::Quick } else { Effort::Usual };
        let contacts = if self.full { vec![true, false] } else { vec![!self.without_projection] };
        Ok(Request::default()
            .models(self.models()?)
            .suite(self.suite.map(Suite::from))
            .test(self.test.clone())
            .radii(self.radius.map_or(vec![0.15, 0.2], |radius| vec![radius]))
            .contacts(contacts)
            .seeds(self.seeds.unwrap_or(if self.quick { 1 } else { 3 }))
            .effort(effort))
    }

    /// Returns the models.
    fn models(&self) -> Result<Vec<&'static str>> {
        if self.model == "all" {
            return Ok(models::NAMES.to_vec());
        }
        let known = models::NAMES.iter().find(|name| **name == self.model);
        known.map(|name| vec![*name]).ok_or_else(|| {
            let names = models::NAMES.iter().copied().chain(["all"]);
            Failure::new(format!("--model {}: {}", self.model, unknown("model", &self.model, names)))
        })
    }
}

/// Reads a radius. The tests have doors of 0.8 m.
fn radius(text: &str) -> std::result::Result<f64, String> {
    let radius: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (0.05..=0.35).contains(&radius) {
        return Ok(radius);
    }
    Err("the radius must lie between 0.05 and 0.35 m, so that bodies pass the narrowest doors".to_string())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SuiteArg {
    Rimea,
    Nist,
    Iso,
    Imo,
    Juelich,
    /// Measured data and phenomena of crowds
    Data,
}

impl From<SuiteArg> for Suite {
    fn from(suite: SuiteArg) -> Suite {
        match suite {
            SuiteArg::Rimea => Suite::Rimea,
            SuiteArg::Nist => Suite::Nist,
            SuiteArg::Iso => Suite::Iso,
            SuiteArg::Imo => Suite::Imo,
            SuiteArg::Juelich => Suite::Juelich,
            SuiteArg::Data => Suite::Data,
        }
    }
}
