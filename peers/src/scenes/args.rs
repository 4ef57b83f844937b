//! The command line after `scenes`.

use std::path::PathBuf;

use crate::memory::CHILD_FLAG;
use crate::words::{number, one, values_of};

/// What the caller asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneArgs {
    /// Scenes by name; all where empty.
    pub scenes: Vec<String>,
    /// Builders by name; all where empty.
    pub only: Vec<String>,
    /// The data folder, where it is not the usual one.
    pub data: Option<PathBuf>,
    /// Rounds of interleaved builds.
    pub rounds: usize,
    /// Where to write the JSON table.
    pub json: Option<PathBuf>,
    /// Whether to measure peak memory.
    pub memory: bool,
    /// Whether this process is the child that measures one peak.
    pub child: bool,
}

impl Default for SceneArgs {
    fn default() -> SceneArgs {
        SceneArgs {
            scenes: Vec::new(),
            only: Vec::new(),
            data: None,
            rounds: 3,
            json: None,
            memory: true,
            child: false,
        }
    }
}

/// The options, for `--help` and for a caller who mistyped.
pub const USAGE: &str = "\
Options of scenes (lists are separated by blanks or commas):
  --scene NAME...  only these scenes
  --only PEER...   only these builders; ratios need recast-0.3 and recast-0.1 among them
  --data DIR       the data folder, instead of CLEARWAY_DATA
  --rounds N       rounds of interleaved builds, the least time counts (3)
  --json FILE      also write the results as JSON; - prints them
  --no-memory      leave out peak memory";

impl SceneArgs {
    /// Reads the arguments after the word `scenes`.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<SceneArgs, String> {
        let mut args = SceneArgs::default();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let mut values = || values_of(&word, &mut words);
            match word.as_str() {
                "--scene" => args.scenes.extend(values()?),
                "--only" => args.only.extend(values()?),
                "--data" => args.data = Some(one(values()?)?.into()),
                "--rounds" => args.rounds = number::<usize>(&one(values()?)?)?.max(1),
                "--json" => args.json = Some(one(values()?)?.into()),
                "--no-memory" => args.memory = false,
                CHILD_FLAG => args.child = true,
                "--help" | "-h" => return Err(USAGE.into()),
                _ => return Err(format!("unknown option {word}\n{USAGE}")),
            }
        }
        Ok(args)
    }

    /// Whether a builder is asked for.
    pub fn wants_builder(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Whether a scene is asked for.
    pub fn wants_scene(&self, name: &str) -> bool {
        self.scenes.is_empty() || self.scenes.iter().any(|scene| scene == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_and_builders_are_lists() {
        let words = "--scene nav_test dungeon --only recast-0.3 --rounds 0 --no-memory";
        let args = SceneArgs::parse(words.split_whitespace().map(str::to_owned)).unwrap();
        assert!(args.wants_scene("dungeon") && !args.wants_scene("zdm2"));
        assert!(args.wants_builder("recast-0.3") && !args.wants_builder("clearway"));
        assert_eq!((args.rounds, args.memory, args.child), (1, false, false));
        assert!(SceneArgs::parse(["--fast".to_owned()]).is_err());
    }
}
