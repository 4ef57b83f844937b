//! The command line.

use std::path::PathBuf;

use crate::memory::CHILD_FLAG;

/// What the caller asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Args {
    /// Rounds of interleaved builds.
    pub rounds: usize,
    /// Where to write the JSON table.
    pub json: Option<PathBuf>,
    /// Peers by name; all where empty.
    pub only: Vec<String>,
    /// Inputs by name; all where empty.
    pub plans: Vec<String>,
    /// Vertex counts of the growth table.
    pub sizes: Vec<usize>,
    /// Whether to measure peak memory.
    pub memory: bool,
    /// Whether this process is the child that measures one peak.
    pub child: bool,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            rounds: 5,
            json: None,
            only: Vec::new(),
            plans: Vec::new(),
            sizes: vec![10_000, 100_000, 1_000_000],
            memory: true,
            child: false,
        }
    }
}

/// The options, for `--help` and for a caller who mistyped.
pub const USAGE: &str = "\
Options:
  --rounds N      rounds of interleaved builds (5)
  --json FILE     also write the results as JSON; - prints them
  --only PEER     measure only this peer (may be repeated)
  --plan NAME     measure only this input (may be repeated); leaves out growth and memory
  --sizes A,B,C   vertex counts of the growth table (10000,100000,1000000); empty for none
  --no-memory     leave out the peak memory table
The word paths in front measures planners instead: paths --help
The word scenes in front measures builders on 3D scenes: scenes --help";

impl Args {
    /// Reads the arguments after the program's name.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Args, String> {
        let mut args = Args::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--rounds" => args.rounds = number(&value()?)?.max(1),
                "--json" => args.json = Some(value()?.into()),
                "--only" => args.only.push(value()?),
                "--plan" => args.plans.push(value()?),
                "--sizes" => args.sizes = numbers(&value()?)?,
                "--no-memory" => args.memory = false,
                CHILD_FLAG => args.child = true,
                "--help" | "-h" => return Err(USAGE.into()),
                _ => return Err(format!("unknown option {word}\n{USAGE}")),
            }
        }
        Ok(args)
    }

    /// Whether a peer is asked for.
    pub fn wants_peer(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Whether an input is asked for.
    pub fn wants_plan(&self, name: &str) -> bool {
        self.plans.is_empty() || self.plans.iter().any(|plan| plan == name)
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text} is not a number"))
}

fn numbers(text: &str) -> Result<Vec<usize>, String> {
    text.split(',').filter(|part| !part.is_empty()).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, String> {
        Args::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_read_and_unknown_ones_refused() {
        let args = parse("--rounds 3 --only hm --plan arena --sizes 10,20").unwrap();
        assert_eq!((args.rounds, args.sizes.as_slice()), (3, [10, 20].as_slice()));
        assert!(args.wants_peer("hm") && !args.wants_peer("cdt") && !args.wants_plan("aurora"));
        assert!(parse("--fast").is_err() && parse("--rounds many").is_err() && parse("--json").is_err());
    }
}
