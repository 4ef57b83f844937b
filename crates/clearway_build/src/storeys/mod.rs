//! Buildings made of plans: one plan for each storey, and stairs or ramps between them.
//!
//! A building becomes a [`Scene`]: the floor of each storey at its height, and stairs as ramps with railings. Walls
//! without thickness become 5 cm thick. From there it is built like any scene, so that storeys over each other become one
//! mesh in layers. Stairs stand in an opening of both floors that has their outline. Cost: that of the arrangement of
//! each plan.

mod read;
mod scene;

use crate::build::places_at;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_nav::mesh::MeshPlace;
use clearway_world::Scene;
pub use clearway_world::plan::USUAL_STOREY;
use clearway_world::plan::{Plan, PlanDrawing, PlanLevels, PlanOptions};
use std::path::Path;

/// The greatest number of storeys, and of stairs.
pub const MAX_STOREYS: usize = 1000;

/// One storey of a building.
#[derive(Clone, Debug, PartialEq)]
pub struct Storey {
    /// The name, or the number of its level.
    pub name: String,
    /// The height of its floor in metres.
    pub height: f64,
    /// Its plan.
    pub plan: Plan,
}

/// Stairs or a ramp from one storey to a higher one.
#[derive(Clone, Debug, PartialEq)]
pub struct Flight {
    /// The name.
    pub name: String,
    /// The indices of the lower and the upper storey.
    pub storeys: [usize; 2],
    /// The middle line, from the foot to the head.
    pub line: Vec<[f64; 2]>,
    /// The width in metres.
    pub width: f64,
}

/// A building: storeys, and flights of stairs between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Building {
    /// The storeys.
    pub storeys: Vec<Storey>,
    /// The flights.
    pub flights: Vec<Flight>,
    /// Omissions and guesses of the readers, in words, for the report.
    pub notes: Vec<String>,
}

/// What a plan file draws.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// One plan.
    Plan(Plan),
    /// A building of several levels.
    Building(Building),
}

impl Building {
    /// Reads a building from a TOML file, whose plans lie beside it. Every error names the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Building> {
        let path = path.as_ref();
        read::load(path).map_err(|error| error.in_file(path))
    }

    /// Reads a building from the text of a TOML file. `plan_of` reads the plan of a storey, by the name in the file.
    pub fn parse(text: &str, plan_of: impl Fn(&str, &PlanOptions) -> Result<Plan>) -> Result<Building> {
        read::parse(text, plan_of)
    }

    /// Reads a plan file: a plan, or a building if it draws several levels and the options choose none.
    pub fn from_drawing(path: impl AsRef<Path>, options: &PlanOptions) -> Result<Drawn> {
        Ok(match Plan::load_drawing(path, options)? {
            PlanDrawing::Plan(plan) => Drawn::Plan(plan),
            PlanDrawing::Levels(levels) => Drawn::Building(Building::of(levels)),
        })
    }

    /// Stacks levels, each [`USUAL_STOREY`] above the one before.
    fn of(levels: PlanLevels) -> Building {
        let numbers: Vec<f64> = levels.levels.iter().map(|level| level.number).collect();
        let index = |number: f64| numbers.iter().position(|known| *known == number);
        let mut notes = levels.notes;
        if levels.stairs.is_empty() {
            notes.push(
                "no stairs join the levels; a .toml file puts storeys together with stairs".to_string(),
            );
        }
        notes.push(format!(
            "{} levels became storeys {USUAL_STOREY} m apart, with {} flights of stairs; --level builds one alone",
            numbers.len(),
            levels.stairs.len()
        ));
        let storeys = levels.levels.into_iter().map(|level| Storey {
            name: level.number.to_string(),
            height: level.number * USUAL_STOREY,
            plan: level.plan,
        });
        let flights = levels.stairs.into_iter().filter_map(|stairs| {
            let storeys = [index(stairs.levels[0])?, index(stairs.levels[1])?];
            Some(Flight { name: stairs.name, storeys, line: stairs.line, width: stairs.width })
        });
        Building { storeys: storeys.collect(), flights: flights.collect(), notes }
    }

    /// Returns the named places of all storeys at their heights.
    pub fn places(&self) -> Vec<MeshPlace> {
        self.storeys.iter().flat_map(|storey| places_at(&storey.plan, storey.height)).collect()
    }

    /// The triangles of the building, for the build of a scene.
    pub fn scene(&self) -> Result<Scene> {
        if self.storeys.is_empty() {
            return Err(Error::new(ErrorKind::Empty, "the building has no storey"));
        }
        scene::scene(self)
    }
}

#[cfg(test)]
mod tests;
