//! Rides on links: bodies board at one stop, are away for a time, and land at the other where there is room.

use super::Crowd;
use super::agent::AgentId;
use super::body::{Body, Phase};
use super::event::Event;
use super::routes::{LinkStop, distance};
use super::step::settle_body;
use super::way::ChainEnd;
use crate::vector::Vector;
use clearway_nav::{LinkId, NavMesh};
use std::collections::BTreeMap;

impl Crowd {
    /// Lets bodies board links, and land where there is room.
    pub(super) fn ride(&mut self, mesh: &NavMesh, dt: f32) {
        let Some(world) = &self.world else { return };
        if world.stops.is_empty() {
            return;
        }
        let mut near = bodies_near_landings(&self.bodies, &world.stops, dt);
        for slot in 0..self.bodies.len() {
            let body = &self.bodies[slot];
            let id = AgentId { slot: slot as u32, generation: body.generation };
            match body.phase {
                Phase::Riding(number) => {
                    let stop = world.stops[number as usize];
                    let is_apart = |other: &u32| {
                        let known = &self.bodies[*other as usize];
                        let apart = f64::from(body.radius + known.radius);
                        !known.is_on_ground() || distance(known.at, stop.at) >= apart
                    };
                    let is_free =
                        body.wait <= dt && near.get(&number).is_none_or(|near| near.iter().all(is_apart));
                    let body = &mut self.bodies[slot];
                    body.wait -= dt;
                    if is_free {
                        (body.at, body.cell, body.phase) = (stop.at, stop.cell, Phase::Walking);
                        body.chain.cell = clearway_geometry::NONE;
                        self.events.push(Event::Landed { id, link: LinkId(stop.link) });
                        settle_body(mesh, id, body, &mut self.events);
                        near.values_mut().for_each(|near| near.push(slot as u32));
                    }
                }
                Phase::Walking if body.chain.cell == body.cell && body.chain.count == 0 => {
                    let ChainEnd::Ride(stop) = body.chain.end else { continue };
                    let entry = world.stops[stop as usize];
                    let near = distance(body.at, entry.at) <= f64::from(body.radius.max(0.3));
                    let speed = body.speed.max(0.1);
                    if near && entry.ride.is_finite() {
                        let body = &mut self.bodies[slot];
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

/// Lists, for each link stop where somebody would land now, the bodies on the ground that may be in the way. One look at
/// each body: with as many riders as bodies, to ask all pairs would take for ever.
fn bodies_near_landings(bodies: &[Body], stops: &[LinkStop], dt: f32) -> BTreeMap<u32, Vec<u32>> {
    let mut near = BTreeMap::new();
    let mut widest = 0.0;
    for body in bodies {
        if let Phase::Riding(stop) = body.phase
            && body.wait <= dt
        {
            widest = body.radius.max(widest);
            near.insert(stop, Vec::new());
        }
    }
    let mut by_x: Vec<(f64, u32)> = near.keys().map(|stop| (stops[*stop as usize].at[0], *stop)).collect();
    by_x.sort_by(|p, q| p.0.total_cmp(&q.0));
    let on_ground = bodies.iter().enumerate().filter(|(_, body)| !by_x.is_empty() && body.is_on_ground());
    for (slot, body) in on_ground {
        let reach = f64::from(widest + body.radius);
        let first = by_x.partition_point(|(x, _)| *x < body.at[0] - reach);
        for (_, stop) in by_x[first..].iter().take_while(|(x, _)| *x <= body.at[0] + reach) {
            if distance(stops[*stop as usize].at, body.at) < reach {
                near.entry(*stop).or_default().push(slot as u32);
            }
        }
    }
    near
}
