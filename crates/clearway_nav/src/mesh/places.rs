//! Named places of a mesh: exits, areas to start from, waypoints and doors, as a plan names them.
//!
//! Places do not change where one can walk. They are shapes in plan coordinates with a height, so that questions can
//! name them. They need not lie on the mesh.

use super::NavMesh;
use clearway_base::names::unknown;

/// The largest number of places of a mesh. It bounds memory for damaged files.
pub const MAX_PLACES: usize = 10_000;

/// The largest number of points of a place.
pub const MAX_PLACE_POINTS: usize = 10_000;

/// The longest name or role of a place, in bytes.
pub const MAX_PLACE_NAME: usize = 200;

/// A named place: an exit, an area to start from, a waypoint or a door.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPlace {
    /// Its name; several places may share one.
    pub name: String,
    /// Its role: `exit`, `start`, `waypoint`, `door`, or another word.
    pub role: String,
    /// The height of its floor in metres; 0 on a plan.
    pub height: f64,
    /// One point, the ends of a line, or the corners of an area, in plan coordinates.
    pub points: Vec<[f64; 2]>,
}

impl MeshPlace {
    /// Returns what is wrong with the place; `None` for a sound one.
    pub fn flaw(&self) -> Option<String> {
        let fits = |text: &str| {
            !text.is_empty() && text.len() <= MAX_PLACE_NAME && !text.chars().any(char::is_control)
        };
        if let Some((field, _)) =
            [("name", &self.name), ("role", &self.role)].iter().find(|(_, text)| !fits(text))
        {
            return Some(format!(
                "its {field} must have 1 to {MAX_PLACE_NAME} bytes and no control characters"
            ));
        }
        if self.points.is_empty() || self.points.len() > MAX_PLACE_POINTS {
            return Some(format!("it must have 1 to {MAX_PLACE_POINTS} points"));
        }
        let mut numbers = self.points.iter().flatten().chain([&self.height]);
        numbers.any(|number| !number.is_finite()).then(|| "a coordinate is not finite".to_string())
    }

    /// Returns the place with a name and a role that files can hold: control characters become spaces, long texts are
    /// cut, and negative zeros lose their sign. `None` if nothing is left of it.
    fn tidied(&self) -> Option<MeshPlace> {
        let points = self.points.iter().map(|at| at.map(|c| c + 0.0)).collect();
        let place = MeshPlace {
            name: tidy_text(&self.name),
            role: tidy_text(&self.role),
            height: self.height + 0.0,
            points,
        };
        place.flaw().is_none().then_some(place)
    }
}

/// Returns a text without control characters, cut to the longest name.
fn tidy_text(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut length = 0;
    let cut = plain.take_while(|c| {
        length += c.len_utf8();
        length <= MAX_PLACE_NAME
    });
    cut.collect::<String>().trim().to_string()
}

impl NavMesh {
    /// Returns the named places.
    pub fn places(&self) -> &[MeshPlace] {
        &self.parts.places
    }

    /// Replaces the named places. Texts are made fit for files. Returns the number of places that were left out: those
    /// without a name, without points or with coordinates that are not finite, and those beyond [`MAX_PLACES`].
    pub fn set_places(&mut self, places: &[MeshPlace]) -> usize {
        self.parts.places = places.iter().filter_map(MeshPlace::tidied).take(MAX_PLACES).collect();
        places.len() - self.parts.places.len()
    }

    /// Returns the places that a text names: all of a role (`exit`), one of a role by its name (`exit:north`), or those
    /// with this name. Otherwise says which names are known.
    pub fn places_named(&self, text: &str) -> Result<Vec<&MeshPlace>, String> {
        let (role, name) = text.split_once(':').map_or((None, text), |(role, name)| (Some(role), name));
        let with_name = |place: &&MeshPlace| place.name == text;
        let of_role = |place: &&MeshPlace| match role {
            Some(role) => place.role == role && place.name == name,
            None => place.role == text,
        };
        let mut found: Vec<&MeshPlace> = self.places().iter().filter(of_role).collect();
        if found.is_empty() {
            found = self.places().iter().filter(with_name).collect();
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let mut known: Vec<String> = self.places().iter().map(|place| place.role.clone()).collect();
        known.extend(self.places().iter().map(|place| match role {
            Some(_) => format!("{}:{}", place.role, place.name),
            None => place.name.clone(),
        }));
        known.sort_unstable();
        known.dedup();
        known.truncate(MOST_LISTED);
        Err(unknown("place", text, known.iter().map(String::as_str)))
    }
}

/// The number of names among which a message looks for the nearest.
const MOST_LISTED: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MeshOptions;
    use clearway_world::Plan;

    fn room() -> NavMesh {
        let ring = vec![[0.0, 0.0], [8.0, 0.0], [8.0, 5.0], [0.0, 5.0]];
        MeshOptions::default().build(&Plan::from_rings([ring])).unwrap()
    }

    fn place(role: &str, name: &str) -> MeshPlace {
        MeshPlace { name: name.into(), role: role.into(), height: 0.0, points: vec![[1.0, -0.0]] }
    }

    #[test]
    fn places_are_found_by_role_and_by_name() {
        let mut mesh = room();
        let list = [place("exit", "north"), place("exit", "south"), place("start", "hall")];
        assert_eq!(mesh.set_places(&list), 0);
        let names = |text: &str| {
            mesh.places_named(text).map(|found| found.iter().map(|p| p.name.clone()).collect::<Vec<_>>())
        };
        assert_eq!(names("exit").unwrap(), ["north", "south"]);
        assert_eq!(names("exit:south").unwrap(), ["south"]);
        assert_eq!(names("hall").unwrap(), ["hall"]);
        assert!(names("exit:nrth").unwrap_err().contains("did you mean `exit:north`"));
        assert!(names("exits").unwrap_err().contains("did you mean `exit`"));
        assert!(room().places_named("exit").unwrap_err().contains("there are none"));
    }

    #[test]
    fn places_that_files_cannot_hold_are_left_out_or_tidied() {
        let mut mesh = room();
        let nowhere = MeshPlace { points: Vec::new(), ..place("exit", "a") };
        let infinite = MeshPlace { height: f64::INFINITY, ..place("exit", "a") };
        let list =
            [nowhere, infinite, place("exit", "\n"), place("exit", &"ä".repeat(300)), place("exit", "a\tb")];
        assert_eq!(mesh.set_places(&list), 3);
        assert_eq!(mesh.places()[0].name.len(), MAX_PLACE_NAME);
        assert_eq!(mesh.places()[1].name, "a b");
        assert!(mesh.places()[1].points[0][1].is_sign_positive());
    }
}
