//! The reachable point nearest to a goal that cannot be reached, for partial paths.

use super::roadmap::{Lengths, Roadmap};
use crate::mesh::NavMesh;
use crate::query::Location;
use clearway_geometry::Vec2;

/// The number of graph points, nearest to the goal first, from which the body tries to come nearer. Each try is one
/// sliding move.
const MOST_TRIES: usize = 64;

impl NavMesh {
    /// Returns the point nearest to the goal that a body of this radius (in metres) can reach from the start; the goal
    /// itself if it can be reached. Distances are straight, in a scene through space. `None` if start or goal are not
    /// of this mesh, the radius is negative or not finite, or a wall is closer to the start than the radius.
    ///
    /// For a point it is exact. For a body with a radius, the result can surely be reached, but it need not be the
    /// nearest. The body walks over a graph of points, and from those near the goal straight at it and along the walls.
    /// It may miss passages that it just fits through.
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

/// Returns the nearest point in the component of the start.
fn nearest_of_component(mesh: &NavMesh, start: Location, goal: Location) -> Option<Location> {
    let component = |cell: u32| mesh.component_of(cell);
    let own = component(start.cell.0);
    if component(goal.cell.0) == own {
        return Some(goal);
    }
    if mesh.has_heights() {
        let near = mesh.nearest_in_space(goal.position, mesh.height(goal), |cell| component(cell) == own);
        return Some(near.map_or(start, |(near, _)| near));
    }
    let near = mesh.nearest_of(mesh.parts.grid.units(goal.position), |cell| component(cell) == own);
    Some(near.unwrap_or(start))
}

/// Returns the nearest point that a body finds over a graph of points.
fn nearest_of_body(mesh: &NavMesh, start: Location, goal: Location, radius: f64) -> Option<Location> {
    let room = |at: &Location| mesh.clearance(*at).unwrap_or(0.0);
    if room(&start) < radius {
        return None;
    }
    let place = |at: &Location| (mesh.parts.grid.units(at.position), at.cell.0);
    // The goal is part of the graph, so it is reached if the graph leads there.
    let map = Roadmap::new(mesh, radius / mesh.unit(), &[place(&start), place(&goal)]);
    let (reached, _) = map.search(mesh, 0..1, 0..0, &Lengths);
    if reached.costs.get(1).is_some_and(|cost| cost.is_finite()) {
        return Some(goal);
    }
    let (aim, level) = (mesh.parts.grid.units(goal.position), mesh.height(goal) / mesh.unit());
    let far = |at: Vec2, cell: u32| {
        let over = mesh.ground_height(cell, at) / mesh.unit() - level;
        at.distance(aim).hypot(over)
    };
    let is_reached = |number: &u32| reached.costs[*number as usize].is_finite();
    let keyed = |number: u32| (far(map.spots[number as usize].at, map.spots[number as usize].cell), number);
    let mut near: Vec<(f64, u32)> = (0..map.spots.len() as u32).filter(is_reached).map(keyed).collect();
    near.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut best = start;
    for (_, number) in near.into_iter().take(MOST_TRIES) {
        let spot = &map.spots[number as usize];
        let Some(from) = mesh.settle(spot.cell, spot.at) else { continue };
        let moved = mesh.move_along(from, goal.position, map.radius * mesh.unit());
        // The slid point may be too close to a wall by rounding; then the spot itself counts.
        for found in [moved, from].into_iter().filter(|found| room(found) >= radius) {
            let [this, known] = [found, best].map(|at| far(mesh.parts.grid.units(at.position), at.cell.0));
            if this < known {
                best = found;
            }
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::PathQuery;
    use crate::path::field::tests::{mesh_of, places, scenes, stale};

    fn far(a: &Location, b: &Location) -> f64 {
        (a.position[0] - b.position[0]).hypot(a.position[1] - b.position[1])
    }

    #[test]
    fn nearest_reachable_places_can_be_reached_and_none_is_nearer() {
        for (name, mesh) in scenes(30) {
            for pair in places(&mesh, 51, 30).chunks(2) {
                let [start, goal] = [pair[0], pair[1]];
                let found = mesh.nearest_reachable(start, goal, 0.0).unwrap();
                assert!(mesh.find_path(&PathQuery::new(start, found)).is_ok(), "{name}: {found:?}");
                let component = |at: &Location| mesh.cell(at.cell).unwrap().component();
                for other in places(&mesh, 52, 100) {
                    let nearer = far(&other, &goal) < far(&found, &goal) * (1.0 - 1e-9);
                    assert!(
                        !nearer || component(&other) != component(&start),
                        "{name}: {other:?}, {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn nearest_reachable_places_of_a_body_can_be_reached() {
        let (mut short, mut whole) = (0, 0);
        for (name, mesh) in scenes(30) {
            let radius = 0.02 * mesh.area().sqrt();
            let room = |at: &Location| mesh.clearance(*at).unwrap() >= radius;
            let all: Vec<Location> = mesh.random_points(53).take(100).filter(room).collect();
            for pair in all.chunks_exact(2) {
                let found = mesh.nearest_reachable(pair[0], pair[1], radius).unwrap();
                let reached = found == pair[0]
                    || mesh.find_path(&PathQuery::new(pair[0], found).radius(radius)).is_ok();
                assert!(reached, "{name}: {found:?} from {:?} with {radius}", pair[0]);
                assert!(far(&found, &pair[1]) <= far(&pair[0], &pair[1]), "{name}");
                if mesh.find_path(&PathQuery::new(pair[0], pair[1]).radius(radius)).is_ok() {
                    whole += 1;
                    short += usize::from(found != pair[1]);
                }
            }
        }
        println!("{short} of {whole} ended short of the goal");
        assert!(50 * short <= whole, "{short} of {whole}");
    }

    #[test]
    fn nearest_reachable_place_before_a_narrow_door() {
        let mesh = mesh_of(
            "POLYGON ((0 0, 10 0, 10 4.8, 11 4.8, 11 0, 20 0, 20 10, 11 10, 11 5.2, 10 5.2, 10 10, 0 10))",
        );
        let [start, goal] = [[2.0, 5.0], [18.0, 5.0]].map(|place| mesh.locate(place).unwrap());
        assert_eq!(mesh.nearest_reachable(start, goal, 0.1), Some(goal));
        let found = mesh.nearest_reachable(start, goal, 0.5).unwrap();
        // It stands in the door as far as it fits in.
        assert!(found.position[0] > 9.4 && found.position[0] < 10.0, "{found:?}");
        for bad in stale() {
            assert_eq!(mesh.nearest_reachable(bad, goal, 0.0), None);
            assert_eq!(mesh.nearest_reachable(start, bad, 0.5), None);
        }
        for radius in [-1.0, f64::NAN, f64::INFINITY, 50.0] {
            assert_eq!(mesh.nearest_reachable(start, goal, radius), None);
        }
    }
}
