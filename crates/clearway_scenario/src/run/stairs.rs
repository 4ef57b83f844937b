//! Stairs on which nothing slows people down, because no zone lies on them.

use super::Run;
use super::outcome::people_in_words;
use crate::slope::{STAIRS, steepness};
use clearway_crowd::Activity;
use clearway_nav::Location;

/// The time in seconds between two looks at the ground under people: nobody is over a flight of stairs sooner.
const LOOK: f64 = 0.5;

/// The difference in metres between the height of a zone and the ground that belongs to it, as in the engine.
const ZONE_HEIGHT: f64 = 1.25;

impl Run<'_> {
    /// Notes who walks over stairs on which no zone lies.
    pub(super) fn watch_stairs(&mut self) {
        let every = (LOOK / self.scenario.run.dt).round().max(1.0) as u64;
        if !self.mesh.has_heights() || !self.steps.is_multiple_of(every) {
            return;
        }
        let walking = self.crowd.agents().filter(|agent| agent.activity == Activity::Walking);
        let found: Vec<(u32, Location)> = walking
            .filter(|agent| !self.on_stairs.0.contains(&agent.tag) && !self.in_zone(agent.at))
            .filter(|agent| steepness(&self.mesh, agent.at) > STAIRS)
            .map(|agent| (agent.tag, agent.at))
            .collect();
        for (person, at) in found {
            self.on_stairs.0.insert(person);
            self.on_stairs.1.get_or_insert(at);
        }
    }

    /// True if some zone lies at a place.
    fn in_zone(&self, at: Location) -> bool {
        self.scenario.zones.iter().any(|zone| {
            let is_near = |height: f64| (height - self.mesh.height(at)).abs() <= ZONE_HEIGHT;
            zone.area.holds(at.position()) && zone.area.height().is_none_or(is_near)
        })
    }

    /// Returns a remark about people who walked over stairs as fast as on level ground.
    pub(super) fn stairs_note(&self) -> Option<String> {
        let (people, first) = &self.on_stairs;
        let at = (*first)?;
        let [x, y] = at.position();
        let height = self.mesh.height(at);
        Some(format!(
            "{} walked over stairs or steep ground without a [[zone]], as fast as on level ground: for instance \
             at ({x:.1}, {height:.1}, {:.1}); a zone with stairs = \"fruin-inside-30-50\" slows them down",
            people_in_words(people.len()),
            0.0 - y
        ))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Example, Ground, Run, Scenario};

    /// Runs the example of a house with some people, and returns whether a remark tells of its stairs.
    fn tells_of_stairs(text: &str) -> bool {
        let scratch = clearway_scenes::Scratch::new("stairs");
        let house = clearway_scenes::building(clearway_scenes::BuildingOptions::default(), 1);
        scratch.write("building.obj", house.soup.to_obj().as_bytes());
        let scenario = Scenario::parse("b.toml", scratch.folder().to_path_buf(), text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        // Nobody starts on stairs.
        assert!(run.crowd().agents().all(|agent| crate::slope::steepness(run.mesh(), agent.at) < 0.3));
        let outcome = run.finish(|_| Ok(true)).unwrap();
        outcome.notes.iter().any(|note| note.contains("without a [[zone]]"))
    }

    #[test]
    fn stairs_without_a_zone_are_told_of() {
        let text = Example::named("building").unwrap().text.replace("count = 200", "count = 30");
        assert!(!tells_of_stairs(&text));
        let (before, zone) = text.split_once("[[zone]]").unwrap();
        let after = zone.find("\n[[").map_or("", |next| &zone[next..]);
        assert!(tells_of_stairs(&format!("{before}{after}")));
    }
}
