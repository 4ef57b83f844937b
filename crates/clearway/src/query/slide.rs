//! Moves that slide along walls.

use super::Location;
use crate::mesh::NavMesh;
use clearway_geometry::Vec2;

/// How often one move changes direction.
const MOST_SLIDES: usize = 16;

impl NavMesh {
    /// Moves a body of a given radius from a place towards `to`, sliding along walls and around corners, as far as
    /// each brings it nearer. It never leaves the mesh and does not pass walls. A body that stands right, no
    /// closer to any wall than its radius, still does so afterwards; one that does not comes no closer.
    ///
    /// A location that is not one of this mesh, a target that is not finite, and a radius that is negative or not
    /// finite move nothing.
    pub fn move_along(&self, from: Location, to: [f64; 2], radius: f64) -> Location {
        let goal = self.grid.units(to);
        let sound = radius >= 0.0 && radius.is_finite() && goal.x.is_finite() && goal.y.is_finite();
        if !sound || !self.is_here(&from) {
            return from;
        }
        let radius = radius / self.unit();
        let room = self.nearest_wall(self.grid.units(from.position), from.cell.0);
        // Where it starts too close, coming no closer is all that can be asked.
        let kept = room.map_or(radius, |wall| wall.distance.min(radius));
        self.slide(from, goal, (radius, kept))
    }

    /// Moves straight at the goal, then along what is in the way, and so on.
    fn slide(&self, from: Location, goal: Vec2, (radius, kept): (f64, f64)) -> Location {
        let (mut here, mut aim) = (from, goal);
        let mut idle = 0;
        for _ in 0..MOST_SLIDES {
            let spot = self.grid.units(here.position);
            let reach = self.sweep(spot, here.cell.0, aim, radius);
            let stop = spot + (aim - spot) * reach.fraction;
            let find = |place: Vec2| self.settle_in(&reach, place);
            let Some(next) = self.stand(stop, kept, find) else { break };
            let stop = self.grid.units(next.position);
            // Every straight piece brings it nearer; what does not is rounding.
            idle = if stop.distance(goal) < spot.distance(goal) { 0 } else { idle + 1 };
            if idle > 0 && stop.distance(goal) > spot.distance(goal) + self.slack() {
                break;
            }
            here = next;
            aim = match reach.wall {
                None if aim == goal => break,
                None => goal,
                Some(wall) => {
                    let normal = self.normal(&wall, stop);
                    let along = normal.perp();
                    // A bit off the wall, so that rounding does not run into it again.
                    stop + along * along.dot(goal - stop) + normal * (16.0 * self.slack())
                }
            };
            if idle > 2 {
                break;
            }
        }
        here
    }
}
