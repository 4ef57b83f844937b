//! Scenarios to begin with: files with comments that run as they are.

/// A scenario to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its name.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// The text of the file.
    pub text: &'static str,
    /// The file of the world that it needs beside it; `None` if its world is in the file.
    pub world: Option<&'static str>,
}

/// All examples.
pub const EXAMPLES: [Example; 5] = [
    Example {
        name: "room",
        about: "a room with a door",
        text: include_str!("examples/room.toml"),
        world: None,
    },
    Example {
        name: "corridor",
        about: "a corridor with people in both directions",
        text: include_str!("examples/corridor.toml"),
        world: None,
    },
    Example {
        name: "station",
        about: "a station hall with trains, tickets and a choice of exits",
        text: include_str!("examples/station.toml"),
        world: None,
    },
    Example {
        name: "breach",
        about: "a hall whose door is locked until a wall falls",
        text: include_str!("examples/breach.toml"),
        world: None,
    },
    Example {
        name: "building",
        about: "a house of three storeys with stairs",
        text: include_str!("examples/building.toml"),
        world: Some("building.obj"),
    },
];

impl Example {
    /// Returns the example with a name.
    pub fn named(name: &str) -> Option<Example> {
        EXAMPLES.into_iter().find(|example| example.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ground, Run, Scenario, Verdict};

    #[test]
    fn everybody_arrives_in_every_example_without_a_scene() {
        for example in EXAMPLES.into_iter().filter(|example| example.world.is_none()) {
            let mut scenario = Scenario::parse(example.name, "".into(), example.text).unwrap();
            // Coarser than written, so that the test is quick.
            scenario.run.dt = 0.1;
            let ground = Ground::load(&scenario, None).unwrap();
            let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
            assert_eq!(outcome.verdict, Some(Verdict::Arrived), "{}: {outcome:?}", example.name);
            assert!(outcome.people >= 80 && outcome.left_out == 0, "{}: {outcome:?}", example.name);
        }
    }

    #[test]
    fn everybody_leaves_the_house_by_its_stairs() {
        let example = Example::named("building").unwrap();
        let scratch = clearway_scenes::Scratch::new("example_building");
        let house = clearway_scenes::building(clearway_scenes::BuildingOptions::default(), 1);
        scratch.write("building.obj", house.soup.to_obj().as_bytes());
        let mut scenario = Scenario::parse("b.toml", scratch.folder().to_path_buf(), example.text).unwrap();
        scenario.run.dt = 0.1;
        if let crate::Supply::Count { count, .. } = &mut scenario.sources[0].supply {
            *count = 40;
        }
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let floors = run.crowd().agents().filter(|agent| run.mesh().height(agent.at) > 2.0).count();
        assert!(floors > 10, "{floors} start upstairs");
        let outcome = run.finish(|_| Ok(true)).unwrap();
        assert!(outcome.arrived == 40 && outcome.lost == 0, "{outcome:?}");
    }
}
