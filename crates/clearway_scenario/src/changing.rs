//! A world that events and doors change while a run goes on: a live mesh, its doors, and the events that were made.
//!
//! Events depend on nothing but the time. So they are all tried once before the first run, and an event that cannot be
//! made is told before anybody walks.

use crate::ground::Ground;
use crate::scenario::{Door, DoorBar, Scenario};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_live::{Anchor, DoorId, Edit, Figure, LiveMesh, ScriptRun};
use clearway_nav::{Link, NavMesh};
use std::sync::Arc;

/// Something that stands in the way for a part of the events: an obstacle, or a door that is closed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Barrier {
    /// Its name, its outline and its floor.
    pub figure: Figure,
    /// The numbers of events after which it stood, each with the number after which it was gone; none if it stays.
    pub stood: Vec<(usize, Option<usize>)>,
}

impl Barrier {
    /// True if it stands after so many events.
    pub fn stands(&self, events: usize) -> bool {
        self.stood.iter().any(|(from, to)| *from <= events && to.is_none_or(|to| events < to))
    }
}

/// A door of the scenario on a live mesh.
enum LiveDoor {
    /// A door across the ground, and the edit that puts it there.
    Line(DoorId, Edit),
    /// A link, and true while it is off the mesh.
    Link(Box<Link>, bool),
}

/// The world of one run.
pub(crate) struct Changing {
    /// The mesh.
    live: LiveMesh,
    /// What has a name in the events.
    script: ScriptRun,
    /// The doors of the scenario.
    doors: Vec<LiveDoor>,
    /// The closed doors: door `k` is bit `k`.
    closed: u64,
    /// The number of events that were made.
    made: usize,
}

impl Changing {
    /// Makes the mesh of a world ready for what a scenario changes in it; `None` if there is nothing. A plan without
    /// events is built anew for its doors.
    pub fn new(scenario: &Scenario, ground: &Ground) -> Result<Option<Changing>> {
        let is_line = |door: &&Door| matches!(door.bar, DoorBar::Line(_)) && !ground.is_plan();
        let event = scenario.events.first().map(|event| event.step.line as u32);
        let Some(line) = event.or(scenario.doors.iter().find(is_line).map(|door| door.line)) else {
            return Ok(None);
        };
        let in_line = |error: Error| scenario.wrong(error.kind(), line, error.to_string());
        let mesh = ground.mesh(0)?;
        let live = LiveMesh::new(NavMesh::clone(&mesh)).map_err(in_line)?;
        let script = ScriptRun::default();
        let mut changing = Changing { live, script, doors: Vec::new(), closed: 0, made: 0 };
        for door in &scenario.doors {
            let in_line = |error: Error| {
                scenario.wrong(error.kind(), door.line, format!("door {:?}: {error}", door.name))
            };
            let live = match &door.bar {
                DoorBar::Line(ends) => {
                    let edit = Edit::AddDoor(*ends, Anchor { height: door.height });
                    let put = changing.live.apply(&edit).map_err(in_line)?;
                    put.doors.first().map(|id| LiveDoor::Line(*id, edit))
                }
                DoorBar::Link(name) => {
                    let link = mesh.links().find(|link| link.name == *name);
                    link.map(|link| LiveDoor::Link(Box::new(link), false))
                }
            };
            let unknown = || in_line(Error::new(ErrorKind::Options, "it is not there any more"));
            changing.doors.push(live.ok_or_else(unknown)?);
        }
        Ok(Some(changing))
    }

    /// Returns the mesh as it is now.
    pub fn mesh(&self) -> &Arc<NavMesh> {
        self.live.mesh()
    }

    /// Returns the number of events that were made.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Makes the next event if its time has come. Returns it in words.
    pub fn advance(&mut self, scenario: &Scenario, time: f64) -> Result<Option<String>> {
        // Sums of time steps are rounded.
        let due = scenario.events.get(self.made).filter(|event| event.at <= time + 1e-9);
        let Some(event) = due else { return Ok(None) };
        let in_line = |error: Error| {
            let doors = match event.step.undone() {
                Some(_) if !self.doors.is_empty() => {
                    "; a [[door]] that opened or closed since then counts as an edit"
                }
                _ => "",
            };
            scenario.wrong(error.kind(), event.step.line as u32, format!("event: {error}{doors}"))
        };
        self.script.make(&mut self.live, &event.step).map_err(in_line)?;
        self.made += 1;
        // An obstacle that went may have kept a link from opening.
        self.settle()?;
        Ok(Some(event.step.words()))
    }

