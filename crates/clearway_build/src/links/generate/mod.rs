//! Finds links in the scene: drops from ledges and jumps across gaps.
//!
//! Every wall of the mesh may be a ledge. From points along it, straight away from it, the first landings are looked
//! for ([`ledges`]). The space that the body needs on its way must be free of triangles ([`flight`]). Of all leaps that
//! are possible, few are kept ([`choice`]): where walking takes much longer, and one for many that lie side by side.
//!
//! Invariant: the same mesh, scene and rules give the same links in the same order. Cost: about one sample per radius
//! of wall, each of which examines the triangles around its way. The design stands in `docs/decisions/links.md`.

mod choice;
mod flight;
mod ledges;
mod report;
#[cfg(test)]
mod tests;

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::parallel::in_pool;
use clearway_nav::mesh::{Link, LinkKind, MAX_LINKS, NavMesh};
use clearway_world::scene::Scene;
pub use report::LeftOut;
use serde::Serialize;
use std::collections::BTreeSet;

/// The abilities of a body that jumps and drops, and how many links are kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JumpRules {
    /// The widest gap that it jumps over, from edge to edge, in metres. With 0 it only jumps up and down steps.
    pub jump_distance: f64,
    /// The greatest height that it jumps up or down, in metres. With 0 it does not jump at all.
    pub jump_height: f64,
    /// The greatest height from which it drops, in metres.
    pub drop_height: f64,
    /// The head-room that it needs, in metres.
    pub height: f64,
    /// Its radius in metres. Links end where such a body can stand, and take bodies up to it.
    pub radius: f64,
    /// Obstacles that rise less than this above its feet do not hinder it, in metres.
    pub max_step: f64,
    /// A link is kept only where walking takes more than this many times its length.
    pub detour: f64,
    /// Links that join the same pieces of the mesh are at least this far apart, in metres.
    pub spacing: f64,
    /// Links from pieces of the mesh smaller than this, in square metres, are kept only where a leap or link leads up
    /// to the piece. Nobody drops from a table top that nobody gets onto. The largest piece always counts.
    pub min_island: f64,
    /// The most links that are found.
    pub max_links: usize,
}

clearway_base::setters!(JumpRules {
    jump_distance: f64,
    jump_height: f64,
    drop_height: f64,
    height: f64,
    radius: f64,
    max_step: f64,
    detour: f64,
    spacing: f64,
    min_island: f64,
    max_links: usize,
});

impl Default for JumpRules {
    fn default() -> JumpRules {
        JumpRules {
            jump_distance: 2.0,
            jump_height: 0.8,
            drop_height: 3.0,
            height: 2.0,
            radius: 0.3,
            max_step: 0.4,
            detour: 3.0,
            spacing: 5.0,
            min_island: 4.0,
            max_links: 1000,
        }
    }
}

impl JumpRules {
    /// Fails if a rule makes no sense. The message names the rule.
    pub fn validate(&self) -> Result<()> {
        let ranges = [
            ("jump distance", self.jump_distance, 0.0, 100.0),
            ("jump height", self.jump_height, 0.0, 100.0),
            ("drop height", self.drop_height, 0.0, 1000.0),
            ("height", self.height, 0.01, 1000.0),
            ("radius", self.radius, 0.01, 100.0),
            ("max step", self.max_step, 0.0, 1000.0),
            ("detour", self.detour, 1.0, 1e6),
            ("spacing", self.spacing, 0.1, 1e6),
            ("smallest island", self.min_island, 0.0, 1e12),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                let message = format!("the {name} is {value}; it must lie between {least} and {most}");
                return Err(Error::new(ErrorKind::Options, message));
            }
        }
        if self.max_step >= self.height {
            let message =
                format!("the max step {} must be less than the height {}", self.max_step, self.height);
            return Err(Error::new(ErrorKind::Options, message));
        }
        Ok(())
    }

    /// Returns the farthest distance of a landing from the edge, in metres. Where nothing is jumped it is at least a
    /// radius or half a metre: bodies do not fall straight down.
    fn drop_reach(&self) -> f64 {
        self.jump_distance.max(self.radius).max(0.5)
    }
}

/// Finds drops and jumps on the mesh of a scene. They are not added to the mesh: the caller does that with
/// [`NavMesh::add_links`] and may leave some out.
///
/// Their names are `drop 0`, `jump 0` and so on; names that links of the mesh have are skipped. Where the mesh has a
/// jump or a drop already, none is found beside it. The same mesh, scene and rules give the same links in the same
/// order. The mesh of a plan has no ledges.
pub fn generate_links(mesh: &NavMesh, scene: &Scene, rules: &JumpRules) -> Result<Vec<Link>> {
    generate_links_with_report(mesh, scene, rules).map(|(links, _)| links)
}

/// As [`generate_links`], and reports the leaps that are possible and were left out.
pub fn generate_links_with_report(
    mesh: &NavMesh,
    scene: &Scene,
    rules: &JumpRules,
) -> Result<(Vec<Link>, Vec<LeftOut>)> {
    rules.validate()?;
    if !mesh.has_heights() {
        return Ok(Default::default());
    }
    Ok(in_pool(|| found_links(mesh, scene, rules)))
}

/// Finds, chooses and names the links.
fn found_links(mesh: &NavMesh, scene: &Scene, rules: &JumpRules) -> (Vec<Link>, Vec<LeftOut>) {
    let obstacles = flight::Obstacles::of(mesh, scene);
    let leaps = ledges::find(mesh, &obstacles, rules);
    // Links that the mesh has already count towards its limit.
    let room = MAX_LINKS - mesh.parts().links.len().min(MAX_LINKS);
    let (chosen, left_out) = choice::choose(mesh, leaps, rules, rules.max_links.min(room));
    let mut taken: BTreeSet<String> = mesh.parts().links.iter().map(|link| link.name.clone()).collect();
    let mut numbers = [0u32; 2];
    let mut name = |kind: &LinkKind| loop {
        let number = &mut numbers[usize::from(*kind == LinkKind::Jump)];
        let name = format!("{kind} {number}");
        *number += 1;
        if taken.insert(name.clone()) {
            return name;
        }
    };
    let link = |leap: &ledges::Leap| Link {
        max_radius: Some(rules.radius),
        ..Link::new(name(&leap.kind), leap.kind.clone(), leap.from.in_space(mesh), leap.to.in_space(mesh))
    };
    (chosen.iter().map(link).collect(), left_out)
}
