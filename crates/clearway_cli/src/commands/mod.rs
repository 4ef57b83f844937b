//! The commands, one file for each. A command returns true if it has an answer.

mod bench;
mod build;
mod check;
mod crowd;
mod demo;
mod distances;
mod draw;
mod edit;
mod export;
mod info;
mod path;
mod skeleton;
mod tile;
mod verify;

use crate::args::Command;
use crate::failure::Result;

/// Runs a command. Returns true if it has an answer.
pub fn run(command: Command) -> Result<bool> {
    match command {
        Command::Build(args) => build::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Draw(args) => draw::run(&args),
        Command::Edit(args) => edit::run(&args),
        Command::Path(args) => path::run(&args),
        Command::Distances(args) => distances::run(&args),
        Command::Crowd(args) => crowd::run(&args),
        Command::Skeleton(args) => skeleton::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Tile(args) => tile::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Demo(args) => demo::run(&args),
    }
}
