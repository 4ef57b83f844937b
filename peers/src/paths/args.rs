//! The command line after `paths`.

use std::path::PathBuf;

use crate::words::{number, numbers, one, values_of};

/// What the caller asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct PathArgs {
    /// Maps by name; all where empty.
    pub maps: Vec<String>,
    /// Radii; all that the planners are measured at where empty.
    pub radii: Vec<f64>,
    /// Planners by name; all where empty.
    pub only: Vec<String>,
    /// The data folder, where it is not the usual one.
    pub data: Option<PathBuf>,
    /// How often every query runs.
    pub rounds: usize,
    /// At most so many queries of each map, spread evenly over its list.
    pub queries: Option<usize>,
    /// Where to write the JSON table.
    pub json: Option<PathBuf>,
    /// Whether to measure growth on generated worlds instead of the maps.
    pub scale: bool,
    /// True if buildings of several storeys are measured instead of the maps.
    pub buildings: bool,
    /// Vertex counts of the generated worlds.
    pub sizes: Vec<usize>,
}

impl Default for PathArgs {
    fn default() -> PathArgs {
        PathArgs {
            maps: Vec::new(),
            radii: Vec::new(),
            only: Vec::new(),
            data: None,
            rounds: 3,
            queries: None,
            json: None,
            scale: false,
            buildings: false,
            sizes: vec![10_000, 100_000, 1_000_000],
        }
    }
}

/// The options, for `--help` and for a caller who mistyped.
pub const USAGE: &str = "\
Options of paths (lists are separated by blanks or commas):
  --map NAME...   only these maps
  --radius R...   only these radii
  --only PEER...  only these planners; ratios need polyanya among them
  --data DIR      the data folder, instead of CLEARWAY_DATA
  --rounds N      how often every query runs, the least time counts (3)
  --queries N     at most so many queries of each map, spread evenly
  --json FILE     also write the results as JSON; - prints them
  --buildings     buildings of several storeys instead of the maps
  --scale         growth on generated worlds instead of the maps
  --sizes A,B,C   vertex counts of those worlds (10000,100000,1000000)";

impl PathArgs {
    /// Reads the arguments after the word `paths`.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<PathArgs, String> {
        let mut args = PathArgs::default();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let mut values = || values_of(&word, &mut words);
            match word.as_str() {
                "--map" => args.maps.extend(values()?),
                "--radius" => args.radii.extend(numbers::<f64>(&values()?)?),
                "--only" => args.only.extend(values()?),
                "--data" => args.data = Some(one(values()?)?.into()),
                "--rounds" => args.rounds = number::<usize>(&one(values()?)?)?.max(1),
                "--queries" => args.queries = Some(number(&one(values()?)?)?),
                "--json" => args.json = Some(one(values()?)?.into()),
                "--buildings" => args.buildings = true,
                "--scale" => args.scale = true,
                "--sizes" => args.sizes = numbers(&values()?)?,
                "--help" | "-h" => return Err(USAGE.into()),
                _ => return Err(format!("unknown option {word}\n{USAGE}")),
            }
        }
        Ok(args)
    }

    /// Whether a planner is asked for.
    pub fn wants_peer(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Whether a map is asked for.
    pub fn wants_map(&self, name: &str) -> bool {
        self.maps.is_empty() || self.maps.iter().any(|map| map == name)
    }

    /// Whether a radius is asked for.
    pub fn wants_radius(&self, radius: f64) -> bool {
        self.radii.is_empty() || self.radii.contains(&radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<PathArgs, String> {
        PathArgs::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn lists_end_at_the_next_option() {
        let args = parse("--map arena Aurora --radius 0,1.5 --rounds 7 --json -").unwrap();
        assert!(args.wants_map("Aurora") && !args.wants_map("brc202d"));
        assert!(args.wants_radius(1.5) && !args.wants_radius(0.45));
        assert_eq!((args.rounds, args.json), (7, Some("-".into())));
        assert!(
            parse("--map --scale").is_err() && parse("--rounds 1 2").is_err() && parse("--fast").is_err()
        );
    }
}
