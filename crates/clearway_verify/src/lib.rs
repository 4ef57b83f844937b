//! The verification suites of the evacuation field, built by code and run on crowds of clearway.
//!
//! A [`Case`] is a test of a suite: what is built, who walks, what passes, and who said so. Its experiment builds a mesh,
//! puts people on it, steps the crowd and returns measured values with limits. [`run()`] runs tests under several
//! conditions on all cores; [`report`] writes what came out. Everything is deterministic: the same conditions give the
//! same values on any number of threads.

pub mod case;
pub mod choice;
pub mod data;
pub mod experiment;
pub mod gate;
pub mod lab;
pub mod law;
pub mod models;
pub mod outcome;
pub mod place;
pub mod report;
mod run;
pub mod sim;
pub mod site;
pub mod stats;
pub mod suite;

pub use case::{Case, Suite};
pub use lab::{Effort, Lab};
pub use outcome::{Outcome, Value, Verdict};
pub use run::{Finding, Request, run};
