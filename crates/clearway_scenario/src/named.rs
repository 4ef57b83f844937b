//! Exits that the plan names, and exits that are lines. A scenario can name them before its world is read; their areas are
//! taken from the mesh.

use crate::ground::Ground;
use crate::porch::{Ends, opening_of};
use crate::read::{capacity_of, capacity_of_width};
use crate::scenario::{Place, Scenario};
use clearway_base::error::{ErrorKind, Result};
use clearway_crowd::{Area, Reach};
use clearway_nav::NavMesh;
use clearway_nav::mesh::MeshPlace;

/// The distance in metres from an exit that is drawn as a point, within which people leave. It is more than the radius of
/// usual bodies, which cannot come nearer to a wall.
const AROUND: f64 = 0.5;

/// The distance in metres on both sides of a line that stands for it: thin, so that people leave at the line itself, and
/// well above rounding.
const BESIDE: f64 = 0.05;

/// What an exit of the plan is: its name, its area, and its line if it is one.
type Found = (String, Area, Option<Ends>);

impl Scenario {
    /// Takes the areas of the exits that the scenario names by the plan (`exit = "NAME"`). A role such as `exit` stands
    /// for all places of it: each becomes an exit of its own, and people choose among them. Exits with an area stay. An
    /// exit that is a line lies on the ground behind the line, where the ground of the world was made to go on there.
    pub fn settle(&mut self, ground: &Ground) -> Result<()> {
        for index in 0..self.places.len() {
            if let Some(exit) = self.places[index].gate.and_then(|line| ground.exit_behind(line)) {
                let line = self.places[index].line;
                self.places[index].area = Area::new(exit.to_vec())
                    .map_err(|error| self.wrong(error.kind(), line, format!("exit: line: {error}")))?;
            }
            let Some(text) = self.places[index].on_plan.take() else { continue };
            let mesh = ground.mesh(0)?;
            let line = self.places[index].line;
            let wrong = |scenario: &Scenario, message: String| {
                scenario.wrong(ErrorKind::Options, line, format!("exit: {message}"))
            };
            let found = mesh.places_named(&text).map_err(|message| wrong(self, message))?;
            let mut fresh = Vec::new();
            for place in found {
                let found = settled(ground, place).map_err(|error| {
                    wrong(self, format!("{} {:?} of the plan: {error}", place.role, place.name))
                })?;
                fresh.push(found);
            }
            self.replace(index, fresh, &text);
        }
        Ok(())
    }

    /// Returns the lines among the exits of the scenario: its own, and those that it names by the plan of a mesh.
    pub(crate) fn exit_lines(&self, mesh: &NavMesh) -> Vec<Ends> {
        let mut lines: Vec<Ends> = Vec::new();
        for place in &self.places {
            let named = place.on_plan.as_deref().map(|text| mesh.places_named(text).unwrap_or_default());
            let of_plan = named.into_iter().flatten().filter_map(|place| line_of(mesh, place));
            for line in place.gate.into_iter().chain(of_plan) {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines
    }

    /// Puts the found exits in the place of the one that was named, and sends people to all of them. An exit keeps a name
    /// of its own that the scenario gave it.
    fn replace(&mut self, index: usize, found: Vec<Found>, text: &str) {
        let named = self.places[index].name != text;
        let given = (self.places[index].capacity > 0.0).then_some(self.places[index].capacity);
        for (number, (name, area, gate)) in found.into_iter().enumerate() {
            let width = gate.map(|[a, b]| (b[0] - a[0]).hypot(b[1] - a[1]));
            let usual = || width.map_or_else(|| capacity_of(&area), capacity_of_width);
            let capacity = given.unwrap_or_else(usual);
            let name = if named { self.places[index].name.clone() } else { name };
            if number == 0 {
                let place = &mut self.places[index];
                (place.area, place.capacity, place.gate) = (area, capacity, gate);
                if place.name != name {
                    self.places[index].name = self.free_name(name);
                }
                continue;
            }
            let name = self.free_name(name);
            let place = Place { name, area, capacity, gate, ..self.places[index].clone() };
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

/// Returns the line that a place is, or the side of it that is an opening.
fn line_of(mesh: &NavMesh, place: &MeshPlace) -> Option<Ends> {
    match place.points[..] {
        [a, b] => Some([a, b]),
        [_] => None,
        _ => opening_of(mesh, &place.points),
    }
}

/// Returns what an exit of the plan is: its outline, its line, or a square around its point.
fn settled(ground: &Ground, place: &MeshPlace) -> Result<Found> {
    let porch = ground.porch_of(place);
    let (area, gate) = match (porch, &place.points[..]) {
        (Some(porch), _) => (Area::new(porch.exit.clone())?, Some(porch.line)),
        (None, [a, b]) => (strip([*a, *b])?, Some([*a, *b])),
        (None, [at]) => {
            let [low, high] = [-AROUND, AROUND].map(|far| at.map(|c| c + far));
            (Area::rectangle(low, high)?, None)
        }
        (None, points) => (Area::new(points.to_vec())?, None),
    };
    Ok((place.name.clone(), if place.height == 0.0 { area } else { area.at_height(place.height) }, gate))
}

/// Returns the thin area along a line. Whoever steps across it has been there.
pub(crate) fn strip([a, b]: Ends) -> Result<Area> {
    let length = (b[0] - a[0]).hypot(b[1] - a[1]);
    let [x, y] = [(a[1] - b[1]) / length * BESIDE, (b[0] - a[0]) / length * BESIDE];
    let outline =
        vec![[a[0] - x, a[1] - y], [b[0] - x, b[1] - y], [b[0] + x, b[1] + y], [a[0] + x, a[1] + y]];
    Ok(Area::new(outline)?.reach(Reach::Across))
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
            let told = outcome.notes.iter().any(|note| note.contains("the ground ends at its line"));
            assert_eq!(told, names.contains(&"west"), "{outcome:?}");
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
