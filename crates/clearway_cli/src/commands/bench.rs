//! `clearway bench`: experiments of the papers, run again beside their published figures.

mod channels;
mod city;
mod worlds;

use crate::args::{BenchArgs, Experiment};
use crate::failure::Result;

/// Runs the command.
pub fn run(args: &BenchArgs) -> Result<bool> {
    match args.experiment {
        Experiment::City => city::run(args),
    }
}
