//! Rides on links: bodies board at one stop, are away for a time, and land at the other where there is room.

use super::Crowd;
use super::body::{Body, Phase};
use super::event::Event;
use super::room::Room;
use super::routes::{LinkStop, distance};
use super::step::clear_place;
use super::way::ChainEnd;
use crate::vector::Vector;
use clearway_nav::mesh::CellId;
use clearway_nav::query::in_world;
use clearway_nav::{LinkId, Location, NavMesh};
use std::collections::BTreeMap;

/// The time in seconds for which a rider waits for the landing to become free. After it the rider steps off beside it:
/// somebody who stands on the landing must not hold up everybody.
const LANDING_PATIENCE: f32 = 2.0;

/// The distance in metres from the landing within which a rider may step off. The ground before a lift is as wide.
const BESIDE: f64 = 1.5;

impl Crowd {
    /// Lets bodies board links, and land where there is room.
    pub(super) fn ride(&mut self, mesh: &NavMesh, dt: f32) {
        let Some(world) = &self.world else { return };
        if world.stops.is_empty() {
            return;
        }
        let mut landings = Landings::new(mesh, self.bodies.list(), &world.stops, dt);
        for slot in 0..self.bodies.list().len() as u32 {
            let Some(body) = self.bodies.at_slot_mut(slot) else { continue };
            let id = body.id();
            match body.phase {
                Phase::Riding(number) => {
                    let place = if body.wait <= dt { landings.find(number, body) } else { None };
                    body.wait -= dt;
                    if let Some(at) = place {
                        (body.at, body.cell, body.phase) = (at.position(), at.cell().0, Phase::Walking);
                        body.chain.cell = clearway_geometry::NONE;
                        landings.room.add(body);
                        let link = LinkId(world.stops[number as usize].link);
                        self.events.push(Event::Landed { id, link });
                    }
                }
                Phase::Walking if body.chain.cell == body.cell && body.chain.count == 0 => {
                    let ChainEnd::Ride(stop) = body.chain.end else { continue };
                    let entry = world.stops[stop as usize];
                    let near = distance(body.at, entry.at) <= f64::from(body.radius.max(0.3));
                    let speed = body.speed.max(0.1);
                    if near && entry.ride.is_finite() {
                        (body.phase, body.wait) = (Phase::Riding(entry.other), entry.ride as f32 / speed);
                        (body.velocity, body.displacement) = (Vector::ZERO, Vector::ZERO);
                        self.events.push(Event::Boarded { id, link: LinkId(entry.link) });
                    }
                }
                _ => {}
            }
        }
    }
}

/// The landings of one step.
struct Landings<'a> {
    mesh: &'a NavMesh,
    stops: &'a [LinkStop],
    /// The bodies that may be in the way.
    room: Room<'a>,
    /// For each stop and radius where somebody wished to land, the nearest place that is clear of walls.
    clear: BTreeMap<(u32, u32), Location>,
    /// For each stop, then for riders who step off beside it, the least radius that found no room. Those who come after
    /// need not look.
    full: BTreeMap<(u32, bool), f32>,
}

impl<'a> Landings<'a> {
    /// Gathers the bodies on the ground near stops where somebody would land now. One look at each body: with as many
    /// riders as bodies, to ask all pairs would take for ever.
    fn new(mesh: &'a NavMesh, bodies: &[Body], stops: &'a [LinkStop], dt: f32) -> Landings<'a> {
        let (mut by_x, mut widest) = (Vec::new(), 0.0);
        for body in bodies {
            if let Phase::Riding(stop) = body.phase
                && body.wait <= dt
            {
                widest = body.radius.max(widest);
                by_x.push(stops[stop as usize].at);
            }
        }
        by_x.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
        by_x.dedup();
        let mut room = Room::new(mesh);
        for body in bodies.iter().filter(|body| !by_x.is_empty() && body.is_on_ground()) {
            // A rider too near to a wall lands up to a few radii beside the stop.
            let reach = 4.0 * f64::from(widest) + f64::from(body.radius) + BESIDE;
            let first = by_x.partition_point(|at| at[0] < body.at[0] - reach);
            let mut near = by_x[first..].iter().take_while(|at| at[0] <= body.at[0] + reach);
            if near.any(|at| distance(*at, body.at) < reach) {
                room.add(body);
            }
        }
        Landings { mesh, stops, room, clear: BTreeMap::new(), full: BTreeMap::new() }
    }

    /// Returns the place where a rider can land at a stop.
    fn find(&mut self, number: u32, rider: &Body) -> Option<Location> {
        let (radius, steps_beside) = (rider.radius, rider.wait < -LANDING_PATIENCE);
        let key = (number, steps_beside);
        if self.full.get(&key).is_some_and(|least| radius >= *least) {
            return None;
        }
        let (mesh, stop) = (self.mesh, &self.stops[number as usize]);
        let clear = *self.clear.entry((number, radius.to_bits())).or_insert_with(|| {
            let at = Location::in_cell(CellId(stop.cell), stop.at);
            // The height keeps the rider on the floor of the stop.
            let place = in_world(stop.at, mesh.height(at));
            clear_place(mesh, at, place, f64::from(radius)).unwrap_or(at)
        });
        let reach = if steps_beside { BESIDE } else { 0.0 };
        let place = self.room.free_place(clear, f64::from(radius), reach);
        if place.is_none() {
            self.full.insert(key, radius);
        }
        place
    }
}
