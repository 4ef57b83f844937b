//! The widest way of walks and links: told where a body is too large for all of them.
//!
//! A search from stop to stop that always goes on from the one that the largest body reaches (Pollack, 1960). Walks are as
//! wide as the mesh tells without a search; links as their rules and the room at their ends allow.
//!
//! Cost: O(n m) for n stops and m links taken in one direction, and only after a search that found nothing.

use super::route::{GOAL, Ride, START, Stops};
use crate::clearance::Bottleneck;
use crate::mesh::{LinkEnd, LinkId, NavMesh};
use crate::path::PathQuery;
use crate::query::Location;
use clearway_geometry::NONE;

/// The narrowest place of a way, and the link that is narrow there, if it is one.
#[derive(Clone, Copy)]
pub(super) struct Narrow {
    pub radius: f64,
    pub at: Location,
    pub link: Option<LinkId>,
}

/// The narrowest place of the widest way from start to goal, if any body gets there.
pub(super) fn bottleneck(mesh: &NavMesh, query: &PathQuery) -> Option<Narrow> {
    let stops = Stops::of(mesh, &query.clone().radius(0.0));
    let mut reached: Vec<Option<Narrow>> = vec![None; stops.stops.len()];
    let mut is_final = vec![false; stops.stops.len()];
    let start = query.start;
    let room = mesh.clearance(start).unwrap_or(0.0);
    reached[START as usize] = Some(Narrow { radius: room, at: start, link: None });
    loop {
        let open = (0..stops.stops.len()).filter(|stop| !is_final[*stop]);
        let known = open.filter_map(|stop| reached[stop].map(|narrow| (stop, narrow)));
        let (stop, narrow) = known.reduce(|a, b| if b.1.radius > a.1.radius { b } else { a })?;
        is_final[stop] = true;
        if stop == GOAL as usize {
            return Some(narrow);
        }
        let component = stops.stops[stop].component;
        let rides = stops.from_component.get(&component).into_iter().flatten();
        for ride in rides.map(|ride| &stops.rides[*ride as usize]).chain([&TO_GOAL]) {
            let [from, to] = ride.stops;
            let walk = walk(mesh, &stops, stop as u32, from);
            let Some(way) = walk.map(|walk| narrower(narrower(narrow, walk), of_ride(mesh, &stops, ride)))
            else {
                continue;
            };
            let known = &mut reached[to as usize];
            if known.is_none_or(|known| way.radius > known.radius) {
                *known = Some(way);
            }
        }
    }
}

/// The walk to the goal, as a ride that leads nowhere.
const TO_GOAL: Ride = Ride { link: NONE, stops: [GOAL, GOAL], cost: 0.0 };

fn walk(mesh: &NavMesh, stops: &Stops, from: u32, to: u32) -> Option<Narrow> {
    let [from, to] = [from, to].map(|stop| stops.stops[stop as usize].end.location());
    mesh.bottleneck(from, to).map(|Bottleneck { radius, at }| Narrow { radius, at, link: None })
}

/// How wide a ride is, and where.
fn of_ride(mesh: &NavMesh, stops: &Stops, ride: &Ride) -> Narrow {
    let ends = ride.stops.map(|stop| stops.stops[stop as usize].end);
    let link = (ride.link != NONE).then_some(LinkId(ride.link));
    let room = |end: &LinkEnd| Narrow {
        radius: mesh.clearance(end.location()).unwrap_or(0.0),
        at: end.location(),
        link,
    };
    let most =
        mesh.parts.links.get(ride.link as usize).and_then(|link| link.max_radius).unwrap_or(f64::INFINITY);
    let [from, to] = [room(&ends[0]), room(&ends[1])];
    narrower(Narrow { radius: most, ..from }, narrower(from, to))
}

/// The narrower of two; of equals the one that names a link.
fn narrower(one: Narrow, other: Narrow) -> Narrow {
    let is_named = other.radius == one.radius && one.link.is_none();
    if other.radius < one.radius || is_named { other } else { one }
}
