//! What a recording asks of a run: the shortest way that somebody could have walked, and who has no way now.

use super::Run;
use clearway_nav::Location;
use std::sync::Arc;

/// The place on a mesh where somebody came in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The number of the mesh.
    mesh: u64,
    /// The place on it.
    at: Location,
}

impl Run<'_> {
    /// Takes note of a place on the mesh as it is now.
    pub(super) fn start_at(&self, at: Location) -> Start {
        Start { mesh: self.mesh.graph().serial, at }
    }

    /// Returns the length in the plan of the shortest way from where somebody came in to the place at which the journey
    /// ended. It cannot be told of a journey of several stages, and if the ground changed on the way.
    pub(super) fn way_of(&mut self, person: u32) -> Option<f64> {
        let who = self.people.get(person as usize)?;
        let is_same = who.start.mesh == self.mesh.graph().serial;
        if !is_same || who.stage > 0 {
            return None;
        }
        let (at, radius, goal) = (who.start.at, who.radius, *self.goals.get(who.target?)?);
        let mesh = Arc::clone(&self.mesh);
        self.crowd.way_left(&mesh, at, radius, goal)
    }

    /// Returns the indices of the people whose goal cannot be reached at present, in order.
    pub fn people_without_a_way(&self) -> impl Iterator<Item = u32> + '_ {
        self.lost()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ground, Outcome, Run, Scenario};

    /// A room of 12 m by 8 m with exits at both ends, and ten people who are nearer to the west.
    const ROOM: &str = "
[world]
wkt = 'POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))'
[run]
dt = 0.1
limit = 120
[[exit]]
name = 'west'
rectangle = [[0, 3], [0.6, 5]]
[[exit]]
name = 'east'
rectangle = [[11.4, 3], [12, 5]]
[[area]]
name = 'desk'
rectangle = [[5, 6], [7, 7.5]]
[[source]]
rectangle = [[3, 1], [5, 5]]
count = 10
";

    /// Returns the shortest ways of all people, with the straight distance from their start to the east.
    fn ways(text: &str) -> Vec<(Option<f64>, f64)> {
        let scenario = Scenario::parse("s.toml", "".into(), &format!("{ROOM}{text}")).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        run.finish(|_| Ok(true)).unwrap();
        let people = run.people().iter();
        people.map(|who| (who.way, 11.4 - who.start.at.position()[0])).collect()
    }

    /// The shortest way led to the goal that was chosen at first: some came out shorter than the straight line.
    #[test]
    fn the_shortest_way_leads_to_the_goal_that_was_reached() {
        let near = ways("goal = ['west', 'east']\n");
        assert!(near.iter().all(|(way, _)| way.unwrap() < 5.5), "{near:?}");
        let scenario = ROOM
            .replace("rectangle = [[0, 3], [0.6, 5]]", "rectangle = [[0, 3], [0.6, 5]]\nclosed = [[1, 120]]");
        let scenario =
            Scenario::parse("s.toml", "".into(), &format!("{scenario}goal = ['west', 'east']\n")).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let outcome = run.finish(|_| Ok(true)).unwrap();
        assert_eq!(outcome.exits[1].people, 10, "{outcome:?}");
        for who in run.people() {
            let straight = 11.4 - who.start.at.position()[0];
            assert!(who.way.unwrap() > straight - 1e-3, "{who:?} {straight}");
        }
    }

    #[test]
    fn the_shortest_way_of_a_journey_with_stages_is_not_told() {
        let text = "journey = 'j'\n[[journey]]\nname = 'j'\nstages = ['desk', 'east']\n";
        assert!(ways(text).iter().all(|(way, _)| way.is_none()));
    }

    /// What was planned stands apart from what went wrong.
    #[test]
    fn remarks_about_doors_exits_and_events_are_planned() {
        let text = ROOM
            .replace("rectangle = [[0, 3], [0.6, 5]]", "rectangle = [[0, 3], [0.6, 5]]\nclosed = [[1, 2]]")
            + "goal = 'east'\n[[door]]\nname = 'gate'\nline = [[9, 0], [9, 8]]\nclosed = [[0, 3]]\n\
               [[event]]\nat = 1\nadd = 'crate'\nbox = { centre = [8, 2], size = [0.5, 0.5] }\n";
        let scenario = Scenario::parse("s.toml", "".into(), &text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        let planned = outcome.notes.iter().filter(|note| Outcome::is_planned(note)).count();
        assert!(planned >= 5, "{:?}", outcome.notes);
        assert!(!Outcome::is_planned("no open goal from 2.0 s on: 3 people; they walk near and wait"));
        assert!(!Outcome::is_planned("door \"gate\": nobody of radius 0.20 m can get through"));
    }
}
