//! The `clearway` command: builds, checks, draws, searches and exports navigation meshes.
//!
//! It holds no algorithm: every command reads a file, asks the library, and prints or writes the answer.

mod args;
mod clock;
mod commands;
mod failure;
mod hints;
mod input;
mod links;
mod memory;
mod output;
mod planner;
mod png;
mod queries;
mod report;

use args::Arguments;
use clap::Parser;
use failure::Result;
use std::process::ExitCode;

/// The exit status if the question has no answer, or the mesh has flaws.
const NO_ANSWER: u8 = 1;
/// The exit status if the file, the arguments or the machine are at fault.
const ERROR: u8 = 2;

fn main() -> ExitCode {
    match answer() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(NO_ANSWER),
        Err(failure) => {
            output::complain(&format!("clearway: {failure}\n"));
            ExitCode::from(ERROR)
        }
    }
}

/// Runs the command. Returns true if it has an answer.
fn answer() -> Result<bool> {
    match Arguments::try_parse() {
        Ok(arguments) => commands::run(arguments.command),
        Err(error) if error.use_stderr() => Err(failure::usage(&error)),
        Err(help) => output::print(&help.render().to_string()).map(|()| true),
    }
}
