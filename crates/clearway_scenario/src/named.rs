//! Exits that the plan names. A scenario can name them before its world is read; their areas are taken from the mesh.

use crate::ground::Ground;
use crate::read::capacity_of;
use crate::scenario::{Place, Scenario};
use clearway_base::error::{ErrorKind, Result};
use clearway_crowd::Area;
use clearway_nav::mesh::MeshPlace;

/// The distance in metres on both sides of an exit that is drawn as a line or a point, within which people leave. It is
/// more than the radius of usual bodies, which cannot come nearer to a closed line.
const REACH: f64 = 0.5;

impl Scenario {
    /// Takes the areas of the exits that the scenario names by the plan (`exit = "NAME"`). A role such as `exit` stands
    /// for all places of it: each becomes an exit of its own, and people choose among them. Exits with an area stay.
    pub fn settle(&mut self, ground: &Ground) -> Result<()> {
        for index in 0..self.places.len() {
            let Some(text) = self.places[index].on_plan.take() else { continue };
            let mesh = ground.mesh(0)?;
            let line = self.places[index].line;
            let wrong = |scenario: &Scenario, message: String| {
                scenario.wrong(ErrorKind::Options, line, format!("exit: {message}"))
            };
            let found = mesh.places_named(&text).map_err(|message| wrong(self, message))?;
            let mut fresh = Vec::new();
            for place in found {
                let area = area_of(place).map_err(|error| {
                    wrong(self, format!("{} {:?} of the plan: {error}", place.role, place.name))
                })?;
                fresh.push((place.name.clone(), area));
            }
            self.replace(index, fresh);
        }
        Ok(())
    }

    /// Puts the found exits in the place of the one that was named, and sends people to all of them.
    fn replace(&mut self, index: usize, found: Vec<(String, Area)>) {
        for (number, (name, area)) in found.into_iter().enumerate() {
            let capacity = capacity_of(&area);
            if number == 0 {
                let place = &mut self.places[index];
                (place.area, place.capacity) = (area, capacity);
                if place.name != name {
                    self.places[index].name = self.free_name(name);
                }
                continue;
            }
            let place = Place { name: self.free_name(name), area, capacity, ..self.places[index].clone() };
            self.places.push(place);
            let added = self.places.len() - 1;
            let stages = self.journeys.iter_mut().flat_map(|journey| &mut journey.stages);
            stages.filter(|stage| stage.targets.contains(&index)).for_each(|stage| stage.targets.push(added));
        }
    }

    /// Returns a name that no exit or area has: this one, or this one with a number.
    fn free_name(&self, name: String) -> String {
        let is_free = |name: &String| self.places.iter().all(|place| place.name != *name);
        let numbered = (2..).map(|number| format!("{name} {number}"));
        std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
    }
}

/// Returns the area of a place: its outline, a strip along its line, or a square around its point.
fn area_of(place: &MeshPlace) -> Result<Area> {
    let outline = match place.points[..] {
        [[x, y]] => vec![
            [x - REACH, y - REACH],
            [x + REACH, y - REACH],
            [x + REACH, y + REACH],
            [x - REACH, y + REACH],
        ],
        [a, b] => strip(a, b),
        _ => place.points.clone(),
    };
    let area = Area::new(outline)?;
    Ok(if place.height == 0.0 { area } else { area.at_height(place.height) })
}

/// Returns the outline of the strip along a line.
fn strip(a: [f64; 2], b: [f64; 2]) -> Vec<[f64; 2]> {
    let length = (b[0] - a[0]).hypot(b[1] - a[1]);
    let [x, y] = [(a[1] - b[1]) / length * REACH, (b[0] - a[0]) / length * REACH];
    vec![[a[0] - x, a[1] - y], [b[0] - x, b[1] - y], [b[0] + x, b[1] + y], [a[0] + x, a[1] + y]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use clearway_build::MeshOptions;
    use clearway_world::Plan;

    /// A hall of 12 m by 8 m with an exit on each side: a line in the west, an area in the east.
    fn hall() -> Ground {
        let ring = vec![[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [0.0, 8.0]];
        let mut mesh = MeshOptions::default().build(&Plan::from_rings([ring])).unwrap();
        let place = |name: &str, points: Vec<[f64; 2]>| MeshPlace {
            name: name.into(),
            role: "exit".into(),
            height: 0.0,
            points,
        };
        let east = vec![[11.0, 3.0], [12.0, 3.0], [12.0, 5.0], [11.0, 5.0]];
        let list = [place("west", vec![[0.0, 3.0], [0.0, 5.0]]), place("east", east)];
        assert_eq!(mesh.set_places(&list), 0);
        Ground::of_mesh(mesh)
    }

    fn scenario(exit: &str) -> Scenario {
        let text = format!("[world]\nfile = 'a.nav'\n[[source]]\ncount = 12\nexit = {exit}\n");
        Scenario::parse("s.toml", "".into(), &text).unwrap()
    }

    #[test]
    fn people_leave_through_the_exits_of_the_plan() {
        let ground = hall();
        for (exit, names) in [
            ("'west'", &["west"][..]),
            ("'exit:east'", &["east"]),
            ("'exit'", &["west", "east"]),
            ("['east', 'west']", &["east", "west"]),
        ] {
            let mut scenario = scenario(exit);
            scenario.settle(&ground).unwrap();
            assert_eq!(scenario.places.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), names);
            let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
            assert_eq!(
                outcome.exits.iter().map(|exit| exit.people).sum::<usize>(),
                12,
                "{exit}: {outcome:?}"
            );
            if exit == "'exit'" {
                assert!(outcome.exits.iter().all(|exit| exit.people > 0), "{outcome:?}");
            }
        }
    }

    #[test]
    fn exits_that_the_plan_does_not_name_are_refused_with_the_line() {
        let mut scenario = scenario("'wets'");
        let error = scenario.settle(&hall()).unwrap_err().to_string();
        assert_eq!(error, "s.toml:3: exit: place `wets` is not known; did you mean `west`?");
    }

    #[test]
    fn a_run_refuses_exits_whose_areas_were_not_taken() {
        let (scenario, ground) = (scenario("'west'"), hall());
        let error = Run::new(&scenario, &ground, 0).map(|_| ()).unwrap_err().to_string();
        assert!(
            error.contains("s.toml:3: exit \"west\" of the plan: Scenario::settle comes first"),
            "{error}"
        );
    }
}
