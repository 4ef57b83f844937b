//! Segment Voronoi diagrams: our builds beside spade's triangulation and Boost.Polygon, and our moves as worlds grow.

mod builds;
mod moves;
mod worlds;

use serde::Serialize;

use crate::words::{number, one, values_of};
use builds::BuildRow;
use moves::MoveRow;
use worlds::World;

/// The options, for `--help` and for a caller who mistyped.
const USAGE: &str = "\
Options of skeleton (lists are separated by blanks or commas):
  --world NAME...  only these worlds, for instance city, city-turned, city-100k, random-10k
  --rounds N       interleaved rounds of builds, the least time counts (3)
  --json FILE      also write the results as JSON; - prints them";

/// What the caller asked for.
struct Wanted {
    worlds: Vec<String>,
    rounds: usize,
    json: Option<String>,
}

/// Everything that was measured.
#[derive(Serialize)]
struct Report {
    builds: Vec<BuildRow>,
    moves: Vec<MoveRow>,
}

/// Measures and prints tables.
pub fn run(words: impl Iterator<Item = String>) -> Result<(), String> {
    let wanted = parse(words)?;
    let known = worlds::catalogue();
    let chosen: Vec<&World> = known
        .iter()
        .filter(|world| wanted.worlds.is_empty() || wanted.worlds.iter().any(|name| *name == world.name))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = known.iter().map(|world| world.name).collect();
        return Err(format!("no such world; there are {}", names.join(", ")));
    }
    let mut report = Report { builds: Vec::new(), moves: Vec::new() };
    for world in chosen {
        let shapes = world.shapes();
        eprintln!("{}: {} segments", world.name, shapes.iter().map(worlds::corners).sum::<usize>());
        report.builds.push(builds::measure(world, &shapes, wanted.rounds)?);
        report.moves.push(moves::measure(world, &shapes)?);
    }
    print!("{}{}", builds::table(&report.builds), moves::table(&report.moves));
    match wanted.json.as_deref() {
        None => Ok(()),
        Some(path) => {
            let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
            if path == "-" {
                println!("{text}");
                return Ok(());
            }
            std::fs::write(path, text).map_err(|error| format!("{path}: {error}"))
        }
    }
}

fn parse(words: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let mut wanted = Wanted { worlds: Vec::new(), rounds: 3, json: None };
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut values = || values_of(&word, &mut words);
        match word.as_str() {
            "--world" => wanted.worlds.extend(values()?),
            "--rounds" => wanted.rounds = number::<usize>(&one(values()?)?)?.max(1),
            "--json" => wanted.json = Some(one(values()?)?),
            "--help" => return Err(USAGE.into()),
            _ => return Err(format!("{word} is not known\n{USAGE}")),
        }
    }
    Ok(wanted)
}
