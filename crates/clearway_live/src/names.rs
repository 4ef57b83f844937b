//! The names of obstacles and doors. A name belongs to what stands: it comes and goes with it, also when edits are taken
//! back.

use crate::edit::{DoorId, Named, ObstacleId};
use crate::live_mesh::LiveMesh;
use crate::patch::Standing;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::names::shown;
use clearway_nav::mesh::{Swap, fixture_name_flaw};
use std::collections::BTreeMap;

/// The numbers of obstacles and doors by name.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<String, u32>);

impl Names {
    /// Fails for a name that something has already, or that files cannot hold.
    pub fn check_new(&self, name: &str) -> Result<()> {
        let flaw = match fixture_name_flaw(name) {
            _ if name.is_empty() => Some("a name must not be empty".to_string()),
            None if self.0.contains_key(name) => {
                Some(format!("there is an obstacle or a door {} already", shown(name)))
            }
            flaw => flaw,
        };
        flaw.map_or(Ok(()), |flaw| Err(Error::new(ErrorKind::Options, flaw)))
    }

    /// True unless a change brings a name that something else has.
    pub fn fits(&self, swap: &Swap<Standing>) -> bool {
        let name = swap.after.as_ref().and_then(|standing| standing.name.as_ref());
        name.and_then(|name| self.0.get(name)).is_none_or(|index| *index == swap.slot)
    }

    /// Writes one change.
    pub fn swap(&mut self, swap: &Swap<Standing>) {
        let name = |standing: &Option<Standing>| standing.as_ref().and_then(|standing| standing.name.clone());
        if let Some(name) = name(&swap.before) {
            self.0.remove(&name);
        }
        if let Some(name) = name(&swap.after) {
            self.0.insert(name, swap.slot);
        }
    }
}

impl LiveMesh {
    /// Returns the obstacle or the door with this name.
    pub fn named(&self, name: &str) -> Option<Named> {
        let (id, standing) = self.standing_at(*self.names().0.get(name)?)?;
        Some(handle(id, standing))
    }

    /// Returns the name of an obstacle; `None` if it has none or was removed.
    pub fn name_of(&self, id: ObstacleId) -> Option<&str> {
        self.standing(id)?.name.as_deref()
    }

    /// Returns the name of a door; `None` if it has none or was removed.
    pub fn name_of_door(&self, id: DoorId) -> Option<&str> {
        self.name_of(id.0)
    }

    /// Returns all obstacles and doors with a name, by name.
    pub fn all_named(&self) -> impl Iterator<Item = (&str, Named)> {
        self.names().0.keys().filter_map(|name| Some((name.as_str(), self.named(name)?)))
    }
}

/// Returns what a number stands for.
fn handle(id: ObstacleId, standing: &Standing) -> Named {
    if standing.door.is_some() { Named::Door(DoorId(id)) } else { Named::Obstacle(id) }
}
