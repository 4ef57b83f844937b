//! Ways out for bodies on which something falls.
//!
//! The ground beneath them is gone, and the nearest ground may lie behind a wall. So places are looked for on the mesh
//! before the change: the sites of a lattice around the body that it sees, ring by ring. Nobody comes through a wall that
//! stood before, nor through one that came: a body whose centre is still on the ground sees its new place afterwards, too.
//! So who stands in a closing door stays on the side of its centre. Cost: for each body that no longer fits at most 15,300
//! short rays.

use super::Crowd;
use super::agent::AgentId;
use super::body::Body;
use super::room::{Room, sites};
use super::step::{SETTLE, TOUCH};
use clearway_nav::query::in_world;
use clearway_nav::{Location, NavMesh};

/// What became of the bodies that no longer fit after a change.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Flight {
    /// The bodies that were put beside what came, each with the distance in metres.
    pub moved: Vec<(AgentId, f64)>,
    /// The bodies that saw no place to go. They stay where they are, until the next step puts them onto the nearest ground.
    pub trapped: Vec<AgentId>,
}

impl Crowd {
    /// Puts bodies that no longer fit after a change of the mesh to the nearest place that they saw before it. Call it
    /// with the mesh of the last step and the changed one, before [`notice`](Crowd::notice) and the next step.
    pub fn flee(&mut self, before: &NavMesh, after: &NavMesh) -> Flight {
        let (mut room, mut caught) = (Room::new(after), Vec::new());
        for body in self.bodies.by_slot().filter(|body| body.is_here() && body.is_on_ground()) {
            match standing(after, body) {
                Some(at) => room.add_at(at, f64::from(body.radius)),
                None => caught.push(body.slot),
            }
        }
        let mut flight = Flight::default();
        for slot in caught {
            let Some(body) = self.bodies.at_slot_mut(slot) else { continue };
            let Some(place) = way_out(before, after, body, &room) else {
                flight.trapped.push(body.id());
                continue;
            };
            let [from, to] = [body.at, place.position()];
            flight.moved.push((body.id(), (to[0] - from[0]).hypot(to[1] - from[1])));
            (body.at, body.cell, body.floor) = (to, place.cell().0, after.height(place) as f32);
            room.add_at(place, f64::from(body.radius));
        }
        flight
    }
}

/// Returns the place of the centre of a body on a mesh.
fn on_mesh(mesh: &NavMesh, body: &Body) -> Option<Location> {
    let found = match body.place_in_space(mesh) {
        Some(place) => mesh.locate(place),
        None => mesh.locate(body.at),
    };
    found.ok()
}

/// Returns the place of a body on a mesh if it fits there.
fn standing(mesh: &NavMesh, body: &Body) -> Option<Location> {
    on_mesh(mesh, body).filter(|at| has_room(mesh, *at, body))
}

/// True if a body keeps clear of walls at a place.
fn has_room(mesh: &NavMesh, at: Location, body: &Body) -> bool {
    mesh.clearance(at).is_some_and(|room| room >= f64::from(body.radius) - TOUCH)
}

/// Returns the nearest place in sight of a body before the change where it fits afterwards: without others if there is
/// one, else among them.
fn way_out(before: &NavMesh, after: &NavMesh, body: &Body, room: &Room<'_>) -> Option<Location> {
    let (here, radius) = (body.location(), f64::from(body.radius));
    let centre = on_mesh(after, body);
    let mut among_others = None;
    for [i, j] in sites(SETTLE, radius) {
        let to = [body.at[0] + i * radius, body.at[1] + j * radius];
        let seen = before.raycast(here, to, 0.0).filter(|hit| hit.reached());
        let found = seen.and_then(|hit| match centre {
            Some(centre) => after.raycast(centre, to, 0.0).filter(|hit| hit.reached()).map(|hit| hit.at),
            None if after.has_heights() => after.locate(in_world(to, before.height(hit.at))).ok(),
            None => after.locate(to).ok(),
        });
        let Some(place) = found.filter(|place| has_room(after, *place, body)) else { continue };
        if room.is_free(place, radius) {
            return Some(place);
        }
        among_others = among_others.or(Some(place));
    }
    among_others
}
