//! The arguments of `bench`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  clearway bench city                             the four simulations of the Voronoi thesis, beside its figures
  clearway bench city --quick --json              longer steps on the longest way
  clearway bench city --pictures DIR              the tracks of all bodies

Times are of this machine; the thesis measured one core of 2010. Exit status: 0 done, 2 an error.";

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The experiment
    #[arg(value_enum)]
    pub experiment: Experiment,
    /// Take longer steps where the thesis plans thousands of times
    #[arg(long)]
    pub quick: bool,
    /// Draw the tracks of all bodies into this folder
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Experiment {
    /// Bodies as sites of the Voronoi diagram, in an empty world and in a city of 9,604 blocks
    City,
}