    /// Opens and closes the doors of the scenario: door `k` is bit `k`.
    pub fn set_doors(&mut self, closed: u64) -> Result<()> {
        self.closed = closed;
        self.settle()
    }

    /// Brings all doors into their state. A link whose end is covered opens as soon as it is free.
    fn settle(&mut self) -> Result<()> {
        for (index, door) in self.doors.iter_mut().enumerate() {
            let is_closed = self.closed >> index & 1 == 1;
            match door {
                LiveDoor::Line(door, edit) => {
                    if self.live.is_open(*door).is_none() {
                        // An event took everything away; the doors of the scenario stay.
                        *door = self.live.apply(edit)?.doors.first().copied().unwrap_or(*door);
                    }
                    self.live.apply(&Edit::Door(*door, !is_closed))?;
                }
                LiveDoor::Link(link, is_off) if is_closed && !*is_off => {
                    // An event may have taken it away.
                    *is_off = self.live.apply(&Edit::RemoveLink(link.name.clone())).is_ok();
                }
                LiveDoor::Link(link, is_off) if !is_closed && *is_off => {
                    *is_off = self.live.apply(&Edit::AddLink((**link).clone())).is_err();
                }
                LiveDoor::Link(..) => {}
            }
        }
        Ok(())
    }

    /// Makes all events of a scenario. Returns everything that stands at some time.
    pub fn rehearse(scenario: &Scenario, ground: &Ground) -> Result<Vec<Barrier>> {
        let mut barriers: Vec<Barrier> = Vec::new();
        let Some(mut changing) = Changing::new(scenario, ground)? else { return Ok(barriers) };
        while changing.advance(scenario, f64::INFINITY)?.is_some() {
            let made = changing.made;
            let figures = changing.live.figures();
            for barrier in barriers.iter_mut().filter(|barrier| !figures.contains(&barrier.figure)) {
                if let Some((_, to @ None)) = barrier.stood.last_mut() {
                    *to = Some(made);
                }
            }
            for figure in figures {
                match barriers.iter_mut().find(|barrier| barrier.figure == figure) {
                    Some(barrier) if barrier.stood.last().is_some_and(|(_, to)| to.is_none()) => {}
                    Some(barrier) => barrier.stood.push((made, None)),
                    None => barriers.push(Barrier { figure, stood: vec![(made, None)] }),
                }
            }
        }
        Ok(barriers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, Verdict};

    /// A hall with a doorway in the east, and 25 people.
    const HALL: &str = "
[world]
wkt = 'POLYGON ((0 0, 10 0, 10 3, 10.4 3, 10.4 2, 14 2, 14 6, 10.4 6, 10.4 5, 10 5, 10 8, 0 8, 0 0))'
[run]
dt = 0.1
limit = 150
[[exit]]
name = 'street'
rectangle = [[13, 2], [14, 6]]
[[source]]
name = 'hall'
rectangle = [[1, 1], [6, 7]]
count = 25
goal = 'street'
";

    fn scenario(events: &str) -> Scenario {
        Scenario::parse("s.toml", "".into(), &format!("{HALL}{events}")).unwrap()
    }

    /// Runs a scenario to its end; in every step bodies stand clear of walls and of each other.
    #[track_caller]
    fn run(events: &str) -> (crate::Outcome, Vec<Barrier>) {
        let scenario = scenario(events);
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let outcome = run.finish(|run| {
            let measures = run.measure();
            assert!(
                measures.overlap < 1e-4 && measures.wall_overlap < 1e-4,
                "{} s: {measures:?}",
                run.time()
            );
            Ok(true)
        });
        (outcome.unwrap(), ground.barriers().to_vec())
    }

    const LOCK: &str = "[[event]]\nat = 0\ndoor = 'lock'\nsegment = [[10.2, 3], [10.2, 5]]\n\
                        [[event]]\nat = 0\nclose = 'lock'\n";

    #[test]
    fn nobody_leaves_before_the_door_is_opened() {
        let (outcome, barriers) = run(&format!("{LOCK}[[event]]\nat = 30\nopen = 'lock'\n"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 25), "{outcome:?}");
        assert!(outcome.exits[0].first.unwrap() > 30.0, "{outcome:?}");
        assert!(
            outcome.notes.iter().any(|note| note == "event: open \"lock\" at 30.0 s"),
            "{:?}",
            outcome.notes
        );
        assert_eq!(barriers.len(), 1);
        assert_eq!(barriers[0].stood, [(2, Some(3))]);
        assert!(!barriers[0].stands(1) && barriers[0].stands(2) && !barriers[0].stands(3));
    }

    #[test]
    fn a_wall_that_falls_opens_the_way() {
        let wall = "[[event]]\nat = 0\nadd = 'wall'\nbox = { centre = [10.2, 4], size = [0.3, 2.4] }\n";
        let (outcome, barriers) = run(&format!("{wall}[[event]]\nat = 20\nremove = 'wall'\n"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 25), "{outcome:?}");
        assert!(outcome.exits[0].first.unwrap() > 20.0, "{outcome:?}");
        assert_eq!((barriers[0].figure.outline.len(), &*barriers[0].stood), (5, &[(1, Some(2))][..]));
        // Nobody waits for ever behind a wall that stays.
        let (outcome, _) = run(wall);
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Lost), 0), "{outcome:?}");
    }

    #[test]
    fn a_crate_that_comes_down_on_people_pushes_them_out() {
        let (outcome, _) =
            run("[[event]]\nat = 1\nadd = 'crate'\nbox = { centre = [3.5, 4], size = [3, 3], turn = 0.3 }\n");
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 25), "{outcome:?}");
        assert!(outcome.moved > 3, "{outcome:?}");
    }

    /// The nearest ground lies behind a wall, in the part with the exit.
    #[test]
    fn nobody_is_pushed_through_a_wall() {
        let wall = "[[event]]\nat = 0\nadd = 'wall'\nsegment = [[6.5, 0], [6.5, 8]]\n";
        let falls = "[[event]]\nat = 2\nadd = 'roof'\nbox = { centre = [4.2, 4], size = [4.4, 8] }\n";
        let (outcome, _) = run(&format!("{wall}{falls}"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Lost), 0), "{outcome:?}");
        assert!(outcome.moved > 10 && outcome.buried == 0, "{outcome:?}");
        // No ground is left on their side.
        let all = "[[event]]\nat = 2\nadd = 'roof'\nbox = { centre = [3.24, 4], size = [6.4, 7.9] }\n";
        let (outcome, _) = run(&format!("{wall}{all}"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Lost), 0), "{outcome:?}");
        assert_eq!((outcome.buried, outcome.remaining), (25, 25), "{outcome:?}");
        assert!(outcome.notes.iter().any(|note| note.contains("beneath what came")), "{:?}", outcome.notes);
    }

    /// Their place was in a cell of the mesh before the event, so they found no way to the other exit and stayed.
    #[test]
    fn who_stands_in_a_cell_that_changed_chooses_anew() {
        let example = crate::Example::named("breach").unwrap();
        let mut scenario = Scenario::parse("b.toml", "".into(), example.text).unwrap();
        scenario.run.dt = 0.1;
        let ground = Ground::load(&scenario, None).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 150), "{outcome:?}");
        let [street, yard] = &outcome.exits[..] else { panic!("{outcome:?}") };
        assert!(street.people > 30 && street.last.unwrap() < 30.0, "{outcome:?}");
        assert!(yard.people > 50 && yard.first.unwrap() > 45.0, "{outcome:?}");
    }

    #[test]
    fn doors_and_events_go_together() {
        let door = "[[door]]\nname = 'gate'\nline = [[8, 0], [8, 8]]\nclosed = [[0, 20]]\n";
        let (outcome, _) = run(&format!("{door}{LOCK}[[event]]\nat = 10\nopen = 'lock'\n"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 25), "{outcome:?}");
        assert!(outcome.exits[0].first.unwrap() > 20.0, "{outcome:?}");
    }

    #[test]
    fn an_event_that_clears_leaves_the_doors_of_the_scenario() {
        let door = "[[door]]\nname = 'gate'\nline = [[9.5, 0], [9.5, 8]]\nclosed = [[2, 30]]\n";
        let crate_comes = "[[event]]\nat = 1\nadd = 'crate'\nbox = { centre = [9.5, 4], size = [0.6, 1] }\n";
        let (outcome, _) = run(&format!("{door}{crate_comes}[[event]]\nat = 3\nclear = true\n"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 25), "{outcome:?}");
        assert!(outcome.exits[0].first.unwrap() > 30.0, "{outcome:?}");
        // The door closed after the crate came, so the crate cannot be taken back alone.
        let scenario = scenario(&format!("{door}{crate_comes}[[event]]\nat = 3\nundo = 1\n"));
        let ground = Ground::load(&scenario, None).unwrap();
        let error = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap_err().to_string();
        assert!(error.contains("[[door]] that opened or closed since then"), "{error}");
    }

    #[test]
    fn planners_on_the_skeleton_follow_events() {
        let text = HALL.replace("limit = 150", "limit = 150\nroute = 'ecm'");
        let events = "[[event]]\nat = 4\nadd = 'crate'\nbox = { centre = [7.5, 4], size = [1.5, 1.5] }\n";
        let scenario = Scenario::parse("s.toml", "".into(), &format!("{text}{events}")).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 25), "{outcome:?}");
    }

    /// In a house of several floors a door is locked and a crate falls, both upstairs.
    #[test]
    fn events_happen_on_their_floor() {
        let example = crate::Example::named("building").unwrap();
        let scratch = clearway_scenes::Scratch::new("event_building");
        let house = clearway_scenes::building(clearway_scenes::BuildingOptions::default(), 1);
        scratch.write("building.obj", house.soup.to_obj().as_bytes());
        let folder = scratch.folder().to_path_buf();
        let plain = Scenario::parse("b.toml", folder.clone(), example.text).unwrap();
        let ground = Ground::load(&plain, None).unwrap();
        let mesh = ground.mesh(0).unwrap();
        let places = (0..40).filter_map(|seed| mesh.random_point(seed)).filter(|at| mesh.height(*at) > 2.0);
        let events = places.enumerate().filter_map(|(number, at)| {
            let [x, y] = at.position();
            let height = mesh.height(at);
            let event = format!(
                "[[event]]\nat = {number}\nadd = 'crate {number}'\nheight = {height}\n\
                 disc = {{ centre = [{x}, {y}], radius = 0.3 }}\n"
            );
            let text = format!("{}\n{event}", example.text);
            let scenario = Scenario::parse("b.toml", folder.clone(), &text).unwrap();
            // Where floors meet without being joined, edits are refused.
            Changing::rehearse(&scenario, &ground).is_ok().then_some(event)
        });
        let events: Vec<String> = events.take(6).collect();
        assert_eq!(events.len(), 6);
        let text = format!("{}\n{}", example.text, events.concat());
        let mut scenario = Scenario::parse("b.toml", folder, &text).unwrap();
        scenario.run.dt = 0.1;
        if let crate::Supply::Count { count, .. } = &mut scenario.sources[0].supply {
            *count = 40;
        }
        let ground = Ground::load(&scenario, None).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        assert_eq!((outcome.arrived, outcome.lost), (40, 0), "{outcome:?}");
    }

    #[test]
    fn events_that_cannot_be_made_are_told_before_anybody_walks() {
        let refused = |events: &str, words: &str| {
            let scenario = Scenario::parse("s.toml", "".into(), &format!("{HALL}{events}"));
            let error = scenario.and_then(|scenario| Ground::load(&scenario, None).map(|_| ())).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        };
        refused(
            "[[event]]\nat = 99\nremove = 'wall'\n",
            "s.toml:15: event: remove \"wall\": there is no obstacle",
        );
        refused("[[event]]\nremove = 'wall'\n", "s.toml:15: event 1: at is missing");
        refused(
            "[[event]]\nat = 'soon'\nremove = 'wall'\n",
            "s.toml:15: event 1: at must be a finite number",
        );
        let twice = "[[event]]\nat = 1\nadd = 'a'\ndisc = { centre = [5, 5], radius = 1 }\n";
        refused(&format!("{twice}{twice}"), "s.toml:19: event: add \"a\": there is an obstacle or a door");
        refused(
            "[[event]]\nat = 1\nadd = 'a'\ndisc = { centre = [50, 5], radius = 1 }\n",
            "s.toml:15: event: add",
        );
        refused("[[events]]\nat = 1\n", "did you mean `event`?");
    }

    #[test]
    fn the_same_events_give_the_same_run() {
        let events = format!("{LOCK}[[event]]\nat = 5\nopen = 'lock'\n");
        let [one, other] = [run(&events).0, run(&events).0];
        assert_eq!(
            (one.last_arrival, one.mean_arrival, one.moved),
            (other.last_arrival, other.mean_arrival, other.moved)
        );
    }
}
