//! Turns stops on the raster into a path.

use super::room::Room;
use clearway_geometry::Vec2;
use clearway_nav::mesh::{CellId, NavMesh, PortalId};
use clearway_nav::path::{Path, Piece};

/// A point of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The mesh cell that holds it.
    pub cell: u32,
    /// Its position in grid units.
    pub at: Vec2,
}

/// A route: the start, centres, and the goal if it is reached.
#[derive(Clone, Debug)]
pub struct Route {
    /// The stops, in order.
    pub stops: Vec<Stop>,
    /// True if it reaches a goal.
    pub is_complete: bool,
    /// The number of raster cells expanded.
    pub expansions: u64,
}

/// Returns the path along a route.
pub fn to_path(mesh: &NavMesh, room: &mut Room<'_>, route: &Route, radius: f64) -> Path {
    let corners = corners(&route.stops);
    let places: Vec<[f64; 2]> = corners.iter().map(|corner| mesh.parts().grid.place(*corner)).collect();
    let pieces = places.windows(2).map(|ends| Piece::Segment { from: ends[0], to: ends[1] }).collect();
    let length = length_of(&route.stops) * mesh.unit();
    let (start, goal) = (places.first().copied(), places.last().copied());
    let [start, goal] = [start, goal].map(Option::unwrap_or_default);
    let straight = (goal[0] - start[0]).hypot(goal[1] - start[1]);
    let (cells, portals) = surroundings(mesh, room, &route.stops);
    Path {
        start,
        goal,
        pieces,
        cells,
        portals,
        length,
        cost: length,
        radius,
        clearance: clearance(room, &route.stops) * mesh.unit(),
        bound: if straight > 0.0 { (length / straight).max(1.0) } else { 1.0 },
        complete: route.is_complete,
        expansions: route.expansions,
        ..Path::default()
    }
}

/// Returns the sum of all steps. Equal steps are counted instead of added one by one, so that lengths do not drift.
fn length_of(stops: &[Stop]) -> f64 {
    let mut lengths: Vec<f64> = stops.windows(2).map(|ends| ends[0].at.distance(ends[1].at)).collect();
    lengths.sort_by(f64::total_cmp);
    lengths.chunk_by(|a, b| a == b).map(|equal| equal[0] * equal.len() as f64).sum()
}

/// Returns the stops at which the direction changes, and both ends. Coinciding stops count once.
fn corners(stops: &[Stop]) -> Vec<Vec2> {
    let mut corners: Vec<Vec2> = Vec::new();
    for stop in stops {
        if corners.last() == Some(&stop.at) {
            continue;
        }
        if let [.., before, last] = corners[..] {
            let (along, further) = (last - before, stop.at - last);
            let is_straight = along.cross(further).abs() <= 1e-9 * along.length() * further.length();
            if is_straight && along.dot(further) > 0.0 {
                corners.pop();
            }
        }
        corners.push(stop.at);
    }
    corners
}

/// Returns the mesh cells along the stops, and the portals between them.
fn surroundings(mesh: &NavMesh, room: &Room<'_>, stops: &[Stop]) -> (Vec<CellId>, Vec<PortalId>) {
    let mut cells: Vec<CellId> = stops.first().map(|stop| CellId(stop.cell)).into_iter().collect();
    let mut portals = Vec::new();
    for ends in stops.windows(2).filter(|ends| ends[0].cell != ends[1].cell) {
        let chain = room.chain(ends[0].cell, ends[1].cell, ends[0].at, ends[1].at);
        let (more, sides) = chain.unwrap_or_default();
        cells.extend(more.into_iter().skip(1).map(CellId));
        portals.extend(sides.into_iter().map(|side| PortalId(mesh.parts().sides[side].portal)));
    }
    (cells, portals)
}

/// Returns the distance to the nearest wall along all steps.
fn clearance(room: &mut Room<'_>, stops: &[Stop]) -> f64 {
    let mut nearest = f64::INFINITY;
    for stop in stops {
        nearest = room.clearance(stop.cell, stop.at, nearest);
    }
    for ends in stops.windows(2) {
        nearest = room.line_clearance(ends[0].cell, ends[0].at, ends[1].at, nearest);
    }
    nearest
}
