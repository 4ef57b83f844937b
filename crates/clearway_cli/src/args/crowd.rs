//! The arguments of `clearway crowd`.

use super::number;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  clearway crowd --example room                          writes room.toml, a scenario with comments
  clearway crowd room.toml                               runs it and tells what came of it
  clearway crowd room.toml --report room.html            a page that plays the run and draws its curves
  clearway crowd room.toml --trajectories room.sqlite    for JuPedSim and PedPy; .txt for the data archive, .cwt for us
  clearway crowd room.toml --video room.gif
  clearway crowd room.toml --runs 10 --seed 100 --json   ten runs, with the seeds 100 to 109
  clearway crowd level.nav evening.toml                  on another mesh than the scenario names
  clearway crowd scenario.zip                            a scenario of JuPedSim: config.json and geometry.wkt

Exit status: 0 everybody arrived, 1 somebody did not within the limit or found no room, 2 an error.";

#[derive(Debug, Args)]
pub struct CrowdArgs {
    /// The scenario, a .toml file, or a .zip or .json of JuPedSim; a plan, scene or mesh before it replaces the scenario's
    #[arg(value_name = "[WORLD] SCENARIO", num_args = 1..=2, required_unless_present = "example")]
    pub inputs: Vec<PathBuf>,
    /// Write an example scenario with comments; -o names the file
    #[arg(long, value_enum, value_name = "NAME", conflicts_with = "inputs")]
    pub example: Option<ExampleName>,
    /// Where to save the trajectories: .cwt, .sqlite or .txt; with --example, the scenario
    #[arg(short, long, value_name = "RUN.cwt")]
    pub output: Option<PathBuf>,
    /// Write a page that plays the run and draws its curves
    #[arg(long, value_name = "OUT.html", conflicts_with = "example")]
    pub report: Option<PathBuf>,
    /// Write trajectories: .sqlite (JuPedSim), .txt (PedPy, data archive) or .cwt; may be given again
    #[arg(long, value_name = "FILE", conflicts_with = "example")]
    pub trajectories: Vec<PathBuf>,
    /// Draw the run: an animated .gif, or a strip of .png
    #[arg(long, value_name = "OUT.gif|OUT.png", conflicts_with = "example")]
    pub video: Option<PathBuf>,
    /// Write the curves as .csv files into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "example")]
    pub csv: Option<PathBuf>,
    /// Use this seed instead of the scenario's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The number of runs; each adds one to the seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub runs: Option<u16>,
    /// Use this local model with default parameters instead of the scenario's
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Use this time limit instead of the scenario's, in simulated seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub limit: Option<f64>,
    /// How many threads to use; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The example scenarios.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ExampleName {
    /// A room with a door
    Room,
    /// A corridor with people in both directions
    Corridor,
    /// A station hall with trains, tickets and a choice of exits
    Station,
    /// A hall whose door is locked until a wall falls
    Breach,
    /// A house of three storeys with stairs; its scene is written beside it
    Building,
}

impl ExampleName {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            ExampleName::Room => "room",
            ExampleName::Corridor => "corridor",
            ExampleName::Station => "station",
            ExampleName::Breach => "breach",
            ExampleName::Building => "building",
        }
    }
}

/// Reads a time in seconds: more than zero, at most a week.
fn seconds(text: &str) -> Result<f64, String> {
    let value = number::length(text)?;
    let most = clearway_scenario::MAX_SECONDS;
    if value > 0.0 && value <= most {
        Ok(value)
    } else {
        Err(format!("it must be more than 0 and at most {most} s"))
    }
}
