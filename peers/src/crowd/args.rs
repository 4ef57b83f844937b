//! The command line after `crowd`, `crowd-large` and `crowd-thesis`.

use std::path::PathBuf;

use super::scaling::CHILD_FLAG;
use crate::words::{number, numbers, one, values_of};

/// What the caller asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdArgs {
    /// Scenes by name; all where empty.
    pub scenes: Vec<String>,
    /// Engines by name; all where empty.
    pub only: Vec<String>,
    /// Numbers of bodies; those of the subcommand where empty.
    pub sizes: Vec<usize>,
    /// The number of interleaved rounds.
    pub rounds: usize,
    /// Where to write the JSON table.
    pub json: Option<PathBuf>,
    /// Simulated seconds of a run, where they are not the usual ones.
    pub seconds: Option<f64>,
    /// The folder for pictures.
    pub pictures: Option<PathBuf>,
    /// Threads of the large runs.
    pub threads: usize,
    /// True for the child process that measures the time of a step.
    pub child: bool,
}

impl Default for CrowdArgs {
    fn default() -> CrowdArgs {
        CrowdArgs {
            scenes: Vec::new(),
            only: Vec::new(),
            sizes: Vec::new(),
            rounds: 3,
            json: None,
            seconds: None,
            pictures: None,
            threads: 2,
            child: false,
        }
    }
}

/// The options, for `--help` and for a caller who mistyped.
pub const USAGE: &str = "\
Options of crowd, crowd-large and crowd-thesis (lists are separated by blanks or commas):
  --scene NAME...   only these scenes, for instance disc-0.5, disc-2.0, room-2.0, city, building, donut, cross
  --only PEER...    only these engines or models; ratios need dodgy_2d and jupedsim among them
  --sizes A,B,C     numbers of bodies, instead of those of the table
  --rounds N        interleaved rounds, the least time counts (3)
  --seconds S       simulated seconds of a run
  --threads N       threads of crowd-large (2)
  --pictures DIR    also draw pictures into this folder (crowd-thesis)
  --json FILE       also write the results as JSON; - prints them";

impl CrowdArgs {
    /// Reads the arguments after the subcommand.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<CrowdArgs, String> {
        let mut args = CrowdArgs::default();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let mut values = || values_of(&word, &mut words);
            match word.as_str() {
                "--scene" => args.scenes.extend(values()?),
                "--only" => args.only.extend(values()?),
                "--sizes" => args.sizes = numbers(&values()?)?,
                "--rounds" => args.rounds = number::<usize>(&one(values()?)?)?.max(1),
                "--seconds" => args.seconds = Some(number(&one(values()?)?)?),
                "--threads" => args.threads = number::<usize>(&one(values()?)?)?.max(1),
                "--pictures" => args.pictures = Some(one(values()?)?.into()),
                CHILD_FLAG => args.child = true,
                "--json" => args.json = Some(one(values()?)?.into()),
                "--help" | "-h" => return Err(USAGE.into()),
                _ => return Err(format!("unknown option {word}\n{USAGE}")),
            }
        }
        Ok(args)
    }

    /// True if an engine is asked for. Names are compared without blanks and capitals.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| plain(name).starts_with(&plain(only)))
    }

    /// True if a scene is asked for.
    pub fn wants_scene(&self, name: &str) -> bool {
        self.scenes.is_empty() || self.scenes.iter().any(|only| plain(only) == plain(name))
    }

    /// The numbers of bodies that are asked for.
    pub fn sizes_or(&self, usual: &[usize]) -> Vec<usize> {
        if self.sizes.is_empty() { usual.to_vec() } else { self.sizes.clone() }
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_blanks() {
        let words = "--scene disc-0.5 --only dodgy_2d jupedsim --sizes 10,20 --rounds 0";
        let args = CrowdArgs::parse(words.split(' ').map(str::to_owned)).unwrap();
        assert!(args.wants_scene("disc 0.5") && !args.wants_scene("disc 2.0"));
        assert!(args.wants("JuPedSim CFSM") && !args.wants("dtCrowd"));
        assert_eq!((args.sizes_or(&[1]), args.rounds), (vec![10, 20], 1));
        assert!(CrowdArgs::parse(["--fast".to_string()]).is_err());
    }
}
