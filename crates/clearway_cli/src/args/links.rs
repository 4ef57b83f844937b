//! Links on the command line: those that `build` takes, and those that `path` and `draw` use.

use super::number::{length, side};
use crate::failure::{Failure, Result};
use clap::Args;
use clearway::links::USUAL_SNAP;
use clearway::{JumpRules, LinkKind, LinkUse, NavMesh, WalkRules};
use std::path::PathBuf;

/// The height of jumps in metres if none is given and steps have none: level floors are never quite level.
const LEVEL: f64 = 0.01;

/// Which links a mesh gets.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Links")]
pub struct LinkRules {
    /// Read links from this TOML file; by default from IN.links.toml beside the input, if it exists
    #[arg(long, value_name = "FILE")]
    pub links: Option<PathBuf>,
    /// Ignore a file of links beside the input
    #[arg(long, conflicts_with = "links")]
    pub no_links: bool,
    /// How far link ends from the file may be moved to reach the mesh, in metres; 0.5 by default
    #[arg(long, value_name = "METRES", value_parser = length, allow_hyphen_values = true)]
    link_snap: Option<f64>,
    /// Find jumps across gaps up to this wide, in metres; scenes only
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    jump_distance: Option<f64>,
    /// Find jumps up to this high, in metres; with --jump-distance alone as high as a step; scenes only
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    jump_height: Option<f64>,
    /// Find drops from ledges up to this high, in metres; scenes only
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    drop_height: Option<f64>,
    /// The radius of the largest body that can use the jumps and drops found, in metres; 0.3 by default
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    link_radius: Option<f64>,
}

impl LinkRules {
    /// Returns the first option that was given and makes sense for scenes only.
    pub fn given_for_scenes(&self) -> Option<&'static str> {
        super::build::first_given(&[
            ("--jump-distance", self.jump_distance.is_some()),
            ("--jump-height", self.jump_height.is_some()),
            ("--drop-height", self.drop_height.is_some()),
            ("--link-radius", self.link_radius.is_some()),
        ])
    }

    /// Returns the distance in metres by which ends of links may be moved; fails if it was given and no file has links.
    pub fn snap(&self, has_file: bool) -> Result<f64> {
        match self.link_snap {
            Some(snap) if !has_file => {
                let message = format!(
                    "--link-snap {snap} is for links of a file, and there is none; name one with --links FILE"
                );
                Err(Failure::new(message))
            }
            snap => Ok(snap.unwrap_or(USUAL_SNAP)),
        }
    }

    /// Returns the rules of the leaps to look for; `None` if none are looked for.
    pub fn leaps(&self, walking: &WalkRules) -> Result<Option<JumpRules>> {
        let WalkRules { height, max_step, .. } = *walking;
        if [self.jump_distance, self.jump_height, self.drop_height] == [None; 3] {
            return match self.link_radius {
                None => Ok(None),
                Some(radius) => {
                    let needed = "--jump-distance, --jump-height or --drop-height";
                    Err(Failure::new(format!(
                        "--link-radius {radius} needs {needed}: no links are looked for"
                    )))
                }
            };
        }
        if let Some(drop) = self.drop_height.filter(|drop| *drop <= max_step) {
            let message =
                format!("--drop-height {drop} must be more than --max-step {max_step}, which is walked");
            return Err(Failure::new(message));
        }
        let default = JumpRules::default();
        let level = self.jump_distance.map_or(0.0, |_| max_step.max(LEVEL));
        let rules = default
            .clone()
            .jump_distance(self.jump_distance.unwrap_or(0.0))
            .jump_height(self.jump_height.unwrap_or(level))
            .drop_height(self.drop_height.unwrap_or(0.0))
            .height(height)
            .radius(self.link_radius.unwrap_or(default.radius))
            .max_step(max_step);
        rules.validate()?;
        Ok(Some(rules))
    }
}

/// Returns the choice itself, unless it names an unknown kind that the mesh does not have.
pub fn known_links(choice: &LinkUse, mesh: &NavMesh) -> Result<LinkUse> {
    let LinkUse::Only(kinds) = choice else { return Ok(choice.clone()) };
    let mut known: Vec<LinkKind> = mesh.links().map(|link| link.kind).collect();
    known.sort();
    known.dedup();
    let strange = |kind: &&LinkKind| matches!(kind, LinkKind::Other(_)) && !known.contains(kind);
    match kinds.iter().find(strange) {
        None => Ok(choice.clone()),
        Some(kind) => {
            let names: Vec<&str> = known.iter().map(LinkKind::name).collect();
            let has = if names.is_empty() { "no links".to_string() } else { names.join(", ") };
            let kind = clearway_base::file::quoted(kind.name());
            Err(Failure::new(format!("--links: there is no link of kind {kind}; the mesh has {has}")))
        }
    }
}

/// Reads `all`, `none` or kinds with commas between them.
pub fn link_choice(text: &str) -> std::result::Result<LinkUse, String> {
    let kinds: Vec<&str> = text.split(',').map(str::trim).collect();
    match kinds[..] {
        ["all"] => Ok(LinkUse::All),
        ["none"] => Ok(LinkUse::None),
        _ if kinds.iter().any(|kind| ["", "all", "none"].contains(kind)) => {
            Err("expected all, none, or kinds of links with commas between them, as in ladder,drop".into())
        }
        _ => Ok(LinkUse::Only(kinds.into_iter().map(LinkKind::from_name).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_all_none_or_kinds() {
        assert_eq!(link_choice("all"), Ok(LinkUse::All));
        assert_eq!(link_choice("none"), Ok(LinkUse::None));
        let kinds = vec![LinkKind::Ladder, LinkKind::Other("zip line".into())];
        assert_eq!(link_choice("ladder, zip line"), Ok(LinkUse::Only(kinds)));
        for bad in ["", ",", "ladder,", "all,drop", "drop,none"] {
            assert!(link_choice(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn leaps_are_looked_for_only_when_asked() {
        let walking = WalkRules::default();
        assert_eq!(LinkRules::default().leaps(&walking).unwrap(), None);
        let drops = LinkRules { drop_height: Some(3.0), ..LinkRules::default() };
        let rules = drops.leaps(&walking).unwrap().unwrap();
        assert_eq!((rules.jump_distance, rules.jump_height, rules.drop_height), (0.0, 0.0, 3.0));
        let jumps = LinkRules { jump_distance: Some(2.0), ..LinkRules::default() };
        let rules = jumps.leaps(&walking).unwrap().unwrap();
        assert_eq!((rules.jump_height, rules.drop_height, rules.height), (walking.max_step, 0.0, 2.0));
    }
}
