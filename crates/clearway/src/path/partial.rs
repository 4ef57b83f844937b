//! The reachable place nearest to a goal that cannot be reached, for paths that lead as near as can be.

use super::roadmap::{Lengths, Roadmap};
use crate::mesh::NavMesh;
use crate::query::Location;
use clearway_geometry::Vec2;

/// From how many places of the graph the body tries to come nearer to the goal.
const MOST_TRIES: usize = 64;

impl NavMesh {
    /// The place nearest to the goal, as the crow flies, that a body of this radius (in metres) can reach from the
    /// start; the goal itself where it can be reached. `None` where start or goal are not of this mesh, the radius is
    /// negative or not finite, or a wall is closer to the start than the radius.
    ///
    /// For a point it is exact. For a body with a radius the place can surely be reached, but it need not be the
    /// nearest: the body walks over a graph of places and from those near the goal straight at it and along the walls.
    /// Passages that it just fits through may be missed.
    pub fn nearest_reachable(&self, start: Location, goal: Location, radius: f64) -> Option<Location> {
        let sound = radius >= 0.0 && radius.is_finite();
        if !sound || !self.is_here(&start) || !self.is_here(&goal) {
            return None;
        }
        if radius == 0.0 {
            nearest_of_component(self, start, goal)
        } else {
            nearest_of_body(self, start, goal, radius)
        }
    }
}

/// The nearest place of the component of the start.
fn nearest_of_component(mesh: &NavMesh, start: Location, goal: Location) -> Option<Location> {
    let component = |cell: u32| mesh.cell_component[cell as usize];
    let own = component(start.cell.0);
    if component(goal.cell.0) == own {
        return Some(goal);
    }
    let (layout, spot) = (mesh.layout(), mesh.grid.units(goal.position));
    let mut best = (f64::INFINITY, u32::MAX, start);
    mesh.index().nearest(spot, f64::INFINITY, |cell, within| {
        if component(cell) != own {
            return within;
        }
        for side in layout.sides(cell) {
            let [from, to] = layout.ends(cell, side);
            let foot = spot.nearest_on(from, to);
            let squared = (foot - spot).length_squared();
            if (squared, cell) >= (best.0, best.1) {
                continue;
            }
            if let Some(found) = mesh.settle(cell, foot) {
                best = (squared, cell, found);
            }
        }
        best.0.min(within)
    });
    Some(best.2)
}

/// The nearest place that a body finds over a graph of places.
fn nearest_of_body(mesh: &NavMesh, start: Location, goal: Location, radius: f64) -> Option<Location> {
    let room = |at: &Location| mesh.clearance(*at).unwrap_or(0.0);
    if room(&start) < radius {
        return None;
    }
    let place = |at: &Location| (mesh.grid.units(at.position), at.cell.0);
    // The goal is part of the graph, and reached if it can be.
    let map = Roadmap::new(mesh, radius / mesh.unit(), &[place(&start), place(&goal)]);
    let (reached, _) = map.search(mesh, 0..1, 0..0, &Lengths);
    if reached.costs.get(1).is_some_and(|cost| cost.is_finite()) {
        return Some(goal);
    }
    let aim = mesh.grid.units(goal.position);
    let far = |at: Vec2| at.distance(aim);
    let mut near: Vec<u32> = (0..map.spots.len() as u32).filter(|s| reached.costs[*s as usize].is_finite()).collect();
    near.sort_by(|p, q| far(map.spots[*p as usize].at).total_cmp(&far(map.spots[*q as usize].at)));
    let mut best = start;
    for number in near.into_iter().take(MOST_TRIES) {
        let spot = &map.spots[number as usize];
        let Some(from) = mesh.settle(spot.cell, spot.at) else { continue };
        let moved = mesh.move_along(from, goal.position, map.radius * mesh.unit());
        for found in [moved, from].into_iter().filter(|found| room(found) >= radius) {
            if far(mesh.grid.units(found.position)) < far(mesh.grid.units(best.position)) {
                best = found;
            }
        }
    }
    Some(best)
}
