//! Our builder: the only place of `scenes` that knows how clearway builds from a scene.

use clearway::{Scene, WalkRules};

use super::builder::{Builder, Built, Run};
use super::world::World;
use crate::clock::timed;

/// Walkable surface, then cells, heights included.
pub struct Ours;

impl Builder for Ours {
    fn name(&self) -> &'static str {
        "clearway"
    }

    fn build(&self, world: &World) -> Result<Run, String> {
        let (built, time) = timed(|| ours(&world.scene, &world.rules));
        let built = built?.ok_or("no builder for scenes yet")?;
        Ok(Run { cells_time: time, full_time: time, built })
    }
}

/// The whole build, all of it timed. `None` as long as clearway cannot extract surfaces.
fn ours(_scene: &Scene, _rules: &WalkRules) -> Result<Option<Built>, String> {
    Ok(None)
}
