//! The widest way of walks and links, reported where a body is too large for all ways.
//!
//! The search goes from stop to stop and always continues from the stop that the largest body can reach (Pollack,
//! 1960). The clearance graph gives the width of walks without a search. The width of a link is the least of its own
//! limit and the clearance at its ends.
//!
//! Cost: O(n m) for n stops and m links taken in one direction. It runs only after a search that found nothing.

use super::route::{GOAL, Ride, START, Stops};
use crate::clearance::Bottleneck;
use crate::mesh::{LinkEnd, LinkId, NavMesh};
use crate::path::PathQuery;
use crate::query::Location;
use clearway_geometry::NONE;

/// The narrowest point of a way, and the link that is narrow there, if it is one.
#[derive(Clone, Copy)]
pub(super) struct Narrow {
    /// The radius in metres of the largest body that passes.
    pub radius: f64,
    /// The location of the narrowest point.
    pub at: Location,
    /// The link that is narrow there.
    pub link: Option<LinkId>,
}

/// Returns the narrowest point of the widest way from start to goal; `None` if no body gets there.
pub(super) fn bottleneck(mesh: &NavMesh, query: &PathQuery) -> Option<Narrow> {
    // With radius 0 no stop is left out for its clearance; widths are limited below instead.
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

/// The walk to the goal as a ride from the goal to itself, so that the loop treats it like the others.
const TO_GOAL: Ride = Ride { link: NONE, stops: [GOAL, GOAL], cost: 0.0 };

/// Returns the narrowest point of the widest walk between two stops; `None` between components.
fn walk(mesh: &NavMesh, stops: &Stops, from: u32, to: u32) -> Option<Narrow> {
    let [from, to] = [from, to].map(|stop| stops.stops[stop as usize].end.location());
    mesh.bottleneck(from, to).map(|Bottleneck { radius, at }| Narrow { radius, at, link: None })
}

/// Returns the width of a ride and its narrowest end.
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

/// Returns the narrower of two; of equals the one that names a link.
fn narrower(one: Narrow, other: Narrow) -> Narrow {
    let is_named = other.radius == one.radius && one.link.is_none();
    if other.radius < one.radius || is_named { other } else { one }
}
